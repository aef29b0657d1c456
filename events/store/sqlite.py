"""The log on SQLite: no server, one file (or memory).

A declared row id, because implicit ones are given out again after a delete; `BEGIN IMMEDIATE`, because a plain
`BEGIN` that reads first fails at once when another process commits; triggers that refuse UPDATE and DELETE.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from importlib import resources
from typing import Any
from urllib.parse import unquote

from eventsourcing.persistence import ConnectionUnavailableError, IntegrityError, InterfaceError
from eventsourcing.sqlite import (
    SQLiteApplicationRecorder,
    SQLiteConnection,
    SQLiteDatastore,
    SQLiteFactory,
)
from eventsourcing.utils import Environment, EnvType

from events.errors import RecoupError, StoreBusy, Unable
from events.store import statements as sql
from events.store.backend import EVIDENCE, SCHEMA, Fresh, Held, Tile, Writing
from events.store.heads import HeadRow, Run, Segment
from events.store.locks import who_writes
from events.store.origin import Partition, account
from events.store.recorder import LogRecorder, Reading, Undecodable

PRAGMAS = (
    "synchronous=FULL",
    "cache_size=-65536",
    "wal_autocheckpoint=20000",
    "temp_store=MEMORY",
    "recursive_triggers=ON",  # or INSERT OR REPLACE would delete a row without asking the trigger
)


def read_sql(name: str) -> list[str]:
    """Statements of a file beside this one; empty lines separate them."""
    text = resources.files("events.store").joinpath(name).read_text(encoding="utf-8")
    return [part for part in text.split("\n\n") if any(not line.startswith("--") for line in part.splitlines())]


def _triggers() -> Iterator[str]:
    for table in EVIDENCE:
        for act in ("UPDATE", "DELETE"):
            yield (
                f"CREATE TRIGGER IF NOT EXISTS {table}_no_{act.lower()} BEFORE {act} ON {table} "
                f"BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
            )


INSERT_ROWS = (
    "INSERT INTO stored_events (rowid, originator_id, originator_version, topic, state) VALUES (? + 1,?,?,?,?)"
)
CREATE_STATEMENTS = (*read_sql("sqlite.sql"), *_triggers())
_PUT_HEAD = "INSERT OR REPLACE INTO stream_heads VALUES (?,?,?,?,?,?,?,?,?,?,?)"
_PUT_RUN = "INSERT INTO stream_runs (stream, first_sequence, first_version, length) VALUES (?,?,?,?)"
_PUT_SEGMENT = (
    "INSERT INTO round_segments (stream, round, from_version, to_version, first_at, last_at) VALUES (?,?,?,?,?,?)"
)
_STATES = (
    "SELECT state FROM stored_events WHERE originator_id = ? AND originator_version BETWEEN ? AND ? "
    "ORDER BY originator_version"
)


class SQLiteWriting(Writing):
    """`BEGIN IMMEDIATE` until the commit."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db.cursor()
        self._db.row_factory = None
        self.size = self._one(sql.SIZE)[0] or 0
        last = self._db.execute(sql.LAST_TILE).fetchone()
        self.last_recorded_at = last[2] if last else 0

    def _one(self, statement: str, *parameters: Any) -> Any:
        return self._db.execute(statement, parameters).fetchone()

    def heads(self, bases: Sequence[str]) -> list[HeadRow]:
        found: list[HeadRow] = []
        for base in bases:
            found += map(HeadRow._make, self._db.execute(sql.HEADS_BETWEEN, (base, base + "\x01")))
            found += map(HeadRow._make, self._db.execute(sql.HEADS_BETWEEN, (base + "~", base + "\x7f")))
        return found

    def runs(self, stream: str) -> list[Run]:
        return [Run._make(row) for row in self._db.execute(sql.RUNS, (stream,))]

    def states(self, stream: str, low: int, high: int) -> list[bytes]:
        return [row[0] for row in self._db.execute(_STATES, (stream, low, high))]

    def quarantined(self, sha256s: Sequence[bytes]) -> set[bytes]:
        return {sha for sha in set(sha256s) if self._one(sql.QUARANTINED, sha) is not None}

    def acted(self, sha256: bytes) -> bool:
        return self._one(sql.ACTED, sha256) is not None

    def conflict_digests(self, stream: str, sequence: int) -> set[bytes]:
        return {row[0] for row in self._db.execute(sql.CONFLICT_DIGESTS, (stream, sequence))}

    def insert_rows(self, rows: Sequence[Fresh]) -> None:
        self._db.executemany(INSERT_ROWS, rows)

    def insert_tile(self, tile: Tile) -> None:
        self._db.execute(sql.INSERT_TILE, tile)

    def put_heads(self, heads: Sequence[HeadRow]) -> None:
        self._db.executemany(_PUT_HEAD, heads)

    def put_runs(self, runs: Sequence[tuple[str, Run]]) -> None:
        self._db.executemany(_PUT_RUN, [(stream, *run) for stream, run in runs])

    def put_segments(self, segments: Sequence[tuple[str, Segment]]) -> None:
        self._db.executemany(_PUT_SEGMENT, [(stream, *segment) for stream, segment in segments])

    def put_quarantine(self, held: Sequence[Held]) -> None:
        self._db.executemany(sql.INSERT_HELD, [one[:11] for one in held])

    def put_act(self, sha256: bytes, act: str, index: int) -> None:
        self._db.execute(sql.INSERT_ACT, (sha256, act, index))

    def add_counts(self, counts: Mapping[str, int]) -> None:
        self._db.executemany(sql.ADD_COUNT, list(counts.items()))

    def put_offsets(self, partitions: Iterable[Partition]) -> None:
        self._db.executemany(
            sql.PUT_OFFSET, [(one.cluster, one.topic, one.partition, one.next_offset) for one in partitions]
        )


