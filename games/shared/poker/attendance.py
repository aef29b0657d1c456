"""Who sits at a poker table, is away, sits out a penalty, comes in or comes back (folds of `table.py`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from events.schema.common import PlayerLeftTable, SeatLeft, SeatTaken
from events.schema.fact import Fact
from games.shared.poker.blinds import ended_in_misdeal, positions_of
from games.shared.poker.conduct import PenaltyEnded, PenaltyGiven
from games.shared.poker.events import LineUp, PlayerCameBack, PlayerDealtIn, PlayerWentAway, SeatChanged
from games.shared.poker.hand import Hand
from games.shared.poker.seats import BLINDS, Arrival, Entry, Positions, moved_entry, passed_by

if TYPE_CHECKING:
    from games.shared.poker.table import Session

_MINUTE_MS = 60_000


class SitOut(Struct, frozen=True, gc=False):
    """A player who sits out: for so many `hands` more, or until a moment (ms UTC); neither: until it is ended."""

    player: str
    hands: int | None = None
    until: int | None = None


# --- coming, going, changing seats ---


def took_seat(session: Session, event: SeatTaken, _fact: Fact) -> Session:
    if not event.is_player or session.seated.get(event.seat) == event.person:
        return session
    frm = next((seat for seat, player in session.seated.items() if player == event.person), 0)
    if frm:
        return _changed(session, event.person, frm, event.seat)
    entry = Entry(event.seat, event.person, "new") if _is_on(session) else None
    return _sits(session, event.seat, event.person, entry)


def _is_on(session: Session) -> bool:
    """Whether the game has begun: who sits down before the first hand is no newcomer."""
    hand = session.hand
    return session.before.positions.big != 0 or (hand is not None and bool(hand.posts or hand.dealt))


def _sits(session: Session, seat: int, player: str, entry: Entry | None) -> Session:
    entering = tuple(one for one in session.entering if one.seat != seat)
    return replace(
        session,
        seated={**session.seated, seat: player},
        away=session.away - {seat},
        waiting=session.waiting - {seat},
        entering=entering if entry is None else (*entering, entry),
    )


def left_seat(session: Session, event: SeatLeft, _fact: Fact) -> Session:
    player = session.seated.get(event.seat, "")
    return _without(session, event.seat, player)


def left_table(session: Session, event: PlayerLeftTable, _fact: Fact) -> Session:
    seat = next((seat for seat, player in session.seated.items() if player == event.player), 0)
    return _without(session, seat, event.player)


def _without(session: Session, seat: int, player: str) -> Session:
    return replace(
        session,
        seated={own: who for own, who in session.seated.items() if own != seat},
        away=session.away - {seat},
        waiting=session.waiting - {seat},
        entering=tuple(entry for entry in session.entering if entry.seat != seat),
        moved={who: moved for who, moved in session.moved.items() if who != player},
        gone=session.gone | {player},
    )


def went_away(session: Session, event: PlayerWentAway, _fact: Fact) -> Session:
    return replace(session, away=session.away | {event.seat}, waiting=session.waiting - {event.seat})


def came_back(session: Session, event: PlayerCameBack, _fact: Fact) -> Session:
    waiting = session.waiting | {event.seat} if event.choice == "wait" else session.waiting - {event.seat}
    return replace(session, away=session.away - {event.seat}, waiting=waiting)


def changed_seat(session: Session, event: SeatChanged, _fact: Fact) -> Session:
    return _changed(session, event.player, event.frm, event.to)


def _changed(session: Session, player: str, frm: int, to: int) -> Session:
    """What he owes goes with him; so does his stack, which is kept by player. He may have changed places with
    somebody, whose own record then follows."""
    hand, own = session.hand, next((entry for entry in session.entering if entry.seat == frm), None)
    if own is not None:
        own = replace(own, seat=to)
    elif hand is not None:
        big = hand.big_blind or session.before.positions.big
        others = [seat for seat in session.seated if seat not in session.away]
        own = moved_entry(player, frm, to, big, others, session.terms.seating)
    seated = {seat: who for seat, who in session.seated.items() if who != player}
    kept = tuple(entry for entry in session.entering if entry.seat != frm)
    return replace(
        session,
        seated={**seated, to: player},
        away=session.away - {frm},
        waiting=session.waiting - {frm},
        entering=kept if own is None else (*kept, own),
    )


def seen(session: Session, event: PlayerDealtIn, _fact: Fact) -> Session:
    """Who is dealt in sits there, though nobody said that he sat down."""
    seat = event.seat
    if event.status == "absent" or (session.seated.get(seat) == event.player and seat not in session.away):
        return session
    return replace(session, seated={**session.seated, seat: event.player}, away=session.away - {seat})


def seen_all(session: Session, event: LineUp, _fact: Fact) -> Session:
    if session.imported:
        return session
    return replace(session, seated={**session.seated, **dict(zip(event.seats, event.players, strict=False))})


# --- blinds that pass ---


def entering_after(session: Session, hand: Hand) -> tuple[Entry, ...]:
    """Who would come in with the next hand: those that were not dealt in in this one, and what has passed them."""
    played = set(hand.players)
    absent = {seat: player for seat, player in session.seated.items() if player not in played}
    entering = tuple(entry for entry in session.entering if absent.get(entry.seat) == entry.player)
    if not absent or len(hand.seats) < 2 or ended_in_misdeal(hand):
        return entering
    earlier = Positions() if hand.drawn else session.before.positions
    now = positions_of(hand, session.before.positions, session.terms)
    for seat, player in sorted(absent.items()):
        if missed := passed_by(seat, earlier, now):
            entering = _marked(entering, Entry(seat, player, "returning", missed))
    return entering


def _marked(entering: tuple[Entry, ...], passed: Entry) -> tuple[Entry, ...]:
    """With a seat that was passed; a newcomer stays one."""
    own = next((entry for entry in entering if entry.seat == passed.seat), passed)
    missed = tuple(blind for blind in BLINDS if blind in own.missed or blind in passed.missed)
    why: Arrival = "new" if own.why == "new" else "returning"
    others = (entry for entry in entering if entry.seat != passed.seat)
    return (*others, Entry(passed.seat, passed.player, why, missed))


def told(entering: tuple[Entry, ...], event: PlayerDealtIn, session: Session) -> tuple[Entry, ...]:
    """Who comes in, with what the record of his being dealt in says of it; it knows more than we do."""
    before = session.before
    own = next((entry for entry in entering if entry.seat == event.seat and entry.player == event.player), None)
    others = tuple(entry for entry in entering if entry.seat != event.seat)
    if event.missed:
        return _marked(entering, Entry(event.seat, event.player, "returning", event.missed))
    if own is not None:
        return (*others, own)
    if event.player in before.stacks or event.status not in ("new", "returning"):
        return others  # he was here all the time, and nothing passed him
    if event.status == "returning":
        return (*others, Entry(event.seat, event.player, "returning", owes=None))
    return (*others, Entry(event.seat, event.player, "new")) if before.positions.big else others


# --- penalties ---


def sits_out(session: Session, event: PenaltyGiven, fact: Fact) -> Session:
    if event.penalty != "sit_out":
        return session
    until = None if event.minutes is None else fact.occurred_at + event.minutes * _MINUTE_MS
    others = tuple(one for one in session.sit_outs if one.player != event.player)
    return replace(session, sit_outs=(*others, SitOut(event.player, event.hands, until)))


def penalty_over(session: Session, event: PenaltyEnded, _fact: Fact) -> Session:
    return replace(session, sit_outs=tuple(one for one in session.sit_outs if one.player != event.player))


def counted_down(sit_outs: tuple[SitOut, ...], at_ms: int) -> tuple[tuple[str, ...], tuple[SitOut, ...]]:
    """Who sits out the hand that begins at a moment, and what of the penalties is left after it."""
    out: list[str] = []
    left: list[SitOut] = []
    for one in sit_outs:
        if (one.until is not None and at_ms >= one.until) or one.hands == 0:
            continue
        out.append(one.player)
        left.append(one if one.hands is None else replace(one, hands=one.hands - 1))
    return tuple(out), tuple(left)
