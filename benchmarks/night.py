"""The night over a day of 1,000,000 events, and each named query: seconds, and memory against a quarter (goal: 1.2).

The floor of `games.night` is dealt once and copied under other names, desks and slips with it, into one gaming day. The
view is fed and judged beforehand, as a house does through the evening; each is measured in a process of its own.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import msgspec

from benchmarks.memory import peak_kb
from cli.assembly import casebook, catalogue, rooms
from events.store import Log, Origin
from games.night import FLOOR, night
from projections import Views
from projections.ask import ask, question, questions
from projections.night import night as reconciled

EVENTS = 1_000_000
ROUNDS = 120
DAY = date(2026, 11, 28)
BATCH = 10_000
HOUSE = "brno"
NIGHT = "night"
RATIO_MAX = 1.2  # four times the events are four times the tables, whose books are the answer


def floors(dealt: list[bytes]) -> Iterator[list[bytes]]:
    """The floor's records again and again, each time with other names for tables and desks."""
    number = 0
    while True:
        lines = dealt
        for name in ("main", *(table.name for table in FLOOR)):
            lines = [line.replace(name.encode(), f"{name}x{number}".encode()) for line in lines]
        yield lines
        number += 1


def fill(folder: Path, events: int) -> str:
    """A log and a view beside it, caught up; the log's address."""
    address = str(folder / f"{events}.db")
    dealt = list(map(msgspec.json.encode, night(rooms(), DAY.isoformat(), 1, rounds=ROUNDS).records))
    with Log.open(address, catalogue(), create=True) as log:
        book = casebook(log)
        book.adopt_shipped()
        for lines in floors(dealt):
            for at in range(0, len(lines), BATCH):
                log.accept(lines[at : at + BATCH], Origin("stdin", "bench"))
            if log.size() >= events:
                break
        with Views.open(log, book) as views:
            views.catch_up()
    return address


class Measured(NamedTuple):
    """One process that does one thing: seconds of it, MB at its peak, rows of the log that it rests on."""

    seconds: float
    peak_mb: float
    events: int


def measure(address: str, what: str) -> Measured:
    """The night, or the named query `what`, in a process that does nothing else."""
    with Log.open(address, catalogue()) as log, Views.open(log, casebook(log)) as views:
        views.catch_up()
        began = perf_counter()
        if what == NIGHT:
            told = reconciled(views, HOUSE, DAY)
            assert told.tables
            assert not told.exceptions, told.exceptions[:3]
        else:
            ask(views, question(what), HOUSE, DAY, {})
        return Measured(perf_counter() - began, peak_kb() / 1024, views.position)


def child(*words: str) -> Any:
    """What this module prints when it runs as a process of its own: peaks are of what it does alone."""
    command = [sys.executable, "-m", "benchmarks.night", *words]
    return msgspec.json.decode(subprocess.run(command, check=True, capture_output=True).stdout)


def run(events: int = EVENTS) -> list[str]:
    """Printed seconds, peaks and their ratio, each of a process of its own."""
    lines = []
    with tempfile.TemporaryDirectory(prefix="recoup-bench-") as folder:
        small, large = (child("fill", folder, str(count)) for count in (events // 4, events))
        for what in (NIGHT, *(one.name for one in questions())):
            quarter, whole = (Measured(*child("measure", address, what)) for address in (small, large))
            lines.append(
                f"night: {what} of {whole.events:,} events: {whole.seconds:.2f} s; memory "
                f"{whole.peak_mb / quarter.peak_mb:.2f} of a quarter of the events (goal at most {RATIO_MAX}); "
                f"{whole.peak_mb:.0f} MB against {quarter.peak_mb:.0f} MB"
            )
    return lines


if __name__ == "__main__":
    if sys.argv[1:2] == ["fill"]:
        print(msgspec.json.encode(fill(Path(sys.argv[2]), int(sys.argv[3]))).decode())
    elif sys.argv[1:2] == ["measure"]:
        print(msgspec.json.encode(measure(sys.argv[2], sys.argv[3])).decode())
    else:
        print("\n".join(run(*map(int, sys.argv[1:2]))))
