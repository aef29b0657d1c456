"""Vectors of the cash game (rule book NL): each is put on a table, recorded, folded and judged by the room."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from functools import lru_cache
from importlib import resources
from typing import Any

import msgspec

from cli.assembly import casebook, open_log
from events.schema.event import Event
from events.store import Origin
from games.casebook import Casebook
from games.holdem import GAME
from games.holdem.rules import RULES
from games.house_rules.edition import Edition, read_edition
from games.scribe import Scribe
from games.shared.poker.events import HandMucked, HandShown
from games.verdict import Settlement, Verdict
from tests.games.table import with_parameters
from tests.vectors.holdem_play import Wanted, opening, play, unused
from tests.vectors.reading import Vector, unknown_keys

WHOLE = 100
"""A whole CZK in minor units: the catalogue counts in whole ones."""

TABLE, DAY = "vectors/NL-1", "2026-11-28"

_SETTLE = frozenset({
    "kind", "config", "button", "u", "sb", "bb", "flop_seen", "live", "dead", "folded", "mucked", "hole", "board",
})  # fmt: skip


@lru_cache(maxsize=1)
def _toml() -> str:
    file = resources.files("games.holdem") / "editions" / "live-games-plan.toml"
    return file.read_text(encoding="utf-8")


def edition_text(config: dict[str, Any]) -> str:
    """The shipped edition with a vector's parameters stated instead."""
    return with_parameters(_toml(), config, GAME) if config else _toml()


def edition_of(config: dict[str, Any]) -> Edition:
    """The same, read."""
    return read_edition(edition_text(config), RULES.form)


def judge(before: list[Event], hand: list[Event], config: dict[str, Any]) -> Verdict:
    """The longest way: written as a table's terminal would, accepted into a log, folded, judged by an adopted edition."""
    scribe = Scribe(TABLE, DAY)
    records = [scribe.say(event, 1) for event in before]
    scribe.round = "1"
    records += [scribe.say(event, 1) for event in hand]
    with open_log(":memory:", create=True) as log:
        book: Casebook = casebook(log)
        book.adopt("vectors", edition_text(config), date(1, 1, 1))
        receipt = log.accept([msgspec.json.encode(record) for record in records], Origin("stdin"))
        assert receipt.stored == len(records), receipt
        return book.judge_round(scribe.subject, "1")


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
        unit=given["u"] * WHOLE,
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
    problems = unknown_keys("given", given, _SETTLE)
    if problems:
        return problems
    wanted, config = wanted_of(given), given.get("config", {})
    events = play(wanted, edition_of(config))
    verdict = judge([opening(wanted), events[0]], events[1:], config)
    found = _money(verdict.due)
    found["verdict"] = {"valid": "VALID", "void": "VOID", "ruling_required": "RULING"}.get(verdict.standing, "")
    if "must_show" in expect:
        found["must_show"] = _must_show(wanted, events, config)
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


def whole(amount: int) -> int | float:
    """Whole CZK; a fraction stays visible."""
    return amount // WHOLE if amount % WHOLE == 0 else amount / WHOLE


def _must_show(wanted: Wanted, events: list[Event], config: dict[str, Any]) -> list[int]:
    """The seats of which the room says that they had to show, had each been the one who did not."""
    showing = [event for event in events if isinstance(event, HandShown)]
    rest = [event for event in events[1:-1] if event not in showing]
    found = []
    for own in showing:
        others = [event for event in showing if event is not own]
        hand = [*rest, *others, HandMucked(own.seat), events[-1]]
        verdict = judge([opening(wanted), events[0]], hand, config)
        if any(one.subject == f"seat/{own.seat}" and one.rule in ("NL-28", "NL-30") for one in verdict.findings):
            found.append(own.seat)
    return sorted(found)


def compare(expect: Vector, found: dict[str, Any]) -> list[str]:
    """A problem for each expected word that was not found so, or that this adapter does not know."""
    problems = unknown_keys("expect", expect, frozenset(found) | {"must_show"})
    return problems + [
        f"{key}: expected {value}, found {found[key]}"
        for key, value in expect.items()
        if key in found and found[key] != value
    ]


_BY_KIND: dict[str, Callable[[Vector, Vector], list[str]]] = {"settle": settle}
KINDS = frozenset(_BY_KIND)


def run(vector: Vector, _base: Vector) -> list[str]:
    """What was found other than expected."""
    return _BY_KIND[vector["given"]["kind"]](vector["given"], vector["expect"])
