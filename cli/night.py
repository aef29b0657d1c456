"""`night`, `night sign`: the reconciliation of a gaming day, with exceptions, and its signing by two people."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from msgspec import Struct

from cli import acting, failures, screen, sealing
from cli.access import noted
from cli.night_words import (
    DESK_FIGURES,
    DIFFERENCES,
    FIGURES,
    change_texts,
    figure,
    kind_text,
    next_step,
    shown,
    total,
    what,
    win_by_it,
)
from cli.options import AsJson, Reason, Store, day_of, reason_of
from cli.screen import Words
from cli.views import View, progress_bar, viewed
from events.errors import Refused
from events.values.clock import time_text
from events.values.money import CHIPS
from games.picture import Span

if TYPE_CHECKING:
    from events.days import Day
    from projections.night import Change, Late, Night
    from projections.views import Views

DayArgument = Annotated[str, typer.Argument(metavar="DAY", help="The gaming day: 2026-11-28, today, yesterday.")]


class Account(Struct, frozen=True):
    """A night with what was signed of it: what has changed since, and what came late."""

    night: Night
    day: Day
    changed: list[Change] = []
    late: list[Late] = []

    @property
    def is_signed_as_it_stands(self) -> bool:
        """Two persons have signed exactly this."""
        return bool(self.day.closings) and self.day.closings[-1].event.digest == self.night.digest

    @property
    def new(self) -> list[str]:
        """Exceptions that were not there when it was signed."""
        signed = set(self.day.closings[-1].event.exceptions) if self.day.closings else set()
        return [row["id"] for row in self.night.exceptions if row["id"] not in signed]

    @property
    def gone(self) -> list[str]:
        """Exceptions that were there when it was signed, and are no more."""
        now = {row["id"] for row in self.night.exceptions}
        return [one for one in self.day.closings[-1].event.exceptions if one not in now] if self.day.closings else []

    @property
    def needs_a_look(self) -> bool:
        """Whether there is something that somebody must look at."""
        changed = bool(self.day.closings) and not self.is_signed_as_it_stands
        return bool(self.night.exceptions or self.late) or changed


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
    exception, or if something has changed since the day was signed; 0 for a day on which nothing was played.
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
        _write(csv, _csv(account))
    if html:
        from cli.night_page import page

        _write(html, page(account))
    if as_json:
        for row in json_rows(account):
            screen.put_json(row)
    else:
        _say(account)
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
    what they signed, it is shown as changed since, and two sign again. Where the log has a seal, the second signature
    is followed by a checkpoint (exit code 4: it contradicts the log).
    """
    from events.days import sign as write
    from events.schema.ours import DaySigned

    with viewed(store, view) as found:
        account = account_of(found, day, house)
        reconciled = account.night
        if reconciled.exceptions and not reason.strip():
            count = screen.number(len(reconciled.exceptions), "exception")
            raise Refused(f"{reconciled.day} has {count}: whoever signs says why it may be closed", hint='--reason "…"')
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
    screen.hint(f"by another account: recoup night sign {reconciled.day}")


def account_of(found: Views, day: str, house: str) -> Account:
    """The night of a view, caught up first, and how it stands against what was signed.

    Raises:
        Refused: no such day or house.
    """
    from events.days import read_day
    from projections.night import changes, late_records, night

    wanted = day_of(day)
    assert wanted is not None
    with progress_bar() as progress:
        found.catch_up(progress)
    where = acting.house_of(found.log, house)
    reconciled = night(found, where, wanted)
    signed = read_day(found.log, where, wanted)
    if not signed.closings:
        return Account(reconciled, signed)
    last = signed.closings[-1]
    return Account(
        reconciled,
        signed,
        changes(last.event.figures, reconciled.figures),
        late_records(found, where, wanted, last.tree_size),
    )


# --- what is shown ---


