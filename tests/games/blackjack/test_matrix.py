"""The void-and-refund matrix against the catalogue and the checks."""

from __future__ import annotations

from pathlib import Path

from games.blackjack.matrix import MATRIX
from games.blackjack.rulings import COUNTING, SHUFFLE

OF_A_RULING = {"collusion_players", "collusion_staff"}
"""Grounds that no finding has: a ruling names them, and the matrix itself says that it may."""
ROOM = Path(__file__).parents[3] / "games" / "blackjack"


def test_every_code_of_a_row_is_one_that_the_room_finds_or_a_ground_that_it_accepts() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in ROOM.glob("*.py") if path.name != "matrix.py")
    for row in MATRIX:
        for ground in set(row.grounds) - OF_A_RULING:
            assert f'"{ground}"' in text, ground


def test_what_management_decides_on_the_shoe_takes_proof_and_on_a_counter_suspicion() -> None:
    standards = {ground: row.standard for row in MATRIX for ground in row.grounds}
    assert (standards[SHUFFLE], standards[COUNTING]) == ("proof", "suspicion")
    assert [row.rule for row in MATRIX if row.by_analogy] == ["BJ-A39", "BJ-A39"]
