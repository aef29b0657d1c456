"""What may happen next at a roulette table, and which payments are due."""

from __future__ import annotations

from games.protocol import Action, Due, Expectation
from games.roulette.layout import LAYOUT
from games.roulette.payouts import analyse
from games.roulette.table import Session, Spin
from games.shared.bank.dues import dues
from games.shared.wheel import opposite
from games.shared.wheel.bets import physical


def expects(session: Session) -> Expectation:
    """The phase in the floor's words, who may act, and what the bank owes or is owed now.

    Phases: `between spins`, `betting`, `betting, wheel spinning`, `no more bets`, `ball down`, `settlement`, `settled`,
    `mis-spin`, `ruling`, `closed`. Amounts of a bet are the limits of any single position; `high` and `low` None where
    the table posts none.
    """
    spin = session.spin
    if session.closed:
        return Expectation(phase="closed", due=_exchanges(session))
    if spin is None or spin.closed is not None:
        return Expectation(
            phase="between spins",
            actor="croupier",
            actions=(_staff("call place your bets"), *_bets(session)),
            due=_exchanges(session),
            note="winning bets stay where they won" if spin is not None else "",
        )
    if spin.drop is None and spin.announced is None and not spin.misspin and not spin.incidents:
        return _before_the_drop(session, spin)
    return _after_the_drop(session, spin)


def _before_the_drop(session: Session, spin: Spin) -> Expectation:
    started, closed = spin.started is not None, spin.closing is not None
    if closed:
        waits = "ball drops" if started else f"spin {_direction(session)}"
        return Expectation(phase="no more bets", actor="croupier", actions=(_staff(waits),))
    actions = _bets(session)
    if spin.opening is None:
        actions = (_staff("call place your bets"), *actions)
    if started:
        return Expectation(
            phase="betting, wheel spinning", actor="players", actions=(*actions, _staff("call no more bets"))
        )
    return Expectation(
        phase="betting",
        actor="players",
        actions=(*actions, _staff("spin " + _direction(session))),
        note=f"wheel {_direction(session)}, ball the other way",
    )


def _after_the_drop(session: Session, spin: Spin) -> Expectation:
    analysis = analyse(session)
    if any(mark.kind == "ruling_required" and mark.scope == "round" for mark in analysis.marks):
        codes = sorted({mark.code for mark in analysis.marks if mark.kind == "ruling_required"})
        return Expectation(phase="ruling", actor="management", note=", ".join(codes))
    due = dues(analysis.settlement.lines, spin.settles, _lying(spin))
    if analysis.void:
        codes = sorted({mark.code for mark in analysis.marks if mark.kind == "void"})
        return Expectation(
            phase="mis-spin" if due else "settled", actor="croupier", due=due, note=f"void: {', '.join(codes)}"
        )
    if spin.announced is None and analysis.number is not None:
        return Expectation(
            phase="ball down", actor="croupier", actions=(_staff(f"announce {analysis.number}"),), due=due
        )
    if not analysis.settlement.known:
        return Expectation(phase="ball down", actor="croupier", note="no number is on record")
    return Expectation(phase="settlement" if due else "settled", actor="croupier", due=due)


def _lying(spin: Spin) -> dict[str, int]:
    """Bet → chips that lie in its box before the settlement: what was taken up, even too late, is not given back."""
    lying: dict[str, int] = {}
    for bet in spin.layout:
        changes = (change for change in spin.changes if change.bet == bet.id and not change.settled)
        lying[bet.id] = (
            lying.get(bet.id, 0) + bet.rest + sum(own.amount for own in physical(bet.pieces, changes, LAYOUT))
        )
    return lying


def _bets(session: Session) -> tuple[Action, ...]:
    limits = session.limits
    return (
        Action(actor="players", name="bet", low=limits.low, high=limits.high),
        *(
            Action(actor="players", name=f"bet {kind}", low=low, high=high)
            for kind, (low, high) in limits.by_type.items()
        ),
        Action(actor="players", name="ask for a call bet"),
    )


def _staff(name: str) -> Action:
    return Action(actor="croupier", name=name)


def _direction(session: Session) -> str:
    """Which way the wheel must turn next: against its last rotation; `either way` where there is none to go by."""
    turn = session.turn
    if turn in ("cw", "ccw"):
        return opposite("cw" if turn == "cw" else "ccw")
    return "either way"


def _exchanges(session: Session) -> tuple[Due, ...]:
    """Colour chips of players who are done, at what they are worth now (RL-07, RL-08)."""
    done = session.ended | session.left
    return tuple(
        Due(
            what="exchange",
            frm="float",
            to=f"player/{holding.player}",
            amount=holding.count * holding.worth,
            stake=f"{holding.count} {holding.colour}",
        )
        for holding in session.holdings
        if holding.count and holding.worth and (session.closed or holding.player in done)
    )
