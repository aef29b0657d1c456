"""Rulings on a spin: which are good in form, and what they void (RL-40, RL-41).

The ruling is management's; here is only its form. A ground that the house's book does not give counts only with
`basis = "management"`, and its finding says so.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from events.schema.fact import Fact
from events.schema.ours import Ruling
from games.roulette.bets import owners_of
from games.roulette.events import StaffAdvice
from games.roulette.table import Session, Spin
from games.shared.marks import Mark

SPIN_GROUNDS = frozenset({"rule_breach", "collusion_players", "collusion_staff"})
ADVICE_GROUNDS = frozenset({"staff_advice", "dishonest_help"})
MANAGEMENT = "management"
VOIDS = frozenset({"void", "refund"})


class BetRuling(Struct, frozen=True):
    """A ruling that voids bets: all of `players`, those in `bets`, or every one on the spin."""

    fact: Fact
    rule: str
    code: str
    players: frozenset[str]
    bets: frozenset[str]
    everyone: bool = False

    def reaches(self, bet: str, owner: str) -> bool:
        """Whether it is about a bet, which is `owner`'s."""
        return self.everyone or bet in self.bets or owner in self.players


class Rulings(Struct, frozen=True):
    """What was ruled on one spin. `void`: the spin is void; `counts`: a person decided that it stands; `advised`: good
    rulings on advice, whether or not they void."""

    void: tuple[Mark, ...] = ()
    on_bets: tuple[BetRuling, ...] = ()
    invalid: tuple[Mark, ...] = ()
    counts: str = ""
    advised: tuple[BetRuling, ...] = ()


def rulings_on(session: Session, spin: Spin) -> Rulings:
    """The rulings in force on a spin, sorted out. One replaced by a later ruling is out of force."""
    if not session.rulings:
        return Rulings()
    # The same ruling twice has one effect: what was applied last says it.
    latest = {event.ruling: (fact, event) for fact, event in _all(session.rulings)}
    replaced = {event.replaces for _fact, event in latest.values() if event.replaces}
    void: list[Mark] = []
    on_bets: list[BetRuling] = []
    invalid: list[Mark] = []
    advised: list[BetRuling] = []
    counts = ""
    for fact, event in latest.values():
        if event.ruling in replaced or not _names(event, session, spin):
            continue
        rule = "RL-41" if event.ground in ADVICE_GROUNDS else "RL-40"
        code = f"ruling_{event.ground}"
        problem = _problem(event)
        if problem:
            invalid.append(_invalid(rule, fact, event, problem))
        elif event.remedy == "valid" and rule == "RL-40":
            counts = event.ruling
        elif rule == "RL-41":
            own = _advice(session, spin, fact, event, code)
            if own is None:
                invalid.append(_invalid(rule, fact, event, "it names neither players nor bets"))
            else:
                advised.append(own)
                if event.remedy in VOIDS or session.edition["roulette.staff_advice_void"] == "obligatory":
                    on_bets.append(own)
        elif event.remedy not in VOIDS:
            continue
        elif event.scope in ("bet", "player"):
            on_bets.append(BetRuling(fact, rule, code, frozenset(event.players), frozenset(event.bets)))
        else:
            void.append(
                Mark(
                    rule=rule,
                    code=code,
                    kind="void",
                    scope="session" if event.scope == "session" else "round",
                    subject=spin.name,
                    facts=(fact,),
                    basis=event.ruling,
                    remedy={"void": "session" if event.scope == "session" else "spin"},
                    text=_by(event),
                )
            )
    return Rulings(tuple(void), tuple(on_bets), tuple(invalid), counts, tuple(advised))


def _by(event: Ruling) -> str:
    who = f"ruled by {event.decided_by or event.role}, {event.standard}"
    return f"{who}; a ground of management's own" if event.basis == "management" else who


def _all(facts: tuple[Fact, ...]) -> Iterable[tuple[Fact, Ruling]]:
    return ((fact, fact.event) for fact in facts if isinstance(fact.event, Ruling))


def _names(event: Ruling, session: Session, spin: Spin) -> bool:
    """Whether a ruling is about this spin: by name or by address. One that names none is shown at the first."""
    if not event.rounds:
        return session.spins <= 1
    for name in event.rounds:
        subject, _hash, own = name.rpartition("#")
        if own == spin.name and subject in ("", session.subject):
            return True
    return False


def _problem(event: Ruling) -> str:
    """Why a ruling has no effect (RL-40); empty if it has."""
    if event.role != MANAGEMENT:
        return f"its role is {event.role}, not management"
    if event.standard is None:
        return "its standard of proof is not set"
    if not event.rounds:
        return "it names no spin"
    by_management = event.basis == "management"
    if event.ground not in SPIN_GROUNDS | ADVICE_GROUNDS and not by_management:
        return f"the house's book does not give the ground {event.ground}"
    if event.scope not in (None, "round", "session") and event.ground not in ADVICE_GROUNDS and not by_management:
        return f"the rule gives a spin or the whole game, not the scope {event.scope}"
    return ""


def _invalid(rule: str, fact: Fact, event: Ruling, why: str) -> Mark:
    return Mark(
        rule=rule, code="ruling_invalid", kind="breach", scope="round", subject=event.ruling, facts=(fact,), text=why
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