def _say_closed(closed: Refused, files: list[str], *, as_json: bool) -> None:
    """A day without any record is no mistake of who asks; that its records have not come yet only he can know."""
    if not as_json:
        screen.say(f"Nothing was played: {closed}")
    for file in files:
        screen.note(f"{file} is not written: what may be there is of another day")
    screen.note(f"if it was open, its records have not come: recoup status; {closed.hint}")


def _say(account: Account) -> None:
    one = account.night
    rounds = sum(row["rounds"] for row in one.tables)
    tables = len({row["unit"] for row in one.tables})  # one may have a row for each currency
    counts = f"{screen.number(tables, 'table')}, {screen.number(len(one.desks), 'desk')}, {rounds:,} rounds"
    screen.say([Span(f"Night of {one.day}, {one.house}", "bold"), f": {counts}"])
    _say_signed(account)
    for currency in dict.fromkeys(row["currency"] for row in one.tables):
        rows = [row for row in one.tables if row["currency"] == currency]
        screen.say_all(["", [Span(f"Tables, {currency}", "bold")], *_grid(rows, FIGURES, "table")])
    for currency in dict.fromkeys(row["currency"] for row in one.desks):
        rows = [row for row in one.desks if row["currency"] == currency]
        name = currency or "currency unknown"
        screen.say_all(["", [Span(f"Desks, {name}", "bold")], *_grid(rows, DESK_FIGURES, "desk")])
    _say_rulings(account)
    _say_exceptions(account)


def _say_signed(account: Account) -> None:
    for closing in account.day.closings:
        first, second = closing.by
        screen.say(f"  signed by {first} and {second}, {time_text(closing.at)[:16].replace('T', ' ')}")
    waiting = account.day.waiting(account.night.digest)
    if waiting is not None:
        screen.say(f"  signed by {waiting.person}; a second person is needed")
    elif not account.day.closings:
        screen.say("  not signed yet")
    if account.day.closings and not account.is_signed_as_it_stands:
        screen.say([Span("  changed since it was signed", "bad")])
        screen.say_all(f"    {text}" for text in change_texts(account.changed, account.new, account.gone))
    for late in account.late:
        when = time_text(int(late.recorded_at.timestamp() * 1000))[:16].replace("T", " ")
        screen.say([Span("  TB-12", "bad"), f" came after the signing, {when}: {late.topic} {late.cite}"])


def _grid(rows: list[dict[str, Any]], figures: tuple[tuple[str, str], ...], what_: str) -> list[Words]:
    """Books under each other with their figures, and the sum if there are several."""
    named = shown(rows, figures)
    lines: list[list[Words]] = [[row["unit"], *(_cell(row, name) for name, _head in named)] for row in rows]
    if len(rows) > 1:
        sums = {name: total(rows, name) for name, _head in named}
        lines.append([Span("all", "bold"), *(_cell(sums, name) for name, _head in named)])
    return screen.table([what_, *(head for _name, head in named)], lines, right=range(1, len(named) + 1))


def _cell(row: dict[str, Any], name: str) -> Span:
    text = figure(row, name)
    if name in DIFFERENCES:
        return Span(text, "dim" if text == "·" else "bad")
    return Span(text, "bold" if name == "win_minor" else "")


def _say_rulings(account: Account) -> None:
    one = account.night
    voids = [f"{row['unit']} {row['voids']}" for row in one.tables if row["voids"]]
    if voids:
        screen.say_all(["", [Span("Void rounds", "bold"), f": {', '.join(voids)}"]])
    if not one.rulings:
        return
    rows: list[list[Words]] = []
    for row in one.rulings:
        left = row["open_players"]
        rows.append(
            [
                row["unit"], row["ruling"], row["remedy"], str(row["rounds_ruled"]), win_by_it(row),
                Span(f"{left} open", "bad") if left else "settled",
            ]
        )  # fmt: skip
    heads = ["table", "ruling", "remedy", "rounds", "win by it", "money"]
    screen.say_all(["", [Span("Rulings", "bold")], *screen.table(heads, rows, right=(3, 4))])


