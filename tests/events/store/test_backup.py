"""A backup is a log; restored it is the same log: root, positions, quarantine."""

from __future__ import annotations

import fcntl
import sqlite3
import threading
from pathlib import Path

import pytest

from events.errors import Refused, SealBroken, StoreBusy, StoreMissing, Unable
from events.store import Log, backup, verify
from events.store.backup import restore
from tests.events.store.records import TEST, record, records
from tests.events.store.test_copying import all_of, busy_log, kafka, other_postgres_url, target  # noqa: F401
from tests.stores import CATALOGUE

BOTH = pytest.mark.parametrize("store_url", ["sqlite file", "postgresql"], indirect=True)


@BOTH
def test_a_backup_restored_is_the_same_log_in_either_database(
    log: Log,
    target: str,  # noqa: F811
    tmp_path: Path,
) -> None:
    busy_log(log)
    path = tmp_path / "night.backup"
    done = backup.backup(log, path)
    assert (done.root, done.size, done.before, done.verified) == (log.root().hex(), log.size(), 0, True)
    assert (done.quarantined, done.offsets) == (len(log.quarantine(open_only=False)), 1)
    assert sorted(one.name for one in tmp_path.iterdir() if "night" in one.name) == ["night.backup"]
    with Log.open(str(path), CATALOGUE) as kept:
        again = restore(path, target, kept)
    assert (again.root, again.size) == (done.root, done.size)
    with Log.open(target, CATALOGUE) as restored:
        assert verify(restored).ok
        assert all_of(restored) == all_of(log)
        assert [one.sha256 for one in restored.quarantine()] == [one.sha256 for one in log.quarantine()]
        assert restored.next_offset("c1", "t1", 0) == log.next_offset("c1", "t1", 0) is not None
        assert restored.accept([record(2000)], TEST).stored == 1


@BOTH
def test_a_backup_is_carried_on_and_another_logs_is_left_as_it_is(log: Log, tmp_path: Path) -> None:
    path = tmp_path / "b.db"
    log.accept(records(range(1, 50)), TEST)
    backup.backup(log, path)
    log.accept(records(range(50, 60)), kafka(1, 10))
    done = backup.backup(log, path)
    assert (done.before, done.size, done.offsets) == (49, 59, 1)
    with Log.open(str(path), CATALOGUE) as kept:
        assert all_of(kept) == all_of(log)
    with Log.open(str(tmp_path / "other.db"), CATALOGUE, create=True) as other:
        other.accept([record(9)], TEST)
        with pytest.raises(Refused):
            backup.backup(other, path)
    with Log.open(str(path), CATALOGUE) as kept:
        assert kept.size() == 59


def test_a_backup_while_others_write_is_one_moment_of_the_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backup, "_PAGES", 5)
    path = str(tmp_path / "log.db")
    with Log.open(path, CATALOGUE, create=True) as log, Log.open(path, CATALOGUE) as other:
        log.accept(records(range(1, 1000)), TEST)
        written = []

        def write(_done: int, _total: int) -> None:
            if len(written) < 20:
                written.append(other.accept([record(1000 + len(written))], TEST).stored)

        done = backup.backup(log, tmp_path / "b.db", write)
        assert len(written) == 20
        assert done.size == 999
        assert log.size() == 1019
        assert backup.backup(log, tmp_path / "b.db").size == 1019


