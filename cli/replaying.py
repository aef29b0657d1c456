"""`replay`: a round as it happened, a line a record, or one step of it in full."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli import assembly, screen
from cli.addresses import Address, one_round, one_session
from cli.judge import took
from cli.options import AsJson, DayOf, Store, day_of, is_timeless, local_text, moment, moment_us, opened
from cli.screen import Words
from cli.words import all_finding_lines, has_found, headline_lines, plain, rules_found, signed
from events.errors import Refused
from events.schema.event import Undecoded, to_plain
from events.schema.notation import write_event
from events.schema.ours import RulingApplied
from events.values.clock import clock_text, time_text
from events.values.places import kind
from games.picture import Span, Style, Viewpoint
from games.table_rules import Hole
from replay.balances import changes, player_changes
from replay.stepper import Step, Stepper
from replay.timeline import Entry, Records

_VERBS = {"RecordCorrected": "corrected", "RecordDisowned": "disowned"}
_DUES_SHOWN = 8
_EMPTY_AT_FIRST = ("pot", "box", "drop", "rake")

if TYPE_CHECKING:
    from events.store import Log
    from games.protocol import Expectation


def replay(
    round_: Annotated[str, typer.Argument(metavar="ROUND", help="As RL-03#173, brno/RL-03#173 or <subject>#173.")],
    step: Annotated[bool, typer.Option("--step", help="Walk through it with keys; `?` shows them.")] = False,
    at: Annotated[
        str, typer.Option("--at", metavar="N", help="One step: its number, or a record as 4711@terminal.")
    ] = "",
    as_of: Annotated[str, typer.Option("--as-of", metavar="TIME", help="As the table stood then, as 21:40:05.")] = "",
    known_at: Annotated[
        str, typer.Option("--known-at", metavar="TIME", help="With what had been recorded by then, to the µs.")
    ] = "",
    all_knowing: Annotated[bool, typer.Option("--all-knowing", help="Show hidden cards, too.")] = False,
    viewpoint: Annotated[str, typer.Option("--viewpoint", metavar="SEAT", help="Show what that seat could see.")] = "",
    day: DayOf = None,
    store: Store = None,
    as_json: AsJson = False,
) -> None:
    """Show a round as it happened, record by record.

    \b
    Examples:
      recoup replay RL-03#173
      recoup replay RL-03#173 --step             keys: Enter on, b back, e next finding, q out
      recoup replay RL-03#173 --at 12            step 12 in full: money, what the rules expected
      recoup replay RL-03#173 --as-of 21:40:05   what had happened by then
      recoup replay NL-1#12 --viewpoint 3        with seat 3's own cards
      recoup replay RL-03#173 --known-at 2026-11-29T02:00:00+01:00
      recoup replay RL-03 --day 2026-11-28       the whole session, what lies between rounds too

    What is shown is a replay, computed from the log; it changes nothing.
    """
    if step and as_json:
        raise Refused("--step is for people, --json for programs", hint="one of them")
    view = Viewpoint(all_knowing=all_knowing)
    with opened(store) as log:
        address = _address(log, round_, day)
        records, told = _records(log, address, as_of, known_at)
    if viewpoint:
        view = Viewpoint(all_knowing=all_knowing, seat=_seat(records, viewpoint))
    walk = Stepper(records, assembly.rooms(), address.round or None)
    if step:
        from cli.stepping import walk_with_keys

        walk_with_keys(walk, view, [f"REPLAY of {_named(address)}", *told])
    elif as_json:
        _as_json(walk, at)
    elif at:
        go_to(walk, at)
        screen.say_all([*_title(address, walk, told), "", *step_lines(walk, view)])
    else:
        screen.say_all([*_title(address, walk, told), "", *_whole(walk), "", *_ending(walk, view)])
        screen.hint(f"recoup replay {_named(address)} --step walks through it; --at N shows one step in full")
        if address.round:
            screen.hint(f"recoup judge {address.text} shows the verdict in full")


def _seat(records: Records, text: str) -> str:
    """A seat of the session, typed as `3` or `seat/3`.

    Raises:
        Refused: nobody sits there, or nobody does anywhere.
    """
    seats = {
        str(value).removeprefix("seat/")
        for fact in records.facts
        if not isinstance(fact.event, Undecoded)
        for value in (getattr(fact.event, "seat", None), getattr(fact.event, "to", None))
        if isinstance(value, int) or str(value).startswith("seat/")
    }
    seat = text.removeprefix("seat/")
    if seat in seats:
        return seat
    shown = ", ".join(sorted(seats, key=lambda name: (len(name), name)))
    have = f"it has {shown}" if shown else "nothing there is hidden from anybody"
    raise Refused(f"{records.subject} has no seat `{text}`; {have}")


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


def go_to(walk: Stepper, where: str) -> Step:
    """The step that a person names: its number, a citation, a round as `#12`, or a phase.

    Raises:
        Refused: there is none.
    """
    if where.lstrip("-").isdigit():
        return walk.goto(int(where))
    if where.startswith("#"):
        return walk.goto_round(where[1:])
    return walk.goto_record(where) if "@" in where else walk.goto_phase(where)


def _title(address: Address, walk: Stepper, told: Sequence[str]) -> list[Words]:
    sources = ", ".join(f"{short} = {source}" for source, short in walk.timeline.short.items())
    first = walk.steps[0].entry.fact
    when = f"{local_text(first.occurred_at)}, {walk.game.title}, edition {walk.edition.name}"
    lines: list[Words] = [[Span("REPLAY", "bold"), f" of {_named(address)}"], [Span(when, "dim")]]
    lines += [[Span(text, "gold")] for text in told]
    if sources:
        lines += [[Span(piece, "dim")] for piece in screen.wrapped(f"sources: {sources}")]
    return lines


def _whole(walk: Stepper) -> list[Words]:
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
        if walk.round is not None and step is not None and step.phase and step.phase != phase:
            phase = step.phase
            lines.append([Span(f"      · {phase.replace('_', ' ')}", "dim")])
        for hole in holes.get(entry.fact.cite, ()):
            count = hole.last - hole.first + 1
            gone = f"{screen.number(count, 'record')} of {hole.origin} {'is' if count == 1 else 'are'} missing here"
            lines.append(["      ", Span(f"… {gone}", "bad")])
        lines += entry_lines(walk, entry, step, wide)
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


def entry_lines(walk: Stepper, entry: Entry, step: Step | None, wide: int) -> list[Words]:
    """A record's line, what was said about it, and the findings on it."""
    catalogue = walk.catalogue
    fact = entry.fact
    number = f"{step.number:>4}" if step is not None else "   ×"
    clock = "" if is_timeless(fact.occurred_at) else f"{clock_text(fact.occurred_at)}  "
    head = f"{number}  {clock}{walk.timeline.cite(fact):<{wide}}  "
    text = write_event(fact.event, catalogue)
    mark = "DISOWNED " if entry.disowned else "ADDED " if entry.added else "CORRECTED " if entry.original else ""
    room = max(30, screen.width() - len(head) - len(mark))
    pieces = textwrap.wrap(text, room, break_on_hyphens=False) or [text]
    is_found = step is not None and bool(step.here or step.cited)
    style: Style = "dim" if entry.disowned else "bold" if is_found else ""
    lines: list[Words] = [[head, Span(mark, "gold"), Span(pieces[0], style)]]
    pad = " " * len(head)
    lines += [[pad, piece] for piece in pieces[1:]]
    if entry.original is not None:
        was = f"as it came: {clock_text(entry.original.occurred_at)} {write_event(entry.original.event, catalogue)}"
        lines += [[Span(piece, "dim")] for piece in screen.wrapped(was, pad)]
    for note in entry.notes or ((fact,) if entry.added else ()):
        if note.account or note.reason:
            verb = _VERBS.get(type(note.event).__name__, "added")
            said = f"{verb} by {note.account}: {note.reason or 'no reason given'}"
            lines += [[Span(piece, "dim")] for piece in screen.wrapped(said, pad)]
    for finding in (*step.here, *step.cited) if step is not None else ():
        lines.append([pad, Span(f"▲ {finding.rule} {finding.code}", "bad"), f" {finding.subject}"])
    return lines


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
    return lines + all_finding_lines(rest, walk.timeline.shorten, verdict.currency)


