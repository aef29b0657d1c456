"""Rulings on a round: which are good in form, and what they void. The decision is management's; here is only its form.

A ground that the house's book does not give counts only with `basis = "management"`, and its finding says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import Struct

from events.schema.fact import Fact
from events.schema.ours import Ruling
from games.shared.marks import Mark

MANAGEMENT = "management"
VOIDS = frozenset({"void", "refund"})
OF_MONEY_ALONE = frozenset({"correct", "return", "forfeit", "penalty"})
"""Remedies that leave the round's result as the rules make it: they say what is paid, or done to a person."""


class Grounds(Struct, frozen=True):
    """What a house's book lets management rule in a game.

    `of_round` void rounds, by `rule`; `of_advice` void bets of those who were advised, by `advice_rule`. `by_analogy`:
    the book takes both from another game's, and a finding says so. `word`: what the game calls a round. `advice_voids`:
    advice voids the bets whatever remedy the ruling states. `scopes`: what a ruling on the round may be about.
    """

    rule: str
    of_round: frozenset[str]
    advice_rule: str = ""
    of_advice: frozenset[str] = frozenset()
    by_analogy: bool = False
    word: str = "round"
    advice_voids: bool = True
    scopes: tuple[str, ...] = ("round", "session")

    @property
    def basis(self) -> dict[str, str]:
        """What a remedy says of where the ground comes from."""
        return {"basis": "analogy"} if self.by_analogy else {}


class BetRuling(Struct, frozen=True):
    """A ruling that voids bets: all of `players`, those in `bets`, or every one of the round."""

    fact: Fact
    rule: str
    code: str
    players: frozenset[str]
    bets: frozenset[str]
    everyone: bool = False

    def reaches(self, bet: str, owner: str) -> bool:
        """Whether it is about a bet, which is `owner`'s."""
        return self.everyone or bet in self.bets or owner in self.players

    @property
    def id(self) -> str:
        """The ruling's own id."""
        return str(getattr(self.fact.event, "ruling", ""))

    @property
    def told(self) -> str:
        """Who ruled, for people."""
        event = self.fact.event
        return f"ruled by {getattr(event, 'decided_by', None) or getattr(event, 'role', '')}"


Advised = Callable[[Fact, Ruling, str], BetRuling | None]
"""Which bets a ruling on advice reaches, given its finding's code; None where it names neither players nor bets."""


class Rulings(Struct, frozen=True):
    """What was ruled on one round. `void`: it is void; `counts`: a person decided that it stands; `advised`: good
    rulings on advice, whether or not they void."""

    void: tuple[Mark, ...] = ()
    on_bets: tuple[BetRuling, ...] = ()
    invalid: tuple[Mark, ...] = ()
    counts: str = ""
    advised: tuple[BetRuling, ...] = ()


def rulings_on(
    facts: tuple[Fact, ...], subject: str, name: str, grounds: Grounds, advised: Advised, *, is_first: bool
) -> Rulings:
    """The rulings in force on the round `name`, sorted out. One replaced by a later ruling is out of force.

    `is_first`: it is the session's first round, where a ruling is shown that names none.
    """
    if not facts:
        return Rulings()
    # The same ruling twice has one effect: what was applied last says it.
    latest = {event.ruling: (fact, event) for fact, event in _all(facts)}
    replaced = {event.replaces for _fact, event in latest.values() if event.replaces}
    void: list[Mark] = []
    on_bets: list[BetRuling] = []
    invalid: list[Mark] = []
    good_advice: list[BetRuling] = []
    counts = ""
    for fact, event in latest.values():
        if event.ruling in replaced or not _names(event, subject, name, is_first=is_first):
            continue
        if event.remedy in OF_MONEY_ALONE:
            continue
        is_advice = event.ground in grounds.of_advice
        rule = grounds.advice_rule if is_advice else grounds.rule
        code = f"ruling_{event.ground}"
        problem = _problem(event, grounds)
        if problem:
            invalid.append(_invalid(rule, fact, event, problem))
        elif event.remedy == "valid" and not is_advice:
            counts = event.ruling
        elif is_advice:
            own = advised(fact, event, code)
            if own is None:
                invalid.append(_invalid(rule, fact, event, "it names neither players nor bets"))
            else:
                good_advice.append(own)
                if event.remedy in VOIDS or grounds.advice_voids:
                    on_bets.append(own)
        elif event.remedy not in VOIDS:
            continue
        elif event.scope in ("bet", "player"):
            on_bets.append(BetRuling(fact, rule, code, frozenset(event.players), frozenset(event.bets)))
        else:
            void.append(_voids(grounds, fact, event, code, name))
    return Rulings(tuple(void), tuple(on_bets), tuple(invalid), counts, tuple(good_advice))


def _voids(grounds: Grounds, fact: Fact, event: Ruling, code: str, name: str) -> Mark:
    whole = event.scope == "session"
    return Mark(
        rule=grounds.rule,
        code=code,
        kind="void",
        scope="session" if whole else "round",
        subject=name,
        facts=(fact,),
        basis=event.ruling,
        remedy={"void": "session" if whole else grounds.word, **grounds.basis},
        text=_by(event, grounds),
    )


def _by(event: Ruling, grounds: Grounds) -> str:
    who = f"ruled by {event.decided_by or event.role}, {event.standard}"
    if event.basis == "management":
        return f"{who}; a ground of management's own"
    return f"{who}; by analogy, the book of this game has no such clause" if grounds.by_analogy else who


def _all(facts: tuple[Fact, ...]) -> Iterable[tuple[Fact, Ruling]]:
    return ((fact, fact.event) for fact in facts if isinstance(fact.event, Ruling))


def _names(event: Ruling, subject: str, name: str, *, is_first: bool) -> bool:
    """Whether a ruling is about this round: by name or by address."""
    if not event.rounds:
        return is_first
    for named in event.rounds:
        where, _hash, own = named.rpartition("#")
        if own == name and where in ("", subject):
            return True
    return False


def _problem(event: Ruling, grounds: Grounds) -> str:
    """Why a ruling has no effect; empty if it has."""
    if event.role != MANAGEMENT:
        return f"its role is {event.role}, not management"
    if event.standard is None:
        return "its standard of proof is not set"
    if not event.rounds:
        return f"it names no {grounds.word}"
    by_management = event.basis == "management"
    if event.ground not in grounds.of_round | grounds.of_advice and not by_management:
        return f"the house's book does not give the ground {event.ground}"
    if event.scope not in (None, *grounds.scopes) and event.ground not in grounds.of_advice and not by_management:
        return f"the rule gives a {grounds.word} or the whole game, not the scope {event.scope}"
    return ""


def _invalid(rule: str, fact: Fact, event: Ruling, why: str) -> Mark:
    return Mark(
        rule=rule, code="ruling_invalid", kind="breach", scope="round", subject=event.ruling, facts=(fact,), text=why
    )
