"""Rulings on a round: which void it, which let it stand or count a box as folded (RP-06, RP-09, RP-45, RP-46)."""

from __future__ import annotations

from msgspec import Struct

from events.schema.ours import Ruling
from games.russian_poker.matrix import FOLDS, GROUND_OF, MATRIX
from games.russian_poker.table import Coup, Session
from games.shared.marks import Mark
from games.shared.rulings import BetRuling, Grounds, in_force, rulings_on

SHUFFLE = "shuffle_breach"
DECK_CHANGE = "deck_change"


_GROUNDS = Grounds(
    rule="RP-46",
    matrix=MATRIX,
    rules=dict.fromkeys((SHUFFLE, *(code for code, own in GROUND_OF.items() if own == SHUFFLE)), "RP-09"),
)


class Ruled(Struct, frozen=True):
    """What was ruled on a round. `void`: it is void; `on_bets`: bets given back; `invalid`: rulings without effect;
    `stands`: ground → the ruling by which the round stands in spite of it; `folded`: boxes that count as folded, by
    `fold_ruling`."""

    void: tuple[Mark, ...] = ()
    on_bets: tuple[BetRuling, ...] = ()
    invalid: tuple[Mark, ...] = ()
    stands: dict[str, str] = {}
    folded: frozenset[int] = frozenset()
    fold_ruling: str = ""


def ruled_on(session: Session, coup: Coup) -> Ruled:
    """The rulings in force on the session's round, each ground by itself: a ruling answers what it is about."""
    if not session.rulings:
        return Ruled()
    void: list[Mark] = []
    on_bets: list[BetRuling] = []
    invalid: list[Mark] = []
    stands: dict[str, str] = {}
    folded: set[int] = set()
    fold_ruling = ""
    is_first = session.rounds <= 1
    for fact, event in in_force(session.rulings, session.subject, coup.name, is_first=is_first):
        if event.ground == DECK_CHANGE:
            continue  # an order for the rounds to come: the fold keeps it
        ground = GROUND_OF.get(event.ground, event.ground)
        found = rulings_on((fact,), session.subject, coup.name, _GROUNDS, is_first=is_first)
        void += found.void
        on_bets += found.on_bets
        invalid += found.invalid
        if found.counts:
            stands[ground] = found.counts
        if ground in FOLDS and found.chosen == "fold":
            folded |= _boxes(event, coup)
            fold_ruling = event.ruling
    return Ruled(tuple(void), tuple(on_bets), tuple(invalid), stands, frozenset(folded), fold_ruling)


def _boxes(event: Ruling, coup: Coup) -> set[int]:
    """The boxes of the players or stakes that a ruling names."""
    return {stake.box for stake in coup.stakes if stake.player in event.players or stake.id in event.bets}
