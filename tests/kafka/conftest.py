"""Stores that daemons write."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.desk import Desk
from tests.kafka.daemons import make_store


@pytest.fixture(params=["sqlite", "postgresql"])
def desk(request: pytest.FixtureRequest, tmp_path: Path) -> Desk:
    """A store of each kind with the shipped rules."""
    if request.param == "postgresql":
        found = Desk(tmp_path, str(request.getfixturevalue("postgres_url")))
    else:
        found = Desk(tmp_path)
    make_store(found.store)
    return found


@pytest.fixture
def shared(postgres_url: str, tmp_path: Path) -> Desk:
    """A store that several daemons share."""
    make_store(postgres_url)
    return Desk(tmp_path, postgres_url)
