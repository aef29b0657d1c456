"""Whatever comes in whatever order: nothing raises, money adds up, the same facts give the same verdict."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from events.schema.common import TableOpened
from events.schema.envelope import canonical
from events.schema.event import Event
from events.schema.fact import Fact
from games.adjudicate import Case, SessionJudgement, steps
from games.blackjack import GAME
from games.blackjack.events import EVENTS
from games.blackjack.parameters import PARAMETERS
from games.picture import Viewpoint
from games.settlement import conserved
from games.shared.bank.events import CardLaid, CardReassigned, Decided, StakePlaced
from games.verdict import Line
from tests.games.bank import anything
from tests.games.blackjack.room import CATALOGUE, EDITION
from tests.games.table import editions_of, facts_of, judge_facts, with_parameters
from tests.soaking import examples

THOROUGH = settings(max_examples=examples(150), deadline=None, suppress_health_check=[HealthCheck.too_slow])
OPENED = TableOpened("blackjack", "BJ", "CZK", min=1, max=30_000, seats=5)
WORDS = (
    "bet", "insurance", "double", "split", "hit", "stand", "surrender", "even_money", "box/1.1", "box/1.3", "shoe",
    "shuffle_breach", "card_counting", "as_dealt", "reconstructed", "extra_refunded",
)  # fmt: skip
PLAY: tuple[type[Event], ...] = (StakePlaced, CardLaid, CardLaid, CardReassigned, Decided, Decided, *EVENTS)

SESSIONS = anything.sessions(PLAY, OPENED, WORDS)
CHOSEN = anything.parameters(
    PARAMETERS,
    blackjack__min_cut_cards=[0, 52, 200],
    blackjack__cut_off_cards=[None, 60],
    blackjack__insurance_min=[1, 5000],
    money__smallest_chip=[None, 2500],
)


@lru_cache(maxsize=128)
def dealt(seed: int) -> tuple[Fact, ...]:
    return tuple(facts_of(GAME.deal(3, seed), CATALOGUE))


DISTURBED = anything.disturbed(lambda seed: list(dealt(seed)), PLAY, WORDS)


def judged(facts: list[Fact], chosen: dict[str, Any]) -> SessionJudgement:
    return judge_facts(facts, GAME, with_parameters(EDITION, chosen, GAME))


def lines_of(judgement: SessionJudgement) -> list[Line]:
    due = [verdict.due for verdict in judgement.verdicts]
    return [line for one in due for lines in (one.lines, *one.candidates.values()) for line in lines]


def adds_up(judgement: SessionJudgement) -> None:
    for line in lines_of(judgement):
        assert line.staked == line.taken + line.returned + line.held
        assert min(line.staked, line.taken, line.returned, line.held, line.paid) >= 0
    assert all(conserved(verdict.due) for verdict in judgement.verdicts)


@THOROUGH
@given(st.one_of(SESSIONS, DISTURBED), CHOSEN, st.data())
def test_nothing_that_comes_to_the_table_raises_and_every_line_adds_up(
    facts: list[Fact], chosen: dict[str, Any], data: Any
) -> None:
    facts = [*facts, *data.draw(anything.rulings(facts[0].subject))]
    judgement = judged(facts, chosen)
    adds_up(judgement)
    assert canonical(judgement.verdicts) == canonical(judged(facts, chosen).verdicts)


@THOROUGH
@given(st.one_of(SESSIONS, DISTURBED), CHOSEN, st.randoms(use_true_random=False))
def test_the_verdict_does_not_depend_on_the_order_of_arrival(
    facts: list[Fact], chosen: dict[str, Any], rng: Any
) -> None:
    wanted = canonical(judged(facts, chosen).verdicts)
    shuffled = list(facts)
    rng.shuffle(shuffled)
    assert canonical(judged(shuffled, chosen).verdicts) == wanted


@THOROUGH
@given(SESSIONS, CHOSEN)
def test_every_step_can_be_shown_and_says_what_may_come_next(facts: list[Fact], chosen: dict[str, Any]) -> None:
    case = Case.make(facts[0].subject, facts, CATALOGUE, editions_of(GAME, with_parameters(EDITION, chosen, GAME)))
    for step in steps(case, {GAME.name: GAME}):
        expected = GAME.expects(step.session)
        assert expected.phase
        assert all(due.amount > 0 for due in expected.due)
        for view in (Viewpoint(), Viewpoint(seat="1"), Viewpoint(all_knowing=True)):
            for panel in GAME.picture(step.session, view):
                assert all(sum(len(span.text) for span in line) < 100 for line in panel.lines)


@THOROUGH
@given(st.one_of(SESSIONS, DISTURBED))
def test_a_fold_leaves_what_it_was_given_untouched(facts: list[Fact]) -> None:
    case = Case.make(facts[0].subject, facts, CATALOGUE, editions_of(GAME, EDITION))
    once = [step.session for step in steps(case, {GAME.name: GAME})]
    again = [step.session for step in steps(case, {GAME.name: GAME})]
    assert once == again
