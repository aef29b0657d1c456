"""Events of every table (prefix TB): opening, staff, inventory, chips, decks, rounds."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from msgspec import Meta, field

from events.schema.event import Amount, Card, Cause, Count, Event, Move, Name, Place, Private, Seat, Text

Limits = dict[str, tuple[Amount, Amount]]
Currency = Annotated[str, Meta(pattern="^[A-Z]{3}$")]


class TableOpened(Event, frozen=True):
    """A table opens; binds the session to game, rule book and currency.

    `min`, `max`: posted limits of one bet, minor units; `limits`: those of single bet types, where they differ.
    `smallest_chip`: minor units. `edition`: the edition that the table believes in force (TB-07).
    """

    TOPIC: ClassVar[str] = "TB.TableOpened.v1"
    game: Name
    rule_book: Name
    currency: Currency
    min: Amount | None = None
    max: Amount | None = None
    limits: Limits = {}
    smallest_chip: Amount | None = None
    seats: Count | None = None
    edition: Name | None = None
    cameras: tuple[Name, ...] = ()


class TableClosed(Event, frozen=True):
    """The table closes; the session ends."""

    TOPIC: ClassVar[str] = "TB.TableClosed.v1"


class DeskOpened(Event, frozen=True):
    """A cash desk opens its book for an interval; it keeps one for each currency."""

    TOPIC: ClassVar[str] = "TB.DeskOpened.v1"
    currency: Currency


class DeskClosed(Event, frozen=True):
    """The desk's book is closed, the interval ends."""

    TOPIC: ClassVar[str] = "TB.DeskClosed.v1"


class LimitsChanged(Event, frozen=True):
    """New posted limits, from this moment."""

    TOPIC: ClassVar[str] = "TB.LimitsChanged.v1"
    min: Amount | None = None
    max: Amount | None = None
    limits: Limits = {}


class DealerSeated(Event, frozen=True):
    """A dealer (croupier) takes the table."""

    TOPIC: ClassVar[str] = "TB.DealerSeated.v1"
    person: Name


class DealerRelieved(Event, frozen=True):
    """A dealer leaves the table."""

    TOPIC: ClassVar[str] = "TB.DealerRelieved.v1"
    person: Name


class InspectorSeated(Event, frozen=True):
    """An inspector takes over supervision."""

    TOPIC: ClassVar[str] = "TB.InspectorSeated.v1"
    person: Name


class InspectorRelieved(Event, frozen=True):
    """An inspector hands supervision over."""

    TOPIC: ClassVar[str] = "TB.InspectorRelieved.v1"
    person: Name


class SeatTaken(Event, frozen=True):
    """A person sits down; `is_player` false: somebody who does not play (RL-09)."""

    TOPIC: ClassVar[str] = "TB.SeatTaken.v1"
    seat: Seat
    person: Name
    is_player: bool = True


class SeatLeft(Event, frozen=True):
    """A seat becomes free; the player may still be near."""

    TOPIC: ClassVar[str] = "TB.SeatLeft.v1"
    seat: Seat
    person: Name


class PlayerEndedPlay(Event, frozen=True):
    """A player says that he is done."""

    TOPIC: ClassVar[str] = "TB.PlayerEndedPlay.v1"
    player: Name


class PlayerLeftTable(Event, frozen=True):
    """A player walks away from the table."""

    TOPIC: ClassVar[str] = "TB.PlayerLeftTable.v1"
    player: Name


class InventoryCounted(Event, frozen=True):
    """The float was counted: at opening, at closing, or in between (gaming day's end, recount)."""

    TOPIC: ClassVar[str] = "TB.InventoryCounted.v1"
    kind: Literal["opener", "closer", "cut", "recount"]
    amount: Amount
    by: tuple[Name, ...] = ()
    chips: dict[str, Count] = {}


class FillReceived(Event, frozen=True):
    """Chips from a desk into the float; the desk writes the other end under the same slip."""

    TOPIC: ClassVar[str] = "TB.FillReceived.v1"
    MOVES: ClassVar[tuple[Move, ...]] = (Move("desk/{desk}", "float", "amount", "fill"),)
    desk: Name
    amount: Amount
    slip: Name


