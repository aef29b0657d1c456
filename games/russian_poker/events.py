"""Events of Russian poker (prefix RP); stakes, cards and decisions are those of every card game against the bank (BG).

Spots of a box: `ante`, `bonus`, `fee` (sixth card or exchange), `insurance`, `bet`, `rex` (a further ante for another
replacement of the dealer's card). Choices: `buy6`, `exchange`, `bet`, `fold`. Bought, exchanged and dealt cards are all
`CardLaid` to the box; the dealer's replaced card is an event of its own. A fault counts as noticed where a
`StakeRefused` names its box and spot, or an `ErrorNoted` its finding's code and, if it is about a box, `box/2`
(`ante_over_max box/2`); without that it was found after the reveal.
"""

from __future__ import annotations

from typing import ClassVar, Literal

from events.schema.event import Card, Count, Event, Name, Text
from games.shared.bank.events import BANK_EVENTS, Seq

Election = Literal["take_ante", "replace_card"]


class BonusClaimed(Event, frozen=True):
    """A player claims the bonus and shows the dealer his five cards (RP-14)."""

    TOPIC: ClassVar[str] = "RP.BonusClaimed.v1"
    box: Count
    cards: tuple[Card, ...]


class AnteElected(Event, frozen=True):
    """The dealer does not qualify: the box takes 1:1 on its ante, or gives it up for another dealer's card (RP-36)."""

    TOPIC: ClassVar[str] = "RP.AnteElected.v1"
    box: Count
    choice: Election


class DealerCardReplaced(Event, frozen=True):
    """The dealer's card `old` is set aside and `card` takes its place (RP-37, RP-40); `number`: which of the round's
    replacements, from 1. `seq` and `deck` as in `CardLaid`."""

    TOPIC: ClassVar[str] = "RP.DealerCardReplaced.v1"
    old: Card
    card: Card
    number: Count
    seq: Seq | None = None
    deck: Name | None = None


class DeckChangeOrdered(Event, frozen=True):
    """Management wants another deck before the next round (RP-06)."""

    TOPIC: ClassVar[str] = "RP.DeckChangeOrdered.v1"
    by: Name | None = None
    why: Text = ""


OWN_EVENTS: tuple[type[Event], ...] = (BonusClaimed, AnteElected, DealerCardReplaced, DeckChangeOrdered)
EVENTS: tuple[type[Event], ...] = (*BANK_EVENTS, *OWN_EVENTS)
"""All that may come to this table, beside the events of every table."""
