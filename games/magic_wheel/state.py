"""Folds a session at a magic wheel: every record finds its place, none is refused.

A game (one spin) opens with the first record that names it and is current until one names the next: what is said late
of it is still its own. What is said between games without a name (a bet laid early) belongs to the next, but for what
players choose for their bets of a cancelled game.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from events.errors import BadName
from events.schema import common as tb
from events.schema.fact import Fact
from events.values.names import parse_subject
from games.clocks import Clocks
from games.house_rules.edition import Edition
from games.magic_wheel import events as mw
from games.magic_wheel.payouts import analyse
from games.magic_wheel.stakes import changes_of
from games.magic_wheel.table import Bet, Cloth, Session, Spin, Wheel
from games.magic_wheel.validity import is_short, result_of
from games.shared.booked import booked, settles
from games.shared.wheel.bets import Change, Limits, Piece

RESULTS_KEPT = 20

BETWEEN = frozenset({mw.BetPlaced, mw.BetMoved, mw.BetRemoved, mw.BetsOpened})
"""What belongs to the next game if it is said while none is open."""
OF_THE_LAST = frozenset({tb.ChipsMoved, mw.ChoiceMade})
"""What belongs to the game before if it is said while none is open."""


def open_table(edition: Edition, opened: Fact, rulings: tuple[Fact, ...], clocks: Clocks) -> Session:
    """A table as it stands when it opens; rulings, and how its sources' clocks compare, are known from the start."""
    event = opened.event
    limits = Limits()
    if isinstance(event, tb.TableOpened):
        limits = Limits(event.min, event.max, event.limits)
    try:
        table = parse_subject(opened.subject).unit
    except BadName:
        table = opened.subject
    return Session(edition=edition, subject=opened.subject, table=table, limits=limits, rulings=rulings, clocks=clocks)


def evolve(session: Session, fact: Fact) -> Session:
    """The session after one more record."""
    spin = session.spin
    if fact.round is not None and (spin is None or spin.name != fact.round):
        session = _open(session, fact.round)
        spin = session.spin
    kind = type(fact.event)
    of_spin = _OF_SPIN.get(kind)
    if of_spin is not None:
        if spin is None or (fact.round is None and spin.closed is not None and kind not in OF_THE_LAST):
            if kind in BETWEEN:
                session = replace(session, between=(*session.between, fact))
        else:
            after = of_spin(session, spin, fact)
            if after is not spin:
                session = replace(session, spin=after)
    of_session = _OF_SESSION.get(kind)
    return session if of_session is None else of_session(session, fact)


def _open(session: Session, name: str) -> Session:
    """The next game: what the last one left lies on the layout, and what was said since then is its first word."""
    last, between = session.spin, session.between
    spin = Spin(name=name) if last is None else _after(session, last, name)
    results = session.results
    if last is not None and last.has_stopped and not is_short(session, last):
        symbol = result_of(session, last).symbol
        results = results if symbol is None else (*results, symbol)[-RESULTS_KEPT:]
    session = replace(session, spin=spin, between=(), results=results, games=session.games + 1)
    for fact in between:
        assert session.spin is not None
        session = replace(session, spin=_OF_SPIN[type(fact.event)](session, session.spin, fact))
    return session


def _after(session: Session, last: Spin, name: str) -> Spin:
    """The game after `last`, before anything was said of it: bets that its players may leave, or that lie on.

    A bet whose chips went back to the player by the record does not.
    """
    offered: tuple[Bet, ...] = ()
    standing: tuple[Bet, ...] = ()
    if is_short(session, last) or session.edition["wheel.winning_stake"] == "stands":
        analysis = analyse(session)
        record = booked(last.settles)
        gone = {bet for bet, own in record.items() if own.returned or own.taken}
        gone |= {change.bet for change in changes_of(session, last) if change.settled}
        offered = tuple(bet for bet in analysis.offered if bet.id not in gone)
        standing = tuple(bet for bet in analysis.standing if bet.id not in gone)
    ids = {bet.id for bet in offered}
    return Spin(
        name=name,
        offered=offered,
        standing=standing,
        choices=tuple(fact for fact in last.choices[last.answered :] if getattr(fact.event, "bet", "") in ids),
        invited=last.reopened,
        settled_before=last.settles[-1:],
    )


