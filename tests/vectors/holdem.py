"""Vectors of the cash game (rule book NL): each is put on a table, recorded, folded and judged by the room."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from events.schema.event import Event
from games.shared.poker.events import HandMucked, HandShown
from games.verdict import Settlement, Verdict
from tests.vectors import holdem_conduct, holdem_deal, holdem_given, holdem_seats, holdem_steps
from tests.vectors.holdem_play import Wanted, opening, play, unused
from tests.vectors.holdem_table import WHOLE, Table, compare, edition_of, whole
from tests.vectors.reading import Vector

_VERDICTS = {"valid": "VALID", "void": "VOID", "ruling_required": "RULING", "cannot_tell": "unverified"}


def judge(before: list[Event], hand: list[Event], config: dict[str, Any]) -> Verdict:
    """A whole hand, by way of the log."""
    table = Table(config, before)
    table.say(*hand)
    return table.verdict()


def _minor(amounts: dict[str, int]) -> dict[int, int]:
    return {int(seat): amount * WHOLE for seat, amount in amounts.items()}


def wanted_of(given: Vector) -> Wanted:
    """The hand that a `settle` vector describes. Where it names no board and does not say whether a flop was seen,
    there may be one; its cards are any."""
    board = tuple(given.get("board", ()))
    hole = {int(seat): tuple(cards) for seat, cards in given.get("hole", {}).items()}
    boards = [board]
    if not board and given.get("flop_seen") is not False:
        cards = unused([card for cards in hole.values() for card in cards], 5)
        boards = [cards[:count] for count in ((3, 4, 5) if given.get("flop_seen") else (0, 3, 4, 5))]
    live = _minor(given["live"])
    dead = _minor(given.get("dead", {}))
    out = {int(seat) for seat in given.get("folded", ())} | {seat for seat in dead if seat not in live}
    small, big = given.get("sb"), given.get("bb")
    return Wanted(
        button=int(given["button"]),
        unit=given.get("u", 1) * WHOLE,
        live=live,
        dead=dead,
        folded=frozenset(out),
        mucked=frozenset(int(seat) for seat in given.get("mucked", ())),
        hole=hole,
        boards=tuple(boards),
        small_blind=None if small is None else small * WHOLE,
        big_blind=None if big is None else big * WHOLE,
    )


def settle(given: Vector, expect: Vector) -> list[str]:
    """Contributions, cards and button of a whole hand: what is returned, raked and awarded."""
    problems = holdem_given.problems_of(given)
    if problems:
        return problems
    # The contributions are facts, lawful or not: none is completed or cut down.
    wanted, config = wanted_of(given), {"out_of_turn": "as_taken", **given.get("config", {})}
    events = play(wanted, edition_of(config))
    verdict = judge([opening(wanted), events[0]], events[1:], config)
    found = _money(verdict.due)
    found["verdict"] = _VERDICTS.get(verdict.standing, verdict.standing)
    found["must_show"] = _must_show(wanted, events, config) if "must_show" in expect else None
    return compare(expect, found)


def _money(due: Settlement) -> dict[str, Any]:
    """A settlement in the catalogue's words: whole CZK, seats by number."""
    seat = {line.stake: line.stake.removeprefix("seat/") for line in due.lines}
    return {
        "returned": {seat[line.stake]: whole(line.returned) for line in due.lines if line.returned},
        "pots": [whole(pot.amount) for pot in due.pots],
        "rake": [whole(pot.rake) for pot in due.pots],
        "award": {seat[line.stake]: whole(line.paid) for line in due.lines if line.paid},
        "net": {seat[line.stake]: whole(line.net) for line in due.lines},
    }


def _must_show(wanted: Wanted, events: list[Event], config: dict[str, Any]) -> list[int]:
    """The seats of which the room says that they had to show, had each been the one who did not, after the others.

    If somebody plays the board all who are left show, he too (NL-30).
    """
    ends = [event for event in events if isinstance(event, HandShown | HandMucked)]
    rest = [event for event in events[1:-1] if event not in ends]
    found = []
    for own in ends:
        others = [event for event in ends if event is not own]
        hand = [*rest, *others, HandMucked(own.seat), events[-1]]
        verdict = judge([opening(wanted), events[0]], hand, config)
        rules = {one.rule for one in verdict.findings if one.subject == f"seat/{own.seat}"}
        if "NL-30" in rules:
            return sorted(event.seat for event in ends)
        if "NL-28" in rules:
            found.append(own.seat)
    return sorted(found)


_BY_KIND: dict[str, Callable[[Vector, Vector], list[str]]] = {
    "settle": settle,
    "action": holdem_steps.action,
    "exposed_action": holdem_steps.exposed_action,
    "reopen": holdem_steps.reopen,
    "show_order": holdem_steps.show_order,
    "heads_up": holdem_steps.heads_up,
    "button_draw": holdem_steps.button_draw,
    "over_rake": holdem_steps.over_rake,
    "pot_balance": holdem_steps.pot_balance,
    "reaward": holdem_steps.reaward,
    "void_hand": holdem_steps.void_hand,
    "soft_play": holdem_conduct.soft_play,
    "expel": holdem_conduct.expel,
    "chip_transfer": holdem_conduct.chip_transfer,
    "missed_blind": holdem_seats.missed_blind,
    "table_stakes": holdem_seats.table_stakes,
    "deal": holdem_deal.deal,
    "board": holdem_deal.board,
}
KINDS = frozenset(_BY_KIND)


def run(vector: Vector, _base: Vector) -> list[str]:
    """What was found other than expected."""
    return _BY_KIND[vector["given"]["kind"]](vector["given"], vector["expect"])
