"""Recomputes everything that the store says of itself, and names the first bad position.

From the rows: leaves, tiles, tree, contiguous indexes and versions. From the envelopes: heads, runs, segments,
counters. Quarantine against the authored events that hold its SHA-256 sums, reasons and origins; tables, indexes and
triggers against those that were made. One walk, in pages; memory grows with the number of streams, not of rows.

Outside the seal, as no event holds it: where a batch or a conflict came from and who ran it (`tiles.origin`,
`tiles.account`, `quarantine.origin` of conflicts), the number of repeats, Kafka offsets. A cut or rewrite that was made
consistent everywhere is beyond it too: for that there are witnessed checkpoints.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from hashlib import sha256
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from events.errors import RecoupError, SealBroken
from events.schema.ours import (
    QuarantineDiscarded,
    QuarantineReleased,
    RecordConflicted,
    RecordQuarantined,
    SourceRestarted,
)
from events.seal import HASH_SIZE, Frontier, split_leaves
from events.store import statements as sql
from events.store.batch import leaves_of
from events.store.facts import origin_of
from events.store.faults import Authored, difference, held_fault, row_fault
from events.store.heads import FIRST_VERSION, Head, HeadRow, take_in_arrival
from events.store.log import Log
from events.store.parse import Placed, Times
from events.store.recorder import Reading, Undecodable
from events.store.status import read_counters
from events.values.names import RECOUP

PROBLEMS_MAX = 20
Progress = Callable[[int, int], None]
"""Called after each tile: rows done, rows in all."""


class Problem(Struct, frozen=True):
    """Something that is not as it was sealed. `index`: tree index from 0 where there is one; `stream` likewise;
    `record`: the row's citation and type as it stands there now, where they can be read; of a witness, the file."""

    what: str
    text: str
    index: int | None = None
    stream: str | None = None
    record: str = ""

    @property
    def where(self) -> str:
        """For people."""
        if self.index is not None:
            named = f"{self.record}, stream {self.stream}" if self.record else f"stream {self.stream}"
            return f"{self.what} at tree index {self.index}" + (f" ({named})" if self.stream else "")
        if self.stream:
            return f"{self.what} of {self.stream}"
        return f"{self.what} {self.record}".rstrip()


class VerifyReport(Struct, frozen=True):
    """`size` rows were sealed, with this root (hexadecimal). `problems`: first bad position first, at most 20."""

    size: int
    root: str
    tiles: int
    streams: int
    problems: tuple[Problem, ...]

    @property
    def ok(self) -> bool:
        """Whether all is as it was sealed."""
        return not self.problems


class Witnessed(NamedTuple):
    """A root that somebody saw: the tree of the first `size` rows had it, says `seen_in`."""

    size: int
    root: bytes
    seen_in: str


def verify(
    log: Log, progress: Progress | None = None, witnessed: Iterable[Witnessed] = (), *, behind: Frontier | None = None
) -> VerifyReport:
    """Walks the whole log in one consistent view. Never raises on what a tampering hand may have left.

    `witnessed`: roots that the log must have had on the way, in any order. `behind`: no row is read, only whether the
    tiles' leaves behind this tree, which somebody signed, make the roots of `witnessed`, and whether rows and tiles end
    together; in a tenth of the time.

    Raises:
        Unable: the database itself cannot be read.
    """
    try:
        with log.recorder.reading() as reading:
            return _Walk(reading, progress, witnessed).run(behind)
    except Undecodable:
        with log.recorder.reading(lenient=True) as reading:
            return _Walk(reading, progress, witnessed).run(behind)


def blame(log: Log, error: Exception) -> SealBroken | None:
    """Whether an error that nobody foresaw comes from the store: the words for it if `verify` finds fault, else None.

    Reading trusts the store, as checking every column on the way would cost each honest read; whoever meets a
    TypeError or a KeyError asks here whose mistake it is.
    """
    report = verify(log)
    if report.ok:
        return None
    return SealBroken(
        f"{log.address.shown} is not as it was sealed, first at {report.problems[0].where}; "
        f"the command could not go on ({type(error).__name__}: {error})",
        hint="`recoup verify` names every place; keep the file as it is, and tell who keeps the seal",
    )


class _Look(Struct, gc=False):
    sequence: str
    time: str
    round: str | None = None


_LOOK = msgspec.json.Decoder(_Look).decode


