"""The people at a scripted roulette table: what they like to bet, in which chips, and how much."""

from __future__ import annotations

from random import Random

from games.roulette.layout import POSITIONS

UNITS = (5_000, 10_000, 20_000)
"""Values of a colour chip, minor units."""

COLOURS = ("red", "blue", "green", "yellow", "white", "orange", "pink", "brown")
APPETITE = {
    "straight": 38, "split": 16, "street": 7, "corner": 10, "six_line": 6, "dozen": 7, "column": 5, "red": 3,
    "black": 3, "odd": 1, "even": 1, "low": 1, "high": 2,
}  # fmt: skip
OUTSIDE_CHIPS = 4
"""Outside bets are of so many times the chips of inside ones."""

BY_TYPE: dict[str, list[str]] = {
    kind: sorted(place.text for place in POSITIONS.values() if place.type == kind) for kind in APPETITE
}


class Player:
    """A player and his chips. `colour` empty: he plays value chips. `hand`: colour chips in front of him."""

    def __init__(self, name: str, seat: int, colour: str, rng: Random) -> None:
        self.name = name
        self.seat = seat
        self.colour = colour
        self.unit = rng.choice(UNITS) if colour else UNITS[0]
        self.hand = 0
        self.calls = rng.random() < 0.4
        self.favourites = [pick_position(rng) for _ in range(4)]

    def position(self, rng: Random) -> str:
        """Where he puts his next chips: a favourite as often as not."""
        return rng.choice(self.favourites) if rng.random() < 0.5 else pick_position(rng)

    def chips(self, kind: str, rng: Random) -> int:
        """How many chips on a position of that type."""
        few = rng.choice((1, 1, 1, 2, 2, 3, 5))
        return few if kind not in ("dozen", "column", "red", "black", "odd", "even", "low", "high") else 4 * few


def pick_position(rng: Random) -> str:
    """A position of the layout, inside bets more often than outside ones."""
    kind = rng.choices(list(APPETITE), weights=list(APPETITE.values()))[0]
    return rng.choice(BY_TYPE[kind])


def new_name(rng: Random, taken: set[str]) -> str:
    """A player's id that is not at the table yet."""
    while True:
        name = f"p-{rng.randrange(100, 1000)}"
        if name not in taken:
            return name
