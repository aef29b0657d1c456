from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from events.store import Log
from games.casebook import Casebook
from projections import Views
from tests.projections.desk import CATALOGUE, casebook, open_views


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Log]:
    """An empty log in a file, with the toy room's catalogue."""
    with Log.open(str(tmp_path / "recoup.db"), CATALOGUE, create=True) as opened:
        yield opened


@pytest.fixture
def book(log: Log) -> Casebook:
    return casebook(log)


@pytest.fixture
def views(log: Log, book: Casebook) -> Iterator[Views]:
    with open_views(log, book) as opened:
        yield opened
