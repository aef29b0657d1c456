"""Table order: the one order in which a session is shown and judged (design section 4, "Two orders").

Inside a source by sequence, whatever its clock says. Between sources first by round, as the source that opened the
table opened them, then by time (the largest seen so far in that source and round), then by the source's name.
Corrections, disowned records, added facts and what-if are applied here, before any fold: rooms know nothing of them.
"""

from __future__ import annotations

import heapq
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import attrgetter
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from events.schema.common import RoundClosed, RoundOpened, TableOpened
from events.schema.event import Event, Undecoded
from events.schema.fact import Fact
from events.schema.ours import HandImported, RecordCorrected, RecordDisowned, RulingApplied
from events.values.clock import parse_time
from events.values.names import RECOUP

Decode = Callable[[str, dict[str, Any]], "Event | Undecoded"]


class Ordered(Struct, frozen=True):
    """A session in table order.

    `facts`: what is folded, each with its round resolved (None: between rounds). `rounds`: names in order of opening,
    a name opened again as `173~2`. `rulings`: what managers decided about this session, in order of arrival.
    `replaced`: citation → the record as it came, for each that was corrected or disowned. `notes`: citation → the
    authored records about it, in order. `strays`: facts, of those above, that name a round which nobody opened.
    """

    facts: tuple[Fact, ...]
    rounds: tuple[str, ...]
    rulings: tuple[Fact, ...]
    replaced: dict[str, Fact]
    notes: dict[str, tuple[Fact, ...]]
    strays: tuple[Fact, ...] = ()


def table_order(facts: Iterable[Fact], decode: Decode) -> Ordered:
    """The session's facts in table order. `decode` reads corrected data (a catalogue's `decode`).

    The result does not depend on the order in which facts are given, nor on arrival, except that of several
    corrections of one record the one authored last (by its own sequence) wins.
    """
    facts = facts if isinstance(facts, list) else list(facts)
    plain = _plain(facts)
    if plain is not None:
        return Ordered(facts=tuple(facts), rounds=tuple(plain), rulings=(), replaced={}, notes={})
    outside: dict[str, list[Fact]] = {}
    notes: dict[str, list[Fact]] = {}
    rulings: list[Fact] = []
    own: list[Fact] = []
    source = ""
    for fact in facts:
        if fact.source == source and fact.about is None and type(fact.event) is not RulingApplied:
            own.append(fact)  # the common case: another record of a source that is folded
        elif fact.ours and isinstance(fact.event, RulingApplied):
            rulings.append(fact)
        elif fact.about is not None:
            notes.setdefault(fact.about, []).append(fact)
        elif fact.ours and not (fact.subject.startswith("import/") and fact.source.startswith(_IMPORTS)):
            continue  # the record about the record (gaps, conflicts, restarts) is not folded
        else:
            source = fact.source
            own = outside.setdefault(source, [])
            own.append(fact)
    if len(outside) > 1 and all(name.startswith(_IMPORTS) for name in outside):
        newest = max(outside, key=_reader)
        outside = {newest: outside[newest]}
    for about in notes.values():
        about.sort(key=_sequence)
    rulings.sort(key=_sequence)
    for own in outside.values():
        counted = list(map(_COUNTED, own))
        if counted != sorted(counted) or set(map(_PART, own)) != {1}:
            own.sort(key=_sequence)
    said = _Said(notes, decode)
    replaced = said.replaced
    if notes:
        outside = {source: said.of_source(own) for source, own in outside.items()}
    opener = _opener(outside)
    plan = _Plan(outside.get(opener, ()))
    merged = plan.opener_facts
    if len(outside) > 1:
        queues = []
        for source in sorted(outside):
            named = plan.opener_facts if source == opener else [plan.place(fact) for fact in outside[source]]
            queues.append(_keyed(named, source, plan))
        # Keys fall where a source names an earlier round again: merge keeps each source's own order all the same.
        merged = [fact for *_key, fact in heapq.merge(*queues, key=_merge_key)]
    merged = plan.resolve(merged)
    folded = tuple(said.with_added(merged)) if notes else tuple(merged)
    known = {None, *plan.rounds}
    return Ordered(
        facts=folded,
        strays=tuple(fact for fact in folded if fact.round not in known),
        rounds=tuple(plan.rounds),
        rulings=tuple(rulings),
        replaced=replaced,
        notes={cite: tuple(own) for cite, own in notes.items()},
    )


