"""What an edition fixes: odds, bonus prizes, the limit tiers, and which second combinations are paid (RP 2.2–2.4)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from msgspec import Meta, Struct

from games.russian_poker.combinations import CODES, Code

Ratio = Annotated[int, Meta(ge=1)]
Minor = Annotated[int, Meta(ge=1)]

BONUS_FROM: Code = "3K"
WINS: tuple[Code, ...] = CODES[: CODES.index("HC")]
"""Hands that can beat a qualified dealer: each needs odds."""

PRIZED: tuple[Code, ...] = CODES[: CODES.index(BONUS_FROM) + 1]
"""Hands that the bonus pays."""


class Tier(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """One column of the printed limits, minor units of `currency`. The Bet limits are twice those of the ante.

    Raises ValueError for limits the wrong way round, or Bet limits that are not twice the ante's.
    """

    currency: Annotated[str, Meta(pattern="^[A-Z]{3}$")]
    ante: tuple[Minor, Minor]
    bet: tuple[Minor, Minor]
    max_payout: Minor
    bonus_stake: Minor

    def __post_init__(self) -> None:
        if self.ante[0] > self.ante[1]:
            raise ValueError(f"the ante limits {list(self.ante)} have the minimum above the maximum")
        if self.bet != (2 * self.ante[0], 2 * self.ante[1]):
            raise ValueError(f"the Bet limits {list(self.bet)} are not twice the ante limits {list(self.ante)}")


class Constants(Struct, frozen=True, forbid_unknown_fields=True):
    """Odds of the Bet by hand (win on top of a stake of one), bonus prizes by currency and hand (minor units), tiers by
    name, and for each hand the second combinations that are paid beside it.

    Raises ValueError for a table with a hole or with a hand that it cannot have, and for a tier whose currency has no
    bonus table.
    """

    pays: dict[str, Ratio]
    bonus: dict[str, dict[str, Minor]]
    tiers: dict[str, Tier]
    second: dict[str, tuple[str, ...]]

    def __post_init__(self) -> None:
        _whole("the pay table", self.pays, WINS)
        for currency, prizes in self.bonus.items():
            _whole(f"the bonus table of {currency}", prizes, PRIZED)
        if not self.tiers:
            raise ValueError("there is no tier of limits")
        for name, tier in self.tiers.items():
            if tier.currency not in self.bonus:
                raise ValueError(f"tier {name} is in {tier.currency}, for which there is no bonus table")
        wanted = tuple(code for code in WINS if code != "AK")
        _whole("the table of second combinations", self.second, wanted)
        for code, cells in self.second.items():
            strange = sorted(set(cells) - set(WINS))
            if strange or len(set(cells)) != len(cells):
                raise ValueError(f"the second combinations of {code} are {list(cells)}")

    def odds(self, primary: Code, second: Code | None) -> int:
        """Win per unit of Bet of a hand that beats a qualified dealer; 0 for one that never can."""
        odds = self.pays.get(primary, 0)
        # A pair beside a straight is no cell of the table: only a house that reads a repeated rank so has it (D7).
        if second is not None and (second in self.second.get(primary, ()) or (primary, second) == ("ST", "1P")):
            odds += self.pays[second]
        return odds

    def tier_of(self, currency: str, low: int | None, high: int | None) -> tuple[str, Tier] | None:
        """The tier with these ante limits in this currency, by name; None if there is none."""
        for name, tier in self.tiers.items():
            if tier.currency == currency and tier.ante == (low, high):
                return name, tier
        return None

    def bonus_stake(self, currency: str) -> int | None:
        """The fixed stake of the bonus, minor units; None for a currency that has no tier."""
        return next((tier.bonus_stake for tier in self.tiers.values() if tier.currency == currency), None)


def _whole(what: str, table: Mapping[str, object], wanted: tuple[Code, ...]) -> None:
    """Raises ValueError unless the table has exactly these hands."""
    if set(table) != set(wanted):
        holes = [code for code in wanted if code not in table]
        strange = sorted(set(table) - set(wanted))
        raise ValueError(f"{what} misses {holes or 'nothing'} and has unknown {strange or 'nothing'}")
