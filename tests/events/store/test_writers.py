"""Several writers, a lost connection, a full disk, rights."""

from __future__ import annotations

import multiprocessing
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from events.errors import StoreBusy, Unable
from events.store import Log, verify
from events.store.batch import Batch
from events.store.locks import who_writes
from events.store.recorder import ConnectionLost
from events.store.rights import EVIDENCE, grants
from tests.events.store.records import STREAM, SUBJECT, TEST, record, records
from tests.stores import CATALOGUE

SPAWN = multiprocessing.get_context("spawn")


def hold(path: str, held: Any, let_go: Any) -> None:
    """Another process that is in the middle of a write."""
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("BEGIN IMMEDIATE")
    held.set()
    let_go.wait(60)
    db.execute("ROLLBACK")
    db.close()


@pytest.fixture
def held_path(tmp_path: Path) -> Iterator[tuple[str, int, Any]]:
    """A log whose write lock another process holds: path, its process id, and what makes it let go."""
    path = str(tmp_path / "log.db")
    Log.open(path, CATALOGUE, create=True).close()
    held, let_go = SPAWN.Event(), SPAWN.Event()
    process = SPAWN.Process(target=hold, args=(path, held, let_go))
    process.start()
    assert held.wait(60)
    yield path, process.pid or 0, let_go
    let_go.set()
    process.join(60)


def test_a_second_process_waits_then_says_who_writes(held_path: tuple[str, int, Any]) -> None:
    path, pid, _let_go = held_path
    with Log.open(path, CATALOGUE, lock_timeout_s=1) as log:
        with pytest.raises(StoreBusy, match=f"process {pid} ") as caught:
            log.accept([record(1)], TEST)
        assert "wait" in caught.value.hint
        assert log.size() == 0


def test_a_second_process_goes_on_when_the_first_lets_go(held_path: tuple[str, int, Any]) -> None:
    path, _pid, let_go = held_path
    with Log.open(path, CATALOGUE, lock_timeout_s=30) as log:
        threading.Timer(0.3, let_go.set).start()
        assert log.accept([record(1)], TEST).stored == 1


def test_readers_do_not_wait_for_a_writer(held_path: tuple[str, int, Any]) -> None:
    path, _pid, _let_go = held_path
    with Log.open(path, CATALOGUE, lock_timeout_s=1) as log:
        assert log.status().rows == 0
        assert verify(log).ok


def test_who_writes_is_not_told_where_the_system_does_not_tell(tmp_path: Path) -> None:
    assert who_writes(str(tmp_path / "none.db")) is None
    (tmp_path / "log.db-shm").write_bytes(b"")
    assert who_writes(str(tmp_path / "log.db"), tmp_path / "no-such-list") is None
    (tmp_path / "locks").write_text("1: POSIX  ADVISORY  READ  77 00:1:5 0 EOF\nshort\n")
    assert who_writes(str(tmp_path / "log.db"), tmp_path / "locks") is None


def write(url: str, source: str, batches: int) -> None:
    """Another process that writes many batches, its own and shared ones."""
    with Log.open(url, CATALOGUE, lock_timeout_s=60) as log:
        for number in range(batches):
            first = number * 10 + 1
            log.accept(records(range(first, first + 10), source=source), TEST)
            log.accept(records(range(first, first + 10)), TEST)


