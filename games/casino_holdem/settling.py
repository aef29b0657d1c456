"""The arithmetic of one box: two hands compared, four bets settled (casino-holdem.md, reference algorithm).

Pure: amounts in minor units and cards in, results out. What is at risk, and whether a box counts as folded, is decided
elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from games.casino_holdem.parameters import Constants
from games.shared.poker.ranks import CATEGORIES, category, rank_key

_PAIR = CATEGORIES.index("pair")


class Hands(Struct, frozen=True):
    """A player's hand against the Dealer's, each the best five of seven (CH-31, CH-32).

    `winner`: 1 the player, 0 nobody, −1 the Dealer. `qualifies`: the Dealer has at least a pair (CH-29).
    """

    player: str
    dealer: str
    winner: int
    qualifies: bool


class Bets(Struct, frozen=True):
    """What is at risk on the four spots of a box, minor units."""

    ante: int = 0
    blind: int = 0
    trips: int = 0
    play: int = 0


class Result(Struct, frozen=True, gc=False):
    """What becomes of a bet: its stake is `lost` or comes back, `won` is paid on top; `rule` says so."""

    lost: int
    won: int
    rule: str

    @property
    def net(self) -> int:
        """Change of the player's chips."""
        return self.won - self.lost


def compare(player: Sequence[str], dealer: Sequence[str], board: Sequence[str]) -> Hands:
    """Two own cards each and five on the board.

    Raises:
        KeyError, ValueError: a card is unknown, or there are not seven.
    """
    own, house = rank_key((*player, *board)), rank_key((*dealer, *board))
    hand = category(house)
    return Hands(category(own), hand, (own < house) - (own > house), CATEGORIES.index(hand) <= _PAIR)


def settle(
    bets: Bets, hands: Hands, constants: Constants, settings: Mapping[str, Any], *, folded: bool
) -> dict[str, Result]:
    """Spot → result, CH-22 and CH-25 to CH-30; `settings` are the edition's parameters, or another reading of them."""
    fold = settings["fold_settlement"] if folded else ""
    if fold in ("trips_only", "all_forfeit"):
        main = {"ante": Result(bets.ante, 0, "CH-22"), "blind": Result(bets.blind, 0, "CH-22")}
    else:
        main = {
            "ante": _ante(bets.ante, hands, settings),
            "blind": _blind(bets.blind, hands, constants, settings),
        }
    lost = fold == "all_forfeit"
    trips = Result(bets.trips, 0, "CH-22") if lost else _trips(bets.trips, hands, constants, settings)
    return {**main, "trips": trips, "play": _even(bets.play, hands, settings)}


def _ante(stake: int, hands: Hands, settings: Mapping[str, Any]) -> Result:
    if not hands.qualifies:
        return Result(0, stake if settings["ante_when_dealer_not_qualified"] == "pay_1_1" else 0, "CH-29")
    return _even(stake, hands, settings)


def _even(stake: int, hands: Hands, settings: Mapping[str, Any]) -> Result:
    if hands.winner > 0:
        return Result(0, stake, "CH-25")
    return Result(stake, 0, "CH-26") if hands.winner < 0 else _tie(stake, settings)


def _tie(stake: int, settings: Mapping[str, Any]) -> Result:
    return Result(0, stake if settings["tie"] == "pay_1_1" else 0, "CH-27")


def _blind(stake: int, hands: Hands, constants: Constants, settings: Mapping[str, Any]) -> Result:
    """Whether the Dealer qualifies makes no difference (CH-28)."""
    if hands.winner < 0:
        return Result(stake, 0, "CH-26")
    if hands.winner == 0:
        return _tie(stake, settings)
    odds = constants.odds("blind", hands.player)
    return Result(0, winnings(stake, odds, settings["payout_unit"]) if odds is not None else 0, "CH-28")


def _trips(stake: int, hands: Hands, constants: Constants, settings: Mapping[str, Any]) -> Result:
    odds = constants.odds("trips", hands.player)
    if odds is None:
        return Result(stake, 0, "CH-30")
    return Result(0, winnings(stake, odds, settings["payout_unit"]), "CH-30")


def winnings(stake: int, odds: tuple[int, int], unit: int) -> int:
    """Stake times the ratio; where the ratio divides, rounded up to whole units of payment (CH-A13, CH-33)."""
    won, staked = odds
    if staked == 1:
        return stake * won
    unit = max(unit, 1)
    return -(-stake * won // (staked * unit)) * unit
