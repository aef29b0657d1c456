"""What an ingest daemon must survive of its store: cut off, stopped, locked, full, ended in the middle of a COMMIT."""

from __future__ import annotations

import resource
import signal
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread

import psycopg
import pytest

from cli.assembly import open_log
from events.errors import Unable
from events.schema.ours import GapDeclaredLost
from events.store import Draft, follow
from events.store.batch import Batch
from tests.brokers import make_topic
from tests.cli.desk import Desk
from tests.disks import disk, enlarge
from tests.kafka.daemons import (
    Daemon,
    check,
    counted,
    daemon,
    dealt,
    followed,
    frozen_in_transaction,
    make_store,
    new_name,
    produce,
    wait_until,
)
from tests.proxies import Proxy
from tests.servers import OwnServer, database_of, own_server  # noqa: F401

SMALL = {"RECOUP_KAFKA_BATCH_RECORDS": "5"}
CUTS = 4


@pytest.fixture
def own_store(own_server: OwnServer, tmp_path: Path) -> Desk:  # noqa: F811
    """A database in a server that may be stopped."""
    desk = Desk(tmp_path, own_server.url(own_server.database()))
    make_store(desk.store)
    return desk


def stored(desk: Desk) -> int:
    """Records stored; 0 while the server is not there."""
    try:
        return counted(desk)
    except Unable:
        return 0


# -- PostgreSQL goes away


def test_the_server_stopped_in_the_middle_and_started_again(
    kafka: str,
    own_server: OwnServer,  # noqa: F811
    own_store: Desk,
) -> None:
    topic, lines = make_topic(kafka, new_name()), dealt(tables=6, rounds=10)
    with followed(own_store), daemon(own_store, kafka, topic, env=SMALL) as one:
        produce(kafka, topic, lines[:700])
        wait_until(lambda: counted(own_store) > 50)
        own_server.stop()
        produce(kafka, topic, lines[700:])
        one.wait_for("trying again")
        own_server.start()
        wait_until(lambda: stored(own_store) == len(lines))
        assert "the store takes records again" in one.words
        one.stop()
    check(own_store, lines)


def test_a_server_that_is_away_at_the_start_is_waited_for(
    kafka: str,
    own_server: OwnServer,  # noqa: F811
    own_store: Desk,
) -> None:
    topic, lines = make_topic(kafka, new_name()), dealt()
    produce(kafka, topic, lines)
    own_server.stop()
    with daemon(own_store, kafka, topic) as one, daemon(own_store, kafka, topic, "--once") as other:
        one.wait_for("trying again until it is there")
        other.process.communicate(timeout=60)
        assert other.process.returncode == 3
        assert "Traceback" not in other.words
        own_server.start()
        wait_until(lambda: stored(own_store) == len(lines))
        one.stop()
    check(own_store, lines)


def test_connections_cut_again_and_again(kafka: str, shared: Desk) -> None:
    topic, lines = make_topic(kafka, new_name()), dealt(tables=6, rounds=10)
    cut = (
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'recoup' "
        "AND datname = current_database()"
    )
    with followed(shared), daemon(shared, kafka, topic, env=SMALL) as one:
        produce(kafka, topic, lines)
        with psycopg.connect(shared.store, autocommit=True) as admin:
            for _ in range(20):
                time.sleep(0.05)
                admin.execute(cut)
        wait_until(lambda: stored(shared) == len(lines))
        one.stop()
    check(shared, lines)


