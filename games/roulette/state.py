"""Folds a roulette session: every record finds its place, none is refused.

A spin opens with the first record that names it and is current until one names the next: what is said late of it is
still its own. What is said between spins without a name (a bet laid early, a standing bet taken up) belongs to the
next. Colour chips, seats and the wheel's last rotation run on from spin to spin.
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
from games.roulette import events as rl
from games.roulette.bets import bet_of, call_bet_of
from games.roulette.carry import left_behind
from games.roulette.holdings import after_losses, given, left_behind_by, refused_to, taken_back
from games.roulette.table import Bet, Limits, Session, Spin, Wheel, as_turn
from games.roulette.validity import result_of
from games.shared.booked import settles
from games.shared.wheel.bets import Change

RESULTS_KEPT = 12

BETWEEN = frozenset({
    rl.BetPlaced, rl.CallBetPlaced, rl.BetMoved, rl.BetRemoved, rl.BetsOpened, rl.CallBetAnnounced, rl.CallBetRefused,
})  # fmt: skip
"""What belongs to the next spin if it is said while none is open."""


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
        if spin is None or (fact.round is None and spin.closed is not None and kind is not tb.ChipsMoved):
            if kind in BETWEEN:
                session = replace(session, between=(*session.between, fact))
        else:
            after = of_spin(session, spin, fact)
            if after is not spin:
                session = replace(session, spin=after)
    of_session = _OF_SESSION.get(kind)
    return session if of_session is None else of_session(session, fact)


def _open(session: Session, name: str) -> Session:
    """The next spin: what the last one left stays on the layout, and what was said since then is its first word."""
    last = session.spin
    between = session.between
    if last is None:
        session = replace(session, spin=Spin(name=name), between=(), spins=session.spins + 1)
    else:
        left = left_behind(session)
        turns = session.turns
        wheel = session.wheel.id if session.wheel is not None else ""
        if last.started is None and last.drop is not None:
            turns = {**turns, wheel: "unknown"}
        elif left.void and last.started is not None:
            # Only asked for where the reference is the last valid spin (RL-A03).
            turns = {**turns, wheel: last.previous}
        number = result_of(session, last).number if last.pockets or last.announced else None
        ids = {bet.id for bet in left.standing}
        session = replace(
            session,
            spin=Spin(
                name=name,
                standing=left.standing,
                claims=tuple(fact for fact in last.claims if getattr(fact.event, "bet", "") in ids),
            ),
            between=(),
            turns=turns,
            holdings=after_losses(session.holdings, left.lost) if left.lost else session.holdings,
            results=session.results if number is None else (*session.results, number)[-RESULTS_KEPT:],
            spins=session.spins + 1,
        )
    for fact in between:
        spin = session.spin
        assert spin is not None
        session = replace(session, spin=_OF_SPIN[type(fact.event)](session, spin, fact))
    return session


# What is said of a spin -----------------------------------------------------------------------------------------------


def _bet_placed(session: Session, spin: Spin, fact: Fact) -> Spin:
    assert isinstance(fact.event, rl.BetPlaced)
    return replace(spin, bets=(*spin.bets, bet_of(session, fact, fact.event, _order(spin))))


def _call_bet_placed(session: Session, spin: Spin, fact: Fact) -> Spin:
    assert isinstance(fact.event, rl.CallBetPlaced)
    return replace(spin, bets=(*spin.bets, call_bet_of(session, fact, fact.event, _order(spin))))


def _changed(_session: Session, spin: Spin, fact: Fact) -> Spin:
    assert isinstance(fact.event, rl.BetMoved | rl.BetRemoved)
    bet = fact.event.bet
    settled = spin.closed is not None or any(getattr(own.event, "stake", "") == bet for own in spin.settles)
    return replace(spin, changes=(*spin.changes, Change(fact, bet, settled, _order(spin))))


def _order(spin: Spin) -> int:
    return len(spin.bets) + len(spin.changes)


def _swapped_on_the_layout(_session: Session, spin: Spin, fact: Fact) -> Spin:
    """RL-06: the bet lies in the player's colour now; nothing else about it changes."""
    event = fact.event
    assert isinstance(event, rl.ChipsSwapped)
    if event.bet is None:
        return spin

    def in_colour(bet: Bet) -> Bet:
        if bet.id != event.bet or bet.call:
            return bet
        return replace(bet, colour=event.colour, unit_value=event.unit_value, holder=event.player)

    return replace(spin, standing=tuple(map(in_colour, spin.standing)), bets=tuple(map(in_colour, spin.bets)))


def _chips_moved(_session: Session, spin: Spin, fact: Fact) -> Spin:
    event = fact.event
    assert isinstance(event, tb.ChipsMoved)
    return replace(spin, settles=(*spin.settles, fact)) if settles(event) else spin


def _ball_dropped(_session: Session, spin: Spin, fact: Fact) -> Spin:
    return replace(spin, drop=spin.drop or fact, pockets=(*spin.pockets, fact))


def _first(field: str) -> Callable[[Session, Spin, Fact], Spin]:
    """Keeps the first record of its kind: a call is made once."""
    return lambda _session, spin, fact: spin if getattr(spin, field) is not None else replace(spin, **{field: fact})


def _latest(field: str) -> Callable[[Session, Spin, Fact], Spin]:
    """Keeps the last record of its kind: who says it again says it better."""
    return lambda _session, spin, fact: replace(spin, **{field: fact})


