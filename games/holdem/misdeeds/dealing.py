"""Breaches of the deal and the board (moments: dealing, board, before an action).

The dealer then puts them right as the rules say (`mending.py`): what is found is a misdeal or a correction.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from events.schema.common import CardBurned
from games.holdem.expects import expects
from games.holdem.misdeeds.moments import Misdeed
from games.protocol import Expectation
from games.shared.poker.events import CardDealt, CardExposed, CardFound
from games.shared.poker.hand import BOARD_CARDS, STREETS, deal_order

if TYPE_CHECKING:
    from games.holdem.dealer import Play


def wrong_first_seat(play: Play, next_: Expectation) -> bool:
    """NL-10: the first card goes to the second player; a misdeal is called and the hand dealt again."""
    hand = play.hand
    if play.seq or len(hand.seats) < 3:
        return False
    first = hand.place(int(next_.next_card[5:]))
    card, seq = play.next_card()
    play.say(CardDealt(f"seat/{hand.seats[(first + 1) % len(hand.seats)]}", card, seq=seq), 0.4)
    play.commit()
    return True


def _exposing(first: int, last: int) -> Misdeed:
    """One of these cards of the deal turns over."""

    def misdeed(play: Play, next_: Expectation) -> bool:
        if not first <= play.seq + 1 <= min(last, 2 * len(play.hand.seats)):
            return False
        card, seq = play.next_card()
        play.say(CardDealt(next_.next_card, card, seq=seq), 0.4)
        play.say(CardExposed(next_.next_card, "dealer", (card,), (seq,)), 0.2)
        play.commit()
        return True

    return misdeed


def two_exposed(play: Play, next_: Expectation) -> bool:
    """NL-16: two cards behind one another turn over."""
    hand = play.hand
    if not 3 <= play.seq + 1 < 2 * len(hand.seats):
        return False
    for _number in range(2):
        to = expects(play.session).next_card
        card, seq = play.next_card()
        play.say(CardDealt(to, card, seq=seq, face="up"), 0.4)
    play.commit()
    return True


def extra_card(play: Play, next_: Expectation) -> bool:
    """NL-21: the first player gets a third card, before anybody acts."""
    hand = play.hand
    if next_.phase != "preflop" or hand.actions or hand.pending is not None:
        return False
    seat = f"seat/{hand.seats[deal_order(hand, play.session.terms.heads_up)[0]]}"
    card, seq = play.next_card()
    play.say(CardDealt(seat, card, seq=seq, purpose="extra"), 0.4)
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


def _flop_of(count: int) -> Misdeed:
    """More cards on the flop than three."""

    def misdeed(play: Play, next_: Expectation) -> bool:
        if next_.next_card != "flop" or play.hand.board:
            return False
        for _number in range(count):
            card, seq = play.next_card()
            play.say(CardDealt("flop", card, seq=seq, face="up"), 1)
        play.commit()
        return True

    return misdeed


def _early(street: int) -> Misdeed:
    """The next street is laid while somebody has still to act."""

    def misdeed(play: Play, next_: Expectation) -> bool:
        hand = play.hand
        if hand.street != street or not next_.actor or hand.actions - hand.opened[0] < 1 or hand.pending is not None:
            return False
        card, seq = play.next_card()
        play.say(CardBurned(seq=seq), 1)
        name = STREETS[street + 1]
        for _number in range(BOARD_CARDS[street + 1] - BOARD_CARDS[street]):
            card, seq = play.next_card()
            play.say(CardDealt(name, card, seq=seq, face="up"), 1)
        play.commit()
        return True

    return misdeed


def foreign_card(play: Play, next_: Expectation) -> bool:
    """NL-01: a card of another deck comes to light in the middle of the hand; all goes back."""
    if not play.hand.board or not next_.actor or play.hand.pending is not None:
        return False
    play.say(CardFound("stub", "foreign"), 2)
    play.commit()
    return True


def shown_too_early(play: Play, next_: Expectation) -> bool:
    """NL-35: a card is turned for the curious while the hand is still on."""
    if next_.next_card != "burn" or len(play.hand.board) != BOARD_CARDS[-2]:
        return False
    card, seq = play.next_card()
    play.say(CardDealt("rabbit", card, seq=seq, face="up"), 1)
    play.commit()
    return True


def _board_plays(play: Play, players: int) -> None:
    """Broadway in mixed suits on the board: everybody plays it."""
    places = [2 * players + step for step in (1, 2, 3, 5, 7)]
    for place, card in zip(places, ("Tc", "Jd", "Qh", "Ks", "Ac"), strict=True):
        other = play.deck.index(card)
        play.deck[place], play.deck[other] = play.deck[other], play.deck[place]


AT_DEALING: dict[str, Misdeed] = {
    "NL-10": wrong_first_seat,
    "NL-14": _exposing(1, 2),
    "NL-15": _exposing(3, 18),
    "NL-16": two_exposed,
}

AT_BOARD: dict[str, Misdeed] = {
    "NL-13": no_burn,
    "NL-18": _flop_of(5),
    "NL-19": _flop_of(4),
    "NL-35": shown_too_early,
}

BEFORE_ACTING: dict[str, Misdeed] = {
    "NL-01": foreign_card,
    "NL-17": _early(0),
    "NL-20": _early(1),
    "NL-21": extra_card,
}
"""Done where somebody is on turn: the deal goes on or turns back when it should not."""

RIGGED: dict[str, Callable[[Any, int], None]] = {"NL-30": _board_plays, "NL-31": _board_plays}
