"""The vectors of magic-wheel.md, and that our copy of them is theirs."""

from __future__ import annotations

from typing import Any

import pytest

from tests.vectors.__main__ import adapter_of, problems_of
from tests.vectors.reading import HERE, copy_of, read_vectors

CATALOGUE = HERE.parents[2] / "shared" / "rules" / "magic-wheel.md"
COPY = read_vectors(copy_of("magic_wheel"), "magic_wheel")


@pytest.mark.parametrize("vector", [pytest.param(vector, id=vector["id"]) for vector in COPY.vectors])
def test_vector(vector: dict[str, Any]) -> None:
    assert problems_of(vector, COPY.base or {}, adapter_of("magic_wheel")) == []


def test_the_copy_holds_the_vectors_of_the_catalogue() -> None:
    if not CATALOGUE.exists():
        pytest.skip("no ../shared beside this checkout: its vectors cannot be compared with our copy")
    theirs = read_vectors(CATALOGUE, "magic_wheel")
    assert {vector["id"]: vector for vector in COPY.vectors} == {vector["id"]: vector for vector in theirs.vectors}


@pytest.mark.parametrize(
    "expect",
    [
        {"verdict": "round_void"},
        {"findings": ["late_bet"]},
        {"bets": {"b1": {"effect": "take"}}},
        {"bets": {"b1": {"net": 1}}},
        {"bets": {"b9": {"net": 0}}},
        {"net": {"P1": 20000}},
        {"net": {"P1": 20000, "P2": -4999}},
        {"mood": "good"},
    ],
)
def test_a_vector_that_differs_or_is_not_understood_fails(expect: dict[str, Any]) -> None:
    vector = {**COPY.vectors[0], "expect": expect}
    assert problems_of(vector, COPY.base or {}, adapter_of("magic_wheel"))
