"""Values of cards and hands, pure (blackjack.md section 2, BJ-24, BJ-42). A card is two letters, rank and suit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from events.values.cards import UNKNOWN

TWENTY_ONE = 21
DEALER_STANDS = 17

POINTS: dict[str, int] = {"A": 1, "T": 10, "J": 10, "Q": 10, "K": 10, **{str(pip): pip for pip in range(2, 10)}}


class Total(NamedTuple):
    """A hand's total; `soft` while one ace counts 11."""

    points: int
    soft: bool = False


def total(cards: Iterable[str]) -> Total:
    """Every ace 1; if there is one and 10 more do not pass 21, one of them 11. A card that nobody named counts 0."""
    hard, aces = 0, False
    for card in cards:
        rank = card[0]
        hard += POINTS.get(rank, 0)
        aces = aces or rank == "A"
    if aces and hard + 10 <= TWENTY_ONE:
        return Total(hard + 10, soft=True)
    return Total(hard)


def is_known(cards: Iterable[str]) -> bool:
    """Whether the record names every card."""
    return UNKNOWN not in cards


def is_21_in_two(cards: Sequence[str]) -> bool:
    """An ace and a ten-value: blackjack, unless the hand comes from a split (BJ-A12)."""
    return len(cards) == 2 and total(cards).points == TWENTY_ONE


def is_three_sevens(cards: Sequence[str]) -> bool:
    """7, 7, 7; suits do not matter (BJ-37)."""
    return len(cards) == 3 and all(card[0] == "7" for card in cards)


def is_pair(cards: Sequence[str], basis: str) -> bool:
    """Two cards of equal `point_value`, or of equal `rank` (BJ-31, BJ-A04)."""
    if len(cards) != 2 or not is_known(cards):
        return False
    one, other = cards[0][0], cards[1][0]
    return one == other if basis == "rank" else POINTS[one] == POINTS[other]


def dealer_stands(cards: Sequence[str]) -> bool:
    """The dealer draws to 16 and stands on every 17, soft or hard, or is over 21 (BJ-42)."""
    return total(cards).points >= DEALER_STANDS


def total_text(cards: Sequence[str]) -> str:
    """`17`, `soft 17`, `22: over`, `blackjack` as a person reads it; `?` with a card that nobody named."""
    if not cards:
        return ""
    if not is_known(cards):
        return "?"
    points, soft = total(cards)
    if points > TWENTY_ONE:
        return f"{points}: over"
    return f"soft {points}" if soft and points < TWENTY_ONE else str(points)
