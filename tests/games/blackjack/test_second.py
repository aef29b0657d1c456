"""Totals and outcomes against a second implementation, over whole small decks."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement, product

import pytest

from events.schema import common as tb
from events.schema.event import Event
from events.schema.fact import Fact
from games.blackjack import GAME
from games.blackjack import events as bj
from games.blackjack.payouts import analyse
from games.blackjack.totals import total
from games.clocks import Clocks
from games.shared.bank import events as bg
from tests.games.blackjack import second
from tests.games.blackjack.room import SHIPPED
from tests.soaking import FACTOR

RANKS = "A23456789TJQK"
STAKE = 100


def test_totals_of_all_hands_of_up_to_six_ranks() -> None:
    count = 0
    for length in range(1, 7):
        for ranks in combinations_with_replacement(RANKS, length):
            assert total([rank + "s" for rank in ranks]).points == second.total(list(ranks)), ranks
            count += 1
    assert count == 27_131


def hits_below(points: int) -> second.Choose:
    return lambda cards, _up, _hands, _split: "hit" if second.total(cards) < points else "stand"


STRATEGIES: dict[str, second.Choose] = {
    "hits below 17": hits_below(17),
    "hits below 21": hits_below(21),
    "splits all it can": lambda cards, _up, hands, _split: (
        "split" if hands < 4 and len(cards) == 2 and second.POINTS[cards[0]] == second.POINTS[cards[1]] else "stand"
    ),
    "splits, then doubles": lambda cards, _up, hands, _split: (
        "split" if hands < 3 and cards[0] == cards[-1] and len(cards) == 2 else "double"
    ),
    "surrenders": lambda _cards, _up, _hands, _split: "surrender",
}
CASES = [(name, insure, even) for name in STRATEGIES for insure, even in ((False, False), (True, True))]


class Told:
    """A round's records, folded as they come."""

    def __init__(self) -> None:
        opened = tb.TableOpened("blackjack", "BJ", "CZK", min=1, max=1000)
        self.count = 0
        self.session = GAME.open_table(SHIPPED, self.fact(opened, None), (), Clocks())
        self.say(tb.RoundOpened())
        self.say(bg.StakePlaced("k", "p", 1, "bet", STAKE))
        self.say(tb.NoMoreBets())

    def fact(self, event: Event, round_: str | None = "1") -> Fact:
        self.count += 1
        return Fact(
            subject="table/brno/T-1/2026-11-28.1", source="/brno/T-1/terminal", sequence=self.count,
            topic=event.TOPIC, event=event, occurred_at=1000 * self.count, round=round_,
        )  # fmt: skip

    def say(self, event: Event) -> None:
        self.session = GAME.evolve(self.session, self.fact(event))

    def tell(self, what: str, place: str) -> None:
        """A card or a decision of the second implementation, as a record."""
        hand = int(place.partition(".")[2] or 1)
        if what in RANKS:
            self.say(bg.CardLaid(place, what + "cdhs"[self.count % 4], "up"))
        elif what == "offer":
            self.say(bj.EvenMoneyOffered(1))
        elif what == "insure":
            self.say(bg.StakePlaced("i", "p", 1, "insurance", STAKE // 2))
        else:
            self.say(bg.Decided(1, what, "p", hand, signal="gesture"))
            if what in ("double", "split"):
                self.say(bg.StakePlaced(f"x{self.count}", "p", 1, what, STAKE, hand=hand))


@pytest.mark.parametrize(("name", "insure", "even"), CASES)
def test_every_shoe_of_a_small_deck_comes_to_the_same_money(name: str, insure: bool, even: bool) -> None:
    ranks, length = ("A57T", 6) if FACTOR == 1 else ("A2678T", 7)
    played = 0
    known = {"contested:BJ-A01"}
    for shoe in product(ranks, repeat=length):
        done = second.play([*shoe, *"9857T4699T"], STRATEGIES[name], insure, even)
        if done.net is None:
            continue
        told = Told()
        for what, place in done.log:
            told.tell(what, place)
        analysis = analyse(told.session)
        settlement = analysis.settlement
        assert settlement.known, (shoe, done.log)
        assert settlement.nets().get("p", 0) == done.net * STAKE, (shoe, done.log)
        found = {mark.code for mark in analysis.marks if mark.kind != "unverified"}
        assert found <= known, (shoe, done.log, found)
        assert analysis.play is not None
        assert analysis.play.left == []
        played += 1
    assert played == len(ranks) ** length


def test_the_second_implementation_knows_the_catalogues_examples() -> None:
    stand = hits_below(0)
    assert second.play(list("A7K"), stand).net == Fraction(3, 2)
    assert second.play(list("AKKA"), stand).net == 0
    assert second.play(list("7T77T"), hits_below(21)).net == 2
    assert second.play(list("6T56A"), hits_below(17)).net == -1
