"""The night's reconciliation of one house and gaming day: figures, exceptions, a digest over both, and what came late.

Everything is read out of the views; computing it twice gives the same, with the same ids.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

from msgspec import Struct

from events.errors import Refused
from events.schema.envelope import canonical
from events.values.clock import gaming_day
from projections.views import Views

Row = dict[str, Any]

_PARTS = {
    "tables": ("rpt_table_day", "unit, currency"),
    "desks": ("rpt_desk_day", "unit, currency"),
    "rulings": ("rpt_ruling_day", "unit, ruling, currency"),
    "exceptions": ("rpt_night_exception", "kind LIKE 'TB-%', kind, unit, about, id"),
}
"""Part of a night → its view, and the order of its rows."""

_RECORD = (
    "SELECT r.subject, r.cite, r.occurred_at, r.round, r.topic, r.data, f.currency, "
    "CASE WHEN n.is_amended AND (n.topic, n.data) <> (r.topic, r.data) THEN n.topic END AS counts_topic, "
    "CASE WHEN n.is_amended AND (n.topic, n.data) <> (r.topic, r.data) THEN n.data END AS counts_data "
    "FROM stg_record AS r LEFT JOIN standing AS n ON n.idx = r.idx "
    "LEFT JOIN foreign_stake AS f ON f.subject = r.subject AND f.stake = r.data ->> '$.stake' "
)
"""currency: of the stake that a record is about, where that is not its table's; counts_: what it says by the last
correction, if that is something else."""
_CITED = "JOIN (SELECT unnest(?) AS subject, unnest(?) AS cite) AS w ON w.subject = r.subject AND w.cite = r.cite"
_FLOAT = (
    "WHERE r.subject = $subject AND (r.topic IN ('TB.InventoryCounted.v1', 'TB.DropBoxCounted.v1') OR r.idx IN ("
    "SELECT idx FROM fct_chip_move WHERE subject = $subject AND ($subject LIKE 'desk/%' OR cause IN ('fill', 'credit') "
    "OR from_place LIKE 'desk/%' OR to_place LIKE 'desk/%')))"
)
_DROP = (
    "WHERE r.subject = $subject AND (r.topic = 'TB.DropBoxCounted.v1' "
    "OR r.idx IN (SELECT idx FROM fct_tender WHERE subject = $subject))"
)
_RAKE = (
    "WHERE r.subject = $subject AND (r.topic = 'TB.RakeBoxCounted.v1' OR r.idx IN ("
    "SELECT idx FROM fct_chip_move WHERE subject = $subject AND (from_place = 'rake') <> (to_place = 'rake')))"
)
_OF_BOOK = {"float": _FLOAT, "desk": _FLOAT, "drop": _DROP, "rake": _RAKE}
"""Kind of exception → the records that its figures are made of."""


class Night(Struct, frozen=True):
    """A reconciled day. Rows are those of the views, without house and day; `_minor`: minor units of `currency`.

    `size`: rows of the log that it rests on. `digest`: SHA-256 over all rows, not over the size.
    """

    house: str
    day: date
    tables: tuple[Row, ...]
    desks: tuple[Row, ...]
    rulings: tuple[Row, ...]
    exceptions: tuple[Row, ...]
    size: int
    digest: str

    @property
    def figures(self) -> dict[str, dict[str, int | None]]:
        """Book (`RL-03 CZK`) or ruling (one in two currencies has each apart: `ruling R EUR`) → figure → minor units:
        what is signed, and compared later."""
        named = [(f"{row['unit']} {row['currency']}", row) for row in (*self.tables, *self.desks)]
        several = Counter(row["ruling"] for row in self.rulings)  # one that moves money in two currencies has two rows
        for row in self.rulings:
            unit = f" {row['currency']}" if several[row["ruling"]] > 1 else ""
            named.append((f"ruling {row['ruling']}{unit}", row))
        return {
            name: {key.removesuffix("_minor"): value for key, value in row.items() if key.endswith("_minor")}
            for name, row in named
        }


class Change(Struct, frozen=True):
    """A figure that is another now than when it was signed; None: nobody had counted."""

    book: str
    figure: str
    was: int | None
    now: int | None


class Late(Struct, frozen=True):
    """A record that came after the day was signed (TB-12). `book`: as in a night's figures; `recorded_at`: when."""

    subject: str
    unit: str
    book: str
    cite: str
    topic: str
    recorded_at: Any


class NothingPlayed(Refused):
    """A house that has other days has no record of this one, today or before: it was closed, or they have not come.

    `days`: the nearest that it has, in order.
    """

    def __init__(self, house: str, day: date, days: list[date]) -> None:
        told = f"the nearest days with records: {', '.join(map(str, days))}"
        super().__init__(f"house {house} has no table and no desk on {day}", hint=told)
        self.house, self.day, self.days = house, day, days


