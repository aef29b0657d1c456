"""`why`: what stands behind a finding: the rule's own words, the parameters it read, the records it rests on. Of a rule
that was kept: its words, its parameters, and the figures it rests on."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli import assembly, failures, screen
from cli.addresses import one_round
from cli.findings import finding_lines, grave, rules_found
from cli.judge import read_records, took
from cli.lookup import rules_about
from cli.options import AsJson, DayOf, Round, Store, day_of, is_timeless, opened
from cli.scene import found_beside
from cli.screen import Words
from cli.steps import hidden_in, told_of, viewed
from cli.words import figure_lines, meanings, parameter_lines, rule_lines
from events.errors import Refused
from events.values.clock import clock_text, time_text
from events.values.names import round_address
from games.adjudicate import explain_rule
from games.picture import Span, Viewpoint
from games.table_rules import TABLE_RULES, title_of
from games.verdict import Finding
from replay.stepper import Stepper

if TYPE_CHECKING:
    from games.house_rules.rulebook import RuleBook

_IN_FULL = 5
"""So many findings are told in full without being asked for one by one."""


_OTHERS = 4
"""So many further rules that words may mean are named."""


def why(
    round_: Round,
    asked: Annotated[
        list[str] | None,
        typer.Argument(metavar="[N|RULE|WORD]", help="A finding by its number, a rule, or what it is about."),
    ] = None,
    all_knowing: Annotated[bool, typer.Option("--all-knowing", help="Show hidden cards, too.")] = False,
    viewpoint: Annotated[str, typer.Option("--viewpoint", metavar="SEAT", help="Show what that seat could see.")] = "",
    day: DayOf = None,
    store: Store = None,
    as_json: AsJson = False,
) -> None:
    """Why was something found, or not: the rule's words, what it read, what it rests on.

    \b
    Examples:
      recoup why NL-1#12             every finding, the gravest first; or else every figure
      recoup why NL-1#12 2           the second of them
      recoup why NL-1#12 NL-24       those of one rule; if none is: why it was kept
      recoup why NL-1#12 string bet  the same of the rule that is about this

    The rule is told in the words of the edition in force at that table on that day, with its source; every parameter
    that the check read stands with its value, and whether the edition states it. Where a rule rests on figures they are
    told, kept or not: blinds, words and chips, pots, tabled hands, odd chips, rake, the last call. Exit code 5 if there
    is a finding, 0 of a rule that was kept.
    """
    with opened(store) as log:
        address = one_round(log, round_, day=day_of(day))
        took(address)
        records = read_records(log, address.subject)
    view = viewed(records, all_knowing=all_knowing, viewpoint=viewpoint)
    walk = Stepper(records, assembly.rooms(), address.round)
    found = order([*walk.verdict(address.round).findings, *found_beside(walk.case, walk.timeline, address.round)])
    which = _meant(walk, found, asked or [])
    rule = which.upper()
    if _is_kept(walk, found, rule):
        if as_json:
            screen.put_json(kept_json(walk, rule))
        else:
            screen.say_all(kept_lines(walk, rule))
            screen.hint(f"recoup judge {address.text} shows the verdict in full")
        return
    chosen = _chosen(found, which, address.text)
    if as_json:
        for number in chosen:
            screen.put_json(finding_json(walk, found[number - 1], view) | {"number": number})
    elif not found:
        screen.say("nothing was found in this round")
        screen.say_all(figures_of_all(walk))
        screen.hint(f"recoup why {address.text} RULE tells one of them in full, with the rule's words")
    elif not which and len(found) > _IN_FULL:
        screen.say_all(_list(walk, found))
        screen.hint(f"recoup why {address.text} N explains one of them, recoup why {address.text} RULE those of a rule")
    else:
        screen.say_all(explained(walk, [found[number - 1] for number in chosen], view, chosen))
        screen.hint(f"recoup replay {address.text} --step walks to it: e next finding, w why")
    if found:
        raise typer.Exit(failures.FOUND_SOMETHING)


def _meant(walk: Stepper, found: Sequence[Finding], asked: Sequence[str]) -> str:
    """The number or the rule that is asked for; by words the likeliest rule, before others one that was broken."""
    which = " ".join(asked)
    rule = which.upper()
    if not which or which.lstrip("-").isdigit() or re.fullmatch(r"[A-Z]{2}-\w+", rule):
        return which
    book = next((one for one in walk.game.books if one.name == walk.edition.rule_book), None)
    rules = rules_about(walk.game, book, walk.edition, asked) if book is not None else []
    if not rules:
        raise Refused(
            f"no rule is about `{which}`", hint="`recoup rules list` shows every rule, `… list WORD` those of a word"
        )
    broken = {rule for finding in found for rule in (finding.rule, finding.via)}
    meant = next((one for one in rules if one in broken), rules[0])
    others = [one for one in rules if one != meant][:_OTHERS]
    screen.note(
        f"rule {meant}"
        + (f" ({', '.join(others)} {'is' if len(others) == 1 else 'are'} about it, too)" if others else "")
    )
    return meant


def order(findings: Iterable[Finding]) -> list[Finding]:
    """The gravest first, as `judge` tells them; by this order findings are numbered from 1."""
    return sorted(findings, key=grave)


def explained(walk: Stepper, findings: Sequence[Finding], view: Viewpoint, numbers: Sequence[int] = ()) -> list[Words]:
    """Findings with all that they stand on; what several of them share is told once. `numbers` names each."""
    lines: list[Words] = []
    named = zip(findings, numbers or [0] * len(findings), strict=True)
    for _ground, group in groupby(named, key=lambda pair: _shared(pair[0])):
        own = list(group)
        for finding, number in own:
            if number:
                lines.append([Span(f"Finding {number}", "dim")])
            (seen,) = hidden_in((finding,), walk.sees(walk.steps[-1], view))
            # What it rests on and what it read is told below, in more words.
            lines += finding_lines(seen, walk.timeline.shorten, walk.currency, bare=True)
        lines += _ground_lines(walk, [finding for finding, _number in own], view)
        lines.append("")
    return lines[:-1]


def _shared(finding: Finding) -> tuple[object, ...]:
    """What findings must have in common to be told together."""
    return (finding.rule, finding.via, finding.events, tuple(map(str, finding.parameters.items())))


def _ground_lines(walk: Stepper, findings: Sequence[Finding], view: Viewpoint) -> list[Words]:
    """Rule, parameters and records of findings that have them in common."""
    finding = findings[0]
    lines: list[Words] = ["", [Span("The rule", "bold")], *rule_lines(finding.rule, walk.edition)]
    if finding.via and finding.via != finding.rule:
        lines += [[Span("through", "bold")], *rule_lines(finding.via, walk.edition)]
    if finding.parameters:
        lines += ["", [Span("What it read", "bold")], *parameter_lines(walk.game, walk.edition, finding.parameters)]
    if walk.round is not None and (figures := explain_rule(walk.case, walk.rooms, walk.round, finding.rule)):
        lines += ["", [Span("The figures", "bold")], *figure_lines(figures, "  ")]
    return [*lines, "", [Span("What it rests on", "bold")], *_event_lines(walk, finding, view)]


def _is_kept(walk: Stepper, found: Iterable[Finding], rule: str) -> bool:
    """Whether it is a rule of this table against which nothing was found."""
    known = rule in walk.edition.rules or rule in TABLE_RULES
    return known and not any(rule in (finding.rule, finding.via) for finding in found)


def kept_lines(walk: Stepper, rule: str) -> list[Words]:
    """A rule against which nothing was found: that, its words, what it reads, the figures it rests on."""
    told = kept_json(walk, rule)
    lines: list[Words] = [[Span(piece, "bold")] for piece in screen.wrapped(told["said"])]
    if told["figures"]:
        lines += ["", [Span("The figures it rests on", "bold")]]
        lines += figure_lines(told["figures"], "  ")
    lines += ["", [Span("The rule", "bold")], *rule_lines(rule, walk.edition)]
    if told["read"]:
        values = {one["name"]: one["value"] for one in told["read"]}
        lines += ["", [Span("What it reads", "bold")], *parameter_lines(walk.game, walk.edition, values)]
    return lines


def figures_of_all(walk: Stepper) -> list[Words]:
    """On what the rules rest that were kept in a round: each set of figures once, with the rules that rest on it."""
    assert walk.round is not None
    rules_of: dict[tuple[str, ...], list[str]] = {}
    for rule in walk.edition.rules:
        figures = explain_rule(walk.case, walk.rooms, walk.round, rule)
        if figures:
            rules_of.setdefault(figures, []).append(rule)
    lines: list[Words] = []
    for figures, rules in rules_of.items():
        named = "; ".join(f"{rule} {walk.edition.rules[rule].title}" for rule in rules)
        lines += ["", *[[Span(piece, "bold")] for piece in screen.wrapped(named)], *figure_lines(list(figures), "  ")]
    return lines


def kept_json(walk: Stepper, rule: str) -> dict[str, Any]:
    """The same as `--json` gives it."""
    assert walk.round is not None
    book = next((one for one in walk.game.books if one.name == walk.edition.rule_book), None)
    values: dict[str, Any] = {}
    for check in book.checks if book is not None else ():
        if check.rule == rule:
            values |= {name: walk.edition[name] for name in check.parameters}
    return {
        "round": round_address(walk.timeline.subject, walk.round),
        "rule": rule,
        "found": False,
        "said": _kept_text(walk, book, rule),
        "rule_text": _rule_json(walk, rule),
        "read": _read_json(walk, values),
        "figures": list(explain_rule(walk.case, walk.rooms, walk.round, rule)),
    }


def _kept_text(walk: Stepper, book: RuleBook | None, rule: str) -> str:
    """That nothing was found, and how much that says."""
    assert walk.round is not None
    verdict = walk.verdict(walk.round)
    said = f"{rule}: nothing was found against it in this round"
    if verdict.findings:
        said += f", but {rules_found(verdict.findings)} was"
    if book is not None and rule in book.by_hand:
        return f"{said}; no record can show a breach of it: {book.by_hand[rule]}"
    if book is not None and rule in book.not_breakable:
        return f"{said}; nothing that happens can break it: {book.not_breakable[rule]}"
    if verdict.touched or not verdict.due.known:
        return f"{said}, as far as the record goes: part of it is missing"
    return said


def finding_json(walk: Stepper, finding: Finding, view: Viewpoint) -> dict[str, Any]:
    """The same as `--json` gives it."""
    import msgspec

    (seen,) = hidden_in((finding,), walk.sees(walk.steps[-1], view))
    plain: dict[str, Any] = msgspec.to_builtins(seen)
    plain["rule_text"] = _rule_json(walk, finding.rule)
    plain["read"] = _read_json(walk, finding.parameters)
    plain["rests_on"] = [
        {"record": cite, "at": time_text(at) if at is not None else None, "words": words, "line": line}
        for cite, at, words, line in _rested(walk, finding, view)
    ]
    return plain


def _rule_json(walk: Stepper, rule: str) -> dict[str, str]:
    text = walk.edition.rules.get(rule)
    return {
        "title": title_of(rule, walk.edition),
        "text": text.text if text else "",
        "source": text.source if text else "",
        "edition": walk.edition.name,
    }


def _read_json(walk: Stepper, parameters: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [
        {"name": name, "value": value, "stated": name not in walk.edition.defaulted, "meaning": meaning}
        for name, value, meaning in meanings(walk.game, walk.edition, parameters)
    ]


def _chosen(found: list[Finding], which: str, where: str) -> list[int]:
    """The numbers of the findings that are meant.

    Raises:
        Refused: there is no such finding.
    """
    every = list(range(1, len(found) + 1))
    if not which:
        return every
    if not found and not which.lstrip("-").isdigit():
        hint = "`recoup rules list` shows every rule"
        raise Refused(f"nothing was found in {where}, and `{which}` is no rule of its edition", hint=hint)
    if not found:
        raise Refused(f"nothing was found in {where}", hint=f"`recoup judge {where}` shows the verdict in full")
    count = f"{where} has {screen.number(len(found), 'finding')}"
    if which.lstrip("-").isdigit():
        if int(which) in every:
            return [int(which)]
        raise Refused(f"there is no finding {which}; {count}", hint=f"`recoup why {where}` numbers them")
    numbers = [number for number in every if which.upper() in (found[number - 1].rule, found[number - 1].via)]
    if numbers:
        return numbers
    rules = ", ".join(dict.fromkeys(finding.rule for finding in found))
    raise Refused(f"no finding of rule `{which}`; {count}: {rules}", hint="one of these, or its number")


def _list(walk: Stepper, found: list[Finding]) -> list[Words]:
    rows: list[list[Words]] = []
    for number, finding in enumerate(found, 1):
        title = title_of(finding.rule, walk.edition)
        rows.append([str(number), finding.rule, finding.code, finding.subject, title])
    return screen.table(["", "rule", "found", "about", "title"], rows, right=(0,))


def _rested(walk: Stepper, finding: Finding, view: Viewpoint) -> Iterator[tuple[str, int | None, str, str]]:
    """Citation, time, words and line of each record; one that is not in the session has no words."""
    entries = {entry.fact.cite: entry for entry in walk.timeline.entries}
    steps = {step.entry.fact.cite: step for step in walk.steps}
    for cite in finding.events:
        entry = entries.get(cite)
        if entry is None:
            yield cite, None, "", ""
            continue
        at = entry.fact.occurred_at
        words, line = told_of(walk, entry, steps.get(cite), view)
        yield cite, None if is_timeless(at) else at, words, line


def _event_lines(walk: Stepper, finding: Finding, view: Viewpoint) -> list[Words]:
    lines: list[Words] = []
    for cite, at, words, line in _rested(walk, finding, view):
        clock = f"{clock_text(at)}  " if at is not None else ""
        head = f"  {clock}{walk.timeline.shorten(cite)}  "
        said = words or line or "a record of another session"
        lines += screen.wrapped(said, " " * len(head), head)
        if words and line:
            lines += [[Span(piece, "dim")] for piece in screen.wrapped(line, " " * len(head))]
    return lines or ["  no single record: on the hand as a whole, or on what no record tells"]
