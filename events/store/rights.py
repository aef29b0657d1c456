"""Roles and rights on PostgreSQL (17 or later): who owns the log, who writes it, who reads it.

Three roles that nobody logs in as; people and daemons get roles of their own that are members of one of them, so that
the log can say who acted. The *owner* has the tables and is nobody's daily role. The *writer* adds evidence, and
changes bookkeeping only. The *reader* reads.

`MAINTAIN` is what `LOCK TABLE … IN EXCLUSIVE MODE` takes of a role that may neither update nor delete. It allows
CLUSTER and ACCESS EXCLUSIVE too, which cost time but no evidence.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import psycopg
from psycopg import Connection
from psycopg.sql import SQL, Composed, Identifier

from events.errors import Refused, Unable
from events.store.address import Address
from events.store.backend import EVIDENCE, SCHEMA
from events.store.postgres import connect, postgres_error
from events.store.sqlite import read_sql

SERVER_MIN = 170000
"""`MAINTAIN` came with PostgreSQL 17."""

_SCHEMAS = "evidence, bookkeeping"
_LOCK_TIMEOUT_S = 10


class Roles(NamedTuple):
    """Names of the three roles."""

    owner: str = "recoup_owner"
    writer: str = "recoup_writer"
    reader: str = "recoup_reader"


class Prepared(NamedTuple):
    """What `prepare` found or made: whether there was a log, and the roles that were new."""

    is_new: bool
    made: tuple[str, ...]


def grants(role: str) -> list[Composed]:
    """Statements, to be run by the owner of the tables, that let `role` write the log and nothing else."""
    name = Identifier(role)
    found = [
        SQL("GRANT USAGE ON SCHEMA evidence, bookkeeping TO {}").format(name),
        SQL("GRANT SELECT ON evidence.recoup_store TO {}").format(name),
        SQL("GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA bookkeeping TO {}").format(name),
    ]
    for table in EVIDENCE:
        found.append(SQL("GRANT SELECT, INSERT ON {} TO {}").format(Identifier("evidence", table), name))
    found.append(SQL("GRANT MAINTAIN ON evidence.stored_events TO {}").format(name))
    return found


def reading_grants(role: str) -> list[Composed]:
    """The same for a role that reads."""
    name = Identifier(role)
    return [
        SQL("GRANT USAGE ON SCHEMA evidence, bookkeeping TO {}").format(name),
        SQL("GRANT SELECT ON ALL TABLES IN SCHEMA evidence, bookkeeping TO {}").format(name),
    ]


def rights(roles: Roles) -> Iterator[Composed]:
    """All rights anew: whatever else the two roles, or everybody, had been given is taken away."""
    for name in (SQL("PUBLIC"), Identifier(roles.writer), Identifier(roles.reader)):
        yield SQL("REVOKE ALL ON ALL TABLES IN SCHEMA evidence, bookkeeping FROM {}").format(name)
        yield SQL("REVOKE ALL ON SCHEMA evidence, bookkeeping FROM {}").format(name)
    yield from grants(roles.writer)
    yield from reading_grants(roles.reader)


def prepare(address: Address, roles: Roles) -> Prepared:
    """Roles, schemas, tables and rights, in one transaction; run again it mends what differs.

    Whoever connects must be a superuser, or a member of the owner's role in a database that this role owns, with the
    three roles made before (`deploy/postgres/roles.sql`).

    Raises:
        Refused: two roles of one name.
        Unable: an older server, or this account may not do it.
    """
    if len(set(roles)) != len(roles):
        raise Refused("owner, writer and reader must be three roles", hint="give each a name of its own")
    try:
        with connect(address.env) as connection, connection.transaction():
            return _prepare(connection, roles)
    except psycopg.Error as error:
        raise postgres_error(error) from error


def _prepare(connection: Connection[tuple[Any, ...]], roles: Roles) -> Prepared:
    if connection.info.server_version < SERVER_MIN:
        raise Unable(
            f"the server is PostgreSQL {connection.info.server_version // 10000}",
            hint="the writer's rights need PostgreSQL 17 or later",
        )
    connection.execute(f"SET LOCAL lock_timeout = '{_LOCK_TIMEOUT_S}s'")
    made = _make_roles(connection, roles)
    owner = Identifier(roles.owner)
    is_new = _one(connection, "SELECT to_regclass('evidence.recoup_store') IS NULL")
    _let_owner_make(connection, roles.owner)
    for statement in _give_over(connection, roles.owner):
        connection.execute(statement)
    connection.execute(SQL("SET LOCAL ROLE {}").format(owner))
    for text in read_sql("postgres.sql"):
        connection.execute(text.encode())
    if _one(connection, "SELECT count(*) FROM evidence.recoup_store") == 0:
        connection.execute("INSERT INTO evidence.recoup_store (schema) VALUES (%s)", (SCHEMA,))
    for right in rights(roles):
        connection.execute(right)
    connection.execute("RESET ROLE")
    return Prepared(is_new, made)


def _one(connection: Connection[tuple[Any, ...]], statement: str, *parameters: Any) -> Any:
    row = connection.execute(statement.encode(), parameters).fetchone()
    return row[0] if row else None


def _make_roles(connection: Connection[tuple[Any, ...]], roles: Roles) -> tuple[str, ...]:
    there = {
        name
        for (name,) in connection.execute("SELECT rolname::text FROM pg_roles WHERE rolname = ANY(%s)", (list(roles),))
    }
    missing = tuple(name for name in roles if name not in there)
    may = _one(connection, "SELECT rolsuper OR rolcreaterole FROM pg_roles WHERE rolname = current_user")
    if missing and not may:
        raise Unable(
            f"there is no role {', '.join(missing)}, and this account may not make roles",
            hint="run deploy/postgres/roles.sql as a superuser first",
        )
    for name in missing:
        connection.execute(SQL("CREATE ROLE {} NOLOGIN").format(Identifier(name)))
    if not _one(connection, "SELECT pg_has_role(current_user, %s, 'SET')", roles.owner):
        if roles.owner not in missing:
            raise Unable(
                f"this account is no member of {roles.owner}, which owns the log",
                hint=f"run it as a superuser, or as an account that was granted {roles.owner}",
            )
        connection.execute(SQL("GRANT {} TO CURRENT_USER").format(Identifier(roles.owner)))
    return missing


def _let_owner_make(connection: Connection[tuple[Any, ...]], owner: str) -> None:
    """The owner may make the two schemas in this database."""
    name = connection.info.dbname
    if _one(connection, "SELECT has_database_privilege(%s, %s, 'CREATE')", owner, name):
        return
    connection.execute(SQL("GRANT CREATE ON DATABASE {} TO {}").format(Identifier(name), Identifier(owner)))
    if not _one(connection, "SELECT has_database_privilege(%s, %s, 'CREATE')", owner, name):
        raise Unable(  # a GRANT that one may not make is only warned about
            f"{owner} may make nothing in the database {name}, and this account cannot change that",
            hint="run deploy/postgres/roles.sql as a superuser first",
        )


_OWNED = """
SELECT 'SCHEMA', n.nspname::text, '' FROM pg_namespace n
WHERE n.nspname IN ('evidence', 'bookkeeping') AND n.nspowner <> %(owner)s::regrole
UNION ALL
SELECT 'TABLE', n.nspname::text, c.relname::text FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname IN ('evidence', 'bookkeeping') AND c.relkind = 'r' AND c.relowner <> %(owner)s::regrole
UNION ALL
SELECT 'FUNCTION', n.nspname::text, p.proname::text FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
WHERE n.nspname IN ('evidence', 'bookkeeping') AND p.proowner <> %(owner)s::regrole
"""


def _give_over(connection: Connection[tuple[Any, ...]], owner: str) -> Iterator[Composed]:
    """What a log that was made by another account takes to belong to the owner."""
    quoted = Identifier(owner).as_string(connection)
    for kind, schema, name in connection.execute(_OWNED.encode(), {"owner": quoted}).fetchall():
        thing = Identifier(schema, name) if name else Identifier(schema)
        yield SQL("ALTER {} {} OWNER TO {}").format(SQL(kind), thing, Identifier(owner))
