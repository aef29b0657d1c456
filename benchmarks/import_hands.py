"""Importing real hands, PHH and Open Hand History, from files into SQLite: hands a second of one core, and where the
time goes.

Best of a few runs into a new store each, CPU time. The shares are measured in a run of its own, by clocks around the
few functions that a hand passes; what is left is cutting files, keys and names. Real hands are those beside the
checkout; where there are none, hands of our own dealer, written in both formats.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from operator import itemgetter
from pathlib import Path
from time import process_time
from types import ModuleType
from typing import Any
from unittest.mock import patch

from cli import assembly
from events.schema.envelope import canonical
from events.store import Log, Origin
from games.adjudicate import Case
from games.casebook import Casebook
from games.hand_histories import imports, ohh_in, ohh_out, phh_in, phh_out
from games.hand_histories.imports import ImportReport, import_hands
from games.hand_histories.retold import acts_of, retell

REAL = Path(__file__).resolve().parents[2] / "shared" / "data" / "hands"
GENERATED = 2_000
ROUNDS = 3
SHARES = 3


def run(rounds: int = ROUNDS, generated: int = GENERATED, *, real: Path = REAL) -> list[str]:
    """The lines to print."""
    with tempfile.TemporaryDirectory(prefix="recoup-bench-") as folder:
        found = {
            "PHH": sorted(str(path) for path in (real / "pluribus").glob("*.phhs")),
            "OHH": sorted(str(path) for path in (real / "ohh").rglob("*.ohh")),
        }
        if not all(found.values()):
            found = _generated(Path(folder), generated)
        return [line for name, paths in found.items() for line in _measured(name, paths, rounds, Path(folder))]


def _measured(name: str, paths: list[str], rounds: int, folder: Path) -> Iterator[str]:
    runs = [_imported(paths, folder / f"{name}{number}.db") for number in range(max(rounds, 1))]
    seconds, report = min(runs, key=itemgetter(0))
    records = sum(file.records for file in report.files)
    beside = f"; {len(report.refused):,} of other games only listed" if report.refused else ""
    yield (
        f"import_hands: {name}: {report.imported / seconds:,.0f} hands/s of one core "
        f"({report.imported:,} hands in {records:,} records{beside})"
    )
    spent: dict[str, float] = {}
    with _clocks(spent):
        seconds, _report = _imported(paths, folder / f"{name}.shares.db")
    spent["cut, keys, names"] = seconds - sum(spent.values())
    largest = sorted(spent.items(), key=lambda share: -share[1])
    shares = [f"{what} {time / seconds:.0%}" for what, time in largest]
    yield f"import_hands: {name}: largest shares {', '.join(shares[:SHARES])}; then {', '.join(shares[SHARES:])}"


def _imported(paths: list[str], store: Path) -> tuple[float, ImportReport]:
    with Log.open(str(store), assembly.catalogue(), create=True) as log:
        began = process_time()
        report = import_hands(log, paths)
        return process_time() - began, report


# --- where the time goes ---


@contextmanager
def _clocks(spent: dict[str, float]) -> Iterator[None]:
    """Clocks around what a hand passes, none inside another."""
    stages: list[tuple[ModuleType | type, str, str]] = [
        (phh_in, "read_hand", "read"),
        (ohh_in, "read_hand", "read"),
        (phh_in, "draft_of", "tell as events"),
        (ohh_in, "draft_of", "tell as events"),
        (imports, "records", "encode"),
        (Log, "known", "look up"),
        (Log, "accept_imports", "store"),
    ]
    with ExitStack() as stack:
        for owner, function, what in stages:
            stack.enter_context(patch.object(owner, function, _timed(getattr(owner, function), what, spent)))
        yield


def _timed(function: Callable[..., Any], what: str, spent: dict[str, float]) -> Callable[..., Any]:
    def timed(*args: Any, **more: Any) -> Any:
        began = process_time()
        try:
            found = function(*args, **more)
            return list(found) if what == "encode" else found
        finally:
            spent[what] = spent.get(what, 0.0) + process_time() - began

    return timed


# --- hands of our own ---


def _generated(folder: Path, hands: int) -> dict[str, list[str]]:
    """A session of our own dealer in both formats."""
    with Log.open(str(folder / "dealt.db"), assembly.catalogue(), create=True) as log:
        book = Casebook(log, assembly.rooms(), log.catalogue)
        book.adopt_shipped()
        log.accept([canonical(envelope) for envelope in book.rooms["holdem"].deal(hands, 1)], Origin("stdin", "bench"))
        case: Case = book.case(next(log.subjects("table/")))
        told = list(retell(case.ordered, acts_of(case, book.rooms)))
    found = {}
    for name, writer, suffix in (("PHH", phh_out, "phhs"), ("OHH", ohh_out, "ohh")):
        path = folder / f"generated.{suffix}"
        with path.open("w", encoding="utf-8") as file:
            file.writelines(writer.write_file(map(writer.write, told)))
        found[name] = [str(path)]
    return found


if __name__ == "__main__":
    print("\n".join(run()))
