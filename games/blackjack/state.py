"""Folds a blackjack session: every record finds its place, none is refused.

Rounds, stakes, cards and decisions are folded as in every card game against the bank; here stands what only blackjack
has: a shoe that runs on from round to round, boxes that belong to whom they were occupied by first, cards that wait.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from events.schema import common as tb
from events.schema.event import Undecoded
from events.schema.fact import Fact
from events.values.cards import UNKNOWN
from games.blackjack import events as bj
from games.blackjack.play import played
from games.blackjack.shoe import OF_SHOE, first_card, taken_over
from games.blackjack.table import Barred, Round, Session
from games.clocks import Clocks
from games.house_rules.edition import Edition
from games.shared.bank import events as bg
from games.shared.bank.fold import OF_ROUND, Changes, Fold, opening
from games.shared.bank.table import Laid, Noted

PENDING = "pending"


def open_table(edition: Edition, opened: Fact, rulings: tuple[Fact, ...], clocks: Clocks) -> Session:
    """A table as it stands when it opens; rulings, and how its sources' clocks compare, are known from the start."""
    return Session(**opening(edition, opened, rulings, clocks))


def evolve(session: Session, fact: Fact) -> Session:
    """The session after one more record."""
    if not session.shoe.dealing and session.shoe.number:
        session = _heard(session, fact)
    return _FOLD(session, fact)


def _heard(session: Session, fact: Fact) -> Session:
    """While a shoe is prepared: whether a record is missing. What lacks in its shuffle may have been told there."""
    last = session.heard.get(fact.origin)
    holed = isinstance(fact.event, Undecoded) or (last is not None and fact.sequence > last + 1)
    changes: dict[str, Any] = {"heard": {**session.heard, fact.origin: fact.sequence}}
    if holed and not session.shoe.holed:
        changes["shoe"] = replace(session.shoe, holed=True)
    return replace(session, **changes)


# What is said of a round ----------------------------------------------------------------------------------------------


def _begins(session: Session) -> Changes:
    """A round that opens takes the cards that wait from the round before."""
    last = session.round
    if last is None:
        return {}
    return {"carried": _waiting(session, last), "before": replace(last, before=None)}


def _waiting(session: Session, last: Round) -> tuple[Laid, ...]:
    """Cards misdrawn in a round, seen to wait, of the shoe that is still in use (BJ-25, BJ-A28)."""
    if session.edition["blackjack.pending_card"] != "carry_next_round":
        return ()
    used = last.shoe
    if used is None or used.number != session.shoe.number:
        return ()
    put_aside = {card.order for card in last.draws if card.to == PENDING}
    if not put_aside:
        return ()
    left = [card for card in played(session, last).left if card.order in put_aside]
    return tuple(replace(card, dealt_to="", to="", order=-1, moved=None) for card in left)


def _laid(session: Session, round_: Round, fact: Fact) -> Changes:
    """A card off the shoe; or one that waits, told once more where it went."""
    event = fact.event
    assert isinstance(event, bg.CardLaid)
    if round_.carried and event.seq is not None:
        for place, card in enumerate(round_.carried):
            if card.seq == event.seq and not card.dealt_to:
                return {"carried": _used(round_.carried, place, fact, event.to, round_.count)}
    changes = OF_ROUND[bg.CardLaid](session, round_, fact)
    changes.pop("prepared", None)
    if session.shoe.change is not None:
        changes["changes"] = (*round_.changes, taken_over(session.shoe, session.shoe.change, event.seq))
    return changes if round_.shoe is not None else {**changes, **first_card(session, round_, event.seq)}


def _used(carried: tuple[Laid, ...], place: int, fact: Fact, to: str, order: int) -> tuple[Laid, ...]:
    used = replace(carried[place], dealt_to=to, to=to, fact=fact, order=order)
    return (*carried[:place], used, *carried[place + 1 :])


def _reassigned(session: Session, round_: Round, fact: Fact) -> Changes:
    """A card is put elsewhere: one of this round, or the one that waits from the round before."""
    event = fact.event
    assert isinstance(event, bg.CardReassigned)
    if event.frm == PENDING:
        for place, card in enumerate(round_.carried):
            if not card.dealt_to and event.card in (UNKNOWN, card.card):
                return {"carried": _used(round_.carried, place, fact, event.to, round_.count)}
    if event.to == PENDING and not round_.laid:
        changes = _put_aside_late(session, round_, event)
        if changes:
            return changes
    return OF_ROUND[bg.CardReassigned](session, round_, fact)


