"""Rulings on a round: management decides any dispute finally, and may void a round (CS-21, CS-22; C25)."""

from __future__ import annotations

from msgspec.structs import replace

from events.schema.fact import Fact
from events.schema.ours import Ruling
from games.caribbean_stud.table import Round, Session
from games.shared.marks import Mark
from games.shared.rulings import BetRuling, Grounds, Rulings, rulings_on

GROUNDS = Grounds(
    rule="CS-22",
    of_round=frozenset({
        "table_error", "collusion", "staff_advice", "shuffle_breach", "equipment_fault", "force_majeure", "game_rule",
    }),
    scopes=("round", "session", "bet", "player", "hand"),
)  # fmt: skip
"""The document gives no list: in any dispute the decision of management is final (G37)."""


def rulings_of(session: Session, round_: Round) -> Rulings:
    """The rulings in force on the round; where the house gives none that voids (C25), such a one is invalid."""
    ruled = rulings_on(session.rulings, session.subject, round_.name, GROUNDS, _no_advice, is_first=session.rounds <= 1)
    if session.edition["cs.void.by_ruling"] or not ruled.void:
        return ruled
    invalid = tuple(
        Mark(
            rule="CS-22", code="ruling_invalid", kind="breach", scope="round", subject=mark.basis, facts=mark.facts,
            text="the house gives no right to void a round",
        )
        for mark in ruled.void
    )  # fmt: skip
    return replace(ruled, void=(), invalid=(*ruled.invalid, *invalid))


def _no_advice(_fact: Fact, _event: Ruling, _code: str) -> BetRuling | None:
    """This game's book has no ground that reaches only those who were advised."""
    return None
