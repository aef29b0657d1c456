"""`night` and `night sign`: what a tired auditor sees, does, and hands on."""

from __future__ import annotations

import csv
import json
import shlex
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from cli import assembly
from events.schema import common as tb
from events.values.money import money_text
from games.night import FLOOR, Kind, Night, night
from tests.cli.desk import Desk, Managers, altered, lines_of

DAY = "2026-11-28"


def dealt(*plant: Kind, seed: int = 1) -> Night:
    return night(assembly.rooms(), DAY, seed, floor=FLOOR[:2], rounds=2, plant=plant)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path).init()


def test_a_clean_night_says_so_and_ends_well(desk: Desk) -> None:
    desk.ingest(lines_of(dealt().records))
    said = desk.run("night", DAY)
    assert said.code == 0, said.err
    assert "Night of 2026-11-28, brno: 2 tables, 2 desks, 4 rounds" in said.out
    assert "No exceptions" in said.out
    assert "recoup night sign 2026-11-28" in said.err
    assert "Tables, EUR" in said.out


def test_a_closed_day_is_no_mistake_and_a_wrong_house_or_a_day_to_come_is(desk: Desk) -> None:
    desk.ingest(lines_of(dealt().records))
    said = desk.run("night", "2026-11-25")
    assert said.code == 0, said.err
    assert "Nothing of 2026-11-25: house brno has no table and no desk on that day\n" in said.out
    assert "the nearest days with records: 2026-11-28\n" in said.out
    assert "if the house was open, its records have not come: recoup status" in said.err
    plain = desk.run("night", "2026-11-25", "--json")
    assert plain.code == 0
    assert plain.row == {"part": "nothing", "house": "brno", "day": "2026-11-25", "days": ["2026-11-28"]}
    page = desk.folder / "night.html"
    written = desk.run("night", "2026-11-25", "--html", str(page))
    assert (written.code, page.exists()) == (0, False)
    assert "is not written" in written.err
    for wrong in (("night", "2026-11-25", "--house", "brmo"), ("night", "2999-01-01"), ("night", "sign", "2026-11-25")):
        assert desk.run(*wrong).code == 2, wrong
    assert desk.run("night", "2026-11-25", "--show", "abc").code == 2


def test_a_shortage_is_told_with_its_records_and_exit_code(desk: Desk) -> None:
    records = list(dealt("float").records)
    desk.ingest(lines_of(records))
    said = desk.run("night", DAY)
    assert said.code == 5
    assert "1 exception\n" in said.out
    assert "chips short by 100 " in said.out
    assert desk.run("night", DAY).out == said.out
    (one,) = [row for row in desk.run("night", DAY, "--json").rows if row["part"] == "exception"]
    assert f"--show {one['id']}" in said.err
    shown = desk.run("night", DAY, "--show", one["id"][:6])
    assert shown.code == 0
    assert all(cite in shown.out for cite in one["cites"])
    assert "the float is counted (closer)" in shown.out
    assert " opener" in shown.out
    assert " by the record; " in shown.out
    (look,) = desk.run("sql", "SELECT data FROM stg_record WHERE topic = 'AC.Accessed.v1'", "--json").rows
    assert f"night brno {DAY} {one['id']}" in look["data"]
    assert desk.run("night", DAY, "--show", "nothing").code == 2


@pytest.mark.parametrize("planted", ["float", "desk"])
def test_a_count_that_was_written_down_wrong_can_be_corrected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, planted: Kind
) -> None:
    desk = Desk(tmp_path).init()
    desk.ingest(lines_of(dealt(planted).records))
    staff = Managers(desk, tmp_path, monkeypatch)
    (one,) = [row for row in desk.run("night", DAY, "--json").rows if row["part"] == "exception"]
    was, due = one["found_minor"] // 100, one["expected_minor"] // 100
    hint = desk.run("night", DAY, "--show", one["id"]).err.partition("next: ")[2].partition(", if it was")[0]
    program, *words = shlex.split(hint.replace("=…", f"={due}").replace("…", "counted again"))
    assert program == "recoup"
    said = staff.run("anna", *words)
    assert said.code == 0, said.err
    assert str(was) in said.out
    assert str(due) in said.out
    assert desk.run("night", DAY).code == 0


