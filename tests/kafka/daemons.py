"""Ingest daemons as processes of their own, what was sent to them, and what must hold afterwards."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from threading import Event
from typing import Any

import msgspec
import psycopg

from cli.assembly import casebook, catalogue, open_log, rooms
from events.errors import Unable
from events.ingest.kafka.send import Sent, send, stream_key
from events.ingest.kafka.settings import read_settings
from events.schema.envelope import canonical
from events.store import Log, Origin, follow, verify
from events.store.digest import facts_digest
from tests.brokers import kafka_admin
from tests.cli.desk import Desk
from tests.orphans import MORTAL
from tests.projections.desk import from_zero, open_views, shown

_NUMBERS = count(int(time.time() * 10))
QUICK = {
    "RECOUP_KAFKA_SESSION_TIMEOUT_MS": "1000",
    "RECOUP_KAFKA_BACKOFF_MIN_MS": "50",
    "RECOUP_KAFKA_BACKOFF_MAX_MS": "500",
    "RECOUP_KAFKA_BATCH_RECORDS": "200",
    "RECOUP_KAFKA_BATCH_WAIT_MS": "5",
}
"""Settings with which a test need not wait."""


def new_name() -> str:
    """A topic and a group of one test alone."""
    return f"floor-{os.getpid()}-{next(_NUMBERS)}"


def dealt(tables: int = 4, rounds: int = 5) -> list[bytes]:
    """Records of several roulette tables, taking turns as on a floor; each table's own order kept."""
    decks = [
        [
            canonical(one)
            for one in rooms()["roulette"].deal(rounds, seed, table=f"brno/RL-{seed:02d}", day="2026-11-28")
        ]
        for seed in range(1, tables + 1)
    ]
    turns = [(at / len(deck), table, line) for table, deck in enumerate(decks) for at, line in enumerate(deck)]
    return [line for _at, _table, line in sorted(turns)]


def produce(servers: str, topic: str, lines: Iterable[bytes]) -> Sent:
    """Sends lines as `recoup send kafka` does."""
    return send(read_settings(None, {}, {"bootstrap_servers": servers, "topic": topic}), lines)


class Daemon:
    """One `recoup ingest kafka`."""

    def __init__(self, desk: Desk, servers: str, topic: str, *words: str, env: Mapping[str, str] | None = None) -> None:
        """`servers` empty: a settings file says where."""
        self.said = desk.folder / f"daemon-{next(_NUMBERS)}.log"
        plain = {name: value for name, value in os.environ.items() if not name.startswith("RECOUP_")}
        settings = {"BOOTSTRAP_SERVERS": servers, "TOPIC": topic, "GROUP": topic}
        with self.said.open("wb") as out:
            self.process = subprocess.Popen(
                [sys.executable, "-c", MORTAL, "ingest", "kafka", "--json", *words],
                stdout=subprocess.PIPE,
                stderr=out,
                cwd=Path(__file__).resolve().parents[2],
                env={
                    **plain,
                    "RECOUP_STORE": desk.store,
                    **QUICK,
                    **{f"RECOUP_KAFKA_{name}": value for name, value in settings.items() if value},
                    **(env or {}),
                },
            )

    @property
    def words(self) -> str:
        """What it told the journal."""
        return self.said.read_text(encoding="utf-8")

    def wait_for(self, text: str, timeout_s: float = 60) -> None:
        """Until it says so."""
        wait_until(lambda: text in self.words or self.process.poll() is not None, timeout_s)
        assert text in self.words, self.words

    def kill(self) -> None:
        """At once."""
        self.process.kill()
        self.process.communicate()

    def stop(self) -> dict[str, Any]:
        """SIGTERM; its own counts."""
        self.process.send_signal(signal.SIGTERM)
        return self.end()

    def end(self, timeout_s: float = 120) -> dict[str, Any]:
        """Waits for its own end; its counts."""
        out, _none = self.process.communicate(timeout=timeout_s)
        assert self.process.returncode in (0, 5), (self.process.returncode, self.words)
        found: dict[str, Any] = msgspec.json.decode(out)
        return found


@contextmanager
def daemon(desk: Desk, servers: str, topic: str, *words: str, **more: Any) -> Iterator[Daemon]:
    """A daemon that does not outlive its test."""
    one = Daemon(desk, servers, topic, *words, **more)
    try:
        yield one
    except BaseException:
        print(f"the daemon said: {one.words}")
        raise
    finally:
        if one.process.poll() is None:
            one.process.send_signal(signal.SIGCONT)
            one.kill()
        elif one.process.stdout is not None:
            one.process.stdout.close()


def drain(desk: Desk, servers: str, topic: str, *words: str, **more: Any) -> dict[str, Any]:
    """A daemon that reads to the end of what is there."""
    with daemon(desk, servers, topic, "--once", *words, **more) as one:
        return one.end()


def wait_until(holds: Any, timeout_s: float = 60) -> None:
    """Until it holds.

    Raises:
        AssertionError: it did not in time.
    """
    until = time.monotonic() + timeout_s
    while not holds():
        assert time.monotonic() < until, "it did not come to that in time"
        time.sleep(0.05)


def counted(desk: Desk) -> int:
    """Records stored."""
    with open_log(desk.store) as log:
        return log.status().stored


