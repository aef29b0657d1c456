"""TB-10: a ruling that rests on a verdict which the facts alone no longer give."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from events.schema.common import ChipsMoved
from events.schema.fact import Fact
from events.schema.order import Ordered
from events.schema.ours import Ruling, RulingApplied
from games.table_rules import finding
from games.verdict import Finding


def by_facts(ordered: Ordered) -> Ordered:
    """A session as the facts alone tell it: without rulings, and without the chips that moved to carry them out (cause
    `ruling`, from the first ruling on), so that who carries a ruling out does not overtake it."""
    if not ordered.rulings:
        return ordered
    first = min(fact.occurred_at for fact in ordered.rulings)
    facts = tuple([fact for fact in ordered.facts if not (_carries_out(fact) and fact.occurred_at >= first)])
    return replace(ordered, rulings=(), facts=facts)


def _carries_out(fact: Fact) -> bool:
    return isinstance(fact.event, ChipsMoved) and fact.event.cause == "ruling"


def resting(rulings: Iterable[Fact]) -> dict[str, Fact]:
    """Ruling → its application, of those in force that rest on verdicts; what was applied last says it."""
    last = {fact.event.ruling: fact for fact in rulings if isinstance(fact.event, Ruling)}
    replaced = {getattr(fact.event, "replaces", None) for fact in last.values()}
    return {
        name: fact
        for name, fact in last.items()
        if name not in replaced and isinstance(fact.event, RulingApplied) and fact.event.rests_on
    }


def overtaken(rests: Mapping[str, Fact], now: Mapping[str, str]) -> dict[str, Finding]:
    """A finding by round's name. `now`: address of each round of the session → `outcome_digest` of its verdict by the
    facts alone, today."""
    found: dict[str, Finding] = {}
    for name, fact in rests.items():
        assert isinstance(fact.event, RulingApplied)
        for address, digest in fact.event.rests_on.items():
            if now.get(address, digest) != digest:
                found[address.rpartition("#")[2]] = finding(
                    "TB-10", "ruling_overtaken", "ruling_required", "round", events=(fact.cite,), subject=name,
                    text=f"ruling {name} was decided on another verdict than the facts give now; "
                    "only a further ruling moves money",
                )  # fmt: skip
    return found
