"""What a hand may do: the rules on single decisions (BJ-28, BJ-30 to BJ-34). Play and expectation ask the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from games.blackjack.bets import Box
from games.blackjack.events import Extra
from games.blackjack.hands import EVEN_MONEY, SURRENDER, Hand, Play
from games.blackjack.totals import TWENTY_ONE, is_pair, is_three_sevens

HIT, STAND, DOUBLE, SPLIT = "hit", "stand", "double", "split"
EXTRAS: dict[str, Extra] = {SPLIT: "split", DOUBLE: "double"}
"""Decisions that want a further stake, and what that is for."""
CARD_ACTS = (HIT, STAND, DOUBLE, SPLIT)
ACTS = (*CARD_ACTS, SURRENDER)
WORDS = (*ACTS, EVEN_MONEY)
"""All that a player can say; any other word is no decision (BJ-27)."""

NOT_A_PAIR = ("BJ-31", "not_a_pair")

House = Callable[[str], Any]
"""A house's reading of a parameter."""


def is_blackjack(house: House, hand: Hand) -> bool:
    """21 with the first two cards, not after a split (BJ-44, BJ-A12)."""
    return hand.is_blackjack(after_split=house("blackjack.bj_after_split"))


def paid_at_once(house: House, upcard: str) -> bool:
    """Whether blackjack waits for no card of the dealer: he cannot have one himself (BJ-38, BJ-A07)."""
    return upcard in tuple("23456789") or (upcard == "A" and house("blackjack.bj_vs_ace") == "pay_3_2_at_once")


def counts_sevens(house: House, hand: Hand) -> bool:
    """Three sevens that are paid as such (BJ-37, BJ-A10)."""
    if not is_three_sevens(hand.names) or (hand.from_split and not house("blackjack.triple7_on_split")):
        return False
    return not hand.doubled or bool(house("blackjack.triple7_on_double"))


def is_closed(house: House, hand: Hand, hands: int) -> bool:
    """21 or more, stood, doubled, a split ace with its card, nobody's money left on it (BJ-28).

    `hands`: how many the box has.
    """
    if hand.stood or hand.doubled or hand.starved or not (hand.playing or hand.unpaid):
        return True
    if hand.ace and len(hand.cards) >= 2:
        return no_split(house, hand, hands) is not None
    return hand.points >= TWENTY_ONE


def no_split(house: House, hand: Hand, hands: int) -> tuple[str, str] | None:
    """The rule and code of what speaks against a split (BJ-31, BJ-20); None if nothing does."""
    if not is_pair(hand.names, house("blackjack.split_pair_basis")):
        return NOT_A_PAIR
    most = house("blackjack.max_hands_per_box")
    if hands >= most:
        return ("BJ-31" if most == 4 else "BJ-20"), "split_limit"
    if hand.ace and not house("blackjack.resplit_aces"):
        return "BJ-33", "split_limit"
    return None


def no_double(house: House, hand: Hand) -> bool:
    """Whether something speaks against a double (BJ-30, BJ-A14)."""
    if len(hand.cards) != 2 or hand.doubled or hand.stood or is_blackjack(house, hand):
        return True
    if hand.ace:
        return not house("blackjack.double_on_split_aces")
    return hand.points == TWENTY_ONE and not house("blackjack.double_on_split_21")


def may_surrender(house: House, play: Play, hand: Hand, *, drawn: bool) -> bool:
    """Whether the hand may be given up for half (BJ-34, BJ-A15); `drawn`: some box has drawn a card."""
    if house("blackjack.surrender_window") == "before_any_card" and drawn:
        return False
    first = play.dealt and not hand.from_split and len(hand.cards) == 2 and not hand.doubled and not hand.stood
    return first and play.upcard != "A" and hand.points < TWENTY_ONE


def decider(box: Box, hand: Hand) -> str:
    """Whose word counts for a hand: its box's owner, without him who joined first of those still on it (BJ-A35)."""
    if box.owner in hand.playing or not hand.playing:
        return box.owner
    return hand.playing[0]
