"""The catalogue's vectors, and the copy of them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.vectors.__main__ import adapter_of, main, problems_of
from tests.vectors.reading import HERE, copy_of, read_vectors

CATALOGUE = HERE.parents[2] / "shared" / "rules" / "blackjack.md"
COPY = read_vectors(copy_of("blackjack"), "blackjack")


@pytest.mark.parametrize("vector", [pytest.param(vector, id=vector["id"]) for vector in COPY.vectors])
def test_vector(vector: dict[str, Any]) -> None:
    assert problems_of(vector, {}, adapter_of("blackjack")) == []


def test_the_copy_holds_the_vectors_of_the_catalogue() -> None:
    if not CATALOGUE.exists():
        pytest.skip("no ../shared beside this checkout: its vectors cannot be compared with our copy")
    theirs = read_vectors(CATALOGUE, "blackjack")
    assert {vector["id"]: vector for vector in COPY.vectors} == {vector["id"]: vector for vector in theirs.vectors}


def test_all_pass_and_none_is_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["blackjack", str(copy_of("blackjack"))]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "38 passed, 0 failed"
