"""`staff` and `seal` from the command line, as a manager and an auditor use them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cli import assembly, verifying
from tests.cli.desk import Desk, lines_of


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    desk = Desk(tmp_path).init()
    assert desk.ingest(lines_of(assembly.rooms()["roulette"].deal(3, 1))).code == 0
    return desk


def test_a_register_grows_by_two_managers_and_says_who_you_are(desk: Desk) -> None:
    empty = desk.run("staff", "list")
    assert "has registered nobody" in empty.out
    assert "nobody here" in empty.err
    desk.employ()
    assert "novakova (manager, surveillance)" in desk.run("staff", "list").err
    assert desk.run("staff", "register", "dvorak", "--account", "dvorak", "--role", "manager").code == 0
    asked = desk.run("staff", "register", "kral", "--account", "kral", "--role", "auditor,compliance")
    assert "proposed as" in asked.out
    proposal = asked.out.split()[2].rstrip(":")
    own = desk.run("staff", "approve", proposal)
    assert own.code == 2
    assert "novakova proposed" in own.err
    named = own.err.partition("`recoup ")[2].partition("`")[0]
    assert named == "staff list --house brno"
    assert desk.run(*named.split()).code == 0  # what the hint names is there
    rows = desk.run("staff", "list", "--json").rows
    assert [row["person"] for row in rows] == ["novakova", "dvorak", "kral"]
    assert rows[2]["proposal"] == proposal


def test_a_personal_key_acts(desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "kral.pem"
    refused = desk.run("staff", "retire", "kral")
    assert "acts by a personal key: `recoup staff key FILE --person PERSON`" in " ".join(refused.err.split())
    made = desk.run("staff", "key", str(path), "--person", "kral")
    line = made.out.strip()
    assert f"RECOUP_KEY={path}" in made.err
    assert path.stat().st_mode & 0o777 == 0o600
    assert desk.run("staff", "key", str(path), "--person", "kral").code == 2
    assert desk.run("staff", "register", "kral", "--key", line, "--role", "manager").code == 0
    assert "nobody here" in desk.run("staff", "list").err
    refused = desk.run("staff", "retire", "kral")
    assert "who has a personal key acts by it: RECOUP_KEY=FILE" in " ".join(refused.err.split())
    monkeypatch.setenv("RECOUP_KEY", str(tmp_path / "lost.pem"))
    lost = desk.run("staff", "list")
    assert lost.code == 3
    assert "unset, it is the account of this machine that acts" in " ".join(lost.err.split())
    monkeypatch.setenv("RECOUP_KEY", str(path))
    assert "kral (manager)" in desk.run("staff", "list").err
    path.chmod(0o644)
    read_by_others = desk.run("staff", "list")
    assert read_by_others.code == 3
    assert "can be read by others" in read_by_others.err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--account", "x", "--role", "boss"], "`boss` is no role"),
        (["--account", "x"], "at least one role"),
        (["--role", "manager"], "an account or a key"),
        (["--key", "nonsense", "--role", "manager"], "no Ed25519 verifier key"),
        (["--account", "x", "--role", "auditor"], "first two registrations are its managers'"),
        (["--account", "x", "--role", "manager", "--house", "brmo"], "no house `brmo`; it has brno"),
    ],
)
def test_a_registration_that_cannot_be_is_refused(desk: Desk, words: list[str], told: str) -> None:
    said = desk.run("staff", "register", "kral", *words)
    assert said.code == 2
    assert told in said.err
    assert "Traceback" not in said.err


def test_a_person_has_an_id_and_a_further_house_is_said_to_be_one(desk: Desk) -> None:
    words = ("--account", "x", "--role", "manager")
    named = desk.run("staff", "register", "Jana Novakova", *words)
    assert (named.code, "no id of a person" in named.err) == (2, True)
    assert desk.run("staff", "register", "kral", *words, "--house", "praha", "--new-house").code == 0
    assert desk.run("staff", "register", "dvorak", "--account", "y", "--role", "manager", "--house", "praha").code == 0


def test_a_house_must_be_named_where_there_are_several(desk: Desk) -> None:
    assert desk.ingest(lines_of(assembly.rooms()["roulette"].deal(1, 2, table="praha/RL-1")), "p.ndjson").code == 0
    said = desk.run("staff", "list")
    assert said.code == 2
    assert "2 houses: brno, praha" in said.err


def test_the_life_of_a_seal(desk: Desk, tmp_path: Path) -> None:
    witness = tmp_path / "witness"
    witness.mkdir()
    none = desk.run("seal", "show")
    assert "has no seal" in none.out
    assert desk.run("seal", "checkpoint").code == 3
    made = desk.run("seal", "init", "--origin", "brno.example/recoup", "--witness", str(witness))
    assert made.code == 0, made.err
    assert "brno.example/recoup+" in made.out
    again = desk.run("seal", "init", "--origin", "brno.example/recoup")
    assert again.code == 2
    assert desk.ingest(lines_of(assembly.rooms()["roulette"].deal(2, 2, table="brno/RL-9")), "more.ndjson").code == 0
    row = desk.run("seal", "checkpoint", "--json").row
    assert row["made"]
    assert row["copied"] == 1
    assert desk.run("seal", "rotate").code == 0
    shown = desk.run("seal", "show", "--json").row
    assert len(shown["keys"]) == 2
    assert len(shown["checkpoints"]) == 3
    note = desk.run("seal", "show", "--note").out
    assert note.splitlines()[1] == str(shown["checkpoints"][-1]["size"])
    verified = desk.run("verify", "--json").row
    assert verified["ok"]
    assert verified["copies"] == 3
    (next(witness.glob("*/*.checkpoint"))).write_text("nothing\n")
    broken = desk.run("verify")
    assert broken.code == 4
    assert "witness" in broken.err


def test_a_witness_that_is_gone_is_an_exit_code_of_its_own(desk: Desk, tmp_path: Path) -> None:
    witness = tmp_path / "witness"
    witness.mkdir()
    assert desk.run("seal", "init", "--origin", "brno.example/recoup", "--witness", str(witness)).code == 0
    witness.rename(tmp_path / "away")
    asked = desk.run("verify")
    assert asked.code == 3
    assert "could not be asked" in asked.err
    assert desk.ingest(lines_of(assembly.rooms()["roulette"].deal(2, 2, table="brno/RL-9")), "more.ndjson").code == 0
    signed = desk.run("seal", "checkpoint")
    assert signed.code == 3
    assert "copies it when the folder is back" in signed.err
    (tmp_path / "away").rename(witness)
    assert desk.run("seal", "checkpoint").code == 0
    assert json.loads(desk.run("verify", "--json").out)["missing"] == {}


def test_a_log_made_anew_without_a_seal_or_under_another_name_is_told_by_the_witness(
    desk: Desk, tmp_path: Path
) -> None:
    witness, others = str(tmp_path / "witness"), tmp_path / "others"
    Path(witness).mkdir()
    others.mkdir()
    assert desk.run("seal", "init", "--origin", "brno.example/recoup", "--witness", witness).code == 0
    (tmp_path / "anew").mkdir()
    anew = Desk(tmp_path / "anew").init()
    assert anew.run("verify").code == 0
    said = anew.run("verify", "--witness", witness)
    assert (said.code, "brno.example_recoup" in said.out) == (4, True), said.out
    assert anew.run("seal", "init", "--origin", "brno.example/new", "--witness", str(others)).code == 0
    other = anew.run("verify", "--witness", witness)
    assert (other.code, "has no copy of this log, but of brno.example_recoup" in other.err) == (3, True)
    named = anew.run("verify", "--witness", witness, "--origin", "brno.example/recoup")
    assert (named.code, "brno.example_recoup" in named.out) == (4, True), named.out


def test_a_witness_that_is_asked_and_can_say_nothing_is_no_agreement(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    said = desk.run("verify", "--witness", str(empty))
    assert (said.code, "it has copies of no log" in said.err) == (3, True)
    for name in ("a.example_recoup", "b.example_recoup"):
        (empty / name).mkdir()
        (empty / name / "0000000000000001.checkpoint").touch()
    said = desk.run("verify", "--witness", str(empty))
    assert (said.code, "a.example_recoup, b.example_recoup; whose, --origin says" in said.err) == (3, True)
    assert desk.run("seal", "init", "--origin", "brno.example/recoup").code == 0
    assert "no witness was asked" in desk.run("verify").out
    monkeypatch.setenv("RECOUP_SEAL", str(tmp_path / "gone"))
    said = desk.run("verify")
    assert (said.code, f"witness that {tmp_path / 'gone'} names could not be asked" in said.err) == (3, True)


def test_what_comes_in_while_a_log_is_verified_is_no_break(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    checked = verifying.checked

    def and_then_more(*args: Any, **more: Any) -> Any:
        report = checked(*args, **more)
        desk.ingest(lines_of(assembly.rooms()["roulette"].deal(1, 2, table="brno/RL-9")), "more.ndjson")
        return report

    monkeypatch.setattr(verifying, "checked", and_then_more)
    said = desk.run("verify")
    assert (said.code, "what comes next is not" in said.out) == (0, False), said.out


def test_ingest_signs_what_is_due_and_says_so(desk: Desk, tmp_path: Path) -> None:
    witness = tmp_path / "witness"
    witness.mkdir()
    made = desk.run("seal", "init", "--origin", "brno.example/recoup", "--witness", str(witness), "--every", "50")
    assert made.code == 0
    few = desk.ingest(lines_of(assembly.rooms()["roulette"].deal(1, 2, table="brno/RL-8"))[:10], "few.ndjson")
    assert "checkpoint" not in few.err
    many = desk.ingest(lines_of(assembly.rooms()["roulette"].deal(3, 3, table="brno/RL-9")), "many.ndjson")
    assert many.code == 0
    assert "rows signed" in many.err
    assert desk.run("verify", "--json").row["copies"] == 2


def test_what_came_in_is_stored_where_the_checkpoint_cannot_be_signed(desk: Desk, tmp_path: Path) -> None:
    assert desk.run("seal", "init", "--origin", "brno.example/recoup", "--every", "50").code == 0
    key = next((tmp_path / "desk.db.seal").glob("key-*.pem"))
    key.chmod(0o644)
    lines = lines_of(assembly.rooms()["roulette"].deal(3, 3, table="brno/RL-9"))
    said = desk.ingest(lines, "many.ndjson")
    assert said.code == 0
    assert "was not signed" in said.err
    assert "can be read by others" in said.err
    assert "nothing new" in desk.ingest(lines, "again.ndjson").out
