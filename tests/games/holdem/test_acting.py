"""Random hands told as words, chips and whole actions, in and out of turn, in every betting structure."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from events.schema.common import ChipsMoved, RoundClosed, TableOpened
from events.schema.event import Event
from events.schema.fact import Fact
from games.adjudicate import Case, steps
from games.holdem import GAME
from games.protocol import Action
from games.settlement import conserved
from games.shared.poker.events import (
    ActionTaken,
    BetAnnounced,
    ButtonPlaced,
    ChipsPushed,
    GestureMade,
    PlayerDealtIn,
    Posted,
    StakesAnnounced,
    WordsSpoken,
)
from games.shared.poker.hand import Hand
from games.table_rules import Hole
from tests.games.holdem.test_random import SUBJECT, TOML, Dealt, facts_of_events
from tests.games.table import all_findings, catalogue_of, editions_of, judge_facts, with_parameters
from tests.soaking import examples


class Told(Dealt):
    """A hand played by what `expects` offers, each action told in one of the ways in which people act."""

    def __init__(self, seed: int, betting: str, parameters: dict[str, Any]) -> None:
        super().__init__(seed, parameters)
        self.events.pop()
        self.say(StakesAnnounced(500, 1000, betting), named=False)  # type: ignore[arg-type]

    def act(self, action: Action) -> None:
        hand = self.session.hand
        assert hand is not None
        seat = int(action.actor[5:])
        front = hand.bets.front[hand.place(seat)]
        total = front
        if action.low is not None and action.high is not None:
            total = self.rng.choice((action.low, action.high, self.rng.randint(action.low, action.high)))
        more, name = total - front, action.name
        way = self.rng.randrange(5)
        if way == 0:
            self.say(ActionTaken(seat, name, more))  # type: ignore[arg-type]
        elif way == 1 and name == "check":
            self.say(GestureMade(seat, "tap"))
        elif way == 2 and more:
            self.say(ChipsPushed(seat, more, (more - 1, 1) if more > 1 else ()))
        elif way == 3 and name in ("bet", "raise"):
            self.say(WordsSpoken(seat, name))  # type: ignore[arg-type]
            self.say(ChipsPushed(seat, more, (more - 1, 1) if more > 1 else ()))
        else:
            self.say(WordsSpoken(seat, name, total if name in ("bet", "raise") else None))  # type: ignore[arg-type]
            if more:
                self.say(ChipsPushed(seat, more))


BETTING = st.sampled_from(("no_limit", "pot_limit", "fixed_limit"))
PARAMETERS = st.fixed_dictionaries(
    {},
    optional={
        "min_raise_rule": st.sampled_from(["double_bet_to_match", "last_increment"]),
        "heads_up_blinds": st.sampled_from(["text_order", "button_small_blind"]),
        "short_all_in_accumulates": st.booleans(),
        "one_chip_raise": st.sampled_from(["to_chip_value", "chip_plus_committed", "call_plus_chip"]),
        "out_of_turn": st.sampled_from(["binding_if_unchanged", "by_price"]),
    },
)


@given(st.integers(0, 2**32), BETTING, PARAMETERS)
@settings(max_examples=examples(120), deadline=None)
def test_what_is_expected_is_regular_in_every_structure_and_however_it_is_told(
    seed: int, betting: str, parameters: dict[str, Any]
) -> None:
    told = Told(seed, betting, parameters)
    judgement = judge_facts(told.run(), GAME, told.toml)
    verdict = judgement.verdicts[0]
    assert [finding for finding in all_findings(judgement) if finding.rule in _MINE] == []
    assert verdict.settlement == "agrees"
    assert conserved(verdict.due)


_MINE = frozenset({"NL-11", "NL-12", "NL-22", "NL-23", "NL-24", "NL-25", "NL-26", "NL-34", "NL-36"})
SEATS = st.integers(1, 4)
AMOUNTS = st.sampled_from((0, 500, 1000, 1500, 2000, 3000, 5000, 20_000, 60_000))
ACTS = st.one_of(
    st.builds(ActionTaken, SEATS, st.sampled_from(("fold", "check", "call", "bet", "raise", "all_in")), AMOUNTS),
    st.builds(
        WordsSpoken, SEATS, st.sampled_from(("check", "call", "raise", "fold", "all_in", "amount")),
        st.none() | AMOUNTS, st.sampled_from(("", "to", "by")), st.sampled_from(("", "", "de")),
    ),
    st.builds(ChipsPushed, SEATS, AMOUNTS),
    st.builds(lambda seat, chips: ChipsPushed(seat, sum(chips), tuple(chips)), SEATS, st.lists(AMOUNTS, min_size=1, max_size=3)),
    st.builds(GestureMade, SEATS, st.sampled_from(("tap", "wave", "cards_forward"))),
    st.builds(BetAnnounced, AMOUNTS),
    st.builds(
        lambda seat, amount: ChipsMoved("pot", f"seat/{seat}", amount, "return", f"seat/{seat}"), SEATS, AMOUNTS
    ),
)  # fmt: skip
START: list[Event] = [
    ButtonPlaced(1), *(PlayerDealtIn(seat, f"p-{seat}", 50_000) for seat in range(1, 5)),
    Posted(2, "small_blind", 500), Posted(3, "big_blind", 1000),
]  # fmt: skip


def _physical(hand: Hand, events: list[Event], seat: int) -> int:
    """Chips of a seat by the movements on record alone."""
    moved = [move for event in events for move in event.moves()]
    place = f"seat/{seat}"
    out = sum(int(move.amount) for move in moved if move.frm == place)
    back = sum(int(move.amount) for move in moved if move.to == place)
    return hand.start[hand.place(seat)] - out + back


@given(st.lists(ACTS, max_size=30), st.sampled_from(("binding_if_unchanged", "by_price", "as_taken")))
@settings(max_examples=examples(250), deadline=None)
def test_every_chip_pushed_counts_or_waits_however_people_act(acts: list[Event], way: str) -> None:
    """What a seat has put into the pot is what its actions count for and what lies apart, less what went back."""
    opened = facts_of_events([_opened(), StakesAnnounced(500, 1000), *START, *acts], 2)
    toml = with_parameters(TOML, {"out_of_turn": way}, GAME)
    hand = _walk(opened, toml)[-1]
    for seat in range(1, 5):
        place = hand.place(seat)
        counts = hand.live[place] + hand.dead[place] + hand.apart[place] - hand.back[place]
        assert hand.start[place] - _physical(hand, [*START, *acts], seat) == counts
    closed = [_opened(), StakesAnnounced(500, 1000), *START, *acts, RoundClosed()]
    verdict = judge_facts(facts_of_events(closed, 2), GAME, toml).verdicts[0]
    assert conserved(verdict.due)
    for finding in verdict.findings:
        assert finding.kind != "corrected" or finding.rule not in _MINE or finding.remedy


def _opened() -> Event:
    return TableOpened(game="holdem", rule_book="NL", currency="CZK", smallest_chip=500)


def _walk(facts: list[Fact], toml: str) -> list[Hand]:
    case = Case.make(SUBJECT, facts, catalogue_of(GAME), editions_of(GAME, toml))
    hands = []
    for step in steps(case, {"holdem": GAME}):
        GAME.expects(step.session)
        if step.session.hand is not None:
            hands.append(step.session.hand)
    return hands


@pytest.mark.parametrize("betting", ["no_limit", "pot_limit", "fixed_limit"])
def test_two_to_nine_players_come_to_an_end_in_every_structure(betting: str) -> None:
    seen = set()
    for seed in range(40):
        told = Told(seed, betting, {})
        facts = told.run()
        assert told.session.hand is not None
        seen.add(len(told.session.hand.seats))
        assert judge_facts(facts, GAME, told.toml).verdicts[0].due.known
    assert seen == set(range(2, 10))


def test_where_records_are_missing_nobody_acted_out_of_turn() -> None:
    """Seat 4 is skipped, by a record that is lost: what follows may be explained by it."""
    events = [_opened(), StakesAnnounced(500, 1000), *START, ActionTaken(1, "call", 1000), RoundClosed()]
    facts = facts_of_events(events, 2)
    findings = judge_facts(facts, GAME, TOML).verdicts[0].findings
    assert [(one.rule, one.code, one.kind) for one in findings if one.rule == "NL-11"] == [
        ("NL-11", "out_of_turn", "corrected")
    ]
    numbered = [replace(fact, sequence=fact.sequence + (fact.sequence > len(facts) - 2)) for fact in facts]
    hole = Hole(facts[0].source, len(facts) - 1, len(facts) - 1)
    findings = judge_facts(numbered, GAME, TOML, holes=[hole]).verdicts[0].findings
    assert [(one.rule, one.code, one.kind) for one in findings if one.rule == "NL-11"] == [
        ("NL-11", "unverified:out_of_turn", "unverified")
    ]
