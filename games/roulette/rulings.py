"""Rulings on a spin: the grounds of RL-40 and RL-41, and which bets a ruling on advice voids."""

from __future__ import annotations

from events.schema.fact import Fact
from events.schema.ours import Ruling
from games.roulette.bets import owners_of
from games.roulette.events import StaffAdvice
from games.roulette.matrix import MATRIX
from games.roulette.table import Session, Spin
from games.shared import rulings
from games.shared.rulings import BetRuling, Grounds, Rulings

_RULES = {
    "ball_incident": "RL-21", "wheel_order_mismatch": "RL-01", "misspin_unfounded": "RL-16", "claim_disputed": "RL-22",
}  # fmt: skip
"""Ground → the rule under which a ruling is told that is neither RL-40's nor RL-41's."""
ADVICE_GROUNDS = frozenset({"staff_advice", "dishonest_help"})


def rulings_on(session: Session, spin: Spin) -> Rulings:
    """The rulings in force on a spin, sorted out."""
    grounds = Grounds(
        rule="RL-40",
        matrix=MATRIX,
        rules=_RULES,
        advice_rule="RL-41",
        of_advice=ADVICE_GROUNDS,
        word="spin",
        advice_voids=session.edition["roulette.staff_advice_void"] == "obligatory",
    )
    return rulings.rulings_on(
        session.rulings,
        session.subject,
        spin.name,
        grounds,
        lambda fact, event, code: _advice(session, spin, fact, event, code),
        is_first=session.spins <= 1,
    )


def _advice(session: Session, spin: Spin, fact: Fact, event: Ruling, code: str) -> BetRuling | None:
    """Which bets a ruling on advice or dishonest help voids (RL-A19)."""
    scope = session.edition["roulette.staff_advice_scope"]
    players, bets = frozenset(event.players), frozenset(event.bets)
    if scope == "whole_spin":
        return BetRuling(fact, "RL-41", code, frozenset(), frozenset(), everyone=True)
    if scope == "named_bets":
        if bets:
            players = frozenset()
    elif not players:
        owners = owners_of(session, spin)
        players = frozenset(owners[bet.id] for bet in spin.layout if bet.id in bets)
        bets = frozenset()
    if not players and not bets:
        players = frozenset(advice.event.player for advice in spin.advice if isinstance(advice.event, StaffAdvice))
    return BetRuling(fact, "RL-41", code, players, bets) if players or bets else None
