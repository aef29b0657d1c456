"""`check` on PostgreSQL: as the role that is connected, or as another that it may become.

What must be refused is tried in a transaction that is rolled back; a statement that touches no row is refused all the
same if the right is missing. A refusal by the trigger alone is a hole too: whoever has the right may own the trigger.
Superusers and owners are told so and nothing is tried, as they may do everything.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import psycopg
from psycopg import Connection

from events.errors import StoreBusy
from events.store import statements as sql
from events.store.backend import EVIDENCE
from events.store.check import CheckReport, Hole, order_faults, probe
from events.store.log import Log
from events.store.postgres import LOCK, PostgresWriting, connect, postgres_error, translated
from events.store.rights import SERVER_MIN

BOOKKEEPING = ("stream_heads", "stream_runs", "round_segments", "counters", "source_offsets")
_COLUMNS = {
    "stored_events": "topic", "tiles": "account", "quarantine": "reason", "quarantine_acts": "act",
    "recoup_store": "schema", "stream_heads": "seen", "stream_runs": "length", "round_segments": "last_at",
    "counters": "value", "source_offsets": "next_offset",
}  # fmt: skip
_REFUSED = "refuse()"
_LOCK_TIMEOUT_S = 10

Row = tuple[Any, ...]


def check_postgres(log: Log, role: str) -> CheckReport:
    """As `check`."""
    try:
        with (
            closing(connect(log.address.env, role)) as one,
            closing(connect(log.address.env, role)) as other,
        ):
            return _Check(log, one, other).run()
    except psycopg.Error as error:
        raise postgres_error(error) from error


class _Check:
    def __init__(self, log: Log, one: Connection[Row], other: Connection[Row]) -> None:
        self.log = log
        self.db = one
        self.other = other
        self.holes: list[Hole] = []
        self.notes: list[str] = []
        self.refused = self.done = 0
        ((self.account, self.owner),) = one.execute(
            "SELECT current_user::text, tableowner::text FROM pg_tables "
            "WHERE schemaname = 'evidence' AND tablename = 'stored_events'"
        )

    def run(self) -> CheckReport:
        kind = self._kind()
        if kind == "owner":
            self.notes.append("what this account may do was not tried; --role tries another that it may become")
        else:
            for statement in self._forbidden(kind):
                self._must_be_refused(statement)
            self._standing()
            if kind == "writer":
                self._must_work()
            else:
                self.notes.append("this role cannot write the log: right for who only reads, not for ingest")
        self._others()
        self._order()
        self._settings()
        with self.log.reading() as reading:
            self.holes += [Hole("layout", fault) for fault in reading.layout_faults()]
        return CheckReport(
            store=self.log.address.shown, account=self.account, kind=kind, refused=self.refused, done=self.done,
            holes=tuple(self.holes), notes=tuple(self.notes),
        )  # fmt: skip

    def _hole(self, what: str, text: str) -> None:
        self.holes.append(Hole(what, text))

    def _one(self, statement: str, *parameters: Any) -> Any:
        row = self.db.execute(statement.encode(), parameters).fetchone()
        return row[0] if row else None

    def _kind(self) -> str:
        if self._one("SELECT rolsuper FROM pg_roles WHERE rolname = current_user"):
            self._hole("rights", f"{self.account} is a superuser: daemons and people need a role that only writes")
            return "owner"
        if self._one("SELECT pg_has_role(current_user, %s, 'USAGE')", self.owner):
            self._hole("rights", f"{self.account} owns the log's tables, or is a member of {self.owner}, who does")
            return "owner"
        may = self._one("SELECT has_table_privilege('evidence.stored_events', 'INSERT')")
        return "writer" if may else "reader"

    # -- what must be refused

    def _forbidden(self, kind: str) -> Iterator[str]:
        yield from (text for table in (*EVIDENCE, "recoup_store") for text in _against("evidence", table))
        for table in BOOKKEEPING:
            yield f"TRUNCATE bookkeeping.{table}"
            yield f"DROP TABLE bookkeeping.{table}"
            yield f"CREATE TRIGGER probe BEFORE INSERT ON bookkeeping.{table} EXECUTE FUNCTION evidence.refuse()"
        yield "INSERT INTO evidence.recoup_store SELECT schema FROM evidence.recoup_store WHERE false"
        yield "CREATE OR REPLACE FUNCTION evidence.refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN END'"
        yield "CREATE TABLE evidence.probe ()"
        yield "CREATE TABLE bookkeeping.probe ()"
        yield "DROP SCHEMA evidence CASCADE"
        yield "DROP SCHEMA bookkeeping CASCADE"
        yield "SET LOCAL session_replication_role = replica"
        yield "CREATE ROLE recoup_probe"
        if kind == "reader":
            for schema, tables in (("evidence", EVIDENCE), ("bookkeeping", BOOKKEEPING)):
                for table in tables:
                    name = f"{schema}.{table}"
                    yield f"INSERT INTO {name} SELECT * FROM {name} WHERE false"  # noqa: S608  our own names
            for table in BOOKKEEPING:
                yield from _changes("bookkeeping", table)
            yield LOCK

    def _must_be_refused(self, statement: str) -> None:
        """Tries a statement; whatever becomes of it is rolled back.

        The server may want the table's lock before it looks at the right, and ingest holds it for a batch at a time.
        """
        said = _short(statement)
        for _attempt in range(_LOCK_TIMEOUT_S):
            try:
                with self.db.transaction(force_rollback=True):
                    self.db.execute("SET LOCAL lock_timeout = '1s'")
                    self.db.execute(statement.encode())
            except psycopg.errors.LockNotAvailable:
                continue
            except psycopg.errors.InsufficientPrivilege as error:
                if _REFUSED in (error.diag.context or ""):
                    self._hole("rights", f"{said}: the role has the right, only the trigger refuses")
                else:
                    self.refused += 1
            except psycopg.Error as error:
                self._hole("rights", f"{said}: not refused, it only failed ({_first_line(error)})")
            else:
                self._hole("rights", f"{said}: allowed")
            return
        raise _busy()

    def _standing(self) -> None:
        """What a role is, beside what it was granted."""
        row = self.db.execute(
            "SELECT rolcreaterole, rolcreatedb, rolreplication, rolbypassrls FROM pg_roles WHERE rolname = current_user"
        ).fetchone()
        names = ("CREATEROLE", "CREATEDB", "REPLICATION", "BYPASSRLS")
        for name, has in zip(names, row or (), strict=True):
            self._expect(not has, f"{self.account} has {name}")
        for name in (
            "pg_write_all_data", "pg_maintain", "pg_write_server_files", "pg_execute_server_program", "pg_checkpoint",
        ):  # fmt: skip
            held = self._one("SELECT pg_has_role(current_user, %s, 'MEMBER')", name)
            self._expect(not held, f"{self.account} is a member of {name}")
        self._expect(
            not self._one("SELECT pg_has_role(current_user, %s, 'MEMBER')", self.owner),
            f"{self.account} may become {self.owner}, who owns the tables",
        )
        self._expect(
            not self._one(
                "SELECT pg_has_role(current_user, datdba, 'MEMBER') FROM pg_database WHERE datname = current_database()"
            ),
            f"{self.account} owns the database, and may drop it",
        )
        grantable = self.db.execute(_GRANTABLE.encode()).fetchall()
        self._expect(not grantable, "may grant on: " + ", ".join(f"{right} on {table}" for table, right in grantable))

    def _expect(self, ok: bool, text: str) -> None:
        if ok:
            self.refused += 1
        else:
            self._hole("rights", text)

    def _others(self) -> None:
        """Everybody who may log in and change evidence, superusers and members of the owner left out."""
        mine = {self.account}
        for name, table, right in self.db.execute(_OTHERS.encode(), {"owner": self.owner}):
            if name not in mine:
                self._hole("rights", f"role {name} has {right} on evidence.{table}")
        owners = [name for (name,) in self.db.execute(_OWNERS.encode(), {"owner": self.owner})]
        if owners:
            self.notes.append(f"may log in and is, or may become, the owner: {', '.join(owners)}")

    # -- what must work, and order

    def _must_work(self) -> None:
        """The writer's whole way, at the log's end; while it is open nobody else writes or sees anything of it."""
        step = "took the lock"
        try:
            with self.db.transaction(force_rollback=True), self.db.cursor() as cursor:
                cursor.execute(f"SET LOCAL lock_timeout = '{_LOCK_TIMEOUT_S}s'".encode())
                cursor.execute(LOCK)
                writing = PostgresWriting(cursor)
                self.done += 1
                for written in probe(writing):
                    step = f"wrote {written}"
                    self.done += 1
                cursor.execute("NOTIFY stored_events")
                self._alone(writing.size)
        except psycopg.errors.LockNotAvailable as error:
            raise _busy() from error
        except psycopg.Error as error:
            self._hole("work", f"a writer cannot write; the last that went: {step} ({_first_line(error)})")
            return
        row = self.db.execute(translated(sql.SIZE)).fetchone()
        if row is None or (row[0] or 0) < writing.size:
            self._hole("order", "the log became shorter")

    def _alone(self, size: int) -> None:
        try:
            with self.other.transaction(force_rollback=True):
                self.other.execute(f"{LOCK} NOWAIT".encode())
            self._hole("order", "two may write at a time: the lock does not hold the second one")
        except psycopg.errors.LockNotAvailable:
            self.refused += 1
        row = self.other.execute(translated(sql.SIZE)).fetchone()
        if row is not None and (row[0] or 0) == size:
            self.refused += 1
        else:
            self._hole("order", "a reader sees what is not committed")

    def _order(self) -> None:
        """Ids are given under the lock: none drawn from a sequence, no function of the library's that takes no lock."""
        if self._one(
            "SELECT column_default FROM information_schema.columns WHERE table_schema = 'evidence' "
            "AND table_name = 'stored_events' AND column_name = 'notification_id'"
        ):
            self._hole("order", "notification_id is drawn from a sequence: ids would have holes")
        for (name,) in self.db.execute(
            "SELECT p.proname::text FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace "
            "WHERE n.nspname IN ('evidence', 'bookkeeping') AND p.proname <> 'refuse'"
        ):
            self._hole("order", f"function {name} is none of ours: the library's insert without the lock")
        with self.log.reading() as reading:
            self.holes += [Hole("order", fault) for fault in order_faults(reading.all)]

    def _settings(self) -> None:
        version = self.db.info.server_version
        if version < SERVER_MIN:
            self._hole("rights", f"PostgreSQL {version // 10000}: the writer's rights need 17 or later")
        for name, text in (
            ("fsync", "a power cut may destroy the whole database"),
            ("full_page_writes", "a power cut may destroy pages"),
            ("synchronous_commit", "a power cut may take back batches that ingest said were stored"),
        ):
            if self._one("SELECT current_setting(%s)", name) == "off":
                self._hole("durability", f"{name} is off: {text}")
        if self._one("SHOW server_encoding") != "UTF8":
            self._hole("layout", "the database is not UTF8")


