"""The vectors of blackjack.md about the shoe: cut, burns, the dealer's drawing, the cutting card, what it may hold."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from events.schema import common as tb
from games.blackjack import events as bj
from games.blackjack.shoe import cutter_due
from games.blackjack.totals import dealer_stands, total
from tests.vectors.blackjack_judged import ROUND, codes, deal, found, judgement_of, same, standing
from tests.vectors.blackjack_table import Given, Table
from tests.vectors.reading import Vector


def cut(given: Given, expect: Vector) -> Iterator[str]:
    good = []
    for depth in given["cards_in_front"]:
        table = Table(given.get("config", {}))
        table.shoe(depth=depth)
        _one_round(table)
        good.append("improper_cut_used" not in found(judgement_of(table)))
    yield from same("ok", expect.get("ok"), good)


def _one_round(table: Table, name: str = ROUND) -> None:
    table.open(name)
    table.stake(1, "P1", 10000)
    table.call()
    deal(table, lambda _place: ["10", "8"])
    table.close()


def burn(given: Given, expect: Vector) -> Iterator[str]:
    breach, moved = [], 0
    for event in given["events"]:
        table = Table(given.get("config", {}))
        count, down = event["count"], event.get("face_down", True)
        if event["reason"] == "shuffle":
            table.shoe(burned=count, face_down=down)
        else:
            table.shoe()
            _one_round(table, "0")
            table.say(tb.DealerSeated("s-2"))
            table.burn(count, "dealer change", face_down=down)
            if event["cards_left"] == 0:
                table.shoe()
        _one_round(table)
        judgement = judgement_of(table)
        breach.append("burn_breach" in found(judgement))
        moved += sum(line.net for line in judgement.verdicts[-1].due.lines) + 10000  # it loses with 18 against 19
    yield from same("breach", expect.get("breach"), breach)
    yield from same("money", expect.get("money"), moved)


def dealer(given: Given, expect: Vector) -> Iterator[str]:
    """The dealer's cards in an order in which he may draw them all; what he does then."""
    actions = []
    for hand in given["hands"]:
        order = next((own for own in permutations(hand) if _drawn_so(own)), tuple(hand))
        table = Table(given.get("config", {}))
        table.shoe()
        table.open(ROUND)
        table.stake(1, "P1", 10000)
        table.call()
        deal(table, lambda _place: ["10", "8"], order)
        waits = table.waits
        actions.append("draw" if waits is not None and waits.place == "dealer" else "stand")
    yield from same("action", expect.get("action"), actions)


def _drawn_so(cards: tuple[str, ...]) -> bool:
    """Whether a dealer may draw these cards in this order; nothing but arithmetic."""
    ranks = ["T" if card == "10" else card for card in cards]
    return all(not dealer_stands(ranks[:count]) for count in range(1, len(ranks))) and total(ranks).points > 0


def cutting_card(given: Given, expect: Vector) -> Iterator[str]:
    table = Table(given.get("config", {}))
    owners = {int(box): player for box, player in given["owners"].items()}
    for box, player in owners.items():
        table.own(box, player)
    table.shoe()
    cutter = ""
    for number in range(1, given["rounds_dealt"] + 1):
        table.open(str(number))
        for box, player in owners.items():
            table.stake(box, player, 10000)
        table.call()
        ten = ("10", "J", "Q", "K")[number % 4]  # a shoe has no more than two dozen of each
        deal(table, lambda _place, ten=ten: [ten, "8"], (ten, "9"))
        if number == given["seen_round"]:
            table.say(bj.CuttingCardSeen(given["recipient"].replace(" ", "/")))
            cutter = cutter_due(table.session)
        table.close()
    judgement = judgement_of(table)
    yield from same("last_round", expect.get("last_round"), int(table.session.shoe.last_round or 0))
    yield from same("next_cutter", expect.get("next_cutter"), cutter)
    yield from codes(expect, judgement)


def composition(given: Given, expect: Vector) -> Iterator[str]:
    """The cards named come out of one shoe, in rounds of one box."""
    table = Table(given.get("config", {}))
    table.shoe()
    cards = [name for name, count in given["drawn"].items() for _ in range(count)]
    number = 0
    while cards:
        number += 1
        table.open(str(number))
        table.stake(1, "P1", 10000)
        table.call()
        table.play_out(
            lambda _place: cards.pop(0) if cards else None, lambda waits: table.decide(waits.box, waits.hand, "stand")
        )
        if cards:
            table.close()
    judgement = judgement_of(table)
    yield from same("verdict", expect.get("verdict"), standing(judgement))
    yield from codes(expect, judgement)
