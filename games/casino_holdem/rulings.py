"""Rulings on a coup: what management may void, and under which rule of this game its ruling is told.

Section 4 of the source gives management only the re-shuffle (CH-12). Collusion, advice and a bad shuffle are void by
analogy with other sections (CH-A15, CH-A17); irregular deals wait for management by default (CH-A14).
"""

from __future__ import annotations

from msgspec.structs import replace

from events.schema.fact import Fact
from events.schema.ours import Ruling
from games.casino_holdem.table import Coup, Session
from games.shared.marks import Mark
from games.shared.rulings import BetRuling, Grounds, Rulings, rulings_on

RULE_OF_GROUND = {
    "shuffle_breach": "CH-11",
    "reshuffle": "CH-12",
    "collusion_players": "CH-16",
    "collusion_staff": "CH-16",
    "staff_advice": "CH-16",
    "table_error": "CH-15",
    "fouled_deck": "CH-01",
    "equipment_fault": "CH-01",
}
"""Ground → the rule under which a ruling is told; another ground counts only as management's own, under CH-15."""

BY_BOOK = frozenset({"reshuffle", "table_error", "fouled_deck"})
"""Grounds that need no analogy."""

_GROUNDS = Grounds(rule="CH-15", of_round=frozenset(RULE_OF_GROUND), word="round")


def rulings_of(session: Session, coup: Coup) -> Rulings:
    """The rulings in force on a coup, sorted out."""
    found = rulings_on(session.rulings, session.subject, coup.name, _GROUNDS, _no_advice, is_first=session.rounds <= 1)
    return Rulings(
        void=tuple(map(_placed, found.void)),
        on_bets=found.on_bets,
        invalid=tuple(map(_placed, found.invalid)),
        counts=found.counts,
    )


def _no_advice(_fact: Fact, _event: Ruling, _code: str) -> BetRuling | None:
    """Advice is one ground among others here."""
    return None


def _placed(mark: Mark) -> Mark:
    event = mark.facts[0].event
    assert isinstance(event, Ruling)
    rule = RULE_OF_GROUND.get(event.ground, "CH-15")
    if mark.kind != "void" or event.ground in BY_BOOK or event.ground not in RULE_OF_GROUND:
        return replace(mark, rule=rule)
    text = f"{mark.text}; by analogy, section 4 gives no such right"
    return replace(mark, rule=rule, remedy={**mark.remedy, "basis": "analogy"}, text=text)
