"""What five or six cards are worth at this table: the best hand, and the second combination beside it (RP-26, RP-32).

The *core* of a combination is the cards that make it, kickers left out: five for straight, flush, full house and better
but four of a kind, four for four of a kind and two pair, three, two, and one ace and one king for ace-king. The second
combination is the highest whose core has a card that is not in the core of the best hand. Which pairs of the two are
paid is the edition's table; RP-34 counts that no other pair can occur.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Literal

from msgspec import Struct

from games.shared.poker.ranks import rank_key

Code = Literal["RF", "SF", "4K", "FH", "FL", "ST", "3K", "2P", "1P", "AK", "HC"]
CODES: tuple[Code, ...] = ("RF", "SF", "4K", "FH", "FL", "ST", "3K", "2P", "1P", "AK", "HC")
"""Categories, the highest first; `HC` is what no combination makes."""

ORDER = {code: place for place, code in enumerate(CODES)}
NAMES: dict[Code, str] = {
    "RF": "royal flush", "SF": "straight flush", "4K": "four of a kind", "FH": "full house", "FL": "flush",
    "ST": "straight", "3K": "three of a kind", "2P": "two pair", "1P": "pair", "AK": "ace-king", "HC": "nothing",
}  # fmt: skip

_LOWEST_KEY: tuple[tuple[int, Code], ...] = (
    (1, "RF"), (10, "SF"), (166, "4K"), (322, "FH"), (1599, "FL"), (1609, "ST"), (2467, "3K"), (3325, "2P"),
    (6185, "1P"),
)  # fmt: skip
_FIVE: frozenset[Code] = frozenset({"RF", "SF", "FH", "FL", "ST"})
"""Combinations that all five cards make."""

_AK_KEY = 6349
"""The weakest ace-king, A-K-4-3-2: every high card up to it holds ace and king."""

DupRank = Literal["straight", "pair"]
"""How a repeated rank in a six-card straight counts: as a second straight, or as a pair (D7)."""


class Hand(Struct, frozen=True, gc=False):
    """Five or six cards read: `key` as in `games.shared.poker.ranks` (smaller is stronger, equal keys tie), `primary`
    the category of the best hand, `second` that of the combination paid beside it, None if there is none."""

    key: int
    primary: Code
    second: Code | None = None

    @property
    def qualifies(self) -> bool:
        """RP-24: ace-king or better."""
        return self.primary != "HC"


def category(key: int) -> Code:
    """The category of a rank key, ace-king told apart from lower high cards."""
    for lowest, code in _LOWEST_KEY:
        if key <= lowest:
            return code
    return "AK" if key <= _AK_KEY else "HC"


@lru_cache(maxsize=4096)
def read_hand(cards: tuple[str, ...], dup_rank: DupRank = "straight") -> Hand:
    """The hand that five or six known, different cards make.

    Raises:
        KeyError: a card is unknown. ValueError: fewer than five or more than six cards.
    """
    if len(cards) not in (5, 6):
        raise ValueError(f"a hand here has five or six cards, not {len(cards)}")
    if len(cards) == 5:
        key = rank_key(cards)
        code = category(key)
        return Hand(key, code, _beside(code, _core(code, cards), cards))
    fives = [(rank_key(five), five) for five in combinations(cards, 5)]
    key, best = min(fives)
    code = category(key)
    core = _core(code, best)
    second = _second(core, cards, fives)
    if dup_rank == "pair" and code == "ST" and second == "ST" and _has_pair(cards):
        second = "1P"  # D7: the card that only repeats a rank of the straight makes a pair
    return Hand(key, code, second)


def _beside(code: Code, core: frozenset[str], cards: Sequence[str]) -> Code | None:
    """Beside the hand of five cards only ace-king can stand (RP-34)."""
    if code in _FIVE or code in ("AK", "HC"):
        return None
    return "AK" if _ace_king_outside(core, cards) else None


def _core(code: Code, five: Sequence[str]) -> frozenset[str]:
    """The cards of the best five that make it: all, or those of a rank that it has more than once; ace and king."""
    if code in _FIVE:
        return frozenset(five)
    if code in ("AK", "HC"):
        return frozenset(card for card in five if card[0] in "AK") if code == "AK" else frozenset()
    ranks = [card[0] for card in five]
    return frozenset(card for card in five if ranks.count(card[0]) > 1)


def _second(core: frozenset[str], cards: Sequence[str], fives: Sequence[tuple[int, tuple[str, ...]]]) -> Code | None:
    """The highest category with a core that has a card outside `core`."""
    best: Code | None = None
    for key, five in fives:
        code = category(key)
        if code in _FIVE and (best is None or ORDER[code] < ORDER[best]) and not core.issuperset(five):
            best = code
    for code, own in _groups(cards):
        if (best is None or ORDER[code] < ORDER[best]) and not core.issuperset(own):
            best = code
    if best is None and _ace_king_outside(core, cards):
        best = "AK"
    return best


def _groups(cards: Sequence[str]) -> Iterator[tuple[Code, tuple[str, ...]]]:
    """Every core of four of a kind, three of a kind, two pair and one pair among the cards."""
    by_rank: dict[str, list[str]] = {}
    for card in cards:
        by_rank.setdefault(card[0], []).append(card)
    several = [own for own in by_rank.values() if len(own) > 1]
    pairs: list[tuple[str, ...]] = []
    for own in several:
        if len(own) == 4:
            yield "4K", tuple(own)
        for three in combinations(own, 3):
            yield "3K", three
        for pair in combinations(own, 2):
            pairs.append(pair)
            yield "1P", pair
    for one, other in combinations(pairs, 2):
        if one[0][0] != other[0][0]:
            yield "2P", (*one, *other)


def _ace_king_outside(core: frozenset[str], cards: Sequence[str]) -> bool:
    """Whether an ace and a king are there, one of them not in `core`."""
    aces = [card for card in cards if card[0] == "A"]
    kings = [card for card in cards if card[0] == "K"]
    return bool(aces and kings) and not core.issuperset((*aces, *kings))


def _has_pair(cards: Sequence[str]) -> bool:
    return len({card[0] for card in cards}) < len(cards)
