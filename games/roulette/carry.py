"""What lies on the layout when a spin is over: winning bets stay for the next one (RL-33, RL-42 step 8).

What physically lay there follows the recorded settlement, what is due follows the rules: a spin that was paid out and
is void, by its facts or by a later ruling, leaves what the table left.
"""

from __future__ import annotations

from itertools import chain, repeat

from msgspec import Struct
from msgspec.structs import replace

from games.roulette.bets import owners_of
from games.roulette.events import CallBetSettled, NumberAnnounced
from games.roulette.layout import LAYOUT, find_position
from games.roulette.payouts import Analysis, analyse
from games.roulette.table import Bet, Session, Spin
from games.roulette.validity import result_of
from games.shared.booked import Booked, booked
from games.shared.wheel.bets import Piece, changes_by_bet, physical


class Left(Struct, frozen=True):
    """`standing`: the bets that stay; `lost`: what the bank took of each bet in colour chips, minor units.

    `void`: the spin does not count as a rotation to alternate with (only where that is asked, RL-A03).
    """

    standing: tuple[Bet, ...] = ()
    lost: tuple[tuple[Bet, int], ...] = ()
    void: bool = False


def left_behind(session: Session) -> Left:
    """What the session's last spin leaves."""
    spin = session.spin
    if spin is None:
        return Left()
    needs_validity = session.edition["roulette.alternation_reference"] == "last_valid_spin"
    record, laid_out = booked(spin.settles), _laid_out(spin)
    on_record = bool(record or laid_out)
    analysis = analyse(session) if needs_validity or (spin.layout and not on_record) else None
    void = needs_validity and analysis is not None and analysis.void
    if not spin.layout:
        return Left(void=void)
    if on_record:
        standing = _by_record(session, spin, record, laid_out)
        taken = {bet: own.taken for bet, own in record.items()}
    else:
        assert analysis is not None
        standing = _as_due(spin, analysis)
        taken = {line.stake: line.taken for line in analysis.settlement.lines}
    lost = tuple((bet, taken[bet.id]) for bet in spin.layout if bet.colour and taken.get(bet.id))
    return Left(standing, lost, void)


def _as_due(spin: Spin, analysis: Analysis) -> tuple[Bet, ...]:
    owners = {line.stake: line.player for line in analysis.settlement.lines}
    changes = changes_by_bet(spin.changes)
    standing = []
    for bet, pieces in zip(spin.layout, chain(analysis.left, repeat(())), strict=False):
        lying = physical(pieces, (change for change in changes.get(bet.id, ()) if change.settled), LAYOUT)
        if lying:
            standing.append(_standing(bet, lying, owners.get(bet.id, bet.player)))
    return tuple(standing)


def _by_record(
    session: Session, spin: Spin, record: dict[str, Booked], laid_out: dict[str, CallBetSettled]
) -> tuple[Bet, ...]:
    numbers = _settled_on(session, spin)
    gone = {bet: own.taken + own.returned for bet, own in record.items()}
    changes = changes_by_bet(spin.changes)
    owners = owners_of(session, spin)
    standing = []
    for bet in spin.layout:
        if bet.call and bet.id in laid_out and bet.unit_value:
            pieces = tuple(Piece(part.position, part.chips * bet.unit_value) for part in laid_out[bet.id].winning)
            pieces = physical(pieces, (change for change in changes.get(bet.id, ()) if change.settled), LAYOUT)
        else:
            pieces = physical(bet.pieces, changes[bet.id], LAYOUT) if bet.id in changes else bet.pieces
            lying = sum(piece.amount for piece in pieces)
            off = max(0, gone.get(bet.id, 0) - bet.rest)
            pieces = _less(pieces, off, next((own for own in numbers if _missed(pieces, own) == off), numbers[0]))
            gone[bet.id] = max(0, off - lying)
        if pieces:
            standing.append(_standing(bet, pieces, owners.get(bet.id, bet.player)))
    return tuple(standing)


def _settled_on(session: Session, spin: Spin) -> tuple[int | None, ...]:
    """The numbers by which the table may have paid and taken: its own word first, right or wrong, then the pocket."""
    said = spin.announced.event if spin.announced is not None else None
    pocket = result_of(session, spin).number
    return (said.number, pocket) if isinstance(said, NumberAnnounced) else (pocket,)


def _laid_out(spin: Spin) -> dict[str, CallBetSettled]:
    return {fact.event.bet: fact.event for fact in spin.call_settles if isinstance(fact.event, CallBetSettled)}


def _less(pieces: tuple[Piece, ...], gone: int, number: int | None) -> tuple[Piece, ...]:
    """Pieces without `gone` minor units: those that lost are off first, as at a table."""
    if gone <= 0:
        return pieces
    left = []
    for piece in sorted(pieces, key=lambda piece: _hit(piece, number)):
        part = min(piece.amount, gone)
        gone -= part
        if piece.amount > part:
            left.append(Piece(piece.position, piece.amount - part))
    return tuple(left)


def _missed(pieces: tuple[Piece, ...], number: int | None) -> int:
    """What a number takes of them, minor units."""
    return sum(piece.amount for piece in pieces if not _hit(piece, number))


def _hit(piece: Piece, number: int | None) -> bool:
    place = find_position(piece.position)
    return place is not None and number in place.numbers


def _standing(bet: Bet, pieces: tuple[Piece, ...], player: str) -> Bet:
    """The bet for the next spin: an ordinary one now, whatever it was, laid before all others there."""
    holder = player if player != bet.player else bet.holder
    return replace(bet, player=player, pieces=pieces, call="", rest=0, holder=holder, standing=True, order=-1)
