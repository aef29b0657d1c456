"""The log on PostgreSQL, for several writers or machines.

The lock comes first, then tree size and heads are read: the other order lets two writers see one size. Events go in by
binary COPY, which the server takes twice as fast as arrays through `unnest`, and while they are still being sent; the
bookkeeping, which is replaced, goes as arrays. The library's arrays of composite values are four times slower still.
Its database functions are refused: they take no lock, and a reader of the tail then loses events for ever
(`engineering.md`, 1.2).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import lru_cache
from itertools import count
from typing import Any, LiteralString

import psycopg
from eventsourcing.persistence import ApplicationRecorder, IntegrityError
from eventsourcing.postgres import PostgresApplicationRecorder, PostgresDatastore, PostgresFactory
from eventsourcing.utils import Environment, EnvType
from psycopg import Connection, Cursor
from psycopg.rows import tuple_row
from psycopg_pool import PoolTimeout

from events.errors import RecoupError, Refused, StoreBusy, StoreMissing, Unable
from events.store import statements as sql
from events.store.address import CONNECT_TIMEOUT_S, more_options
from events.store.backend import EVIDENCE, SCHEMA, Fresh, Held, Tile, Writing
from events.store.heads import HeadRow, Run, Segment
from events.store.origin import Partition
from events.store.recorder import ConnectionLost, LogRecorder, Reading
from events.store.sqlite import read_sql

LOCK = "LOCK TABLE evidence.stored_events IN EXCLUSIVE MODE"
_COPY_ROWS = (
    "COPY stored_events (notification_id, originator_id, originator_version, topic, state) FROM STDIN (FORMAT BINARY)"
)
_ROW_TYPES = ("bigint", "text", "bigint", "text", "bytea")
_PUT_HEADS = (
    "INSERT INTO stream_heads SELECT * FROM unnest(%b::text[], %b::bigint[], %b::text[], %b::bigint[], %b::bigint[], "
    "%b::bigint[], %b::bigint[], %b::text[], %b::bigint[], %b::bigint[], %b::bigint[]) "
    "ON CONFLICT (stream) DO UPDATE SET next_version = excluded.next_version, seen = excluded.seen, "
    "run_sequence = excluded.run_sequence, run_version = excluded.run_version, run_length = excluded.run_length, "
    "top_at = excluded.top_at, round = excluded.round, segment_version = excluded.segment_version, "
    "segment_first_at = excluded.segment_first_at, segment_last_at = excluded.segment_last_at"
)
_PUT_RUNS = (
    "INSERT INTO stream_runs (stream, first_sequence, first_version, length) "
    "SELECT * FROM unnest(%b::text[], %b::bigint[], %b::bigint[], %b::bigint[])"
)
_PUT_SEGMENTS = (
    "INSERT INTO round_segments (stream, round, from_version, to_version, first_at, last_at) "
    "SELECT * FROM unnest(%b::text[], %b::text[], %b::bigint[], %b::bigint[], %b::bigint[], %b::bigint[])"
)
_HEADS = (
    "SELECT h.* FROM unnest(%b::text[]) AS base JOIN stream_heads h ON h.stream = base UNION ALL "
    "SELECT h.* FROM unnest(%b::text[]) AS base JOIN stream_heads h "
    "ON h.stream >= base || '~' AND h.stream < base || chr(127)"
)
_STATES = (
    "SELECT state FROM stored_events WHERE originator_id = %s AND originator_version BETWEEN %s AND %s "
    "ORDER BY originator_version"
)
_STATES_OF = (
    # OFFSET 0 keeps the planner from any other plan than one look into the index a range.
    "SELECT r.ordinality, e.state FROM unnest(%b::text[], %b::bigint[], %b::bigint[]) "
    "WITH ORDINALITY AS r (stream, low, high, ordinality) CROSS JOIN LATERAL ("
    "SELECT originator_version, state FROM stored_events WHERE originator_id = r.stream "
    "AND originator_version BETWEEN r.low AND r.high OFFSET 0) e ORDER BY r.ordinality, e.originator_version"
)
_RUNS_OF = (
    "SELECT stream, first_sequence, first_version, length FROM stream_runs WHERE stream = ANY(%b::text[]) "
    "ORDER BY stream, first_sequence"
)
_HOLDERS = (
    "SELECT a.pid, a.usename, a.application_name FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid "
    "WHERE l.relation = 'evidence.stored_events'::regclass AND l.mode = 'ExclusiveLock' AND l.granted"
)


_TRIGGERS = (
    "SELECT c.relname::text, t.tgname::text, t.tgenabled::text FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid "
    "JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname IN ('evidence', 'bookkeeping') "
    "AND NOT t.tgisinternal"
)
_REFUSE = (
    "SELECT p.prosrc FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace "
    "WHERE n.nspname = 'evidence' AND p.proname = 'refuse'"
)
_BEGIN_READING = (
    # Who reads a whole log may think between two pages longer than a writer may.
    "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY; SET LOCAL idle_in_transaction_session_timeout = 0"
)
_CURSORS = count()
_STALE_MAX = 12
"""Connections that a pool may hold, and one more."""
_RECONNECT_S = 5
"""The pool tries to connect for so long by itself, with longer and longer pauses; then anew for whoever asks."""


@lru_cache(maxsize=128)
def translated(statement: str) -> LiteralString:
    """A statement of `events.store.statements` in PostgreSQL's words."""
    return statement.replace("?", "%s").replace("rowid", "notification_id")


