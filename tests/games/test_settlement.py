"""What was settled, read from movements of chips."""

from __future__ import annotations

import pytest

from events.schema.event import Move
from games.settlement import recorded_moves


def staked(*moves: Move) -> dict[str, int]:
    settled = recorded_moves([*moves, Move("float", "player/p-1", "0", "win", "b9")])
    assert settled is not None
    return {line.stake: line.staked for line in settled.lines if line.stake != "b9"}


LAID = Move("player/p-1", "box/b1", "1000", "stake", "b1")


@pytest.mark.parametrize(
    ("move", "left"),
    [
        (Move("box/b1", "player/p-1", "400", "stake", "b1"), {"b1": 600}),
        (Move("player/p-1", "box/b1", "400", "stake", "b1"), {"b1": 1400}),
        (Move("box/b1", "box/b2", "400", "stake", "b1"), {"b1": 600}),
        (Move("box/b1", "box/b2", "400", "stake", "b2"), {"b1": 1000, "b2": 400}),
    ],
)
def test_chips_taken_up_again_lower_the_stake_and_chips_put_down_raise_it(move: Move, left: dict[str, int]) -> None:
    assert staked(LAID, move) == left


def test_chips_taken_back_from_the_pot_were_not_staked() -> None:
    put, back = Move("seat/3", "pot", "1000", "stake", ""), Move("pot", "seat/3", "400", "stake", "")
    settled = recorded_moves([put, back, Move("pot", "seat/3", "600", "award", "")])
    assert settled is not None
    (line,) = settled.lines
    assert (line.stake, line.player, line.staked, line.taken, line.paid) == ("seat/3", "seat/3", 600, 600, 600)