def _against(schema: str, table: str) -> Iterator[str]:
    """What nobody but the owner may do to a table of evidence."""
    name = f"{schema}.{table}"
    yield from _changes(schema, table)
    yield f"TRUNCATE {name}"
    yield f"DROP TABLE {name}"
    yield f"ALTER TABLE {name} DISABLE TRIGGER ALL"
    yield f"ALTER TABLE {name} ADD COLUMN probe integer"
    yield f"CREATE TRIGGER probe BEFORE INSERT ON {name} EXECUTE FUNCTION evidence.refuse()"
    yield f"CREATE RULE probe AS ON INSERT TO {name} DO INSTEAD NOTHING"


def _changes(schema: str, table: str) -> Iterator[str]:
    column = _COLUMNS[table]
    yield f"UPDATE {schema}.{table} SET {column} = {column} WHERE false"  # noqa: S608  our own names
    yield f"DELETE FROM {schema}.{table} WHERE false"  # noqa: S608


def _busy() -> StoreBusy:
    return StoreBusy(
        f"others kept the log for {_LOCK_TIMEOUT_S} s, so that it could not be tried",
        hint="try again when ingest is quieter; `recoup status` and the server's pg_locks say who it is",
    )


def _short(statement: str) -> str:
    for tail in (" SET ", " WHERE ", " SELECT ", " RETURNS ", " EXECUTE ", " DO INSTEAD"):
        if not statement.startswith("SET"):
            statement = statement.partition(tail)[0]
    return statement


