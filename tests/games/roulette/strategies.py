"""Any record that may come to a roulette table, in any order, from any device: what hypothesis plays with."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

import msgspec
from hypothesis import strategies as st
from msgspec import NODEFAULT, inspect

from events.schema.common import TABLE_EVENTS, TableOpened
from events.schema.event import Event
from events.schema.fact import Fact
from events.schema.ours import RulingApplied
from games.roulette.events import EVENTS
from games.roulette.layout import WHEEL
from games.roulette.parameters import PARAMETERS

SUBJECT = "table/brno/T-1/2026-11-28.1"
WORDS = (
    "b1", "b2", "b3", "p-1", "p-2", "s-1", "17", "0", "17/20", "0/2/3", "red", "black", "dozen/1", "column/2", "1/5",
    "tiers", "voisins", "orphelins", "neighbours", "green", "blue", "short_spin", "w-1", "CZK", "2026-11-28", "T-2",
    "1", "2", f"{SUBJECT}#1", "rule_breach", "staff_advice", "management", "void", "valid", "float", "box/b1", "box/b2", "player/p-1", "player/p-2", "seat/1", "??", "As",
)  # fmt: skip
AMOUNTS = (0, 1, 500, 1_000, 1_003, 5_000, 20_000, 1_000_000, 2_000_000)
SOURCES = ("/brno/T-1/terminal", "/brno/T-1/wheel", "/brno/T-1/camera")
OPENED = TableOpened("roulette", "RL", "CZK", min=1_000, max=1_000_000, limits={"straight": (500, 20_000)})


def events(classes: tuple[type[Event], ...] = (*EVENTS, *TABLE_EVENTS)) -> st.SearchStrategy[Event]:
    """Any event of a roulette table, its fields out of few values, so that they meet."""
    own = [cls for cls in classes if cls is not TableOpened]
    return st.one_of([_event(cls) for cls in own])


@lru_cache(maxsize=256)
def _event(cls: type[Event]) -> st.SearchStrategy[Event]:
    return _struct(inspect.type_info(cls)).map(lambda data: msgspec.convert(data, cls))


def _struct(info: inspect.Type) -> st.SearchStrategy[dict[str, Any]]:
    assert isinstance(info, inspect.StructType)
    required: dict[str, st.SearchStrategy[Any]] = {}
    optional: dict[str, st.SearchStrategy[Any]] = {}
    for field in info.fields:
        has_default = field.default is not NODEFAULT or field.default_factory is not NODEFAULT
        (optional if has_default else required)[field.encode_name] = _value(field.type)
    return st.fixed_dictionaries(required, optional=optional)


def _value(kind: inspect.Type) -> st.SearchStrategy[Any]:
    while isinstance(kind, inspect.Metadata):
        kind = kind.type
    match kind:
        case inspect.UnionType():
            return st.one_of([_value(part) for part in kind.types])
        case inspect.NoneType():
            return st.none()
        case inspect.IntType(ge=low, le=high):
            few = [amount for amount in (*AMOUNTS, 2, 9, 17, 26) if (low or 0) <= amount <= (high or 2**53)]
            return st.sampled_from(few)
        case inspect.BoolType():
            return st.booleans()
        case inspect.StrType(pattern=pattern):
            words = [word for word in (*WORDS, "0" * 64) if pattern is None or re.search(pattern, word)]
            return st.sampled_from(words)
        case inspect.LiteralType(values=values):
            return st.sampled_from(values)
        case inspect.VarTupleType(item_type=item):
            if isinstance(item, inspect.Metadata) and getattr(item.type, "le", None) == 36:
                return st.sampled_from([list(WHEEL), list(WHEEL[::-1]), [0, 1]])
            return st.lists(_value(item), max_size=3)
        case inspect.DictType(key_type=key, value_type=value):
            return st.dictionaries(_value(key), _value(value), max_size=2)
        case inspect.TupleType(item_types=items):
            return st.tuples(*[_value(item) for item in items]).map(list)
        case inspect.StructType():
            return _struct(kind)
    raise AssertionError(f"no values for {kind}")


@st.composite
def sessions(draw: st.DrawFn, *, classes: tuple[type[Event], ...] = (*EVENTS, *TABLE_EVENTS)) -> list[Fact]:
    """A session that opens and then goes as it likes; rounds come back, clocks go back, devices mix."""
    told = draw(
        st.lists(st.tuples(events(classes), _rounds(), st.integers(0, 90), st.sampled_from(SOURCES)), max_size=40)
    )
    counts: dict[str, int] = {}
    facts = []
    for event, name, at, source in [(OPENED, None, 0, SOURCES[0]), *told]:
        counts[source] = counts.get(source, 0) + 1
        facts.append(
            Fact(
                subject=SUBJECT, source=source, sequence=counts[source], topic=event.TOPIC, event=event,
                occurred_at=1_764_349_200_000 + at * 500, round=name,
            )
        )  # fmt: skip
    return facts


@st.composite
def rulings(draw: st.DrawFn) -> list[Fact]:
    """What managers, and others, may have ruled on such a session."""
    told = draw(st.lists(_event(RulingApplied), max_size=2))
    return [
        Fact(
            subject=SUBJECT, source="/recoup", sequence=number, topic=ruling.TOPIC, event=ruling,
            occurred_at=1_764_349_200_000,
        )
        for number, ruling in enumerate(told, 1)
    ]  # fmt: skip


def _rounds() -> st.SearchStrategy[str | None]:
    return st.sampled_from(["1", "1", "1", "2", "2", None])


def parameters() -> st.SearchStrategy[dict[str, Any]]:
    """Some parameters in another reading."""
    open_ones = {
        parameter.name: st.sampled_from(parameter.choices) for parameter in PARAMETERS if len(parameter.choices) > 1
    }
    open_ones["roulette.neighbours_reach"] = st.sampled_from([[2], [1, 2, 3]])
    open_ones["money.smallest_chip"] = st.sampled_from([None, 500])
    open_ones["roulette.nmb_min_lead_ms"] = st.sampled_from([None, 2_000])
    open_ones["roulette.call_bet_winner_stands"] = st.booleans()
    open_ones["roulette.alternation_resets_on_open"] = st.booleans()
    return st.fixed_dictionaries({}, optional=open_ones)
