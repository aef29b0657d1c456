"""The views: one `.sql` file each, in layers that read only what lies below; chip moves and cards are generated.

A file opens with comments (what it shows, grain, units, readers) and holds one SELECT. `@moves(x)` in it stands for
the rows of `x` that move chips, with the movement beside each, `@cards(x)` likewise for cards: both are made from the
event classes of the catalogue, so that no room writes SQL.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from importlib import resources
from typing import Any

import msgspec
from msgspec import Struct

from events.schema.catalogue import Catalogue
from events.schema.event import Event, Move

LAYERS = ("ground", "staging", "facts", "reports", "checks")
"""From the bottom up. `ground` holds the tables and two views over them; people read the others."""

_MACRO = re.compile(r"@(moves|cards)\((\w+)\)")
_FIELD = re.compile(r"\{(\w+)\}")
_PLACE_FIELDS = ("where", "to", "place", "box")


class ViewInfo(Struct, frozen=True):
    """A view, or a table of `ground`: its layer, its name, and what its file says at the top."""

    layer: str
    name: str
    comment: str
    sql: str


@lru_cache(maxsize=1)
def tables_sql() -> str:
    """The statements that make the tables."""
    return resources.files("projections").joinpath("ground/tables.sql").read_text(encoding="utf-8")


@lru_cache(maxsize=1)
def view_files() -> tuple[ViewInfo, ...]:
    """Every view, from the lowest layer up; within a layer by name. Named queries (`ask_`) are none."""
    found = []
    for layer in LAYERS:
        folder = resources.files("projections").joinpath(layer)
        for file in sorted(folder.iterdir(), key=lambda file: file.name):
            if file.name.endswith(".sql") and file.name != "tables.sql" and not file.name.startswith("ask_"):
                found.append(_read(layer, file.name.removesuffix(".sql"), file.read_text(encoding="utf-8")))
    return tuple(found)


def _read(layer: str, name: str, text: str) -> ViewInfo:
    return ViewInfo(layer, name, *read_sql(text))


def read_sql(text: str) -> tuple[str, str]:
    """A file's opening comment, and the SQL under it."""
    lines = text.splitlines()
    head = 0
    while head < len(lines) and lines[head].startswith("--"):
        head += 1
    comment = "\n".join(line.removeprefix("--").strip() for line in lines[:head])
    return comment, "\n".join(lines[head:]).strip().rstrip(";")


def statements(catalogue: Catalogue) -> list[str]:
    """`CREATE VIEW` and `COMMENT ON VIEW` for every view, in order."""
    made = []
    for view in view_files():
        made.append(f"CREATE VIEW {view.name} AS\n{expand(view.sql, catalogue)}")
        made.append(f"COMMENT ON VIEW {view.name} IS {_text(view.comment)}")
    return made


def expand(sql: str, catalogue: Catalogue) -> str:
    """`sql` with `@moves(…)` and `@cards(…)` written out."""

    def write(match: re.Match[str]) -> str:
        make = moves_sql if match[1] == "moves" else cards_sql
        return f"({make(match[2], catalogue.classes)})"

    return _MACRO.sub(write, sql)


# -- generated


def moves_sql(source: str, classes: Iterable[type[Event]]) -> str:
    """Rows of `source` × the movements that their events declare in `MOVES`, as `Event.moves` fills them in."""
    branches = {
        cls.TOPIC: "[" + ", ".join(_move(cls, part, move) for part, move in enumerate(cls.MOVES, 1)) + "]"
        for cls in classes
        if cls.MOVES
    }
    shape = (
        "STRUCT(part INTEGER, from_place VARCHAR, to_place VARCHAR, amount_minor BIGINT, cause VARCHAR, stake VARCHAR, "
        "slip VARCHAR)[]"
    )
    return _unnested(source, branches, shape)


