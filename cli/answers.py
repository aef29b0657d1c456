"""A named query's answer as people read it: a table with the floor's words, money as everywhere else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from cli import screen
from cli.screen import Words
from cli.views import plain
from events.values.clock import span_text
from events.values.money import CHIPS, figure_text, money_text

if TYPE_CHECKING:
    from projections.views import Table

_HEADS = {
    "address": "round", "addresses": "rounds", "amount_minor": "amount", "before_close_s": "before close",
    "cites": "records", "closed_at": "closed", "code": "what", "czk_minor": "in CZK", "decided_by": "decided by",
    "difference_minor": "difference", "eur_minor": "in EUR", "from_place": "from", "gaming_day": "day",
    "is_in_one": "at once", "kind": "finding", "laps_tenths": "turns", "money_minor": "owed",
    "net_minor": "net", "occurred_at": "time", "opened_at": "time", "other": "and",
    "other_net_minor": "net of the other",
    "over_minor": "paid too much", "paid_minor": "paid", "rate_thousandths": "rate", "reaches": "reached",
    "recorded_at": "recorded", "ruled_rounds": "ruled on", "staked_minor": "staked", "subject": "session",
    "subjects": "tables", "to_place": "to", "under_minor": "paid too little", "unit": "table",
    "without_rate": "no rate",
}  # fmt: skip
"""Columns whose head is not their own name with blanks."""

_LAST = ("missing", "addresses", "cites")
"""Lists, which stand behind everything else; only the last column of a table is wrapped."""

_LEAST = (
    "closed_at", "settlement", "dispute", "basis", "kind", "code", "missing", "standing", "slip", "recorded_at",
    "cites", "rate_thousandths", "subjects",
)  # fmt: skip
"""What a narrow screen leaves out first."""

_WORDS = frozenset({"code", "cause", "kind", "standing", "settlement", "remedy", "ground", "basis", "role"})
_PLACES = ("address", "addresses", "subject", "subjects")
_RECORDS_WIDE = 24


def say_answer(answer: Table) -> None:
    """The rows under each other, as many columns as the screen is wide for; what is left out is said."""
    rows = _placed([dict(zip(answer.columns, row, strict=True)) for row in answer.rows])
    names, left_out = _chosen(answer.columns, rows)
    numbers = [at for at, name in enumerate(names) if _is_number(name, rows)]
    if rows:
        heads = [head_of(name) for name in names]
        cells: list[list[Words]] = [[cell(row, name) for name in names] for row in rows]
        screen.say_all(screen.table(heads, cells, right=numbers, indent=""))
    screen.note(screen.number(len(rows), "row"))
    if left_out:
        screen.note(f"no room for {', '.join(map(head_of, left_out))}: a wider screen has it, or --json")


def _chosen(columns: Sequence[str], rows: list[dict[str, Any]]) -> tuple[list[str], list[str]]:
    """The columns that are shown, and those that the screen is too narrow for."""
    told = {name for name in columns if name == "currency" and any(map(_is_money, columns))}
    if "unit" in columns or "address" in columns:
        told.add("subject")
    if "address" in columns:
        told.add("unit")
    if "occurred_at" in columns or "opened_at" in columns:
        told.add("gaming_day")
    if not any(row.get("without_rate") for row in rows):
        told.add("without_rate")
    names = [name for name in columns if name not in told and name not in _LAST]
    names += [name for name in _LAST if name in columns]
    left_out = []
    for name in _LEAST:
        if _wide(names, rows) <= screen.width():
            break
        if name in names:
            names.remove(name)
            left_out.append(name)
    return names, left_out


def _wide(names: Sequence[str], rows: list[dict[str, Any]]) -> int:
    """Cells of a line; the last column may be wrapped."""
    wide = [max([len(head_of(name)), *(len(cell(row, name)) for row in rows)]) for name in names]
    return sum(wide[:-1]) + 2 * (len(wide) - 1) + min(wide[-1], _RECORDS_WIDE)


def head_of(name: str) -> str:
    """A column's head in the floor's words."""
    return _HEADS.get(name, name.replace("_", " "))


def cell(row: dict[str, Any], name: str) -> str:
    """A value as people read it; a row's `currency` is that of its amounts."""
    value = row[name]
    if value is None:
        return ""
    if name in ("czk_minor", "eur_minor"):
        return figure_text(value)
    if _is_money(name):
        return money_text(value, row.get("currency") or CHIPS)
    if name in _FORMS:
        return _FORMS[name](value)
    if isinstance(value, list):
        return ", ".join(map(str, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M:%S}"
    text = str(plain(value))
    return text.replace("_", " ") if name in _WORDS else text


def _tenths(value: int) -> str:
    return f"{value // 10}.{value % 10}"


def _rate(value: int) -> str:
    return f"{value // 1000}.{value % 1000:03d}"


_FORMS: dict[str, Callable[[Any], str]] = {
    "laps_tenths": _tenths,
    "rate_thousandths": _rate,
    "before_close_s": lambda seconds: span_text(seconds * 1000),
}


def _placed(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows with places as short as they can be: the session is named where a table has several of them here."""
    named = {one.partition("#")[0] for row in rows for name in _PLACES for one in _all(row.get(name))}
    is_short = len({subject.rpartition("/")[0] for subject in named}) == len(named)
    return [
        row | {name: [_place(one, is_short) for one in _all(row[name])] for name in _PLACES if name in row}
        for row in rows
    ]


def _all(value: Any) -> list[str]:
    return value if isinstance(value, list) else [value] if value else []


def _place(address: str, is_short: bool) -> str:
    """A round or a session: `RL-03#7`, `RL-03`; with its session `RL-03/2026-11-28.1#7`."""
    subject, sign, name = address.partition("#")
    parts = subject.split("/")
    if parts[0] not in ("table", "desk") or len(parts) < 4:
        return address
    return f"{parts[2] if is_short else '/'.join(parts[2:])}{sign}{name}"


def _is_money(name: str) -> bool:
    return name.endswith("_minor")


def _is_number(name: str, rows: list[dict[str, Any]]) -> bool:
    values = [row[name] for row in rows]
    return all(isinstance(value, int) and not isinstance(value, bool) for value in values if value is not None)
