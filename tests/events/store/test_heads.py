"""Heads, runs and segments against a plain model that keeps every record."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.store.heads import Gap, Head, Run, Segment, parse_seen, seen_text

Placed = tuple[int, int, str | None]


def take(head: Head, batch: list[Placed]) -> None:
    head.take([(sequence, 0, at, name, "T", b"") for sequence, at, name in batch])


@st.composite
def batches(draw: st.DrawFn) -> list[list[Placed]]:
    """Records of a stream with holes, cut into batches that arrive in any order; each batch in order of sequence."""
    sequences = draw(st.lists(st.integers(1, 60), unique=True, min_size=1, max_size=40))
    cuts = sorted(draw(st.sets(st.integers(1, len(sequences)), max_size=6)) | {len(sequences)})
    found, start = [], 0
    for cut in cuts:
        part = sorted(sequences[start:cut])
        if part:
            found.append(
                [(one, draw(st.integers(0, 9)) + one * 10, draw(st.sampled_from(["1", "2", None]))) for one in part]
            )
        start = cut
    return found


@given(batches())
def test_a_head_knows_what_a_list_of_all_records_knows(arriving: list[list[Placed]]) -> None:
    head = Head("s@x")
    for batch in arriving:
        take(head, batch)
    stored = [one for batch in arriving for one in batch]
    known = {sequence for sequence, _at, _round in stored}
    assert head.next_version == len(stored) + 1
    assert [number for number in range(70) if head.knows(number)] == sorted(known)
    for low in range(1, 62, 3):
        for high in range(low, 66, 5):
            assert head.knows_all(low, high) == (set(range(low, high + 1)) <= known)
    missing = {number for gap in head.gaps() for number in range(gap.first, gap.last + 1)}
    assert missing == set(range(1, max(known))) - known
    assert head.top == max(known)
    assert head.top_at == next(at for sequence, at, _round in stored if sequence == head.top)
    runs = sorted(head.closed_runs)
    for version, (sequence, _at, _round) in enumerate(stored, 1):
        assert head.version_of(sequence, runs) == version
    segments = [*head.closed_segments, head.open_segment()]
    assert [name for segment in segments if segment for _v in range(segment.from_version, segment.to_version + 1)
            for name in [segment.round]] == [name for _sequence, _at, name in stored]  # fmt: skip
    for segment in segments:
        assert segment is not None
        times = [stored[version - 1][1] for version in range(segment.from_version, segment.to_version + 1)]
        assert (segment.first_at, segment.last_at) == (min(times), max(times))
    assert all(one.round != after.round for one, after in pairwise(segments) if one and after)


@given(batches())
def test_a_head_read_back_goes_on_like_the_one_that_was_kept(arriving: list[list[Placed]]) -> None:
    kept, read = Head("s@x"), Head("s@x")
    for batch in arriving:
        take(kept, batch)
        read = Head.of_row(read.row())
        take(read, batch)
    assert read.row() == kept.row()


@given(batches())
def test_batches_make_the_same_head_as_single_records(arriving: list[list[Placed]]) -> None:
    whole, single = Head("s@x"), Head("s@x")
    for batch in arriving:
        take(whole, batch)
        for one in batch:
            take(single, [one])
    assert (whole.row(), whole.closed_runs, whole.closed_segments) == (
        single.row(),
        single.closed_runs,
        single.closed_segments,
    )


def test_a_late_record_closes_run_and_segment() -> None:
    head = Head("s@x")
    take(head, [(1, 10, "1"), (2, 20, "1"), (4, 40, "2")])
    assert list(head.gaps()) == [Gap("s@x", 3, 3)]
    take(head, [(3, 30, "1")])
    assert list(head.gaps()) == []
    assert head.closed_runs == [Run(1, 1, 2), Run(4, 3, 1)]
    assert head.closed_segments == [Segment("1", 1, 2, 10, 20), Segment("2", 3, 3, 40, 40)]
    assert head.top_at == 40


def test_a_sequence_that_is_in_no_run_shows_that_bookkeeping_was_changed() -> None:
    head = Head("s@x")
    take(head, [(1, 0, None)])
    with pytest.raises(KeyError, match="sequence 5"):
        head.version_of(5, [])


def test_intervals_are_written_and_read() -> None:
    assert seen_text([1, 4711, 4713, 4713]) == "1-4711,4713-4713"
    assert parse_seen("1-4711,4713-4713") == [1, 4711, 4713, 4713]
    assert parse_seen("") == []
    with pytest.raises(ValueError, match="`7` is not an interval"):
        parse_seen("1-3,7")
