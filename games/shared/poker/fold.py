"""Which handler each event has. A handler changes the hand in place; `games.shared.poker.table` hands it a copy where
the hand before is still needed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from events.schema.common import CardBurned, ChipsMoved, DeckInspected, RoundClosed
from events.schema.fact import Fact
from events.values.places import FLOAT, POT, RAKE, SEAT_NUMBERS
from games.settlement import REPAIRS
from games.shared.poker.betting import NOBODY
from games.shared.poker.events import (
    ActionTaken,
    AgreementMade,
    BetAnnounced,
    BoardDealt,
    ButtonPlaced,
    CardDealt,
    CardExposed,
    CardFound,
    CardPicked,
    CardsMoved,
    CardsScrambled,
    ChipsPushed,
    ClockCalled,
    ClockExpired,
    GestureMade,
    HandKilled,
    HandMucked,
    HandsDealt,
    HandShown,
    HoleDealt,
    LineUp,
    MisdealDeclared,
    PlayerDealtIn,
    Posted,
    StubShuffled,
    WordsSpoken,
)
from games.shared.poker.hand import Hand
from games.shared.poker.seating import button, dealt_in, line_up, posted

if TYPE_CHECKING:
    from games.shared.poker.table import Session

from games.shared.poker.acting import action_taken, chips_pushed, taken_as_call, taken_as_one, words_spoken
from games.shared.poker.dealing import (
    board_dealt,
    burned,
    card_dealt,
    cards_moved,
    exposed,
    hands_dealt,
    hole_dealt,
    misdealt,
    picked,
    scrambled,
    stub_shuffled,
)
from games.shared.poker.early import drop_early, early_chips
from games.shared.poker.found import found_foul
from games.shared.poker.posts_back import post_given_back
from games.shared.poker.showing import agreed, hand_killed, hand_mucked, hand_shown
from games.shared.poker.signals import bet_announced, clock_called, clock_expired, gesture_made
from games.shared.poker.undone import note_handed_back

Handler = Callable[[Hand, Any, "Session", Fact], None]


def _moved(hand: Hand, event: ChipsMoved, session: Session, fact: Fact) -> None:
    """Chips out of the pot: change and uncalled bets back, awards, rake; or back into it, where that was wrong."""
    if event.frm != POT:
        _taken_back(hand, event)
        return
    if event.to == RAKE:
        hand.raked = (*hand.raked, (event.stake, event.amount))
        return
    place = hand.place(SEAT_NUMBERS.get(event.to, 0))
    if place == NOBODY:
        return
    if event.cause == "award" or (event.cause in REPAIRS and event.cause != "return" and _to_be_paid(hand, place)):
        hand.won[place] += event.amount
        hand.stacks[place] += event.amount
        return
    change = min(max(hand.apart[place], 0), event.amount)
    uncalled = event.amount - change
    hand.apart[place] -= change
    if hand.early and hand.apart[place] < early_chips(hand, place):
        drop_early(hand, place)
    if not uncalled or (not hand.actions and post_given_back(hand, session, place, uncalled)):
        return
    if hand.undo is not None and taken_as_one(hand, session, place, uncalled):
        return
    if hand.betting and not hand.fouled and uncalled <= hand.bets.front[place]:
        note_handed_back(hand, place, uncalled, fact)
        hand.apart[place] -= uncalled  # chips that count were pulled back: they are owed
        return
    hand.back[place] += uncalled
    if hand.fouled or not hand.betting:
        hand.stacks[place] += uncalled


def _dealt_on(handler: Handler) -> Handler:
    """A card of the board or a burn: who deals on takes the betting for over, whatever he gave back."""

    def deal(hand: Hand, event: Any, session: Session, fact: Fact) -> None:
        if hand.handed_back is not None:
            taken_as_call(hand, session)
        handler(hand, event, session, fact)

    return deal


def _to_be_paid(hand: Hand, place: int) -> bool:
    """Whether chips that a correction gives a seat are an award: nobody bets any more, and no change is owed to it."""
    return hand.apart[place] <= 0 and (hand.over or hand.ready or hand.closed or any(hand.won))


def _taken_back(hand: Hand, event: ChipsMoved) -> None:
    """An award, a return or rake that was paid wrongly comes back, into the pot or to a seat; or the house adds to the
    pot. What goes from seat to seat is no matter of the pot's (`games.shared.poker.stacks`)."""
    if event.frm == FLOAT and event.to == POT:
        hand.added += event.amount
        return
    if event.frm == RAKE and event.to == POT:
        hand.raked = (*hand.raked, (event.stake, -event.amount))
        return
    rake = RAKE in (event.frm, event.to)
    place = hand.place(SEAT_NUMBERS.get(event.to if event.frm == RAKE else event.frm, 0))
    if place == NOBODY or not (rake or event.to == POT):
        return
    if rake:
        taken = event.amount if event.to == RAKE else -event.amount
        hand.raked = (*hand.raked, (event.stake, taken))
        hand.won[place] -= taken
        hand.stacks[place] -= taken
    elif event.cause in REPAIRS:
        won = min(event.amount, max(hand.won[place], 0))
        back = min(event.amount - won, max(hand.back[place], 0))
        hand.won[place] -= won
        hand.back[place] -= back
        hand.stacks[place] -= won if hand.betting else won + back
        hand.apart[place] += event.amount - won - back  # chips put in without a word


def _closed(hand: Hand, _event: RoundClosed, _session: Session, _fact: Fact) -> None:
    if not hand.closed:
        for seat, stack in hand.aside:
            hand.stacks[hand.place(seat)] += stack
    hand.closed = True


HANDLERS: dict[Any, Handler] = {
    PlayerDealtIn: dealt_in,
    LineUp: line_up,
    ButtonPlaced: button,
    Posted: posted,
    HoleDealt: hole_dealt,
    HandsDealt: hands_dealt,
    CardDealt: _dealt_on(card_dealt),
    BoardDealt: _dealt_on(board_dealt),
    CardBurned: _dealt_on(burned),
    CardExposed: exposed,
    CardsMoved: cards_moved,
    StubShuffled: stub_shuffled,
    CardsScrambled: scrambled,
    CardPicked: picked,
    CardFound: found_foul,
    DeckInspected: found_foul,
    MisdealDeclared: misdealt,
    ActionTaken: action_taken,
    WordsSpoken: words_spoken,
    ChipsPushed: chips_pushed,
    GestureMade: gesture_made,
    ClockCalled: clock_called,
    ClockExpired: clock_expired,
    BetAnnounced: bet_announced,
    ChipsMoved: _moved,
    HandShown: hand_shown,
    HandMucked: hand_mucked,
    HandKilled: hand_killed,
    AgreementMade: agreed,
    RoundClosed: _closed,
}
