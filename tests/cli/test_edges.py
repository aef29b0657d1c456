"""What people type and machines do at the edges: names, times of day, closed streams, sums of one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cli import assembly
from tests.cli.desk import Desk, Result, altered, lines_of

ROULETTE = assembly.rooms()["roulette"]
SESSION = "table/brno/RL-03/2026-11-28.1"


def spins(rounds: int = 3, seed: int = 1, **more: Any) -> list[bytes]:
    return lines_of(ROULETTE.deal(rounds, seed, **more))


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    """A store that nobody writes to."""
    desk = Desk(tmp_path_factory.mktemp("shown")).init()
    desk.ingest(spins())
    return desk


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    desk = Desk(tmp_path).init()
    assert desk.ingest(spins()).code == 0
    return desk


def first_of(desk: Desk, round_: str, topic: str) -> dict[str, Any]:
    rows = desk.run("replay", round_, "--json").rows
    return next(row for row in rows if row["type"] == topic)


def bet(desk: Desk, round_: str = "RL-03#2") -> str:
    return str(first_of(desk, round_, "RL.BetPlaced.v1")["record"])


def correct(desk: Desk, text: str, **more: str) -> Result:
    return desk.run("correct", bet(desk), text, "--in", "RL-03#2", "--reason", more.get("reason", "camera 4"))


# --- names and times that people type ---


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("9" * 300, "has 300 characters"),
        ("4@#~", "has `@` in it"),
        ("ř", "has U+0159 in it"),
        ("4~", "has `~` in it"),
        ("4~2", "the session has no round `4~2`"),
    ],
)
def test_a_record_cannot_be_corrected_into_what_is_no_round(shown: Desk, name: str, told: str) -> None:
    before = shown.run("status", "--json").row["rows"]
    said = correct(shown, f"#{name}")
    assert said.code == 2
    assert told in said.err
    assert shown.run("status", "--json").row["rows"] == before
    what_if = shown.run("what-if", "RL-03#2", "--add", f"#{name} NoMoreBets")
    assert (what_if.code, "round" in what_if.err) == (2, True) or name == "4~2"


def test_a_time_of_day_is_that_of_the_gaming_day(desk: Desk) -> None:
    opened = first_of(desk, "RL-03#2", "TB.RoundOpened.v1")
    clock = opened["at"][11:19]
    assert correct(desk, f"@{clock}").code == 0
    moved = next(row for row in desk.run("replay", "RL-03#2", "--json").rows if row["original"])
    assert moved["at"][:19] == opened["at"][:19]
    added = desk.run("add-fact", "RL-03#2", f"@{clock} ErrorNoted x", "--reason", "video")
    assert added.code == 0
    assert next(row for row in desk.run("replay", "RL-03#2", "--json").rows if row["added"])["at"][11:19] == clock
    assert desk.run("what-if", "RL-03#2", "--add", f"@{clock} ErrorNoted y").code == 0
    assert desk.run("what-if", "RL-03#2", "--change", f"{bet(desk)} @{clock}").code == 0
    assert correct(desk, "@29:00").code == 2


def test_an_added_fact_names_one_round(desk: Desk) -> None:
    said = desk.run("add-fact", "RL-03#2", "#3 ErrorNoted x", "--reason", "video")
    assert said.code == 2
    assert "the line says round 3, the command round 2" in said.err


def test_a_fact_added_to_a_round_opened_again_stands_there_without_its_name(tmp_path: Path) -> None:
    desk = Desk(tmp_path).init()
    desk.ingest([altered(line, round="1" if json.loads(line).get("round") == "2" else json.loads(line).get("round"))
                 if json.loads(line).get("round") else line for line in spins()])  # fmt: skip
    again = bet(desk, "RL-03#1~2")
    assert desk.run("add-fact", "RL-03#1~2", "ErrorNoted x", "--behind", again, "--reason", "video").code == 0
    assert [row["line"] for row in desk.run("replay", "RL-03#1~2", "--json").rows if row["added"]] == ["ErrorNoted x"]
    other = bet(desk, "RL-03#1")
    assert desk.run("add-fact", "RL-03#1~2", "ErrorNoted y", "--behind", other, "--reason", "video").code == 2


@pytest.mark.parametrize(
    ("reason", "told"), [("\x1b[31mred", "U+001B"), ("x" * 100_000, "100,000 characters"), ("a\u202eb", "U+202E")]
)
def test_a_reason_is_plain_and_short(shown: Desk, reason: str, told: str) -> None:
    said = correct(shown, "amount=1", reason=reason)
    assert said.code == 2
    assert told in said.err


def test_a_reason_is_one_line(desk: Desk) -> None:
    assert correct(desk, "amount=1", reason="camera 4\n  clip 12").code == 0
    assert "camera 4 clip 12" in desk.run("replay", "RL-03#2").out


def test_a_win_whose_player_no_record_names_is_told_in_a_whole_sentence(desk: Desk) -> None:
    rows = desk.run("replay", "RL-03#2", "--json").rows
    move = next(row for row in rows if row["data"].get("cause") == "take")
    said = desk.run("what-if", "RL-03#2", "--change", f"{move['record']} stake=b999")
    sentence = next(line for line in said.out.splitlines() if line.startswith("would be:"))
    assert not sentence.rstrip().endswith(" to")
    assert "somebody whom no record names" in said.out
