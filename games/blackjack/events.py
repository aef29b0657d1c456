"""Events of blackjack (prefix BJ): the shoe, the cut, boxes and what only this game asks of dealer and players.

Stakes, cards and decisions are those of every card game against the bank (`games.shared.bank.events`):

- `StakePlaced` with spot `bet`, `insurance`, or `double` and `split` with the `hand` that they are for;
- `CardLaid` to `box/3`, or `box/3.2` once a box is split (hands are numbered from the left), and to `dealer`;
- `Decided` with choice `hit`, `stand`, `double`, `split`, `surrender`, `even_money`. A split moves the second card to a
  new hand on the right by itself.
- `CardReassigned` puts a misdrawn card where it belongs; to `pending` if nobody is left to take it.

Shuffle steps, cut, burns and the shoe itself are common events: `DeckOpened` with six decks, `ShuffleStep` (`wash` is
the chemmy shuffle), `CutMade`, `CutJoined`, `DeckLoaded`, `CardBurned`, `ShoeCarried`.
"""

from __future__ import annotations

from typing import ClassVar, Literal

from events.schema.event import Amount, Card, Count, Event, Name, Private, Seat, Text
from games.shared.bank.events import BANK_EVENTS, Lies

Extra = Literal["split", "double"]
"""What a further stake on a hand is for."""


class LimitSignChecked(Event, frozen=True):
    """Somebody looked whether the limits are posted at the corner of the table (BJ-01)."""

    TOPIC: ClassVar[str] = "BJ.LimitSignChecked.v1"
    posted: bool
    by: Name | None = None


class BoxBarred(Event, frozen=True):
    """Inspector or management ruled that a player hinders others: from the next round on the box is barred to him
    (BJ-06)."""

    TOPIC: ClassVar[str] = "BJ.BoxBarred.v1"
    box: Seat
    player: Name
    by: Name | None = None
    role: Literal["inspector", "management", "dealer"] = "inspector"


# The shoe -------------------------------------------------------------------------------------------------------------


class CutOffered(Event, frozen=True):
    """The dealer offers the cards to be cut (BJ-09)."""

    TOPIC: ClassVar[str] = "BJ.CutOffered.v1"
    to: Name
    deck: Name | None = None


class CutRejected(Event, frozen=True):
    """The cut is not acceptable, for whatever reason: the cards are offered again (BJ-10)."""

    TOPIC: ClassVar[str] = "BJ.CutRejected.v1"
    reason: Text = ""
    deck: Name | None = None
    by: Name | None = None


class CardsCutOff(Event, frozen=True):
    """Cards cut off from the end before loading (BJ-11)."""

    TOPIC: ClassVar[str] = "BJ.CardsCutOff.v1"
    count: Count
    deck: Name | None = None


class ShoeOrderRead(Event, frozen=True):
    """A shuffler or a camera read the order of all cards, before the cut or as loaded; nobody at the table sees it."""

    TOPIC: ClassVar[str] = "BJ.ShoeOrderRead.v1"
    PRIVATE: ClassVar[tuple[Private, ...]] = (Private("cards"),)
    stage: Literal["before_cut", "loaded"]
    cards: tuple[Card, ...]
    deck: Name | None = None


class CuttingCardSeen(Event, frozen=True):
    """The cutting card came out of the shoe: this round is its last (BJ-14). `at`: whose card it came before."""

    TOPIC: ClassVar[str] = "BJ.CuttingCardSeen.v1"
    at: Lies | None = None


# The round ------------------------------------------------------------------------------------------------------------


class EvenMoneyOffered(Event, frozen=True):
    """The dealer offers even money to a box with blackjack against his ace (BJ-36)."""

    TOPIC: ClassVar[str] = "BJ.EvenMoneyOffered.v1"
    box: Seat


class ExtraDeclined(Event, frozen=True):
    """A back bettor does not go along with the owner's split or double (BJ-40, BJ-41)."""

    TOPIC: ClassVar[str] = "BJ.ExtraDeclined.v1"
    box: Seat
    player: Name
    of: Extra
    hand: Count = 1


class DecisionObjected(Event, frozen=True):
    """The box's owner objects to a decision that somebody else made for it (BJ-04)."""

    TOPIC: ClassVar[str] = "BJ.DecisionObjected.v1"
    box: Seat
    by: Name
    hand: Count = 1


class TotalCalled(Event, frozen=True):
    """The dealer names the total of a hand, or of his own (BJ-24)."""

    TOPIC: ClassVar[str] = "BJ.TotalCalled.v1"
    place: Lies
    total: Count
    by: Name | None = None


class CardsReconstructed(Event, frozen=True):
    """Cards were put back as they should have been dealt, under an inspector's eyes (BJ-26); each is a
    `CardReassigned`."""

    TOPIC: ClassVar[str] = "BJ.CardsReconstructed.v1"
    inspector: Name | None = None
    text: Text = ""


class ChipsWithheld(Event, frozen=True):
    """Value chips that somebody kept from a player who was expelled for counting cards, minor units (BJ-16)."""

    TOPIC: ClassVar[str] = "BJ.ChipsWithheld.v1"
    player: Name
    amount: Amount
    by: Name | None = None


OWN_EVENTS: tuple[type[Event], ...] = (
    LimitSignChecked, BoxBarred, CutOffered, CutRejected, CardsCutOff, ShoeOrderRead, CuttingCardSeen,
    EvenMoneyOffered, ExtraDeclined, DecisionObjected, TotalCalled, CardsReconstructed, ChipsWithheld,
)  # fmt: skip
EVENTS: tuple[type[Event], ...] = (*BANK_EVENTS, *OWN_EVENTS)
