"""Bad input, each with a clear word, the right exit code, nothing lost and no traceback (issue: "Bad input")."""

from __future__ import annotations

import json
import os
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from cli import assembly
from events.schema.catalogue import Catalogue
from events.values.clock import parse_time, time_text
from tests.cli.desk import Desk, Result, altered, lines_of

HOLDEM = assembly.rooms()["holdem"]
ROULETTE = assembly.rooms()["roulette"]


def hands(rounds: int = 3, seed: int = 3, **more: Any) -> list[bytes]:
    return lines_of(HOLDEM.deal(rounds, seed, **more))


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path).init()


def fates(desk: Desk) -> tuple[int, ...]:
    """received, stored, repeats, conflicts, quarantined."""
    row = desk.run("status", "--json").row
    assert row["adds_up"]
    return tuple(row[name] for name in ("received", "stored", "repeats", "conflicts", "quarantined"))


def reason(desk: Desk, line: bytes) -> tuple[Result, dict[str, Any]]:
    """What becomes of one bad record among good ones: the ingest's result and the entry in quarantine."""
    lines = hands()
    result = desk.ingest([*lines[:5], line, *lines[5:]])
    assert fates(desk) == (len(lines) + 1, len(lines), 0, 0, 1)
    return result, desk.run("quarantine", "list", "--json").row