def _rulings(walk: Stepper) -> list[Words]:
    """What managers ruled about the round."""
    lines: list[Words] = []
    for fact in walk.timeline.rulings:
        ruling = fact.event
        rounds = [name.rpartition("#")[2] for name in getattr(ruling, "rounds", ())]
        if isinstance(ruling, RulingApplied) and (not rounds or walk.round in rounds):
            who = " ".join(part for part in (ruling.role, ruling.decided_by) if part)
            said = f"ruling {ruling.ruling}: {ruling.remedy} for {ruling.ground}, by {who or fact.account or 'unknown'}"
            lines += [[Span(piece, "gold")] for piece in screen.wrapped(said, "  ")]
    return lines


def step_lines(walk: Stepper, view: Viewpoint, *, table_first: bool = False) -> list[Words]:
    """One step in full: the record, what the rules expected, the money, the findings so far, the table.

    `table_first`: for a screen that shows its end; of the findings only those on this record are told in full then.
    """
    step = walk.step
    wide = len(walk.timeline.cite(step.entry.fact))
    where = f"step {step.number} of {len(walk)}" + (f" · round {walk.round}" if walk.round else "")
    lines: list[Words] = [[Span(where, "dim")], *entry_lines(walk, step.entry, step, wide)]
    if step.expected is not None:
        lines += ["", [Span("The rules expected", "bold")], *expected_lines(step.expected)]
    money = _money(step)
    if money:
        lines += ["", [Span("Chips moved", "bold")], *money]
    holds = _holds(step)
    if holds:
        told = " (by the movements on record; with a sign: since the opening)"
        lines += ["", [Span("Now", "bold"), Span(told, "dim")], *holds]
    lines += _found_so_far(walk, step, in_short=table_first)
    table = screen.picture_lines(walk.picture(step, view))
    return [*table, "", *lines] if table_first else [*lines, "", *table]


