"""Hold'em whatever is on record: hands put out of order, and any event of any content, are judged without an exception.

What cannot be true is still counted: no chip is lost in what is due, and what the rules then expect is no breach.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from events.schema.common import ChipsMoved, RoundOpened, TableOpened
from events.schema.envelope import canonical
from events.schema.event import Event
from events.schema.ours import HandImported
from events.values.places import POT, RAKE, SEATS
from games.adjudicate import Case, judge_session, steps
from games.holdem import GAME
from games.picture import Viewpoint
from games.registry import shipped_editions
from games.settlement import conserved
from replay.stepper import Stepper
from replay.timeline import Records
from tests.games.holdem.test_properties import (
    BLAME,
    CATALOGUE,
    ROOMS,
    SESSIONS,
    TOML,
    blamed_at_once,
    case_of,
    played,
    same_however_folded,
)
from tests.games.poker.anything import ANYTHING, CHANGES, Change, changed
from tests.games.poker.hands import (
    CHIP,
    DECISIONS,
    NL_PARAMETERS,
    SUBJECT,
    Setup,
    Told,
    acted,
    edition_of,
    facts_of_told,
    paid,
    shown,
)
from tests.games.table import editions_of
from tests.soaking import examples

IMPORTS = next(toml for room, file, toml in shipped_editions() if room == "holdem" and file == "import.toml")
SEEN = (Viewpoint(), Viewpoint(all_knowing=True), Viewpoint(seat="1"))


def bear(case: Case) -> None:
    """Everything that can be asked of a session is answered, and what is due adds up."""
    judgement = judge_session(case, ROOMS)
    for verdict in judgement.verdicts:
        assert conserved(verdict.due)
        for lines in verdict.due.candidates.values():
            assert sum(line.staked for line in lines) == sum(line.taken + line.returned + line.held for line in lines)
        if verdict.due.known and verdict.due.pots and not any(line.held for line in verdict.due.lines):
            assert sum(verdict.due.nets().values()) == -verdict.due.rake
    assert canonical(judge_session(case, ROOMS)) == canonical(judgement)
    into_the_rake: Counter[str] = Counter()
    for step in steps(case, ROOMS):
        event = step.fact.event
        if isinstance(event, ChipsMoved) and event.to == RAKE:
            into_the_rake[event.frm] += event.amount
        GAME.expects(step.session)
        hand = step.session.hand
        for viewpoint in SEEN:
            assert GAME.picture(step.session, viewpoint)
        for place in range(len(hand.seats)) if hand is not None else ():
            put_in = hand.live[place] + hand.dead[place] + hand.antes[place]
            assert min(put_in, hand.back[place]) >= 0
            # Who pays the rake out of his stack has that much less, whether the pot pays him before or after.
            assert hand.won[place] >= -into_the_rake[SEATS[hand.seats[place]]]
    same_however_folded(case)


@settings(max_examples=examples(40), deadline=None)
@given(SESSIONS, DECISIONS, NL_PARAMETERS, CHANGES)
@example(Setup((1, 2), (20, 20)), b"", {}, [Change("instead", 8, 0, ChipsMoved("seat/1", RAKE, CHIP, "rake"))])
@example(Setup((1, 2), (20, 20)), b"", {}, [Change("instead", 8, 0, ChipsMoved("seat/1", POT, CHIP, "correction"))])
def test_a_hand_out_of_order_is_judged_all_the_same(
    setup: Setup, decisions: bytes, parameters: dict[str, Any], changes: list[Change]
) -> None:
    session = played(setup, decisions, parameters)
    bear(case_of(facts_of_told(changed(session.told, changes, session.opened)), parameters, setup))


@settings(max_examples=examples(120), deadline=None)
@given(st.lists(ANYTHING, max_size=30), st.booleans())
def test_any_events_of_any_content_are_judged(events: list[Event], imported: bool) -> None:
    opened: Event = TableOpened(game="holdem", rule_book="NL", currency="CZK", smallest_chip=CHIP)
    if imported:
        opened = HandImported(
            game="holdem", rule_book="NL", currency="XXX", format="phh", reader=1, sha256="0" * 64, text="",
            time_known=False,
        )  # fmt: skip
    before = [Told(opened, None), Told(Setup((1, 2), (20, 20)).stakes, None), Told(RoundOpened())]
    facts = facts_of_told([*before, *map(Told, events)])
    bear(Case.make(SUBJECT, facts, CATALOGUE, editions_of(GAME, IMPORTS if imported else TOML)))


@settings(max_examples=examples(60), deadline=None)
@given(SESSIONS, DECISIONS, NL_PARAMETERS, CHANGES, st.integers(0, 10**6))
def test_after_whatever_happened_what_is_expected_is_no_breach(
    setup: Setup, decisions: bytes, parameters: dict[str, Any], changes: list[Change], seed: int
) -> None:
    session = played(setup, decisions, parameters)
    told = changed(session.told, changes, session.opened)
    edition = edition_of(TOML, {**parameters, **setup.parameters}, GAME)
    chosen = random.Random(seed)
    for number, step in enumerate(steps(case_of(facts_of_told(told), parameters, setup), ROOMS), 1):
        state, expected, name = step.session, GAME.expects(step.session), step.fact.round
        if name is None or expected.phase in ("between hands", "button draw"):
            continue  # what is due then is due in the next hand
        # A post that comes late is due all the same, and is corrected.
        alternatives = [(f"due {due.what}", list(paid(due)), BLAME - {"corrected"}) for due in expected.due]
        for action in expected.actions:
            if action.name in ("show", "muck"):
                alternatives.append((action.name, list(shown(action, state)), BLAME))
                continue
            for total in {action.low, action.high}:
                made = list(acted(action, total, state, chosen.randrange(4)))
                alternatives.append((f"{action.name} {total}", made, BLAME))
        for what, made, wrong in alternatives:
            found = blamed_at_once(state, [Told(event, name) for event in made], number, edition, wrong)
            assert found == [], (what, expected.phase)


@settings(max_examples=examples(30), deadline=None)
@given(SESSIONS, DECISIONS, CHANGES, st.lists(st.sampled_from("nbpPe0$"), max_size=30))
def test_forward_and_back_in_the_stepper_are_equal(
    setup: Setup, decisions: bytes, changes: list[Change], keys: list[str]
) -> None:
    session = played(setup, decisions, {})
    facts = facts_of_told(changed(session.told, changes, session.opened))
    toml = edition_of(TOML, setup.parameters, GAME).toml
    records = Records(subject=SUBJECT, facts=tuple(facts), catalogue=CATALOGUE, editions=editions_of(GAME, toml))
    walk, fresh = Stepper(records, ROOMS), Stepper(records, ROOMS)
    for key in keys:
        moves: dict[str, Any] = {
            "n": walk.next, "b": walk.back, "p": walk.next_phase, "P": walk.back_phase, "e": walk.next_finding,
            "0": lambda: walk.goto(1), "$": lambda: walk.goto(-1),
        }  # fmt: skip
        step = moves[key]()
        other = fresh.steps[step.number - 1]
        assert step == other
        assert (step.expected, step.phase) == (other.expected, other.phase)
        assert repr(step.after) == repr(other.after)
