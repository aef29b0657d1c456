"""Does the database refuse what it must, allow what it must, and keep order? Tried on it, and rolled back.

On SQLite the file is the right: whoever may write it may do anything, so that triggers keep honest programs honest and
the file's mode keeps others away. On PostgreSQL see `check_postgres.py`.
"""

from __future__ import annotations

import sqlite3
import stat
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from msgspec import Struct

from events.errors import Refused
from events.store import statements as sql
from events.store.backend import EVIDENCE, Held, Tile, Writing
from events.store.heads import HeadRow, Run, Segment
from events.store.log import Log
from events.store.origin import Partition
from events.store.sqlite import PRAGMAS, SQLiteReading, SQLiteWriting, store_error

PROBE = "check@/recoup/check"
"""The stream of what is written to try it, and never committed."""
_SHA = bytes(32)


class Hole(Struct, frozen=True):
    """Something that must not be. `what`: rights, order, layout, durability, or work (what should go, and does not)."""

    what: str
    text: str


class CheckReport(Struct, frozen=True, kw_only=True):
    """As which account it was tried, and as what it is meant (`writer`, `reader`, `owner`, `file`); how many forbidden
    things were refused and how many allowed ones done."""

    store: str
    account: str
    kind: str
    refused: int
    done: int
    holes: tuple[Hole, ...]
    notes: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether there is no hole."""
        return not self.holes


def check(log: Log, role: str = "") -> CheckReport:
    """Tries the store that is open; on PostgreSQL as the role that is connected, or as `role`.

    Raises:
        Refused: a store in memory, or a role where there are none.
        StoreBusy: others write all the time.
    """
    if log.address.backend == "postgres":
        from events.store.check_postgres import check_postgres

        return check_postgres(log, role)
    if role:
        raise Refused("an SQLite file has no roles", hint="leave out --role")
    if not log.address.path:
        raise Refused("a store in memory is nobody else's", hint="check a file, or postgresql://…")
    return _SQLite(log).run()


def probe(writing: Writing) -> Iterator[str]:
    """Writes one row of each kind at the log's end; a word for each that went."""
    index = writing.size
    writing.insert_rows([(index, PROBE, 1, "RC.Check.v1", b"{}")])
    yield "a row"
    writing.insert_tile(Tile(index, 1, writing.last_recorded_at, "{}", "", _SHA))
    yield "a tile"
    writing.put_heads([HeadRow(PROBE, 2, "1-1", 1, 1, 1, 0, None, 1, 0, 0)])
    writing.put_heads([HeadRow(PROBE, 3, "1-2", 1, 1, 2, 0, None, 1, 0, 0)])
    yield "a head, and changed it"
    writing.put_runs([(PROBE, Run(1, 1, 1))])
    writing.put_segments([(PROBE, Segment(None, 1, 1, 0, 0))])
    yield "a run and a segment"
    writing.put_quarantine([Held(_SHA, "check", "", "", b"", 0, None, None, None, 0, index)])
    writing.put_act(_SHA, "discarded", index)
    yield "quarantine and an act"
    writing.add_counts({"received": 1})
    writing.add_counts({"received": 1})
    writing.put_offsets([Partition("check", "check", 0, 1)])
    writing.put_offsets([Partition("check", "check", 0, 2)])
    yield "a counter and an offset, and changed them"


