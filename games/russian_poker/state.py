"""Folds a session of Russian poker: the fold of every card game against the bank, and what only this room records."""

from __future__ import annotations

from events.schema import common as tb
from events.schema.fact import Fact
from games.clocks import Clocks
from games.house_rules.edition import Edition
from games.russian_poker import events as rp
from games.russian_poker.boxes import boxes_of
from games.russian_poker.hands import has_royal_flush
from games.russian_poker.rulings import DECK_CHANGE
from games.russian_poker.table import Coup, Session
from games.shared.bank import events as bg
from games.shared.bank.fold import OF_ROUND, OF_SESSION, Changes, Fold, OfRound, opening
from games.shared.bank.table import Noted
from games.shared.rulings import MANAGEMENT, in_force


def open_table(edition: Edition, opened: Fact, rulings: tuple[Fact, ...], clocks: Clocks) -> Session:
    """A table as it stands when it opens; rulings, and how its sources' clocks compare, are known from the start."""
    return Session(**opening(edition, opened, rulings, clocks))


# What is said of a round ----------------------------------------------------------------------------------------------


def _card_laid(session: Session, coup: Coup, fact: Fact) -> Changes:
    changes = OF_ROUND[bg.CardLaid](session, coup, fact)
    return {**changes, "on_duty": session.on_duty} if coup.first_card is None else changes


def _each(field: str) -> OfRound:
    def keep(_session: Session, coup: Coup, fact: Fact) -> Changes:
        return {field: (*getattr(coup, field), Noted(fact, coup.count, coup.deal))}

    return keep


def _begins(session: Session) -> Changes:
    return {"deck_since": session.deck_since, "royal": session.royal, "ordered": session.ordered}


# What runs on from round to round -------------------------------------------------------------------------------------


def _cut(session: Session, fact: Fact) -> Changes:
    return {**OF_SESSION[tb.CutMade](session, fact), "on_duty": session.dealer}


def _deck_opened(session: Session, fact: Fact) -> Changes:
    """Another deck: what was shown with the last one is over."""
    return {**OF_SESSION[tb.DeckOpened](session, fact), "deck_since": fact, "royal": "", "ordered": None}


def _ordered(_session: Session, fact: Fact) -> Changes:
    return {"ordered": fact}


def _seat_taken(session: Session, fact: Fact) -> Changes:
    """Who sits down while a round is on has not let that one pass."""
    changes = OF_SESSION[type(fact.event)](session, fact)
    person = getattr(fact.event, "person", "") or getattr(fact.event, "player", "")
    coup = session.round
    begun = -1 if coup is not None and coup.closed is None else 0
    return {**changes, "idle": {**session.idle, person: begun}}


def _round_closed(session: Session, _fact: Fact) -> Changes:
    """What the next round has to know: the shuffle begins anew, who let a round pass, what the deck has shown."""
    coup = session.round
    if coup is None or coup.closed is not None:
        return {}
    changes: Changes = {"prepared": (), "idle": idle_after(session, coup)}
    if not session.royal and has_royal_flush(boxes_of(coup)):
        changes["royal"] = coup.name
    order = _ruled(session, coup)
    if order is not None:
        changes["ordered"] = order
    return changes


def idle_after(session: Session, coup: Coup) -> dict[str, int]:
    """Person with a seat → rounds in a row without an ante, this one counted."""
    played = {stake.player for stake in coup.stakes if stake.spot == "ante"}
    return {
        person: 0 if person in played else session.idle.get(person, 0) + 1
        for person in dict.fromkeys(session.owners.values())
    }


def _ruled(session: Session, coup: Coup) -> Fact | None:
    """A ruling that orders another deck after this round (RP-06)."""
    for fact, event in in_force(session.rulings, session.subject, coup.name):
        if event.ground == DECK_CHANGE and event.role == MANAGEMENT:
            return fact
    return None


evolve = Fold(
    Coup,
    of_round={
        bg.CardLaid: _card_laid,
        rp.BonusClaimed: _each("claims"),
        rp.AnteElected: _each("elections"),
        rp.DealerCardReplaced: _each("replaced"),
    },
    of_session={
        tb.CutMade: _cut,
        tb.DeckOpened: _deck_opened,
        rp.DeckChangeOrdered: _ordered,
        tb.SeatTaken: _seat_taken,
        bg.BoxTaken: _seat_taken,
        tb.RoundClosed: _round_closed,
    },
    begins=_begins,
)
"""The session after one more record; nothing is refused."""