@pytest.mark.parametrize("how", ["before", "after", "at once"])
@pytest.mark.parametrize("what", ["connection", "server"])
def test_the_connection_or_the_server_lost_exactly_at_commit(
    kafka: str,
    own_server: OwnServer,  # noqa: F811
    own_store: Desk,
    how: str,
    what: str,
) -> None:
    """Before the server has heard of it, after it took effect and before that is known here, and in between."""
    topic, lines = make_topic(kafka, new_name()), dealt(tables=6, rounds=10)
    folder = own_store.store.partition("?host=")[2]
    proxy = Proxy(folder)
    if what == "server":
        proxy.then = own_server.crash
    elif how == "at once":
        own_server.slow_commits(database_of(own_store.store))
    behind = Desk(own_store.folder, own_store.store.replace(folder, proxy.folder))
    try:
        with daemon(behind, kafka, topic, env={"RECOUP_KAFKA_BATCH_RECORDS": "200"}) as one:
            for number in range(CUTS):
                proxy.cut = how
                produce(kafka, topic, lines[len(lines) * number // CUTS : len(lines) * (number + 1) // CUTS])
                wait_until(lambda: proxy.cuts > number)  # noqa: B023
            wait_until(lambda: stored(own_store) == len(lines))
            one.stop()
    finally:
        proxy.close()
    own_server.at_commit(database_of(own_store.store), "")
    counts = check(own_store, lines)
    # Offsets lie in the same transaction: what is stored is not even read again, and what is not is not counted.
    assert (counts["received"], counts["repeats"]) == (len(lines), 0)


def test_the_servers_own_process_ended_in_the_middle_of_a_commit(
    kafka: str,
    own_server: OwnServer,  # noqa: F811
    own_store: Desk,
) -> None:
    topic, lines = make_topic(kafka, new_name()), dealt(tables=6, rounds=10)
    own_server.deadly_commits(database_of(own_store.store), every=3)
    with followed(own_store), daemon(own_store, kafka, topic, env={"RECOUP_KAFKA_BATCH_RECORDS": "50"}) as one:
        produce(kafka, topic, lines)
        wait_until(lambda: stored(own_store) == len(lines))
        one.stop()
    own_server.at_commit(database_of(own_store.store), "")
    counts = check(own_store, lines)
    assert (counts["received"], counts["repeats"]) == (len(lines), 0)
    with psycopg.connect(own_store.store) as admin:
        row = admin.execute("SELECT last_value FROM public.commits").fetchone()
    assert row is not None
    assert row[0] >= 3, "no commit was ended"


# -- others write


def test_a_writer_holds_its_transaction_while_daemons_store_and_a_reader_tails(kafka: str, shared: Desk) -> None:
    """A person's command between reading and committing; then a daemon, frozen just there."""
    topic, lines = make_topic(kafka, new_name(), partitions=6), dealt(tables=6, rounds=10)
    pieces = [lines[len(lines) * at // 6 : len(lines) * (at + 1) // 6] for at in range(6)]
    with (
        followed(shared),
        tailed(shared) as seen,
        daemon(shared, kafka, topic, env=SMALL) as first,
        daemon(shared, kafka, topic, env=SMALL) as second,
    ):
        for number, piece in enumerate(pieces[:3]):
            produce(kafka, topic, piece)
            wait_until(lambda: seen)
            with open_log(shared.store) as log:
                log.recorder.transact(lambda batch, number=number: _slowly(batch, number))  # type: ignore[misc]
        for one, piece in zip((first, second, first), pieces[3:], strict=True):
            produce(kafka, topic, piece)
            if frozen_in_transaction(one, shared):
                with open_log(shared.store) as log:
                    at = log.size()  # the reader may still be behind what was committed before
                time.sleep(1)
                with open_log(shared.store) as log:
                    assert log.size() == at, "somebody committed past the writer that holds its transaction"
                assert len(seen) <= at
            one.process.send_signal(signal.SIGCONT)
        wait_until(lambda: counted(shared) == len(lines))
        assert first.stop()["stored"] + second.stop()["stored"] == len(lines)
    with open_log(shared.store) as log:
        assert seen == list(range(log.size()))
    check(shared, lines)


def _slowly(batch: Batch, number: int) -> None:
    lost = GapDeclaredLost(source="/brno/RL-01/terminal", first=90_000 + number, last=90_000 + number)
    batch.author("table/brno/RL-01/2026-11-28.1@/recoup", Draft(event=lost, reason="a test"))
    time.sleep(1)


@contextmanager
def tailed(desk: Desk) -> Iterator[list[int]]:
    """Tree indexes as a reader that tails the log sees them, in that order."""
    seen: list[int] = []
    is_over = Event()

    def tail() -> None:
        with open_log(desk.store) as log:
            while True:
                is_last = is_over.is_set()
                for page in follow(log, after=seen[-1] if seen else -1, page=7):
                    seen.extend(row.index for row in page)
                if is_last:
                    return
                time.sleep(0.005)

    reader = Thread(target=tail)
    reader.start()
    try:
        yield seen
    finally:
        is_over.set()
        reader.join()


@pytest.mark.parametrize("words", [(), ("--beside",)], ids=["one process", "two processes"])
def test_a_store_slower_than_the_poll_interval(kafka: str, desk: Desk, words: tuple[str, ...]) -> None:
    topic, lines = make_topic(kafka, new_name()), dealt()
    produce(kafka, topic, lines)
    slow = {"RECOUP_KAFKA_MAX_POLL_INTERVAL_MS": "1000"}
    with followed(desk), daemon(desk, kafka, topic, *words, env=slow) as one:
        with locked(desk):
            time.sleep(5)
        wait_until(lambda: counted(desk) == len(lines))
        one.stop()
    check(desk, lines)


@contextmanager
def locked(desk: Desk) -> Iterator[None]:
    """Nobody writes meanwhile."""
    if desk.store.startswith("postgresql"):
        with psycopg.connect(desk.store) as other:
            other.execute("LOCK TABLE evidence.stored_events IN EXCLUSIVE MODE")
            yield
            other.rollback()
        return
    other = sqlite3.connect(desk.store, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        other.execute("ROLLBACK")
        other.close()


def test_an_sqlite_file_locked_by_another_process(kafka: str, tmp_path: Path) -> None:
    desk, topic, lines = Desk(tmp_path).init(), make_topic(kafka, new_name()), dealt()
    produce(kafka, topic, lines)
    with followed(desk), daemon(desk, kafka, topic) as one:
        with locked(desk):
            one.wait_for("is being written by process")
        wait_until(lambda: counted(desk) == len(lines))
        assert one.stop()["stored"] == len(lines)
    check(desk, lines)


# -- no room


def test_a_full_disk_stores_nothing_half_and_goes_on_when_there_is_room(kafka: str, tmp_path: Path) -> None:
    desk, topic, lines = Desk(tmp_path).init(), make_topic(kafka, new_name()), dealt(tables=8, rounds=10)
    room = Path(desk.store).stat().st_size + (512 << 10)
    with followed(desk), daemon(desk, kafka, topic) as one:
        resource.prlimit(one.process.pid, resource.RLIMIT_FSIZE, (room, resource.RLIM_INFINITY))
        produce(kafka, topic, lines)
        is_full(one, desk, len(lines))
        resource.prlimit(one.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        wait_until(lambda: counted(desk) == len(lines))
        assert "the store takes records again" in one.words
        one.stop()
    check(desk, lines)


def test_a_full_disk_under_postgresql_stores_nothing_half_and_goes_on_when_there_is_room(
    kafka: str,
    own_server: OwnServer,  # noqa: F811
    own_store: Desk,
) -> None:
    topic, lines = make_topic(kafka, new_name()), dealt(tables=8, rounds=20)
    with disk(1) as small, own_server.events_on(small, database_of(own_store.store)):
        with followed(own_store), daemon(own_store, kafka, topic) as one:
            produce(kafka, topic, lines)
            is_full(one, own_store, len(lines))
            assert "no room left" in one.words
            enlarge(small)
            wait_until(lambda: counted(own_store) == len(lines))
            assert "the store takes records again" in one.words
            one.stop()
        check(own_store, lines)


def is_full(one: Daemon, desk: Desk, wanted: int) -> None:
    """It says so, and holds whole batches only."""
    one.wait_for("trying again")
    time.sleep(2)
    assert "takes records again" not in one.words, "a store that can only be read is no store for a daemon"
    with open_log(desk.store) as log:
        status = log.status()
        assert status.stored < wanted
        assert status.adds_up