_IMPORTS = f"{RECOUP}/import/"


def _reader(source: str) -> tuple[int, str]:
    """Number of the reader of an imported hand: of several readings only the newest counts."""
    number = source.rpartition("/")[2]
    return (int(number) if number.isdigit() else 0, source)


def _plain(facts: Sequence[Fact]) -> list[str] | None:
    """The rounds of facts that stand in table order as they are, as those of nearly every imported hand do: one source
    that is folded, counting up, every fact in its round. None where anything else has to be looked at: the long way
    above gives the same."""
    rounds: list[str] = []
    current: str | None = None
    last = 0
    source = facts[0].source if facts else ""
    if source.startswith(RECOUP) and not (source.startswith(_IMPORTS) and facts[0].subject.startswith("import/")):
        return None
    for fact in facts:
        if fact.source != source or fact.about is not None or fact.part != 1 or fact.sequence <= last:
            return None
        last = fact.sequence
        name = fact.round
        kind = type(fact.event)
        if name != current:
            if name is None or name in rounds:
                return None
            rounds.append(name)
            current = name
        elif kind is RoundClosed:
            current = None
        elif kind is RulingApplied or (kind is RoundOpened and name is not None):
            return None
    return rounds


_COUNTED, _PART = attrgetter("sequence"), attrgetter("part")


def _sequence(fact: Fact) -> tuple[int, int, bool]:
    """A later start of the counter after the earlier; a released conflict right behind its twin."""
    part = fact.part
    return (part or 1, fact.sequence, part == 0)


def _merge_key(item: tuple[int, int, str, Fact]) -> tuple[int, int, str]:
    return item[:3]


class _Said:
    """What was authored about records, put to work: corrected, disowned, added. `replaced` fills on the way."""

    def __init__(self, notes: dict[str, list[Fact]], decode: Decode) -> None:
        self.replaced: dict[str, Fact] = {}
        self._notes = notes
        self._decode = decode
        self._added = {cite: own for cite, about in notes.items() if (own := [one for one in about if _is_added(one)])}
        self._before: dict[str, list[Fact]] = {}
        self._behind: dict[str, list[Fact]] = {}

    def of_source(self, own: Sequence[Fact]) -> list[Fact]:
        """A source's facts with the latest correction of each applied, disowned ones gone."""
        kept: list[Fact] = []
        gone: list[Fact] = []
        for fact in own:
            current = self._counts(fact) if fact.cite in self._notes else fact
            if current is not None:
                kept.append(current)
            if fact.cite in self._added and current is None:
                if kept:
                    self._behind.setdefault(kept[-1].cite, []).append(fact)
                else:
                    gone.append(fact)
        if gone and kept:
            self._before[kept[0].cite] = gone
        return kept

    def _counts(self, fact: Fact) -> Fact | None:
        """The record as it counts; None if it does not."""
        current: Fact | None = fact
        for note in self._notes.get(fact.cite, ()):
            if isinstance(note.event, RecordDisowned):
                current = None
            elif isinstance(note.event, RecordCorrected):
                current = _apply(fact, note.event, self._decode)
        if current is not fact:
            self.replaced[fact.cite] = fact
        return current

    def with_added(self, merged: list[Fact]) -> Iterator[Fact]:
        """Added facts right behind the record they are about, or where it stood if it is disowned; about a record
        that nobody knows, at the end."""
        waiting = dict(self._added)
        for fact in merged:
            for gone in self._before.get(fact.cite, ()):  # a source's first: nothing was open before it
                yield from self._follow(gone.cite, gone.round, waiting)
            yield fact
            yield from self._follow(fact.cite, fact.round, waiting)
            for gone in self._behind.get(fact.cite, ()):
                yield from self._follow(gone.cite, _round_at(gone, fact), waiting)
        while waiting:
            yield from self._follow(min(waiting), None, waiting)

    def _follow(self, cite: str, round_name: str | None, waiting: dict[str, list[Fact]]) -> Iterator[Fact]:
        """What was added behind a record, and behind that in turn."""
        for note in waiting.pop(cite, ()):
            current = self._counts(note)
            if current is not None:
                yield current if current.round is not None else replace(current, round=round_name)
            yield from self._follow(note.cite, (current or note).round or round_name, waiting)


def _is_added(note: Fact) -> bool:
    return not isinstance(note.event, RecordCorrected | RecordDisowned)


