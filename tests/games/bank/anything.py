"""Any record that may come to a card table against the bank, in any order, from any device; and sessions dealt in order
in which something was then lost, doubled, shifted or said otherwise."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any

import msgspec
from hypothesis import strategies as st
from msgspec import NODEFAULT, inspect
from msgspec.structs import replace

from events.schema.common import TABLE_EVENTS, TableOpened
from events.schema.event import Event
from events.schema.fact import Fact
from events.schema.ours import RulingApplied
from events.values.cards import DECK, UNKNOWN
from games.house_rules.parameters import Parameters

SUBJECT = "table/brno/T-1/2026-11-28.1"
SOURCES = ("/brno/T-1/terminal", "/brno/T-1/shoe", "/brno/T-1/camera")
START = 1_764_349_200_000
AMOUNTS = (0, 1, 2, 3, 4, 5, 6, 500, 10_000, 20_000, 30_000, 2**53 - 1)
CARDS = (*DECK[:6], *DECK[-6:], "Kh", "7c", UNKNOWN)
WORDS = (
    "k1", "k2", "k3", "p-1", "p-2", "p-3", "s-1", "d-1", "1", "2", f"{SUBJECT}#1", "collusion", "table_error",
    "management", "void", "valid", "float", "box/1", "box/2", "box/1.2", "dealer", "flop", "turn", "river", "aside",
    "pending", "deck", "discards", "burn", "box/k1", "box/k2", "player/p-1", "player/p-2", "seat/1", "CZK", "EUR",
    "0" * 64,
)  # fmt: skip
"""What names say, so that they meet; a room adds its spots and choices."""


def events(classes: Iterable[type[Event]], words: Sequence[str] = ()) -> st.SearchStrategy[Event]:
    """Any event of these kinds, its fields out of few values."""
    return st.one_of([_event(cls, tuple(words)) for cls in classes if cls is not TableOpened])


@lru_cache(maxsize=512)
def _event(cls: type[Event], words: tuple[str, ...]) -> st.SearchStrategy[Event]:
    return _struct(inspect.type_info(cls), (*WORDS, *words)).map(lambda data: msgspec.convert(data, cls))


def _struct(info: inspect.Type, words: tuple[str, ...]) -> st.SearchStrategy[dict[str, Any]]:
    assert isinstance(info, inspect.StructType)
    required: dict[str, st.SearchStrategy[Any]] = {}
    optional: dict[str, st.SearchStrategy[Any]] = {}
    for field in info.fields:
        has_default = field.default is not NODEFAULT or field.default_factory is not NODEFAULT
        (optional if has_default else required)[field.encode_name] = _value(field.type, words)
    return st.fixed_dictionaries(required, optional=optional)


def _value(kind: inspect.Type, words: tuple[str, ...]) -> st.SearchStrategy[Any]:
    while isinstance(kind, inspect.Metadata):
        kind = kind.type
    match kind:
        case inspect.UnionType():
            return st.one_of([_value(part, words) for part in kind.types])
        case inspect.NoneType():
            return st.none()
        case inspect.IntType(ge=low, le=high):
            return st.sampled_from([one for one in AMOUNTS if (low or 0) <= one <= (high or 2**53)])
        case inspect.BoolType():
            return st.booleans()
        case inspect.StrType(pattern=pattern):
            return st.sampled_from([word for word in words if pattern is None or re.search(pattern, word)] or [""])
        case inspect.LiteralType(values=values):
            return st.sampled_from(CARDS if UNKNOWN in values else values)
        case inspect.VarTupleType(item_type=item):
            return st.lists(_value(item, words), max_size=5)
        case inspect.DictType(key_type=key, value_type=value):
            return st.dictionaries(_value(key, words), _value(value, words), max_size=2)
        case inspect.TupleType(item_types=items):
            return st.tuples(*[_value(item, words) for item in items]).map(list)
        case inspect.StructType():
            return _struct(kind, words)
    raise AssertionError(f"no values for {kind}")


@st.composite
def sessions(
    draw: st.DrawFn, classes: tuple[type[Event], ...], opened: TableOpened, words: tuple[str, ...] = ()
) -> list[Fact]:
    """A session that opens and then goes as it likes; rounds come back, clocks go back, devices mix."""
    every = (*classes, *classes, *TABLE_EVENTS)
    rounds = st.sampled_from(["1", "1", "1", "2", "2", None])
    told = draw(
        st.lists(st.tuples(events(every, words), rounds, st.integers(0, 90), st.sampled_from(SOURCES)), max_size=40)
    )
    counts: dict[str, int] = {}
    facts = []
    for event, name, at, source in [(opened, None, 0, SOURCES[0]), *told]:
        counts[source] = counts.get(source, 0) + 1
        facts.append(
            Fact(
                subject=SUBJECT, source=source, sequence=counts[source], topic=event.TOPIC, event=event,
                occurred_at=START + at * 500, round=name,
            )
        )  # fmt: skip
    return facts


@st.composite
def rulings(draw: st.DrawFn, subject: str = SUBJECT) -> list[Fact]:
    """What managers, and others, may have ruled on such a session."""
    told = draw(st.lists(_event(RulingApplied, ()), max_size=2))
    return [
        Fact(
            subject=subject, source="/recoup", sequence=number, topic=ruling.TOPIC, event=ruling, occurred_at=START,
        )
        for number, ruling in enumerate(told, 1)
    ]  # fmt: skip


class Disturbed(list[Fact]):
    """A session that says of itself how it was made, not what is in it: hundreds of records."""

    made = ""

    def __repr__(self) -> str:
        return f"<{len(self)} records, {self.made}>"


@st.composite
def disturbed(
    draw: st.DrawFn, deal: Callable[[int], list[Fact]], classes: tuple[type[Event], ...], words: tuple[str, ...] = ()
) -> list[Fact]:
    """A session that a dealer dealt in order (`deal(seed)`), then some of its records lost, told twice, swapped with
    their neighbours, or replaced by any other; the counter is put right, so that no hole shows it."""
    seed = draw(st.integers(0, 60))
    facts = deal(seed)
    opened, rest = facts[0], facts[1:]
    made = [f"seed {seed}"]
    for _ in range(draw(st.integers(1, 5))):
        at = draw(st.integers(0, len(rest) - 2))
        what = draw(st.sampled_from(("lose", "twice", "swap", "other", "more")))
        made.append(f"{what} {at}")
        if what == "lose":
            del rest[at]
        elif what == "twice":
            rest.insert(at, rest[at])
        elif what == "swap":
            rest[at], rest[at + 1] = rest[at + 1], rest[at]
        else:
            event = draw(events(classes, words))
            other = replace(rest[at], event=event, topic=event.TOPIC)
            made.append(str(event))
            rest[at : at + (what == "other")] = [other]
    told = Disturbed(
        replace(fact, sequence=number, source=opened.source, occurred_at=opened.occurred_at + 1000 * number)
        for number, fact in enumerate([opened, *rest], 1)
    )
    told.made = ", ".join(made)
    return told


def parameters(known: Parameters, **more: Sequence[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Some parameters in another reading; `more`: values of those that have no list of choices, `.` written `__`."""
    open_ones: dict[str, st.SearchStrategy[Any]] = {}
    for parameter in known:
        if len(parameter.choices) > 1:
            open_ones[parameter.name] = st.sampled_from(parameter.choices)
        elif isinstance(parameter.default, bool) and not parameter.choices:
            open_ones[parameter.name] = st.booleans()
    open_ones.update({name.replace("__", "."): st.sampled_from(values) for name, values in more.items()})
    return st.fixed_dictionaries({}, optional=open_ones)
