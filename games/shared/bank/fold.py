"""Folds a session of a card game against the bank: every record finds its place, none is refused.

A round opens with the first record that names it and is current until one names the next: what is said late of it is
still its own. What is said between rounds without a name (a stake laid early) belongs to the next. A room makes one
`Fold` of its own structs and adds what only it records.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from msgspec.structs import replace

from events.errors import BadName
from events.schema import common as tb
from events.schema.event import Event
from events.schema.fact import Fact
from events.values.cards import UNKNOWN
from events.values.names import parse_subject
from games.clocks import Clocks
from games.house_rules.edition import Edition
from games.shared.bank import events as bg
from games.shared.bank.limits import posted_at_opening
from games.shared.bank.table import BankRound, BankSession, Laid, Noted, Stake
from games.shared.booked import settles

S = TypeVar("S", bound=BankSession)
Changes = dict[str, Any]
OfRound = Callable[[Any, Any, Fact], Changes]
"""(session, round, fact) → the round's fields that change. `round.count` is the record's place in the round."""

OfSession = Callable[[Any, Fact], Changes]
"""(session before the record, fact) → the session's fields that change, the round's excepted."""

PREPARES = (tb.ShuffleStep, tb.CutMade, bg.RecutAsked, bg.CutJoined, bg.DeckLoaded)


def opening(edition: Edition, opened: Fact, rulings: tuple[Fact, ...], clocks: Clocks) -> Changes:
    """What every session begins with; rulings and how the sources' clocks compare are known from the start."""
    try:
        table = parse_subject(opened.subject).unit
    except BadName:
        table = opened.subject
    return {
        "edition": edition,
        "subject": opened.subject,
        "table": table,
        "limits": posted_at_opening(opened.event),
        "clocks": clocks,
        "currency": getattr(opened.event, "currency", ""),
        "opened": opened,
        "rulings": rulings,
    }


class Fold:
    """The fold of one room: `fold(session, fact)` is `evolve`.

    `of_round`, `of_session`: the room's own handlers by type of event, or others in place of those here. `begins`: the
    fields of a new round that come from the session (a shoe, elections of the round before).
    """

    def __init__(
        self,
        new_round: Callable[..., BankRound],
        of_round: Mapping[type[Event], OfRound] | None = None,
        of_session: Mapping[type[Event], OfSession] | None = None,
        begins: Callable[[Any], Changes] | None = None,
    ) -> None:
        self._new_round = new_round
        self._of_round: dict[type[Any], OfRound] = {**OF_ROUND, **(of_round or {})}
        self._of_session: dict[type[Any], OfSession] = {**OF_SESSION, **(of_session or {})}
        self._begins = begins

    def __call__(self, session: S, fact: Fact) -> S:
        """The session after one more record."""
        round_ = session.round
        kind = type(fact.event)
        if fact.round is not None and (round_ is None or round_.name != fact.round):
            session = self._open(session, fact.round)
            round_ = session.round
        changes: Changes = {}
        of_session = self._of_session.get(kind)
        if of_session is not None:
            changes = of_session(session, fact)
        of_round = self._of_round.get(kind)
        if of_round is not None:
            if round_ is None or (fact.round is None and round_.closed is not None and kind is not tb.ChipsMoved):
                if kind in BETWEEN:
                    changes = {**changes, "between": (*session.between, fact)}
            else:
                own = of_round(session, round_, fact)
                changes = {**changes, "round": replace(round_, count=round_.count + 1, **own)}
        return replace(session, **changes) if changes else session

    def _open(self, session: S, name: str) -> S:
        """The next round; what was said since the last one is its first word."""
        own = self._begins(session) if self._begins is not None else {}
        waiting = session.between
        round_ = self._new_round(name=name, **own)
        for fact in waiting:
            of_round = self._of_round[type(fact.event)]
            round_ = replace(round_, count=round_.count + 1, **of_round(session, round_, fact))
        return replace(session, round=round_, between=(), rounds=session.rounds + 1)


# What is said of a round ----------------------------------------------------------------------------------------------


def _placed(session: BankSession, round_: BankRound, fact: Fact) -> Changes:
    event = fact.event
    assert isinstance(event, bg.StakePlaced)
    stake = Stake(
        id=event.stake, player=event.player, box=event.box, spot=event.spot, amount=event.amount, fact=fact,
        order=round_.count, limits=session.limits, hand=event.hand,
        currency=event.currency if event.currency and event.currency != session.currency else "",
    )  # fmt: skip
    return {"stakes": (*round_.stakes, stake)}


