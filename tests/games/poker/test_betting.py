"""One round of betting: turn, options, minimum raises, reopening, the three structures."""

from __future__ import annotations

from games.shared.poker.betting import (
    NOBODY,
    Bets,
    Limits,
    fresh,
    may_raise,
    options,
    post,
    put,
    raise_by_increment,
    raise_to,
    turn,
)

NO_LIMIT = Limits(minimum=10)
INCREMENT = Limits(minimum=10, min_raise="last_increment")


def played(limits: Limits, count: int, *totals: tuple[int, int]) -> Bets:
    """A round in which each (position, total) acted in turn."""
    bets = fresh(count, limits.minimum)
    for place, total in totals:
        put(bets, limits, place, total)
    return bets


def test_a_raise_is_at_least_double_the_bet_to_match() -> None:
    bets = played(NO_LIMIT, 3, (0, 100), (1, 300))
    assert raise_to(bets, NO_LIMIT) == 600
    assert raise_by_increment(bets, NO_LIMIT) == 500
    assert raise_to(played(INCREMENT, 3, (0, 100), (1, 300)), INCREMENT) == 500


def test_a_short_all_in_raises_the_price_of_a_raise_but_not_the_increment() -> None:
    assert raise_to(played(NO_LIMIT, 3, (0, 100), (1, 150)), NO_LIMIT) == 300
    assert raise_to(played(INCREMENT, 3, (0, 100), (1, 150)), INCREMENT) == 250


def test_an_opening_all_in_below_the_big_blind_asks_for_a_whole_big_blind_to_raise() -> None:
    bets = played(NO_LIMIT, 3, (0, 0), (1, 4))
    assert raise_to(bets, NO_LIMIT) == 10
    assert not may_raise(bets, NO_LIMIT, 0)
    assert may_raise(bets, NO_LIMIT, 2)


def test_a_short_all_in_does_not_reopen_for_who_has_acted() -> None:
    bets = played(NO_LIMIT, 4, (0, 100), (1, 150), (2, 150))
    assert not may_raise(bets, NO_LIMIT, 0)
    assert may_raise(bets, NO_LIMIT, 3)
    put(bets, NO_LIMIT, 3, 300)
    assert may_raise(bets, NO_LIMIT, 0)


def test_short_all_ins_add_up_only_where_they_accumulate() -> None:
    together = Limits(minimum=10, min_raise="last_increment", accumulates=True)
    bets = played(together, 4, (0, 100), (1, 150), (2, 210))
    assert may_raise(bets, together, 0)
    assert not may_raise(bets, INCREMENT, 0)


def test_options_at_the_first_turn() -> None:
    bets = fresh(3, 10)
    post(bets, 1, 5, 10)
    post(bets, 2, 10, 10)
    stacks = [1000, 995, 990]
    first = options(bets, NO_LIMIT, stacks, 0)
    assert (first.check, first.call, first.low, first.high, first.short) == (False, 10, 20, 1000, False)
    put(bets, NO_LIMIT, 0, 10)
    put(bets, NO_LIMIT, 1, 10)
    last = options(bets, NO_LIMIT, stacks, 2)
    assert (last.check, last.call, last.low) == (True, None, 20)


def test_a_stack_below_the_minimum_may_be_put_in_whole() -> None:
    bets = played(NO_LIMIT, 3, (0, 100))
    own = options(bets, NO_LIMIT, [900, 150, 900], 1)
    assert (own.call, own.low, own.high, own.short) == (100, 150, 150, True)
    call = options(bets, NO_LIMIT, [900, 60, 900], 1)
    assert (call.call, call.low) == (60, None)


def test_the_turn_goes_round_until_everybody_has_matched() -> None:
    bets = fresh(4, 10)
    stacks, out = [900, 900, 0, 900], [False, True, False, False]
    assert turn(bets, stacks, out, 1) == 3
    put(bets, NO_LIMIT, 3, 50)
    assert turn(bets, stacks, out, 0) == 0
    put(bets, NO_LIMIT, 0, 50)
    assert turn(bets, stacks, out, 1) == NOBODY


def test_who_is_alone_with_all_ins_and_has_matched_them_need_not_act() -> None:
    bets = fresh(3, 10)
    put(bets, NO_LIMIT, 1, 60)
    bets.front[2] = 60
    assert turn(bets, [0, 0, 500], [True, False, False], 2) == NOBODY
    bets.front[2] = 40
    assert turn(bets, [0, 0, 500], [True, False, False], 2) == 2