def _say_exceptions(account: Account) -> None:
    one = account.night
    if not one.exceptions:
        screen.say_all(["", [Span("No exceptions", "good"), ": every book adds up"]])
        if not account.is_signed_as_it_stands:
            screen.hint(f"recoup night sign {one.day}")
        return
    rows: list[list[Words]] = [
        [row["id"], row["unit"], Span(kind_text(row), "bad"), what(row)] for row in one.exceptions
    ]
    title = screen.number(len(one.exceptions), "exception").capitalize()
    screen.say_all(["", [Span(title, "bold")], *screen.table(["id", "where", "what", ""], rows)])
    screen.hint(f"recoup night {one.day} --show {one.exceptions[0]['id']} shows the records under one")
    for step in dict.fromkeys(step for row in one.exceptions if (step := next_step(row))):
        screen.hint(step)


def _show(found: Views, account: Account, wanted: str, *, as_json: bool) -> None:
    """The records under one exception. They may name people: the look is kept in the access trail.

    Raises:
        Refused: there is none, or there are several that begin so.
    """
    from projections.night import records_of

    fit = [row for row in account.night.exceptions if row["id"].startswith(wanted)]
    if len(fit) != 1:
        raise Refused(
            f"{len(fit) or 'no'} exceptions of {account.night.day} begin with `{wanted}`",
            hint=f"`recoup night {account.night.day}` lists them",
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
    if step := next_step(one):
        screen.hint(step)


def _told(record: dict[str, Any], currency: str | None) -> str:
    """A record in words; a room's own by its type and data."""
    from cli import assembly
    from games.wording import common

    data = record["data"] or "{}"
    unit = record["currency"] or currency or CHIPS
    said = common(assembly.catalogue().decode(record["topic"], data.encode()), unit)
    return said or f"{record['topic']} {data}"


# --- files and JSON ---


def json_rows(account: Account) -> list[dict[str, Any]]:
    """The night itself first, then each table, desk, ruling, exception, change and late record."""
    one = account.night
    head = {
        "part": "night", "house": one.house, "day": one.day.isoformat(), "digest": one.digest,
        "exceptions": len(one.exceptions), "is_signed": account.is_signed_as_it_stands,
        "signed_by": list(account.day.closings[-1].by) if account.day.closings else [],
        "changed": bool(account.day.closings) and not account.is_signed_as_it_stands,
        "new_exceptions": account.new if account.day.closings else [], "gone_exceptions": account.gone,
    }  # fmt: skip
    parts: list[dict[str, Any]] = [head]
    for name, rows in (("table", one.tables), ("desk", one.desks), ("ruling", one.rulings)):
        parts += [{"part": name, **row} for row in rows]
    parts += [{"part": "exception", **row, "what": what(row)} for row in one.exceptions]
    parts += [
        {"part": "change", "book": own.book, "figure": own.figure, "was": own.was, "now": own.now}
        for own in account.changed
    ]
    parts += [
        {"part": "late", "rule": "TB-12", "subject": own.subject, "cite": own.cite, "type": own.topic,
         "recorded_at": own.recorded_at.isoformat()}
        for own in account.late
    ]  # fmt: skip
    return parts


def _csv(account: Account) -> str:
    """All parts in one table, a column for every name that one of them has; lists in one cell, spaces between."""
    import csv
    import io

    rows = json_rows(account)
    names = list(dict.fromkeys(name for row in rows for name in row))
    out = io.StringIO()
    writer = csv.DictWriter(out, names, lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({name: " ".join(value) if isinstance(value, list) else value for name, value in row.items()})
    return out.getvalue()


def _write(path: str, text: str) -> None:
    Path(path).write_text(text, encoding="utf-8")
    screen.note(f"written: {path}")
