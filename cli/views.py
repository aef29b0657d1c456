"""`sql`, `views rebuild`: questions to the read model, which follows the log before it answers."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli import assembly, screen
from cli.options import AsJson, Store, opened
from cli.screen import Words
from events.errors import Refused
from games.picture import Span

if TYPE_CHECKING:
    from projections.views import Table, Views

app = typer.Typer(help="The read model.", no_args_is_help=True, rich_markup_mode=None)

View = Annotated[str | None, typer.Option("--view", metavar="PATH", help="A view file of your own.")]


def sql(
    query: Annotated[str, typer.Argument(metavar="QUERY", help="One SELECT; `-` reads it from standard input.")] = "",
    tables: Annotated[bool, typer.Option("--tables", help="List what can be asked.")] = False,
    view: View = None,
    store: Store = None,
    as_json: AsJson = False,
) -> None:
    """Ask the read model in SQL (DuckDB's). Amounts are in minor units.

    \b
    Examples:
      recoup sql --tables
      recoup sql "SELECT rule, count(*) FROM fct_finding GROUP BY rule ORDER BY 2 DESC"
      recoup sql "SELECT * FROM fct_bet WHERE player = 'p-204'" --json
    """
    if bool(query) == tables:
        raise Refused("ask what?", hint='one SELECT, or --tables to see what there is: recoup sql "SELECT …"')
    with viewed(store, view) as found:
        if tables:
            _tables(found, as_json=as_json)
            return
        with progress_bar() as progress:
            found.catch_up(progress)
        answer = found.query(sys.stdin.read() if query == "-" else query, catch_up=False)
    if as_json:
        for row in answer.rows:
            screen.put_json(dict(zip(answer.columns, map(plain, row), strict=True)))
    else:
        show(answer)


@app.command()
def rebuild(view: View = None, store: Store = None) -> None:
    """Make the read model anew from the log; the one in use stays until the new one is whole.

    \b
    Example:
      recoup views rebuild
    """
    with viewed(store, view) as found, progress_bar() as progress:
        done = found.rebuild(progress)
    sessions, rounds = screen.number(done.sessions_judged, "session"), screen.number(done.rounds_judged, "round")
    said = f"{screen.number(done.events, 'record')}, {sessions} and {rounds} judged"
    screen.say(f"view {found.path} rebuilt: {said}, in {done.seconds:.1f} s")


@contextmanager
def viewed(store: str | None, path: str | None) -> Iterator[Views]:
    """The read model of a store, not yet caught up.

    Raises:
        StoreBusy: another process has the view. Unable: its file cannot be used.
    """
    from projections import Views

    with opened(store) as log, Views.open(log, assembly.casebook(log), path) as found:
        yield found


@contextmanager
def progress_bar() -> Iterator[Any]:
    """How far catching up is; shown only where somebody sits before it."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.progress import Progress

    with Progress(console=screen.console(error=True), transient=True) as shown:
        tasks: dict[str, Any] = {}

        def advance(what: str, done: int, total: int) -> None:
            if what not in tasks:
                tasks[what] = shown.add_task(what, total=total)
            shown.update(tasks[what], completed=done, total=total)

        yield advance


def _tables(found: Views, *, as_json: bool) -> None:
    rows: list[list[Words]] = []
    for info in found.tables():
        said = " ".join(info.comment.split())
        if as_json:
            screen.put_json({"layer": info.layer, "name": info.name, "comment": said})
        rows.append([info.layer, Span(info.name, "bold"), said])
    if not as_json:
        screen.say_all(screen.table(["layer", "name", "what it shows"], rows))


def show(answer: Table) -> None:
    """An answer as a table, or row under row where it is too wide."""
    numbers = [at for at, kind in enumerate(answer.types) if kind.endswith("INT") or kind.startswith(("DEC", "DOUBLE"))]
    rows: list[list[Words]] = [["" if value is None else str(plain(value)) for value in row] for row in answer.rows]
    lines = screen.table(answer.columns, rows, right=numbers, indent="")
    if rows and max(len(screen.plain_of(line)) for line in lines) > screen.width():
        lines = _upright(answer, rows)
    screen.say_all(lines)
    screen.note(screen.number(len(rows), "row"))


def _upright(answer: Table, rows: list[list[Words]]) -> list[Words]:
    """A row under the other, a column a line, where they are too wide to stand side by side."""
    lines: list[Words] = []
    wide = max(map(len, answer.columns))
    for number, row in enumerate(rows, 1):
        lines.append([Span(f"row {number}", "dim")])
        for name, value in zip(answer.columns, row, strict=True):
            if value:
                lines += screen.wrapped(str(value), " " * (wide + 4), f"  {name:<{wide}}  ")
    return lines


def plain(value: Any) -> Any:
    """A value as JSON and people have it: times and days as text, whole numbers as such."""
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, Decimal):
        return int(value) if value == int(value) else str(value)
    return value
