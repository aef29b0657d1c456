"""Bulk ingest, parse to stored, against `executemany` of the same rows (goals: 0.5, and 0.45 for three sources).

The reference writes the very rows that ingest stored, in the same order, into the same tables with the same indexes,
triggers and PRAGMAs, in transactions of the same size; it parses, checks, hashes and keeps no heads.
"""

from __future__ import annotations

import sqlite3
import tempfile
from pathlib import Path
from time import perf_counter

from benchmarks.pairs import interleaved, ratio_line
from benchmarks.records import BATCH, CATALOGUE, ONE_SOURCE, THREE_SOURCES, batches, records
from events.store import Log, Origin, follow
from events.store.sqlite import CREATE_STATEMENTS, INSERT_ROWS, PRAGMAS

EVENTS = 200_000
PAIRS = 7
GOALS = {"one source a table": 0.5, "three sources, 2 % late": 0.45}
ORIGIN = Origin(kind="file", name="bench.ndjson", account="bench")
Rows = list[list[tuple[int, str, int, str, bytes]]]


def remove(path: Path) -> None:
    """The database and the files beside it."""
    for end in ("", "-wal", "-shm"):
        path.with_name(path.name + end).unlink(missing_ok=True)


def ingest(path: Path, lines: list[bytes], size: int) -> float:
    """Seconds from raw lines to the last commit."""
    remove(path)
    with Log.open(str(path), CATALOGUE, create=True) as log:
        start = perf_counter()
        for _receipt in log.accept_all((batch, ORIGIN) for batch in batches(lines, size)):
            pass
        return perf_counter() - start


def executemany(path: Path, rows: Rows) -> float:
    """Seconds for the same rows in plain sqlite3."""
    remove(path)
    db = sqlite3.connect(path, isolation_level=None)
    for pragma in ("journal_mode=WAL", *PRAGMAS):
        db.execute(f"PRAGMA {pragma}")
    for statement in CREATE_STATEMENTS:
        db.execute(statement)
    start = perf_counter()
    for batch in rows:
        db.execute("BEGIN IMMEDIATE")
        db.executemany(INSERT_ROWS, batch)
        db.execute("COMMIT")
    taken = perf_counter() - start
    db.close()
    return taken


def stored_rows(path: Path, lines: list[bytes], size: int) -> Rows:
    """What ingest stores of these lines, transaction by transaction."""
    ingest(path, lines, size)
    with Log.open(str(path), CATALOGUE) as log:
        return [
            [(row.index, row.stream, row.version, row.topic, row.state) for row in page]
            for page in follow(log, page=size)
        ]


def compare(what: str, lines: list[bytes], goal: float, *, pairs: int = PAIRS, size: int = BATCH) -> str:
    """One line: ingest of `lines` in batches of `size` against the reference."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bench.db"
        rows = stored_rows(path, lines, size)
        mine, other = interleaved(lambda: ingest(path, lines, size), lambda: executemany(path, rows), pairs)
    return ratio_line(f"ingest, {what}, batches of {size:,}", mine, other, goal, "executemany", len(lines))


def redelivery(lines: list[bytes], *, pairs: int = PAIRS) -> str:
    """The same lines sent again, against sending them for the first time."""
    with tempfile.TemporaryDirectory() as folder:
        fresh, kept = Path(folder) / "fresh.db", Path(folder) / "kept.db"
        ingest(kept, lines, BATCH)

        def again() -> float:
            with Log.open(str(kept), CATALOGUE) as log:
                start = perf_counter()
                for _receipt in log.accept_all((batch, ORIGIN) for batch in batches(lines)):
                    pass
                return perf_counter() - start

        mine, other = interleaved(again, lambda: ingest(fresh, lines, BATCH), pairs)
    return ratio_line("the same records again", mine, other, 1, "ingest", len(lines))


def run(events: int = EVENTS, pairs: int = PAIRS) -> list[str]:
    """Printed ratios."""
    one, three = GOALS
    lines = list(records(events, sources=ONE_SOURCE))
    found = [compare(one, lines, GOALS[one], pairs=pairs), redelivery(lines, pairs=max(3, pairs // 2))]
    lines = list(records(events, sources=THREE_SOURCES, late=0.02))
    return [*found, compare(three, lines, GOALS[three], pairs=pairs)]


if __name__ == "__main__":
    for line in run():
        print(line)
