"""`ask` and `rate`: named questions with what they show, rows that lead on, and a look at persons that is kept."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from cli import assembly
from events.values.money import money_text
from tests.cli.desk import Desk, lines_of
from tests.projections.test_ask import payments

DAY = "2026-11-28"


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    desk = Desk(tmp_path).init()
    desk.ingest(lines_of(assembly.rooms()["roulette"].deal(4, 3, breach="RL-17", table="brno/RL-1")))
    return desk


def looks(desk: Desk) -> list[str]:
    """What the access trail says was looked at."""
    rows = desk.run("sql", "SELECT data FROM stg_record WHERE topic = 'AC.Accessed.v1' ORDER BY idx", "--json").rows
    return [row["data"] for row in rows]


def test_without_a_name_all_ten_are_listed(desk: Desk) -> None:
    said = desk.run("ask")
    assert said.code == 0
    rows = desk.run("ask", "--json").rows
    assert len(rows) == 10
    assert all(row["name"].replace("_", "-") in said.out for row in rows)


def test_each_explains_itself_and_its_sql(desk: Desk) -> None:
    for row in desk.run("ask", "--json").rows:
        said = desk.run("ask", row["name"], "--explain")
        assert said.code == 0
        assert "Grain: " in said.out
        assert "FROM fct_" in said.out
        assert all(name in said.out for name in row["parameters"])


def test_an_answer_leads_back_to_its_round(desk: Desk) -> None:
    said = desk.run("ask", "short-spins", "--day", DAY)
    assert said.code == 0, said.err
    assert "RL-17" in said.out
    (row,) = desk.run("ask", "short_spins", "--json").rows
    address = row["address"].removeprefix("table/")
    assert f"next: recoup judge {address}" in said.err
    assert desk.run("judge", address).code == 5
    assert desk.run("ask", "short-spins", "--day", "2026-11-27", "--json").rows == []


def test_a_row_of_several_tables_leads_back_to_all_its_records(desk: Desk) -> None:
    for table in ("brno/MW-1", "brno/MW-2"):
        moved = [
            replace(one, subject=one.subject.replace("brno/magic_wheel", table), source=f"/{table}/terminal")
            for one in payments(111_500)
        ]
        desk.ingest(lines_of(moved), f"{table[-4:]}.ndjson")
    said = desk.run("ask", "over-threshold")
    (asked,) = re.findall(r'next: recoup sql "(.*)" shows its records', said.err)
    assert sorted(row["cite"] for row in desk.run("sql", asked, "--json").rows) == [
        f"2@/{table}/terminal" for table in ("brno/MW-1", "brno/MW-2")
    ]


def test_an_answer_is_a_table_in_the_floors_words_with_money_as_it_is_written(desk: Desk) -> None:
    (row,) = desk.run("ask", "short-spins", "--json").rows
    said = desk.run("ask", "short-spins", columns=160)
    head, line = said.out.replace("\u00a0", " ").splitlines()[1:]
    assert head.split() == ["round", "time", "rule", "finding", "standing", "settlement", "turns", "staked", "records"]
    assert line.startswith(f"RL-1#{row['address'].partition('#')[2]}  2026-11-28 ")
    assert f"{money_text(row['staked_minor'], 'CZK')}".replace("\u00a0", " ") in line
    assert f" {row['laps_tenths'] // 10}.{row['laps_tenths'] % 10} " in line
    assert "no room" not in said.err
    narrow = desk.run("ask", "short-spins", columns=90)
    assert "no room for settlement" in narrow.err
    assert narrow.out.splitlines()[1].startswith("round")
    assert max(map(len, narrow.out.splitlines()[1:])) <= 90


def test_a_table_of_two_days_is_told_with_its_session(desk: Desk) -> None:
    records = assembly.rooms()["roulette"].deal(4, 3, breach="RL-17", table="brno/RL-1", day="2026-11-29")
    desk.ingest(lines_of(records), "next.ndjson")
    rows = [line for line in desk.run("ask", "short-spins").out.splitlines() if line.startswith("RL-1")]
    assert [row.split()[0].partition("#")[0] for row in rows] == ["RL-1/2026-11-28.1", "RL-1/2026-11-29.1"]


def test_a_look_at_persons_is_kept_and_one_at_spins_is_not(desk: Desk) -> None:
    desk.run("ask", "short-spins")
    assert looks(desk) == []
    assert desk.run("ask", "sat-together", "--set", "rounds=1").code == 0
    (kept,) = looks(desk)
    assert '"what":"collusion"' in kept
    assert "ask sat_together brno every day" in kept
    assert desk.run("ask", "sat-together", "--set", "rounds=99").code == 0
    assert len(looks(desk)) == 1  # nobody was shown


def test_whom_a_question_was_asked_about_is_on_the_trail(desk: Desk) -> None:
    (shown, *_others) = desk.run("ask", "sat-together", "--set", "rounds=1", "--json").rows
    assert desk.run("access", "--person", shown["player"], "--json").rows == []
    assert desk.run("ask", "sat-together", "--set", "rounds=1", "--set", f"player={shown['player']}").code == 0
    (kept,) = desk.run("access", "--person", shown["player"], "--json").rows
    assert (kept["what"], kept["about"]) == ("person", shown["player"])
    last = [row["about"] for row in desk.run("access", "--json").rows][-2]
    assert last == f"ask sat_together brno every day rounds=1 player={shown['player']}"


def test_no_row_is_told_from_nothing_to_ask_of(desk: Desk) -> None:
    assert "nothing was there" not in desk.run("ask", "gap-rounds", "--day", DAY).err
    said = desk.run("ask", "gap-rounds", "--day", "2026-11-27")
    assert said.code == 0
    assert "house brno has no session on 2026-11-27: nothing was there to ask of" in said.err
    assert f"sessions from {DAY} to {DAY}" in said.err
    said = desk.run("ask", "gap-rounds", "--house", "praha")
    assert (said.code, "no session of house praha" in said.err) == (2, True)
    said = desk.run("ask", "sat-together", "--set", "player=P-1")
    assert "no stake of P-1 is on record in house brno" in said.err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("no-such",), "nobody knows the question `no-such`"),
        (("short-spins", "--set", "laps=9"), "has no parameter `laps`"),
        (("sat-together", "--set", "rounds"), "`rounds` sets nothing"),
        (("sat-together", "--set", "rounds=1", "--set", "rounds=2"), "rounds is set twice"),
        (("sat-together", "--set", "rounds=many"), "rounds is a whole number"),
        (("short-spins", "--day", "tonight"), "is not a date"),
    ],
)
def test_what_is_asked_wrongly_is_said(desk: Desk, words: tuple[str, ...], says: str) -> None:
    said = desk.run("ask", *words)
    assert said.code == 2
    assert says in said.err


def test_a_rate_is_stored_by_who_may_and_in_thousandths(desk: Desk) -> None:
    assert desk.run("rate", "24.35", "--day", DAY).code == 2  # nobody is registered
    desk.employ(roles="manager,compliance")
    assert "one euro is 24.35 CZK in house brno from 2026-11-28 on" in desk.run("rate", "24.35", "--day", DAY).out
    (row,) = desk.run("sql", "SELECT currency, thousandths, first_day FROM fct_rate", "--json").rows
    assert row == {"currency": "CZK", "thousandths": 24350, "first_day": DAY}
    for wrong in ("0", "24,35", "24.3505", "x", "-1"):
        assert desk.run("rate", "--day", DAY, "--", wrong).code == 2


def test_a_rate_that_is_far_from_the_one_before_is_stored_and_asked_about(desk: Desk) -> None:
    desk.employ(roles="manager,compliance")
    assert "before, it was" not in desk.run("rate", "24.35", "--day", DAY).err
    said = desk.run("rate", "24.50", "--day", "2026-11-29")
    assert "before, it was 24.350 CZK from 2026-11-28 on" in said.err
    assert "digit wrong" not in said.err
    assert "digit wrong" in desk.run("rate", "2435", "--day", "2026-11-30").err
    assert "before, it was 24.500 CZK" in desk.run("rate", "24.35", "--day", "2026-11-29").err
    said = desk.run("rate", "24.35", "--day", DAY, "--currency", "EUR")
    assert (said.code, "a euro is one euro" in said.err) == (2, True)


def test_without_a_rate_it_says_so_and_marks_what_nobody_can_tell(desk: Desk) -> None:
    desk.ingest(lines_of(payments(111_500)), "paid.ndjson")
    said = desk.run("ask", "over-threshold")
    assert said.code == 0, said.err
    assert "unknown" in said.out
    assert "no rate" in said.out
    assert "1 115" in said.out.replace("\u00a0", " ")
    assert f"no rate is stored for CZK on {DAY}" in said.err
    assert f"next: recoup rate RATE --day {DAY}" in said.err
    assert {row["reaches"] for row in desk.run("ask", "over-threshold", "--json").rows} == {"unknown"}
    desk.employ(roles="manager,compliance")
    assert desk.run("rate", "24.35", "--day", DAY).code == 0
    rated = desk.run("ask", "over-threshold")
    assert "unknown" not in rated.out
    assert "no rate" not in rated.err
    asked = desk.run("ask", "over-threshold", "--set", "threshold_eur=1", columns=100).out.splitlines()
    assert len(asked) > 2
    assert "no rate" not in asked[1]
    assert " rate " in asked[1]