class CreditSent(Event, frozen=True):
    """Chips from the float back to a desk, under a slip."""

    TOPIC: ClassVar[str] = "TB.CreditSent.v1"
    MOVES: ClassVar[tuple[Move, ...]] = (Move("float", "desk/{desk}", "amount", "credit"),)
    desk: Name
    amount: Amount
    slip: Name


class DropBoxMounted(Event, frozen=True):
    """An empty drop box goes on."""

    TOPIC: ClassVar[str] = "TB.DropBoxMounted.v1"
    box: Name


class DropBoxRemoved(Event, frozen=True):
    """A drop box goes to the count room."""

    TOPIC: ClassVar[str] = "TB.DropBoxRemoved.v1"
    box: Name


class DropBoxCounted(Event, frozen=True):
    """Cash and vouchers found in a drop box, minor units."""

    TOPIC: ClassVar[str] = "TB.DropBoxCounted.v1"
    box: Name
    amount: Amount
    by: tuple[Name, ...] = ()


class RakeBoxCounted(Event, frozen=True):
    """Chips found in the rake box of a pot game, minor units."""

    TOPIC: ClassVar[str] = "TB.RakeBoxCounted.v1"
    amount: Amount
    by: tuple[Name, ...] = ()


class BuyIn(Event, frozen=True):
    """A player buys value chips at the table; cash and vouchers go to the drop box."""

    TOPIC: ClassVar[str] = "TB.BuyIn.v1"
    MOVES: ClassVar[tuple[Move, ...]] = (Move("float", "player/{player}", "amount", "buy_in"),)
    player: Name
    amount: Amount
    tender: Literal["cash", "voucher"] = "cash"


class ColourChipsIssued(Event, frozen=True):
    """Colour chips for a player. `unit_value` minor units a chip; `tender_in` what he gave for them, minor units,
    null if that was not recorded. `table`: which issued them, this one if absent; those of another are told where a
    house counts colours in all its tables (RL-A12).
    """

    TOPIC: ClassVar[str] = "TB.ColourChipsIssued.v1"
    player: Name
    colour: Name
    unit_value: Amount
    count: Count
    tender_in: Amount | None
    tender: Literal["value_chips", "cash"] = "value_chips"
    table: Name | None = None


class ColourChipsRedeemed(Event, frozen=True):
    """Colour chips back into value chips. `value_chips_out` minor units, null if that was not recorded; `at_desk`: a
    cash desk paid them."""

    TOPIC: ClassVar[str] = "TB.ColourChipsRedeemed.v1"
    player: Name
    colour: Name
    unit_value: Amount
    count: Count
    value_chips_out: Amount | None
    at_desk: bool = False


class ChipsMoved(Event, frozen=True):
    """Chips from one place to another: every movement that no other event states.

    `stake` names the bet, pot or hand that it settles; `slip` is the same at both ends of a transfer between two
    books (table, desk, another table).

    A pot's award, the uncalled part of a bet or rake that went wrong is set right by the chips' own way, and each of
    these is read as a repair: `seat/5` → `pot` and `pot` → `seat/3`; straight `seat/5` → `seat/3`; `rake` → `pot` and
    `pot` → `seat/3`; straight `rake` → `seat/3`. The cause may be award, return, correction, ruling or rake (not from
    seat to seat), `stake` may be left out. It counts for the round that it names, closed or not, so also when it is
    added later; one between two rounds that names none counts for the round before. A transfer from seat to seat is no
    repair, nor is what brings one back; what a seat puts into the pot beyond what it was paid is a bet.
    """

    TOPIC: ClassVar[str] = "TB.ChipsMoved.v1"
    MOVES: ClassVar[tuple[Move, ...]] = (Move("{frm}", "{to}", "amount", "{cause}", "{stake}"),)
    frm: Place = field(name="from")
    to: Place
    amount: Amount
    cause: Cause
    stake: str = ""
    slip: str = ""

    def moves(self) -> tuple[Move, ...]:
        """Itself."""
        return (tuple.__new__(Move, (self.frm, self.to, self.amount, self.cause, self.stake)),)


class DeckOpened(Event, frozen=True):
    """A deck, or the decks of a shoe, come into play."""

    TOPIC: ClassVar[str] = "TB.DeckOpened.v1"
    deck: Name
    decks: Count = 1
    jokers: bool = False


