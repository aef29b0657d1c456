"""Findings in words: what was found, in what order it weighs, and which of them are one matter."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

from cli.remedies import remedy_words
from cli.screen import Words, table, wrapped
from events.values.money import figure_text, money_text, unit_text
from games.picture import Span, Style
from games.verdict import Finding

KINDS = {
    "breach": "procedure broken, money unchanged",
    "corrected": "put right as the rules require",
    "void": "void by the facts alone",
    "voidable": "management may declare it void",
    "misdeal": "misdeal: cards back, deal again",
    "dead": "dead hand, what it staked is lost to it",
    "mispaid": "paid wrong",
    "ruling_required": "needs a manager's ruling",
    "penalty": "a sanction is open to management",
    "advisory": "pointed out; by itself it moves no money",
    "unverified": "a fact is missing: neither proved nor disproved",
}
"""The kinds of finding, for people."""

_GRAVE: dict[str, int] = {
    "void": 0, "ruling_required": 1, "misdeal": 2, "mispaid": 3, "voidable": 4, "corrected": 5, "dead": 6,
    "unverified": 7, "breach": 8, "penalty": 9, "advisory": 10,
}  # fmt: skip

Shorten = Callable[[str], str]


def grave(finding: Finding) -> int:
    """Place in the order of gravity; 0 weighs most."""
    return _GRAVE[finding.kind]


def in_short(finding: Finding, currency: str) -> str:
    """A finding in a few words: who is owed what, and its own words or, without any, its code's."""
    said = _places(finding.text) or finding.code.replace("_", " ").replace(":", ": ")
    return f"{said}; {owed_text(finding, currency)}" if finding.money else said


def owed_text(finding: Finding, currency: str) -> str:
    """Who is owed what by a finding, or owes it; of a stake in another currency than the table's in that."""
    currency = finding.remedy.get("currency", currency)
    who = finding.player or "the player"
    return f"{money_text(abs(finding.money), currency)} owed {'to' if finding.money > 0 else 'by'} {who}"


def finding_lines(
    finding: Finding, shorten: Shorten, currency: str, *, indent: str = "  ", bare: bool = False
) -> list[Words]:
    """One finding: rule, kind, about what, in words, with the records it rests on; `bare`: without these."""
    about = _about(finding)
    via = f" (through {finding.via})" if finding.via else ""
    style: Style = "bad" if finding.kind in ("void", "ruling_required", "mispaid", "misdeal") else "bold"
    head: Words = [indent, Span(f"{finding.rule:<6}", style), f" {finding.code}{about}{via}"]
    lines: list[Words] = [head]
    said = f"{KINDS[finding.kind]} ({finding.scope})"
    if finding.money:
        said += f"; {owed_text(finding, currency)}"
    lines += wrapped(said + (f" — {_places(finding.text)}" if finding.text else ""), indent + "       ")
    more = []
    if finding.events and not bare:
        more.append("rests on " + ", ".join(shorten(cite) for cite in finding.events))
    if finding.basis != "facts":
        more.append(f"decided by {finding.basis}")
    if instead := ", ".join(remedy_words(finding.remedy, currency)):
        more.append(f"instead: {instead}")
    for text in more:
        lines += [[Span(piece, "dim")] for piece in wrapped(text, indent + "       ")]
    return lines


def rules_found(findings: Iterable[Finding]) -> str:
    """Rule ids with how often, in order of gravity."""
    counts: dict[str, int] = {}
    for finding in sorted(findings, key=lambda one: _GRAVE[one.kind]):
        counts[finding.rule] = counts.get(finding.rule, 0) + 1
    return ", ".join(rule if count == 1 else f"{rule} ×{count}" for rule, count in counts.items())


class Matter(Struct, frozen=True):
    """Findings that are one thing: of one rule, on the same record or of one kind. `lead` says what was wrong, `rest`
    are its like or what follows from it (whose money it is, rake on a bet that did not count)."""

    lead: Finding
    rest: tuple[Finding, ...]


