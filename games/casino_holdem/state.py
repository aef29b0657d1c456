"""Folds a session of casino hold'em: what all card games against the bank record, announcements, and who waits."""

from __future__ import annotations

from events.schema import common as tb
from events.schema.fact import Fact
from games.casino_holdem import events as ch
from games.casino_holdem.table import Coup, Session
from games.clocks import Clocks
from games.house_rules.edition import Edition
from games.shared.bank import events as bg
from games.shared.bank.fold import OF_SESSION, Changes, Fold, noted, opening


def open_table(edition: Edition, opened: Fact, rulings: tuple[Fact, ...], clocks: Clocks) -> Session:
    """A table as it stands when it opens."""
    table = opened.event
    positions = table.seats if isinstance(table, tb.TableOpened) else None
    return Session(positions=positions, **opening(edition, opened, rulings, clocks))


def _begins(session: Session) -> Changes:
    """What a coup knows from before it."""
    return {
        "seen": session.seen, "waiting": session.waiting, "seats": session.seats, "dealt_before": session.dealt,
    }  # fmt: skip


def _announced(session: Session, fact: Fact) -> Changes:
    assert isinstance(fact.event, ch.SeenBoxAnnounced)
    return {"seen": {**session.seen, fact.event.player: fact.event.box}}


def _ordered(session: Session, fact: Fact) -> Changes:
    """CH-12: the shuffle that has to follow is that of the next deal, so the order stands among its steps."""
    return {"prepared": (*session.prepared, fact)}


def _asked(session: Session, fact: Fact) -> Changes:
    assert isinstance(fact.event, bg.BoxAsked)
    if fact.event.granted:
        return _served(session, fact)
    return {"waiting": {**session.waiting, fact.event.player: fact}}


def _served(session: Session, fact: Fact) -> Changes:
    """Who has a box, or is gone, waits no longer."""
    player = getattr(fact.event, "player", "")
    if player not in session.waiting:
        return {}
    return {"waiting": {own: ask for own, ask in session.waiting.items() if own != player}}


def _box_taken(session: Session, fact: Fact) -> Changes:
    return {**OF_SESSION[bg.BoxTaken](session, fact), **_served(session, fact)}


def _seated(session: Session, fact: Fact) -> Changes:
    assert isinstance(fact.event, tb.SeatTaken)
    return {"seats": {**session.seats, fact.event.seat: fact.event.person}}


def _unseated(session: Session, fact: Fact) -> Changes:
    assert isinstance(fact.event, tb.SeatLeft)
    gone = fact.event.seat
    return {"seats": {seat: person for seat, person in session.seats.items() if seat != gone}}


def _card(session: Session, fact: Fact) -> Changes:
    own = OF_SESSION[bg.CardLaid](session, fact)
    return own if session.dealt else {**own, "dealt": True}


evolve = Fold(
    Coup,
    of_round={ch.SeenBoxAnnounced: noted, ch.BetCounted: noted},
    of_session={
        ch.SeenBoxAnnounced: _announced,
        bg.ShuffleOrdered: _ordered,
        bg.BoxAsked: _asked,
        bg.BoxTaken: _box_taken,
        bg.StakePlaced: _served,
        tb.PlayerLeftTable: _served,
        tb.SeatTaken: _seated,
        tb.SeatLeft: _unseated,
        bg.CardLaid: _card,
        tb.CardBurned: _card,
    },
    begins=_begins,
)
"""The session after one more record; a pure function of both (`games.protocol.Game.evolve`)."""
