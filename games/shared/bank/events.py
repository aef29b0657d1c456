"""Events of the card games against the bank (prefix BG): stakes on a box, cards, decisions, what people did.

A stake's chips lie at `box/<stake>`; they leave it by the common `ChipsMoved`: `win` float → player, `take` box →
float, `return` box → player, each with the id as `stake`. Boxes are numbered from 1 in the dealer's own left-to-right
order. Shuffle, cut, burns, rounds, seats and the closing call are common events. One fact is one record: an exchange
is a `Decided`, a fee staked, a card burned, a card laid. What the rules make of it is judged, never recorded here.

No name is one of the poker room's: `CardLaid`, not `CardDealt`, so that a line of notation names one event.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from events.schema.common import Currency
from events.schema.event import Amount, Card, Count, Event, Move, Name, Private, Text

Seq = Annotated[int, Meta(ge=1, le=416)]
"""A card's place off the deck or shoe: 1 is the first card drawn after the shuffle and cut, burns counted."""

Lies = Annotated[
    str,
    Meta(pattern=r"^(box/[1-9][0-9]?(\.[1-9])?|dealer|flop|turn|river|aside|pending|deck|discards|burn)$"),
]
"""Where a card lies: a box (`box/3`; `box/3.2` is its second hand, after a split), the dealer, the board, put aside,
waiting to be used as the next card, back in the deck, among the discards, burnt."""

Spot = Name
"""The field of a box: `main`, `ante`, `blind`, `trips`, `play`, `bonus`, `fee`, `bet`, `insurance`, … as recorded."""

ChipKind = Literal["value", "colour", "cash", "other"]
Face = Literal["down", "up"]
Signal = Literal["verbal", "gesture", "none"]
Who = Literal["dealer", "player", "inspector", "other"]


# --- boxes and stakes ---


class BoxTaken(Event, frozen=True):
    """A player takes a box (a seat at it), from now on."""

    TOPIC: ClassVar[str] = "BG.BoxTaken.v1"
    box: Count
    player: Name


class BoxReleased(Event, frozen=True):
    """A box becomes free; `player`: who had it."""

    TOPIC: ClassVar[str] = "BG.BoxReleased.v1"
    box: Count
    player: Name | None = None


class BoxAsked(Event, frozen=True):
    """Somebody asks for a box, any if none is named; `granted`: the answer, if there was one (CH-10)."""

    TOPIC: ClassVar[str] = "BG.BoxAsked.v1"
    player: Name
    box: Count | None = None
    granted: bool | None = None


class StakePlaced(Event, frozen=True):
    """Chips came to rest on a spot of a box; chips added to it later are a stake of their own.

    `stake`: its id, unique in the session. `hand`: which hand of a split box it is for. `currency`: if it is not the
    table's. `announced`: what the dealer said that money other than value chips counts for. `chips`: denominations
    from bottom to top, minor units. `in_box`: it lies inside the printed field.
    """

    TOPIC: ClassVar[str] = "BG.StakePlaced.v1"
    MOVES: ClassVar[tuple[Move, ...]] = (Move("player/{player}", "box/{stake}", "amount", "stake", "{stake}"),)
    stake: Name
    player: Name
    box: Count
    spot: Spot
    amount: Amount
    chip_kind: ChipKind = "value"
    currency: Currency | None = None
    announced: Amount | None = None
    chips: tuple[Amount, ...] = ()
    in_box: bool = True
    placed_by: Literal["player", "dealer"] = "player"
    hand: Count = 1


class StakeTakenUp(Event, frozen=True):
    """Chips of a stake were taken up again, or given back before they were played for.

    The movement is a stake's, backwards: it settles nothing.
    """

    TOPIC: ClassVar[str] = "BG.StakeTakenUp.v1"
    MOVES: ClassVar[tuple[Move, ...]] = (Move("box/{stake}", "player/{player}", "amount", "stake", "{stake}"),)
    stake: Name
    player: Name
    amount: Amount
    by: Literal["player", "dealer"] = "player"


class StakeRefused(Event, frozen=True):
    """The dealer did not accept a stake: there is none."""

    TOPIC: ClassVar[str] = "BG.StakeRefused.v1"
    box: Count
    spot: Spot
    amount: Amount
    player: Name | None = None
    reason: Text = ""


# --- the deck, beside the common DeckOpened, ShuffleStep, CutMade, CardBurned ---


class ShuffleOrdered(Event, frozen=True):
    """Somebody wants the cards shuffled (again)."""

    TOPIC: ClassVar[str] = "BG.ShuffleOrdered.v1"
    by: Name | None = None
    role: Literal["dealer", "inspector", "management", "player"] = "management"
    why: Text = ""


class RecutAsked(Event, frozen=True):
    """A player is not satisfied with the cut and asks for another (CS-18)."""

    TOPIC: ClassVar[str] = "BG.RecutAsked.v1"
    by: Name


class CutJoined(Event, frozen=True):
    """The part lifted in the cut lies with the rest again (CS-18, BJ-11)."""

    TOPIC: ClassVar[str] = "BG.CutJoined.v1"
    deck: Name
    by: Name | None = None


class DeckLoaded(Event, frozen=True):
    """Deck or decks went into the shoe or the hand, ready to deal; `cards`: how many, if counted."""

    TOPIC: ClassVar[str] = "BG.DeckLoaded.v1"
    deck: Name
    cards: Count | None = None
    by: Name | None = None


