"""Follows the log into DuckDB: one insert a page, the position in the same transaction.

A page is read and turned into columns on a thread of its own while the page before is inserted: SQLite, Arrow and
DuckDB let go of the interpreter's lock. What is fed is canonical text made from the parsed record, never the bytes as
received, which another JSON reader may understand in another way (a key twice, numbers, escapes).
"""

from __future__ import annotations

import gc
import json
import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import duckdb
import msgspec
import pyarrow as pa
import pyarrow.compute as pc
from msgspec import Struct

from events.errors import BadName, SealBroken, Unable
from events.schema.envelope import canonical
from events.store import Log, statements
from events.values.clock import parse_time
from events.values.names import RECOUP, parse_stream, parse_subject
from projections.transaction import add_rows, transaction

PAGE = 10_000
"""Rows read at once; single rows are 500 times slower."""

GROUP = 12 * PAGE
"""Rows inserted at once at most, about one of DuckDB's row groups: far behind, that halves the cost of a row."""

_AHEAD = 1
_MINUTES_KEPT = 8192
_SESSIONS = ("table/", "tournament/", "desk/", "import/")
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
_NO_TIME = "1970-01-01T00:00:00Z"
_SILENT = _Look("0", _NO_TIME)
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
    """Rows `first` to `last` of the log as columns, the streams that are new with them, the sessions they belong to.

    `by_house`, `by_act`: a house's own record, or a decision about quarantined bytes, is among them.
    """

    first: int
    last: int
    streams: list[tuple[Any, ...]]
    records: pa.Table
    subjects: set[str]
    by_house: bool
    by_act: bool


class Columns:
    """Turns rows of the log into columns; numbers streams as they come, after those in `known`."""

    def __init__(self, known: dict[str, int]) -> None:
        self._numbers = dict(known)
        self._ours = {number for stream, number in known.items() if is_ours(stream)}
        self._clock = _Clock()

    def page(self, rows: Sequence[Sequence[Any]], recorded: Sequence[int]) -> Page:
        """The columns of one page of rows (index, stream, version, topic, state), recorded at those µs UTC.

        Raises:
            SealBroken: the rows' tree indexes have a hole.
        """
        first, last = rows[0][0], rows[-1][0]
        _check_dense(first, last, len(rows))
        indexes, streams, versions, topics, states = zip(*rows, strict=True)
        fresh: list[tuple[Any, ...]] = []
        numbers = [self._numbers.get(stream) or self._number(stream, fresh) for stream in streams]
        try:
            looks = list(map(_LOOK, states))
            sequences = [int(look.sequence) for look in looks]
            times = self._clock.ms([look.time for look in looks])
        except (msgspec.DecodeError, ValueError, RecursionError):
            looks = list(map(_look_at, states, versions))
            sequences = [int(look.sequence) for look in looks]
            times = self._clock.ms([look.time for look in looks])
        columns = [
            pa.array(indexes, pa.int64()),
            pa.array(numbers, pa.int32()),
            pa.array(versions, pa.int64()),
            pa.array(sequences, pa.int64()),
            pa.array(topics, pa.string()),
            pa.array([look.round for look in looks], pa.string()),
            times,
            pa.array(recorded, pa.int64()),
            *self._own_words(looks, numbers),
            pa.array([text_of(look.data) for look in looks], pa.string()),
        ]
        named = set(streams)
        return Page(
            first,
            last,
            fresh,
            pa.table(columns, schema=_RECORD),
            {subject for stream in named if (subject := stream.partition("@")[0]).startswith(_SESSIONS)},
            any(stream.startswith("house/") for stream in named),
            not _ACTS.isdisjoint(topics),
        )

    def _number(self, stream: str, fresh: list[tuple[Any, ...]]) -> int:
        number = self._numbers[stream] = len(self._numbers) + 1
        if is_ours(stream):
            self._ours.add(number)
        fresh.append((number, *describe(stream)))
        return number

    def _own_words(self, looks: Sequence[_Look], numbers: Sequence[int]) -> list[pa.Array]:
        """`about`, `account`, `reason`: only Recoup may say them; from outside they mean nothing."""
        if self._ours.isdisjoint(numbers):
            return [pa.nulls(len(numbers), pa.string())] * 3
        own = [look if number in self._ours else _SILENT for look, number in zip(looks, numbers, strict=True)]
        return [
            pa.array([_word(getattr(look, name)) for look in own], pa.string())
            for name in ("about", "account", "reason")
        ]


def _check_dense(first: int, last: int, rows: int) -> None:
    if last - first != rows - 1:
        raise SealBroken(f"the log has a hole between rows {first} and {last}", hint="`recoup verify` names the place")


