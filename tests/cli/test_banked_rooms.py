"""What is told of rounds against the bank: stakes in another currency, misdeals, and what moves no money."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cli import assembly
from events.schema.envelope import make_envelope
from events.schema.event import to_plain
from tests.cli.desk import Desk, Managers, lines_of
from tests.games.table import catalogue_of, facts_of_lines

SUBJECT = "table/brno/T-1/2026-11-28.1"

EURO = """
@+0 TableOpened casino_holdem CH CZK
@+5 #1 RoundOpened
@+11 #1 StakePlaced k1 p-1 1 ante 100
@+12 #1 StakePlaced k2 p-1 1 blind 100
@+12 #1 StakePlaced k9 p-1 1 trips 100 currency=EUR
@+15 #1 CardLaid box/1 card=Ah seq=1
@+16 #1 CardLaid dealer card=Qs face=up seq=2
@+17 #1 CardLaid box/1 card=Kd seq=3
@+18 #1 CardLaid dealer card=Jc seq=4
@+21 #1 StakePlaced k3 p-1 1 play 400
@+22 #1 CardBurned seq=5
@+23 #1 CardLaid flop card=As face=up seq=6
@+24 #1 CardLaid flop card=Qd face=up seq=7
@+25 #1 CardLaid flop card=7h face=up seq=8
@+28 #1 CardBurned seq=9
@+29 #1 CardLaid turn card=4c face=up seq=10
@+30 #1 CardLaid river card=2s face=up seq=11
@+35 #1 DealerTurned cards=Qs,Jc
@+36 #1 ChipsMoved float player/p-1 100 win stake=k1
@+36 #1 ChipsMoved float player/p-1 400 win stake=k3
@+36 #1 ChipsMoved box/k9 {k9}
@+38 #1 RoundClosed
"""

MISDEAL = """
@+0 TableOpened caribbean_stud CS CZK
@+1 ShuffleStep riffle d-1
@+3 CutMade d-1 by=p-1
@+5 CutJoined d-1
@+7 #1 RoundOpened
@+9 #1 StakePlaced ante1 p-1 1 ante 100
@+11 #1 CardLaid box/1 card=9s face=up seq=1
@+15 #1 ErrorNoted card_exposed
@+17 #1 ChipsMoved box/ante1 player/p-1 100 return stake=ante1
@+19 #1 RoundClosed
"""


def told(tmp_path: Path, text: str, game: str) -> Desk:
    facts = facts_of_lines(text, catalogue_of(assembly.rooms()[game]), subject=SUBJECT)
    envelopes = [
        make_envelope(
            subject=fact.subject, source=fact.source, sequence=fact.sequence, topic=fact.topic, at_ms=fact.occurred_at,
            data=to_plain(fact.event), round_name=fact.round,
        )
        for fact in facts
    ]  # fmt: skip
    desk = Desk(tmp_path).init()
    assert desk.ingest(lines_of(envelopes)).code == 0
    return desk


def plain(text: str) -> str:
    """In one line, with plain spaces."""
    return re.sub(r"\s+", " ", text)


def test_a_stake_in_another_currency_is_told_in_that(tmp_path: Path) -> None:
    back = "player/p-1 100 return stake=k9"
    desk = told(tmp_path, EURO.format(k9=back), "casino_holdem")
    judged = plain(desk.run("judge", "T-1#1").out)
    assert "instead: refund 100 EUR" in judged
    assert "EUR trips box 1" in judged
    assert "100 CZK" not in judged
    walked = plain(desk.run("replay", "T-1#1", "--words").out)
    assert "100 EUR go back to player p-1" in walked
    assert "100 CZK go back" not in walked


def test_what_the_house_took_of_it_is_owed_in_that(tmp_path: Path) -> None:
    desk = told(tmp_path, EURO.format(k9="float 100 take stake=k9"), "casino_holdem")
    judged = plain(desk.run("judge", "T-1#1").out)
    assert "the table paid 100 EUR too little to p-1" in judged
    assert "100 EUR from the table to p-1" in judged
    assert "100 EUR owed to p-1" in judged
    assert "100 CZK" not in judged
    assert re.search(r"in all due recorded difference p-1 \+500 \+500", judged)  # two currencies make no sum
    assert "100 EUR" in desk.run("judge", "--table", "T-1").out


def test_a_list_says_misdeal_as_the_verdict_does(tmp_path: Path) -> None:
    desk = told(tmp_path, MISDEAL, "caribbean_stud")
    assert desk.run("judge", "T-1#1").out.startswith("MISDEAL")
    listed = desk.run("judge", "--table", "T-1").out
    assert re.search(r"T-1/2026-11-28.1#1 +misdeal ", listed)
    assert "1 round: 1 misdeal;" in plain(listed)


def test_euro_that_the_house_took_go_back_by_a_ruling_and_stay_out_of_every_sum(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    managers = Managers(
        told(tmp_path, EURO.format(k9="float 100 take stake=k9"), "casino_holdem"), tmp_path, monkeypatch
    )
    row = managers.desk.run("judge", "T-1#1", "--json").row
    assert (row["player_differences"], row["foreign_differences"]) == ({}, {"EUR": {"p-1": 10_000}})
    assert [one.get("currency") for one in row["due"]["lines"]] == [None, None, "EUR", None]
    last = managers.desk.run("replay", "T-1#1", "--json").rows[-1]
    assert last["players"] == {"p-1": 50_000}
    assert last["foreign"]["EUR"] == {
        "places": {"player/p-1": -10_000, "float": 10_000}, "players": {"p-1": -10_000}
    }  # fmt: skip
    shown = plain(managers.desk.run("replay", "T-1#1", "--at", str(last["step"])).out)
    assert "net: p-1 +500 · p-1 0 EUR" in shown
    assert "players p-1 +500, p-1 −100 EUR" in shown
    assert "due: return 100 EUR from box k9 to player p-1" in shown
    dispute = managers.run("anna", "dispute", "open", "T-1#1", "--claim", "my euro").out.split()[1]
    assert "p-1 is owed 100 EUR" in managers.run("anna", "dispute", "judge", dispute).out
    wish = "--ground", "euro_taken", "--basis", "management", "--remedy", "void", "--scope", "round", "--reason", "seen"
    came = plain(managers.run("anna", "dispute", "propose", dispute, *wish).out)
    assert "p-1 owes 500 CZK p-1 gets 100 EUR" in came
    assert "k9 of p-1: −100 EUR → 0 EUR" in came
    assert "win of these rounds: −500 CZK → 0 CZK" in came
    assert "win of these rounds: 100 EUR → 0 EUR" in came
    managers.run("boris", "dispute", "approve", dispute, "--reason", "agreed")
    assert "p-1 is owed 100 EUR" in managers.run("anna", "dispute", "issue", dispute).out
    settle = "dispute", "settle", dispute, "p-1", "--reason", "desk 1", "--how"
    assert "p-1 is owed 100 EUR" in managers.run("anna", *settle, "received").out
    refused = managers.run("anna", *settle, "paid")
    assert (refused.code, "--currency EUR" in refused.err) == (2, True)
    assert "no amount is open" in managers.run("anna", *settle, "paid", "--currency", "EUR").out
    judged = plain(managers.desk.run("judge", "T-1#1").out)
    assert "500 CZK received from p-1, 100 EUR paid to p-1, nothing is open" in judged
