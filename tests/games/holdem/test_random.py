"""Random tables, legal and illegal: money conserved, no exception, `expects` keeps to the rules, judged twice equal."""

from __future__ import annotations

import itertools
from random import Random
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from events.schema.common import CardBurned, ChipsMoved, RoundClosed, RoundOpened, TableOpened
from events.schema.event import Event
from events.schema.fact import Fact
from events.schema.ours import HandImported
from events.values.cards import DECK
from games.adjudicate import Case, steps
from games.clocks import Clocks
from games.holdem import GAME
from games.holdem.dealer import shipped_edition
from games.house_rules.edition import read_edition
from games.protocol import Action
from games.registry import shipped_editions
from games.settlement import conserved
from games.shared.poker.events import (
    ActionTaken,
    BoardDealt,
    ButtonPlaced,
    CardDealt,
    CardExposed,
    ChipsPushed,
    HandKilled,
    HandMucked,
    HandsDealt,
    HandShown,
    HoleDealt,
    LineUp,
    MisdealDeclared,
    PlayerDealtIn,
    Posted,
    StakesAnnounced,
    WordsSpoken,
)
from games.shared.poker.hand import BOARD_CARDS, STREETS
from tests.games.table import all_findings, catalogue_of, editions_of, judge_facts, with_parameters
from tests.soaking import examples

TOML = shipped_edition().toml
SUBJECT = "table/brno/NL-9/2026-11-28.1"
SEATS = range(1, 10)


def facts_of_events(events: list[Event], opened: int) -> list[Fact]:
    """The first `opened` events lie before hand 1."""
    return [
        Fact(
            subject=SUBJECT, source="/brno/NL-9/terminal", sequence=number + 1, topic=event.TOPIC, event=event,
            occurred_at=1_700_000_000_000 + 1000 * number, round=None if number < opened else "1",
        )
        for number, event in enumerate(events)
    ]  # fmt: skip


class Dealt:
    """A hand dealt at random by what `expects` offers."""

    def __init__(self, seed: int, parameters: dict[str, Any]) -> None:
        self.rng = Random(seed)
        self.toml = with_parameters(TOML, parameters, GAME)
        self.events: list[Event] = []
        edition = read_edition(self.toml, GAME.books[0].form)
        opened = TableOpened(game="holdem", rule_book="NL", currency="CZK", smallest_chip=500)
        self.events.append(opened)
        self.session = GAME.open_table(edition, facts_of_events([opened], 1)[0], (), Clocks())
        self.say(StakesAnnounced(small_blind=500, big_blind=1000), named=False)
        self.deck = list(DECK)
        self.rng.shuffle(self.deck)

    def say(self, event: Event, *, named: bool = True) -> None:
        self.events.append(event)
        fact = Fact(
            subject=SUBJECT, source="", sequence=1, topic=event.TOPIC, event=event, occurred_at=0,
            round="1" if named else None,
        )  # fmt: skip
        self.session = GAME.evolve(self.session, fact)

    def run(self) -> list[Fact]:
        seats = sorted(self.rng.sample(SEATS, self.rng.randrange(2, 10)))
        self.say(RoundOpened())
        self.say(ButtonPlaced(self.rng.choice(seats)))
        for seat in seats:
            self.say(PlayerDealtIn(seat, f"p-{seat}", 500 * self.rng.choice((1, 2, 3, 7, 20, 41, 200))))
        for due in GAME.expects(self.session).due:
            self.say(Posted(int(due.frm[5:]), due.what, due.amount))  # type: ignore[arg-type]
        for _step in range(400):
            next_ = GAME.expects(self.session)
            if next_.phase == "dealing":
                for seat in seats:
                    self.say(HoleDealt(seat, (self.deck.pop(), self.deck.pop())))
            elif next_.phase == "showdown":
                seat = int(next_.actor[5:])
                assert self.session.hand is not None
                place = self.session.hand.place(seat)
                names = [action.name for action in next_.actions]
                if "muck" in names and self.rng.random() < 0.3 and self.session.hand.shows:
                    self.say(HandMucked(seat))
                else:
                    self.say(HandShown(seat, self.session.hand.hole[place]))
            elif next_.actor:
                self.act(self.rng.choice(next_.actions))
            elif next_.next_card == "burn":
                self.say(CardBurned())
            elif next_.next_card:
                street = STREETS.index(next_.next_card)
                count = BOARD_CARDS[street] - BOARD_CARDS[street - 1]
                self.say(BoardDealt(next_.next_card, tuple(self.deck.pop() for _card in range(count))))  # type: ignore[arg-type]
            elif next_.due:
                for due in next_.due:
                    cause = {"award": "award", "rake": "rake"}.get(due.what, "return")
                    self.say(ChipsMoved(due.frm, due.to, due.amount, cause, due.stake))  # type: ignore[arg-type]
            else:
                break
        self.say(RoundClosed())
        return facts_of_events(self.events, 2)

    def act(self, action: Action) -> None:
        assert self.session.hand is not None
        seat = int(action.actor[5:])
        front = self.session.hand.bets.front[self.session.hand.place(seat)]
        total = front
        if action.low is not None and action.high is not None:
            total = self.rng.choice((action.low, action.high, self.rng.randint(action.low, action.high)))
        self.say(ActionTaken(seat, action.name, total - front))  # type: ignore[arg-type]


