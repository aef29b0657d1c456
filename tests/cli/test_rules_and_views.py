"""Rules, editions, schema, SQL, views, the dealer: what is asked of Recoup itself."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli import assembly
from tests.cli.desk import Desk, lines_of

HOLDEM = assembly.rooms()["holdem"]


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    desk = Desk(tmp_path_factory.mktemp("rules")).init()
    desk.ingest(lines_of(HOLDEM.deal(5, 3, breach="NL-24", breach_round=2)))
    return desk


@pytest.fixture(scope="module")
def shipped(desk: Desk) -> str:
    """The text of the edition that comes with Recoup."""
    result = desk.run("editions", "show", "live-games-plan") if len(_named(desk)) == 1 else None
    if result is None:
        digest = next(row["digest"] for row in _named(desk) if row["book"] == "NL")
        result = desk.run("editions", "show", digest)
    assert result.code == 0
    return result.out


def _named(desk: Desk) -> list[dict[str, str]]:
    rows = desk.run("editions", "list", "--json").rows
    return [row for row in rows if row["edition"] == "live-games-plan"]


# --- rules ---


def test_rules_list_has_every_rule_of_a_book_with_how_it_is_checked(desk: Desk) -> None:
    rows = desk.run("rules", "list", "--book", "NL", "--json").rows
    assert {row["how"] for row in rows} <= {"checked", "not breakable", "by hand", "not checked"}
    assert all(row["title"] for row in rows)
    shown = desk.run("rules", "list", "--game", "holdem")
    assert shown.code == 0
    for row in rows:
        assert row["rule"] in shown.out
    assert desk.run("rules", "list", "--game", "whist").code == 2


def test_rules_show_gives_text_source_check_and_parameters(desk: Desk) -> None:
    shown = desk.run("rules", "show", "nl-24")
    assert shown.code == 0
    assert "All-in and side pots" in shown.out
    assert "§5.2" in shown.out
    assert "checked:" in shown.out
    assert desk.run("rules", "show", "NL-24", "--json").row["book"] == "NL"
    parameters = [row for row in desk.run("rules", "list", "--json").rows if row["parameters"]]
    one = parameters[0]
    assert next(iter(one["parameters"])) in desk.run("rules", "show", one["rule"], "--book", one["book"]).out


def test_rules_of_every_table_can_be_shown(desk: Desk) -> None:
    assert "hole" in desk.run("rules", "show", "TB-01").out
    assert desk.run("rules", "show", "TB-01", "--json").row["rule"] == "TB-01"


def test_a_rule_that_is_not_there_says_which_are(desk: Desk) -> None:
    result = desk.run("rules", "show", "NL-99")
    assert result.code == 2
    assert "NL has NL-01" in result.err


def test_rules_can_be_read_without_a_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("RECOUP_STORE", raising=False)
    from cli.app import run

    assert run(["rules", "show", "NL-24"]) == 0
    assert run(["rules", "show", "NL-24", "--house", "brno"]) == 3


@pytest.mark.parametrize(
    ("words", "first"),
    [
        (["string", "bet"], "NL-23"),
        (["jeden", "zeton"], "NL-26"),
        (["JEDEN", "ŽETON"], "NL-26"),
        (["lichým", "žetonem"], "NL-31"),
        (["the", "side", "pot"], "NL-24"),
        (["complaint", "window"], "NL-37"),
    ],
)
def test_a_rule_is_found_by_the_words_of_a_complaint(desk: Desk, words: list[str], first: str) -> None:
    rows = desk.run("rules", "list", "--book", "NL", *words, "--json").rows
    assert rows[0]["rule"] == first
    assert first in desk.run("rules", "list", *words).out


def test_words_that_no_rule_is_about_are_said_so(desk: Desk) -> None:
    for words in (["zebra"], ["side", "zebra"], ["the"]):
        refused = desk.run("rules", "list", *words)
        assert refused.code == 2
        assert "no rule is about" in refused.err


def test_every_rule_that_the_floor_has_words_for_is_one(desk: Desk) -> None:
    for game in assembly.rooms().values():
        rules = {rule for book in game.books for rule in book.rule_ids}
        assert set(game.terms) <= rules


# --- editions ---


def test_editions_list_says_who_plays_by_what_from_when(desk: Desk) -> None:
    rows = desk.run("editions", "list", "--json").rows
    assert {(row["house"], row["book"]) for row in rows} >= {("*", "NL"), ("import", "NL")}
    assert desk.run("editions", "list", "--book", "NL").code == 0
    assert "no edition" in desk.run("editions", "list", "--house", "nowhere").out


def test_an_edition_of_ones_own_is_adopted_diffed_and_judged_by(tmp_path: Path, shipped: str) -> None:
    desk = Desk(tmp_path).init()
    mine = tmp_path / "mine.toml"
    mine.write_text(shipped.replace('name = "live-games-plan"', 'name = "brno-2026"'), encoding="utf-8")
    said = desk.run("editions", "adopt", str(mine), "--house", "brno", "--from", "2026-11-01", "--reason", "licence")
    assert said.code == 0
    assert "brno-2026 is in force for `brno` from 2026-11-01" in said.out
    digest = next(row["digest"] for row in _named(desk) if row["book"] == "NL")
    assert desk.run("editions", "diff", digest, "brno-2026").code == 0
    changed = tmp_path / "changed.toml"
    changed.write_text(mine.read_text(encoding="utf-8").replace("All-in and side pots", "Side pots"), encoding="utf-8")
    assert "no difference" in desk.run("editions", "diff", "brno-2026", str(mine)).out
    desk.ingest(lines_of(HOLDEM.deal(2, 3)))
    assert desk.run("judge", "NL-1#1", "--json").row["edition"] == "brno-2026"
    late = desk.run("editions", "adopt", str(changed), "--house", "brno", "--from", "2026-11-28", "--reason", "again")
    assert late.code == 2
    assert "was played under another one since" in late.err
    assert (
        desk.run("editions", "adopt", str(mine), "--house", "brno", "--from", "2026-11-29", "--reason", "x").code == 0
    )


def test_a_misspelt_parameter_or_no_edition_at_all_is_refused(tmp_path: Path, shipped: str) -> None:
    desk = Desk(tmp_path).init()
    bad = tmp_path / "bad.toml"
    bad.write_text(shipped.replace("[parameters]", '[parameters]\n"rake_alocation" = "x"', 1), encoding="utf-8")
    words = ["--house", "brno", "--from", "2026-12-01", "--reason", "x"]
    refused = desk.run("editions", "adopt", str(bad), *words)
    assert refused.code == 2
    assert "rake_alocation" in refused.err
    bad.write_text("this is = not [ toml", encoding="utf-8")
    assert desk.run("editions", "adopt", str(bad), *words).code == 2
    bad.write_bytes(b"\xff\xfe\x00")
    assert desk.run("editions", "adopt", str(bad), *words).code == 2
    assert desk.run("editions", "adopt", str(tmp_path / "none.toml"), *words).code == 3
    assert desk.run("editions", "adopt", str(tmp_path), *words).code in (2, 3)
    assert desk.run("editions", "show", "nothing-like-it").code == 2


# --- schema ---


def test_schema_lists_events_and_prints_json_schema(desk: Desk) -> None:
    listed = desk.run("schema")
    assert "TB.ChipsMoved.v1" in listed.out
    one = json.loads(desk.run("schema", "ChipsMoved").out)
    assert "amount" in json.dumps(one)
    assert desk.run("schema", "TB.ChipsMoved.v1", "--json").row["type"] == "TB.ChipsMoved.v1"
    assert len(desk.run("schema", "--json").rows) == len(assembly.catalogue().classes)
    unknown = desk.run("schema", "ChipsMovd")
    assert unknown.code == 2
    assert "chipsmo" in desk.run("schema", "chipsmo").err.lower()


# --- sql ---


def test_sql_answers_from_the_log_as_it_is_now(desk: Desk) -> None:
    query = "SELECT DISTINCT rule FROM fct_finding"
    assert desk.run("sql", query, "--json").rows == [{"rule": "NL-24"}]
    assert "NL-24" in desk.run("sql", query).out
    assert desk.run("sql", "-", "--json", stdin=query.encode()).rows == [{"rule": "NL-24"}]
    wide = desk.run("sql", "SELECT * FROM fct_finding LIMIT 1")
    assert wide.code == 0
    assert all(len(line) <= 100 for line in wide.out.splitlines())
    assert "fct_finding" in desk.run("sql", "--tables").out
    assert {"layer", "name", "comment"} == set(desk.run("sql", "--tables", "--json").rows[0])


@pytest.mark.parametrize("room", ["blackjack", "caribbean_stud", "casino_holdem", "russian_poker"])
def test_a_bet_is_found_by_its_box_and_spot(room: str, tmp_path: Path) -> None:
    desk = Desk(tmp_path).init()
    lines = lines_of(assembly.rooms()[room].deal(2, 4))
    assert desk.ingest(lines).code == 0
    placed = [(data["box"], data["spot"]) for data in (row["data"] for row in map(json.loads, lines)) if "spot" in data]
    rows = desk.run("sql", "SELECT box, spot FROM fct_bet WHERE staked_minor > 0", "--json").rows
    assert placed
    assert sorted((row["box"], row["spot"]) for row in rows) == sorted(placed)


@pytest.mark.parametrize(
    "query", ["SELEC 1", "DROP TABLE record", "SELECT * FROM nothing_like_it", "SELECT 1; SELECT 2"]
)
def test_sql_that_cannot_be_meant_is_refused(desk: Desk, query: str) -> None:
    result = desk.run("sql", query)
    assert result.code == 2
    assert "Traceback" not in result.err


def test_sql_without_a_question_is_refused(desk: Desk) -> None:
    assert desk.run("sql").code == 2
    assert desk.run("sql", "SELECT 1", "--tables").code == 2


def test_views_are_rebuilt_from_the_log_with_the_same_rows(desk: Desk) -> None:
    query = "SELECT * FROM fct_settlement ORDER BY ALL"
    before = desk.run("sql", query, "--json").rows
    assert before
    rebuilt = desk.run("views", "rebuild")
    assert rebuilt.code == 0
    assert "rebuilt" in rebuilt.out
    assert desk.run("sql", query, "--json").rows == before
    own = str(desk.folder / "own.duckdb")
    assert desk.run("sql", query, "--json", "--view", own).rows == before


# --- the dealer ---


def test_the_dealer_deals_the_same_session_for_the_same_seed(desk: Desk) -> None:
    one = desk.run("dealer", "holdem", "--rounds", "2", "--seed", "9")
    assert one.code == 0
    assert one.out == desk.run("dealer", "holdem", "--rounds", "2", "--seed", "9").out
    assert one.out != desk.run("dealer", "holdem", "--rounds", "2", "--seed", "10").out
    assert json.loads(one.out.splitlines()[0])["specversion"] == "1.0"
    placed = desk.run("dealer", "holdem", "--table", "praha/NL-5", "--day", "2026-12-24").rows[0]
    assert placed["subject"] == "table/praha/NL-5/2026-12-24.1"


def test_the_dealer_names_what_it_can_break(desk: Desk) -> None:
    told = dict(line.split(None, 1) for line in desk.run("dealer", "holdem", "--breaches").out.splitlines()[1:])
    assert list(told) == list(HOLDEM.breaches)
    assert told["NL-23"] == "50 % rule"
    wrong = desk.run("dealer", "holdem", "--breach", "NL-99")
    assert wrong.code == 2
    assert "--breaches" in wrong.err
    assert desk.run("dealer", "whist").code == 2
    assert desk.run("dealer", "holdem", "--rounds", "0").code == 2
    assert desk.run("dealer", "holdem", "--rounds", "2", "--at", "3").code == 2
    assert desk.run("dealer", "holdem", "--table", "nohouse").code == 2
    assert desk.run("dealer", "holdem", "--day", "yesterday-ish").code == 2


# --- rounds about a time ---


def test_about_a_time_the_rounds_are_judged_and_the_next_step_names_one_in_which_something_was_found(
    desk: Desk,
) -> None:
    second = desk.run("judge", "NL-1#2", "--json").row["opened"][11:19]
    shown = desk.run("rounds", "--table", "NL-1", "--around", second)
    assert (shown.code, "NL-24" in shown.out) == (0, True)
    hints = [line for line in shown.err.splitlines() if line.startswith("next:")]
    assert hints == [
        "next: recoup judge table/brno/NL-1/2026-11-28.1#2",
        "next: recoup judge table/brno/NL-1/2026-11-28.1#3 is nearby, and there NL-24 ×4 was found",
    ]
    row = desk.run("rounds", "--table", "NL-1", "--around", second, "--json").rows[2]
    assert (row["standing"], row["findings"]) == ("valid", "NL-24 ×4")


def test_about_a_time_when_nothing_was_played_the_nearest_round_is_named(desk: Desk) -> None:
    result = desk.run("rounds", "--table", "NL-1", "--around", "03:00")
    assert result.code == 2
    assert "the nearest round, NL-1#5, ended at 18:" in result.err


def test_a_verdict_tells_how_the_house_has_set_the_rule_that_decides(tmp_path: Path) -> None:
    desk = Desk(tmp_path).init()
    desk.ingest(lines_of(HOLDEM.deal(3, 7, breach="NL-12", breach_round=2)))
    shown = desk.run("judge", "NL-1#3").out
    assert "    out_of_turn = binding_if_unchanged  (stated by live-games-plan)" in shown.splitlines()
