"""Peak memory of ingesting a file of 1,000,000 events against one of 250,000 (goal: 1.1 at most, under 200 MB)."""

from __future__ import annotations

import resource
import sys
import tempfile
from pathlib import Path

from benchmarks.children import child
from benchmarks.records import CATALOGUE, THREE_SOURCES, records
from events.ingest import ingest_files
from events.store import Log

EVENTS = 1_000_000
RATIO_MAX = 1.1
PEAK_MAX_MB = 200


def peak(store: str, path: str) -> float:
    """MB at the peak of a process that ingests the file."""
    with Log.open(store, CATALOGUE, create=True) as log:
        ingest_files(log, [path])
    return peak_kb() / 1024


def peak_kb() -> int:
    """Peak of resident memory of this program alone: `ru_maxrss` also counts the process that started it."""
    status = Path("/proc/self/status")
    if status.exists():
        return next(int(line.split()[1]) for line in status.read_text().splitlines() if line.startswith("VmHWM"))
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def measure(folder: Path, events: int) -> float:
    """The same in a process of its own."""
    path = folder / f"{events}.ndjson"
    with path.open("wb") as file:
        for line in records(events, sources=THREE_SOURCES, late=0.02):
            file.write(line + b"\n")
    found = child("benchmarks.memory", str(folder / f"{events}.db"), str(path))
    path.unlink()
    return found


def run(events: int = EVENTS) -> list[str]:
    """Printed ratio."""
    with tempfile.TemporaryDirectory() as folder:
        small, large = measure(Path(folder), events // 4), measure(Path(folder), events)
    line = (
        f"memory of ingesting {events:,} events: {large / small:.2f} of {events // 4:,} (goal at most {RATIO_MAX}); "
        f"{large:.0f} MB against {small:.0f} MB (goal under {PEAK_MAX_MB})"
    )
    return [line]


if __name__ == "__main__":
    if len(sys.argv) == 3:
        print(peak(sys.argv[1], sys.argv[2]))
    else:
        print("\n".join(run()))