PARAMETERS = st.fixed_dictionaries(
    {},
    optional={
        "min_raise_rule": st.sampled_from(["double_bet_to_match", "last_increment"]),
        "heads_up_blinds": st.sampled_from(["text_order", "button_small_blind"]),
        "short_all_in_accumulates": st.booleans(),
        "rake_allocation": st.sampled_from(["main_pot_first", "proportional"]),
        "rake_base": st.sampled_from(["contested_pot", "all_chips_in"]),
        "rake_rounding": st.sampled_from(["floor_to_smallest_chip", "nearest", "floor_1_czk"]),
        "raise_size": st.sampled_from(["at_least_double", "exactly_double"]),
        "showdown_order_scope": st.sampled_from(["hand", "last_round"]),
        "showdown_muck_allowed": st.booleans(),
        "no_flop_no_drop": st.booleans(),
        "table_max_bet": st.sampled_from([None, 50]),
    },
)


@given(st.integers(0, 2**32), PARAMETERS)
@settings(max_examples=examples(150), deadline=None)
def test_what_is_expected_is_never_a_breach(seed: int, parameters: dict[str, Any]) -> None:
    dealt = Dealt(seed, parameters)
    judgement = judge_facts(dealt.run(), GAME, dealt.toml)
    verdict = judgement.verdicts[0]
    assert all_findings(judgement) == []
    assert (verdict.standing, verdict.settlement) == ("valid", "agrees")
    assert conserved(verdict.due)
    assert sum(verdict.due.nets().values()) == -verdict.due.rake


CARD = st.sampled_from((*DECK, "??"))
SEAT = st.integers(1, 4)
AMOUNT = st.sampled_from((0, 1, 500, 1000, 1500, 7000, 10**9))
ANYTHING = st.one_of(
    st.builds(ActionTaken, SEAT, st.sampled_from(("fold", "check", "call", "bet", "raise", "all_in")), AMOUNT),
    st.builds(ActionTaken, SEAT, st.sampled_from(("call", "bet", "raise")), AMOUNT),
    st.builds(ChipsPushed, SEAT, AMOUNT, st.lists(AMOUNT, max_size=3).map(tuple)),
    st.builds(
        WordsSpoken, SEAT, st.sampled_from(("check", "call", "raise", "fold", "all_in", "amount")),
        st.none() | AMOUNT, st.sampled_from(("", "to", "by")), st.sampled_from(("", "de")),
    ),
    st.builds(Posted, SEAT, st.sampled_from(("small_blind", "big_blind", "ante", "straddle", "dead_small_blind")), AMOUNT),
    st.builds(HoleDealt, SEAT, st.tuples(CARD, CARD)),
    st.builds(CardDealt, st.sampled_from(("seat/1", "seat/4", "flop", "turn", "river", "burn", "muck")), CARD),
    st.builds(
        BoardDealt, st.sampled_from(("flop", "turn", "river")), st.lists(CARD, max_size=4).map(tuple),
        st.integers(1, 2), st.booleans(),
    ),
    st.builds(CardExposed, st.sampled_from(("seat/1", "seat/2", "board")), st.sampled_from(("player", "dealer"))),
    st.builds(HandShown, SEAT, st.lists(CARD, max_size=3).map(tuple)),
    st.builds(HandMucked, SEAT),
    st.builds(HandKilled, SEAT, st.just("dealer"), st.none() | st.booleans()),
    st.builds(PlayerDealtIn, SEAT, st.sampled_from(("p-1", "p-2")), st.none() | AMOUNT),
    st.builds(ButtonPlaced, SEAT),
    st.builds(StakesAnnounced, AMOUNT, AMOUNT, st.sampled_from(("no_limit", "pot_limit", "fixed_limit"))),
    st.builds(
        ChipsMoved, st.just("pot"), st.sampled_from(("seat/1", "seat/3", "rake", "seat/x", "float")), AMOUNT,
        st.sampled_from(("return", "award", "rake")),
    ),
    st.builds(
        LineUp, st.lists(SEAT, max_size=3).map(tuple), st.lists(st.just("p-1"), max_size=3).map(tuple),
        st.lists(st.none() | AMOUNT, max_size=3).map(tuple), st.none() | SEAT,
    ),
    st.builds(HandsDealt, st.lists(SEAT, max_size=3).map(tuple), st.lists(CARD, max_size=6).map(tuple)),
    st.just(MisdealDeclared()),
    st.just(CardBurned()),
    st.just(RoundClosed()),
)  # fmt: skip
START = st.sampled_from([
    [],
    [ButtonPlaced(1), *(PlayerDealtIn(seat, f"p-{seat}", 10_000) for seat in (1, 2, 3))],
    [
        ButtonPlaced(1), *(PlayerDealtIn(seat, f"p-{seat}", 10_000) for seat in (1, 2, 3)),
        Posted(2, "small_blind", 500), Posted(3, "big_blind", 1000),
        HoleDealt(1, ("Ah", "Ad")), HoleDealt(2, ("Kh", "Kd")), HoleDealt(3, ("Qh", "Qd")),
    ],
])  # fmt: skip


