"""What may come next, where the next card goes, what is due; and that nothing offered is a breach."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from events.schema import common as tb
from events.schema.event import Event
from events.schema.fact import Fact
from events.values.cards import DECK
from events.values.clock import parse_time
from games.adjudicate import Case, Step, steps
from games.casino_holdem import GAME
from games.casino_holdem.events import SeenBoxAnnounced
from games.casino_holdem.parameters import PARAMETERS
from games.casino_holdem.rules import RULES
from games.clocks import Clocks
from games.house_rules.edition import read_edition
from games.protocol import Action, Expectation
from games.scribe import Scribe
from games.shared.bank import events as bg
from tests.games.bank.anything import parameters
from tests.games.casino_holdem.room import CATALOGUE, EDITION, TABLE
from tests.games.table import all_findings, editions_of, facts_of_lines, judge_envelopes, with_parameters
from tests.soaking import examples

ROUND = """
@+10 #1 RoundOpened
@+11 #1 SeenBoxAnnounced p-1 1
@+12 #1 StakePlaced k1 p-1 1 ante 100
@+13 #1 StakePlaced k2 p-1 1 blind 100
@+14 #1 StakePlaced k3 p-1 2 ante 200
@+15 #1 StakePlaced k4 p-1 2 blind 200
@+20 #1 CardLaid box/1 card=Ah seq=1
@+21 #1 CardLaid box/2 card=Ac seq=2
@+22 #1 CardLaid dealer card=Qs face=up seq=3
@+23 #1 CardLaid box/1 card=Kd seq=4
@+24 #1 CardLaid box/2 card=Kh seq=5
@+25 #1 CardLaid dealer card=Jc seq=6
@+30 #1 StakePlaced k5 p-1 1 play 350
@+35 #1 CardBurned seq=7
@+36 #1 CardLaid flop card=As face=up seq=8
@+37 #1 CardLaid flop card=Qd face=up seq=9
@+38 #1 CardLaid flop card=7h face=up seq=10
@+45 #1 CardBurned seq=11
@+46 #1 CardLaid turn card=4c face=up seq=12
@+47 #1 CardLaid river card=2s face=up seq=13
@+55 #1 DealerTurned cards=Qs,Jc
"""


def stepped(text: str) -> Iterator[tuple[Step, Expectation]]:
    facts = facts_of_lines(TABLE + text, CATALOGUE)
    case = Case.make(facts[0].subject, facts, CATALOGUE, editions_of(GAME, EDITION))
    for step in steps(case, {GAME.name: GAME}):
        yield step, GAME.expects(step.session)


def last(text: str) -> Expectation:
    return [expected for _step, expected in stepped(text)][-1]


def until(text: str, word: str) -> str:
    """The round up to and with the line that has that word."""
    lines = text.splitlines()
    return "\n".join(lines[: next(number for number, line in enumerate(lines) if word in line) + 1])


def test_the_phases_of_a_round() -> None:
    phases = [expected.phase for _step, expected in stepped(ROUND)]
    assert list(dict.fromkeys(phases)) == [
        "between rounds", "bets", "deal", "window 1", "flop", "window 2", "turn and river", "window 3", "settlement",
    ]  # fmt: skip


def test_every_card_goes_where_it_was_expected() -> None:
    wanted = ""
    dealt = 0
    for step, expected in stepped(ROUND):
        event = step.fact.event
        place = event.to if isinstance(event, bg.CardLaid) else "burn" if isinstance(event, tb.CardBurned) else ""
        if place:
            assert wanted == place
            dealt += 1
        wanted = expected.next_card
    assert dealt == 13


def test_the_deck_is_shuffled_before_it_is_dealt() -> None:
    opened = [expected for _step, expected in stepped("")][1:]
    assert [[action.name for action in one.actions if action.actor == "dealer"] for one in opened] == [
        ["wash"], ["piles"], ["riffle"], [],
    ]  # fmt: skip


def offers(expected: Expectation) -> list[tuple[str, str, int | None]]:
    return [(action.actor, action.name, action.low) for action in expected.actions if action.actor != "dealer"]


def test_play_is_offered_by_window_and_once() -> None:
    first = offers(last(until(ROUND, "seq=6")))
    assert first == [
        ("box/1", "play 3 times", 30_000), ("box/1", "play 4 times", 40_000), ("box/1", "check", None),
        ("box/2", "play 3 times", 60_000), ("box/2", "play 4 times", 80_000), ("box/2", "check", None),
    ]  # fmt: skip
    assert offers(last(until(ROUND, "seq=10"))) == [("box/2", "play 2 times", 40_000), ("box/2", "check", None)]
    assert offers(last(until(ROUND, "seq=13"))) == [("box/2", "play 1 times", 20_000)]


def test_the_excess_goes_back_before_the_hands_are_compared() -> None:
    (back,) = last(until(ROUND, "play 350")).due
    assert (back.what, back.frm, back.to, back.amount) == ("return", "box/k5", "player/p-1", 5_000)
    returned = until(ROUND, "play 350") + "\n@+31 #1 ChipsMoved box/k5 player/p-1 50 return stake=k5"
    assert last(returned).due == ()


def test_boxes_are_settled_from_the_left_and_the_blind_one_is_turned_first() -> None:
    expected = last(ROUND)
    assert [(due.what, due.stake, due.amount) for due in expected.due] == [
        ("win", "k1", 10_000), ("return", "k1", 10_000), ("return", "k2", 10_000), ("win", "k5", 30_000),
        ("return", "k5", 35_000), ("win", "k3", 20_000), ("return", "k3", 20_000), ("return", "k4", 20_000),
    ]  # fmt: skip
    assert [action.name for action in expected.actions] == ["turn the cards of box 1", "settle box 1"]


def test_chips_taken_up_are_owed_by_their_player() -> None:
    losing = ROUND.replace("card=Ah", "card=8h").replace("card=Kd", "card=9d").replace("Jc", "Qh")
    taken = losing.replace("@+45 #1", "@+44 #1 StakeTakenUp k1 p-1 60\n@+45 #1")
    dues = [(due.frm, due.amount) for due in last(taken).due if due.stake == "k1"]
    assert dues == [("box/k1", 4_000), ("player/p-1", 6_000)]


def test_a_void_round_gives_everything_back() -> None:
    flashed = until(ROUND, "seq=10") + "\n@+39 #1 CardShown deal place=dealer"
    expected = last(flashed)
    assert (expected.phase, expected.note) == ("void", "void: dealer_hole_exposed")
    assert sum(due.amount for due in expected.due) == 95_000
    assert {due.what for due in expected.due} == {"return"}


def test_a_misdeal_is_to_be_called() -> None:
    expected = last(until(ROUND, "seq=2") + "\n@+22 #1 CardLaid box/5 card=9d")
    assert (expected.phase, expected.actions[0].name) == ("misdeal", "call the deal off")


# Whoever does only what is offered breaks nothing ---------------------------------------------------------------------


class Obedient:
    """A table at which only what `expects` offers is done, chosen at random."""

    def __init__(self, rng: Random, chosen: dict[str, Any]) -> None:
        self.rng, self.pen = rng, Scribe("brno/CH-9", "2026-11-28")
        self.toml = with_parameters(EDITION, chosen, GAME)
        self.said: list[Any] = []
        self.stakes = 0
        opened = tb.TableOpened(
            "casino_holdem", "CH", "CZK", min=500, max=20_000, limits={"trips": (100, 5_000)}, seats=6
        )
        edition = read_edition(self.toml, RULES.form)
        self.session = GAME.open_table(edition, self._write(opened), (), Clocks())

    def _write(self, event: Event) -> Fact:
        envelope = self.pen.say(event, 1)
        self.said.append(envelope)
        return Fact(
            subject=envelope.subject, source=envelope.source, sequence=int(envelope.sequence), topic=envelope.type,
            event=event, occurred_at=parse_time(envelope.time), round=envelope.round,
        )  # fmt: skip

    def say(self, event: Event) -> None:
        self.session = GAME.evolve(self.session, self._write(event))

    def stake(self, player: str, box: int, spot: str, amount: int) -> None:
        self.stakes += 1
        self.say(bg.StakePlaced(f"k{self.stakes}", player, box, spot, amount))

    def play(self, name: str) -> None:
        rng = self.rng
        deck = rng.sample(DECK, 52)
        self.prepare()
        self.pen.round = name
        self.say(tb.RoundOpened())
        self.bets()
        for _ in range(200):
            expected = GAME.expects(self.session)
            if expected.phase == "settled":
                break
            if expected.phase.startswith("window") and self.someone_acts(expected):
                continue
            if expected.due and not expected.next_card:
                self.pay(expected)
            elif expected.next_card == "burn":
                self.say(tb.CardBurned(deck.pop()))
            elif expected.next_card:
                face = self.face(expected.next_card)
                self.say(bg.CardLaid(expected.next_card, deck.pop(), face))  # type: ignore[arg-type]
            else:
                self.say(bg.DealerTurned())
        self.say(tb.RoundClosed())
        self.pen.round = None

    def prepare(self) -> None:
        while names := [action.name for action in GAME.expects(self.session).actions if action.actor == "dealer"]:
            self.say(tb.CutMade("d-1") if names[0] == "cut" else tb.ShuffleStep(names[0], "d-1"))  # type: ignore[arg-type]

    def bets(self) -> None:
        rng = self.rng
        ante, trips = GAME.expects(self.session).actions[:2]
        most = GAME.books[0].form.parameters["max_boxes"].default
        for box in sorted(rng.sample(range(1, most + 1), rng.randrange(1, 4))):
            player = f"p-{rng.choice((box, box, 1))}"
            amount = rng.choice((ante.low, ante.high, 700)) or 700
            self.say(SeenBoxAnnounced(player, box))
            self.stake(player, box, "ante", amount)
            self.stake(player, box, "blind", amount)
            if rng.random() < 0.4:
                self.stake(player, box, "trips", rng.choice((trips.low, trips.high, 300)) or 300)

    def face(self, place: str) -> str:
        coup = self.session.coup
        assert coup is not None
        first = place == "dealer" and not any(card.to == "dealer" for card in coup.cards)
        up = self.session.edition["dealer_first_card_face_up"] if first else place in ("flop", "turn", "river")
        return "up" if up else "down"

    def someone_acts(self, expected: Expectation) -> bool:
        """One of the boxes takes one of its offers; a check only says so, and the window goes on without it."""
        open_ones = [action for action in expected.actions if action.actor != "dealer" and action.name != "check"]
        if not open_ones or self.rng.random() < 0.5:
            return False
        action: Action = self.rng.choice(open_ones)
        box = int(action.actor.partition("/")[2])
        coup = self.session.coup
        assert coup is not None
        owner = next(stake.player for stake in coup.stakes if stake.box == box)
        if action.name == "fold":
            self.say(bg.Decided(box, "fold"))
        else:
            assert action.low is not None
            self.stake(owner, box, "play", action.low)
        return True

    def pay(self, expected: Expectation) -> None:
        """One payment, its box's cards turned before if that is asked for."""
        turns = [action.name for action in expected.actions if action.name.startswith("turn the cards")]
        if turns:
            self.say(bg.BoxTurned(int(turns[0].rpartition(" ")[2])))
            return
        due = expected.due[0]
        self.say(tb.ChipsMoved(due.frm, due.to, due.amount, due.cause, due.stake))


@settings(max_examples=examples(60), deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 10**6), parameters(PARAMETERS, payout_unit=(1, 100)))
def test_who_does_only_what_is_offered_breaks_nothing(seed: int, chosen: dict[str, Any]) -> None:
    table = Obedient(Random(seed), chosen)
    for number in range(2):
        table.play(str(number + 1))
    judgement = judge_envelopes(table.said, GAME, table.toml)
    assert [finding for finding in all_findings(judgement) if finding.kind != "advisory"] == []
    for verdict in judgement.verdicts:
        assert (verdict.standing, verdict.settlement) == ("valid", "agrees")
