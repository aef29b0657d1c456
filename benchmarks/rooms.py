"""`judge --all` over a log of every room: flat memory (goal: 1.1 at most), rounds a second, and where the time goes.

The same store is judged twice, when a tenth of its rounds are in and when all are, each time by the command itself in
a process of its own, with its progress bar on a terminal. Dealers are slower than the judge, so that each session dealt
stands at `TABLES` tables.

Speeds are CPU time of one core, the rooms and the parts of the work interleaved session by session. Read: rows out of
SQLite. Decode: rows to facts. Fold: table order, and the room's session after every fact. Checks: all else of a
verdict, settlement and digest among it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Thread
from time import process_time
from typing import Any

from msgspec import Struct

from benchmarks.memory import peak_kb
from cli import assembly
from cli.app import run as command
from events.schema.envelope import canonical
from events.store import Log, Origin
from games.adjudicate import game_of, judge_session
from games.blocks import blocks
from games.casebook import Casebook
from games.clocks import Clocks
from games.protocol import Game

ROUNDS = 20_000
A_SESSION = 50
TABLES = 10
MEMORY_MAX = 1.1
EVENT_MIN = 1 / 3
"""Of roulette's events a second, in any room."""
TIMED = 6
"""Sessions of each room whose speed is taken."""
_PARTS = ("read", "decode", "fold", "checks")


