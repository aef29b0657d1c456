"""Whatever comes in whatever order: nothing raises, money adds up, the same facts give the same verdict."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from events.schema.common import TableOpened
from events.schema.envelope import canonical
from events.schema.fact import Fact
from games.adjudicate import Case, SessionJudgement, steps
from games.caribbean_stud import GAME
from games.caribbean_stud.events import EVENTS
from games.caribbean_stud.parameters import PARAMETERS
from games.picture import Viewpoint
from games.settlement import conserved
from tests.games.bank.anything import disturbed, parameters, rulings, sessions
from tests.games.caribbean_stud.room import CATALOGUE, EDITION
from tests.games.table import editions_of, facts_of, judge_facts, with_parameters
from tests.soaking import examples

THOROUGH = settings(max_examples=examples(60), deadline=None, suppress_health_check=list(HealthCheck))
OPENED = TableOpened("caribbean_stud", "CS", "CZK", min=500, max=20_000, limits={"bonus": (500, 500)})
WORDS = ("ante", "bonus", "fee", "bet", "exchange", "fold", "no_cut", "wrong_count")
TABLES = (None, {"kind": "odds", "prizes": {"1P": 2, "AK": 3}}, {"kind": "fixed", "stake": 500, "prizes": {"1P": 900}})


def dealt(seed: int) -> list[Fact]:
    breach = GAME.breaches[seed % len(GAME.breaches)] if seed % 3 == 0 else None
    return facts_of(GAME.deal(2, seed, breach=breach), CATALOGUE)


anything = sessions(EVENTS, OPENED, WORDS)
disturbances = disturbed(dealt, EVENTS, WORDS)
readings = parameters(
    PARAMETERS, cs__bonus__table=TABLES, cs__limits=(None, [500, 15_000]), cs__max_payout=(None, 12_345),
    cs__max_players=(1, 2, 6), cs__boxes_per_player=(None, 1), cs__time__limit_s=(None, 5), cs__recut__max=(None, 1),
)  # fmt: skip


def judged(facts: list[Fact], chosen: dict[str, Any]) -> SessionJudgement:
    return judge_facts(facts, GAME, with_parameters(EDITION, chosen, GAME))


def holds(judgement: SessionJudgement) -> None:
    for verdict in judgement.verdicts:
        assert verdict.standing
        assert conserved(verdict.due)
        for line in verdict.due.lines:
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
