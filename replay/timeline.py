"""A session in table order, as people read it: every record with its citation, corrected and disowned ones visible.

A timeline is made from a session's records (`Records`), so that the three questions "all of it", "as the table stood
at that moment" (`as_of`) and "as we knew it then" (`known_at`) are three ways to make the same thing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from events.errors import Refused
from events.schema.catalogue import Catalogue
from events.schema.common import TableOpened
from events.schema.fact import Fact
from events.schema.order import Ordered, table_order
from events.schema.ours import HandImported, RecordConflicted, RecordCorrected, RecordDisowned
from events.values.names import parse_citation
from games.adjudicate import Case
from games.casebook import Casebook
from games.clocks import TOLERANCE_MS
from games.house_rules.edition import Editions
from games.table_rules import Hole


class Records(Struct, frozen=True, kw_only=True):
    """All that is on record about one session, not yet ordered; a `Case` before it is closed.

    `facts` in any order, Recoup's own among them. `holes`: gaps and open conflicts as the store knows them now.
    """

    subject: str
    facts: tuple[Fact, ...]
    catalogue: Catalogue
    editions: Editions
    holes: tuple[Hole, ...] = ()
    restarts: tuple[str, ...] = ()
    tolerance_ms: int = TOLERANCE_MS

    @classmethod
    def read(cls, book: Casebook, subject: str, *, known_at: int | None = None) -> Records:
        """A session's records out of the log; `known_at` (µs UTC): only what had been recorded by then.

        Raises:
            Refused: the log has nothing of that subject, or had nothing then.
        """
        stored = book.log.session_facts(subject)
        case = book.case_of(stored, known_at=known_at) if stored.facts else book.case(subject)
        records = cls(
            subject=subject,
            facts=stored.facts,
            catalogue=_at_table(book, stored.facts),
            editions=case.editions,
            holes=tuple(hole for hole in case.holes if hole.why != "undecoded"),
            restarts=case.restarts,
            tolerance_ms=case.tolerance_ms,
        )
        if known_at is None:
            return records
        then = records.known_at(known_at)
        if not then.facts:
            raise Refused(f"nothing of {subject} had been recorded by then")
        return then

    def case(self) -> Case:
        """What the judge gets."""
        return Case.make(
            self.subject,
            self.facts,
            self.catalogue,
            self.editions,
            holes=self.holes,
            restarts=self.restarts,
            tolerance_ms=self.tolerance_ms,
        )

    def known_at(self, at_us: int) -> Records:
        """What had been recorded by then (µs UTC): later records, corrections and rulings are not there yet.

        What is missing is counted anew: a hole that a late record filled was a hole then, one at the end was not.
        """
        facts = tuple(fact for fact in self.facts if fact.recorded_at <= at_us)
        conflicts = {fact.event.record for fact in facts if isinstance(fact.event, RecordConflicted)}
        # One that has been decided since is not among our holes any more; then it was open.
        released = {f"{fact.sequence}@{fact.source}" for fact in facts if fact.part == 0}
        open_ones = [parse_citation(cite) for cite in sorted(conflicts - released)]
        holes = [Hole(one.source, one.sequence, one.sequence, "conflict") for one in open_ones]
        origins = {fact.origin for fact in facts}
        return replace(
            self,
            facts=facts,
            holes=(*_gaps(facts), *holes),
            restarts=tuple(origin for origin in self.restarts if origin in origins),
        )

    def as_of(self, at_ms: int) -> Records:
        """What had happened by then (ms UTC), as the table's own times say, corrections applied.

        An added fact or a correction stands where the record stands that it is about. Rulings stay: they are no
        part of what happened at the table. A hole stays if a record behind it is still there.
        """
        ordered = table_order(self.facts, self.catalogue.decode)
        times = {fact.cite: fact.occurred_at for fact in (*ordered.replaced.values(), *ordered.facts)}
        gone = {cite for cite, at in times.items() if at > at_ms}

        def stays(fact: Fact) -> bool:
            cite = fact.about or fact.cite
            return cite not in gone and (fact.about is None or cite in times or fact.occurred_at <= at_ms)

        facts = tuple(fact for fact in self.facts if stays(fact))
        tops: dict[str, int] = {}
        for fact in facts:
            tops[fact.origin] = max(fact.sequence, tops.get(fact.origin, 0))
        holes = tuple(hole for hole in self.holes if hole.first <= tops.get(hole.origin, 0))
        return replace(self, facts=facts, holes=holes)


class Entry(Struct, frozen=True, kw_only=True):
    """One line of a timeline.

    `number` counts from 1. `fact` is what is judged, with its round resolved; for a disowned record, as it came.
    `original`: the record as it came, where a correction changed it. `notes`: what was authored about it. `added`:
    Recoup's own record, put in behind the one it is about.
    """

    number: int
    fact: Fact
    original: Fact | None = None
    notes: tuple[Fact, ...] = ()
    disowned: bool = False

    @property
    def added(self) -> bool:
        """Whether it is an added fact (a video review, a word of the supervisor), not a record of the table."""
        return self.fact.about is not None


def _at_table(book: Casebook, facts: Sequence[Fact]) -> Catalogue:
    """The catalogue in whose notation people speak of this session: short names are its own room's."""
    for fact in facts:
        if isinstance(fact.event, TableOpened | HandImported) and fact.event.game in book.rooms:
            return book.catalogue.at_table(book.rooms[fact.event.game].events)
    return book.catalogue