class _Clock:
    """Reads a page's times at once: minutes with their offset recur, what is within them is cut out by columns."""

    def __init__(self) -> None:
        self._starts: dict[str, int] = {}

    def ms(self, texts: list[str]) -> pa.Array:
        """`parse_time` of each, ms UTC.

        Raises:
            ValueError: as `parse_time`.
        """
        column = pa.array(texts, pa.string())
        rest = pc.binary_join_element_wise(
            pc.utf8_slice_codeunits(column, 0, 17), pc.utf8_slice_codeunits(column, 19, 20),
            pc.utf8_slice_codeunits(column, 23), "",
        ).dictionary_encode()  # fmt: skip
        inside = pc.binary_join_element_wise(
            pc.utf8_slice_codeunits(column, 17, 19), pc.utf8_slice_codeunits(column, 20, 23), ""
        )
        is_plain = pc.match_substring_regex(inside, "^[0-5][0-9]{4}$")
        keys = rest.dictionary.to_pylist()
        if not pc.all(is_plain).as_py() or any(key[17:18] != "." for key in keys):
            return pa.array(map(parse_time, texts), pa.int64())  # no fraction, fewer digits, a leap second
        starts = pa.array([self._start(key) for key in keys], pa.int64())
        return pc.add(starts.take(rest.indices), inside.cast(pa.int64()))

    def _start(self, key: str) -> int:
        start = self._starts.get(key)
        if start is None:
            if len(self._starts) > _MINUTES_KEPT:
                self._starts.clear()
            start = self._starts[key] = parse_time(f"{key[:17]}00.000{key[18:]}")
        return start


def _look_at(state: bytes, version: int) -> _Look:
    """The envelope; a state that is none (the library stores what it is handed) counts by its version."""
    try:
        look = _LOOK(state)
        parse_time(look.time)
        return look if int(look.sequence) > 0 else _Look(str(version), look.time, look.data)
    except (msgspec.DecodeError, ValueError, RecursionError):
        return _Look(str(version), _NO_TIME)


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


def read_page(log: Log, after: int, limit: int) -> tuple[list[tuple[Any, ...]], list[int]]:
    """`Log.page` without an object a row: rows after a tree index, and when each was recorded (µs UTC)."""
    with log.reading() as reading:
        rows = reading.all(statements.PAGE, after + 1, limit)
        recorded: list[int] = []
        while len(recorded) < len(rows):
            index = rows[len(recorded)][0]
            tile = reading.one(statements.TILE_AT, index)
            if tile is None or index >= tile[0] + tile[1]:
                recorded.append(0)  # no tile covers it: `verify` says so
            else:
                recorded += [tile[2]] * min(tile[0] + tile[1] - index, len(rows) - len(recorded))
    return rows, recorded


def read_ahead(log: Log, columns: Columns, after: int, page: int = PAGE) -> Iterator[Page]:
    """Pages after a tree index until there are no more now; far behind, several make one of up to `GROUP` rows.

    Raises:
        SealBroken: a tree index is missing.
    """
    parts: list[Page] = []
    while True:
        rows, recorded = read_page(log, after, page)
        if rows:
            _check_dense(after, rows[0][0], 2)
            after = rows[-1][0]
            parts.append(columns.page(rows, recorded))
        if parts and (len(rows) < page or after - parts[0].first + 1 >= GROUP):
            yield _joined(parts)
            parts = []
        if len(rows) < page:
            return


def _joined(parts: list[Page]) -> Page:
    return Page(
        parts[0].first,
        parts[-1].last,
        [stream for part in parts for stream in part.streams],
        pa.concat_tables([part.records for part in parts]),
        set().union(*(part.subjects for part in parts)),
        any(part.by_house for part in parts),
        any(part.by_act for part in parts),
    )


def pages_ahead(log: Log, columns: Columns, after: int, page: int = PAGE) -> Iterator[Page]:
    """`read_ahead` on another thread, so that a page is read while the one before is inserted.

    Raises:
        whatever reading the log raises, here and not on the thread.
    """
    collecting = gc.isenabled()
    gc.disable()  # pages of tuples are what the collector would walk through for nothing
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
            for made in read_ahead(log, columns, after, page):
                if not put(made):
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
        if collecting:
            gc.enable()


# Sessions whose verdicts may be others now, beside those with new records.
# All of a house whose edition or setting changed, as far as the edition's book and first day go. A rate and whatever is
# about staff enter no verdict:
_BY_HOUSE = (
    "SELECT DISTINCT j.subject FROM fed_rows AS r JOIN stream AS s ON s.stream_no = r.stream_no "
    "JOIN judged_session AS j ON s.house = '*' OR s.house = j.judged_house "
    "WHERE s.kind = 'house' AND s.ours AND r.topic <> 'HS.RateStored.v1' AND NOT starts_with(r.topic, 'HS.Staff') "
    "AND (r.topic <> 'HS.EditionAdopted.v1' OR ((j.rule_book IS NULL OR j.rule_book = r.data ->> '$.rule_book') "
    "AND (j.gaming_day IS NULL OR j.gaming_day >= TRY_CAST(r.data ->> '$.first_day' AS DATE))))"
)
# Those of whose conflicts one was decided; the decision lies in the quarantine's stream, not in theirs.
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
    with transaction(db):
        move_position(db, page.first, page.last + 1)
        if page.streams:
            add_rows(db, "stream", pa.table(list(map(list, zip(*page.streams, strict=True))), schema=_STREAM))
        add_rows(db, "record", page.records)
        add_rows(db, "todo", pa.table({"subject": sorted(page.subjects)}))
        if page.by_house or page.by_act:
            db.register("fed_rows", page.records)
            db.execute(f"INSERT INTO todo {_BY_HOUSE}")
            db.execute(f"INSERT INTO todo {_BY_ACT}")
            db.unregister("fed_rows")


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
