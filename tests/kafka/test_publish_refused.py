"""A message that its topic does not take: nothing behind it overtakes it, nobody else waits for it, nothing is lost."""

from __future__ import annotations

import re
import time
from collections import Counter
from itertools import count
from pathlib import Path
from threading import Event

import pytest
from kafka import TopicPartition

from events.ingest.kafka import read_settings
from events.outbox import Message, NotTaken, Sender, read_positions
from events.schema.ours import RulingApplied
from events.store import Draft, Log
from tests.brokers import make_topic, set_topic
from tests.events.store.records import TEST
from tests.kafka.publishing import (
    REJECTED_TOPIC,
    RULINGS_TOPIC,
    arrived,
    check_all_arrived,
    cluster_of,
    header,
    made_topics,
    running,
    served,
)
from tests.orphans import MORTAL
from tests.stores import CATALOGUE

_NAMES = count(time.time_ns())
LIMIT = 20_000
"""Bytes of a message that the topic takes: less than the producer puts into a batch."""


def long(number: int, size: int) -> RulingApplied:
    """A ruling of more than so many bytes, as one is that touches many players."""
    amounts = {f"p-{player:06d}": player for player in range(size // 10)}
    return RulingApplied(ruling=f"r-{number}", ground="equipment_fault", amounts=amounts)


def test_nothing_overtakes_a_message_that_is_too_large_and_its_topic_alone_waits(kafka: str, tmp_path: Path) -> None:
    number = next(_NAMES)
    topics = made_topics(kafka, f"rulings-{number}", f"rejected-{number}")
    rulings, rejected = topics[RULINGS_TOPIC], topics[REJECTED_TOPIC]
    set_topic(kafka, rulings, max_message_bytes=str(LIMIT))
    path = str(tmp_path / "log.db")
    with Log.open(path, CATALOGUE, create=True) as log:
        for at in range(400):
            size = 2 * LIMIT if at == 250 else 2_000
            log.author(f"table/brno/RL-0{at % 5}/2026-11-28.1@/recoup", [Draft(event=long(at, size))])
        large = log.page(-1, 1_000)[250]
        with running(path, kafka, tmp_path / "said", env=topics, program=MORTAL) as one:
            one.until(lambda: "does not take event" in one.text)
            log.accept([b"broken"], TEST)
            one.until(lambda: len(arrived(kafka, rejected)) == 1)
            cluster = cluster_of(kafka)
            one.until(lambda: read_positions(log, cluster, [rulings])[rulings] == large.index)
            first = [header(record, "event_id") for record in arrived(kafka, rulings)]
            behind = {f"{row.stream}:{row.version}" for row in log.page(249, 1_000) if row.stream == large.stream}
            assert not behind & set(first)
            time.sleep(1)  # it is tried several times, and drags nothing along
            assert len(arrived(kafka, rulings)) == len(first)
            assert read_positions(log, cluster, [rulings])[rulings] == large.index

            found = re.search(r"event (\S+) \((\S+), row (\d+), .*set max.message.bytes of (\S+) to (\d+)", one.text)
            assert found is not None, one.text
            assert found.groups()[:4] == (f"{large.stream}:{large.version}", large.topic, "250", rulings)
            assert one.text.count("does not take") == 1, "what is known is not said again"
            set_topic(kafka, rulings, max_message_bytes=found[5])
            one.until(lambda: served(log, kafka, topics))
            assert "takes messages again" in one.text
            assert one.stop() == 0
        check_all_arrived(log, kafka, topics)
        assert max(Counter(header(record, "event_id") for record in arrived(kafka, rulings)).values()) <= 2


def test_once_sends_what_is_taken_and_says_what_is_not(kafka: str, tmp_path: Path) -> None:
    number = next(_NAMES)
    topics = made_topics(kafka, f"rulings-{number}", f"rejected-{number}")
    set_topic(kafka, topics[RULINGS_TOPIC], max_message_bytes="400")
    path = str(tmp_path / "log.db")
    with Log.open(path, CATALOGUE, create=True) as log:
        log.author("table/brno/RL-01/2026-11-28.1@/recoup", [Draft(event=long(1, 1_000))])
        log.accept([b"broken"], TEST)
        with running(path, kafka, tmp_path / "said", "--once", env=topics) as one:
            assert one.process.wait(60) == 3
        assert "hint: set max.message.bytes" in one.text
        assert "Traceback" not in one.text
        assert [record.value for record in arrived(kafka, topics[REJECTED_TOPIC])] == [b"broken"]
        assert not arrived(kafka, topics[RULINGS_TOPIC])


def test_a_batch_that_fails_is_not_overtaken_by_the_next(kafka: str) -> None:
    """The broker has another sequence number than the producer, as one that lost the end of a partition has."""
    topic = make_topic(kafka, f"sequence-{next(_NAMES)}", 1)
    settings = read_settings(None, {"RECOUP_KAFKA_BOOTSTRAP_SERVERS": kafka})
    messages = [Message(at, topic, b"key", b"x" * 2_000, [("event_id", b"%d" % at)]) for at in range(300)]
    sender = Sender(settings)
    try:
        sender.send(messages[:10], Event())
        sender._producer._transaction_manager.set_sequence_number(TopicPartition(topic, 0), 5_000)
        with pytest.raises(NotTaken) as caught:
            sender.send(messages[10:], Event())
    finally:
        sender.close()
    assert (caught.value.first, caught.value.message.at) == (10, 10)
    assert [header(record, "event_id") for record in arrived(kafka, topic)] == [str(at) for at in range(10)]
    other = Sender(settings)
    try:
        other.send(messages[10:], Event())
    finally:
        other.close()
    assert [header(record, "event_id") for record in arrived(kafka, topic)] == [str(at) for at in range(300)]
