"""A log moved from one store into another, both ways, carried on after a break; backups."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import psycopg
import pytest
from eventsourcing.persistence import StoredEvent

from events.errors import Refused, SealBroken, StoreBusy
from events.schema.ours import GapDeclaredLost
from events.store import Draft, Log, Origin, Partition, copying, verify
from events.store.copying import copy_log
from tests.events.store.records import SOURCE, STREAM, SUBJECT, TEST, record, records
from tests.stores import CATALOGUE

_NUMBERS = count(1)


def kafka(first: int, count: int) -> Origin:
    return Origin(
        kind="kafka", name="floor.events", lines=tuple(range(first, first + count)), account="bench",
        partitions=(Partition("c1", "t1", 0, first + count),),
    )  # fmt: skip


def busy_log(log: Log) -> None:
    """A log with all that can be in one: sources, restarts, gaps, conflicts, jumps, decisions, repeats, offsets."""
    chance = random.Random(5)
    for first in range(1, 400, 40):
        for source in ("/brno/a", "/brno/b", SOURCE):
            batch = [one for one in records(range(first, first + 40), source=source) if chance.random() > 0.02]
            chance.shuffle(batch)
            log.accept(batch, kafka(first, len(batch)))
    log.accept(records(range(1, 50)), TEST)
    log.accept([b"junk", b'{"half', record(3, data={"person": "x"}), record(90_000)], TEST)
    log.accept([record(1, source="/brno/a", time="2026-11-29T05:00:00+01:00", data={"person": "y"})], TEST)
    log.accept(records([2, 3], source="/brno/a", time="2026-11-29T05:00:01+01:00"), TEST)
    log.accept([record(5, data={"person": "z"})], TEST)
    for entry in log.quarantine():
        if entry.reason in ("conflict", "jump"):
            log.release(entry.sha256.hex(), reason="the table says so")
        elif entry.record == b"junk":
            log.discard(entry.sha256.hex(), reason="no record")
    log.author(f"{SUBJECT}@/recoup", [Draft(event=GapDeclaredLost(source=SOURCE, first=1, last=2), reason="x")])


def all_of(log: Log) -> dict[str, object]:
    """Everything that is in a log but its address."""
    statements = {
        "rows": "SELECT rowid, originator_id, originator_version, topic, state FROM stored_events ORDER BY rowid",
        "tiles": "SELECT first_index, size, recorded_at, origin, account, leaves FROM tiles ORDER BY first_index",
        "quarantine": "SELECT * FROM quarantine ORDER BY event_index",
        "acts": "SELECT * FROM quarantine_acts ORDER BY event_index",
        "heads": "SELECT * FROM stream_heads ORDER BY stream",
        "runs": "SELECT * FROM stream_runs ORDER BY stream, first_version",
        "segments": "SELECT * FROM round_segments ORDER BY stream, from_version",
        "counters": "SELECT name, value FROM counters WHERE value <> 0 ORDER BY name",
        "offsets": "SELECT * FROM source_offsets ORDER BY cluster, topic, partition",
    }
    with log.reading() as reading:
        return {name: reading.all(statement) for name, statement in statements.items()}


@pytest.fixture
def full(log: Log) -> Log:
    """A log of each kind of store with all that can be in one."""
    busy_log(log)
    assert verify(log).ok
    return log


@pytest.fixture(params=["sqlite file", "postgresql"])
def target(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Address of an empty store that is not `log`'s."""
    if request.param == "sqlite file":
        return str(tmp_path / "target.db")
    return str(request.getfixturevalue("other_postgres_url"))


@pytest.fixture
def other_postgres_url(postgres_server: Callable[[str], str]) -> Iterator[str]:
    """A second database with an empty log."""
    name = f"other_{next(_NUMBERS)}"
    with psycopg.connect(postgres_server("postgres"), autocommit=True) as admin:
        admin.execute(f"CREATE DATABASE {name} TEMPLATE template_log")
        yield postgres_server(name)
        admin.execute(f"DROP DATABASE {name} WITH (FORCE)")


def test_a_copy_is_the_same_log_in_any_database(full: Log, target: str) -> None:
    with Log.open(target, CATALOGUE, create=True) as copied:
        report = copy_log(full, copied)
        assert report.root == full.root().hex() == copied.root().hex()
        assert (report.before, report.size) == (0, full.size())
        assert all_of(copied) == all_of(full)
        assert verify(copied).ok, verify(copied).problems
        assert copied.status().adds_up
        assert copied.next_offset("c1", "t1", 0) == full.next_offset("c1", "t1", 0)
        again = copied.accept(records(range(1, 30)), TEST)
        assert again.repeats == 29
        assert copied.accept([record(500)], TEST).stored == 1