def _put_aside_late(session: Session, round_: Round, event: bg.CardReassigned) -> Changes:
    """The slip of the round before is seen before this round's first card: the card waits all the same."""
    last = round_.before
    if last is None:
        return {}
    for place in range(len(last.laid) - 1, -1, -1):
        card = last.laid[place]
        same = card.seq == event.seq if event.seq is not None else card.card == event.card
        if same and card.to != PENDING:
            less = replace(last, laid=(*last.laid[:place], replace(card, to=PENDING), *last.laid[place + 1 :]))
            return {"carried": (*round_.carried, *_waiting(session, less)[len(round_.carried) :])}
    return {}


def _told(_session: Session, round_: Round, fact: Fact) -> Changes:
    return {"told": (*round_.told, Noted(fact, round_.count, round_.deal))}


def _chips_moved(session: Session, round_: Round, fact: Fact) -> Changes:
    """Payments are kept with their place in the round: some are due at once (BJ-37, BJ-38)."""
    changes = OF_ROUND[tb.ChipsMoved](session, round_, fact)
    return {**changes, **_told(session, round_, fact)} if "settles" in changes else changes


def _shown(session: Session, round_: Round, fact: Fact) -> Changes:
    """A card that came face down is turned up: now it is known."""
    event = fact.event
    assert isinstance(event, bg.CardShown)
    changes = _told(session, round_, fact)
    for place in range(len(round_.laid) - 1, -1, -1):
        card = round_.laid[place]
        if card.card == UNKNOWN and (card.seq == event.seq if event.seq is not None else card.to == event.place):
            named = replace(card, card=event.card)
            return {**changes, "laid": (*round_.laid[:place], named, *round_.laid[place + 1 :])}
    return changes


def _closing(session: Session, round_: Round, fact: Fact) -> Changes:
    changes = OF_ROUND[tb.NoMoreBets](session, round_, fact)
    return {**changes, "owners": session.owners, "limits": session.limits} if changes else changes


# What runs on from round to round -------------------------------------------------------------------------------------


def _occupied(session: Session, fact: Fact) -> Changes:
    """A box is whose who occupied it first (BJ-04)."""
    event = fact.event
    assert isinstance(event, bg.BoxTaken)
    return {} if event.box in session.owners else {"owners": {**session.owners, event.box: event.player}}


def _sat_down(session: Session, fact: Fact) -> Changes:
    """Seats and boxes have the same numbers; who sits at a free box occupies it."""
    event = fact.event
    assert isinstance(event, tb.SeatTaken)
    if not event.is_player or event.seat in session.owners:
        return {}
    return {"owners": {**session.owners, event.seat: event.person}}


def _released(session: Session, fact: Fact) -> Changes:
    event = fact.event
    box = event.box if isinstance(event, bg.BoxReleased) else getattr(event, "seat", 0)
    whose = getattr(event, "person", session.owners.get(box))
    return {"owners": {own: player for own, player in session.owners.items() if (own, player) != (box, whose)}}


def _walked_away(session: Session, fact: Fact) -> Changes:
    gone = getattr(fact.event, "player", "")
    return {"owners": {box: player for box, player in session.owners.items() if player != gone}}


def _barred(session: Session, fact: Fact) -> Changes:
    event = fact.event
    assert isinstance(event, bj.BoxBarred)
    if event.role == "dealer":
        return {}
    key = (event.box, event.player)
    return {"barred": {**session.barred, key: session.barred.get(key, Barred(fact, session.rounds))}}


def _put_aside_between(session: Session, fact: Fact) -> Changes:
    """A misdrawn card is put aside after its round was closed, by a record that names none."""
    round_ = session.round
    if fact.round is not None or round_ is None or round_.closed is None:
        return {}
    changes = OF_ROUND[bg.CardReassigned](session, round_, fact)
    return {"round": replace(round_, count=round_.count + 1, **changes)}


_FOLD = Fold(
    Round,
    of_round={
        bg.CardLaid: _laid,
        bg.CardReassigned: _reassigned,
        bg.CardShown: _shown,
        bg.RedealOrdered: _told,  # blackjack knows none: every card drawn is used
        tb.ChipsMoved: _chips_moved,
        tb.NoMoreBets: _closing,
        **dict.fromkeys(
            (
                bj.EvenMoneyOffered, bj.ExtraDeclined, bj.DecisionObjected, bj.TotalCalled, bj.CardsReconstructed,
                bj.ChipsWithheld, bj.CuttingCardSeen,
            ),
            _told,
        ),
    },
    of_session={
        **OF_SHOE,
        bg.BoxTaken: _occupied,
        bg.BoxReleased: _released,
        tb.SeatTaken: _sat_down,
        tb.SeatLeft: _released,
        tb.PlayerLeftTable: _walked_away,
        bg.CardReassigned: _put_aside_between,
        bj.BoxBarred: _barred,
    },
    begins=_begins,
)  # fmt: skip
