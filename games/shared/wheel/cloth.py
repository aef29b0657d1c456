"""Chips on a cloth seen from above, for the pages of every table with a layout."""

from __future__ import annotations

from collections.abc import Iterator

from events.values.money import amount_text
from games.picture import Mark

CHIP = 28
"""How wide a chip is, in the units of such a plan."""
DIGITS = 5
"""So many letters fit on a chip, or in a cell of a terminal's grid."""
_HIGHEST = 3
"""A stack is drawn so high at most."""


def chip_text(amount: int) -> str:
    """Minor units as a chip says them, in whole units: `500`, `12.5k`, `3M`; nothing for nothing."""
    if not amount:
        return ""
    text = amount_text(amount)
    if len(text) <= DIGITS:
        return text
    for letter, size in (("k", 100_000), ("M", 100_000_000)):
        whole, tenths = divmod(amount * 10 // size, 10)
        text = f"{whole}.{tenths}{letter}" if tenths and whole < 100 else f"{whole}{letter}"
        if len(text) <= DIGITS:
            return text
    return "much"


def stack(x: int, y: int, amount: int, bets: int) -> Iterator[Mark]:
    """The chips of one place, worth so much together; those of several bets lie one on another."""
    for below in range(min(bets, _HIGHEST) - 1, 0, -1):
        yield Mark("chip", x + 3 * below, y - 3 * below, CHIP, CHIP)
    yield Mark("chip", x, y, CHIP, CHIP, chip_text(amount))