def _found_so_far(walk: Stepper, step: Step, *, in_short: bool) -> list[Words]:
    if not step.so_far:
        return []
    currency = getattr(walk.case.opened.event, "currency", "CZK") if walk.case.opened is not None else "CZK"
    own = (*step.here, *step.cited)
    title = f"Findings so far: {len(step.so_far)}"
    if not in_short:
        return ["", [Span(title, "bold")], *all_finding_lines(step.so_far, walk.timeline.shorten, currency)]
    rules = rules_found(step.so_far)
    lines: list[Words] = ["", [Span(title, "bold"), f"  {rules}" if rules else ""]]
    if own:
        lines += [["Resting on this record"], *all_finding_lines(own, walk.timeline.shorten, currency)]
    return lines


def expected_lines(expected: Expectation) -> list[Words]:
    """What the rules expected before a record."""
    lines: list[Words] = [f"  phase {expected.phase}" + (f", {expected.actor} to act" if expected.actor else "")]
    for action in expected.actions:
        bounds = ""
        if action.low is not None:
            bounds = f" {plain(action.low)}"
            if action.high is not None and action.high != action.low:
                bounds += f" to {plain(action.high)}"
        more = f" (adds {plain(action.add)})" if action.add else ""
        lines.append(f"    {action.actor} may {action.name.replace('_', ' ')}{bounds}{more}")
    if expected.next_card:
        lines.append(f"    the next card goes to {expected.next_card}")
    for due in expected.due[:_DUES_SHOWN]:
        lines.append(f"    due: {due.what} {plain(due.amount)} from {due.frm} to {due.to}")
    if len(expected.due) > _DUES_SHOWN:
        lines.append(f"    … and {len(expected.due) - _DUES_SHOWN} more")
    if expected.note:
        lines += list(screen.wrapped(expected.note, "    "))
    return lines


def _money(step: Step) -> list[Words]:
    rows: list[list[Words]] = []
    for change in changes(step.balances_before, step.balances_after):
        holds = _holder(change.who, step)
        rows.append([change.who, holds(change.before), holds(change.after), signed(change.by)])
    for change in player_changes(step.balances_before, step.balances_after):
        rows.append([f"{change.who}, in all", signed(change.before), signed(change.after), signed(change.by)])
    return screen.table(["", "before", "after", "by"], rows, right=(1, 2, 3)) if rows else []


def _holder(place: str, step: Step) -> Callable[[int], str]:
    """How an amount at a place is written: with a sign where it is a change, since nobody counted what lay there."""
    known = place in step.balances_after.counted or kind(place) in _EMPTY_AT_FIRST
    return plain if known else signed


def _holds(step: Step) -> list[Words]:
    """What lies at each place and what each player has, in two paragraphs."""
    now = step.balances_after
    places = [
        f"{place} {_holder(place, step)(amount)}"
        for place, amount in sorted(now.places.items(), key=lambda item: _place_key(item[0]))
        if amount and kind(place) != "player"
    ]
    players = [f"{who} {signed(amount)}" for who, amount in now.players().items() if amount]
    lines: list[Words] = []
    if places:
        lines += screen.wrapped(", ".join(places), "           ", "  places   ")
    if players:
        lines += screen.wrapped(", ".join(players), "           ", "  players  ")
    for place, by in now.surprises.items():
        lines.append([Span(f"  {place} was counted {signed(by)} apart from the movements", "bad")])
    return lines


def _place_key(place: str) -> tuple[str, int, str]:
    name = place.partition("/")[2]
    return (kind(place), int(name) if name.isdigit() else 0, name)


def step_json(walk: Stepper, step: Step) -> dict[str, Any]:
    """A step as `--json` gives it."""
    import msgspec

    fact = step.entry.fact
    event = fact.event
    return {
        "step": step.number,
        "record": fact.cite,
        "at": time_text(fact.occurred_at),
        "recorded_at": fact.recorded_at,
        "round": fact.round,
        "type": fact.topic,
        "data": event.data if isinstance(event, Undecoded) else to_plain(event),
        "line": write_event(event, walk.catalogue),
        "added": step.entry.added,
        "original": write_event(step.entry.original.event, walk.catalogue) if step.entry.original else None,
        "notes": [{"record": note.cite, "account": note.account, "reason": note.reason} for note in step.entry.notes],
        "expected": msgspec.to_builtins(step.expected),
        "moved": [msgspec.to_builtins(one) for one in changes(step.balances_before, step.balances_after)],
        "places": step.balances_after.places,
        "players": step.balances_after.players(),
        "findings": msgspec.to_builtins((*step.here, *step.cited)),
        "findings_so_far": [finding.rule for finding in step.so_far],
    }


def _as_json(walk: Stepper, at: str) -> None:
    steps = [go_to(walk, at)] if at else list(walk.steps)
    for step in steps:
        screen.put_json(step_json(walk, step))
    if not at:
        for entry in _entries(walk):
            if entry.disowned:
                line = write_event(entry.fact.event, walk.catalogue)
                screen.put_json({"step": None, "record": entry.fact.cite, "disowned": True, "line": line})
