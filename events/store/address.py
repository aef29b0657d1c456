"""Where a log is kept: the address that a person gives, and what the library wants to know of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import parse_qs, parse_qsl, quote, unquote, urlencode, urlsplit
from uuid import uuid4

from msgspec import Struct

from events.errors import Refused

_POSTGRES = ("postgresql", "postgres")
LOCK_TIMEOUT_S = 10
CONNECT_TIMEOUT_S = 10
IDLE_TIMEOUT_S = 30
"""A writer that says nothing for so long in the middle of a batch loses its connection, and the lock with it."""

OPTIONS = (
    "sslmode", "sslrootcert", "sslcert", "sslkey", "sslcrl", "sslnegotiation", "channel_binding", "require_auth",
    "gssencmode", "krbsrvname", "passfile", "target_session_attrs", "tcp_user_timeout", "keepalives",
    "keepalives_idle", "keepalives_interval", "keepalives_count",
)  # fmt: skip
"""What may stand behind the `?` of a PostgreSQL address, beside host and port: libpq's own words."""


class Address(Struct, frozen=True):
    """`shown` can be given again, and never holds a password. `path`: of an SQLite file, empty otherwise."""

    shown: str
    backend: str
    env: dict[str, str]
    path: str = ""

    @property
    def has_password(self) -> bool:
        """Whether `shown` lacks a password that was given."""
        return bool(self.env.get("POSTGRES_PASSWORD"))


_MORE = "RECOUP_POSTGRES_OPTIONS"


def more_options(env: Mapping[str, str]) -> dict[str, str]:
    """libpq's options that the address gave beside host and port."""
    return dict(parse_qsl(env[_MORE]))


def parse_address(url: str, *, lock_timeout_s: int = LOCK_TIMEOUT_S) -> Address:
    """A path, `sqlite:///path`, `:memory:` or `postgresql://user:password@host:port/database?host=/socket/folder`.

    Raises:
        Refused: another form.
    """
    scheme, mark, _rest = url.partition("://")
    if mark and scheme in _POSTGRES:
        return _postgres(url, lock_timeout_s)
    if mark and scheme != "sqlite":
        raise Refused(
            f"`{url}` is no address of a log", hint="a path, sqlite:///path, :memory: or postgresql://…/database"
        )
    path = url.removeprefix("sqlite:///") if mark else url
    if not path:
        raise Refused(f"`{url}` names no file", hint="a path, as in recoup.db")
    env = {
        "PERSISTENCE_MODULE": "events.store.sqlite:SQLiteLogFactory",
        "SQLITE_LOCK_TIMEOUT": str(lock_timeout_s),
    }
    if path == ":memory:":
        # A name of its own: connections of one log share it, two logs do not.
        env["SQLITE_DBNAME"] = f"file:recoup-{uuid4().hex}?mode=memory&cache=shared"
        return Address(":memory:", "sqlite", env)
    if path.startswith("file:"):
        raise Refused(f"`{url}` is an SQLite URI", hint="give the plain path")
    env["SQLITE_DBNAME"] = Path(path).absolute().as_uri().replace("file://", "file:")
    return Address(path, "sqlite", env, str(Path(path).absolute()))


def _postgres(url: str, lock_timeout_s: int) -> Address:
    parts = urlsplit(url)
    query = parse_qs(parts.query)
    database = unquote(parts.path.lstrip("/"))
    if not database:
        raise Refused("the address names no database", hint="postgresql://user@host/database")
    more = {name: values[-1] for name, values in query.items() if name not in ("host", "port")}
    if unknown := [name for name in more if name not in OPTIONS]:
        raise Refused(f"`{unknown[0]}` is nothing that an address may say", hint=", ".join(("host", "port", *OPTIONS)))
    host = query.get("host", [unquote(parts.hostname or "localhost")])[0]
    user = unquote(parts.username or "")
    env = {
        "PERSISTENCE_MODULE": "events.store.postgres:PostgresLogFactory",
        "POSTGRES_DBNAME": database,
        "POSTGRES_HOST": host,
        "POSTGRES_PORT": str(parts.port or query.get("port", ["5432"])[0]),
        "POSTGRES_USER": user,
        "POSTGRES_PASSWORD": unquote(parts.password or ""),
        "POSTGRES_SCHEMA": "evidence",
        "POSTGRES_LOCK_TIMEOUT": str(lock_timeout_s),
        "POSTGRES_POOL_SIZE": "1",
        "POSTGRES_CONNECT_TIMEOUT": str(CONNECT_TIMEOUT_S),
        "POSTGRES_IDLE_IN_TRANSACTION_SESSION_TIMEOUT": str(IDLE_TIMEOUT_S),
        _MORE: urlencode(more),
    }
    return Address(_shown(user, host, env["POSTGRES_PORT"], database, more), "postgres", env)


def _shown(user: str, host: str, port: str, database: str, more: Mapping[str, str]) -> str:
    """The address without its password; a host that a URL cannot hold (a socket's folder) stands behind the `?`."""
    port = "" if port == "5432" else port
    place, said = f"{host}:{port}".rstrip(":"), dict(more)
    if not re.fullmatch(r"[\w.-]+", host):
        place, said = "", {"host": host} | ({"port": port} if port else {}) | said
    who = f"{quote(user, safe='')}@" if user else ""
    asked = f"?{urlencode(said, safe='/')}" if said else ""
    return f"postgresql://{who}{place}/{quote(database, safe='')}{asked}"
