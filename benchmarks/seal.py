"""What sealing costs bulk ingest: the share of its time (goal: at most a quarter).

Ingest as it is, every row hashed into the tree in its transaction and a checkpoint signed and copied to a witness each
time that it is due, against the same with both left out: leaves that are nothing, and nobody who asks for a checkpoint.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter
from unittest.mock import patch

from benchmarks.ingest import ORIGIN, remove
from benchmarks.pairs import interleaved
from benchmarks.records import CATALOGUE, ONE_SOURCE, batches, records
from events.sealing import SealConfig, seal_if_due, start
from events.store import Log

EVENTS = 200_000
EVERY = 10_000
PAIRS = 7
GOAL = 0.25


def ingest(folder: Path, lines: list[bytes], *, sealed: bool) -> float:
    """Seconds from raw lines to the last commit, and to the last checkpoint."""
    path = folder / "bench.db"
    remove(path)
    with tempfile.TemporaryDirectory(dir=folder) as own, Log.open(str(path), CATALOGUE, create=True) as log:
        seal, witness = Path(own) / "seal", Path(own) / "witness"
        witness.mkdir()
        start(log, seal, SealConfig("bench.example/recoup", EVERY, (str(witness),)))
        began = perf_counter()
        for batch in batches(lines):
            log.accept(batch, ORIGIN)
            if sealed:
                seal_if_due(log, seal)
        taken = perf_counter() - began
        signed = len(list(witness.rglob("*")))
        assert bool(signed) == sealed, f"{signed} files at the witness"
        return taken


def run(events: int = EVENTS, pairs: int = PAIRS) -> list[str]:
    """One line."""
    lines = list(records(events, sources=ONE_SOURCE))

    def bare() -> float:
        with patch("events.store.batch.leaves_of", lambda _at, rows: bytes(32 * len(rows))):
            return ingest(Path(folder), lines, sealed=False)

    with tempfile.TemporaryDirectory(prefix="recoup-bench-") as folder:
        mine, other = interleaved(lambda: ingest(Path(folder), lines, sealed=True), bare, pairs)
    costs = sorted(1 - without / own for own, without in zip(mine, other, strict=True))
    what = f"leaves, tiles and a checkpoint with a witness's copy every {EVERY:,} rows"
    spread = f"range {costs[0]:.0%} to {costs[-1]:.0%}, goal at most {GOAL:.0%}"
    speeds = f"{events / median(mine):,.0f}/s against {events / median(other):,.0f}/s without"
    return [f"seal: {what} take {median(costs):.0%} of bulk ingest ({spread}); {speeds}"]


if __name__ == "__main__":
    print("\n".join(run()))