class DeckInspected(Event, frozen=True):
    """Somebody counted a deck; `missing` and `foreign` name the cards that are wrong."""

    TOPIC: ClassVar[str] = "TB.DeckInspected.v1"
    deck: Name
    complete: bool
    missing: tuple[Card, ...] = ()
    foreign: tuple[Card, ...] = ()
    by: tuple[Name, ...] = ()


class DeckRetired(Event, frozen=True):
    """A deck leaves play."""

    TOPIC: ClassVar[str] = "TB.DeckRetired.v1"
    deck: Name
    why: Text = ""


class ShoeCarried(Event, frozen=True):
    """A shoe goes on from another session, with the cards that were left in it."""

    TOPIC: ClassVar[str] = "TB.ShoeCarried.v1"
    shoe: Name
    from_subject: Name
    cards: Count


Shuffling = Literal["wash", "piles", "riffle", "strip", "box", "machine", "plug", "check", "spread"]
"""One step of a shuffle, in the field's words."""


class ShuffleStep(Event, frozen=True):
    """One step of a shuffle, in the order done."""

    TOPIC: ClassVar[str] = "TB.ShuffleStep.v1"
    step: Shuffling
    deck: Name
    by: Name | None = None


class CutMade(Event, frozen=True):
    """The deck was cut; `depth` cards from the top, if known."""

    TOPIC: ClassVar[str] = "TB.CutMade.v1"
    deck: Name
    by: Name | None = None
    depth: Count | None = None


class CardBurned(Event, frozen=True):
    """A card was put away unseen (or seen)."""

    TOPIC: ClassVar[str] = "TB.CardBurned.v1"
    PRIVATE: ClassVar[tuple[Private, ...]] = (Private("card"),)
    card: Card = "??"
    seq: Count | None = None
    why: Text = ""


class RoundOpened(Event, frozen=True):
    """A round (coup, spin, hand) begins; its name stands in the envelope."""

    TOPIC: ClassVar[str] = "TB.RoundOpened.v1"


class RoundClosed(Event, frozen=True):
    """A round is over."""

    TOPIC: ClassVar[str] = "TB.RoundClosed.v1"


class NoMoreBets(Event, frozen=True):
    """The closing call."""

    TOPIC: ClassVar[str] = "TB.NoMoreBets.v1"
    by: Name | None = None


class ErrorNoted(Event, frozen=True):
    """Staff noticed a mistake and says so at the table."""

    TOPIC: ClassVar[str] = "TB.ErrorNoted.v1"
    what: Text
    by: Name | None = None


class FloorCalled(Event, frozen=True):
    """Somebody asks for the floor manager."""

    TOPIC: ClassVar[str] = "TB.FloorCalled.v1"
    why: Text = ""
    by: Name | None = None


class ClockCompared(Event, frozen=True):
    """Two sources' clocks measured: `other` shows `ahead_ms` more than this source, give or take `error_ms`."""

    TOPIC: ClassVar[str] = "TB.ClockCompared.v1"
    other: Name
    ahead_ms: int
    error_ms: Count


class SourceEnded(Event, frozen=True):
    """The source has nothing more to say in this session; its own sequence is its last."""

    TOPIC: ClassVar[str] = "TB.SourceEnded.v1"


TABLE_EVENTS: tuple[type[Event], ...] = (
    TableOpened, TableClosed, DeskOpened, DeskClosed, LimitsChanged, DealerSeated, DealerRelieved, InspectorSeated,
    InspectorRelieved, SeatTaken, SeatLeft, PlayerEndedPlay, PlayerLeftTable, InventoryCounted, FillReceived,
    CreditSent, DropBoxMounted, DropBoxRemoved, DropBoxCounted, RakeBoxCounted, BuyIn, ColourChipsIssued,
    ColourChipsRedeemed, ChipsMoved, DeckOpened, DeckInspected, DeckRetired, ShoeCarried, ShuffleStep, CutMade,
    CardBurned, RoundOpened, RoundClosed, NoMoreBets, ErrorNoted, FloorCalled, ClockCompared, SourceEnded,
)  # fmt: skip
"""All of them; `cli.assembly` adds the rooms'."""
