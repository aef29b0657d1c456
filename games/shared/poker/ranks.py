"""Hand ranks: phevaluator behind our own names, and a hand's name in words.

A rank key is an integer, smaller is stronger, equal keys split: 1 is the royal flush, 7462 is 7-5-4-3-2 unsuited.
Suits never decide. A-2-3-4-5 is the lowest straight (NL-A34).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations

from phevaluator import _pheval

from events.values.cards import RANKS, SUITS

WORST = 7462

_IDS: dict[str, int] = {
    rank + suit: number * 4 + place for number, rank in enumerate(RANKS) for place, suit in enumerate(SUITS)
}
"""phevaluator's own numbering (2c 0, 2d 1, … As 51)."""

_EVALUATE: dict[int, Callable[..., int]] = {
    5: _pheval.evaluate_5cards,
    6: _pheval.evaluate_6cards,
    7: _pheval.evaluate_7cards,
}
"""By number of cards. Its public functions look at each card for what it may be, which takes four times as long as the
ranking itself; ours are numbers always."""

_LOWEST_KEY: tuple[tuple[int, str], ...] = (
    (1, "royal flush"),
    (10, "straight flush"),
    (166, "four of a kind"),
    (322, "full house"),
    (1599, "flush"),
    (1609, "straight"),
    (2467, "three of a kind"),
    (3325, "two pair"),
    (6185, "pair"),
    (WORST, "high card"),
)
"""The weakest key of each category; the categories follow each other without holes."""

CATEGORIES: tuple[str, ...] = tuple(name for _key, name in _LOWEST_KEY)

_WORST_UNBEATABLE = 2467
"""Three of a kind: two pair or less is always beaten by somebody's pair of a card on the board."""

_SINGULAR = {
    "2": "deuce", "3": "three", "4": "four", "5": "five", "6": "six", "7": "seven", "8": "eight", "9": "nine",
    "T": "ten", "J": "jack", "Q": "queen", "K": "king", "A": "ace",
}  # fmt: skip


def rank_key(cards: Sequence[str]) -> int:
    """The key of the best five of five, six or seven known, different cards.

    Raises:
        KeyError: a card is unknown (`??`) or none.
        ValueError: fewer than five or more than seven cards.
    """
    evaluate = _EVALUATE.get(len(cards))
    if evaluate is None:
        raise ValueError(f"a hand is ranked from five to seven cards, not {len(cards)}")
    return evaluate(*[_IDS[card] for card in cards])


def unbeatable(hole: Sequence[str], board: Sequence[str]) -> tuple[bool, bool]:
    """Of two own cards on a full board: whether none of the other players' possible holdings (two of the 45 cards that
    he does not see) beats them, and whether every one of them ties (NL-40).

    Raises:
        KeyError: a card is unknown.
    """
    own = rank_key((*hole, *board))
    if own > _WORST_UNBEATABLE:
        return False, False
    common = [_IDS[card] for card in board]
    seen = {*common, *[_IDS[card] for card in hole]}
    # High cards first: what beats a hand is found soon.
    unseen = [card for card in range(51, -1, -1) if card not in seen]
    ties, evaluate = True, _EVALUATE[7]
    for one, other in combinations(unseen, 2):
        key = evaluate(*common, one, other)
        if key < own:
            return False, False
        ties = ties and key == own
    return True, ties


def best_holding(hole: Sequence[str], board: Sequence[str]) -> tuple[str, str]:
    """The strongest two cards that somebody else may hold on a full board, given those that the player holds.

    Raises:
        KeyError: a card is unknown.
    """
    seen = {*hole, *board}
    unseen = [card for card in reversed(list(_IDS)) if card not in seen]
    return min(combinations(unseen, 2), key=lambda pair: rank_key((*pair, *board)))


def category(key: int) -> str:
    """`royal flush` … `high card`."""
    return next(name for lowest, name in _LOWEST_KEY if key <= lowest)


def best_five(cards: Sequence[str]) -> tuple[str, ...]:
    """The five cards that make the hand, strongest group first (of equal choices the first in order of `cards`)."""
    best = min(combinations(cards, 5), key=rank_key)
    if category(rank_key(best)) in ("straight", "straight flush") and {card[0] for card in best} >= {"A", "5"}:
        return tuple(sorted(best, key=lambda card: -1 if card[0] == "A" else RANKS.index(card[0]), reverse=True))
    count = Counter(card[0] for card in best)
    return tuple(sorted(best, key=lambda card: (count[card[0]], RANKS.index(card[0])), reverse=True))


def hand_name(cards: Sequence[str]) -> str:
    """In words: `two pair, kings and sevens, ace kicker`."""
    five = best_five(cards)
    kind = category(rank_key(five))
    ranks = [card[0] for card in five]
    groups = list(dict.fromkeys(ranks))
    first = _SINGULAR[groups[0]]
    if kind == "royal flush":
        return kind
    if kind in ("straight flush", "straight", "flush"):
        return f"{kind}, {first} high"
    if kind == "full house":
        return f"full house, {_plural(groups[0])} full of {_plural(groups[1])}"
    if kind == "two pair":
        return f"two pair, {_plural(groups[0])} and {_plural(groups[1])}, {_SINGULAR[groups[2]]} kicker"
    if kind == "high card":
        return f"high card {', '.join(_SINGULAR[rank] for rank in groups)}"
    *others, last = [_SINGULAR[rank] for rank in groups[1:]]
    kickers = f"{', '.join(others)} and {last} kickers" if others else f"{last} kicker"
    return f"{kind}, {_plural(groups[0])}, {kickers}"


def _plural(rank: str) -> str:
    return "sixes" if rank == "6" else f"{_SINGULAR[rank]}s"
