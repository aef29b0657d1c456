"""A wrong award found at once, later, and ruled upon (NL-37, NL-A39, NL-A42)."""

from __future__ import annotations

import pytest

from games.holdem import GAME
from games.holdem.dealer import shipped_edition
from games.holdem.wrongs import moves
from games.verdict import Finding, Verdict
from tests.games.table import catalogue_of, facts_of_lines, judge_facts, with_parameters

CATALOGUE = catalogue_of(GAME)
HAND = """
@+0 TableOpened holdem NL CZK smallest_chip=5
StakesAnnounced 5 10
#1 RoundOpened
#1 ButtonPlaced 1
#1 PlayerDealtIn 1 p-1 500
#1 PlayerDealtIn 2 p-2 500
#1 Posted 2 small_blind 5
#1 Posted 1 big_blind 10
#1 HoleDealt 1 Ah,Ad
#1 HoleDealt 2 Kh,Kd
#1 ActionTaken 2 raise amount=495
#1 ActionTaken 1 call amount=490
#1 CardBurned
#1 BoardDealt flop Qs,9c,5d
#1 CardBurned
#1 BoardDealt turn 3s
#1 CardBurned
#1 BoardDealt river 2c
#1 HandShown 2 Kh,Kd
#1 HandShown 1 Ah,Ad
#1 ChipsMoved pot rake 50 rake
@+100 #1 ChipsMoved pot seat/2 950 award stake=seat/2
"""


def judged(*more: str, window: int | None = None) -> Verdict:
    facts = facts_of_lines("\n".join([HAND, *more]), CATALOGUE)
    toml = with_parameters(shipped_edition().toml, {"complaint_window_minutes": window}, GAME)
    return judge_facts(facts, GAME, toml).verdicts[0]


def ruling(verdict: Verdict) -> Finding | None:
    return next((one for one in verdict.findings if one.kind == "ruling_required"), None)


BACK = [{"from": "seat/2", "to": "seat/1", "amount": 95_000}]


def test_without_an_objection_management_resolves_it_and_the_moves_are_prepared() -> None:
    verdict = judged("@+110 #1 RoundClosed")
    found = ruling(verdict)
    assert found is not None
    assert (verdict.standing, verdict.differences) == ("ruling_required", {"seat/1": 95_000, "seat/2": -95_000})
    assert found.remedy == {"moves": BACK, "route": "table"}
    mispaid = [one for one in verdict.findings if one.kind == "mispaid"]
    assert [one.remedy["moves"] for one in mispaid] == [BACK, BACK]
    assert [one.text for one in mispaid] == [
        "pair, aces, queen, nine and five kickers",
        "pair, kings, queen, nine and five kickers",
    ]


def test_an_objection_at_once() -> None:
    found = ruling(judged("@+108 #1 ObjectionRaised award seat=1 player=p-1", "@+120 #1 RoundClosed"))
    assert found is not None
    assert (found.remedy["after_s"], found.remedy["late"]) == (8, False)
    assert found.text == "objected 8 s after the award; management resolves it; the camera record may be checked"


@pytest.mark.parametrize(("window", "late"), [(None, False), (90, False), (30, True)])
def test_an_objection_an_hour_later_is_a_complaint_and_late_only_by_the_houses_window(
    window: int | None, late: bool
) -> None:
    closed, objected = "@+110 #1 RoundClosed", "@+3700 #1 ObjectionRaised award seat=1 player=p-1"
    verdict = judged(closed, "@+200 #2 RoundOpened", objected, window=window)
    found = ruling(verdict)
    assert found is not None
    assert (found.remedy["after_s"], found.remedy["late"], found.remedy["moves"]) == (3600, late, BACK)
    assert found.text.startswith("objected 60 min after the award")
    assert found.remedy["route"] == "complaint"
    assert found.text.endswith("the next hand had been dealt: for a complaint with the record")
    assert ruling(judged(closed, objected, window=window)).remedy["route"] == "table"
    assert verdict.differences == {"seat/1": 95_000, "seat/2": -95_000}


def test_an_objection_between_hands_belongs_to_the_hand_just_over() -> None:
    closed, objected = "@+110 #1 RoundClosed", "@+115 ObjectionRaised award seat=1 player=p-1 hand=1"
    found = ruling(judged(closed, objected, "@+200 #2 RoundOpened"))
    assert found is not None
    assert (found.remedy["after_s"], found.remedy["route"], len(found.events)) == (15, "table", 2)
    other = ruling(judged(closed, objected.replace("hand=1", "hand=0"), "@+200 #2 RoundOpened"))
    assert other is not None
    assert (other.remedy, len(other.events)) == ({"moves": BACK, "route": "complaint"}, 1)


