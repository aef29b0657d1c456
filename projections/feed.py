"""Follows the log into DuckDB: one insert a page, the position in the same transaction.

A page is read and turned into columns on a thread of its own while the page before is inserted: SQLite, Arrow and
DuckDB let go of the interpreter's lock. What is fed is canonical text made from the parsed record, never the bytes as
received, which another JSON reader may understand in another way (a key twice, numbers, escapes).
"""

from __future__ import annotations

import json
import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import duckdb
import msgspec
import pyarrow as pa
from msgspec import Struct

from events.errors import BadName, SealBroken, Unable
from events.schema.envelope import canonical
from events.store import Log, Row, follow
from events.store.parse import Minutes
from events.values.names import RECOUP, parse_stream, parse_subject

PAGE = 10_000
"""Rows a transaction. Single rows are 500 times slower, ten times as many gain nothing."""

_AHEAD = 2
_END = None

Progress = Callable[[str, int, int], None]
"""Called with what is done (`feed`, `judge`), how much of it is done, and how much there is."""


class _Look(Struct, gc=False):
    """What the feed takes of an envelope; any other attribute is passed over."""

    sequence: str
    time: str
    data: Any = None
    round: str | None = None
    about: Any = None
    account: Any = None
    reason: Any = None


_LOOK = msgspec.json.Decoder(_Look).decode
_STREAM = pa.schema(
    [
        ("stream_no", pa.int32()), ("stream", pa.string()), ("subject", pa.string()), ("source", pa.string()),
        ("origin", pa.string()), ("kind", pa.string()), ("house", pa.string()), ("unit", pa.string()),
        ("session", pa.string()), ("ours", pa.bool_()), ("is_imported", pa.bool_()),
    ]
)  # fmt: skip
_RECORD = pa.schema(
    [
        ("idx", pa.int64()), ("stream_no", pa.int32()), ("version", pa.int64()), ("sequence", pa.int64()),
        ("topic", pa.string()), ("round", pa.string()), ("occurred_ms", pa.int64()), ("recorded_us", pa.int64()),
        ("about", pa.string()), ("account", pa.string()), ("reason", pa.string()), ("data", pa.string()),
    ]
)  # fmt: skip


class Page(NamedTuple):
    """Rows `first` to `last` of the log as columns, and the streams that are new with them.

    `by_house`, `by_act`: a house's own record, or a decision about quarantined bytes, is among them.
    """

    first: int
    last: int
    streams: pa.Table
    records: pa.Table
    by_house: bool
    by_act: bool


class Columns:
    """Turns rows of the log into columns; numbers streams as they come, after those in `known`."""

    def __init__(self, known: dict[str, int]) -> None:
        self._numbers = dict(known)
        self._ours = {number for stream, number in known.items() if is_ours(stream)}
        self._minutes = Minutes()

    def page(self, rows: Sequence[Row]) -> Page:
        """The columns of one page.

        Raises:
            SealBroken: the rows' tree indexes have a hole.
        """
        first, last = rows[0].index, rows[-1].index
        if last - first != len(rows) - 1:
            raise SealBroken(
                f"the log has a hole between rows {first} and {last}", hint="`recoup verify` names the place"
            )
        indexes, streams, versions, topics, states, recorded = zip(*rows, strict=True)
        fresh: list[tuple[Any, ...]] = []
        numbers = [self._numbers.get(stream) or self._number(stream, fresh) for stream in streams]
        looks = list(map(self._look, states, versions))
        columns = [
            pa.array(indexes, pa.int64()),
            pa.array(numbers, pa.int32()),
            pa.array(versions, pa.int64()),
            pa.array([look[0] for look in looks], pa.int64()),
            pa.array(topics, pa.string()),
            pa.array([look[1] for look in looks], pa.string()),
            pa.array([look[2] for look in looks], pa.int64()),
            pa.array(recorded, pa.int64()),
            *self._own_words(looks, numbers),
            pa.array([look[3] for look in looks], pa.string()),
        ]
        new = pa.table(list(map(list, zip(*fresh, strict=True))) if fresh else [[]] * len(_STREAM), schema=_STREAM)
        return Page(
            first,
            last,
            new,
            pa.table(columns, schema=_RECORD),
            by_house=any(stream.startswith("house/") for stream in streams),
            by_act=not _ACTS.isdisjoint(topics),
        )

    def _look(self, state: bytes, version: int) -> tuple[int, str | None, int, bytes | None, _Look | None]:
        """Sequence, round, time, canonical data; a state that is no envelope counts by its version."""
        try:
            look = _LOOK(state)
            sequence = int(look.sequence)
            at = self._minutes.ms(look.time)
        except (msgspec.DecodeError, ValueError, RecursionError):
            return version, None, 0, None, None
        return sequence if sequence > 0 else version, look.round, at, text_of(look.data), look

    def _number(self, stream: str, fresh: list[tuple[Any, ...]]) -> int:
        number = self._numbers[stream] = len(self._numbers) + 1
        if is_ours(stream):
            self._ours.add(number)
        fresh.append((number, *describe(stream)))
        return number

    def _own_words(self, looks: Sequence[tuple[Any, ...]], numbers: Sequence[int]) -> list[pa.Array]:
        """`about`, `account`, `reason`: only Recoup may say them; from outside they mean nothing."""
        if self._ours.isdisjoint(numbers):
            return [pa.nulls(len(numbers), pa.string())] * 3
        own = [look[4] if number in self._ours else None for look, number in zip(looks, numbers, strict=True)]
        return [
            pa.array([_word(getattr(look, name)) if look is not None else None for look in own], pa.string())
            for name in ("about", "account", "reason")
        ]


