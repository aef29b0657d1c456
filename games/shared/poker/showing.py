"""What the end of a hand does to it: tabling, mucking, killing, agreements (handlers of `fold.py`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from events.schema.fact import Fact
from events.values.cards import UNKNOWN
from games.shared.poker.events import (
    AgreementMade,
    HandKilled,
    HandMucked,
    HandShown,
)
from games.shared.poker.hand import Hand
from games.shared.poker.seating import known

if TYPE_CHECKING:
    from games.shared.poker.table import Session

from games.shared.poker.acting import folded


def hand_shown(hand: Hand, event: HandShown, session: Session, _fact: Fact) -> None:
    place = known(hand, event.seat, session)
    seen = event.cards
    before = hand.shown[place]
    if before or UNKNOWN in seen:
        # What lies open and could not be read lies open all the same; the record may name it later.
        count = max(len(before), len(seen))
        seen = tuple(dict.fromkeys([card for card in (*before, *seen) if card != UNKNOWN]))
        hand.shown[place] = seen + (UNKNOWN,) * (count - len(seen))
    else:
        hand.shown[place] = seen
    if seen and (len(seen) >= len(hand.hole[place]) or UNKNOWN in hand.hole[place]):
        hand.hole[place] = seen
    if place not in hand.shows:
        hand.shows = (*hand.shows, place)


def hand_mucked(hand: Hand, event: HandMucked, session: Session, _fact: Fact) -> None:
    place = known(hand, event.seat, session)
    if hand.out[place]:
        return
    hand.gone[place] = "mucked"
    if event.cards and (not hand.hole[place] or UNKNOWN in hand.hole[place]):
        hand.hole[place] = event.cards


def hand_killed(hand: Hand, event: HandKilled, session: Session, _fact: Fact) -> None:
    """A hand that lay tabled is not lost by the dealer's hand (NL-37); any other is dead, its chips stay (NL-46)."""
    place = known(hand, event.seat, session)
    if event.tabled or len(hand.shown[place]) >= session.terms.hole:
        hand.gone[place] = "killed"
    else:
        folded(hand, session, place, "killed")


def agreed(hand: Hand, event: AgreementMade, _session: Session, _fact: Fact) -> None:
    if event.what == "run_it":
        hand.runs = event.runs
