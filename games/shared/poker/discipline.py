"""How players behave, as far as somebody recorded it: reports, warnings, expulsions (folded into `Session.conduct`).

A report and the warning that answers it are one breach; a warning that answers no report is a breach of its own. What
is said between hands, or once the pot is awarded, disturbs no hand and does not count.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from events.schema.common import ChipsMoved
from events.values.places import POT
from games.shared.poker.acting import folded, passed_on
from games.shared.poker.betting import NOBODY, turn
from games.shared.poker.conduct import ConductReported, PenaltyGiven
from games.shared.poker.hand import STREETS, UNLIMITED, Hand
from games.shared.poker.stacks import NOTHING, stack_after

if TYPE_CHECKING:
    from games.shared.poker.table import Session

WORDS = frozenset({"talk", "advice", "comment", "language"})
"""What may be said freely while no hand is being played."""

ETIQUETTE = WORDS | {"cards_hidden", "chips_hidden", "delay", "splash", "other"}
"""What is counted: the first time a breach, repeated a ground for a penalty."""


class Expelled(Struct, frozen=True, gc=False):
    """A player who has to leave. `owed`: chips at his seat when he was expelled and what the pots gave him since,
    minor units (None: nobody knows what he had); `cashed`: what went from there to him or to a cash desk."""

    seat: int
    owed: int | None
    cashed: int = 0


class Conduct(Struct, frozen=True, gc=False):
    """A session's record of its players. `breaches` of etiquette counted by player; `unanswered` reports that no
    sanction followed yet; `expelled` by player."""

    breaches: dict[str, int] = {}
    unanswered: dict[str, int] = {}
    expelled: dict[str, Expelled] = {}


def in_play(hand: Hand | None) -> bool:
    """Whether a hand is being played: begun, its pot not yet awarded."""
    return hand is not None and not hand.closed and not any(hand.won)


def counts(session: Session, event: ConductReported) -> bool:
    """Whether a report is one of a breach of etiquette; talk in an official language of the table is none."""
    if event.what == "language" and event.language in session.terms.languages:
        return False
    return event.what in ETIQUETTE and (event.what not in WORDS or in_play(session.hand))


def breaches_after(session: Session, event: ConductReported | PenaltyGiven) -> int:
    """How many breaches of etiquette the player has on record once this is counted."""
    conduct, player = session.conduct, event.player
    answers = isinstance(event, PenaltyGiven) and conduct.unanswered.get(player, 0) > 0
    return conduct.breaches.get(player, 0) + (not answers)


def reported(session: Session, event: ConductReported) -> Session:
    """A report is folded into the session."""
    if not counts(session, event):
        return session
    conduct, player = session.conduct, event.player
    breaches = {**conduct.breaches, player: breaches_after(session, event)}
    unanswered = {**conduct.unanswered, player: conduct.unanswered.get(player, 0) + 1}
    return replace(session, conduct=replace(conduct, breaches=breaches, unanswered=unanswered))


def penalised(session: Session, event: PenaltyGiven) -> Session:
    """A sanction is folded into the session; an expulsion also into the hand being played."""
    conduct, player = session.conduct, event.player
    waiting = conduct.unanswered.get(player, 0)
    if waiting:
        conduct = replace(conduct, unanswered={**conduct.unanswered, player: waiting - 1})
    elif event.penalty == "warning":
        conduct = replace(conduct, breaches={**conduct.breaches, player: breaches_after(session, event)})
    session = replace(session, conduct=conduct)
    if event.penalty == "no_raise":
        return _may_not_raise(session, event)
    return _expelled(session, event) if event.penalty == "expulsion" else session


def _may_not_raise(session: Session, event: PenaltyGiven) -> Session:
    """For the rest of the hand being played he may only call or fold."""
    hand, seat = session.hand, seat_of(session, event.player, event.seat)
    if hand is None or not in_play(hand) or hand.place(seat) == NOBODY:
        return session
    hand = hand.copy()
    hand.forfeits = (*hand.forfeits, *((street, seat) for street in range(hand.street, len(STREETS))))
    return replace(session, hand=hand)


def seat_of(session: Session, player: str, seat: int | None = None) -> int:
    """The seat of a player, by the hand or by who sits where; `seat` if neither knows him, 0 without one."""
    hand = session.hand
    if hand is not None and player in hand.players:
        return hand.seats[hand.players.index(player)]
    return next((own for own, who in session.seated.items() if who == player), seat or 0)


def _expelled(session: Session, event: PenaltyGiven) -> Session:
    seat = seat_of(session, event.player, event.seat)
    hand = session.hand
    place = NOBODY if hand is None else hand.place(seat)
    owed: int | None = None
    if hand is not None and place != NOBODY:
        owed = None if hand.stacks[place] > UNLIMITED // 2 else max(hand.stacks[place], 0)
        if in_play(hand) and not hand.out[place] and not hand.over:
            hand = hand.copy()
            _take_from_play(hand, session, place)
            session = replace(session, hand=hand)
    conduct = session.conduct
    expelled = {**conduct.expelled, event.player: Expelled(seat, owed)}
    return replace(session, conduct=replace(conduct, expelled=expelled))


def _take_from_play(hand: Hand, session: Session, place: int) -> None:
    """He acts no more. His hand stays live for what he has put in, as if he were all-in (NL-43); it is dead where the
    rule book says so, or where he has put nothing in, unless nothing is left but to compare the hands."""
    if not hand.ready and (session.terms.expelled_dead or not hand.live[place] + hand.antes[place]):
        folded(hand, session, place, "killed")
        return
    hand.aside = (*hand.aside, (hand.seats[place], hand.stacks[place]))
    hand.stacks[place] = 0
    if hand.pending is not None and hand.pending.place == place:
        hand.pending = None
    bets = hand.bets
    if bets.actor != NOBODY:
        bets.actor = turn(bets, hand.stacks, hand.out, place + 1 if bets.actor == place else bets.actor)
        passed_on(hand, session)


def chips_of_the_expelled(session: Session, event: Any) -> Session:
    """What pots give to an expelled player's seat, and what leaves it."""
    conduct = session.conduct
    for player, one in conduct.expelled.items():
        place = f"seat/{one.seat}"
        if one.owed is None or place not in (event.frm, event.to):
            continue
        if session.seated.get(one.seat, player) != player:
            continue  # he has left, and somebody else sits there
        if event.to == place:
            now = replace(one, owed=one.owed + event.amount)
        elif is_cash_out(event):
            now = replace(one, cashed=one.cashed + event.amount)
        else:
            now = replace(one, owed=one.owed - event.amount)
        return replace(session, conduct=replace(conduct, expelled={**conduct.expelled, player: now}))
    return session


