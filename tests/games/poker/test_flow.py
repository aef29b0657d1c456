"""Whose chips went to whom: what flows out of a seat is what it lost, pot by pot."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli import assembly
from games.shared.poker.flow import chips_between, spread
from games.shared.poker.hand import Hand
from games.verdict import Line, Pot, Settlement
from replay.collusion.reading import read
from tests.cli.desk import Desk, lines_of

SIDES = st.lists(st.tuples(st.integers(0, 10**9), st.integers(0, 10**6)), min_size=1, max_size=9)


def hand(live: list[int], dead: list[int] | None = None) -> Hand:
    """A hand of seats 1, 2, … with these bets; nobody has folded."""
    count = len(live)
    return Hand(
        name="1", seats=list(range(1, count + 1)), players=[f"p-{seat}" for seat in range(1, count + 1)], live=live,
        dead=dead or [0] * count, antes=[0] * count, start=[10**6] * count,
    )  # fmt: skip


def due(
    live: list[int], pots: list[tuple[int, tuple[int, ...], int, dict[int, int]]], back: dict[int, int]
) -> Settlement:
    """What the rules make of it: amount, who may win, rake and awards of each pot, by seat."""
    awards = {seat: sum(pot[3].get(seat, 0) for pot in pots) for seat in range(1, len(live) + 1)}
    return Settlement(
        lines=tuple(
            Line(f"seat/{seat}", f"p-{seat}", put, put - back.get(seat, 0), back.get(seat, 0), awards[seat])
            for seat, put in enumerate(live, 1)
        ),
        rake=sum(pot[2] for pot in pots),
        pots=tuple(
            Pot(
                name=str(number), amount=amount, eligible=tuple(f"seat/{seat}" for seat in may), rake=rake,
                awards={f"seat/{seat}": won for seat, won in won.items()},
            )
            for number, (amount, may, rake, won) in enumerate(pots)
        ),
    )  # fmt: skip


@given(SIDES, st.randoms(use_true_random=False))
def test_every_row_and_column_is_exact_and_no_cell_is_two_off(sides: list[tuple[int, int]], rng: object) -> None:
    paid_in = [one for one, _weight in sides]
    total, weights = sum(paid_in), sum(weight for _one, weight in sides)
    paid_out = [total * weight // weights if weights else 0 for _one, weight in sides]
    paid_out[-1] += total - sum(paid_out)
    rows, columns = [0] * len(sides), [0] * len(sides)
    for giver, taker, amount in spread(paid_in, paid_out):
        rows[giver] += amount
        columns[taker] += amount
        assert abs(amount * total - paid_in[giver] * paid_out[taker]) < 2 * total
    assert (rows, columns) == (paid_in, paid_out)


def test_side_pots_count_each_for_itself() -> None:
    """Seat 1 is all-in for 100 and wins the main pot; seat 3 wins the side pot, raked, from seat 2 alone."""
    live = [100, 500, 500]
    found = chips_between(hand(live), due(live, [(300, (1, 2, 3), 0, {1: 300}), (800, (2, 3), 10, {3: 790})], {}))
    assert found == {(0, 1): -100, (0, 2): -100, (1, 2): 395, (1, 3): 5, (2, 3): 5}


def test_what_nobody_called_flows_nowhere_and_the_house_gets_the_rake() -> None:
    """Of 50 and 200 put in, 150 goes back; of the pot of 100 the house takes 5, from both alike (rounded down first)."""
    live = [50, 200]
    found = chips_between(hand(live), due(live, [(100, (1, 2), 5, {2: 95})], {2: 150}))
    assert found == {(0, 1): 47, (0, 2): 3, (1, 2): 2}


def test_who_did_not_win_gets_nothing_however_much_he_put_in() -> None:
    live = [300, 300, 10]
    found = chips_between(hand(live, [0, 0, 20]), due(live, [(630, (1, 2, 3), 0, {2: 630})], {}))
    assert found is not None
    assert (0, 2) not in found


def test_nobody_can_tell_while_a_pot_waits() -> None:
    assert chips_between(hand([50, 50]), Settlement(lines=(Line("seat/1", "p-1", 50, held=50),))) is None
    assert chips_between(hand([50, 50]), Settlement(known=False)) is None


@pytest.mark.parametrize("seed", [3, 4])
def test_in_hands_really_dealt_each_seat_s_flows_are_its_loss(seed: int, tmp_path: object) -> None:
    from pathlib import Path

    desk = Desk(Path(str(tmp_path))).init()
    desk.ingest(lines_of(assembly.rooms()["holdem"].deal(40, seed)))
    with assembly.open_log(desk.store) as log:
        book = assembly.casebook(log)
        (subject,) = book.sessions()
        hands = read(book, [subject]).hands
        verdicts = {verdict.round: verdict for verdict in book.judge(subject).verdicts}
    assert len(hands) == 40
    several = 0
    for one in hands:
        lost = dict.fromkeys(one.players, 0)
        assert one.chips is not None
        for (giver, taker), amount in one.chips.items():
            lost[one.players[giver]] += amount
            if taker < len(one.players):
                lost[one.players[taker]] -= amount
        nets = verdicts[one.address].due.nets()
        assert {player: -amount for player, amount in lost.items() if amount} == {
            player: net for player, net in nets.items() if net
        }
        several += len(verdicts[one.address].due.pots) > 1
    assert several > 3
