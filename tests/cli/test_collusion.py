"""`collusion` and `access`: reasons to look with what they rest on, and who looked."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest

from cli import assembly
from tests.cli.desk import Desk, lines_of
from tests.cli.test_hands import hands

NOTICE = "reasons to look, not a verdict"


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """Two evenings of a table, and somebody who may open disputes."""
    made = Desk(tmp_path).init()
    holdem = assembly.rooms()["holdem"]
    made.ingest(lines_of(holdem.deal(40, 2)), "one.ndjson")
    made.ingest(lines_of(holdem.deal(12, 5, day="2026-11-29")), "two.ndjson")
    return made.employ()


def test_a_table_s_pairs_are_told_with_sample_chance_seed_and_the_notice(desk: Desk) -> None:
    told = desk.run("collusion", "--table", "NL-1", "--day", "2026-11-28", "--seed", "4")
    assert told.code == 0, told.err
    assert told.out.count(NOTICE) == 2
    assert "40 hands of 1 table, 7 players, 21 pairs" in told.out
    assert "seed 4" in told.out
    assert "by chance" in told.out
    assert "shufflings" in told.out
    assert "… and 18 more pairs" in told.out
    compared = re.search(r"; (\d+ pairs?) compared", " ".join(told.out.split()))
    assert compared is not None
    assert f"Of {compared[1]} compared, none stands out beyond chance." in told.out
    assert max(map(len, told.out.splitlines())) <= 110


def test_the_same_question_gives_the_same_bytes(desk: Desk) -> None:
    first = desk.run("collusion", "p-2", "p-4", "--json")
    assert desk.run("collusion", "p-2", "p-4", "--json").out == first.out
    head, *pairs = first.rows
    assert head["notice"] == NOTICE
    assert head["asked"]["players"] == ["p-2", "p-4"]
    assert [pair["players"] for pair in pairs] == [["p-2", "p-4"]]
    other = desk.run("collusion", "p-2", "p-4", "--json", "--seed", "2")
    assert other.rows[0]["seed"] == 2
    assert other.out != first.out


def test_it_goes_with_a_dispute_as_evidence_and_changes_no_verdict(desk: Desk) -> None:
    address = "brno/NL-1/2026-11-28.1#3"
    dispute = desk.run("dispute", "open", address, "--claim", "they play together").out.split()[1]
    before = desk.run("judge", address, "--json").out
    file = desk.run("collusion", "p-2", "p-4", "--table", "NL-1", "--json").out
    said = desk.run("collusion", "p-2", "p-4", "--table", "NL-1", "--dispute", dispute, "--reason", "he asked")
    assert said.code == 0, said.err
    digest = hashlib.sha256(file.encode()).hexdigest()
    (evidence,) = desk.run("dispute", "show", dispute, "--json").row["evidence"]
    assert (evidence["kind"], evidence["sha256"]) == ("analysis", digest)
    assert NOTICE in evidence["note"]
    assert "players=p-2,p-4 table=NL-1 seed=1" in evidence["note"]
    assert "p-2 and p-4" in evidence["note"]
    assert "by chance" in evidence["note"]
    assert desk.run("collusion", "p-2", "p-4", "--round", address, "--dispute", dispute).code == 0
    few = desk.run("dispute", "show", dispute, "--json").row["evidence"][-1]["note"]
    assert "by chance —; " in few, "one hand has no chance to compare its chips with"
    assert desk.run("judge", address, "--json").out == before


def test_named_hands_alone_are_too_few_to_say_anything(desk: Desk) -> None:
    told = desk.run("collusion", "--round", "brno/NL-1/2026-11-28.1#3", "--round", "brno/NL-1/2026-11-28.1#4")
    assert told.code == 0, told.err
    assert "2 hands of 1 table" in told.out
    assert "too little to say anything" in told.out
    assert "this says nothing of anybody" in told.out
    assert "stands out beyond chance" not in told.out


def test_imported_hands_are_found_by_a_player_s_name_which_is_kept_nowhere(tmp_path: Path) -> None:
    desk = Desk(tmp_path).init()
    (tmp_path / "day.phhs").write_text(hands(3))
    assert desk.run("hands", "import", str(tmp_path / "day.phhs")).code == 0
    told = desk.run("collusion", "Ana", "--json")
    assert told.code == 0, told.err
    row, others = desk.run("access", "--json").rows
    assert row["about"].startswith("p-")
    assert others["about"] == "all players of every table"
    assert "1 look at many at once" in desk.run("access", "--person", "p-77").err  # who was beside her was shown too
    assert "Ana" not in desk.run("access").out
    desk.run("hands", "find", "--player", "Ana")
    assert {one["about"] for one in desk.run("access", "--json").rows} == {row["about"], others["about"]}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "whose hands?"),
        (("p-77", "--table", "NL-1"), "no poker hand fits"),
        (("p-2", "p-77", "--table", "NL-1"), "`p-77` was dealt in to none"),
        (("--table", "NL-9"), "no poker hand fits"),
        (("--table", "NL-1", "--dispute", "2026-01-01.1"), "no dispute"),
    ],
)
def test_what_cannot_be_meant_is_said(desk: Desk, words: tuple[str, ...], told: str) -> None:
    said = desk.run("collusion", *words)
    assert said.code == 2
    assert told in said.err
    assert NOTICE not in said.out


def test_every_look_at_persons_is_on_the_trail_and_can_be_found_there(desk: Desk) -> None:
    dispute = desk.run("dispute", "open", "brno/NL-1/2026-11-28.1#3", "--claim", "x").out.split()[1]
    desk.run("collusion", "p-2", "p-4", "--reason", "note of Saturday")
    desk.run("collusion", "--table", "NL-1", "--day", "2026-11-28")
    desk.run("hands", "find", "--player", "p-2")
    desk.run("rounds", "--table", "NL-1", "--player", "p-4")
    desk.run("hands", "export", "NL-1#3", "--day", "2026-11-28")
    desk.run("dispute", "show", dispute)
    rows = desk.run("access", "--json").rows
    assert [(row["what"], row["about"]) for row in rows] == [
        ("collusion", "p-2"), ("collusion", "p-4"), ("collusion", "all players of NL-1 2026-11-28"), ("person", "p-2"),
        ("person", "p-4"), ("export", "table/brno/NL-1/2026-11-28.1#3"), ("dispute", dispute),
    ]  # fmt: skip
    assert {row["person"] for row in rows} == {"novakova"}
    assert rows[0]["reason"] == "note of Saturday"
    asked_for = desk.run("access", "--person", "p-2", "--json").rows
    assert [row["what"] for row in asked_for] == ["collusion", "person", "export"]  # he was dealt in to hand 3
    assert len(desk.run("access", "--person", "novakova", "--json").rows) == len(rows)
    assert len(desk.run("access", "--dispute", dispute, "--json").rows) == 1
    assert len(desk.run("access", "--day", "today", "--json").rows) == len(rows)
    assert "no look" in desk.run("access", "--day", "2020-01-01").out
    assert len(desk.run("access", "--limit", "2", "--json").rows) == 2


def test_who_is_in_no_round_was_not_looked_at(desk: Desk) -> None:
    assert desk.run("rounds", "--table", "NL-1", "--player", "nobody").code == 2
    assert desk.run("hands", "find", "--player", "nobody").code == 2
    assert desk.run("access", "--json").out == ""


@pytest.mark.parametrize(
    "words",
    [
        ("collusion", "--table", "NL-1"),
        ("collusion", "p-2", "--json"),
        ("hands", "find", "--player", "p-2"),
        ("rounds", "--table", "NL-1", "--player", "p-2"),
        ("hands", "export", "brno/NL-1/2026-11-28.1#3"),
    ],
)
def test_without_the_trail_nothing_of_persons_is_shown(
    desk: Desk, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("events.store.Log.author", _full)
    refused = desk.run(*words)
    assert refused.code == 3
    assert refused.out == ""
    assert "the access trail cannot be written" in refused.err


def test_a_ruling_act_is_on_the_trail_and_goes_on_without_it(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    address = "brno/NL-1/2026-11-28.1#3"
    done = desk.run("void", address, "--ground", "collusion", "--basis", "management", "--reason", "seen on camera")
    assert done.code == 0, done.err
    dispute = done.err.split()[1]
    (row,) = desk.run("access", "--json").rows
    assert (row["what"], row["about"], row["reason"]) == ("ruling", dispute, "proposed: seen on camera")
    from events import trail
    from events.errors import Unable

    def cannot(*_given: object, **_named: object) -> None:
        raise Unable("the access trail cannot be written: no space left on device")

    monkeypatch.setattr(trail, "note_access", cannot)
    done = desk.run(
        "void", "brno/NL-1/2026-11-28.1#4", "--ground", "collusion", "--basis", "management", "--reason", "again"
    )
    assert done.code == 0, done.err
    assert "not in the access trail: the access trail cannot be written" in done.err


def _full(*_given: object, **_named: object) -> None:
    raise OSError("no space left on device")
