"""What a manager's ruling does to a round, and which rulings do nothing."""

from __future__ import annotations

from events.schema.fact import Fact
from events.schema.ours import RulingApplied
from games.adjudicate import SessionJudgement
from games.casino_holdem import GAME
from games.verdict import Verdict
from tests.games.casino_holdem.room import CATALOGUE, EDITION, TABLE
from tests.games.table import facts_of_lines, judge_facts

ROUND = """
@+10 #1 RoundOpened
@+11 #1 StakePlaced k1 p-1 1 ante 100
@+12 #1 StakePlaced k2 p-1 1 blind 100
@+13 #1 StakePlaced k3 p-2 2 ante 100
@+14 #1 StakePlaced k4 p-2 2 blind 100
@+20 #1 CardLaid box/1 card=Ah seq=1
@+21 #1 CardLaid box/2 card=Ac seq=2
@+22 #1 CardLaid dealer card=Qs face=up seq=3
@+23 #1 CardLaid box/1 card=Kd seq=4
@+24 #1 CardLaid box/2 card=Kh seq=5
@+25 #1 CardLaid dealer card=Jc seq=6
@+30 #1 StakePlaced k5 p-1 1 play 400
@+31 #1 StakePlaced k6 p-2 2 play 400
@+35 #1 CardBurned seq=7
@+36 #1 CardLaid flop card=As face=up seq=8
@+37 #1 CardLaid flop card=Qd face=up seq=9
@+38 #1 CardLaid flop card=7h face=up seq=10
@+45 #1 CardBurned seq=11
@+46 #1 CardLaid turn card=4c face=up seq=12
@+47 #1 CardLaid river card=2s face=up seq=13
@+55 #1 DealerTurned cards=Qs,Jc
@+70 #1 RoundClosed
"""
TALKED = ROUND.replace("@+35 #1 CardBurned", "@+33 #1 ConductNoted agreement players=p-1,p-2\n@+35 #1 CardBurned")
FLASHED = ROUND.replace("@+45 #1", "@+44 #1 CardShown deal place=dealer\n@+45 #1")


def ruled(lines: str, *rulings: RulingApplied) -> tuple[Verdict, SessionJudgement]:
    facts = facts_of_lines(TABLE + lines, CATALOGUE)
    facts += [
        Fact(
            subject=facts[0].subject, source="/recoup", sequence=number, topic=ruling.TOPIC, event=ruling,
            occurred_at=facts[0].occurred_at,
        )
        for number, ruling in enumerate(rulings, 1)
    ]  # fmt: skip
    judgement = judge_facts(facts, GAME, EDITION)
    return judgement.verdicts[0], judgement


def ruling(ground: str, **more: object) -> RulingApplied:
    given: dict[str, object] = {
        "scope": "round",
        "standard": "suspicion",
        "role": "management",
        "rounds": ("1",),
        **more,
    }
    return RulingApplied("r-1", ground, **given)  # type: ignore[arg-type]


def test_a_round_that_talk_spoilt_is_void_by_ruling_and_by_analogy() -> None:
    verdict, _judgement = ruled(TALKED, ruling("collusion_players"))
    assert verdict.standing == "void"
    assert verdict.due.nets() == {"p-1": 0, "p-2": 0}
    (void,) = [finding for finding in verdict.findings if finding.kind == "void"]
    assert (void.rule, void.code, void.basis) == ("CH-16", "ruling_collusion_players", "r-1")
    assert void.remedy["basis"] == "analogy"


def test_without_a_ruling_the_money_is_as_it_lies_and_a_refund_is_prepared() -> None:
    verdict, _judgement = ruled(TALKED)
    assert verdict.standing == "ruling_required"
    assert verdict.due.nets() == {"p-1": 50_000, "p-2": 50_000}
    assert {line.net for line in verdict.due.candidates["refund"]} == {0}


def test_management_may_let_a_round_stand_that_is_void_by_default() -> None:
    by_default, _judgement = ruled(FLASHED)
    assert by_default.standing == "void"
    assert sum(line.net for line in by_default.due.candidates["valid"]) == 100_000
    stands, _judgement = ruled(FLASHED, ruling("table_error", remedy="valid"))
    assert stands.standing == "valid"
    assert stands.due.nets() == {"p-1": 50_000, "p-2": 50_000}
    assert {(finding.kind, finding.basis) for finding in stands.findings} == {("advisory", "r-1")}


def test_who_is_no_manager_and_what_the_book_does_not_give_have_no_effect() -> None:
    for wrong in (
        ruling("collusion_players", role="inspector"),
        ruling("card_counting"),
        ruling("table_error", standard=None),
    ):
        verdict, _judgement = ruled(ROUND, wrong)
        assert verdict.standing == "valid"
        assert [(finding.code, finding.kind) for finding in verdict.findings] == [("ruling_invalid", "breach")]


def test_a_ground_of_managements_own_counts_and_says_so() -> None:
    verdict, _judgement = ruled(ROUND, ruling("power_failure", basis="management"))
    assert verdict.standing == "void"
    (void,) = verdict.findings
    assert void.rule == "CH-15"
    assert "management's own" in void.text


def test_one_players_bets_can_be_voided() -> None:
    verdict, _judgement = ruled(
        ROUND, ruling("collusion_players", scope="player", players=("p-2",), basis="management")
    )
    assert verdict.due.nets() == {"p-1": 50_000, "p-2": 0}
    assert {finding.subject for finding in verdict.findings} == {"k3", "k4", "k6"}


def test_a_ruling_that_another_replaces_is_out_of_force() -> None:
    other = RulingApplied(
        "r-2",
        "collusion_players",
        scope="round",
        standard="proof",
        role="management",
        rounds=("1",),
        remedy="valid",
        replaces="r-1",
    )
    verdict, _judgement = ruled(TALKED, ruling("collusion_players"), other)
    assert verdict.standing == "valid"