class _SQLite:
    def __init__(self, log: Log) -> None:
        self.log = log
        self.path = Path(log.address.path)
        self.holes: list[Hole] = []
        self.refused = self.done = 0

    def run(self) -> CheckReport:
        try:
            with closing(self._connect()) as one, closing(self._connect()) as other:
                self._settings(one)
                one.execute("BEGIN IMMEDIATE")
                try:
                    writing = SQLiteWriting(one)
                    for _what in probe(writing):
                        self.done += 1
                    self._order(other, writing.size)
                    self._attempts(one)
                finally:
                    one.rollback()
                self._after(other, writing.size)
        except sqlite3.Error as error:
            raise store_error(self.log.address.shown, error) from error
        self._mode()
        with self.log.reading() as reading:
            self.holes += [Hole("layout", fault) for fault in reading.layout_faults()]
        return CheckReport(
            store=self.log.address.shown, account=self.log.account, kind="file",
            refused=self.refused, done=self.done, holes=tuple(self.holes),
        )  # fmt: skip

    def _connect(self) -> sqlite3.Connection:
        db = sqlite3.connect(self.path, isolation_level=None, timeout=10)
        for pragma in PRAGMAS:
            db.execute(f"PRAGMA {pragma}")
        return db

    def _settings(self, db: sqlite3.Connection) -> None:
        mode = db.execute("PRAGMA journal_mode").fetchone()[0]
        if mode != "wal":
            self._hole("durability", f"the journal is `{mode}`, not a write-ahead log: readers and writers wait")

    def _order(self, other: sqlite3.Connection, size: int) -> None:
        """While one writes, no other may, and readers see nothing of it."""
        other.execute("PRAGMA busy_timeout = 0")
        try:
            other.execute("BEGIN IMMEDIATE")
            other.rollback()
            self._hole("order", "two may write at a time: is the file on a network file system?")
        except sqlite3.OperationalError:
            self.refused += 1
        found = SQLiteReading(other).all(sql.SIZE)[0][0] or 0
        if found == size:
            self.refused += 1
        else:
            self._hole("order", "a reader sees what is not committed")

    def _attempts(self, db: sqlite3.Connection) -> None:
        for table in EVIDENCE:
            column = {"stored_events": "topic", "tiles": "account"}.get(table, "event_index")
            for statement in (
                f"UPDATE {table} SET {column} = {column}",  # noqa: S608  our own names
                f"DELETE FROM {table}",  # noqa: S608
                f"INSERT OR REPLACE INTO {table} SELECT * FROM {table} LIMIT 1",  # noqa: S608
            ):
                try:
                    db.execute(statement)
                    self._hole(
                        "rights", f"{statement.partition(' SET ')[0].partition(' SELECT')[0]}: nothing refuses it"
                    )
                except sqlite3.IntegrityError:
                    self.refused += 1

    def _after(self, db: sqlite3.Connection, size: int) -> None:
        """Nothing of it is left, and ids have no hole."""
        found = SQLiteReading(db).all(sql.SIZE)[0][0] or 0
        if found < size:
            self._hole("order", f"the log has {found} rows, it had {size}")
        with self.log.reading() as reading:
            self.holes += [Hole("order", fault) for fault in order_faults(reading.all)]

    def _mode(self) -> None:
        mode, folder = self.path.stat().st_mode, self.path.parent.stat().st_mode
        if mode & (stat.S_IWGRP | stat.S_IWOTH):
            who = "everybody" if mode & stat.S_IWOTH else "its group"
            self._hole("rights", f"{who} may write the file (mode {stat.S_IMODE(mode):o}): chmod go-w")
        if folder & stat.S_IWOTH and not folder & stat.S_ISVTX:
            self._hole("rights", "everybody may put another file in its place: chmod o-w on its folder")

    def _hole(self, what: str, text: str) -> None:
        self.holes.append(Hole(what, text))


def order_faults(read: Callable[[str], list[tuple[Any, ...]]]) -> list[str]:
    """Where row ids or tiles do not follow each other without a hole, in words."""
    ((count, top),) = read(sql.ROWS_COUNTED)
    faults = [] if count == (top or 0) else [f"{count:,} rows, but the last has number {top:,}"]
    ((sealed,),) = read(sql.TILES_COUNTED)
    if (sealed or 0) != (top or 0):
        faults.append(f"{top or 0:,} rows, but {sealed or 0:,} are sealed in tiles")
    faults += [f"the tile at {first:,} does not follow the one before it" for (first,) in read(sql.TILES_APART)]
    return faults