def _columns(rows: Sequence[Sequence[Any]]) -> list[list[Any]]:
    """Rows turned into one array a column."""
    return [list(column) for column in zip(*rows, strict=True)]


class PostgresWriting(Writing):
    """From `LOCK TABLE` to the commit."""

    def __init__(self, cursor: Cursor[tuple[Any, ...]]) -> None:
        self._db = cursor
        self.size = self._one(sql.SIZE)[0] or 0
        last = self._one(sql.LAST_TILE)
        self.last_recorded_at = last[2] if last else 0

    def _all(self, statement: str, *parameters: Any) -> list[tuple[Any, ...]]:
        return self._db.execute(translated(statement), parameters).fetchall()

    def _one(self, statement: str, *parameters: Any) -> Any:
        return self._db.execute(translated(statement), parameters).fetchone()

    def heads(self, bases: Sequence[str]) -> list[HeadRow]:
        wanted = list(bases)
        return [HeadRow._make(row) for row in self._db.execute(_HEADS, (wanted, wanted))]

    def runs(self, stream: str) -> list[Run]:
        return [Run._make(row) for row in self._all(sql.RUNS, stream)]

    def states(self, stream: str, low: int, high: int) -> list[bytes]:
        return [row[0] for row in self._db.execute(_STATES, (stream, low, high))]

    def runs_of(self, streams: Sequence[str]) -> dict[str, list[Run]]:
        found: dict[str, list[Run]] = {stream: [] for stream in streams}
        for stream, *run in self._db.execute(_RUNS_OF, (list(streams),)):
            found[stream].append(Run._make(run))
        return found

    def states_of(self, ranges: Sequence[tuple[str, int, int]]) -> list[list[bytes]]:
        found: list[list[bytes]] = [[] for _ in ranges]
        if ranges:
            for place, state in self._db.execute(_STATES_OF, _columns(ranges), binary=True):
                found[place - 1].append(state)
        return found

    def quarantined(self, sha256s: Sequence[bytes]) -> set[bytes]:
        found = self._db.execute("SELECT sha256 FROM quarantine WHERE sha256 = ANY(%s)", (list(sha256s),))
        return {row[0] for row in found}

    def acted(self, sha256: bytes) -> bool:
        return self._one(sql.ACTED, sha256) is not None

    def conflict_digests(self, stream: str, sequence: int) -> set[bytes]:
        return {row[0] for row in self._all(sql.CONFLICT_DIGESTS, stream, sequence)}

    def insert_rows(self, rows: Sequence[Fresh]) -> None:
        with self._db.copy(_COPY_ROWS) as copy:
            copy.set_types(_ROW_TYPES)
            write = copy.write_row
            for index, stream, version, topic, state in rows:
                write((index + 1, stream, version, topic, state))

    def insert_tile(self, tile: Tile) -> None:
        self._db.execute(translated(sql.INSERT_TILE), tile)

    def insert_tiles(self, tiles: Sequence[Tile]) -> None:
        self._db.executemany(translated(sql.INSERT_TILE), tiles)

    def put_heads(self, heads: Sequence[HeadRow]) -> None:
        self._db.execute(_PUT_HEADS, _columns(heads))

    def put_runs(self, runs: Sequence[tuple[str, Run]]) -> None:
        self._db.execute(_PUT_RUNS, _columns([(stream, *run) for stream, run in runs]))

    def put_segments(self, segments: Sequence[tuple[str, Segment]]) -> None:
        self._db.execute(_PUT_SEGMENTS, _columns([(stream, *segment) for stream, segment in segments]))

    def put_quarantine(self, held: Sequence[Held]) -> None:
        self._db.executemany(translated(sql.INSERT_HELD), [one[:11] for one in held])

    def put_act(self, sha256: bytes, act: str, index: int) -> None:
        self._db.execute(translated(sql.INSERT_ACT), (sha256, act, index))

    def add_counts(self, counts: Mapping[str, int]) -> None:
        self._db.executemany(translated(sql.ADD_COUNT), list(counts.items()))

    def put_offsets(self, partitions: Iterable[Partition]) -> None:
        self._db.executemany(
            translated(sql.PUT_OFFSET),
            [(one.cluster, one.topic, one.partition, one.next_offset) for one in partitions],
        )


