"""Rulings on a round: the grounds that the book gives (BJ-15, BJ-16), those by analogy (BJ-A39), and what a person
chose where the rules leave the money open.

A shoe is void for the rounds that the ruling names: whoever applies it names every round of the shoe.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from events.schema.fact import Fact
from events.schema.ours import Ruling
from games.blackjack.table import Round, Session
from games.shared import rulings
from games.shared.marks import Mark
from games.shared.rulings import MANAGEMENT, VOIDS, BetRuling, Grounds, Rulings

SHUFFLE = "shuffle_breach"
COUNTING = "card_counting"
CHOICES = frozenset({"table_error", "game_rule", SHUFFLE})
"""Grounds on which a ruling may say which of the candidates counts."""

_BY_ANALOGY = Grounds(
    rule="BJ-48",
    of_round=frozenset({"collusion_players", "collusion_staff"}),
    advice_rule="BJ-48",
    of_advice=frozenset({"staff_advice", "dishonest_help"}),
    by_analogy=True,
)
_NONE = Grounds(rule="BJ-48", of_round=frozenset(), by_analogy=True)


class Ruled(Struct, frozen=True):
    """What was ruled on one round. `shoe`: the ruling that voids its shoe; `counting`: those that return a player's
    unsettled bets; `others`: collusion and advice; `chosen`: the candidate that a person chose, with his ruling."""

    others: Rulings = Rulings()
    shoe: Fact | None = None
    counting: tuple[BetRuling, ...] = ()
    invalid: tuple[Mark, ...] = ()
    chosen: str = ""
    chosen_by: Fact | None = None


def ruled_on(session: Session, round_: Round) -> Ruled:
    """The rulings in force on a round. One replaced by a later ruling is out of force."""
    if not session.rulings:
        return Ruled()
    latest = {fact.event.ruling: fact for fact in session.rulings if isinstance(fact.event, Ruling)}
    replaced = {fact.event.replaces for fact in latest.values() if isinstance(fact.event, Ruling)}
    own: list[Fact] = []
    others: list[Fact] = []
    for fact in latest.values():
        event = fact.event
        assert isinstance(event, Ruling)
        mine = event.ground in (SHUFFLE, COUNTING) or event.ground in CHOICES
        if event.ruling not in replaced:
            (own if mine else others).append(fact)
    found = _own(session, round_, own)
    accepted = session.edition["analogy_collusion_clause"] == "accept_with_flag"
    by_analogy = rulings.rulings_on(
        tuple(others), session.subject, round_.name, _BY_ANALOGY if accepted else _NONE, _advice,
        is_first=session.rounds <= 1,
    )  # fmt: skip
    return Ruled(
        others=by_analogy,
        shoe=found.shoe,
        counting=found.counting,
        invalid=(*found.invalid, *by_analogy.invalid),
        chosen=found.chosen,
        chosen_by=found.chosen_by,
    )


def _own(session: Session, round_: Round, facts: Iterable[Fact]) -> Ruled:
    shoe: Fact | None = None
    chosen: Fact | None = None
    counting: list[BetRuling] = []
    invalid: list[Mark] = []
    for fact in facts:
        event = fact.event
        assert isinstance(event, Ruling)
        if not _names(event, session, round_):
            continue
        rule = {SHUFFLE: "BJ-15", COUNTING: "BJ-16"}.get(event.ground, "BJ-48")
        problem = _problem(session, event)
        if problem:
            invalid.append(
                Mark(
                    rule=rule, code="ruling_invalid", kind="breach", scope="round", subject=event.ruling,
                    facts=(fact,), text=problem,
                )
            )  # fmt: skip
        elif event.ground == COUNTING:
            if event.remedy in VOIDS:
                counting.append(BetRuling(fact, rule, f"ruling_{COUNTING}", frozenset(event.players), frozenset()))
        elif event.remedy in VOIDS and event.ground == SHUFFLE:
            shoe = fact
        else:
            chosen = fact
    word = chosen.event.remedy if chosen is not None and isinstance(chosen.event, Ruling) else ""
    return Ruled(shoe=shoe, counting=tuple(counting), invalid=tuple(invalid), chosen=word, chosen_by=chosen)


def _problem(session: Session, event: Ruling) -> str:
    """Why a ruling has no effect; empty if it has."""
    if event.role != MANAGEMENT:
        return f"its role is {event.role}, not management"
    if not event.rounds:
        return "it names no round"
    if event.standard is None:
        return "its standard of proof is not set"
    if event.ground == COUNTING:
        return "" if event.players else "it names no player"
    if event.ground == SHUFFLE and event.remedy in VOIDS:
        if event.standard != session.edition["blackjack.shuffle_breach_standard"]:
            return f"a shuffle breach needs proof, not {event.standard}"
        if not any(text.strip() for text in event.evidence):
            return "it names no audiovisual record"
    return ""


def _names(event: Ruling, session: Session, round_: Round) -> bool:
    if not event.rounds:
        return session.rounds <= 1
    for named in event.rounds:
        where, _hash, own = named.rpartition("#")
        if own == round_.name and where in ("", session.subject):
            return True
    return False


def _advice(fact: Fact, event: Ruling, code: str) -> BetRuling | None:
    """The bets of those who were advised or helped."""
    players, bets = frozenset(event.players), frozenset(event.bets)
    return BetRuling(fact, "BJ-48", code, players, bets) if players or bets else None
