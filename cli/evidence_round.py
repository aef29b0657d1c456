"""A round in an evidence report: the verdict and its rules, the record line by line, and the table step by step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from cli import screen
from cli.findings import KINDS, all_finding_lines, matters, owed_text
from cli.money import POTS, TOTALS, candidate_lines, pot_rows, stake_rows, total_rows
from cli.objections import Objection
from cli.options import is_timeless
from cli.screen import Words as Line
from cli.steps import EVERYTHING, MOVED, expected_lines, moved_rows, told_of
from cli.words import (
    apart_by_course,
    deciding,
    deciding_title,
    headline,
    meanings,
    missing_words,
    reason_words,
    setting_text,
    to_do,
)
from events.schema.notation import write_event
from events.values.clock import clock_text
from events.values.money import unit_text
from games.adjudicate import explain_rule
from games.house_rules.edition import Edition
from games.picture import Span
from games.table_rules import TABLE_RULES
from games.verdict import Finding, Verdict
from games.wording import place_words
from replay.evidence.blocks import (
    Block,
    Bullets,
    Drawing,
    Heading,
    Kept,
    Quote,
    Table,
    Text,
    Words,
    plain,
    words,
)
from replay.stepper import Step, Stepper
from replay.timeline import Entry

_STAKES_WIDE = (20, 14, 11, 11, 13, 13, 22)


class PackedRound(Struct, frozen=True, kw_only=True):
    """One round of the report. `drawn`: record by record; of others its end (`cli.evidence_others`).
    `verdict` as it stands, rulings included; `alone`: by the facts alone; `moved`: player → his net of the stakes that
    the ruling changes, as the table paid and under the ruling, minor units, None where stakes do not tell it;
    `people`: account → person, of those who corrected the record or added to it."""

    address: str
    drawn: bool
    walk: Stepper
    verdict: Verdict
    alone: Verdict
    objections: Sequence[Objection]
    moved: dict[str, tuple[int, int]] | None = None
    people: dict[str, str] = {}


def short_address(address: str) -> str:
    """`RL-03, round 173`."""
    subject, _hash, name = address.rpartition("#")
    parts = subject.split("/")
    return f"{parts[2]}, round {name}" if parts[0] == "table" else f"hand {parts[1][:8]}"


def case_blocks(case: PackedRound, *, several: bool) -> Iterator[Block]:
    """All of one round; `several`: it is one of a few, so that each heading names it."""
    named = f", {short_address(case.address)}" if several else ""
    yield Heading(f"The verdict{named}", 1)
    if several:
        yield Text(tuple(screen.spans_of(headline(case.verdict))), mark=True)
    yield from _answer(case)
    yield from _money(case.verdict)
    yield from _findings(case)
    yield from _objections(case)
    yield from _parameters(case)
    yield Heading(f"The record{named}", 1)
    yield from _record(case)
    yield Heading(f"Step by step{named}", 1)
    if case.verdict != case.alone:
        yield Text(words(_RULED_LATER))
    for step in case.walk.steps:
        yield _step(case, step)


_RULED_LATER = (
    "Management ruled on this round after it was played. The steps are told with its ruling: what the rules expected "
    "at a step, and what was due, may be as ruled later, which nobody at the table could know."
)


def _answer(case: PackedRound) -> Iterator[Block]:
    """The rule that decides, what was done against it and when, and what is to be done."""
    verdict, walk = case.verdict, case.walk
    decider = deciding(verdict)
    if decider is None:
        missing = verdict.standing == "cannot_tell"
        said = missing_words(verdict) if missing else "Nothing was found: every check of the edition passed."
        yield Text(words(said))
        return
    matter = next(one for one in matters(verdict.findings) if decider in (one.lead, *one.rest))
    yield Heading(deciding_title(verdict, decider), 2)
    yield Text(words(Span(reason_words(matter), "bold")))
    told = tuple(_told(walk, {cite for one in (matter.lead, *matter.rest) for cite in one.events}))
    if told:
        yield Bullets(told)
    assert walk.round is not None
    if figures := explain_rule(walk.case, walk.rooms, walk.round, decider.rule):
        yield Bullets(tuple(words(line.strip()) for line in figures))
    yield _rule(decider.rule, walk.edition)
    title, moves = to_do(verdict, matter)
    if title:
        yield Heading(title, 3)
        yield Bullets(tuple(words(Span(move, "bold")) for move in moves))
    elif moves:
        yield Text(words(*moves))


def _rule(rule: str, edition: Edition) -> Block:
    text = edition.rules.get(rule)
    if text is None:
        return Quote(f"{rule}  {TABLE_RULES.get(rule, '')}".strip(), "rules of every table")
    document = f"{edition.document}, " if edition.document else ""
    return Quote(f"{rule}  {text.title}. {text.text}", f"{edition.name}: {document}{text.source}")


def _told(walk: Stepper, cites: set[str]) -> Iterator[Words]:
    for entry in walk.timeline.entries:
        if entry.fact.cite in cites:
            said = " ".join(filter(None, told_of(walk, entry, None, EVERYTHING)[:1])) or write_event(
                entry.fact.event, walk.catalogue
            )
            yield words(Span(_clock(entry), "dim"), f"{said}  ", Span(walk.timeline.cite(entry.fact), "dim"))


def _clock(entry: Entry) -> str:
    return "" if is_timeless(entry.fact.occurred_at) else f"{clock_text(entry.fact.occurred_at)}  "


def result_blocks(verdict: Verdict) -> Iterator[Block]:
    """What each player won or lost in a round, in short: his total, or his one stake."""
    totals = total_rows(verdict)
    heads, rows = stake_rows(verdict)
    if rows and len(totals) <= bool(verdict.due.pots):  # no player has several stakes: the rake alone has a total
        yield amounts_table(heads, rows, (2, 3, 4, 5), _STAKES_WIDE[: len(heads)])
    if totals:
        yield amounts_table(TOTALS, totals, (1, 2, 3), (40, 20, 20, 20))
    if not rows:
        yield Text(words("Nobody won or lost anything."))


def _money(verdict: Verdict) -> Iterator[Block]:
    yield Heading(f"Money, in {unit_text(verdict.currency)}", 2)
    side = "the pot" if verdict.due.pots else "the house"
    yield Text(words(Span(f"+ goes to the player, − to {side}; due: as the rules have it; recorded: as paid.", "dim")))
    if pots := pot_rows(verdict):
        yield amounts_table(POTS, pots, (1, 2), (12, 12, 10, 30, 36))
    heads, rows = stake_rows(verdict)
    if rows:
        yield amounts_table(heads, rows, (2, 3, 4, 5), _STAKES_WIDE[: len(heads)])
    else:
        yield Text(words("Nobody won or lost anything."))
    if totals := total_rows(verdict):
        yield amounts_table(TOTALS, totals, (1, 2, 3), (40, 20, 20, 20))
    if candidates := candidate_lines(verdict):
        yield Text(words(screen.plain_of(candidates[0]).strip()))
        yield Bullets(tuple(_stripped(line) for line in candidates[1:]))


def amounts_table(
    heads: Sequence[str], rows: Iterable[Sequence[Line]], right: Iterable[int], wide: tuple[int, ...] = ()
) -> Table:
    """A table of the terminal's words. `right`: columns of amounts."""
    cells = tuple(tuple(tuple(screen.spans_of(cell)) for cell in row) for row in rows)
    return Table(tuple(heads), cells, frozenset(right), wide)


