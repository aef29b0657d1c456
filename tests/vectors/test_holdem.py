"""The cash game's vectors: our copy runs, and is the catalogue's where that is at hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.vectors import holdem
from tests.vectors.reading import Vector, copy_of, kind_of, read_vectors

VECTORS = [vector for vector in read_vectors(copy_of("holdem"), "holdem").vectors if kind_of(vector) in holdem.KINDS]
CATALOGUE = Path(__file__).parents[3] / "shared" / "rules" / "cash-holdem.md"


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: str(vector["id"]))
def test_a_vector_comes_out_as_the_catalogue_says(vector: Vector) -> None:
    assert holdem.run(vector, {}) == []


def test_a_wrong_expectation_fails() -> None:
    vector = next(vector for vector in VECTORS if kind_of(vector) == "settle")
    wrong = {**vector, "expect": {**vector["expect"], "rake": [1]}}
    assert holdem.run(wrong, {}) == [f"rake: expected [1], found {vector['expect']['rake']}"]


def test_an_unknown_word_fails() -> None:
    vector = next(vector for vector in VECTORS if kind_of(vector) == "settle")
    assert holdem.run({**vector, "given": {**vector["given"], "jackpot": 5}}, {}) == ["unknown key `jackpot` in given"]
    assert holdem.run({**vector, "expect": {**vector["expect"], "tip": 5}}, {}) == ["unknown key `tip` in expect"]


def test_the_copy_is_the_catalogue() -> None:
    if not CATALOGUE.exists():
        pytest.skip(f"{CATALOGUE} is not here, so the copy cannot be compared with it")
    own, theirs = read_vectors(copy_of("holdem"), "holdem"), read_vectors(CATALOGUE, "holdem")
    assert own.vectors == theirs.vectors, "the catalogue has other vectors than our copy"
