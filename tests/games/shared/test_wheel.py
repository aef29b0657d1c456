"""Rings, directions, laps."""

from __future__ import annotations

import pytest

from games.shared.wheel import arc, is_same_ring, opposite, whole_laps


def test_a_ring_may_be_read_from_any_field_but_not_backwards() -> None:
    assert is_same_ring("abcd", "cdab")
    assert is_same_ring("abcd", "abcd")
    assert not is_same_ring("abcd", "dcba")
    assert not is_same_ring("abcd", "abc")
    assert not is_same_ring("abcd", "acbd")
    assert is_same_ring("", "")
    # Fields may come more than once, as the symbols of a standing wheel do.
    assert is_same_ring("aab", "aba")
    assert not is_same_ring("aabb", "abab")


def test_an_arc_goes_past_the_end_of_the_list() -> None:
    assert arc("abcde", "a", 1) == ("e", "a", "b")
    assert arc("abcde", "e", 2) == ("c", "d", "e", "a", "b")
    assert arc("abcde", "c", 0) == ("c",)
    with pytest.raises(ValueError):
        arc("abcde", "x", 1)


def test_directions_and_laps() -> None:
    assert opposite("cw") == "ccw"
    assert opposite("ccw") == "cw"
    assert [whole_laps(tenths) for tenths in (0, 9, 98, 99, 100, 101)] == [0, 0, 9, 9, 10, 10]
