"""A log with a seal and two witnesses, and hands that rewrite it as somebody could who holds everything but those."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from events.sealing import SealConfig, Sealed, SealReport, seal, start, verify_all
from events.store import Log
from events.store.batch import leaves_of
from tests.events.store.records import TEST, records
from tests.stores import CATALOGUE

ORIGIN = "brno.example/recoup"


class Place(NamedTuple):
    """Where everything of one log lies."""

    store: Path
    folder: Path
    witnesses: tuple[Path, Path]

    def open(self) -> Log:
        return Log.open(str(self.store), CATALOGUE, create=True)

    def config(self) -> SealConfig:
        return SealConfig(ORIGIN, 100, tuple(map(str, self.witnesses)))

    def verify(self, since: int | None = None) -> SealReport:
        with self.open() as log:
            return verify_all(log, self.witnesses, ORIGIN, since=since)

    def seal(self) -> Sealed:
        with self.open() as log:
            return seal(log, self.folder)


def place_in(path: Path) -> Place:
    """Folders of their own, nothing in them."""
    witnesses = path / "authority", path / "head-office"
    for witness in witnesses:
        witness.mkdir()
    return Place(path / "log.db", path / "log.db.seal", witnesses)


def filled(place: Place) -> Place:
    """A sealed log with three checkpoints: of 13, 24 and 35 rows and what lies between."""
    with place.open() as log:
        log.accept(records(range(1, 12), round="1"), TEST)
        start(log, place.folder, place.config())
        for first in (12, 22, 32):
            log.accept(records(range(first, first + 10), round=str(first)), TEST)
            seal(log, place.folder)
    return place


def by_hand(place: Place, change: Callable[[sqlite3.Connection], Any]) -> None:
    """Changes tables past their triggers."""
    with sqlite3.connect(place.store) as db:
        for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            db.execute(f"DROP TRIGGER {name}")
        change(db)
    db.close()


def made_anew(place: Place, change: Callable[[list[bytes]], list[bytes]], folder: Path) -> None:
    """The whole store made again from changed records, with the seal's folder at `folder` (its own keys, or new ones):
    consistent in itself, signed anew, as who holds store and key can do it. Witnesses stay as they are."""
    lines = change([*records(range(1, 12), round="1"), *late()])
    place.store.rename(place.store.with_name("was.db"))
    for more in ("-wal", "-shm"):
        place.store.with_name(place.store.name + more).unlink(missing_ok=True)
    alone = SealConfig(ORIGIN, 100)
    with place.open() as log:
        log.accept(lines[:11], TEST)
        start(log, folder, alone)
        for first in range(11, len(lines), 10):
            log.accept(lines[first : first + 10], TEST)
            seal(log, folder)


def late() -> list[bytes]:
    """The records behind the key's adoption."""
    return [line for first in (12, 22, 32) for line in records(range(first, first + 10), round=str(first))]


def retiled(db: sqlite3.Connection) -> None:
    """Every tile's leaves computed again from the rows as they are now."""
    for first, size, recorded_at in db.execute("SELECT first_index, size, recorded_at FROM tiles").fetchall():
        rows = db.execute(
            "SELECT rowid - 1, originator_id, originator_version, topic, state FROM stored_events "
            "WHERE rowid > ? AND rowid <= ? ORDER BY rowid",
            (first, first + size),
        ).fetchall()
        db.execute("UPDATE tiles SET leaves = ? WHERE first_index = ?", (leaves_of(recorded_at, rows), first))