def _taken_up(_session: BankSession, round_: BankRound, fact: Fact) -> Changes:
    """Of the last stake with that id; of one that nobody placed it is only noted."""
    event = fact.event
    assert isinstance(event, bg.StakeTakenUp)
    told = (*round_.told, Noted(fact, round_.count, round_.deal))
    for place in range(len(round_.stakes) - 1, -1, -1):
        stake = round_.stakes[place]
        if stake.id == event.stake:
            less = replace(stake, back=(*stake.back, (round_.count, event.amount)))
            return {"stakes": (*round_.stakes[:place], less, *round_.stakes[place + 1 :]), "told": told}
    return {"told": told}


def _laid(session: BankSession, round_: BankRound, fact: Fact) -> Changes:
    event = fact.event
    assert isinstance(event, bg.CardLaid)
    card = Laid(
        to=event.to, card=event.card, face=event.face, fact=fact, order=round_.count, dealt_to=event.to, seq=event.seq,
        deck=event.deck or session.deck, deal=round_.deal,
    )  # fmt: skip
    return _off_the_deck(session, round_, card)


def _burned(session: BankSession, round_: BankRound, fact: Fact) -> Changes:
    event = fact.event
    assert isinstance(event, tb.CardBurned)
    card = Laid(
        to="burn", card=event.card, face="down", fact=fact, order=round_.count, dealt_to="burn", seq=event.seq,
        deck=session.deck, deal=round_.deal,
    )  # fmt: skip
    return _off_the_deck(session, round_, card)


def _off_the_deck(session: BankSession, round_: BankRound, card: Laid) -> Changes:
    changes: Changes = {"laid": (*round_.laid, card)}
    if round_.first_card is None:
        changes["prepared"] = session.prepared
    return changes


def _reassigned(_session: BankSession, round_: BankRound, fact: Fact) -> Changes:
    """The card by its place off the deck, else by what it is, else the last that lies where it was taken from."""
    event = fact.event
    assert isinstance(event, bg.CardReassigned)
    told = (*round_.told, Noted(fact, round_.count, round_.deal))
    for place in range(len(round_.laid) - 1, -1, -1):
        card = round_.laid[place]
        if card.deal == round_.deal and _is_meant(event, card):
            moved = replace(card, to=event.to, face=event.face, moved=fact)
            if card.card == UNKNOWN:
                moved = replace(moved, card=event.card)
            return {"laid": (*round_.laid[:place], moved, *round_.laid[place + 1 :]), "told": told}
    return {"told": told}


def _is_meant(event: bg.CardReassigned, card: Laid) -> bool:
    if event.seq is not None and card.seq is not None:
        return event.seq == card.seq
    if event.frm is not None and card.to != event.frm:
        return False
    if event.card != UNKNOWN:
        return event.card == card.card
    return event.frm is not None


def noted(_session: BankSession, round_: BankRound, fact: Fact) -> Changes:
    """Keeps a record among the round's `told`; for what has no field of its own."""
    return {"told": (*round_.told, Noted(fact, round_.count, round_.deal))}


def _decided(_session: BankSession, round_: BankRound, fact: Fact) -> Changes:
    return {"decisions": (*round_.decisions, Noted(fact, round_.count, round_.deal))}


def _box_turned(_session: BankSession, round_: BankRound, fact: Fact) -> Changes:
    return {"turned": (*round_.turned, Noted(fact, round_.count, round_.deal))}


def _redealt(_session: BankSession, round_: BankRound, fact: Fact) -> Changes:
    """Cards come back: the next card is the first of another deal, and what was decided on the last one is over."""
    told = (*round_.told, Noted(fact, round_.count, round_.deal))
    return {
        "deal": round_.deal + 1, "told": told, "prepared": (),
        "prepared_before": (*round_.prepared_before, round_.prepared), "closing": None, "decisions_closed": None,
        "dealer_turned": None,
    }  # fmt: skip


