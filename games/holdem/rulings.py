"""Rulings on a hand: management fully controls the game (NL-02), and a hand that it voids is void for every seat.

A pot is everybody's: no ruling takes one seat's chips out of it.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from games.holdem.book import BOOK
from games.holdem.matrix import MATRIX
from games.house_rules.rulebook import Rule
from games.protocol import Round
from games.shared.marks import Mark
from games.shared.poker.table import Session
from games.shared.rulings import BetRuling, Grounds, Rulings, rulings_on
from games.verdict import Finding

_GROUNDS = Grounds(rule="NL-02", matrix=MATRIX, word="hand")


def ruled_on(round_: Round[Session]) -> Rulings:
    """The rulings in force on a hand; one that would void it for some seats only has no effect."""
    found = rulings_on(round_.rulings, _subject(round_), round_.name, _GROUNDS, is_first=False)
    partial = tuple(_whole_or_nothing(ruling) for ruling in found.on_bets)
    return replace(found, on_bets=(), invalid=(*found.invalid, *partial)) if partial else found


def _whole_or_nothing(ruling: BetRuling) -> Mark:
    return Mark(
        rule="NL-02", code="ruling_invalid", kind="breach", scope="round", subject=ruling.id, facts=(ruling.fact,),
        text="a pot is everybody's: a hand is void for every seat or for none",
    )  # fmt: skip


def _subject(round_: Round[Session]) -> str:
    return round_.facts[0].subject if round_.facts else ""


def _nobody_ruled(round_: Round[Session]) -> bool:
    return not round_.rulings


@BOOK.check("NL-02", unless=_nobody_ruled)
def management_voids_a_hand_for_every_seat(round_: Round[Session], rule: Rule) -> Iterator[Finding]:
    """A hand that management voided, and rulings that are not good in form."""
    found = ruled_on(round_)
    for mark in (*found.void, *found.invalid):
        yield rule.finding(
            mark.code, mark.kind, mark.scope, subject=mark.subject, remedy=mark.remedy, facts=mark.facts,
            basis=mark.basis, text=mark.text,
        )  # fmt: skip
