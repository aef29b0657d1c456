"""Vectors of our own of deal and board: each row of the catalogue with two to nine players, by arithmetic on n alone."""

from __future__ import annotations

import pytest

from tests.vectors import holdem
from tests.vectors.reading import Vector

MISDEAL = {"verdict": "MISDEAL", "button_moves": False, "blinds": "stay"}
PLAYERS = range(2, 10)


def line(seq: int) -> Vector:
    """Flop to river off the deck from a place on."""
    return {"flop": [seq, seq + 1, seq + 2], "burn2": seq + 3, "turn": seq + 4, "burn3": seq + 5, "river": seq + 6}


def deals(n: int) -> list[tuple[Vector, Vector]]:
    """Every row about players' cards."""
    after = 2 * n + 1
    exposed = {"kind": "deal", "players": n, "irregularity": "exposed_by_dealer"}
    extra = {"kind": "deal", "players": n, "irregularity": "extra_to_first"}
    own = {**exposed, "irregularity": "exposed_by_player"}
    put_back = {"verdict": "CORRECTED", "burn1_seq": after, **line(after + 1)}
    rows: list[tuple[Vector, Vector]] = [
        ({**exposed, "seqs": [1]}, MISDEAL),
        ({**exposed, "seqs": [2], "acted": 1}, MISDEAL),
        ({**exposed, "seqs": [1], "acted": 2}, {"verdict": "BREACH"}),
        ({**exposed, "seqs": [1], "config": {"misdeal_exposed_seq_max": 0}}, {"verdict": "CORRECTED"}),
        ({**exposed, "seqs": [3, 2 * n]}, MISDEAL),
        ({**own, "seqs": [2]}, {"verdict": "VALID", "burn1": after, **line(after + 1)}),
        ({**own, "seqs": [2], "config": {"player_exposed_card": "as_dealer"}}, MISDEAL),
        ({**extra, "count": 1, "identified": True}, put_back),
        ({**extra, "count": 2}, MISDEAL),
        ({**extra, "count": 1, "identified": False}, MISDEAL),
        ({**extra, "irregularity": "extra_to_seat", "seat": n, "count": 1}, put_back),
    ]
    rows += [
        (
            {**exposed, "seqs": [seq]},
            {"verdict": "CORRECTED", "replacement_seq": after, "burn1_seq": seq, **line(after + 1)},
        )
        for seq in sorted({3, n + 1, 2 * n} - {1, 2})
    ]
    if n > 2:
        rows.append(({**exposed, "seqs": [3, 4, 5]}, MISDEAL))
    return rows


def boards(n: int) -> list[tuple[Vector, Vector]]:
    """Every row about burns and board."""
    at = 2 * n + 2  # the first card of the flop
    here = {"kind": "board", "players": n}
    fixed = {"verdict": "CORRECTED", "refund": 0}
    again = {"burn1": at - 1, **line(at)}
    return [
        (
            {**here, "irregularity": "premature_flop"},
            {
                **fixed,
                "set_aside": [at + 3, at + 4, at + 5, at + 6],
                "shuffled_in": [at, at + 1, at + 2],
                "burn_before_new_flop": False,
                "burn2": at + 3,
                "turn": at + 4,
                "burn3": at + 5,
                "river": at + 6,
            },
        ),
        (
            {**here, "irregularity": "premature_turn"},
            {**fixed, "burn3": at + 5, "river_face_down": at + 6, "shuffled_in": [at + 4], "burn_before_new_turn": False,
             "river": at + 6},
        ),
        ({**here, "irregularity": "premature_river"}, {**fixed, "shuffled_in": [at + 6], "burn_before_new_river": False}),
        (
            {**here, "irregularity": "flop_cards", "count": 4},
            {**fixed, "scramble": [at, at + 1, at + 2, at + 3], "picked_is": "burn2", "turn": at + 4, "burn3": at + 5,
             "river": at + 6},
        ),
        (
            {**here, "irregularity": "flop_cards", "count": 4, "config": {"four_card_flop_burn": "additional"}},
            {**fixed, "picked_is": "one more burn", "turn": at + 5, "river": at + 7},
        ),
        ({**here, "irregularity": "flop_cards", "count": 4, "role": "management"}, fixed),
        ({**here, "irregularity": "flop_cards", "count": 4, "role": "dealer"}, {"verdict": "BREACH", "refund": 0}),
        (
            {**here, "irregularity": "flop_cards", "count": 5},
            {**fixed, "shuffled_in": [at, at + 1, at + 2, at + 3, at + 4], "burn_before_new_flop": False},
        ),
        (
            {**here, "irregularity": "flop_cards", "count": 6},
            {**fixed, "shuffled_in": [at, at + 1, at + 2, at + 3, at + 4, at + 5], "burn_before_new_flop": False},
        ),
        ({**here, "irregularity": "turn_cards", "count": 2}, {"verdict": "RULING"}),
        ({**here, "irregularity": "burn_missing"}, {**fixed, **again}),
        ({**here, "irregularity": "burn_double"}, {**fixed, **again}),
        ({**here, "irregularity": "burn_missing", "street": "turn"}, {**fixed, **again}),
        ({**here, "irregularity": "burn_double", "street": "river"}, {**fixed, **again}),
        ({**here, "irregularity": "burn_missing", "acted": 1}, {"verdict": "BREACH", "flop": [at - 1, at, at + 1]}),
        ({**here, "irregularity": "burn_double", "acted": 1}, {"verdict": "BREACH", "flop": [at + 1, at + 2, at + 3]}),
    ]  # fmt: skip


@pytest.mark.parametrize("n", PLAYERS)
@pytest.mark.parametrize("rows", [deals, boards])
def test_every_row_with_so_many_players(rows, n: int) -> None:
    wrong = {}
    for given, expect in rows(n):
        problems = holdem.run({"id": "own", "given": given, "expect": expect}, {})
        if problems:
            wrong[str(given)] = problems
    assert wrong == {}
