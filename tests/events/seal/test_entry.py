"""The entry's layout, byte by byte, and that no column can change unseen."""

from __future__ import annotations

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.seal import entry, leaf, leaf_hasher

ROW = (1_764_360_845_120_000, b"table/brno/RL-03/s@/t", 7, b"RL.BetPlaced.v1", b'{"a":1}')


def test_entry_is_laid_out_as_the_design_says() -> None:
    assert entry(258, b"s@x", 3, b"T.v1", b"{}").hex() == (
        "01000000000000010200000000000000030003" + b"s@x".hex() + "0004" + b"T.v1".hex() + b"{}".hex()
    )


def test_leaf_is_the_hash_of_zero_and_entry() -> None:
    assert leaf(*ROW) == sha256(b"\x00" + entry(*ROW)).digest()


@pytest.mark.parametrize("column", range(5))
def test_every_column_changes_the_leaf(column: int) -> None:
    changed = list(ROW)
    value = changed[column]
    changed[column] = value + 1 if isinstance(value, int) else value + b"x"
    assert leaf(*changed) != leaf(*ROW)  # type: ignore[arg-type]


def test_letters_cannot_move_between_stream_topic_and_state() -> None:
    assert leaf(1, b"ab", 1, b"c", b"d") != leaf(1, b"a", 1, b"bc", b"d") != leaf(1, b"a", 1, b"b", b"cd")


@given(
    st.integers(0, 2**63),
    st.lists(st.tuples(st.binary(max_size=5), st.integers(0, 2**63), st.binary(max_size=5), st.binary()), max_size=20),
)
def test_hashing_a_batch_gives_each_rows_own_leaf(
    recorded_at: int, rows: list[tuple[bytes, int, bytes, bytes]]
) -> None:
    hash_row = leaf_hasher(recorded_at)
    assert [hash_row(*row) for row in rows] == [leaf(recorded_at, *row) for row in rows]


def test_a_negative_version_has_no_entry() -> None:
    with pytest.raises(OverflowError):
        entry(1, b"s", -1, b"t", b"")