def test_the_records_behind_a_difference_add_up_to_it_as_corrected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = Desk(tmp_path).init()
    night_ = night(assembly.rooms(), DAY, 1, floor=FLOOR, rounds=2, plant=("drop", "rake", "slip_amount"))
    desk.ingest(lines_of(night_.records))
    staff = Managers(desk, tmp_path, monkeypatch)
    found = {row["kind"]: row for row in desk.run("night", DAY, "--json").rows if row["part"] == "exception"}
    for kind, topics in (("drop", ("TB.BuyIn.v1", "TB.ColourChipsIssued.v1")), ("rake", ("TB.ChipsMoved.v1",))):
        rows = desk.run("night", DAY, "--show", found[kind]["id"], "--json").rows
        paid = [json.loads(row["data"]) for row in rows if row["topic"] in topics]
        assert sum(one.get("amount", one.get("tender_in")) for one in paid) == found[kind]["expected_minor"]
    slip = found["slip"]
    less, more = slip["unit"].split(", ")
    shown = desk.run("night", DAY, "--show", slip["id"])
    amounts = [money_text(slip[name], "CZK") for name in ("found_minor", "expected_minor")]
    assert f"{less} wrote {amounts[0]}, {more} {amounts[1]}\n" in shown.out
    least = next(
        row
        for row in desk.run("night", DAY, "--show", slip["id"], "--json").rows
        if json.loads(row["data"])["amount"] == slip["found_minor"]
    )
    assert less in least["subject"]
    told = ("correct", least["cite"], "amount=1", "--in", least["subject"], "--reason", "camera 4")
    assert staff.run("anna", *told).code == 0
    assert "corrected: 1 CZK" in " ".join(desk.run("night", DAY, "--show", slip["id"]).out.split())


def test_the_same_night_as_table_and_page(desk: Desk) -> None:
    desk.ingest(lines_of(dealt("float", "desk").records))
    table, page = desk.folder / "night.csv", desk.folder / "night.html"
    said = desk.run("night", DAY, "--csv", str(table), "--html", str(page))
    assert said.code == 5
    rows = desk.run("night", DAY, "--json").rows
    read = list(csv.DictReader(table.read_text(encoding="utf-8").splitlines()))
    assert [row["part"] for row in read] == [row["part"] for row in rows]
    assert [row["win_minor"] for row in read if row["part"] == "table"] == [
        str(row["win_minor"]) for row in rows if row["part"] == "table"
    ]
    text = page.read_text(encoding="utf-8")
    assert text.startswith("<!doctype html>")
    assert "http" not in text
    assert "<script" not in text
    for row in rows:
        if row["part"] == "exception":
            assert row["id"] in text
            assert row["what"].replace("'", "&#x27;") in text


def test_a_table_named_like_a_tag_is_text_in_the_page(desk: Desk) -> None:
    records = lines_of(assembly.rooms()["roulette"].deal(1, 1, table="brno/<b>RL"))
    assert desk.ingest(records).code == 0
    page = desk.folder / "night.html"
    desk.run("night", DAY, "--html", str(page))
    assert "&lt;b&gt;RL" in page.read_text(encoding="utf-8")
    assert "<b>RL" not in page.read_text(encoding="utf-8")


