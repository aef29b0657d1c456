"""Findings of every table (TB-01 … TB-14): what the record itself says, whatever is played.

Found here: TB-01 … TB-08, TB-11, TB-13. Found where the facts are: TB-09 and TB-14 (two books, two imports) by the
checks in `projections`; TB-10 (a verdict that a ruling rests on) by the judge; TB-12 where days are signed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from events.schema.common import SourceEnded, TableClosed, TableOpened
from events.schema.event import Undecoded
from events.schema.fact import Fact
from events.schema.order import Ordered
from events.schema.ours import HandImported
from events.values.clock import span_text
from events.values.money import money_text
from events.values.places import POT
from games.house_rules.edition import Edition
from games.settlement import Ledger, conserved
from games.verdict import Finding, Kind, Scope, Settlement

TABLE_RULES: dict[str, str] = {
    "TB-01": "A source's counter has a hole",
    "TB-02": "Two records of one sequence with different content",
    "TB-03": "A record whose data cannot be read",
    "TB-04": "A source's counter began again in mid-session",
    "TB-05": "A source's clock went backwards against its counter",
    "TB-06": "A round's name was used again, or names a round that nobody opened",
    "TB-07": "The table names another edition than the one in force",
    "TB-08": "A round's money does not add up",
    "TB-09": "A transfer between two books has one end only",
    "TB-10": "The verdict that a ruling rests on has changed since",
    "TB-11": "A ruling is invalid in form",
    "TB-12": "A record came after the day was signed off",
    "TB-13": "A session or a source without a beginning or an end",
    "TB-14": "A site's hand id was used twice",
}


def title_of(rule: str, edition: Edition | None) -> str:
    """A rule's title, in the edition or of every table; empty where neither has it."""
    text = edition.rules.get(rule) if edition is not None else None
    return text.title if text is not None else TABLE_RULES.get(rule, "")


class Hole(Struct, frozen=True):
    """Something missing in a source: records `first` to `last` of `origin` (a source, with its restart part). `lost`:
    somebody declared that nobody will ever send them."""

    origin: str
    first: int
    last: int
    why: Literal["gap", "conflict", "undecoded"] = "gap"
    detail: str = ""
    lost: bool = False


_HOLES: dict[str, tuple[str, str]] = {
    "gap": ("TB-01", "gap"),
    "conflict": ("TB-02", "conflict"),
    "undecoded": ("TB-03", "undecoded"),
}


def finding(
    rule: str, code: str, kind_: Kind, scope: Scope, *, text: str, events: Iterable[str] = (), subject: str = ""
) -> Finding:
    """A finding of a table rule; these have no parameters."""
    return Finding(rule=rule, code=code, kind=kind_, scope=scope, subject=subject, events=tuple(events), text=text)


def undecoded_holes(ordered: Ordered) -> list[Hole]:
    """Each record that cannot be read is a hole of one."""
    holes = []
    for fact in ordered.facts:
        if type(fact.event) is Undecoded:
            holes.append(Hole(fact.origin, fact.sequence, fact.sequence, "undecoded", fact.event.reason))
    return holes


def touched(ordered: Ordered, holes: Sequence[Hole]) -> dict[str, list[Hole]]:
    """Round → the holes that touch it: from the round of the record before to that of the one after, in its source."""
    if not holes:
        return {}
    ordinals = {name: number for number, name in enumerate(ordered.rounds)}
    stood: dict[str, list[tuple[int, int]]] = {}
    current = -1
    for fact in ordered.facts:
        own = ordinals.get(fact.round or "")
        if own is not None:
            current = max(current, own)
        stood.setdefault(fact.origin, []).append((fact.sequence, current if own is None else own))
    found: dict[str, list[Hole]] = {}
    for hole in holes:
        places = stood.get(hole.origin, [])
        before = [place for sequence, place in places if sequence < hole.first]
        after = [place for sequence, place in places if sequence > hole.last]
        low = max(before[-1] if before else 0, 0)
        high = after[0] if after else (before[-1] if before else len(ordered.rounds) - 1)
        for number in range(min(low, high), max(low, high) + 1):
            if 0 <= number < len(ordered.rounds):
                found.setdefault(ordered.rounds[number], []).append(hole)
    return found