class SQLiteReading(Reading):
    """One read transaction: what it sees does not change while it lasts."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def _cursor(self) -> sqlite3.Cursor:
        cursor = self._db.cursor()
        cursor.row_factory = None
        return cursor

    def all(self, statement: str, *parameters: Any) -> list[tuple[Any, ...]]:
        return self._cursor().execute(statement, parameters).fetchall()

    def layout_faults(self) -> list[str]:
        with closing(sqlite3.connect(":memory:")) as fresh:
            for statement in CREATE_STATEMENTS:
                fresh.execute(statement)
            wanted = _layout(fresh)
        found = _layout(self._db)
        faults = [f"{kind} {name} is missing" for kind, name in wanted if (kind, name) not in found]
        faults += [
            f"{kind} {name} is not as it was made" for kind, name in wanted
            if found.get((kind, name), made := wanted[kind, name]) != made
        ]  # fmt: skip
        return faults + [f"{kind} {name} is none of ours" for kind, name in found if _is_strange(kind, name, wanted)]

    def pages(self, statement: str, *parameters: Any, size: int = 10_000) -> Iterator[list[tuple[Any, ...]]]:
        cursor = self._cursor().execute(statement, parameters)
        while page := cursor.fetchmany(size):
            yield page


def _layout(db: sqlite3.Connection) -> dict[tuple[str, str], str]:
    """Kind and name of all that a schema has, SQLite's own tables left out → its text."""
    cursor = db.cursor()
    cursor.row_factory = None
    rows = cursor.execute("SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite!_%' ESCAPE '!'")
    return {(kind, name): " ".join(str(text).split()) for kind, name, text in rows}


def _is_strange(kind: str, name: str, wanted: Mapping[tuple[str, str], str]) -> bool:
    """A trigger writes by itself; tables, indexes and views that somebody added beside ours change nothing of ours."""
    return kind == "trigger" and (kind, name) not in wanted


