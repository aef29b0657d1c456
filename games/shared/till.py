"""The money side of a scripted table: float, drop box and rake box, followed through all that its dealer says."""

from __future__ import annotations

from collections.abc import Iterator

from events.schema import common as tb
from events.schema.event import Event
from events.values.places import FLOAT, POT, RAKE

Said = tuple[Event, float]
"""An event and the seconds before it."""

DESK = "main"
"""The cash desk that brings chips and takes them."""


class Till:
    """What lies in the float, was paid in and went to the rake box, minor units.

    `session`: the table and its session, as its slips name them; `usual`: from below which float on chips are
    brought and how many, from above which on they are sent away and how many.
    """

    def __init__(self, session: str, box: str, opener: int, usual: tuple[int, int, int, int]) -> None:
        self._session = session
        self._box = box
        self._opener = opener
        self._usual = usual
        self._slips = 0
        self.float_minor = opener
        self.cash_minor = 0
        self.rake_minor = 0
        self._has_pots = False

    def note(self, event: Event) -> None:
        """Something was said at the table: its chips have moved."""
        for move in event.moves() if event.MOVES else ():
            amount = int(move.amount)
            self.float_minor += amount * ((move.to == FLOAT) - (move.frm == FLOAT))
            self.rake_minor += amount * ((move.to == RAKE) - (move.frm == RAKE))
            self._has_pots |= move.frm == POT
        if isinstance(event, tb.BuyIn):
            self.cash_minor += event.amount

    def opening(self, *by: str) -> Iterator[Said]:
        """An empty drop box goes on, the float is counted."""
        yield tb.DropBoxMounted(self._box), 10
        yield tb.InventoryCounted("opener", self._opener, by=by), 60

    def carried(self) -> Iterator[Said]:
        """Chips are brought or sent away, where the rack asks for it; between rounds."""
        below, fill, above, credit = self._usual
        if self.float_minor < below:
            yield tb.FillReceived(DESK, fill, self._slip("F")), 30
        elif self.float_minor > above:
            yield tb.CreditSent(DESK, credit, self._slip("C")), 30

    def _slip(self, letter: str) -> str:
        self._slips += 1
        return f"{letter}-{self._session}-{self._slips}"

    def closing(self, *by: str) -> Iterator[Said]:
        """The float is counted, the drop box goes to the count room; so does the rake box of a table with pots."""
        yield tb.InventoryCounted("closer", self.float_minor, by=by), 120
        yield tb.DropBoxRemoved(self._box), 20
        yield tb.DropBoxCounted(self._box, self.cash_minor, by=by), 300
        if self._has_pots:
            yield tb.RakeBoxCounted(self.rake_minor, by=by), 60