class PostgresReading(Reading):
    """One repeatable-read transaction."""

    def __init__(self, connection: Connection[Any]) -> None:
        self._connection = connection

    def all(self, statement: str, *parameters: Any) -> list[tuple[Any, ...]]:
        with self._connection.cursor(row_factory=tuple_row, binary=True) as cursor:
            return cursor.execute(translated(statement), parameters).fetchall()

    def layout_faults(self) -> list[str]:
        found = {(table, name): enabled for table, name, enabled in self.all(_TRIGGERS)}
        wanted = {(table, f"{table}_append_only") for table in EVIDENCE}
        faults = [f"trigger {name} is missing" for table, name in sorted(wanted - found.keys())]
        faults += [f"trigger {name} is switched off" for _table, name in found if found[_table, name] not in ("O", "A")]
        faults += [f"trigger {name} is none of ours" for _table, name in sorted(found.keys() - wanted)]
        if not any("RAISE EXCEPTION" in source for (source,) in self.all(_REFUSE)):
            faults.append("function evidence.refuse does not refuse")
        return faults

    def pages(self, statement: str, *parameters: Any, size: int = 10_000) -> Iterator[list[tuple[Any, ...]]]:
        with self._connection.cursor(f"recoup_{next(_CURSORS)}", row_factory=tuple_row, binary=True) as cursor:
            cursor.execute(translated(statement), parameters)
            while page := cursor.fetchmany(size):
                yield page


class PostgresLogRecorder(LogRecorder, PostgresApplicationRecorder):
    """The library's recorder with our tables, our transaction and the sealing hook."""

    def __init__(self, datastore: PostgresDatastore, *, events_table_name: str = "stored_events") -> None:
        if datastore.enable_db_functions:
            raise Refused(
                "POSTGRES_ENABLE_DB_FUNCTIONS is set: readers of the log's tail would lose events for ever",
                hint="unset it",
            )
        # The library's composite types are not ours: looking for them fails where a role may see no schema.
        datastore.register_type_adapters = lambda: None  # type: ignore[method-assign]
        super().__init__(datastore, events_table_name=events_table_name)
        with self.reading() as reading:
            ((self.account,),) = reading.all("SELECT session_user::text")

    def schema(self) -> int | None:
        """Number of the table layout; None if there is no log."""
        with self.reading() as reading:
            if not reading.all("SELECT 1 WHERE to_regclass('evidence.recoup_store') IS NOT NULL"):
                return None
            row = reading.one(sql.SCHEMA)
            return row[0] if row else None

    def create_table(self) -> None:
        """Schemas, tables, triggers and the schema number, in one transaction; what is there stays."""
        with self._connection() as connection, connection.cursor(row_factory=tuple_row) as cursor:
            for statement in read_sql("postgres.sql"):
                cursor.execute(statement, prepare=False)
            if cursor.execute(translated(sql.SCHEMA)).fetchone() is None:
                cursor.execute("INSERT INTO evidence.recoup_store (schema) VALUES (%s)", (SCHEMA,))

    @contextmanager
    def _connection(self) -> Iterator[Connection[Any]]:
        """A connection in a transaction, PostgreSQL's errors as the library's or ours."""
        try:
            with ExitStack() as stack:
                connection = self._begun(stack)
                try:
                    yield connection
                    stack.close()  # commits
                except psycopg.OperationalError as error:
                    if connection.broken or connection.closed:
                        self._drop_dead()
                        raise ConnectionLost(str(error).strip()) from error
                    raise
        except psycopg.IntegrityError as error:
            raise IntegrityError(str(error)) from error
        except psycopg.errors.LockNotAvailable as error:
            raise self._busy() from error
        except PoolTimeout as error:
            said = f"the server gave no connection: {error}"
            raise Unable(said, hint="is it up, and has it connections left?") from error
        except psycopg.Error as error:
            raise postgres_error(error) from error

    def _begun(self, stack: ExitStack) -> Connection[Any]:
        """A connection on which a transaction has begun. One that died since it was used last is not the caller's
        business."""
        pool = self.datastore.pool
        pool.open()
        for _old in range(_STALE_MAX):
            with ExitStack() as trial:
                connection = trial.enter_context(pool.connection())
                try:
                    trial.enter_context(connection.transaction())
                except psycopg.OperationalError:
                    if not connection.broken:
                        raise
                    continue
                stack.push(trial.pop_all())
                return connection
        raise ConnectionLost("the server closed every connection")

    def _drop_dead(self) -> None:
        """After a restart of the server all its connections are dead; the next who asks shall get none of them."""
        with suppress(psycopg.Error, PoolTimeout):
            self.datastore.pool.check()

    def _busy(self) -> StoreBusy:
        with self.reading() as reading:
            rows = reading.all(_HOLDERS)
        who = ", ".join(f"role {user} (server process {pid}{', ' + name if name else ''})" for pid, user, name in rows)
        return StoreBusy(
            f"the log is being written by {who or 'another connection'}", hint="wait for it to end, then try again"
        )

    @contextmanager
    def writing(self) -> Iterator[PostgresWriting]:
        """Lock, then read; waits for other writers as long as the lock timeout.

        Raises:
            StoreBusy: another connection kept the lock.
            ConnectionLost: the server went away; the transaction may have been committed.
            Unable, IntegrityError.
        """
        with self._connection() as connection, connection.cursor(row_factory=tuple_row) as cursor:
            cursor.execute(f"SET LOCAL lock_timeout = '{self.datastore.lock_timeout}s'")
            cursor.execute(LOCK)
            yield PostgresWriting(cursor)
            cursor.execute("NOTIFY stored_events")

    @contextmanager
    def reading(self, *, lenient: bool = False) -> Iterator[PostgresReading]:
        """A read transaction: what it sees does not change while it lasts. The server keeps text UTF-8."""
        with self._connection() as connection:
            connection.execute(_BEGIN_READING)
            yield PostgresReading(connection)