class SQLiteLogRecorder(LogRecorder, SQLiteApplicationRecorder):
    """The library's recorder with our tables, our transaction and the sealing hook."""

    def __init__(self, datastore: SQLiteDatastore, events_table_name: str = "stored_events") -> None:
        super().__init__(datastore, events_table_name)
        self.account = account()

    def construct_create_table_statements(self) -> list[str]:
        """Ours instead of the library's."""
        return list(CREATE_STATEMENTS)

    def create_table(self) -> None:
        """Tables, triggers and the schema number, in one transaction; what is there stays."""
        with _mapped(self.datastore.pool.db_name), self._connection(for_writing=True) as db:
            db.execute("BEGIN IMMEDIATE")
            try:
                for statement in self.create_table_statements:
                    db.execute(statement)
                if db.execute(sql.SCHEMA).fetchone() is None:
                    db.execute("INSERT INTO recoup_store (schema) VALUES (?)", (SCHEMA,))
                db.execute("COMMIT")
            except BaseException:
                db.rollback()
                raise

    def schema(self) -> int | None:
        """Number of the table layout; None if there is no log.

        Raises:
            Unable: no SQLite file.
        """
        with self.reading() as reading:
            if not reading.all("SELECT 1 FROM sqlite_master WHERE name = 'recoup_store'"):
                return None
            row = reading.one(sql.SCHEMA)
            return row[0] if row else None

    @contextmanager
    def _connection(self, *, for_writing: bool) -> Iterator[sqlite3.Connection]:
        with self.datastore.get_connection(commit=for_writing) as connection:
            yield connection._sqlite_conn

    @contextmanager
    def writing(self) -> Iterator[SQLiteWriting]:
        """`BEGIN IMMEDIATE` … `COMMIT`; waits for other writers as long as the lock timeout.

        Raises:
            StoreBusy: another process kept writing.
            Unable: disk full, file not writable.
            IntegrityError: a version is taken.
        """
        with _mapped(self.datastore.pool.db_name), self._connection(for_writing=True) as db:
            db.execute("BEGIN IMMEDIATE")
            try:
                yield SQLiteWriting(db)
                db.execute("COMMIT")
            except BaseException:
                if db.in_transaction:  # a full disk has rolled back already
                    db.rollback()
                raise

    @contextmanager
    def reading(self, *, lenient: bool = False) -> Iterator[SQLiteReading]:
        """A read transaction."""
        with _mapped(self.datastore.pool.db_name), self._connection(for_writing=False) as db:
            db.execute("BEGIN")
            if lenient:
                db.text_factory = _lenient
            try:
                yield SQLiteReading(db)
            finally:
                db.text_factory = str
                db.rollback()


def _lenient(text: bytes) -> str:
    return text.decode(errors="surrogateescape")


@contextmanager
def _mapped(db_name: str) -> Iterator[None]:
    """SQLite's errors as the library's or ours, saying what to try."""
    try:
        yield
    except sqlite3.IntegrityError as error:
        raise IntegrityError(error) from error
    except sqlite3.Error as error:
        raise store_error(db_name, error) from error
    except InterfaceError as error:
        if isinstance(error.__cause__, sqlite3.Error):
            raise store_error(db_name, error.__cause__) from error
        raise
    except ConnectionUnavailableError as error:
        raise StoreBusy(
            f"{db_name} is kept busy by other threads of this process: {error}", hint="try again"
        ) from error


def store_error(db_name: str, error: sqlite3.Error) -> RecoupError:
    """What an SQLite error means for the caller."""
    code = getattr(error, "sqlite_errorcode", None)
    primary = code & 0xFF if code is not None else None
    shown = unquote(db_name.removeprefix("file:"))
    if code is None and "decode to UTF-8" in str(error):
        return Undecodable(f"{shown}: {error}", hint="`recoup verify` names the place")
    if primary in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        who = who_writes(db_name)
        return StoreBusy(
            f"{shown} is being written by {who or 'another process'}",
            hint="wait for it to end, or stop it; several writers at a time need PostgreSQL",
        )
    if primary == sqlite3.SQLITE_FULL:
        return Unable(
            f"no room left for {shown}: {error}; the batch under way was not stored, nothing of it",
            hint="make room on the disk and run the same command again: what was stored is found as repeats",
        )
    if primary in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        return Unable(
            f"{shown} cannot be opened or written: {error}",
            hint="check owner and rights of file and folder; reading it needs both, too",
        )
    if primary in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
        return Unable(
            f"{shown} is no intact SQLite file: {error}",
            hint="restore a backup; `sqlite3 FILE .recover` on a copy saves what can be read",
        )
    if primary == sqlite3.SQLITE_IOERR:
        return Unable(
            f"{shown} cannot be read or written: {error}",
            hint="is the disk full, or failing? run the same command again when it is not: nothing is stored twice",
        )
    return Unable(f"{shown}: {error}")


class SQLiteLogFactory(SQLiteFactory):
    """The library's factory with our recorder, and PRAGMAs on every connection."""

    application_recorder_class = SQLiteLogRecorder

    def __init__(self, env: Environment | EnvType | None) -> None:
        super().__init__(env)
        pool = self.datastore.pool
        create = pool._create_connection

        def create_tuned() -> SQLiteConnection:
            connection = create()
            for pragma in PRAGMAS:
                connection._sqlite_conn.execute(f"PRAGMA {pragma}")
            return connection

        pool._create_connection = create_tuned  # type: ignore[method-assign]
