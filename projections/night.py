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
    """A figure that is another now than when it was signed; None: nobody had counted, or there was no such book."""

    book: str
    figure: str
    was: int | None
    now: int | None


class Late(Struct, frozen=True):
    """A record that came after the day was signed (TB-12)."""

    subject: str
    unit: str
    cite: str
    topic: str
    recorded_at: Any


class NothingPlayed(Refused):
    """A house that has other days has no record of this one, today or before: it was closed, or they have not come."""


def night(views: Views, house: str, day: date) -> Night:
    """The night of a house, by a view that has caught up.

    Raises:
        NothingPlayed: the house had nothing open on that day.
        Refused: nor has it on any other day, or the day is still to come.
    """
    parts = {name: tuple(_rows(views, view, order, house, day)) for name, (view, order) in _PARTS.items()}
    if not parts["tables"] and not parts["desks"] and not parts["exceptions"]:
        days = _days(views, house)
        is_past = days and day <= gaming_day(views.log.now_ms())
        told = f"there is {', '.join(days)}" if days else "`recoup rounds` lists tables and days"
        raise (NothingPlayed if is_past else Refused)(f"house {house} has no table and no desk on {day}", hint=told)
    plain = {"house": house, "day": day.isoformat(), **parts}
    digest = hashlib.sha256(canonical(plain)).hexdigest()
    return Night(house, day, **parts, size=views.position, digest=digest)


def _rows(views: Views, view: str, order: str, house: str, day: date) -> Iterator[Row]:
    sql = f"SELECT * EXCLUDE (house, gaming_day) FROM {view} WHERE house = ? AND gaming_day = ? ORDER BY {order}"  # noqa: S608  our own names
    answer = views.query(sql, [house, day], catch_up=False)
    for row in answer.rows:
        yield dict(zip(answer.columns, row, strict=True))


def _days(views: Views, house: str) -> list[str]:
    """The last days that it has."""
    asked = "SELECT DISTINCT gaming_day FROM fct_session WHERE house = ? AND kind IN ('table', 'desk') ORDER BY 1 DESC"
    return [str(row[0]) for row in views.query(f"{asked} LIMIT 3", [house], catch_up=False).rows if row[0]]


def changes(was: Mapping[str, Mapping[str, int | None]], now: Mapping[str, Mapping[str, int | None]]) -> list[Change]:
    """Each figure that differs, by book and figure."""
    found = []
    for book in sorted({*was, *now}):
        before, after = was.get(book, {}), now.get(book, {})
        for figure in dict.fromkeys((*before, *after)):
            if before.get(figure) != after.get(figure):
                found.append(Change(book, figure, before.get(figure), after.get(figure)))
    return found


def late_records(views: Views, house: str, day: date, size: int) -> list[Late]:
    """Records of the day's sessions that came into the log after its first `size` rows, in order of arrival."""
    answer = views.query(
        "SELECT r.subject, s.unit, r.cite, r.topic, r.recorded_at FROM stg_record AS r "
        "JOIN fct_session AS s ON s.subject = r.subject "
        "WHERE r.idx >= ? AND s.house = ? AND s.gaming_day = ? ORDER BY r.idx",
        [size, house, day],
        catch_up=False,
    )
    return [Late(*row) for row in answer.rows]


def records_of(views: Views, exception: Row) -> list[Row]:
    """The records on which an exception rests, as they were written, in order of time. `currency`: of the stake that
    one is about, where that is not its table's."""
    if not exception["cites"]:
        return []
    answer = views.query(
        "SELECT r.subject, r.cite, r.occurred_at, r.round, r.topic, r.data, f.currency FROM stg_record AS r "
        "JOIN (SELECT unnest(?) AS subject, unnest(?) AS cite) AS w ON w.subject = r.subject AND w.cite = r.cite "
        "LEFT JOIN foreign_stake AS f ON f.subject = r.subject AND f.stake = r.data ->> '$.stake' "
        "ORDER BY r.occurred_at, r.idx",
        [exception["subjects"], exception["cites"]],
        catch_up=False,
    )
    return [dict(zip(answer.columns, row, strict=True)) for row in answer.rows]
