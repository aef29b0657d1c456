"""Breaches of seats, button and blinds (moments: posting)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.holdem.chips import UNIT
from games.holdem.misdeeds.moments import Misdeed
from games.protocol import Expectation
from games.shared.poker.events import Posted
from games.shared.poker.hand import blinds_due

if TYPE_CHECKING:
    from games.holdem.dealer import Play


def _post(play: Play, kind: str, place: int, amount: int) -> None:
    play.say(Posted(play.hand.seats[place], kind, amount), 1)  # type: ignore[arg-type]


def blind_amount(play: Play, _next: Expectation) -> bool:
    """NL-03: the small blind is posted one chip more than announced."""
    small, big = blinds_due(play.hand, play.session.terms.heads_up)
    stakes = play.session.stakes
    _post(play, "small_blind", small, stakes.small_blind + UNIT)
    _post(play, "big_blind", big, min(stakes.big_blind, play.hand.stacks[big]))
    play.commit()
    return True


def blind_seat(play: Play, _next: Expectation) -> bool:
    """NL-08: the seat behind the big blind posts the small blind."""
    hand, stakes = play.hand, play.session.stakes
    if len(hand.seats) < 3:
        return False
    _small, big = blinds_due(hand, play.session.terms.heads_up)
    _post(play, "small_blind", (big + 1) % len(hand.seats), stakes.small_blind)
    _post(play, "big_blind", big, stakes.big_blind)
    play.commit()
    return True


def no_small_blind(play: Play, _next: Expectation) -> bool:
    """NL-09: only the big blind is posted."""
    _small, big = blinds_due(play.hand, play.session.terms.heads_up)
    _post(play, "big_blind", big, play.session.stakes.big_blind)
    play.commit()
    return True


AT_POSTING: dict[str, Misdeed] = {"NL-03": blind_amount, "NL-08": blind_seat, "NL-09": no_small_blind}
