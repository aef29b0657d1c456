"""Random hands in which players are reported, warned and expelled: money conserved, nothing raised, nothing invented."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import fields, replace

from events.schema.common import ChipsMoved, RoundOpened
from events.schema.envelope import canonical
from events.schema.event import Event
from events.schema.fact import Fact
from games.adjudicate import Case, judge_session
from games.holdem import GAME
from games.holdem.conduct_rules import REPORT_RULES
from games.holdem.dealer import shipped_edition
from games.settlement import conserved
from games.shared.poker.conduct import ConductReported, ObjectionRaised, PenaltyGiven
from games.shared.poker.events import AgreementMade, HandKilled, PlayerDealtIn
from tests.games.holdem.test_random import Dealt
from tests.games.table import all_findings, catalogue_of, editions_of, facts_of_lines, judge_facts, with_parameters
from tests.soaking import examples

REPORTS = get_args(next(field.type for field in fields(ConductReported) if field.name == "what"))


class Disturbed(Dealt):
    """A hand by what `expects` offers, with other things happening in between."""

    def __init__(self, seed: int, kinds: tuple[str, ...], parameters: dict[str, Any]) -> None:
        self.kinds = kinds
        super().__init__(seed, parameters)

    def say(self, event: Event, *, named: bool = True) -> None:
        super().say(event, named=named)
        if named and self.kinds and not isinstance(event, RoundOpened | PlayerDealtIn) and self.rng.random() < 0.08:
            disturbance = self.disturbance()
            if disturbance is not None:
                super().say(disturbance)

    def disturbance(self) -> Event | None:
        hand, rng = self.session.hand, self.rng
        if hand is None or len(hand.seats) < 2:
            return None
        seat, other = rng.sample(hand.seats, 2)
        kind = rng.choice(self.kinds)
        if kind == "expulsion":
            return PenaltyGiven(f"p-{seat}", "expulsion", seat=seat, role="management")
        if kind == "passed":
            return ChipsMoved(f"seat/{seat}", f"seat/{other}", 500, "transfer")
        if kind == "agreed":
            return AgreementMade(rng.choice(("run_it", "share_pot", "insurance", "check_down")), (seat, other))  # type: ignore[arg-type]
        if kind == "killed":
            return HandKilled(seat, rng.choice(("dealer", "floor")), tabled=rng.choice((None, True, False)))  # type: ignore[arg-type]
        if kind == "back":
            return ChipsMoved(f"seat/{seat}", "pot", 500, rng.choice(("award", "return", "transfer")))  # type: ignore[arg-type]
        if kind == "objection":
            return ObjectionRaised("award", seat=seat, hand=rng.choice((None, "7")))
        if kind == "warning":
            return PenaltyGiven(f"p-{seat}", rng.choice(("warning", "sit_out")), role="floorman")  # type: ignore[arg-type]
        return ConductReported(rng.choice(REPORTS), f"p-{seat}")  # type: ignore[arg-type]


@given(st.integers(0, 2**32), st.sampled_from(["live_for_amount_in", "dead"]))
@settings(max_examples=examples(60), deadline=None)
def test_a_hand_in_which_players_are_expelled_is_played_and_paid_to_its_end(seed: int, effect: str) -> None:
    dealt = Disturbed(seed, ("expulsion",), {"expelled_hand": effect})
    judgement = judge_facts(dealt.run(), GAME, dealt.toml)
    verdict = judgement.verdicts[0]
    assert conserved(verdict.due)
    assert verdict.due.known
    if any(line.held for line in verdict.due.lines):  # a dead hand put in more than any that can still win
        assert effect == "dead"
        assert {one.code for one in all_findings(judgement)} == {"no_eligible_seat", "does_not_add_up"}
        return
    assert all_findings(judgement) == []
    assert verdict.settlement == "agrees"
    assert sum(verdict.due.nets().values()) == -verdict.due.rake


@given(
    st.integers(0, 2**32),
    st.lists(
        st.sampled_from(
            ("expulsion", "passed", "agreed", "killed", "back", "objection", "warning", "report")
        ), min_size=1, max_size=4,
    ),
)  # fmt: skip
@settings(max_examples=examples(60), deadline=None)
def test_whatever_players_do_is_judged_the_same_twice_and_by_either_fold(seed: int, kinds: list[str]) -> None:
    dealt = Disturbed(seed, tuple(kinds), {})
    facts = dealt.run()
    case = Case.make(facts[0].subject, facts, catalogue_of(GAME), editions_of(GAME, dealt.toml))
    judgement = judge_session(case, {"holdem": GAME})
    assert canonical(judge_session(case, {"holdem": replace(GAME, advance=None)})) == canonical(judgement)
    assert all(conserved(verdict.due) for verdict in judgement.verdicts)
    GAME.expects(dealt.session)


def test_every_report_has_a_rule() -> None:
    assert set(REPORT_RULES) == set(REPORTS)


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
#1 ActionTaken 2 call amount=5
#1 ConductReported collusion p-2 seat=2
#1 ActionTaken 1 check
"""


@pytest.mark.parametrize(("enabled", "outcomes"), [(False, set()), (True, {"void"})])
def test_a_refund_for_collusion_is_an_outcome_only_where_the_house_says_so(enabled: bool, outcomes: set[str]) -> None:
    toml = with_parameters(shipped_edition().toml, {"collusion_void_enabled": enabled}, GAME)
    facts: list[Fact] = facts_of_lines(HAND, catalogue_of(GAME))
    (verdict,) = judge_facts(facts, GAME, toml).verdicts
    (found,) = [one for one in verdict.findings if one.rule == "NL-42"]
    assert verdict.standing == "ruling_required"
    assert found.remedy == {"refund": {"seat/1": 1000, "seat/2": 1000}}
    assert set(verdict.due.candidates) == outcomes
    for lines in verdict.due.candidates.values():
        assert {line.stake: line.returned for line in lines} == found.remedy["refund"]
