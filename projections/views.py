"""The read model of one log: catches up, then answers SQL."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from time import perf_counter
from types import TracebackType
from typing import Any, NamedTuple, Self, TypeVar

import duckdb
from msgspec import Struct

from events.errors import Refused, Unable
from events.store import Log
from games.casebook import Casebook
from projections import feed, judged
from projections.feed import Columns, Progress
from projections.layers import ViewInfo, view_files
from projections.transaction import transaction
from projections.view_file import MEMORY, MEMORY_LIMITS, Schemas, connect, version_of

_Made = TypeVar("_Made")

_FACTS_AT_ONCE = 20_000
_SESSIONS_AT_ONCE = 500
_READS = (duckdb.StatementType.SELECT, duckdb.StatementType.EXPLAIN)


class CatchUp(Struct, frozen=True):
    """What catching up did: rows of the log fed, sessions and rounds judged (again), seconds."""

    events: int
    sessions_judged: int
    rounds_judged: int
    seconds: float


class Table(NamedTuple):
    """An answer. `types` are DuckDB's; times come as `datetime` in the houses' zone, money as `int`."""

    columns: list[str]
    types: list[str]
    rows: list[tuple[Any, ...]]


_UNWRITABLE = (duckdb.OperationalError, duckdb.FatalException)
"""What a disk without room leads to: a checkpoint that finds none is fatal."""


class Views:
    """An open view file, fed from one log."""

    def __init__(self, log: Log, casebook: Casebook, db: duckdb.DuckDBPyConnection, path: str, version: str) -> None:
        self._log = log
        self._casebook = casebook
        self._db = db
        self.path = path
        self.version = version
        self._schemas = Schemas(db, casebook.catalogue)
        self._is_of_log = False
        raised = [f"SET memory_limit = '{limit}'" for limit in MEMORY_LIMITS[1:]]
        self._limits = iter([*raised, "RESET memory_limit"] if path != MEMORY else [])

    @classmethod
    def open(
        cls,
        log: Log,
        casebook: Casebook,
        path: str | Path | None = None,
        *,
        version: str | None = None,
        threads: int | None = None,
    ) -> Self:
        """The view of `log` in the file at `path` (`default_path`; `:memory:` is gone on closing).

        A file made by another version is built anew on the first catching up. `threads`: of DuckDB, all cores if None.

        Raises:
            StoreBusy: another process has the file. Unable: the file cannot be used.
        """
        file = str(path) if path is not None else default_path(log)
        made_from = version if version is not None else version_of(casebook.catalogue)
        db = connect(file, threads=threads)
        views = cls(log, casebook, db, file, made_from)
        try:
            views._schemas.enter(made_from)
        except _UNWRITABLE as error:
            views.close()
            raise _not_written(file, error) from error
        except BaseException:
            views.close()
            raise
        return views

    def _check_log(self) -> None:
        """Whether file and log belong together: the log's first row, and the last one fed; asked once.

        Raises:
            Refused: they do not.
        """
        if self._is_of_log:
            return
        first = _digest_of(self._log, 0)
        if not self._schemas.logs() <= {first} or not self._last_is_the_logs():
            raise Refused(
                f"the view file {self.path} was fed from another log than {self._log.address.shown}, or from one that "
                "has lost records since",
                hint="`recoup verify` says whether the log is whole; if it is, --view PATH names another file, and "
                "`recoup views rebuild` makes this one anew",
            )
        self._schemas.belongs_to(first)
        self._is_of_log = bool(first)

    def _last_is_the_logs(self) -> bool:
        last = self.position - 1
        if last < 0:
            return True
        rows, recorded = feed.read_page(self._log, last - 1, 1)
        fed = self._db.execute(
            "SELECT s.stream, r.version, r.topic, r.recorded_us, r.data FROM record AS r "
            "JOIN stream AS s ON s.stream_no = r.stream_no WHERE r.idx = ?",
            [last],
        ).fetchone()
        if not rows:
            return False
        data = Columns({}).page(rows, recorded).records.column("data")[0].as_py()
        return fed == (*rows[0][1:4], recorded[0], data)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Lets go of the file."""
        self._db.close()

    @property
    def log(self) -> Log:
        """The log that it follows."""
        return self._log

    @property
    def position(self) -> int:
        """Tree index of the next row to feed: the view holds the log's first `position` rows."""
        return feed.position(self._db)

    def catch_up(self, progress: Progress | None = None) -> CatchUp:
        """Feeds what the log has beyond `position`, then judges every session that it touches.

        Interrupted anywhere, it goes on there the next time.

        Raises:
            Unable: the disk is full, or the log cannot be read. SealBroken: the log has a hole.
            Refused: the view was fed from another log.
        """
        began = perf_counter()
        try:
            events = self.feed(progress)
            sessions, rounds = self.judge(progress)
            self._sparing(self._schemas.take_over)
        except _UNWRITABLE as error:
            raise _not_written(self.path, error) from error
        return CatchUp(events, sessions, rounds, perf_counter() - began)

    def feed(self, progress: Progress | None = None) -> int:
        """The first half of catching up: the log's new rows; gives their number. Corrections do not count yet."""
        self._check_log()
        start = at = self.position
        total = self._log.size() if progress is not None else 0
        columns = Columns(feed.known_streams(self._db))
        for page in feed.pages_ahead(self._log, columns, start - 1):
            self._sparing(partial(feed.insert, self._db, page))
            at = page.last + 1
            if progress is not None:
                progress("feed", at - start, max(total, at) - start)
        return at - start

    def judge(self, progress: Progress | None = None) -> tuple[int, int]:
        """The second half: judges the sessions that the rows fed touch; gives their number and that of their rounds."""
        subjects = judged.waiting(self._db)
        batch: list[judged.Rows] = []
        facts = rounds = 0
        for number, rows in enumerate(judged.rows_of(self._casebook, subjects), 1):
            batch.append(rows)
            facts += rows.facts
            rounds += rows.rounds
            if facts >= _FACTS_AT_ONCE or len(batch) >= _SESSIONS_AT_ONCE or number == len(subjects):
                self._sparing(partial(judged.write, self._db, batch))
                batch, facts = [], 0
            if progress is not None:
                progress("judge", number, len(subjects))
        return len(subjects), rounds

    def checkpoint(self) -> None:
        """Writes everything into the file itself (DuckDB does so on its own now and then, and on closing)."""
        self._sparing(lambda: self._db.execute("CHECKPOINT"))

    def _sparing(self, act: Callable[[], _Made]) -> _Made:
        """What `act` gives, which is all or nothing. The memory limit begins so low that a night takes as much
        whatever its size; where something does not fit it is raised, so that nothing fails for it."""
        while True:
            try:
                return act()
            except duckdb.OutOfMemoryException:
                limit = next(self._limits, "")
                if not limit:
                    raise
                self._db.execute(limit)

    def rebuild(self, progress: Progress | None = None) -> CatchUp:
        """Makes the view from zero beside the one in use, which stays until the new one is whole."""
        self._schemas.begin(self.version)
        self._schemas.belongs_to(_digest_of(self._log, 0))
        self._is_of_log = True
        return self.catch_up(progress)

    def query(
        self, sql: str, params: Sequence[Any] | Mapping[str, Any] | None = None, *, catch_up: bool = True
    ) -> Table:
        """Rows of one reading statement (`?` or `$name` for parameters); catches up first.

        Raises:
            Refused: not one SELECT, WITH, EXPLAIN or DESCRIBE, or SQL that DuckDB does not understand.
            Unable: memory or disk do not suffice.
        """
        self._check_reads(sql)
        if catch_up:
            self.catch_up()
        try:
            return self._sparing(lambda: self._read(sql, params))
        except (duckdb.IOException, duckdb.OutOfMemoryException) as error:
            raise Unable(f"the query could not be finished: {_first_line(error)}") from error
        except duckdb.Error as error:
            raise _misread(error) from error

    def _read(self, sql: str, params: Sequence[Any] | Mapping[str, Any] | None) -> Table:
        with transaction(self._db, reading=True):
            answer = self._db.execute(sql, params)
            columns = [(str(column[0]), str(column[1])) for column in answer.description or ()]
            rows = answer.fetchall()
        return Table([name for name, _type in columns], [kind for _name, kind in columns], rows)

    def _check_reads(self, sql: str) -> None:
        try:
            found = self._db.extract_statements(sql)
        except duckdb.Error as error:
            raise _misread(error) from error
        if len(found) != 1:
            raise Refused(f"one statement was expected, found {len(found)}")
        if found[0].type not in _READS:
            raise Refused(
                f"a view is only read: SELECT, WITH, EXPLAIN or DESCRIBE, not {found[0].type.name}",
                hint="events come in by `recoup ingest`; a view is made from them",
            )

    def tables(self) -> tuple[ViewInfo, ...]:
        """The views that people and programs read, from the lowest layer up, each with its opening comment."""
        return tuple(view for view in view_files() if view.layer != "ground")

    def checks(self, *, catch_up: bool = True) -> dict[str, int]:
        """Rows that each check returns; all zero is what should be."""
        if catch_up:
            self.catch_up()
        names = [view.name for view in view_files() if view.layer == "checks"]
        return {name: len(self.query(f"FROM {name}", catch_up=False).rows) for name in names}


