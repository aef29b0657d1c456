"""Decode, upcast, encode; notation that reads back."""

from __future__ import annotations

from typing import Any, ClassVar

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.errors import BadNotation, Refused
from events.schema.catalogue import Catalogue
from events.schema.common import TABLE_EVENTS, BuyIn, ChipsMoved, TableOpened
from events.schema.envelope import canonical
from events.schema.event import Amount, Event, Move, Name, Undecoded
from events.schema.notation import read_event, read_line, write_event
from events.schema.ours import OUR_EVENTS


class PlateServed(Event, frozen=True):
    """A type that only this test knows, in its third version."""

    TOPIC: ClassVar[str] = "XX.PlateServed.v3"
    MOVES: ClassVar[tuple[Move, ...]] = (Move("player/{guest}", "desk/{desk}", "price", "exchange", "{guest}"),)
    UPCASTS: ClassVar[dict[str, Any]] = {
        "XX.PlateServed.v1": lambda data: {"guest": data["who"], "price": data["crowns"] * 100, "desk": "d1"},
        "XX.PlateServed.v2": lambda data: {**data, "desk": "d1"},
    }
    guest: Name
    price: Amount
    desk: Name
    sauces: tuple[str, ...] = ()
    notes: dict[str, int] = {}
    hot: bool | None = None


CATALOGUE = Catalogue((*TABLE_EVENTS, *OUR_EVENTS, PlateServed))


def test_an_old_version_is_read_as_the_new_one():
    new = PlateServed("p-1", 4500, "d1")
    assert CATALOGUE.decode("XX.PlateServed.v1", b'{"who":"p-1","crowns":45}') == new
    assert CATALOGUE.decode("XX.PlateServed.v2", {"guest": "p-1", "price": 4500}) == new
    assert CATALOGUE.decode("XX.PlateServed.v3", {"guest": "p-1", "price": 4500, "desk": "d1"}) == new
    assert "XX.PlateServed.v1" in CATALOGUE.topics


@pytest.mark.parametrize(
    ("topic", "data"),
    [
        ("XX.PlateServed.v4", b"{}"),
        ("XX.PlateServed.v1", b'{"who":"p-1"}'),
        ("XX.PlateServed.v1", b'{"who":"p-1","crowns":"many"}'),
        ("XX.PlateServed.v3", b'{"guest":"p","price":1.5,"desk":"d"}'),
        ("XX.PlateServed.v3", b'{"guest":"p","price":-1,"desk":"d"}'),
        ("XX.PlateServed.v3", b'{"guest":"p","price":9007199254740992,"desk":"d"}'),
        ("XX.PlateServed.v3", b'{"guest":"p","price":1,"desk":"d","extra":1}'),
        ("XX.PlateServed.v3", b'{"guest":"p","price":true,"desk":"d"}'),
        ("XX.PlateServed.v3", b"[]"),
        ("XX.PlateServed.v3", b"nonsense"),
        ("nothing", b"{}"),
    ],
)
def test_what_cannot_be_read_is_undecoded_with_a_reason(topic, data):
    event = CATALOGUE.decode(topic, data)
    assert isinstance(event, Undecoded)
    assert event.reason
    assert event.moves() == ()


def test_a_stakes_own_event_moves_its_chips():
    assert PlateServed("p-1", 4500, "d2").moves() == (Move("player/p-1", "desk/d2", 4500, "exchange", "p-1"),)
    assert ChipsMoved("float", "player/p-1", 5, "win", "b1").moves() == (Move("float", "player/p-1", 5, "win", "b1"),)
    assert BuyIn("p", 1).moves()[0].to == "player/p"


def test_two_classes_cannot_have_one_topic():
    class Thief(Event, frozen=True):
        TOPIC: ClassVar[str] = "XX.PlateServed.v3"

    with pytest.raises(Refused, match="taken"):
        Catalogue((PlateServed, Thief))


def test_every_type_has_a_schema_and_a_docstring():
    for cls in CATALOGUE.classes:
        assert cls.__doc__, cls
        assert CATALOGUE.json_schema(cls.TOPIC)["$defs"]


def test_canonical_is_sorted_and_tight():
    assert canonical({"b": 1, "a": "é"}) == '{"a":"é","b":1}'.encode()


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)


@given(
    st.builds(
        PlateServed,
        guest=TEXTS.filter(bool),
        price=st.integers(0, 2**53 - 1),
        desk=TEXTS.filter(bool),
        sauces=st.lists(TEXTS, max_size=3).map(tuple),
        notes=st.dictionaries(TEXTS, st.integers(-5, 5), max_size=2),
        hot=st.none() | st.booleans(),
    )
)
def test_notation_and_json_read_back(event):
    assert read_event(write_event(event, CATALOGUE), CATALOGUE) == event
    assert CATALOGUE.decode(event.TOPIC, CATALOGUE.encode(event)) == event
    assert CATALOGUE.decode(event.TOPIC, msgspec.to_builtins(event)) == event


def test_the_words_before_the_name():
    line = read_line('@+12.5 #173 17@/brno/t ^4@/x PlateServed p-1 45 d1 sauces=hot,"a, b" hot=yes', CATALOGUE)
    assert (line.offset_ms, line.round, line.cite, line.about) == (12500, "173", "17@/brno/t", "4@/x")
    assert line.event == PlateServed("p-1", 4500, "d1", ("hot", "a, b"), {}, True)
    assert read_line("@1970-01-01T00:00:01Z PlateServed - 1 d", CATALOGUE).at_ms == 1000


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", "names no event"),
        ("Nonsense 1", "no event is called"),
        ("PlateServed p-1", "price, desk missing"),
        ("PlateServed p-1 abc d1", "price cannot be `abc`"),
        ("PlateServed p-1 1 d1 more", "no place for `more`"),
        ("@yesterday PlateServed p 1 d", "not an RFC 3339 time"),
        ("PlateServed p-1 1 d1 hot=maybe", "hot cannot be `maybe`"),
        ("ChipsMoved float nowhere 5 win", "at `\\$.to`"),
    ],
)
def test_a_line_that_cannot_be_meant_says_what_was_found(text, found):
    with pytest.raises(BadNotation, match=found):
        read_line(text, CATALOGUE)


def test_a_name_that_two_rooms_share_wants_its_code():
    class PlateOther(Event, frozen=True):
        TOPIC: ClassVar[str] = "YY.PlateServed.v1"

    both = Catalogue((PlateServed, PlateOther))
    with pytest.raises(BadNotation, match="several events"):
        read_event("PlateServed a 1 b", both)
    assert read_event("YY.PlateServed", both) == PlateOther()
    assert write_event(PlateOther(), both) == "YY.PlateServed"


def test_limits_survive_notation():
    event = TableOpened("roulette", "RL", "CZK", 1000, 100000, {"straight": (100, 200)}, cameras=("c 1",))
    assert read_event(write_event(event, CATALOGUE), CATALOGUE) == event


def test_at_a_table_a_short_name_is_its_own_rooms():
    class PlateOther(Event, frozen=True):
        TOPIC: ClassVar[str] = "YY.PlateServed.v1"

    both = Catalogue((PlateServed, PlateOther))
    here = both.at_table((PlateOther,))
    assert read_event("PlateServed", here) == PlateOther()
    assert write_event(PlateOther(), here) == "PlateServed"
    assert write_event(PlateServed("a", 100, "b"), here) == "XX.PlateServed a 1 b"
    assert both.by_name["PlateServed"] is None
