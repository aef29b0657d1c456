"""An objection is shown where somebody looks: by its time among the rounds, and with the round that it is to."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli import assembly
from events.schema.envelope import Envelope, make_envelope
from events.schema.event import to_plain
from events.values.clock import parse_time
from games.shared.poker.conduct import ObjectionRaised
from tests.cli.desk import Desk, lines_of


def objection(dealt: list[Envelope], sequence: int, at_ms: int, event: ObjectionRaised, round_: str | None) -> Envelope:
    return make_envelope(
        subject=dealt[0].subject,
        source="/brno/NL-1/floor",
        sequence=sequence,
        topic=event.TOPIC,
        at_ms=at_ms,
        data=to_plain(event),
        round_name=round_,
    )


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    """Four hands; after the third p-9 objects to the first, and during the fourth seat 2 to that one; long after all
    somebody objects to the second."""
    desk = Desk(tmp_path_factory.mktemp("objections")).init()
    dealt = list(assembly.rooms()["holdem"].deal(4, 3))
    ends = [
        parse_time(one.time) for one in dealt if one.type.startswith("table.RoundClosed") or "RoundClosed" in one.type
    ]
    start = next(parse_time(one.time) for one in reversed(dealt) if "RoundOpened" in one.type)
    raised = [
        objection(dealt, 1, (ends[2] + start) // 2, ObjectionRaised("award", seat=3, player="p-9", hand="1"), None),
        objection(dealt, 2, (start + ends[3]) // 2, ObjectionRaised("the button", seat=2), "4"),
        objection(dealt, 3, ends[3] + 3_600_000, ObjectionRaised("rake", hand="2"), None),
    ]
    assert desk.ingest(lines_of([*dealt, *raised])).code == 0
    return desk


def test_rounds_shows_objections_at_their_place(desk: Desk) -> None:
    lines = desk.run("rounds", "--table", "NL-1", columns=160).out.splitlines()
    firsts = [line.split()[0] for line in lines[1:]]
    assert firsts == ["NL-1#1", "NL-1#2", "NL-1#3", "objection", "NL-1#4", "objection", "objection"]
    told = [line for line in lines if "objection" in line]
    assert "p-9 (seat 3) objects to hand 1: award" in told[0]
    assert "seat 2 objects to hand 4: the button" in told[1]
    assert "somebody objects to hand 2: rake" in told[2]


def test_about_the_time_of_an_objection_the_next_step_is_the_round_objected_to(desk: Desk) -> None:
    at = desk.run("judge", "NL-1#2", "--json").row["objections"][0]["at"]
    result = desk.run("rounds", "--table", "NL-1", "--around", at[11:16], "--within", "1")
    assert (result.code, "objects to hand 2" in result.out) == (0, True)
    assert "recoup judge table/brno/NL-1/2026-11-28.1#2 judges the round objected to" in result.err
    assert "somebody objects" in desk.run("rounds", "--around", at[11:16], "--within", "1", columns=160).out


def test_objections_of_another_player_are_not_shown(desk: Desk) -> None:
    out = desk.run("rounds", "--table", "NL-1", "--seat", "2", columns=160).out
    assert ("objects to hand 4" in out, "objects to hand 1" in out) == (True, False)


def test_judge_cites_the_objections_to_its_round_only(desk: Desk) -> None:
    text = " ".join(desk.run("judge", "NL-1#1", columns=160).out.replace("\u00a0", " ").split())
    assert "Objections to this round" in text
    assert "1@floor p-9 (seat 3) objects to hand 1: award (between rounds)" in text
    assert "Objections to this round" not in desk.run("judge", "NL-1#3").out
    assert "objections" not in desk.run("judge", "NL-1#3", "--json").row
    (said,) = desk.run("judge", "NL-1#4", "--json").row["objections"]
    assert (said["during"], said["to"], said["seat"], said["what"]) == ("4", "4", 2, "the button")


def test_why_tells_what_was_found_of_an_objection_that_came_after_the_round_and_whether_it_was_late(desk: Desk) -> None:
    """`judge` shows it beside the round; `why` must not say that nothing was found against that rule."""
    said = desk.run("why", "NL-1#1", "NL-37", columns=200)
    assert said.code == 5
    assert "nothing was found" not in said.out
    assert "after the award, not late: the house sets no window" in said.out
    assert "nothing was found against it" in desk.run("why", "NL-1#3", "NL-37").out


def test_rounds_in_json_carry_the_objections_to_them(desk: Desk) -> None:
    rows = desk.run("rounds", "--table", "NL-1", "--json").rows
    assert [[one["what"] for one in row.get("objections", ())] for row in rows] == [
        ["award"], ["rake"], [], ["the button"],
    ]  # fmt: skip


def test_a_session_without_objections_is_listed_as_before(tmp_path: Path) -> None:
    desk = Desk(tmp_path).init()
    desk.ingest(lines_of(assembly.rooms()["roulette"].deal(3, 1)))
    assert "object" not in desk.run("rounds", "--table", "RL-03").out
