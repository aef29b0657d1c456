"""Breaches of the deal and the board (moments: dealing, board)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from games.holdem.misdeeds.moments import Misdeed
from games.protocol import Expectation
from games.shared.poker.events import CardDealt

if TYPE_CHECKING:
    from games.holdem.dealer import Play


def wrong_first_seat(play: Play, next_: Expectation) -> bool:
    """NL-10: the first card goes to the second player."""
    hand = play.hand
    if play.seq or len(hand.seats) < 3:
        return False
    first = hand.place(int(next_.next_card[5:]))
    second = (first + 1) % len(hand.seats)
    for place in (second, first):
        card, seq = play.next_card()
        play.say(CardDealt(f"seat/{hand.seats[place]}", card, seq=seq), 0.4)
    play.commit()
    return True


def no_burn(play: Play, next_: Expectation) -> bool:
    """NL-13: a street without burning."""
    if next_.next_card != "burn":
        return False
    laid = len(play.hand.board)
    street, cards = {0: ("flop", 3), 3: ("turn", 1), 4: ("river", 1)}[laid]
    for _number in range(cards):
        card, seq = play.next_card()
        play.say(CardDealt(street, card, seq=seq, face="up"), 1)
    play.commit()
    return True


def _board_plays(play: Play, players: int) -> None:
    """Broadway in mixed suits on the board: everybody plays it."""
    places = [2 * players + step for step in (1, 2, 3, 5, 7)]
    for place, card in zip(places, ("Tc", "Jd", "Qh", "Ks", "Ac"), strict=True):
        other = play.deck.index(card)
        play.deck[place], play.deck[other] = play.deck[other], play.deck[place]


AT_DEALING: dict[str, Misdeed] = {"NL-10": wrong_first_seat}

AT_BOARD: dict[str, Misdeed] = {"NL-13": no_burn}

RIGGED: dict[str, Callable[[Any, int], None]] = {"NL-30": _board_plays, "NL-31": _board_plays}
