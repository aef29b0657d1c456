"""The store from the command line: made, filled, looked at, verified."""

from __future__ import annotations

import gzip
import sqlite3
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cli import assembly
from tests.cli.desk import Desk, Managers, altered, lines_of

HOLDEM = assembly.rooms()["holdem"]


def hands(rounds: int = 3, seed: int = 3, **more: Any) -> list[bytes]:
    return lines_of(HOLDEM.deal(rounds, seed, **more))


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path).init()


def test_init_says_what_it_made_and_the_second_time_that_it_is_there(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    first = desk.run("init")
    assert first.code == 0
    assert "made" in first.out
    assert "0001-01-01" in first.out
    again = desk.run("init")
    assert again.code == 0
    assert "is there already" in again.out
    assert "in force already" in again.out


def test_the_store_option_wins_over_the_variable(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    other = str(tmp_path / "other.db")
    assert desk.run("init", "--store", other).code == 0
    assert (tmp_path / "other.db").exists()
    assert not (tmp_path / "desk.db").exists()
    assert desk.run("status").code == 3


@pytest.mark.parametrize("words", [["status"], ["rounds"], ["ingest", "-"], ["verify"], ["judge", "--all"], ["gaps"]])
def test_without_a_store_every_command_says_so_and_what_to_do(tmp_path: Path, words: list[str]) -> None:
    result = Desk(tmp_path).run(*words)
    assert result.code == 3
    assert result.out == ""
    assert "error: there is no log at" in result.err
    assert "hint: `recoup init`" in result.err


def test_ingest_counts_and_the_same_file_again_changes_nothing_and_says_so(desk: Desk) -> None:
    lines = hands()
    first = desk.ingest(lines)
    assert first.code == 0
    size = desk.run("status", "--json").row["rows"]
    again = desk.ingest(lines)
    assert again.code == 0
    assert "nothing new" in again.out
    after = desk.run("status", "--json").row
    assert after["rows"] == size
    assert after["received"] == 2 * len(lines) == after["stored"] + after["repeats"]


def test_ingest_from_standard_input_and_gz(desk: Desk) -> None:
    lines = hands()
    packed = desk.folder / "table.ndjson.gz"
    packed.write_bytes(gzip.compress(b"\n".join(lines[:50]) + b"\n"))
    assert desk.run("ingest", str(packed), "--json").row["stored"] == 50
    piped = desk.run("ingest", "-", "--json", stdin=b"\n".join(lines))
    assert piped.row["stored"] == len(lines) - 50
    assert piped.row["repeats"] == 50


def test_ingest_of_several_files_shows_each_and_the_sum(desk: Desk) -> None:
    one = desk.write("a.ndjson", hands(2, 1, table="brno/NL-1"))
    two = desk.write("b.ndjson", hands(2, 2, table="brno/NL-2"))
    result = desk.run("ingest", one, two)
    assert "a.ndjson" in result.out
    assert "b.ndjson" in result.out
    assert result.out.splitlines()[-1].split()[0] == "all"
    assert [row["error"] for row in desk.run("ingest", one, two, "--json").rows] == ["", ""]


def test_status_shows_a_sum_that_adds_up(desk: Desk) -> None:
    lines = hands()
    desk.ingest([*lines, b"half a li", lines[0]])
    shown = desk.run("status")
    row = desk.run("status", "--json").row
    assert shown.code == 5  # something lies in quarantine
    assert row["adds_up"] is True
    assert row["received"] == row["stored"] + row["repeats"] + row["conflicts"] + row["quarantined"] == len(lines) + 2
    assert "adds up" in shown.out
    assert f"{len(lines) + 2} = {len(lines)} + 1 + 0 + 1" in shown.out


def test_gaps_names_them_a_late_record_closes_them_a_lost_one_is_declared(desk: Desk) -> None:
    lines = hands()
    desk.ingest([line for at, line in enumerate(lines) if at not in (40, 60, 61)])
    found = desk.run("gaps", "--json")
    assert found.code == 5
    assert [(row["first"], row["last"]) for row in found.rows] == [(41, 41), (61, 62)]
    assert desk.ingest([lines[40]], "late.ndjson").code == 0
    stream = found.rows[0]["stream"]
    words = ("declare-lost", stream, "61", "62", "--reason", "the terminal's disk broke")
    nobody = desk.run(*words)
    assert nobody.code == 2
    assert "declaring records lost needs surveillance or manager or compliance" in nobody.err
    desk.employ()
    assert desk.run(*words).code == 0
    assert desk.run("gaps").code == 0
    assert [row["lost"] for row in desk.run("gaps", "--lost", "--json").rows] == [True]
    assert desk.run("declare-lost", stream, "1", "2", "--reason", "x").code == 2


def test_verify_passes_and_names_the_first_bad_position_with_exit_4(desk: Desk) -> None:
    desk.ingest(hands())
    fine = desk.run("verify")
    assert fine.code == 0
    assert "as it was sealed" in fine.out
    assert desk.run("verify", "--json").row["ok"] is True
    with sqlite3.connect(desk.store) as database:
        database.execute("DROP TRIGGER IF EXISTS stored_events_no_update")
        names = [row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")]
        for name in names:
            database.execute(f"DROP TRIGGER {name}")
        database.execute("UPDATE stored_events SET state = replace(state, '10', '11') WHERE rowid = 20")
    database.close()
    broken = desk.run("verify")
    assert broken.code == 4
    assert "tree index 19" in broken.out
    with assembly.open_log(desk.store) as log:
        ((row,), total) = (log.rows(19, 19), log.size())
    sequence, source = msgspec.json.decode(row.state)["sequence"], row.stream.partition("@")[2]
    assert f"{int(sequence)}@{source} {row.topic}, stream {row.stream}" in " ".join(broken.err.split())
    assert f"of {total:,} rows the first " in broken.out
    assert "what comes next is not, and there the check ended" in broken.out
    problem = desk.run("verify", "--json").row["problems"][0]
    assert (problem["stream"], problem["record"]) == (row.stream, f"{int(sequence)}@{source} {row.topic}")
    assert "seal is broken" in broken.err
    assert desk.run("verify", "--json").row["ok"] is False


def test_quarantine_is_listed_shown_released_and_discarded(desk: Desk) -> None:
    lines = hands()
    other = altered(lines[30], time="2026-11-28T22:00:00.000+01:00")
    result = desk.ingest([*lines, other, b"not json"])
    assert result.code == 5
    assert "recoup quarantine list" in result.err
    listed = desk.run("quarantine", "list", "--json")
    assert listed.code == 5
    assert {row["reason"] for row in listed.rows} == {"conflict", "not_json"}
    by_reason = {row["reason"]: row["sha256"] for row in listed.rows}
    shown = desk.run("quarantine", "show", by_reason["conflict"][:12])
    assert shown.code == 0
    assert "stored under the same number" in shown.out
    assert "table.ndjson:" in shown.out
    assert desk.run("quarantine", "release", by_reason["conflict"], "--reason", "the table says so").code == 0
    assert desk.run("quarantine", "release", by_reason["not_json"], "--reason", "x").code == 2
    assert desk.run("quarantine", "discard", by_reason["not_json"][:8], "--reason", "half a line").code == 0
    assert desk.run("quarantine", "list").code == 0
    assert [row["act"] for row in desk.run("quarantine", "list", "--all", "--json").rows] == ["released", "discarded"]
    assert desk.run("quarantine", "discard", by_reason["not_json"], "--reason", "again").code == 2


def test_who_acts_by_a_key_is_named_by_it_in_words_and_on_record(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = hands()
    other = altered(lines[30], time="2026-11-28T22:00:00.000+01:00")
    desk.ingest([*(line for at, line in enumerate(lines) if at not in (60, 61)), other, b"not json"])
    managers = Managers(desk, tmp_path, monkeypatch)
    stream = desk.run("gaps", "--json").row["stream"]
    by_reason = {row["reason"]: row["sha256"] for row in desk.run("quarantine", "list", "--json").rows}
    edition = tmp_path / "mine.toml"
    edition.write_text(desk.run("editions", "show", "NL/live-games-plan").out, encoding="utf-8")
    house = ("--house", "brno", "--from", "2027-01-01")
    said = [
        managers.run("anna", *words, "--reason", "so")
        for words in (
            ("declare-lost", stream, "61", "62"),
            ("quarantine", "release", by_reason["conflict"]),
            ("quarantine", "discard", by_reason["not_json"]),
            ("editions", "adopt", str(edition), *house),
        )
    ]
    assert [one.code for one in said] == [0, 0, 0, 0], said
    assert all(" by key:" in one.out for one in said[:3])
    types = ("RC.GapDeclaredLost", "RC.QuarantineReleased", "RC.QuarantineDiscarded", "HS.EditionAdopted")
    with assembly.open_log(desk.store) as log:
        written = [row for row in log.rows(0, log.size() - 1) if row.topic.startswith(types)]
    accounts = [msgspec.json.decode(row.state).get("account") for row in written][-4:]
    assert {account.partition(":")[0] for account in accounts} == {"key"}


def test_an_act_without_a_reason_is_refused(desk: Desk) -> None:
    desk.ingest([b"not json"])
    sha = desk.run("quarantine", "list", "--json").row["sha256"]
    assert desk.run("quarantine", "discard", sha).code == 2
    assert desk.run("quarantine", "discard", sha, "--reason", "  ").code == 2
    assert desk.run("quarantine", "show", "zz").code == 2
