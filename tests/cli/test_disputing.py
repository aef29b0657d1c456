"""`dispute` and `void` from the command line: two managers, each with a key of his own."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli import assembly
from tests.cli.desk import Desk, Managers, lines_of


@pytest.fixture
def managers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Managers:
    desk = Desk(tmp_path).init()
    records = assembly.rooms()["roulette"].deal(4, 5, breach="RL-26", breach_round=2)
    assert desk.ingest(lines_of(records)).code == 0
    return Managers(desk, tmp_path, monkeypatch)


def test_a_complaint_from_the_first_word_to_the_last(managers: Managers) -> None:
    said = managers.run("anna", "dispute", "open", "RL-03#3", "--claim", "paid as a split", "--player", "p-438")
    dispute = said.out.split()[1]
    noted = managers.run(
        "anna", "dispute", "note", dispute, "--camera", "cam-4", "--clip", "12", "--hold", "footage:cam-4"
    )
    assert noted.code == 0, noted.err
    assert "p-438 owes 50 CZK" in managers.run("anna", "dispute", "judge", dispute).out
    proposed = managers.run("anna", "dispute", "propose", dispute, "--ground", "table_error", "--reason", "camera 4")
    assert "p-438 owes 50 CZK" in proposed.out
    own = managers.run("anna", "dispute", "approve", dispute, "--reason", "mine")
    assert own.code == 2
    assert "anna proposed" in own.err
    assert managers.run("boris", "dispute", "approve", dispute, "--reason", "seen").code == 0
    assert "in force for 1 round" in managers.run("boris", "dispute", "issue", dispute).out
    settled = managers.run("anna", "dispute", "settle", dispute, "p-438", "--how", "received", "--reason", "desk 1")
    assert "no amount is open" in settled.out
    assert managers.run("anna", "dispute", "tell", dispute, "p-438").code == 0
    assert managers.run("anna", "dispute", "close", dispute, "--outcome", "settled", "--reason", "done").code == 0
    assert "no dispute is open" in managers.run("anna", "dispute", "list").out
    row = managers.run("anna", "dispute", "show", dispute, "--json").row
    assert (row["state"], row["in_force"]["amounts"]) == ("closed", {"p-438": -5000})
    shown = managers.run("anna", "dispute", "show", dispute)
    assert "anna: evidence noted" in shown.out
    assert "boris: ruling approved  seen" in shown.out
    assert managers.run("boris", "dispute", "reopen", dispute, "--reason", "he appeals").code == 0


def test_void_opens_judges_and_proposes_in_one_go(managers: Managers) -> None:
    said = managers.run(
        "anna", "void", "RL-03#2", "--ground", "collusion_players", "--reason", "signals on camera", "--json"
    )
    assert said.code == 0, said.err
    row = said.row
    assert row["basis"] == "book"
    assert sum(row["amounts"].values()) == row["before"]["win"] - row["after"]["win"]
    unknown = managers.run("anna", "void", "RL-03#4", "--ground", "card_counting", "--reason", "he counts")
    assert unknown.code == 2
    assert "--basis management" in unknown.err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["show", "2026-01-01.1"], "no dispute"),
        (["open", "RL-03#99", "--claim", "x"], "99"),
        (["open", "RL-03#3", "--claim", "x", "--channel", "pigeon"], "no channel"),
        (["open", "RL-03#3", "--claim", " "], "empty"),
        (["note", "2026-01-01.1"], "a camera or another thing"),
        (["propose", "2026-01-01.1", "--ground", "x", "--reason", "r", "--amount", "nonsense"], "states no amount"),
        (["propose", "2026-01-01.1", "--ground", "x", "--reason", "r", "--scope", "town"], "no scope"),
    ],
)
def test_what_cannot_be_meant_is_said(managers: Managers, words: list[str], told: str) -> None:
    said = managers.run("anna", "dispute", *words)
    assert said.code == 2
    assert told in said.err
    assert "Traceback" not in said.err


def test_each_look_is_kept_in_the_access_trail(managers: Managers) -> None:
    dispute = managers.run("anna", "dispute", "open", "RL-03#3", "--claim", "x").out.split()[1]
    managers.run("boris", "dispute", "show", dispute, "--reason", "he asked")
    with assembly.open_log(managers.desk.store) as log:
        (subject,) = log.subjects("access/")
        (fact,) = log.session_facts(subject).facts
    assert (fact.event.about, fact.reason) == (dispute, "he asked")  # type: ignore[union-attr]
    assert str(fact.account).startswith("key:")


def test_a_list_names_no_person_and_nothing_is_shown_without_the_trail(
    managers: Managers, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = managers.run("anna", "dispute", "open", "RL-03#3", "--claim", "x", "--player", "p-438")
    dispute = opened.out.split()[1]
    for words in ((), ("--json",)):
        listed = managers.run("anna", "dispute", "list", *words)
        assert dispute in listed.out
        assert "p-438" not in listed.out

    def full(*_given: object, **_named: object) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr("events.store.Log.author", full)
    refused = managers.run("anna", "dispute", "show", dispute)
    assert refused.code == 3
    assert "the access trail cannot be written" in refused.err
    assert "p-438" not in refused.out + refused.err
