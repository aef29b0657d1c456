"""Judging real hands from stored bytes to verdict, all checks on, against pokerkit replaying them (goal: 6 times).

Both sides begin with the bytes that they keep (our records, their PHH text), hold them in memory, and run on one core;
CPU time, interleaved a fifth of the hands at a time, so that a slow minute of the machine hits both. Real hands are
those beside the checkout, Pluribus and Open Hand History; where there are none, hands of our own dealer, written as PHH
and imported. pokerkit reads no OHH: it is given those hands as we write them in PHH, as far as it replays them.
"""

from __future__ import annotations

import gc
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from statistics import median
from time import process_time
from typing import NamedTuple

import pokerkit

from cli import assembly
from events.errors import Refused
from events.schema.envelope import canonical
from events.schema.fact import Fact
from events.store import Log, Origin
from events.store.backend import Row
from events.store.facts import FactReader
from events.values.names import parse_stream
from games.adjudicate import Case, judge_sessions
from games.casebook import Casebook
from games.hand_histories.draft import hand_key
from games.hand_histories.imports import import_hands
from games.hand_histories.phh_out import hands_of, write_file
from games.hand_histories.retold import acts_of
from games.hand_histories.sections import lines_of, sections

REAL = Path(__file__).resolve().parents[2] / "shared" / "data" / "hands"
GENERATED = 2_000
ROUNDS = 5
GOAL = 6.0
AT_LEAST = 2_000
"""Fewer hands are taken several times, so that a fifth of them can be timed."""


class Hand(NamedTuple):
    """One hand as either side keeps it."""

    subject: str
    source: str
    rows: list[Row]
    text: str


def run(rounds: int = ROUNDS, generated: int = GENERATED, *, real: Path = REAL) -> list[str]:
    """The lines to print."""
    with tempfile.TemporaryDirectory(prefix="recoup-bench-") as folder:
        sets = {
            "Pluribus hands": sorted(str(path) for path in (real / "pluribus").glob("*.phhs")),
            "OHH hands": sorted(str(path) for path in (real / "ohh").rglob("*.ohh")),
        }
        if not any(sets.values()):
            sets = {"hands of our own dealer, as no real ones lie beside the checkout": [
                _write_generated(Path(folder), generated)
            ]}  # fmt: skip
        lines = []
        for number, (what, paths) in enumerate(sets.items()):
            if paths:
                lines += _judged(what, paths, rounds, str(Path(folder) / f"{number}.db"))
        return lines


def _judged(what: str, paths: list[str], rounds: int, store: str) -> list[str]:
    with Log.open(store, assembly.catalogue(), create=True) as log:
        book = Casebook(log, assembly.rooms(), log.catalogue)
        book.adopt_shipped()
        imported = import_hands(log, paths).imported
        hands = list(_written_hands(log, book) if paths[0].endswith(".ohh") else _hands(log, paths))
        if len(hands) < imported:
            what = f"{what} (of {imported:,}; the others pokerkit does not replay)"
        return _compare(hands, book, rounds, what)


def _compare(hands: list[Hand], book: Casebook, rounds: int, what: str) -> list[str]:
    editions, reader = book.editions, FactReader(book.catalogue)
    ours, theirs, reading, valid = [], [], [], 0
    count = len(hands)
    hands = hands * -(-min(AT_LEAST, 10 * count) // count)
    gc.collect()
    gc.freeze()  # what both sides hold before they begin is not the collector's business, for neither
    for number in range(rounds):
        share = hands[number::rounds]
        theirs.append(_timed_replay(share) / len(share))
        began = process_time()
        cases = (Case.make(hand.subject, _facts(hand, reader), book.catalogue, editions) for hand in share)
        for judgement in judge_sessions(cases, book.rooms):
            valid += judgement.verdicts[0].standing == "valid"
        ours.append((process_time() - began) / len(share))
        began = process_time()
        for hand in share:
            _facts(hand, reader)
        reading.append((process_time() - began) / len(share))
    ratios = [their / our for our, their in zip(ours, theirs, strict=True)]
    began = process_time()
    through = hands[:count:rounds]
    for hand in through:
        book.judge(hand.subject)
    from_log = len(through) / (process_time() - began)
    ratio = f"{median(ratios):.2f} ({min(ratios):.2f}-{max(ratios):.2f}; goal {GOAL:g})"
    speeds = f"{1 / median(ours):,.0f} against {1 / median(theirs):,.0f} hands/s of one core"
    gc.unfreeze()
    good = valid * count // len(hands)
    return [
        f"judge_hands: stored bytes to verdict / pokerkit {version('pokerkit')} replaying: {ratio}; {speeds}",
        f"judge_hands: {count:,} {what}, {good:,} valid; reading is {median(reading) / median(ours):.0%} of it",
        f"judge_hands: fetched from SQLite one by one and judged: {from_log:,.0f} hands/s",
    ]


def _facts(hand: Hand, reader: FactReader) -> list[Fact]:
    return reader.facts(hand.rows, hand.subject, hand.source, 1)


def _timed_replay(hands: list[Hand]) -> float:
    began = process_time()
    for hand in hands:
        for _state in pokerkit.HandHistory.loads(hand.text):
            pass
    return process_time() - began


def _hands(log: Log, paths: list[str]) -> Iterator[Hand]:
    """Each hand's rows and its PHH text, in the order of the files; those that pokerkit cannot replay are left out."""
    for path in paths:
        with Path(path).open("rb") as file:
            for section in sections(lines_of(file)):
                subject = f"import/{hand_key(section.raw)[0]}"
                rows = log.subject_rows(subject)
                hand = Hand(subject, parse_stream(rows[0].stream).source, rows, section.raw.decode())
                with suppress(ValueError):
                    _timed_replay([hand])
                    yield hand


def _written_hands(log: Log, book: Casebook) -> Iterator[Hand]:
    """Each hand in the log with the PHH text that we write of it, if it can be told so and pokerkit can replay it."""
    for subject in log.subjects("import/"):
        rows = log.subject_rows(subject)
        with suppress(Refused, ValueError):
            for written in hands_of(book.case(subject).ordered):
                hand = Hand(subject, parse_stream(rows[0].stream).source, rows, written.text)
                _timed_replay([hand])
                yield hand


def _write_generated(folder: Path, hands: int) -> str:
    """A session of our own dealer as a `.phhs` file."""
    path = folder / "generated.phhs"
    with Log.open(str(folder / "dealt.db"), assembly.catalogue(), create=True) as log:
        book = Casebook(log, assembly.rooms(), log.catalogue)
        book.adopt_shipped()
        dealt = [canonical(envelope) for envelope in book.rooms["holdem"].deal(hands, 1)]
        log.accept(dealt, Origin("stdin", "bench"))
        case = book.case(next(log.subjects("table/")))
        with path.open("w", encoding="utf-8") as file:
            file.writelines(write_file(hands_of(case.ordered, acts_of(case, book.rooms))))
    return str(path)


if __name__ == "__main__":
    print("\n".join(run()))
