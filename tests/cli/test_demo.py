"""The demo: what a stranger sees first."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from msgspec.structs import replace

from cli import assembly
from cli.evening import night, reckoning
from cli.screen import plain_of
from events.store import Log, Origin
from tests.cli.desk import Desk, lines_of


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, float, Path]:
    folder = tmp_path_factory.mktemp("demo")
    began = time.monotonic()
    result = Desk(folder).spawn("demo", "--folder", str(folder / "left"), timeout=120)
    assert result.code == 0, result
    return result.out, time.monotonic() - began, folder / "left"


def test_it_ends_in_two_minutes_on_two_verdicts_with_money_and_rule(told: tuple[str, float, Path]) -> None:
    out, seconds, _folder = told
    assert seconds < 60
    spin, hand = out.split("complaint: ")[1:]
    assert "VOID — every bet goes back" in spin
    assert "RL-15  Alternating direction" in spin
    assert "the table" in spin
    assert "VALID, BUT PAID WRONG" in hand
    assert "NL-24  All-in and side pots" in hand
    assert "owed: " in hand
    assert "Go on by yourself" in hand


def test_its_last_screen_lists_a_mistake_at_a_table_of_every_game_with_money_and_rule(
    told: tuple[str, float, Path],
) -> None:
    _before, last = told[0].split("reckoning: ")
    rows = [line for line in last.splitlines() if re.match(r"  [A-Z]{2}-\d+#", line)]
    assert {title for title in (game.title for game in assembly.rooms().values()) if title in last} == {
        game.title for game in assembly.rooms().values()
    }
    assert len(rows) == len(assembly.rooms())
    assert all(re.search(r" [A-Z]{2}-\d\d .* found ", row) for row in rows)
    assert sum("CZK" in row for row in rows) == len(rows) - 1  # one needs a manager's ruling first
    assert "nothing else was found" in last


def test_a_mistake_not_found_and_a_finding_not_planted_are_told_apart() -> None:
    dealt = night(4)
    claimed = replace(dealt[2], rule="MW-13")
    with Log.open(":memory:", assembly.catalogue()) as log:
        book = assembly.casebook(log)
        book.adopt_shipped()
        for one in dealt:
            log.accept(lines_of(one.records), Origin(kind="stdin"))
        assert reckoning(book, dealt)[1] == []
        lines, wrong = reckoning(book, [*dealt[:2], claimed, *dealt[3:]])
        assert wrong == [
            f"MW-13 of {claimed.round} was planted and not found",
            f"MW-14 in {claimed.round} was found and not planted",
        ]
        assert sum("NOT FOUND" in plain_of(line) for line in lines) == 1
        assert len(reckoning(book, dealt[:-1])[1]) == 1


def test_a_demo_that_finds_anything_else_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cli.demo.night", lambda seed: [*night(seed)[:-1], replace(night(seed)[-1], rule="RP-01")])
    result = Desk(tmp_path).run("demo", "--folder", str(tmp_path / "left"))
    assert result.code == 3
    assert "RP-01" in result.err
    assert "nothing else was found" not in result.out


def test_it_shows_repeats_a_gap_closed_by_a_late_record_and_a_whole_log(told: tuple[str, float, Path]) -> None:
    out = told[0]
    assert "missing" in out
    assert "adds up" in out
    assert "as it was sealed" in out
    own = str(told[2])  # a test's folder may be as long as it likes
    typed = ("  recoup", "$ recoup")
    assert all(len(line.replace(own, "")) <= 100 for line in out.splitlines() if not line.startswith(typed))


def test_the_commands_it_names_work_in_what_it_leaves(told: tuple[str, float, Path]) -> None:
    out, _seconds, folder = told
    desk = Desk(folder, store=str(folder / "demo.db"))
    what_if = re.search(r"recoup what-if '(\S+)' --change '(.+)'", out)
    assert what_if is not None
    changed = desk.run("what-if", what_if[1], "--change", what_if[2], "--json").row
    # The spin would be valid, but a ruling rests on its being void.
    assert (changed["was"]["standing"], changed["would"]["standing"]) == ("void", "ruling_required")
    assert {one["rule"] for one in changed["would"]["findings"]} == {"TB-10"}
    assert len(changed["elsewhere"]) <= 1  # the spin after it must alternate with what it would have been
    looks = {row["round"].split("/", 2)[2] for row in desk.run("judge", "--all", "--json").rows if row["findings"]}
    assert {one.round.split("/", 2)[2] for one in night(4)} < looks
    assert desk.run("replay", what_if[1], "--step", stdin=b"nnq").code == 0


def test_it_ends_with_three_rulings_the_nights_page_and_a_pack_that_an_outsider_checks(
    told: tuple[str, float, Path],
) -> None:
    out, _seconds, folder = told
    assert re.findall(r"^  \S+  (\w+ of \d+ rounds? for \w+)$", out, re.MULTILINE) == [
        "correct of 1 round for wheel_not_alternated",
        "void of 8 rounds for shuffle_breach",
        "void of 2 rounds for collusion_players",
    ]
    page, pack = map(Path, re.findall(r"^  the (?:night's page|checked pack)  (.+)$", out, re.MULTILINE))
    assert "2026-11-28" in page.read_text(encoding="utf-8")
    assert "complaint.zip: all of it agrees" in out
    assert "one end only" not in out, "the desk has the other end of every slip"
    desk = Desk(folder, store=str(folder / "demo.db"))
    checked = desk.run("verify")
    assert checked.code == 0
    assert "1 checkpoint" in checked.out
    broken = bytearray(pack.read_bytes())
    broken[len(broken) // 2] ^= 1
    (folder / "broken.zip").write_bytes(broken)
    said = subprocess.run(
        [sys.executable, folder / "verify.py", folder / "broken.zip"], capture_output=True, text=True, check=False
    )
    assert said.returncode == 1, said


def test_it_does_not_work_over_somebody_elses_files(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("dear")
    assert Desk(tmp_path).run("demo", "--folder", str(tmp_path)).code == 2
    assert (tmp_path / "mine").read_text() == "dear"


@pytest.mark.parametrize("seed", ["1", "2", "8"])
def test_other_evenings_end_the_same(tmp_path: Path, seed: str) -> None:
    result = Desk(tmp_path).run("demo", "--folder", str(tmp_path / "left"), "--seed", seed)
    assert result.code == 0
    assert "VOID" in result.out
    assert "PAID WRONG" in result.out
