"""A log of 10,000,000 events beside one of 1,000,000: does anything grow with the log? Printed, for `make soak`.

    python -m benchmarks.large [sqlite|postgres] [EVENTS]

Ingest (over all, and over the first and the last 500,000), opening a round, `verify`, a view fed from nothing and the
catch-up of one that has all but the last 100,000. The larger log is 500 tables, all playing the same at their own pace.
`soak_lines` is what `benchmarks.soak` runs.
"""

from __future__ import annotations

import random
import shutil
import sys
import tempfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import NamedTuple

from benchmarks.open_round import dealt, floor, opened, p95
from benchmarks.postgres import server
from benchmarks.records import BATCH
from cli.assembly import casebook, catalogue
from events.store import Log, Origin, verify
from projections import Views

EVENTS = 10_000_000
SESSION = 20_000
ROUNDS = 100
SPAN = 500_000
TAIL = 100_000
_ORIGIN = Origin(kind="file", name="bench.ndjson", account="bench")


class Measured(NamedTuple):
    """Of one log: rows; events a second; seconds."""

    size: int
    ingest: float
    first: float
    last: float
    p50: float
    p95: float
    verify: float
    feed: float
    catch_up: float


def ingest(log: Log, lines: Iterator[bytes], count: int) -> list[float]:
    """Seconds of each batch, dealing left out."""
    taken = []
    for _ in range(count // BATCH):
        batch = list(islice(lines, BATCH))
        start = perf_counter()
        log.accept(batch, _ORIGIN)
        taken.append(perf_counter() - start)
    return taken


def measure(url: str, folder: Path, events: int, rounds: int) -> Measured:
    """Fills the log at `url`, and reads it in every way."""
    session = dealt(SESSION)
    tables = max(1, events // SESSION)
    chance = random.Random(1)
    with Log.open(url, catalogue(), create=True) as log:
        book = casebook(log)
        book.adopt_shipped()
        lines = floor(session, tables)
        taken = ingest(log, lines, events - TAIL)
        view = folder / "view.duckdb"
        start = perf_counter()
        with Views.open(log, book, view) as views:
            fed = views.feed()
            views.checkpoint()
            feeding = fed / (perf_counter() - start)
            taken += ingest(log, lines, TAIL)
            start = perf_counter()
            views.feed()
            catching_up = perf_counter() - start
        view.unlink()
        subjects = list(log.subjects("table/"))
        names = sorted({one.round for one in log.rounds(subjects[0]) if one.round}, key=int)[:-1]
        seconds = [opened(book, chance.choice(subjects), chance.choice(names)) for _ in range(rounds)]
        start = perf_counter()
        report = verify(log)
        verifying = report.size / (perf_counter() - start)
        assert report.ok, report.problems
        span = max(1, min(SPAN, events // 2) // BATCH)
        return Measured(
            size=log.size(), ingest=events / sum(taken), first=span * BATCH / sum(taken[:span]),
            last=span * BATCH / sum(taken[-span:]), p50=median(seconds), p95=p95(seconds), verify=verifying,
            feed=feeding, catch_up=catching_up,
        )  # fmt: skip


def lines_of(what: str, found: Measured) -> Iterator[str]:
    """For people."""
    yield (
        f"{what}, {found.size:,} events: ingest {found.ingest:,.0f}/s (first {SPAN:,}: {found.first:,.0f}/s, last "
        f"{found.last:,.0f}/s); opening a round p50 {found.p50 * 1000:.0f} ms, p95 {found.p95 * 1000:.0f} ms; "
        f"verify {found.verify:,.0f}/s; view fed {found.feed:,.0f}/s, its last {TAIL:,} in {found.catch_up:.2f} s"
    )


def measured(backend: str, events: int, rounds: int = ROUNDS) -> Measured:
    """In a folder of its own, gone afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="recoup-large-"))
    try:
        if backend == "sqlite":
            return measure(str(folder / "log.db"), folder, events, rounds)
        with server() as made:
            return measure(made.fresh(), folder, events, rounds)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def soak_lines(backend: str = "sqlite", events: int = EVENTS, rounds: int = ROUNDS) -> Iterator[str]:
    """The smaller log first, then the larger, then what one is of the other."""
    small = measured(backend, events // 10, rounds)
    yield from lines_of(backend, small)
    large = measured(backend, events, rounds)
    yield from lines_of(backend, large)
    yield (
        f"{backend}, {large.size:,} events against {small.size:,}: ingest {large.ingest / small.ingest:.2f} of the "
        f"rate, opening a round {large.p95 / small.p95:.2f} times the p95, verify {large.verify / small.verify:.2f}, "
        f"and view {large.feed / small.feed:.2f} of the rate, catch-up {large.catch_up / small.catch_up:.2f} times as "
        f"long"
    )


if __name__ == "__main__":
    for line in soak_lines(*sys.argv[1:2] or ["sqlite"], *map(int, sys.argv[2:3])):
        print(line, flush=True)
