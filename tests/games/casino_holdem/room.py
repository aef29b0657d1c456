"""What the tests of this room share."""

from __future__ import annotations

from importlib import resources

from games.casino_holdem import GAME
from games.house_rules.edition import read_edition
from tests.games.table import catalogue_of

EDITION = (resources.files("games.casino_holdem") / "editions" / "live-games-plan.toml").read_text(encoding="utf-8")
SHIPPED = read_edition(EDITION, GAME.books[0].form)
CATALOGUE = catalogue_of(GAME)

TABLE = """
@+0 TableOpened casino_holdem CH CZK min=10 max=10000 seats=6
@+1 DeckOpened d-1
@+2 ShuffleStep wash d-1
@+3 ShuffleStep piles d-1
@+4 ShuffleStep riffle d-1
"""
"""A table with its deck shuffled for the first round."""
