"""The night over a day of 1,000,000 events, and each named query: seconds, and memory against a quarter of the events.

The floor of `games.night` is dealt once and copied under other names, desks and slips with it, into one gaming day. The
view is fed and judged beforehand, as a house does through the evening; what is measured is a process of its own.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from time import perf_counter
from typing import Any

import msgspec

from benchmarks.memory import peak_kb
from cli.assembly import casebook, catalogue, rooms
from events.store import Log, Origin
from games.night import FLOOR, night
from projections import Views
from projections.ask import ask, questions
from projections.night import night as reconciled

EVENTS = 1_000_000
ROUNDS = 120
DAY = date(2026, 11, 28)
BATCH = 10_000
HOUSE = "brno"


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


def measure(address: str) -> dict[str, float]:
    """Seconds of the night and of each named query, and the peak in MB, of a process that does nothing else."""
    found: dict[str, float] = {}
    with Log.open(address, catalogue()) as log, Views.open(log, casebook(log)) as views:
        views.catch_up()
        began = perf_counter()
        told_night = reconciled(views, HOUSE, DAY)
        found["night"] = perf_counter() - began
        assert told_night.tables
        assert not told_night.exceptions, told_night.exceptions[:3]
        for question in questions():
            began = perf_counter()
            ask(views, question, HOUSE, DAY, {})
            found[question.name] = perf_counter() - began
        found["events"] = views.position
    found["peak_mb"] = peak_kb() / 1024
    return found


def child(*words: str) -> Any:
    """What this module prints when it runs as a process of its own: peaks are of what it does alone."""
    command = [sys.executable, "-m", "benchmarks.night", *words]
    return msgspec.json.decode(subprocess.run(command, check=True, capture_output=True).stdout)


def run(events: int = EVENTS) -> list[str]:
    """Printed seconds and peaks."""
    with tempfile.TemporaryDirectory(prefix="recoup-bench-") as folder:
        small, large = (child("measure", child("fill", folder, str(count))) for count in (events // 4, events))
    peak, quarter = large.pop("peak_mb"), small.pop("peak_mb")
    size = int(large.pop("events"))
    return [
        f"night of {size:,} events: {large.pop('night'):.2f} s",
        "night: named queries: " + ", ".join(f"{name} {seconds:.2f} s" for name, seconds in large.items()),
        f"night: memory {peak:.0f} MB against {quarter:.0f} MB of a quarter of the events",
    ]


if __name__ == "__main__":
    if sys.argv[1:2] == ["fill"]:
        print(msgspec.json.encode(fill(Path(sys.argv[2]), int(sys.argv[3]))).decode())
    elif sys.argv[1:2] == ["measure"]:
        print(msgspec.json.encode(measure(sys.argv[2])).decode())
    else:
        print("\n".join(run(*map(int, sys.argv[1:2]))))