def _imported() -> str:
    return next(toml for room, file, toml in shipped_editions() if room == "holdem" and file == "import.toml")


@example(start=[], rest=[ActionTaken(1, "fold"), WordsSpoken(2, "check"), Posted(1, "ante", 1)], imported=False).via(
    "who put nothing in won the pot and had no line"
)
@given(START, st.lists(ANYTHING, max_size=25), st.booleans())
@settings(max_examples=examples(150), deadline=None)
def test_whatever_comes_is_judged_without_an_exception(start: list[Event], rest: list[Event], imported: bool) -> None:
    opened: Event = TableOpened(game="holdem", rule_book="NL", currency="CZK", smallest_chip=500)
    toml = TOML
    if imported:
        toml = _imported()
        opened = HandImported(
            game="holdem", rule_book="NL", currency="XXX", format="phh", reader=1, sha256="0" * 64, text="",
            time_known=False,
        )  # fmt: skip
    events = [opened, StakesAnnounced(small_blind=500, big_blind=1000), RoundOpened(), *start, *rest]
    facts = facts_of_events(events, 2)
    once, again = judge_facts(facts, GAME, toml), judge_facts(facts, GAME, toml)
    assert once == again
    verdict = once.verdicts[0]
    assert conserved(verdict.due)
    _steps_agree(facts, toml, verdict.due.lines)


def _steps_agree(facts: list[Fact], toml: str, lines: tuple[Any, ...]) -> None:
    """The stepper folds with `evolve`: what stood before stays as it was, and it comes to the same end."""
    case = Case.make(SUBJECT, facts, catalogue_of(GAME), editions_of(GAME, toml))
    walked = list(steps(case, {"holdem": GAME}))
    before = [repr(step.before) for step in walked]
    for step in walked:
        GAME.expects(step.session)
    assert [repr(step.before) for step in walked] == before
    for one, other in itertools.pairwise(walked):
        assert one.session == other.before
    hand = walked[-1].session.hand
    staked = {line.stake: line.staked for line in lines if line.staked}
    assert staked == {
        f"seat/{seat}": live + dead + ante
        for seat, live, dead, ante in zip(hand.seats, hand.live, hand.dead, hand.antes, strict=True)
        if live + dead + ante
    }


@pytest.mark.parametrize("seed", range(5))
def test_a_picture_can_be_drawn_of_every_step(seed: int) -> None:
    from games.picture import Viewpoint

    facts = Dealt(seed, {}).run()
    case = Case.make(SUBJECT, facts, catalogue_of(GAME), editions_of(GAME, TOML))
    for step in steps(case, {"holdem": GAME}):
        for viewpoint in (Viewpoint(), Viewpoint(all_knowing=True), Viewpoint(seat="1")):
            assert GAME.picture(step.session, viewpoint)
