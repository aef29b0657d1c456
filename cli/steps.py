"""One record and one step of a replay, in words and as JSON, as far as a viewpoint sees them."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from msgspec.structs import replace

from cli import screen
from cli.findings import all_finding_lines, rules_found
from cli.money import signed
from cli.options import is_timeless
from cli.screen import Words
from events.errors import Refused
from events.schema.event import Undecoded, to_plain
from events.schema.notation import write_event
from events.values.clock import clock_text, time_text
from events.values.money import figure_text, money_text
from events.values.places import kind
from games.picture import Picture, Span, Style, Viewpoint
from games.protocol import Action, Expectation
from games.sight import hide_in, masked
from games.verdict import Finding
from games.wording import place_words, sentence
from replay.balances import Balances, changes, player_changes
from replay.stepper import Step, Stepper
from replay.timeline import Entry, Records

EVERYTHING = Viewpoint(all_knowing=True)
"""Who may see all."""
_VERBS = {"RecordCorrected": "corrected", "RecordDisowned": "disowned"}
_DUES_SHOWN = 8
_EMPTY_AT_FIRST = ("pot", "box", "drop", "rake")


def entry_lines(
    walk: Stepper, entry: Entry, step: Step | None, view: Viewpoint, wide: int, *, in_words: bool = False
) -> list[Words]:
    """A record's line as the viewpoint may read it, what was said about it, and the findings on it.

    `in_words`: a sentence instead of the notation, where there is one.
    """
    catalogue = walk.catalogue
    fact = entry.fact
    sight = _sight(walk, step, view)
    event, hidden = masked(fact.event, sight, sight.known)
    number = f"{step.number:>4}" if step is not None else "   ×"
    clock = "" if is_timeless(fact.occurred_at) else f"{clock_text(fact.occurred_at)}  "
    head = f"{number}  {clock}{walk.timeline.cite(fact):<{wide}}  "
    text = (in_words and sentence(event, walk.game, walk.currency_of(event))) or write_event(event, catalogue)
    mark = "DISOWNED " if entry.disowned else "ADDED " if entry.added else "CORRECTED " if entry.original else ""
    room = max(30, screen.width() - len(head) - len(mark))
    pieces = _broken(text, room)
    is_found = step is not None and bool(step.here or step.cited)
    style: Style = "dim" if entry.disowned else "bold" if is_found else ""
    lines: list[Words] = [[head, Span(mark, "gold"), Span(pieces[0], style)]]
    pad = " " * len(head)
    lines += [[pad, piece] for piece in pieces[1:]]
    if hidden:
        lines[-1] = [*screen.spans_of(lines[-1]), Span("  (hidden)", "dim")]
    if entry.original is not None:
        before, _hidden = masked(entry.original.event, sight, sight.known)
        was = f"as it came: {clock_text(entry.original.occurred_at)} {write_event(before, catalogue)}"
        lines += [[Span(piece, "dim")] for piece in screen.wrapped(was, pad)]
    for note in entry.notes or ((fact,) if entry.added else ()):
        if note.account or note.reason:
            verb = _VERBS.get(type(note.event).__name__, "added")
            said = f"{verb} by {note.account}: {note.reason or 'no reason given'}"
            lines += [[Span(piece, "dim")] for piece in screen.wrapped(said, pad)]
    for finding in (*step.here, *step.cited) if step is not None else ():
        about = f" {place_words(finding.subject)}" if finding.subject else ""
        lines.append([pad, Span(f"▲ {finding.rule} {finding.code}", "bad"), about])
    return lines


def _broken(text: str, width: int) -> list[str]:
    """A line of notation in pieces of that width: between words, and in lists behind a comma."""
    wrapper = textwrap.TextWrapper(width, break_on_hyphens=False)
    wrapper.wordsep_simple_re = re.compile(r"(\s+|(?<=,)(?=\S))")
    return wrapper.wrap(text) or [text]


def _sight(walk: Stepper, step: Step | None, view: Viewpoint) -> Viewpoint:
    """What is known at a step; of a record that is no step nothing more than it says to everybody."""
    return walk.sees(step, view) if step is not None else view


def step_lines(walk: Stepper, view: Viewpoint, *, table_first: bool = False) -> list[Words]:
    """One step in full: the record, what the rules expected, the money, the findings so far, the table.

    `table_first`: for a screen that shows its end; of the findings only those on this record are told in full then.
    """
    step = walk.step
    wide = len(walk.timeline.cite(step.entry.fact))
    where = f"step {step.number} of {len(walk)}" + (f" · round {walk.round}" if walk.round else "")
    lines: list[Words] = [[Span(where, "dim")], *entry_lines(walk, step.entry, step, view, wide)]
    words, _line = told_of(walk, step.entry, step, view)
    if words:
        lines += [[Span(piece, "bold")] for piece in screen.wrapped(words, "      ")]
    if step.expected is not None:
        lines += ["", [Span("The rules expected", "bold")], *expected_lines(step.expected, walk)]
    money = moved_rows(step)
    if money:
        lines += ["", [Span("Chips moved", "bold")], *screen.table(MOVED, money, right=(1, 2, 3))]
    holds = _holds(step)
    if holds:
        beside = ", beside what the table shows" if step.pictured else ""
        how = f" (by the record{beside}; with a sign: since the opening)"
        lines += ["", [Span("Now", "bold"), Span(how, "dim")], *holds]
    lines += _found_so_far(walk, step, walk.sees(step, view), in_short=table_first)
    table = screen.picture_lines(walk.picture(step, view))
    return [*table, "", *lines] if table_first else [*lines, "", *table]


def told_of(walk: Stepper, entry: Entry, step: Step | None, view: Viewpoint) -> tuple[str, str]:
    """A record in words and as its line, as far as the viewpoint sees it; no words where there are none for it."""
    sight = _sight(walk, step, view)
    event, _hidden = masked(entry.fact.event, sight, sight.known)
    return sentence(event, walk.game, walk.currency_of(event)), write_event(event, walk.catalogue)


def viewed(records: Records, *, all_knowing: bool, viewpoint: str) -> Viewpoint:
    """The viewpoint that a command line asks for; a seat is typed as `3` or `seat/3`.

    Raises:
        Refused: nobody sits there, or nobody does anywhere; or both are asked for.
    """
    if not viewpoint:
        return Viewpoint(all_knowing=all_knowing)
    if all_knowing:
        raise Refused("--all-knowing sees more than any seat", hint="it, or --viewpoint")
    seats = _seats(records)
    seat = viewpoint.removeprefix("seat/").removeprefix("box/")
    if seat in seats:
        return Viewpoint(seat=seat)
    if not seats:
        raise Refused(f"{records.subject} has no seat `{viewpoint}`; nothing there is hidden from anybody")
    raise Refused(
        f"{records.subject} has no seat `{viewpoint}`; it has {', '.join(seats)}",
        hint=f"a seat's number, as `--viewpoint {seats[0]}`",
    )


def _seats(records: Records) -> list[str]:
    """Every seat, and every box that cards are dealt to, that a record of the session names."""
    found: set[str] = set()
    for fact in records.facts:
        if isinstance(fact.event, Undecoded):
            continue
        several = getattr(fact.event, "seats", ())
        numbers = [getattr(fact.event, "seat", None), *(several if isinstance(several, tuple) else ())]
        found.update(str(number) for number in numbers if isinstance(number, int))
        place = getattr(fact.event, "to", None)
        if isinstance(place, str) and place.startswith("seat/"):
            found.add(place[5:])
        elif isinstance(place, str) and place.startswith("box/") and hasattr(fact.event, "card"):
            found.add(place[4:].partition(".")[0])
    return sorted(found, key=lambda name: (len(name), name))


def hidden_in(findings: Iterable[Finding], sight: Viewpoint) -> list[Finding]:
    """Findings without the cards that the viewpoint does not know."""
    return [replace(one, remedy=hide_in(one.remedy, sight, sight.known)) for one in findings]


def _found_so_far(walk: Stepper, step: Step, sight: Viewpoint, *, in_short: bool) -> list[Words]:
    if not step.so_far:
        return []
    own = hidden_in((*step.here, *step.cited), sight)
    title = f"Findings so far: {len(step.so_far)}"
    if not in_short:
        return [
            "",
            [Span(title, "bold")],
            *all_finding_lines(hidden_in(step.so_far, sight), walk.timeline.shorten, walk.currency),
        ]
    rules = rules_found(step.so_far)
    lines: list[Words] = ["", [Span(title, "bold"), f"  {rules}" if rules else ""]]
    if own:
        lines += [["Resting on this record"], *all_finding_lines(own, walk.timeline.shorten, walk.currency)]
    return lines


def expected_lines(expected: Expectation, walk: Stepper) -> list[Words]:
    """What the rules expected before a record."""
    actor = f", {place_words(expected.actor)} to act" if expected.actor else ""
    lines: list[Words] = [f"  phase {expected.phase}{actor}"]
    options: dict[str, list[str]] = {}
    for action in expected.actions:
        options.setdefault(action.actor, []).append(_option(action))
    for who, names in options.items():
        lines += screen.wrapped(f"{place_words(who)} may {', '.join(names)}", "      ", "    ")
    if expected.next_card:
        lines.append(f"    the next card goes to {place_words(expected.next_card)}")
    for due in expected.due[:_DUES_SHOWN]:
        unit = walk.currency_of(due)
        sum_ = figure_text(due.amount) if unit == walk.currency else money_text(due.amount, unit)
        way = f"from {place_words(due.frm)} to {place_words(due.to)}"
        lines.append(f"    due: {due.what.replace('_', ' ')} {sum_} {way}")
    if len(expected.due) > _DUES_SHOWN:
        lines.append(f"    … and {len(expected.due) - _DUES_SHOWN} more")
    if expected.note:
        lines += list(screen.wrapped(expected.note.replace("seat/", "seat "), "    "))
    return lines


def _option(action: Action) -> str:
    """`call 30 (20 more)`, `raise to 60–3 230`."""
    said = action.name.replace("_", " ")
    if action.low is None:
        return said
    said += f" to {figure_text(action.low)}" if action.name == "raise" else f" {figure_text(action.low)}"
    if action.high is not None and action.high != action.low:
        return f"{said}–{figure_text(action.high)}"
    return said + (f" ({figure_text(action.add)} more)" if action.add and action.add != action.low else "")


MOVED = ("", "before", "after", "by")


def moved_rows(step: Step) -> list[list[Words]]:
    """Places and players whose chips a step changed: rows under `MOVED`."""
    rows: list[list[Words]] = []
    for unit, before, now in _by_currency(step):
        for change in changes(before, now):
            holds = _holder(change.who, now)
            told = holds(change.before), holds(change.after), signed(change.by)
            rows.append([f"{change.who} {unit}".rstrip(), *told])
        for change in player_changes(before, now):
            if _has_only_his_seat(change.who, now):
                continue
            told = signed(change.before), signed(change.after), signed(change.by)
            rows.append([f"{change.who}, in all {unit}".rstrip(), *told])
    return rows


def _by_currency(step: Step) -> Iterator[tuple[str, Balances, Balances]]:
    """Currency (empty: the table's) → what lay there before and lies there after."""
    before, now = step.balances_before, step.balances_after
    yield "", before, now
    for unit, own in now.foreign.items():
        yield unit, before.foreign.get(unit, Balances()), own


def _holder(place: str, now: Balances) -> Callable[[int], str]:
    """How an amount at a place is written: with a sign where it is a change, since nobody counted what lay there."""
    known = place in now.counted or kind(place) in _EMPTY_AT_FIRST
    return figure_text if known else signed


def _has_only_his_seat(who: str, now: Balances) -> bool:
    """Whether all that a player has lies counted at his seat, so that the seat has told it already."""
    own = [place for place, owner in now.owners.items() if owner == who]
    return len(own) == 1 and own[0] in now.counted and not now.of(f"player/{who}")


def _holds(step: Step) -> list[Words]:
    """What lies at each place and what each player has, in two paragraphs; without what the picture tells as well."""
    places = [
        f"{place} {_holder(place, now)(amount)} {unit}".rstrip()
        for unit, _before, now in _by_currency(step)
        for place, amount in sorted(now.places.items(), key=lambda item: _place_key(item[0]))
        if amount and kind(place) != "player" and (unit or place not in step.pictured)
    ]
    players = [
        f"{who} {signed(amount)} {unit}".rstrip()
        for unit, _before, now in _by_currency(step)
        for who, amount in now.players().items()
        if amount and not _has_only_his_seat(who, now)
    ]
    lines: list[Words] = []
    if places:
        lines += screen.wrapped(", ".join(places), "           ", "  places   ")
    if players:
        lines += screen.wrapped(", ".join(players), "           ", "  players  ")
    for place, by in step.balances_after.surprises.items():
        lines.append([Span(f"  {place} was counted {signed(by)} apart from the movements", "bad")])
    return lines


def _place_key(place: str) -> tuple[str, int, str]:
    name = place.partition("/")[2]
    return (kind(place), int(name) if name.isdigit() else 0, name)


def step_json(walk: Stepper, step: Step, view: Viewpoint) -> dict[str, Any]:
    """A step as `--json` gives it, as far as the viewpoint sees it; `hidden` names the fields where it does not."""
    import msgspec

    fact = step.entry.fact
    original = step.entry.original
    sight = walk.sees(step, view)
    event, hidden = masked(fact.event, sight, sight.known)
    return {
        "step": step.number,
        "record": fact.cite,
        "at": time_text(fact.occurred_at),
        "recorded_at": fact.recorded_at,
        "round": fact.round,
        "type": fact.topic,
        "data": event.data if isinstance(event, Undecoded) else to_plain(event),
        "line": write_event(event, walk.catalogue),
        "words": sentence(event, walk.game, walk.currency_of(event)),
        "hidden": hidden,
        "added": step.entry.added,
        "original": write_event(masked(original.event, sight, sight.known)[0], walk.catalogue) if original else None,
        "notes": [{"record": note.cite, "account": note.account, "reason": note.reason} for note in step.entry.notes],
        "expected": msgspec.to_builtins(step.expected),
        "next": msgspec.to_builtins(step.next),
        "moved": [
            {**msgspec.to_builtins(one), **({"currency": unit} if unit else {})}
            for unit, before, now in _by_currency(step)
            for one in changes(before, now)
        ],
        "places": step.balances_after.places,
        "players": step.balances_after.players(),
        "foreign": {
            unit: {"places": own.places, "players": own.players()} for unit, own in step.balances_after.foreign.items()
        },
        "findings": hide_in(msgspec.to_builtins((*step.here, *step.cited)), sight, sight.known),
        "findings_so_far": [finding.rule for finding in step.so_far],
    }


def picture_json(picture: Picture) -> list[dict[str, Any]]:
    """A picture as `--json` gives it: panels with their lines, without styles."""
    return [{"title": panel.title, "lines": [screen.plain_of(line) for line in panel.lines]} for panel in picture]