def check(desk: Desk, sent: Sequence[bytes], *, judged: bool = True) -> dict[str, int]:
    """What must hold after whatever happened: nothing lost, nothing doubled, sealed, judged as ever. Gives the counts.

    Per stream the log holds the sequences and digests of the readable records sent; of conflicts one version.
    """
    readable: dict[str, dict[int, set[bytes]]] = defaultdict(lambda: defaultdict(set))
    for line in sent:
        if place := _place(line):
            readable[place[0]][place[1]].add(facts_digest(line))
    with open_log(desk.store) as log:
        status = log.status()
        assert status.adds_up, status
        report = verify(log)
        assert report.ok, report.problems
        stored: dict[str, dict[int, bytes]] = defaultdict(dict)
        outside: list[bytes] = []
        for page in follow(log):
            for row in page:
                if row.stream.partition("@")[2].startswith("/recoup"):
                    continue
                _stream, sequence = _place(row.state) or ("", 0)
                assert sequence not in stored[row.stream], "stored twice"
                stored[row.stream][sequence] = facts_digest(row.state)
                outside.append(row.state)
    assert {stream: set(of) for stream, of in stored.items()} == {stream: set(of) for stream, of in readable.items()}
    for stream, of in stored.items():
        for sequence, digest in of.items():
            assert digest in readable[stream][sequence]
    if judged:
        assert verdicts(desk) == verdicts(clean(desk.folder, outside))
    return {name: getattr(status, name) for name in ("received", "stored", "repeats", "conflicts", "quarantined")}


def _place(line: bytes) -> tuple[str, int] | None:
    key = stream_key(line)
    try:
        found = msgspec.json.decode(line)
        return (key.decode(), int(found["sequence"])) if key else None
    except (msgspec.DecodeError, KeyError, ValueError, TypeError):
        return None


@contextmanager
def followed(desk: Desk) -> Iterator[None]:
    """Views catch up all the while, whatever happens to the store; in the end they show what new ones do."""
    is_over = Event()

    def follow_log() -> None:
        with open_log(desk.store) as log, open_views(log, casebook(log)) as views:
            while not is_over.wait(0.7):
                with suppress(Unable):  # the store is away
                    views.catch_up()
            assert shown(views) == from_zero(log, casebook(log))

    with ThreadPoolExecutor(1) as beside:
        following = beside.submit(follow_log)
        try:
            yield
        finally:
            is_over.set()
        following.result()


_LOCKS = (
    "SELECT l.pid, a.xact_start, a.state FROM pg_locks l JOIN pg_stat_activity a USING (pid) WHERE l.mode = 'ExclusiveLock' "
    "AND l.relation = 'evidence.stored_events'::regclass"
)

_HOLDERS = f"{_LOCKS} AND a.state = 'idle in transaction'"
"""A process begins one transaction after another: only its start tells whether it is the same one."""


def freeze_outside_a_transaction(one: Daemon, desk: Desk) -> None:
    """With a batch in its hands perhaps; not while it holds the log's lock, which the server would keep for it."""
    with psycopg.connect(desk.store, autocommit=True) as admin:
        while True:
            one.process.send_signal(signal.SIGSTOP)
            time.sleep(0.05)
            if not admin.execute(_LOCKS).fetchall():
                return
            one.process.send_signal(signal.SIGCONT)
            time.sleep(0.01)


def frozen_in_transaction(one: Daemon, desk: Desk) -> bool:
    """Stops a daemon between what it writes and its commit; False, and it goes on, if it never came to that."""
    until = time.monotonic() + 15
    with psycopg.connect(desk.store, autocommit=True) as admin:
        while time.monotonic() < until:
            one.process.send_signal(signal.SIGSTOP)
            time.sleep(0.02)
            holders = admin.execute(_HOLDERS).fetchall()
            if holders:
                time.sleep(0.5)  # another daemon's transaction would have ended by then
                if admin.execute(_HOLDERS).fetchall() == holders:
                    return True
            one.process.send_signal(signal.SIGCONT)
            time.sleep(0.003)
    return False


def verdicts(desk: Desk) -> str:
    """Every verdict, as JSON."""
    return desk.run("judge", "--all", "--json").out


def clean(folder: Path, lines: Sequence[bytes]) -> Desk:
    """A desk into whose store these records went from a file, stream by stream in order."""
    desk = Desk(folder, str(folder / f"clean-{next(_NUMBERS)}.db")).init()
    ordered = sorted(lines, key=lambda line: _place(line) or ("", 0))
    with open_log(desk.store) as log:
        log.accept(ordered, Origin(kind="file", name="clean.ndjson"))
    return desk


def delete_topic(servers: str, topic: str) -> None:
    """Deletes a topic with all that it holds."""
    admin = kafka_admin(servers)
    try:
        admin.delete_topics([topic])
    finally:
        admin.close()


def members(servers: str, group: str) -> int:
    """Of the group, as the broker knows them: who died without leaving is one until its session ends."""
    admin = kafka_admin(servers)
    try:
        return len(admin.describe_groups([group])[group]["members"])
    finally:
        admin.close()


def make_store(url: str) -> None:
    """The shipped rules into an empty store."""
    with Log.open(url, catalogue(), create=True) as log:
        casebook(log).adopt_shipped()
