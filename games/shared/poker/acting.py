"""What words, chips and whole actions do to a hand (handlers of `fold.py`).

Chips count by the rules: what words and chips mean is read where they come (`reading.py`), a whole `ActionTaken`
counts as it was taken. What was pushed beyond, or is still owed, stands in `Hand.apart`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from events.schema.fact import Fact
from games.shared.poker.betting import NOBODY, may_raise, options, put, raise_to, turn
from games.shared.poker.events import (
    ActionTaken,
    ChipsPushed,
    WordsSpoken,
)
from games.shared.poker.hand import Gone, Hand, Pending
from games.shared.poker.reading import Reading, Said, Spot, read_action
from games.shared.poker.seating import known

if TYPE_CHECKING:
    from games.shared.poker.table import Session

from games.shared.poker.dealing import next_street


def _acted(hand: Hand, session: Session, place: int, total: int) -> None:
    """A check, call, bet or raise that leaves `total` in front of him."""
    bets, stacks = hand.bets, hand.stacks
    more = total - bets.front[place]
    if more:
        stacks[place] -= more
        hand.live[place] += more
    if total > bets.to_match:
        hand.raises.append((hand.street, place))
    put(bets, session.limits[hand.street], place, total)
    before = bets.actor
    actor = bets.actor = turn(bets, stacks, hand.out, place + 1 if before in (place, NOBODY) else before)
    hand.actions += 1
    hand.latest = place
    hand.pending = None
    if actor == NOBODY:
        next_street(hand, session)


def folded(hand: Hand, session: Session, place: int, how: Gone = "folded") -> None:
    hand.out[place] = True
    hand.gone[place] = how
    bets = hand.bets
    if bets.actor != NOBODY:
        bets.actor = turn(bets, hand.stacks, hand.out, bets.actor)
    hand.actions += 1
    hand.latest = place
    hand.pending = None
    if bets.actor == NOBODY:
        next_street(hand, session)


def action_taken(hand: Hand, event: ActionTaken, session: Session, _fact: Fact) -> None:
    place = hand.bets.actor
    if place == NOBODY or hand.seats[place] != event.seat:
        place = known(hand, event.seat, session)
    if hand.pending is not None:
        _resolve(hand, session, place)
    if event.action == "fold":
        folded(hand, session, place)
    elif event.action == "check" and hand.bets.front[place] < hand.bets.to_match:
        return  # no action: all his options stay (NL-A44)
    else:
        _acted(hand, session, place, hand.bets.front[place] + event.amount)


def _spot(hand: Hand, session: Session, place: int) -> Spot:
    """Where a player stands, for the reading of his words and chips."""
    bets, limits, terms = hand.bets, session.limits[hand.street], session.terms
    barred = ""
    if hand.exposed[place] >= (2 if terms.exposed_both else 1):
        barred = "exposed"
    elif not may_raise(bets, limits, place):
        barred = "not_reopened"
    most = None
    if limits.structure != "no_limit" or limits.exactly or limits.most is not None:
        most = options(bets, limits, hand.stacks, place, hand.contributed).high
    return Spot(
        to_match=bets.to_match,
        front=bets.front[place],
        stack=hand.stacks[place],
        low=raise_to(bets, limits),
        minimum=limits.minimum,
        barred=barred,
        most=most,
    )


def read_in(hand: Hand, session: Session, place: int, said: Said | None, chips: tuple[int, ...]) -> Reading:
    """What words and chips of a player count for, as the hand stands."""
    return read_action(_spot(hand, session, place), said, chips, one_chip=session.terms.one_chip)


def said_of(event: WordsSpoken, session: Session) -> Said:
    """A word as the reading wants it; the official languages of a table have no tag (NL-34)."""
    return Said(
        word=event.word,
        amount=event.amount,
        by=event.measure == "by",
        binding=not event.language or session.terms.foreign_words_bind,
    )


def words_spoken(hand: Hand, event: WordsSpoken, session: Session, fact: Fact) -> None:
    place = known(hand, event.seat, session)
    if event.word in ("time", "straddle"):
        return
    said = said_of(event, session)
    if place != hand.bets.actor:
        if event.word == "fold" and said.binding and not hand.out[place] and hand.betting:
            folded(hand, session, place)
        return
    if not said.binding or (said.word in ("raise", "bet", "complete") and said.amount is None):
        hand.pending = Pending(place, said, fact.occurred_at)
        return
    _read(hand, session, place, said, ())


def chips_pushed(hand: Hand, event: ChipsPushed, session: Session, _fact: Fact) -> None:
    place = known(hand, event.seat, session)
    settles = hand.apart[place] < 0
    hand.apart[place] += event.amount
    if settles or hand.bets.actor == NOBODY or hand.out[place]:
        return
    if place != hand.bets.actor and place == hand.latest:
        return  # a later motion of the same player counts for nothing (NL-A11)
    said = None
    if hand.pending is not None:
        if hand.pending.place == place:
            said = hand.pending.said
        else:
            _resolve(hand, session, place)
    # Chips that nobody counted are not known to be one chip.
    _read(hand, session, place, said, event.chips or (event.amount, 0))


def _read(hand: Hand, session: Session, place: int, said: Said | None, chips: tuple[int, ...]) -> None:
    """The action that words and chips are; chips pushed lie in `apart` until it is known what they count for."""
    reading = read_in(hand, session, place, said, chips)
    if reading.action == "":
        hand.pending = None
    elif reading.action == "fold":
        folded(hand, session, place)
    else:
        hand.apart[place] -= reading.total - hand.bets.front[place]
        _acted(hand, session, place, reading.total)


def _resolve(hand: Hand, session: Session, acting: int) -> None:
    """Somebody else acts while a word waits for chips: the word alone then counts."""
    pending = hand.pending
    if pending is None or pending.place == acting or pending.place != hand.bets.actor or not pending.said.binding:
        hand.pending = None
    else:
        _read(hand, session, pending.place, pending.said, ())