# What is said of a game -----------------------------------------------------------------------------------------------


def _bets_opened(_session: Session, spin: Spin, fact: Fact) -> Spin:
    """The opening call; once the wheel stands it is one for the next game."""
    if spin.has_stopped:
        return spin if spin.reopened is not None else replace(spin, reopened=fact)
    return spin if spin.opening is not None else replace(spin, opening=fact)


def _bet_placed(session: Session, spin: Spin, fact: Fact) -> Spin:
    event = fact.event
    assert isinstance(event, mw.BetPlaced)
    bet = Bet(
        id=event.bet,
        player=event.player,
        fact=fact,
        pieces=(Piece(event.position, event.amount),),
        limits=session.limits,
        chip_kind=event.chip_kind,
        order=_order(spin),
    )
    return replace(spin, bets=(*spin.bets, bet))


def _changed(_session: Session, spin: Spin, fact: Fact) -> Spin:
    assert isinstance(fact.event, mw.BetMoved | mw.BetRemoved)
    bet = fact.event.bet
    settled = spin.closed is not None or any(getattr(own.event, "stake", "") == bet for own in spin.settles)
    return replace(spin, changes=(*spin.changes, Change(fact, bet, settled, _order(spin))))


def _order(spin: Spin) -> int:
    return len(spin.bets) + len(spin.changes)


def _chips_moved(_session: Session, spin: Spin, fact: Fact) -> Spin:
    assert isinstance(fact.event, tb.ChipsMoved)
    return replace(spin, settles=(*spin.settles, fact)) if settles(fact.event) else spin


def _first(field: str) -> Callable[[Session, Spin, Fact], Spin]:
    """Keeps the first record of its kind: a call is made once."""
    return lambda _session, spin, fact: spin if getattr(spin, field) is not None else replace(spin, **{field: fact})


def _latest(field: str) -> Callable[[Session, Spin, Fact], Spin]:
    """Keeps the last record of its kind: who says it again says it better."""
    return lambda _session, spin, fact: replace(spin, **{field: fact})


def _each(field: str) -> Callable[[Session, Spin, Fact], Spin]:
    """Keeps every record of its kind."""
    return lambda _session, spin, fact: replace(spin, **{field: (*getattr(spin, field), fact)})


def _wheel_stopped(_session: Session, spin: Spin, fact: Fact) -> Spin:
    answered = spin.answered if spin.stops else len(spin.choices)
    return replace(spin, stops=(*spin.stops, fact), answered=answered)


_OF_SPIN: dict[type[Any], Callable[[Session, Spin, Fact], Spin]] = {
    mw.BetPlaced: _bet_placed,
    mw.BetMoved: _changed,
    mw.BetRemoved: _changed,
    mw.BetsOpened: _bets_opened,
    tb.NoMoreBets: _first("closing"),
    mw.SpinStarted: _each("spins"),
    mw.RotationsCounted: _latest("rotations"),
    mw.WheelStopped: _wheel_stopped,
    mw.SymbolAnnounced: _latest("announced"),
    mw.WheelIncident: _each("incidents"),
    mw.ChoiceMade: _each("choices"),
    mw.ClaimRaised: _each("claims"),
    mw.ClaimResolved: _each("claims"),
    tb.ChipsMoved: _chips_moved,
    tb.RoundClosed: _first("closed"),
}


# What runs on from game to game ---------------------------------------------------------------------------------------


def _wheel_installed(session: Session, fact: Fact) -> Session:
    assert isinstance(fact.event, mw.WheelInstalled)
    return replace(session, wheel=Wheel(fact.event.wheel, fact.event.fields, fact))


def _layout_fitted(session: Session, fact: Fact) -> Session:
    assert isinstance(fact.event, mw.LayoutFitted)
    return replace(session, cloth=Cloth(fact.event.printed, fact))


def _limits_changed(session: Session, fact: Fact) -> Session:
    assert isinstance(fact.event, tb.LimitsChanged)
    return replace(session, limits=session.limits.changed(fact.event))


_OF_SESSION: dict[type[Any], Callable[[Session, Fact], Session]] = {
    mw.WheelInstalled: _wheel_installed,
    mw.LayoutFitted: _layout_fitted,
    tb.LimitsChanged: _limits_changed,
    tb.TableClosed: lambda session, _fact: replace(session, closed=True),
}