def _word(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def text_of(data: Any) -> bytes | None:
    """Canonical JSON of a record's data. What has no canonical form (it does not decode either) is plain JSON."""
    if data is None:
        return None
    try:
        return canonical(data)
    except (OverflowError, ValueError, TypeError):
        return json.dumps(data, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode()


def is_ours(stream: str) -> bool:
    """Whether Recoup itself writes a stream."""
    return stream.partition("@")[2].startswith(RECOUP)


def describe(stream: str) -> tuple[Any, ...]:
    """A row of `stream` without its number."""
    try:
        place = parse_stream(stream)
        subject = parse_subject(place.subject)
    except BadName:
        return (stream, stream.partition("@")[0], "", "", "", "", "", "", is_ours(stream), False)
    origin = place.source if place.part == "1" else f"{place.source}~{place.part}"
    return (stream, place.subject, place.source, origin, *subject, is_ours(stream), subject.kind == "import")


def pages_ahead(log: Log, columns: Columns, after: int, page: int = PAGE) -> Iterator[Page]:
    """Pages after tree index `after` until there are no more now, prepared on another thread.

    Raises:
        whatever reading the log raises, here and not on the thread.
    """
    ready: queue.Queue[Page | BaseException | None] = queue.Queue(_AHEAD)
    stop = threading.Event()

    def put(item: Page | BaseException | None) -> bool:
        while not stop.is_set():
            try:
                ready.put(item, timeout=0.1)
            except queue.Full:
                continue
            return True
        return False

    def read() -> None:
        try:
            for rows in follow(log, after, page):
                if not put(columns.page(rows)):
                    return
            put(_END)
        except BaseException as error:  # noqa: BLE001  handed to the thread that waits for it
            put(error)

    thread = threading.Thread(target=read, name="recoup-feed", daemon=True)
    thread.start()
    try:
        while (item := ready.get()) is not _END:
            if isinstance(item, BaseException):
                raise item
            yield item
    finally:
        stop.set()
        thread.join()


# Sessions whose verdicts may be others now. Those with new records;
_BY_RECORD = (
    "SELECT DISTINCT s.subject FROM fed_rows AS r JOIN stream AS s ON s.stream_no = r.stream_no "
    "WHERE s.kind IN ('table', 'tournament', 'desk', 'import')"
)
# all of a house whose edition or setting changed, as far as the edition's book and first day go;
_BY_HOUSE = (
    "SELECT DISTINCT j.subject FROM fed_rows AS r JOIN stream AS s ON s.stream_no = r.stream_no "
    "JOIN judged_session AS j ON s.house = '*' OR s.house = j.judged_house "
    "WHERE s.kind = 'house' AND s.ours AND r.topic <> 'HS.StaffRegistered.v1' "
    "AND (r.topic <> 'HS.EditionAdopted.v1' OR ((j.rule_book IS NULL OR j.rule_book = r.data ->> '$.rule_book') "
    "AND (j.gaming_day IS NULL OR j.gaming_day >= TRY_CAST(r.data ->> '$.first_day' AS DATE))))"
)
# those of whose conflicts one was decided: the decision lies in the quarantine's stream, not in theirs.
_BY_ACT = (
    "SELECT DISTINCT s.subject FROM fed_rows AS q JOIN record AS r ON r.data ->> '$.sha256' = q.data ->> '$.sha256' "
    "JOIN stream AS s ON s.stream_no = r.stream_no WHERE r.topic = 'RC.RecordConflicted.v1' "
    "AND q.topic IN ('RC.QuarantineReleased.v1', 'RC.QuarantineDiscarded.v1')"
)
_ACTS = frozenset({"RC.QuarantineReleased.v1", "RC.QuarantineDiscarded.v1"})


def insert(db: duckdb.DuckDBPyConnection, page: Page) -> None:
    """One page, its streams, the sessions that it touches and the position, all or nothing.

    Raises:
        Unable: the view does not stand at the page's first row: somebody else fed it meanwhile.
    """
    db.execute("BEGIN TRANSACTION")
    try:
        move_position(db, page.first, page.last + 1)
        if page.streams.num_rows:
            db.register("fed_streams", page.streams)
            db.execute("INSERT INTO stream SELECT * FROM fed_streams")
            db.unregister("fed_streams")
        db.register("fed_rows", page.records)
        db.execute("INSERT INTO record SELECT * FROM fed_rows")
        db.execute(f"INSERT INTO todo {_BY_RECORD}")
        if page.by_house:
            db.execute(f"INSERT INTO todo {_BY_HOUSE}")
        if page.by_act:
            db.execute(f"INSERT INTO todo {_BY_ACT}")
        db.unregister("fed_rows")
        db.execute("COMMIT")
    except BaseException:
        db.execute("ROLLBACK")
        raise


def move_position(db: duckdb.DuckDBPyConnection, from_index: int, to_index: int) -> None:
    """Moves the position, inside the caller's transaction.

    Raises:
        Unable: it does not stand at `from_index`.
    """
    moved = db.execute(
        "UPDATE position SET next_index = ? WHERE name = 'feed' AND next_index = ?", [to_index, from_index]
    ).fetchone()
    if moved != (1,):
        found = db.execute("SELECT next_index FROM position").fetchall()
        raise Unable(
            f"the view stands at {found}, not at row {from_index}", hint="`recoup views rebuild` makes it anew"
        )


def position(db: duckdb.DuckDBPyConnection) -> int:
    """Tree index of the next row to feed."""
    row = db.execute("SELECT next_index FROM position WHERE name = 'feed'").fetchone()
    assert row is not None
    return int(row[0])


def known_streams(db: duckdb.DuckDBPyConnection) -> dict[str, int]:
    """Numbers of the streams fed so far."""
    return dict(db.execute("SELECT stream, stream_no FROM stream").fetchall())
