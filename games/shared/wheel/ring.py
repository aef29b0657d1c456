"""A wheel as a ring of fields, listed clockwise; pure arithmetic."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeVar

Field = TypeVar("Field")

Direction = Literal["cw", "ccw"]
DIRECTIONS: tuple[Direction, ...] = ("cw", "ccw")
"""Clockwise or counter-clockwise: a lying wheel seen from above, a standing one from the front."""


def opposite(direction: Direction) -> Direction:
    """The other direction."""
    return "ccw" if direction == "cw" else "cw"


def is_same_ring(one: Sequence[Field], other: Sequence[Field]) -> bool:
    """Whether two lists name the same wheel: any rotation does, a reversed ring does not."""
    if len(one) != len(other):
        return False
    turned = list(one)
    return any(turned[start:] + turned[:start] == list(other) for start in range(len(turned))) or not turned


def arc(ring: Sequence[Field], centre: Field, reach: int) -> tuple[Field, ...]:
    """`centre` with `reach` neighbours on each side, in the wheel's order; the whole ring if that is more than it has.

    Raises:
        ValueError: the ring has no such field.
    """
    return arc_at(ring, ring.index(centre), reach)


def arc_at(ring: Sequence[Field], at: int, reach: int) -> tuple[Field, ...]:
    """The field of index `at` with `reach` neighbours on each side; the whole ring if that is more than it has."""
    size = len(ring)
    if 2 * reach + 1 > size:
        return tuple(ring)
    return tuple(ring[(at + step) % size] for step in range(-reach, reach + 1))


def whole_laps(laps_tenths: int) -> int:
    """Full laps of a count in tenths, rounded down: 9.8 laps are nine."""
    return laps_tenths // 10
