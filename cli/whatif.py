"""`what-if`: the round as it is on record beside the round as it would be. Nothing is stored."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli import assembly, screen
from cli.addresses import one_round
from cli.findings import all_finding_lines
from cli.judge import read_records, took
from cli.money import due_text, signed
from cli.options import AsJson, DayOf, Store, clock_in, day_of, moment, opened
from cli.screen import Words
from cli.words import headline, verdict_json
from events.errors import Refused
from events.values.clock import time_text
from events.values.money import figure_text
from games.picture import Span

if TYPE_CHECKING:
    from collections.abc import Callable

    from games.verdict import Verdict
    from replay.what_if import Comparison, Place


Many = list[str] | None


def what_if(
    round_: Annotated[str, typer.Argument(metavar="ROUND", help="As RL-03#173, brno/RL-03#173 or <subject>#173.")],
    set_: Annotated[Many, typer.Option("--set", metavar="N.FIELD=VALUE", help="A field, as 27.amount=400.")] = None,
    card: Annotated[Many, typer.Option("--card", metavar="PLACE=CARDS", help="As river=Ah or seat/3=AhKd.")] = None,
    move: Annotated[Many, typer.Option("--move", metavar="N", help="Records that stand elsewhere, as 17-18.")] = None,
    drop: Annotated[Many, typer.Option("--drop", metavar="N", help="Records that are not there, as 17-18.")] = None,
    add: Annotated[Many, typer.Option("--add", metavar="EVENT", help="A further event, as `Posted 4 ante 10`.")] = None,
    before: Annotated[
        str, typer.Option("--before", metavar="N", help="Where what is moved or added stands: right before N.")
    ] = "",
    behind: Annotated[str, typer.Option("--behind", metavar="N", help="The same: right behind N.")] = "",
    change: Annotated[
        Many, typer.Option("--change", metavar="LINE", help="A record and what it would say, as `27 amount=100`.")
    ] = None,
    parameter: Annotated[
        Many, typer.Option("--parameter", metavar="NAME=VALUE", help="A rule as another edition might have it.")
    ] = None,
    day: DayOf = None,
    store: Store = None,
    as_json: AsJson = False,
) -> None:
    """Judge a round as if some facts were otherwise. Nothing is stored.

    N is a record's number as `recoup replay ROUND` shows it, or its citation (4711@terminal).

    \b
    Examples:
      recoup what-if NL-1#12 --set 27.amount=400              had he bet 400
      recoup what-if NL-1#12 --set 27.word=raise --set 27.amount=400
      recoup what-if NL-1#12 --set 27.time=-0.5               had he said it half a second earlier
      recoup what-if NL-1#12 --card river=Ah                  cards change places with those named
      recoup what-if NL-1#12 --card seat/3=AhKd --card flop=2s,Js,Qh
      recoup what-if NL-1#12 --move 29-30 --before 26         had his call come before the fold
      recoup what-if NL-1#12 --add "WordsSpoken 4 raise" --before 28
      recoup what-if NL-1#12 --drop 34-35 --add "HandShown 5 9s,9h before 61"
      recoup what-if NL-1#12 --parameter min_raise_rule=last_increment
      recoup what-if RL-03#173 --change "4711@terminal amount=1000"

    A time changes no order among the records of one source, which its counter fixes: what should come before or
    after a neighbour there is moved, `--move 34 --before 33`.

    Each but --before and --behind may be given several times. `recoup schema` lists the events and their fields,
    `recoup rules show RULE` the parameters of a rule. If it is true, `recoup correct`, `disown` or `add-fact` say so
    for good.
    """
    from replay.timeline import Timeline
    from replay.what_if import what_if as compare

    with opened(store) as log:
        address = one_round(log, round_, day=day_of(day))
        took(address)
        records = read_records(log, address.subject)
    first = next((fact for fact in records.facts if fact.round == address.round.partition("~")[0]), records.facts[0])
    result = compare(
        records,
        assembly.rooms(),
        address.round,
        change=[_clock_in_change(line, first.occurred_at) for line in change or ()],
        settings=[_clock_in_setting(line, first.occurred_at) for line in set_ or ()],
        add=[clock_in(line, first.occurred_at) for line in add or ()],
        drop=drop or (),
        move=move or (),
        cards=card or (),
        parameters=parameter or (),
        place=_place(before, behind, move or add),
    )
    if as_json:
        screen.put_json(_json(result))
        return
    timeline = Timeline.make(records)

    def shorten(cite: str) -> str:
        return f"the added {result.added[cite]}" if cite in result.added else timeline.shorten(cite)

    screen.say_all(comparison_lines(result, shorten))
    if set_ and any(finding.rule == "TB-05" for finding in result.new):
        screen.hint("a time changes no order among the records of one source; --move RECORD --before RECORD does")
    screen.hint("nothing was stored; recoup correct, disown and add-fact store what is true")


def _place(before: str, behind: str, takes: Many) -> Place | None:
    """Where `--before` or `--behind` says.

    Raises:
        Refused: both do, or there is nothing that it could be said of.
    """
    from replay.what_if import Place

    if not (before or behind):
        return None
    if before and behind:
        raise Refused("--before and --behind are both given", hint="one of them")
    if not takes:
        raise Refused("there is nothing to put there", hint="--move N or --add EVENT says what")
    return Place("before" if before else "behind", before or behind)


def _clock_in_change(line: str, near_ms: int) -> str:
    """As `clock_in`, behind a record's number too."""
    number, space, rest = line.strip().partition(" ")
    return f"{number} {clock_in(rest, near_ms)}" if space and number.isdigit() else clock_in(line, near_ms)


