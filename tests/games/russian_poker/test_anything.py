"""Whatever comes in whatever order: nothing raises, money adds up, the same facts give the same verdict."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from events.schema.common import TableOpened
from events.schema.envelope import canonical
from events.schema.fact import Fact
from games.adjudicate import Case, SessionJudgement, steps
from games.picture import Viewpoint
from games.russian_poker import GAME
from games.russian_poker.events import EVENTS
from games.russian_poker.parameters import PARAMETERS
from games.settlement import conserved
from tests.games.bank.anything import disturbed, parameters, rulings, sessions
from tests.games.russian_poker.room import CATALOGUE, EDITION
from tests.games.table import editions_of, facts_of, judge_facts, with_parameters
from tests.soaking import examples

THOROUGH = settings(max_examples=examples(60), deadline=None, suppress_health_check=list(HealthCheck))
OPENED = TableOpened("russian_poker", "RP", "CZK", min=5_000, max=100_000, seats=4)
WORDS = (
    "ante", "bonus", "fee", "insurance", "bet", "rex", "buy6", "exchange", "fold", "take_ante", "replace_card",
    "shuffle_breach", "early_reveal", "deck_change", "card_twice", "second_box",
)  # fmt: skip


def dealt(seed: int) -> list[Fact]:
    breach = GAME.breaches[seed % len(GAME.breaches)] if seed % 3 == 0 else None
    return facts_of(GAME.deal(2, seed, breach=breach), CATALOGUE)


anything = sessions(EVENTS, OPENED, WORDS)
disturbances = disturbed(dealt, EVENTS, WORDS)
readings = parameters(
    PARAMETERS, rp__exchange__min=(1, 2, 6), rp__deck__max_age_min=(0, 60), rp__seats__idle_rounds=(0, 1, 3),
    rp__shuffle__required_steps=([], ["spread", "wash", "piles", "riffle"], ["box"]),
)  # fmt: skip


def judged(facts: list[Fact], chosen: dict[str, Any]) -> SessionJudgement:
    return judge_facts(facts, GAME, with_parameters(EDITION, chosen, GAME))


def holds(judgement: SessionJudgement) -> None:
    for verdict in judgement.verdicts:
        assert verdict.standing
        assert conserved(verdict.due)
        for lines in (verdict.due.lines, *verdict.due.candidates.values()):
            for line in lines:
                assert line.staked == line.taken + line.returned + line.held, line
                assert min(line.staked, line.taken, line.returned, line.held, line.paid) >= 0, line
                assert line.rule or line.held or not line.staked, line


@THOROUGH
@given(anything, rulings(), readings)
def test_nothing_that_comes_to_the_table_raises_and_every_line_adds_up(
    facts: list[Fact], ruled: list[Fact], chosen: dict[str, Any]
) -> None:
    judgement = judged(facts + ruled, chosen)
    holds(judgement)
    assert canonical(judgement.verdicts) == canonical(judged(facts + ruled, chosen).verdicts)


@THOROUGH
@given(disturbances, readings)
def test_a_session_in_which_something_went_wrong_is_judged_all_the_same(
    facts: list[Fact], chosen: dict[str, Any]
) -> None:
    judgement = judged(facts, chosen)
    holds(judgement)
    assert len(judgement.verdicts) >= 1
    assert canonical(judgement.verdicts) == canonical(judged(facts, chosen).verdicts)


@THOROUGH
@given(anything, readings, st.randoms(use_true_random=False))
def test_the_verdict_does_not_depend_on_the_order_of_arrival(
    facts: list[Fact], chosen: dict[str, Any], rng: Any
) -> None:
    wanted = canonical(judged(facts, chosen).verdicts)
    shuffled = list(facts)
    rng.shuffle(shuffled)
    assert canonical(judged(shuffled, chosen).verdicts) == wanted


@THOROUGH
@given(st.one_of(anything, disturbances), readings)
def test_every_step_can_be_shown_says_what_may_come_next_and_folds_the_same_again(
    facts: list[Fact], chosen: dict[str, Any]
) -> None:
    toml = with_parameters(EDITION, chosen, GAME)
    case = Case.make(facts[0].subject, facts, CATALOGUE, editions_of(GAME, toml))
    seen = []
    for step in steps(case, {GAME.name: GAME}):
        expected = GAME.expects(step.session)
        assert expected.phase
        assert all(due.amount > 0 for due in expected.due)
        for view in (Viewpoint(), Viewpoint(seat="1"), Viewpoint(all_knowing=True)):
            for panel in GAME.picture(step.session, view):
                assert all(sum(len(span.text) for span in line) <= 99 for line in panel.lines)
        seen.append(step.session)
    assert seen == [step.session for step in steps(case, {GAME.name: GAME})]
