"""The scripted dealer's sessions: legal ones are judged without a finding, and one breach is found as itself."""

from __future__ import annotations

from typing import Any

import pytest

from events.errors import Refused
from events.schema.common import BuyIn, ChipsMoved, RoundClosed
from games.holdem import GAME
from games.holdem.dealer import BREACHES, shipped_edition
from games.holdem.floor import AFTER_A_HAND
from tests.games.table import all_findings, catalogue_of, facts_of, judge_envelopes

TOML = shipped_edition().toml


def session(rounds: int, seed: int, **more: Any) -> list[Any]:
    return list(GAME.deal(rounds, seed, **more))


@pytest.mark.parametrize("seed", range(8))
def test_a_session_by_the_rules_has_no_finding(seed: int) -> None:
    judgement = judge_envelopes(session(10, seed), GAME, TOML)
    assert all_findings(judgement) == []
    assert [(verdict.standing, verdict.settlement) for verdict in judgement.verdicts] == [("valid", "agrees")] * 10


def test_sessions_hold_what_poker_holds() -> None:
    verdicts = [verdict for seed in range(12) for verdict in judge_envelopes(session(10, seed), GAME, TOML).verdicts]
    assert any(len(verdict.due.pots) > 2 for verdict in verdicts)
    assert any(line.returned for verdict in verdicts for line in verdict.due.lines)
    assert any(len(pot.awards) > 1 for verdict in verdicts for pot in verdict.due.pots)
    assert any(verdict.due.rake for verdict in verdicts)


@pytest.mark.parametrize("breach", BREACHES)
@pytest.mark.parametrize("seed", range(3))
def test_the_committed_breach_is_found_and_no_other(breach: str, seed: int) -> None:
    judgement = judge_envelopes(session(2 if breach in AFTER_A_HAND else 1, seed, breach=breach), GAME, TOML)
    assert {finding.rule for finding in all_findings(judgement)} == {breach}


@pytest.mark.parametrize("breach", BREACHES)
def test_the_same_inside_ten_hands_and_in_that_hand_only(breach: str) -> None:
    judgement = judge_envelopes(session(10, 5, breach=breach, breach_round=6), GAME, TOML)
    found = [{finding.rule for finding in verdict.findings} for verdict in judgement.verdicts]
    assert found == [{breach} if number == 6 else set() for number in range(10)]
    assert judgement.between == ()


def test_the_same_seed_gives_the_same_session() -> None:
    assert session(3, 7) == session(3, 7)
    assert session(3, 7) != session(3, 8)


@pytest.mark.parametrize("breach", sorted(AFTER_A_HAND))
def test_a_first_hand_cannot_break_what_needs_one_before(breach: str) -> None:
    with pytest.raises(Refused, match=f"first hand cannot break {breach}"):
        session(1, 1, breach=breach)
    with pytest.raises(Refused, match=f"first hand cannot break {breach}"):
        session(5, 1, breach=breach, breach_round=0)


def test_between_hands_players_go_come_back_move_join_and_buy() -> None:
    said = {envelope.type for seed in range(6) for envelope in session(10, seed)}
    assert said >= {"PK.PlayerWentAway.v1", "PK.PlayerCameBack.v1", "PK.SeatChanged.v1", "TB.SeatTaken.v1"}
    posts = {envelope.data["kind"] for seed in range(6) for envelope in session(10, seed) if "Posted" in envelope.type}
    assert posts >= {"small_blind", "big_blind", "missed_big_blind"}


def test_an_unknown_breach_is_refused() -> None:
    with pytest.raises(Refused, match="cannot commit NL-99"):
        session(1, 1, breach="NL-99")


def test_no_chip_is_made_or_lost_at_the_table() -> None:
    facts = facts_of(session(20, 3), catalogue_of(GAME))
    lies: dict[str, int] = {}
    for fact in facts:
        for move in fact.event.moves():
            lies[move.frm] = lies.get(move.frm, 0) - int(move.amount)
            lies[move.to] = lies.get(move.to, 0) + int(move.amount)
        if isinstance(fact.event, RoundClosed):
            assert lies["pot"] == 0
    bought = sum(fact.event.amount for fact in facts if isinstance(fact.event, BuyIn))
    rake = sum(fact.event.amount for fact in facts if isinstance(fact.event, ChipsMoved) and fact.event.cause == "rake")
    assert rake > 0
    assert sum(amount for place, amount in lies.items() if place.startswith("seat/")) == bought - rake
