"""What was settled, read from movements of chips."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from events.schema.common import ChipsMoved
from events.schema.event import Move
from games.settlement import BOOKINGS, Ledger, differences
from games.shared.poker.events import ActionTaken, Posted
from games.verdict import Line, Settlement


def ledger_of(moves: Iterable[Move]) -> Ledger:
    ledger = Ledger()
    for frm, to, amount, cause, stake in moves:
        ledger.move(frm, to, int(amount), cause, stake)
    return ledger


def staked(*moves: Move) -> dict[str, int]:
    settled = ledger_of([*moves, Move("float", "player/p-1", 0, "win", "b9")]).settlement()
    assert settled is not None
    return {line.stake: line.staked for line in settled.lines if line.stake != "b9"}


LAID = Move("player/p-1", "box/b1", 1000, "stake", "b1")


@pytest.mark.parametrize(
    ("move", "left"),
    [
        (Move("box/b1", "player/p-1", 400, "stake", "b1"), {"b1": 600}),
        (Move("player/p-1", "box/b1", 400, "stake", "b1"), {"b1": 1400}),
        (Move("box/b1", "box/b2", 400, "stake", "b1"), {"b1": 600}),
        (Move("box/b1", "box/b2", 400, "stake", "b2"), {"b1": 1000, "b2": 400}),
    ],
)
def test_chips_taken_up_again_lower_the_stake_and_chips_put_down_raise_it(move: Move, left: dict[str, int]) -> None:
    assert staked(LAID, move) == left


def test_chips_taken_back_from_the_pot_were_not_staked() -> None:
    put, back = Move("seat/3", "pot", 1000, "stake", ""), Move("pot", "seat/3", 400, "stake", "")
    settled = ledger_of([put, back, Move("pot", "seat/3", 600, "award", "")]).settlement()
    assert settled is not None
    (line,) = settled.lines
    assert (line.stake, line.player, line.staked, line.taken, line.paid) == ("seat/3", "seat/3", 600, 600, 600)


def test_in_an_open_round_a_stake_that_waits_is_not_accused() -> None:
    moves = [
        Move("player/p-1", "box/b1", 1000, "stake", "b1"),
        Move("player/p-2", "box/b2", 500, "stake", "b2"),
        Move("box/b2", "float", 500, "take", "b2"),
    ]
    due = Settlement(
        lines=(
            Line(stake="b1", player="p-1", staked=1000, taken=1000),
            Line(stake="b2", player="p-2", staked=500, returned=500, paid=500),
        )
    )
    still_open = ledger_of(moves).settlement(open_round=True)
    assert still_open is not None
    assert differences(due, still_open, open_round=True) == {"b2": 1000}
    closed = ledger_of(moves).settlement()
    assert closed is not None
    assert differences(due, closed, open_round=False) == {"b1": -1000, "b2": 1000}


def test_in_an_open_hand_a_seat_that_got_back_what_nobody_called_waits_for_its_pot() -> None:
    moves = [
        Move("seat/1", "pot", 900, "stake", ""),
        Move("seat/2", "pot", 400, "stake", ""),
        Move("pot", "seat/1", 500, "return", ""),
    ]
    due = Settlement(
        lines=(
            Line(stake="seat/1", player="seat/1", staked=900, taken=400, returned=500, paid=800),
            Line(stake="seat/2", player="seat/2", staked=400, taken=400),
        )
    )
    waiting = ledger_of(moves).settlement(open_round=True)
    assert waiting is not None
    assert differences(due, waiting, open_round=True) == {}
    wrongly = ledger_of([*moves, Move("pot", "seat/2", 800, "award", "")]).settlement(open_round=True)
    assert wrongly is not None
    assert differences(due, wrongly, open_round=True) == {"seat/2": -800}


def test_a_box_that_is_empty_again_is_forgotten() -> None:
    ledger = ledger_of([Move("player/p-1", "box/b1", 500, "stake", "b1")])
    later = ledger.next()
    assert ledger.left() == later.left() == {"box/b1": 500}
    later.move("seat/1", "pot", 5, "stake")
    later.move("box/b1", "float", 500, "take", "b1")
    assert later.left() == {"pot": 5}
    assert later.next().boxes == {}
    assert ledger.left() == {"box/b1": 500}


def test_a_box_out_of_which_too_much_was_taken_is_told_once() -> None:
    ledger = ledger_of([LAID, Move("box/b1", "float", 1500, "take", "b1")])
    assert ledger.left() == {"box/b1": -500}
    assert ledger.next().left() == {}


def test_chips_into_and_out_of_the_pot_are_booked_as_any_movement() -> None:
    quick, long = Ledger(), Ledger()
    for event in (
        Posted(3, "small_blind", 5),
        ActionTaken(4, "fold"),
        ActionTaken(3, "call", 45),
        Posted(4, "ante", 1),
        ChipsMoved("pot", "seat/3", 20, "return", "seat/3"),
        ChipsMoved("pot", "seat/4", 30, "award", "seat/4"),
        ChipsMoved("pot", "seat/5", 1, "award"),
    ):
        booking = BOOKINGS[type(event)]
        assert booking is not None
        booking(event, quick)
        for frm, to, amount, cause, stake in event.moves() if event.amount else ():
            long.move(frm, to, int(amount), cause, stake)
    assert quick == long
    assert (quick.tallies["seat/3"].staked, quick.tallies["seat/4"].paid, quick.pot) == (50, 30, 0)


PAID_TO_3 = (
    Move("seat/3", "pot", 50, "stake", ""),
    Move("seat/5", "pot", 50, "stake", ""),
    Move("pot", "rake", 20, "rake", ""),
    Move("pot", "seat/3", 80, "award", ""),
)
"""80 and 20 where 90 to seat 5 and 10 were due."""
AWARD_REPAIRS = [
    [Move("seat/3", "seat/5", 80, cause, stake)]
    for cause in ("award", "return", "correction", "ruling")
    for stake in ("", "seat/5")
] + [
    [Move("seat/3", "pot", 80, back, stake), Move("pot", "seat/5", 80, out, stake)]
    for back in ("award", "return", "correction", "ruling", "rake")
    for out in ("award", "return", "correction", "ruling", "rake")
    for stake in ("", "seat/5")
]
RAKE_REPAIRS = [
    [Move("rake", "seat/5", 10, cause, stake)]
    for cause in ("award", "return", "correction", "ruling", "rake", "transfer", "exchange")
    for stake in ("", "seat/5")
] + [
    [Move("rake", "pot", 10, back, ""), Move("pot", "seat/5", 10, out, "")]
    for back in ("award", "return", "correction", "ruling", "rake")
    for out in ("award", "return", "correction", "ruling", "rake")
]


@pytest.mark.parametrize("award", AWARD_REPAIRS)
def test_what_was_paid_wrongly_is_right_once_the_chips_moved_whichever_way(award: list[Move]) -> None:
    for rake in RAKE_REPAIRS:
        ledger = ledger_of([*PAID_TO_3, *award, *rake])
        settled = ledger.settlement()
        assert settled is not None
        assert {line.stake: line.net for line in settled.lines} == {"seat/3": -50, "seat/5": 40}
        assert (settled.rake, ledger.left()) == (10, {})
        assert all(line.staked == line.taken + line.returned and line.returned >= 0 for line in settled.lines)


def test_what_goes_back_into_the_pot_beyond_what_it_paid_is_put_in() -> None:
    ledger = ledger_of([*PAID_TO_3, Move("seat/3", "pot", 100, "correction", "")])
    assert (ledger.tallies["seat/3"].staked, ledger.tallies["seat/3"].paid, ledger.pot) == (70, 0, 100)


def test_chips_passed_and_given_back_repair_no_award() -> None:
    passed, back = Move("seat/5", "seat/3", 60, "transfer", ""), Move("seat/3", "seat/5", 60, "correction", "seat/5")
    settled = ledger_of([*PAID_TO_3, passed, back]).settlement()
    assert settled is not None
    assert {line.stake: line.net for line in settled.lines} == {"seat/3": 30, "seat/5": -50}
    earlier = ledger_of([passed]).next()
    for move in (*PAID_TO_3, back):
        earlier.move(*move)
    assert earlier.settlement() == settled


def test_who_got_nothing_from_the_pot_gives_no_award_on() -> None:
    settled = ledger_of([*PAID_TO_3, Move("seat/5", "seat/3", 60, "correction", "")]).settlement()
    assert settled is not None
    assert {line.stake: line.net for line in settled.lines} == {"seat/3": 30, "seat/5": -50}


def test_a_rake_box_that_is_emptied_gives_no_rake_back() -> None:
    assert ledger_of([*PAID_TO_3, Move("rake", "desk/1", 500, "credit", "")]).rake == 20


def test_a_win_paid_to_another_is_his_line_and_the_owner_waits_while_the_round_is_open() -> None:
    moves = [Move("player/p-1", "box/b1", 100, "stake", "b1"), Move("float", "player/p-7", 100, "win", "b1")]
    stranger = Line("b1 to p-7", "p-7", 0, paid=100)
    due = Settlement(lines=(Line("b1", "p-1", 100, returned=100, paid=100),))
    still_open = ledger_of(moves).settlement(due, open_round=True)
    assert still_open is not None
    assert still_open.lines == (stranger,)
    assert differences(due, still_open, open_round=True) == {"b1 to p-7": -100}
    closed = ledger_of(moves).settlement(due)
    assert closed is not None
    assert differences(due, closed, open_round=False) == {"b1": 100, "b1 to p-7": -100}


def test_a_win_paid_to_another_and_fetched_back_is_none() -> None:
    moves = [
        Move("player/p-1", "box/b1", 100, "stake", "b1"), Move("float", "player/p-7", 100, "win", "b1"),
        Move("player/p-7", "float", 100, "win", "b1"), Move("float", "player/p-1", 100, "win", "b1"),
    ]  # fmt: skip
    settled = ledger_of(moves).settlement()
    assert settled is not None
    assert settled.lines == (Line("b1", "p-1", 100, returned=100, paid=100),)


def test_who_owns_a_stake_that_another_put_down_may_be_paid_on_it() -> None:
    moves = [Move("player/p-1", "box/b1", 100, "stake", "b1"), Move("float", "player/p-2", 100, "win", "b1")]
    due = Settlement(lines=(Line("b1", "p-2", 100, returned=100, paid=100),))
    settled = ledger_of(moves).settlement(due)
    assert settled is not None
    assert differences(due, settled, open_round=False) == {}
