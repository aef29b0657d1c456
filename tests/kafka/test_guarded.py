"""Kafka behind TLS, passwords or certificates, and rights: everything works through settings, and who is not let in is
told why."""

from __future__ import annotations

import socket
import ssl
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from threading import Thread

import pytest
from kafka import KafkaAdminClient
from kafka.admin import (
    ACLFilter,
    ACLOperation,
    ACLPermissionType,
    ACLResourcePatternType,
    ResourcePatternFilter,
    ResourceType,
)

from events.errors import Unable
from events.ingest.kafka import read_settings
from events.ingest.kafka.reach import greet
from events.schema.ours import RulingApplied
from events.store import Draft, Log, Origin
from tests.cli.desk import Desk
from tests.events.store.records import record
from tests.guarded import Authority, Certified, Guarded, authority, certified_kafka, guarded_kafka  # noqa: F401
from tests.kafka.daemons import counted, daemon, wait_until
from tests.stores import CATALOGUE

ROOT = Path(__file__).resolve().parents[2]
LINES = [record(number) for number in range(1, 30)]
ANSWERS = {
    "wrong password": ({"sasl_password": "no"}, "authentication refused", "are sasl_username, the password"),
    "unknown authority": ({"tls_ca_file": ""}, "is not trusted: unable to get local issuer", "tls_ca_file names"),
    "plaintext": (
        {"security_protocol": "PLAINTEXT", "sasl_mechanism": "", "tls_ca_file": ""},
        "speaks TLS, and security_protocol is PLAINTEXT",
        "SSL or SASL_SSL is meant",
    ),
}
"""What is set wrongly, what is said, and what the hint begins with."""


@pytest.fixture(scope="module")
def guarded(guarded_kafka: Guarded) -> Guarded:  # noqa: F811
    """With Recoup's topics and rights."""
    admin = guarded_kafka.env("admin")
    assert "floor.events: missing" in topics("check", "--replicas", "1", "--acls", env=admin, code=5)
    assert "12 partitions" in topics("apply", "--replicas", "1", "--acls", env=admin)
    return guarded_kafka


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """A store with a ruling and a record that was rejected."""
    found = Desk(tmp_path).init()
    with Log.open(found.store, CATALOGUE) as log:
        rule(log, "r-1")
        log.accept([b"no record"], Origin(kind="file", name="a.ndjson"))
    return found


def rule(log: Log, name: str) -> None:
    log.author("table/brno/RL-03/2026-11-28.1@/recoup", [Draft(event=RulingApplied(ruling=name, ground="fault"))])