def test_two_persons_sign_and_what_comes_later_is_shown_as_changed_since(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = Desk(tmp_path).init()
    records = lines_of(dealt("float").records)
    desk.ingest(records)
    staff = Managers(desk, tmp_path, monkeypatch)
    bare = staff.run("anna", "night", "sign", DAY)
    assert bare.code == 2
    assert "2026-11-28 has 1 exception" in bare.err
    assert "a second person is needed" in staff.run("anna", "night", "sign", DAY, "--reason", "camera 2 asked for").out
    assert "signed by anna; a second" in desk.run("night", DAY).out
    assert staff.run("anna", "night", "sign", DAY, "--reason", "again").code == 2
    assert "signed by anna and boris" in staff.run("boris", "night", "sign", DAY, "--reason", "seen").out
    signed = desk.run("night", DAY)
    assert "changed since" not in signed.out
    assert signed.code == 5  # the exception stands, signed or not

    closer = next(line for line in records if b'"closer"' in line and b"table/brno/RL-1/" in line)
    late = altered(closer, sequence="900", data={"kind": "recount"})
    late = altered(late, data={"amount": 1})
    assert desk.ingest([late], "late.ndjson").code == 0
    after = desk.run("night", DAY)
    assert after.code == 5
    assert "changed since it was signed" in after.out
    told = " ".join(after.out.split())
    assert "RL-1 CZK, closer: 187 300 → 0.01, win: " in told.replace("\u00a0", " ")
    assert "by TB.InventoryCounted.v1 900@/brno/RL-1/terminal of 20" in told
    assert "(TB-12)" in told
    assert "changed no figure" not in told
    assert " 0 → 0" not in told
    rows = desk.run("night", DAY, "--json").rows
    assert (rows[0]["changed"], rows[0]["signed_by"]) == (True, ["anna", "boris"])
    assert {row["figure"] for row in rows if row["part"] == "change"} >= {"closing", "win"}
    assert {tuple(row["by"]) for row in rows if row["part"] == "change"} == {("900@/brno/RL-1/terminal",)}
    for person in ("boris", "anna"):
        assert staff.run(person, "night", "sign", DAY, "--reason", "counted again").code == 0
    again = desk.run("night", DAY)
    assert "changed since" not in again.out
    assert "TB-12" not in again.out


def test_a_day_that_two_have_signed_is_sealed_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(tmp_path).init()
    desk.ingest(lines_of(dealt().records))
    staff = Managers(desk, tmp_path, monkeypatch)
    witness = tmp_path / "authority"
    witness.mkdir()
    assert desk.run("seal", "init", "--origin", "brno.example/recoup", "--witness", str(witness)).code == 0
    before = sorted(witness.rglob("*"))
    assert "checkpoint" not in staff.run("anna", "night", "sign", DAY).err
    assert sorted(witness.rglob("*")) == before
    assert "checkpoint: " in staff.run("boris", "night", "sign", DAY).err
    assert len(sorted(witness.rglob("*"))) > len(before)
    assert "2 checkpoints" in desk.run("verify").out


def sealed(desk: Desk, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Managers:
    """A night in a log with a seal and a witness; who signs it."""
    desk.init().ingest(lines_of(dealt().records))
    staff = Managers(desk, folder, monkeypatch)
    (folder / "authority").mkdir()
    made = desk.run("seal", "init", "--origin", "brno.example/recoup", "--witness", str(folder / "authority"))
    assert made.code == 0
    return staff


def test_nobody_signs_what_is_not_as_it_was_sealed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(tmp_path)
    staff = sealed(desk, tmp_path, monkeypatch)
    with closing(sqlite3.connect(desk.store)) as db, db:
        db.execute("DROP TRIGGER stored_events_no_update")
        db.execute("UPDATE stored_events SET state = CAST(replace(state, 'closer', 'recount') AS BLOB)")
    said = staff.run("anna", "night", "sign", DAY, "--reason", "the closer is missing")
    assert said.code == 4
    assert "NOT AS IT WAS SEALED" in said.out
    assert "nothing was signed: the seal is broken, first at row at tree index" in said.err
    assert "tell who keeps the seal" in said.err
    assert said.out in desk.run("verify").out


def test_a_night_warns_where_the_log_contradicts_a_checkpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(tmp_path)
    sealed(desk, tmp_path, monkeypatch)
    assert desk.run("night", DAY).code == 0
    (copy,) = (tmp_path / "authority").rglob("*.checkpoint")
    with closing(sqlite3.connect(desk.store)) as db, db:
        db.execute("DROP TRIGGER tiles_no_update")
        first, leaves = db.execute("SELECT rowid, leaves FROM tiles ORDER BY rowid LIMIT 1").fetchone()
        db.execute("UPDATE tiles SET leaves = ? WHERE rowid = ?", (bytes(32) + leaves[32:], first))
    said = desk.run("night", DAY, "--html", str(tmp_path / "night.html"))
    assert said.code == 4
    assert "NOT AS IT WAS SEALED: checkpoint at tree index 0" in said.out
    assert "the seal is broken, first at checkpoint" in said.err
    assert "night sign" not in said.err
    assert "Not as it was sealed" in (tmp_path / "night.html").read_text(encoding="utf-8")
    assert "checkpoint" in desk.run("night", DAY, "--json").rows[0]["seal_fault"]
    assert copy.exists()


def test_a_witness_that_is_away_is_said_and_hinders_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(tmp_path)
    staff = sealed(desk, tmp_path, monkeypatch)
    (tmp_path / "authority").rename(tmp_path / "away")
    said = staff.run("anna", "night", "sign", DAY)
    assert said.code == 0
    assert "could not be asked" in said.err


def test_who_is_nobody_cannot_sign(desk: Desk) -> None:
    desk.ingest(lines_of(dealt().records))
    said = desk.run("night", "sign", DAY)
    assert said.code == 2
    assert "signing a gaming day needs auditor or manager" in said.err


def test_a_day_that_is_none_and_a_house_that_is_not_there(desk: Desk) -> None:
    desk.ingest(lines_of(dealt().records))
    assert "is not a date" in desk.run("night", "28.11.").err
    other = desk.run("night", "2026-01-01")
    assert (other.code, "with records: 2026-11-28" in other.out) == (0, True)
    assert desk.run("night", DAY, "--house", "praha").code == 2


def test_where_there_are_two_houses_what_to_do_next_names_the_one(desk: Desk) -> None:
    desk.ingest(lines_of(dealt("float").records))
    desk.ingest(lines_of(assembly.rooms()["roulette"].deal(1, 1, table="praha/RL-9")), "praha.ndjson")
    assert desk.run("night", DAY).code == 2
    assert f"recoup night {DAY} --house brno --show " in desk.run("night", DAY, "--house", "brno").err
    other = desk.run("night", DAY, "--house", "praha")
    assert f"recoup night sign {DAY} --house praha\n" in other.err
    assert "praha: 1 table, 0 desks, 1 round\n" in other.out


def test_the_dealer_deals_nights_with_what_is_planted(desk: Desk) -> None:
    said = desk.run("dealer", "night", "--nights", "2", "--rounds", "1", "--plant", "float", "--plant", "opener")
    assert said.code == 0
    assert said.err.count("planted: ") == 2
    assert {row["subject"].rpartition("/")[2][:10] for row in said.rows} == {DAY, "2026-11-29"}
    assert tb.RakeBoxCounted.TOPIC in {row["type"] for row in said.rows}
    assert desk.run("dealer", "night", "--plant", "ufo").code == 2
