"""Places where chips lie.

float            the table's own chips (the rack)
desk/<id>        a cash desk
seat/<n>         a player's stack at the table
box/<id>         a betting box, or a stake on a layout, by its id
pot              what a poker hand has gathered
drop             the drop box (cash and vouchers)
rake             the rake box
player/<id>      what a player carries on him
"""

from __future__ import annotations

import re

from events.errors import BadName

FLOAT = "float"
POT = "pot"
DROP = "drop"
RAKE = "rake"

SEATS = tuple([f"seat/{number}" for number in range(100)])
"""A seat's place by its number."""

SEAT_NUMBERS = {place: number for number, place in enumerate(SEATS) if number}
"""A seat's number by its place."""

PLACE_PATTERN = r"^(float|pot|drop|rake|(desk|seat|box|player)/[!-~]{1,64})$"
_PLACE = re.compile(PLACE_PATTERN)


def check_place(text: str) -> str:
    """`text`, if it is a place.

    Raises:
        BadName: it is none of the kinds above.
    """
    if _PLACE.match(text) is None:
        raise BadName(
            f"`{text}` is not a place for chips",
            hint="float, pot, drop, rake, desk/x, seat/n, box/x, player/x",
        )
    return text


def kind(place: str) -> str:
    """`seat/3` → `seat`."""
    return place.partition("/")[0]


def name(place: str) -> str:
    """`seat/3` → `3`; empty for a place that is alone of its kind."""
    return place.partition("/")[2]
