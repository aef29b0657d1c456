"""What a spin's own record moved for each bet, as the fold has seen it."""

from __future__ import annotations

from msgspec import Struct

from events.schema.common import ChipsMoved
from games.roulette.table import Spin


class Booked(Struct):
    """What the record moved for one bet, minor units."""

    taken: int = 0
    returned: int = 0
    paid: int = 0


def booked(spin: Spin) -> dict[str, Booked]:
    """Bet → its recorded settlement; empty if the spin has none on record."""
    found: dict[str, Booked] = {}
    for fact in spin.settles:
        event = fact.event
        if isinstance(event, ChipsMoved):
            own = found.setdefault(event.stake, Booked())
            if event.cause == "take":
                own.taken += event.amount
            elif event.cause == "return":
                own.returned += event.amount
            else:
                own.paid += event.amount
    return found
