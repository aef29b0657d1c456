"""A second settlement, written from the catalogue's tables without the room's code, against 100,000 random deals."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from events.schema import common as tb
from events.schema.event import Event
from events.schema.fact import Fact
from events.values.cards import DECK
from games.caribbean_stud import GAME
from games.caribbean_stud.hands import code_of, qualifies, strength
from games.caribbean_stud.payouts import analyse
from games.caribbean_stud.state import evolve, open_table
from games.caribbean_stud.table import Session
from games.clocks import Clocks
from games.house_rules.edition import Edition, read_edition
from games.shared.bank import events as bg
from tests.games.caribbean_stud.room import EDITION, SHIPPED
from tests.games.table import with_parameters
from tests.soaking import examples

ORDER = "23456789TJQKA"
PAYS = {"RF": 100, "SF": 50, "4K": 20, "FH": 7, "FL": 5, "ST": 4, "3K": 3, "2P": 2, "1P": 1, "AK": 1}
STRENGTH = ["HC", "AK", "1P", "2P", "3K", "ST", "FL", "FH", "4K", "SF", "RF"]
PRIZES = {"FL": 100_000, "FH": 150_000, "4K": 500_000, "SF": 1_000_000, "RF": 2_000_000}
Money = tuple[int, int, int]


def ranked(cards: list[str]) -> tuple[int, list[int], str]:
    """Category, then ranks by count and height; the straightforward way."""
    ranks = sorted((ORDER.index(card[0]) for card in cards), reverse=True)
    counts = Counter(ranks)
    groups = sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True)
    shape = sorted(counts.values(), reverse=True)
    flush = len({card[1] for card in cards}) == 1
    wheel = ranks == [12, 3, 2, 1, 0]
    straight = wheel or (shape == [1] * 5 and ranks[0] - ranks[4] == 4)
    if straight:
        groups = [3] if wheel else [ranks[0]]
    if straight and flush:
        code = "RF" if groups == [12] else "SF"
    elif shape == [4, 1]:
        code = "4K"
    elif shape == [3, 2]:
        code = "FH"
    elif flush:
        code = "FL"
    elif straight:
        code = "ST"
    elif shape == [3, 1, 1]:
        code = "3K"
    elif shape == [2, 2, 1]:
        code = "2P"
    elif shape == [2, 1, 1, 1]:
        code = "1P"
    else:
        code = "AK" if {12, 11} <= set(ranks) else "HC"
    return STRENGTH.index(code), groups, code


def settled(box: dict[str, Any], dealer: list[str]) -> dict[str, Money]:
    """`[taken, returned, paid]` by spot (CS-09, CS-11 to CS-15), prizes as in `PRIZES`."""
    ante, bonus = box["ante"], box["bonus"]
    bet, fee = 2 * ante, ante if box["exchange"] else 0
    lines: dict[str, Money] = {"fee": (fee, 0, 0)} if fee else {}
    if box["fold"]:
        lines["ante"] = (ante, 0, 0)
        if bonus:
            lines["bonus"] = (bonus, 0, 0)
        return lines
    own, other = ranked(box["hand"]), ranked(dealer)
    beaten = other[2] != "HC" and other[:2] > own[:2]
    if other[2] == "HC":
        lines |= {"ante": (0, ante, ante), "bet": (0, bet, 0)}
    elif beaten:
        lines |= {"ante": (ante, 0, 0), "bet": (bet, 0, 0)}
    elif own[:2] == other[:2]:
        lines |= {"ante": (0, ante, 0), "bet": (0, bet, 0)}
    else:
        lines |= {"ante": (0, ante, ante), "bet": (0, bet, PAYS[own[2]] * bet)}
    if bonus:
        prize = 0 if fee or beaten else PRIZES.get(own[2], 0)
        lines["bonus"] = (bonus, 0, prize)
    return lines


class Table:
    """Rounds put on a table by hand, without shuffle and payments, which the settlement does not ask for."""

    def __init__(self, edition: Edition) -> None:
        self.number = 0
        self.session: Session = open_table(
            edition, self.fact(tb.TableOpened("caribbean_stud", "CS", "CZK")), (), Clocks()
        )

    def fact(self, event: Event) -> Fact:
        self.number += 1
        return Fact(
            subject="table/brno/CS-1/2026-11-28.1", source="/t", sequence=self.number, topic=event.TOPIC, event=event,
            occurred_at=self.number * 1000, round=str(self.number) if isinstance(event, tb.RoundOpened) else None,
        )  # fmt: skip

    def say(self, *events: Event) -> None:
        for event in events:
            self.session = evolve(self.session, self.fact(event))

    def play(self, boxes: dict[int, dict[str, Any]], dealer: list[str]) -> dict[str, Money]:
        self.say(tb.RoundOpened())
        for number, box in boxes.items():
            self.say(bg.StakePlaced(f"{number}ante", f"p-{number}", number, "ante", box["ante"]))
            if box["bonus"]:
                self.say(bg.StakePlaced(f"{number}bonus", f"p-{number}", number, "bonus", box["bonus"]))
        for turn in range(5):
            for number, box in boxes.items():
                self.say(bg.CardLaid(f"box/{number}", box["dealt"][turn]))
            self.say(bg.CardLaid("dealer", dealer[turn], "up" if turn == 4 else "down"))
        for number, box in boxes.items():
            if box["exchange"]:
                given, burned, got = box["exchange"]
                self.say(bg.Decided(number, "exchange", discards=(given,)))
                self.say(bg.StakePlaced(f"{number}fee", f"p-{number}", number, "fee", box["ante"]))
                self.say(tb.CardBurned(burned), bg.CardLaid(f"box/{number}", got))
        for number, box in boxes.items():
            if box["fold"]:
                self.say(bg.Decided(number, "fold"))
            else:
                self.say(bg.StakePlaced(f"{number}bet", f"p-{number}", number, "bet", 2 * box["ante"]))
        self.say(bg.DecisionsClosed(), bg.DealerTurned(tuple(dealer)))
        settlement = analyse(self.session).settlement
        assert settlement.known
        return {line.stake: (line.taken, line.returned, line.paid) for line in settlement.lines}


def test_a_second_settlement_agrees_on_every_stake_of_random_deals() -> None:
    table = {"cs.bonus.table": {"kind": "fixed", "prizes": PRIZES}}
    played = Table(read_edition(with_parameters(EDITION, table, GAME), GAME.books[0].form))
    rng, hands = Random(4), 0
    while hands < examples(100_000):
        count = rng.choice((1, 3, 6, 6, 6))
        deck = rng.sample(DECK, 52)
        dealer, deck = deck[:5], deck[5:]
        boxes = {}
        for number in range(1, count + 1):
            dealt, deck = deck[:5], deck[5:]
            hand, exchange = list(dealt), None
            if rng.random() < 0.3:
                at = rng.randrange(5)
                exchange, deck = (hand[at], deck[0], deck[1]), deck[2:]
                hand[at] = exchange[2]
            boxes[number] = {
                "ante": 100 * rng.randrange(1, 50), "bonus": rng.choice((0, 2_000)), "dealt": dealt, "hand": hand,
                "exchange": exchange, "fold": rng.random() < 0.2,
            }  # fmt: skip
        got = played.play(boxes, dealer)
        wanted = {
            f"{number}{spot}": money for number, box in boxes.items() for spot, money in settled(box, dealer).items()
        }
        assert got == wanted
        hands += count


@pytest.mark.parametrize("seed", range(4))
def test_a_second_ranking_agrees_on_100_000_random_deals(seed: int) -> None:
    rng = Random(seed)
    for _ in range(25_000):
        cards = rng.sample(DECK, 10)
        one, other = ranked(cards[:5]), ranked(cards[5:])
        assert (code_of(cards[:5]), code_of(cards[5:])) == (one[2], other[2])
        assert qualifies(cards[5:]) == (other[2] != "HC")
        apart = strength(cards[:5]) - strength(cards[5:])
        assert (apart > 0) == (one[:2] > other[:2])
        assert (apart == 0) == (one[:2] == other[:2])


def test_by_the_hand_list_only_flush_and_full_house_change_places() -> None:
    rng = Random(9)
    hands = [rng.sample(DECK, 5) for _ in range(3_000)]
    hands += [["As", "Qs", "8s", "7s", "5s"], ["7s", "5s", "4s", "3s", "2s"], ["Jc", "Jd", "Jh", "2c", "2d"]]
    hands += [["2c", "2d", "2h", "3c", "3d"], ["Ac", "Ad", "Ah", "Kc", "Kd"], ["9c", "9d", "9h", "9s", "2c"]]
    by_text = {code: place for place, code in enumerate([*STRENGTH[:6], "FH", "FL", *STRENGTH[8:]])}
    for one, other in zip(hands, hands[1:] + hands[:1], strict=True):
        mine, his = ranked(one), ranked(other)
        apart = strength(one, "text_order") - strength(other, "text_order")
        wanted = ((by_text[mine[2]], mine[1]) > (by_text[his[2]], his[1])) - (
            (by_text[mine[2]], mine[1]) < (by_text[his[2]], his[1])
        )
        assert (apart > 0) - (apart < 0) == wanted


def test_the_shipped_pay_table_is_the_catalogues() -> None:
    assert SHIPPED.constants.pays == PAYS
