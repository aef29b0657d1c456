"""Own vectors of seats: every place to which a player may come back, several at once, two players, newcomers."""

from __future__ import annotations

from typing import Any

import pytest

from tests.vectors import holdem_seats

BACK: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("elsewhere: a big blind, live", {"position": "middle"}, {"live": 10, "dead": 0, "button_shift": 0, "button": 6}),
    ("small blind: it is dead, a big blind besides", {"position": "sb"},
     {"live": 10, "dead": 5, "button_shift": 0, "button": 3, "sb_seat": 4, "bb_seat": 5}),
    ("big blind: once", {"position": "bb"},
     {"live": 10, "dead": 0, "button_shift": 0, "button": 2, "sb_seat": 3, "bb_seat": 4}),
    ("button: it moves on", {"position": "button"},
     {"live": 10, "dead": 0, "button_shift": 1, "button": 5, "sb_seat": 6, "bb_seat": 1}),
    ("other amounts", {"position": "small_blind", "sb": 25, "bb": 50}, {"live": 50, "dead": 25}),
    ("two come back, both before the button", {"seats": [1, 2, 3, 4, 5, 6], "returning": [2, 3], "last": {"button": 1}},
     {"posts": {"2": {"live": 10, "dead": 0}, "3": {"live": 10, "dead": 0}}, "button": 4, "sb_seat": 5, "bb_seat": 6,
      "button_shift": 2}),
    ("two come back, one on the button, one as small blind behind it",
     {"seats": [1, 2, 3, 5], "returning": [2, 3], "last": {"button": 1, "sb": 5, "bb": 1}},
     {"button": 5, "sb_seat": 1, "bb_seat": 2, "posts": {"2": {"live": 10, "dead": 0}, "3": {"live": 10, "dead": 0}}}),
    ("a third to two players, on the button", {"seats": [3, 5, 7], "returning": 5, "last": {"button": 3}},
     {"button": 7, "sb_seat": 3, "bb_seat": 5, "live": 10, "dead": 0}),
    ("a third to two players, the button goes past him", {"seats": [3, 5, 7], "returning": 5, "last": {"button": 7}},
     {"button": 3, "sb_seat": 5, "bb_seat": 7, "live": 10, "dead": 5, "button_shift": 0}),
    ("the last of four comes back on the button", {"seats": [1, 2, 4, 5], "returning": [4], "last": {"button": 2}},
     {"live": 10, "dead": 0, "button": 5, "button_shift": 1}),
    ("a newcomer on the button takes it", {"seats": [1, 2, 3, 4], "new": 2, "last": {"button": 1}},
     {"live": 10, "dead": 0, "button": 2, "button_shift": 0, "sb_seat": 3, "bb_seat": 4}),
    ("a newcomer as big blind posts it", {"seats": [1, 2, 3, 4, 5], "new": 4, "last": {"button": 1}},
     {"live": 10, "dead": 0, "button": 2, "sb_seat": 3, "bb_seat": 4}),
    ("a newcomer elsewhere posts a big blind", {"seats": [1, 2, 3, 4, 5], "new": 5, "last": {"button": 1}},
     {"live": 10, "dead": 0, "button": 2, "sb_seat": 3, "bb_seat": 4}),
]  # fmt: skip


@pytest.mark.parametrize(("given", "expect"), [pytest.param(*one[1:], id=one[0]) for one in BACK])
def test_who_comes_in_posts_by_his_place(given: dict[str, Any], expect: dict[str, Any]) -> None:
    assert holdem_seats.missed_blind({"kind": "missed_blind", "sb": 5, "bb": 10, **given}, expect) == []


STACKS: list[tuple[str, dict[str, int], dict[str, Any]]] = [
    ("the same", {"stack_next_hand": 4000}, {"verdict": "VALID", "to_put_back": 0}),
    ("one chip short", {"stack_next_hand": 3995}, {"verdict": "CORRECTED", "to_put_back": 5}),
    ("with what was added", {"topups": 600, "stack_next_hand": 4600}, {"verdict": "VALID", "to_put_back": 0}),
    ("added, and less than that lies there", {"topups": 600, "stack_next_hand": 4500},
     {"verdict": "CORRECTED", "to_put_back": 100}),
    ("bought, and lying there already", {"bought": 600, "stack_next_hand": 4600},
     {"verdict": "VALID", "to_put_back": 0}),
    ("bought, and not delivered yet", {"bought": 600, "stack_next_hand": 4000}, {"verdict": "VALID", "to_put_back": 0}),
    ("more than anybody recorded", {"stack_next_hand": 4600}, {"verdict": "unverified", "to_put_back": 0}),
]  # fmt: skip


@pytest.mark.parametrize(("given", "expect"), [pytest.param(*one[1:], id=one[0]) for one in STACKS])
def test_a_stack_is_what_the_last_hand_left(given: dict[str, int], expect: dict[str, Any]) -> None:
    assert holdem_seats.table_stakes({"kind": "table_stakes", "stack_after_hand": 4000, **given}, expect) == []


def test_a_wrong_expectation_fails() -> None:
    given = {"kind": "missed_blind", "sb": 5, "bb": 10, "position": "sb"}
    assert holdem_seats.missed_blind(given, {"dead": 0}) == ["dead: expected 0, found 5"]
    assert holdem_seats.missed_blind({**given, "seat": 4}, {}) == ["unknown key `seat` in given"]
    last = {"button": 1, "sb": 4}
    assert holdem_seats.missed_blind({**given, "returning": 2, "last": last}, {}) == [
        "last.sb: the room has seat 3, not 4"
    ]
    stakes = {"kind": "table_stakes", "stack_after_hand": 4000, "stack_next_hand": 2500}
    assert holdem_seats.table_stakes(stakes, {"to_put_back": 0}) == ["to_put_back: expected 0, found 1500"]
