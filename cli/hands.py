"""`hands import`, `hands export`: hand histories of other programs and houses."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli import assembly, failures, screen
from cli.options import AsJson, DayOf, Store, day_of, opened
from cli.screen import Words
from events.errors import Refused
from games.picture import Span

if TYPE_CHECKING:
    from games.hand_histories.imports import FileImport, ImportReport
    from games.hand_histories.phh_out import WrittenHand

app = typer.Typer(help="Poker hands: in, out, and found again.", no_args_is_help=True, rich_markup_mode=None)

REFUSED_SHOWN = 20


@app.command("import")
def import_(
    paths: Annotated[list[str], typer.Argument(metavar="FILE", help=".phh or .phhs, also .gz; or a folder of them.")],
    key_file: Annotated[
        str, typer.Option("--key-file", metavar="FILE", help="A secret with which players' names become ids.")
    ] = "",
    store: Store = None,
    as_json: AsJson = False,
) -> None:
    """Import poker hands in PHH; players' names become ids. A hand that is there already is a repeat.

    \b
    Examples:
      recoup hands import pluribus/*.phh
      recoup hands import wsop.phhs.gz --json

    A hand that cannot be read is named with file and line, and the others come in; repaired, import the file again.
    Exit code 5 if a hand was refused, 3 if a file could not be read.
    """
    from games.hand_histories.imports import import_hands
    from games.hand_histories.names import Pseudonyms

    pseudonyms = Pseudonyms(Path(key_file).read_bytes().strip()) if key_file else None
    with opened(store) as log, _bar() as progress:
        report = import_hands(log, paths, progress, pseudonyms=pseudonyms)
    if as_json:
        import msgspec

        for file in report.files:
            screen.put_json({**msgspec.to_builtins(file), "hands": file.hands})
    else:
        screen.say_all(_lines(report))
    for file in report.errors:
        screen.error(file.error, "what came before that place is stored" if file.hands else "nothing of it is stored")
    if report.refused:
        screen.hint("repair the hands named above and import the same files again; the others are repeats then")
    elif report.imported:
        screen.hint("recoup rounds --imports lists them; recoup judge --all judges them")
    if report.errors:
        raise typer.Exit(failures.COULD_NOT)
    if report.refused:
        raise typer.Exit(failures.FOUND_SOMETHING)


@app.command("export")
def export(
    rounds: Annotated[
        list[str] | None, typer.Argument(metavar="ROUND", help="Rounds, as NL-1#12 or import/<key>.")
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Every hold'em hand in the store.")] = False,
    output: Annotated[str, typer.Option("-o", "--output", metavar="FILE", help="A file instead of stdout.")] = "",
    day: DayOf = None,
    store: Store = None,
) -> None:
    """Write hold'em hands as PHH: one as it is, several as sections of a .phhs.

    \b
    Examples:
      recoup hands export NL-1#12 > hand.phh
      recoup hands export --all -o hands.phhs
    Corrections show in what is written.
    """
    from games.hand_histories.phh_out import write_file

    if bool(rounds) == everything:
        raise Refused("export which hands?", hint="ROUND …, or --all")
    with opened(store) as log:
        found = _all(log) if everything else _named(log, rounds or (), day)
        first = next(found, None)
        if first is None:
            raise Refused("the store has no hold'em hand")
        second = next(found, None)
        if second is None:
            _write([first.text], output)
        else:
            _write(write_file(_chained(first, second, found)), output)


def _chained(first: WrittenHand, second: WrittenHand, rest: Iterator[WrittenHand]) -> Iterator[WrittenHand]:
    yield first
    yield second
    yield from rest


def _write(pieces: Any, output: str) -> None:
    if output:
        with Path(output).open("w", encoding="utf-8") as file:
            file.writelines(pieces)
        return
    for piece in pieces:
        screen.put_raw(piece.encode())


def _all(log: Any) -> Iterator[WrittenHand]:
    from games.hand_histories.phh_out import hands_of
    from games.hand_histories.retold import acts_of

    book = assembly.casebook(log)
    for prefix in ("table/", "import/"):
        for subject in log.subjects(prefix):
            case = book.case(subject)
            if case.opened is not None and getattr(case.opened.event, "game", "") == "holdem":
                yield from hands_of(case.ordered, acts_of(case, book.rooms))


def _named(log: Any, rounds: Any, day: str | None) -> Iterator[WrittenHand]:
    from cli.addresses import one_round
    from games.hand_histories.phh_out import hands_of
    from games.hand_histories.retold import acts_of

    book = assembly.casebook(log)
    for text in rounds:
        address = one_round(log, text, day=day_of(day))
        case = book.case(address.subject)
        hands = hands_of(case.ordered, acts_of(case, book.rooms))
        hand = next((one for one in hands if one.round == address.round), None)
        if hand is None:
            raise Refused(f"{address.text} is no poker hand")
        yield hand


def _lines(report: ImportReport) -> list[Words]:
    files = report.files
    shown = files if len(files) <= 12 else [file for file in files if file.refused or file.error][:12]
    rows: list[list[Words]] = [
        _row(file.file, file.hands, file.imported, file.repeats, len(file.refused)) for file in shown
    ]
    if len(shown) != 1:
        name = screen.number(len(files), "file") if len(shown) != len(files) else "all"
        rows.append(_row(name, report.hands, report.imported, report.repeats, len(report.refused)))
    lines = screen.table(["file", "hands", "imported", "repeats", "refused"], rows, right=(1, 2, 3, 4))
    for hand in report.refused[:REFUSED_SHOWN]:
        which = f" (hand {hand.section})" if hand.section else ""
        lines += screen.wrapped(f"{hand.file}:{hand.line}{which}: {hand.code}, {hand.reason}", "    ", "  ")
    if len(report.refused) > REFUSED_SHOWN:
        lines.append(f"  … and {len(report.refused) - REFUSED_SHOWN} more; --json names all")
    if not report.imported and report.repeats and not report.refused:
        lines.append("nothing new: every hand was there already")
    return lines


def _row(name: str, hands: int, imported: int, repeats: int, refused: int) -> list[Words]:
    last: Words = Span(f"{refused:,}", "bad") if refused else "0"
    return [name if len(name) <= 50 else "…" + name[-49:], f"{hands:,}", f"{imported:,}", f"{repeats:,}", last]


@contextmanager
def _bar() -> Iterator[Any]:
    if not sys.stderr.isatty():
        yield None
        return
    from rich.progress import Progress

    with Progress(console=screen.console(error=True), transient=True) as shown:
        tasks: dict[str, Any] = {}

        def advance(path: str, done: int, size: int, _file: FileImport) -> None:
            if path not in tasks:
                tasks[path] = shown.add_task(f"import {path[-40:]}", total=size or None)
            shown.update(tasks[path], completed=done)

        yield advance
