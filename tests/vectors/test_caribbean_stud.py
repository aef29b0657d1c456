"""The vectors of caribbean-stud.md, and that our copy of them is theirs."""

from __future__ import annotations

from typing import Any

import pytest

from tests.vectors.__main__ import adapter_of, problems_of
from tests.vectors.reading import HERE, copy_of, read_vectors

CATALOGUE = HERE.parents[2] / "shared" / "rules" / "caribbean-stud.md"
COPY = read_vectors(copy_of("caribbean_stud"), "caribbean_stud")
BONUS = next(vector for vector in COPY.vectors if vector["id"] == "CS-V18")


@pytest.mark.parametrize("vector", [pytest.param(vector, id=vector["id"]) for vector in COPY.vectors])
def test_vector(vector: dict[str, Any]) -> None:
    assert problems_of(vector, {}, adapter_of("caribbean_stud")) == []


def test_the_copy_holds_the_vectors_of_the_catalogue() -> None:
    if not CATALOGUE.exists():
        pytest.skip("no ../shared beside this checkout: its vectors cannot be compared with our copy")
    theirs = read_vectors(CATALOGUE, "caribbean_stud")
    assert {vector["id"]: vector for vector in COPY.vectors} == {vector["id"]: vector for vector in theirs.vectors}


def with_table(**parts: Any) -> dict[str, Any]:
    """The bonus vector with another table of bonus hands."""
    table = {"kind": "fixed", "prizes": {"FL": 1000}, **parts}
    return {**BONUS, "given": {**BONUS["given"], "bonus_table": table}}


def test_a_bonus_table_whose_stake_is_null_takes_any_stake() -> None:
    assert problems_of(with_table(stake=None), {}, adapter_of("caribbean_stud")) == []
    assert problems_of(with_table(stake=20), {}, adapter_of("caribbean_stud")) == []


def test_a_bonus_table_with_another_stake_or_prize_gives_other_money() -> None:
    assert problems_of(with_table(stake=10), {}, adapter_of("caribbean_stud"))
    assert problems_of(with_table(prizes={"FL": 900}), {}, adapter_of("caribbean_stud"))
