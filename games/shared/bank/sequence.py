"""Which of two records came first, where a rule says `before` and a catalogue means the order on the table."""

from __future__ import annotations

from events.schema.fact import Fact
from games.clocks import Clocks


def earlier(clocks: Clocks, one: Fact, other: Fact) -> bool | None:
    """Whether `one` came before `other`; None where two clocks are too near to tell.

    Inside one source its own count decides, also within a millisecond.
    """
    if one.origin == other.origin and one.about is None and other.about is None:
        return one.sequence < other.sequence
    relation = clocks.compare(one, other)
    return None if relation == "unknown" else relation == "before"
