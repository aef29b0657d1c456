"""Rule book NL: the checks register here."""

from __future__ import annotations

from games.holdem.parameters import PARAMETERS, Constants
from games.house_rules.rulebook import RuleBook

BOOK = RuleBook("NL", PARAMETERS, Constants)

BOOK.cannot_be_broken("NL-05", "a right: raises are not numbered; amounts too small are NL-22 and NL-23")
