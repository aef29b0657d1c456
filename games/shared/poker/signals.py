"""What is neither word nor chips and yet means something: gestures, the clock, the dealer's announcements (handlers of
`fold.py`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from events.schema.fact import Fact
from games.shared.poker.acting import spoken, time_is_up
from games.shared.poker.betting import NOBODY
from games.shared.poker.early import note
from games.shared.poker.events import BetAnnounced, ClockCalled, ClockExpired, GestureMade
from games.shared.poker.hand import Hand
from games.shared.poker.irregular import Clock
from games.shared.poker.reading import Said
from games.shared.poker.seating import known

if TYPE_CHECKING:
    from games.shared.poker.table import Session


def gesture_made(hand: Hand, event: GestureMade, session: Session, fact: Fact) -> None:
    """A tap is a check, cards pushed forward are a fold; where the line binds, cards only held over it are neither. A
    wave or a raised hand has no meaning that a rule book gives it."""
    if event.gesture == "tap":
        spoken(hand, session, known(hand, event.seat, session), Said(word="check"), fact)
    elif event.gesture == "cards_forward":
        held = event.over_line is False and session.terms.binding_line and session.stakes.line
        if not held:
            spoken(hand, session, known(hand, event.seat, session), Said(word="fold"), fact)


def clock_called(hand: Hand, event: ClockCalled, session: Session, fact: Fact) -> None:
    """The player on turn has so many seconds from now, if the house has a clock and the dealer did not refuse."""
    seconds, actor = session.terms.clock_s, hand.bets.actor
    if seconds is None or event.granted is False or actor == NOBODY or hand.seats[actor] != event.seat:
        return
    hand.clock = Clock(event.seat, fact.occurred_at + 1000 * (event.seconds or seconds))


def clock_expired(hand: Hand, event: ClockExpired, session: Session, fact: Fact) -> None:
    if hand.clock is not None and hand.clock.seat == event.seat:
        time_is_up(hand, session, fact)


def bet_announced(hand: Hand, event: BetAnnounced, _session: Session, fact: Fact) -> None:
    """The dealer names what there is to call, in all or in addition, or the pot, with or without the bets in front."""
    bets = hand.bets
    if bets.actor == NOBODY:
        return
    right, own = (bets.to_match, bets.front[bets.actor])
    if event.what == "pot":
        right, own = hand.contributed, sum(bets.front)
    if event.amount not in (right, right - own):
        note(hand, "announced_wrong", bets.actor, fact, action=event.what, total=right, acts=hand.actions)
