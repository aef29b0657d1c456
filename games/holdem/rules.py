"""The rule book NL with all its checks: importing this module registers them."""

from __future__ import annotations

from games.holdem import (
    betting_rules,
    conduct_rules,
    deal_rules,
    money_rules,
    rulings,
    seat_rules,
    showing_rules,
    stack_rules,
)
from games.holdem.book import BOOK as RULES
from games.holdem.parameters import PARAMETERS

__all__ = [
    "PARAMETERS", "RULES", "betting_rules", "conduct_rules", "deal_rules", "money_rules", "rulings", "seat_rules",
    "showing_rules", "stack_rules",
]  # fmt: skip
