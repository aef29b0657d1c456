"""`recoup ingest kafka` on Apache Kafka: everything arrives once, whatever the records are like."""

from __future__ import annotations

import json
import random
import urllib.request
from pathlib import Path

import pytest
from kafka.coordinator.base import MemberState

from cli.assembly import open_log
from events.ingest.kafka import read_settings
from events.ingest.kafka.feed import KafkaFeed
from events.ingest.kafka.reach import BrokerAway
from tests.brokers import kafka_admin, make_topic
from tests.cli.desk import Desk
from tests.events.store.records import record
from tests.kafka.daemons import check, counted, daemon, dealt, drain, new_name, produce, wait_until


@pytest.fixture
def topic(kafka: str) -> str:
    """An empty topic of this test alone."""
    return make_topic(kafka, new_name())


def test_dealers_records_arrive_and_a_second_run_finds_nothing_new(kafka: str, topic: str, desk: Desk) -> None:
    lines = dealt()
    assert produce(kafka, topic, lines).nameless == 0
    assert drain(desk, kafka, topic)["stored"] == len(lines)
    assert drain(desk, kafka, topic)["received"] == 0
    assert check(desk, lines)["repeats"] == 0
    with open_log(desk.store) as log:
        origin, _account = log.origin_of(log.size() - 1) or ("", "")
    found = json.loads(origin)
    assert (found["kind"], found["name"]) == ("kafka", topic)
    assert {one[2] for one in found["partitions"]} == {one[0] for one in found["offsets"]}


def test_fetched_by_a_process_beside_it_is_the_same(kafka: str, topic: str, desk: Desk) -> None:
    lines = [*dealt(), b"x" * 9000, b"", b"\xff\xfe\x00"]
    produce(kafka, topic, lines)
    found = drain(desk, kafka, topic, "--beside", env={"RECOUP_KAFKA_RECORD_MAX_BYTES": "8000"})
    assert (found["stored"], found["quarantined"]) == (len(lines) - 3, 3)
    check(desk, lines)


def test_offsets_reset_to_the_beginning_give_repeats_only(kafka: str, topic: str, desk: Desk) -> None:
    lines = dealt()
    produce(kafka, topic, lines)
    drain(desk, kafka, topic)
    _reset_group(kafka, topic)
    assert drain(desk, kafka, topic)["received"] == 0  # Kafka's own offsets are not asked
    with open_log(desk.store) as log, log.recorder._connection(**_writing(desk)) as db:  # type: ignore[attr-defined]
        db.execute("DELETE FROM source_offsets")
    found = drain(desk, kafka, topic)
    assert (found["stored"], found["repeats"]) == (0, len(lines))
    check(desk, lines)


def _writing(desk: Desk) -> dict[str, bool]:
    return {} if desk.store.startswith("postgresql") else {"for_writing": True}


def _reset_group(servers: str, group: str) -> None:
    admin = kafka_admin(servers)
    try:
        admin.delete_groups([group])
    finally:
        admin.close()


def test_every_record_twice_and_out_of_order_within_a_partition(kafka: str, topic: str, desk: Desk) -> None:
    lines = dealt()
    sent = [*lines, *lines]
    chance = random.Random(5)
    mixed = sorted(range(len(sent)), key=lambda at: at + chance.randint(0, 300))
    produce(kafka, topic, [sent[at] for at in mixed])
    drain(desk, kafka, topic)
    counts = check(desk, lines)
    assert (counts["stored"], counts["repeats"], counts["quarantined"]) == (len(lines), len(lines), 0)


