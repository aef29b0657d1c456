"""Hand ranks against a comparator of our own, written here from the order of hands in the plan (§5.4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, combinations_with_replacement, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from events.values.cards import DECK, RANKS
from games.shared.poker.ranks import WORST, best_five, category, hand_name, rank_key
from tests.soaking import examples

FIVES = st.lists(st.sampled_from(DECK), min_size=5, max_size=5, unique=True)
SEVENS = st.lists(st.sampled_from(DECK), min_size=7, max_size=7, unique=True)


def strength(cards: Sequence[str]) -> tuple[int, ...]:
    """The strength of five cards, more is better: category, then the ranks that decide in their order."""
    counts = Counter(RANKS.index(card[0]) for card in cards)
    ordered = sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True)
    shape = sorted(counts.values(), reverse=True)
    flush = len({card[1] for card in cards}) == 1
    top = _straight(set(counts))
    if top and flush:
        return (8, top)
    if shape[0] == 4:
        return (7, *ordered)
    if shape == [3, 2]:
        return (6, *ordered)
    if flush:
        return (5, *ordered)
    if top:
        return (4, top)
    return ({3: 3, 2: 1}.get(shape[0], 0) + (shape[:2] == [2, 2]), *ordered)


def _straight(ranks: set[int]) -> int:
    """Its highest rank; the five of ace to five; 0 if there is none."""
    if len(ranks) < 5:
        return 0
    if ranks == {12, 0, 1, 2, 3}:
        return 3
    return max(ranks) if max(ranks) - min(ranks) == 4 else 0


def one_of_each_class() -> list[tuple[str, ...]]:
    """A hand of each of the 7,462 kinds that can differ."""
    hands = []
    for ranks in combinations_with_replacement(RANKS, 5):
        if max(Counter(ranks).values()) <= 4:
            seen: Counter[str] = Counter()
            mixed = []
            for place, rank in enumerate(ranks):
                suits = "cdhs" if len(set(ranks)) < 5 else "ccccd"
                mixed.append(rank + (suits[seen[rank]] if len(set(ranks)) < 5 else suits[place]))
                seen[rank] += 1
            hands.append(tuple(mixed))
            if len(set(ranks)) == 5:
                hands.append(tuple(rank + "h" for rank in ranks))
    return hands


def test_all_classes_stand_in_the_order_of_the_plan() -> None:
    hands = one_of_each_class()
    assert len(hands) == WORST
    by_key = sorted(hands, key=rank_key)
    assert [rank_key(hand) for hand in by_key] == list(range(1, WORST + 1))
    strengths = [strength(hand) for hand in by_key]
    assert all(better > worse for better, worse in pairwise(strengths))


@given(SEVENS, SEVENS)
@settings(max_examples=examples(300))
def test_the_best_five_of_seven_decide(one: list[str], other: list[str]) -> None:
    mine = max(strength(five) for five in combinations(one, 5))
    theirs = max(strength(five) for five in combinations(other, 5))
    assert (mine > theirs, mine == theirs) == (rank_key(one) < rank_key(other), rank_key(one) == rank_key(other))
    assert strength(best_five(one)) == mine
    assert rank_key(best_five(one)) == rank_key(one)


@given(FIVES, st.permutations("cdhs"))
def test_suits_never_decide(cards: list[str], suits: list[str]) -> None:
    turned = dict(zip("cdhs", suits, strict=True))
    assert rank_key([card[0] + turned[card[1]] for card in cards]) == rank_key(cards)


@given(SEVENS)
def test_six_of_the_seven_are_at_most_as_good(cards: list[str]) -> None:
    assert rank_key(cards[:6]) >= rank_key(cards)


@pytest.mark.parametrize(
    ("cards", "name"),
    [
        ("As Ks Qs Js Ts 2c 3d", "royal flush"),
        ("5h 4h 3h 2h Ah Kc Kd", "straight flush, five high"),
        ("9c 9d 9h 9s 2c Kd 3h", "four of a kind, nines, king kicker"),
        ("7c 7d 7h As Ad 2c 3d", "full house, sevens full of aces"),
        ("Kd Jd 9d 5d 2d Ac Ah", "flush, king high"),
        ("Ah 2d 3c 4s 5s Ks 9d", "straight, five high"),
        ("6c 6d 6h As 9d 2c 3d", "three of a kind, sixes, ace and nine kickers"),
        ("Kc Kd 7h 7s Ad 2c 3d", "two pair, kings and sevens, ace kicker"),
        ("Qc Qd Ah 9s 4d 2c 7d", "pair, queens, ace, nine and seven kickers"),
        ("Ac Kd 9h 7s 5d 3c 2d", "high card ace, king, nine, seven, five"),
    ],
)
def test_hands_have_names(cards: str, name: str) -> None:
    assert hand_name(cards.split()) == name


def test_categories_follow_each_other() -> None:
    assert [category(key) for key in (1, 2, 10, 11, 167, 323, 1600, 1610, 2468, 3326, 6186, WORST)] == [
        "royal flush", "straight flush", "straight flush", "four of a kind", "full house", "flush", "straight",
        "three of a kind", "two pair", "pair", "high card", "high card",
    ]  # fmt: skip


def test_unknown_cards_have_no_rank() -> None:
    with pytest.raises(KeyError):
        rank_key(["??", "Ah", "Kd", "Qs", "Jc"])
    with pytest.raises(ValueError, match="five to seven"):
        rank_key(["Ah", "Kd"])
