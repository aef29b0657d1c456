"""What a verdict is told with: the hand in short, what lies between it and its neighbours, what was found there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cli import assembly
from events.schema.envelope import make_envelope
from events.schema.event import to_plain
from games.holdem import GAME
from tests.cli.desk import Desk, lines_of
from tests.games.table import catalogue_of, facts_of_lines

EVENING = """
@+0 TableOpened holdem NL CZK smallest_chip=5
@+1 StakesAnnounced 5 10
@+2 SeatTaken 1 p-1
@+3 SeatTaken 2 p-2
@+4 SeatTaken 3 p-3
@+10 #1 RoundOpened
@+11 #1 ButtonPlaced 1
@+12 #1 PlayerDealtIn 1 p-1 500
#1 PlayerDealtIn 2 p-2 500
#1 PlayerDealtIn 3 p-3 500
@+13 #1 Posted 2 small_blind 5
#1 Posted 3 big_blind 10
@+14 #1 HoleDealt 1 2c,3d
#1 HoleDealt 2 Ah,Kd
#1 HoleDealt 3 9c,9d
@+20 #1 ActionTaken 1 fold
@+22 #1 ActionTaken 2 fold
@+24 #1 ChipsMoved pot seat/3 5 return
@+25 #1 ChipsMoved pot seat/3 10 award
@+26 #1 RoundClosed
@+30 SeatChanged p-1 1 5
@+31 ChipsMoved seat/1 seat/5 500 seat_change
@+32 ShuffleStep wash deck-1
@+35 ConductReported insult p-2
@+40 #2 RoundOpened
@+41 #2 ButtonPlaced 2
@+42 #2 PlayerDealtIn 2 p-2 495
#2 PlayerDealtIn 3 p-3 505
#2 PlayerDealtIn 5 p-1 500 status=moved
@+43 #2 Posted 3 small_blind 5
#2 Posted 5 big_blind 10
@+44 #2 HoleDealt 2 2c,3d
#2 HoleDealt 3 Ah,Kd
#2 HoleDealt 5 9c,9d
@+50 #2 WordsSpoken 2 fold
@+52 #2 WordsSpoken 3 fold
@+54 #2 ChipsMoved pot seat/5 5 return
@+55 #2 ChipsMoved pot seat/5 10 award
@+56 #2 RoundClosed
@+60 #3 RoundOpened
@+61 #3 ButtonPlaced 3
@+62 #3 PlayerDealtIn 3 p-3 500
#3 PlayerDealtIn 5 p-1 505
@+63 #3 Posted 3 small_blind 5
#3 Posted 5 big_blind 10
@+64 #3 HoleDealt 3 Ah,Kd
#3 HoleDealt 5 9c,9d
@+72 #3 WordsSpoken 3 fold
@+74 #3 ChipsMoved pot seat/5 5 return
@+75 #3 ChipsMoved pot seat/5 10 award
@+76 #3 RoundClosed
@+4000 ObjectionRaised award seat=2 player=p-2 hand=1
@+4002 TableClosed
@+4003 SourceEnded
"""


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    desk = Desk(tmp_path_factory.mktemp("scene")).init()
    envelopes = [
        make_envelope(
            subject="table/brno/NL-1/2026-11-28.1",
            source="/brno/NL-1/terminal",
            sequence=fact.sequence,
            topic=fact.topic,
            at_ms=fact.occurred_at,
            data=to_plain(fact.event),
            round_name=fact.round,
        )
        for fact in facts_of_lines(EVENING, catalogue_of(GAME))
    ]
    assert desk.ingest(lines_of(envelopes)).code == 0
    return desk


def judged(desk: Desk, name: str) -> str:
    return re.sub(r"\s+", " ", desk.run("judge", name).out)


def test_the_hand_is_told_in_short_with_its_times(desk: Desk) -> None:
    shown = judged(desk, "NL-1#2")
    assert "seats 18:00:41 2 p-2, 3 p-3, 5 p-1 (moved here)" in shown
    assert "preflop 18:00:50 seats 2, 3 fold; 5 go back to seat 5" in shown
    assert "paid 18:00:55 10 to seat 5" in shown
    assert shown.index("As recorded") < shown.index("Money")


def test_of_who_sat_elsewhere_in_the_evening_his_last_move_is_told(desk: Desk) -> None:
    assert "moved 18:00:30 p-1 moves from seat 1 to seat 5 (own wish) seats 18:01:01 3 p-3, 5 p-1" in judged(
        desk, "NL-1#3"
    )
    assert "moved" not in judged(desk, "NL-1#1")


def test_what_lies_just_before_and_after_is_told_but_not_what_always_lies_there(desk: Desk) -> None:
    second = judged(desk, "NL-1#2")
    assert "before 18:00:30 p-1 moves from seat 1 to seat 5 (own wish); p-2 is reported for insult" in second
    first = judged(desk, "NL-1#1")
    assert "after 18:00:30 p-1 moves from seat 1 to seat 5" in first
    assert "before 18:00:01 stakes 5 CZK / 10 CZK, no limit seats" in first
    for dull in ("shuffled", "500 CZK go from seat 1", "sits down", "the table closes"):
        assert dull not in first + second


def test_findings_in_no_round_are_told_with_the_rounds_beside_them_and_those_of_objections_with_theirs(
    desk: Desk,
) -> None:
    first, second = judged(desk, "NL-1#1"), judged(desk, "NL-1#2")
    assert "Found beside this round, in no round: 2 NL-39 insult · seat 2" in first
    assert "NL-37 complaint · 1" in first
    assert "p-2 (seat 2) objects to hand 1: award (between rounds)" in first
    assert "Found beside this round, in no round: 1 NL-39 insult · seat 2" in second
    assert "NL-37" not in second


@pytest.mark.parametrize("room", [name for name, game in assembly.rooms().items() if game.story is None])
def test_a_round_that_no_story_tells_is_shown_as_the_table_stood(room: str, tmp_path: Path) -> None:
    """As everybody saw it: no card of a hand that was given up face down."""
    desk = Desk(tmp_path).init()
    envelopes = list(assembly.rooms()[room].deal(2, 4))
    assert desk.ingest(lines_of(envelopes)).code == 0
    subject = envelopes[0].subject
    shown = desk.run("judge", f"{subject}#2").out.splitlines()
    whole = desk.run("replay", f"{subject}#2").out.splitlines()
    panels = [line for line in whole if line.startswith("── ") and "Settlement" not in line]
    assert panels
    assert [line for line in shown if line.startswith("── ")] == panels
    at, start = shown.index(panels[0]), whole.index(panels[0])
    count = next((n for n, line in enumerate(whole[start:]) if "Settlement" in line or not line), 0)
    assert shown[at : at + count] == whole[start : start + count]
