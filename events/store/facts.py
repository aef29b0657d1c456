"""Rows read back: plain, and as the facts of a session."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

import msgspec
from msgspec import UNSET, Struct

from events.schema.catalogue import Catalogue
from events.schema.event import Undecoded
from events.schema.fact import Fact
from events.schema.ours import GapDeclaredLost, SourceRestarted
from events.store import statements as sql
from events.store.backend import Row
from events.store.heads import Head, HeadRow, Segment
from events.store.parse import Times, decode, doubled_keys
from events.store.recorder import Reading
from events.values.names import RECOUP, parse_stream


class SessionGap(Struct, frozen=True):
    """Records `first` to `last` of a source (with its restart part, as in a citation) that have not come.

    `lost`: somebody declared them lost; they are missing all the same.
    """

    origin: str
    first: int
    last: int
    lost: bool = False


class OpenConflict(Struct, frozen=True):
    """A second record of `sequence` with other content lies in quarantine under `sha256`, undecided."""

    origin: str
    sequence: int
    sha256: str


class SessionFacts(Struct, frozen=True):
    """All that is stored of one subject. `facts`: stream by stream, in order of arrival within each."""

    subject: str
    facts: tuple[Fact, ...]
    gaps: tuple[SessionGap, ...]
    conflicts: tuple[OpenConflict, ...]
    restarts: tuple[str, ...]

    @property
    def undecoded(self) -> tuple[Fact, ...]:
        """Records that this catalogue cannot read."""
        return tuple(fact for fact in self.facts if isinstance(fact.event, Undecoded))


class RoundSegment(Struct, frozen=True, gc=False):
    """Consecutive versions of a stream that name one round; times in ms UTC, earliest and latest."""

    subject: str
    stream: str
    round: str | None
    from_version: int
    to_version: int
    first_at: int
    last_at: int


class Recorded:
    """`recorded_at` of rows, asked in rising order of index: a tile at a time."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._first = self._end = self._at = 0

    def at(self, index: int) -> int:
        """µs UTC; 0 for a row that no tile covers (`verify` says so)."""
        if not self._first <= index < self._end:
            row = self._reading.one(sql.TILE_AT, index)
            if row is None or index >= row[0] + row[1]:
                return 0
            self._first, self._end, self._at = row[0], row[0] + row[1], row[2]
        return self._at


def stamped(reading: Reading, rows: Iterable[tuple[Any, ...]]) -> list[Row]:
    """Rows of the events table with the time they were recorded."""
    at = Recorded(reading).at
    return [Row(index, stream, version, topic, state, at(index)) for index, stream, version, topic, state in rows]


def streams_of(reading: Reading, subject: str) -> list[str]:
    """Names of the subject's streams, sorted."""
    return [row[0] for row in reading.all(sql.HEADS_BETWEEN, *of_subject(subject))]


def of_subject(subject: str) -> tuple[str, str]:
    """Bounds of the names of a subject's streams."""
    return subject + "@", sql.after_base(subject + "@")


def head_of(row: Sequence[Any]) -> Head:
    """A head as `events.store.statements.HEAD` reads it."""
    return Head.of_row(HeadRow._make(row))


_TEXTS_KEPT = 4096


class _Read(dict[str, int]):
    """Numbers by the text that they are read from: sequences and unknown times of imported hands are the same few."""

    def __init__(self, read: Callable[[str], int]) -> None:
        super().__init__()
        self._read = read

    def __missing__(self, text: str) -> int:
        if len(self) >= _TEXTS_KEPT:
            self.clear()
        number: int = self._read(text)
        self[text] = number
        return number


