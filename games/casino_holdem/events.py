"""Events of casino hold'em beside the common ones and those of the card games against the bank (prefix CH)."""

from __future__ import annotations

from typing import ClassVar

from events.schema.event import Count, Event, Name
from games.shared.bank.events import BANK_EVENTS, Spot


class SeenBoxAnnounced(Event, frozen=True):
    """A player with several boxes says of which one he will look at the cards; it holds until he names another (CH-07).

    His other boxes are played unseen ("blind boxes").
    """

    TOPIC: ClassVar[str] = "CH.SeenBoxAnnounced.v1"
    player: Name
    box: Count


class BetCounted(Event, frozen=True):
    """The Dealer counted a bet for its player, who asked; nobody else may touch it (CH-06)."""

    TOPIC: ClassVar[str] = "CH.BetCounted.v1"
    box: Count
    spot: Spot
    by: Name | None = None


OWN_EVENTS: tuple[type[Event], ...] = (SeenBoxAnnounced, BetCounted)
EVENTS: tuple[type[Event], ...] = (*BANK_EVENTS, *OWN_EVENTS)
