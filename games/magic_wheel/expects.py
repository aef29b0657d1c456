"""What may happen next at a magic wheel, and which payments are due."""

from __future__ import annotations

from games.magic_wheel.payouts import Analysis, analyse
from games.magic_wheel.stakes import changes_of, choice_of, layout_of, no_cutoff
from games.magic_wheel.symbols import BOXES, LAYOUT
from games.magic_wheel.table import Session, Spin
from games.protocol import Action, Due, Expectation
from games.shared.bank.dues import dues
from games.shared.wheel.bets import changes_by_bet, physical


def expects(session: Session) -> Expectation:
    """The phase in the floor's words, who may act, and what the bank owes or is owed now.

    Phases: `between games`, `betting`, `no more bets`, `wheel turning`, `wheel stopped`, `cancelled`, `settlement`,
    `settled`, `ruling`, `closed`. Amounts of a bet are a player's total on one symbol; `high` and `low` None where
    neither table nor house sets any.
    """
    spin = session.spin
    if session.closed:
        return Expectation(phase="closed", due=_unsettled(session))
    if spin is None or spin.closed is not None:
        return _between(session)
    if spin.has_stopped or spin.incidents:
        return _after_the_stop(session, spin)
    if spin.spins:
        note = "betting was not closed before the spin" if spin.closing is None else ""
        return Expectation(phase="wheel turning", actor="croupier", actions=(_staff("wheel stops"),), note=note)
    if spin.closing is not None:
        turns = session.edition["wheel.min_rotations"]
        return Expectation(phase="no more bets", actor="croupier", actions=(_staff(f"spin, {turns} turns or more"),))
    actions = (*_bets(session), *_choices(session, spin))
    if spin.opening is None:
        return Expectation(
            phase="betting", actor="croupier", actions=(_staff(f"call {_call(session, 'opening_call')}"), *actions)
        )
    return Expectation(
        phase="betting", actor="players", actions=(*actions, _staff(f"call {_call(session, 'closing_call')}"))
    )


def _between(session: Session) -> Expectation:
    """The next game begins when the last is settled (MW-16)."""
    due = _unsettled(session)
    opens = () if due else (_staff(f"call {_call(session, 'opening_call')}"),)
    return Expectation(
        phase="between games",
        actor="croupier",
        actions=(*opens, *_bets(session)),
        due=due,
        note="the last game is not settled" if due else "",
    )


def _unsettled(session: Session) -> tuple[Due, ...]:
    spin = session.spin
    if spin is None or _asks(analysis := analyse(session)):
        return ()
    return _dues(session, spin, analysis)


def _after_the_stop(session: Session, spin: Spin) -> Expectation:
    analysis = analyse(session)
    if _asks(analysis):
        codes = sorted({mark.code for mark in analysis.marks if mark.kind == "ruling_required"})
        return Expectation(phase="ruling", actor="management", note=", ".join(codes))
    due = _dues(session, spin, analysis)
    if analysis.void:
        codes = sorted({mark.code for mark in analysis.marks if mark.kind == "void" and mark.scope != "bet"})
        choices = tuple(
            Action(actor=bet.player, name=f"leave {bet.id} or take it back")
            for bet in analysis.offered
            if choice_of(spin, bet.id, own=True) is None
        )
        return Expectation(
            phase="cancelled" if due or choices else "settled",
            actor="players" if choices else "croupier",
            actions=choices,
            due=due,
            note=f"void: {', '.join(codes)}",
        )
    if analysis.symbol is None:
        return Expectation(phase="wheel stopped", actor="croupier", note="no symbol is on record")
    if spin.announced is None:
        return Expectation(
            phase="wheel stopped", actor="croupier", actions=(_staff(f"announce {analysis.symbol}"),), due=due
        )
    waits = ", ".join(line.stake for line in analysis.settlement.lines if line.held)
    return Expectation(
        phase="settlement" if due else "settled",
        actor="croupier",
        due=due,
        note=f"held for the complaint: {waits}" if waits else "",
    )


def _asks(analysis: Analysis) -> bool:
    return any(mark.kind == "ruling_required" and mark.scope == "round" for mark in analysis.marks)


def _dues(session: Session, spin: Spin, analysis: Analysis) -> tuple[Due, ...]:
    """Less what the record shows; what was taken up, even too late, is not given back."""
    lying: dict[str, int] = {}
    changes = changes_by_bet(changes_of(session, spin))
    for bet in layout_of(session, spin, no_cutoff(session)):
        own = physical(bet.pieces, changes.get(bet.id, ()), LAYOUT)
        lying[bet.id] = lying.get(bet.id, 0) + sum(piece.amount for piece in own)
    return dues(analysis.settlement.lines, spin.settles, lying)


def _bets(session: Session) -> tuple[Action, ...]:
    """What a player may bet; once a symbol has limits of its own, symbol by symbol."""
    house = session.edition["wheel.table_min"], session.edition["wheel.table_max"]

    def bet(name: str, posted: tuple[int | None, int | None]) -> Action:
        low, high = (one if one is not None else other for one, other in zip(posted, house, strict=True))
        return Action(actor="players", name=name, low=low, high=high)

    by_type = session.limits.by_type
    return (
        bet("bet", (session.limits.low, session.limits.high)),
        *(bet(f"bet {symbol}", limits) for symbol, limits in by_type.items() if symbol in BOXES),
    )


def _choices(session: Session, spin: Spin) -> tuple[Action, ...]:
    """MW-10: until the closing call a bet of the cancelled game may be left or taken back."""
    return tuple(
        Action(actor=bet.player, name=f"leave {bet.id} or take it back")
        for bet in spin.offered
        if choice_of(spin, bet.id) is None
    )


def _staff(name: str) -> Action:
    return Action(actor="croupier", name=name)


def _call(session: Session, which: str) -> str:
    return f"«{getattr(session.edition.constants, which)}»"
