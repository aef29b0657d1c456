"""`judge` of a round that was ruled on: what its disputes did, what is still open, and the way to a further ruling."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli import assembly
from events.schema.common import ChipsMoved
from tests.cli.desk import Desk, Managers, altered, lines_of
from tests.cli.test_disputing import ruled

ROUND = "RL-03#3"


@pytest.fixture
def lines() -> list[bytes]:
    return lines_of(assembly.rooms()["roulette"].deal(4, 5, breach="RL-26", breach_round=2))


@pytest.fixture
def managers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lines: list[bytes]) -> Managers:
    desk = Desk(tmp_path).init()
    assert desk.ingest(lines).code == 0
    return Managers(desk, tmp_path, monkeypatch)


def plain(text: str) -> str:
    return " ".join(text.replace("\u00a0", " ").split())


def test_the_page_of_a_round_tells_its_ruling_and_what_was_paid_on_it(managers: Managers) -> None:
    before = managers.desk.run("judge", ROUND, "--json").row
    assert "rulings" not in before
    dispute, _proposed, _shown = ruled(managers, ROUND, "--ground", "table_error")
    waiting = managers.desk.run("judge", ROUND)
    assert f"ruled on by {dispute}.R1 (correct, issued " in plain(waiting.out)
    assert "still open: p-438 owes 50 CZK" in plain(waiting.out)
    assert "To set it right 50 CZK from p-438 to the table" in plain(waiting.out)
    words = ("dispute", "settle", dispute, "p-438", "--how", "received", "--slip", "4711", "--reason", "desk 1")
    assert managers.run("anna", *words).code == 0
    done = plain(managers.desk.run("judge", ROUND).out)
    assert "50 CZK received from p-438 with slip 4711, nothing is open" in done
    assert "still open" not in done
    assert "To set it right" not in done
    assert "Set right already by the ruling, nothing is left to do 50 CZK from p-438 to the table" in done
    row = managers.desk.run("judge", ROUND, "--json").row
    (one,) = row["rulings"]
    assert (one["dispute"], one["ruling"], one["remedy"]) == (dispute, f"{dispute}.R1", "correct")
    assert one["settled"] == [{"player": "p-438", "amount": -5000, "how": "received", "slip": "4711"}]
    assert one["open_amounts"] == {}
    other = managers.desk.run("judge", "RL-03#2")
    assert "ruled on" not in other.out


def test_a_dispute_without_a_ruling_is_told_as_such(managers: Managers) -> None:
    dispute = managers.run("anna", "dispute", "open", ROUND, "--claim", "x").out.split()[1]
    assert f"disputed in {dispute} (open), no ruling is in force yet" in plain(managers.desk.run("judge", ROUND).out)
    managers.run("anna", "dispute", "close", dispute, "--outcome", "withdrawn", "--reason", "he left")
    assert "closed without a ruling on this round (withdrawn)" in plain(managers.desk.run("judge", ROUND).out)


@pytest.mark.parametrize("closed", [True, False])
def test_an_overtaken_ruling_leads_to_what_is_not_refused(managers: Managers, lines: list[bytes], closed: bool) -> None:
    dispute, _proposed, _shown = ruled(managers, ROUND, "--ground", "table_error")
    managers.run("anna", "dispute", "settle", dispute, "p-438", "--how", "received", "--reason", "desk 1")
    if closed:
        managers.run("anna", "dispute", "tell", dispute, "p-438")
        shut = managers.run("anna", "dispute", "close", dispute, "--outcome", "settled", "--reason", "done")
        assert shut.code == 0, shut.err
    moved = next(one for one in lines if ChipsMoved.TOPIC.encode() in one and b'"round":"3"' in one)
    late = altered(moved, source="/pit/late", sequence="0" * 15 + "1", id=None)
    assert managers.desk.ingest([late], "late.ndjson").code == 0
    judged = managers.desk.run("judge", ROUND)
    shown = managers.run("anna", "dispute", "show", dispute)
    for said in (judged, shown):
        assert f"recoup dispute {'reopen' if closed else 'judge'} {dispute}" in plain(said.err)
        assert "dispute open" not in said.err
    if closed:
        assert f"dispute judge {dispute}" not in plain(shown.err)
        assert managers.run("anna", "dispute", "reopen", dispute, "--reason", "late record").code == 0
    again = managers.run("anna", "dispute", "judge", dispute)
    assert "  50 CZK received from p-438" in again.out  # the facts alone do not know of it
    assert f"next: recoup dispute propose {dispute}" in plain(again.err)  # and not: close it
    assert f"{dispute}.R1 rests on another verdict (TB-10)" in plain(again.err)


def test_a_round_that_a_replacement_frees_is_told_as_free_and_of_which_ruling(managers: Managers) -> None:
    void = ("--ground", "collusion_players", "--remedy", "void", "--standard", "suspicion", "--scope", "round")
    dispute, _proposed, _shown = ruled(managers, "RL-03#2", *void, "--round", "RL-03#2", "--round", ROUND)
    assert managers.run("anna", "dispute", "judge", dispute).code == 0
    assert managers.run("anna", "dispute", "propose", dispute, "--reason", "only #2", *void).code == 0
    assert managers.run("boris", "dispute", "approve", dispute, "--reason", "agreed").code == 0
    assert managers.run("boris", "dispute", "issue", dispute).code == 0
    freed = plain(managers.desk.run("judge", ROUND).out)
    assert (
        f"{dispute}.R1 no longer rules on this round: {dispute}.R2 is in force instead and does not reach it" in freed
    )
    assert f"ruled on by {dispute}.R2" in plain(managers.desk.run("judge", "RL-03#2").out)
    walked = plain(managers.desk.run("replay", ROUND).out)
    assert f"ruling {dispute}.R2: {dispute}.R1 no longer holds here, the round is as the rules make it" in walked
    stays = plain(managers.desk.run("replay", "RL-03#2").out)
    assert f"ruling {dispute}.R2: void for collusion_players, in place of {dispute}.R1, by management boris" in stays
