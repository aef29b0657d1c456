"""Vectors about conduct: soft play, expulsion, chips passed from seat to seat."""

from __future__ import annotations

from typing import Any

from events.schema.common import ChipsMoved, RoundClosed
from events.values.cards import DECK
from games.holdem.payouts import best_of_all
from games.shared.poker.conduct import PenaltyGiven
from games.shared.poker.events import CardExposed, HandShown
from tests.vectors.holdem_steps import HERO, RICH, deal_street, start
from tests.vectors.holdem_table import WHOLE, Table, compare, seat_of, verdict_word, whole
from tests.vectors.reading import Vector, unknown_keys

OTHER = 2
_SOFT_PLAY = frozenset({"kind", "config", "hole", "board", "closes_action", "action", "can_raise"})


def soft_play(given: Vector, expect: Vector) -> list[str]:
    """One action on the river with known cards: two players, the hero last to act or first, able to raise or not."""
    problems = unknown_keys("given", given, _SOFT_PLAY)
    if problems:
        return problems
    hole, action, last = tuple(given["hole"]), given["action"], given["closes_action"]
    big = 10 * WHOLE
    barred = not given["can_raise"]
    short = barred and action == "call"  # the other is all-in with his bet: nobody is left to call a raise
    stacks = {HERO: RICH, OTHER: 5 * big if short else RICH}
    table = start(given.get("config", {}), stacks, HERO if last else OTHER, big, holes={HERO: hole})
    while table.hand.street < 3 or table.expects().next_card:
        next_ = table.expects()
        if next_.next_card:
            deal_street(table, given["board"])
        else:
            names = [one.name for one in next_.actions]
            table.act(seat_of(next_.actor), "check" if "check" in names else "call")
    if barred and not short:
        table.say(CardExposed(f"seat/{HERO}", "player", hole))
    if seat_of(table.expects().actor) != HERO:
        table.act(OTHER, "check" if action in ("check", "bet") else "bet", 4 * big if short else None)
    elif action not in ("check", "bet"):
        table.act(HERO, "check")
        table.act(OTHER, "bet", 4 * big if short else None)
    table.act(HERO, action, table.hand.bets.to_match if action == "call" else None)
    findings, hand = table.judged()
    best, ties = best_of_all(hand, hand.place(HERO))
    own = [finding for finding in findings if finding.rule == "NL-40" and finding.subject == f"seat/{HERO}"]
    return compare(expect, {"unbeatable": best, "all_tie": ties, "verdict": verdict_word(own)})


def expel(given: Vector, expect: Vector) -> list[str]:
    """A player is expelled with chips in the pot: what he is paid, and what the cash desk owes him."""
    problems = unknown_keys(
        "given", given, frozenset({"kind", "config", "stack", "in_pot", "pot", "u", "wins", "withheld"})
    )
    put_in, pot = given["in_pot"], given["pot"]
    count = pot // put_in
    if problems or count * put_in != pot or not 2 <= count <= 7:
        return problems or [f"a pot of {pot} is not made by two to seven players who put in {put_in} each"]
    seats = range(1, count + 1)
    stacks = dict.fromkeys(seats, RICH) | {HERO: (given["stack"] + put_in) * WHOLE}
    cards = iter(card for card in DECK if card[0] in "TJ98" and card != "9c")
    holes = {seat: (next(cards), next(cards)) for seat in seats}
    holes[HERO] = ("Ah", "Ad") if given["wins"] else ("7c", "2d")
    board = ("Kc", "Qs", "5h", "4s", "3c") if given["wins"] else ("Kc", "Qs", "9c", "4s", "3c")
    big = min(put_in, 10) * WHOLE
    table = start(given.get("config", {}), stacks, HERO, big, unit=given["u"], holes=holes)
    table.all_call(put_in * WHOLE)
    table.say(PenaltyGiven(f"p-{HERO}", "expulsion", seat=HERO, role="management"))
    while (next_ := table.expects()).phase not in ("settling", "settled"):
        if next_.next_card:
            deal_street(table, board)
        elif next_.phase == "showdown":
            table.say(HandShown(seat_of(next_.actor), holes[seat_of(next_.actor)]))
        else:
            table.act(seat_of(next_.actor), "check")
    rake = award = 0
    for due in table.expects().due:
        rake += due.amount if due.what == "rake" else 0
        award += due.amount if due.what == "award" and due.to == f"seat/{HERO}" else 0
        table.say(ChipsMoved(due.frm, due.to, due.amount, "rake" if due.what == "rake" else due.what, due.stake))  # type: ignore[arg-type]
    kept = given.get("withheld", 0)
    if kept:
        table.say(ChipsMoved(f"seat/{HERO}", "float", kept * WHOLE, "transfer"))
    table.say(RoundClosed())
    owed = sum(due.amount for due in table.expects().due if due.what == "cash_out")
    findings, _hand = table.judged()
    mispaid = sum(finding.money for finding in findings if finding.rule == "NL-43" and finding.kind == "mispaid")
    found: dict[str, Any] = {"rake": whole(rake), "award": whole(award), "cash_out": whole(owed)}
    return compare(expect, {**found, "mispaid": whole(mispaid)})


def chip_transfer(given: Vector, expect: Vector) -> list[str]:
    """Chips that go from a seat to another outside a pot."""
    problems = unknown_keys("given", given, frozenset({"kind", "config", "from", "to", "amount", "outside_pot"}))
    if problems:
        return problems
    giver, taker, amount = given["from"], given["to"], given["amount"] * WHOLE
    table = start(given.get("config", {}), {giver: RICH, taker: RICH}, giver, 10 * WHOLE)
    if given["outside_pot"]:
        table.say(ChipsMoved(f"seat/{giver}", f"seat/{taker}", amount, "transfer"))
    else:
        _won(table, giver, taker, amount)
    findings, _hand = table.judged()
    own = [finding for finding in findings if finding.rule == "NL-42"]
    moves = [move for finding in own for move in finding.remedy.get("moves", ())]
    found: dict[str, Any] = {
        "verdict": verdict_word(own),
        "move": None,
        "penalty_proposed": sorted(seat_of(finding.subject) for finding in own if finding.kind == "penalty"),
    }
    if len(moves) == 1:
        move = moves[0]
        found["move"] = {
            "from": seat_of(move["from"]), "to": seat_of(move["to"]), "amount": whole(move["amount"])
        }  # fmt: skip
    return compare(expect, found)


def _won(table: Table, giver: int, taker: int, amount: int) -> None:
    """The same chips by way of a pot: the giver raises to so much, is raised, and folds."""
    while seat_of(table.expects().actor) != giver:
        table.act(taker, "call")
    table.act(giver, "raise", amount)
    table.act(taker, "raise", 2 * amount)
    table.act(giver, "fold")
    for due in table.expects().due:
        cause = {"award": "award", "rake": "rake"}.get(due.what, "return")
        table.say(ChipsMoved(due.frm, due.to, due.amount, cause, due.stake))  # type: ignore[arg-type]
