"""`python -m benchmarks.soak [STAGE …]`: what takes too long for `make test`.

- dealers: sessions of every room by many seeds find nothing and agree; every breach by many seeds is found alone.
- nights: 200 nights of houses with mistakes in their books and rulings: each is an exception, nothing else is.
- properties: the generated tests again, with many more examples.
- benches: all benchmarks, with their goals (only a quiet machine gives true ratios).
- rooms: `judge --all` over 200,000 rounds of every room, its memory and speed.
- kills: the faults of `tests/kafka`, with a hundred kills of daemons and fifty of publishers.
- memory: a daemon's memory over 5,000,000 events.
- large-sqlite, large-postgres: a log of 10,000,000 events beside one of 1,000,000.

Without words all of them, one after another. Each writes its own section of `docs/soak.md`, with the time; what others
wrote before stays. Exit 5 if a stage found something; its section then says what.
"""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from time import perf_counter

from benchmarks.__main__ import discovered
from cli.assembly import rooms
from events.values.clock import PRAGUE
from games.adjudicate import engine
from games.night import KINDS
from tests.games.table import all_findings
from tests.games.test_every_room import case_of, dealt, judged
from tests.projections.nights import Row, nights_in_a_row

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "soak.md"
SEEDS = 100
BREACH_SEEDS = 10
FACTOR = 3
ROUNDS = 10
"""Rounds of a soaked session."""
NIGHTS = 200
IN_A_ROW = 5
"""Nights of one house, each opener what the night before left."""
MEMORY_EVENTS = 5_000_000
JUDGED_ROUNDS = 200_000
HEAD = """# Soak

What `make soak` found; each section is written by its own stage (`make soak ARGS=kills`), and says when, on what and by
which Recoup.
"""


class Failed(Exception):
    """A stage found what must not be."""


def dealers() -> Iterator[str]:
    """Every room's dealer, with and without breaches."""
    for name, game in rooms().items():
        count = 0
        for seed in range(SEEDS):
            judgement = judged(case_of(dealt(name, ROUNDS, seed)))
            count += len(judgement.verdicts)
            unsettled = [one for one in judgement.verdicts if one.settlement != "agrees" and one.due.lines]
            if all_findings(judgement) or unsettled:
                raise Failed(f"{name}, seed {seed}: a dealer without breach is accused")
        yield f"{name}: {count:,} rounds by {SEEDS} seeds, nothing found, all agree"
        for breach in game.breaches:
            for seed in range(BREACH_SEEDS):
                for rounds in (1, ROUNDS):
                    found = all_findings(judged(case_of(dealt(name, rounds, seed, breach))))
                    if {finding.rule for finding in found} != {breach}:
                        raise Failed(f"{name}, {breach}, seed {seed}: found {sorted({one.rule for one in found})}")
        tried = len(game.breaches) * BREACH_SEEDS * 2
        yield f"{name}: {len(game.breaches)} breaches, {tried:,} times alone and among {ROUNDS}: that rule only"


def nights() -> Iterator[str]:
    """Nights one after another, some of everything planted in their books."""
    planted: Counter[str] = Counter()
    clean = 0
    for seed in range(NIGHTS // IN_A_ROW):
        for number, (expected, found) in enumerate(nights_in_a_row(seed, IN_A_ROW)):
            if sorted(expected) != sorted(found):
                raise Failed(f"house {seed}, night {number}: {_apart(expected, found)}")
            planted.update(kind for kind, _place in expected)
            clean += not expected
    told = ", ".join(f"{kind} {count}" for kind, count in sorted(planted.items()))
    yield f"{NIGHTS} nights, {planted.total():,} mistakes planted ({told}): each is reported once, nothing else is"
    yield f"{clean} of them without any; kinds that dealers plant: {', '.join(KINDS)}"


def _apart(expected: Sequence[Row], found: Sequence[Row]) -> str:
    missed, strange = Counter(expected) - Counter(found), Counter(found) - Counter(expected)
    return f"not reported {sorted(missed)}, reported and not planted {sorted(strange)}"


_GENERATED = (
    "tests/events/schema", "tests/events/seal", "tests/events/store/test_model.py", "tests/games/poker/test_ranks.py",
    "tests/games/poker/test_pots.py", "tests/games/roulette/test_anything.py", "tests/games/holdem/test_random.py",
    "tests/games/poker/test_properties.py", "tests/games/holdem/test_properties.py",
    "tests/games/holdem/test_properties_anything.py", "tests/games/holdem/test_seats_random.py",
    "tests/games/holdem/test_acting.py",
)  # fmt: skip


def properties() -> Iterator[str]:
    """Generated tests with more examples."""
    *_rest, summary = tested(*_GENERATED)
    yield f"generated tests with {FACTOR} times the examples: {summary}"


def kills() -> Iterator[str]:
    """The faults of Kafka, more often."""
    said = tested("-rP", "tests/kafka")
    yield from (line for line in said if re.match(r"\d+ kills", line))
    yield f"faults of Kafka: {said[-1]}"


def tested(*words: str) -> list[str]:
    """Lines of a soaking test run, its summary last.

    Raises:
        Failed: a test did.
    """
    command = [sys.executable, "-m", "pytest", "-q", "--timeout=3000", *words]
    environment = {**os.environ, "RECOUP_SOAK": str(FACTOR)}
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, env=environment)
    lines = run.stdout.splitlines()
    if run.returncode:
        print(run.stdout + run.stderr, file=sys.stderr)
        told = [line for line in lines if line.startswith(("FAILED", "ERROR"))]
        raise Failed("; ".join([*told, lines[-1].strip("= ") if lines else "pytest said nothing"]))
    return [*lines[:-1], lines[-1].strip("= ")]


