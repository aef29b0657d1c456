"""The facts of a session grouped for its fold: round by round, and what lies between."""

from __future__ import annotations

from itertools import groupby
from operator import attrgetter

from msgspec.structs import replace

from events.schema.common import ChipsMoved
from events.schema.fact import Fact
from events.schema.order import Ordered
from games.settlement import Ledger, sets_right

_ROUND = attrgetter("round")
_EVENT = attrgetter("event")


def blocks(ordered: Ordered) -> list[tuple[str | None, list[Fact]]]:
    """The facts grouped for the fold: each round's together, in order of opening, what lies between at its place.

    A record that names a round which nobody opened is left out here; `_strays` reports it. One that names none and sets
    right what the pot before it paid wrongly is given to that round.
    """
    runs = [(name, list(facts)) for name, facts in groupby(ordered.facts, _ROUND)]
    if tuple([name for name, _facts in runs if name is not None]) == ordered.rounds:
        return _with_repairs(runs)  # nothing of a round stands outside it: it is grouped already
    ordinals = {name: number for number, name in enumerate(ordered.rounds, 1)}
    named: dict[int, list[Fact]] = {}
    between: dict[int, list[Fact]] = {}
    newest = 0
    for fact in ordered.facts:
        if fact.round is None:
            between.setdefault(newest, []).append(fact)
        elif (own := ordinals.get(fact.round)) is not None:
            newest = max(newest, own)
            named.setdefault(own, []).append(fact)
    grouped: list[tuple[str | None, list[Fact]]] = []
    for number in range(len(ordered.rounds) + 1):
        if number in named:
            grouped.append((ordered.rounds[number - 1], named[number]))
        if number in between:
            grouped.append((None, between[number]))
    return _with_repairs(grouped)


def _with_repairs(runs: list[tuple[str | None, list[Fact]]]) -> list[tuple[str | None, list[Fact]]]:
    """What sets a pot of the round before right, and names no round, belongs to that round."""
    if None not in [name for name, _facts in runs[1:]]:
        return runs
    grouped: list[tuple[str | None, list[Fact]]] = []
    passes = Ledger()
    for name, facts in runs:
        last, before = grouped[-1] if grouped else (None, [])
        kept = []
        for fact in facts:
            event = fact.event
            if type(event) is ChipsMoved:
                if name is None and last is not None and sets_right(event, map(_EVENT, before), passes.passed):
                    before.append(replace(fact, round=last))
                    continue
                passes.move(event.frm, event.to, event.amount, event.cause, event.stake)
            kept.append(fact)
        if kept:
            grouped.append((name, kept))
    return grouped
