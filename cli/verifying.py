"""`verify`: is the log what was sealed?"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from cli import failures, screen
from cli.options import AsJson, Store, opened
from cli.sealing import SealFolder
from games.picture import Span

if TYPE_CHECKING:
    from events.sealing import SealReport
    from events.store import Log

KEEP = "keep the file as it is, and tell who keeps the seal"
"""What is done first when the log is not what was sealed."""


def verify(
    witness: Annotated[
        list[str], typer.Option("--witness", metavar="FOLDER", help="One more folder with copies of checkpoints.")
    ] = [],  # noqa: B006  Typer copies it
    origin: Annotated[
        str, typer.Option("--origin", metavar="NAME", help="Whose copies, where the log says another name, or none.")
    ] = "",
    seal: SealFolder = None,
    store: Store = None,
    as_json: AsJson = False,
) -> None:
    """Check that the log is what was sealed.

    Recomputes every leaf, the tree, and all that the store says of itself, and compares with every checkpoint ever
    signed: the log's own and each witness's copies. Names the first bad position.

    \b
    Example:
      recoup verify
      recoup verify --witness /media/stick
    Exit code 4 if anything is not as it was sealed; 3 if a witness could not be asked, or the seal's
    folder is not where --seal or RECOUP_SEAL says.
    Outside the seal: which file or account a batch came from, and how many repeats came.
    A rewrite of everything by somebody who holds store and key is seen by a witness's copy alone.
    """
    with opened(store) as log, progress_bar() as progress:
        total = log.size()
        report = checked(log, seal=seal, witness=witness, origin=origin, progress=progress)
    if as_json:
        import msgspec

        plain = msgspec.to_builtins(report)
        screen.put_json({**plain.pop("walk"), **plain, "ok": report.ok})
    else:
        say(report, total)
    if not report.ok:
        refuse(report)
    for name, why in report.unreached.items():
        screen.error(f"witness {name} could not be asked: {why}", "is it mounted? everything else agrees")
    if report.unreached:
        raise typer.Exit(failures.COULD_NOT)
    for name, missing in report.missing.items():
        screen.hint(f"recoup seal checkpoint (witness {name} lacks {screen.number(missing, 'checkpoint')})")


def checked(
    log: Log,
    *,
    seal: str | None = None,
    witness: Iterable[str] = (),
    origin: str = "",
    since: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> SealReport:
    """The log against all that was signed of it; the seal's folder names the witnesses, beside those of `witness`.

    `since`: only what was signed of the rows from this tree index on, and of their leaves alone.
    """
    from msgspec.structs import replace

    from events.sealing import folder_of, is_made, is_named, read_config, verify_all

    folder = folder_of(log.address, seal)
    config = read_config(folder) if is_made(folder) else None
    folders = dict.fromkeys((*(config.witnesses if config else ()), *witness))
    report = verify_all(log, folders, origin or (config.origin if config else ""), progress, since=since)
    if config is None and is_named(seal):
        return replace(report, unreached={**report.unreached, f"that {folder} names": "there is no seal in it"})
    return report


def refuse(report: SealReport, what: str = "") -> NoReturn:
    """Says where the seal is broken, and ends with its exit code."""
    first = report.walk.problems[0]
    kept = "that copy as it is: it may be the only thing wrong" if first.what == "witness" else "the file as it is"
    screen.error(f"{what}the seal is broken, first at {first.where}", f"keep {kept}; tell who keeps the seal")
    raise typer.Exit(failures.SEAL_BROKEN)


def say(report: SealReport, total: int) -> None:
    """`total`: rows that the log had when the check began; what came meanwhile may be in the report or not."""
    walk = report.walk
    good = [Span("as it was sealed", "good")] if report.ok else [Span("NOT AS IT WAS SEALED", "bad")]
    rows, streams = screen.number(walk.size, "row"), screen.number(walk.streams, "stream")
    if walk.size >= total:
        screen.say([*good, f": {rows} in {streams}, {screen.number(walk.tiles, 'batch')}"])
        screen.say(f"  root {walk.root}")
    else:
        whole = {0: "none was found", 1: "the first is"}.get(walk.size, f"the first {walk.size:,} are")
        screen.say([*good, f": of {screen.number(total, 'row')} {whole} as sealed;"])
        screen.say("  what comes next is not, and there the check ended")
    if report.checkpoints or report.copies:
        copies = f"{report.copies:,} {'copy' if report.copies == 1 else 'copies'}"
        verb = "compared with" if not report.ok else "agrees with"
        screen.say(f"  {verb} {screen.number(report.checkpoints, 'checkpoint')} and {copies} of witnesses")
        if not report.copies and not report.missing and not report.unreached:
            screen.say("  no witness was asked: a rewrite of everything could not be seen; --witness FOLDER")
    elif not report.unreached:
        screen.say("  no checkpoint: a rewrite of everything could not be seen; `recoup seal init` makes a seal")
    for problem in walk.problems:
        screen.say_all(screen.wrapped(f"{problem.where}: {problem.text}", "    ", "  "))


@contextmanager
def progress_bar() -> Iterator[Callable[[int, int], None] | None]:
    if not sys.stderr.isatty():
        yield None
        return
    from rich.progress import Progress

    with Progress(console=screen.console(error=True), transient=True) as shown:
        task = shown.add_task("verify", total=None)
        yield lambda done, total: shown.update(task, completed=done, total=total)