def acted_all_the_same(session: Session) -> Session:
    """A hand is over: chips that a player put in after he was expelled are not before him any more."""
    hand, conduct = session.hand, session.conduct
    if hand is None or not any(one.code == "expelled_acts" and one.returned for one in hand.irregular):
        return session
    expelled = dict(conduct.expelled)
    for player, one in conduct.expelled.items():
        place = hand.place(one.seat)
        stack = None if place == NOBODY else stack_after(hand, place)
        if stack is not None and any(own.seat == one.seat and own.code == "expelled_acts" for own in hand.irregular):
            moved = session.moved.get(player, NOTHING)
            expelled[player] = replace(one, owed=stack + moved.added + moved.other - moved.taken + one.cashed)
    return replace(session, conduct=replace(conduct, expelled=expelled))


def is_cash_out(event: ChipsMoved) -> bool:
    """Whether chips go from a seat to their owner or to whoever pays for them."""
    return event.to.startswith(("player/", "desk/")) or event.cause in ("cash_out", "exchange", "tip")


def withheld(session: Session, event: ChipsMoved) -> str:
    """The expelled player whose chips this takes away; empty if it does not (NL-43)."""
    if event.to == POT or event.to.startswith("seat/") or is_cash_out(event):
        return ""
    expelled = session.conduct.expelled.items()
    return next((player for player, one in expelled if event.frm == f"seat/{one.seat}"), "")


def to_cash_out(session: Session) -> list[tuple[str, Expelled, int]]:
    """Expelled players who still have chips here: who, what is known of him, how much."""
    expelled = session.conduct.expelled.items()
    found = [(player, one, (one.owed or 0) - one.cashed) for player, one in expelled]
    return [(player, one, left) for player, one, left in found if left > 0]