def _chips_moved(_session: BankSession, round_: BankRound, fact: Fact) -> Changes:
    """A payment; or chips that went from one player to another."""
    event = fact.event
    assert isinstance(event, tb.ChipsMoved)
    if settles(event):
        return {"settles": (*round_.settles, fact)}
    if event.frm.startswith("player/") and event.to.startswith("player/"):
        return {"told": (*round_.told, Noted(fact, round_.count, round_.deal))}
    return {}


def first(field: str) -> OfRound:
    """Keeps the first record of its kind in a field: a call is made once."""

    def keep(_session: BankSession, round_: BankRound, fact: Fact) -> Changes:
        return {} if getattr(round_, field) is not None else {field: Noted(fact, round_.count, round_.deal)}

    return keep


def _opened(_session: BankSession, round_: BankRound, fact: Fact) -> Changes:
    return {"opened": round_.opened or fact}


OF_ROUND: dict[type[Any], OfRound] = {
    tb.RoundOpened: _opened,
    bg.StakePlaced: _placed,
    bg.StakeTakenUp: _taken_up,
    bg.CardLaid: _laid,
    tb.CardBurned: _burned,
    bg.CardReassigned: _reassigned,
    bg.Decided: _decided,
    bg.BoxTurned: _box_turned,
    bg.RedealOrdered: _redealt,
    tb.ChipsMoved: _chips_moved,
    tb.NoMoreBets: first("closing"),
    bg.DecisionsClosed: first("decisions_closed"),
    bg.DealerTurned: first("dealer_turned"),
    tb.RoundClosed: first("closed"),
    **dict.fromkeys(
        (
            bg.StakeRefused, bg.ShuffleOrdered, bg.DefectFound, bg.CardShown, bg.CardsViewed, bg.ConductNoted,
            bg.RecutAsked, bg.HandCounted, tb.ErrorNoted, tb.DeckInspected,
        ),
        noted,
    ),
}  # fmt: skip

BETWEEN: frozenset[type[Any]] = frozenset({
    bg.StakePlaced, bg.StakeTakenUp, bg.StakeRefused, bg.ConductNoted, bg.CardShown, bg.DefectFound,
})  # fmt: skip
"""What belongs to the next round if it is said while none is open."""


# What runs on from round to round -------------------------------------------------------------------------------------


def _prepares(session: BankSession, fact: Fact) -> Changes:
    return {"prepared": (*session.prepared, fact)}


def _deal_began(session: BankSession, _fact: Fact) -> Changes:
    """The round has taken over how its deck was prepared; what comes now is for the next deal."""
    round_ = session.round
    began = round_ is not None and round_.first_card is None
    return {"prepared": ()} if began and session.prepared else {}


def _box_taken(session: BankSession, fact: Fact) -> Changes:
    event = fact.event
    assert isinstance(event, bg.BoxTaken)
    return {"owners": {**session.owners, event.box: event.player}}


def _seat_taken(session: BankSession, fact: Fact) -> Changes:
    """Seats and boxes have the same numbers."""
    event = fact.event
    assert isinstance(event, tb.SeatTaken)
    return {"owners": {**session.owners, event.seat: event.person}} if event.is_player else {}


def _box_released(session: BankSession, fact: Fact) -> Changes:
    box = fact.event.box if isinstance(fact.event, bg.BoxReleased) else getattr(fact.event, "seat", None)
    return {"owners": {own: player for own, player in session.owners.items() if own != box}}


def _dealer_seated(_session: BankSession, fact: Fact) -> Changes:
    return {"dealer": getattr(fact.event, "person", "")}


def _limits_changed(session: BankSession, fact: Fact) -> Changes:
    event = fact.event
    assert isinstance(event, tb.LimitsChanged)
    return {"limits": session.limits.after(event)}


def _deck_opened(_session: BankSession, fact: Fact) -> Changes:
    event = fact.event
    assert isinstance(event, tb.DeckOpened)
    return {"deck": event.deck}


OF_SESSION: dict[type[Any], OfSession] = {
    **dict.fromkeys(PREPARES, _prepares),
    bg.CardLaid: _deal_began,
    tb.CardBurned: _deal_began,
    bg.BoxTaken: _box_taken,
    bg.BoxReleased: _box_released,
    tb.SeatTaken: _seat_taken,
    tb.SeatLeft: _box_released,
    tb.DealerSeated: _dealer_seated,
    tb.LimitsChanged: _limits_changed,
    tb.DeckOpened: _deck_opened,
    tb.TableClosed: lambda _session, _fact: {"closed": True},
}
