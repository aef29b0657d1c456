"""Opening 200 different rounds in a log of 1,000,000 events against as many in one session alone (goal: p95 1.5).

Opening is reading the session's streams, table order, the fold up to the round and the verdict. Both logs are open in
one process, and rounds at the same places are opened in turns. Beside it the time of the whole command, started cold.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from statistics import median
from time import perf_counter

import msgspec

from benchmarks.records import BATCH
from cli.assembly import casebook, catalogue, rooms
from events.store import Log, Origin
from games.casebook import Casebook

EVENTS = 1_000_000
SESSION = 20_000
ROUNDS = 200
GOAL = 1.5
COMMANDS = 3
_TURN = 5


def dealt(events: int) -> list[bytes]:
    """One roulette session of so many records."""
    return [msgspec.json.encode(one) for one in islice(rooms()["roulette"].deal(events, 1), events)]


def floor(session: list[bytes], tables: int) -> Iterator[bytes]:
    """Many tables, at each of which the same is played, so that opening a round is the same work at all of them.

    They take turns in bursts, as gateways send.
    """
    name = msgspec.json.decode(session[0])["subject"].split("/")[2].encode()
    names = [b"%s-%d" % (name, number) for number in range(tables)]
    for at in range(0, len(session), _TURN):
        for renamed in names:
            for line in session[at : at + _TURN]:
                yield line.replace(name, renamed)


def fill(path: Path, lines: Iterator[bytes]) -> tuple[Log, Casebook]:
    """A log with the shipped editions in force."""
    log = Log.open(str(path), catalogue(), create=True)
    book = casebook(log)
    book.adopt_shipped()
    origin = Origin(kind="file", name="bench.ndjson", account="bench")
    while batch := list(islice(lines, BATCH)):
        log.accept(batch, origin)
    return log, book


def opened(book: Casebook, subject: str, name: str) -> float:
    """Seconds from the address of a round to its verdict."""
    start = perf_counter()
    book.judge_round(subject, name)
    return perf_counter() - start


def cold(path: Path, address: str) -> float:
    """Seconds of the whole command."""
    start = perf_counter()
    subprocess.run(
        [sys.executable, "-m", "cli", "judge", "--store", str(path), address], capture_output=True, check=False
    )
    return perf_counter() - start


def p95(values: list[float]) -> float:
    """The value below which 95 of 100 lie."""
    return sorted(values)[int(len(values) * 0.95)]


def run(events: int = EVENTS, session: int = SESSION, count: int = ROUNDS) -> list[str]:
    """Printed ratio."""
    played = dealt(session)
    chance = random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        large_path = Path(folder) / "large.db"
        large, large_book = fill(large_path, floor(played, max(1, events // session)))
        alone, alone_book = fill(Path(folder) / "alone.db", floor(played, 1))
        (subject,) = alone.subjects("table/")
        subjects = list(large.subjects("table/"))
        names = sorted({one.round for one in alone.rounds(subject) if one.round}, key=int)
        chosen = [(chance.choice(subjects), chance.choice(names[:-1])) for _ in range(count)]
        mine, other = [], []
        for one, name in chosen:
            other.append(opened(alone_book, subject, name))
            mine.append(opened(large_book, one, name))
        size = large.size()
        large.close()
        alone.close()
        commands = median(cold(large_path, f"{one}#{name}") for one, name in chosen[:COMMANDS])
    line = (
        f"opening {count} rounds of {session:,}-event sessions in a log of {size:,}: p95 {p95(mine) / p95(other):.2f} "
        f"times one session alone (goal at most {GOAL}; median {median(mine) / median(other):.2f}); "
        f"{p95(mine) * 1000:.0f} ms against {p95(other) * 1000:.0f} ms; cold command {commands:.2f} s"
    )
    return [line]


if __name__ == "__main__":
    print("\n".join(run()))
