"""The seven symbols of the wheel, and the six boxes of the layout (magic-wheel.md section 2)."""

from __future__ import annotations

from typing import Literal, get_args

from games.shared.wheel.bets import Layout

Symbol = Literal["cherries", "bell", "grapes", "melon", "star", "seven", "x"]
"""What a field of the wheel shows. X makes every bet lose and has no box (MW-15)."""

SYMBOLS: tuple[Symbol, ...] = get_args(Symbol)
BOXES: tuple[Symbol, ...] = SYMBOLS[:-1]
NAMED: dict[str, Symbol] = {symbol: symbol for symbol in SYMBOLS}
"""A symbol by its name, where only text is known."""
X = "x"
FIELDS = 30
COUNTS = dict(zip(SYMBOLS, (9, 6, 5, 3, 2, 1, 4), strict=True))
"""How many fields show each symbol (MW-01); an edition states it too, and the edition's is what is judged by."""


def find_box(text: str) -> str | None:
    """The box that a text names; None if the layout has none: of X above all (MW-02)."""
    return text if text in BOXES else None


LAYOUT: Layout[str] = Layout(find_box, str)
"""The boxes, for what games with a layout share."""
