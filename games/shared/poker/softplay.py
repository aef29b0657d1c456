"""Soft play: who acts last on the last street and holds a hand that nobody can beat has to bet or raise (NL-40)."""

from __future__ import annotations

from collections.abc import Callable

from games.shared.poker.betting import NOBODY, NOT_SINCE, Limits, options
from games.shared.poker.hand import STREETS, Hand, Terms

Unbeatable = Callable[[Hand, int], tuple[bool, bool]]
"""Whether no holding beats the hand at a position, and whether every one only ties; (False, False) if unknown."""

LAST_STREET = len(STREETS) - 1


def owes_aggression(hand: Hand, limits: Limits, terms: Terms, unbeatable: Unbeatable) -> bool:
    """Whether the player on turn may neither check nor only call: it would end the betting, he can raise, somebody can
    call him, and he cannot be beaten."""
    place = hand.bets.actor
    if hand.street != LAST_STREET or place == NOBODY or terms.soft_play == "off":
        return False
    if not _closes(hand, place) or not _can_raise(hand, limits, terms, place):
        return False
    best, ties = unbeatable(hand, place)
    return best and (terms.soft_play == "always" or not ties)


def _closes(hand: Hand, place: int) -> bool:
    """Whether a check or call of his is the last action: all others have acted, or cannot."""
    bets, stacks = hand.bets, hand.stacks
    return all(
        other == place or stacks[other] <= 0 or (bets.acted[other] != NOT_SINCE and bets.front[other] >= bets.to_match)
        for other in hand.left
    )


def _can_raise(hand: Hand, limits: Limits, terms: Terms, place: int) -> bool:
    if hand.exposed[place] >= (2 if terms.exposed_both else 1):
        return False
    if not any(hand.stacks[other] > 0 for other in hand.left if other != place):
        return False
    return options(hand.bets, limits, hand.stacks, place, hand.contributed).low is not None
