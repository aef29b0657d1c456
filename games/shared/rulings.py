"""Rulings on a round: which are good in form, and what they void. The decision is management's; here is only its form.

A ground that the house's book does not give counts only with `basis = "management"`, and its finding says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from events.schema.fact import Fact
from events.schema.ours import Ruling
from games.shared.lines import refund, refunded
from games.shared.marks import Mark
from games.shared.matrix import Row, reach, rows_for
from games.verdict import Line

MANAGEMENT = "management"
VOIDS = frozenset({"void", "refund"})
OF_MONEY_ALONE = frozenset({"correct", "return", "forfeit", "penalty"})
"""Remedies that leave the round's result as the rules make it: they say what is paid, or done to a person."""
ON_BETS = ("bet", "hand", "player")
"""Scopes that reach some of a round's bets, which the ruling names, or all of the players whom it names."""


class Grounds(Struct, frozen=True):
    """What a house's book lets a person rule in a game: the rows of its `matrix` that give it to management.

    `rule`: under which a ruling is told, unless `rules` names another for its ground. `of_advice`: grounds that void
    the bets of those who were advised, under `advice_rule`; `advice_voids`: whatever remedy the ruling states. `word`:
    what the game calls a round.
    """

    rule: str
    matrix: tuple[Row, ...]
    rules: Mapping[str, str] = {}
    advice_rule: str = ""
    of_advice: frozenset[str] = frozenset()
    advice_voids: bool = True
    word: str = "round"

    def rule_of(self, ground: str) -> str:
        """The rule under which a ruling on that ground is told."""
        return self.rules.get(ground, self.advice_rule if ground in self.of_advice else self.rule)

    def is_by_analogy(self, ground: str) -> bool:
        """Whether the book takes the ground from another game's."""
        return any(row.by_analogy for row in rows_for(self.matrix, ground))


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
    rulings on advice, whether or not they void; `chosen`: what the last one says of the outcomes among which a person
    had to choose (`valid`, or the name of one), by the ruling `chosen_by`."""

    void: tuple[Mark, ...] = ()
    on_bets: tuple[BetRuling, ...] = ()
    invalid: tuple[Mark, ...] = ()
    counts: str = ""
    advised: tuple[BetRuling, ...] = ()
    chosen: str = ""
    chosen_by: Fact | None = None


def voids(event: Ruling) -> bool:
    """Whether it takes results away. A `refund` of a hand that names no bet says which of the outcomes counts."""
    if event.remedy == "refund" and event.scope in ON_BETS and not event.bets and not event.players:
        return False
    return event.remedy in VOIDS


def in_force(facts: Iterable[Fact], subject: str, name: str, *, is_first: bool = False) -> list[tuple[Fact, Ruling]]:
    """The rulings in force on the round `name`, in order. One that a later ruling replaces is out of force, and the
    same ruling twice has one effect: what was applied last says it.

    `is_first`: it is the session's first round, where a ruling is shown that names none.
    """
    latest = {fact.event.ruling: (fact, fact.event) for fact in facts if isinstance(fact.event, Ruling)}
    replaced = {event.replaces for _fact, event in latest.values() if event.replaces}
    return [
        (fact, event)
        for fact, event in latest.values()
        if event.ruling not in replaced and _names(event, subject, name, is_first=is_first)
    ]


def rulings_on(
    facts: tuple[Fact, ...],
    subject: str,
    name: str,
    grounds: Grounds,
    advised: Advised | None = None,
    *,
    is_first: bool,
) -> Rulings:
    """The rulings in force on the round `name`, sorted out. `is_first`: as `in_force`."""
    if not facts:
        return Rulings()
    void: list[Mark] = []
    on_bets: list[BetRuling] = []
    invalid: list[Mark] = []
    good_advice: list[BetRuling] = []
    counts, chosen = "", ""
    chosen_by: Fact | None = None
    for fact, event in in_force(facts, subject, name, is_first=is_first):
        if event.remedy in OF_MONEY_ALONE:
            continue
        is_advice = event.ground in grounds.of_advice
        own = advised(fact, event, f"ruling_{event.ground}") if is_advice and advised is not None else None
        problem = _problem(event, grounds, own)
        if problem:
            invalid.append(_invalid(grounds.rule_of(event.ground), fact, event, problem))
        elif own is not None:
            good_advice.append(own)
            if voids(event) or grounds.advice_voids:
                on_bets.append(own)
        elif not voids(event):
            chosen, chosen_by = event.remedy, fact
            if event.remedy == "valid":
                counts = event.ruling
        elif _is_partial(event, grounds):
            on_bets.append(_on_bets(grounds, fact, event))
        else:
            void.append(_voids(grounds, fact, event, name))
    return Rulings(tuple(void), tuple(on_bets), tuple(invalid), counts, tuple(good_advice), chosen, chosen_by)


def given_back(lines: Iterable[Line], on_bets: Iterable[BetRuling]) -> tuple[tuple[Line, ...], list[Mark]]:
    """Lines of which a ruling on bets gives some back, and a mark for each of those."""
    found, marks = list(lines), []
    for ruling in on_bets:
        for at, line in enumerate(found):
            if ruling.reaches(line.stake, line.player):
                found[at] = replace(refunded(line, ruling.rule), reasons=(*line.reasons, ruling.code))
                marks.append(void_bet(ruling, line))
    return tuple(found), marks


def void_bet(ruling: BetRuling, line: Line) -> Mark:
    """The mark of a bet that a ruling gives back whole."""
    return Mark(
        rule=ruling.rule, code=ruling.code, kind="void", scope="bet", subject=line.stake, player=line.player,
        facts=(ruling.fact,), basis=ruling.id, remedy=refund(line.staked, line.currency), text=ruling.told,
    )  # fmt: skip


def _is_partial(event: Ruling, grounds: Grounds) -> bool:
    """Whether it reaches some of the bets only; a pot game's hand is its round."""
    return event.scope in ON_BETS and not (event.scope == grounds.word == "hand" and not event.bets)