class _Walk:
    def __init__(self, reading: Reading, progress: Progress | None, witnessed: Iterable[Witnessed]) -> None:
        self.reading = reading
        self.witnessed = sorted(witnessed)
        self.agreed = 0
        self.progress = progress
        self.problems: list[Problem] = []
        self.heads: dict[str, Head] = {}
        self.runs: dict[str, bytes] = {}
        self.segments: dict[str, bytes] = {}
        self.tree = Frontier()
        self.tiles = 0
        self.from_outside = 0
        self.restarts = 0
        self.told: dict[str, dict[str, int]] = {"held": {}, "released": {}, "discarded": {}}
        self.held: dict[str, Authored] = {}
        self._ms = Times().ms
        self._outside: dict[str, bool] = {}

    def run(self, behind: Frontier | None) -> VerifyReport:
        """Rows first; bookkeeping only if they are whole, as it would follow their faults."""
        if behind is None:
            self._rows()
        else:
            if self.witnessed:
                self._leaves(behind)
            self._end()
        for gone in self.witnessed if not self.problems else ():
            text = f"{gone.size:,} rows were there, says {gone.seen_in}; the log has {self.tree.size:,} that are whole"
            self._say("checkpoint", text, index=self.tree.size)
        if behind is None and not self.problems:
            self._heads()
            self._closed("run", sql.ALL_RUNS, self.runs)
            self._closed("segment", sql.ALL_SEGMENTS, self.segments)
            self._quarantine()
            self._counters()
        for fault in self.reading.layout_faults():
            self._say("schema", fault)
        return VerifyReport(
            size=self.tree.size,
            root=self.tree.root().hex(),
            tiles=self.tiles,
            streams=len(self.heads),
            problems=tuple(self.problems[:PROBLEMS_MAX]),
        )

    def _say(
        self, what: str, text: str, *, index: int | None = None, stream: Any = None, row: tuple[Any, ...] = ()
    ) -> None:
        named = None if stream is None else _printable(str(stream))
        self.problems.append(Problem(what, text, index, named, _record(row) if row else ""))

    # -- rows and tiles

    def _rows(self) -> None:
        rows = _Rows(self.reading)
        last_at = 0
        total = (self.reading.one(sql.SIZE) or (0,))[0] or 0
        for page in self.reading.pages(sql.ALL_TILES, size=16):
            for first, size, recorded_at, leaves in page:
                if not self._tile(first, size, recorded_at, leaves, last_at):
                    return
                last_at = recorded_at
                if not self._sealed(first, recorded_at, rows.take(size), leaves, size):
                    return
                self.tiles += 1
                self._grow(split_leaves(leaves))
                if self.progress is not None:
                    self.progress(self.tree.size, total)
        for row in rows.take(1):
            self._say("row", "a row that no tile has sealed", index=row[0])

    def _leaves(self, behind: Frontier) -> None:
        """The tree by the tiles alone, up to the last root that was witnessed."""
        self.tree, self.agreed = behind, behind.size
        at = self.reading.one(sql.TILE_AT, behind.size)
        for page in self.reading.pages(sql.LEAVES_FROM, at[0] if at is not None else 0, size=16):
            for first, blob in page:
                if not self.witnessed:
                    return
                known = (self.tree.size - first) * HASH_SIZE if type(first) is int else -1
                if type(blob) is not bytes or len(blob) % HASH_SIZE or not 0 <= known <= len(blob):
                    self._say("tile", "the tile with this row is missing or altered", index=self.tree.size)
                    return
                self._grow(split_leaves(blob[known:]))

    def _end(self) -> None:
        """Whether the last row is the last of the last tile: nothing put behind it, nothing cut off."""
        rows = (self.reading.one(sql.SIZE) or (0,))[0] or 0
        first, size, _at = self.reading.one(sql.LAST_TILE) or (0, 0, 0)
        sealed = first + size if type(first) is int and type(size) is int else -1
        if rows > sealed:
            self._say("row", "a row that no tile has sealed", index=max(sealed, 0))
        elif rows < sealed:
            self._say("row", f"the log ends here; {sealed - rows:,} sealed rows are missing", index=rows)

    def _grow(self, leaves: list[bytes]) -> None:
        """The tree with one more tile, compared on the way with what was witnessed of it."""
        while self.witnessed and self.witnessed[0].size <= self.tree.size + len(leaves):
            seen = self.witnessed.pop(0)
            here = seen.size - self.tree.size
            self.tree.extend(leaves[:here])
            leaves = leaves[here:]
            if self.tree.root() == seen.root:
                self.agreed = seen.size
            else:
                between = f"rows {self.agreed:,} to {seen.size - 1:,}"
                text = f"{between} are not those that were there when {seen.seen_in} was signed"
                self._say("checkpoint", text, index=self.agreed)
        self.tree.extend(leaves)

    def _tile(self, first: Any, size: Any, recorded_at: Any, leaves: Any, last_at: int) -> bool:
        expected = self.tree.size
        if not (type(first) is type(size) is type(recorded_at) is int and type(leaves) is bytes):
            self._say("tile", "a column holds another type than was written", index=expected)
        elif first != expected:
            self._say("tile", f"the tile that begins here is missing; the next begins at {first}", index=expected)
        elif size <= 0 or len(leaves) != size * HASH_SIZE:
            self._say("tile", f"{len(leaves)} bytes of leaves for {size} rows", index=first)
        elif recorded_at < last_at:
            self._say("tile", "recorded before the tile in front of it", index=first)
        else:
            return True
        return False

    def _sealed(self, first: int, recorded_at: int, rows: list[tuple[Any, ...]], leaves: bytes, size: int) -> bool:
        """Whether the rows are those that the tile sealed; takes them into the heads."""
        try:
            whole = len(rows) == size and rows[0][0] == first and rows[-1][0] == first + size - 1
            if whole and leaves_of(recorded_at, rows) == leaves:
                return self._taken(rows, recorded_at)
        except (TypeError, AttributeError, ValueError, OverflowError):
            pass  # a column of another type: found below, row by row
        for position, row in enumerate(rows):
            index = first + position
            if row[0] != index:
                self._say("row", f"the row is missing; the next is {row[0]}", index=index)
                return False
            fault = row_fault(row, recorded_at, leaves[position * HASH_SIZE : (position + 1) * HASH_SIZE])
            if fault:
                self._say("row", fault, index=index, stream=row[1], row=row)
                return False
        missing = size - len(rows)
        self._say("row", f"the log ends here; {missing} sealed rows of this tile are missing", index=first + len(rows))
        return False

    def _taken(self, rows: list[tuple[Any, ...]], recorded_at: int) -> bool:
        """Heads, runs and segments made again from the rows of one tile."""
        look, ms = _LOOK, self._ms
        groups: dict[str, list[Placed]] = {}
        heads = self.heads
        for row in rows:
            index, stream, version, topic, state = row
            group = groups.get(stream)
            if group is None:
                group = groups[stream] = []
                head = heads.get(stream)
                if head is None:
                    head = heads[stream] = Head(stream)
                    head.next_version = min(version, FIRST_VERSION)
                expected = head.next_version
                self._note_side(stream)
            else:
                expected = heads[stream].next_version + len(group)
            if version != expected:
                text = f"version {version} of {stream}, expected {expected}"
                self._say("row", text, index=index, stream=stream, row=row)
                return False
            try:
                place = look(state)
                sequence = int(place.sequence)
                group.append((sequence if sequence > 0 else version, 0, ms(place.time), place.round, topic, b""))
            except (msgspec.DecodeError, ValueError, RecursionError):
                group.append((version, 0, 0, None, topic, b""))
            if topic.startswith("RC."):
                self._told(index, stream, topic, state, recorded_at)
        for stream, group in groups.items():
            self._take(heads[stream], group)
            if self._outside[stream]:
                self.from_outside += len(group)
        return True

    def _note_side(self, stream: str) -> None:
        """Whether a stream came in by the door (imports do), or is what Recoup says."""
        if stream not in self._outside:
            subject, _at, source = stream.partition("@")
            self._outside[stream] = bool(source) and (subject.startswith("import/") or not source.startswith(RECOUP))

    def _take(self, head: Head, group: list[Placed]) -> None:
        take_in_arrival(head, group)
        if head.closed_runs:
            self.runs[head.stream] = _chain(self.runs.get(head.stream, b""), head.closed_runs)
            head.closed_runs = []
        if head.closed_segments:
            self.segments[head.stream] = _chain(self.segments.get(head.stream, b""), head.closed_segments)
            head.closed_segments = []

    def _told(self, index: int, stream: str, topic: str, state: bytes, recorded_at: int) -> None:
        """What our own events say of quarantine and restarts."""
        if self._outside[stream]:
            return
        if topic == SourceRestarted.TOPIC:
            self.restarts += 1
            return
        kind = _TOLD.get(topic)
        if kind is None:
            return
        try:
            data = msgspec.json.decode(state)["data"]
            self.told[kind][data["sha256"]] = index
            if kind == "held":
                self.held[data["sha256"]] = Authored(stream.partition("@")[0], topic, data, recorded_at)
        except (msgspec.DecodeError, KeyError, TypeError):
            self._say("row", f"{topic} names no bytes", index=index, stream=stream)

    # -- bookkeeping

    def _heads(self) -> None:
        missing = dict(self.heads)
        for page in self.reading.pages(sql.ALL_HEADS):
            for row in page:
                stream = row[0]
                head = missing.pop(stream, None) if isinstance(stream, str) else None
                if head is None:
                    self._say("head", "a head of a stream that has no rows", stream=stream)
                elif HeadRow._make(row) != head.row():
                    self._say("head", difference(HeadRow._fields, row, head.row()), stream=stream)
        for stream in missing:
            self._say("head", "the head is missing", stream=stream)

    def _closed(self, what: str, statement: str, made: dict[str, bytes]) -> None:
        """Closed runs or segments, stream by stream: one hash chain each, the stored against the recomputed."""
        stored: dict[str, bytes] = {}
        for page in self.reading.pages(statement):
            for stream, *rest in page:
                stored[stream] = _chain(stored.get(stream, b""), [tuple(rest)])
        for stream in sorted({*stored, *made}, key=str):
            if stored.get(stream) != made.get(stream):
                self._say(what, f"the closed {what}s are not those that the rows make", stream=stream)

    def _quarantine(self) -> None:
        held = dict(self.told["held"])
        for entry in self.reading.all(sql.HELD_ALL):
            sha, reason, record, index = entry[0], entry[1], entry[4], entry[10]
            name = sha.hex() if isinstance(sha, bytes) else str(sha)
            if held.pop(name, None) != index:
                self._say("quarantine", f"no event at its place holds {name[:12]}", index=_index(index))
            elif reason != "too_long" and (type(record) is not bytes or sha256(record).digest() != sha):
                self._say("quarantine", f"the bytes are not those of {name[:12]}", index=_index(index))
            elif fault := held_fault(entry, self.held[name]):
                self._say("quarantine", f"{fault} of {name[:12]} is not what was sealed with it", index=_index(index))
        for name, index in held.items():
            self._say("quarantine", f"the bytes {name[:12]} are missing", index=index)
        for act, index in self.reading.all(sql.ALL_ACTS):
            if act not in ("released", "discarded"):
                self._say("quarantine", f"an act `{act}`, which is none", index=_index(index))
        for act in ("released", "discarded"):
            told = dict(self.told[act])
            for sha, index in self.reading.all(sql.ACTS, act):
                if not isinstance(sha, bytes) or told.pop(sha.hex(), None) != index:
                    self._say("quarantine", f"no event says that this was {act}", index=_index(index))
            for name, index in told.items():
                self._say("quarantine", f"{name[:12]} was {act}; that is missing", index=index)

    def _counters(self) -> None:
        found = read_counters(self.reading)
        told = self.told
        conflicts = sum(1 for row in self.reading.all(sql.HELD_ALL) if row[1] == "conflict")
        expected = {
            "released": len(told["released"]),
            "discarded": len(told["discarded"]),
            "restarts": self.restarts,
            "stored": self.from_outside - len(told["released"]),
            "conflicts": conflicts,
            "quarantined": len(told["held"]) - conflicts,
        }
        for name, value in expected.items():
            if found[name] != value:
                self._say("counter", f"{name} is {found[name]}, the log makes it {value}")
        parts = [found[name] for name in ("stored", "repeats", "conflicts", "quarantined")]
        if not all(type(value) is int for value in (found["received"], *parts)) or found["received"] != sum(parts):
            self._say("counter", f"received is {found['received']}, its parts are {parts}")


