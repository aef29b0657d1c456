"""PostgreSQL stopped, cut off, full: nothing lost, nothing doubled, and words for it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import psycopg
import pytest
from eventsourcing.persistence import StoredEvent

from events.errors import StoreBusy, Unable
from events.schema.ours import GapDeclaredLost
from events.store import Draft, Log, follow, verify
from events.store.backup import backup
from events.store.batch import Batch
from tests.disks import disk, enlarge
from tests.events.store.records import SOURCE, SUBJECT, TEST, record, records
from tests.proxies import Proxy
from tests.servers import OwnServer, database_of, own_server  # noqa: F401
from tests.stores import CATALOGUE


@pytest.fixture
def server(own_server: OwnServer) -> OwnServer:  # noqa: F811
    return own_server


@pytest.fixture
def url(server: OwnServer) -> str:
    """An empty log of this test's own, as its writer."""
    return server.url(server.database(), "anna")


def impatient(log: Log) -> Log:
    """Gives up on a server that is not there after a second."""
    log.recorder.datastore.pool.timeout = 1  # type: ignore[attr-defined]
    return log


class Interrupted:
    """Work on a batch in the middle of which something happens, once."""

    def __init__(self, log: Log, happens: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        real = Batch.seal

        def seal(batch: Batch, *words: Any) -> int:
            first = real(batch, *words)  # rows, tile and heads are written, and nothing is committed
            if not self.times:
                self.times += 1
                happens()
            return first

        self.times = 0
        self.log = log
        monkeypatch.setattr(Batch, "seal", seal)


def test_a_server_stopped_in_the_middle_of_a_batch_and_started_again_stores_it_once(
    server: OwnServer, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Log.open(url, CATALOGUE) as log:
        impatient(log)
        log.accept(records(range(1, 101)), TEST)
        Interrupted(log, server.stop, monkeypatch)
        with pytest.raises(Unable) as caught:
            log.accept([*records(range(101, 201)), b"junk"], TEST)
        assert "connection" in str(caught.value)
        with pytest.raises(Unable):
            log.size()
        server.start()
        log.recorder.datastore.pool.timeout = 10  # type: ignore[attr-defined]
        assert log.size() == 100
        assert log.status().received == 100
        receipt = log.accept([*records(range(101, 201)), b"junk"], TEST)
        assert (receipt.stored, receipt.quarantined, receipt.repeats) == (100, 1, 0)
        assert log.status().adds_up
        assert verify(log).ok


def test_a_server_that_was_restarted_meanwhile_is_not_even_noticed(
    server: OwnServer, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def restart() -> None:
        server.stop()
        server.start()

    with Log.open(url, CATALOGUE) as log:
        log.accept(records(range(1, 101)), TEST)
        Interrupted(log, restart, monkeypatch)
        batches = [(records(range(first, first + 50)), TEST) for first in range(101, 501, 50)]
        receipts = list(log.accept_all(iter(batches)))
        assert [(one.stored, one.repeats) for one in receipts] == [(50, 0)] * 8
        assert log.status().received == log.size() == 500
        assert verify(log).ok


@pytest.fixture
def proxied(server: OwnServer, url: str) -> Iterator[tuple[Proxy, str]]:
    """A proxy, and the address of the log behind it."""
    folder = url.partition("?host=")[2]
    proxy = Proxy(folder)
    yield proxy, url.replace(folder, proxy.folder)
    proxy.close()


@pytest.mark.parametrize("cut", ["before", "after", "at once"])
def test_a_connection_cut_at_commit_stores_the_batch_once(
    proxied: tuple[Proxy, str], server: OwnServer, url: str, cut: str
) -> None:
    proxy, address = proxied
    if cut == "at once":
        server.slow_commits(database_of(url))
    with Log.open(address, CATALOGUE) as log:
        log.accept([record(1)], TEST)
        proxy.cut = cut
        receipt = log.accept([*records(range(2, 50)), b"junk"], TEST)
        assert (receipt.stored, receipt.quarantined, receipt.repeats) == (48, 1, 0)
        assert proxy.cut == ""
        assert (log.size(), log.status().received) == (50, 50)
        proxy.cut = cut
        draft = Draft(event=GapDeclaredLost(source=SOURCE, first=1, last=2), reason="x")
        log.author(f"{SUBJECT}@/recoup", [draft])  # what we say ourselves no deduplication would catch
        assert len(log.aggregates.decided(f"{SUBJECT}@/recoup")) == 1
        proxy.cut = cut
        receipts = list(log.accept_all((records(range(at, at + 10)), TEST) for at in range(100, 140, 10)))
        assert [(one.stored, one.repeats) for one in receipts] == [(10, 0)] * 4
        assert log.status().adds_up
        if cut == "at once":
            server.at_commit(database_of(url), "")
        assert verify(log).ok


@pytest.mark.parametrize("cut", ["before", "after"])
def test_the_librarys_own_door_survives_it_too(proxied: tuple[Proxy, str], cut: str) -> None:
    proxy, address = proxied
    with Log.open(address, CATALOGUE) as log:
        log.accept([record(1)], TEST)
        proxy.cut = cut
        events = [StoredEvent("decided/1@/recoup", version, "X.Decided.v1", b"{}") for version in (1, 2)]
        try:
            ids = log.recorder.insert_events(events)  # type: ignore[attr-defined]
        except Unable:
            assert cut == "before"  # its callers load, decide and save again: nothing was stored
            assert log.size() == 1
            ids = log.recorder.insert_events(events)  # type: ignore[attr-defined]
        assert list(ids) == [2, 3]
        assert verify(log).ok


def test_a_tailing_reader_loses_nothing_while_a_writer_holds_its_transaction(server: OwnServer, url: str) -> None:
    with Log.open(url, CATALOGUE) as holder, Log.open(url, CATALOGUE) as other, Log.open(url, CATALOGUE) as reader:
        holder.accept([record(1)], TEST)
        began, go_on = threading.Event(), threading.Event()

        def hold(batch: Batch) -> None:
            batch.author(f"{SUBJECT}@/recoup", Draft(event=GapDeclaredLost(source=SOURCE, first=1, last=2), reason="x"))
            began.set()
            assert go_on.wait(60)

        first = threading.Thread(target=lambda: holder.recorder.transact(hold))
        first.start()
        assert began.wait(60)
        second = threading.Thread(target=lambda: other.accept(records(range(1, 20), source="/brno/b"), TEST))
        second.start()
        second.join(0.5)
        assert second.is_alive()  # whoever came second waits, with its rows' ids not given yet
        seen = [row.index for page in follow(reader) for row in page]
        assert seen == [0]
        go_on.set()
        first.join(60)
        second.join(60)
        seen += [row.index for page in follow(reader, after=seen[-1]) for row in page]
        assert seen == list(range(21))
        assert verify(reader).ok


def test_a_reader_that_tails_three_writers_sees_every_row_once_and_in_order(url: str) -> None:
    done = threading.Event()
    seen: list[int] = []

    def tail() -> None:
        with Log.open(url, CATALOGUE) as reader:
            while True:
                ended = done.is_set()
                for page in follow(reader, after=seen[-1] if seen else -1, page=7):
                    seen.extend(row.index for row in page)
                if ended:
                    return

    def write(source: str) -> None:
        with Log.open(url, CATALOGUE, lock_timeout_s=60) as log:
            for first in range(1, 300, 10):
                log.accept(records(range(first, first + 10), source=source), TEST)

    reader = threading.Thread(target=tail)
    writers = [threading.Thread(target=write, args=(f"/brno/s{number}",)) for number in range(3)]
    for thread in (reader, *writers):
        thread.start()
    for thread in writers:
        thread.join(120)
    done.set()
    reader.join(60)
    assert seen == list(range(900))


def test_a_writer_that_hangs_loses_the_lock_after_a_while(server: OwnServer, url: str) -> None:
    """A machine that died with its transaction open must not stop the floor for ever."""
    with Log.open(url, CATALOGUE) as log:
        shown = log.recorder.datastore  # type: ignore[attr-defined]
        assert shown.idle_in_transaction_session_timeout == 30
    with psycopg.connect(url, application_name="hung") as hung:
        hung.execute("SET idle_in_transaction_session_timeout = '2s'")
        hung.commit()
        hung.execute("LOCK TABLE evidence.stored_events IN EXCLUSIVE MODE")
        with Log.open(url, CATALOGUE, lock_timeout_s=1) as log, pytest.raises(StoreBusy, match="hung"):
            log.accept([record(1)], TEST)
        with Log.open(url, CATALOGUE, lock_timeout_s=30) as log:
            assert log.accept([record(1)], TEST).stored == 1
        with suppress(psycopg.Error):
            hung.rollback()


def until_full(log: Log, first: int) -> tuple[int, Unable]:
    """Batches of 5,000 until one does not go in; how many records went, and what was said."""
    stored = 0
    while stored < 400_000:
        start = first + stored
        try:
            log.accept(records(range(start, start + 5000), data={"person": "d" * 400}), TEST)
        except Unable as error:
            return stored, error
        stored += 5000
    raise AssertionError("it took more than there is room for")


def goes_on(log: Log, stored: int) -> None:
    """With room again, nothing is lost and nothing doubled."""
    assert log.size() == stored + 1 == log.status().received
    again = log.accept(records(range(stored - 8, stored + 102), data={"person": "d" * 400}), TEST)
    assert (again.repeats, again.stored) == (10, 100)
    assert log.status().adds_up
    assert verify(log).ok


def test_a_server_process_that_may_write_no_further_stores_nothing_of_the_batch(server: OwnServer, url: str) -> None:
    with Log.open(url, CATALOGUE) as log:
        log.accept([record(1)], TEST)
        with log.recorder._connection() as connection:  # type: ignore[attr-defined]
            pid = connection.info.backend_pid
        server.limit_files(pid, str(18 * 2**20))  # a segment of the write-ahead log has 16 MB
        stored, error = until_full(log, 2)
        server.limit_files(pid, "unlimited")
        assert "no room left" in str(error)
        assert "repeats" in error.hint
        assert stored >= 5000
        goes_on(log, stored)


@pytest.fixture
def small_disk() -> Iterator[Path]:
    """A file system of 24 MB."""
    with disk(24) as folder:
        yield folder


def test_a_full_disk_under_postgresql_stores_nothing_of_the_batch(
    server: OwnServer, url: str, small_disk: Path
) -> None:
    database = database_of(url)
    with server.events_on(small_disk, database), Log.open(url, CATALOGUE) as log:
        log.accept([record(1)], TEST)
        stored, error = until_full(log, 2)
        assert "no room left" in str(error)
        assert "No space left" in str(error)
        enlarge(small_disk)
        goes_on(log, stored)


def test_a_full_disk_under_sqlite_stores_nothing_of_the_batch(small_disk: Path) -> None:
    with Log.open(str(small_disk / "log.db"), CATALOGUE, create=True) as log:
        log.accept([record(1)], TEST)
        stored, error = until_full(log, 2)
        assert "no room left" in str(error)
        assert log.size() == stored + 1
        enlarge(small_disk)
        goes_on(log, stored)


def test_a_backup_onto_a_full_disk_leaves_nothing(small_disk: Path, tmp_path: Path) -> None:
    with Log.open(str(tmp_path / "log.db"), CATALOGUE, create=True) as log:
        for first in range(1, 60_000, 10_000):
            log.accept(records(range(first, first + 10_000), data={"person": "d" * 400}), TEST)
        with pytest.raises(Unable, match="no room left"):
            backup(log, small_disk / "night.db")
        assert not list(small_disk.iterdir())