def _clock_in_setting(text: str, near_ms: int) -> str:
    """`27.time=21:40:05`, a time of day, written out."""
    match = re.fullmatch(r"(.*[. ](?:time|at)\s*=\s*)@?(\d{1,2}[:.]\d\d\S*)\s*", text)
    return f"{match[1]}{time_text(moment(match[2], near_ms))}" if match else text


def comparison_lines(result: Comparison, shorten: Callable[[str], str]) -> list[Words]:
    """Both verdicts, stake by stake, and the findings that come and go."""
    lines: list[Words] = [[Span("WHAT IF", "bold"), f" in {result.was.round}", Span(" (not stored)", "dim")]]
    for change in result.alterations:
        number = f"{change.number} " if change.number else ""
        lines.append(["  ", Span(f"{number}{shorten(change.cite)}" if change.cite else "the edition", "bold")])
        lines += screen.wrapped(change.was or "nothing", "             ", "    is       ")
        lines += screen.wrapped(change.would or "not there", "             ", "    would be ")
    lines += ["", *_headlines("on record:  ", result.was), *_headlines("would be:   ", result.would)]
    if result.would.settlement == "differs" and result.was.settlement != "differs":
        lines += [[Span("            (what was paid stays as it is on record)", "dim")]]
    if result.is_same:
        return [*lines, "", "It would change nothing in this round."]
    rows: list[list[Words]] = []
    for pair in result.stakes:
        rows.append(
            [
                pair.stake.replace("seat/", "seat "),
                pair.player.replace("seat/", "seat "),
                due_text(pair.was, result.was.due.known) if pair.was else "—",
                due_text(pair.would, result.would.due.known) if pair.would else "—",
                _apart(pair.by),
            ]
        )
    if result.was.due.pots or result.would.due.pots:
        rows.append(_rake_row(result))
    if rows:
        lines += ["", *screen.table(["stake", "player", "due now", "would be", "by"], rows, right=(2, 3, 4))]
    for title, findings in (("Findings that would go", result.gone), ("Findings that would come", result.new)):
        if findings:
            lines += ["", [Span(title, "bold")]]
            lines += all_finding_lines(findings, shorten, result.was.currency)
    if result.elsewhere:
        names = [address.partition("#")[2] for address in result.elsewhere]
        more = f" and {len(names) - 10} more" if len(names) > 10 else ""
        lines += ["", f"Other rounds would be judged otherwise too: {', '.join(names[:10])}{more}"]
    return lines


def _headlines(label: str, verdict: Verdict) -> list[Words]:
    """A verdict's headline behind a label, in lines as wide as the screen."""
    standing, *rest = screen.spans_of(headline(verdict))
    first, *more = screen.wrapped(standing.text + screen.plain_of(rest), " " * len(label), label)
    told = first.removeprefix(label)
    if not told.startswith(standing.text):
        return [[label, Span(told, "bold")], *([Span(piece, "bold")] for piece in more)]
    return [[label, standing, Span(told[len(standing.text) :], "bold")], *([Span(piece, "bold")] for piece in more)]


def _rake_row(result: Comparison) -> list[Words]:
    was, would = result.was.due, result.would.due
    told = [figure_text(due.rake) if due.known else "?" for due in (was, would)]
    return ["rake", "house", *told, _apart(would.rake - was.rake if was.known and would.known else None)]


def _apart(by: int | None) -> Span:
    if by is None:
        return Span("?", "dim")
    return Span(signed(by), "bold") if by else Span("·", "dim")


def _json(result: Comparison) -> dict[str, Any]:
    import msgspec

    return {
        "round": result.was.round,
        "stored": False,
        "alterations": msgspec.to_builtins(result.alterations),
        "was": verdict_json(result.was),
        "would": verdict_json(result.would),
        "stakes": [msgspec.to_builtins(pair) for pair in result.stakes],
        "gone": msgspec.to_builtins(result.gone),
        "new": msgspec.to_builtins(result.new),
        "elsewhere": list(result.elsewhere),
        "same": result.is_same,
    }
