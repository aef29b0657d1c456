"""The base of every event, the field types they are made of, and the movement of chips they imply."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any, ClassVar, Literal, NamedTuple

import msgspec
from msgspec import Meta, Struct

Amount = Annotated[int, Meta(ge=0, le=2**53 - 1, extra_json_schema={"unit": "minor"})]
"""Money or chips in minor units, never negative: a movement has two ends instead of a sign."""

Count = Annotated[int, Meta(ge=0, le=2**53 - 1)]
Name = Annotated[str, Meta(min_length=1, max_length=255)]
"""An opaque id: player, bet, deck, slip. Names of people never stand in events."""

Card = Annotated[str, Meta(pattern=r"^([2-9TJQKA][cdhs]|\?\?)$")]
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


class Event(Struct, frozen=True, forbid_unknown_fields=True, gc=False, omit_defaults=True):
    """A fact in the past. Its `TOPIC` is the envelope's `type` and the stored topic; it never follows folders.

    A newer version of an event is a class with a new `TOPIC`; `UPCASTS` maps each older topic to a
    function that turns the older data into the newer (a dict in, a dict out).
    """

    TOPIC: ClassVar[str] = ""
    MOVES: ClassVar[tuple[Move, ...]] = ()
    UPCASTS: ClassVar[dict[str, Any]] = {}

    def moves(self) -> tuple[Move, ...]:
        """Where this event moves chips (usually nowhere, or once)."""
        return tuple(
            Move(
                _fill(move.frm, self),
                _fill(move.to, self),
                getattr(self, str(move.amount)),
                move.cause,
                _fill(move.stake, self),
            )
            for move in self.MOVES
        )


class Undecoded(Struct, frozen=True, gc=False):
    """A record whose `data` this catalogue cannot read: kept, listed, folded as a hole of one record."""

    MOVES: ClassVar[tuple[Move, ...]] = ()
    topic: str
    reason: str
    data: Any = None

    def moves(self) -> tuple[Move, ...]:
        """Unknown; as far as we can tell, none."""
        return ()


@lru_cache(maxsize=1024)
def _parts(template: str) -> tuple[tuple[str, str], ...]:
    """`player/{player}` → (("player/", "player"),); a template without braces has one part without field."""
    parts: list[tuple[str, str]] = []
    rest = template
    while "{" in rest:
        before, _brace, rest = rest.partition("{")
        field, _brace, rest = rest.partition("}")
        parts.append((before, field))
    parts.append((rest, ""))
    return tuple(parts)


def _fill(template: str, event: Event) -> str:
    if "{" not in template:
        return template
    return "".join(before + (str(getattr(event, field)) if field else "") for before, field in _parts(template))


def short_name(topic: str) -> str:
    """`RL.BetPlaced.v1` → `BetPlaced`."""
    parts = topic.split(".")
    return parts[1] if len(parts) > 1 else topic


def to_plain(event: Event) -> dict[str, Any]:
    """The event's data as the dict that JSON would give back."""
    plain: dict[str, Any] = msgspec.to_builtins(event)
    return plain