def topics(*words: str, env: Mapping[str, str], code: int = 0) -> str:
    """`deploy/kafka/topics`: what it said; its exit code must be this one."""
    script = [sys.executable, str(ROOT / "deploy" / "kafka" / "topics"), *words]
    done = subprocess.run(script, cwd=ROOT, env=dict(env), capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout + done.stderr


def revoke(guarded: Guarded, name: str, operation: ACLOperation, topic: str) -> None:
    """Takes a right away."""
    admin = KafkaAdminClient(**read_settings(None, {}, guarded.settings("admin")).connection())
    where = ResourcePatternFilter(ResourceType.TOPIC, topic, ACLResourcePatternType.LITERAL)
    admin.delete_acls([ACLFilter(f"User:{name}", "*", operation, ACLPermissionType.ALLOW, where)])
    admin.close()


def config(desk: Desk, settings: Mapping[str, str], name: str = "kafka.toml") -> str:
    """A settings file."""
    path = desk.folder / name
    path.write_text("".join(f'{key} = "{value}"\n' for key, value in settings.items()), encoding="utf-8")
    return str(path)


def test_topics_rights_and_every_daemon_by_file_and_by_environment(guarded: Guarded, desk: Desk) -> None:
    admin = guarded.env("admin")
    assert "as described" in topics("check", "--replicas", "1", "--acls", env=admin)
    filed = config(desk, guarded.settings("admin"))
    assert topics("apply", "--replicas", "1", "--acls", "--config", filed, env={}) == "nothing to change\n"
    assert "1 replicas, described are 3" in topics("check", env=admin, code=5)

    lines = b"\n".join([*LINES, b"half a rec"])
    sent = desk.run("send", "kafka", "--config", config(desk, guarded.settings("floor-gateway")), stdin=lines)
    assert "30 records sent" in sent.err
    desk.write("password", [b"i-1"])
    secret = guarded.settings("recoup-ingest") | {"sasl_password": "", "sasl_password_file": f"{desk.folder}/password"}
    ingested = desk.spawn("ingest", "kafka", "--once", "--config", config(desk, secret))
    assert (ingested.code, "stored 29" in ingested.out) == (5, True), ingested
    published = desk.spawn("publish", "kafka", "--once", env=guarded.env("recoup-publish"))
    assert "3 messages sent" in published.out, published


def test_a_right_that_was_taken_away_is_named_and_nothing_is_lost(guarded: Guarded, desk: Desk) -> None:
    settings = config(desk, guarded.settings("recoup-publish"))
    assert "2 messages sent" in desk.run("publish", "kafka", "--once", "--config", settings).out
    with Log.open(desk.store, CATALOGUE) as log:
        rule(log, "r-2")
        log.accept([b"nor is this"], Origin(kind="file", name="b.ndjson"))
    revoke(guarded, "recoup-publish", ACLOperation.WRITE, "recoup.rulings")
    said = desk.run("publish", "kafka", "--once", "--config", settings)
    assert said.code == 3
    assert "/recoup:2 (DS.RulingApplied.v1, row " in said.err
    assert "the publisher may not write there" in said.err
    assert "hint: give its account WRITE on recoup.rulings: deploy/kafka/topics" in said.err
    assert "1 rights given" in topics("apply", "--replicas", "1", "--acls", env=guarded.env("admin"))
    again = desk.run("publish", "kafka", "--once", "--json", "--config", settings)
    assert again.row["sent"] == {"floor.events.rejected": 0, "recoup.rulings": 1, "recoup.checkpoints": 0}


def test_rights_that_are_missing_are_named_and_end_no_daemon_with_a_traceback(guarded: Guarded, desk: Desk) -> None:
    path = config(desk, guarded.settings("recoup-ingest"))
    revoke(guarded, "recoup-ingest", ACLOperation.DESCRIBE_CONFIGS, "floor.events")
    without = desk.spawn("ingest", "kafka", "--once", "--config", path)
    topics("apply", "--replicas", "1", "--acls", env=guarded.env("admin"))
    assert without.code == 3
    assert "does not allow recoup-ingest to read floor.events and its configuration" in without.err
    assert "hint: `python deploy/kafka/topics apply --acls`" in without.err
    other = desk.spawn("ingest", "kafka", "--once", "--group", "other", "--config", path)
    assert (other.code, "as one of the group other (READ)" in other.err) == (3, True), other
    unseen = desk.run("send", "kafka", "--config", config(desk, guarded.settings("recoup-publish")), stdin=b"{}")
    assert (unseen.code, "does not allow recoup-publish to see floor.events" in unseen.err) == (3, True), unseen
    assert "does not allow floor-gateway to look after" in topics("check", env=guarded.env("floor-gateway"), code=3)


@pytest.mark.parametrize("fault", ANSWERS)
def test_who_is_not_let_in_is_told_why(guarded: Guarded, desk: Desk, fault: str) -> None:
    wrong, said, hint = ANSWERS[fault]
    for name, words in (("floor-gateway", ["send", "kafka"]), ("recoup-publish", ["publish", "kafka", "--once"])):
        found = desk.run(*words, "--config", config(desk, guarded.settings(name) | wrong), stdin=b"{}")
        assert (found.code, found.out) == (3, "")
        assert f"{guarded.servers}" in found.err
        assert said in found.err
        assert f"hint: {hint}" in found.err


@pytest.mark.parametrize(("fault", "words"), [("wrong password", ["--beside"]), ("plaintext", [])])
def test_an_ingest_daemon_that_is_not_let_in_is_told_why(
    guarded: Guarded, desk: Desk, fault: str, words: list[str]
) -> None:
    wrong, said, hint = ANSWERS[fault]
    path = config(desk, guarded.settings("recoup-ingest") | wrong)
    found = desk.spawn("ingest", "kafka", "--once", *words, "--config", path)
    assert found.code == 3
    assert said in found.err
    assert f"hint: {hint}" in found.err
    assert "Traceback" not in found.err


def test_topics_cannot_be_asked_of_a_broker_that_is_not_trusted(guarded: Guarded, desk: Desk) -> None:
    other = Authority(desk.folder, "other")
    path = config(desk, guarded.settings("admin") | {"tls_ca_file": str(other.path)})
    said = topics("check", "--config", path, env={}, code=3)
    assert "is not trusted" in said
    assert "hint: tls_ca_file names" in said


def test_a_daemon_waits_until_its_password_is_mended(guarded: Guarded, desk: Desk) -> None:
    secret = desk.folder / "password"
    secret.write_text("old\n")
    settings = guarded.settings("recoup-ingest") | {"sasl_password": "", "sasl_password_file": str(secret)}
    path = config(desk, settings | {"group": "recoup-ingest"})
    desk.run("send", "kafka", "--config", config(desk, guarded.settings("floor-gateway"), "send.toml"), stdin=LINES[0])
    with daemon(desk, "", "", "--config", path) as one:
        one.wait_for("authentication refused")
        secret.write_text("i-1\n")
        wait_until(lambda: counted(desk) > 0)
        one.stop()
        assert "Kafka answers again" in one.words


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"sasl_mechanism": "SCRAM-SHA-256"}, "knows no SCRAM-SHA-256"),
        ({"security_protocol": "SSL", "sasl_mechanism": ""}, "hangs up on whoever does not log in"),
        ({"security_protocol": "SASL_PLAINTEXT", "tls_ca_file": ""}, "speaks TLS"),
        ({"bootstrap_servers": "localhost:{port}"}, "is for another name"),
        ({"sasl_username": "nobody"}, "does not let nobody in"),
    ],
)
def test_other_settings_that_do_not_fit_are_told_apart(guarded: Guarded, wrong: dict[str, str], said: str) -> None:
    port = guarded.servers.rpartition(":")[2]
    found = guarded.settings("floor-gateway") | {name: value.format(port=port) for name, value in wrong.items()}
    with pytest.raises(Unable, match=said) as caught:
        greet(read_settings(None, {}, found))
    assert caught.value.hint
    greet(read_settings(None, {}, guarded.settings("floor-gateway")))


