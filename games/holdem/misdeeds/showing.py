"""Breaches at the showdown (moment: showing)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.holdem.misdeeds.acting import seat_of
from games.holdem.misdeeds.moments import Misdeed
from games.holdem.payouts import plays_board
from games.protocol import Expectation
from games.shared.poker.showing import all_in_showdown

if TYPE_CHECKING:
    from games.holdem.dealer import Play


def shown_out_of_order(play: Play, next_: Expectation) -> bool:
    """NL-27: another than the one due shows first."""
    hand = play.hand
    _own, place = seat_of(play, next_)
    others = [other for other in hand.left if other != place and other not in hand.shows]
    if not others or hand.shows:
        return False
    play.table_hand(hand.seats[others[-1]])
    play.commit()
    return True


def _last_mucks(play: Play, next_: Expectation) -> bool:
    hand = play.hand
    seat, _place = seat_of(play, next_)
    if len(hand.shows) != len(hand.left) - 1 or all_in_showdown(hand):
        return False
    play.muck_hand(seat)
    play.commit()
    return True


def board_plays_and_one_mucks(play: Play, next_: Expectation) -> bool:
    """NL-30: somebody plays the board, and the last one gives his cards away."""
    return _last_mucks(play, next_)


def muck_all_in(play: Play, next_: Expectation) -> bool:
    """NL-28: at an all-in showdown the last one does not show, and nobody plays the board (that were NL-30)."""
    hand = play.hand
    seat, _place = seat_of(play, next_)
    if len(hand.shows) != len(hand.left) - 1 or not all_in_showdown(hand):
        return False
    if any(plays_board(hand, place) for place in hand.shows):
        return False
    play.muck_hand(seat)
    play.commit()
    return True


AT_SHOWING: dict[str, Misdeed] = {
    "NL-27": shown_out_of_order,
    "NL-28": muck_all_in,
    "NL-30": board_plays_and_one_mucks,
}
