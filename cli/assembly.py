"""The one place that puts Recoup together: catalogue, rooms, log, casebook.

The command line, the page, daemons, tests and benchmarks all call this, so that there is one Recoup. Whoever
hands in no store address gets that of the environment variable `RECOUP_STORE`, or else `recoup.db` in the
working folder.
"""

from __future__ import annotations

import os
from functools import lru_cache
from typing import TYPE_CHECKING

from events.schema.catalogue import Catalogue
from events.schema.common import TABLE_EVENTS
from events.schema.disputes import DISPUTE_EVENTS
from events.schema.ours import OUR_EVENTS
from games.registry import Rooms, rooms

if TYPE_CHECKING:
    from events.store import Log
    from games.casebook import Casebook

STORE_VARIABLE = "RECOUP_STORE"
DEFAULT_STORE = "recoup.db"

__all__ = ["DEFAULT_STORE", "STORE_VARIABLE", "Rooms", "casebook", "catalogue", "open_log", "rooms", "store_address"]


@lru_cache(maxsize=1)
def catalogue() -> Catalogue:
    """Every event type that this Recoup reads: the tables', our own, and each room's (poker's through its rooms)."""
    classes = [*TABLE_EVENTS, *OUR_EVENTS, *DISPUTE_EVENTS]
    for game in rooms().values():
        classes.extend(game.events)
    return Catalogue(classes)


def store_address(given: str | None = None) -> str:
    """The address that is meant: the given one, else the environment's, else the default. Opens nothing."""
    return given or os.environ.get(STORE_VARIABLE) or DEFAULT_STORE


def open_log(url: str | None = None, *, create: bool = False) -> Log:
    """The log at an address: the path of a SQLite file, `:memory:`, `sqlite:///…` or `postgresql://…`.

    Raises:
        StoreMissing: nothing is there and `create` is false.
        StoreTooNew: a later Recoup wrote it.
        StoreBusy: another process holds it.
    """
    from events.store import Log

    return Log.open(store_address(url), catalogue(), create=create)


def casebook(log: Log) -> Casebook:
    """Cases and verdicts of that log's sessions, by the editions adopted in it."""
    from games.casebook import Casebook

    return Casebook(log, rooms(), catalogue())
