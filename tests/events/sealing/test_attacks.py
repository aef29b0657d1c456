"""The attacks that a seal is there for: each is found by `verify`, and the message names the place."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from events.errors import SealBroken
from events.store.verify import Problem
from tests.events.sealing.seals import Place, by_hand, filled, made_anew, place_in, retiled


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return filled(place_in(tmp_path))


CHANGES: dict[str, Callable[[sqlite3.Connection], Any]] = {
    "changed": lambda db: db.execute(
        "UPDATE stored_events SET state = CAST(replace(CAST(state AS TEXT), 'd-17', 'd-18') AS BLOB) WHERE rowid = 15"
    ),
    "removed": lambda db: db.execute("DELETE FROM stored_events WHERE rowid = 15"),
    "reordered": lambda db: db.executescript(
        "UPDATE stored_events SET rowid = -1 WHERE rowid = 15; UPDATE stored_events SET rowid = 15 WHERE rowid = 16;"
        "UPDATE stored_events SET rowid = 16 WHERE rowid = -1"
    ),
    "inserted": lambda db: db.executescript(
        "UPDATE stored_events SET rowid = -rowid - 1 WHERE rowid >= 15;"
        "UPDATE stored_events SET rowid = -rowid WHERE rowid < 0;"
        "INSERT INTO stored_events (rowid, originator_id, originator_version, topic, state)"
        " SELECT 15, originator_id, 999, topic, state FROM stored_events WHERE rowid = 3"
    ),
    "cut": lambda db: db.executescript(
        "DELETE FROM stored_events WHERE rowid > 40; DELETE FROM tiles WHERE first_index >= 34"
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_row_changed_in_the_database_is_named(place: Place, change: str) -> None:
    by_hand(place, CHANGES[change])
    report = place.verify()
    assert not report.ok
    assert report.walk.problems[0].index in {14, 34}


def short_check(place: Place, since: int) -> list[Problem]:
    """What it finds, beside the triggers that `by_hand` takes away."""
    return [one for one in place.verify(since=since).walk.problems if one.what != "schema"]


@pytest.mark.parametrize(("since", "is_seen"), [(0, True), (12, True), (13, True), (24, False), (1000, False)])
def test_the_short_check_sees_leaves_changed_behind_the_checkpoint_that_it_begins_at(
    place: Place, since: int, is_seen: bool
) -> None:
    assert place.verify(since=since).ok

    def hand(db: sqlite3.Connection) -> None:
        (row,) = db.execute("SELECT max(first_index) FROM tiles WHERE first_index < 20").fetchone()
        db.execute("UPDATE tiles SET leaves = zeroblob(length(leaves)) WHERE first_index = ?", [row])

    by_hand(place, hand)
    assert bool(short_check(place, since)) is is_seen
    assert not place.verify().ok


@pytest.mark.parametrize("column", ["leaves = 7", "leaves = x'00'", "first_index = -3"])
def test_the_short_check_names_a_tile_that_cannot_be_read(place: Place, column: str) -> None:
    by_hand(place, lambda db: db.execute(f"UPDATE tiles SET {column} WHERE first_index = 0"))
    assert short_check(place, 0)


@pytest.mark.parametrize(
    "hand",
    [
        (
            "INSERT INTO stored_events (originator_id, originator_version, topic, state) "
            "SELECT originator_id, originator_version + 1000, topic, state FROM stored_events WHERE rowid = 14"
        ),
        "DELETE FROM stored_events WHERE rowid = (SELECT max(rowid) FROM stored_events)",
    ],
)
def test_the_short_check_sees_a_row_put_behind_the_last_or_taken_from_there(place: Place, hand: str) -> None:
    by_hand(place, lambda db: db.execute(hand))
    assert [problem.what for problem in short_check(place, 1000)] == ["row"]
    assert not place.verify().ok


def test_with_a_rebuilt_tree_the_logs_own_checkpoints_tell(place: Place) -> None:
    def hand(db: sqlite3.Connection) -> None:
        CHANGES["changed"](db)
        retiled(db)

    by_hand(place, hand)
    report = place.verify()
    found = [problem for problem in report.walk.problems if problem.what == "checkpoint"]
    assert found
    assert found[0].index == 0
    assert "rows 0 to 21" in found[0].text


def test_a_tail_cut_with_all_its_bookkeeping_is_told_by_the_witnesses(place: Place) -> None:
    """As if the day after the second checkpoint had never been: the log alone is consistent."""
    young = filled_to_second(place.store.parent / "young")
    for path in place.store.parent.glob("log.db*"):
        if path.is_file():
            path.unlink()
    shutil.copy(young.store, place.store)
    report = place.verify()
    assert not report.ok
    assert short_check(place, 0)
    assert short_check(place, 1000)
    told = " ".join(problem.text for problem in report.walk.problems)
    assert "44 rows were there" in told or "know" in told


def filled_to_second(path: Path) -> Place:
    path.mkdir()
    return filled(place_in(path))


def changed(lines: list[bytes]) -> list[bytes]:
    return [*lines[:14], lines[14].replace(b"d-17", b"d-18"), *lines[15:]]


REWRITES: dict[str, Callable[[list[bytes]], list[bytes]]] = {
    "changed": changed,
    "removed": lambda lines: [*lines[:14], *lines[15:]],
    "reordered": lambda lines: [*lines[:14], lines[15], lines[14], *lines[16:]],
    "cut": lambda lines: lines[:31],
    "nothing changed but the day of writing": lambda lines: lines,
}


@pytest.mark.parametrize("own_key", [True, False])
@pytest.mark.parametrize("change", REWRITES)
def test_a_log_made_anew_and_signed_by_the_same_key_is_told_by_the_witnesses_alone(
    place: Place, change: str, own_key: bool
) -> None:
    folder = place.folder if own_key else place.folder.with_name("forged")
    if own_key:
        # start() takes up the key that lies there, as after an init that did not come to its end.
        (place.folder / "seal.toml").unlink()
    made_anew(place, REWRITES[change], folder)
    with place.open() as log:
        from events.sealing import verify_all

        assert verify_all(log).ok
    report = place.verify()
    assert not report.ok
    assert short_check(place, 1000)
    first = report.walk.problems[0]
    if own_key:
        assert first.what == "checkpoint"
        assert str(place.witnesses[0]) in first.text
    else:
        assert any("knows other keys" in problem.text for problem in report.walk.problems)


def test_a_log_made_anew_signs_nothing_more_once_it_meets_its_witnesses(place: Place) -> None:
    (place.folder / "seal.toml").unlink()
    made_anew(place, changed, place.folder)
    from events.sealing.folder import make_folder

    make_folder(place.folder, place.config())
    with pytest.raises(SealBroken, match="never signed"):
        place.seal()


@pytest.mark.parametrize("what", ["note", "size", "root", "garbage", "empty", "keys"])
def test_a_witnesss_copy_that_somebody_touched_is_named(place: Place, what: str) -> None:
    folder = place.witnesses[0] / "brno.example_recoup"
    copy = folder / f"{33:016d}.checkpoint"
    note = copy.read_text()
    if what == "note":
        copy.write_text(note.replace("33\n", "34\n"))
    elif what == "size":
        copy.rename(folder / f"{35:016d}.checkpoint")
    elif what == "root":
        line = note.split("\n")[2]
        copy.write_text(note.replace(line, ("B" if line[0] != "B" else "C") + line[1:]))
    elif what == "keys":
        (folder / "keys").write_text("no key\n")
    else:
        copy.write_bytes(b"\xff\xfe" if what == "garbage" else b"")
    report = place.verify()
    assert not report.ok
    assert any(problem.what == "witness" and str(folder.parent) in problem.where for problem in report.walk.problems)


def test_what_one_changed_key_leads_to_is_told_once(place: Place) -> None:
    folder = place.witnesses[0] / "brno.example_recoup"
    for copy in folder.glob("*.checkpoint"):
        text, signature = copy.read_text().split("\n\n")
        name = signature.split(" ")[1]
        copy.write_text(f"{text}\n\n{signature.replace(name, 'elsewhere')}")
    by_hand(
        place,
        lambda db: db.execute(
            "UPDATE stored_events SET state = CAST(replace(CAST(state AS TEXT), '+A', '+B') AS BLOB) "
            "WHERE topic = 'SL.SealKeyAdopted.v1'"
        ),
    )
    told = [(one.what, one.text) for one in place.verify().walk.problems if one.what in ("row", "seal", "witness")]
    assert told[0][0] == "row"
    assert [what for what, _text in told].count("seal") == 1
    (copies,) = [text for what, text in told if what == "witness" and "elsewhere" in text]
    assert copies.endswith("; the same of 2 more")


def test_a_forged_checkpoint_in_the_log_is_named(place: Place) -> None:
    def hand(db: sqlite3.Connection) -> None:
        db.execute(
            "UPDATE stored_events SET state = CAST(replace(CAST(state AS TEXT), '\"size\":33', '\"size\":32') AS BLOB) "
            "WHERE topic = 'SL.CheckpointSigned.v1'"
        )
        retiled(db)

    by_hand(place, hand)
    report = place.verify()
    assert any(problem.what == "seal" and "recorded as of 32" in problem.text for problem in report.walk.problems)
