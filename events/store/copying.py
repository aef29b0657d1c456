"""Moves a log from one store into another, whichever databases they are: rows, tiles, quarantine, counters, offsets.

Tile by tile, in transactions of some 10,000 rows, so that memory stays flat and the target is a log at any moment: a
beginning of the source, that `verify` passes. Run again it goes on there, and later it brings what came since. Every
leaf is hashed anew from its row on the way; heads, runs and round index are made again from the rows and not copied.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, repeat
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from events.errors import Refused, SealBroken, StoreBusy
from events.schema.ours import SourceRestarted
from events.seal import Frontier, split_leaves
from events.store import statements as sql
from events.store.backend import COUNTERS, Fresh, Held, Tile, Writing
from events.store.batch import leaves_of
from events.store.heads import FIRST_VERSION, Head, take_in_arrival
from events.store.log import Log
from events.store.origin import Partition
from events.store.parse import Placed, Times
from events.store.recorder import Reading
from events.store.status import read_counters
from events.values.names import RECOUP

ROWS_AT_A_TIME = 10_000
"""A transaction of the target ends with the first tile at which it has so many rows."""

_HEADS_KEPT = 50_000
_PAGE = 1_000
Progress = Callable[[int, int], None]
"""Called after each transaction: rows in the target, rows in the source."""


class CopyReport(Struct, frozen=True, kw_only=True):
    """`before`: rows that the target had; `root`: of both trees, hexadecimal."""

    before: int
    size: int
    root: str
    tiles: int
    quarantined: int
    offsets: int


def copy_log(source: Log, target: Log, progress: Progress | None = None) -> CopyReport:
    """Makes `target`, which is empty or a beginning of `source`, equal to it, as `source` is now.

    Raises:
        Refused: they are one store, or the target holds anything else.
        SealBroken: a row of the source is not the one that was sealed; what stands before it is copied.
        StoreBusy: somebody else writes into the target.
        Unable: one of them cannot be read or written. What was copied stays; run again it goes on.
    """
    if source.address.env == target.address.env:
        raise Refused(f"{source.address.shown} is both ends", hint="name another store to copy into")
    with source.recorder.reading() as reading:
        before = _common_size(reading, source, target)
        copying = _Copying(reading, source, target, before, progress)
        copying.run()
        return copying.report()


def _common_size(reading: Reading, source: Log, target: Log) -> int:
    """Rows of the target, if they are the source's first.

    Raises:
        Refused: they are not.
    """
    size = target.size()
    total = (reading.one(sql.SIZE) or (0,))[0] or 0
    hint = "copy into an empty store: `recoup store init` makes one"
    if size > total:
        raise Refused(f"{target.address.shown} has {size:,} rows, {source.address.shown} only {total:,}", hint=hint)
    if size:
        tree = Frontier()
        for page in reading.pages(sql.LEAVES, size=16):
            for (leaves,) in page:
                tree.extend(split_leaves(leaves[: max(0, size - tree.size) * 32]))
            if tree.size >= size:
                break
        if tree.root() != target.root():
            raise Refused(f"{target.address.shown} holds something else than {source.address.shown}", hint=hint)
    return size


class _Portion(NamedTuple):
    """What one transaction takes."""

    tiles: list[Tile]
    rows: list[list[Fresh]]
    held: list[Held]
    acts: list[tuple[bytes, str, int]]


class _Copying:
    def __init__(self, reading: Reading, source: Log, target: Log, before: int, progress: Progress | None) -> None:
        self.reading = reading
        self.source = source
        self.target = target
        self.before = self.size = before
        self.total = (reading.one(sql.SIZE) or (0,))[0] or 0
        self.progress = progress
        self.tiles = self.quarantined = self.offsets = 0
        self._heads = _Heads()

    def run(self) -> None:
        """All portions, then what no row holds: the counters as they stand, and the offsets."""
        for portion in self._portions():
            with self.target.recorder.writing() as writing:
                self._check_size(writing)
                self._put(writing, portion)
            self.size += sum(map(len, portion.rows))
            if self.progress is not None:
                self.progress(self.size, self.total)
        partitions = [Partition(*row) for row in self.reading.all(sql.OFFSETS)]
        wanted = read_counters(self.reading)
        with self.target.recorder.reading() as found:
            have = read_counters(found)
        with self.target.recorder.writing() as writing:
            self._check_size(writing)
            writing.add_counts({name: wanted[name] - have[name] for name in wanted if wanted[name] != have[name]})
            writing.put_offsets(partitions)
        self.offsets = len(partitions)

    def report(self) -> CopyReport:
        """The roots of both, from the leaves that they hold.

        Raises:
            SealBroken: they differ.
        """
        tree = Frontier()
        for page in self.reading.pages(sql.LEAVES, size=16):
            for (leaves,) in page:
                tree.extend(split_leaves(leaves))
        root = self.target.root()
        if tree.root() != root or self.target.size() != tree.size:
            raise SealBroken(
                f"the roots differ: {tree.root().hex()} in {self.source.address.shown}, "
                f"{root.hex()} in {self.target.address.shown}",
                hint="`recoup verify` on both says which is not as it was sealed",
            )
        return CopyReport(
            before=self.before, size=tree.size, root=root.hex(), tiles=self.tiles,
            quarantined=self.quarantined, offsets=self.offsets,
        )  # fmt: skip

    def _check_size(self, writing: Writing) -> None:
        if writing.size != self.size:
            raise StoreBusy(
                f"somebody else wrote into {self.target.address.shown}: {writing.size:,} rows, not {self.size:,}",
                hint="stop every ingest into it, and copy into an empty store",
            )

    def _portions(self) -> Iterator[_Portion]:
        rows = _Ahead(self.reading.pages(sql.ROWS_FROM, self.size))
        held = _Ahead(self.reading.pages(sql.HELD_FROM, self.size, size=_PAGE))
        acts = _Ahead(self.reading.pages(sql.ACTS_FROM, self.size, size=_PAGE))
        portion, count = _Portion([], [], [], []), 0
        for page in self.reading.pages(sql.TILES_FROM, self.size, size=16):
            for tile in map(Tile._make, page):
                end = tile.first + tile.size
                portion.tiles.append(tile)
                portion.rows.append(self._sealed(tile, rows.take(tile.size), self.size + count))
                portion.held.extend(Held(*row) for row in held.take_below(end, 10))
                portion.acts.extend((row[0], row[1], row[2]) for row in acts.take_below(end, 2))
                count += tile.size
                if count >= ROWS_AT_A_TIME:
                    yield portion
                    portion, count = _Portion([], [], [], []), 0
        if portion.tiles:
            yield portion

    def _sealed(self, tile: Tile, rows: list[Any], first: int) -> list[Fresh]:
        """The tile's rows.

        Raises:
            SealBroken: they are not those that it sealed.
        """
        try:
            whole = tile.first == first and len(rows) == tile.size and rows[0][0] == first
            if whole and rows[-1][0] == first + tile.size - 1 and leaves_of(tile.recorded_at, rows) == tile.leaves:
                return rows
        except (TypeError, AttributeError, ValueError, OverflowError, IndexError):
            pass
        raise SealBroken(
            f"{self.source.address.shown} is not as it was sealed, in the batch at tree index {first}",
            hint="`recoup verify` names the row; what stands before that batch is copied",
        )

    def _put(self, writing: Writing, portion: _Portion) -> None:
        rows = list(chain.from_iterable(portion.rows))
        writing.insert_rows(rows)
        writing.insert_tiles(portion.tiles)
        counts = self._heads.put(writing, portion.rows)
        if portion.held:
            writing.put_quarantine(portion.held)
        for act in portion.acts:
            writing.put_act(*act)
            counts[act[1]] += 1
        conflicts = sum(1 for one in portion.held if one.reason == "conflict")
        counts["conflicts"] += conflicts
        counts["quarantined"] += len(portion.held) - conflicts
        counts["stored"] -= counts["released"]
        counts["received"] += counts["stored"] + counts["conflicts"] + counts["quarantined"]
        writing.add_counts({name: counts[name] for name in COUNTERS if counts[name]})
        self.tiles += len(portion.tiles)
        self.quarantined += len(portion.held)


class _Heads:
    """Stream heads made again from the rows; those not used for long are dropped, and read from the target again."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Head] = OrderedDict()
        self._places = _Places()

    def put(self, writing: Writing, tiles: Sequence[Sequence[Fresh]]) -> Counter[str]:
        """Heads, runs and segments of these rows; what the counters say of them.

        Raises:
            SealBroken: a version that is not its stream's next.
        """
        counts: Counter[str] = Counter()
        touched: dict[str, Head] = {}
        self._load(writing, {row[1] for rows in tiles for row in rows})
        for rows in tiles:
            for stream, group in self._groups(rows).items():
                head = touched[stream] = self._kept[stream]
                take_in_arrival(head, group)
                counts["stored" if _is_from_outside(stream) else "authored"] += len(group)
                if not _is_from_outside(stream):
                    counts["restarts"] += sum(1 for one in group if one[4] == SourceRestarted.TOPIC)
        writing.put_heads([head.row() for head in touched.values()])
        runs = [pair for stream, head in touched.items() for pair in zip(repeat(stream), head.closed_runs)]
        segments = [pair for stream, head in touched.items() for pair in zip(repeat(stream), head.closed_segments)]
        if runs:
            writing.put_runs(runs)
        if segments:
            writing.put_segments(segments)
        for head in touched.values():
            head.closed_runs, head.closed_segments = [], []
        while len(self._kept) > _HEADS_KEPT:
            self._kept.popitem(last=False)
        return counts

    def _load(self, writing: Writing, streams: set[str]) -> None:
        missing = streams - self._kept.keys()
        for stream in streams - missing:
            self._kept.move_to_end(stream)
        if missing and writing.size:
            for row in writing.heads(sorted({stream.partition("~")[0] for stream in missing})):
                if row.stream in missing:
                    self._kept[row.stream] = Head.of_row(row)
        for stream in missing - self._kept.keys():
            self._kept[stream] = Head(stream)

    def _groups(self, rows: Sequence[Fresh]) -> dict[str, list[Placed]]:
        """The places of a tile's rows by stream, their versions checked."""
        groups: dict[str, list[Placed]] = {}
        for row in rows:
            index, stream, version = row[0], row[1], row[2]
            head, group = self._kept[stream], groups.setdefault(stream, [])
            if not head.seen and not group:
                head.next_version = min(version, FIRST_VERSION)  # the library lets a stream begin with 0
            if version != head.next_version + len(group):
                raise SealBroken(
                    f"version {version} of {stream} at tree index {index}, expected {head.next_version + len(group)}",
                    hint="`recoup verify` on the source names the place",
                )
            group.append(self._places.of(row))
        return groups


