"""RFC 6962 Merkle tree: root, frontier, inclusion and consistency proofs (RFC 6962, 2.1; checks as RFC 9162, 2.1).

A leaf here is a leaf's hash, 32 bytes. Tree indexes count from 0.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from hashlib import sha256
from itertools import islice

HASH_SIZE = 32
EMPTY_ROOT = sha256(b"").digest()
_NODE_PREFIX = b"\x01"


def node_hash(left: bytes, right: bytes) -> bytes:
    """SHA-256(0x01 ‖ left ‖ right)."""
    return sha256(_NODE_PREFIX + left + right).digest()


def split_leaves(blob: bytes) -> list[bytes]:
    """A tile's leaves, 32 bytes each.

    Raises:
        ValueError: the blob is not a whole number of leaves.
    """
    if len(blob) % HASH_SIZE:
        raise ValueError(f"{len(blob)} bytes are not a whole number of {HASH_SIZE}-byte leaves")
    return [blob[at : at + HASH_SIZE] for at in range(0, len(blob), HASH_SIZE)]


def tree_root(leaves: Sequence[bytes]) -> bytes:
    """Merkle tree hash of `leaves`; of none, SHA-256 of nothing."""
    if not leaves:
        return EMPTY_ROOT
    level = list(leaves)
    while len(level) > 1:
        # An odd node at the end goes up unpaired: the same tree as RFC 6962's split at the largest power of two.
        upper = [sha256(_NODE_PREFIX + level[at] + level[at + 1]).digest() for at in range(0, len(level) - 1, 2)]
        if len(level) % 2:
            upper.append(level[-1])
        level = upper
    return level[0]


class Frontier:
    """A growing tree in O(log n) memory: the roots of its full subtrees, largest first."""

    def __init__(self, size: int = 0, full: Sequence[bytes] = ()) -> None:
        """An empty tree, or one of `size` leaves that goes on from its full subtrees' roots, largest first.

        Raises:
            ValueError: a tree of that size has another number of full subtrees.
        """
        if size.bit_count() != len(full):
            raise ValueError(f"a tree of {size} has {size.bit_count()} full subtrees, not {len(full)}")
        self.size = size
        self._full: list[bytes] = list(full)

    @property
    def full(self) -> tuple[bytes, ...]:
        """The roots of the full subtrees, largest first."""
        return tuple(self._full)

    def extend(self, leaves: Iterable[bytes]) -> None:
        """Appends leaves in order."""
        full = self._full
        size = self.size
        for leaf in leaves:
            node = leaf
            carry = size
            while carry & 1:
                node = sha256(_NODE_PREFIX + full.pop() + node).digest()
                carry >>= 1
            full.append(node)
            size += 1
        self.size = size

    def root(self) -> bytes:
        """The root of all leaves so far."""
        if not self._full:
            return EMPTY_ROOT
        node = self._full[-1]
        for left in reversed(self._full[:-1]):
            node = node_hash(left, node)
        return node


def _split(count: int) -> int:
    """The largest power of two smaller than `count`."""
    return 1 << (count - 1).bit_length() - 1


def inclusion_proof(leaves: Sequence[bytes], index: int) -> list[bytes]:
    """Audit path of the leaf at `index`, from the leaf upwards.

    Raises:
        IndexError: no such leaf.
    """
    return inclusion_proofs(leaves, len(leaves), [index])[1][index]


def inclusion_proofs(
    leaves: Iterable[bytes], size: int, indexes: Iterable[int]
) -> tuple[bytes, dict[int, list[bytes]]]:
    """Root of the tree of the first `size` leaves, and the audit path of each of some of them, from the leaf upwards.

    Reads the leaves once, in order, and keeps none: a tree may be larger than memory.

    Raises:
        IndexError: no such leaf. ValueError: there are fewer leaves than `size`.
    """
    wanted = sorted(set(indexes))
    if wanted and not 0 <= wanted[0] <= wanted[-1] < size:
        raise IndexError(f"no leaf {wanted[0] if wanted[0] < 0 else wanted[-1]} in a tree of {size}")
    paths: dict[int, list[bytes]] = {index: [] for index in wanted}
    rest = iter(leaves)

    def root(low: int, high: int, own: Sequence[int]) -> bytes:
        if high - low == 1 or not own:
            part = Frontier()
            part.extend(islice(rest, high - low))
            if part.size < high - low:
                raise ValueError(f"the leaves end before {size}")
            return part.root()
        middle = low + _split(high - low)
        cut = bisect_left(own, middle)
        left = root(low, middle, own[:cut])
        right = root(middle, high, own[cut:])
        for index in own[:cut]:
            paths[index].append(right)
        for index in own[cut:]:
            paths[index].append(left)
        return node_hash(left, right)

    return (root(0, size, wanted) if size else EMPTY_ROOT), paths


def verify_inclusion(leaf: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes) -> bool:
    """Whether `proof` leads from `leaf` at `index` to the `root` of a tree of `size` (RFC 9162, 2.1.3.2)."""
    if not 0 <= index < size:
        return False
    position, last, node = index, size - 1, leaf
    for sibling in proof:
        if last == 0:
            return False
        if position & 1 or position == last:
            node = node_hash(sibling, node)
            while not position & 1 and position:
                position, last = position >> 1, last >> 1
        else:
            node = node_hash(node, sibling)
        position, last = position >> 1, last >> 1
    return last == 0 and node == root


def consistency_proof(leaves: Sequence[bytes], old_size: int) -> list[bytes]:
    """Proof that the tree of the first `old_size` leaves is a beginning of this one (RFC 6962, 2.1.2).

    Raises:
        ValueError: the old tree is empty or larger than this one.
    """
    if not 0 < old_size <= len(leaves):
        raise ValueError(f"a tree of {len(leaves)} has no consistency proof from {old_size}")
    return _subproof(leaves, old_size, whole=True)


def _subproof(leaves: Sequence[bytes], old_size: int, *, whole: bool) -> list[bytes]:
    if old_size == len(leaves):
        return [] if whole else [tree_root(leaves)]
    middle = _split(len(leaves))
    if old_size <= middle:
        return [*_subproof(leaves[:middle], old_size, whole=whole), tree_root(leaves[middle:])]
    return [*_subproof(leaves[middle:], old_size - middle, whole=False), tree_root(leaves[:middle])]


def verify_consistency(old_size: int, old_root: bytes, size: int, root: bytes, proof: Sequence[bytes]) -> bool:
    """Whether `proof` shows the old tree to be a beginning of the new (RFC 9162, 2.1.4.2)."""
    if not 0 < old_size <= size:
        return False
    if old_size == size:
        return not proof and old_root == root
    # A complete old tree is itself the first node of the path, which the proof then leaves out.
    path = [old_root, *proof] if old_size & (old_size - 1) == 0 else list(proof)
    if not path:
        return False
    position, last = old_size - 1, size - 1
    while position & 1:
        position, last = position >> 1, last >> 1
    old_node = node = path[0]
    for sibling in path[1:]:
        if last == 0:
            return False
        if position & 1 or position == last:
            old_node, node = node_hash(sibling, old_node), node_hash(sibling, node)
            while not position & 1 and position:
                position, last = position >> 1, last >> 1
        else:
            node = node_hash(node, sibling)
        position, last = position >> 1, last >> 1
    return last == 0 and old_node == old_root and node == root
