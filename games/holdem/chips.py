"""The chips of the scripted dealer's table; everything there is a multiple of the smallest."""

from __future__ import annotations

UNIT = 500
SMALL, BIG = 500, 1000
CHIPS = (500_000, 100_000, 50_000, 10_000, 2_500, 500)
"""Minor units."""


def chips_for(amount: int, *, several: bool = False) -> tuple[int, ...]:
    """An amount in chips, big ones first; `several`: at least two of them where the amount allows it."""
    found: list[int] = []
    for chip in CHIPS:
        if several and chip == amount and chip != CHIPS[-1]:
            continue
        count, amount = divmod(amount, chip)
        found += [chip] * count
    return tuple(found) if not amount else (*found, amount)
