"""A room's void-and-refund matrix (section 5 of its catalogue) as data: what follows from what, and who decides it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct

from games.verdict import Scope

Decides = Literal["mandatory", "player", "management", "complaints", "nobody"]
"""`mandatory`: the facts alone; `player`: he chooses among what the rule gives him; `complaints`: that procedure."""

Standard = Literal["fact", "proof", "suspicion", "choice", "none"]
"""What it takes: a fact on record, proof or suspicion as a ruling states it, a player's choice, nothing."""

Effect = Literal[
    "void", "refund", "partial_refund", "leave", "hold", "resettle", "ruling", "dead", "forfeit", "penalty", "none",
]  # fmt: skip
"""What becomes of the money: `leave` the stake lies on for the next round, `resettle` as the right facts say, `ruling`
a person must say, `penalty` a sanction on a person and no money."""


class Row(Struct, frozen=True, kw_only=True):
    """One row. `grounds`: finding codes that state the trigger, or grounds of a ruling; `scopes`: what it reaches,
    empty if nothing; `evidence`: the facts that show it, in the catalogue's words; `rule`: rule or ambiguity that says
    so; `by_analogy`: the source has no such clause for this game."""

    trigger: str
    grounds: tuple[str, ...]
    scopes: tuple[Scope, ...]
    evidence: str
    standard: Standard
    decides: Decides
    effects: tuple[Effect, ...]
    rule: str
    by_analogy: bool = False


def rows_for(matrix: Iterable[Row], ground: str) -> list[Row]:
    """The rows that give a person a ruling on that ground, or on that rule of the book by its id."""
    return [
        row
        for row in matrix
        if (ground in row.grounds or ground == row.rule) and row.decides in ("management", "complaints")
    ]


def reach(row: Row) -> frozenset[str]:
    """The scopes of a row, with those that lie in them: who may void a session may void a round of it, but where a row
    names a shoe it is every round dealt from it, and where it names a round every bet of it."""
    return frozenset(inner for scope in row.scopes for inner in _WITHIN.get(scope, (scope,)))


_WITHIN: dict[str, tuple[str, ...]] = {
    "session": ("session", "round"),
    "hand": ("hand", "bet"),
    "player": ("player", "bet"),
}
