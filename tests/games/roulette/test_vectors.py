"""Vectors of our own, in the catalogue's form: what its own leave untried, each parameter's other reading above all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from games.roulette.parameters import PARAMETERS
from tests.vectors.__main__ import adapter_of, problems_of
from tests.vectors.reading import read_vectors

FILE = read_vectors(Path(__file__).parent / "vectors.json", "roulette")


@pytest.mark.parametrize("vector", [pytest.param(vector, id=vector["id"]) for vector in FILE.vectors])
def test_vector(vector: dict[str, Any]) -> None:
    assert problems_of(vector, FILE.base or {}, adapter_of("roulette")) == []


def test_every_parameter_that_has_another_reading_is_tried_with_it() -> None:
    tried = {name for vector in FILE.vectors for name in vector["given"].get("config", {})}
    open_ones = {parameter.name for parameter in PARAMETERS if len(parameter.choices) != 1}
    assert open_ones - tried == set()
