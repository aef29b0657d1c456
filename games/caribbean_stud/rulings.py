"""Rulings on a round: management decides any dispute finally, and may void a round (CS-21, CS-22; C25)."""

from __future__ import annotations

from msgspec.structs import replace

from games.caribbean_stud.matrix import MATRIX
from games.caribbean_stud.table import Round, Session
from games.shared.marks import Mark
from games.shared.rulings import Grounds, Rulings, rulings_on

GROUNDS = Grounds(rule="CS-22", matrix=MATRIX)
"""The document gives no list: in any dispute the decision of management is final (G37)."""


def rulings_of(session: Session, round_: Round) -> Rulings:
    """The rulings in force on the round; where the house gives none that voids (C25), such a one is invalid."""
    ruled = rulings_on(session.rulings, session.subject, round_.name, GROUNDS, is_first=session.rounds <= 1)
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