def hole_finding(hole: Hole) -> Finding:
    """TB-01, TB-02 or TB-03."""
    rule, code = _HOLES[hole.why]
    span = str(hole.first) if hole.first == hole.last else f"{hole.first}-{hole.last}"
    where = f"{span}@{hole.origin}"
    text = f"{TABLE_RULES[rule]}: {where}" + (f" ({hole.detail})" if hole.detail else "")
    cites = (f"{hole.first}@{hole.origin}",)
    found = finding(rule, code, "unverified", "round", text=text, subject=where, events=cites)
    return replace(found, remedy={"lost": True}) if hole.lost else found


def session_findings(ordered: Ordered, opened: Fact | None, edition: str, restarts: Iterable[str]) -> Iterator[Finding]:
    """What concerns a session as a whole: TB-04, TB-07, TB-11, TB-13."""
    for origin in restarts:
        yield finding(
            "TB-04", "source_restarted", "breach", "session", text=f"{TABLE_RULES['TB-04']}: {origin}", subject=origin
        )
    if opened is not None and isinstance(opened.event, TableOpened) and opened.event.edition not in (None, edition):
        yield finding(
            "TB-07", "edition_differs", "breach", "session", events=(opened.cite,), subject=opened.event.edition or "",
            text=f"the table names edition {opened.event.edition}, in force is {edition}",
        )  # fmt: skip
    known = {address.rpartition("#")[2] for address in ordered.rounds} if ordered.rulings else set()
    for ruling in ordered.rulings:
        named = [name.rpartition("#")[2] for name in getattr(ruling.event, "rounds", ())]
        if named and not known.intersection(named):
            yield finding(
                "TB-11", "ruling_names_no_round", "breach", "session", events=(ruling.cite,),
                subject=getattr(ruling.event, "ruling", ""), text="the ruling names no round of this session",
            )  # fmt: skip
    yield from _without_end(ordered, opened)


def _without_end(ordered: Ordered, opened: Fact | None) -> Iterator[Finding]:
    if opened is None:
        yield finding("TB-13", "not_opened", "unverified", "session", text="no record opens this session")
        return
    if isinstance(opened.event, HandImported) or not any(type(fact.event) is TableClosed for fact in ordered.facts):
        return  # still open, as far as the record goes; the close of the day asks again
    ended = {fact.source for fact in ordered.facts if isinstance(fact.event, SourceEnded)}
    for source in sorted({fact.source for fact in ordered.facts if not fact.ours} - ended):
        yield finding(
            "TB-13", "source_without_end", "unverified", "session", subject=source,
            text=f"the table closed and {source} did not say that it has ended",
        )  # fmt: skip


def clock_findings(facts: Sequence[Fact]) -> dict[str, Finding]:
    """TB-05 by the citation of each record whose time is before that of the record before it in its source."""
    latest: dict[str, Fact] = {}
    found: dict[str, Finding] = {}
    for fact in facts:
        if fact.about is not None:
            continue
        before = latest.get(fact.origin)
        if before is not None and fact.occurred_at < before.occurred_at:
            back = before.occurred_at - fact.occurred_at
            found[fact.cite] = finding(
                "TB-05", "clock_backwards", "breach", "round", events=(before.cite, fact.cite), subject=fact.origin,
                text=f"its clock went back {span_text(back)}; its own order holds",
            )  # fmt: skip
        latest[fact.origin] = fact
    return found


def round_findings(
    name: str,
    facts: Sequence[Fact],
    closed: Fact | None,
    ledger: Ledger,
    due: Settlement,
    currency: str,
) -> Iterator[Finding]:
    """TB-06 and TB-08. `closed`: the fact that closed the round; `ledger`: its movements added up."""
    if "~" in name:
        first = next((fact.cite for fact in facts), "")
        yield finding(
            "TB-06", "round_name_again", "breach", "round", events=(first,), subject=name, text=TABLE_RULES["TB-06"]
        )
    units = {f"box/{line.stake}": line.currency for line in due.lines if line.currency}
    for place, amount in ledger.left().items():
        left = money_text(amount, units.get(place, currency))
        if amount < 0 or (place == POT and closed is not None and ledger.paid_out):
            yield finding(
                "TB-08", "does_not_add_up", "ruling_required", "round", subject=place,
                events=(closed.cite,) if closed is not None else (),
                text=f"{place} is left with {left} by the movements on record",
            )  # fmt: skip
    if not conserved(due):
        yield finding(
            "TB-08",
            "due_does_not_add_up",
            "ruling_required",
            "round",
            text="what is due does not add up to what was staked",
        )
