"""Own vectors about conduct and about wrong awards, in the catalogue's words."""

from __future__ import annotations

from typing import Any

import pytest

from tests.vectors import holdem

NUTS = {"hole": ["As", "Js"], "board": ["Ks", "Qs", "7s", "2d", "3c"]}
ROYAL = {"hole": ["2c", "3d"], "board": ["As", "Ks", "Qs", "Js", "Ts"]}
SECOND = {"hole": ["Kh", "Kd"], "board": ["Ks", "Qs", "7s", "2d", "3c"]}


def run(kind: str, given: dict[str, Any], expect: dict[str, Any]) -> list[str]:
    return holdem.run({"id": "own", "given": {"kind": kind, **given}, "expect": expect}, {})


@pytest.mark.parametrize(
    ("cards", "last", "action", "able", "config", "verdict"),
    [
        (NUTS, True, "check", True, {}, "PENALTY"),
        (NUTS, True, "call", True, {}, "PENALTY"),
        (NUTS, True, "bet", True, {}, "VALID"),
        (NUTS, True, "raise", True, {}, "VALID"),
        (NUTS, False, "check", True, {}, "VALID"),  # somebody acts after him
        (NUTS, False, "call", True, {}, "PENALTY"),  # he checked, was bet into, and ends the betting with a call
        (NUTS, True, "check", False, {}, "VALID"),  # he turned his cards up before: he may not bet (NL-36)
        (NUTS, True, "call", False, {}, "VALID"),  # nobody has chips left to call a raise
        (SECOND, True, "check", True, {}, "VALID"),
        (ROYAL, True, "check", True, {}, "VALID"),
        (ROYAL, True, "check", True, {"soft_play_exempt_all_tie": False}, "PENALTY"),
    ],
)
def test_soft_play(cards: Any, last: bool, action: str, able: bool, config: Any, verdict: str) -> None:
    given = {**cards, "closes_action": last, "action": action, "can_raise": able, "config": config}
    ties = cards is ROYAL
    assert run("soft_play", given, {"unbeatable": cards is not SECOND, "all_tie": ties, "verdict": verdict}) == []


@pytest.mark.parametrize(
    ("given", "expect"),
    [
        ({"wins": False}, {"rake": 60, "award": 0, "cash_out": 2600, "mispaid": 0}),
        ({"wins": True, "withheld": 500}, {"rake": 60, "award": 1140, "cash_out": 3240, "mispaid": 500}),
        ({"wins": True, "pot": 2800}, {"rake": 140, "award": 2660, "cash_out": 5260}),
        ({"wins": True, "stack": 0}, {"rake": 60, "award": 1140, "cash_out": 1140}),
        # The poker room's reading: his hand is dead, what he has put in stays in the pot.
        ({"wins": True, "config": {"expelled_hand": "dead"}}, {"award": 0, "cash_out": 2600}),
    ],
)
def test_expulsion(given: dict[str, Any], expect: dict[str, Any]) -> None:
    assert run("expel", {"stack": 2600, "in_pot": 400, "pot": 1200, "u": 5, **given}, expect) == []


def test_chips_won_in_a_pot_are_not_passed() -> None:
    given = {"from": 3, "to": 5, "amount": 500, "outside_pot": False}
    assert run("chip_transfer", given, {"verdict": "VALID", "move": None, "penalty_proposed": []}) == []


def test_chips_may_not_be_passed_between_any_two_seats() -> None:
    given = {"from": 9, "to": 1, "amount": 5, "outside_pot": True}
    move = {"from": 1, "to": 9, "amount": 5}
    assert run("chip_transfer", given, {"verdict": "CORRECTED", "move": move, "penalty_proposed": [1, 9]}) == []


def test_a_misread_winner_is_for_management() -> None:
    given = {
        "u": 5, "pot": 3000, "awarded": {"4": 2850}, "readable": True, "board": ["As", "Ks", "5s", "Jd", "2c"],
        "tabled": {"4": ["Ah", "Ad"], "7": ["9s", "8s"]},
    }  # fmt: skip
    assert run("reaward", given, {"verdict": "RULING", "move": {"from": 4, "to": 7, "amount": 2850}}) == []
    assert run("reaward", {**given, "awarded": {"7": 2850}}, {"verdict": "VALID", "move": None}) == []
