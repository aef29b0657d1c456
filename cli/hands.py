"""`hands import`, `hands export`: hand histories of other programs and houses."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli import acting, assembly, failures, screen
from cli.access import noted
from cli.addresses import Address, one_round
from cli.options import AsJson, DayOf, Store, day_of, opened
from cli.screen import Words
from events.errors import Refused
from games.picture import Span

if TYPE_CHECKING:
    from games.hand_histories.imports import FileImport, ImportReport, ListedHand
    from games.hand_histories.retold import Retold

app = typer.Typer(help="Poker hands: in, out, and found again.", no_args_is_help=True, rich_markup_mode=None)

SHOWN = 20
"""Hands named one by one; --json names all."""

NOT_YET = "not_yet"
"""The code of a hand of a game that is not played here: counted by game, not listed."""


@app.command("import")
def import_(
    paths: Annotated[list[str], typer.Argument(metavar="FILE", help="Files of hands, also .gz; or a folder of them.")],
    key_file: Annotated[
        str, typer.Option("--key-file", metavar="FILE", help="A secret with which players' names become ids.")
    ] = "",
    store: Store = None,
    as_json: AsJson = False,
) -> None:
    """Import poker hands; players' names become ids. A hand that is there already is a repeat.

    \b
    Formats, told by the file's name or by what is in it:
      .phh .phhs        Poker Hand History
      .ohh .json        Open Hand History
      .csv              a PokerNow log

    \b
    Examples:
      recoup hands import pluribus/ wsop.phhs.gz
      recoup hands import session.ohh --json

    A hand that cannot be read is named with file and line, and the others come in; repaired, import the file again.
    So is one that does not add up: it is taken over as the file tells it, and named.
    Exit code 5 if a hand was named, 3 if a file could not be read.
    """
    from games.hand_histories.imports import import_hands
    from games.hand_histories.names import Pseudonyms

    pseudonyms = Pseudonyms(Path(key_file).read_bytes().strip()) if key_file else None
    with opened(store) as log, _bar() as progress:
        report = import_hands(log, paths, progress, pseudonyms=pseudonyms, account=acting.account_of(log))
    if as_json:
        import msgspec

        for file in report.files:
            screen.put_json({**msgspec.to_builtins(file), "hands": file.hands})
    else:
        screen.say_all(_lines(report))
    for file in report.errors:
        screen.error(file.error, "what came before that place is stored" if file.hands else "nothing of it is stored")
    if any(hand.code != NOT_YET for hand in report.refused):
        screen.hint("repair the hands named above and import the same files again; the others are repeats then")
    elif report.imported:
        screen.hint("recoup rounds --imports lists them; recoup judge --all judges them")
    if report.errors:
        raise typer.Exit(failures.COULD_NOT)
    if report.refused or report.unproved:
        raise typer.Exit(failures.FOUND_SOMETHING)


@app.command("export")
def export(
    rounds: Annotated[
        list[str] | None, typer.Argument(metavar="ROUND", help="Rounds, as NL-1#12 or import/<key>.")
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Every hold'em hand in the store.")] = False,
    form: Annotated[
        str, typer.Option("--format", metavar="FORMAT", help="phh or ohh; without it as --output ends, else phh.")
    ] = "",
    output: Annotated[str, typer.Option("-o", "--output", metavar="FILE", help="A file instead of stdout.")] = "",
    day: DayOf = None,
    store: Store = None,
) -> None:
    """Write hold'em hands as PHH or Open Hand History. Corrections show in what is written.

    \b
    Examples:
      recoup hands export NL-1#12 > hand.phh
      recoup hands export --all -o hands.phhs
      recoup hands export --all --format ohh > hands.ohh

    What a format has no word for (a second board in PHH, an unknown stack in OHH) keeps a hand from being written; it
    is named with the reason, the others are written, and the exit code is 5.
    """
    if bool(rounds) == everything:
        raise Refused("export which hands?", hint="ROUND …, or --all")
    writer = _writer(form or _FORMAT_BY_SUFFIX.get(Path(output).suffix.lower(), "phh"))
    with opened(store) as log:
        meant = [one_round(log, text, day=day_of(day)) for text in rounds or ()]
        skipped: list[str] = []
        found = _written(_all(log) if everything else _named(log, meant), writer, skipped)
        first = next(found, None)
        if first is None:
            raise Refused(skipped[0] if skipped else "the store has no hold'em hand")
        noted(log, "export", *([one.text for one in meant] or ["every hold'em hand"]))
        second = next(found, None)
        if second is None:
            _write([first.text], output)
        else:
            _write(writer.write_file(chain((first, second), found)), output)
    for reason in skipped[:SHOWN]:
        screen.note(reason)
    if skipped:
        more = f", the first {SHOWN} named above" if len(skipped) > SHOWN else ""
        screen.error(f"{screen.number(len(skipped), 'hand')} not written{more}", "another --format may have the word")
        raise typer.Exit(failures.FOUND_SOMETHING)


_FORMAT_BY_SUFFIX = {".ohh": "ohh", ".json": "ohh"}


def _writer(name: str) -> Any:
    """The module that writes a format."""
    from games.hand_histories import ohh_out, phh_out

    writers = {"phh": phh_out, "ohh": ohh_out}
    if name not in writers:
        raise Refused(f"hands are not written as `{name}`", hint="--format phh, or ohh")
    return writers[name]


def _written(hands: Iterator[Retold], writer: Any, skipped: list[str]) -> Iterator[Any]:
    """Each hand in the writer's format; one that it has no word for goes to `skipped`, with the reason."""
    for hand in hands:
        try:
            yield writer.write(hand)
        except Refused as refused:
            skipped.append(str(refused))


