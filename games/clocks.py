"""Before or after: inside one source exactly, between two only beyond the tolerance (design section 4).

Times of two sources decide nothing while they are closer than `clock.tolerance_ms`, less where `ClockCompared` has
measured the two.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from events.schema.common import ClockCompared
from events.schema.fact import Fact
from events.values.names import parse_citation

TOLERANCE_MS = 5000
"""Default of the house setting `clock.tolerance_ms`."""

Relation = Literal["before", "same", "after", "unknown"]


class Clocks:
    """The clocks of a session's sources; `known` false for imported hands without times: then nothing compares."""

    __slots__ = ("_ahead", "known", "tolerance_ms")

    def __init__(self, facts: Iterable[Fact] = (), *, tolerance_ms: int = TOLERANCE_MS, known: bool = True) -> None:
        self.tolerance_ms = tolerance_ms
        self.known = known
        self._ahead: dict[tuple[str, str], tuple[int, int]] = {}
        for fact in facts if known else ():
            event = fact.event
            if type(event) is ClockCompared:
                self._ahead[event.other, fact.source] = (event.ahead_ms, event.error_ms)
                self._ahead[fact.source, event.other] = (-event.ahead_ms, event.error_ms)

    def compare(self, one: Fact, other: Fact) -> Relation:
        """How `one` lies to `other` in time."""
        if not self.known:
            return "unknown"
        first, second = _clock(one), _clock(other)
        apart = one.occurred_at - other.occurred_at
        error = 0
        if first != second:
            ahead, error = self._ahead.get((first, second), (0, self.tolerance_ms))
            apart -= ahead
            if abs(apart) < error or (apart == 0 and error):
                return "unknown"
        return "before" if apart < 0 else "after" if apart > 0 else "same"


def _clock(fact: Fact) -> str:
    """Whose clock the time is of: an added fact's is that of the record it is about."""
    if fact.about is None:
        return fact.source
    return parse_citation(fact.about).source.partition("~")[0]