class FactReader:
    """Decodes rows by a catalogue."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._ms = Times().ms
        self._times = _Read(self._ms)
        self._counts = _Read(int)

    def facts(self, rows: Iterable[Row], subject: str, source: str, part: int) -> list[Fact]:
        """Rows of one stream. What we wrote is canonical: envelope and event come out of one decode."""
        rows = rows if isinstance(rows, list) else list(rows)
        if source.startswith(RECOUP):
            try:
                return self._ours(rows, subject, source, part)
            except (KeyError, ValueError, msgspec.DecodeError):
                pass  # the long way says which record is odd, and how
        return [self.fact(row, subject, source, part) for row in rows]

    def _ours(self, rows: list[Row], subject: str, source: str, part: int) -> list[Fact]:
        if not rows:
            return []
        records, times, counts = self._catalogue.records, self._times, self._counts
        indexes, _streams, versions, topics, states, recorded = zip(*rows, strict=True)
        read = [records[topic](state) for topic, state in zip(topics, states, strict=True)]
        return [
            Fact(  # by position, in the order of its fields: a third quicker than by name
                subject,
                source,
                counts[record.sequence],
                topic,
                record.data,
                times[record.time],
                record.round,
                part,
                record.about,
                record.account,
                record.reason,
                recorded_at,
                version,
                index,
            )
            for record, topic, recorded_at, version, index in zip(
                read, topics, recorded, versions, indexes, strict=True
            )
        ]

    def fact(self, row: Row, subject: str, source: str, part: int) -> Fact:
        """One row as a fact; data that the catalogue cannot read, or with a key twice, is `Undecoded`."""
        try:
            record = decode(row.state)
            at = self._ms(record.time)
            sequence = int(record.sequence)
        except (msgspec.DecodeError, ValueError, RecursionError) as error:
            return self._unreadable(row, subject, source, part, str(error))
        data = record.data
        if type(data) is not dict:
            event: Any = Undecoded(row.topic, "data is no object", None if data is UNSET else data)
        elif doubled_keys(row.state, record).data:
            event = Undecoded(row.topic, "a key stands twice in the data", data)
        else:
            event = self._catalogue.decode(row.topic, data)
        ours = source.startswith(RECOUP)
        return Fact(
            subject=subject,
            source=source,
            sequence=sequence,
            topic=row.topic,
            event=event,
            occurred_at=at,
            round=None if record.round is UNSET else record.round,
            part=part,
            about=_own(record.about, ours),
            account=_own(record.account, ours),
            reason=_own(record.reason, ours),
            recorded_at=row.recorded_at,
            version=row.version,
            index=row.index,
        )

    @staticmethod
    def _unreadable(row: Row, subject: str, source: str, part: int, why: str) -> Fact:
        """A state that is no envelope: only a hand in the database, or the library's own tests, put it there."""
        return Fact(
            subject=subject,
            source=source,
            sequence=row.version,
            topic=row.topic,
            event=Undecoded(row.topic, f"no envelope: {why}"),
            occurred_at=0,
            part=part,
            recorded_at=row.recorded_at,
            version=row.version,
            index=row.index,
        )


def _own(value: Any, ours: bool) -> str | None:
    """What only Recoup may say: from outside these attributes mean nothing."""
    return value if ours and isinstance(value, str) else None


def part_number(part: str) -> int:
    """Restart part of a stream's name: 1 for the first, 0 for released conflicts."""
    return 0 if part.startswith("r") else int(part)


def origin_of(stream: str) -> str:
    """Source with its part, as citations write it."""
    place = parse_stream(stream)
    return place.source if place.part == "1" else f"{place.source}~{place.part}"


def read_session(reading: Reading, subject: str, catalogue: Catalogue) -> SessionFacts:
    """Everything of one subject; reads its own streams and nothing else."""
    heads = [head_of(row) for row in reading.all(sql.HEADS_BETWEEN, *of_subject(subject))]
    reader = FactReader(catalogue)
    facts: list[Fact] = []
    for head in heads:
        place = parse_stream(head.stream)
        part = part_number(place.part)
        rows = stamped(reading, reading.all(sql.STREAM, head.stream))
        facts += reader.facts(rows, subject, place.source, part)
    lost = [fact.event for fact in facts if isinstance(fact.event, GapDeclaredLost) and fact.ours]
    restarts = tuple(fact.event.source for fact in facts if isinstance(fact.event, SourceRestarted) and fact.ours)
    conflicts = tuple(
        OpenConflict(origin_of(row[6]), row[7], row[0].hex())
        for row in reading.all(sql.OPEN_CONFLICTS, *of_subject(subject))
        if row[1] == "conflict"
    )
    return SessionFacts(
        subject=subject,
        facts=tuple(facts),
        gaps=tuple(gap for head in heads for gap in session_gaps(head, lost)),
        conflicts=conflicts,
        restarts=restarts,
    )


def session_gaps(head: Head, lost: Sequence[GapDeclaredLost]) -> Iterator[SessionGap]:
    """The holes of one stream, cut where a declared loss begins or ends; released conflicts have none."""
    origin = origin_of(head.stream)
    if part_number(parse_stream(head.stream).part) == 0:
        return
    spans = [(one.first, one.last) for one in lost if one.source == origin]
    for gap in head.gaps():
        cuts = {gap.first, gap.last + 1}
        for first, last in spans:
            cuts.update(cut for cut in (first, last + 1) if gap.first < cut <= gap.last)
        edges = sorted(cuts)
        for low, after in pairwise(edges):
            is_lost = any(first <= low and after - 1 <= last for first, last in spans)
            yield SessionGap(origin, low, after - 1, is_lost)


def read_rounds(reading: Reading, low: str, high: str) -> list[RoundSegment]:
    """Segments of the streams whose names lie between, closed ones and the open one of each head, by stream."""
    found: dict[str, list[RoundSegment]] = {}
    for stream, *rest in reading.all(sql.SEGMENTS_BETWEEN, low, high):
        found.setdefault(stream, []).append(_segment(stream, Segment._make(rest)))
    for row in reading.all(sql.HEADS_BETWEEN, low, high):
        head = head_of(row)
        segment = head.open_segment()
        if segment is not None:
            found.setdefault(head.stream, []).append(_segment(head.stream, segment))
    return [segment for stream in sorted(found) for segment in found[stream]]


def _segment(stream: str, segment: Segment) -> RoundSegment:
    return RoundSegment(parse_stream(stream).subject, stream, *segment)
