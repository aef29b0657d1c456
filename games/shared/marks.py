"""What a bank game's settlement noticed on its way. Checks turn marks into findings; nothing is worked out twice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import Struct

from events.schema.fact import Fact
from games.house_rules.rulebook import Rule
from games.verdict import Finding, Kind, Scope


class Mark(Struct, frozen=True, gc=False, kw_only=True):
    """A finding in the making, without the parameters and the edition that its check adds.

    `money`: minor units, owed to `player` (negative: by him). `remedy`: what the rules require instead, amounts in
    minor units, in the room's own words: `refund` or `forfeit` of a void bet, `live` and `refund` of one that was cut.
    """

    rule: str
    code: str
    kind: Kind
    scope: Scope
    subject: str = ""
    player: str = ""
    money: int = 0
    remedy: dict[str, Any] = {}
    facts: tuple[Fact, ...] = ()
    basis: str = "facts"
    text: str = ""


def missing(rule: str, code: str, scope: Scope = "round", *, facts: tuple[Fact, ...] = (), subject: str = "") -> Mark:
    """A fact that the test for `code` needs is not on record: neither innocent nor guilty."""
    return Mark(rule=rule, code=f"unverified:{code}", kind="unverified", scope=scope, subject=subject, facts=facts)


def known(*facts: Fact | None) -> tuple[Fact, ...]:
    """The facts that there are."""
    return tuple(fact for fact in facts if fact is not None)


def noticed(marks: Iterable[Mark], rule: Rule) -> Iterator[Finding]:
    """The marks of a rule as its findings."""
    for mark in marks:
        if mark.rule == rule.id:
            yield rule.finding(
                mark.code, mark.kind, mark.scope, subject=mark.subject, player=mark.player, money=mark.money,
                remedy=mark.remedy, facts=mark.facts, basis=mark.basis, text=mark.text,
            )  # fmt: skip