def _first_line(error: psycopg.Error) -> str:
    return str(error).strip().partition("\n")[0]


_GRANTABLE = """
SELECT c.relname::text, r.name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace,
(VALUES ('SELECT'), ('INSERT'), ('UPDATE'), ('DELETE'), ('TRUNCATE'), ('TRIGGER')) r (name)
WHERE n.nspname = 'evidence' AND c.relkind IN ('r', 'p')
AND has_table_privilege(c.oid, r.name || ' WITH GRANT OPTION')
"""
_OTHERS = """
SELECT r.rolname::text, c.relname::text, p.name FROM pg_roles r,
pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace,
(VALUES ('UPDATE'), ('DELETE'), ('TRUNCATE'), ('TRIGGER')) p (name)
WHERE n.nspname = 'evidence' AND c.relkind IN ('r', 'p') AND r.rolcanlogin AND NOT r.rolsuper
AND NOT pg_has_role(r.oid, %(owner)s, 'MEMBER') AND (has_table_privilege(r.oid, c.oid, p.name)
OR p.name = 'UPDATE' AND has_any_column_privilege(r.oid, c.oid, 'UPDATE')) ORDER BY 1, 2, 3
"""
_OWNERS = """
SELECT r.rolname::text FROM pg_roles r WHERE r.rolcanlogin AND NOT r.rolsuper
AND pg_has_role(r.oid, %(owner)s, 'MEMBER') ORDER BY 1
"""
