"""Before or after: inside one source exactly, between two only beyond the tolerance (design section 4).

Inside a source its counter has the last word: a record with a wild time stands where its sequence says. Times of two
sources decide nothing while they are closer than `clock.tolerance_ms`, less where `ClockCompared` has measured the two,
and nothing at all where a later record of the same source has an earlier time (TB-05): one of them is wrong.
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

    __slots__ = ("_ahead", "_doubtful", "known", "tolerance_ms")

    def __init__(self, facts: Iterable[Fact] = (), *, tolerance_ms: int = TOLERANCE_MS, known: bool = True) -> None:
        self.tolerance_ms = tolerance_ms
        self.known = known
        self._ahead: dict[tuple[str, str], tuple[int, int]] = {}
        self._doubtful: set[tuple[str, int, int]] = set()
        highest: dict[tuple[str, int], list[Fact]] = {}
        for fact in facts if known else ():
            if fact.about is None:
                self._doubt(fact, highest.setdefault((fact.source, fact.part), []))
            event = fact.event
            if type(event) is ClockCompared:
                self._ahead[event.other, fact.source] = (event.ahead_ms, event.error_ms)
                self._ahead[fact.source, event.other] = (-event.ahead_ms, event.error_ms)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Clocks) and all(getattr(self, name) == getattr(other, name) for name in self.__slots__)

    def __hash__(self) -> int:
        return hash((self.known, self.tolerance_ms))

    def _doubt(self, fact: Fact, rising: list[Fact]) -> None:
        """Takes out of `rising` (a source's facts so far, in rising time) those that are later than this one."""
        while rising and rising[-1].occurred_at > fact.occurred_at:
            self._doubtful.add(_place(rising.pop()))
        rising.append(fact)

    def compare(self, one: Fact, other: Fact) -> Relation:
        """How `one` lies to `other` in time."""
        if not self.known:
            return "unknown"
        first, second = _clock(one), _clock(other)
        apart = one.occurred_at - other.occurred_at
        error = 0
        if first != second:
            if self._doubtful and not self._doubtful.isdisjoint((_place(one), _place(other))):
                return "unknown"
            ahead, error = self._ahead.get((first, second), (0, self.tolerance_ms))
            apart -= ahead
            if abs(apart) < error or (apart == 0 and error):
                return "unknown"
        elif one.about is None and other.about is None and one.part == other.part:
            counted = one.sequence - other.sequence
            if counted * apart < 0:
                apart = counted  # its clock says otherwise: the counter holds
        return "before" if apart < 0 else "after" if apart > 0 else "same"


def _place(fact: Fact) -> tuple[str, int, int]:
    return (fact.source, fact.part, fact.sequence)


def _clock(fact: Fact) -> str:
    """Whose clock the time is of: an added fact's is that of the record it is about."""
    if fact.about is None:
        return fact.source
    return parse_citation(fact.about).source.partition("~")[0]