@pytest.mark.parametrize(("window", "code"), [(None, "complaint"), (90, "complaint"), (30, "complaint_late")])
def test_a_complaint_in_a_later_hand_is_late_by_the_houses_window(window: int | None, code: str) -> None:
    lines = [HAND, "@+110 #1 RoundClosed", "@+200 #2 RoundOpened", "@+3700 #2 ObjectionRaised award seat=1 hand=1"]
    toml = with_parameters(shipped_edition().toml, {"complaint_window_minutes": window}, GAME)
    first, second = judge_facts(facts_of_lines("\n".join(lines), CATALOGUE), GAME, toml).verdicts
    (found,) = [one for one in second.findings if one.rule == "NL-37"]
    assert (found.code, found.remedy["after_s"], found.remedy["late"]) == (code, 3600, code == "complaint_late")
    both = ruling(first)
    assert both is not None
    assert both.remedy["route"] == found.remedy["route"] == "complaint"


def test_an_objection_to_what_was_rightly_paid_changes_nothing() -> None:
    right = HAND.replace("ChipsMoved pot seat/2 950 award stake=seat/2", "ChipsMoved pot seat/1 950 award stake=seat/1")
    facts = facts_of_lines(f"{right}#1 RoundClosed\n#1 ObjectionRaised award seat=2", CATALOGUE)
    (verdict,) = judge_facts(facts, GAME, shipped_edition().toml).verdicts
    assert (verdict.standing, verdict.settlement, verdict.findings) == ("valid", "agrees", ())


def test_an_objection_makes_any_wrong_award_a_matter_for_management() -> None:
    short = HAND.replace("ChipsMoved pot seat/2 950", "ChipsMoved pot seat/1 940").replace("seat/2\n", "seat/1\n")
    plain = facts_of_lines(f"{short}#1 RoundClosed", CATALOGUE)
    objected = facts_of_lines(f"{short}#1 ObjectionRaised award seat=1\n#1 RoundClosed", CATALOGUE)
    toml = shipped_edition().toml
    assert {one.rule for one in judge_facts(plain, GAME, toml).verdicts[0].findings} == {"NL-02"}
    found = ruling(judge_facts(objected, GAME, toml).verdicts[0])
    assert found is not None
    assert found.code == "award_in_error"


def test_who_has_ruled_need_not_be_asked_again() -> None:
    ruled = "RulingApplied r-1 award_in_error standard=fact rounds=table/brno/T-1/2026-11-28.1#1 remedy=valid role=management"
    verdict = judged("@+110 #1 RoundClosed", ruled)
    assert ruling(verdict) is None
    assert verdict.standing == "valid"
    assert {(one.code, one.kind) for one in verdict.findings} == {
        ("wrong_winner", "mispaid"), ("award_in_error", "advisory"),
    }  # fmt: skip


def test_moves_are_as_few_as_need_be() -> None:
    assert moves({"seat/1": 50, "seat/2": -80, "seat/3": 30}) == [
        {"from": "seat/2", "to": "seat/1", "amount": 50},
        {"from": "seat/2", "to": "seat/3", "amount": 30},
    ]
    assert moves({"seat/1": 50}) == []


def test_what_waits_for_a_ruling_is_not_compared() -> None:
    mucked = HAND.replace("HandShown 2 Kh,Kd", "HandMucked 2").replace("HandShown 1 Ah,Ad", "HandMucked 1")
    facts = facts_of_lines(f"{mucked}#1 RoundClosed", CATALOGUE)
    (verdict,) = judge_facts(facts, GAME, shipped_edition().toml).verdicts
    assert (verdict.standing, verdict.settlement, verdict.differences) == ("ruling_required", "not_compared", {})


def test_an_award_that_was_moved_to_the_right_seat_is_settled() -> None:
    moved = "@+4000 #1 ChipsMoved seat/2 seat/1 950 ruling stake=seat/1"
    verdict = judged("@+110 #1 RoundClosed", "@+3700 #1 ObjectionRaised award seat=1", moved)
    assert (verdict.standing, verdict.settlement, verdict.findings) == ("valid", "agrees", ())
    half = judged("@+110 #1 RoundClosed", moved.replace("950", "500"))
    assert half.differences == {"seat/1": 45_000, "seat/2": -45_000}
