"""The layout and the wheel: identities of roulette.md 2.2 to 2.4, worked out from the geometry."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from games.roulette.layout import (
    BLACK,
    CALLS,
    EVEN_CHANCES,
    NUMBERS,
    POSITIONS,
    RED,
    WHEEL,
    canonical,
    components,
    find_position,
)
from games.shared.wheel import arc
from tests.games.roulette.room import SHIPPED

PAYS = SHIPPED.constants


def test_there_are_157_positions_as_many_of_each_type_as_the_catalogue_counts() -> None:
    kinds = Counter(place.type for place in POSITIONS.values())
    assert len(POSITIONS) == 157
    assert kinds == {
        "straight": 37, "split": 60, "street": 14, "corner": 23, "six_line": 11, "dozen": 3, "column": 3,
        **dict.fromkeys(EVEN_CHANCES, 1),
    }  # fmt: skip


def test_every_position_covers_as_many_numbers_as_its_type_says() -> None:
    covered = {"straight": 1, "split": 2, "street": 3, "corner": 4, "six_line": 6, "dozen": 12, "column": 12}
    for place in POSITIONS.values():
        assert len(place.numbers) == covered.get(place.type, 18), place
        assert place.numbers <= set(NUMBERS)


def test_every_position_loses_one_stake_in_37_spins() -> None:
    for place in POSITIONS.values():
        ratio = PAYS.ratio(place.type)
        assert ratio * len(place.numbers) - (37 - len(place.numbers)) == -1, place


def test_no_two_positions_of_one_type_cover_the_same_numbers() -> None:
    for kind in {place.type for place in POSITIONS.values()}:
        sets = [place.numbers for place in POSITIONS.values() if place.type == kind]
        assert len(set(sets)) == len(sets)


@pytest.mark.parametrize(
    "text",
    ["0/1", "0/2", "0/3", "2/3", "2/5", "0/1/2", "0/2/3", "25/26/27", "0/1/2/3", "7/8/10/11", "16/17/18/19/20/21",
     "31/32/33/34/35/36", "33/36", "dozen/3", "column/2", "even"],
)  # fmt: skip
def test_the_layout_has(text: str) -> None:
    place = find_position(text)
    assert place is not None
    assert place.text == text


@pytest.mark.parametrize(
    "text",
    ["", "37", "-1", "0/4", "3/4", "1/5", "0/1/3", "1/2/3/4", "3/4/6/7", "2/3/4/5/6/7", "36/37", "dozen/4", "column/0",
     "dozen/1/2", "red/black", "Red", "1/1", "1//2", "1/2/", "1/2/3/4/5/6/7", "０", "call:tiers", "9999999999/1"],
)  # fmt: skip
def test_the_layout_does_not_have(text: str) -> None:
    assert find_position(text) is None
    assert canonical(text) == text


def test_numbers_in_any_order_name_the_place() -> None:
    assert canonical("20/17") == "17/20"
    assert canonical("3/0/2") == "0/2/3"


def test_red_and_black_share_the_numbers_but_zero() -> None:
    assert set(range(1, 37)) == RED | BLACK
    assert not RED & BLACK
    # They alternate round the wheel but for zero.
    colours = [number in RED for number in WHEEL[1:]]
    assert all(one != other for one, other in pairwise(colours))


def numbers_of(kind: str, number: int | None = None) -> Counter[int]:
    chips: Counter[int] = Counter()
    for part in components(kind, number):
        for covered in POSITIONS[part.position].numbers:
            chips[covered] += part.chips
    return chips


@pytest.mark.parametrize(
    ("kind", "chips", "arcs"),
    [
        ("jeu_zero", 4, ["12 35 3 26 0 32 15"]),
        ("voisins", 9, ["22 18 29 7 28 12 35 3 26 0 32 15 19 4 21 2 25"]),
        ("tiers", 6, ["27 13 36 11 30 8 23 10 5 24 16 33"]),
        ("orphelins", 5, ["17 34 6", "1 20 14 31 9"]),
    ],
)
def test_a_call_bet_covers_its_arcs_of_the_wheel(kind: str, chips: int, arcs: list[str]) -> None:
    assert sum(part.chips for part in CALLS[kind]) == chips
    numbers = [[int(number) for number in text.split()] for text in arcs]
    assert set(numbers_of(kind)) == {number for one in numbers for number in one}
    for one in numbers:
        start = WHEEL.index(one[0])
        assert [WHEEL[(start + step) % 37] for step in range(len(one))] == one


def test_voisins_tiers_and_orphelins_cover_each_number_once() -> None:
    covered = [number for kind in ("voisins", "tiers", "orphelins") for number in numbers_of(kind)]
    assert sorted(covered) == list(NUMBERS)


@pytest.mark.parametrize(
    ("kind", "nets"),
    [
        ("jeu_zero", {26: 32, 12: 14, 35: 14, 3: 14, 0: 14, 32: 14, 15: 14}),
        ("voisins", {0: 15, 2: 15, 3: 15, 25: 9, 4: 9, 22: 9, 29: 9}),
        ("tiers", {33: 12, 5: 12}),
        ("orphelins", {1: 31, 17: 31, 6: 13, 9: 13, 14: 13, 20: 13, 31: 13, 34: 13}),
    ],
)
def test_nets_of_a_call_bet_in_chips(kind: str, nets: dict[int, int]) -> None:
    parts = components(kind)
    chips = sum(part.chips for part in parts)

    def net(number: int) -> int:
        hits = [part for part in parts if number in POSITIONS[part.position].numbers]
        paid: int = sum(part.chips * PAYS.ratio(POSITIONS[part.position].type) for part in hits)
        return paid - (chips - sum(part.chips for part in hits))

    assert {number: net(number) for number in nets} == nets
    assert sum(net(number) for number in NUMBERS) == -chips


@pytest.mark.parametrize(
    ("centre", "five"), [(5, "23 10 5 24 16"), (0, "3 26 0 32 15"), (26, "35 3 26 0 32"), (17, "2 25 17 34 6")]
)
def test_neighbours(centre: int, five: str) -> None:
    assert [part.position for part in components("neighbours", centre)] == five.split()


def test_no_call_bet_by_another_name_and_no_neighbours_of_nothing() -> None:
    assert components("zero_spiel") == ()
    assert components("neighbours") == ()
    assert components("neighbours", 37) == ()


def test_neighbours_all_round_are_the_wheel() -> None:
    assert set(arc(WHEEL, 0, 18)) == set(NUMBERS)
    assert set(arc(WHEEL, 0, 40)) == set(NUMBERS)