def night(views: Views, house: str, day: date) -> Night:
    """The night of a house, by a view that has caught up.

    Raises:
        NothingPlayed: the house had nothing open on that day.
        Refused: nor has it on any other day, or the day is still to come.
    """
    parts = {name: tuple(_rows(views, view, order, house, day)) for name, (view, order) in _PARTS.items()}
    if not parts["tables"] and not parts["desks"] and not parts["exceptions"]:
        days = _days(views, house, day)
        closed = NothingPlayed(house, day, days)
        if days and day <= gaming_day(views.log.now_ms()):
            raise closed
        raise Refused(str(closed), hint=closed.hint if days else "`recoup rounds` lists tables and days")
    plain = {"house": house, "day": day.isoformat(), **parts}
    digest = hashlib.sha256(canonical(plain)).hexdigest()
    return Night(house, day, **parts, size=views.position, digest=digest)


def _rows(views: Views, view: str, order: str, house: str, day: date) -> Iterator[Row]:
    sql = f"SELECT * EXCLUDE (house, gaming_day) FROM {view} WHERE house = ? AND gaming_day = ? ORDER BY {order}"  # noqa: S608  our own names
    answer = views.query(sql, [house, day], catch_up=False)
    for row in answer.rows:
        yield dict(zip(answer.columns, row, strict=True))


def _days(views: Views, house: str, day: date) -> list[date]:
    """The days nearest to one that the house has."""
    asked = (
        "SELECT DISTINCT gaming_day FROM fct_session WHERE house = ? AND kind IN ('table', 'desk') "
        "AND gaming_day IS NOT NULL ORDER BY abs(date_diff('day', gaming_day, ?)), gaming_day LIMIT 4"
    )
    return sorted(row[0] for row in views.query(asked, [house, day], catch_up=False).rows)


def changes(was: Mapping[str, Mapping[str, int | None]], now: Mapping[str, Mapping[str, int | None]]) -> list[Change]:
    """Each figure that differs, by book and figure. What is new, or gone, differs where it is not zero."""
    found = []
    for book in sorted({*was, *now}):
        before, after = was.get(book, {}), now.get(book, {})
        for figure in dict.fromkeys((*before, *after)):
            signed, current = before.get(figure, 0), after.get(figure, 0)
            is_in_both = figure in before and figure in after
            if signed != current and (is_in_both or signed or current):
                found.append(Change(book, figure, signed, current))
    return found


def late_records(views: Views, house: str, day: date, size: int) -> list[Late]:
    """Records of the day's sessions that came into the log after its first `size` rows, in order of arrival."""
    answer = views.query(
        "SELECT r.subject, s.unit, s.unit || ' ' || s.currency, r.cite, r.topic, r.recorded_at FROM stg_record AS r "
        "JOIN fct_session AS s ON s.subject = r.subject "
        "WHERE r.idx >= ? AND s.house = ? AND s.gaming_day = ? ORDER BY r.idx",
        [size, house, day],
        catch_up=False,
    )
    return [Late(*row) for row in answer.rows]


def first_row(views: Views, house: str, day: date) -> int:
    """Tree index of the first record of the day's sessions."""
    answer = views.query(
        "SELECT min(r.idx) FROM stg_record AS r JOIN fct_session AS s ON s.subject = r.subject "
        "WHERE s.house = ? AND s.gaming_day = ?",
        [house, day],
        catch_up=False,
    )
    return int(answer.rows[0][0] or 0)


def records_of(views: Views, exception: Row) -> list[Row]:
    """The records on which an exception rests, as they were written, in order of time.

    Of a float or a desk: all counts of it and every movement between it and another book (a desk's own sales, too). Of
    a drop box: what was paid in; of a rake box: what was taken.
    """
    kind = exception["kind"]
    if kind not in _OF_BOOK and not exception["cites"]:
        return []
    which: dict[str, Any] | list[Any] = [exception["subjects"], exception["cites"]]
    if kind in _OF_BOOK:
        which = {"subject": exception["subject"]}
    sql = f"{_RECORD} {_OF_BOOK.get(kind, _CITED)} ORDER BY r.occurred_at, r.idx"
    answer = views.query(sql, which, catch_up=False)
    return [dict(zip(answer.columns, row, strict=True)) for row in answer.rows]


def book_of(views: Views, subject: str) -> Row:
    """The money side of a session of a table or desk: its row of `fct_book`."""
    answer = views.query("SELECT * FROM fct_book WHERE subject = ?", [subject], catch_up=False)
    return dict(zip(answer.columns, answer.rows[0], strict=True))