def _round_at(gone: Fact, beside: Fact) -> str | None:
    """The round that a disowned record stood in, by its name and by the record beside which it stood."""
    if gone.round is None or (beside.round or "").partition("~")[0] == gone.round:
        return beside.round
    return gone.round


def _apply(fact: Fact, correction: RecordCorrected, decode: Decode) -> Fact:
    occurred_at = fact.occurred_at
    if correction.time is not None:
        try:
            occurred_at = parse_time(correction.time)
        except ValueError:
            occurred_at = fact.occurred_at  # refused at the door; an unreadable one changes nothing
    return replace(
        fact,
        round=correction.round or fact.round,
        occurred_at=occurred_at,
        event=fact.event if correction.data is None else decode(fact.topic, correction.data),
    )


def _opener(outside: dict[str, list[Fact]]) -> str:
    """The source that opened the table; without one, the source that opened a round, then the first by name."""
    for wanted in ((TableOpened, HandImported), (RoundOpened,)):
        for source in sorted(outside):
            if any(isinstance(fact.event, wanted) for fact in outside[source]):
                return source
    return min(outside, default="")


class _Plan:
    """The rounds as the opening source opened them, and when."""

    def __init__(self, opener: Sequence[Fact]) -> None:
        self.rounds: list[str] = []
        self.ordinal: dict[str, int] = {}
        self._latest: dict[str, str] = {}
        self._begun: set[str] = set()
        self._starts: dict[str, list[tuple[int, str]]] = {}
        self._times: list[int] = []
        self._ordinals: list[int] = []
        self.opener_facts = [self._open(fact) for fact in opener]

    def _open(self, fact: Fact) -> Fact:
        """A fact of the opening source with its round resolved; opens the round if it is the first to name it."""
        name = fact.round
        if name is None:
            return fact
        latest = self._latest.get(name)
        begins = isinstance(fact.event, RoundOpened)
        if latest is None or (begins and latest in self._begun):
            latest = name if latest is None else f"{name}~{len(self._starts[name]) + 1}"
            self.rounds.append(latest)
            self.ordinal[latest] = len(self.rounds)
            self._latest[name] = latest
            self._starts.setdefault(name, []).append((fact.occurred_at, latest))
            self._times.append(max(fact.occurred_at, self._times[-1]) if self._times else fact.occurred_at)
            self._ordinals.append(len(self.rounds))
        if begins:
            self._begun.add(latest)
        return fact if latest == name else replace(fact, round=latest)

    def place(self, fact: Fact) -> Fact:
        """A fact of another source with its round resolved; one that names a round nobody opened stays as it is."""
        starts = self._starts.get(fact.round or "")
        if starts is None or len(starts) == 1:
            return fact
        index = max(0, bisect_right([at for at, _name in starts], fact.occurred_at) - 1)
        return replace(fact, round=starts[index][1])

    def at(self, fact: Fact) -> int:
        """Ordinal of the round that it stands in: its own if known, else the one last opened at its time; 0 before."""
        known = self.ordinal.get(fact.round or "")
        if known is not None:
            return known
        index = bisect_right(self._times, fact.occurred_at)
        return self._ordinals[index - 1] if index else 0

    def resolve(self, merged: list[Fact]) -> list[Fact]:
        """Facts that name no round given to the round open at their place."""
        resolved: list[Fact] = []
        open_round: str | None = None
        newest = 0
        for fact in merged:
            name = fact.round
            if name is None:
                name = open_round
            elif (ordinal := self.ordinal.get(name, 0)) > newest:
                newest, open_round = ordinal, name
            if name is not None and name == open_round and isinstance(fact.event, RoundClosed):
                open_round = None
            resolved.append(fact if fact.round == name else replace(fact, round=name))
        return resolved


def _keyed(facts: Sequence[Fact], source: str, plan: _Plan) -> list[tuple[int, int, str, Fact]]:
    keyed = []
    latest: dict[int, int] = {}
    is_opener = facts is plan.opener_facts
    ordinal = 0
    for fact in facts:
        if is_opener:
            ordinal = plan.ordinal.get(fact.round or "", ordinal)
        else:
            ordinal = plan.at(fact)
        time = latest[ordinal] = max(fact.occurred_at, latest.get(ordinal, fact.occurred_at))
        keyed.append((ordinal, time, source, fact))
    return keyed
