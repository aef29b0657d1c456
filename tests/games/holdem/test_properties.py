"""Hold'em by what the rules expect: whatever is offered is no breach, and no chip is lost in any state.

Random tables, structures, stacks, antes, straddles and readings of the rules, played by `expects` to the end. Shrinks
to the smallest table and to folds.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from events.schema.envelope import canonical
from events.schema.fact import Fact
from games.adjudicate import Case, judge_session, steps
from games.holdem import GAME
from games.holdem.dealer import shipped_edition
from games.house_rules.edition import Edition
from games.picture import Viewpoint
from games.settlement import conserved
from games.verdict import Finding
from tests.games.poker.hands import (
    DECISIONS,
    NL_PARAMETERS,
    SUBJECT,
    Played,
    Setup,
    Told,
    edition_of,
    fact_of,
    facts_of_told,
    offered,
    setups,
)
from tests.games.table import catalogue_of, editions_of
from tests.soaking import examples

TOML = shipped_edition().toml
ROOMS = {GAME.name: GAME}
CATALOGUE = catalogue_of(GAME)
BLAME = frozenset(
    {"breach", "corrected", "void", "voidable", "misdeal", "dead", "mispaid", "ruling_required", "penalty"}
)
"""Kinds of findings that say that somebody did what he should not have done."""

TABLES = setups()
SESSIONS = setups(hands=3)


def played(setup: Setup, decisions: bytes, parameters: dict[str, Any]) -> Played:
    """Hands at that table, by that reading of the rules."""
    return Played(GAME, edition_of(TOML, {**parameters, **setup.parameters}, GAME), setup, decisions).play()


def case_of(facts: Sequence[Fact], parameters: dict[str, Any], setup: Setup | None = None) -> Case:
    """A case of these records, under an edition with these parameters."""
    stated = {**parameters, **(setup.parameters if setup is not None else {})}
    toml = edition_of(TOML, stated, GAME).toml
    return Case.make(SUBJECT, facts, CATALOGUE, editions_of(GAME, toml))


def blame(findings: Sequence[Finding]) -> Iterator[Finding]:
    """Those that say that somebody did what he should not have done."""
    return (finding for finding in findings if finding.kind in BLAME)


@settings(max_examples=examples(100), deadline=None)
@given(SESSIONS, DECISIONS, NL_PARAMETERS)
@example(Setup((3, 8), (2, 1), ante=1), b"", {})  # an ante that takes a whole stack, or both blinds'
@example(Setup((3, 8), (1, 1), ante=1), b"", {})
@example(Setup((1, 2, 3, 4), (20, 1, 1, 20), ante=1, deal="cards"), b"\x01" * 9, {})
def test_hands_played_by_what_is_expected_are_valid_and_paid_right(
    setup: Setup, decisions: bytes, parameters: dict[str, Any]
) -> None:
    judgement = judge_session(case_of(played(setup, decisions, parameters).facts, parameters, setup), ROOMS)
    assert judgement.between == ()
    for verdict in judgement.verdicts:
        assert list(blame(verdict.findings)) == []
        assert (verdict.standing, verdict.settlement) == ("valid", "agrees")
        assert conserved(verdict.due)
        assert sum(verdict.due.nets().values()) == -verdict.due.rake


@settings(max_examples=examples(100), deadline=None)
@given(SESSIONS, DECISIONS, NL_PARAMETERS)
def test_no_chip_is_lost_in_any_state(setup: Setup, decisions: bytes, parameters: dict[str, Any]) -> None:
    lying = 0
    for step in steps(case_of(played(setup, decisions, parameters).facts, parameters, setup), ROOMS):
        lying += sum(int(move.amount) * ((move.to == "pot") - (move.frm == "pot")) for move in step.fact.event.moves())
        state = step.session.hand
        if state is None or not state.seats:
            continue
        paid = sum(state.won) + sum(state.back) + sum(amount for _stake, amount in state.raked)
        # What the rules count for, what was pushed beyond it and what went out again is what lies in the pot.
        assert state.contributed + sum(state.apart) - paid == lying
        assert all(stack >= 0 for stack in state.stacks)
        if not any(state.back):
            for place, stack in enumerate(state.stacks):
                put_in = state.live[place] + state.dead[place] + state.antes[place]
                assert state.start[place] == stack + put_in - state.won[place]
    assert lying == 0


@settings(max_examples=examples(60), deadline=None)
@given(SESSIONS, DECISIONS, NL_PARAMETERS, st.integers(0, 10**6))
@example(Setup((1, 2, 3), (20, 20, 20), hands=3), b"\0\0\0\0\0\1\0\0\0\1", {}, 0)  # one of the two posts of who returns
def test_nothing_that_is_offered_is_a_breach(
    setup: Setup, decisions: bytes, parameters: dict[str, Any], seed: int
) -> None:
    session = played(setup, decisions, parameters)
    chosen = random.Random(seed)
    for count, name, state, expected in session.moments:
        if name is None:
            continue  # between hands it says what is due in the next one
        alternatives = [
            (what, [Told(event, name) for event in made]) for what, made in offered(session, state, expected)
        ]
        for what, made in alternatives:
            found = blamed_at_once(state, made, count, edition_of(TOML, {**parameters, **setup.parameters}, GAME))
            assert found == [], what
        # At the end of a round the other half of the checks speaks: asked of one alternative of each moment.
        what, made = chosen.choice(alternatives) if alternatives else ("nothing", [])
        judgement = judge_session(case_of(facts_of_told([*session.told[:count], *made]), parameters, setup), ROOMS)
        cites = {fact_of(one, number).cite for number, one in enumerate(made, count)}
        assert [one for one in blame(judgement.verdicts[-1].findings) if cites & set(one.events)] == [], what


def blamed_at_once(
    state: Any, made: Sequence[Told], count: int, edition: Edition, wrong: frozenset[str] = BLAME
) -> list[Finding]:
    """What the checks of single facts say against these, where `count` records stood before."""
    found = []
    for number, one in enumerate(made, count):
        fact = fact_of(one, number)
        found += [finding for finding in GAME.books[0].bind(edition).step(state, fact) if finding.kind in wrong]
        state = GAME.evolve(state, fact)
    return found


@settings(max_examples=examples(30), deadline=None)
@given(SESSIONS, DECISIONS, NL_PARAMETERS)
def test_forward_and_back_evolve_and_advance_and_twice_are_the_same(
    setup: Setup, decisions: bytes, parameters: dict[str, Any]
) -> None:
    facts = played(setup, decisions, parameters).facts
    same_however_folded(case_of(facts, parameters, setup))
    shuffled = random.Random(0).sample(facts, len(facts))
    once, again = (judge_session(case_of(some, parameters, setup), ROOMS) for some in (facts, shuffled))
    assert canonical(once) == canonical(again)


def same_however_folded(case: Case) -> None:
    """The states of a walk stay as they were, and the judge's own quick fold comes to the same ones."""
    walk = list(steps(case, ROOMS))
    shown = [repr(step.session) for step in walk]
    told = [told_of(step.session) for step in walk]
    for step in reversed(walk):  # back again: nothing that was asked on the way has changed a state
        assert told_of(step.session) == told.pop()
    assert [repr(step.session) for step in walk] == shown
    assert GAME.advance is not None
    session = walk[0].session
    for step, before in zip(walk[1:], shown, strict=False):
        assert repr(step.before) == before
        session = GAME.advance(session, step.fact)
        assert repr(session) == repr(step.session), step.fact.event


def told_of(session: Any) -> tuple[Any, ...]:
    """What a room says of a session: what comes next, and how the table looks."""
    return (GAME.expects(session), GAME.picture(session, Viewpoint(all_knowing=True)))