def test_unreadable_records_are_quarantined_undecoded_ones_stored(kafka: str, topic: str, desk: Desk) -> None:
    lines, bad = dealt(), 0
    sent: list[bytes] = []
    for number, line in enumerate(lines, 1):
        if number % 100 == 0:
            sent.append(line[: len(line) // 2] + bytes([number % 256]))
            bad += 1
        undecodable = json.dumps({**json.loads(line), "data": {"nobody": "knows this"}}, separators=(",", ":")).encode()
        sent.append(undecodable if number % 50 == 0 else line)
    produce(kafka, topic, sent)
    found = drain(desk, kafka, topic)
    assert (found["stored"], found["quarantined"]) == (len(lines), bad)
    check(desk, sent)
    with open_log(desk.store) as log:
        assert len(log.unread()) == len(lines) // 50
        assert all(entry.origin.startswith(f"{topic}[") for entry in log.quarantine())


def test_two_producers_of_one_stream_are_a_conflict_and_no_loss(kafka: str, topic: str, desk: Desk) -> None:
    ours = [record(number) for number in range(1, 101)]
    theirs = [record(number, data={"person": "d-99"}) for number in range(51, 151)]
    produce(kafka, topic, [line for pair in zip(ours, theirs, strict=True) for line in pair])
    drain(desk, kafka, topic)
    counts = check(desk, [*ours, *theirs], judged=False)
    assert (counts["stored"], counts["conflicts"]) == (150, 50)


def test_once_without_a_broker_could_not(tmp_path: Path) -> None:
    desk = Desk(tmp_path).init()
    said = desk.spawn("ingest", "kafka", "--once", "--bootstrap-servers", f"127.0.0.1:{_free_port()}")
    assert said.code == 3
    assert "nobody listens" in said.err
    assert "is the address right" in said.err
    assert "Traceback" not in said.err


def test_once_without_the_topic_could_not(kafka: str, tmp_path: Path) -> None:
    words = ("--bootstrap-servers", kafka, "--topic", new_name())
    desk = Desk(tmp_path).init()
    said = desk.spawn("ingest", "kafka", "--once", *words)
    assert (said.code, "there is no topic floor-" in said.err) == (3, True), said
    sent = desk.run("send", "kafka", *words, stdin=b"{}")
    assert (sent.code, "hint: `python deploy/kafka/topics apply` makes it" in sent.err) == (3, True), sent


def test_a_group_that_does_not_settle_is_joined_anew(kafka: str, topic: str) -> None:
    """Seen under load: the broker took a member for dead while it joined, and its answer never came."""
    given = {"bootstrap_servers": kafka, "topic": topic, "group": topic, "session_timeout_ms": 1000}
    feed = KafkaFeed(lambda: read_settings(None, {}, given))
    try:
        wait_until(lambda: feed.poll(100).waiting)
        first = feed._consumer
        first._coordinator.state = MemberState.REBALANCING  # as it stood then, with nothing under way
        with pytest.raises(BrokerAway, match="does not settle"):
            wait_until(lambda: feed.poll(100).rebalances < 0, 20)
        wait_until(lambda: feed.poll(100).waiting)
        assert feed._consumer is not first
    finally:
        feed.close()


def test_a_compacted_topic_is_refused(kafka: str, tmp_path: Path) -> None:
    name = make_topic(kafka, new_name(), cleanup_policy="compact")
    with daemon(Desk(tmp_path).init(), kafka, name, "--once") as one:
        one.process.communicate(timeout=30)
        assert one.process.returncode == 2
        assert "compaction keeps one record" in one.words


def test_records_deleted_before_they_were_read_are_authored_and_alarmed(kafka: str, tmp_path: Path) -> None:
    from kafka import TopicPartition

    desk, name = Desk(tmp_path).init(), make_topic(kafka, new_name(), partitions=1)
    produce(kafka, name, [record(number) for number in range(1, 11)])
    drain(desk, kafka, name)
    produce(kafka, name, [record(number) for number in range(11, 31)])
    admin = kafka_admin(kafka)
    admin.delete_records({TopicPartition(name, 0): 20})
    admin.close()
    found = drain(desk, kafka, name)
    assert (found["stored"], found["out_of_range"]) == (10, 1)
    with open_log(desk.store) as log:
        assert [(gap.first, gap.last) for gap in log.gaps()] == [(11, 20)]
        event = next(row for row in log.page(-1) if row.topic == "RC.OffsetOutOfRange.v1")
    assert json.loads(event.state)["data"] | {"cluster": "", "topic_id": ""} == {
        "cluster": "", "topic": name, "topic_id": "", "partition": 0, "stored": 10, "earliest": 20, "latest": 30,
    }  # fmt: skip


def test_a_second_daemon_on_sqlite_refuses_and_names_the_first(kafka: str, topic: str, tmp_path: Path) -> None:
    desk = Desk(tmp_path).init()
    with daemon(desk, kafka, topic, "--metrics", "127.0.0.1:0") as first:
        wait_until((tmp_path / "desk.db.ingest").exists)
        with daemon(desk, kafka, topic) as second:
            second.process.communicate(timeout=30)
            assert second.process.returncode == 3
            assert f"process {first.process.pid}" in second.words


def test_metrics_and_health_tell_what_it_does(kafka: str, topic: str, tmp_path: Path) -> None:
    desk, address = Desk(tmp_path).init(), f"127.0.0.1:{_free_port()}"
    produce(kafka, topic, [record(1), record(3), b"{"])
    with daemon(desk, kafka, topic, "--metrics", address) as one:
        wait_until(lambda: counted(desk) == 2)
        wait_until(lambda: "recoup_ingest_records_missing 1" in _get(address, "/metrics"))
        text = _get(address, "/metrics")
        assert "recoup_ingest_stored_total 2" in text
        assert "recoup_ingest_quarantined_total 1" in text
        assert 'recoup_ingest_lag{partition="0"} 0' in text
        assert "recoup_ingest_last_commit_timestamp_seconds 1" in text
        assert _get(address, "/healthz") == "ok\n"
        assert "alarm: 0 conflicts, 1 quarantined" in one.words
        assert one.stop() == {
            "received": 3, "stored": 2, "repeats": 0, "conflicts": 0, "quarantined": 1, "restarts": 0, "out_of_range": 0,
            "reasons": {"not_json": 1},
        }  # fmt: skip


def _free_port() -> int:
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _get(address: str, path: str) -> str:
    with urllib.request.urlopen(f"http://{address}{path}", timeout=5) as answer:
        return str(answer.read().decode())
