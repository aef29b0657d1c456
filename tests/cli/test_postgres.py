"""The same commands on PostgreSQL: the store is chosen by its address only."""

from __future__ import annotations

import shlex
from pathlib import Path

from cli import assembly
from tests.cli.desk import Desk, lines_of


def test_the_whole_way_of_a_complaint(tmp_path: Path, postgres_url: str) -> None:
    desk = Desk(tmp_path, store=postgres_url)
    made = desk.run("init")
    assert made.code == 0
    assert "in force for every house" in made.out
    lines = lines_of(assembly.rooms()["roulette"].deal(4, 5, breach="RL-26", breach_round=2))
    assert desk.ingest(lines).code == 0
    assert "nothing new" in desk.ingest(lines).out
    assert desk.run("status", "--json").row["adds_up"]
    judged = desk.run("judge", "RL-03#3", "--json")
    assert judged.code == 5
    assert [one["rule"] for one in judged.row["findings"]] == ["RL-26"]
    record = judged.row["findings"][0]["events"][0]
    assert desk.run("disown", record, "--in", "RL-03#3", "--reason", "nobody yet").code == 2
    desk.employ()
    said = desk.run("disown", record, "--in", "RL-03#3", "--reason", "never happened")
    assert said.code == 0
    assert "DISOWNED" in desk.run("replay", "RL-03#3").out
    assert desk.run("sql", "SELECT count(*) AS n FROM fct_finding", "--json", "--view", ":memory:").row["n"] > 0
    assert desk.run("verify").code == 0
    night = desk.run("night", "2026-11-28", "--json", "--view", ":memory:")
    assert (night.code, night.rows[0]["seal_fault"]) == (5, ""), night.err
    told = desk.run("status").out.splitlines()[0].removeprefix("store ")
    assert Desk(tmp_path, store=shlex.split(told)[0]).run("status").out == desk.run("status").out
    assert "without its password" not in desk.run("status").err
    open_about_it = Desk(tmp_path, store=_with_password(postgres_url))
    assert "without its password" in open_about_it.run("status").err
    assert "secret" not in open_about_it.run("init").out


def _with_password(url: str) -> str:
    """The same address with one; the server trusts whoever comes, and hears none."""
    user, at, rest = url.partition("://")[2].partition("@")
    return f"postgresql://{user.partition(':')[0]}:secret{at}{rest}"


def test_a_pack_of_a_copy_in_postgresql_is_the_same_bytes(tmp_path: Path, postgres_url: str) -> None:
    desk = Desk(tmp_path).init()
    assert desk.ingest(lines_of(assembly.rooms()["magic_wheel"].deal(2, 5))).code == 0
    assert desk.run("seal", "init", "--origin", "brno.example/recoup").code == 0
    address = desk.run("rounds", "--json").rows[0]["round"]
    assert desk.run("evidence", address, "-o", str(tmp_path / "file.zip")).code == 0
    assert desk.run("store", "copy", desk.store, postgres_url).code == 0
    server = Desk(tmp_path, store=postgres_url)
    nowhere = server.run("evidence", address, "-o", str(tmp_path / "server.zip"))
    assert nowhere.code == 3
    assert "--seal FOLDER" in nowhere.err
    made = server.run("evidence", address, "-o", str(tmp_path / "server.zip"), "--seal", f"{desk.store}.seal")
    assert made.code == 0, made.err
    assert (tmp_path / "file.zip").read_bytes() == (tmp_path / "server.zip").read_bytes()


def test_a_server_that_is_not_there_is_said_with_3(tmp_path: Path) -> None:
    desk = Desk(tmp_path, store="postgresql://nobody@127.0.0.1:1/none")
    result = desk.run("status")
    assert result.code == 3
    assert "Traceback" not in result.err
    assert result.err.startswith("error: ")
