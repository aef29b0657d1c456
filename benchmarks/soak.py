"""`python -m benchmarks.soak`: what takes too long for `make test`; writes the figures to `docs/soak.md`.

1. Dealers: sessions of every room by many seeds find nothing and agree; every breach by many seeds is found alone.
2. Properties: the generated tests again, with many more examples.
3. Benchmarks: all of them, with their goals.
4. Kafka: the faults of `tests/kafka` with a hundred kills, and a daemon's memory over 5,000,000 events.
4. A log of 10,000,000 events beside one of 1,000,000, on SQLite and on PostgreSQL.

Words behind it name the stages wanted; then the page is not written. Exit 5 if a stage found something.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from time import perf_counter

from benchmarks.__main__ import discovered
from cli.assembly import rooms
from events.values.clock import PRAGUE
from games.adjudicate import engine
from tests.games.table import all_findings
from tests.games.test_every_room import case_of, dealt, judged

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "soak.md"
SEEDS = 100
BREACH_SEEDS = 10
FACTOR = 3
ROUNDS = 10
"""Rounds of a soaked session."""


class Failed(Exception):
    """A stage found what must not be."""


def dealers() -> Iterator[str]:
    """Stage 1."""
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


def properties() -> Iterator[str]:
    """Stage 2."""
    command = [sys.executable, "-m", "pytest", "-q", "--timeout=3000", *_GENERATED]
    environment = {**os.environ, "RECOUP_SOAK": str(FACTOR)}
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, env=environment)
    if run.returncode:
        raise Failed("\n".join(run.stdout.splitlines()[-20:]))
    yield f"generated tests with {FACTOR} times the examples: {run.stdout.splitlines()[-1].strip('= ')}"


_GENERATED = (
    "tests/events/schema", "tests/events/seal", "tests/events/store/test_model.py", "tests/games/poker/test_ranks.py",
    "tests/games/poker/test_pots.py", "tests/games/roulette/test_anything.py", "tests/games/holdem/test_random.py",
)  # fmt: skip


def benches() -> Iterator[str]:
    """Stage 3."""
    for name in discovered():
        command = [sys.executable, "-m", "benchmarks", name]
        yield from subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()


def larges() -> Iterator[str]:
    """Stage 4."""
    for backend in ("sqlite", "postgres"):
        command = [sys.executable, "-m", "benchmarks.large", backend]
        yield from subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()


def kafka() -> Iterator[str]:
    """Stage 4."""
    from benchmarks.kafka import soak

    command = [sys.executable, "-m", "pytest", "-q", "--timeout=3000", "tests/kafka"]
    environment = {**os.environ, "RECOUP_SOAK": str(FACTOR)}
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, env=environment)
    if run.returncode:
        raise Failed("\n".join(run.stdout.splitlines()[-20:]))
    yield f"faults of Kafka, a daemon killed 100 times: {run.stdout.splitlines()[-1].strip('= ')}"
    yield from soak()


STAGES: dict[str, Callable[[], Iterator[str]]] = {
    "dealers": dealers, "properties": properties, "benches": benches, "large": larges,
}  # fmt: skip


def machine() -> str:
    """What it ran on."""
    return f"{os.cpu_count()} cores, {platform.system()} {platform.machine()}, Python {platform.python_version()}"


def main(wanted: list[str]) -> int:
    """Runs the stages; 2 if a name is unknown, 5 if one found something."""
    if unknown := [name for name in wanted if name not in STAGES]:
        print(f"error: no stage {', '.join(unknown)}; there are {', '.join(STAGES)}", file=sys.stderr)
        return 2
    now = datetime.now(PRAGUE)
    page = ["# Soak", "", f"Written by `make soak` on {now:%Y-%m-%d %H:%M} ({machine()}), {engine()}."]
    for name in wanted or STAGES:
        began = perf_counter()
        page += ["", f"## {name}", ""]
        try:
            for line in STAGES[name]():
                print(line, flush=True)
                page.append(f"- {line.strip()}")
        except Failed as error:
            print(f"error: {error}", file=sys.stderr)
            return 5
        page.append(f"- ({perf_counter() - began:.0f} s)")
    if not wanted:
        PAGE.write_text("\n".join(page) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
