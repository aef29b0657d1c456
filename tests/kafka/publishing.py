"""Publishers as processes of their own, to be killed at will, and what has arrived in a topic."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from events.outbox import read_positions
from events.schema.ours import RulingApplied
from events.store import Draft, Log
from tests.brokers import kafka_admin, make_topic
from tests.orphans import MORTAL

RULINGS_TOPIC = "RECOUP_KAFKA_RULINGS_TOPIC"
REJECTED_TOPIC = "RECOUP_KAFKA_REJECTED_TOPIC"
ROOT = Path(__file__).resolve().parents[2]

SMALL_PAGES = (
    "import events.outbox.page as page, events.outbox.sender as sender; "
    f"page.ROWS = 7; sender.PATIENCE_S, sender.GRACE_S = 3.0, 1.0; {MORTAL}"
)
"""The command itself, with pages so small that a kill at random falls between and into many of them."""


class Running:
    """One `recoup publish kafka`."""

    def __init__(
        self,
        store: str,
        servers: str,
        said: Path,
        *words: str,
        env: Mapping[str, str] | None = None,
        program: str = SMALL_PAGES,
    ) -> None:
        self.said = said
        plain = {name: value for name, value in os.environ.items() if not name.startswith("RECOUP_")}
        settings = {
            "RECOUP_STORE": store,
            **({"RECOUP_KAFKA_BOOTSTRAP_SERVERS": servers} if servers else {}),
            "RECOUP_KAFKA_BACKOFF_MIN_MS": "50",
            "RECOUP_KAFKA_BACKOFF_MAX_MS": "400",
            **(env or {}),
        }
        with said.open("ab") as out:
            self.process = subprocess.Popen(
                [sys.executable, "-c", program, "publish", "kafka", *words],
                cwd=ROOT, env={**plain, **settings}, stdout=out, stderr=out,
            )  # fmt: skip

    def kill(self) -> None:
        """As a power cut would."""
        self.process.kill()
        self.process.wait(30)

    def stop(self) -> int:
        """As systemd does; gives the exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(60)

    def until(self, is_so: Callable[[], bool], seconds: float = 90) -> None:
        """Waits for it.

        Raises:
            AssertionError: it did not come; what the publisher said.
        """
        end = time.monotonic() + seconds
        while not is_so():
            assert self.process.poll() is None, f"it ended with {self.process.returncode}: {self.text}"
            assert time.monotonic() < end, f"it did not happen in time: {self.text}"
            time.sleep(0.05)

    @property
    def text(self) -> str:
        """What it said."""
        return self.said.read_text(encoding="utf-8")


@contextmanager
def running(store: str, servers: str, said: Path, *words: str, **more: Any) -> Iterator[Running]:
    """One that is gone at the end, whatever happened."""
    one = Running(store, servers, said, *words, **more)
    try:
        yield one
    finally:
        if one.process.poll() is None:
            one.kill()


def rule(log: Log, session: int, numbers: Sequence[int]) -> None:
    """Rulings applied to a session, one transaction."""
    drafts = [
        Draft(event=RulingApplied(ruling=f"r-{session}-{number}", ground="equipment_fault")) for number in numbers
    ]
    log.author(f"table/brno/RL-0{session}/2026-11-28.1@/recoup", drafts)


def wanted(log: Log, *types: str) -> dict[str, list[str]]:
    """Stream → event ids in the order of the log, of stored events of these types."""
    found: dict[str, list[str]] = {}
    for row in log.page(-1, 1_000_000):
        if row.topic in types:
            found.setdefault(row.stream, []).append(f"{row.stream}:{row.version}")
    return found


def arrived(servers: str, topic: str) -> list[Any]:
    """Every record in the topic, partition by partition, in order."""
    from kafka import KafkaConsumer, TopicPartition

    consumer = KafkaConsumer(bootstrap_servers=servers, enable_auto_commit=False, auto_offset_reset="earliest")
    try:
        partitions = [TopicPartition(topic, number) for number in sorted(consumer.partitions_for_topic(topic) or ())]
        consumer.assign(partitions)
        ends = consumer.end_offsets(partitions)
        consumer.seek_to_beginning(*partitions)
        found: list[Any] = []
        while any(consumer.position(one) < ends[one] for one in partitions):
            for records in consumer.poll(timeout_ms=500, max_records=5000).values():
                found += records
        return sorted(found, key=lambda record: (record.partition, record.offset))
    finally:
        consumer.close()


def ids_by_key(records: Sequence[Any]) -> dict[str, list[str]]:
    """Key → event ids in order of arrival, each the first time that it came."""
    found: dict[str, dict[str, None]] = {}
    for record in records:
        found.setdefault(record.key.decode(), {})[header(record, "event_id")] = None
    return {key: list(ids) for key, ids in found.items()}


def header(record: Any, name: str) -> str:
    """A header's text."""
    return next((value.decode() for key, value in record.headers if key == name), "")


def made_topics(servers: str, rulings: str, rejected: str) -> dict[str, str]:
    """Two new topics, as settings."""
    for name in (rulings, rejected):
        make_topic(servers, name, 3)
    return {RULINGS_TOPIC: rulings, REJECTED_TOPIC: rejected}


def served(log: Log, servers: str, topics: dict[str, str]) -> bool:
    """Whether the position in the store is the end of the log."""
    names = list(topics.values())
    return all(position == log.size() for position in read_positions(log, cluster_of(servers), names).values())


@cache
def cluster_of(servers: str) -> str:
    """The cluster's id."""
    admin = kafka_admin(servers)
    try:
        return str(admin.describe_cluster()["cluster_id"])
    finally:
        admin.close()


def check_all_arrived(log: Log, servers: str, topics: dict[str, str]) -> int:
    """Every event, by key in the order of the log; gives the number of repeats."""
    rulings = arrived(servers, topics[RULINGS_TOPIC])
    assert ids_by_key(rulings) == wanted(log, RulingApplied.TOPIC)
    rejected = arrived(servers, topics[REJECTED_TOPIC])
    told = wanted(log, "RC.RecordQuarantined.v1", "RC.RecordConflicted.v1")
    assert {header(one, "event_id") for one in rejected} == {name for names in told.values() for name in names}
    assert {one.value for one in rejected} == {held.record for held in log.quarantine()}
    every = [header(one, "event_id") for one in (*rulings, *rejected)]
    return len(every) - len(set(every))


def metrics_of(port: int) -> dict[str, str]:
    """Name → value; nothing while nobody answers there."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
            text = answer.read().decode()
    except OSError:
        return {}
    return dict(line.split() for line in text.splitlines() if not line.startswith("#"))
