"""Pots, rake and shares: the catalogue's examples, and a count chip by chip as a second opinion."""

from __future__ import annotations

from itertools import groupby

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.shared.poker.pots import Layer, RakeTerms, layers, rake_on, rakes, share, uncalled

CZK = 100


def terms(**more: object) -> RakeTerms:
    """5 %, at most 300, smallest chip 5."""
    known: dict[str, object] = {"rate_bp": 500, "cap": 300 * CZK, "unit": 5 * CZK}
    return RakeTerms(**(known | more))  # type: ignore[arg-type]


def chip_by_chip(live: list[int], out: list[bool]) -> tuple[int, list[tuple[int, tuple[int, ...]]]]:
    """Each chip level by itself: who has a chip there, and who of them can win it. Chips that are alone go back; who is
    the only one left wins every level."""
    alone, levels = 0, []
    for level in range(1, max(live, default=0) + 1):
        there = [place for place, amount in enumerate(live) if amount >= level]
        if len(there) == 1:
            alone += 1
        else:
            last = (out.index(False),) if out.count(False) == 1 else ()
            levels.append((len(there), last or tuple(place for place in there if not out[place])))
    pots = [(sum(size for size, _who in group), who) for who, group in groupby(levels, key=lambda level: level[1])]
    return alone, pots


HANDS = st.lists(st.tuples(st.integers(0, 30), st.booleans()), min_size=2, max_size=9).filter(
    lambda hand: not all(out for _amount, out in hand)
)


@given(HANDS)
def test_layers_are_what_a_count_chip_by_chip_gives(hand: list[tuple[int, bool]]) -> None:
    live, out = [amount for amount, _out in hand], [gone for _amount, gone in hand]
    who, returned = uncalled(live)
    if returned:
        live[who] -= returned
    alone, pots = chip_by_chip([amount for amount, _out in hand], out)
    assert returned == alone
    assert [(pot.amount, pot.eligible) for pot in layers(live, out)] == pots


@given(HANDS, st.integers(0, 20))
def test_no_chip_is_lost_in_layers(hand: list[tuple[int, bool]], dead: int) -> None:
    live, out = [amount for amount, _out in hand], [gone for _amount, gone in hand]
    assert sum(pot.amount for pot in layers(live, out, dead)) == sum(live) + dead


def test_five_stacks_make_four_pots_and_an_uncalled_part() -> None:
    live = [500, 1200, 2500, 4000, 6000]
    assert uncalled(live) == (4, 2000)
    live[4] -= 2000
    assert [pot.amount for pot in layers(live, [False] * 5)] == [2500, 2800, 3900, 3000]


def test_dead_chips_above_all_live_hands_belong_to_nobody() -> None:
    assert layers([300, 300, 200, 200], [True, True, False, False]) == [Layer(800, (2, 3)), Layer(200, ())]


def test_the_only_one_left_wins_what_dead_hands_put_in_above_his() -> None:
    assert layers([300, 300, 200], [True, True, False]) == [Layer(800, (2,))]


def test_dead_money_joins_the_main_pot() -> None:
    assert layers([100, 300, 300], [False] * 3, dead=5) == [Layer(305, (0, 1, 2)), Layer(400, (1, 2))]


def test_who_cannot_pay_the_whole_ante_plays_for_as_much_of_the_others() -> None:
    pots = layers([0, 40, 40], [False] * 3, antes=[6, 10, 10])
    assert pots == [Layer(18, (0, 1, 2)), Layer(88, (1, 2))]


@pytest.mark.parametrize(
    ("pot", "unit", "rake"), [(1000, 5, 50), (6000, 5, 300), (14000, 5, 300), (1230, 5, 60), (1230, 1, 61)]
)
def test_rake_is_five_per_cent_down_to_the_smallest_chip(pot: int, unit: int, rake: int) -> None:
    assert rake_on(pot * CZK, terms(unit=unit * CZK)) == rake * CZK


