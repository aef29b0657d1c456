"""The DuckDB file: opened, locked, and never touched except through DuckDB.

One process has it at a time. What a version of Recoup made lies in a schema of its own inside the file; another
version builds its schema beside and takes over in one transaction, so that no file is ever renamed, copied or
removed under somebody (closing any descriptor of the file would drop DuckDB's lock).
"""

from __future__ import annotations

import hashlib
import re
from functools import lru_cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

import duckdb

from events.errors import StoreBusy, Unable
from events.schema.catalogue import Catalogue
from events.values.clock import PRAGUE
from projections.layers import statements, tables_sql
from projections.transaction import transaction

MEMORY = ":memory:"
MEMORY_LIMITS = ("64MiB", "112MiB", "224MiB", "448MiB")
"""What DuckDB may take for its cache and its tables, from the smallest on; after the last as much as it wants."""

_HOLDER = re.compile(r"lock is held in (?P<program>.+?) \(PID (?P<pid>\d+)\)")
_CODE = ("events.schema", "events.values", "events.store", "games", "projections")
"""The packages that decide what a view holds."""


def connect(path: str, *, threads: int | None = None) -> duckdb.DuckDBPyConnection:
    """Opens the file, or makes it; local time is the houses', files and networks are out of reach of its SQL.

    Memory of a file is limited to the first of `MEMORY_LIMITS`: left alone, DuckDB keeps whatever it has read.

    Raises:
        StoreBusy: another process has it.
        Unable: it is no DuckDB file, or cannot be made.
    """
    config: dict[str, str | bool | int | float | list[str]] = {
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
    }
    if threads is not None:
        config["threads"] = threads
    try:
        db = duckdb.connect(path, config=config)
        db.execute("SET enable_external_access = false")
        db.execute("SET python_enable_replacements = false")
        if path != MEMORY:  # it spills into `<path>.tmp`; what lies in memory alone has nowhere to go
            db.execute(f"SET memory_limit = '{MEMORY_LIMITS[0]}'")
        db.execute(f"SET TimeZone = '{PRAGUE.key}'")
        made = "schema VARCHAR, version VARCHAR, log VARCHAR, is_current BOOLEAN"
        db.execute(f"CREATE TABLE IF NOT EXISTS main.recoup_made ({made})")
    except duckdb.Error as error:
        raise _not_opened(path, error) from error
    return db


def _not_opened(path: str, error: duckdb.Error) -> Unable:
    text = str(error).partition("\n")[0]
    if "lock" in text:
        held = _HOLDER.search(text)
        who = f"{Path(held['program']).name}, process {held['pid']}" if held else "another process"
        return StoreBusy(
            f"the view file {path} is held by {who}",
            hint="wait for it, or give a file of your own: --view PATH (it is fed from the log)",
        )
    if "not a valid DuckDB database" in text:
        return Unable(
            f"{path} is no DuckDB file, or only half of one",
            hint="name another: --view PATH; if it was a view (a full disk leaves such), delete it: it is made anew",
        )
    return Unable(
        f"the view file {path} cannot be opened: {text}",
        hint="another place: --view PATH; a view can be deleted, it is made anew from the log",
    )


def version_of(catalogue: Catalogue) -> str:
    """Digest of all that decides what a view holds: our code, the rooms and editions, the event types, DuckDB's.

    A change of any of it makes another version, so that no verdict of an older engine is shown as today's.
    """
    parts = [_code_digest(), duckdb.__version__, *catalogue.topics]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


@lru_cache(maxsize=1)
def _code_digest() -> str:
    digest = hashlib.sha256()
    for package in _CODE:
        _add(digest, resources.files(package))
    return digest.hexdigest()


def _add(digest: hashlib._Hash, folder: Traversable) -> None:
    for item in sorted(folder.iterdir(), key=lambda item: item.name):
        if item.is_dir():
            if item.name != "__pycache__":
                _add(digest, item)
        elif item.name.endswith((".py", ".sql", ".toml")):
            digest.update(item.name.encode() + b"\0" + item.read_bytes())


class Schemas:
    """The schemas in a view file: the one in use, and one that is being built."""

    def __init__(self, db: duckdb.DuckDBPyConnection, catalogue: Catalogue) -> None:
        self._db = db
        self._catalogue = catalogue
        self.name = ""
        self.is_current = False

    def enter(self, version: str) -> None:
        """Goes on in the schema of `version`, in use or half built; begins one if there is none."""
        row = self._db.execute(
            "SELECT schema, is_current FROM main.recoup_made WHERE version = ? ORDER BY is_current DESC", [version]
        ).fetchone()
        if row is None:
            self.begin(version)
            return
        self._use(*row)
        if self.is_current:  # what a rebuilding that was interrupted left of the same version
            left = "SELECT schema FROM main.recoup_made WHERE version = ? AND NOT is_current"
            self._drop([name for (name,) in self._db.execute(left, [version]).fetchall()])

    def begin(self, version: str) -> None:
        """An empty schema of `version` beside the one in use; whatever else was half built goes."""
        db = self._db
        found = db.execute("SELECT schema, is_current FROM main.recoup_made").fetchall()
        number = max((int(used.rpartition("_")[2]) for used, _is_current in found), default=0) + 1
        name = f"made_{number}"
        with transaction(db):
            self._drop([used for used, is_current in found if not is_current])
            db.execute(f"CREATE SCHEMA {name}")
            db.execute(f"SET schema = '{name}'")
            for statement in (tables_sql(), *statements(self._catalogue)):
                db.execute(statement)
            db.execute("INSERT INTO main.recoup_made VALUES (?, ?, NULL, false)", [name, version])
        self._use(name, False)

    def take_over(self) -> None:
        """The schema just built is the one in use from now on; what was before it goes. One transaction."""
        if self.is_current:
            return
        db = self._db
        with transaction(db):
            others = db.execute("SELECT schema FROM main.recoup_made WHERE schema <> ?", [self.name]).fetchall()
            self._drop([row[0] for row in others])
            db.execute("UPDATE main.recoup_made SET is_current = true")
        self.is_current = True
        db.execute("CHECKPOINT")

    def logs(self) -> set[str]:
        """Digests of the first rows of the logs from which anything in the file was fed."""
        return {row[0] for row in self._db.execute("SELECT log FROM main.recoup_made WHERE log IS NOT NULL").fetchall()}

    def belongs_to(self, log: str) -> None:
        """The schema entered is fed from the log whose first row has this digest (empty: it has none yet)."""
        self._db.execute("UPDATE main.recoup_made SET log = ? WHERE schema = ?", [log or None, self.name])

    def _drop(self, names: list[str]) -> None:
        for name in names:
            self._db.execute(f"DROP SCHEMA IF EXISTS {name} CASCADE")
            self._db.execute("DELETE FROM main.recoup_made WHERE schema = ?", [name])

    def _use(self, name: str, is_current: bool) -> None:
        self._db.execute(f"SET schema = '{name}'")
        self.name, self.is_current = name, is_current
