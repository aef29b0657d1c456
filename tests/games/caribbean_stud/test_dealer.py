"""The scripted dealer: lawful sessions, and each breach found as itself and as nothing else."""

from __future__ import annotations

import pytest

from events.schema.common import InventoryCounted
from events.values.places import FLOAT
from games.caribbean_stud import GAME
from games.caribbean_stud.events import BET, BONUS, FEE
from games.settlement import conserved
from games.shared.bank.events import StakePlaced
from tests.games.caribbean_stud.room import CATALOGUE, EDITION
from tests.games.table import all_findings, facts_of, judge_envelopes


@pytest.mark.parametrize("seed", range(15))
def test_a_session_without_breach_agrees_and_finds_nothing(seed: int) -> None:
    judgement = judge_envelopes(GAME.deal(12, seed), GAME, EDITION)
    assert all_findings(judgement) == []
    assert {verdict.standing for verdict in judgement.verdicts} == {"valid"}
    assert {verdict.settlement for verdict in judgement.verdicts} == {"agrees"}
    assert all(conserved(verdict.due) for verdict in judgement.verdicts)


@pytest.mark.parametrize("breach", GAME.breaches)
@pytest.mark.parametrize(("rounds", "at"), [(1, 0), (10, 0), (10, 6)])
def test_a_breach_is_found_in_its_round_and_no_other(breach: str, rounds: int, at: int) -> None:
    for seed in range(1, 6):
        judgement = judge_envelopes(GAME.deal(rounds, seed, breach=breach, breach_round=at), GAME, EDITION)
        found = all_findings(judgement)
        assert {finding.rule for finding in found} == {breach}, [(one.rule, one.code, one.text) for one in found]
        assert [number for number, own in enumerate(judgement.verdicts) if own.findings] == [at]
        assert all(conserved(verdict.due) for verdict in judgement.verdicts)


def test_what_can_be_broken_is_every_rule_that_has_a_check_and_is_no_right() -> None:
    (book,) = GAME.books
    assert set(GAME.breaches) == book.rule_ids - set(book.not_breakable) - set(book.by_hand)


def test_a_session_says_where_when_and_in_which_money() -> None:
    envelopes = list(GAME.deal(2, 1, table="praha/CS-4", day="2026-12-01", currency="EUR"))
    assert {envelope.subject for envelope in envelopes} == {"table/praha/CS-4/2026-12-01.1"}
    assert envelopes[0].data["currency"] == "EUR"
    assert {envelope.source for envelope in envelopes} == {"/praha/CS-4/terminal"}


def test_the_float_at_closing_is_what_the_movements_leave() -> None:
    facts = facts_of(GAME.deal(40, 3), CATALOGUE)
    counted = [fact.event for fact in facts if isinstance(fact.event, InventoryCounted)]
    moved = sum(
        int(move.amount) * ((move.to == FLOAT) - (move.frm == FLOAT)) for fact in facts for move in fact.event.moves()
    )
    assert counted[-1].amount - counted[0].amount == moved


def test_players_exchange_bet_and_play_the_bonus() -> None:
    spots = [fact.event.spot for fact in facts_of(GAME.deal(60, 5), CATALOGUE) if isinstance(fact.event, StakePlaced)]
    assert min(spots.count(spot) for spot in (BONUS, FEE, BET)) > 10
