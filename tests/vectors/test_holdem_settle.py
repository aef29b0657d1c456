"""Vectors of kind `settle` that no lawful betting leads to, who has to show, and what cannot be meant."""

from __future__ import annotations

from typing import Any

import pytest

from tests.vectors import holdem
from tests.vectors.reading import Vector

BOARD = ["Qs", "9c", "5d", "3h", "2c"]
ACES, KINGS, JACKS = ["Ah", "Ad"], ["Kh", "Kd"], ["Jh", "Jc"]


def given(live: dict[str, Any], folded: list[int] = [], *, board: Any = BOARD, **more: Any) -> Vector:  # noqa: B006
    known = {"kind": "settle", "button": 1, "u": 5, "live": live, "dead": {}, "folded": folded, "hole": {}}
    return {**known, "board": board, **more}


def run(of: Vector, expect: Vector) -> list[str]:
    return holdem.run({"id": "X", "given": of, "expect": expect}, {})


TWO = {"1": ACES, "2": KINGS}
PREFLOP = {"board": [], "flop_seen": False}


@pytest.mark.parametrize(
    ("of", "expect"),
    [
        (  # dead hands put in more than the live ones: nobody may win that (pot algorithm, step 2)
            given({"1": 300, "2": 300, "3": 500, "4": 400}, [3, 4], hole=TWO),
            {"returned": {"3": 100}, "pots": [1200, 200], "rake": [60, 10], "award": {"1": 1140}, "verdict": "RULING"},
        ),
        (  # one is left: he wins everything (step 5)
            given({"1": 300, "2": 500, "3": 500}, [2, 3], board=BOARD[:3]),
            {"returned": {}, "pots": [1300], "rake": [65], "award": {"1": 1235}, "verdict": "VALID"},
        ),
        (
            given({"1": 300, "2": 500, "3": 500}, [2, 3], **PREFLOP, config={"no_flop_no_drop": True}),
            {"pots": [1300], "rake": [0], "award": {"1": 1300}, "net": {"1": 1000, "2": -500, "3": -500}},
        ),
        (
            given({"1": 300, "2": 500, "3": 500}, [2, 3], board=BOARD[:3], config={"no_flop_no_drop": True}),
            {"pots": [1300], "rake": [65], "award": {"1": 1235}},
        ),
        (given({"1": 100, "2": 100, "3": 100}, [2, 3], **PREFLOP), {"pots": [300], "rake": [15], "award": {"1": 285}}),
        (  # the owner of dead money sits where a blind is due
            given({"4": 100, "6": 800, "8": 200}, [4, 8], **PREFLOP, dead={"5": 100}, u=100),
            {"returned": {"6": 600}, "pots": [600], "rake": [0], "award": {"6": 600}, "verdict": "VALID"},
        ),
        (
            given({"3": 4800, "6": 400, "7": 8300, "8": 4800}, [3, 6, 8], **PREFLOP, button=3, u=100, sb=200, bb=400),
            {"returned": {"7": 3500}, "pots": [14800], "rake": [300], "award": {"7": 14500}},
        ),
        (  # heads-up, the big blind all-in for no more than the small one
            given({"8": 100, "9": 50}, button=9, sb=50, bb=100, hole={"8": ACES, "9": KINGS}),
            {"returned": {"8": 50}, "pots": [100], "rake": [5], "award": {"8": 95}, "net": {"8": 45, "9": -50}},
        ),
        (
            given({"1": 2, "2": 5}, [2], **PREFLOP, u=1, sb=5, bb=10),
            {"returned": {"2": 3}, "pots": [4], "rake": [0], "award": {"1": 4}, "net": {"1": 2, "2": -2}},
        ),
        (given({"1": 500, "2": 500}, hole={"1": ["7h", "6d"], "2": ["??", "??"]}), {"verdict": "unverified"}),
    ],
)
def test_the_money_of_what_no_lawful_betting_leads_to(of: Vector, expect: Vector) -> None:
    assert run(of, expect) == []


@pytest.mark.parametrize(
    ("hole", "board", "mucked", "live", "seats"),
    [
        # Seat 1 plays the board, alone, and has lost: all show, he too (NL-30).
        (
            {"1": ["3c", "4d"], "2": ["As", "4c"], "3": ["Kc", "2d"]},
            ["Ah", "Kd", "Js", "9h", "8c"], [], {"1": 100, "2": 100, "3": 100}, [1, 2, 3],
        ),
        (
            {"1": ["2c", "2d"], "2": ["7h", "8h"], "3": ["Ad", "Kd"]},
            ["As", "Ks", "Qs", "Js", "Ts"], [2], {"1": 300, "2": 300, "3": 300}, [1, 2, 3],
        ),
        # Who mucked does not claim a share with the board.
        (
            {"1": ["3c", "4d"], "2": ["As", "4c"], "3": ["Kc", "2d"]},
            ["Ah", "Kd", "Js", "9h", "8c"], [1], {"1": 100, "2": 100, "3": 100}, [],
        ),
        # All-in: nobody may muck (NL-28).
        ({"1": ACES, "2": KINGS}, BOARD, [], {"1": 300, "2": 200}, [1, 2]),
        ({"1": ACES, "2": KINGS}, BOARD, [], {"1": 300, "2": 300}, []),
    ],
)  # fmt: skip
def test_who_has_to_show(hole: Any, board: list[str], mucked: list[int], live: Any, seats: list[int]) -> None:
    assert run(given(live, hole=hole, board=board, mucked=mucked), {"must_show": seats}) == []


FINE = given({"1": 500, "2": 500}, hole=TWO)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"board": []}, "board: 2 seats are left, so that five cards are expected, found 0"),
        ({"board": BOARD[:2]}, "board: 0, 3, 4 or 5 cards are expected, found 2"),
        ({"hole": {}}, "hole: the two cards of seat 1 are expected"),
        ({"hole": {"1": ACES, "2": [*KINGS, "2s"]}}, "hole: two cards are expected for seat 2"),
        ({"hole": {"1": ACES, "2": ["Kh", "10d"]}}, "`10d` is no card"),
        ({"folded": [1, 2]}, "folded: nobody is left"),
        ({"mucked": [7]}, "mucked: seat 7 put nothing in"),
        ({"mucked": [2], "folded": [2]}, "mucked: seat 2 has folded"),
        ({"folded": ["2"]}, "folded: a list of seats"),
        ({"live": {"10": 500, "2": 500}}, "live: `10` is no seat from 1 to 9"),
        ({"live": {"1": -5, "2": 5}}, "live: a whole amount"),
        ({"live": {}}, "live: nobody put anything in"),
        ({"button": 12}, "button: a seat from 1 to 9 is expected, found 12"),
        ({"u": 0}, "u: a whole amount of at least 1 is expected, found 0"),
        ({"sb": 5, "bb": 7}, "bb: 10 is expected, twice the small blind, found 7"),
        ({"flop_seen": "no"}, "flop_seen: true or false is expected, found 'no'"),
        ({"flop_seen": False}, "flop_seen: false, yet there is a board"),
        ({"jackpot": 5}, "unknown key `jackpot` in given"),
    ],
)
def test_what_cannot_be_meant_is_said(change: Vector, problem: str) -> None:
    assert run(FINE, {"award": {"1": 950}}) == []
    problems = run({**FINE, **change}, {"award": {"1": 950}})
    assert any(one.startswith(problem) for one in problems), problems
