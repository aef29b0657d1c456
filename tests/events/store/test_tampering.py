"""Hands straight in the database: `verify` names the place, for each."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from events.store import Log, Problem, verify
from tests.events.store.records import STREAM, TEST, record, records
from tests.stores import CATALOGUE

HAND = Callable[[str], None]


def fill(log: Log) -> None:
    """A log with all that `verify` looks at: 30 rows and more, several tiles, runs, segments, quarantine, an act."""
    log.accept(records(range(1, 9), round="1"), TEST)
    log.accept([*records(range(9, 13), round="2"), *records([20, 21], round="3")], TEST)
    log.accept([*records([15], round="2"), *records(range(1, 6), source="/brno/wheel", round="1")], TEST)
    log.accept([record(2, data={"person": "x"}), b"junk", record(99_999)], TEST)
    log.accept([record(1, time="2026-11-28T23:00:00.000+01:00")], TEST)
    log.release(log.quarantine()[0].sha256.hex(), reason="seen on camera")
    log.discard(log.quarantine()[0].sha256.hex(), reason="noise")


@pytest.fixture(params=["sqlite", "postgresql"])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Log, HAND]]:
    """A filled log, and a hand that changes its tables past triggers and rights."""
    if request.param == "sqlite":
        path = tmp_path / "log.db"

        def hand(statement: str) -> None:
            with sqlite3.connect(path) as db:
                for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
                    db.execute(f"DROP TRIGGER {name}")
                db.execute(statement.replace("ID", "rowid"))
            db.close()

        url = str(path)
    else:
        url = request.getfixturevalue("postgres_url")

        def hand(statement: str) -> None:
            with psycopg.connect(url, options="-c search_path=evidence,bookkeeping") as db:
                db.execute("SET session_replication_role = replica")  # a superuser's way past triggers
                db.execute(statement.replace("ID", "notification_id").replace("X'", "'\\x"))

    with Log.open(url, CATALOGUE, create=True) as log:
        fill(log)
        assert verify(log).ok, verify(log).problems
        yield log, hand


def first_problem(log: Log) -> Problem:
    report = verify(log)
    assert not report.ok
    return report.problems[0]


@pytest.mark.parametrize(
    ("statement", "index"),
    [
        ("UPDATE stored_events SET state = X'7b7d' WHERE ID = 8", 7),
        ("UPDATE stored_events SET topic = 'TB.DealerRelieved.v1' WHERE ID = 1", 0),
        ("UPDATE stored_events SET originator_version = 77 WHERE ID = 3", 2),
        ("UPDATE stored_events SET originator_id = 'table/a/b/c@/d' WHERE ID = 5", 4),
        ("DELETE FROM stored_events WHERE ID = 11", 10),
        ("DELETE FROM stored_events WHERE ID = 1", 0),
        ("DELETE FROM stored_events WHERE ID >= 12", 11),
        ("UPDATE tiles SET recorded_at = recorded_at + 1 WHERE first_index = 8", 8),
        ("UPDATE tiles SET recorded_at = 5 WHERE first_index = 8", 8),
        ("UPDATE tiles SET leaves = X'00' WHERE first_index = 8", 8),
        ("UPDATE tiles SET size = 3 WHERE first_index = 8", 8),
        ("DELETE FROM tiles WHERE first_index = 8", 8),
        ("DELETE FROM tiles WHERE first_index >= 8", 8),
    ],
)
def test_a_changed_or_removed_row_is_named(opened: tuple[Log, HAND], statement: str, index: int) -> None:
    log, hand = opened
    hand(statement)
    assert first_problem(log).index == index


def test_an_inserted_row_is_named(opened: tuple[Log, HAND]) -> None:
    log, hand = opened
    size = log.size()
    hand(
        "INSERT INTO stored_events (ID, originator_id, originator_version, topic, state) "
        f"VALUES ({size + 1}, '{STREAM}', 99, 'TB.DealerSeated.v1', X'7b7d')"
    )
    assert first_problem(log) == Problem("row", "a row that no tile has sealed", index=size)


def test_a_row_inserted_in_the_place_of_a_removed_one_is_named(opened: tuple[Log, HAND]) -> None:
    log, hand = opened
    hand("DELETE FROM stored_events WHERE ID = 4")
    hand(
        "INSERT INTO stored_events (ID, originator_id, originator_version, topic, state) "
        f"VALUES (4, '{STREAM}', 4, 'TB.DealerSeated.v1', X'7b7d')"
    )
    assert first_problem(log).index == 3


def test_two_swapped_rows_are_named_by_the_first(opened: tuple[Log, HAND]) -> None:
    log, hand = opened
    for frm, to in ((3, 1000), (6, 3), (1000, 6)):
        hand(f"UPDATE stored_events SET ID = {to} WHERE ID = {frm}")
    assert first_problem(log).index == 2


@pytest.mark.parametrize(
    ("statement", "what", "stream"),
    [
        ("UPDATE stream_heads SET next_version = 3 WHERE stream = '{s}'", "head", STREAM),
        ("UPDATE stream_heads SET seen = '1-21' WHERE stream = '{s}'", "head", STREAM),
        ("UPDATE stream_heads SET top_at = 0 WHERE stream = '{s}'", "head", STREAM),
        ("UPDATE stream_heads SET round = '9' WHERE stream = '{s}'", "head", STREAM),
        ("DELETE FROM stream_heads WHERE stream = '{s}'", "head", STREAM),
        ("UPDATE stream_heads SET stream = 'table/a/b/c@/d' WHERE stream = '{s}'", "head", "table/a/b/c@/d"),
        ("UPDATE stream_runs SET length = 13 WHERE stream = '{s}' AND first_version = 1", "run", STREAM),
        ("DELETE FROM stream_runs WHERE stream = '{s}' AND first_version = 1", "run", STREAM),
        ("INSERT INTO stream_runs VALUES ('a@b', 1, 1, 1)", "run", "a@b"),
        ("UPDATE round_segments SET round = '7' WHERE stream = '{s}' AND from_version = 1", "segment", STREAM),
        ("UPDATE round_segments SET last_at = 0 WHERE stream = '{s}' AND from_version = 1", "segment", STREAM),
        ("DELETE FROM round_segments WHERE stream = '{s}' AND from_version = 9", "segment", STREAM),
        ("UPDATE counters SET value = value + 1 WHERE name = 'received'", "counter", None),
        ("UPDATE counters SET value = value - 1 WHERE name = 'stored'", "counter", None),
        ("DELETE FROM counters WHERE name = 'quarantined'", "counter", None),
    ],
)
def test_changed_bookkeeping_is_named(opened: tuple[Log, HAND], statement: str, what: str, stream: str | None) -> None:
    log, hand = opened
    hand(statement.format(s=STREAM))
    problem = first_problem(log)
    assert (problem.what, problem.stream) == (what, stream)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE quarantine SET record = X'00' WHERE reason = 'not_json'",
        "DELETE FROM quarantine WHERE reason = 'conflict'",
        "UPDATE quarantine SET event_index = 0 WHERE reason = 'jump'",
        "DELETE FROM quarantine_acts WHERE act = 'released'",
        "UPDATE quarantine_acts SET act = 'released'",
        "UPDATE quarantine SET reason = 'jump' WHERE reason = 'not_json'",
        "UPDATE quarantine SET reason = 'not_json' WHERE reason = 'conflict'",
        "UPDATE quarantine SET detail = 'nothing' WHERE reason = 'not_json'",
        "UPDATE quarantine SET detail = 'nothing' WHERE reason = 'conflict'",
        "UPDATE quarantine SET origin = 'elsewhere:1' WHERE reason = 'jump'",
        "UPDATE quarantine SET sequence = 3 WHERE reason = 'conflict'",
        "UPDATE quarantine SET sequence = 3 WHERE reason = 'jump'",
        "UPDATE quarantine SET stream = 'a@b' WHERE reason = 'conflict'",
        "UPDATE quarantine SET stream = 'a@b', sequence = 1 WHERE reason = 'not_json'",
        "UPDATE quarantine SET digest = X'00' WHERE reason = 'conflict'",
        "UPDATE quarantine SET digest = X'00' WHERE reason = 'not_json'",
        "UPDATE quarantine SET recorded_at = recorded_at + 1 WHERE reason = 'jump'",
        "UPDATE quarantine SET length = length + 1 WHERE reason = 'not_json'",
        "INSERT INTO quarantine_acts VALUES (X'00', 'forgotten', 3)",
    ],
)
def test_changed_quarantine_is_named(opened: tuple[Log, HAND], statement: str) -> None:
    log, hand = opened
    hand(statement)
    assert first_problem(log).what == "quarantine"


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("DROP TRIGGER tiles_no_update", "trigger tiles_no_update is missing"),
        ("DROP INDEX quarantine_place", "index quarantine_place is missing"),
        ("CREATE TRIGGER mine AFTER INSERT ON tiles BEGIN SELECT 1; END", "trigger mine is none of ours"),
        ("ALTER TABLE counters ADD COLUMN more TEXT", "table counters is not as it was made"),
    ],
)
def test_a_changed_schema_is_named(tmp_path: Path, statement: str, told: str) -> None:
    path = tmp_path / "log.db"
    with Log.open(str(path), CATALOGUE, create=True) as log:
        fill(log)
        with sqlite3.connect(path) as db:
            db.execute("CREATE TABLE notes (text)")  # somebody's own, beside ours: no concern of ours
            db.execute("CREATE INDEX by_topic ON stored_events (topic)")
        assert verify(log).ok
        with sqlite3.connect(path) as db:
            db.execute(statement)
        db.close()
        assert [(one.what, one.text) for one in verify(log).problems] == [("schema", told)]


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("DROP TRIGGER tiles_append_only ON evidence.tiles", "trigger tiles_append_only is missing"),
        ("ALTER TABLE evidence.tiles DISABLE TRIGGER tiles_append_only", "trigger tiles_append_only is switched off"),
        (
            "CREATE OR REPLACE FUNCTION evidence.refuse() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN RETURN NULL; END$$",
            "function evidence.refuse does not refuse",
        ),
    ],
)
def test_a_changed_schema_is_named_on_postgresql(postgres_url: str, statement: str, told: str) -> None:
    with Log.open(postgres_url, CATALOGUE) as log:
        fill(log)
        with psycopg.connect(postgres_url) as db:
            db.execute(statement)
        assert [(one.what, one.text) for one in verify(log).problems] == [("schema", told)]


@pytest.mark.parametrize("column", ["originator_id", "originator_version", "topic", "state"])
@pytest.mark.parametrize("kind", ["TEXT", "BLOB", "REAL"])
def test_a_column_of_another_type_is_named_and_survived(tmp_path: Path, column: str, kind: str) -> None:
    path = tmp_path / "log.db"
    with Log.open(str(path), CATALOGUE, create=True) as log:
        fill(log)
        with sqlite3.connect(path) as db:
            db.execute("DROP TRIGGER stored_events_no_update")
            db.execute("PRAGMA writable_schema = ON")
            db.execute(
                "UPDATE sqlite_master SET sql = replace(sql, ' INTEGER NOT NULL', ' NOT NULL') WHERE name = 'stored_events'"
            )
        db.close()
        with sqlite3.connect(path) as db:
            before = db.execute(f"SELECT typeof({column}), {column} FROM stored_events WHERE rowid = 6").fetchone()
            db.execute(f"UPDATE stored_events SET {column} = CAST({column} AS {kind}) WHERE rowid = 6")
            after = db.execute(f"SELECT typeof({column}), {column} FROM stored_events WHERE rowid = 6").fetchone()
        db.close()
    with Log.open(str(path), CATALOGUE) as log:
        report = verify(log)
        if before == after:
            assert {problem.what for problem in report.problems} == {"schema"}
        else:
            assert report.problems[0].index == 5


@pytest.mark.parametrize("column", ["originator_id", "topic"])
def test_text_that_is_not_utf8_is_named_and_survived(tmp_path: Path, column: str) -> None:
    path = tmp_path / "log.db"
    with Log.open(str(path), CATALOGUE, create=True) as log:
        fill(log)
        with sqlite3.connect(path) as db:
            db.execute("DROP TRIGGER stored_events_no_update")
            db.execute(f"UPDATE stored_events SET {column} = CAST(X'FFFE' AS TEXT) WHERE rowid = 6")
        db.close()
        assert first_problem(log).index == 5


@pytest.mark.parametrize("table", ["stream_heads", "stream_runs", "round_segments", "tiles"])
def test_bookkeeping_of_another_type_is_named_and_survived(tmp_path: Path, table: str) -> None:
    path = tmp_path / "log.db"
    with Log.open(str(path), CATALOGUE, create=True) as log:
        fill(log)
        with sqlite3.connect(path) as db:
            db.execute("DROP TRIGGER tiles_no_update")
            columns = [row[1] for row in db.execute(f"PRAGMA table_info({table})")]
            for column in columns[1:]:
                db.execute(f"UPDATE {table} SET {column} = CAST('z' || {column} AS BLOB)")
        db.close()
        assert not verify(log).ok


def test_a_column_whose_type_was_changed_is_survived_on_postgresql(postgres_url: str) -> None:
    with Log.open(postgres_url, CATALOGUE) as log:
        fill(log)
        with psycopg.connect(postgres_url) as db:
            db.execute("ALTER TABLE evidence.stored_events ALTER COLUMN state TYPE text USING encode(state, 'escape')")
        problem = first_problem(log)
        assert (problem.index, "column state holds text, bytes was written" in problem.text) == (0, True)


def test_progress_is_told_and_the_root_is_that_of_the_log(opened: tuple[Log, HAND]) -> None:
    log, _hand = opened
    told: list[tuple[int, int]] = []
    report = verify(log, lambda done, total: told.append((done, total)))
    assert told[-1] == (log.size(), log.size()) == (report.size, report.size)
    assert report.root == log.root().hex()
    assert [done for done, _total in told] == sorted({done for done, _total in told})


def test_an_empty_log_is_as_it_was_sealed() -> None:
    with Log.open(":memory:", CATALOGUE) as log:
        report = verify(log)
        assert (report.ok, report.size, report.tiles) == (True, 0, 0)


def test_where_names_the_place_for_people(opened: tuple[Log, HAND]) -> None:
    assert Problem("row", "x", index=7).where == "row at tree index 7"
    assert Problem("row", "x", 7, "a@b", "1@b T").where == "row at tree index 7 (1@b T, stream a@b)"
    assert Problem("head", "x", stream="a@b").where == "head of a@b"
    assert Problem("counter", "x").where == "counter"


@pytest.mark.parametrize("table", ["stored_events", "tiles", "quarantine", "quarantine_acts"])
@pytest.mark.parametrize("act", ["UPDATE {} SET {} = {}", "DELETE FROM {}"])
def test_tables_of_evidence_refuse_update_and_delete(opened: tuple[Log, HAND], table: str, act: str) -> None:
    log, _hand = opened
    column = "event_index" if table.startswith("quarantine") else "topic" if table == "stored_events" else "size"
    statement = act.format(table, column, column)
    with pytest.raises(Exception, match="append-only"):
        run_as_owner(log, statement)
    assert verify(log).ok


def test_insert_or_replace_is_a_delete_and_refused_on_our_connections(tmp_path: Path) -> None:
    with Log.open(str(tmp_path / "log.db"), CATALOGUE, create=True) as log:
        fill(log)
        with pytest.raises(Exception, match="append-only"):
            run_as_owner(log, "INSERT OR REPLACE INTO stored_events VALUES (1, 'a@b', 1, 't', X'00')")


def test_postgresql_refuses_truncate_even_to_the_owner(postgres_url: str) -> None:
    with Log.open(postgres_url, CATALOGUE) as log:
        fill(log)
        with pytest.raises(Exception, match="append-only"):
            run_as_owner(log, "TRUNCATE stored_events")


def run_as_owner(log: Log, statement: str) -> None:
    """As the role and on the connection that the log itself uses."""
    recorder = log.aggregates.recorder
    with recorder.datastore.transaction(commit=True) as cursor:  # type: ignore[attr-defined]
        cursor.execute(statement)