def run(rounds: int = ROUNDS) -> list[str]:
    """Memory, then a line a room."""
    with tempfile.TemporaryDirectory(prefix="recoup-bench-") as folder:
        store = str(Path(folder) / "rooms.db")
        with Log.open(store, assembly.catalogue(), create=True) as log:
            assembly.casebook(log).adopt_shipped()
        each = -(-rounds // (len(assembly.rooms()) * A_SESSION * TABLES))
        brought, peaks = 0, []
        for first, upto in ((1, -(-each // 10)), (-(-each // 10) + 1, each)):
            for number in range(first, upto + 1):
                brought += sum(_brought(store, game, number) for game in assembly.rooms().values())
            peaks.append((brought, *_judged(store)))
        with Log.open(store, assembly.catalogue()) as log:
            return [_memory_line(peaks), *_speed_lines(assembly.casebook(log))]


def _brought(store: str, game: Game[Any], number: int) -> int:
    """Deals a session, brings it in as that of ten tables; gives its rounds, all tables together."""
    place = f"brno/{game.name}-{number}"
    lines = [canonical(record) for record in game.deal(A_SESSION, number, table=place)]
    with Log.open(store, assembly.catalogue()) as log:
        for table in range(TABLES):
            own = f"{place}.{table}".encode()
            log.accept([line.replace(place.encode(), own) for line in lines], Origin("stdin", "bench"))
    return A_SESSION * TABLES


def _judged(store: str) -> tuple[float, int, float]:
    """`recoup judge --all` on a terminal: MB at its peak, the rounds it says it judged, its seconds of CPU.

    Raises:
        RuntimeError: it found something, or showed no progress.
    """
    near, far = os.openpty()
    shown: list[bytes] = []
    reader = Thread(target=_drain, args=(near, shown), daemon=True)
    process = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.rooms", "judge", store], stdout=subprocess.PIPE, stderr=far
    )
    os.close(far)
    reader.start()
    said = process.communicate()[0].decode().splitlines()
    reader.join()
    os.close(near)
    if process.returncode:
        raise RuntimeError(f"judge --all ended with {process.returncode}: {'; '.join(said[:5])}")
    if b"judging" not in b"".join(shown):
        raise RuntimeError("judge --all showed no progress on a terminal")
    megabytes, seconds = said[-1].split()
    return float(megabytes), int(said[-2].split()[0].replace(",", "")), float(seconds)


def _drain(terminal: int, shown: list[bytes]) -> None:
    """Reads what is shown, so that nobody waits for the terminal; keeps the beginning."""
    while True:
        try:
            piece = os.read(terminal, 65536)
        except OSError:  # as Linux says that the other end is closed
            return
        if not piece:
            return
        if len(shown) < 100:
            shown.append(piece)


def judge_all(store: str) -> int:
    """The command itself; then its peak in MB and its CPU seconds, on a line of their own."""
    code = command(["judge", "--all", "--store", store])
    print(f"{peak_kb() / 1024:.1f} {process_time():.1f}")
    return code


def _memory_line(peaks: list[tuple[int, float, int, float]]) -> str:
    (few, small, *_), (many, large, judged, seconds) = peaks
    if judged != many:
        raise RuntimeError(f"{many} rounds were dealt and {judged} judged")
    return (
        f"judge --all of {many:,} rounds of {len(assembly.rooms())} rooms: peak memory {large / small:.2f} of "
        f"{few:,} rounds (goal at most {MEMORY_MAX}); {large:.0f} MB against {small:.0f} MB; "
        f"{judged / seconds:,.0f} rounds/s of one core, nothing found"
    )


class _Taken(Struct):
    """What a room's sessions took: rounds, events, CPU seconds by part."""

    rounds: int = 0
    events: int = 0
    parts: dict[str, float] = {}

    @property
    def seconds(self) -> float:
        return sum(self.parts.values())


def _speed_lines(book: Casebook) -> Iterator[str]:
    taken = {name: _Taken(parts=dict.fromkeys(_PARTS, 0.0)) for name in book.rooms}
    for number in range(TIMED + 1):
        for name, own in taken.items():
            subject = next(book.log.subjects(f"table/brno/{name}-1.{number % TABLES}/"))
            one = _timed(book, subject)
            if number:  # the first warms what a process keeps
                own.rounds += one.rounds
                own.events += one.events
                for part in _PARTS:
                    own.parts[part] += one.parts[part]
    roulette = taken["roulette"]
    for name, own in taken.items():
        ratio = (own.events / own.seconds) / (roulette.events / roulette.seconds)
        shares = ", ".join(f"{part} {own.parts[part] / own.seconds:.0%}" for part in _PARTS)
        yield (
            f"{name}: {own.rounds / own.seconds:,.0f} rounds/s, {own.events / own.seconds:,.0f} events/s of one core, "
            f"{ratio:.2f} of roulette per event (goal at least {EVENT_MIN:.2f}); {shares}"
        )


def _timed(book: Casebook, subject: str) -> _Taken:
    """One session from the log to its verdicts; each part's time is that of the work up to it less that before it."""
    read, _rows = _cpu(lambda: book.log.subject_rows(subject))
    read_and_decoded, stored = _cpu(lambda: book.log.session_facts(subject))
    ordered, case = _cpu(lambda: book.case_of(stored))
    game, edition = game_of(case, book.rooms)
    assert case.opened is not None
    opened, advance = case.opened, game.advance or game.evolve

    def fold() -> None:
        session = game.open_table(edition, opened, case.ordered.rulings, Clocks(case.ordered.facts))
        for _name, facts in blocks(case.ordered):
            for fact in facts:
                if fact is not opened:
                    session = advance(session, fact)

    folded, _ = _cpu(fold)
    judged, judgement = _cpu(lambda: judge_session(case, book.rooms))
    return _Taken(
        len(judgement.verdicts),
        len(stored.facts),
        {
            "read": read,
            "decode": max(0.0, read_and_decoded - read),
            "fold": ordered + folded,
            "checks": max(0.0, judged - folded),
        },
    )


def _cpu(work: Callable[[], Any]) -> tuple[float, Any]:
    began = process_time()
    result = work()
    return process_time() - began, result


if __name__ == "__main__":
    if sys.argv[1:2] == ["judge"]:
        sys.exit(judge_all(sys.argv[2]))
    print("\n".join(run(*(int(word) for word in sys.argv[1:]))))