def run_of(module: str, *words: str) -> Iterator[str]:
    """What `python -m module words…` prints."""
    command = [sys.executable, "-m", module, *words]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    yield from run.stdout.splitlines()
    if run.returncode:
        print(run.stderr, file=sys.stderr)
        raise Failed(f"{module} {' '.join(words)}: {(run.stderr.splitlines() or ['exit ' + str(run.returncode)])[-1]}")


def benches() -> Iterator[str]:
    """Every benchmark."""
    for name in discovered():
        yield from run_of("benchmarks", name)


STAGES: dict[str, Callable[[], Iterator[str]]] = {
    "dealers": dealers,
    "nights": nights,
    "properties": properties,
    "benches": benches,
    "rooms": partial(run_of, "benchmarks.rooms", str(JUDGED_ROUNDS)),
    "kills": kills,
    "memory": partial(run_of, "benchmarks.kafka", "soak", str(MEMORY_EVENTS)),
    "large-sqlite": partial(run_of, "benchmarks.large", "sqlite"),
    "large-postgres": partial(run_of, "benchmarks.large", "postgres"),
}


def machine() -> str:
    """What it ran on."""
    return f"{os.cpu_count()} cores, {platform.system()} {platform.machine()}, Python {platform.python_version()}"


def with_section(page: str, name: str, lines: Sequence[str]) -> str:
    """The page with this stage's section anew; the others as they were, in the order of `STAGES`.

    What is no section of a stage that there is (an older page's) goes.
    """
    found = dict(re.findall(r"^## (\S+)\n+(.*?)\s*(?=^## |\Z)", page, re.MULTILINE | re.DOTALL))
    found[name] = "\n".join(lines)
    return "\n".join([HEAD, *(f"## {one}\n\n{found[one]}\n" for one in STAGES if one in found)])


def write(name: str, began: datetime, lines: Sequence[str]) -> None:
    """The stage's section; the page is read anew, another stage may have written meanwhile."""
    page = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    when = f"{began:%Y-%m-%d %H:%M}, {machine()}, {engine()}."
    PAGE.write_text(with_section(page, name, [when, "", *(f"- {line.strip()}" for line in lines)]), encoding="utf-8")


def run(name: str) -> bool:
    """One stage, printed and written; whether it found nothing."""
    began, start = datetime.now(PRAGUE), perf_counter()
    lines: list[str] = []
    failed = ""
    try:
        for line in STAGES[name]():
            print(line, flush=True)
            lines.append(line)
    except Failed as error:
        failed = str(error)
        print(f"error: {failed}", file=sys.stderr)
        lines.append(f"FAILED: {failed}")
    lines.append(f"({perf_counter() - start:.0f} s)")
    write(name, began, lines)
    return not failed


def main(wanted: Sequence[str]) -> int:
    """Runs the stages; 2 if a name is unknown, 5 if one found something."""
    if unknown := [name for name in wanted if name not in STAGES]:
        print(f"error: no stage {', '.join(unknown)}; there are {', '.join(STAGES)}", file=sys.stderr)
        return 2
    well = [run(name) for name in wanted or STAGES]  # all of them, whatever one finds
    return 0 if all(well) else 5


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
