"""What somebody finds about the cards: a fouled deck, a card too many or too few at a seat (handlers of `fold.py`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from events.schema.common import DeckInspected
from events.schema.fact import Fact
from games.shared.poker.acting import folded
from games.shared.poker.betting import NOBODY
from games.shared.poker.dealing import note_moved, under_way
from games.shared.poker.events import CardFound
from games.shared.poker.hand import Hand, Terms
from games.shared.poker.lying import shown_cards

if TYPE_CHECKING:
    from games.shared.poker.table import Session

_STUB = frozenset({"stub", "top"})


def found_foul(hand: Hand, event: CardFound | DeckInspected, session: Session, fact: Fact) -> None:
    at_seat = isinstance(event, CardFound) and event.where.startswith("seat/")
    if isinstance(event, CardFound) and event.fault == "boxed" and at_seat and not session.imported:
        note_moved(hand, session, fact, shown_cards(hand, session.terms, event.where, (event.card,)))
    else:
        note_moved(hand, session, fact)
    if isinstance(event, CardFound) and at_seat and event.fault in ("surplus", "missing"):
        _counted(hand, event, session)
    if not hand.fouled and fouls(event, session.terms):
        hand.fouled = "after_award" if any(hand.won) else "before_award"


def _counted(hand: Hand, event: CardFound, session: Session) -> None:
    """A player has a card too many or too few: once play is under way his hand is dead, and its chips stay (NL-A33,
    VG-MIS-10)."""
    place, terms = hand.place(int(event.where[5:])), session.terms
    if place == NOBODY:
        return
    if event.fault == "missing":
        hand.hole[place] = hand.hole[place][:-1]  # nobody says which one he has
    elif len(hand.hole[place]) == terms.hole and not hand.shown[place]:
        hand.hole[place] += (event.card,)
    if under_way(hand, terms) and not (hand.out[place] or hand.over or any(hand.won)):
        folded(hand, session, place, "killed")


def fouls(event: CardFound | DeckInspected, terms: Terms) -> bool:
    """Whether the deck is not what it should be. A card that a player lacks is not missing from the deck."""
    rules = terms.deal
    if isinstance(event, DeckInspected):
        if event.complete:
            return False
        return bool(event.foreign) or "missing" in rules.foul
    if event.where in _STUB and not rules.foul_in_stub:
        return False
    if event.fault == "missing" and event.where.startswith("seat/"):
        return False
    return event.fault in rules.foul or (event.fault == "joker" and rules.joker == "foul")
