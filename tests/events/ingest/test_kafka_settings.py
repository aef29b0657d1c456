"""Settings of Kafka: file, environment, options; nothing misspelt is passed over."""

from __future__ import annotations

from pathlib import Path

import pytest

from events.errors import Refused, Unable
from events.ingest.kafka import Settings, address_of, read_settings
from events.ingest.kafka.meter import Meter
from events.ingest.kafka.only import only_daemon
from events.ingest.kafka.send import stream_key


def test_the_environment_holds_against_the_file_and_options_against_both(tmp_path: Path) -> None:
    path = tmp_path / "kafka.toml"
    path.write_text('topic = "a"\ngroup = "a"\nclient_id = "a"\nsession_timeout_ms = 9000\n')
    environment = {"RECOUP_KAFKA_GROUP": "b", "RECOUP_KAFKA_CLIENT_ID": "b", "RECOUP_KAFKA_BATCH_RECORDS": "7"}
    found = read_settings(str(path), environment, {"client_id": "c", "topic": None})
    assert (found.topic, found.group, found.client_id) == ("a", "b", "c")
    assert (found.session_timeout_ms, found.batch_records) == (9000, 7)
    assert read_settings(None, {**environment, "RECOUP_KAFKA_CONFIG": str(path)}).topic == "a"
    assert read_settings(None, {}) == Settings()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("topick = 'a'", "no setting `topick`"),
        ("topic = ''", "topic"),
        ("topic = 'a b'", "topic"),
        ("batch_records = 0", "batch_records"),
        ("security_protocol = 'TLS'", "security_protocol"),
        ("security_protocol = 'SASL_SSL'", "sasl_mechanism"),
        ("sasl_mechanism = 'PLAIN'", "would not use it"),
        ("tls_ca_file = 'ca.pem'", "would not use it"),
        ("metrics_address = '9464'", "no address"),
        ("backoff_max_ms = 1", "backoff_max_ms"),
        ("topic = ", "no TOML"),
    ],
)
def test_what_cannot_be_meant_is_refused(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "kafka.toml"
    path.write_text(text)
    with pytest.raises(Refused, match=says):
        read_settings(str(path), {})


def test_a_misspelt_variable_is_refused_and_the_near_one_named() -> None:
    with pytest.raises(Refused, match="bootstrap_server`") as refused:
        read_settings(None, {"RECOUP_KAFKA_BOOTSTRAP_SERVER": "a:1"})
    assert "bootstrap_servers" in refused.value.hint
    with pytest.raises(Unable, match="cannot be read"):
        read_settings("/nowhere/kafka.toml", {})


def test_a_password_comes_from_a_file(tmp_path: Path) -> None:
    secret = tmp_path / "password"
    secret.write_text("hush\n")
    found = read_settings(
        None,
        {},
        {
            "security_protocol": "SASL_PLAINTEXT",
            "sasl_mechanism": "SCRAM-SHA-512",
            "sasl_username": "recoup",
            "sasl_password_file": str(secret),
        },
    ).connection()
    assert (found["sasl_plain_username"], found["sasl_plain_password"]) == ("recoup", "hush")
    secret.unlink()
    with pytest.raises(Unable, match="password file"):
        read_settings(
            None,
            {},
            {
                "security_protocol": "SASL_PLAINTEXT",
                "sasl_mechanism": "PLAIN",
                "sasl_username": "recoup",
                "sasl_password_file": str(secret),
            },
        ).connection()


def test_addresses() -> None:
    assert address_of("") is None
    assert address_of("127.0.0.1:9464") == ("127.0.0.1", 9464)
    assert address_of("[::1]:9464") == ("::1", 9464)


def test_a_key_is_the_stream() -> None:
    assert stream_key(b'{"subject":"table/a","source":"/b"}') == b"table/a@/b"
    assert stream_key(b"[") is None
    assert stream_key(b'{"subject":"table/a"}') is None


def test_a_daemon_that_ended_leaves_the_file_to_the_next(tmp_path: Path) -> None:
    path = str(tmp_path / "log.db")
    for _ in range(2):
        with only_daemon(path):
            pass
    with only_daemon(""):
        pass


def test_health_says_what_is_wrong_and_what_stands_still() -> None:
    meter = Meter("m", {"a_total": "A.", "lag": "Behind."}, stall_s=60)
    assert meter.health() == (True, "ok")
    meter.trouble["store"] = "the store: away"
    assert meter.health() == (False, "the store: away")
    meter.trouble.clear()
    meter._moved_at -= 61
    assert meter.health() == (False, "nothing moved for 61 s")
    meter.add("a_total", 2)
    meter.put_lag({3: 4})
    assert meter.text().splitlines() == [
        "# HELP m_a_total A.",
        "# TYPE m_a_total counter",
        "m_a_total 2",
        "# HELP m_lag Behind.",
        "# TYPE m_lag gauge",
        'm_lag{partition="3"} 4',
    ]
