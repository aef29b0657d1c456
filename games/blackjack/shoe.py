"""Folds the shoe: packs, shuffle, cut, loading, burns, every card that came out of it, the cutting card (BJ-07 … 14).

A shoe begins with the first record that prepares it and is in use from its first card to the first record that prepares
the next. Nothing is judged here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from events.schema import common as tb
from events.schema.event import Event
from events.schema.fact import Fact
from events.values.cards import UNKNOWN
from games.blackjack import events as bj
from games.blackjack.table import Change, Round, Session, Shoe
from games.shared.bank import events as bg
from games.shared.bank.deck import box_number
from games.shared.bank.fold import Changes


def _prepares(session: Session, fact: Fact) -> Changes:
    """A step on the way to a shoe; the first one after cards were dealt, or it was loaded, begins the next shoe."""
    shoe = session.shoe
    again = isinstance(fact.event, tb.ShuffleStep) and (shoe.burned or _is_loaded(shoe))
    if shoe.dealing or not shoe.number or again or isinstance(fact.event, tb.DeckOpened):
        return _next_shoe(session, fact)
    return {"shoe": _with_cutter(session, replace(shoe, prepared=(*shoe.prepared, fact)))}


def _is_loaded(shoe: Shoe) -> bool:
    return any(isinstance(fact.event, bg.DeckLoaded) for fact in shoe.prepared)


def _next_shoe(session: Session, fact: Fact) -> Changes:
    old, event = session.shoe, fact.event
    deck, packs = old.deck, old.packs
    if isinstance(event, tb.DeckOpened):
        deck, packs = event.deck, event.decks
    shoe = Shoe(number=old.number + 1, deck=deck, packs=packs, prepared=(fact,))
    changes: Changes = {"shoe": _with_cutter(session, shoe), "deck": deck, "heard": {}}
    return {**changes, "last_shoe": old} if old.dealing else changes


def _with_cutter(session: Session, shoe: Shoe) -> Shoe:
    """Who is to cut, as things stand when the cards are offered or cut for the first time (BJ-09, BJ-A21)."""
    if shoe.cutter is not None or not isinstance(shoe.prepared[-1].event, bj.CutOffered | tb.CutMade):
        return shoe
    return replace(shoe, cutter=cutter_due(session))


def cutter_due(session: Session) -> str:
    """The player at whose box the cutting card came out; the first from the left where that names nobody.

    Empty where the record does not tell.
    """
    last = session.shoe if session.shoe.dealing else session.last_shoe
    first = session.owners[min(session.owners)] if session.owners else ""
    if last is None:
        return first
    at = getattr(last.cutting.event, "at", None) if last.cutting is not None else None
    if at is None:
        return ""
    return session.owners.get(box_number(at) or 0, first)


def _carried(session: Session, fact: Fact) -> Changes:
    event = fact.event
    assert isinstance(event, tb.ShoeCarried)
    shoe = Shoe(number=session.shoe.number + 1, deck=event.shoe, carried=fact)
    return {"shoe": shoe, "deck": event.shoe}


def _burned(session: Session, fact: Fact) -> Changes:
    shoe, event = session.shoe, fact.event
    assert isinstance(event, tb.CardBurned)
    if shoe.change is not None:
        shoe = replace(shoe, change=replace(shoe.change, burned=(*shoe.change.burned, fact)))
    elif not shoe.dealing:
        shoe = replace(shoe, burned=(*shoe.burned, fact))
    return {"shoe": _counted(session, shoe, event.card, fact)}


def _shown(session: Session, fact: Fact) -> Changes:
    event, shoe = fact.event, session.shoe
    assert isinstance(event, bg.CardShown)
    if event.where != "burn":
        return {}
    if shoe.change is not None:
        return {"shoe": replace(shoe, change=replace(shoe.change, shown=(*shoe.change.shown, fact)))}
    return {} if shoe.dealing else {"shoe": replace(shoe, shown=(*shoe.shown, fact))}


def _laid(session: Session, fact: Fact) -> Changes:
    """A card came out; one told again because it waited from the round before is not another one."""
    event, shoe = fact.event, session.shoe
    assert isinstance(event, bg.CardLaid)
    carried = session.round.carried if session.round is not None else ()
    if event.seq is not None and any(card.seq == event.seq for card in carried):
        return {}
    if not shoe.number:
        shoe = replace(shoe, number=1)
    name = fact.round or (session.round.name if session.round is not None else "")
    shoe = replace(
        shoe,
        dealing=True,
        rounds=shoe.rounds if name in ("", *shoe.rounds[-1:]) else (*shoe.rounds, name),
        first_seq=event.seq if not shoe.dealing else shoe.first_seq,
        last_seq=event.seq if event.seq is not None else shoe.last_seq,
        change=None,
    )
    return {"shoe": _counted(session, shoe, event.card, fact)}


def _counted(session: Session, shoe: Shoe, card: str, fact: Fact) -> Shoe:
    """More of one card, or more cards, than six packs hold."""
    packs: int = session.edition.constants.packs
    count = shoe.cards + 1
    most = 52 * packs
    if shoe.carried is not None:
        most = getattr(shoe.carried.event, "cards", most)
    known: dict[str, Any] = {"cards": count}
    seen = shoe.drawn.get(card, 0) + 1
    if card != UNKNOWN:
        known["drawn"] = {**shoe.drawn, card: seen}
    if (card != UNKNOWN and seen > packs) or count > most:
        known["wrong"] = (*shoe.wrong, fact)
    return replace(shoe, **known)


def _cutting_card(session: Session, fact: Fact) -> Changes:
    shoe = session.shoe
    if shoe.last_round is not None:
        return {}
    name = fact.round if fact.round is not None else session.round.name if session.round is not None else ""
    return {"shoe": replace(shoe, last_round=name, cutting=fact)}


def _dealer_seated(session: Session, fact: Fact) -> Changes:
    """Another dealer, while cards are in the shoe (BJ-13)."""
    event, shoe, round_ = fact.event, session.shoe, session.round
    assert isinstance(event, tb.DealerSeated)
    changes: Changes = {"dealer": event.person}
    if shoe.dealing and session.dealer not in ("", event.person):
        over = shoe.last_round is not None and (round_ is None or round_.over or round_.name != shoe.last_round)
        changes["shoe"] = replace(shoe, change=Change(fact, after_last=over))
    return changes


def taken_over(shoe: Shoe, change: Change, seq: int | None) -> Change:
    """The change of dealers, once the new one's first card is out; `seq` is its place in the shoe."""
    gap = None if seq is None or shoe.last_seq is None else seq - shoe.last_seq - 1
    return replace(change, gap=gap)


def first_card(session: Session, round_: Round, seq: int | None) -> Changes:
    """What the round keeps of the table as it stood before its first card."""
    shoe = session.shoe if session.shoe.dealing else replace(session.shoe, first_seq=seq)
    changes: Changes = {"shoe": replace(shoe, number=shoe.number or 1)}
    if round_.owners is None:
        changes |= {"owners": session.owners, "limits": session.limits}
    return changes


OF_SHOE: dict[type[Event], Callable[[Session, Fact], Changes]] = {
    **dict.fromkeys(
        (
            tb.DeckOpened, tb.ShuffleStep, bj.CutOffered, tb.CutMade, bj.CutRejected, bg.CutJoined, bj.CardsCutOff,
            bg.DeckLoaded, bj.ShoeOrderRead,
        ),
        _prepares,
    ),
    tb.ShoeCarried: _carried,
    tb.CardBurned: _burned,
    bg.CardShown: _shown,
    bg.CardLaid: _laid,
    bj.CuttingCardSeen: _cutting_card,
    tb.DealerSeated: _dealer_seated,
}  # fmt: skip
