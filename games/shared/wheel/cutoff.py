"""Late or in time: a bet, or a move of one, against the moments at which betting ends."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from events.schema.fact import Fact
from games.clocks import Clocks

Answer = Literal["in_time", "late", "unknown"]


class End(Struct, frozen=True):
    """A moment that ends the betting. `what` names it for people; `at_it_is_late`: what happens at this very instant is
    late too."""

    what: str
    fact: Fact
    at_it_is_late: bool = False


class Cutoff:
    """A round's cut-off: the earliest of its ends. While none has happened, everything is in time."""

    __slots__ = ("_clocks", "_ends")

    def __init__(self, clocks: Clocks, ends: tuple[End, ...]) -> None:
        self._clocks = clocks
        self._ends = ends

    def of(self, fact: Fact) -> Answer:
        """Whether what `fact` tells happened too late; `unknown` where two clocks are too close to tell."""
        answer: Answer = "in_time"
        for end in self._ends:
            relation = self._clocks.compare(fact, end.fact)
            if relation == "after" or (relation == "same" and end.at_it_is_late):
                return "late"
            if relation == "unknown":
                answer = "unknown"
        return answer

    def since(self, fact: Fact) -> str:
        """For people: how long after an end something happened, as the clocks show it."""
        for end in self._ends:
            if fact.occurred_at >= end.fact.occurred_at:
                return f"{(fact.occurred_at - end.fact.occurred_at) / 1000:.1f} s after the {end.what}"
        return ""

    def facts(self) -> tuple[Fact, ...]:
        """What the cut-off rests on."""
        return tuple(end.fact for end in self._ends)