def _stripped(line: Line) -> Words:
    """A line of the terminal without its indent."""
    spans = screen.spans_of(line)
    while spans and not spans[0].text.strip():
        spans = spans[1:]
    return (Span(spans[0].text.lstrip(), spans[0].style), *spans[1:]) if spans else ()


def _findings(case: PackedRound) -> Iterator[Block]:
    verdict, walk = case.verdict, case.walk
    found, right = apart_by_course(verdict)
    for title, some in ((f"Findings: {len(found)}", found), (f"Put right at the table: {len(right)}", right)):
        if some:
            yield Heading(title, 2)
            rows = tuple(
                _finding_row(walk, one, verdict.currency)
                for matter in matters(some)
                for one in (matter.lead, *matter.rest)
            )
            heads = ("rule", "about", "what was found", "rests on")
            yield Table(heads, rows, wide=(11, 16, 51, 22))
    cited = dict.fromkeys(rule for one in verdict.findings for rule in (one.rule, one.via) if rule)
    decider = deciding(verdict)
    others = [rule for rule in cited if decider is None or rule != decider.rule]
    if others:
        yield Heading("The other rules that are cited", 2)
        for rule in others:
            yield _rule(rule, walk.edition)


def _finding_row(walk: Stepper, one: Finding, currency: str) -> tuple[Words, ...]:
    via = f" (through {one.via})" if one.via and one.via != one.rule else ""
    bad = one.kind in ("void", "ruling_required", "mispaid", "misdeal")
    said = f"{one.code.replace('_', ' ')}: {KINDS[one.kind]}"
    more = [one.text.replace("seat/", "seat ")] if one.text else []
    if one.money:
        more.append(owed_text(one, currency))
    if one.basis != "facts":
        more.append(f"decided by {one.basis}")
    more += [part for part in _instead(one, currency) if part not in more]
    return (
        words(Span(one.rule + via, "bad" if bad else "bold")),
        words(place_words(one.subject)),
        words("; ".join([said, *more])),
        words(", ".join(walk.timeline.shorten(cite) for cite in one.events)),
    )


def _instead(one: Finding, currency: str) -> list[str]:
    """What the rules require instead, as `judge` tells it."""
    lines = [screen.plain_of(line).strip() for line in all_finding_lines([one], str, currency)]
    return [line for line in lines if line.startswith("instead: ")]