def test_rake_rounds_as_the_house_does() -> None:
    base = 1230 * CZK
    assert rake_on(base, terms(rounding="nearest")) == 60 * CZK
    assert rake_on(1250 * CZK, terms(rounding="nearest")) == 65 * CZK
    assert rake_on(base, terms(rounding="floor_1_czk")) == 61 * CZK
    assert rake_on(10_000 * CZK, terms(rounding="nearest", cap=298 * CZK)) == 295 * CZK


def test_one_cap_over_all_pots_main_pot_first() -> None:
    pots = [Layer(amount * CZK, (0, 1)) for amount in (2500, 2800, 3900, 3000)]
    assert rakes(pots, terms()) == [125 * CZK, 140 * CZK, 35 * CZK, 0]


def test_proportional_rake_adds_up_to_the_same() -> None:
    pots = [Layer(amount * CZK, (0, 1)) for amount in (2500, 2800, 3900, 3000)]
    taken = rakes(pots, terms(allocation="proportional"))
    assert taken == [60 * CZK, 70 * CZK, 95 * CZK, 75 * CZK]
    assert sum(taken) == sum(rakes(pots, terms()))


def test_uncalled_chips_are_raked_only_where_all_chips_are() -> None:
    pot = [Layer(2000 * CZK, (0, 1))]
    assert rakes(pot, terms(), returned=1500 * CZK) == [100 * CZK]
    assert rakes(pot, terms(all_chips_in=True), returned=1500 * CZK) == [175 * CZK]


def test_no_flop_no_drop() -> None:
    pot = [Layer(750 * CZK, (0,))]
    assert rakes(pot, terms(), flop_seen=False) == [35 * CZK]
    assert rakes(pot, terms(no_flop_no_drop=True), flop_seen=False) == [0]
    assert rakes(pot, terms(no_flop_no_drop=True), flop_seen=True) == [35 * CZK]


def test_each_pot_by_itself() -> None:
    pots = [Layer(230 * CZK, (0, 1)), Layer(230 * CZK, (1, 2)), Layer(9000 * CZK, (1, 2))]
    assert rakes(pots, terms(pot_by_pot=True)) == [10 * CZK, 10 * CZK, 280 * CZK]
    assert sum(rakes(pots, terms())) == 300 * CZK


@given(
    st.lists(st.integers(1, 20_000), min_size=1, max_size=6),
    st.sampled_from(["floor_to_smallest_chip", "nearest", "floor_1_czk"]),
    st.sampled_from(["main_pot_first", "proportional"]),
    st.booleans(),
    st.integers(0, 3000),
)
def test_rake_never_exceeds_cap_or_pot(
    amounts: list[int], rounding: str, allocation: str, all_in: bool, returned: int
) -> None:
    pots = [Layer(amount * CZK, (0, 1)) for amount in amounts]
    own = terms(rounding=rounding, allocation=allocation, all_chips_in=all_in)
    taken = rakes(pots, own, returned=returned * CZK)
    assert sum(taken) <= 300 * CZK
    assert all(0 <= rake <= pot.amount for rake, pot in zip(taken, pots, strict=True))


def test_the_odd_chip_goes_to_the_first_in_order() -> None:
    assert share(335, [8, 2], 5) == {8: 170, 2: 165}
    assert share(855, [1, 2, 3], 5) == {1: 285, 2: 285, 3: 285}
    assert share(100, [4, 5, 6], 5) == {4: 35, 5: 35, 6: 30}


def test_what_is_smaller_than_a_chip_goes_to_the_next_in_order() -> None:
    assert share(107, [1, 2], 5) == {1: 55, 2: 52}


@given(st.integers(0, 100_000), st.integers(1, 9), st.sampled_from([1, 5, 25, 100]))
def test_shares_add_up_and_differ_by_a_chip_at_most(amount: int, count: int, unit: int) -> None:
    shares = share(amount, list(range(count)), unit)
    assert sum(shares.values()) == amount
    assert max(shares.values()) - min(shares.values()) <= unit