LINE = hands()[30]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b'{"specversion":', "not_json"),
        (LINE[: len(LINE) // 2], "not_json"),
        (LINE.replace(b'"data"', b'"d\xe1ta"'), "not_utf8"),
        (LINE.replace(b'"specversion"', b'"time":"2026-11-28T18:00:00Z","specversion"', 1), "key_twice"),
        (altered(LINE, time="2026-11-28T18:00:00"), "bad_time"),
        (altered(LINE, sequence="0"), "bad_sequence"),
        (altered(LINE, sequence=str(2**53)), "bad_sequence"),
        (altered(LINE, sequence="12345678"), "jump"),
        (altered(LINE, source="/recoup"), "not_yours"),
        (altered(LINE, subject="house/brno", type="HS.StaffRegistered.v1"), "not_yours"),
        (b"[1, 2]", "not_an_object"),
        (b'{"data": "' + b"x" * 1_200_000 + b'"}', "too_long"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_what_has_no_place_is_quarantined_with_file_and_line(desk: Desk, line: bytes, code: str) -> None:
    result, entry = reason(desk, line)
    assert result.code == 5
    assert entry["reason"] == code
    assert entry["origin"].endswith("table.ndjson:6")
    assert "recoup quarantine list" in result.err
    assert desk.run("quarantine", "show", entry["sha256"]).code == 0


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (altered(LINE, type="PK.NeverHeardOf.v1"), "unknown event type"),
        (altered(LINE, type="TB.RoundOpened.v9", data={}), "unknown event type or version"),
        (altered(LINE, data={"colour": "red"}), "unknown field"),
        (altered(LINE, type="TB.BuyIn.v1", data={"player": "p-1", "amount": -5}), ""),
        (altered(LINE, type="TB.BuyIn.v1", data={"player": "p-1", "amount": 12.5}), ""),
        (LINE.replace(b'"data":{', b'"data":{"x":1,"x":2' + (b"," if b'"data":{}' not in LINE else b"")), "twice"),
    ],
    ids=["type", "version", "field", "negative", "fractional", "key twice in data"],
)
def test_data_that_cannot_be_read_is_stored_listed_and_judged_as_a_hole(desk: Desk, line: bytes, told: str) -> None:
    lines = hands()
    result = desk.ingest([*lines[:30], line, *lines[31:]])
    assert result.code == 0
    assert "1 record cannot be read by this Recoup; it is stored as it came: recoup unread" in result.err
    assert fates(desk)[:2] == (len(lines), len(lines))
    listed = desk.run("unread", "--json")
    assert listed.code == 5
    assert listed.row["record"].startswith("31@")
    assert listed.row["origin"].endswith(f"table.ndjson:1-{len(lines)}")
    assert told in listed.row["reason"]
    assert listed.row["type"] in desk.run("unread", "--table", "brno/NL-1").out
    assert desk.run("unread", "--table", "brno/NL-2").code == 0
    judged = desk.run("judge", "--all", "--json")
    assert judged.code == 5
    found = [one for row in judged.rows for one in row.get("findings", ()) if one["rule"] == "TB-03"]
    assert len(found) == 1
    assert told in found[0]["text"]
    assert "cannot_tell" in {row.get("standing") for row in judged.rows}


def test_the_same_day_by_another_json_writer_with_new_ids_is_repeats(desk: Desk) -> None:
    lines = hands()
    desk.ingest(lines)
    rewritten: list[bytes] = []
    for line in lines:
        plain = json.loads(line) | {"id": "new-" + str(len(rewritten))}
        plain["sequence"] = plain["sequence"].lstrip("0")
        rewritten.append(json.dumps(dict(reversed(plain.items())), indent=None, separators=(", ", ": ")).encode())
    result = desk.ingest(rewritten, "again.ndjson")
    assert result.code == 0
    assert "nothing new" in result.out
    assert fates(desk) == (2 * len(lines), len(lines), len(lines), 0, 0)


def test_a_repeat_with_other_content_is_a_conflict_and_alarms(desk: Desk) -> None:
    lines = hands()
    desk.ingest(lines)
    result = desk.ingest([altered(lines[30], round="77")], "other.ndjson")
    assert result.code == 5
    assert "contradict" in result.err
    assert fates(desk)[3] == 1
    judged = desk.run("judge", "--all", "--json")
    assert "TB-02" in {one["rule"] for row in judged.rows for one in row.get("findings", ())}


def test_a_counter_that_starts_again_in_mid_session_goes_on_beside(desk: Desk) -> None:
    lines = hands()
    desk.ingest(lines[:100])
    again = [altered(line, sequence=str(at)) for at, line in enumerate(lines[100:], 1)]
    result = desk.ingest(again, "restart.ndjson")
    assert result.code == 5
    assert "began to count again" in result.err
    assert fates(desk)[:2] == (len(lines), len(lines))
    rows = desk.run("judge", "--all", "--json").rows
    assert "TB-04" in {one["rule"] for row in rows for one in row.get("between", ())}


def test_a_record_stamped_2099_and_a_clock_going_backwards_are_findings(desk: Desk) -> None:
    lines = hands()
    lines[40] = altered(lines[40], time="2099-01-01T00:00:00.000+01:00")
    assert desk.ingest(lines).code == 0
    rows = desk.run("judge", "--all", "--json").rows
    assert "TB-05" in {one["rule"] for row in rows for one in row.get("findings", ())}
    assert desk.run("rounds", "--table", "NL-1", "--around", "18:02").code == 0


def test_a_wrong_round_name_is_found_and_corrected_later(desk: Desk) -> None:
    lines = hands()
    wrong = next(at for at, line in enumerate(lines) if b"ActionTaken" in line)
    right = json.loads(lines[wrong])["round"]
    lines[wrong] = altered(lines[wrong], round="no-such-round")
    desk.ingest(lines)
    names = [row["round"].partition("#")[2] for row in desk.run("judge", "--all", "--json").rows if "round" in row]
    assert "no-such-round" in names
    desk.employ()
    said = desk.run("correct", f"{wrong + 1}@terminal", f"#{right}", "--in", f"NL-1#{right}", "--reason", "typed wrong")
    assert said.code == 0
    after = desk.run("judge", "--all", "--json")
    assert after.code == 0
    assert [row["round"].partition("#")[2] for row in after.rows] == ["1", "2", "3"]


def test_a_lost_tail_and_holes_touch_the_rounds_they_may_belong_to(desk: Desk) -> None:
    lines = hands()
    own = [at for at, line in enumerate(lines) if json.loads(line).get("round") == "2"]
    desk.ingest([line for at, line in enumerate(lines) if at != own[len(own) // 2]])
    rows = desk.run("judge", "--all", "--json").rows
    assert "cannot_tell" in {row.get("standing") for row in rows}


def test_an_empty_file_a_folder_a_missing_file_and_an_unreadable_one(desk: Desk) -> None:
    empty = desk.write("empty.ndjson", [])
    result = desk.run("ingest", empty)
    assert result.code == 0
    assert "holds no record" in result.err
    folder = desk.run("ingest", str(desk.folder))
    assert folder.code == 3
    assert "folder" in folder.err
    missing = desk.run("ingest", str(desk.folder / "none.ndjson"))
    assert missing.code == 3
    assert "none.ndjson" in missing.err
    if os.geteuid() != 0:
        locked = Path(desk.write("locked.ndjson", hands()))
        locked.chmod(0)
        assert desk.run("ingest", str(locked)).code == 3


def test_a_bad_file_does_not_stop_the_others(desk: Desk) -> None:
    good = desk.write("good.ndjson", hands())
    result = desk.run("ingest", str(desk.folder / "none.ndjson"), good, "--json")
    assert result.code == 3
    assert [bool(row["error"]) for row in result.rows] == [True, False]
    assert result.rows[1]["stored"] > 0


def test_a_broken_archive_keeps_what_came_before(desk: Desk) -> None:
    import gzip

    packed = desk.folder / "cut.ndjson.gz"
    packed.write_bytes(gzip.compress(b"\n".join(hands(20)))[:-200])
    result = desk.run("ingest", str(packed))
    assert result.code == 3
    assert "no whole gzip file" in result.err


def test_a_store_of_a_later_recoup_is_refused_with_3(desk: Desk) -> None:
    with sqlite3.connect(desk.store) as database:
        table = next(
            row[0]
            for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            if "schema" in [column[1] for column in database.execute(f"PRAGMA table_info({row[0]})")]
        )
        for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            database.execute(f"DROP TRIGGER {name}")
        database.execute(f"UPDATE {table} SET schema = 99")
    database.close()
    result = desk.run("status")
    assert result.code == 3
    assert "99" in result.err


def test_a_newer_event_type_is_read_once_the_catalogue_knows_it(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = hands()
    desk.ingest(lines)
    known = assembly.catalogue()
    older = Catalogue(cls for cls in known.classes if cls.TOPIC != "PK.HandShown.v1")
    monkeypatch.setattr(assembly, "catalogue", lambda: older)
    rows = desk.run("judge", "--all", "--json").rows
    assert "TB-03" in {one["rule"] for row in rows for one in row.get("findings", ())}
    monkeypatch.undo()
    assert desk.run("judge", "--all").code == 0


def test_a_file_that_is_no_store_is_refused(tmp_path: Path) -> None:
    (tmp_path / "desk.db").write_bytes(b"this is no database" * 100)
    result = Desk(tmp_path).run("status")
    assert result.code == 3
    assert result.err.startswith("error: ")


def test_a_missing_edition_says_which_and_from_when(desk: Desk) -> None:
    opening = altered(hands()[0], data={"rule_book": "ZZ"})
    desk.ingest([opening, *hands()[1:]])
    result = desk.run("judge", "NL-1#1")
    assert result.code in (2, 3)
    assert "ZZ" in result.err
    assert desk.run("judge", "--all").code == 5


def test_two_houses_with_tables_of_one_name_are_told_apart(desk: Desk) -> None:
    for house, seed in (("brno", 1), ("praha", 2)):
        desk.ingest(hands(2, seed, table=f"{house}/NL-1"), f"{house}.ndjson")
    both = desk.run("judge", "NL-1#1")
    assert both.code == 2
    assert "brno/NL-1#1" in both.err
    one = desk.run("judge", "praha/NL-1#1", "--json")
    assert one.row["round"] == "table/praha/NL-1/2026-11-28.1#1"
    assert one.row["house"] == "praha"


def spins(rounds: int = 3, seed: int = 5, **more: Any) -> list[bytes]:
    return lines_of(ROULETTE.deal(rounds, seed, **more))


def test_two_clocks_apart_around_no_more_bets_prove_nothing(desk: Desk) -> None:
    """The wheel's sensor is 3 s ahead and nobody compared the clocks: no bet becomes late by that alone."""
    lines = []
    for line in spins():
        plain = json.loads(line)
        if plain["type"] == "TB.ClockCompared.v1":
            plain |= {"type": "TB.ErrorNoted.v1", "data": {"what": "the clocks were not compared"}}
        if plain["source"].endswith("/wheel"):
            plain["time"] = time_text(parse_time(plain["time"]) - 3000)
        lines.append(json.dumps(plain).encode())
    assert desk.ingest(lines).code == 0
    rows = desk.run("judge", "--all", "--json").rows
    found = [one for row in rows for one in row.get("findings", ())]
    assert {one["kind"] for one in found} <= {"unverified"}
    assert {row["standing"] for row in rows if "standing" in row} == {"valid"}


def test_a_card_twice_is_a_finding(desk: Desk) -> None:
    lines = hands()
    board = [at for at, line in enumerate(lines) if b'"to":"flop"' in line]
    card = json.loads(lines[board[0]])["data"]["card"]
    lines[board[1]] = altered(lines[board[1]], data={"card": card})
    assert desk.ingest(lines).code == 0
    judged = desk.run("judge", "--all", "--json")
    assert judged.code == 5
    assert "card_twice" in {one["code"] for row in judged.rows for one in row.get("findings", ())}


def test_a_source_that_never_said_it_ended_is_found_when_the_table_closes(desk: Desk) -> None:
    lines = [line for line in spins() if b"TB.SourceEnded" not in line or b"/wheel" not in line]
    desk.ingest(lines)
    rows = desk.run("judge", "--all", "--json").rows
    between = [one for row in rows for one in row.get("between", ())]
    assert [(one["rule"], one["subject"]) for one in between] == [("TB-13", "/brno/RL-03/wheel")]


def test_a_large_file_comes_in_without_being_held(desk: Desk) -> None:
    """Many batches; what a batch stored stays, whatever comes later in the file."""
    lines = spins(300)
    result = desk.ingest([*lines, b"{"], "large.ndjson")
    assert result.code == 5
    assert fates(desk)[1] == len(lines)


def test_the_store_may_be_named_before_the_command(tmp_path: Path) -> None:
    there, elsewhere = str(tmp_path / "there.db"), Desk(tmp_path, str(tmp_path / "elsewhere.db"))
    assert elsewhere.run("--store", there, "init").code == 0
    assert Path(there).exists()
    assert elsewhere.run("--store", there, "status").code == 0
    assert elsewhere.run("status").code == 3  # it held for one command line only
    assert elsewhere.run("--store", elsewhere.store, "status", "--store", there).code == 0
    between = elsewhere.run("editions", "--store", there, "list")
    assert between.code == 2
    assert "`--store` stands first, as `recoup --store FILE editions …`, or last" in between.err.replace("\n", " ")
