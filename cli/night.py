"""`night`, `night sign`: the reconciliation of a gaming day, with exceptions, and its signing by two people."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli import acting, failures, screen, sealing, verifying
from cli.access import noted
from cli.night_data import Account, account_of, csv_text, json_rows
from cli.night_lines import say
from cli.night_words import float_text, mending, next_step, what
from cli.options import AsJson, Reason, Store, reason_of
from cli.screen import Words
from cli.views import View, viewed
from events.errors import Refused
from events.values.money import CHIPS
from games.picture import Span

if TYPE_CHECKING:
    from projections.night import NothingPlayed
    from projections.views import Views

DayArgument = Annotated[str, typer.Argument(metavar="DAY", help="The gaming day: 2026-11-28, today, yesterday.")]


def night(
    day: DayArgument = "yesterday",
    show: Annotated[str, typer.Option("--show", metavar="ID", help="The records under one exception.")] = "",
    csv: Annotated[str, typer.Option("--csv", metavar="FILE", help="Write everything as one table.")] = "",
    html: Annotated[str, typer.Option("--html", metavar="FILE", help="Write a page to read and print.")] = "",
    house: acting.House = "",
    view: View = None,
    store: Store = None,
    as_json: AsJson = False,
) -> None:
    """Reconcile a gaming day: counts, cash and chips of every table and desk, and what does not add up.

    \b
    Examples:
      recoup night 2026-11-28
      recoup night yesterday --csv night.csv --html night.html
      recoup night 2026-11-28 --show 3fa857b6cc

    win = closer + credits + drop + rake box − opener − fills. From the win by the games it differs by what is short or
    over (±) of cash, chips and rake. Run twice it gives the same, with the same ids. Exit code 5 if there is an
    exception, or if something has changed since the day was signed; 4 if the log contradicts a checkpoint, its own or
    a witness's, or has rows behind what was sealed, or lacks some (whether every row is the one that was sealed,
    `recoup verify` tells, and `night sign` asks); 0 for a day of which there is nothing, as the house may have been
    closed.
    """
    from projections.night import NothingPlayed

    with viewed(store, view) as found:
        try:
            account = account_of(found, day, house)
        except NothingPlayed as closed:
            if show:
                raise
            _say_closed(closed, [file for file in (csv, html) if file], as_json=as_json)
            return
        if show:
            _show(found, account, show, as_json=as_json)
            return
    if csv:
        _write(csv, csv_text(account))
    if html:
        from cli.night_page import page

        _write(html, page(account))
    if as_json:
        for row in json_rows(account):
            screen.put_json(row)
    else:
        say(account)
    if account.seal_fault:
        screen.error(f"the seal is broken, first at {account.seal_fault}", f"{verifying.KEEP}; `recoup verify`")
        raise typer.Exit(failures.SEAL_BROKEN)
    if account.needs_a_look:
        raise typer.Exit(failures.FOUND_SOMETHING)


def sign(
    day: DayArgument,
    reason: Reason = "",
    house: acting.House = "",
    view: View = None,
    store: Store = None,
) -> None:
    """Sign a gaming day as it stands, as one of two persons (auditor or manager).

    \b
    Examples:
      recoup night sign 2026-11-28
      recoup night sign 2026-11-28 --reason "slip F-12: the desk's copy is in folder 3"

    With exceptions it needs a reason. A day is closed when two have signed the same; what comes later does not change
    what they signed, it is shown as changed since, and two sign again. Before anything is signed the log is verified,
    every row and every witness's copy; exit code 4 if it is not as it was sealed: then nothing is signed. Where the log
    has a seal, the second signature is followed by a checkpoint.
    """
    from events.days import sign as write
    from events.schema.ours import DaySigned

    with viewed(store, view) as found:
        account = account_of(found, day, house)
        reconciled = account.night
        if reconciled.exceptions and not reason.strip():
            count = screen.number(len(reconciled.exceptions), "exception")
            raise Refused(f"{reconciled.day} has {count}: whoever signs says why it may be closed", hint='--reason "…"')
        _verified(found)
        ids = tuple(row["id"] for row in reconciled.exceptions)
        event = DaySigned(reconciled.digest, reconciled.size, reconciled.figures, ids)
        said = reason_of(reason) if reason.strip() else ""
        signed = write(
            found.log, reconciled.house, reconciled.day, event, account=acting.account_of(found.log), reason=said
        )
        closed = bool(signed.closings) and signed.closings[-1].event.digest == reconciled.digest
        checkpoint = sealing.due_checkpoint(found.log, at_once=True) if closed else None
    last = signed.signatures[-1]
    if checkpoint is not None:
        first, second = signed.closings[-1].by
        screen.say([Span("closed", "good"), f": {reconciled.day} is signed by {first} and {second}"])
        if checkpoint == (None, None):
            screen.hint("recoup seal checkpoint, where the seal's folder is: then the signatures can be proved outside")
        sealing.say_checkpoint(checkpoint)
        return
    screen.say(f"{last.person} has signed {reconciled.day} as it stands; a second person is needed")
    screen.hint(f"recoup night sign {account.asked} (another person, by his own account or with RECOUP_KEY=FILE)")


def _verified(found: Views) -> None:
    """Nobody signs what is not as it was sealed.

    Raises:
        typer.Exit: it is not; what `recoup verify` says has been said.
    """
    total = found.log.size()
    with verifying.progress_bar() as progress:
        report = verifying.checked(found.log, progress=progress)
    if not report.ok:
        verifying.say(report, total)
        verifying.refuse(report, "nothing was signed: ")
    for name, why in report.unreached.items():
        screen.note(f"witness {name} could not be asked: {why}; everything else agrees")


def _say_closed(closed: NothingPlayed, files: list[str], *, as_json: bool) -> None:
    """A day without any record is no mistake of who asks; that its records have not come yet only he can know."""
    if as_json:
        days = [day.isoformat() for day in closed.days]
        screen.put_json({"part": "nothing", "house": closed.house, "day": closed.day.isoformat(), "days": days})
    else:
        screen.say(f"Nothing of {closed.day}: house {closed.house} has no table and no desk on that day")
        screen.say(f"  the nearest days with records: {', '.join(map(str, closed.days))}")
    for file in files:
        screen.note(f"{file} is not written: what may be there is of another day")
    screen.hint("if the house was open, its records have not come: recoup status")


def _show(found: Views, account: Account, wanted: str, *, as_json: bool) -> None:
    """The records under one exception. They may name people: the look is kept in the access trail.

    Raises:
        Refused: there is none, or there are several that begin so.
    """
    from projections.night import book_of, records_of

    fit = [row for row in account.night.exceptions if row["id"].startswith(wanted)]
    if len(fit) != 1:
        raise Refused(
            f"{len(fit) or 'no'} exceptions of {account.night.day} begin with `{wanted}`",
            hint=f"`recoup night {account.asked}` lists them",
        )
    (one,) = fit
    records = records_of(found, one)
    noted(found.log, "night", f"night {account.night.house} {account.night.day} {one['id']}")
    if as_json:
        for record in records:
            screen.put_json({**record, "occurred_at": record["occurred_at"].isoformat()})
        return
    screen.say([Span(f"{one['id']} {one['unit']}", "bold"), f": {what(one)}"])
    rows: list[list[Words]] = [
        [f"{record['occurred_at']:%Y-%m-%d %H:%M:%S}", record["cite"], _told(record, one["currency"])]
        for record in records
    ]
    screen.say_all(screen.table(["time", "record", "what it says"], rows) if rows else ["  no record is about it"])
    if one["kind"] in ("float", "desk"):
        screen.say_all(screen.wrapped(float_text(book_of(found, one["subject"])), "    ", "  "))
    for step in filter(None, (next_step(one), mending(one))):
        screen.hint(step)


def _told(record: dict[str, Any], currency: str | None) -> str:
    """A record in words, and what it counts as by the last correction; a room's own by its type and data."""
    came = _words(record, record["topic"], record["data"], currency)
    if record["counts_topic"] is None:
        return came
    return f"{came}; corrected: {_words(record, record['counts_topic'], record['counts_data'], currency)}"


def _words(record: dict[str, Any], topic: str, data: str | None, currency: str | None) -> str:
    from cli import assembly
    from games.wording import common

    data = data or "{}"
    unit = record["currency"] or currency or CHIPS
    said = common(assembly.catalogue().decode(topic, data.encode()), unit)
    return said or f"{topic} {data}"


def _write(path: str, text: str) -> None:
    Path(path).write_text(text, encoding="utf-8")
    screen.note(f"written: {path}")
