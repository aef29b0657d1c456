"""Stream heads, runs and round segments: bookkeeping made from envelopes alone, in memory.

A *head* knows a stream's next version, the sequences seen (as intervals; holes are gaps), the open *run* (consecutive
sequences at consecutive versions) and the open *segment* (consecutive versions of one round). A run or a segment is
written once, when it closes. `verify` makes all of them again from the log.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from events.store.parse import Placed

FIRST_VERSION = 1


class Run(NamedTuple):
    """`length` consecutive sequences at as many consecutive versions."""

    first_sequence: int
    first_version: int
    length: int


class Segment(NamedTuple):
    """Consecutive versions that name one round (None: no round); earliest and latest time, ms UTC."""

    round: str | None
    from_version: int
    to_version: int
    first_at: int
    last_at: int


class HeadRow(NamedTuple):
    """A head as it is stored. `seen` is `1-4711,4713-4800`; `top_at` the time of the highest sequence, ms UTC."""

    stream: str
    next_version: int
    seen: str
    run_sequence: int
    run_version: int
    run_length: int
    top_at: int
    round: str | None
    segment_version: int
    segment_first_at: int
    segment_last_at: int


class Gap(NamedTuple):
    """Sequences of a stream that have not come: `first` to `last`, both included."""

    stream: str
    first: int
    last: int


def seen_text(seen: Sequence[int]) -> str:
    """Flat bounds `[1, 4711, 4713, 4800]` → `1-4711,4713-4800`."""
    if len(seen) == 2:
        return f"{seen[0]}-{seen[1]}"
    return ",".join(f"{seen[at]}-{seen[at + 1]}" for at in range(0, len(seen), 2))


def parse_seen(text: str) -> list[int]:
    """`1-4711,4713-4800` → flat bounds.

    Raises:
        ValueError: another form.
    """
    bounds: list[int] = []
    for span in text.split(",") if text else ():
        low, dash, high = span.partition("-")
        if not dash:
            raise ValueError(f"`{span}` is not an interval")
        bounds += (int(low), int(high))
    return bounds


class Head:
    """One stream's head. A stream that has no row yet begins with version 1."""

    __slots__ = (
        "closed_runs", "closed_segments", "next_version", "round", "run_length", "run_sequence", "run_version",
        "seen", "segment_first_at", "segment_last_at", "segment_version", "stream", "top_at",
    )  # fmt: skip

    def __init__(self, stream: str) -> None:
        self.stream = stream
        self.next_version = FIRST_VERSION
        self.seen: list[int] = []
        self.run_sequence = self.run_version = self.run_length = 0
        self.top_at = 0
        self.round: str | None = None
        self.segment_version = -1  # no segment is open; the library lets a stream begin with version 0
        self.segment_first_at = self.segment_last_at = 0
        self.closed_runs: list[Run] = []
        self.closed_segments: list[Segment] = []

    @classmethod
    def of_row(cls, row: HeadRow) -> Head:
        """The head that `row` holds.

        Raises:
            ValueError: its intervals cannot be read.
        """
        head = cls(row.stream)
        head.next_version = row.next_version
        head.seen = parse_seen(row.seen)
        head.run_sequence, head.run_version, head.run_length = row.run_sequence, row.run_version, row.run_length
        head.top_at = row.top_at
        head.round = row.round
        head.segment_version = row.segment_version
        head.segment_first_at, head.segment_last_at = row.segment_first_at, row.segment_last_at
        return head

    def row(self) -> HeadRow:
        """As it is stored."""
        return HeadRow(
            self.stream,
            self.next_version,
            seen_text(self.seen),
            self.run_sequence,
            self.run_version,
            self.run_length,
            self.top_at,
            self.round,
            self.segment_version,
            self.segment_first_at,
            self.segment_last_at,
        )

    @property
    def top(self) -> int:
        """The highest sequence seen; 0 before the first."""
        return self.seen[-1] if self.seen else 0

    def knows(self, sequence: int) -> bool:
        """Whether that sequence is stored."""
        seen = self.seen
        at = bisect_left(seen, sequence)
        return at < len(seen) and (at % 2 == 1 or seen[at] == sequence)

    def gaps(self) -> Iterator[Gap]:
        """Holes below the highest sequence, from 1 on."""
        after = 0
        for at in range(0, len(self.seen), 2):
            if self.seen[at] > after + 1:
                yield Gap(self.stream, after + 1, self.seen[at] - 1)
            after = self.seen[at + 1]

    def knows_all(self, low: int, high: int) -> bool:
        """Whether every sequence from `low` to `high` is stored."""
        at = bisect_left(self.seen, low)
        if at < len(self.seen) and at % 2 == 0 and self.seen[at] == low:
            at += 1
        return at % 2 == 1 and high <= self.seen[at]

    def run_of(self, sequence: int, closed: Sequence[Run]) -> Run:
        """The run that holds a known sequence; `closed` are the stream's closed runs by first sequence.

        Raises:
            KeyError: heads and runs do not fit together.
        """
        for run in (Run(self.run_sequence, self.run_version, self.run_length), *_around(closed, sequence)):
            if run.first_sequence <= sequence < run.first_sequence + run.length:
                return run
        raise KeyError(f"sequence {sequence} of {self.stream} is in no run")

    def version_of(self, sequence: int, closed: Sequence[Run]) -> int:
        """The version at which a known sequence is stored.

        Raises:
            KeyError: as `run_of`.
        """
        run = self.run_of(sequence, closed)
        return run.first_version + sequence - run.first_sequence

    def take(self, placed: Sequence[Placed]) -> None:
        """Records new to this stream, in order of sequence, get the next versions."""
        version = self.next_version
        is_open, name = self.segment_version >= 0, self.round
        first_at, last_at = self.segment_first_at, self.segment_last_at
        low = placed[0][0]
        after, span_at = low, 0
        for sequence, _arrival, at, of_round, _topic, _raw in placed:
            if sequence != after:
                self._take_span(low, after - 1, span_at)
                low = sequence
            after, span_at = sequence + 1, at
            if of_round == name and is_open:
                if at > last_at:
                    last_at = at
                elif at < first_at:
                    first_at = at
            else:
                if is_open:
                    self.closed_segments.append(Segment(name, self.segment_version, version - 1, first_at, last_at))
                is_open, name, first_at, last_at = True, of_round, at, at
                self.segment_version = version
            version += 1
        self._take_span(low, after - 1, span_at)
        self.round, self.segment_first_at, self.segment_last_at = name, first_at, last_at

    def _take_span(self, low: int, high: int, at: int) -> None:
        """Consecutive sequences; `at` is the time of the last."""
        count = high - low + 1
        if self.run_length and low == self.run_sequence + self.run_length:
            self.run_length += count
        else:
            if self.run_length:
                self.closed_runs.append(Run(self.run_sequence, self.run_version, self.run_length))
            self.run_sequence, self.run_version, self.run_length = low, self.next_version, count
        self.next_version += count
        seen = self.seen
        if not seen or high > seen[-1]:
            self.top_at = at
        if seen and low == seen[-1] + 1:
            seen[-1] = high
        elif not seen or low > seen[-1]:
            seen += (low, high)
        else:
            self._fill_hole(low, high)

    def _fill_hole(self, low: int, high: int) -> None:
        seen = self.seen
        at = bisect_right(seen, low)
        touches_below = at > 0 and seen[at - 1] == low - 1
        touches_above = at < len(seen) and seen[at] == high + 1
        if touches_below and touches_above:
            del seen[at - 1 : at + 1]
        elif touches_below:
            seen[at - 1] = high
        elif touches_above:
            seen[at] = low
        else:
            seen[at:at] = (low, high)

    def open_segment(self) -> Segment | None:
        """The segment that the stream's last version belongs to."""
        if self.segment_version < 0:
            return None
        return Segment(
            self.round, self.segment_version, self.next_version - 1, self.segment_first_at, self.segment_last_at
        )


def take_in_arrival(head: Head, group: Sequence[Placed]) -> None:
    """Records of one stream in order of version, taken in ascending pieces, as ingest took them batch by batch."""
    at = 0
    for end in range(1, len(group) + 1):
        if end == len(group) or group[end][0] <= group[end - 1][0]:
            head.take(group[at:end])
            at = end


def _around(closed: Sequence[Run], sequence: int) -> Sequence[Run]:
    """The one closed run that can hold `sequence`: runs of a stream never share one."""
    at = bisect_right(closed, (sequence, 2**63, 0))
    return closed[at - 1 : at]
