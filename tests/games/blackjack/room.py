"""What the tests of this room share."""

from __future__ import annotations

from importlib import resources

from games.blackjack import GAME
from games.house_rules.edition import read_edition
from tests.games.table import catalogue_of

EDITION = (resources.files("games.blackjack") / "editions" / "live-games-plan.toml").read_text(encoding="utf-8")
SHIPPED = read_edition(EDITION, GAME.books[0].form)
CATALOGUE = catalogue_of(GAME)

TABLE = """
@+0 TableOpened blackjack BJ CZK min=100 max=1000 seats=7
@+1 DealerSeated s-1
@+2 BoxTaken 1 p-1
@+3 BoxTaken 3 p-3
@+10 DeckOpened shoe decks=6
@+11 ShuffleStep wash shoe
@+12 ShuffleStep piles shoe
@+13 ShuffleStep riffle shoe
@+14 CutOffered p-1
@+15 CutMade shoe by=p-1 depth=156
@+16 CutJoined shoe
@+17 CardsCutOff 60
@+18 DeckLoaded shoe
@+19 CardBurned seq=1 why=shuffle
@+20 CardBurned seq=2 why=shuffle
@+21 CardBurned seq=3 why=shuffle
"""
"""A table with a shoe that was made as the rules want it; box 1 is p-1's, box 3 p-3's."""