def _move(cls: type[Event], part: int, move: Move) -> str:
    slip = _field(cls, "slip") if "slip" in cls.__struct_fields__ else "''"
    amount = f"TRY_CAST(regexp_extract({_field(cls, str(move.amount))}, '^[0-9]+$') AS BIGINT)"
    ends = f"'from_place': {_filled(cls, move.frm)}, 'to_place': {_filled(cls, move.to)}"
    rest = f"'cause': {_filled(cls, move.cause)}, 'stake': {_filled(cls, move.stake)}, 'slip': {slip}"
    return f"{{'part': {part}, {ends}, 'amount_minor': {amount}, {rest}}}"


def cards_sql(source: str, classes: Iterable[type[Event]]) -> str:
    """Rows of `source` × the cards in fields named `card` or `cards`; place, seat and seq where the event has them."""
    branches = {}
    for cls in classes:
        fields = cls.__struct_fields__
        if "cards" in fields and _is_list(cls, "cards"):
            cards = "coalesce(TRY_CAST(data -> '$.cards' AS VARCHAR[]), [])"
        elif "card" in fields:
            cards = f"[{_field(cls, 'card')}]"
        else:
            continue
        at = next((name for name in _PLACE_FIELDS if name in fields), None)
        place = _field(cls, at) if at else "CAST(NULL AS VARCHAR)"
        seat = "CAST(NULL AS INTEGER)"
        if "seat" in fields:
            seat = f"TRY_CAST({_field(cls, 'seat')} AS INTEGER)"
        elif "seats" in fields:  # a whole deal: round and round
            seats = "TRY_CAST(data -> '$.seats' AS INTEGER[])"
            seat = f"CASE WHEN len({seats}) > 0 THEN {seats}[(n - 1) % len({seats}) + 1] END"
        seq = f"TRY_CAST({_field(cls, 'seq')} AS INTEGER)" if "seq" in fields else "CAST(NULL AS INTEGER)"
        branches[cls.TOPIC] = (
            f"list_transform({cards}, lambda card, n : {{'n': CAST(n AS INTEGER), 'card': card, 'place': {place}, "
            f"'seat': {seat}, 'seq': {seq}}})"
        )
    return _unnested(source, branches, "STRUCT(n INTEGER, card VARCHAR, place VARCHAR, seat INTEGER, seq INTEGER)[]")


def _unnested(source: str, branches: dict[str, str], shape: str) -> str:
    if not branches:
        return f"SELECT *, unnest(CAST([] AS {shape}), recursive := true) FROM {source}"  # noqa: S608  our own names
    topics = ", ".join(_text(topic) for topic in branches)
    cases = "\n".join(f"WHEN {_text(topic)} THEN {made}" for topic, made in branches.items())
    return (
        f"SELECT *, unnest(CAST(CASE topic\n{cases}\nEND AS {shape}), recursive := true)\n"
        f"FROM {source} WHERE topic IN ({topics})"
    )


def _filled(cls: type[Event], template: str) -> str:
    """`player/{player}` → `'player/' || (data ->> '$."player"')`."""
    pieces = []
    for number, part in enumerate(_FIELD.split(template)):
        if part:
            pieces.append(_field(cls, part) if number % 2 else _text(part))
    return " || ".join(pieces) or "''"


def _field(cls: type[Event], name: str) -> str:
    """A field's text in canonical JSON, its default where it is left out."""
    info = next(field for field in msgspec.structs.fields(cls) if field.name == name)
    path = '$."' + info.encode_name + '"'
    read = f"(data ->> {_text(path)})"
    if info.default is msgspec.NODEFAULT or info.default is None:
        return read
    return f"coalesce({read}, {_text(str(info.default))})"


def _is_list(cls: type[Event], name: str) -> bool:
    kind: Any = msgspec.inspect.type_info(cls)
    field = next(field for field in kind.fields if field.name == name)
    return isinstance(field.type, msgspec.inspect.VarTupleType | msgspec.inspect.ListType)


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"