class DefectFound(Event, frozen=True):
    """Something is wrong with the deck itself; `cards`: which."""

    TOPIC: ClassVar[str] = "BG.DefectFound.v1"
    kind: Literal["damaged", "duplicate", "missing", "surplus", "foreign", "marked", "other"]
    deck: Name | None = None
    cards: tuple[Card, ...] = ()
    by: Name | None = None


# --- cards ---


class CardLaid(Event, frozen=True):
    """A card off the deck is dealt to a place. `seq`: its place off the deck, `deck`: which, where a table has several.

    A card that nobody has seen is `??`; who turns it later says what it is.
    """

    TOPIC: ClassVar[str] = "BG.CardLaid.v1"
    PRIVATE: ClassVar[tuple[Private, ...]] = (Private("card", "{to}", {"face": ("up",)}, fresh=True),)
    to: Lies
    card: Card = "??"
    face: Face = "down"
    seq: Seq | None = None
    deck: Name | None = None


class CardReassigned(Event, frozen=True):
    """A card already dealt is put elsewhere: to the hand that it belongs to, aside, back into the deck, `pending`."""

    TOPIC: ClassVar[str] = "BG.CardReassigned.v1"
    PRIVATE: ClassVar[tuple[Private, ...]] = (Private("card", "{to}", {"face": ("up",)}),)
    to: Lies
    frm: Lies | None = None
    card: Card = "??"
    seq: Seq | None = None
    face: Face = "down"
    by: Name | None = None
    role: Who = "dealer"
    why: Text = ""


class CardShown(Event, frozen=True):
    """A card became visible that should not be, or too early.

    `where`: in the cut, in the deal, come upon in the deck, in an exchange, by a player, in the burns or discards.
    `place`: before whom it lies or was to lie.
    """

    TOPIC: ClassVar[str] = "BG.CardShown.v1"
    where: Literal["cut", "deal", "deck", "exchange", "player", "burn", "discards", "other"]
    card: Card = "??"
    place: Lies | None = None
    by: Who = "dealer"
    seq: Seq | None = None


class CardsViewed(Event, frozen=True):
    """Somebody looked at the cards of a box, `by` its player if nobody is named."""

    TOPIC: ClassVar[str] = "BG.CardsViewed.v1"
    box: Count
    by: Name | None = None


class BoxTurned(Event, frozen=True):
    """The cards of a box were turned up; `cards` as far as they were read, `announced`: the hand that was named."""

    TOPIC: ClassVar[str] = "BG.BoxTurned.v1"
    box: Count
    cards: tuple[Card, ...] = ()
    announced: Text = ""


class DealerTurned(Event, frozen=True):
    """The dealer turned his cards up; `cards` and `announced` as in `BoxTurned`."""

    TOPIC: ClassVar[str] = "BG.DealerTurned.v1"
    cards: tuple[Card, ...] = ()
    announced: Text = ""


class HandCounted(Event, frozen=True):
    """The cards at a place were counted: `count` lie there."""

    TOPIC: ClassVar[str] = "BG.HandCounted.v1"
    place: Lies
    count: Count
    by: Name | None = None


class RedealOrdered(Event, frozen=True):
    """The deal is called off: cards come back, are shuffled and cut, and dealt anew in the same round."""

    TOPIC: ClassVar[str] = "BG.RedealOrdered.v1"
    why: Text = ""
    by: Name | None = None


# --- decisions ---


class Decided(Event, frozen=True):
    """What a player chose for a box, in the room's own word: `bet`, `fold`, `exchange`, `hit`, `stand`, `check`, …

    `player`: who said so, the box's owner if nobody is named; `hand`: of a split box. `amount`: as said, minor units;
    the chips are a stake. `discards`: cards that he gives away, face down. `signal`: how he showed it.
    """

    TOPIC: ClassVar[str] = "BG.Decided.v1"
    PRIVATE: ClassVar[tuple[Private, ...]] = (Private("discards", "box/{box}"),)
    box: Count
    choice: Name
    player: Name | None = None
    hand: Count = 1
    amount: Amount | None = None
    discards: tuple[Card, ...] = ()
    signal: Signal | None = None


class DecisionsClosed(Event, frozen=True):
    """All boxes have decided; nothing more is staked."""

    TOPIC: ClassVar[str] = "BG.DecisionsClosed.v1"
    by: Name | None = None


# --- conduct ---


class ConductNoted(Event, frozen=True):
    """Somebody notes what people did: talked, agreed, looked, touched, passed chips, staked for another, advised.

    `players`: who; `boxes` and `spot`: at which box or bet. A fact for a person to judge.
    """

    TOPIC: ClassVar[str] = "BG.ConductNoted.v1"
    kind: Literal[
        "communication", "agreement", "look", "touch", "chips_passed", "staked_for_another", "advice", "favour",
        "discards_seen", "undealt_seen", "other",
    ]  # fmt: skip
    players: tuple[Name, ...] = ()
    boxes: tuple[Count, ...] = ()
    spot: Spot | None = None
    staff: Name | None = None
    by: Name | None = None
    text: Text = ""


BANK_EVENTS: tuple[type[Event], ...] = (
    BoxTaken, BoxReleased, BoxAsked, StakePlaced, StakeTakenUp, StakeRefused, ShuffleOrdered, RecutAsked, CutJoined,
    DeckLoaded, DefectFound, CardLaid, CardReassigned, CardShown, CardsViewed, BoxTurned, DealerTurned, HandCounted,
    RedealOrdered, Decided, DecisionsClosed, ConductNoted,
)  # fmt: skip
"""All of them; every card game against the bank lists them among its events."""