def _each(field: str) -> Callable[[Session, Spin, Fact], Spin]:
    """Keeps every record of its kind."""
    return lambda _session, spin, fact: replace(spin, **{field: (*getattr(spin, field), fact)})


_OF_SPIN: dict[type[Any], Callable[[Session, Spin, Fact], Spin]] = {
    rl.BetPlaced: _bet_placed,
    rl.CallBetPlaced: _call_bet_placed,
    rl.BetMoved: _changed,
    rl.BetRemoved: _changed,
    rl.BetsOpened: _first("opening"),
    tb.NoMoreBets: _first("closing"),
    rl.SpinStarted: lambda session, spin, fact: replace(spin, started=fact, previous=session.turn),
    rl.LapsCounted: _latest("laps"),
    rl.BallDropped: _ball_dropped,
    rl.NumberAnnounced: _latest("announced"),
    rl.MisspinDeclared: _latest("misspin"),
    rl.BallIncident: _each("incidents"),
    rl.StaffAdvice: _each("advice"),
    rl.ClaimRaised: _each("claims"),
    rl.ClaimResolved: _each("claims"),
    rl.CallBetAnnounced: _each("calls"),
    rl.CallBetRefused: _each("calls"),
    rl.CallBetSettled: _each("call_settles"),
    rl.ChipsSwapped: _swapped_on_the_layout,
    tb.ChipsMoved: _chips_moved,
    tb.RoundClosed: _first("closed"),
}


# What runs on from spin to spin ---------------------------------------------------------------------------------------


def _spin_started(session: Session, fact: Fact) -> Session:
    assert isinstance(fact.event, rl.SpinStarted)
    wheel = session.wheel.id if session.wheel is not None else ""
    return replace(session, turns={**session.turns, wheel: as_turn(fact.event.wheel_direction)})


def _wheel_installed(session: Session, fact: Fact) -> Session:
    """Another wheel has not turned here yet, unless the house compares across openings (RL-A04)."""
    event = fact.event
    assert isinstance(event, rl.WheelInstalled)
    turns = session.turns
    if event.wheel not in turns and not session.edition["roulette.alternation_resets_on_open"]:
        turns = {**turns, event.wheel: as_turn(event.last_direction)}
    return replace(session, wheel=Wheel(event.wheel, event.order, fact), turns=turns)


def _limits_changed(session: Session, fact: Fact) -> Session:
    assert isinstance(fact.event, tb.LimitsChanged)
    return replace(session, limits=session.limits.changed(fact.event))


def _issued(session: Session, fact: Fact) -> Session:
    event = fact.event
    assert isinstance(event, tb.ColourChipsIssued)
    where = "holdings" if event.table in (None, session.table) else "elsewhere"
    had = given(getattr(session, where), event.player, event.colour, event.unit_value, event.count)
    return replace(session, **{where: had})


def _redeemed(session: Session, fact: Fact) -> Session:
    event = fact.event
    assert isinstance(event, tb.ColourChipsRedeemed)
    return replace(session, holdings=taken_back(session.holdings, event.player, event.colour, event.count))


def _swapped(session: Session, fact: Fact) -> Session:
    event = fact.event
    assert isinstance(event, rl.ChipsSwapped)
    return replace(session, holdings=given(session.holdings, event.player, event.colour, event.unit_value, event.count))


def _refused(session: Session, fact: Fact) -> Session:
    assert isinstance(fact.event, rl.RedemptionRefused)
    if fact.event.player in session.left:
        return session
    return replace(session, holdings=refused_to(session.holdings, fact.event.player))


def _ended(session: Session, fact: Fact) -> Session:
    assert isinstance(fact.event, tb.PlayerEndedPlay)
    return replace(session, ended=session.ended | {fact.event.player})


def _plays_on(session: Session, fact: Fact) -> Session:
    """Who bets has not ended play, whatever he said before."""
    player = getattr(fact.event, "player", "")
    return replace(session, ended=session.ended - {player}) if player in session.ended else session


def _left(session: Session, fact: Fact) -> Session:
    assert isinstance(fact.event, tb.PlayerLeftTable)
    player = fact.event.player
    return replace(session, left=session.left | {player}, holdings=left_behind_by(session, player))


def _seat_taken(session: Session, fact: Fact) -> Session:
    event = fact.event
    assert isinstance(event, tb.SeatTaken)
    return replace(
        session,
        seats={**session.seats, event.seat: event.person},
        left=session.left - {event.person},
        ended=session.ended - {event.person},
    )


def _seat_left(session: Session, fact: Fact) -> Session:
    assert isinstance(fact.event, tb.SeatLeft)
    gone = fact.event.seat
    return replace(session, seats={seat: person for seat, person in session.seats.items() if seat != gone})


_OF_SESSION: dict[type[Any], Callable[[Session, Fact], Session]] = {
    rl.SpinStarted: _spin_started,
    rl.WheelInstalled: _wheel_installed,
    rl.BetPlaced: _plays_on,
    rl.CallBetPlaced: _plays_on,
    rl.ChipsSwapped: _swapped,
    rl.RedemptionRefused: _refused,
    tb.LimitsChanged: _limits_changed,
    tb.ColourChipsIssued: _issued,
    tb.ColourChipsRedeemed: _redeemed,
    tb.PlayerEndedPlay: _ended,
    tb.PlayerLeftTable: _left,
    tb.SeatTaken: _seat_taken,
    tb.SeatLeft: _seat_left,
    tb.TableClosed: lambda session, _fact: replace(session, closed=True),
}
