"""What stands on the table of casino hold'em beside what all card games against the bank have. Values only."""

from __future__ import annotations

from typing import Literal

from events.schema.fact import Fact
from games.shared.bank.table import BankRound, BankSession

MAIN = ("ante", "blind")
SPOTS = ("ante", "blind", "trips", "play")
"""The four printed spots of a box, in the order in which they are settled."""

BOARD = ("flop", "turn", "river")

Window = Literal["before", "1", "2", "3", "over"]
"""When a Play is put down: before the deal, in one of the three windows, after the Dealer's reveal."""


class Coup(BankRound, frozen=True, kw_only=True):
    """One round. `seen`: player → the box that he had announced before it began; `waiting`: who had asked for a box by
    then; `seats`: who sat where; `dealt_before`: cards of this session had been dealt before it."""

    seen: dict[str, int] = {}
    waiting: dict[str, Fact] = {}
    seats: dict[int, str] = {}
    dealt_before: bool = False


class Session(BankSession, frozen=True, kw_only=True):
    """A table from opening to close. `positions`: boxes on the layout, None if the table did not say; `dealt`: a card
    was dealt; the rest as in `Coup`, by now."""

    positions: int | None = None
    seen: dict[str, int] = {}
    waiting: dict[str, Fact] = {}
    seats: dict[int, str] = {}
    dealt: bool = False

    @property
    def coup(self) -> Coup | None:
        """The current round."""
        own: Coup | None = self.round
        return own
