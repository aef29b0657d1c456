"""What must hold in every room against the bank, whatever comes to its table; a room says only what may come."""

from __future__ import annotations

from typing import Any, NamedTuple

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from events.schema.catalogue import Catalogue
from events.schema.envelope import canonical
from events.schema.fact import Fact
from games.adjudicate import Case, SessionJudgement, steps
from games.picture import WIDTH, Viewpoint
from games.protocol import Game
from games.settlement import conserved
from tests.games.bank.anything import rulings
from tests.games.table import editions_of, judge_facts, with_parameters
from tests.soaking import examples


class Sources(NamedTuple):
    """What may come: any records, a dealt session in which something went wrong, parameters in another reading."""

    anything: st.SearchStrategy[list[Fact]]
    disturbed: st.SearchStrategy[list[Fact]]
    readings: st.SearchStrategy[dict[str, Any]]


def laws(
    room: Game[Any], edition: str, catalogue: Catalogue, sources: Sources, count: int
) -> tuple[Any, Any, Any, Any]:
    """Four tests that every room against the bank must pass, whatever comes to its table, each with `count` examples:
    nothing raises and money adds up; a disturbed session is judged all the same; the order of arrival plays no part;
    every step can be shown, expects something, and folds the same again."""
    thorough = settings(max_examples=examples(count), deadline=None, suppress_health_check=list(HealthCheck))
    games = {room.name: room}

    def judged(facts: list[Fact], chosen: dict[str, Any]) -> SessionJudgement:
        return judge_facts(facts, room, with_parameters(edition, chosen, room))

    def judged_twice(facts: list[Fact], chosen: dict[str, Any]) -> SessionJudgement:
        judgement = judged(facts, chosen)
        holds(judgement)
        assert canonical(judgement.verdicts) == canonical(judged(facts, chosen).verdicts)
        return judgement

    @thorough
    @given(sources.anything, rulings(), sources.readings)
    def nothing_raises(facts: list[Fact], ruled: list[Fact], chosen: dict[str, Any]) -> None:
        judged_twice(facts + ruled, chosen)

    @thorough
    @given(sources.disturbed, sources.readings)
    def disturbed_is_judged(facts: list[Fact], chosen: dict[str, Any]) -> None:
        assert len(judged_twice(facts, chosen).verdicts) >= 1

    @thorough
    @given(sources.anything, sources.readings, st.randoms(use_true_random=False))
    def order_plays_no_part(facts: list[Fact], chosen: dict[str, Any], rng: Any) -> None:
        wanted = canonical(judged(facts, chosen).verdicts)
        shuffled = list(facts)
        rng.shuffle(shuffled)
        assert canonical(judged(shuffled, chosen).verdicts) == wanted

    @thorough
    @given(st.one_of(sources.anything, sources.disturbed), sources.readings)
    def steps_can_be_shown(facts: list[Fact], chosen: dict[str, Any]) -> None:
        toml = with_parameters(edition, chosen, room)
        case = Case.make(facts[0].subject, facts, catalogue, editions_of(room, toml))
        seen = []
        for step in steps(case, games):
            expected = room.expects(step.session)
            assert expected.phase
            assert all(due.amount > 0 for due in expected.due)
            for view in (Viewpoint(), Viewpoint(seat="1"), Viewpoint(all_knowing=True)):
                for panel in room.picture(step.session, view):
                    assert all(sum(len(span.text) for span in line) <= WIDTH for line in panel.lines)
            seen.append(step.session)
        assert seen == [step.session for step in steps(case, games)]

    return nothing_raises, disturbed_is_judged, order_plays_no_part, steps_can_be_shown


def holds(judgement: SessionJudgement) -> None:
    """Every line adds up, under each outcome that a person may choose."""
    for verdict in judgement.verdicts:
        assert verdict.standing
        assert conserved(verdict.due)
        for lines in (verdict.due.lines, *verdict.due.candidates.values()):
            for line in lines:
                assert line.staked == line.taken + line.returned + line.held, line
                assert min(line.staked, line.taken, line.returned, line.held, line.paid, line.stands) >= 0, line
                assert line.stands <= line.returned, line
                assert line.rule or line.held or not line.staked, line
