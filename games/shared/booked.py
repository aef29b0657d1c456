"""What the record of a round moved for each stake against a bank, as the fold has seen it."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from events.schema.common import ChipsMoved
from events.schema.fact import Fact
from events.values.places import FLOAT

SETTLES = frozenset({"win", "take", "return"})
"""Causes of the movements that settle a stake against a bank."""


class Booked(Struct):
    """What the record moved for one stake, minor units; `paid` less what was taken back of it."""

    taken: int = 0
    returned: int = 0
    paid: int = 0


def settles(event: ChipsMoved) -> bool:
    """Whether a movement settles a stake that it names."""
    return bool(event.stake) and event.cause in SETTLES


def booked(facts: Iterable[Fact]) -> dict[str, Booked]:
    """Stake → its recorded settlement, from the facts that settle; empty if there is none on record."""
    found: dict[str, Booked] = {}
    for fact in facts:
        event = fact.event
        if isinstance(event, ChipsMoved):
            own = found.setdefault(event.stake, Booked())
            if event.cause == "take":
                own.taken += event.amount
            elif event.cause == "return":
                own.returned += event.amount
            else:
                own.paid += -event.amount if event.to == FLOAT else event.amount
    return found
