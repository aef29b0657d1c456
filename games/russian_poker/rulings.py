"""Rulings on a round: which void it, which let it stand or count a box as folded (RP-06, RP-09, RP-45, RP-46)."""

from __future__ import annotations

from msgspec import Struct

from events.schema.fact import Fact
from events.schema.ours import Ruling
from games.russian_poker.matrix import FOLDS, GROUNDS
from games.russian_poker.table import Coup, Session
from games.shared.marks import Mark
from games.shared.rulings import MANAGEMENT, BetRuling, Grounds, rulings_on

SHUFFLE = "shuffle_breach"
DECK_CHANGE = "deck_change"


class Ruled(Struct, frozen=True):
    """What was ruled on a round. `void`: it is void; `invalid`: rulings without effect; `stands`: ground → the ruling
    by which the round stands in spite of it; `folded`: boxes that count as folded, by `fold_ruling`."""

    void: tuple[Mark, ...] = ()
    invalid: tuple[Mark, ...] = ()
    stands: dict[str, str] = {}
    folded: frozenset[int] = frozenset()
    fold_ruling: str = ""


def ruled_on(session: Session, coup: Coup) -> Ruled:
    """The rulings in force on the session's round, each ground by itself: a ruling answers what it is about."""
    if not session.rulings:
        return Ruled()
    facts = _in_force(session.rulings)
    void: list[Mark] = []
    invalid: list[Mark] = []
    stands: dict[str, str] = {}
    folded: set[int] = set()
    fold_ruling = ""
    for ground in dict.fromkeys(getattr(fact.event, "ground", "") for fact in facts):
        if ground == DECK_CHANGE:
            continue  # an order for the rounds to come: the fold keeps it
        own = tuple([fact for fact in facts if getattr(fact.event, "ground", "") == ground])
        found = rulings_on(
            own,
            session.subject,
            coup.name,
            Grounds("RP-09" if ground == SHUFFLE else "RP-46", GROUNDS),
            _nobody,
            is_first=session.rounds <= 1,
        )
        void += found.void
        invalid += found.invalid
        if found.counts:
            stands[ground] = found.counts
        for fact in own:
            if ground in FOLDS and _folds(fact, session, coup):
                folded |= _boxes(fact, coup)
                fold_ruling = getattr(fact.event, "ruling", "")
    return Ruled(tuple(void), tuple(invalid), stands, frozenset(folded), fold_ruling)


def _in_force(rulings: tuple[Fact, ...]) -> tuple[Fact, ...]:
    """Those that no later ruling replaces, whatever its ground."""
    replaced = {fact.event.replaces for fact in rulings if isinstance(fact.event, Ruling)}
    return tuple([fact for fact in rulings if isinstance(fact.event, Ruling) and fact.event.ruling not in replaced])


def _nobody(_fact: Fact, _event: Ruling, _code: str) -> BetRuling | None:
    """This book has no ruling on single bets."""
    return None


def _folds(fact: Fact, session: Session, coup: Coup) -> bool:
    event = fact.event
    assert isinstance(event, Ruling)
    names = {tuple(name.rpartition("#")[::2]) for name in event.rounds}
    here = any(own == coup.name and where in ("", session.subject) for where, own in names)
    return here and event.remedy == "fold" and event.role == MANAGEMENT and event.standard is not None


def _boxes(fact: Fact, coup: Coup) -> set[int]:
    """The boxes of the players or stakes that a ruling names."""
    event = fact.event
    assert isinstance(event, Ruling)
    return {stake.box for stake in coup.stakes if stake.player in event.players or stake.id in event.bets}