def test_a_broker_without_tls_or_login_says_so(kafka: str, guarded: Guarded) -> None:
    settings = guarded.settings("floor-gateway") | {"bootstrap_servers": kafka}
    with pytest.raises(Unable, match="does not speak TLS, and security_protocol is SASL_SSL"):
        greet(read_settings(None, {}, settings))
    with pytest.raises(Unable, match="asks nobody to log in"):
        greet(read_settings(None, {}, settings | {"security_protocol": "SASL_PLAINTEXT", "tls_ca_file": ""}))
    both = {"bootstrap_servers": f"127.0.0.1:1,{kafka}"}
    greet(read_settings(None, {}, both))


def test_everything_works_for_who_shows_a_certificate(certified_kafka: Certified, desk: Desk) -> None:  # noqa: F811
    path = config(desk, certified_kafka.settings("admin"), "admin.toml")
    assert "12 partitions" in topics("apply", "--replicas", "1", "--acls", "--config", path, env={})
    sent = desk.run(
        "send",
        "kafka",
        "--config",
        config(desk, certified_kafka.settings("floor-gateway")),
        stdin=b"\n".join(LINES),
    )
    assert "29 records sent" in sent.err
    ingest = config(desk, certified_kafka.settings("recoup-ingest"))
    assert "stored 29" in desk.spawn("ingest", "kafka", "--once", "--config", ingest).out
    publish = config(desk, certified_kafka.settings("recoup-publish"))
    assert "2 messages sent" in desk.spawn("publish", "kafka", "--once", "--config", publish).out
    refused = desk.run("send", "kafka", "--config", publish, stdin=b"{}")
    assert (refused.code, "does not allow the owner of " in refused.err) == (3, True), refused


@pytest.mark.parametrize("fault", ["none", "foreign", "over"])
def test_a_certificate_that_the_broker_refuses_is_named(
    certified_kafka: Certified,  # noqa: F811
    desk: Desk,
    fault: str,
) -> None:
    mine = certified_kafka.authority
    shown, said, hint = {
        "none": ("", "tls_cert_file is not set", "tls_cert_file and tls_key_file name ours"),
        "foreign": (Authority(desk.folder, "other").issue("recoup-ingest"), "refuses the certificate", "CN=other?"),
        "over": (mine.issue("old", is_over=True), "refuses the certificate", "UTC: have it renewed"),
    }[fault]
    path = config(desk, certified_kafka.settings("recoup-ingest") | {"tls_cert_file": str(shown)})
    found = desk.run("ingest", "kafka", "--once", "--config", path)
    assert found.code == 3
    assert said in found.err
    assert hint in found.err


def test_a_broker_whose_certificate_is_over_is_not_trusted(desk: Desk) -> None:
    house = Authority(desk.folder, "house")
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(house.issue("broker", is_over=True))
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            plain, _address = server.accept()
            with plain, pytest.raises(ssl.SSLError):
                context.wrap_socket(plain, server_side=True)

        broker = Thread(target=answer)
        broker.start()
        port = server.getsockname()[1]
        settings = {
            "bootstrap_servers": f"127.0.0.1:{port}",
            "security_protocol": "SSL",
            "tls_ca_file": str(house.path),
        }
        with pytest.raises(Unable, match="not trusted: certificate has expired") as caught:
            greet(read_settings(None, {}, settings))
        assert caught.value.hint == "have it renewed"
        broker.join()