_EXTENDING = ("mdextend", "mdzeroextend")
"""Where the server makes a table's file longer: it can fail for want of room without saying so in its code."""
_OURS = {"options": "-c search_path=evidence,bookkeeping", "application_name": "recoup"}
"""What every connection of ours asks for."""


def connect(env: Mapping[str, str], role: str = "") -> Connection[tuple[Any, ...]]:
    """One connection outside the pool, committing each statement; acting as `role` where one is named.

    Raises:
        StoreMissing: no such database.
        Unable: no server there, or it lets nobody in by that name.
    """
    options: dict[str, Any] = {**_OURS, **more_options(env), "connect_timeout": CONNECT_TIMEOUT_S}
    for name in ("dbname", "host", "port", "user", "password"):
        options[name] = env[f"POSTGRES_{name.upper()}"]
    if role:
        options["options"] += " -c role=" + role.replace("\\", "\\\\").replace(" ", "\\ ")
    try:
        return psycopg.connect(row_factory=tuple_row, autocommit=True, **options)
    except psycopg.OperationalError as error:
        if "does not exist" in str(error) and "database" in str(error):
            raise StoreMissing(f"no such database: {error}".strip(), hint="make it, then `recoup init`") from error
        raise Unable(f"no connection: {error}".strip(), hint="is the server up, is the address right?") from error


def postgres_error(error: psycopg.Error) -> RecoupError:
    """What PostgreSQL's error means for the caller."""
    if isinstance(error, psycopg.errors.InvalidCatalogName):
        return StoreMissing(f"there is no such database: {error}", hint="make it, then `recoup init`")
    if isinstance(error, psycopg.errors.DiskFull) or error.diag.source_function in _EXTENDING:
        return Unable(
            f"the server has no room left: {error}; the batch under way was not stored, nothing of it",
            hint="make room and run the same command again: what was stored is found as repeats",
        )
    if isinstance(error, psycopg.errors.InsufficientPrivilege):
        return Unable(f"the role may not do that: {error}", hint="deploy/ has the rights that Recoup needs")
    return Unable(f"PostgreSQL: {error}".strip())


class PostgresLogFactory(PostgresFactory):
    """The library's factory with our recorder; both schemas on the search path."""

    application_recorder_class = PostgresLogRecorder

    def __init__(self, env: Environment | EnvType | None) -> None:
        super().__init__(env)
        options = self.datastore.pool.kwargs
        assert isinstance(options, dict)
        self.datastore.pool.reconnect_timeout = _RECONNECT_S
        options.update(_OURS, **more_options(self.env))
        connect(self.env).close()  # asked once, directly: the pool would try for its whole timeout, and not say why

    def application_recorder(self) -> ApplicationRecorder:
        """Ours, on the table `stored_events` whatever the application is called."""
        recorder = PostgresLogRecorder(self.datastore)
        if self.env_create_table():
            recorder.create_table()
        return recorder
