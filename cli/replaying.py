"""`replay`: a round as it happened, a line a record, or one step of it in full."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from cli import assembly, screen
from cli.addresses import Address, one_round, one_session
from cli.findings import all_finding_lines
from cli.judge import took
from cli.options import AsJson, DayOf, Store, day_of, is_timeless, local_text, moment, moment_us, opened
from cli.screen import Words
from cli.steps import entry_lines, hidden_in, picture_json, step_json, step_lines, viewed
from cli.words import has_found, headline_lines
from events.errors import Refused
from events.schema.notation import write_event
from events.schema.ours import RulingApplied
from events.values.clock import time_text
from games.picture import Span, Viewpoint
from games.sight import masked
from games.table_rules import Hole
from replay.stepper import Step, Stepper
from replay.timeline import Entry, Records

if TYPE_CHECKING:
    from events.store import Log


def replay(
    round_: Annotated[str, typer.Argument(metavar="ROUND", help="As RL-03#173, brno/RL-03#173 or <subject>#173.")],
    step: Annotated[bool, typer.Option("--step", help="Walk through it with keys; `?` shows them.")] = False,
    at: Annotated[
        str, typer.Option("--at", metavar="WHERE", help="One step: its number, a time, or a record as 4711@terminal.")
    ] = "",
    street: Annotated[
        str, typer.Option("--street", metavar="NAME", help="The step with which it begins: flop, turn, showdown, …")
    ] = "",
    as_of: Annotated[str, typer.Option("--as-of", metavar="TIME", help="As the table stood then, as 21:40:05.")] = "",
    known_at: Annotated[
        str, typer.Option("--known-at", metavar="TIME", help="With what had been recorded by then, to the µs.")
    ] = "",
    all_knowing: Annotated[bool, typer.Option("--all-knowing", help="Show hidden cards, too.")] = False,
    viewpoint: Annotated[str, typer.Option("--viewpoint", metavar="SEAT", help="Show what that seat could see.")] = "",
    words: Annotated[bool, typer.Option("--words", help="Tell the records in words instead of notation.")] = False,
    day: DayOf = None,
    store: Store = None,
    as_json: AsJson = False,
) -> None:
    """Show a round as it happened, record by record.

    \b
    Examples:
      recoup replay RL-03#173
      recoup replay NL-1#12 --words              in words instead of notation
      recoup replay RL-03#173 --step             Enter on, b back, s street, e finding, w why, q out
      recoup replay RL-03#173 --at 12            step 12 in full: money, what the rules expected
      recoup replay RL-03#173 --at 21:40:05      the last step that had happened by then
      recoup replay NL-1#12 --street turn        the table when the turn lies open
      recoup replay RL-03#173 --as-of 21:40:05   what had happened by then
      recoup replay NL-1#12 --viewpoint 3        with seat 3's own cards
      recoup replay RL-03#173 --known-at 2026-11-29T02:00:00+01:00
      recoup replay RL-03 --day 2026-11-28       the whole session, what lies between rounds too

    Cards are hidden, in records, pictures and JSON, until they lie open; --viewpoint shows a seat its own as well,
    --all-knowing everything. With --step, --at and --street say where the walk begins.

    What is shown is a replay, computed from the log; it changes nothing.
    """
    if step and as_json:
        raise Refused("--step is for people, --json for programs", hint="--at N --json gives one step to a program")
    if at and street:
        raise Refused("--at and --street both name a step", hint="one of them")
    with opened(store) as log:
        address = _address(log, round_, day)
        records, told = _records(log, address, as_of, known_at)
    view = viewed(records, all_knowing=all_knowing, viewpoint=viewpoint)
    walk = Stepper(records, assembly.rooms(), address.round or None)
    if at:
        go_to(walk, at)
    elif street:
        walk.goto_phase(street.replace("_", " "))
    if step:
        from cli.stepping import walk_with_keys

        walk_with_keys(walk, view, [f"REPLAY of {_named(address)}", *told])
    elif as_json:
        _as_json(walk, view, only=bool(at or street))
    elif at or street:
        screen.say_all([*_title(address, walk, told), "", *step_lines(walk, view)])
    else:
        screen.say_all(
            [*_title(address, walk, told), "", *_whole(walk, view, in_words=words), "", *_ending(walk, view)]
        )
        screen.hint(f"recoup replay {_named(address)} --step walks through it; --at N shows one step in full")
        if address.round:
            screen.hint(f"recoup judge {address.text} shows the verdict in full")


def _address(log: Log, text: str, day: str | None) -> Address:
    """The round that is meant; without `#` the whole session, as an address without a round."""
    if "#" in text or text.startswith("import/"):
        address = one_round(log, text, day=day_of(day))
        took(address)
        return address
    subject = one_session(log, text, day=day_of(day))
    if subject != text:
        screen.note(f"session {subject}")
    return Address(subject, "", subject == text)


def _named(address: Address) -> str:
    return address.text if address.round else address.subject


def _records(log: Log, address: Address, as_of: str, known_at: str) -> tuple[Records, list[str]]:
    """The records to show, and in words what was left out."""
    book = assembly.casebook(log)
    everything = Records.read(book, address.subject)
    start = next(
        (fact.occurred_at for fact in everything.facts if fact.round == address.round.partition("~")[0]),
        everything.facts[0].occurred_at,
    )
    told = []
    records = everything
    if known_at:
        until_us = moment_us(known_at, start)
        records = Records.read(book, address.subject, known_at=until_us)
        later = screen.number(len(everything.facts) - len(records.facts), "record")
        told.append(f"known at {local_text(until_us // 1000)}: {later} of the session came later")
    if as_of:
        until = moment(as_of, start)
        cut = records.as_of(until)
        count = len(records.facts) - len(cut.facts)
        later = f"{screen.number(count, 'record')} of the session {'is' if count == 1 else 'are'} later"
        told.append(f"as of {time_text(until)}: {later}")
        records = cut
    return records, told


def _title(address: Address, walk: Stepper, told: Sequence[str]) -> list[Words]:
    sources = ", ".join(f"{short} = {source}" for source, short in walk.timeline.short.items())
    first = walk.steps[0].entry.fact
    when = f"{local_text(first.occurred_at)}, {walk.game.title}, edition {walk.edition.name}"
    lines: list[Words] = [[Span("REPLAY", "bold"), f" of {_named(address)}"], [Span(when, "dim")]]
    lines += [[Span(text, "gold")] for text in told]
    if sources:
        lines += [[Span(piece, "dim")] for piece in screen.wrapped(f"sources: {sources}")]
    return lines


def _whole(walk: Stepper, view: Viewpoint, *, in_words: bool) -> list[Words]:
    """One line a record, disowned ones too, findings under theirs, holes where they are."""
    steps = {step.entry.fact.cite: step for step in walk.steps}
    shown = _entries(walk)
    wide = max((len(walk.timeline.cite(entry.fact)) for entry in shown), default=10)
    holes = _holes_before(walk)
    lines: list[Words] = []
    phase, name = "", walk.round
    for entry in shown:
        if entry.fact.round != name:
            name = entry.fact.round
            lines.append([Span(f"── round {name}" if name else "── between rounds", "bold")])
        step = steps.get(entry.fact.cite)
        # A session's phases would be asked for thousands of records; its rounds are headings enough.
        if walk.round is not None and step is not None and step.heading not in ("", phase):
            phase = step.heading
            lines.append([Span(f"      · {phase.replace('_', ' ')}", "dim")])
        for hole in holes.get(entry.fact.cite, ()):
            count = hole.last - hole.first + 1
            gone = f"{screen.number(count, 'record')} of {hole.origin} {'is' if count == 1 else 'are'} missing here"
            lines.append(["      ", Span(f"… {gone}", "bad")])
        lines += entry_lines(walk, entry, step, view, wide, in_words=in_words)
    return lines


def _entries(walk: Stepper) -> Sequence[Entry]:
    if walk.round is None:
        return walk.timeline.entries
    return [entry for entry in walk.timeline.entries if entry.fact.round == walk.round]


def _holes_before(walk: Stepper) -> dict[str, list[Hole]]:
    """Citation → the gaps in its source right before it."""
    gaps = [hole for hole in walk.timeline.holes if hole.why == "gap"]
    found: dict[str, list[Hole]] = {}
    last: dict[str, int] = {}
    for entry in walk.timeline.entries if gaps else ():
        origin, sequence = entry.fact.origin, entry.fact.sequence
        for hole in gaps:
            if hole.origin == origin and last.get(origin, 0) < hole.first < sequence:
                found.setdefault(entry.fact.cite, []).append(hole)
        last[origin] = sequence
    return found


def go_to(walk: Stepper, where: str) -> Step:
    """The step that a person names: its number, a time, a citation, a round as `#12`, or a phase.

    Raises:
        Refused: there is none.
    """
    if where.lstrip("-").isdigit():
        return walk.goto(int(where))
    if where.startswith("#"):
        return walk.goto_round(where[1:])
    if "@" in where:
        return walk.goto_record(where)
    if where[:1].isdigit() and ":" in where:
        start = walk.steps[0].entry.fact.occurred_at
        if is_timeless(start):
            raise Refused("the records of this hand have no time", hint="--at N, or --street flop")
        return walk.goto_time(_end_of(moment(where, start), where))
    return walk.goto_phase(where)


def _end_of(at_ms: int, text: str) -> int:
    """The last millisecond of the second or minute that was named: at 21:40:05 means with all that came within it."""
    clock = text.partition("T")[2] or text
    clock = clock.partition("+")[0].rstrip("Z")
    if "." in clock:
        return at_ms
    return at_ms + (999 if clock.count(":") == 2 else 59_999)


def _ending(walk: Stepper, view: Viewpoint) -> list[Words]:
    """The table at the end and the verdict in a line."""
    lines: list[Words] = list(screen.picture_lines(walk.picture(walk.steps[-1], view)))
    if walk.round is None:
        verdicts = {name: walk.verdict(name) for name in walk.timeline.rounds}
        looks = [name for name, verdict in verdicts.items() if has_found(verdict)]
        told_of = f": {', '.join(looks[:20])}{', …' if len(looks) > 20 else ''}" if looks else ""
        said = f"{screen.number(len(verdicts), 'round')}, {len(looks)} to look at{told_of}"
        return [*lines, "", [Span(said, "bold")]]
    verdict = walk.verdict(walk.round)
    lines += ["", *headline_lines(verdict), *_rulings(walk)]
    told = [finding for step in walk.steps for finding in (*step.here, *step.cited)]
    rest = [finding for finding in verdict.findings if finding not in told]
    seen = hidden_in(rest, walk.sees(walk.steps[-1], view))
    return lines + all_finding_lines(seen, walk.timeline.shorten, verdict.currency)


def _rulings(walk: Stepper) -> list[Words]:
    """What managers ruled about the round, and took back again."""
    lines: list[Words] = []
    for fact in walk.timeline.rulings:
        ruling = fact.event
        if isinstance(ruling, RulingApplied) and (said := _ruled(ruling, walk.round or "")):
            who = " ".join(part for part in (ruling.role, ruling.decided_by) if part)
            text = f"ruling {ruling.ruling}: {said}, by {who or fact.account or 'unknown'}"
            lines += [[Span(piece, "gold")] for piece in screen.wrapped(text, "  ")]
    return lines


def _ruled(ruling: RulingApplied, round_: str) -> str:
    """What a ruling says of a round; empty if nothing."""
    here, freed = ({name.rpartition("#")[2] for name in names} for names in (ruling.rounds, ruling.freed))
    if round_ in freed:
        return f"{ruling.replaces} no longer holds here, the round is as the rules make it"
    if round_ not in here and (here or freed):
        return ""
    replaces = f", in place of {ruling.replaces}" if ruling.replaces else ""
    return f"{ruling.remedy} for {ruling.ground}{replaces}"


def _as_json(walk: Stepper, view: Viewpoint, *, only: bool) -> None:
    if only:
        screen.put_json({**step_json(walk, walk.step, view), "table": picture_json(walk.picture(walk.step, view))})
        return
    for step in walk.steps:
        screen.put_json(step_json(walk, step, view))
    for entry in _entries(walk):
        if entry.disowned:
            event, hidden = masked(entry.fact.event, view, view.known)
            line = write_event(event, walk.catalogue)
            screen.put_json({"step": None, "record": entry.fact.cite, "disowned": True, "line": line, "hidden": hidden})
