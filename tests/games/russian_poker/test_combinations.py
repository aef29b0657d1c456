"""RP-34: the counts over all hands of a deck, by suit classes; RP-33: the examples; and a second reading of both."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from math import factorial

import pytest

from games.russian_poker.combinations import read_hand
from tests.games.russian_poker import second
from tests.soaking import FACTOR

RANKS, SUITS = "23456789TJQKA", "cdhs"
BY_SIZE = {size: list(combinations(RANKS, size)) for size in range(7)}

FIVE = {"1P+AK": 84_480, "2P+AK": 3_168, "3K+AK": 2_112, "4K+AK": 8}
SIX = {
    "1P+AK": 1_249_680, "2P+AK": 158_400, "2P+2P": 61_776, "3K+AK": 56_320, "ST+AK": 4_020, "ST+ST": 112_380,
    "FL+AK": 7_704, "FL+1P": 76_620, "FL+ST": 4_152, "FL+FL": 6_580, "FH+AK": 4_224, "FH+FH": 1_248, "4K+AK": 528,
    "4K+FH": 936, "SF+AK": 12, "SF+ST": 744, "SF+FL": 220, "SF+SF": 32, "RF+ST": 72, "RF+FL": 28, "RF+SF": 4,
    "AK": 1_290_420, "1P": 8_481_060, "2P": 2_312_640, "3K": 675_840, "ST": 245_220, "FL": 110_736, "FH": 160_512,
    "4K": 13_200, "SF": 648, "RF": 84, "HC": 5_322_480,
}  # fmt: skip
"""What RP-34 prints."""

Suited = tuple[tuple[str, ...], ...]


def classes(size: int) -> Iterator[tuple[tuple[str, ...], int]]:
    """Every hand but for an exchange of suits, with how many hands it stands for."""
    for sizes in _parts(size, size, 4):
        for suited in _filled(sizes, 0, 0):
            same = [factorial(count) for count in Counter(suited).values()]
            stands = 24
            for one in same:
                stands //= one
            yield tuple(rank + suit for suit, ranks in zip(SUITS, suited, strict=True) for rank in ranks), stands


def _parts(total: int, most: int, left: int) -> Iterator[tuple[int, ...]]:
    if left == 0:
        if total == 0:
            yield ()
        return
    for first in range(min(most, total), -1, -1):
        for rest in _parts(total - first, first, left - 1):
            yield (first, *rest)


def _filled(sizes: tuple[int, ...], place: int, start: int) -> Iterator[Suited]:
    if place == len(sizes):
        yield ()
        return
    begin = start if place and sizes[place] == sizes[place - 1] else 0
    choices = BY_SIZE[sizes[place]]
    for at in range(begin, len(choices)):
        for rest in _filled(sizes, place + 1, at):
            yield (choices[at], *rest)


def counted(size: int) -> Counter[str]:
    counts: Counter[str] = Counter()
    for cards, stands in classes(size):
        hand = read_hand.__wrapped__(cards)
        counts[hand.primary + (f"+{hand.second}" if hand.second is not None else "")] += stands
    return counts


def test_five_cards_have_a_second_combination_as_often_as_the_catalogue_counts() -> None:
    counts = counted(5)
    assert sum(counts.values()) == 2_598_960
    assert {pair: count for pair, count in counts.items() if "+" in pair} == FIVE


def test_six_cards_have_a_second_combination_as_often_as_the_catalogue_counts() -> None:
    assert dict(counted(6)) == SIX


def test_a_part_of_all_six_card_hands_read_a_second_time() -> None:
    step = 1 if FACTOR > 1 else 10
    read = 0
    for number, (cards, _stands) in enumerate(classes(6)):
        if number % step == 0:
            hand = read_hand.__wrapped__(cards)
            assert (hand.primary, hand.second) == second.read(cards), cards
            read += 1
    assert read * step >= 962_988


@pytest.mark.parametrize(
    ("cards", "primary", "beside"),
    [
        ("5s 5h Ad Kc 8h", "1P", "AK"), ("As Ah Kd 9c 6h", "1P", "AK"), ("As Kh 9d 9c 6h", "1P", "AK"),
        ("As Ah 7d 7c Kh", "2P", "AK"), ("Js Jh 6d 6c Ah Kd", "2P", "AK"), ("Qs Qh 5d 5c 3h 3d", "2P", "2P"),
        ("2s 2h 2d Ac Kh", "3K", "AK"), ("Ks Kh Kd Ac 4h", "3K", "AK"), ("5s 4h 3d 2c Ah Kd", "ST", "AK"),
        ("Js Th 9d 8c 7h 6d", "ST", "ST"), ("Js Th 9d 8c 7h 9s", "ST", "ST"), ("9s 8h 7d 6c 6h 5d", "ST", "ST"),
        ("As Qs 8s 7s 5s Kd", "FL", "AK"), ("As Qs 8s 7s 5s 8d", "FL", "1P"), ("As Qs Js Ts 9s Kd", "FL", "ST"),
        ("As Qs 8s 7s 5s 2s", "FL", "FL"), ("As Ah Ad 9c 9h Kd", "FH", "AK"), ("Qs Qh Qd 4s 4h 4d", "FH", "FH"),
        ("Ks Kh Kd Kc Ah", "4K", "AK"), ("9s 9h 9d 9c Jh Jd", "4K", "FH"), ("5s 4s 3s 2s As Kd", "SF", "AK"),
        ("Js Ts 9s 8s 7s Qd", "SF", "ST"), ("Js Ts 9s 8s 7s 9d", "SF", "ST"), ("Js Ts 9s 8s 7s As", "SF", "FL"),
        ("Js Ts 9s 8s 7s 6s", "SF", "SF"), ("As Ks Qs Js Ts 9d", "RF", "ST"), ("As Ks Qs Js Ts Jd", "RF", "ST"),
        ("As Ks Qs Js Ts 3s", "RF", "FL"), ("As Ks Qs Js Ts 9s", "RF", "SF"),
        ("As Ah Kd Kc 7h", "2P", None), ("As Ah Ad Kc Kh 7d", "FH", None), ("Qs Qh Qd 4s 4h 5d", "FH", None),
        ("9s 9h 9d 9c Jh 5d", "4K", None), ("Ks Qh Jd 7c 5h", "HC", None), ("Qc Kd Ah 2s 3c", "AK", None),
    ],
)  # fmt: skip
def test_the_examples_of_table_no_1_and_what_is_not_paid_twice(cards: str, primary: str, beside: str | None) -> None:
    hand = read_hand(tuple(cards.split()))
    assert (hand.primary, hand.second) == (primary, beside)


def test_a_rank_twice_in_a_straight_makes_a_pair_where_the_house_reads_it_so() -> None:
    twice, six = ("9s", "8h", "7d", "6c", "6h", "5d"), ("Js", "Th", "9d", "8c", "7h", "6d")
    assert read_hand(twice, "pair").second == "1P"
    assert read_hand(six, "pair").second == "ST"


@pytest.mark.parametrize("cards", [("As",), ("As",) * 4, ("As", "Ks", "Qs", "Js", "Ts", "9s", "8s")])
def test_other_numbers_of_cards_are_no_hand(cards: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="five or six"):
        read_hand(cards)
