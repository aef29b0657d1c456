"""The room's edition and events, for its tests."""

from __future__ import annotations

from pathlib import Path

import games.russian_poker
from games.russian_poker import GAME
from tests.games.table import catalogue_of

EDITION = (Path(games.russian_poker.__file__).parent / "editions" / "russian-poker.toml").read_text(encoding="utf-8")
CATALOGUE = catalogue_of(GAME)
TABLE = """
@+0 TableOpened russian_poker RP CZK min=50 max=1000
@+1 DealerSeated s-1
@+2 DeckOpened d-1
"""