class _Look(Struct, gc=False):
    sequence: str
    time: str
    round: str | None = None


class _Places:
    """Sequence, time and round of a stored state, as `verify` reads them; of what is no envelope, its version."""

    def __init__(self) -> None:
        self._look = msgspec.json.Decoder(_Look).decode
        self._ms = Times().ms

    def of(self, row: Fresh) -> Placed:
        _index, _stream, version, topic, state = row
        try:
            look = self._look(state)
            sequence = int(look.sequence)
            return (sequence if sequence > 0 else version, 0, self._ms(look.time), look.round, topic, b"")
        except (msgspec.DecodeError, ValueError, RecursionError):
            return (version, 0, 0, None, topic, b"")


class _Ahead:
    """Rows out of pages, as many as are wanted."""

    def __init__(self, pages: Iterator[list[tuple[Any, ...]]]) -> None:
        self._pages = pages
        self._rows: list[tuple[Any, ...]] = []
        self._at = 0

    def _more(self) -> bool:
        page = next(self._pages, None)
        if page is None:
            return False
        self._rows = [*self._rows[self._at :], *page] if self._at < len(self._rows) else page
        self._at = 0
        return True

    def take(self, count: int) -> list[tuple[Any, ...]]:
        """The next `count` rows, fewer at the end."""
        while len(self._rows) - self._at < count and self._more():
            pass
        taken = self._rows[self._at : self._at + count]
        self._at += len(taken)
        return taken

    def take_below(self, end: int, column: int) -> list[tuple[Any, ...]]:
        """The next rows whose `column`, in which they ascend, is below `end`."""
        taken: list[tuple[Any, ...]] = []
        while (self._at < len(self._rows) or self._more()) and self._rows[self._at][column] < end:
            taken.append(self._rows[self._at])
            self._at += 1
        return taken


def _is_from_outside(stream: str) -> bool:
    """Whether a stream came in by the door (imports do), or is what Recoup says; as `verify` has it."""
    subject, at, source = stream.partition("@")
    return bool(at and source) and (subject.startswith("import/") or not source.startswith(RECOUP))


__all__ = ["ROWS_AT_A_TIME", "CopyReport", "Progress", "copy_log"]
