"""The fold: a session's facts, round by round, into the room's state, with what the checks of single facts find.

A stepper keeps every state (`steps`), who only looks on keeps none (`look_on`), the judge keeps a round's (`fold`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from msgspec import Struct

from events.schema.common import RoundClosed
from events.schema.fact import Fact
from events.schema.order import Ordered
from games.bench import Bench, Case, open_session, sure_bench
from games.blocks import blocks
from games.house_rules.rulebook import Bound, Group
from games.registry import Rooms
from games.settlement import BOOKINGS, Booking, Ledger
from games.table_rules import finding
from games.verdict import Finding


class Step(Struct, frozen=True):
    """One fact of the fold. `session` stands after it; `findings` are those of this fact."""

    fact: Fact
    before: Any
    session: Any
    findings: tuple[Finding, ...]


class Folded(NamedTuple):
    """A round folded: its facts, their movements added up, the session before and after, what was found on the way,
    what came between it and the next round, and when that one began."""

    bench: Bench
    name: str
    facts: list[Fact]
    closed: Fact | None
    ledger: Ledger
    before: Any
    session: Any
    found: list[Finding]
    after: list[Fact]
    next_at: int | None


def steps(case: Case, rooms: Rooms) -> Iterator[Step]:
    """The fold itself, fact by fact, for a stepper; the opening fact first.

    Raises:
        Unable: nothing tells what is played. EditionMissing, BadEdition: as `bench_of`.
    """
    bench = sure_bench(case, rooms, "replayed")
    session = open_session(bench)
    yield Step(bench.opened, None, session, tuple(bench.bound.step(session, bench.opened)))
    for _name, facts in blocks(case.ordered):
        for fact in facts:
            if fact is not bench.opened:
                before = session
                session = bench.game.evolve(session, fact)
                yield Step(fact, before, session, tuple(bench.bound.step(before, fact)))


def look_on(case: Case, rooms: Rooms, look: Callable[[Any], None]) -> Iterator[tuple[str, Any]]:
    """The fold for who only looks on, without checks and in place: `look` gets the session after each fact of a round.
    Gives each round's name with the session after its last fact, which changes with the next one.

    Raises:
        As `steps`.
    """
    bench = sure_bench(case, rooms, "read")
    session, evolve = open_session(bench), bench.game.advance or bench.game.evolve
    for name, facts in blocks(case.ordered):
        for fact in facts:
            if fact is not bench.opened:
                session = evolve(session, fact)
                if name is not None:
                    look(session)
        if name is not None:
            yield name, session


def _strays(ordered: Ordered) -> Iterator[Finding]:
    for fact in ordered.strays:
        text = f"the record names round {fact.round}, which nobody opened"
        yield finding(
            "TB-06", "round_unknown", "unverified", "round", events=(fact.cite,), subject=fact.round or "", text=text
        )


class _Plan(dict[type[Any], tuple[tuple[Group, ...], Booking | None]]):
    """Class of event → the checks that look at it and how it is booked: one look-up a fact."""

    def __init__(self, bound: Bound) -> None:
        super().__init__()
        self._checks = bound.by_type

    def __missing__(self, kind: type[Any]) -> tuple[tuple[Group, ...], Booking | None]:
        found = self[kind] = (self._checks[kind], BOOKINGS[kind])
        return found


_plan = lru_cache(maxsize=256)(_Plan)


def fold(bench: Bench, only: str | None, between: list[Finding]) -> Iterator[Folded]:
    """The rounds of a session folded, with what the checks of single facts find; `only` one of them, if named."""
    session = open_session(bench)
    evolve, plan, opened = bench.game.advance or bench.game.evolve, _plan(bench.bound), bench.opened
    ledger = Ledger()
    if only is None:
        between.extend(bench.bound.step(session, bench.opened))
        between.extend(_strays(bench.case.ordered))
    runs = blocks(bench.case.ordered)
    for number, (name, facts) in enumerate(runs, 1):
        before = session
        found: list[Finding] = []
        look = only is None or name == only
        ledger = ledger.next()
        closed: Fact | None = None
        for fact in facts:
            if fact is opened:
                continue
            event = fact.event
            kind = type(event)
            groups, booking = plan[kind]
            if groups and look:
                for unless, own in groups:
                    if unless is None or not unless(session, fact):
                        for check, rule in own:
                            found += check(session, fact, rule)
            session = evolve(session, fact)
            if booking is not None:
                booking(event, ledger)
            elif kind is RoundClosed and closed is None:
                closed = fact
        if not look:
            continue
        if bench.clock:
            found.extend(bench.clock[fact.cite] for fact in facts if fact.cite in bench.clock)
        if name in bench.overtaken:
            found.append(bench.overtaken[name])
        if name is None:
            between.extend(found)
            continue
        after = runs[number][1] if number < len(runs) and runs[number][0] is None else []
        yield Folded(bench, name, facts, closed, ledger, before, session, found, after, _next_at(runs, number))
        if only is not None:
            return


def _next_at(runs: Sequence[tuple[str | None, list[Fact]]], number: int) -> int | None:
    """When the first round from block `number` on began; None if there is none."""
    for at in range(number, len(runs)):
        name, facts = runs[at]
        if name is not None:
            return facts[0].occurred_at
    return None
