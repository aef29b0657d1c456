"""Late or in time: roulette.md 1.1, "Cut-off and late test"."""

from __future__ import annotations

from typing import Literal

from events.schema.fact import Fact
from games.clocks import Clocks
from games.roulette.table import Spin

Answer = Literal["in_time", "late", "unknown"]


class Cutoff:
    """The spin's cut-off: the closing call or the drop, whichever is earlier; without a call, the drop (RL-A38).

    Late is after the call, or at or after the drop (RL-A31). While neither has happened, everything is in time.
    """

    __slots__ = ("_call_bets_by_drop", "_clocks", "_closing", "_drop")

    def __init__(self, spin: Spin, clocks: Clocks, *, call_bets_by_drop: bool = False) -> None:
        self._closing = spin.closing
        self._drop = spin.drop
        self._clocks = clocks
        self._call_bets_by_drop = call_bets_by_drop

    def of(self, fact: Fact, *, call_bet: bool = False) -> Answer:
        """Whether what `fact` tells happened too late; `unknown` where two clocks are too close to tell."""
        answer: Answer = "in_time"
        if self._closing is not None and not (call_bet and self._call_bets_by_drop):
            relation = self._clocks.compare(fact, self._closing)
            if relation == "after":
                return "late"
            if relation == "unknown":
                answer = "unknown"
        if self._drop is not None:
            relation = self._clocks.compare(fact, self._drop)
            if relation in ("after", "same"):
                return "late"
            if relation == "unknown":
                answer = "unknown"
        return answer

    def since(self, fact: Fact) -> str:
        """For people: how long after the call or the drop something happened, as the clocks show it."""
        for what, cut in (("closing call", self._closing), ("drop", self._drop)):
            if cut is not None and fact.occurred_at >= cut.occurred_at:
                return f"{(fact.occurred_at - cut.occurred_at) / 1000:.1f} s after the {what}"
        return ""

    def facts(self) -> tuple[Fact, ...]:
        """What the cut-off rests on."""
        return tuple(fact for fact in (self._closing, self._drop) if fact is not None)
