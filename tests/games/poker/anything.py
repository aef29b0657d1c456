"""Events of any content that may come to a poker table, and hands with something wrong in their record."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from hypothesis import strategies as st
from msgspec import Struct, inspect

from events.schema.common import (
    CardBurned,
    ChipsMoved,
    PlayerLeftTable,
    RoundClosed,
    RoundOpened,
    SeatLeft,
    SeatTaken,
)
from events.schema.event import Event
from events.values.cards import DECK, UNKNOWN
from games.shared.poker.events import POKER_EVENTS, ActionTaken, CardDealt, ChipsPushed, Posted, WordsSpoken
from tests.games.poker.hands import CHIP, Told

SEATS = (1, 2, 3, 4, 9, 99)
AMOUNTS = (0, 1, CHIP, 2 * CHIP, 3 * CHIP, 7 * CHIP, 20 * CHIP, 100 * CHIP, 10**9, 2**53 - 1)
_CARDS = (*DECK[:3], *DECK[-3:], "Kh", "7c", UNKNOWN)
_NAMES = ("p-1", "p-2", "p-3", "x")
_PLACES = ("seat/1", "seat/2", "seat/4", "seat/99", "flop", "turn", "river", "burn", "top", "stub", "muck", "board")
_CHIP_PLACES = ("pot", "seat/1", "seat/2", "seat/99", "rake", "float", "player/p-1", "seat/x", "box/main")


def _values(kind: inspect.Type, name: str) -> st.SearchStrategy[Any]:
    """Values of a field: mostly what such a field says at a table, now and then something strange."""
    minor = False
    while isinstance(kind, inspect.Metadata):
        minor = minor or (kind.extra_json_schema or {}).get("unit") == "minor"
        kind = kind.type
    if isinstance(kind, inspect.UnionType):
        return st.one_of(
            *(st.none() if isinstance(one, inspect.NoneType) else _values(one, name) for one in kind.types)
        )
    if isinstance(kind, inspect.BoolType):
        return st.booleans()
    if isinstance(kind, inspect.LiteralType):
        return st.sampled_from(_CARDS if UNKNOWN in kind.values else kind.values)
    if isinstance(kind, inspect.VarTupleType):
        return st.lists(_values(kind.item_type, name), max_size=4).map(tuple)
    if isinstance(kind, inspect.IntType):
        if minor or name in ("stacks", "chips") or (kind.ge == 0 and kind.le == 2**53 - 1):
            return st.sampled_from(AMOUNTS)
        low = kind.ge if kind.ge is not None else -3
        high = kind.le if kind.le is not None else 10**6
        return st.sampled_from([one for one in (1, *SEATS, low, high) if low <= one <= high])
    if isinstance(kind, inspect.StrType):
        if name in ("frm", "to", "where") or (kind.pattern or "").startswith("^(seat"):
            return st.sampled_from(_CHIP_PLACES if "float" in (kind.pattern or "") else _PLACES)
        if kind.pattern is not None:
            return st.sampled_from(("", "de"))
        return st.sampled_from(_NAMES)
    if isinstance(kind, inspect.DictType):
        return st.just({})
    raise TypeError(f"no values for {name}: {kind}")


@lru_cache(maxsize=256)
def any_of(cls: type[Event]) -> st.SearchStrategy[Any]:
    """Events of one class with any content that its schema allows."""
    info = inspect.type_info(cls)
    assert isinstance(info, inspect.StructType)
    return st.builds(cls, **{field.name: _values(field.type, field.name) for field in info.fields})


_COMMON = (ChipsMoved, CardBurned, RoundClosed, RoundOpened, SeatTaken, SeatLeft, PlayerLeftTable)
ANYTHING: st.SearchStrategy[Event] = st.one_of(
    # What decides most of a hand comes twice as often.
    *(any_of(cls) for cls in (*POKER_EVENTS, *_COMMON, ActionTaken, ChipsPushed, WordsSpoken, Posted, CardDealt)),
)
"""Any event that may come to a poker table."""


class Change(Struct, frozen=True):
    """One thing wrong with a record of a hand: it is gone, comes twice, comes elsewhere, or is another one."""

    what: str
    at: int
    to: int = 0
    event: Event | None = None


CHANGES: st.SearchStrategy[list[Change]] = st.lists(
    st.one_of(
        st.builds(Change, st.sampled_from(("gone", "twice", "elsewhere")), st.integers(2, 80), st.integers(2, 80)),
        st.builds(Change, st.sampled_from(("instead", "between")), st.integers(2, 80), st.just(0), ANYTHING),
    ),
    max_size=8,
)


def changed(told: Sequence[Told], changes: Sequence[Change], opened: int) -> list[Told]:
    """A session with those changes, one after the other; the first `opened` records, which open the table, stay.

    What comes at a place names the round of what it stands before.
    """
    made = list(told)
    for change in changes:
        at = opened + change.at % max(len(made) - opened, 1)
        if at >= len(made):
            break
        if change.what == "gone":
            made.pop(at)
        elif change.what == "twice":
            made.insert(at, made[at])
        elif change.what == "elsewhere":
            event = made.pop(at).event
            to = opened + change.to % max(len(made) - opened, 1)
            made.insert(to, Told(event, made[min(to, len(made) - 1)].round))
        elif change.event is not None:
            made[at : at + (change.what == "instead")] = [Told(change.event, made[at].round)]
    return made
