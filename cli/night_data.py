"""A night with all that is said of it, for every form in which it is shown: on the screen, as JSON, table or page."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from cli import acting
from cli.night_words import what
from cli.options import day_of
from cli.verifying import checked
from cli.views import progress_bar

if TYPE_CHECKING:
    from events.days import Day
    from projections.night import Change, Late, Night
    from projections.views import Views


class Account(Struct, frozen=True):
    """A night with what was signed of it: what has changed since, and what came late.

    `seal_fault`: the first place at which the log contradicts a checkpoint, its own or a witness's. `asked`: the day,
    and the house if it was named, as they are typed again.
    """

    night: Night
    day: Day
    changed: list[Change] = []
    late: list[Late] = []
    seal_fault: str = ""
    asked: str = ""

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

    def late_in(self, book: str) -> list[Late]:
        """The late records of a book (`RL-03 CZK`) or of the table of a ruling."""
        units = {row["unit"] for row in self.night.rulings if f"ruling {row['ruling']}" == book}
        return [one for one in self.late if one.book == book or one.unit in units]

    @property
    def needs_a_look(self) -> bool:
        """Whether there is something that somebody must look at."""
        changed = bool(self.day.closings) and not self.is_signed_as_it_stands
        return bool(self.night.exceptions or self.late) or changed


def account_of(found: Views, day: str, house: str) -> Account:
    """The night of a view, caught up first, and how it stands against what was signed, by people and by the seal.

    Raises:
        Refused: no such day or house.
    """
    from events.days import read_day
    from projections.night import changes, first_row, late_records, night

    wanted = day_of(day)
    assert wanted is not None
    with progress_bar() as progress:
        found.catch_up(progress)
    where = acting.house_of(found.log, house)
    reconciled = night(found, where, wanted)
    signed = read_day(found.log, where, wanted)
    contradicted = checked(found.log, since=first_row(found, where, wanted)).walk.problems
    fault = f"{contradicted[0].where}: {contradicted[0].text}" if contradicted else ""
    asked = f"{wanted} --house {where}" if house else str(wanted)
    if not signed.closings:
        return Account(reconciled, signed, seal_fault=fault, asked=asked)
    last = signed.closings[-1]
    changed = changes(last.event.figures, reconciled.figures)
    late = late_records(found, where, wanted, last.tree_size)
    return Account(reconciled, signed, changed, late, fault, asked)


def json_rows(account: Account) -> list[dict[str, Any]]:
    """The night itself first, then each table, desk, ruling, exception, change and late record."""
    one = account.night
    head = {
        "part": "night", "house": one.house, "day": one.day.isoformat(), "digest": one.digest,
        "exceptions": len(one.exceptions), "is_signed": account.is_signed_as_it_stands,
        "signed_by": list(account.day.closings[-1].by) if account.day.closings else [],
        "changed": bool(account.day.closings) and not account.is_signed_as_it_stands,
        "new_exceptions": account.new if account.day.closings else [], "gone_exceptions": account.gone,
        "seal_fault": account.seal_fault,
    }  # fmt: skip
    parts: list[dict[str, Any]] = [head]
    for name, rows in (("table", one.tables), ("desk", one.desks), ("ruling", one.rulings)):
        parts += [{"part": name, **row} for row in rows]
    parts += [{"part": "exception", **row, "what": what(row)} for row in one.exceptions]
    parts += [
        {"part": "change", "book": own.book, "figure": own.figure, "was": own.was, "now": own.now,
         "by": [late.cite for late in account.late_in(own.book)]}
        for own in account.changed
    ]  # fmt: skip
    parts += [
        {"part": "late", "rule": "TB-12", "book": own.book, "subject": own.subject, "cite": own.cite, "type": own.topic,
         "recorded_at": own.recorded_at.isoformat()}
        for own in account.late
    ]  # fmt: skip
    return parts


def csv_text(account: Account) -> str:
    """All parts in one table, a column for every name that one of them has; lists in one cell, spaces between."""
    rows = json_rows(account)
    names = list(dict.fromkeys(name for row in rows for name in row))
    out = io.StringIO()
    writer = csv.DictWriter(out, names, lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({name: " ".join(value) if isinstance(value, list) else value for name, value in row.items()})
    return out.getvalue()
