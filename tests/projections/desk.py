"""What the tests of the views share: a log with the toy room, records for it, and everything that a view shows."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from events.schema.common import ChipsMoved, FillReceived
from events.schema.envelope import Envelope, make_envelope
from events.schema.event import Event
from events.schema.ours import HandImported
from events.store import Log, Origin, Receipt
from events.values.clock import parse_time
from games.casebook import ALWAYS, Casebook
from projections import Views
from projections.judged import SCHEMAS
from tests.games.table import catalogue_of
from tests.games.toy import GAME, TOML

CATALOGUE = catalogue_of(GAME)
ROOMS = {GAME.name: GAME}
SUBJECT = "table/brno/CO-1/2026-11-28.1"
TERMINAL = "/brno/CO-1/terminal"
TABLES = ("position", "todo", "stream", "record", *SCHEMAS)


def casebook(log: Log, *, adopt: bool = True) -> Casebook:
    """The toy room's casebook, its edition in force everywhere."""
    book = Casebook(log, ROOMS, CATALOGUE)
    if adopt:
        book.adopt("*", TOML, ALWAYS)
    return book


def raw(envelopes: Iterable[Envelope]) -> list[bytes]:
    """Records as they travel."""
    return [msgspec.json.encode(envelope) for envelope in envelopes]


def send(log: Log, envelopes: Iterable[Envelope]) -> Receipt:
    """Records through the door, in one batch."""
    return log.accept(raw(envelopes), Origin("file", "test"))


def record(
    event: Event,
    sequence: int,
    *,
    subject: str = SUBJECT,
    source: str = TERMINAL,
    at: str = "2026-11-28T20:00:00+01:00",
    round_name: str | None = None,
) -> Envelope:
    """One record from outside."""
    return make_envelope(
        subject=subject,
        source=source,
        sequence=sequence,
        topic=event.TOPIC,
        at_ms=parse_time(at),
        data=msgspec.to_builtins(event),
        round_name=round_name,
    )


def fill(log: Log, slip: str, amount: int, sequence: int = 900) -> None:
    """A fill at the table, without the desk's end."""
    send(log, [record(FillReceived("d1", amount, slip), sequence)])


def desk_end(log: Log, slip: str, amount: int, sequence: int = 1) -> None:
    """The desk's end of a fill."""
    event = ChipsMoved("float", "desk/CO-1", amount, "fill", slip=slip)
    subject = "desk/brno/d1/2026-11-28.1"
    send(log, [record(event, sequence, subject=subject, source="/brno/d1/till")])


def imported(log: Log, key: str, site_hand: str) -> None:
    """An imported hand of the toy room: its opening record alone."""
    event = HandImported("coin", "CO", "USD", "toy", 1, key * 2, key, False, site="a site", site_hand=site_hand)
    envelope = record(event, 1, subject=f"import/{key}", source="/recoup/import/toy/1")
    log.accept_imports(raw([envelope]), Origin("import"))


def shown(views: Views) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every table and view."""
    views.catch_up()
    names = (*TABLES, *(view.name for view in views.tables()))
    return {name: views.query(f"FROM {name} ORDER BY ALL", catch_up=False).rows for name in names}


def from_zero(log: Log, book: Casebook) -> dict[str, list[tuple[Any, ...]]]:
    """The same of a view made from nothing."""
    with Views.open(log, book, ":memory:") as views:
        return shown(views)


def open_views(log: Log, book: Casebook, path: str | Path = ":memory:", *, version: str | None = None) -> Views:
    """A view on one thread: tests share the machine."""
    return Views.open(log, book, path, version=version, threads=1)