def _write(pieces: Iterable[str], output: str) -> None:
    if output:
        with Path(output).open("w", encoding="utf-8") as file:
            file.writelines(pieces)
        return
    for piece in pieces:
        screen.put_raw(piece.encode())


def _all(log: Any) -> Iterator[Retold]:
    from games.hand_histories.retold import acts_of, retell

    book = assembly.casebook(log)
    for prefix in ("table/", "import/"):
        for subject in log.subjects(prefix):
            case = book.case(subject)
            if case.opened is not None and getattr(case.opened.event, "game", "") == "holdem":
                yield from retell(case.ordered, acts_of(case, book.rooms))


def _named(log: Any, rounds: Iterable[Address]) -> Iterator[Retold]:
    from games.hand_histories.retold import acts_of, retell

    book = assembly.casebook(log)
    for address in rounds:
        case = book.case(address.subject)
        hands = retell(case.ordered, acts_of(case, book.rooms))
        hand = next((one for one in hands if one.name == address.round), None)
        if hand is None:
            raise Refused(f"{address.text} is no poker hand")
        yield hand


def _lines(report: ImportReport) -> list[Words]:
    files = report.files
    named = [file for file in files if file.refused or file.error or file.unproved]
    shown = files if len(files) <= 12 else named[:12]
    rows: list[list[Words]] = [
        _row(file.file, file.hands, file.imported, file.repeats, len(file.refused)) for file in shown
    ]
    if len(shown) != 1:
        name = screen.number(len(files), "file") if len(shown) != len(files) else "all"
        rows.append(_row(name, report.hands, report.imported, report.repeats, len(report.refused)))
    lines = screen.table(["file", "hands", "imported", "repeats", "refused"], rows, right=(1, 2, 3, 4))
    broken = [hand for hand in report.refused if hand.code != NOT_YET]
    lines += _listed([(hand, f"{hand.code}, {hand.reason}") for hand in broken])
    lines += _listed([(hand, f"taken over as told, but {hand.reason}") for hand in report.unproved])
    kinds = Counter(hand.reason for hand in report.refused if hand.code == NOT_YET)
    for reason, count in kinds.most_common():
        lines += screen.wrapped(f"not yet: {screen.number(count, 'hand')}: {reason}", "    ", "  ")
    if not report.imported and report.repeats and not report.refused:
        lines.append("nothing new: every hand was there already")
    return lines


def _listed(hands: Sequence[tuple[ListedHand, str]]) -> list[Words]:
    lines: list[Words] = []
    for hand, reason in hands[:SHOWN]:
        which = f" (hand {hand.section})" if hand.section else ""
        lines += screen.wrapped(f"{hand.file}:{hand.line}{which}: {reason}", "    ", "  ")
    if len(hands) > SHOWN:
        lines.append(f"  … and {len(hands) - SHOWN} more; --json names all")
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
