"""Objections of players, wherever a session has them: to which round each one is, in words and in JSON.

A player objects while his round is played, before the next, or an hour later to a round long over: whoever looks for
the round by the time of his complaint, or judges it, is shown the objection.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct

from cli.options import is_timeless
from cli.screen import Words, wrapped
from events.schema.event import short_name
from events.schema.fact import Fact
from events.values.clock import clock_text, time_text

_NAME = "ObjectionRaised"
"""What the event is called in every room that has one; it says `what`, and may say `seat`, `player`, `hand`."""


class Objection(Struct, frozen=True):
    """One objection. `round`: the name of the round it is to, empty if it came before any; `within`: the round during
    which it came, empty between rounds."""

    fact: Fact
    round: str
    within: str

    @property
    def at(self) -> int:
        """When it was raised, ms UTC."""
        return self.fact.occurred_at

    @property
    def player(self) -> str:
        """Who raised it, as far as the record says."""
        return getattr(self.fact.event, "player", None) or ""

    @property
    def seat(self) -> int:
        """From which seat; 0 where the record does not say."""
        return getattr(self.fact.event, "seat", None) or 0

    @property
    def words(self) -> str:
        """`p-102 (seat 2) objects to hand 8: award`."""
        seat = f"seat {self.seat}" if self.seat else ""
        who = f"{self.player} ({seat})" if self.player and seat else self.player or seat or "somebody"
        to = f" to hand {self.round}" if self.round else ""
        return f"{who} objects{to}: {getattr(self.fact.event, 'what', '')}".rstrip(": ")


def is_objection(fact: Fact) -> bool:
    """Whether a record is a player's objection, in whichever room."""
    return short_name(fact.topic) == _NAME


def objections(facts: Iterable[Fact]) -> Iterator[Objection]:
    """The objections among a session's facts in table order. One that names no hand is to the one being played, or
    between two to the one before."""
    last = ""
    for fact in facts:
        last = fact.round or last
        if is_objection(fact):
            named = getattr(fact.event, "hand", None)
            yield Objection(fact, _plain(named or last), _plain(fact.round or ""))


def objection_lines(found: Sequence[Objection], cites: Sequence[str]) -> list[Words]:
    """What a verdict says of the objections to its round; `cites`: the citation of each, as people read it."""
    lines: list[Words] = ["", "Objections to this round"] if found else []
    for one, cite in zip(found, cites, strict=True):
        clock = "" if is_timeless(one.at) else f"{clock_text(one.at)[:8]}  "
        when = " (between rounds)" if not one.within else f" (during {one.within})" if one.within != one.round else ""
        lines += wrapped(f"{clock}{cite}  {one.words}{when}", "      ", "  ")
    return lines


def objection_json(one: Objection) -> dict[str, Any]:
    """An objection as `--json` gives it."""
    return {
        "record": one.fact.cite,
        "at": None if is_timeless(one.at) else time_text(one.at),
        "to": one.round,
        "during": one.within or None,
        "player": one.player or None,
        "seat": one.seat or None,
        "what": getattr(one.fact.event, "what", ""),
    }


def _plain(name: str) -> str:
    return name.partition("~")[0]