def matters(findings: Iterable[Finding]) -> list[Matter]:
    """Findings put together, the gravest matter first."""
    groups: list[list[Finding]] = []
    for finding in sorted(findings, key=grave):
        group = next((group for group in groups if any(_belong(finding, other) for other in group)), None)
        if group is None:
            groups.append([finding])
        else:
            group.append(finding)
    return [_matter(group) for group in groups]


def _belong(one: Finding, other: Finding) -> bool:
    shared = one.code == other.code or not set(one.events).isdisjoint(other.events)
    return one.rule == other.rule and shared


def _matter(group: Sequence[Finding]) -> Matter:
    """What was done wrong leads, and says so in words; money that it moved is a consequence."""
    lead = min(group, key=lambda one: (not one.text, one.kind == "mispaid", grave(one)))
    return Matter(lead, tuple(one for one in group if one is not lead))


def all_finding_lines(findings: Iterable[Finding], shorten: Shorten, currency: str) -> list[Words]:
    """Findings matter by matter, the gravest first; many of one kind (a whole layout paid wrong) told as one."""
    lines: list[Words] = []
    for matter in matters(findings):
        if len(matter.rest) > 1 and all(one.code == matter.lead.code for one in matter.rest):
            lines += _group_lines((matter.lead, *matter.rest), shorten, currency)
            continue
        lines += finding_lines(matter.lead, shorten, currency)
        for one in matter.rest:
            text = _follows(one, matter.lead, shorten, currency)
            lines += [[Span(piece, "dim")] for piece in wrapped(text, "           ", "         ")]
    return lines


def _follows(finding: Finding, lead: Finding, shorten: Shorten, currency: str) -> str:
    """A further finding of a matter in a line: how it differs from the one that leads."""
    about = _about(finding)
    said = _places(finding.text) if finding.text != lead.text else ""
    if finding.money:
        said = f"{said}; {owed_text(finding, currency)}" if said else owed_text(finding, currency)
    elif not said and finding.remedy != lead.remedy:
        said = ", ".join(remedy_words(finding.remedy, currency))
    if not said and finding.events != lead.events:
        said = "on " + ", ".join(shorten(cite) for cite in finding.events)
    said = said or KINDS[finding.kind]
    same = (finding.code, finding.subject) == (lead.code, lead.subject) and not finding.money
    return said if same else f"{finding.code}{about}: {said}"


def _about(finding: Finding) -> str:
    """` · seat 3`."""
    return f" · {_places(finding.subject)}" if finding.subject else ""


def _places(text: str) -> str:
    """`after seat/1 it comes to seat/3` as people say it."""
    return text.replace("seat/", "seat ").replace("box/", "box ")


def _group_lines(group: Sequence[Finding], shorten: Shorten, currency: str) -> list[Words]:
    first = group[0]
    via = f" (through {first.via})" if first.via else ""
    lines: list[Words] = [["  ", Span(f"{first.rule:<6}", "bad"), f" {first.code} ×{len(group)}{via}"]]
    unit = f"; {unit_text(currency)}" if any(finding.money for finding in group) else ""
    lines += wrapped(f"{KINDS[first.kind]} ({first.scope}{unit})", "         ")
    rows: list[list[Words]] = [
        [
            _places(finding.subject),
            figure_text(abs(finding.money)) if finding.money else "",
            f"{'to' if finding.money > 0 else 'by'} {finding.player}" if finding.money and finding.player else "",
            ", ".join(shorten(cite) for cite in finding.events),
        ]
        for finding in group
    ]
    if any(finding.money for finding in group):
        lines += table(["about", "owed", "", "rests on"], rows, right=(1,), indent="         ")
    else:
        lines += table(["about", "rests on"], [[row[0], row[3]] for row in rows], indent="         ")
    return lines
