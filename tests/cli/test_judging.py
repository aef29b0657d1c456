"""Finding a round, judging it, walking through it, asking what if, correcting it."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from typing import Any

import pytest

from cli import assembly
from cli.words import headline
from events.values.clock import time_text
from tests.cli.desk import Desk, altered, lines_of

HOLDEM = assembly.rooms()["holdem"]


def hands(rounds: int = 3, seed: int = 3, **more: Any) -> list[bytes]:
    return lines_of(HOLDEM.deal(rounds, seed, **more))


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    """A store that nobody writes to: two tables of one house, another house, one side pot awarded wrongly."""
    desk = Desk(tmp_path_factory.mktemp("shown")).init()
    desk.ingest(lines_of(HOLDEM.deal(5, 3, breach="NL-24", breach_round=2)))
    desk.ingest(hands(4, 5, table="brno/NL-2", day="2026-11-29"), "two.ndjson")
    desk.ingest(hands(3, 6, table="praha/NL-9"), "praha.ndjson")
    return desk


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    desk = Desk(tmp_path).init()
    assert desk.ingest(hands()).code == 0
    return desk.employ()


# --- which round was it? ---


def test_rounds_alone_lists_tables_and_days(shown: Desk) -> None:
    result = shown.run("rounds")
    assert result.code == 0
    for word in ("brno/NL-1", "brno/NL-2", "praha/NL-9", "2026-11-29"):
        assert word in result.out


def test_rounds_by_table_time_seat_player_game_and_finding(shown: Desk) -> None:
    everything = shown.run("rounds", "--table", "NL-1", "--json").rows
    assert [row["round"].partition("#")[2] for row in everything] == ["1", "2", "3", "4", "5"]
    middle = everything[2]
    clock = middle["first"][11:16]
    near = shown.run("rounds", "--table", "NL-1", "--around", clock, "--within", "0", "--json").rows
    assert middle["round"] in [row["round"] for row in near]
    assert len(near) < 5
    broken = shown.run("rounds", "--finding", "nl-24", "--json").rows
    assert [row["round"] for row in broken] == ["table/brno/NL-1/2026-11-28.1#3"]
    dealt = [step["data"] for step in shown.run("replay", "NL-1#3", "--json").rows if "stack" in step["data"]]
    for seated in dealt:
        for option, value in (("--seat", str(seated["seat"])), ("--player", seated["player"])):
            fits = shown.run("rounds", "--table", "NL-1", option, value, "--json")
            assert "table/brno/NL-1/2026-11-28.1#3" in [row["round"] for row in fits.rows]
    assert shown.run("rounds", "--game", "holdem").code == 0
    assert shown.run("rounds", "--table", "NL-1", "--player", "nobody").code == 2


def test_a_name_that_fits_nothing_says_what_there_is(shown: Desk) -> None:
    no_table = shown.run("rounds", "--table", "RL-99")
    assert no_table.code == 2
    assert "brno/NL-1" in no_table.err
    no_day = shown.run("rounds", "--table", "NL-1", "--day", "2026-01-01")
    assert no_day.code == 2
    assert "had no session on 2026-01-01" in no_day.err
    no_round = shown.run("judge", "NL-1#99")
    assert no_round.code == 2
    assert "no session of `NL-1` has a round `99`" in no_round.err
    assert shown.run("judge", "NL-1").code == 2
    assert shown.run("judge", "table/brno/NL-1/2026-11-28.7#1").code == 2
    assert shown.run("rounds", "--table", "NL-1", "--around", "25:99").code == 2
    assert shown.run("rounds", "--day", "soon").code == 2
    assert shown.run("judge").code == 2
    assert shown.run("judge", "NL-1#1", "--all").code == 2


def test_a_short_name_says_which_round_was_taken(shown: Desk) -> None:
    short = shown.run("judge", "NL-1#1")
    assert "round table/brno/NL-1/2026-11-28.1#1" in short.err
    full = shown.run("judge", "table/brno/NL-1/2026-11-28.1#1")
    assert full.out == short.out
    assert "round table/" not in full.err
    assert shown.run("judge", "brno/NL-1#1", "--day", "2026-11-28").out == short.out


def test_two_days_of_one_table_ask_for_the_day(desk: Desk) -> None:
    desk.ingest(hands(2, 8, day="2026-11-29"), "next.ndjson")
    both = desk.run("replay", "NL-1#1")
    assert both.code == 2
    assert "--day" in both.err
    assert desk.run("replay", "NL-1#1", "--day", "2026-11-29").code == 0
    assert desk.run("replay", "NL-1#3").code == 0  # only one of them has a third


# --- the verdict ---


def test_a_wrong_side_pot_names_money_players_pots_and_the_rule(shown: Desk) -> None:
    result = shown.run("judge", "NL-1#3")
    assert result.code == 5
    first = result.out.splitlines()[0]
    assert first.startswith("VALID, BUT PAID WRONG")
    assert "owed: p-" in first
    assert "too much has: p-" in " ".join(result.out.split())  # it may stand on the next line
    assert "The rule that decides" in result.out
    assert "NL-24  All-in and side pots" in result.out
    assert "seats that may win it" in result.out
    assert "recoup why table/brno/NL-1/2026-11-28.1#3 NL-24" in result.err
    assert all(len(line) <= 100 for line in result.out.splitlines())


def test_a_round_as_due_says_so_and_exits_0(shown: Desk) -> None:
    result = shown.run("judge", "NL-1#1")
    assert result.code == 0
    assert result.out.splitlines()[0] == "VALID — settled as the rules say"


def test_json_of_one_and_of_many_have_one_shape(shown: Desk) -> None:
    one = shown.run("judge", "NL-1#3", "--json")
    assert one.code == 5
    assert one.row["standing"] == "valid"
    assert one.row["settlement"] == "differs"
    assert sum(one.row["differences"].values()) == 0
    many = shown.run("judge", "--table", "NL-1", "--json")
    assert many.code == 5
    assert one.row in many.rows
    assert len(many.rows) == 5


def test_judge_all_and_a_day_count_and_list_what_there_is_to_look_at(shown: Desk) -> None:
    everything = shown.run("judge", "--all")
    assert everything.code == 5
    assert "12 rounds" in everything.out
    assert "1 to look at" in everything.out
    assert "NL-24      4  All-in and side pots" in everything.out
    day = shown.run("judge", "--day", "2026-11-29")
    assert day.code == 0
    assert "4 rounds" in day.out
    assert "title" not in day.out
    assert len(shown.run("judge", "--day", "2026-11-29", "--each").out.splitlines()) > 5


# --- replay ---


def test_replay_shows_every_record_the_table_and_the_verdict(shown: Desk) -> None:
    result = shown.run("replay", "NL-1#3")
    assert result.code == 0
    steps = shown.run("replay", "NL-1#3", "--json").rows
    assert f"{len(steps):>4}  " in result.out
    assert "REPLAY of table/brno/NL-1/2026-11-28.1#3" in result.out
    assert "── Pots" in result.out
    assert "VALID, BUT PAID WRONG" in result.out
    assert [step["step"] for step in steps] == list(range(1, len(steps) + 1))
    assert set(steps[-1]["findings_so_far"]) == {"NL-24"}
    assert all(len(line) <= 100 for line in result.out.splitlines())


def test_replay_at_one_step_shows_money_and_what_the_rules_expected(shown: Desk) -> None:
    steps = shown.run("replay", "NL-1#3", "--json").rows
    number = next(step["step"] for step in steps if step["type"] == "PK.ActionTaken.v1" and step["moved"])
    result = shown.run("replay", "NL-1#3", "--at", str(number))
    assert result.code == 0
    for word in (f"step {number} of {len(steps)}", "The rules expected", "to act", "Chips moved", "pot"):
        assert word in result.out
    cite = steps[number - 1]["record"].partition("@")[0] + "@terminal"
    assert shown.run("replay", "NL-1#3", "--at", cite).out == result.out
    assert shown.run("replay", "NL-1#3", "--at", "preflop").code == 0
    assert shown.run("replay", "NL-1#3", "--at", "999").code == 2
    assert shown.run("replay", "NL-1#3", "--at", "999999@terminal").code == 2


def test_walking_forward_and_back_shows_the_same_screens(shown: Desk) -> None:
    there = shown.run("replay", "NL-1#3", "--step", stdin=b"n" * 9 + b"q").out
    back = shown.run("replay", "NL-1#3", "--step", stdin=b"n" * 9 + b"b" * 9 + b"q").out
    assert back.startswith(there)
    screens = there.split("REPLAY of")[1:]
    assert back.split("REPLAY of")[1:] == screens + screens[-2::-1]
    for keys in (b"g12\nv0$pPea?q", b"g99999\n", b"gx@y\nq", b"", b"n\n\nn"):
        result = shown.run("replay", "NL-1#3", "--step", stdin=keys)
        assert result.code == 0
        assert "REPLAY of" in result.out


def test_a_whole_session_is_replayed_with_what_lies_between_rounds(shown: Desk) -> None:
    result = shown.run("replay", "brno/NL-1")
    assert result.code == 0
    assert "session table/brno/NL-1/2026-11-28.1" in result.err
    for word in ("TableOpened", "── round 1", "── between rounds", "── round 5", "5 rounds, 1 to look at: 3"):
        assert word in result.out
    steps = shown.run("replay", "brno/NL-1", "--json").rows
    assert len(steps) == len(
        shown.run("sql", "SELECT 1 FROM stg_record WHERE subject LIKE '%brno/NL-1/%'", "--json").rows
    )
    assert shown.run("replay", "brno/NL-1", "--step", stdin=b"pppevg#4\nq").code == 0
    fourth = shown.run("replay", "brno/NL-1", "--at", "#4", "--json").row
    assert (fourth["round"], fourth["type"]) == ("4", "TB.RoundOpened.v1")
    assert shown.run("replay", "RL-99").code == 2


def test_replay_hides_cards_unless_asked(shown: Desk) -> None:
    dealt = next(step for step in shown.run("replay", "NL-1#3", "--json").rows if step["data"].get("to") == "seat/7")
    late = shown.run("replay", "NL-1#3", "--json").rows[-1]["step"] // 2
    hidden = shown.run("replay", "NL-1#3", "--at", str(late)).out
    open_ = shown.run("replay", "NL-1#3", "--at", str(late), "--all-knowing").out
    assert hidden.count("▒▒") > open_.count("▒▒")
    own = shown.run("replay", "NL-1#3", "--at", str(late), "--viewpoint", dealt["data"]["to"][5:]).out
    assert open_.count("▒▒") < own.count("▒▒") < hidden.count("▒▒")


def test_a_seat_that_nobody_has_is_refused(shown: Desk) -> None:
    for wrong in ("99", "seat/99", "x"):
        refused = shown.run("replay", "NL-1#3", "--viewpoint", wrong)
        assert refused.code == 2
        assert f"has no seat `{wrong}`; it has 1, " in refused.err
    there = shown.run("replay", "NL-1#3", "--at", "9", "--viewpoint", "7")
    assert there.code == 0
    assert shown.run("replay", "NL-1#3", "--at", "9", "--viewpoint", "seat/7").out == there.out


def test_as_of_ends_at_the_tables_time(shown: Desk) -> None:
    steps = shown.run("replay", "NL-1#3", "--json").rows
    at = steps[20]["at"]
    cut = shown.run("replay", "NL-1#3", "--as-of", at, "--json").rows
    assert [step["record"] for step in cut] == [step["record"] for step in steps[:21]]
    told = shown.run("replay", "NL-1#3", "--as-of", at[11:23])
    assert "as of" in told.out
    assert shown.run("replay", "NL-1#3", "--as-of", "soon").code == 2
    assert shown.run("replay", "NL-1#3", "--as-of", "2020-01-01T00:00:00Z").code == 2


def test_known_at_shows_what_had_been_recorded_by_then(tmp_path: Path) -> None:
    desk = Desk(tmp_path).init()
    lines = hands()
    late = next(at for at, line in enumerate(lines) if json.loads(line).get("round") == "2") + 5
    desk.ingest([line for at, line in enumerate(lines) if at != late])
    then = time_text(int(time.time() * 1000) + 5)
    time.sleep(0.05)
    desk.ingest([lines[late]], "late.ndjson")
    assert desk.run("judge", "NL-1#2", "--json").row["standing"] == "valid"
    known = desk.run("replay", "NL-1#2", "--known-at", then)
    assert "1 record of the session came later" in known.out
    assert "CANNOT TELL" in known.out
    assert "is missing here" in known.out
    assert desk.run("replay", "NL-1#2", "--known-at", "2020-01-01T00:00:00Z").code == 2


# --- what if, and for good ---


def award(desk: Desk, name: str = "NL-1#1") -> dict[str, object]:
    steps = desk.run("replay", name, "--json").rows
    return next(step for step in steps if step["data"].get("cause") == "award")


def test_what_if_shows_both_and_stores_nothing(desk: Desk) -> None:
    before = desk.run("verify", "--json").row
    record = str(award(desk)["record"])
    changed = desk.run("what-if", "NL-1#1", "--change", f"{record} amount=1")
    assert changed.code == 0
    for word in ("WHAT IF", "on record:", "would be:", "PAID WRONG", "Findings that would come", "not stored"):
        assert word in changed.out
    dropped = desk.run("what-if", "NL-1#1", "--drop", record, "--json").row
    assert dropped["stored"] is False
    assert dropped["was"]["settlement"] == "agrees"
    assert dropped["would"]["settlement"] == "differs"
    added = desk.run("what-if", "NL-1#1", "--add", f"^{record} ErrorNoted wrong")
    assert "It would change nothing" in added.out
    assert desk.run("verify", "--json").row == before
    assert desk.run("what-if", "NL-1#1").code == 2
    assert desk.run("what-if", "NL-1#1", "--add", "NeverHeardOf 1").code == 2
    assert desk.run("what-if", "NL-1#1", "--change", f"{record} amount=x").code == 2


def test_what_if_shows_no_amount_that_nobody_can_tell(desk: Desk) -> None:
    steps = desk.run("replay", "NL-1#1", "--json").rows
    board = [step["record"] for step in steps if step["type"] in ("PK.BoardDealt.v1", "PK.CardDealt.v1")][-1]
    result = desk.run("what-if", "NL-1#1", "--drop", board)
    assert "would be:   CANNOT TELL" in result.out
    rows = [line.split() for line in result.out.splitlines() if line.startswith("  seat ")]
    assert rows
    assert {(row[-2], row[-1]) for row in rows} == {("?", "?")}
    as_json = desk.run("what-if", "NL-1#1", "--drop", board, "--json").row
    assert {pair["by"] for pair in as_json["stakes"]} == {None}


def test_correct_changes_the_verdict_and_keeps_the_original_visible(desk: Desk) -> None:
    record = award(desk)
    short = str(record["record"]).partition("@")[0] + "@terminal"
    said = desk.run("correct", short, "amount=1", "--in", "NL-1#1", "--reason", "camera 4, clip 12")
    assert said.code == 0
    assert "as it came:" in said.out
    assert "verdict was:    VALID — settled as the rules say" in said.out
    assert "verdict is:     VALID, BUT PAID WRONG" in said.out
    shown = desk.run("replay", "NL-1#1").out
    assert "CORRECTED" in shown
    assert "as it came:" in shown
    assert "camera 4, clip 12" in shown
    row = next(step for step in desk.run("replay", "NL-1#1", "--json").rows if step["record"] == record["record"])
    assert row["original"] == record["line"]
    assert row["notes"][0]["account"]
    assert desk.run("judge", "NL-1#1").code == 5
    amount = f"amount={record['data']['amount'] / 100:g}"  # type: ignore[index]
    assert desk.run("correct", short, amount, "--in", "NL-1#1", "--reason", "camera 5").code == 0
    assert desk.run("judge", "NL-1#1").code == 0
    assert desk.run("verify").code == 0


def test_disown_takes_a_record_out_and_keeps_it_visible(desk: Desk) -> None:
    record = str(award(desk)["record"])
    assert desk.run("sql", "SELECT 1 AS one", "--json").rows == [{"one": 1}]
    said = desk.run("disown", record, "--in", "NL-1#1", "--reason", "entered twice")
    assert said.code == 0
    assert "verdict is:     VALID, BUT PAID WRONG" in said.out
    assert "DISOWNED" in desk.run("replay", "NL-1#1").out
    gone = [row for row in desk.run("replay", "NL-1#1", "--json").rows if row["step"] is None]
    assert [row["record"] for row in gone] == [record]


def test_a_record_may_be_named_by_its_row(desk: Desk) -> None:
    log = assembly.open_log(desk.store)
    fact = next(fact for fact in log.session_facts("table/brno/NL-1/2026-11-28.1").facts if fact.sequence == 60)
    log.close()
    assert desk.run("disown", str(fact.index), "--reason", "by row").code == 0
    assert desk.run("disown", "0", "--reason", "our own").code == 2
    assert desk.run("disown", "999999", "--reason", "no such row").code == 2


def test_add_fact_stands_where_it_is_put(desk: Desk) -> None:
    record = str(award(desk)["record"])
    said = desk.run("add-fact", "NL-1#1", 'ErrorNoted "pot miscounted"', "--behind", record, "--reason", "video review")
    assert said.code == 0
    rows = desk.run("replay", "NL-1#1", "--json").rows
    at = next(index for index, row in enumerate(rows) if row["added"])
    assert rows[at - 1]["record"] == record
    assert rows[at]["line"] == 'ErrorNoted "pot miscounted"'
    shown = desk.run("replay", "NL-1#1").out
    assert "ADDED" in shown
    assert "video review" in shown
    assert desk.run("add-fact", "NL-1#1", "ErrorNoted later", "--reason", "at the end").code == 0
    assert desk.run("add-fact", "NL-1#1", "RecordDisowned", "--reason", "no").code == 2
    assert desk.run("add-fact", "NL-1#1", "Nonsense", "--reason", "no").code == 2


def test_what_was_added_can_be_taken_back(desk: Desk) -> None:
    record = str(award(desk)["record"])
    assert desk.run("add-fact", "NL-1#1", "ErrorNoted x", "--behind", record, "--reason", "video review").code == 0
    assert desk.run("disown", "1@/recoup", "--in", "NL-1#1", "--reason", "another table's video").code == 0
    rows = desk.run("replay", "NL-1#1", "--json").rows
    assert [row["record"] for row in rows if row.get("disowned")] == ["1@/recoup"]
    assert desk.run("disown", "2@/recoup", "--in", "NL-1#1", "--reason", "the disowning itself").code == 2


def test_what_people_say_needs_a_reason_a_place_and_a_record(desk: Desk) -> None:
    record = str(award(desk)["record"])
    assert desk.run("correct", record, "amount=1", "--in", "NL-1#1").code == 2
    assert desk.run("correct", record, "amount=1", "--in", "NL-1#1", "--reason", " ").code == 2
    assert desk.run("correct", record, "amount=1", "--reason", "x").code == 2
    assert desk.run("correct", "9999@terminal", "amount=1", "--in", "NL-1#1", "--reason", "x").code == 2
    same = desk.run("correct", record, "", "--in", "NL-1#1", "--reason", "x")
    assert same.code == 2
    assert "says that already" in same.err
    helped = desk.run("correct", "--help").out
    assert "--account" not in helped
    assert "--actor" not in helped


def test_the_readme_names_every_key_of_the_json(shown: Desk) -> None:
    readme = (Path(assembly.__file__).parent / "README.md").read_text(encoding="utf-8")
    named = {word for line in readme.splitlines() if line.startswith("|") for word in re.findall(r"\w+", line)}
    for words in (
        ["status"],
        ["rounds", "--finding", "NL-24"],
        ["judge", "NL-1#3"],
        ["replay", "NL-1#3", "--at", "3"],
        ["what-if", "NL-1#3", "--add", "ErrorNoted x"],
        ["rules", "show", "NL-24"],
        ["editions", "list"],
        ["schema", "ErrorNoted"],
        ["verify"],
    ):
        rows = shown.run(*words, "--json").rows
        assert rows, words
        assert set(rows[0]) <= named, words


def test_the_headline_of_every_standing_is_one_line(shown: Desk) -> None:
    from cli import screen

    log = assembly.open_log(shown.store)
    verdicts = assembly.casebook(log).judge("table/brno/NL-1/2026-11-28.1").verdicts
    log.close()
    for verdict in verdicts:
        assert "\n" not in screen.plain_of(headline(verdict))


def test_altered_keeps_the_record_readable() -> None:
    assert json.loads(altered(hands()[0], data={"currency": "EUR"}))["data"]["currency"] == "EUR"


def test_an_open_round_is_not_accused_of_what_nobody_has_settled_yet(tmp_path: Path) -> None:
    lines = lines_of(assembly.rooms()["roulette"].deal(1, 2))
    first = next(at for at, line in enumerate(lines) if json.loads(line)["data"].get("cause") in ("take", "win"))
    desk = Desk(tmp_path).init()
    desk.ingest(lines[: first + 1])
    result = desk.run("judge", "RL-03#1")
    assert "PAID WRONG" not in result.out
    verdict = desk.run("judge", "RL-03#1", "--json").row
    assert verdict["differences"] == {}
    assert [one["code"] for one in verdict["findings"] if one["kind"] == "mispaid"] == []


def test_chips_kept_from_an_expelled_player_are_said_above_all(desk: Desk) -> None:
    desk.ingest(hands(6, 1, breach="NL-43", breach_round=3, table="brno/NL-7"), "expelled.ndjson")
    (row,) = [row for row in desk.run("judge", "--table", "NL-7", "--json").rows if row.get("findings")]
    result = desk.run("judge", row["round"])
    assert result.out.splitlines()[0].startswith("VALID, BUT PAID WRONG — the bets are settled as the rules say; ")
    owed = {line["stake"]: line["player"] for line in row["due"]["lines"]}
    assert {line["stake"]: line["player"] for line in row["recorded"]["lines"]} == owed


def test_an_edition_is_named_with_its_rule_book_where_two_have_one_name(desk: Desk) -> None:
    refused = desk.run("editions", "show", "live-games-plan")
    assert refused.code != 0
    assert "NL/live-games-plan" in refused.err
    for book in ("NL", "RL"):
        assert f'rule_book = "{book}"' in desk.run("editions", "show", f"{book}/live-games-plan").out
