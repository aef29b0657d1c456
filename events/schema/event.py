"""The base of every event, the field types they are made of, and the movement of chips they imply."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, NamedTuple

import msgspec
from msgspec import Meta, Struct

from events.values.cards import DECK, UNKNOWN

Amount = Annotated[int, Meta(ge=0, le=2**53 - 1, extra_json_schema={"unit": "minor"})]
"""Money or chips in minor units, never negative: a movement has two ends instead of a sign."""

Count = Annotated[int, Meta(ge=0, le=2**53 - 1)]
Name = Annotated[str, Meta(min_length=1, max_length=255)]
"""An opaque id: player, bet, deck, slip. Names of people never stand in events."""

if TYPE_CHECKING:
    Card = str
else:  # looked up, where a pattern would be matched card by card at four times the cost of the record
    Card = Literal[(*DECK, UNKNOWN)]
Place = Annotated[str, Meta(pattern=r"^(float|pot|drop|rake|(desk|seat|box|player)/[!-~]{1,64})$")]
Seat = Annotated[int, Meta(ge=1, le=99)]
Text = Annotated[str, Meta(max_length=4000)]

Cause = Literal[
    "stake",  # a bet, a post, a call: chips that may be lost
    "win",  # what a bank pays on top of a stake
    "take",  # a lost stake goes to the bank
    "return",  # a stake, or the uncalled part of a bet, goes back
    "award",  # a pot, or a share of one, goes to a player
    "rake",  # the house's commission
    "buy_in",
    "cash_out",
    "fill",
    "credit",
    "exchange",  # value chips against colour chips, big against small
    "transfer",  # from player to player, or off the table: somebody must ask why
    "seat_change",
    "tip",
    "ruling",  # what a ruling pays or recovers
    "correction",  # a dealer's own correction at the table
]


class Move(NamedTuple):
    """Chips from one place to another.

    In `Event.MOVES` the fields are templates over the event's own fields; from `Event.moves` they are filled in.
    `stake` names the bet, pot or hand that the movement settles; empty if none.
    """

    frm: str
    to: str
    amount: str | int
    cause: str
    stake: str = ""


class Private(NamedTuple):
    """Cards of an event that not everybody at the table sees; a card in any other field lies open.

    `cards`: the field, one card or several. `seen_by`: whose eyes see them, a template as in `Move`: a seat
    (`seat/{seat}`); what is no seat (`burn`, nothing) is seen by nobody. A field of several seats gets them one at a
    time, round and round. `unless`: field → values with which they lie open all the same. `fresh`: they come off the
    deck, so that who saw such a card before the shuffle does not know it again.
    """

    cards: str
    seen_by: str = ""
    unless: Mapping[str, tuple[Any, ...]] = {}
    fresh: bool = False


class Event(Struct, frozen=True, forbid_unknown_fields=True, gc=False, omit_defaults=True):
    """A fact in the past. Its `TOPIC` is the envelope's `type` and the stored topic; it never follows folders.

    `PRIVATE` says which cards are hidden from whom (`games.sight`).

    A newer version of an event is a class with a new `TOPIC`; `UPCASTS` maps each older topic to a
    function that turns the older data into the newer (a dict in, a dict out).
    """

    TOPIC: ClassVar[str] = ""
    MOVES: ClassVar[tuple[Move, ...]] = ()
    PRIVATE: ClassVar[tuple[Private, ...]] = ()
    UPCASTS: ClassVar[dict[str, Any]] = {}

    def moves(self) -> tuple[Move, ...]:
        """Where this event moves chips (usually nowhere, or once)."""
        return _moves(type(self))(self)


class Undecoded(Struct, frozen=True, gc=False):
    """A record whose `data` this catalogue cannot read: kept, listed, folded as a hole of one record."""

    MOVES: ClassVar[tuple[Move, ...]] = ()
    topic: str
    reason: str
    data: Any = None

    def moves(self) -> tuple[Move, ...]:
        """Unknown; as far as we can tell, none."""
        return ()


_KEPT = 4096


class _Filled(dict[Any, str]):
    """A template with one field, filled: value → text. Places and stakes recur, so that each is made once."""

    def __init__(self, template: str) -> None:
        super().__init__()
        before, _brace, rest = template.partition("{")
        field, _brace, after = rest.partition("}")
        self.field = field
        self._before, self._after = before, after

    def __missing__(self, value: Any) -> str:
        if len(self) >= _KEPT:
            self.clear()
        text = self[value] = f"{self._before}{value}{self._after}"
        return text


def _filler(template: str) -> Callable[[Any], str]:
    """`player/{player}` → a function from an event to the text; fields are plain values."""
    if "{" not in template:
        return lambda _event: template
    if template.count("{") > 1:
        return lambda event: template.format_map(_Fields(event))
    filled = _Filled(template)
    get = attrgetter(filled.field)
    return lambda event: filled[get(event)]


class _Fields(dict[str, Any]):
    def __init__(self, event: Event) -> None:
        super().__init__()
        self._event = event

    def __missing__(self, field: str) -> Any:
        return getattr(self._event, field)


def _mover(move: Move) -> Callable[[Event], Move]:
    amount = attrgetter(str(move.amount))
    if move.frm == move.stake and move.frm.count("{") == 1 and "{" not in move.to + move.cause:
        return _from_its_place(_Filled(move.frm), move.to, amount, move.cause)
    frm, to, stake, cause = (_filler(template) for template in (move.frm, move.to, move.stake, move.cause))
    if "{" not in move.cause:
        named = move.cause
        return lambda event: Move(frm(event), to(event), amount(event), named, stake(event))
    return lambda event: Move(frm(event), to(event), amount(event), cause(event), stake(event))


def _from_its_place(places: _Filled, to: str, amount: Callable[[Event], int], cause: str) -> Callable[[Event], Move]:
    """The commonest movement, a seat's chips into the pot, which the seat names: made in a third of the time."""
    get, new = attrgetter(places.field), tuple.__new__

    def made(event: Event) -> Move:
        place = places[get(event)]
        return new(Move, (place, to, amount(event), cause, place))

    return made


@cache
def _moves(cls: type[Event]) -> Callable[[Event], tuple[Move, ...]]:
    makers = [_mover(move) for move in cls.MOVES]
    if len(makers) == 1:
        make = makers[0]
        return lambda event: (make(event),)
    return lambda event: tuple([make(event) for make in makers])


def short_name(topic: str) -> str:
    """`RL.BetPlaced.v1` → `BetPlaced`."""
    parts = topic.split(".")
    return parts[1] if len(parts) > 1 else topic


def to_plain(event: Event) -> dict[str, Any]:
    """The event's data as the dict that JSON would give back."""
    plain: dict[str, Any] = msgspec.to_builtins(event)
    return plain