def _record(row: tuple[Any, ...]) -> str:
    """`155@/brno/RL-03/terminal RL.BetPlaced.v1`, as far as a row that somebody altered can still be read."""
    _index, stream, _version, topic, state = row
    said = []
    # Where its own text is what was altered, only the type is told.
    with suppress(msgspec.DecodeError, RecoupError, ValueError, TypeError, AttributeError, RecursionError):
        said.append(f"{int(_LOOK(state).sequence)}@{origin_of(stream)}")
    if isinstance(topic, str):
        said.append(topic)
    return _printable(" ".join(said))


def _printable(text: str) -> str:
    """What a tampering hand may have left, so that every terminal and JSON can write it."""
    return text.encode("utf-8", "backslashreplace").decode()


_TOLD = {
    RecordQuarantined.TOPIC: "held",
    RecordConflicted.TOPIC: "held",
    QuarantineReleased.TOPIC: "released",
    QuarantineDiscarded.TOPIC: "discarded",
}


class _Rows:
    """The rows in order of index, as many at a time as a tile has."""

    def __init__(self, reading: Reading) -> None:
        self._pages = reading.pages(sql.ALL_ROWS)
        self._rest: list[tuple[Any, ...]] = []

    def take(self, count: int) -> list[tuple[Any, ...]]:
        """The next `count` rows, fewer at the end."""
        rows = self._rest
        while len(rows) < count:
            page = next(self._pages, None)
            if page is None:
                break
            rows = rows + page if rows else page
        self._rest = rows[count:]
        return rows[:count]


def _chain(before: bytes, items: list[Any]) -> bytes:
    for item in items:
        before = sha256(before + repr(tuple(item)).encode(errors="surrogatepass")).digest()
    return before


def _index(value: Any) -> int | None:
    return value if type(value) is int else None
