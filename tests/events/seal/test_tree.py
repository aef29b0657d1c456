"""RFC 6962 trees against the public vectors of the certificate-transparency project."""

from __future__ import annotations

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.seal import (
    EMPTY_ROOT,
    Frontier,
    consistency_proof,
    inclusion_proof,
    split_leaves,
    tree_root,
    verify_consistency,
    verify_inclusion,
)

INPUTS = [
    bytes.fromhex(text)
    for text in (
        "",
        "00",
        "10",
        "2021",
        "3031",
        "40414243",
        "5051525354555657",
        "606162636465666768696a6b6c6d6e6f",
    )
]
LEAVES = [sha256(b"\x00" + data).digest() for data in INPUTS]
ROOTS = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
hashes = st.lists(st.binary(min_size=1, max_size=4).map(lambda data: sha256(data).digest()), max_size=70)


@pytest.mark.parametrize("size", range(9))
def test_root_is_that_of_the_public_vectors(size: int) -> None:
    assert tree_root(LEAVES[:size]).hex() == ROOTS[size]


@pytest.mark.parametrize("size", range(9))
def test_frontier_grows_through_the_same_roots(size: int) -> None:
    frontier = Frontier()
    for leaf in LEAVES[:size]:
        frontier.extend([leaf])
    assert (frontier.root().hex(), frontier.size) == (ROOTS[size], size)


@pytest.mark.parametrize(
    ("index", "size", "expected"),
    [
        (0, 1, []),
        (
            0,
            8,
            [
                "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
                "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
                "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
            ],
        ),
        (
            5,
            8,
            [
                "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
                "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
                "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
            ],
        ),
        (2, 3, ["fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"]),
    ],
)
def test_inclusion_path_is_that_of_the_public_vectors(index: int, size: int, expected: list[str]) -> None:
    assert [node.hex() for node in inclusion_proof(LEAVES[:size], index)] == expected


@pytest.mark.parametrize(
    ("old", "size", "expected"),
    [
        (1, 1, []),
        (
            1,
            8,
            [
                "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
                "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
                "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
            ],
        ),
        (
            6,
            8,
            [
                "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
                "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
                "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
            ],
        ),
    ],
)
def test_consistency_proof_is_that_of_the_public_vectors(old: int, size: int, expected: list[str]) -> None:
    assert [node.hex() for node in consistency_proof(LEAVES[:size], old)] == expected


@given(hashes.filter(bool), st.data())
def test_every_leaf_proves_its_inclusion_and_no_other(leaves: list[bytes], data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(leaves) - 1))
    proof, root = inclusion_proof(leaves, index), tree_root(leaves)
    assert verify_inclusion(leaves[index], index, len(leaves), proof, root)
    assert not verify_inclusion(sha256(b"another").digest(), index, len(leaves), proof, root)
    assert not verify_inclusion(leaves[index], len(leaves), len(leaves), proof, root)
    assert not verify_inclusion(leaves[index], index, len(leaves), [*proof, root], root)


@given(hashes.filter(bool), st.data())
def test_every_beginning_proves_its_consistency_and_no_other(leaves: list[bytes], data: st.DataObject) -> None:
    old = data.draw(st.integers(1, len(leaves)))
    proof = consistency_proof(leaves, old)
    old_root, root = tree_root(leaves[:old]), tree_root(leaves)
    assert verify_consistency(old, old_root, len(leaves), root, proof)
    changed = [sha256(b"another").digest(), *leaves[1:old]]
    assert not verify_consistency(old, tree_root(changed), len(leaves), root, proof)


@given(hashes)
def test_frontier_has_the_root_of_the_whole_tree(leaves: list[bytes]) -> None:
    frontier = Frontier()
    frontier.extend(leaves)
    assert frontier.root() == tree_root(leaves)


def test_the_empty_tree_has_the_hash_of_nothing() -> None:
    assert tree_root([]) == EMPTY_ROOT == sha256(b"").digest()


def test_a_tile_cut_within_a_leaf_is_refused() -> None:
    with pytest.raises(ValueError, match="33 bytes"):
        split_leaves(b"x" * 33)
    assert split_leaves(b"a" * 32 + b"b" * 32) == [b"a" * 32, b"b" * 32]


def test_proofs_that_cannot_be_asked_for_are_refused() -> None:
    with pytest.raises(IndexError, match="no leaf 8"):
        inclusion_proof(LEAVES, 8)
    with pytest.raises(ValueError, match="from 0"):
        consistency_proof(LEAVES, 0)
    assert not verify_consistency(0, EMPTY_ROOT, 8, tree_root(LEAVES), [])
    assert not verify_consistency(3, tree_root(LEAVES[:3]), 8, tree_root(LEAVES), [])
