"""`verify`: is the log what was sealed?"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import typer

from cli import failures, screen
from cli.options import AsJson, Store, opened
from games.picture import Span


def verify(store: Store = None, as_json: AsJson = False) -> None:
    """Check that the log is what was sealed.

    Recomputes every leaf, the tree, and all that the store says of itself; names the first bad position.

    \b
    Example:
      recoup verify
    Exit code 4 if anything is not as it was sealed.
    Outside the seal: which file or account a batch came from, and how many repeats came.
    A rewrite of everything by somebody who holds the store needs witnessed checkpoints to be seen.
    """
    from events.store.verify import verify as walk

    with opened(store) as log, _progress() as progress:
        report = walk(log, progress)
        total = log.size()
    if as_json:
        import msgspec

        screen.put_json({**msgspec.to_builtins(report), "ok": report.ok})
    else:
        good = [Span("as it was sealed", "good")] if report.ok else [Span("NOT AS IT WAS SEALED", "bad")]
        rows, streams = screen.number(report.size, "row"), screen.number(report.streams, "stream")
        if report.size == total:
            screen.say([*good, f": {rows} in {streams}, {screen.number(report.tiles, 'batch')}"])
            screen.say(f"  root {report.root}")
        else:
            screen.say([*good, f": the first {report.size:,} of {screen.number(total, 'row')} are"])
        for problem in report.problems:
            screen.say_all(screen.wrapped(f"{problem.where}: {problem.text}", "    ", "  "))
    if not report.ok:
        first = report.problems[0]
        screen.error(
            f"the seal is broken, first at {first.where}", "keep the file as it is, and tell who keeps the seal"
        )
        raise typer.Exit(failures.SEAL_BROKEN)


@contextmanager
def _progress() -> Iterator[Callable[[int, int], None] | None]:
    if not sys.stderr.isatty():
        yield None
        return
    from rich.progress import Progress

    with Progress(console=screen.console(error=True), transient=True) as shown:
        task = shown.add_task("verify", total=None)
        yield lambda done, total: shown.update(task, completed=done, total=total)
