"""Whatever comes in whatever order: nothing raises, money adds up, the same facts give the same verdict."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from events.schema.envelope import canonical
from events.schema.event import Event
from events.schema.fact import Fact
from games.adjudicate import Case, SessionJudgement, steps
from games.picture import Viewpoint
from games.roulette import GAME
from games.roulette.events import EVENTS, BallDropped, BetPlaced, CallBetPlaced, NumberAnnounced
from games.settlement import conserved
from games.verdict import Line
from tests.games.roulette.room import CATALOGUE, EDITION
from tests.games.roulette.strategies import parameters, rulings, sessions
from tests.games.table import editions_of, judge_facts, with_parameters
from tests.soaking import examples

THOROUGH = settings(max_examples=examples(150), deadline=None, suppress_health_check=[HealthCheck.too_slow])
BETS: tuple[type[Event], ...] = (BetPlaced, CallBetPlaced, BallDropped, NumberAnnounced, *EVENTS)


def judged(facts: list[Fact], chosen: dict[str, Any]) -> SessionJudgement:
    return judge_facts(facts, GAME, with_parameters(EDITION, chosen, GAME))


def lines_of(judgement: SessionJudgement) -> list[Line]:
    due = [verdict.due for verdict in judgement.verdicts]
    return [line for one in due for lines in (one.lines, *one.candidates.values()) for line in lines]


@THOROUGH
@given(sessions(), rulings(), parameters())
def test_nothing_that_comes_to_the_table_raises_and_every_line_adds_up(
    facts: list[Fact], ruled: list[Fact], chosen: dict[str, Any]
) -> None:
    facts += ruled
    judgement = judged(facts, chosen)
    for line in lines_of(judgement):
        assert line.staked == line.taken + line.returned + line.held
        assert min(line.staked, line.taken, line.returned, line.held, line.paid, line.stands) >= 0
        assert line.stands <= line.returned
    assert all(conserved(verdict.due) for verdict in judgement.verdicts)
    assert canonical(judgement.verdicts) == canonical(judged(facts, chosen).verdicts)


@THOROUGH
@given(sessions(classes=BETS), parameters(), st.randoms(use_true_random=False))
def test_the_verdict_does_not_depend_on_the_order_of_arrival(
    facts: list[Fact], chosen: dict[str, Any], rng: Any
) -> None:
    wanted = canonical(judged(facts, chosen).verdicts)
    shuffled = list(facts)
    rng.shuffle(shuffled)
    assert canonical(judged(shuffled, chosen).verdicts) == wanted


@THOROUGH
@given(sessions())
def test_every_step_can_be_shown_and_says_what_may_come_next(facts: list[Fact]) -> None:
    case = Case.make(facts[0].subject, facts, CATALOGUE, editions_of(GAME, EDITION))
    for step in steps(case, {GAME.name: GAME}):
        expected = GAME.expects(step.session)
        assert expected.phase
        assert all(due.amount > 0 for due in expected.due)
        for panel in GAME.picture(step.session, Viewpoint()):
            assert all(sum(len(span.text) for span in line) <= 100 for line in panel.lines)


@THOROUGH
@given(sessions(classes=BETS))
def test_a_fold_leaves_what_it_was_given_untouched(facts: list[Fact]) -> None:
    case = Case.make(facts[0].subject, facts, CATALOGUE, editions_of(GAME, EDITION))
    once = [step.session for step in steps(case, {GAME.name: GAME})]
    again = [step.session for step in steps(case, {GAME.name: GAME})]
    assert once == again
