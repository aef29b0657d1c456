"""A poker table between and in hands, and its fold. Whatever comes is taken in; judging it is for the checks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from events.schema.common import BuyIn, ChipsMoved, PlayerLeftTable, RoundClosed, SeatLeft, SeatTaken, ShuffleStep
from events.schema.fact import Fact
from events.values.places import POT
from games.house_rules.edition import Edition
from games.shared.poker.attendance import (
    SitOut,
    came_back,
    changed_seat,
    counted_down,
    entering_after,
    left_seat,
    left_table,
    penalty_over,
    seen,
    seen_all,
    sits_out,
    took_seat,
    went_away,
)
from games.shared.poker.betting import Limits
from games.shared.poker.blinds import ended_in_misdeal, positions_of
from games.shared.poker.conduct import ConductReported, PenaltyEnded, PenaltyGiven
from games.shared.poker.discipline import Conduct, acted_all_the_same, chips_of_the_expelled, penalised, reported
from games.shared.poker.events import (
    ButtonCardDrawn,
    LineUp,
    PlayerCameBack,
    PlayerDealtIn,
    PlayerWentAway,
    Posted,
    SeatChanged,
    StakesAnnounced,
)
from games.shared.poker.fold import HANDLERS, Handler
from games.shared.poker.hand import Hand, Stakes, Terms, limits_of, stakes_of
from games.shared.poker.seats import Entry, Positions
from games.shared.poker.shuffling import Shuffle, carried, shuffled
from games.shared.poker.stacks import (
    NOTHING,
    Moved,
    Passed,
    bought_in,
    moved_by,
    owner,
    removed_in_play,
    stack_after,
    with_moved,
    with_passed,
)


class Before(Struct, frozen=True, gc=False):
    """What the hands before leave for the next: seats of button and blinds (`stays`: a misdeal moves no button), the
    stack of every player who plays on, minor units, and what was added to it and taken from it since he was last dealt
    in."""

    positions: Positions = Positions()
    stays: bool = False
    stacks: dict[str, int] = {}
    moved: dict[str, Moved] = {}


class Session(Struct, frozen=True, gc=False):
    """A poker table. `hand` is the one being played or, until the next begins, the last one; `seated` seat → player;
    `away` seats whose players are not dealt in; `draws`: cards drawn for the button since the last hand began.

    `entering`: who would come in, or come back, with the next hand; `waiting`: seats that wait for the big blind;
    `sit_outs`: penalties that run; `moved`: chips that came to stacks and left them since the hand began; `gone`: who
    left since then. `next_stakes`: announced while a hand was on, so that they are played from the next. `passed`:
    chips that went from player to player outside the pots and did not come back. `awarded`: when the latest pot of
    each hand was awarded, ms UTC.

    `smallest_chip`: whether the record says which chip is the smallest (`Terms.unit`).

    `conduct`: what is on record of the players' behaviour; `shuffle`: the steps for the deal that comes next.
    """

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
    shuffle: Shuffle = Shuffle()
    entering: tuple[Entry, ...] = ()
    waiting: frozenset[int] = frozenset()
    sit_outs: tuple[SitOut, ...] = ()
    moved: dict[str, Moved] = {}
    gone: frozenset[str] = frozenset()
    settled: bool = False
    next_stakes: Stakes | None = None
    smallest_chip: bool = True
    passed: Passed = {}
    awarded: dict[str, int] = {}


def evolve(session: Session, fact: Fact) -> Session:
    """The table after a fact; the one before stays as it was. A hand begins with the first fact that names it."""
    hand = session.hand
    if hand is not None and hand.name == fact.round and type(fact.event) in HANDLERS:
        session = replace(session, hand=hand.copy())
    return advance(session, fact)


def advance(session: Session, fact: Fact) -> Session:
    """As `evolve`, for who keeps none of the tables before: the hand being played changes in place."""
    event, name, hand = fact.event, fact.round, session.hand
    if name is not None and (hand is None or hand.name != name):
        session = begin(session, name, fact.occurred_at)
        hand = session.hand
    between, handler = _STEPS[type(event)]
    if between is not None:
        session = between(session, event, fact)
        hand = session.hand
    # Chips and cards outside hands belong to checks, not to a hand.
    if handler is not None and name is not None and hand is not None:
        handler(hand, event, session, fact)
    return session


def begin(session: Session, name: str, at_ms: int) -> Session:
    """The table as the hand `name` begins (ms UTC): nobody is dealt in yet."""
    last = session.hand
    if session.imported:  # a site tells each hand by itself
        return replace(session, hand=Hand(name=name, drawn=session.draws), draws=())
    if last is not None and not session.settled:
        session = _settled(session, last)
    barred, sit_outs = counted_down(session.sit_outs, at_ms)
    hand = Hand(name=name, drawn=session.draws, entering=session.entering, barred=barred)
    if session.next_stakes is not None:
        session = _play_for(session, session.next_stakes)
    return replace(
        session,
        hand=hand,
        shuffle=carried(session.shuffle, last),
        before=_before(session, last),
        draws=(),
        sit_outs=sit_outs,
        moved={},
        gone=frozenset(),
        settled=False,
        next_stakes=None,
    )


def _before(session: Session, last: Hand | None) -> Before:
    before = session.before
    if last is None:
        return replace(before, moved=session.moved)
    stacks: dict[str, int] = {}
    moved: dict[str, Moved] = {}
    for player in session.seated.values():
        own = session.moved.get(player, NOTHING)
        if player in last.players:
            stack = None if player in session.gone else stack_after(last, last.players.index(player))
        else:
            stack, own = before.stacks.get(player), before.moved.get(player, NOTHING).plus(own)
        if stack is not None and player not in session.gone:
            stacks[player] = stack
        if own != NOTHING:
            moved[player] = own
    if len(last.seats) < 2 and not last.button:
        return replace(before, stacks=stacks, moved=moved)
    positions = positions_of(last, Positions() if last.drawn else before.positions, session.terms)
    return Before(positions, ended_in_misdeal(last), stacks, moved)


def _settled(session: Session, hand: Hand) -> Session:
    """The hand is over: who was not dealt in may have been passed by the blinds."""
    waiting = session.waiting.difference(hand.seats) if session.waiting else session.waiting
    return replace(session, entering=entering_after(session, hand), waiting=waiting, settled=True)


def _hand_over(session: Session, _event: RoundClosed, fact: Fact) -> Session:
    hand = session.hand
    if session.imported or session.settled or hand is None or hand.name != fact.round:
        return session
    if session.conduct.expelled:
        session = acted_all_the_same(session)
    return _settled(session, hand)


def _posting(session: Session, event: Posted, fact: Fact) -> Session:
    """Nobody announced the stakes: the big blind that is posted tells them."""
    if session.stakes.big_blind or event.kind != "big_blind" or fact.round is None:
        return session
    stakes = session.stakes
    return _play_for(session, replace(stakes, big_blind=event.amount, small_bet=event.amount, big_bet=2 * event.amount))


def _announced(session: Session, event: StakesAnnounced, _fact: Fact) -> Session:
    stakes, hand = stakes_of(event), session.hand
    if hand is not None and not hand.closed and (hand.posts or hand.dealt) and session.stakes.big_blind:
        return replace(session, next_stakes=stakes)
    return _play_for(session, stakes)


def _play_for(session: Session, stakes: Stakes) -> Session:
    return replace(session, stakes=stakes, limits=limits_of(stakes, session.terms))


def _chips(session: Session, event: ChipsMoved, fact: Fact) -> Session:
    """Chips that come to stacks and leave them outside the pots."""
    if session.conduct.expelled:
        session = chips_of_the_expelled(session, event)
    if session.imported:
        return session
    if event.frm == POT:
        name = fact.round
        return session if event.cause != "award" or name is None else _awarded(session, name, fact.occurred_at)
    hand, seated = session.hand, session.seated
    giver, taker = owner(event.frm, hand, seated), owner(event.to, hand, seated)
    if giver and taker and giver != taker:
        session = replace(session, passed=with_passed(session.passed, event, giver, taker))
    more = moved_by(event, seated)
    for player, moved in more.items():
        if moved.taken and removed_in_play(hand, player):
            more[player] = replace(moved, in_play=moved.taken)
    return replace(session, moved=with_moved(session.moved, more)) if more else session


def _awarded(session: Session, hand: str, at_ms: int) -> Session:
    return replace(session, awarded={**session.awarded, hand: at_ms})


def _bought(session: Session, event: BuyIn, _fact: Fact) -> Session:
    return replace(session, moved=bought_in(session.moved, event.player, event.amount))


def _drew(session: Session, event: ButtonCardDrawn, _fact: Fact) -> Session:
    return replace(session, draws=(*session.draws, (event.seat, event.card)))


def _reported(session: Session, event: ConductReported, _fact: Fact) -> Session:
    return reported(session, event)


def _shuffled(session: Session, event: ShuffleStep, _fact: Fact) -> Session:
    return replace(session, shuffle=shuffled(session.shuffle, event, session.hand))


def _penalised(session: Session, event: PenaltyGiven, fact: Fact) -> Session:
    return penalised(sits_out(session, event, fact), event)


_BETWEEN: dict[Any, Callable[[Session, Any, Fact], Session]] = {
    StakesAnnounced: _announced,
    SeatTaken: took_seat,
    SeatLeft: left_seat,
    PlayerLeftTable: left_table,
    PlayerWentAway: went_away,
    PlayerCameBack: came_back,
    SeatChanged: changed_seat,
    PlayerDealtIn: seen,
    LineUp: seen_all,
    ButtonCardDrawn: _drew,
    Posted: _posting,
    ChipsMoved: _chips,
    BuyIn: _bought,
    RoundClosed: _hand_over,
    ConductReported: _reported,
    ShuffleStep: _shuffled,
    PenaltyGiven: _penalised,
    PenaltyEnded: penalty_over,
}
"""What an event does to the table, in a hand and between hands; then its handler, if any, does what it does to the
hand that it names."""


class _Steps(dict[Any, tuple[Callable[[Session, Any, Fact], Session] | None, Handler | None]]):
    def __missing__(self, kind: Any) -> tuple[Callable[[Session, Any, Fact], Session] | None, Handler | None]:
        found = self[kind] = (_BETWEEN.get(kind), HANDLERS.get(kind))
        return found


_STEPS = _Steps()