@pytest.mark.parametrize("store_url", ["sqlite file", "postgresql"], indirect=True)
def test_three_writing_processes_lose_nothing_and_store_nothing_twice(log: Log, store_url: str) -> None:
    writers = [SPAWN.Process(target=write, args=(store_url, f"/brno/s{number}", 8)) for number in range(3)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(120)
        assert writer.exitcode == 0
    assert log.size() == 4 * 80
    status = log.status()
    assert (status.stored, status.repeats, status.gaps) == (320, 160, 0)
    report = verify(log)
    assert report.ok, report.problems


def test_threads_of_one_process_share_a_log(log: Log) -> None:
    def work(name: str) -> None:
        for first in range(1, 60, 10):
            log.accept(records(range(first, first + 10), source=name), TEST)

    threads = [threading.Thread(target=work, args=(f"/brno/s{number}",)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert log.size() == 4 * 60
    assert verify(log).ok


@pytest.mark.parametrize("store_url", ["sqlite file", "postgresql"], indirect=True)
def test_heads_kept_in_memory_are_dropped_when_another_wrote(log: Log, store_url: str) -> None:
    log.accept([record(1)], TEST)
    with Log.open(store_url, CATALOGUE) as other:
        other.accept([record(2)], TEST)
    receipt = log.accept(records([2, 3]), TEST)
    assert (receipt.repeats, receipt.stored) == (1, 1)


def test_a_batch_that_fails_leaves_nothing_and_the_next_one_works(log: Log) -> None:
    log.accept([record(1)], TEST)

    def fail(batch: Batch) -> None:
        batch.store(batch.source(STREAM).newest, [])
        raise ZeroDivisionError

    with pytest.raises((ZeroDivisionError, IndexError)):
        log.recorder.transact(fail)
    assert log.size() == 1
    assert log.accept([record(2)], TEST).stored == 1
    assert verify(log).ok


def test_a_full_disk_stores_nothing_of_the_batch_and_says_so(tmp_path: Path) -> None:
    with Log.open(str(tmp_path / "log.db"), CATALOGUE, create=True) as log:
        log.accept(records(range(1, 101)), TEST)
        pages = run(log, "PRAGMA page_count")
        run(log, f"PRAGMA max_page_count = {pages + 4}")
        with pytest.raises(Unable, match="no room left") as caught:
            log.accept(records(range(101, 2000)), TEST)
        assert "repeats" in caught.value.hint
        assert log.size() == 100
        assert verify(log).ok
        run(log, "PRAGMA max_page_count = 1000000")
        assert log.accept(records(range(90, 2000)), TEST).stored == 1899


def run(log: Log, statement: str) -> int:
    """On the connection that the log itself writes with."""
    with log.recorder._connection(for_writing=True) as db:  # type: ignore[attr-defined]
        return int(db.execute(statement).fetchone()[0])


def test_a_file_that_may_not_be_written_is_said(tmp_path: Path) -> None:
    path = tmp_path / "log.db"
    with Log.open(str(path), CATALOGUE, create=True) as log:
        run(log, "PRAGMA user_version")
        with log.recorder._connection(for_writing=True) as db:  # type: ignore[attr-defined]
            db.execute("PRAGMA query_only = ON")
        with pytest.raises(Unable, match="cannot be opened or written"):
            log.accept([record(1)], TEST)


def test_a_writer_on_postgresql_waits_then_says_who_writes(postgres_url: str) -> None:
    with psycopg.connect(postgres_url, application_name="night") as other:
        other.execute("LOCK TABLE evidence.stored_events IN EXCLUSIVE MODE")
        with Log.open(postgres_url, CATALOGUE, lock_timeout_s=1) as log:
            with pytest.raises(StoreBusy, match=r"role postgres \(server process \d+, night\)"):
                log.accept([record(1)], TEST)
            assert log.size() == 0


def test_a_connection_lost_before_the_commit_is_tried_again(postgres_url: str) -> None:
    with Log.open(postgres_url, CATALOGUE) as log:
        log.accept([record(1)], TEST)
        tries = []

        def work(batch: Batch) -> int:
            tries.append(1)
            if len(tries) == 1:
                with psycopg.connect(postgres_url, autocommit=True) as admin:
                    admin.execute(
                        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                        "WHERE application_name = 'recoup' AND datname = current_database()"
                    )
            return batch.source(STREAM).newest.next_version

        assert log.recorder.transact(work) == 2
        assert len(tries) == 2
        assert log.accept([record(2)], TEST).stored == 1


def test_a_commit_whose_answer_was_lost_counts_as_done(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with Log.open(postgres_url, CATALOGUE) as log:
        real = log.recorder.writing

        @contextmanager
        def answer_lost() -> Iterator[Any]:
            with real() as writing:
                yield writing
            monkeypatch.undo()
            raise ConnectionLost("the server committed and went away")

        monkeypatch.setattr(log.recorder, "writing", answer_lost)
        receipt = log.accept(records([1, 2]), TEST)
        assert (receipt.stored, receipt.repeats) == (2, 0)
        assert log.status().received == 2
        assert log.accept([record(3)], TEST).stored == 1
        assert verify(log).ok


@pytest.fixture
def role_url(postgres_url: str) -> Iterator[str]:
    """The same database as the application's role: rights as `grants` gives them, nothing more."""
    role = "recoup_app"
    with psycopg.connect(postgres_url, autocommit=True) as owner:
        owner.execute(SQL("CREATE ROLE {} LOGIN").format(Identifier(role)))
        for statement in grants(role):
            owner.execute(statement)
        yield postgres_url.replace("postgres:@", f"{role}:@")
        owner.execute(SQL("DROP OWNED BY {}").format(Identifier(role)))
        owner.execute(SQL("DROP ROLE {}").format(Identifier(role)))


def test_the_applications_role_can_do_all_that_recoup_does(role_url: str) -> None:
    with Log.open(role_url, CATALOGUE) as log:
        assert log.account == "recoup_app"
        log.accept([*records([1, 2, 4]), b"junk", record(2, data={"person": "x"})], TEST)
        log.accept(records([3, 1]), TEST)
        log.discard(log.quarantine()[0].sha256.hex(), reason="x")
        assert log.status().adds_up
        assert verify(log).ok


@pytest.mark.parametrize("table", EVIDENCE)
@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE evidence.{t} SET {c} = {c}",
        "DELETE FROM evidence.{t}",
        "TRUNCATE evidence.{t}",
        "DROP TABLE evidence.{t}",
        "ALTER TABLE evidence.{t} DISABLE TRIGGER ALL",
        "MERGE INTO evidence.{t} t USING evidence.{t} s ON t.{c} = s.{c} WHEN MATCHED THEN DELETE",
    ],
)
def test_the_applications_role_cannot_change_evidence(role_url: str, table: str, statement: str) -> None:
    column = {"stored_events": "topic", "tiles": "account"}.get(table, "event_index")
    with (
        psycopg.connect(role_url) as db,
        pytest.raises(psycopg.errors.InsufficientPrivilege, match=r"permission|owner"),
    ):
        db.execute(statement.format(t=table, c=column))


def test_the_applications_role_cannot_pass_by_the_triggers(role_url: str) -> None:
    with psycopg.connect(role_url) as db, pytest.raises(psycopg.errors.InsufficientPrivilege):
        db.execute("SET session_replication_role = replica")


def test_subjects_are_read_while_others_write(log: Log) -> None:
    log.accept(records([1], subject=SUBJECT), TEST)
    names = []
    for subject in log.subjects():
        names.append(subject)
        log.accept([record(1, subject=f"{SUBJECT}{len(names)}")], TEST)
        if len(names) > 3:
            break
    assert names[0] == SUBJECT


def test_many_batches_come_back_in_order_each_stored_by_then(log: Log) -> None:
    batches = [(records(range(first, first + 10)), TEST) for first in range(1, 101, 10)]
    sizes = []
    for receipt in log.accept_all(iter([*batches, *batches[:3]])):
        sizes.append((receipt.stored, receipt.repeats))
        assert log.size() >= 10 * min(len(sizes), 10)
    assert sizes == [(10, 0)] * 10 + [(0, 10)] * 3
    assert verify(log).ok


def test_who_writes_between_the_batches_of_a_run_is_not_in_the_way(log: Log) -> None:
    batches = [(records(range(first, first + 10)), TEST) for first in range(1, 51, 10)]
    for number, _receipt in enumerate(log.accept_all(iter(batches)), 1):
        log.accept([record(number, source="/brno/other")], TEST)
    assert log.size() == 55
    assert verify(log).ok


def test_a_run_that_is_left_early_keeps_what_it_committed(log: Log) -> None:
    run_of = log.accept_all((records(range(first, first + 10)), TEST) for first in range(1, 101, 10))
    assert next(run_of).stored == 10
    run_of.close()  # type: ignore[attr-defined]
    assert log.size() in (10, 20)
    assert log.accept(records(range(1, 31)), TEST).received == 30
    assert log.size() == 30
    assert verify(log).ok


def test_a_source_that_breaks_off_still_says_what_was_stored(log: Log) -> None:
    def batches() -> Iterator[Any]:
        yield records(range(1, 11)), TEST
        yield records(range(11, 21)), TEST
        raise OSError("the cable")

    first: list[int] = []
    with pytest.raises(OSError, match="the cable"):
        first.extend(receipt.stored for receipt in log.accept_all(batches()))
    assert log.size() == 20
    again = log.accept_all(batches())
    assert [next(again).repeats, next(again).repeats] == [10, 10]
    with pytest.raises(OSError, match="the cable"):
        next(again)
