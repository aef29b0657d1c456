"""The seal: RFC 6962 Merkle tree over the log in arrival order, signed checkpoints of it. Knows bytes, no tables."""

from events.seal.checkpoint import Checkpoint, parse_checkpoint, read_checkpoint
from events.seal.entry import ENTRY_VERSION, entry, leaf, leaf_hasher
from events.seal.note import BadNote, SigningKey, VerifierKey, check_key_name, parse_note, parse_verifier
from events.seal.tree import (
    EMPTY_ROOT,
    HASH_SIZE,
    Frontier,
    consistency_proof,
    inclusion_proof,
    inclusion_proofs,
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
    "BadNote",
    "Checkpoint",
    "Frontier",
    "SigningKey",
    "VerifierKey",
    "check_key_name",
    "consistency_proof",
    "entry",
    "inclusion_proof",
    "inclusion_proofs",
    "leaf",
    "leaf_hasher",
    "node_hash",
    "parse_checkpoint",
    "parse_note",
    "parse_verifier",
    "read_checkpoint",
    "split_leaves",
    "tree_root",
    "verify_consistency",
    "verify_inclusion",
]
