"""What the house's book lets management rule: ground, scope, standard of proof, and who may decide.

The room's void-and-refund matrix says it (`Game.matrix`). A ground that it does not give is possible only as
management's own (`basis = management`), and is marked wherever it is shown.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from events.errors import Refused
from events.schema.common import DealerRelieved, DealerSeated, InspectorRelieved, InspectorSeated
from events.schema.fact import Fact
from events.schema.ours import Ruling
from games.casebook import Casebook
from games.shared.matrix import Row, reach, rows_for
from games.shared.rulings import VOIDS
from games.verdict import Scope
from replay.disputes.effects import AS_DUE, PENALTY, UPHOLD

Standard = Literal["suspicion", "proof", "fact"]
_WEIGHT: dict[str, int] = {"none": 0, "choice": 0, "suspicion": 1, "proof": 2, "fact": 2}


TABLE_ERROR = "table_error"
"""The ground of every correction: what the table paid is not what the rules make of the facts."""


def basis_of(
    matrix: tuple[Row, ...], ruling: Ruling, *, cameras: int, found: frozenset[str] = frozenset()
) -> Literal["book", "analogy", "management"]:
    """On what a ruling rests. `cameras`: pieces of camera evidence on file; `found`: codes and rules of what was found
    in its rounds, grounds on which what is due may be paid.

    Raises:
        Refused: the book does not give it and it does not say that it is management's own, or it gives it only on
            better proof, or in another scope.
    """
    rows = rows_for(matrix, ruling.ground)
    if (
        ruling.remedy == AS_DUE
    ):  # nothing but what the rules make of the facts; a word for it stands in the log for ever
        if rows or ruling.ground in {TABLE_ERROR, *found}:
            return "book"
        if ruling.basis == "management":
            return "management"
        words = ", ".join((TABLE_ERROR, *sorted(found)))
        raise Refused(
            f"`{ruling.ground}` is no ground of this game's book, and nothing of that name was found there",
            hint=f"--ground {words}; --basis management marks another as the house's own",
        )
    if ruling.remedy == UPHOLD:
        return "book" if rows else "management"
    own = ruling.basis == "management"
    if not rows:
        if own:
            return "management"
        known = sorted({ground for row in matrix if row.decides == "management" for ground in row.grounds})
        raise Refused(
            f"the book of this game gives management no ruling on `{ruling.ground}`",
            hint=f"--basis management marks it as the house's own; the book gives {', '.join(known) or 'none'}",
        )
    fitting = [row for row in rows if _gives(row, ruling.remedy)]
    if not fitting and not own:
        effects = sorted({effect for row in rows for effect in row.effects})
        raise Refused(
            f"on `{ruling.ground}` the book ({rows[0].rule}) gives no {ruling.remedy}: {' or '.join(effects)}",
            hint="--basis management marks it as the house's own",
        )
    scoped = [row for row in fitting if ruling.scope is None or not row.scopes or ruling.scope in reach(row)]
    if not scoped and not own:
        scopes = sorted({scope for row in fitting for scope in row.scopes})
        raise Refused(
            f"on `{ruling.ground}` the book ({rows[0].rule}) reaches {' or '.join(scopes)}, not {ruling.scope}",
            hint="--basis management marks a ruling that goes further as the house's own",
        )
    row = (scoped or fitting or rows)[0]
    if _WEIGHT[ruling.standard or "none"] < _WEIGHT[row.standard] and not own:
        raise Refused(
            f"on `{ruling.ground}` the book ({row.rule}) wants {row.standard}, this ruling says {ruling.standard}",
            hint=f"--standard {row.standard}, if the evidence gives it",
        )
    if row.standard == "proof" and not cameras and not own:
        raise Refused(
            f"on `{ruling.ground}` the book ({row.rule}) wants proof by the audiovisual record; no camera is noted",
            hint=f"recoup dispute note {ruling.ruling.rpartition('.R')[0]} --camera 4 --from 21:40 --to 21:42",
        )
    if own and (not scoped or _falls_short(row, ruling, cameras)):
        return "management"
    return "analogy" if row.by_analogy else "book"


def _falls_short(row: Row, ruling: Ruling, cameras: int) -> bool:
    """Whether a ruling has less proof than the book wants of it, so that it is management's own."""
    weak = _WEIGHT[ruling.standard or "none"] < _WEIGHT[row.standard]
    return weak or (row.standard == "proof" and not cameras)


def _gives(row: Row, remedy: str) -> bool:
    """Whether a row gives such a remedy; a candidate's name is one where a person must say what counts."""
    return bool(_EFFECTS.get("void" if remedy in VOIDS else remedy, frozenset({"ruling"})) & set(row.effects))


_EFFECTS: dict[str, frozenset[str]] = {
    "void": frozenset({"void", "refund", "ruling"}),
    "return": frozenset({"ruling", "hold", "resettle"}),
    "forfeit": frozenset({"forfeit"}),
    PENALTY: frozenset({"penalty"}),
}
"""Remedy → the effects of a row that give it."""


def scope_of(matrix: Iterable[Row], ground: str, remedy: str) -> Scope | None:
    """The scope that the book gives a void on that ground; None where it gives none."""
    rows = [row for row in rows_for(matrix, ground) if remedy in VOIDS and _gives(row, remedy)]
    return next((row.scopes[0] for row in rows if row.scopes), None)


def is_void(ruling: Ruling) -> bool:
    """Whether it takes a result away."""
    return ruling.remedy in VOIDS


def on_duty(book: Casebook, rounds: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Person → what he did (`dealt`, `supervised`) in one of the rounds (subject, name), by the tables' own records.

    Who was seated when a round began counts, and who came while it ran.
    """
    found: dict[str, str] = {}
    by_subject: dict[str, set[str]] = {}
    for subject, name in rounds:
        by_subject.setdefault(subject, set()).add(name)
    for subject, names in by_subject.items():
        for person, what in _on_duty(book.case(subject).ordered.facts, names):
            found.setdefault(person, what)
    return found


def _on_duty(facts: Iterable[Fact], names: set[str]) -> Iterable[tuple[str, str]]:
    there: dict[str, str] = {}
    for fact in facts:
        event = fact.event
        if isinstance(event, DealerSeated):  # one dealer at a time: he relieves whom the record forgot
            there = {person: did for person, did in there.items() if did != "dealt"} | {event.person: "dealt"}
        elif isinstance(event, InspectorSeated):
            there[event.person] = "supervised"
        if fact.round in names:
            yield from there.items()
        if isinstance(event, DealerRelieved | InspectorRelieved):
            there.pop(event.person, None)
