"""What stands on the table of a card game against the bank: values only, nothing decides.

Rooms extend `BankSession` and `BankRound` by what only they have. `order` is a place in the round's own order (table
order): what has the smaller one came first, as far as records of one source tell; times of two sources are compared by
`session.clocks`.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from events.schema.event import Event
from events.schema.fact import Fact
from games.clocks import Clocks
from games.house_rules.edition import Edition
from games.shared.bank.limits import Limits


class Stake(Struct, frozen=True, gc=False, kw_only=True):
    """Chips on a spot as they were placed, minor units; `limits` were posted then.

    `back`: what was taken up of it again, with the `order` of each time. `currency`: of its chips, empty where it is
    the table's.
    """

    id: str
    player: str
    box: int
    spot: str
    amount: int
    fact: Fact
    order: int
    limits: Limits
    hand: int = 1
    back: tuple[tuple[int, int], ...] = ()
    currency: str = ""

    @property
    def left(self) -> int:
        """What lies there after all that was taken up."""
        return self.amount - sum(amount for _order, amount in self.back) if self.back else self.amount

    def left_at(self, order: int) -> int:
        """What lay there just before a place in the round."""
        return self.amount - sum(amount for when, amount in self.back if when < order)


class Laid(Struct, frozen=True, gc=False, kw_only=True):
    """A card off the deck. `to`: where it lies now, `dealt_to`: where it came first; both as in `CardLaid`, or `burn`.

    `deal`: which deal of the round, from 0; every redeal begins the next. `moved`: the record that put it elsewhere.
    """

    to: str
    card: str
    face: str
    fact: Fact
    order: int
    dealt_to: str
    seq: int | None = None
    deck: str = ""
    deal: int = 0
    moved: Fact | None = None


class Noted(Struct, frozen=True, gc=False):
    """A record of the round and its place there."""

    fact: Fact
    order: int
    deal: int = 0

    @property
    def event(self) -> Any:
        """The record's event."""
        return self.fact.event


class BankRound(Struct, frozen=True, kw_only=True):
    """One round with all that was said about it, each kind in table order.

    `count`: records of the round so far. `deal`: the current deal, from 0. `prepared`: shuffle, cut and loading before
    its first card; `prepared_before`: those of the deals that were called off. `told`: everything that has no field of
    its own (cards viewed, shown, counted, conduct, errors, defects, orders, refused stakes, chips passed); ask `notes`.
    `closing`: the call that no more bets are taken, `decisions_closed`, `dealer_turned`: the first of their deal.
    `settles`: chips paid, taken and returned.
    """

    name: str
    count: int = 0
    deal: int = 0
    opened: Fact | None = None
    prepared: tuple[Fact, ...] = ()
    prepared_before: tuple[tuple[Fact, ...], ...] = ()
    stakes: tuple[Stake, ...] = ()
    laid: tuple[Laid, ...] = ()
    decisions: tuple[Noted, ...] = ()
    told: tuple[Noted, ...] = ()
    turned: tuple[Noted, ...] = ()
    closing: Noted | None = None
    decisions_closed: Noted | None = None
    dealer_turned: Noted | None = None
    settles: tuple[Fact, ...] = ()
    closed: Noted | None = None

    def notes(self, *kinds: type[Event]) -> list[Noted]:
        """Records of these kinds among `told`."""
        return [note for note in self.told if type(note.fact.event) in kinds]

    @property
    def cards(self) -> tuple[Laid, ...]:
        """Cards of the current deal, in order off the deck."""
        return tuple([card for card in self.laid if card.deal == self.deal]) if self.deal else self.laid

    @property
    def first_card(self) -> Laid | None:
        """The first card of the current deal."""
        return next((card for card in self.laid if card.deal == self.deal), None)

    def boxes(self, spot: str) -> tuple[int, ...]:
        """The numbers of the boxes with a stake on a spot, from left to right as the dealer sees them."""
        return tuple(sorted({stake.box for stake in self.stakes if stake.spot == spot}))


class BankSession(Struct, frozen=True, kw_only=True):
    """A table from opening to close: what outlives a round.

    `owners`: box → who has taken it. `prepared`: shuffle, cut and loading since the last deal began. `between`: records
    since the last round closed that belong to the next one. `deck`: the deck in play. `rounds`: how many so far.
    """

    edition: Edition
    subject: str
    table: str
    limits: Limits
    clocks: Clocks
    currency: str = ""
    opened: Fact | None = None
    rulings: tuple[Fact, ...] = ()
    owners: dict[int, str] = {}
    dealer: str = ""
    deck: str = ""
    prepared: tuple[Fact, ...] = ()
    between: tuple[Fact, ...] = ()
    round: Any = None
    rounds: int = 0
    closed: bool = False
