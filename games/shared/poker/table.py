"""A poker table between and in hands, and its fold. Whatever comes is taken in; judging it is for the checks."""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from events.schema.common import ChipsMoved, PlayerLeftTable, SeatLeft, SeatTaken
from events.schema.fact import Fact
from games.house_rules.edition import Edition
from games.shared.poker.betting import Limits
from games.shared.poker.discipline import Conduct, chips_of_the_expelled, penalised, reported
from games.shared.poker.events import (
    ButtonCardDrawn,
    ConductReported,
    PenaltyGiven,
    PlayerCameBack,
    PlayerWentAway,
    Posted,
    SeatChanged,
    StakesAnnounced,
)
from games.shared.poker.fold import HANDLERS
from games.shared.poker.hand import Hand, Stakes, Terms, limits_of, stakes_of


class Before(Struct, frozen=True, gc=False):
    """The hand before, as far as the next one depends on it: seats of button and blinds, stacks it left by seat."""

    button: int = 0
    small_blind: int = 0
    big_blind: int = 0
    stacks: tuple[tuple[int, int], ...] = ()


class Session(Struct, frozen=True, gc=False):
    """A poker table. `hand` is the one being played or, until the next begins, the last one; `seated` seat → player;
    `away` seats whose players are not dealt in; `draws`: cards drawn for the button since the last hand began."""

    edition: Edition
    terms: Terms
    stakes: Stakes = Stakes()
    limits: tuple[Limits, ...] = ()
    seated: dict[int, str] = {}
    away: frozenset[int] = frozenset()
    hand: Hand | None = None
    before: Before = Before()
    draws: tuple[tuple[int, str], ...] = ()
    currency: str = "CZK"
    imported: bool = False
    conduct: Conduct = Conduct()


def evolve(session: Session, fact: Fact) -> Session:
    """The table after a fact; the one before stays as it was. A hand begins with the first fact that names it."""
    hand = session.hand
    if hand is not None and hand.name == fact.round and type(fact.event) in HANDLERS:
        session = replace(session, hand=hand.copy())
    return advance(session, fact)


def advance(session: Session, fact: Fact) -> Session:
    """As `evolve`, for who keeps none of the tables before: the hand being played changes in place."""
    kind = type(fact.event)
    name = fact.round
    hand = session.hand
    if name is not None and (hand is None or hand.name != name):
        session = _begin(session, name)
        hand = session.hand
    handler = HANDLERS.get(kind)
    if handler is not None:
        # Chips and cards outside hands belong to checks, not to a hand.
        if name is not None and hand is not None:
            if kind is Posted and not session.stakes.big_blind:
                session = _from_post(session, fact.event)
            handler(hand, fact.event, session, fact)
        if session.conduct.expelled and kind is ChipsMoved:
            session = chips_of_the_expelled(session, fact.event)
        return session
    between = _BETWEEN.get(kind)
    return session if between is None else between(session, fact.event)


def _begin(session: Session, name: str) -> Session:
    last = session.hand
    if last is None:
        return replace(session, hand=Hand(name=name, drawn=session.draws), draws=())
    stacks = tuple(zip(last.seats, last.stacks, strict=True))
    before = Before(last.button, last.small_blind, last.big_blind, stacks)
    return replace(session, hand=Hand(name=name, drawn=session.draws), before=before, draws=())


def _from_post(session: Session, event: Any) -> Session:
    """Nobody announced the stakes: the big blind that is posted tells them."""
    if event.kind != "big_blind":
        return session
    stakes = replace(session.stakes, big_blind=event.amount, small_bet=event.amount, big_bet=2 * event.amount)
    return replace(session, stakes=stakes, limits=limits_of(stakes, session.terms))


def _stakes(session: Session, event: StakesAnnounced) -> Session:
    stakes = stakes_of(event)
    return replace(session, stakes=stakes, limits=limits_of(stakes, session.terms))


def _seat(session: Session, event: SeatTaken) -> Session:
    if not event.is_player:
        return session
    return replace(session, seated={**session.seated, event.seat: event.person}, away=session.away - {event.seat})


def _leave(session: Session, event: SeatLeft) -> Session:
    return replace(
        session,
        seated={seat: player for seat, player in session.seated.items() if seat != event.seat},
        away=session.away - {event.seat},
    )


def _walk(session: Session, event: PlayerLeftTable) -> Session:
    return replace(session, seated={seat: who for seat, who in session.seated.items() if who != event.player})


def _away(session: Session, event: PlayerWentAway) -> Session:
    return replace(session, away=session.away | {event.seat})


def _back(session: Session, event: PlayerCameBack) -> Session:
    return replace(session, away=session.away - {event.seat})


def _drew(session: Session, event: ButtonCardDrawn) -> Session:
    return replace(session, draws=(*session.draws, (event.seat, event.card)))


def _move(session: Session, event: SeatChanged) -> Session:
    seated = {seat: player for seat, player in session.seated.items() if seat != event.frm}
    return replace(session, seated={**seated, event.to: event.player}, away=session.away - {event.frm})


_BETWEEN: dict[Any, Any] = {
    StakesAnnounced: _stakes,
    SeatTaken: _seat,
    SeatLeft: _leave,
    PlayerLeftTable: _walk,
    PlayerWentAway: _away,
    PlayerCameBack: _back,
    SeatChanged: _move,
    ButtonCardDrawn: _drew,
    ConductReported: reported,
    PenaltyGiven: penalised,
}
