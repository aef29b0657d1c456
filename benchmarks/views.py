"""SQL views rebuilt from the log, against DuckDB reading the same events from an NDJSON file (goal: at least 0.3).

Both sides end with a checkpoint and have the same threads; pairs are interleaved, so that a slow minute of the
machine hits both. Judging is apart, in rounds a second: it is the rooms' work, not DuckDB's.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path
from statistics import median
from time import perf_counter

import duckdb
import msgspec

from benchmarks.pairs import interleaved, ratio_line
from cli import assembly
from events.schema.catalogue import Catalogue
from events.schema.common import TABLE_EVENTS
from events.schema.envelope import Envelope
from events.schema.ours import OUR_EVENTS
from events.store import Log, Origin, follow
from games.casebook import Casebook
from games.registry import Rooms
from projections import Views

EVENTS = 300_000
PAIRS = 5
JUDGED_EVENTS = 40_000
GOAL = 0.3
BATCH = 10_000
_ROUNDS = 200
SQL_FACTS = ("fct_chip_move", "fct_bet", "fct_card", "fct_tender", "fct_inventory")

_COLUMNS = (
    "{idx: 'BIGINT', recorded_us: 'BIGINT', specversion: 'VARCHAR', id: 'VARCHAR', source: 'VARCHAR', "
    "type: 'VARCHAR', subject: 'VARCHAR', sequence: 'VARCHAR', time: 'VARCHAR', round: 'VARCHAR', about: 'VARCHAR', "
    "account: 'VARCHAR', reason: 'VARCHAR', data: 'JSON'}"
)


def sessions(rooms: Rooms) -> Iterator[Iterator[Envelope]]:
    """Sessions of every room in turn, by its own dealer, without end."""
    for number in count(1):
        for game in rooms.values():
            yield game.deal(_ROUNDS, number, table=f"brno/{game.name}-{number}")


def records(rooms: Rooms, tables: int = 40) -> Iterator[bytes]:
    """The records of sessions played side by side, as they would arrive."""
    dealt = sessions(rooms)
    while True:
        open_tables = list(islice(dealt, tables))
        while open_tables:
            for session in tuple(open_tables):
                hand = list(islice(session, 25))
                if not hand:
                    open_tables.remove(session)
                yield from map(msgspec.json.encode, hand)


def fill(log: Log, source: Iterator[bytes], events: int) -> None:
    """`events` records through the door."""
    origin = Origin("stdin", "bench")
    while log.size() < events and (batch := list(islice(source, BATCH))):
        log.accept(batch, origin)


def export(log: Log, path: Path) -> None:
    """The log's records as NDJSON, with their index and time of recording."""
    with path.open("wb") as file:
        for page in follow(log):
            for row in page:
                file.write(b'{"idx":%d,"recorded_us":%d,' % (row.index, row.recorded_at) + row.state[1:] + b"\n")


def read_ndjson(source: Path, target: Path, threads: int) -> float:
    """Seconds in which DuckDB reads the file into a table of a new file."""
    began = perf_counter()
    with duckdb.connect(str(target), config={"threads": threads}) as db:
        db.execute(f"CREATE TABLE event AS SELECT * FROM read_ndjson('{source}', columns = {_COLUMNS})")  # noqa: S608
        db.execute("CHECKPOINT")
        seconds = perf_counter() - began
    target.unlink()
    return seconds


def rebuild(log: Log, casebook: Casebook, target: Path, threads: int, read: dict[str, list[float]]) -> float:
    """Seconds in which the SQL views are made from the log in a new file.

    They are views: what it takes to read each of them whole once is noted in `read`, by name.
    """
    began = perf_counter()
    with Views.open(log, casebook, target, threads=threads) as views:
        views.feed()
        views.checkpoint()
        seconds = perf_counter() - began
        for name in SQL_FACTS:
            began = perf_counter()
            views.query(f"SELECT count(*), max(COLUMNS(*)) FROM {name}", catch_up=False)  # noqa: S608  our own names
            read.setdefault(name, []).append(perf_counter() - began)
    target.unlink()
    return seconds


def judge(log: Log, casebook: Casebook, target: Path) -> str:
    """Findings and settlements: rounds judged into rows a second."""
    with Views.open(log, casebook, target) as views:
        views.feed()
        began = perf_counter()
        judged, rounds = views.judge()
        seconds = perf_counter() - began
    target.unlink()
    return f"{rounds / seconds:,.0f} rounds/s ({rounds:,} rounds of {judged:,} sessions)"


def run(events: int = EVENTS, pairs: int = PAIRS, *, rooms: Rooms | None = None) -> list[str]:
    """The lines to print: ratio with median and range, then what stands beside it."""
    played = assembly.rooms() if rooms is None else rooms
    threads = os.cpu_count() or 1
    with tempfile.TemporaryDirectory(prefix="recoup-bench-") as folder:
        path = Path(folder)
        with _log(path / "log.db", played) as log:
            book = Casebook(log, played, log.catalogue)
            book.adopt_shipped()
            fill(log, records(played), events)
            export(log, path / "events.ndjson")
            size = log.size()
            read: dict[str, list[float]] = {}
            ours, theirs = interleaved(
                lambda: rebuild(log, book, path / "view.duckdb", threads, read),
                lambda: read_ndjson(path / "events.ndjson", path / "plain.duckdb", threads),
                pairs,
            )
        with _log(path / "judged.db", played) as log:
            book = Casebook(log, played, log.catalogue)
            book.adopt_shipped()
            fill(log, records(played, tables=len(played)), min(events, JUDGED_EVENTS))
            judged = judge(log, book, path / "view.duckdb")
    what = f"views: {size:,} events rebuilt from the log, {threads} threads"
    against = "read_ndjson of the same events"
    each = [sum(times) for times in zip(*read.values(), strict=True)][-pairs:]
    both = [made + reading for made, reading in zip(ours, each, strict=True)]
    return [
        ratio_line(what, ours, theirs, GOAL, against, size),
        ratio_line("views: the same and every fact that SQL makes read whole", both, theirs, GOAL, against, size),
        "views: of it " + ", ".join(f"{name} {median(times) * 1000:.0f} ms" for name, times in read.items()),
        f"views: findings and settlements: {judged}",
    ]


def _log(path: Path, rooms: Rooms) -> Log:
    classes = [*TABLE_EVENTS, *OUR_EVENTS, *(cls for game in rooms.values() for cls in game.events)]
    return Log.open(str(path), Catalogue(classes), create=True)


if __name__ == "__main__":
    print("\n".join(run()))
