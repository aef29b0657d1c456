"""Rulings on a coup: what management may void, and under which rule of this game its ruling is told.

Section 4 of the source gives management only the re-shuffle (CH-12). Collusion, advice and a bad shuffle are void by
analogy with other sections (CH-A15, CH-A17); irregular deals wait for management by default (CH-A14).
"""

from __future__ import annotations

from games.casino_holdem.matrix import MATRIX
from games.casino_holdem.table import Coup, Session
from games.shared.rulings import Grounds, Rulings, rulings_on

RULE_OF_GROUND = {
    "shuffle_breach": "CH-11",
    "shuffle_incomplete": "CH-11",
    "reshuffle_not_done": "CH-12",
    "reshuffle": "CH-12",
    **dict.fromkeys(("collusion_players", "communication", "agreement", "cards_shown", "cards_of_another"), "CH-16"),
    "collusion_staff": "CH-16",
    "staff_advice": "CH-16",
    "table_error": "CH-15",
    "fouled_deck": "CH-01",
    "equipment_fault": "CH-01",
}
"""Ground → the rule under which a ruling is told; another ground counts only as management's own, under CH-15."""

_GROUNDS = Grounds(
    rule="CH-15",
    matrix=MATRIX,
    rules={
        **{ground: row.rule for row in MATRIX for ground in row.grounds if "-A" not in row.rule},
        **RULE_OF_GROUND,
    },
)


def rulings_of(session: Session, coup: Coup) -> Rulings:
    """The rulings in force on a coup, sorted out."""
    return rulings_on(session.rulings, session.subject, coup.name, _GROUNDS, is_first=session.rounds <= 1)
