"""What the tests of this room share."""

from __future__ import annotations

from importlib import resources

from games.caribbean_stud import GAME
from games.house_rules.edition import read_edition
from tests.games.table import catalogue_of

EDITION = (resources.files("games.caribbean_stud") / "editions" / "caribbean-poker.toml").read_text(encoding="utf-8")
SHIPPED = read_edition(EDITION, GAME.books[0].form)
CATALOGUE = catalogue_of(GAME)
