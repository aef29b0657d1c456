"""How a dealer or a player breaks each rule that can be broken: one function a rule, each breaking that rule and no
other."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from games.casino_holdem.dealer import Croupier, Plan

Act = Callable[["Croupier", "Plan"], None]


class Misdeed:
    """What changes in a round: `before` the shuffle, or `during` the betting, when everybody has bet."""

    def __init__(self, *, before: Act | None = None, during: Act | None = None) -> None:
        self._before = before
        self._during = during

    def before(self, croupier: Croupier, plan: Plan) -> None:
        """Before the shuffle."""
        if self._before is not None:
            self._before(croupier, plan)

    def during(self, croupier: Croupier, plan: Plan) -> None:
        """After the players' bets, before the deal."""
        if self._during is not None:
            self._during(croupier, plan)


ALL: dict[str, Misdeed] = {}