@BOTH
def test_a_backup_that_breaks_off_leaves_nothing_that_looks_like_one(log: Log, tmp_path: Path) -> None:
    log.accept(records(range(1, 500)), TEST)

    def stop(_done: int, _total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        backup.backup(log, tmp_path / "b.db", stop)
    assert not [one.name for one in tmp_path.iterdir() if one.name.startswith("b.db")]
    (tmp_path / "b.db.part").write_bytes(b"what a killed process left")
    assert backup.backup(log, tmp_path / "b.db").size == 499


def test_two_backups_into_one_file_at_a_time_are_refused(tmp_path: Path) -> None:
    with Log.open(str(tmp_path / "log.db"), CATALOGUE, create=True) as log:
        with (tmp_path / "b.db.part").open("wb") as other:
            fcntl.flock(other, fcntl.LOCK_EX)
            with pytest.raises(StoreBusy, match="by another process"):
                backup.backup(log, tmp_path / "b.db")
        assert backup.backup(log, tmp_path / "b.db").size == 0


def test_places_that_cannot_be_meant(tmp_path: Path) -> None:
    path = tmp_path / "log.db"
    with Log.open(str(path), CATALOGUE, create=True) as log:
        with pytest.raises(Refused, match="is the log itself"):
            backup.backup(log, path)
        with pytest.raises(Unable, match="does not exist"):
            backup.backup(log, tmp_path / "none" / "b.db")
        (tmp_path / "text").write_text("a letter to the manager, certainly not a log\n" * 200)
        with pytest.raises(Unable, match="no intact SQLite file"):
            backup.backup(log, tmp_path / "text")
        assert (tmp_path / "text").read_text().startswith("a letter")


def test_a_log_that_was_changed_is_not_called_backed_up(tmp_path: Path) -> None:
    path = tmp_path / "log.db"
    with Log.open(str(path), CATALOGUE, create=True) as log:
        log.accept(records(range(1, 100)), TEST)
    with sqlite3.connect(path) as db:
        db.execute("DROP TRIGGER stored_events_no_update")
        db.execute("UPDATE stored_events SET topic = 'TB.Other.v1' WHERE rowid = 55")
    db.close()
    with Log.open(str(path), CATALOGUE) as log:
        with pytest.raises(SealBroken, match="tree index 54"):
            backup.backup(log, tmp_path / "b.db")
        assert not (tmp_path / "b.db").exists()
        unchecked = backup.backup(log, tmp_path / "c.db", check=False)
        assert not unchecked.verified


def test_a_restore_never_overwrites(tmp_path: Path) -> None:
    with Log.open(str(tmp_path / "log.db"), CATALOGUE, create=True) as log:
        log.accept(records(range(1, 10)), TEST)
        backup.backup(log, tmp_path / "b.db")
        log.accept([record(10)], TEST)
    with Log.open(str(tmp_path / "b.db"), CATALOGUE) as kept:
        with pytest.raises(Refused, match="has 10 rows"):
            restore(tmp_path / "b.db", str(tmp_path / "log.db"), kept)
        (tmp_path / "note").write_text("")
        with pytest.raises(StoreMissing, match="holds no log"):
            restore(tmp_path / "b.db", str(tmp_path / "note"), kept)
        assert restore(tmp_path / "b.db", str(tmp_path / "new.db"), kept).size == 9
        assert restore(tmp_path / "b.db", str(tmp_path / "new.db"), kept).before == 9


def test_a_restore_into_a_database_without_tables_says_what_to_do(tmp_path: Path, postgres_url: str) -> None:
    with Log.open(str(tmp_path / "log.db"), CATALOGUE, create=True) as log:
        backup.backup(log, tmp_path / "b.db")
    bare = postgres_url.replace(postgres_url.partition("@/")[2].partition("?")[0], "postgres")
    with Log.open(str(tmp_path / "b.db"), CATALOGUE) as kept, pytest.raises(StoreMissing) as caught:
        restore(tmp_path / "b.db", bare, kept)
    assert "recoup store init" in caught.value.hint


def test_a_writer_is_not_held_up_by_a_backup(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backup, "_PAGES", 1)
    path = str(tmp_path / "log.db")
    began, go_on = threading.Event(), threading.Event()

    def hold(_done: int, _total: int) -> None:
        began.set()
        assert go_on.wait(60)

    with Log.open(path, CATALOGUE, create=True) as log, Log.open(path, CATALOGUE, lock_timeout_s=1) as other:
        log.accept(records(range(1, 200)), TEST)
        thread = threading.Thread(target=lambda: backup.backup(log, tmp_path / "b.db", hold))
        thread.start()
        assert began.wait(60)
        assert other.accept([record(500)], TEST).stored == 1
        go_on.set()
        thread.join(60)
    with Log.open(str(tmp_path / "b.db"), CATALOGUE) as kept:
        assert kept.size() == 199
