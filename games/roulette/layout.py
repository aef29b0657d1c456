"""The layout and the wheel: 157 positions from the geometry of the cloth, and what each call bet is made of.

Twelve rows of three numbers, 0 above the first row and touching 1, 2 and 3 (roulette.md 2.3). A position is written as
its numbers, ascending, joined by `/` (`17`, `17/20`, `0/2/3`), or by name: `red`, `dozen/1`, `column/2`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, pairwise

from msgspec import Struct

from games.shared.wheel import arc
from games.shared.wheel.bets import Layout

WHEEL: tuple[int, ...] = (
    0, 32, 15, 19, 4, 21, 2, 25, 17, 34, 6, 27, 13, 36, 11, 30, 8, 23, 10, 5, 24, 16, 33, 1, 20, 14, 31, 9, 22, 18, 29,
    7, 28, 12, 35, 3, 26,
)  # fmt: skip
"""The order of the cylinder (roulette.md 2.1); an edition states it too, and the edition's is what is judged by."""

NUMBERS = range(37)
ROWS: tuple[tuple[int, int, int], ...] = tuple((first, first + 1, first + 2) for first in range(1, 36, 3))
RED = frozenset({1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36})
BLACK = frozenset(range(1, 37)) - RED

BET_TYPES = (
    "straight", "split", "street", "corner", "six_line", "dozen", "column",
    "red", "black", "odd", "even", "low", "high",
)  # fmt: skip
EVEN_CHANCES = frozenset({"red", "black", "odd", "even", "low", "high"})
OUTSIDE = EVEN_CHANCES | {"dozen", "column"}

CALL_BETS = ("neighbours", "jeu_zero", "voisins", "tiers", "orphelins")


class Position(Struct, frozen=True, gc=False):
    """A legal place for a chip: its text, the type of bet that the place makes it, and the numbers that it covers."""

    text: str
    type: str
    numbers: frozenset[int]


class Component(Struct, frozen=True, gc=False):
    """One part of a call bet: a position and how many chips go there."""

    position: str
    chips: int


def position_text(numbers: Iterable[int]) -> str:
    """`{20, 17}` → `17/20`."""
    return "/".join(map(str, sorted(numbers)))


def _inside() -> Iterator[tuple[str, tuple[int, ...]]]:
    for number in NUMBERS:
        yield "straight", (number,)
    for row in ROWS:
        first, second, third = row
        yield from (("split", (first, second)), ("split", (second, third)), ("street", row))
    yield from (("split", (number, number + 3)) for number in range(1, 34))
    yield from (("split", (0, number)) for number in (1, 2, 3))
    yield from (("street", (0, 1, 2)), ("street", (0, 2, 3)), ("corner", (0, 1, 2, 3)))
    for above, below in pairwise(ROWS):
        yield from (("corner", above[:2] + below[:2]), ("corner", above[1:] + below[1:]), ("six_line", above + below))


def _outside() -> Iterator[Position]:
    for which in (1, 2, 3):
        yield Position(f"dozen/{which}", "dozen", frozenset(range(12 * which - 11, 12 * which + 1)))
        yield Position(f"column/{which}", "column", frozenset(range(which, 37, 3)))
    yield Position("red", "red", RED)
    yield Position("black", "black", BLACK)
    yield Position("odd", "odd", frozenset(range(1, 36, 2)))
    yield Position("even", "even", frozenset(range(2, 37, 2)))
    yield Position("low", "low", frozenset(range(1, 19)))
    yield Position("high", "high", frozenset(range(19, 37)))


POSITIONS: dict[str, Position] = {
    position.text: position
    for position in chain(
        (Position(position_text(numbers), kind, frozenset(numbers)) for kind, numbers in _inside()), _outside()
    )
}
"""Every legal position by its text: 145 inside, three dozens, three columns, six even chances (roulette.md 2.2)."""

CALLS: dict[str, tuple[Component, ...]] = {
    "jeu_zero": (Component("0/3", 1), Component("12/15", 1), Component("26", 1), Component("32/35", 1)),
    "voisins": (
        Component("0/2/3", 2), Component("4/7", 1), Component("12/15", 1), Component("18/21", 1), Component("19/22", 1),
        Component("25/26/28/29", 2), Component("32/35", 1),
    ),
    "tiers": tuple(Component(split, 1) for split in ("5/8", "10/11", "13/16", "23/24", "27/30", "33/36")),
    "orphelins": tuple(Component(place, 1) for place in ("1", "6/9", "14/17", "17/20", "31/34")),
}  # fmt: skip
"""The call bets with a fixed shape (roulette.md 2.4); neighbours depend on the wheel."""


@lru_cache(maxsize=1024)
def find_position(text: str) -> Position | None:
    """The legal position that `text` names, its numbers in any order; None if there is none."""
    found = POSITIONS.get(text)
    if found is not None:
        return found
    parts = text.split("/")
    if len(parts) > 6 or not all(part.isascii() and part.isdigit() and len(part) <= 2 for part in parts):
        return None
    return POSITIONS.get(position_text(map(int, parts)))


def components(
    kind: str, number: int | None = None, reach: int = 2, wheel: Sequence[int] = WHEEL
) -> tuple[Component, ...]:
    """What a call bet is made of; empty if there is no such bet, or no such number to be a neighbour of."""
    if kind != "neighbours":
        return CALLS.get(kind, ())
    if number is None or number not in wheel or reach < 0:
        return ()
    return tuple(Component(str(field), 1) for field in arc(wheel, number, reach))


def colour_of(number: int) -> str:
    """`red`, `black`, or `green` for zero."""
    return "red" if number in RED else "black" if number in BLACK else "green"


def canonical(text: str) -> str:
    """A position as the layout writes it; one that the layout does not have, as it came."""
    found = find_position(text)
    return found.text if found is not None else text


LAYOUT: Layout[Position] = Layout(find_position, canonical)
"""The places of a roulette table, for what games with a layout share."""
