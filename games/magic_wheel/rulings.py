"""Rulings on a game: the grounds that roulette's rules give management, by analogy (MW-A11).

Section 3 of the source has no clause on collusion or advice; the one in its section on roulette speaks of "rules set by
this game plan".
"""

from __future__ import annotations

from events.schema.fact import Fact
from events.schema.ours import Ruling
from games.magic_wheel.matrix import ADVICE_GROUNDS, MATRIX
from games.magic_wheel.table import Session, Spin
from games.shared import rulings
from games.shared.rulings import BetRuling, Grounds, Rulings

_RULES = {
    "pin_undecided": "MW-12", "wheel_composition": "MW-01", "layout_ratio_mismatch": "MW-02",
    "symbol_mismatch": "MW-11", "wheel_incident": "MW-11", "claim_disputed": "MW-06",
}  # fmt: skip
"""Ground → the rule that asks for the ruling; others are told under MW-17."""


def rulings_on(session: Session, spin: Spin) -> Rulings:
    """The rulings in force on a game, sorted out."""
    accepts = session.edition["analogy_collusion_clause"] == "accept_with_flag"
    grounds = Grounds(
        rule="MW-17",
        matrix=tuple(row for row in MATRIX if accepts or not row.by_analogy),
        rules=_RULES,
        advice_rule="MW-17",
        of_advice=ADVICE_GROUNDS if accepts else frozenset(),
        word="game",
    )
    return rulings.rulings_on(
        session.rulings, session.subject, spin.name, grounds, _advised, is_first=session.games <= 1
    )


def _advised(fact: Fact, event: Ruling, code: str) -> BetRuling | None:
    """The bets of the players named, or the bets named."""
    players, bets = frozenset(event.players), frozenset(event.bets)
    return BetRuling(fact, "MW-17", code, players, bets) if players or bets else None
