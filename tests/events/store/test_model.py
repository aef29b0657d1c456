"""Accept against a model of dictionaries: any order, repeats, late records, conflicts, restarts, jumps."""

from __future__ import annotations

import json
from collections.abc import Iterable

from hypothesis import example, given, settings
from hypothesis import strategies as st

from events.store import JUMP_MAX, Log, verify
from tests.events.store.records import STREAM, TEST, record
from tests.soaking import examples
from tests.stores import CATALOGUE

Sent = tuple[int, int, int]
"""Sequence, which content, minute."""


def line(sent: Sent) -> bytes:
    sequence, content, minute = sent
    return record(sequence, data={"person": f"d-{content}"}, time=f"2026-11-28T21:{minute:02d}:00.000+01:00")


class Model:
    """One source. `parts`: sequence → what was sent; what was refused is kept as it came."""

    def __init__(self) -> None:
        self.parts: list[dict[int, Sent]] = [{}]
        self.quarantine: set[Sent] = set()
        self.stored = self.repeats = self.conflicts = self.quarantined = self.restarts = 0

    def accept(self, batch: list[Sent]) -> None:
        for is_restart, span in self._spans(batch):
            if is_restart:
                self.parts.append({})
                self.restarts += 1
            for sent in sorted(span, key=lambda one: one[0]):
                self._place(sent)

    def _spans(self, batch: list[Sent]) -> list[tuple[bool, list[Sent]]]:
        spans: list[tuple[bool, list[Sent]]] = [(False, [])]
        ones = {part[1] for part in self.parts if 1 in part}
        current = dict(self.parts[-1])
        for sent in batch:
            if sent[0] == 1:
                if 1 in current and sent not in ones and sent[2] > current[max(current)][2]:
                    spans.append((True, []))
                    current = {}
                ones.add(sent)
            current.setdefault(sent[0], sent)
            spans[-1][1].append(sent)
        return spans

    def _place(self, sent: Sent) -> None:
        newest = self.parts[-1]
        if any(part.get(sent[0]) == sent for part in self.parts):
            self.repeats += 1
        elif sent[0] in newest:
            self._refuse(sent, conflict=True)
        elif newest and sent[0] - max(newest) > JUMP_MAX:
            self._refuse(sent, conflict=False)
        else:
            newest[sent[0]] = sent
            self.stored += 1

    def _refuse(self, sent: Sent, *, conflict: bool) -> None:
        if sent in self.quarantine:
            self.repeats += 1
            return
        self.quarantine.add(sent)
        self.conflicts += conflict
        self.quarantined += not conflict


sent = st.tuples(
    st.one_of(st.integers(1, 12), st.just(1), st.sampled_from([20_000, 20_001, 45_000])),
    st.integers(0, 1),
    st.integers(0, 5),
)


def stored_parts(log: Log) -> list[dict[int, str]]:
    found = []
    for number in range(1, 50):
        rows = log.stream_rows(STREAM if number == 1 else f"{STREAM}~{number}")
        if not rows:
            break
        found.append({int(json.loads(row.state)["sequence"]): row.state.decode() for row in rows})
    return found


@settings(max_examples=examples(150), deadline=None)
@given(st.lists(st.lists(sent, max_size=12), max_size=6))
@example([[(1, 0, 0), (2, 0, 0)], [(1, 0, 1), (2, 1, 1)], [(2, 0, 0), (2, 1, 0), (1, 0, 0)]])
def test_accept_does_what_the_model_does(batches: list[list[Sent]]) -> None:
    model = Model()
    with Log.open(":memory:", CATALOGUE) as log:
        for batch in [*batches, *batches]:
            model.accept(batch)
            log.accept([line(one) for one in batch], TEST)
        status = log.status()
        assert (status.stored, status.repeats, status.conflicts, status.quarantined, status.restarts) == (
            model.stored,
            model.repeats,
            model.conflicts,
            model.quarantined,
            model.restarts,
        )
        assert status.received == 2 * sum(map(len, batches))
        assert status.adds_up
        expected = [{seq: line(one).decode() for seq, one in part.items()} for part in model.parts if part]
        assert stored_parts(log) == expected
        report = verify(log)
        assert report.ok, report.problems


def cut(lines: list[bytes], sizes: Iterable[int]) -> list[list[bytes]]:
    found, start = [], 0
    for size in sizes:
        found.append(lines[start : start + size])
        start += size
    return [*found, lines[start:]]


@settings(max_examples=examples(60), deadline=None)
@given(
    st.sets(st.integers(1, 40), min_size=1),
    st.randoms(use_true_random=False),
    st.lists(st.integers(1, 9), max_size=8),
    st.integers(0, 20),
)
def test_the_order_of_arrival_never_changes_what_is_stored(numbers: set[int], shuffle, sizes, twice: int) -> None:  # type: ignore[no-untyped-def]
    lines = [record(number) for number in sorted(numbers)]
    arriving = [*lines, *lines[:twice]]
    shuffle.shuffle(arriving)
    with Log.open(":memory:", CATALOGUE) as log:
        for batch in cut(arriving, sizes):
            log.accept(batch, TEST)
        (part,) = stored_parts(log)
        assert part == {number: record(number).decode() for number in numbers}
        assert log.status().stored == len(numbers)
        assert verify(log).ok
