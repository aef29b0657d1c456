"""One transaction's work: rows given versions and tree indexes, sealed, and the bookkeeping that goes with them.

This is the one hook: bulk ingest, authored events and the library's `Application.save` all end in `Batch.seal`.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from hashlib import sha256
from itertools import repeat
from time import time_ns

import msgspec
from eventsourcing.persistence import IntegrityError

from events.errors import Refused
from events.schema.catalogue import Catalogue
from events.schema.envelope import canonical, make_envelope
from events.schema.event import Event, Undecoded, to_plain
from events.schema.ours import RecordCorrected
from events.store.backend import Fresh, Held, Tile, Writing
from events.store.heads import Head, HeadRow, Run, Segment
from events.store.origin import Origin
from events.store.parse import Placed
from events.values.clock import parse_time, time_text
from events.values.names import check_name, check_round, parse_citation, parse_stream

_BASES_KEPT = 8192


class _Look(msgspec.Struct, gc=False):
    """What the bookkeeping needs of a state; any other attribute is passed over."""

    sequence: str
    time: str
    round: str | None = None


_LOOK = msgspec.json.Decoder(_Look).decode


def place_of_state(state: bytes, version: int) -> tuple[int, int, str | None]:
    """Sequence, time in ms and round of a stored state; one that is no envelope counts by its version.

    The recorder stores whatever the library hands it, and `verify` must make the same heads from it.
    """
    try:
        look = _LOOK(state)
        sequence = int(look.sequence)
        return sequence if sequence > 0 else version, parse_time(look.time), look.round
    except (msgspec.DecodeError, ValueError, RecursionError):
        return version, 0, None


class Source:
    """All streams of one source in one subject: the starts of its counter, and released conflicts."""

    __slots__ = ("base", "parts", "released")

    def __init__(self, base: str) -> None:
        self.base = base
        self.parts: list[Head] = []
        self.released: list[Head] = []

    def add(self, head: Head) -> None:
        """A head read from the store; parts come in any order."""
        part = parse_stream(head.stream).part
        if part.startswith("r"):
            self.released.append(head)
        else:
            self.parts.append(head)
            self.parts.sort(key=lambda one: int(parse_stream(one.stream).part))

    @property
    def newest(self) -> Head:
        """Where new records of this source go."""
        if not self.parts:
            self.parts.append(Head(self.base))
        return self.parts[-1]

    def restart(self) -> Head:
        """A further part, for a counter that began again."""
        self.parts.append(Head(f"{self.base}~{len(self.parts) + 1}"))
        return self.parts[-1]


class Shelf:
    """Heads kept between transactions; good only while nobody else has written."""

    def __init__(self) -> None:
        self._size = -1
        self._sources: OrderedDict[str, Source] = OrderedDict()

    def open(self, size: int) -> None:
        """Begins a transaction in a log of `size` rows; whatever another writer may have changed is dropped."""
        if size != self._size:
            self._sources.clear()
        self._size = -1  # until the commit: what a failed transaction leaves here is not the store's

    def close(self, size: int) -> None:
        """The transaction is committed; the log has `size` rows."""
        self._size = size
        while len(self._sources) > _BASES_KEPT:
            self._sources.popitem(last=False)

    def load(self, writing: Writing, bases: Sequence[str]) -> None:
        """Sees to it that all these are here."""
        missing = []
        for base in bases:
            if base in self._sources:
                self._sources.move_to_end(base)
            else:
                missing.append(base)
                self._sources[base] = Source(base)
        if missing and writing.size:
            for row in writing.heads(missing):
                self._sources[row.stream.partition("~")[0]].add(Head.of_row(row))

    def get(self, base: str) -> Source:
        """A source that was loaded."""
        return self._sources[base]


class Draft(msgspec.Struct, frozen=True):
    """An event to be authored by Recoup. `at`: ms UTC, now if None. `about`: citation of the record it is about."""

    event: Event
    round: str | None = None
    about: str | None = None
    account: str | None = None
    reason: str | None = None
    at: int | None = None


def check_draft(draft: Draft, catalogue: Catalogue) -> None:
    """A draft must read again as it was meant: what Recoup itself says can be corrected only by saying more.

    Raises:
        Refused: the catalogue does not read the event, or its time is none.
        BadName: its round, or the record that it is about, is no name.
    """
    event = draft.event
    topic = event.TOPIC
    meant = canonical(to_plain(event))
    read = catalogue.decode(topic, meant)
    # As bytes: what a correction quotes may hold a tuple where JSON gives back a list.
    if isinstance(read, Undecoded) or canonical(to_plain(read)) != meant:
        why = read.reason if isinstance(read, Undecoded) else "it reads as another event"
        raise Refused(f"{topic} cannot be stored so: {why}", hint=f"`recoup schema {topic}` shows what it may hold")
    if draft.round is not None:
        check_name(draft.round, "round")
    if draft.about is not None:
        parse_citation(draft.about)
    if isinstance(event, RecordCorrected) and event.round is not None:
        check_round(event.round)
    for at in (draft.at, event.time if isinstance(event, RecordCorrected) else None):
        try:
            if at is not None:
                parse_time(at if isinstance(at, str) else time_text(at))
        except (ValueError, OverflowError) as error:
            raise Refused(f"{topic} has the time {at}: {error}", hint="2026-11-28T21:14:05.120+01:00") from error


class Batch:
    """What one transaction stores. Nothing is written before `seal`."""

    def __init__(self, writing: Writing, shelf: Shelf) -> None:
        self.writing = writing
        self.shelf = shelf
        self.recorded_at = max(time_ns() // 1000, writing.last_recorded_at)
        self.rows: list[Fresh] = []
        self.held: list[Held] = []
        self.acts: list[tuple[bytes, str, int]] = []
        self.counts: dict[str, int] = {}
        self.tile: Tile | None = None
        self._touched: dict[str, Head] = {}
        self._runs: dict[str, list[Run]] = {}

    def count(self, name: str, by: int = 1) -> None:
        """Adds to a counter of the store."""
        self.counts[name] = self.counts.get(name, 0) + by

    def source(self, base: str) -> Source:
        """The source's heads, loaded if need be."""
        self.shelf.load(self.writing, (base,))
        return self.shelf.get(base)

    def store(self, head: Head, placed: Sequence[Placed]) -> None:
        """Records new to the stream, in order of sequence."""
        version, stream = head.next_version, head.stream
        head.take(placed)
        self._touched[stream] = head
        index = self.writing.size + len(self.rows) - version
        self.rows += [(index + version, stream, version, one[4], one[5]) for version, one in enumerate(placed, version)]

    def author(self, stream: str, draft: Draft) -> int:
        """One event of ours at the end of `stream`, as canonical JSON; gives its tree index."""
        place = parse_stream(stream)
        head = self.source(stream).newest
        sequence = head.top + 1
        at = self.recorded_at // 1000 if draft.at is None else draft.at
        envelope = make_envelope(
            subject=place.subject,
            source=place.source,
            sequence=sequence,
            topic=draft.event.TOPIC,
            at_ms=at,
            data=to_plain(draft.event),
            round_name=draft.round,
            about=draft.about,
            account=draft.account,
            reason=draft.reason,
        )
        self.store(head, ((sequence, 0, at, draft.round, draft.event.TOPIC, canonical(envelope)),))
        self.count("authored")
        return self.writing.size + len(self.rows) - 1

    def runs(self, head: Head) -> list[Run]:
        """All closed runs of a stream: those stored, loaded once a batch, and those that closed since."""
        stored = self._runs.get(head.stream)
        if stored is None:
            stored = self._runs[head.stream] = self.writing.runs(head.stream)
        return sorted([*stored, *head.closed_runs]) if head.closed_runs else stored

    def load_runs(self, heads: Sequence[Head]) -> None:
        """Loads the stored closed runs of many streams at once."""
        missing = [head.stream for head in heads if head.stream not in self._runs]
        if missing:
            self._runs.update(self.writing.runs_of(missing))

    def save(self, events: Iterable[tuple[str, int, str, bytes]]) -> None:
        """Rows of the library's own making: versions given, state anything.

        Raises:
            IntegrityError: a version that is not the stream's next.
        """
        for stream, version, topic, state in events:
            base, tilde, _part = stream.partition("~")
            source = self.source(base)
            head = next((one for one in (*source.parts, *source.released) if one.stream == stream), None)
            if head is None:
                head = Head(stream) if tilde else source.newest
                if tilde:
                    source.add(head)
            if head.next_version == 1 and version == 0 and not head.seen:
                head.next_version = 0  # the library lets a stream begin with 0; ours begin with 1
            if version != head.next_version:
                raise IntegrityError(f"version {version} of {stream}, whose next is {head.next_version}")
            sequence, at, name = place_of_state(state, version)
            if head.knows(sequence):
                raise IntegrityError(f"sequence {sequence} of {stream} is stored")
            self.store(head, ((sequence, 0, at, name, topic, state),))

    def seal(self, origin: Origin, account: str) -> int:
        """Writes all of it: rows, leaves as one tile, heads, closed runs and segments, quarantine, counters, offsets.

        Gives the tree index of the first row.
        """
        writing, rows, first = self.writing, self.rows, self.writing.size
        if rows:
            leaves = leaves_of(self.recorded_at, rows)
            writing.insert_rows(rows)
            self.tile = Tile(first, len(rows), self.recorded_at, origin.text(), origin.account or account, leaves)
            writing.insert_tile(self.tile)
            self._put_bookkeeping()
        if self.held:
            writing.put_quarantine(self.held)
        for sha, act, index in self.acts:
            writing.put_act(sha, act, index)
        if self.counts:
            writing.add_counts(self.counts)
        if origin.partitions:
            writing.put_offsets(origin.partitions)
        return first

    def _put_bookkeeping(self) -> None:
        heads: list[HeadRow] = []
        runs: list[tuple[str, Run]] = []
        segments: list[tuple[str, Segment]] = []
        for stream, head in self._touched.items():
            heads.append(head.row())
            if head.closed_runs:
                runs += zip(repeat(stream), head.closed_runs)
                head.closed_runs = []
            if head.closed_segments:
                segments += zip(repeat(stream), head.closed_segments)
                head.closed_segments = []
        self.writing.put_heads(heads)
        if runs:
            self.writing.put_runs(runs)
        if segments:
            self.writing.put_segments(segments)


def leaves_of(recorded_at: int, rows: Sequence[Fresh]) -> bytes:
    """The rows' leaves, as `events.seal.leaf` has them, one after another."""
    head = b"\x00\x01" + recorded_at.to_bytes(8, "big")
    topics: dict[str, bytes] = {}
    leaves: list[bytes] = []
    add = leaves.append
    join = b"".join
    last, named = "", b""
    for _index, stream, version, topic, state in rows:
        if stream is not last:  # rows of a stream stand together, and share the very string
            last, named = stream, _framed(stream)
        typed = topics.get(topic)
        if typed is None:
            typed = topics[topic] = _framed(topic)
        add(sha256(join((head, version.to_bytes(8, "big"), named, typed, state))).digest())
    return join(leaves)


def _framed(name: str) -> bytes:
    encoded = name.encode()
    return len(encoded).to_bytes(2, "big") + encoded
