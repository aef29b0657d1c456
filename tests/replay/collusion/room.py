"""A hold'em table of the scripted dealer at which players have ways of their own, and two of them may play together."""

from __future__ import annotations

from random import Random
from typing import Literal

import pytest
from msgspec import Struct

from events.schema.envelope import Envelope
from games.holdem import dealer
from games.protocol import Action, Expectation

Together = Literal["", "soft", "dump"]


class Way(Struct, frozen=True):
    """How often a player raises where he may, and folds where he must pay."""

    raises: float
    folds: float


class Styled(dealer.Play):
    """A hand in which each plays his way. `giver` and `taker` spare each other (`soft`), or the one loses to the other
    on purpose (`dump`)."""

    night: int = 0
    how: Together = ""
    giver: str = ""
    taker: str = ""

    def choose(self, next_: Expectation) -> tuple[Action, int]:
        """By the player's way, unless his partner is about."""
        by_name = {action.name: action for action in next_.actions}
        seat = int(next_.actor[5:])
        player = self.session.seated[seat]
        partner = {self.giver: self.taker, self.taker: self.giver}.get(player, "") if self.how else ""
        hand = self.hand
        left = [hand.players[place] for place in hand.left]
        way = way_of(player, self.night)
        raises, folds = way.raises, way.folds
        if partner in left:
            bettor = hand.players[hand.bets.aggressor] if hand.bets.aggressor >= 0 else ""
            alone = len(left) == 2
            if self.how == "soft" and (bettor == partner or alone):
                raises = 0.0
            elif self.how == "dump" and player == self.giver and (alone or bettor == partner):
                # He pays to see the flop, builds the pot, and leaves it to his partner as soon as that one bets.
                raises, folds = (0.0, 1.0 if hand.street else 0.0) if bettor == partner else (0.8, folds)
            elif self.how == "dump" and player == self.taker and bettor in ("", partner):
                raises = 0.7
        raising = by_name.get("raise") or by_name.get("bet")
        if raising is not None and (self.rng.random() < raises or not {"check", "call"} & set(by_name)):
            low, high = raising.low or 0, raising.high or 0
            return raising, max(low, min(low + self.rng.randrange(0, 4) * 1000, high))
        if "check" in by_name:
            return by_name["check"], 0
        if "fold" in by_name and self.rng.random() < folds:
            return by_name["fold"], 0
        return by_name["call"], by_name["call"].low or 0


def way_of(player: str, night: int) -> Way:
    """One night's way of a player: tight or loose, meek or wild."""
    drawn = Random(f"{player} {night}")
    return Way(0.05 + 0.3 * drawn.random(), 0.25 + 0.45 * drawn.random())


def night(
    monkeypatch: pytest.MonkeyPatch, seed: int, rounds: int, how: Together = "", pair: tuple[str, str] = ("", "")
) -> list[Envelope]:
    """A session dealt; `pair`: who gives and who takes."""

    class Tonight(Styled):
        pass

    Tonight.night, Tonight.how, (Tonight.giver, Tonight.taker) = seed, how, pair
    with monkeypatch.context() as patched:
        patched.setattr(dealer, "Play", Tonight)
        return list(dealer.deal(rounds, seed))
