"""Named queries: one SQL file each (`reports/ask_*.sql`), with what it shows, its grain and its parameters.

The opening comment is like a view's; `Persons: WORD` in it says that rows name people, and as what the look is kept in
the access trail; `Parameter $name: default; meaning` names what may be set beside house and gaming day.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from difflib import get_close_matches
from functools import lru_cache
from importlib import resources

from msgspec import Struct

from events.errors import Refused
from projections.layers import read_sql
from projections.views import Table, Views

_PARAMETER = re.compile(r"^Parameter \$(\w+): ?([^;]*); (.+)$", re.MULTILINE)
_PERSONS = re.compile(r"Persons: (\w+)")
_DIGITS = 9
_WHOLE = re.compile(rf"[0-9]{{1,{_DIGITS}}}")
"""What the queries can count with, whatever they multiply it by."""
_PREFIX = "ask_"


class Parameter(Struct, frozen=True):
    """What may be set, with what it is otherwise."""

    name: str
    default: str
    meaning: str


class Question(Struct, frozen=True):
    """A named query. `persons`: as what a look at it is kept in the access trail; empty where no row names people."""

    name: str
    shows: str
    comment: str
    parameters: tuple[Parameter, ...]
    persons: str
    sql: str


@lru_cache(maxsize=1)
def questions() -> tuple[Question, ...]:
    """All of them, by name."""
    folder = resources.files("projections") / "reports"
    files = sorted(file.name for file in folder.iterdir() if file.name.startswith(_PREFIX))
    return tuple(_read(name, (folder / name).read_text(encoding="utf-8")) for name in files)


def _read(file: str, text: str) -> Question:
    comment, sql = read_sql(text)
    parameters = tuple(Parameter(*(part.strip() for part in found)) for found in _PARAMETER.findall(comment))
    persons = _PERSONS.search(comment)
    return Question(
        file.removeprefix(_PREFIX).removesuffix(".sql"),
        comment.partition("\n")[0],
        comment,
        parameters,
        persons[1] if persons is not None else "",
        sql,
    )


def question(name: str) -> Question:
    """The query of that name; `-` and `_` are one.

    Raises:
        Refused: there is none.
    """
    wanted = name.replace("-", "_")
    found = next((one for one in questions() if one.name == wanted), None)
    if found is None:
        names = [one.name for one in questions()]
        near = [one for one in names if wanted in one] or get_close_matches(wanted, names, n=2)
        raise Refused(
            f"nobody knows the question `{name}`",
            hint=f"is it {' or '.join(near)}?" if near else "`recoup ask` lists them",
        )
    return found


def ask(views: Views, wanted: Question, house: str, day: date | None, given: Mapping[str, str]) -> Table:
    """The answer, by a view that has caught up. `day` None: every day of the house.

    Raises:
        Refused: a parameter that the query does not have, or a value that it cannot use.
    """
    known = {one.name: one.default for one in wanted.parameters}
    if strange := sorted(set(given) - set(known)):
        has = f"it has {', '.join(known)}" if known else "it has none beside house and day"
        raise Refused(
            f"`{wanted.name}` has no parameter `{strange[0]}`",
            hint=f"--{strange[0]} is an option" if strange[0] in ("house", "day") else has,
        )
    for one in wanted.parameters:
        if one.default.isdigit() and not _WHOLE.fullmatch(given.get(one.name, one.default)):
            raise Refused(
                f"{one.name} is a whole number of at most {_DIGITS} digits ({one.meaning})",
                hint=f"--set {one.name}={one.default}",
            )
    values = {**known, **given, "house": house, "day": day.isoformat() if day is not None else None}
    return views.query(wanted.sql, values, catch_up=False)
