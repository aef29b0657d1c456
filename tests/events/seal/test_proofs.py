"""Every proof of every small tree, against a recursion taken word for word from RFC 6962; every flipped bit refused."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256

import pytest

from events.seal import (
    Frontier,
    consistency_proof,
    inclusion_proof,
    tree_root,
    verify_consistency,
    verify_inclusion,
)

SIZES = range(1, 131)
LEAVES = [sha256(b"\x00" + bytes([number])).digest() for number in range(SIZES.stop)]
BITS_SIZES = (1, 2, 3, 5, 8, 13, 31, 32, 33)
"""Trees whose proofs are flipped bit by bit: full, one more, one less, ragged."""


def naive_root(leaves: list[bytes]) -> bytes:
    if len(leaves) == 1:
        return leaves[0]
    at = largest_power_below(len(leaves))
    return sha256(b"\x01" + naive_root(leaves[:at]) + naive_root(leaves[at:])).digest()


def naive_path(index: int, leaves: list[bytes]) -> list[bytes]:
    if len(leaves) == 1:
        return []
    at = largest_power_below(len(leaves))
    if index < at:
        return [*naive_path(index, leaves[:at]), naive_root(leaves[at:])]
    return [*naive_path(index - at, leaves[at:]), naive_root(leaves[:at])]


def naive_subproof(old: int, leaves: list[bytes], *, whole: bool) -> list[bytes]:
    if old == len(leaves):
        return [] if whole else [naive_root(leaves)]
    at = largest_power_below(len(leaves))
    if old <= at:
        return [*naive_subproof(old, leaves[:at], whole=whole), naive_root(leaves[at:])]
    return [*naive_subproof(old - at, leaves[at:], whole=False), naive_root(leaves[:at])]


def largest_power_below(count: int) -> int:
    power = 1
    while power * 2 < count:
        power *= 2
    return power


@pytest.mark.parametrize("size", SIZES)
def test_roots_and_proofs_are_those_of_the_recursion_and_verify(size: int) -> None:
    leaves = LEAVES[:size]
    root = naive_root(leaves)
    assert tree_root(leaves) == root
    for index in range(size):
        proof = inclusion_proof(leaves, index)
        assert proof == naive_path(index, leaves)
        assert verify_inclusion(leaves[index], index, size, proof, root)
    for old in range(1, size + 1):
        proof = consistency_proof(leaves, old)
        assert proof == naive_subproof(old, leaves, whole=True)
        assert verify_consistency(old, naive_root(leaves[:old]), size, root, proof)


@pytest.mark.parametrize("size", SIZES)
def test_a_frontier_goes_on_from_its_full_subtrees(size: int) -> None:
    for old in range(size + 1):
        first = Frontier()
        first.extend(LEAVES[:old])
        second = Frontier(old, first.full)
        second.extend(LEAVES[old:size])
        assert second.root() == tree_root(LEAVES[:size])
    with pytest.raises(ValueError, match="full subtrees"):
        Frontier(size, (*first.full, first.full[0]))


def flipped(value: bytes) -> Iterator[bytes]:
    """The value with each of its bits the other way, in turn."""
    for bit in range(len(value) * 8):
        changed = bytearray(value)
        changed[bit // 8] ^= 1 << bit % 8
        yield bytes(changed)


@pytest.mark.parametrize("size", BITS_SIZES)
def test_every_flipped_bit_of_an_inclusion_is_refused(size: int) -> None:
    leaves = LEAVES[:size]
    root = tree_root(leaves)
    for index in range(size):
        proof = inclusion_proof(leaves, index)
        leaf = leaves[index]
        assert not any(verify_inclusion(other, index, size, proof, root) for other in flipped(leaf))
        assert not any(verify_inclusion(leaf, index, size, proof, other) for other in flipped(root))
        for place, node in enumerate(proof):
            for other in flipped(node):
                assert not verify_inclusion(leaf, index, size, [*proof[:place], other, *proof[place + 1 :]], root)
        for bit in range(16):
            assert not verify_inclusion(leaf, index ^ 1 << bit, size, proof, root)
        for other_size in range(1, 2 * size + 2):
            # A tree of another size may have the same path to that leaf; then only the root tells, and it differs.
            if other_size != size and verify_inclusion(leaf, index, other_size, proof, root):
                assert same_path(index, size, other_size)
        assert not verify_inclusion(leaf, index, size, proof[:-1], root) or not proof
        assert not verify_inclusion(leaf, index, size, [*proof, leaf], root)


def same_path(index: int, one: int, other: int) -> bool:
    """Whether both sizes lead from that leaf to the top by the same turns, so that a path cannot tell them apart."""
    return turns(index, one) == turns(index, other)


def turns(index: int, size: int) -> list[bool]:
    """For each step from the leaf upwards: whether the sibling stands on the left."""
    if size == 1:
        return []
    at = largest_power_below(size)
    return [*turns(index, at), False] if index < at else [*turns(index - at, size - at), True]


@pytest.mark.parametrize("size", BITS_SIZES)
def test_every_flipped_bit_of_a_consistency_is_refused(size: int) -> None:
    leaves = LEAVES[:size]
    root = tree_root(leaves)
    for old in range(1, size):
        old_root = tree_root(leaves[:old])
        proof = consistency_proof(leaves, old)
        assert not any(verify_consistency(old, other, size, root, proof) for other in flipped(old_root))
        assert not any(verify_consistency(old, old_root, size, other, proof) for other in flipped(root))
        for place, node in enumerate(proof):
            for other in flipped(node):
                changed = [*proof[:place], other, *proof[place + 1 :]]
                assert not verify_consistency(old, old_root, size, root, changed)
