"""`ingest`: records from files and standard input into the store."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli import failures, screen, sealing
from cli.brokers import Config, Servers, Topic, settings_of
from cli.options import AsJson, Store, opened
from cli.screen import Words
from games.picture import Span

if TYPE_CHECKING:
    from collections.abc import Iterator
    from threading import Event as Flag

    from events.store import Receipt

Progress = Callable[[str, int, int, Any], None]


def ingest(
    files: Annotated[list[str], typer.Argument(metavar="FILE", help="NDJSON, also .gz; `-` is standard input.")],
    store: Store = None,
    as_json: AsJson = False,
) -> None:
    """Bring records in: one CloudEvents JSON object a line.

    What can be read and placed is stored as it came, whatever rule it breaks. The same file again changes nothing.

    \b
    Examples:
      recoup ingest 2026-11-28/*.ndjson.gz
      recoup dealer roulette --rounds 20 --seed 7 | recoup ingest -

    From Kafka: recoup ingest kafka.

    Exit code 5 if something was quarantined or contradicts what is stored, 3 if a file could not be read.
    Where the log has a seal, a checkpoint is signed after as many rows as seal.toml says (4: it contradicts the log).
    """
    from events.ingest import ingest_files

    with opened(store) as log, bar("ingest") as progress:
        before = log.size()
        report = ingest_files(log, files, progress)
        unread = len(log.unread(after=before - 1)) if report.total.stored else 0
        now = log.status()
        missing, waiting = now.missing, now.open
        checkpoint = sealing.due_checkpoint(log)
    if as_json:
        for file in report.files:
            screen.put_json({"file": file.path, "sha256": file.sha256, "error": file.error, **counts(file.receipt)})
    else:
        screen.say_all(_lines([(file.path, file.receipt) for file in report.files], report.total))
        if not any(file.is_news for file in report.files) and report.total.received:
            screen.say("nothing new: every record was there already")
    for file in report.files:
        if file.error:
            begun = "what came before that place is stored; repaired, ingest the file again"
            screen.error(file.error, begun if file.receipt.received else "nothing of it is stored")
        elif not file.receipt.received:
            screen.note(f"{file.path} holds no record")
    _hints(report.total, missing, waiting)
    if unread:
        kept = "it is stored as it came" if unread == 1 else "they are stored as they came"
        screen.hint(f"{screen.number(unread, 'record')} cannot be read by this Recoup; {kept}: recoup unread")
    sealing.say_checkpoint(checkpoint)
    if any(file.error for file in report.files):
        raise typer.Exit(failures.COULD_NOT)
    if report.total.alarms:
        raise typer.Exit(failures.FOUND_SOMETHING)


def ingest_kafka(
    config: Config = None,
    bootstrap_servers: Servers = None,
    topic: Topic = None,
    group: Annotated[str | None, typer.Option("--group", metavar="GROUP", help="Of the daemons.")] = None,
    metrics: Annotated[
        str | None, typer.Option("--metrics", metavar="HOST:PORT", help="Serve /metrics and /healthz there.")
    ] = None,
    beside: Annotated[bool, typer.Option("--beside", help="Fetch in a second process beside the storing one.")] = False,
    once: Annotated[bool, typer.Option("--once", help="Stop at the end of what is there now.")] = False,
    store: Store = None,
    as_json: AsJson = False,
) -> None:
    """Bring records in from Kafka, as they come, until it is told to stop.

    Offsets are stored with the records: whatever fails, it goes on where the store says, by itself. Several share the
    topic's partitions on PostgreSQL; an SQLite store takes one. SIGTERM finishes the batch and leaves the group.

    \b
    Example:
      recoup ingest kafka --config /etc/recoup/kafka.toml
      RECOUP_KAFKA_BOOTSTRAP_SERVERS=127.0.0.1:9092 recoup ingest kafka --once

    Settings: deploy/README.md. With --once exit code 3 if store or Kafka is away, else they are waited for;
    5 if something was quarantined or contradicts what is stored.
    """
    from events.ingest.kafka.process import run

    given = {"bootstrap_servers": bootstrap_servers, "topic": topic, "group": group, "metrics_address": metrics}
    settings_of(config, **given)  # asked wrongly is said before anything is opened
    with _stopped_by_signals() as stopping:
        totals = run(lambda: opened(store), config, given, beside=beside, once=once, say=_journal, stopping=stopping)
    if as_json:
        screen.put_json({**counts(totals.receipt), "out_of_range": totals.out_of_range})
    else:
        screen.say(_summary(totals.receipt))
    if once and totals.alarms:
        raise typer.Exit(failures.FOUND_SOMETHING)


def _journal(text: str) -> None:
    """A line for whoever reads the journal, at once."""
    print(text, file=sys.stderr, flush=True)


def _summary(receipt: Receipt) -> str:
    return (
        f"received {receipt.received:,} = stored {receipt.stored:,} + repeats {receipt.repeats:,} + conflicts "
        f"{receipt.conflicts:,} + quarantined {receipt.quarantined:,}"
    )


@contextmanager
def _stopped_by_signals() -> Iterator[Flag]:
    """A flag that SIGTERM and SIGINT set, instead of ending the process in the middle of a batch."""
    import signal
    from threading import Event

    flag = Event()
    before = {
        number: signal.signal(number, lambda _number, _frame: flag.set()) for number in (signal.SIGTERM, signal.SIGINT)
    }
    try:
        yield flag
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def counts(receipt: Receipt) -> dict[str, Any]:
    """A receipt's numbers for `--json`."""
    from events.store import COUNTS

    return {**{name: getattr(receipt, name) for name in COUNTS}, "reasons": receipt.reasons}


def _lines(files: list[tuple[str, Receipt]], total: Receipt) -> list[Words]:
    shown = files if len(files) <= 20 else [*files[:10], *files[-10:]]
    rows = [_row(name, receipt) for name, receipt in shown]
    if len(files) > 20:
        rows.insert(10, [f"… {len(files) - 20} more", "", "", "", "", ""])
    if len(files) > 1:
        rows.append(_row("all", total))
    heads = ["file", "received", "stored", "repeats", "conflicts", "quarantined"]
    return screen.table(heads, rows, right=(1, 2, 3, 4, 5))


def _row(name: str, receipt: Receipt) -> list[Words]:
    def alarm(number: int) -> Words:
        return Span(f"{number:,}", "bad") if number else "0"

    return [
        name if len(name) <= 44 else "…" + name[-43:],
        f"{receipt.received:,}",
        f"{receipt.stored:,}",
        f"{receipt.repeats:,}",
        alarm(receipt.conflicts),
        alarm(receipt.quarantined),
    ]


def _hints(total: Receipt, missing: int, waiting: int) -> None:
    if total.conflicts:
        one = "contradicts a stored one" if total.conflicts == 1 else "contradict stored ones"
        screen.hint(f"{screen.number(total.conflicts, 'record')} {one}: recoup quarantine list --why conflict")
    if total.quarantined:
        why = ", ".join(f"{reason} {count}" for reason, count in sorted(total.reasons.items()))
        screen.hint(f"quarantined ({why}): recoup quarantine list")
    if waiting and not (total.conflicts or total.quarantined):
        still = "waits" if waiting == 1 else "wait"
        screen.hint(f"{screen.number(waiting, 'record')} still {still} in quarantine: recoup quarantine list")
    if total.restarts:
        screen.hint(f"{screen.number(total.restarts, 'source')} began to count again in mid-session: recoup status")
    if missing:
        come = "that was counted has not come" if missing == 1 else "that were counted have not come"
        screen.hint(f"{screen.number(missing, 'record')} {come}: recoup gaps")
    if total.stored and not total.alarms:
        screen.hint("recoup rounds lists them; recoup judge --all judges them")


@contextmanager
def bar(what: str) -> Iterator[Progress | None]:
    """A progress bar on stderr, for whoever sits before it; none where stderr is a file."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[said]}"), TimeRemainingColumn())
    with Progress(*columns, console=screen.console(error=True), transient=True) as shown:
        tasks: dict[str, Any] = {}

        def advance(path: str, done: int, size: int, receipt: Any) -> None:
            if path not in tasks:
                tasks[path] = shown.add_task(f"{what} {path[-40:]}", total=size or None, said="")
            shown.update(tasks[path], completed=done, said=screen.number(receipt.received, "record"))

        yield advance
