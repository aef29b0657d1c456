"""What a misdeed is: a step of the play done wrongly, or a payment made wrongly."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from games.protocol import Expectation

if TYPE_CHECKING:
    from games.holdem.dealer import Play

Misdeed = Callable[["Play", Expectation], bool]
"""Done instead of the regular step; False: it cannot be done here."""

Payment = Callable[["Play", int, dict[str, int]], "tuple[int, dict[str, int]] | None"]
"""Rake and awards by `seat/<n>` as they are due, to rake and awards as they are then paid; None: not here."""
