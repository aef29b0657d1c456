"""Who shows first, and who wins what: high hands, cut pots, hands that were not tabled."""

from __future__ import annotations

from collections.abc import Sequence

from games.shared.poker.pots import Layer
from games.shared.poker.showdown import Keys, Money, Outcome, settle, show_order


def free(pots: Sequence[Layer], _returned: int) -> list[int]:
    return [0] * len(pots)


def settled(money: Money, keys: dict[int, Keys], **more: object) -> Outcome:
    return settle(money, keys, 0, 5, free, **more)  # type: ignore[arg-type]


def test_the_last_aggressor_shows_first_then_clockwise() -> None:
    assert show_order([0, 1, 2, 3], 4, button=0, aggressor=1) == [1, 2, 3, 0]


def test_without_one_the_first_after_the_button_shows_first() -> None:
    assert show_order([0, 1, 2, 3], 4, button=0, aggressor=-1) == [1, 2, 3, 0]
    assert show_order([0, 2, 3], 4, button=0, aggressor=1) == [2, 3, 0]


def test_each_pot_goes_to_the_best_of_its_own_hands() -> None:
    money = Money(live=[100, 300, 300], out=[False] * 3)
    result = settled(money, {0: (1,), 1: (3,), 2: (2,)})
    assert [pot.shares for pot in result.pots] == [{0: 300}, {2: 400}]


def test_equal_hands_share_in_the_given_order() -> None:
    result = settled(Money(live=[55, 55, 55], out=[False] * 3), {0: (2,), 1: (1,), 2: (1,)})
    assert result.pots[0].shares == {1: 85, 2: 80}


def test_a_mucked_hand_is_passed_over_and_its_chips_stay() -> None:
    money = Money(live=[100, 100, 100], out=[False] * 3)
    result = settled(money, {0: (5,), 2: (7,)}, mucked={1})
    assert result.pots[0].shares == {0: 300}
    assert result.pots[0].eligible == (0, 1, 2)


def test_a_pot_that_no_tabled_hand_may_win_goes_to_the_only_one_not_mucked() -> None:
    money = Money(live=[100, 300, 300], out=[False, False, True])
    assert [pot.shares for pot in settled(money, {0: (1,)}).pots] == [{0: 300}, {1: 400}]
    assert [pot.open for pot in settled(money, {0: (1,)}, mucked={1}).pots] == [False, True]


def test_high_and_low_halve_the_pot_and_the_odd_chip_stays_high() -> None:
    money = Money(live=[75, 75, 75], out=[False] * 3)
    result = settled(money, {0: (1, None), 1: (5, 3), 2: (6, 3)}, parts=2)
    assert result.pots[0].shares == {0: 115, 1: 55, 2: 55}


def test_without_a_low_the_high_hand_takes_all() -> None:
    money = Money(live=[75, 75], out=[False] * 2)
    assert settled(money, {0: (1, None), 1: (5, None)}, parts=2).pots[0].shares == {0: 150}


def test_one_player_may_win_both_parts() -> None:
    money = Money(live=[75, 75], out=[False] * 2)
    assert settled(money, {0: (1, 1), 1: (5, 4)}, parts=2).pots[0].shares == {0: 150}
