"""What a database must offer: one writing transaction under the log's lock, and reading.

Both databases hold the same tables. Evidence, only ever added to: `stored_events`, `tiles`, `quarantine`,
`quarantine_acts`. Bookkeeping, made again from evidence: `stream_heads`, `stream_runs`, `round_segments`, `counters`,
`source_offsets`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from events.store.heads import HeadRow, Run, Segment
from events.store.origin import Partition

SCHEMA = 1
"""Number of the table layout. A store with a greater one was written by a later Recoup."""

EVIDENCE = ("stored_events", "tiles", "quarantine", "quarantine_acts")
"""Tables that are only ever added to."""

COUNTERS = (
    "received",
    "stored",
    "repeats",
    "conflicts",
    "quarantined",
    "restarts",
    "released",
    "discarded",
    "authored",
)
"""`received = stored + repeats + conflicts + quarantined`; the rest are counted beside."""


class Row(NamedTuple):
    """One stored row. `index`: tree index from 0. `recorded_at`: µs UTC."""

    index: int  # type: ignore[assignment]
    stream: str
    version: int
    topic: str
    state: bytes
    recorded_at: int


Fresh = tuple[int, str, int, str, bytes]
"""A row to be stored: tree index, stream, version, topic, state."""


class Tile(NamedTuple):
    """One transaction's leaves: rows `first` to `first + size - 1`, 32 bytes each."""

    first: int
    size: int
    recorded_at: int
    origin: str
    account: str
    leaves: bytes


class Held(NamedTuple):
    """Bytes in quarantine. `stream`, `sequence`, `digest` where the record had a place; `index`: of the event that
    holds their SHA-256; `act`: `released` or `discarded` once somebody did."""

    sha256: bytes
    reason: str
    detail: str
    origin: str
    record: bytes
    length: int
    stream: str | None
    sequence: int | None
    digest: bytes | None
    recorded_at: int
    index: int  # type: ignore[assignment]
    act: str | None = None
    act_index: int | None = None


class Writing(ABC):
    """One transaction that holds the log's write lock from its first statement on.

    `size`: rows in the tree when it began; `last_recorded_at`: µs UTC of the last tile, 0 in an empty log.
    """

    size: int
    last_recorded_at: int

    @abstractmethod
    def heads(self, bases: Sequence[str]) -> list[HeadRow]:
        """Heads of the streams `base`, `base~2`, …, `base~r`, … of each base."""

    @abstractmethod
    def runs(self, stream: str) -> list[Run]:
        """Closed runs of a stream, by first sequence."""

    @abstractmethod
    def states(self, stream: str, low: int, high: int) -> list[bytes]:
        """States of versions `low` to `high`, in order."""

    def runs_of(self, streams: Sequence[str]) -> dict[str, list[Run]]:
        """`runs` of many streams; one question where the server is far."""
        return {stream: self.runs(stream) for stream in streams}

    def states_of(self, ranges: Sequence[tuple[str, int, int]]) -> list[list[bytes]]:
        """`states` of many ranges (stream, low, high); one question where the server is far."""
        return [self.states(*one) for one in ranges]

    @abstractmethod
    def quarantined(self, sha256s: Sequence[bytes]) -> set[bytes]:
        """Which of these lie in quarantine."""

    @abstractmethod
    def acted(self, sha256: bytes) -> bool:
        """Whether somebody decided about these bytes."""

    @abstractmethod
    def conflict_digests(self, stream: str, sequence: int) -> set[bytes]:
        """Digests of the conflicting records of that place which lie in quarantine."""

    @abstractmethod
    def insert_rows(self, rows: Sequence[Fresh]) -> None:
        """Rows with their tree indexes.

        Raises:
            eventsourcing.persistence.IntegrityError: a stream already has one of the versions.
        """

    @abstractmethod
    def insert_tile(self, tile: Tile) -> None:
        """The leaves of the rows inserted, and where they came from."""

    def insert_tiles(self, tiles: Sequence[Tile]) -> None:
        """Several; one trip where the server is far."""
        for tile in tiles:
            self.insert_tile(tile)

    @abstractmethod
    def put_heads(self, heads: Sequence[HeadRow]) -> None:
        """Heads, new or changed."""

    @abstractmethod
    def put_runs(self, runs: Sequence[tuple[str, Run]]) -> None:
        """Runs that closed."""

    @abstractmethod
    def put_segments(self, segments: Sequence[tuple[str, Segment]]) -> None:
        """Segments that closed."""

    @abstractmethod
    def put_quarantine(self, held: Sequence[Held]) -> None:
        """Bytes into quarantine."""

    @abstractmethod
    def put_act(self, sha256: bytes, act: str, index: int) -> None:
        """What was decided about bytes in quarantine, and the event that says so."""

    @abstractmethod
    def add_counts(self, counts: Mapping[str, int]) -> None:
        """Counters, added to what they were."""

    @abstractmethod
    def put_offsets(self, partitions: Iterable[Partition]) -> None:
        """Where to read on in each partition; never moved back."""