class Timeline(Struct, frozen=True, kw_only=True):
    """A session in table order. `rounds` in order of opening; `rulings` and `holes` beside it.

    `short`: source → the last part of its name where that is unique in the session (`terminal`), for the eye.
    """

    subject: str
    entries: tuple[Entry, ...]
    rounds: tuple[str, ...]
    rulings: tuple[Fact, ...]
    holes: tuple[Hole, ...]
    short: dict[str, str]

    @classmethod
    def make(cls, records: Records) -> Timeline:
        """The timeline of a session's records."""
        case = records.case()
        return cls.of_case(case, records)

    @classmethod
    def of_case(cls, case: Case, records: Records) -> Timeline:
        """The same where the case is there already."""
        return cls(
            subject=case.subject,
            entries=_entries(case.ordered, records),
            rounds=case.ordered.rounds,
            rulings=case.ordered.rulings,
            holes=case.holes,
            short=short_names(fact.source for fact in case.ordered.facts if fact.about is None),
        )

    def of_round(self, name: str) -> tuple[Entry, ...]:
        """The entries of one round.

        Raises:
            Refused: the session has no such round.
        """
        if name not in self.rounds:
            raise Refused(
                f"{self.subject} has no round `{name}`; it has {spans(self.rounds)}",
                hint="`recoup rounds` lists them with their times",
            )
        return tuple(entry for entry in self.entries if entry.fact.round == name)

    def by_round(self) -> dict[str | None, list[Entry]]:
        """The entries of every round, and under None those between rounds, in one pass."""
        found: dict[str | None, list[Entry]] = {}
        for entry in self.entries:
            found.setdefault(entry.fact.round, []).append(entry)
        return found

    def find(self, cite: str) -> Entry:
        """The entry of a record, named by its citation, long or short (`4711@terminal`).

        Raises:
            Refused: no such record, or several.
        """
        wanted = {entry.fact.cite: entry for entry in self.entries}
        whole = full_citation(cite, (entry.fact.origin for entry in self.entries))
        if whole in wanted:
            return wanted[whole]
        raise Refused(
            f"{self.subject} has no record {whole}",
            hint="`recoup replay ROUND` shows the citation of each record of a round",
        )

    def cite(self, fact: Fact) -> str:
        """The citation as people read it: the source by its short name, where it has one."""
        return self.shorten(fact.cite)

    def shorten(self, cite: str) -> str:
        """A long citation with the short name of its source."""
        sequence, _at, origin = cite.partition("@")
        source, tilde, part = origin.partition("~")
        return f"{sequence}@{self.short.get(source, source)}{tilde}{part}"


def short_names(sources: Iterable[str]) -> dict[str, str]:
    """Source → last part of its name, for those whose last part no other of them has."""
    known = sorted(set(sources))
    lasts = [_last_part(source) for source in known]
    return {source: last for source, last in zip(known, lasts, strict=True) if last and lasts.count(last) == 1}


def _last_part(source: str) -> str:
    """The last part of a source's name; where that is a number, the last two."""
    parts = source.rstrip("/").split("/")
    return "/".join(parts[-2:] if parts[-1].isdigit() else parts[-1:])


def full_citation(text: str, origins: Iterable[str]) -> str:
    """The citation with the source's whole name, from a long or a short one (`4711@terminal`).

    Raises:
        BadName: not a citation. Refused: several sources end so.
    """
    sequence, source = parse_citation(text)
    known = sorted(set(origins))
    if source in known:
        return f"{sequence}@{source}"
    ends = [origin for origin in known if origin.endswith("/" + source)]
    if len(ends) > 1:
        raise Refused(f"`{text}` may be of {' or '.join(ends)}", hint="write the source in full")
    return f"{sequence}@{ends[0] if ends else source}"


def spans(rounds: Sequence[str]) -> str:
    """A session's rounds in few words: `rounds 1 to 240`."""
    if not rounds:
        return "no rounds"
    return f"round {rounds[0]}" if len(rounds) == 1 else f"{len(rounds)} rounds, {rounds[0]} to {rounds[-1]}"


def _gaps(facts: Iterable[Fact]) -> list[Hole]:
    """The sequences that no record has, below the highest of each outside source."""
    seen: dict[str, set[int]] = {}
    for fact in facts:
        if not fact.ours and fact.part:
            seen.setdefault(fact.origin, set()).add(fact.sequence)
    holes = []
    for origin, numbers in sorted(seen.items()):
        before = 0
        for number in sorted(numbers):
            if number > before + 1:
                holes.append(Hole(origin, before + 1, number - 1))
            before = number
    return holes


def _entries(ordered: Ordered, records: Records) -> tuple[Entry, ...]:
    kept = {fact.cite: fact for fact in ordered.facts}
    placed = _with_disowned(ordered, records, set(kept))
    made = []
    for number, fact in enumerate(placed, 1):
        cite = fact.cite
        notes = ordered.notes.get(cite, ())
        made.append(
            Entry(
                number=number,
                fact=fact,
                original=ordered.replaced.get(cite) if cite in kept else None,
                notes=tuple(note for note in notes if isinstance(note.event, RecordCorrected | RecordDisowned)),
                disowned=cite not in kept,
            )
        )
    return tuple(made)


def _with_disowned(ordered: Ordered, records: Records, kept: set[str]) -> Sequence[Fact]:
    """The facts with the disowned ones where they would stand if nothing had been said about them."""
    if all(cite in kept for cite in ordered.replaced):
        return ordered.facts
    said = (RecordCorrected, RecordDisowned)
    untouched = table_order((fact for fact in records.facts if type(fact.event) not in said), records.catalogue.decode)
    behind: dict[str, list[Fact]] = {}
    last = ""
    for fact in untouched.facts:
        if fact.cite in kept:
            last = fact.cite
        else:
            behind.setdefault(last, []).append(fact)
    placed = list(behind.get("", ()))
    for fact in ordered.facts:
        placed.append(fact)
        placed.extend(behind.get(fact.cite, ()))
    return placed
