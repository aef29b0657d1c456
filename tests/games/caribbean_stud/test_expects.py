"""What may come next: who does only that breaks no rule, whatever he chooses."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from events.schema import common as tb
from events.schema.event import Event
from events.schema.fact import Fact
from events.values.cards import DECK
from games.adjudicate import Case, Step, steps
from games.caribbean_stud import GAME
from games.caribbean_stud.state import evolve, open_table
from games.clocks import Clocks
from games.house_rules.edition import read_edition
from games.protocol import Action, Due, Expectation
from games.shared.bank import events as bg
from tests.games.caribbean_stud.room import CATALOGUE, EDITION
from tests.games.table import all_findings, editions_of, facts_of_lines, judge_facts, with_parameters

BONUS = {"cs.bonus.table": {"kind": "odds", "prizes": {"1P": 2, "2P": 5}}}
READINGS: list[dict[str, Any]] = [
    BONUS,
    {**BONUS, "cs.bet_multiple": 1, "cs.bonus.on_exchange": "refund", "cs.max_players": 2},
    {**BONUS, "cs.fold.requires_continuation": True, "cs.ranking": "text_order", "cs.max_payout": 30_000},
    {"cs.bonus.table": {"kind": "fixed", "stake": 500, "prizes": {"AK": 900}}, "cs.bonus.stake_returned": True},
]
OPENED = tb.TableOpened("caribbean_stud", "CS", "CZK", min=10_000, max=50_000, limits={"bonus": (500, 2_000)})


class Walk:
    """Plays rounds by doing one of the things that are expected, picked at random."""

    def __init__(self, seed: int, toml: str) -> None:
        self.rng = Random(seed)
        self.facts: list[Fact] = []
        self.round: str | None = None
        edition = read_edition(toml, GAME.books[0].form)
        self.session = open_table(edition, self._fact(OPENED), (), Clocks())
        self.stakes = 0

    def _fact(self, event: Event) -> Fact:
        number = len(self.facts) + 1
        fact = Fact(
            subject="table/brno/T-1/2026-11-28.1", source="/brno/T-1/terminal", sequence=number, topic=event.TOPIC,
            event=event, occurred_at=1_764_349_200_000 + number * 1000, round=self.round,
        )  # fmt: skip
        self.facts.append(fact)
        return fact

    def say(self, event: Event) -> None:
        self.session = evolve(self.session, self._fact(event))

    def play(self, name: str) -> None:
        self.deck = self.rng.sample(DECK, 52)
        self.seq = 0
        most = min(3, self.session.edition["cs.max_players"])
        boxes = sorted(self.rng.sample(range(1, 7), self.rng.randrange(1, most + 1)))
        self.say(tb.ShuffleStep("riffle", "d-1"))
        self.say(tb.CutMade("d-1", by=f"p-{boxes[-1]}"))
        self.say(bg.CutJoined("d-1"))
        self.round = name
        self.say(tb.RoundOpened())
        self._antes(boxes)
        for _ in range(300):
            if self._step():
                break
        else:
            raise AssertionError(f"the round does not end: {GAME.expects(self.session)}")
        self.round = None

    def _antes(self, boxes: list[int]) -> None:
        for number in boxes:
            ante = self._offered("ante")
            assert ante is not None
            self._stake(number, "ante", self.rng.choice((ante.low, ante.high)) or 0)
            bonus = self._offered("bonus")
            if bonus is not None and self.rng.random() < 0.6:
                self._stake(number, "bonus", self.rng.choice((bonus.low, bonus.high)) or 0)

    def _offered(self, name: str) -> Action | None:
        return next((action for action in GAME.expects(self.session).actions if action.name == name), None)

    def _stake(self, box: int, spot: str, amount: int) -> None:
        self.stakes += 1
        self.say(bg.StakePlaced(f"k{self.stakes}", f"p-{box}", box, spot, amount))

    def _step(self) -> bool:
        """One of the things expected; true once the round is closed."""
        expected = GAME.expects(self.session)
        ways: list[Any] = list(expected.due)
        if not any(action.name == "fee" for action in expected.actions):
            ways += [expected.next_card] if expected.next_card else []
        ways += [action for action in expected.actions if action.name not in ("ante", "bonus")]
        if not ways:
            raise AssertionError(f"nothing is expected: {expected}")
        way = self.rng.choice(ways)
        if isinstance(way, Due):
            self.say(tb.ChipsMoved(way.frm, way.to, way.amount, way.cause, way.stake))
        elif isinstance(way, str):
            self._card(way)
        else:
            return self._act(way)
        return False

    def _card(self, place: str) -> None:
        self.seq += 1
        card = self.deck.pop()
        if place == "burn":
            self.say(tb.CardBurned(card, seq=self.seq))
            return
        held = sum(one.to == "dealer" for one in self.session.round.laid) if self.session.round else 0
        face = "up" if place == "dealer" and held == 4 else "down"
        self.say(bg.CardLaid(place, card, face, seq=self.seq))  # type: ignore[arg-type]

    def _act(self, action: Action) -> bool:
        if action.actor == "dealer":
            self.say(
                {
                    "close the decisions": bg.DecisionsClosed(),
                    "turn the dealer's cards": bg.DealerTurned(),
                    "close the round": tb.RoundClosed(),
                }[action.name]
            )
            return action.name == "close the round"
        box = int(action.actor.removeprefix("box/"))
        if action.name in ("bet", "fee"):
            self._stake(box, action.name, action.add or 0)
        else:
            round_ = self.session.round
            cards = [one.card for one in round_.laid if one.to == f"box/{box}"] if round_ is not None else []
            given = (self.rng.choice(cards),) if action.name == "exchange" else ()
            self.say(bg.Decided(box, action.name, discards=given))
        return False


@pytest.mark.parametrize("seed", range(40))
def test_who_does_only_what_is_expected_breaks_nothing(seed: int) -> None:
    toml = with_parameters(EDITION, READINGS[seed % len(READINGS)], GAME)
    walk = Walk(seed, toml)
    for name in ("1", "2", "3"):
        walk.play(name)
    judgement = judge_facts(walk.facts, GAME, toml)
    assert [one for one in all_findings(judgement) if one.kind != "advisory"] == []
    assert {verdict.settlement for verdict in judgement.verdicts} <= {"agrees", "not_recorded"}
    assert {verdict.standing for verdict in judgement.verdicts} == {"valid"}


# Step by step ---------------------------------------------------------------------------------------------------------

ROUND = """
@+0 TableOpened caribbean_stud CS CZK min=10 max=500
@+1 ShuffleStep riffle d-1
@+2 CutMade d-1 by=p-1
@+3 CutJoined d-1
@+4 #1 RoundOpened
@+5 #1 StakePlaced a1 p-1 1 ante 100
@+10 #1 CardLaid box/1 card=As seq=1
@+11 #1 CardLaid dealer card=Kc seq=2
@+12 #1 CardLaid box/1 card=Qs seq=3
@+13 #1 CardLaid dealer card=Jd seq=4
@+14 #1 CardLaid box/1 card=8s seq=5
@+15 #1 CardLaid dealer card=9h seq=6
@+16 #1 CardLaid box/1 card=7s seq=7
@+17 #1 CardLaid dealer card=4c seq=8
@+18 #1 CardLaid box/1 card=4d seq=9
@+19 #1 CardLaid dealer card=Jc face=up seq=10
@+20 #1 Decided 1 exchange discards=4d
@+21 #1 StakePlaced f1 p-1 1 fee 100
@+22 #1 CardBurned card=2c seq=11
@+23 #1 CardLaid box/1 card=5s seq=12
@+30 #1 StakePlaced b1 p-1 1 bet 150
@+31 #1 StakePlaced b2 p-1 1 bet 50
@+40 #1 DecisionsClosed
@+41 #1 DealerTurned
@+50 #1 ChipsMoved box/f1 float 100 take stake=f1
@+51 #1 ChipsMoved float player/p-1 100 win stake=a1
@+60 #1 RoundClosed
"""


def stepped(text: str = ROUND) -> Iterator[tuple[Step, Expectation]]:
    facts = facts_of_lines(text, CATALOGUE)
    case = Case.make(facts[0].subject, facts, CATALOGUE, editions_of(GAME, EDITION))
    for step in steps(case, {GAME.name: GAME}):
        yield step, GAME.expects(step.session)


def expected_after(name: str, text: str = ROUND) -> Expectation:
    return [expected for step, expected in stepped(text) if type(step.fact.event).__name__ == name][-1]


def test_the_phases_of_a_round() -> None:
    phases = [expected.phase for _step, expected in stepped()]
    assert phases == [
        *["between rounds"] * 4, "antes", "antes", *["deal"] * 9, *["decisions"] * 7, "dealer's hand", "settlement",
        "settlement", "settlement", "between rounds",
    ]  # fmt: skip


def test_where_the_next_card_goes() -> None:
    cards = [expected.next_card for _step, expected in stepped()]
    assert cards[5:16] == ["box/1", *["dealer", "box/1"] * 4, "dealer", ""]
    assert cards[16:20] == ["burn", "burn", "box/1", ""]


def test_what_a_box_may_do() -> None:
    dealt = expected_after("CardLaid", ROUND[: ROUND.index("@+20")])
    assert [(action.name, action.add) for action in dealt.actions] == [
        ("bet", 20_000),
        ("fold", None),
        ("exchange", 10_000),
    ]
    assert expected_after("Decided").actions == (
        Action(actor="box/1", name="fee", low=10_000, high=10_000, add=10_000),
    )
    assert [action.name for action in expected_after("CardLaid").actions] == ["bet", "fold"]
    half = expected_after("StakePlaced", ROUND[: ROUND.index("@+31")])
    assert half.actions[0] == Action(actor="box/1", name="bet", low=5_000, high=5_000, add=5_000)


def test_what_is_due_shrinks_as_it_is_paid() -> None:
    due = [(one.what, one.stake, one.amount) for one in expected_after("DealerTurned").due]
    assert due == [
        ("win", "a1", 10_000), ("return", "a1", 10_000), ("take", "f1", 10_000), ("win", "b1", 75_000),
        ("return", "b1", 15_000), ("win", "b2", 25_000), ("return", "b2", 5_000),
    ]  # fmt: skip
    assert len(expected_after("ChipsMoved").due) == 5


def test_a_misdeal_gives_everything_back_before_the_cards_are_dealt_again() -> None:
    shown = ROUND[: ROUND.index("@+13")] + "@+13 #1 CardShown deal card=Qs place=box/1"
    expected = expected_after("CardShown", shown)
    assert (expected.phase, [one.what for one in expected.due]) == ("misdeal", ["return"])
    back = expected_after("ChipsMoved", shown + "\n@+14 #1 ChipsMoved box/a1 player/p-1 100 return stake=a1")
    assert (back.due, [action.name for action in back.actions]) == ((), ["shuffle, cut and deal again"])
