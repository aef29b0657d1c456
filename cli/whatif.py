"""`what-if`: the round as it is on record beside the round as it would be. Nothing is stored."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli import assembly, screen
from cli.addresses import one_round
from cli.judge import read_records, took
from cli.options import AsJson, DayOf, Store, clock_in, day_of, opened
from cli.screen import Words
from cli.words import all_finding_lines, due_text, headline, signed, verdict_json
from games.picture import Span

if TYPE_CHECKING:
    from collections.abc import Callable

    from replay.what_if import Comparison


def what_if(
    round_: Annotated[str, typer.Argument(metavar="ROUND", help="As RL-03#173, brno/RL-03#173 or <subject>#173.")],
    change: Annotated[
        list[str] | None,
        typer.Option("--change", metavar="LINE", help="A record and what it would say, as `4711@terminal amount=100`."),
    ] = None,
    add: Annotated[
        list[str] | None,
        typer.Option("--add", metavar="LINE", help="A further event, as `^4711@terminal BetPlaced b9 p-204 17 100`."),
    ] = None,
    drop: Annotated[
        list[str] | None, typer.Option("--drop", metavar="RECORD", help="A record, as 4711@terminal.")
    ] = None,
    day: DayOf = None,
    store: Store = None,
    as_json: AsJson = False,
) -> None:
    """Judge a round as if some facts were otherwise. Nothing is stored.

    \b
    Examples:
      recoup what-if RL-03#173 --change "4711@terminal amount=1000"
      recoup what-if RL-03#173 --add "^4711@terminal BetPlaced b9 p-204 17 100"
      recoup what-if RL-03#173 --drop 4712@terminal

    Each may be given several times. If it is true, `recoup correct`, `disown` or `add-fact` say so for good.
    """
    from replay.timeline import Timeline
    from replay.what_if import what_if as compare

    with opened(store) as log:
        address = one_round(log, round_, day=day_of(day))
        took(address)
        records = read_records(log, address.subject)
    first = next((fact for fact in records.facts if fact.round == address.round.partition("~")[0]), records.facts[0])
    changes, adds = ([clock_in(line, first.occurred_at) for line in lines or ()] for lines in (change, add))
    result = compare(records, assembly.rooms(), address.round, change=changes, add=adds, drop=drop or ())
    if as_json:
        screen.put_json(_json(result))
        return
    timeline = Timeline.make(records)

    def shorten(cite: str) -> str:
        return f"the added {result.added[cite]}" if cite in result.added else timeline.shorten(cite)

    screen.say_all(comparison_lines(result, shorten))
    screen.hint("nothing was stored; recoup correct, disown and add-fact store what is true")


def comparison_lines(result: Comparison, shorten: Callable[[str], str]) -> list[Words]:
    """Both verdicts, stake by stake, and the findings that come and go."""
    lines: list[Words] = [[Span("WHAT IF", "bold"), f" in {result.was.round}", Span(" (not stored)", "dim")]]
    for change in result.alterations:
        lines.append(["  ", Span(shorten(change.cite), "bold")])
        lines += screen.wrapped(change.was or "nothing", "             ", "    is       ")
        lines += screen.wrapped(change.would or "not there", "             ", "    would be ")
    lines += ["", ["on record:  ", *screen.spans_of(headline(result.was))]]
    lines += [["would be:   ", *screen.spans_of(headline(result.would))]]
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
    if rows:
        lines += ["", *screen.table(["stake", "player", "due now", "would be", "for him"], rows, right=(2, 3, 4))]
    for title, findings in (("Findings that would go", result.gone), ("Findings that would come", result.new)):
        if findings:
            lines += ["", [Span(title, "bold")]]
            lines += all_finding_lines(findings, shorten, result.was.currency)
    if result.elsewhere:
        names = [address.partition("#")[2] for address in result.elsewhere]
        more = f" and {len(names) - 10} more" if len(names) > 10 else ""
        lines += ["", f"Other rounds would be judged otherwise too: {', '.join(names[:10])}{more}"]
    return lines


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
