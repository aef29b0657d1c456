"""Open Hand History in and out from the command line, beside PHH."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.desk import Desk
from tests.cli.test_hands import HAND
from tests.games.hand_histories.ohh import SHOWDOWN, STEAL, pot, text_of, win
from tests.games.hand_histories.test_ohh_out import ODD


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path).init()


def numbered(document: dict[str, dict[str, object]], number: int) -> str:
    return text_of({"ohh": document["ohh"] | {"game_number": str(number)}})


def test_hands_of_several_formats_come_in_by_one_command_and_go_out_in_either(desk: Desk) -> None:
    (desk.folder / "a.ohh").write_text(f"{numbered(STEAL, 1)}\n\n{numbered(SHOWDOWN, 2)}\n")
    (desk.folder / "b.json").write_text(f"[{numbered(STEAL, 3)}]")
    (desk.folder / "settings.json").write_text("{}")
    (desk.folder / "c.phh").write_text(HAND.format(number=4))
    rows = desk.run("hands", "import", str(desk.folder), "--json").rows
    assert [(Path(row["file"]).name, row["format"], row["imported"]) for row in rows] == [
        ("a.ohh", "ohh", 2), ("b.json", "ohh", 1), ("c.phh", "phh", 1),
    ]  # fmt: skip
    for name, form, count in (("out.ohh", "ohh", 4), ("out.phhs", "phh", 4)):
        out = desk.folder / name
        assert desk.run("hands", "export", "--all", "-o", str(out)).code == 0
        other = Desk(desk.folder, store=str(desk.folder / f"{form}.db")).init()
        [row] = other.run("hands", "import", str(out), "--json").rows
        assert (row["format"], row["imported"], row["refused"], row["unproved"]) == (form, count, [], [])
    lines = desk.run("hands", "export", "--all", "--format", "ohh").out.split("\n\n")
    assert len([json.loads(line)["ohh"]["players"] for line in lines]) == 4
    assert "Player" not in "".join(lines)


def test_what_is_listed_is_told_by_kind(desk: Desk) -> None:
    """A mistake with its place, a hand that does not add up, games of another day counted: 5."""
    omaha = [numbered(STEAL, number).replace("Holdem", "Omaha") for number in (1, 2)]
    wrong = text_of({"ohh": STEAL["ohh"] | {"pots": [pot(5, win(0, 4))]}})
    broken = numbered(STEAL, 3).replace('"amount": 6', '"amount": "6"')
    (desk.folder / "day.ohh").write_text("\n\n".join([*omaha, wrong, broken]))
    told = desk.run("hands", "import", str(desk.folder / "day.ohh"))
    assert told.code == 5
    said = " ".join(told.out.split())
    assert "not yet: 2 hands: no-limit Omaha (Omaha) is not played here yet" in said
    assert "day.ohh:5 (hand 3): taken over as told, but the file pays 1 of the pot to nobody" in said
    assert "day.ohh:7 (hand 4): amount, rounds[0].actions[3].amount is '6', which is no amount" in said
    assert "import the same files again" in told.err


def test_a_file_of_other_games_only_has_nothing_to_repair(desk: Desk) -> None:
    (desk.folder / "day.ohh").write_text(numbered(STEAL, 1).replace("Holdem", "Stud"))
    told = desk.run("hands", "import", str(desk.folder / "day.ohh"))
    assert told.code == 5
    assert "repair" not in told.err


def test_a_hand_that_a_format_has_no_word_for_is_named_and_the_others_are_written(desk: Desk) -> None:
    (desk.folder / "day.ohh").write_text(f"{text_of(ODD['twice'])}\n{numbered(STEAL, 1)}\n{numbered(STEAL, 2)}")
    assert desk.run("hands", "import", str(desk.folder / "day.ohh")).code == 0
    told = desk.run("hands", "export", "--all")
    assert told.code == 5
    assert told.out.count("variant = ") == 2
    assert "cannot be written as PHH: the board was run more than once" in " ".join(told.err.split())
    assert "1 hand not written" in told.err
    assert desk.run("hands", "export", "--all", "--format", "ohh").code == 0


def test_what_cannot_be_meant_is_said(desk: Desk) -> None:
    (desk.folder / "note.txt").write_text("a letter")
    told = desk.run("hands", "import", str(desk.folder / "note.txt"))
    assert told.code == 3
    assert "is no hand history that is read here" in told.err
    (desk.folder / "a.ohh").write_text(text_of(STEAL))
    desk.run("hands", "import", str(desk.folder / "a.ohh"))
    told = desk.run("hands", "export", "--all", "--format", "pdf")
    assert told.code == 2
    assert "--format phh, or ohh" in told.err


def test_the_verdict_tells_how_the_file_was_read(desk: Desk) -> None:
    wrong = text_of({"ohh": STEAL["ohh"] | {"pots": [pot(5, win(0, 4))]}})
    (desk.folder / "a.ohh").write_text(wrong)
    assert desk.run("hands", "import", str(desk.folder / "a.ohh")).code == 5
    [row] = desk.run("rounds", "--imports", "--json").rows
    told = desk.run("judge", row["round"])
    assert told.code == 5
    assert "How the file was read (ohh Kitchen 77)\n  the file pays 1 of the pot to nobody" in told.out
    assert desk.run("judge", row["round"], "--json").row["import_notes"] == ["the file pays 1 of the pot to nobody"]
