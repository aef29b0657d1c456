"""`recoup store`: init, check, copy, backup, restore, as a person types them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli import assembly
from tests.cli.desk import Desk, lines_of
from tests.servers import OwnServer, own_server  # noqa: F401

ROULETTE = assembly.rooms()["roulette"]


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    made = Desk(tmp_path).init()
    assert made.ingest([*lines_of(ROULETTE.deal(4, 5, breach="RL-26", breach_round=2)), b"junk"]).code == 5
    return made


def test_a_log_moves_to_postgresql_and_back_with_equal_roots(desk: Desk, own_server: OwnServer) -> None:  # noqa: F811
    name = f"{own_server.database()}_moved"
    own_server.run(f"CREATE DATABASE {name}")
    admin, writer = own_server.url(name), own_server.url(name, "anna")
    early = desk.run("store", "copy", desk.store, admin)
    assert early.code == 3
    assert "hint: `recoup store init --store 'postgresql://postgres@/" in early.err
    made = desk.run("store", "init", "--store", admin)
    assert made.code == 0, made
    assert "recoup_writer: adds evidence" in made.out
    assert "is there already" in desk.run("store", "init", "--store", admin).out
    checked = desk.run("store", "check", "--store", writer)
    assert checked.code == 0, checked
    assert "as anna (writer)" in checked.out
    assert "no hole" in checked.out
    moved = desk.run("store", "copy", desk.store, writer)
    assert moved.code == 0, moved
    roots = [line.split()[1] for line in moved.out.splitlines() if line.startswith("  root ")]
    assert len(roots) == 2
    assert roots[0] == roots[1] == desk.run("verify", "--json").row["root"]
    assert "had them all" in desk.run("store", "copy", desk.store, writer).out
    there = Desk(desk.folder, store=writer)
    assert there.run("verify", "--json").row["root"] == roots[0]
    assert there.run("judge", "RL-03#3", "--json").out == desk.run("judge", "RL-03#3", "--json").out
    assert there.run("status", "--json").row["quarantined"] == 1
    home = str(desk.folder / "home.db")
    back = desk.run("store", "copy", writer, home, "--json")
    assert (back.code, back.row["root"]) == (0, roots[0])
    assert Desk(desk.folder, store=home).run("verify").code == 0


def test_check_names_the_holes_with_exit_5(desk: Desk, own_server: OwnServer) -> None:  # noqa: F811
    name = own_server.database()
    superuser = desk.run("store", "check", "--store", own_server.url(name))
    assert superuser.code == 5
    assert "postgres is a superuser" in superuser.out
    assert desk.run("store", "check", "--role", "recoup_writer", "--store", own_server.url(name)).code == 0
    own_server.run("GRANT UPDATE ON evidence.tiles TO recoup_writer", database=name)
    result = desk.run("store", "check", "--json", "--store", own_server.url(name, "anna"))
    assert result.code == 5
    assert [hole["text"] for hole in result.row["holes"]] == [
        "UPDATE evidence.tiles: the role has the right, only the trigger refuses"
    ]
    assert "store init" in result.err
    assert desk.run("store", "init", "--store", own_server.url(name)).code == 0
    assert desk.run("store", "check", "--store", own_server.url(name, "anna")).code == 0


def test_check_of_a_file(desk: Desk) -> None:
    fine = desk.run("store", "check")
    assert fine.code == 0, fine
    assert "no hole" in fine.out
    Path(desk.store).chmod(0o666)
    result = desk.run("store", "check")
    assert result.code == 5
    assert "everybody may write the file (mode 666)" in result.out
    assert desk.run("store", "check", "--role", "x").code == 2


def test_init_of_a_file_makes_an_empty_store(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    assert "made" in desk.run("store", "init").out
    assert desk.run("status", "--json").row["rows"] == 0
    assert "is there already" in desk.run("store", "init").out


def test_a_backup_is_judged_as_it_lies_there_and_restored(desk: Desk) -> None:
    path = str(desk.folder / "night.db")
    done = desk.run("store", "backup", path)
    assert done.code == 0, done
    assert "1 in quarantine" in done.out
    assert "as it was sealed" in done.out
    assert Desk(desk.folder, store=path).run("judge", "RL-03#3").code == 5
    new = str(desk.folder / "new.db")
    again = desk.run("store", "restore", path, "--store", new, "--json")
    assert (again.code, again.row["root"]) == (0, desk.run("verify", "--json").row["root"])
    assert Desk(desk.folder, store=new).run("status", "--json").row["open"] == 1
    assert "carried" not in desk.run("store", "backup", path, "--no-verify").err
    assert "not verified" in desk.run("store", "backup", path, "--no-verify").out


def test_what_cannot_be_meant_is_said_with_2_or_3_and_nothing_is_touched(desk: Desk) -> None:
    other = Desk(desk.folder, store=str(desk.folder / "other.db")).init()
    before = Path(other.store).read_bytes()
    for words, code in (
        (("copy", desk.store, other.store), 2),
        (("copy", desk.store, desk.store), 2),
        (("copy", "none.db", other.store), 3),
        (("backup", desk.store), 2),
        (("backup", str(desk.folder / "no" / "where.db")), 3),
        (("restore", "none.db", "--store", other.store), 3),
        (("restore", desk.store, "--store", other.store), 2),
        (("copy", desk.store, "postgresql://nobody@127.0.0.1:1/none"), 3),
        (("check", "--store", "postgresql://nobody@127.0.0.1:1/none?sslmod=x"), 2),
    ):
        result = desk.run("store", *words)
        assert result.code == code, (words, result)
        assert result.err.startswith("error: ")
        assert "Traceback" not in result.err
    assert Path(other.store).read_bytes() == before


def test_a_backup_of_a_changed_log_ends_with_4_and_keeps_nothing(desk: Desk) -> None:
    import sqlite3

    with sqlite3.connect(desk.store) as db:
        db.execute("DROP TRIGGER stored_events_no_update")
        db.execute("UPDATE stored_events SET state = replace(state, '1', '2') WHERE rowid = 12")
    db.close()
    result = desk.run("store", "backup", str(desk.folder / "b.db"))
    assert result.code == 4
    assert "tree index 11" in result.err
    assert not (desk.folder / "b.db").exists()
    copied = desk.run("store", "copy", desk.store, str(desk.folder / "c.db"))
    assert copied.code == 4
    assert json.loads(desk.run("store", "copy", other(desk), str(desk.folder / "d.db"), "--json").out)["size"] == 0


def other(desk: Desk) -> str:
    """An empty store."""
    path = str(desk.folder / "empty.db")
    assert desk.run("store", "init", "--store", path).code == 0
    return path
