"""The seal: RFC 6962 Merkle tree over the log in arrival order. Knows bytes, no tables."""

from events.seal.entry import ENTRY_VERSION, entry, leaf, leaf_hasher
from events.seal.tree import (
    EMPTY_ROOT,
    HASH_SIZE,
    Frontier,
    consistency_proof,
    inclusion_proof,
    node_hash,
    split_leaves,
    tree_root,
    verify_consistency,
    verify_inclusion,
)

__all__ = [
    "EMPTY_ROOT",
    "ENTRY_VERSION",
    "HASH_SIZE",
    "Frontier",
    "consistency_proof",
    "entry",
    "inclusion_proof",
    "leaf",
    "leaf_hasher",
    "node_hash",
    "split_leaves",
    "tree_root",
    "verify_consistency",
    "verify_inclusion",
]
