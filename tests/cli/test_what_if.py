"""`recoup what-if` from the command line: the numbers of replay, both verdicts, clear errors; nothing is stored."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli import assembly
from events.schema.envelope import make_envelope
from events.schema.event import Event, to_plain
from tests.cli.desk import Desk, lines_of
from tests.cli.test_hands import hands
from tests.games.table import catalogue_of, facts_of_lines
from tests.replay.test_what_if_in_rooms import HAND

ROOMS = assembly.rooms()


def written() -> list[bytes]:
    """The hand of `tests/replay/test_what_if_in_rooms.py` as records of table T-1."""
    return lines_of(
        make_envelope(
            subject=fact.subject, source=fact.source, sequence=fact.sequence, topic=fact.topic, at_ms=fact.occurred_at,
            data=to_plain(fact.event), round_name=fact.round,
        )
        for fact in facts_of_lines(HAND, catalogue_of(ROOMS["holdem"]))
        if isinstance(fact.event, Event)
    )  # fmt: skip


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    """A store that nobody may write to: a poker table, a wheel, three imported hands."""
    desk = Desk(tmp_path_factory.mktemp("what-if")).init()
    assert desk.ingest(lines_of(ROOMS["holdem"].deal(3, 3)), "nl.ndjson").code == 0
    assert desk.ingest(written(), "written.ndjson").code == 0
    assert desk.ingest(lines_of(ROOMS["roulette"].deal(2, 3)), "rl.ndjson").code == 0
    (desk.folder / "day.phhs").write_text(hands(3))
    assert desk.run("hands", "import", str(desk.folder / "day.phhs")).code == 0
    return desk


@pytest.fixture(autouse=True)
def nothing_is_stored(desk: Desk) -> object:
    before = Path(desk.store).read_bytes()
    yield
    assert Path(desk.store).read_bytes() == before


def number(desk: Desk, name: str, line: str) -> int:
    """The number of the first record that reads so, as replay gives it."""
    return next(int(row["step"]) for row in desk.run("replay", name, "--json").rows if row["line"].startswith(line))


def test_numbers_are_those_of_replay(desk: Desk) -> None:
    award = number(desk, "NL-1#1", "ChipsMoved pot seat/")
    shown = next(line for line in desk.run("replay", "NL-1#1").out.splitlines() if line.startswith(f"{award:>4}  "))
    assert "ChipsMoved pot seat/" in shown
    said = desk.run("what-if", "NL-1#1", "--set", f"{award}.amount=1")
    assert said.code == 0
    assert f"  {award} " in said.out
    assert "PAID WRONG" in said.out
    by_cite = desk.run("what-if", "NL-1#1", "--change", f"{award} amount=1", "--json").row
    assert by_cite == desk.run("what-if", "NL-1#1", "--set", f"{award}.amount=1", "--json").row


def test_both_verdicts_side_by_side_with_seats_and_rake(desk: Desk) -> None:
    said = desk.run("what-if", "T-1#1", "--parameter", "rake_cap_czk=10")
    rake = next(line for line in said.out.splitlines() if line.startswith("  rake "))
    assert rake.split()[-2:] == ["10", "−20"]
    assert "on record:  VALID" in said.out
    assert "would be:   VALID, BUT PAID WRONG" in said.out
    assert "rake_cap_czk = 300" in said.out
    assert "nothing was stored" in said.err


def test_json_has_both_verdicts_and_what_was_altered(desk: Desk) -> None:
    row = desk.run("what-if", "T-1#1", "--card", "river=As", "--json").row
    assert row["stored"] is False
    (altered,) = row["alterations"]
    assert altered["number"] == number(desk, "T-1#1", "BoardDealt river")
    assert (altered["was"], altered["would"]) == ("BoardDealt river 8d", "BoardDealt river As")
    assert (row["was"]["settlement"], row["would"]["settlement"]) == ("agrees", "differs")
    assert {pair["stake"]: pair["by"] for pair in row["stakes"]} == {"seat/1": 580_00, "seat/2": -580_00, "seat/3": 0}


def test_a_place_is_said_once_for_what_is_moved_and_added(desk: Desk) -> None:
    fold = number(desk, "T-1#1", "ActionTaken 3 fold")
    moved = desk.run("what-if", "T-1#1", "--move", f"{fold + 1}-{fold + 2}", "--before", str(fold))
    assert moved.code == 0
    assert moved.out.count(f"the same, before {fold}") == 2
    assert "out_of_turn" in moved.out
    added = desk.run("what-if", "T-1#1", "--add", 'WordsSpoken(3, "call")', "--before", str(fold))
    assert f"WordsSpoken 3 call (before {fold})" in added.out


def test_a_time_of_day_is_that_of_the_round(desk: Desk) -> None:
    word = number(desk, "T-1#1", "WordsSpoken 1 raise")
    for text in (f"{word}.time=18:00:08.700", f"{word}.time=-0.3", f"{word}.time=2026-11-28T18:00:08.700+01:00"):
        said = desk.run("what-if", "T-1#1", "--set", text)
        assert (said.code, "would be @2026-11-28T18:00:08.700" in said.out) == (0, True), text


def test_a_time_that_crosses_a_neighbour_says_what_changes_the_order(desk: Desk) -> None:
    word = number(desk, "T-1#1", "WordsSpoken 1 raise")
    across = desk.run("what-if", "T-1#1", "--set", f"{word}.time=-600")
    assert across.code == 0
    assert "TB-05" in across.out
    assert "--move RECORD --before RECORD" in across.err
    beside = desk.run("what-if", "T-1#1", "--set", f"{word}.time=-0.3")
    assert "--move" not in beside.err


def test_at_a_wheel_and_on_an_imported_hand(desk: Desk) -> None:
    bet = number(desk, "RL-03#2", "BetPlaced")
    more = desk.run("what-if", "RL-03#2", "--set", f"{bet}.amount=700")
    assert (more.code, "on record:" in more.out) == (0, True)
    hand = desk.run("rounds", "--imports", "--json").rows[0]["round"]
    raised = number(desk, hand, "ActionTaken 1 raise")
    said = desk.run("what-if", hand, "--set", f"{raised}.amount=2")
    assert said.code == 0
    assert f"  {raised} " in said.out
    assert "1970" not in said.out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--set", "900.amount=4"], "there is no record 900"),
        (["--set", "amount=4"], "RECORD.FIELD=VALUE"),
        (["--card", "river"], "river=Ah"),
        (["--card", "rivr=Ah"], "cards lie at burn, flop, river, turn, seat/1"),
        (["--move", "12"], "--before 15"),
        (["--move", "12", "--before", "1", "--behind", "2"], "one of them"),
        (["--drop", "12", "--before", "1"], "nothing to put there"),
        (["--parameter", "min_raise=1"], "min_raise_rule"),
        (["--parameter", "min_raise_rule=twice"], "'last_increment'"),
        (["--add", "WordsSpoken 4 shout before 12"], "WordsSpoken seat word"),
        (["--drop", "one"], "17-19"),
        ([], "--set, --card, --move"),
    ],
)
def test_what_cannot_be_meant_is_exit_2_with_a_hint(desk: Desk, words: list[str], said: str) -> None:
    result = desk.run("what-if", "T-1#1", *words)
    assert result.code == 2
    assert said in " ".join(result.err.split())
    assert result.out == ""
