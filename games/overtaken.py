"""TB-10: a ruling that rests on a verdict which the facts alone no longer give."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from events.schema.fact import Fact
from events.schema.ours import Ruling, RulingApplied
from games.table_rules import finding
from games.verdict import Finding


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
