"""What may come next: who does only what is offered breaks no rule; and the phases of a round."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from events.schema import common as tb
from events.schema.event import Event
from events.schema.fact import Fact
from events.values.cards import DECK, RANKS
from events.values.clock import parse_time
from games.clocks import Clocks
from games.house_rules.edition import read_edition
from games.protocol import Action, Expectation
from games.russian_poker import GAME
from games.russian_poker import events as rp
from games.russian_poker.payouts import analyse
from games.russian_poker.rules import RULES
from games.russian_poker.table import Session
from games.scribe import Scribe
from games.shared.bank import events as bg
from tests.games.russian_poker.room import EDITION
from tests.games.table import all_findings, judge_envelopes
from tests.soaking import examples


class Walk:
    """A table at which chance picks one of the things that `expects` offers, again and again."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(f"walk {seed}")
        self.pen = Scribe("brno/RP-1", "2026-11-28")
        self.envelopes: list[Any] = []
        self.phases: list[str] = []
        self.stakes = 0
        self.shoe: list[str] = []
        opened = tb.TableOpened("russian_poker", "RP", "CZK", min=5_000, max=100_000)
        self.session: Session = GAME.open_table(read_edition(EDITION, RULES.form), self._write(opened), (), Clocks())
        self.say(tb.DealerSeated("s-1"))
        self.say(tb.DeckOpened("d-1"))

    def say(self, event: Event) -> None:
        self.session = GAME.evolve(self.session, self._write(event))

    def _write(self, event: Event) -> Fact:
        envelope = self.pen.say(event, 1)
        self.envelopes.append(envelope)
        return Fact(
            subject=envelope.subject, source=envelope.source, sequence=int(envelope.sequence), topic=envelope.type,
            event=event, occurred_at=parse_time(envelope.time), round=envelope.round,
        )  # fmt: skip

    def round(self, name: str) -> None:
        self.pen.round = name
        self.say(tb.RoundOpened())
        self.shoe = self.rng.sample(DECK, 52)
        for _ in range(300):
            expected = GAME.expects(self.session)
            self.phases.append(expected.phase)
            if expected.phase == "settled":
                break
            self.step(expected)
        else:
            raise AssertionError(f"no end: {self.phases[-5:]}")
        self.say(tb.RoundClosed())
        self.pen.round = None

    def step(self, expected: Expectation) -> None:
        choices: list[Action | str] = list(expected.actions)
        if expected.next_card:
            choices.append("card")
        if expected.due and expected.phase != "decisions":
            choices.append("due")
        assert choices, expected
        choice = self.rng.choice(choices)
        if choice == "due":
            for due in expected.due:
                self.say(tb.ChipsMoved(due.frm, due.to, due.amount, due.cause, due.stake))
        elif choice == "card":
            self.card(expected.next_card)
        elif isinstance(choice, Action):
            self.act(choice)

    def card(self, place: str) -> None:
        if place == "dealer" and GAME.expects(self.session).phase == "another card":
            self.replace()
            return
        coup = self.session.round
        assert coup is not None
        last = place == "dealer" and sum(card.to == "dealer" for card in coup.cards) == 4
        self.say(bg.CardLaid(place, self.shoe.pop(), "up" if last else "down"))

    def replace(self) -> None:
        outcome, coup = analyse(self.session).outcome, self.session.round
        assert outcome is not None
        assert coup is not None
        old = max(outcome.cards, key=lambda card: RANKS.index(card[0]))
        same = [card for card in self.shoe if card[0] == old[0]]
        new = same[0] if same and self.rng.random() < 0.5 else self.shoe[-1]
        self.shoe.remove(new)
        self.say(rp.DealerCardReplaced(old, new, len(coup.replaced) + 1))

    def act(self, action: Action) -> None:
        name, box = action.name, int(action.actor.partition("/")[2] or 0)
        if action.actor == "dealer":
            self.dealer(name)
        elif action.actor == "players":
            self.opening(name, action)
        elif name in ("put down the bet", "put down the fee", "insurance", "another ante"):
            spot = {"put down the bet": "bet", "put down the fee": "fee", "another ante": "rex"}.get(name, name)
            assert action.low is not None
            self.stake(box, spot, self.rng.choice((action.low, action.high or action.low)))
        elif name in ("take the ante", "another card"):
            self.say(rp.AnteElected(box, "take_ante" if name == "take the ante" else "replace_card"))
        elif name == "claim the bonus":
            self.say(rp.BonusClaimed(box, self.held(box)))
        else:
            given = self.held(box)[: self.rng.randrange(2, 6)] if name == "exchange" else ()
            self.say(bg.Decided(box, name, discards=given))

    def dealer(self, name: str) -> None:
        if name == "cut":
            self.say(tb.CutMade("d-1", by="s-1"))
        elif name == "load":
            self.say(bg.DeckLoaded("d-1"))
        elif name == "turn the cards":
            self.say(bg.DealerTurned())
        elif name == "replace the highest card":
            self.replace()
        elif name == "change the deck":
            self.say(tb.DeckOpened("d-1"))
        else:
            self.say(tb.ShuffleStep(name, "d-1"))  # type: ignore[arg-type]

    def opening(self, name: str, action: Action) -> None:
        coup = self.session.round
        assert coup is not None
        anted, backed = coup.boxes("ante"), coup.boxes("bonus")
        if name == "ante":
            free = [box for box in range(1, 5) if box not in anted]
            if free:
                assert action.low is not None
                self.stake(self.rng.choice(free), "ante", self.rng.choice((action.low, action.high or 0, 20_000)))
        else:
            free = [box for box in anted if box not in backed]
            if free:
                assert action.low is not None
                self.stake(self.rng.choice(free), "bonus", action.low)

    def stake(self, box: int, spot: str, amount: int) -> None:
        self.stakes += 1
        self.say(bg.StakePlaced(f"k{self.stakes}", f"p-{box}", box, spot, amount))

    def held(self, box: int) -> tuple[str, ...]:
        own = analyse(self.session).box(box)
        assert own is not None
        return tuple(card.card for card in own.box.dealt)


@pytest.mark.parametrize("seed", range(examples(40)))
def test_who_does_what_is_offered_breaks_no_rule(seed: int) -> None:
    walk = Walk(seed)
    for name in ("1", "2", "3"):
        walk.round(name)
    judgement = judge_envelopes(walk.envelopes, GAME, EDITION)
    # Who insures and then folds gets his insurance back, as the rule says; that is no breach.
    found = [finding for finding in all_findings(judgement) if finding.code != "insurance_folded"]
    assert found == []
    assert [verdict.settlement for verdict in judgement.verdicts] == ["agrees"] * 3


def test_all_phases_are_met() -> None:
    met: set[str] = set()
    for seed in range(40):
        walk = Walk(seed)
        walk.round("1")
        met |= set(walk.phases)
    assert met == {
        "antes", "deal", "decisions", "reveal", "ante or another card", "another card", "settlement", "settled",
    }  # fmt: skip


def test_between_rounds_the_deck_is_made_ready_and_a_closed_table_expects_nothing() -> None:
    walk = Walk(1)
    expected = GAME.expects(walk.session)
    assert expected.phase == "between rounds"
    assert [action.name for action in expected.actions] == ["spread", "ante", "bonus"]
    walk.say(tb.TableClosed())
    assert GAME.expects(walk.session) == Expectation(phase="closed")
