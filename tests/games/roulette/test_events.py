"""Events of roulette: notation and JSON give back what was put in, and chips move as they say."""

from __future__ import annotations

import json

import msgspec
import pytest
from hypothesis import given

from events.schema.event import Event, Move, Undecoded
from events.schema.notation import read_event, write_event
from games.roulette.events import EVENTS, BetPlaced, BetRemoved, CallBetPlaced
from tests.games.roulette.room import CATALOGUE
from tests.games.roulette.strategies import events


@given(events(EVENTS))
def test_notation_and_json_give_back_the_event(event: Event) -> None:
    assert read_event(write_event(event, CATALOGUE), CATALOGUE) == event
    assert CATALOGUE.decode(event.TOPIC, CATALOGUE.encode(event)) == event


def test_every_event_has_a_topic_of_the_room_and_says_what_it_is() -> None:
    for cls in EVENTS:
        assert f"RL.{cls.__name__}.v1" == cls.TOPIC
        assert cls.__doc__


def test_the_designs_example_is_a_bet() -> None:
    data = json.loads('{"bet":"b9","player":"p-204","position":"17/20","amount":50000}')
    assert CATALOGUE.decode("RL.BetPlaced.v1", data) == BetPlaced("b9", "p-204", "17/20", 50_000)
    assert write_event(BetPlaced("b9", "p-204", "17/20", 50_000), CATALOGUE) == "BetPlaced b9 p-204 17/20 500"


def test_a_bet_moves_its_chips_in_and_out() -> None:
    there = Move("player/p-1", "box/b1", 500, "stake", "b1")
    assert BetPlaced("b1", "p-1", "red", 500).moves() == (there,)
    assert CallBetPlaced("b1", "p-1", "tiers", 500).moves() == (there,)
    assert BetRemoved("b1", "p-1", 500).moves() == (Move("box/b1", "player/p-1", 500, "stake", "b1"),)


@pytest.mark.parametrize(
    ("topic", "data"),
    [
        ("RL.BallDropped.v1", {"pocket": 37}),
        ("RL.BallDropped.v1", {"pocket": -1}),
        ("RL.BallDropped.v1", {"pocket": 17, "laps_tenths": 98.5}),
        ("RL.NumberAnnounced.v1", {"number": "17"}),
        ("RL.BetPlaced.v1", {"bet": "b1", "player": "p-1", "position": "17", "amount": -1}),
        ("RL.BetPlaced.v1", {"bet": "b1", "player": "p-1", "position": "17", "amount": 10.5}),
        ("RL.BetPlaced.v1", {"bet": "b1", "player": "p-1", "position": "17", "amount": 10, "mood": "good"}),
        ("RL.SpinStarted.v1", {"wheel_direction": "left"}),
    ],
)
def test_what_cannot_be_meant_does_not_decode(topic: str, data: dict[str, object]) -> None:
    assert isinstance(CATALOGUE.decode(topic, data), Undecoded)
    assert isinstance(CATALOGUE.decode(topic, msgspec.json.encode(data)), Undecoded)