def _objections(case: PackedRound) -> Iterator[Block]:
    if case.objections:
        yield Heading("Objections to this round", 2)
        yield Bullets(tuple(words(Span(f"{clock_text(one.at)}  ", "dim"), one.words) for one in case.objections))


def _parameters(case: PackedRound) -> Iterator[Block]:
    read = {name: value for one in case.verdict.findings for name, value in one.parameters.items()}
    if not read:
        return
    edition = case.walk.edition
    rows = tuple(
        (
            words(Span(name, "bold")),
            words(setting_text(value)),
            words("the catalogue's default" if name in edition.defaulted else edition.name),
            words(meaning),
        )
        for name, value, meaning in meanings(case.walk.game, edition, read)
    )
    yield Heading("How the house has set what the findings read", 2)
    yield Table(("setting", "value", "stated by", "what it means"), rows, wide=(28, 16, 18, 38))


# -- the record


def _record(case: PackedRound) -> Iterator[Block]:
    """One line a record, disowned ones too."""
    walk = case.walk
    steps = {step.entry.fact.cite: step for step in walk.steps}
    rows = []
    for entry in walk.timeline.entries:
        if entry.fact.round != walk.round:
            continue
        step = steps.get(entry.fact.cite)
        rows.append(
            (
                words(str(step.number) if step is not None else "×"),
                words(_clock(entry).strip() or "not known"),
                words(walk.timeline.cite(entry.fact)),
                words(f"{entry.fact.index:,}"),
                _line(case, entry, step),
            )
        )
    yield Text(
        words(
            Span(
                "Each record with its place in the house's log. "
                + "; ".join(f"{short} is {source}" for source, short in walk.timeline.short.items()),
                "dim",
            )
        )
    )
    yield Table(
        ("step", "time", "record", "row", "what was recorded"), tuple(rows), frozenset({0, 3}), (7, 15, 17, 10, 51)
    )
    for hole in walk.timeline.holes:
        count = hole.last - hole.first + 1
        yield Text(
            words(Span(f"Missing: {screen.number(count, 'record')} of {hole.origin}, from {hole.first} on.", "bad"))
        )


def _line(case: PackedRound, entry: Entry, step: Step | None) -> Words:
    walk = case.walk
    said, line = told_of(walk, entry, step, EVERYTHING)
    mark = "DISOWNED: " if entry.disowned else "ADDED: " if entry.added else "CORRECTED: " if entry.original else ""
    parts = [mark + (said or line), *_notes(case, entry)]
    parts += [f"▲ {one.rule} {one.code.replace('_', ' ')}" for one in _found(step)]
    return words(Span("; ".join(parts), "bold" if _found(step) else ""))


def _found(step: Step | None) -> tuple[Finding, ...]:
    return (*step.here, *step.cited) if step is not None else ()


def _notes(case: PackedRound, entry: Entry) -> Iterator[str]:
    """As it came, and what was said about it by whom."""
    if entry.original is not None:
        came = write_event(entry.original.event, case.walk.catalogue)
        yield f"as it came: {clock_text(entry.original.occurred_at)} {came}"
    for note in entry.notes or ((entry.fact,) if entry.added else ()):
        if note.account or note.reason:
            who = case.people.get(note.account or "") or note.account
            yield f"by {who}: {note.reason or 'no reason given'}"


def _step(case: PackedRound, step: Step) -> Block:
    """One step: the record, what the rules expected, the money, what was found, and the table after it."""
    walk, entry = case.walk, step.entry
    said, line = told_of(walk, entry, step, EVERYTHING)
    head = filter(None, (f"Step {step.number} of {len(walk)}", _clock(entry).strip(), said or line))
    blocks: list[Block] = [Heading(" · ".join(head), 3)]
    where = f"{walk.timeline.cite(entry.fact)}, row {entry.fact.index:,}"
    blocks.append(Text(words(Span(f"{where}: {line}" if said else where, "dim"))))
    blocks += [Text(words(Span(note, "gold"))) for note in _notes(case, entry)]
    if step.expected is not None:
        expected = [plain(_stripped(one)) for one in expected_lines(step.expected, walk)]
        blocks.append(Text(words(Span("The rules expected: ", "dim"), "; ".join(expected))))
    if moved := moved_rows(step):
        blocks.append(amounts_table(MOVED, moved, (1, 2, 3), (40, 20, 20, 20)))
    blocks += [Text(words(Span(f"▲ {found_words(one, walk.currency)}", "bad"))) for one in _found(step)]
    blocks.append(Drawing(f"REPLAY: the table after step {step.number}", walk.picture(step, EVERYTHING)))
    return Kept(tuple(blocks))


def found_words(one: Finding, currency: str) -> str:
    """A finding in a sentence: rule, about what, what was wrong, who is owed what."""
    text = one.text.replace("seat/", "seat ") or KINDS[one.kind]
    about = f", {place_words(one.subject)}" if one.subject else ""
    owed = f"; {owed_text(one, currency)}" if one.money else ""
    return f"{one.rule} {one.code.replace('_', ' ')}{about}: {text}{owed}"
