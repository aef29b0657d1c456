"""Who has seen which card: one rule for record lines, JSON and pictures."""

from __future__ import annotations

import pytest

from events.schema.catalogue import Catalogue
from events.schema.common import CardBurned
from events.schema.event import Event, Undecoded
from events.schema.notation import read_event, write_event
from games.holdem import GAME
from games.picture import Known, Viewpoint
from games.roulette import GAME as ROULETTE
from games.sight import hide_in, learn, masked
from tests.games.table import catalogue_of

CATALOGUE: Catalogue = catalogue_of(GAME)
NOBODY = Viewpoint()
SEAT_3 = Viewpoint(seat="3")


def event(text: str) -> Event:
    return read_event(text, CATALOGUE)


def read(text: str, view: Viewpoint = NOBODY, known: Known = frozenset()) -> str:
    return write_event(masked(event(text), view, known)[0], CATALOGUE)


def after(*texts: str, view: Viewpoint = NOBODY) -> Known:
    known: Known = frozenset()
    for text in texts:
        known = learn(known, event(text), view)
    return known


@pytest.mark.parametrize(
    ("record", "hidden"),
    [
        ("CardDealt seat/3 card=As", "CardDealt seat/3 card=??"),
        ("CardDealt burn card=As", "CardDealt burn card=??"),
        ("HoleDealt 3 As,Kd", "HoleDealt 3 ??,??"),
        ("HandsDealt 3,5 As,2c,Kd,2d", "HandsDealt 3,5 ??,??,??,??"),
        ("HandMucked 3 cards=As,Kd", "HandMucked 3 cards=??,??"),
        ("CardsMoved stub cards=As frm=seat/3", "CardsMoved stub cards=??"),
        ("CardPicked burn dealer card=As", "CardPicked burn dealer card=??"),
        ("CardBurned card=As", "CardBurned card=??"),
    ],
)
def test_a_card_that_lies_face_down_is_hidden(record: str, hidden: str) -> None:
    assert read(record).startswith(hidden)
    assert masked(event(record), NOBODY, frozenset())[1]
    assert read(record, Viewpoint(all_knowing=True)) == write_event(event(record), CATALOGUE)


@pytest.mark.parametrize(
    "record",
    [
        "CardDealt flop card=As",
        "CardDealt seat/3 card=As face=up",
        "CardDealt seat/3 card=As boxed=yes",
        "BoardDealt turn As",
        "HandShown 3 As,Kd",
        "CardExposed seat/3 dealer cards=As",
        "ButtonCardDrawn 3 As",
        "HoleDealt 3 ??,??",
        "WordsSpoken 3 raise amount=30",
    ],
)
def test_what_lies_open_is_never_hidden_and_known_from_then_on(record: str) -> None:
    assert masked(event(record), NOBODY, frozenset()) == (event(record), ())
    assert ("As" in after(record)) == ("As" in record)


def test_a_seat_sees_its_own_cards_and_no_others() -> None:
    assert read("CardDealt seat/3 card=As", SEAT_3) == "CardDealt seat/3 card=As"
    assert read("CardDealt seat/3 card=As", Viewpoint(seat="seat/3")) == "CardDealt seat/3 card=As"
    assert read("CardDealt seat/5 card=As", SEAT_3) == "CardDealt seat/5 card=??"
    assert read("HandsDealt 3,5 As,2c,Kd,2d", SEAT_3) == "HandsDealt 3,5 As,??,Kd,??"
    assert read("HandsDealt 5,3 As,2c,Kd,2d", SEAT_3) == "HandsDealt 5,3 ??,2c,??,2d"


def test_a_card_is_hidden_until_it_lies_open() -> None:
    dealt = ("CardDealt seat/3 card=As", "CardDealt seat/3 card=Kd")
    assert after(*dealt) == frozenset()
    exposed = after(*dealt, "CardExposed seat/3 dealer cards=As")
    assert read("HandMucked 3 cards=As,Kd", known=exposed) == "HandMucked 3 cards=As,??"
    shown = after(*dealt, "HandShown 3 As,Kd")
    assert read("HandMucked 3 cards=As,Kd", known=shown) == "HandMucked 3 cards=As,Kd"


def test_a_card_shown_before_a_misdeal_is_hidden_again_when_it_is_dealt_anew() -> None:
    seen = ("CardDealt seat/3 card=As", "CardExposed seat/3 dealer cards=As", "MisdealDeclared")
    assert "As" in after(*seen)
    again = after(*seen, "CardDealt seat/5 card=As")
    assert "As" not in again
    assert read("CardDealt seat/5 card=As", known=again) == "CardDealt seat/5 card=??"


def test_of_a_record_that_cannot_be_read_no_card_is_shown() -> None:
    broken = Undecoded("PK.CardDealt.v1", "`to` is missing", {"card": "As", "seq": 4})
    shown, names = masked(broken, SEAT_3, frozenset())
    assert isinstance(shown, Undecoded)
    assert shown.data == {"card": "??", "seq": 4}
    assert names == ("card",)
    assert masked(broken, Viewpoint(all_knowing=True), frozenset()) == (broken, ())


def test_cards_in_what_was_worked_out_are_hidden_too() -> None:
    remedy = {"remedy": {"cards": ["As", "Kd"], "card": "As", "seat": "seat/3"}}
    assert hide_in(remedy, NOBODY, frozenset({"Kd"}))["remedy"] == {
        "cards": ["??", "Kd"],
        "card": "??",
        "seat": "seat/3",
    }
    assert hide_in(remedy, Viewpoint(all_knowing=True), frozenset()) == remedy


def test_nothing_is_hidden_at_roulette() -> None:
    assert all(not one.PRIVATE for one in ROULETTE.events)


def test_every_poker_event_with_cards_says_whether_they_are_private() -> None:
    """A card that a new event names lies open unless it says otherwise: these do so on purpose."""
    every: tuple[type[Event], ...] = (*GAME.events, CardBurned)
    with_cards = {one.__name__ for one in every if {"card", "cards"} & set(one.__struct_fields__)}
    private = {one.__name__ for one in every if one.PRIVATE}
    assert with_cards - private == {"ButtonCardDrawn", "BoardDealt", "CardExposed", "CardFound", "HandShown"}