def _on_bets(grounds: Grounds, fact: Fact, event: Ruling) -> BetRuling:
    """Bets that are named go before players: of two bets of one player it may be about one."""
    players = frozenset(() if event.bets else event.players)
    return BetRuling(fact, grounds.rule_of(event.ground), f"ruling_{event.ground}", players, frozenset(event.bets))


def _voids(grounds: Grounds, fact: Fact, event: Ruling, name: str) -> Mark:
    whole = event.scope in ("session", "shoe")
    basis = {"basis": "analogy"} if grounds.is_by_analogy(event.ground) and event.basis != MANAGEMENT else {}
    return Mark(
        rule=grounds.rule_of(event.ground),
        code=f"ruling_{event.ground}",
        kind="void",
        scope=event.scope if event.scope in ("session", "shoe") else "round",
        subject=name,
        facts=(fact,),
        basis=event.ruling,
        remedy={"void": event.scope if whole else grounds.word, **basis},
        text=_by(event, grounds),
    )


def _by(event: Ruling, grounds: Grounds) -> str:
    who = f"ruled by {event.decided_by or event.role}, {event.standard}"
    if event.basis == MANAGEMENT:
        return f"{who}; a ground of management's own"
    if grounds.is_by_analogy(event.ground):
        return f"{who}; by analogy, the book of this game has no such clause"
    return who


def _names(event: Ruling, subject: str, name: str, *, is_first: bool) -> bool:
    """Whether a ruling is about this round: by name or by address. One that only frees rounds is about none."""
    if not event.rounds:
        return is_first and not getattr(event, "freed", ())
    for named in event.rounds:
        where, _hash, own = named.rpartition("#")
        if own == name and where in ("", subject):
            return True
    return False


def _problem(event: Ruling, grounds: Grounds, advice: BetRuling | None) -> str:
    """Why a ruling has no effect; empty if it has. `advice`: the bets that one on advice reaches."""
    if event.role != MANAGEMENT:
        return f"its role is {event.role}, not management"
    if event.standard is None:
        return "its standard of proof is not set"
    if not event.rounds:
        return f"it names no {grounds.word}"
    rows = rows_for(grounds.matrix, event.ground)
    own = event.basis == MANAGEMENT
    if not rows and not own:
        return f"the house's book does not give the ground {event.ground}"
    if event.ground in grounds.of_advice:
        return "" if advice is not None else "it names neither players nor bets"
    scopes = frozenset().union(*map(reach, rows)) if rows else frozenset()
    if voids(event) and scopes and event.scope not in (None, *scopes) and not own:
        return f"the rule gives {' or '.join(sorted(scopes))}, not the scope {event.scope}"
    if voids(event) and _is_partial(event, grounds) and not event.bets and not event.players:
        return "it names neither players nor bets"
    return ""


def _invalid(rule: str, fact: Fact, event: Ruling, why: str) -> Mark:
    return Mark(
        rule=rule, code="ruling_invalid", kind="breach", scope="round", subject=event.ruling, facts=(fact,), text=why
    )
