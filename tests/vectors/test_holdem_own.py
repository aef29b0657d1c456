"""Vectors of our own in the catalogue's form: its text applied to numbers that it does not print."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.vectors import holdem
from tests.vectors.reading import Vector

OWN = [
    json.loads(line) for line in Path(__file__).with_name("holdem_own.jsonl").read_text(encoding="utf-8").splitlines()
]


@pytest.mark.parametrize("vector", OWN, ids=lambda one: str(one["given"]["kind"]))
def test_the_text_decides(vector: Vector) -> None:
    assert holdem.run({"id": "own", **vector}, {}) == []