def test_a_copy_that_broke_off_is_a_log_at_every_step_and_goes_on(
    full: Log, target: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copying, "ROWS_AT_A_TIME", 100)
    sizes: list[int] = []

    class Stop(Exception):
        pass

    def break_off(done: int, total: int) -> None:
        sizes.append(done)
        assert total == full.size()
        raise Stop

    with Log.open(target, CATALOGUE, create=True) as copied:
        while not sizes or sizes[-1] < full.size():
            with pytest.raises(Stop):
                copy_log(full, copied, break_off)
            report = verify(copied)
            assert report.ok, report.problems
            assert copied.status().adds_up
        assert len(sizes) > 5
        report = copy_log(full, copied)
        assert (report.before, report.tiles) == (full.size(), 0)
        assert all_of(copied) == all_of(full)


def test_a_later_copy_brings_what_came_since(full: Log, tmp_path: Path) -> None:
    with Log.open(str(tmp_path / "t.db"), CATALOGUE, create=True) as copied:
        first = copy_log(full, copied)
        full.accept([*records(range(380, 480)), b"more junk"], kafka(500, 101))
        second = copy_log(full, copied)
        assert (second.before, second.quarantined) == (first.size, 1)
        assert all_of(copied) == all_of(full)
        full.accept(records(range(1, 10)), kafka(601, 9))  # repeats: no row, but counters and an offset
        copy_log(full, copied)
        assert all_of(copied) == all_of(full)


def test_heads_that_are_dropped_on_the_way_are_read_again(
    full: Log, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copying, "ROWS_AT_A_TIME", 1)
    monkeypatch.setattr(copying, "_HEADS_KEPT", 1)
    with Log.open(str(tmp_path / "t.db"), CATALOGUE, create=True) as copied:
        copy_log(full, copied)
        assert all_of(copied) == all_of(full)


def test_what_the_library_saved_is_copied_too(log: Log, tmp_path: Path) -> None:
    events = [StoredEvent("decided/1@/recoup", version, "X.Decided.v1", b"no envelope") for version in range(3)]
    log.recorder.insert_events(events)
    with Log.open(str(tmp_path / "t.db"), CATALOGUE, create=True) as copied:
        copy_log(log, copied)
        assert verify(copied).ok
        assert all_of(copied)["heads"] == all_of(log)["heads"]


def test_an_empty_log_is_copied(log: Log, tmp_path: Path) -> None:
    with Log.open(str(tmp_path / "t.db"), CATALOGUE, create=True) as copied:
        report = copy_log(log, copied)
        assert (report.size, report.root) == (0, log.root().hex())


def test_a_target_that_holds_something_else_is_refused_and_left_as_it_is(full: Log, tmp_path: Path) -> None:
    with Log.open(str(tmp_path / "t.db"), CATALOGUE, create=True) as other:
        other.accept([record(7)], TEST)
        with pytest.raises(Refused, match="holds something else"):
            copy_log(full, other)
        assert other.size() == 1
    with Log.open(str(tmp_path / "u.db"), CATALOGUE, create=True) as longer:
        copy_log(full, longer)
        longer.accept([record(700)], TEST)
        with pytest.raises(Refused, match="only"):
            copy_log(full, longer)
    with pytest.raises(Refused, match="both ends"):
        copy_log(full, full)


def test_a_source_that_was_changed_stops_the_copy_before_the_bad_batch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Log.open(str(tmp_path / "s.db"), CATALOGUE, create=True) as log:
        for first in range(1, 100, 10):
            log.accept(records(range(first, first + 10)), TEST)
    with sqlite3.connect(tmp_path / "s.db") as db:
        db.execute("DROP TRIGGER stored_events_no_update")
        db.execute("UPDATE stored_events SET topic = 'TB.Other.v1' WHERE rowid = 55")
    db.close()
    monkeypatch.setattr(copying, "ROWS_AT_A_TIME", 1)
    with (
        Log.open(str(tmp_path / "s.db"), CATALOGUE) as log,
        Log.open(str(tmp_path / "t.db"), CATALOGUE, create=True) as copied,
    ):
        with pytest.raises(SealBroken, match="in the batch at tree index 50"):
            copy_log(log, copied)
        assert copied.size() == 50
        assert verify(copied).ok


def test_somebody_who_writes_into_the_target_meanwhile_stops_the_copy(
    full: Log, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copying, "ROWS_AT_A_TIME", 1)
    path = str(tmp_path / "t.db")
    with Log.open(path, CATALOGUE, create=True) as copied, Log.open(path, CATALOGUE) as other:

        def write(done: int, _total: int) -> None:
            if done > 100:
                other.accept([record(1, source="/brno/other")], TEST)

        with pytest.raises(StoreBusy, match="somebody else wrote"):
            copy_log(full, copied, write)
        assert verify(copied).ok


@pytest.mark.parametrize("store_url", ["sqlite file", "postgresql"], indirect=True)
def test_a_source_that_is_written_meanwhile_is_copied_as_it_was_when_the_copy_began(
    full: Log, store_url: str, tmp_path: Path
) -> None:
    size = full.size()
    with Log.open(store_url, CATALOGUE) as other, Log.open(str(tmp_path / "t.db"), CATALOGUE, create=True) as copied:
        report = copy_log(full, copied, lambda _done, _total: other.accept([record(1000)], TEST) and None)
        assert report.size == size
        assert full.size() == size + 1
        assert copy_log(full, copied).size == size + 1
        assert full.head(STREAM) is not None
