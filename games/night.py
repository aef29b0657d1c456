"""A house's night by its dealers: tables, the cash desk that serves them, and mistakes planted in their books.

A table begins with what was left in it the night before; the desk writes the other end of every slip. What is planted
is what a thief or a tired person does: the record says another amount, or one of two ends is not there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from random import Random
from typing import Any, Literal, get_args

from msgspec import Struct
from msgspec.structs import replace

from events.errors import Refused
from events.schema import common as tb
from events.schema.envelope import Envelope
from events.schema.event import Event
from events.values.clock import parse_time
from games.protocol import Game
from games.scribe import Scribe
from games.shared.till import DESK

Kind = Literal["float", "drop", "rake", "opener", "slip", "slip_amount", "desk", "void"]
"""What can be planted. `float`, `drop`, `rake`, `desk`: counted short; `opener`: not what was left there the night
before; `slip`: the desk's end is not there; `slip_amount`: it says another amount; `void`: a lawful round is called off
and its bets given back."""

KINDS: tuple[Kind, ...] = get_args(Kind)
SHORT = 10_000
"""How much is missing, minor units."""

DESK_OPENER = 500_000_000
_INVENTORY = tb.InventoryCounted.TOPIC
_SLIPS = (tb.FillReceived.TOPIC, tb.CreditSent.TOPIC)
_SHORT_IN = {"drop": tb.DropBoxCounted.TOPIC, "rake": tb.RakeBoxCounted.TOPIC}

_VOIDS = ("roulette", "RL-16")
"""The room in which, and the breach by which, a lawful round is called off."""


class Table(Struct, frozen=True):
    """One table of the floor: the room that plays there, its name, and what is counted there."""

    room: str
    name: str
    currency: str = "CZK"


FLOOR: tuple[Table, ...] = (
    Table("roulette", "RL-1"), Table("roulette", "RL-2", "EUR"), Table("blackjack", "BJ-1"), Table("holdem", "NL-1"),
    Table("magic_wheel", "MW-1"), Table("caribbean_stud", "CS-1"), Table("casino_holdem", "CH-1"),
    Table("russian_poker", "RP-1"),
)  # fmt: skip
"""A floor with a table of each room, two of roulette, one of them in euro."""


class Planted(Struct, frozen=True, order=True):
    """A mistake that was planted: its kind and the table, desk, slip or round (by its address) that it is in."""

    kind: Kind
    place: str


class Night(Struct, frozen=True):
    """One night: each book's records (tables first, then desks), what was planted, and what lay in each book at its
    end (the book's unit and currency, `RL-1 CZK` → minor units)."""

    books: tuple[Sequence[Envelope], ...]
    planted: tuple[Planted, ...]
    left: dict[str, int]

    @property
    def records(self) -> Iterable[Envelope]:
        """All of them, book after book."""
        return chain.from_iterable(self.books)


def night(
    rooms: Mapping[str, Game[Any]],
    day: str,
    seed: int,
    *,
    house: str = "brno",
    floor: Sequence[Table] = FLOOR,
    rounds: int = 6,
    plant: Sequence[Kind] = (),
    before: Mapping[str, int] | None = None,
) -> Night:
    """A night of the house; each of `plant` is put somewhere, no two of them at one table.

    `before`: what lay in each book at the end of the night before (its `left`).

    Raises:
        Refused: the floor has no place for one of them.
    """
    rng = Random(f"night {day} {seed}")
    known = before or {}
    void = _place_of_void(floor, rng) if "void" in plant else None
    books = []
    planted: list[Planted] = []
    for number, table in enumerate(floor):
        breach = _VOIDS[1] if table is void else None
        dealt = rooms[table.room].deal(
            rounds, seed * 100 + number, breach=breach, breach_round=rounds // 2 if breach else None,
            table=f"{house}/{table.name}", day=day, currency=table.currency,
        )  # fmt: skip
        books.append(_carried(list(dealt), known))
        if breach:
            names = list(dict.fromkeys(one.round for one in books[-1] if one.round))
            planted.append(Planted("void", f"{books[-1][0].subject}#{names[rounds // 2]}"))
    desks = [
        desk_book(house, day, books, currency, known) for currency in dict.fromkeys(table.currency for table in floor)
    ]
    touched = {void.name} if void is not None else set()
    for kind in sorted(plant, key=lambda kind: kind != "rake"):  # few tables have a rake box: they are not given away
        if kind != "void":
            planted.append(_planted(kind, books, desks, rng, touched, known))
    left = {_name(book): _amount(book, "closer") for book in (*books, *desks)}
    return Night((*books, *desks), tuple(sorted(planted)), left)


def _place_of_void(floor: Sequence[Table], rng: Random) -> Table:
    fit = [table for table in floor if table.room == _VOIDS[0]]
    if not fit:
        raise Refused(f"no table of the floor plays {_VOIDS[0]}, at which a round is called off without ground")
    return rng.choice(fit)


def _unit(book: Sequence[Envelope]) -> str:
    return book[0].subject.split("/")[2]


def _name(book: Sequence[Envelope]) -> str:
    return f"{_unit(book)} {book[0].data['currency']}"


def _amount(book: Sequence[Envelope], kind: str) -> int:
    return next(int(one.data["amount"]) for one in book if one.type == _INVENTORY and one.data["kind"] == kind)


def _changed(book: list[Envelope], topic: str, kind: str | None, by: int) -> list[Envelope]:
    """The book with another amount in its counts of that topic and kind; as often as there are such."""
    return [
        replace(one, data={**one.data, "amount": one.data["amount"] + by})
        if one.type == topic and kind in (None, one.data.get("kind"))
        else one
        for one in book
    ]


def _carried(book: list[Envelope], before: Mapping[str, int]) -> list[Envelope]:
    """A book that begins with what lay in it before: opener and closer are shifted alike."""
    opener = _amount(book, "opener")
    by = before.get(_name(book), opener) - opener
    return _changed(_changed(book, _INVENTORY, "opener", by), _INVENTORY, "closer", by)


def desk_book(
    house: str,
    day: str,
    books: Iterable[Sequence[Envelope]],
    currency: str = "CZK",
    before: Mapping[str, int] | None = None,
) -> list[Envelope]:
    """The desk's book of a currency: the other end of every slip of its tables. `before`: as of `night`."""
    pen = Scribe(f"{house}/{DESK}", day, session=1 if currency == "CZK" else 2, source=f"till-{currency}", kind="desk")
    said = [pen.say(tb.DeskOpened(currency)), pen.say(tb.InventoryCounted("opener", DESK_OPENER), 60)]
    own = [book for book in books if book[0].data["currency"] == currency]
    slips = sorted((one for book in own for one in book if one.type in _SLIPS), key=lambda one: parse_time(one.time))
    left = DESK_OPENER
    for one in slips:
        unit, amount, slip = one.subject.split("/")[2], int(one.data["amount"]), one.data["slip"]
        event: Event = tb.ChipsMoved("float", f"desk/{unit}", amount, "fill", slip=slip)
        if one.type == tb.CreditSent.TOPIC:
            event = tb.ChipsMoved(f"desk/{unit}", "float", amount, "credit", slip=slip)
        left += amount if one.type == tb.CreditSent.TOPIC else -amount
        pen.at_ms = max(pen.at_ms, parse_time(one.time))
        said.append(pen.say(event, 4))
    pen.at_ms = max(parse_time(one.time) for book in own for one in book)
    counted = tb.InventoryCounted("closer", left)
    ends = [pen.say(counted, 600), pen.say(tb.DeskClosed(), 5), pen.say(tb.SourceEnded(), 1)]
    return _carried([*said, *ends], before or {})


def _planted(
    kind: Kind,
    books: list[list[Envelope]],
    desks: list[list[Envelope]],
    rng: Random,
    touched: set[str],
    known: Mapping[str, int],
) -> Planted:
    """Puts one mistake into the books."""
    if kind == "desk":
        at = rng.randrange(len(desks))
        desks[at] = _changed(desks[at], _INVENTORY, "closer", -SHORT)
        return Planted(kind, desks[at][0].subject)
    if kind in ("slip", "slip_amount"):
        return _planted_slip(kind, desks, rng, touched)
    fit = [at for at, book in enumerate(books) if _unit(book) not in touched and _holds(kind, book, known)]
    if not fit:
        raise Refused(f"no table of this night has a place left for `{kind}`")
    at = rng.choice(fit)
    book = books[at]
    touched.add(_unit(book))
    if kind == "opener":  # chips that came or went overnight: what lay there then lies there at the end, too
        book = _changed(_changed(book, _INVENTORY, "opener", -SHORT), _INVENTORY, "closer", -SHORT)
    elif kind == "float":
        book = _changed(book, _INVENTORY, "closer", -SHORT)
    else:
        book = _changed(book, _SHORT_IN[kind], None, -SHORT)
    books[at] = book
    return Planted(kind, book[0].subject)


def _holds(kind: Kind, book: Sequence[Envelope], known: Mapping[str, int]) -> bool:
    """Whether such a mistake can be made at that table: something lies where it is to be short."""
    if kind == "opener":
        return _name(book) in known
    topic = _SHORT_IN.get(kind, "")
    return not topic or any(one.type == topic and one.data["amount"] >= SHORT for one in book)


def _planted_slip(kind: Kind, desks: list[list[Envelope]], rng: Random, touched: set[str]) -> Planted:
    """The desk's end is left out, or says another amount; its own count says so, so that the slip alone is wrong."""
    ends = [
        (at, one)
        for at, desk in enumerate(desks)
        for one in desk
        if one.type == tb.ChipsMoved.TOPIC and one.data["slip"] not in touched
    ]
    if not ends:
        raise Refused(f"no chips went between desk and tables this night: there is no slip for `{kind}`")
    at, end = rng.choice(ends)
    touched.add(end.data["slip"])
    amount = int(end.data["amount"])
    into_desk = end.data["to"] == "float"
    if kind == "slip":
        by = -amount if into_desk else amount
        desk = _renumbered([one for one in desks[at] if one is not end])
    else:
        by = -SHORT if into_desk else SHORT
        less = replace(end, data={**end.data, "amount": amount - SHORT})
        desk = [less if one is end else one for one in desks[at]]
    desks[at] = _changed(desk, _INVENTORY, "closer", by)
    return Planted(kind, end.data["slip"])


def _renumbered(book: Iterable[Envelope]) -> list[Envelope]:
    """The book of one source without a hole in its counter."""
    return [
        replace(one, sequence=str(number).rjust(16, "0"), id=f"{one.subject}@{one.source}:{number}")
        for number, one in enumerate(book, 1)
    ]
