"""The scripted croupier: lawful sessions, and each breach found as itself and as nothing else."""

from __future__ import annotations

from collections import Counter

import pytest

from events.errors import Refused
from events.schema.common import InventoryCounted
from events.values.places import FLOAT, kind
from games.magic_wheel import GAME
from games.magic_wheel.symbols import BOXES
from games.settlement import conserved
from tests.games.magic_wheel.room import CATALOGUE, EDITION
from tests.games.table import all_findings, facts_of, judge_envelopes

SEEDS = range(1, 7)


@pytest.mark.parametrize("seed", range(20))
def test_a_session_without_breach_agrees_and_finds_nothing(seed: int) -> None:
    judgement = judge_envelopes(GAME.deal(12, seed), GAME, EDITION)
    assert all_findings(judgement) == []
    assert {verdict.standing for verdict in judgement.verdicts} == {"valid"}
    assert {verdict.settlement for verdict in judgement.verdicts} <= {"agrees", "not_recorded"}
    assert [verdict.settlement for verdict in judgement.verdicts].count("agrees") >= 10
    assert all(conserved(verdict.due) for verdict in judgement.verdicts)


@pytest.mark.parametrize("breach", GAME.breaches)
@pytest.mark.parametrize(("rounds", "at"), [(1, 0), (10, 0), (10, 6), (10, 9)])
def test_a_breach_is_found_and_no_other(breach: str, rounds: int, at: int) -> None:
    for seed in SEEDS:
        judgement = judge_envelopes(GAME.deal(rounds, seed, breach=breach, breach_round=at), GAME, EDITION)
        found = all_findings(judgement)
        assert {finding.rule for finding in found} == {breach}, [(one.rule, one.code, one.text) for one in found]
        assert {verdict.round.rpartition("#")[2] for verdict in judgement.verdicts if verdict.findings} == {str(at + 1)}
        assert all(conserved(verdict.due) for verdict in judgement.verdicts)


def test_what_can_be_broken_is_every_rule_that_has_a_check_and_is_no_right() -> None:
    (book,) = GAME.books
    assert set(GAME.breaches) == book.rule_ids - set(book.not_breakable) - set(book.by_hand)


def test_every_way_to_break_the_closing_and_the_boxes_is_taken() -> None:
    codes = {
        finding.code
        for breach in ("MW-02", "MW-08", "MW-13")
        for seed in range(30)
        for finding in all_findings(judge_envelopes(GAME.deal(1, seed, breach=breach), GAME, EDITION))
    }
    assert codes >= {
        "illegal_symbol", "under_min", "over_max", "closing_call_missing", "spun_before_call", "late_bet", "late_move",
        "wrong_payout", "wrong_take",
    }  # fmt: skip


def test_the_same_seed_deals_the_same_session_and_another_another() -> None:
    assert list(GAME.deal(5, 1)) == list(GAME.deal(5, 1))
    assert list(GAME.deal(5, 1)) != list(GAME.deal(5, 2))
    assert list(GAME.deal(5, 1, breach="MW-10")) == list(GAME.deal(5, 1, breach="MW-10"))


def test_a_session_says_where_when_and_in_which_money() -> None:
    envelopes = list(GAME.deal(2, 1, table="praha/MW-11", day="2026-12-01", currency="EUR"))
    assert {envelope.subject for envelope in envelopes} == {"table/praha/MW-11/2026-12-01.1"}
    assert envelopes[0].data["currency"] == "EUR"


@pytest.mark.parametrize("breach", [None, "MW-10"])
@pytest.mark.parametrize("seed", range(4))
def test_the_closing_count_is_the_opening_count_and_what_moved(seed: int, breach: str | None) -> None:
    moved = 0
    counts: dict[str, int] = {}
    lying: Counter[str] = Counter()
    for fact in facts_of(GAME.deal(40, seed, breach=breach, breach_round=39 if breach else None), CATALOGUE):
        for move in fact.event.moves() if fact.event.MOVES else ():
            lying[move.frm] -= int(move.amount)
            lying[move.to] += int(move.amount)
            moved += int(move.amount) * ((move.to == FLOAT) - (move.frm == FLOAT))
        if isinstance(fact.event, InventoryCounted):
            counts[fact.event.kind] = fact.event.amount
    assert counts["closer"] == counts["opener"] + moved
    assert all(amount == 0 for place, amount in lying.items() if kind(place) == "box")


def test_a_long_session_holds_what_a_table_holds() -> None:
    facts = [fact for seed in (3, 4) for fact in facts_of(GAME.deal(80, seed), CATALOGUE)]
    seen = Counter(type(fact.event).__name__ for fact in facts)
    for wanted in ("SeatTaken", "PlayerLeftTable", "BetMoved", "BetRemoved", "DealerRelieved", "CreditSent"):
        assert seen[wanted] or wanted == "CreditSent", f"no {wanted}"
    assert {getattr(fact.event, "position", None) for fact in facts} >= set(BOXES)
    assert any(getattr(fact.event, "on_pin", False) for fact in facts)


def test_what_cannot_be_dealt_is_refused() -> None:
    with pytest.raises(Refused, match="MW-03"):
        list(GAME.deal(3, 1, breach="MW-03"))
    with pytest.raises(Refused, match="no round 3"):
        list(GAME.deal(3, 1, breach="MW-10", breach_round=3))