def default_path(log: Log) -> str:
    """Beside an SQLite log `<log>.view.duckdb`; for a server's log a file in the user's cache; memory for memory."""
    if log.address.path:
        return log.address.path + ".view.duckdb"
    if log.address.shown == MEMORY:
        return MEMORY
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "recoup"
    cache.mkdir(parents=True, exist_ok=True)
    return str(cache / f"{hashlib.sha256(log.address.shown.encode()).hexdigest()[:16]}.view.duckdb")


def _digest_of(log: Log, index: int) -> str:
    """SHA-256 of a row of the log with its stream and time; empty if there is no such row."""
    rows, recorded = feed.read_page(log, index - 1, 1)
    if not rows:
        return ""
    _index, stream, version, topic, state = rows[0]
    return hashlib.sha256(f"{recorded[0]} {version} {stream} {topic} ".encode() + bytes(state)).hexdigest()


def _not_written(path: str, error: duckdb.Error) -> Unable:
    return Unable(
        f"the view file {path} cannot be written: {_first_line(error)}",
        hint="a full disk? nothing is lost: it goes on where it stood. Another place: --view PATH",
    )


def _first_line(error: duckdb.Error) -> str:
    return str(error).partition("\n")[0]


def _misread(error: duckdb.Error) -> Refused:
    return Refused(
        f"the SQL was not understood: {str(error).strip()}", hint="`recoup sql --tables` lists what can be asked"
    )
