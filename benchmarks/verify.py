"""`verify` (leaves, tree, heads, runs, index) against a cursor that reads the same rows and hashes them (goal: 0.25).

One process each.
"""

from __future__ import annotations

import sqlite3
import sys
import tempfile
from hashlib import sha256
from pathlib import Path
from time import perf_counter

from benchmarks.children import child
from benchmarks.pairs import interleaved, ratio_line
from benchmarks.records import BATCH, CATALOGUE, THREE_SOURCES, records
from events.store import Log, Origin, verify
from events.store.sqlite import PRAGMAS

EVENTS = 1_000_000
PAIRS = 5
GOAL = 0.25


def fill(path: Path, events: int) -> None:
    """A log of three sources a table, 2 % of the records late."""
    batch: list[bytes] = []
    origin = Origin(kind="file", name="bench.ndjson", account="bench")
    with Log.open(str(path), CATALOGUE, create=True) as log:
        for line in records(events, sources=THREE_SOURCES, late=0.02):
            batch.append(line)
            if len(batch) == BATCH:
                log.accept(batch, origin)
                batch = []
        log.accept(batch, origin)


def verified(path: str) -> float:
    """Seconds of `verify`.

    Raises:
        AssertionError: it found something.
    """
    with Log.open(path, CATALOGUE) as log:
        start = perf_counter()
        report = verify(log)
        taken = perf_counter() - start
        assert report.ok, report.problems
    return taken


def hashed(path: str) -> float:
    """Seconds of the loop."""
    db = sqlite3.connect(path)
    for pragma in PRAGMAS:
        db.execute(f"PRAGMA {pragma}")
    start = perf_counter()
    cursor = db.execute(
        "SELECT rowid, originator_id, originator_version, topic, state FROM stored_events ORDER BY rowid"
    )
    while page := cursor.fetchmany(BATCH):
        for _rowid, _stream, _version, _topic, state in page:
            sha256(state).digest()
    taken = perf_counter() - start
    db.close()
    return taken


def run(events: int = EVENTS, pairs: int = PAIRS) -> list[str]:
    """Printed ratio."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bench.db"
        fill(path, events)
        mine, other = interleaved(
            lambda: child("benchmarks.verify", "verify", str(path)),
            lambda: child("benchmarks.verify", "hash", str(path)),
            pairs,
        )
    return [ratio_line(f"verify of {events:,} events, three sources", mine, other, GOAL, "cursor and hash", events)]


if __name__ == "__main__":
    if len(sys.argv) == 3:
        print({"verify": verified, "hash": hashed}[sys.argv[1]](sys.argv[2]))
    else:
        print("\n".join(run()))
