"""Rulings on a round: the grounds that the book gives (BJ-15, BJ-16), those by analogy (BJ-A39), and what a person
chose where the rules leave the money open.

A shoe is void for the rounds that the ruling names: whoever applies it names every round of the shoe.
"""

from __future__ import annotations

from msgspec import Struct

from events.schema.fact import Fact
from events.schema.ours import Ruling
from games.blackjack.matrix import MATRIX
from games.blackjack.table import Round, Session
from games.shared.marks import Mark
from games.shared.matrix import Row
from games.shared.rulings import MANAGEMENT, VOIDS, BetRuling, Grounds, Rulings, in_force, rulings_on

SHUFFLE = "shuffle_breach"
COUNTING = "card_counting"
_SHOE = frozenset({SHUFFLE, "improper_cut_used", "cut_completion_breach"})
"""Grounds on which a shoe is void (BJ-15)."""
_CHOICES = Row(
    trigger="a person says which outcome counts", grounds=("table_error", "game_rule", *sorted(_SHOE)), scopes=(),
    evidence="what the round shows", standard="fact", decides="management", effects=("ruling",), rule="BJ-48",
)  # fmt: skip
"""What a ruling may be called that only says which of the candidates counts."""
_ADVICE = frozenset({"staff_advice", "dishonest_help"})
_ROWS = tuple(row for row in MATRIX if not {SHUFFLE, COUNTING} & set(row.grounds))
_RULES = {
    **{ground: row.rule for row in _ROWS for ground in row.grounds if "-A" not in row.rule},
    "double_not_allowed": "BJ-30", "unequal_extra_bet": "BJ-30", "not_a_pair": "BJ-31", "split_limit": "BJ-20",
    "sum_over_max": "BJ-20",
}  # fmt: skip


class Ruled(Struct, frozen=True):
    """What was ruled on one round. `shoe`: the ruling that voids its shoe; `counting`: those that return a player's
    unsettled bets; `others`: on every other ground."""

    others: Rulings = Rulings()
    shoe: Fact | None = None
    counting: tuple[BetRuling, ...] = ()
    invalid: tuple[Mark, ...] = ()

    @property
    def chosen(self) -> str:
        """The candidate that a person chose, or `valid`; empty if none."""
        return self.others.chosen

    @property
    def chosen_by(self) -> Fact | None:
        """The ruling that did."""
        return self.others.chosen_by


def ruled_on(session: Session, round_: Round) -> Ruled:
    """The rulings in force on a round."""
    if not session.rulings:
        return Ruled()
    shoe: Fact | None = None
    counting: list[BetRuling] = []
    invalid: list[Mark] = []
    others: list[Fact] = []
    is_first = session.rounds <= 1
    for fact, event in in_force(session.rulings, session.subject, round_.name, is_first=is_first):
        of_shoe = event.ground in _SHOE and event.remedy in VOIDS
        if not of_shoe and event.ground != COUNTING:
            others.append(fact)
            continue
        problem = _problem(session, event)
        if problem:
            invalid.append(
                Mark(
                    rule="BJ-15" if of_shoe else "BJ-16", code="ruling_invalid", kind="breach", scope="round",
                    subject=event.ruling, facts=(fact,), text=problem,
                )
            )  # fmt: skip
        elif of_shoe:
            shoe = fact
        elif event.remedy in VOIDS:
            players = frozenset(() if event.bets else event.players)
            counting.append(BetRuling(fact, "BJ-16", f"ruling_{COUNTING}", players, frozenset(event.bets)))
    found = rulings_on(tuple(others), session.subject, round_.name, _grounds(session), _advice, is_first=is_first)
    return Ruled(found, shoe, tuple(counting), (*invalid, *found.invalid))


def _grounds(session: Session) -> Grounds:
    """What the house's book gives besides BJ-15 and BJ-16; by analogy only where the house accepts that."""
    accepted = session.edition["analogy_collusion_clause"] == "accept_with_flag"
    rows = tuple(row for row in _ROWS if accepted or not row.by_analogy)
    return Grounds(
        rule="BJ-48", matrix=(*rows, _CHOICES), rules=_RULES, advice_rule="BJ-48",
        of_advice=_ADVICE if accepted else frozenset(),
    )  # fmt: skip


def _problem(session: Session, event: Ruling) -> str:
    """Why a ruling has no effect; empty if it has."""
    if event.role != MANAGEMENT:
        return f"its role is {event.role}, not management"
    if not event.rounds:
        return "it names no round"
    if event.standard is None:
        return "its standard of proof is not set"
    if event.ground == COUNTING:
        return "" if event.players or event.bets else "it names neither players nor bets"
    if event.ground in _SHOE and event.basis != MANAGEMENT:
        if event.standard != session.edition["blackjack.shuffle_breach_standard"]:
            return f"a shuffle breach needs proof, not {event.standard}"
        if not any(text.strip() for text in event.evidence):
            return "it names no audiovisual record"
    return ""


def _advice(fact: Fact, event: Ruling, code: str) -> BetRuling | None:
    """The bets of those who were advised or helped."""
    players, bets = frozenset(event.players), frozenset(event.bets)
    return BetRuling(fact, "BJ-48", code, players, bets) if players or bets else None