def test_fixed_limit_has_one_size_and_a_cap() -> None:
    limits = Limits(minimum=20, structure="fixed_limit", cap=4)
    bets = played(limits, 4, (0, 20), (1, 40))
    own = options(bets, limits, [900] * 4, 2)
    assert (own.low, own.high) == (60, 60)
    for place, total in ((2, 60), (3, 80)):
        put(bets, limits, place, total)
    assert options(bets, limits, [900] * 4, 0).low is None


def test_pot_limit_is_the_pot_after_a_call() -> None:
    limits = Limits(minimum=10, structure="pot_limit")
    bets = played(limits, 3, (0, 50))
    own = options(bets, limits, [900] * 3, 1, pot=150)
    assert (own.low, own.high) == (100, 50 + 150 + 50)


def test_a_posted_maximum_and_exactly_double() -> None:
    bets = played(NO_LIMIT, 3, (0, 50))
    most = Limits(minimum=10, most=120)
    exactly = Limits(minimum=10, exactly=True)
    assert options(bets, most, [900] * 3, 1).high == 120
    own = options(bets, exactly, [900] * 3, 1)
    assert (own.low, own.high) == (100, 100)


def test_a_cap_ends_where_two_players_are_left_before_it_is_reached() -> None:
    """VG-BET-02: one bet and three raises, without end between two (PR-T69); a cap reached before stays."""
    limits = Limits(minimum=50, structure="fixed_limit", cap=4)
    two = fresh(4, 50)
    for place, total in ((0, 50), (1, 100), (0, 150), (1, 200)):
        put(two, limits, place, total, 2)
    assert may_raise(two, limits, 0)
    four = fresh(4, 50)
    for place, total in ((0, 50), (1, 100), (2, 150), (3, 200)):
        put(four, limits, place, total, 4)
    put(four, limits, 0, 50, 2)
    assert not may_raise(four, limits, 1)
    assert may_raise(played(Limits(minimum=50, structure="fixed_limit", cap=5), 4, (0, 50), (1, 100)), limits, 2)


def test_the_blind_is_the_first_bet_of_a_capped_round_and_a_straddle_the_first_raise() -> None:
    limits = Limits(minimum=10, structure="fixed_limit", cap=4)
    bets = fresh(5, 10)
    for place, amount in ((0, 5), (1, 10), (2, 20)):
        post(bets, place, amount, max(amount, 10))
    assert bets.count == 2
    put(bets, limits, 3, 30)
    assert may_raise(bets, limits, 4)
    put(bets, limits, 4, 40)
    assert not may_raise(bets, limits, 0)


def test_a_short_all_in_does_not_count_towards_a_cap() -> None:
    limits = Limits(minimum=50, structure="fixed_limit", cap=2)
    bets = played(limits, 4, (0, 50), (1, 70))
    assert may_raise(bets, limits, 2)
    assert raise_to(bets, limits) == 100


def test_half_a_fixed_bet_reopens_where_the_room_has_it_so() -> None:
    """All-in 75 over 50: completed to 100, or a raise that asks for another 50."""
    full = Limits(minimum=50, structure="fixed_limit")
    half = Limits(minimum=50, structure="fixed_limit", half_reopens=True)
    assert raise_to(played(full, 3, (0, 50), (1, 75)), full) == 100
    assert not may_raise(played(full, 3, (0, 50), (1, 75)), full, 0)
    assert raise_to(played(half, 3, (0, 50), (1, 75)), half) == 125
    assert may_raise(played(half, 3, (0, 50), (1, 75)), half, 0)
    assert raise_to(played(half, 3, (0, 50), (1, 70)), half) == 100
    assert not may_raise(played(half, 3, (0, 50), (1, 70)), half, 0)


def test_the_pot_before_the_flop_holds_antes_dead_money_and_a_short_blind() -> None:
    """Blinds 5/10, the big blind is all-in for 6, 9 dead: 10 to call, so at most 10 + (5 + 6 + 9 + 10) = 40."""
    limits = Limits(minimum=10, structure="pot_limit")
    bets = fresh(3, 10)
    post(bets, 1, 5, 10)
    post(bets, 2, 6, 10)
    own = options(bets, limits, [900, 895, 0], 0, pot=20)
    assert (own.call, own.low, own.high) == (10, 20, 40)


def test_who_was_let_off_with_less_is_not_asked_again_until_the_bet_rises() -> None:
    bets = fresh(3, 10)
    put(bets, NO_LIMIT, 0, 100)
    put(bets, NO_LIMIT, 1, 75)
    put(bets, NO_LIMIT, 2, 100)
    assert turn(bets, [900] * 3, [False] * 3, 0) == NOBODY
    put(bets, NO_LIMIT, 2, 200)
    assert turn(bets, [900] * 3, [False] * 3, 0) == 0
