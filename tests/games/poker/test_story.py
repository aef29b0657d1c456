"""A hand told in a dozen lines: what is plain shortly, what players quarrel about word for word, no card that lay hidden."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.schema.event import Event
from events.schema.fact import Fact
from games.holdem import GAME
from games.shared.poker.story import story
from tests.games.poker.anything import any_of
from tests.games.table import catalogue_of, facts_of_lines

CATALOGUE = catalogue_of(GAME)
DEALT = """
@+0 #1 RoundOpened
#1 ButtonPlaced 1
#1 PlayerDealtIn 1 p-1 500
#1 PlayerDealtIn 2 p-2 200
#1 PlayerDealtIn 4 p-4 500 status=moved
#1 Posted 2 small_blind 5
#1 Posted 4 big_blind 10
#1 CardDealt seat/2 card=As seq=1
#1 CardDealt seat/4 card=Kd seq=2
"""
FLOP = """
#1 WordsSpoken 1 fold
#1 WordsSpoken 2 call
#1 ChipsPushed 2 5 chips=5
#1 GestureMade 4 tap
#1 CardBurned
#1 CardDealt flop card=7h face=up
#1 CardDealt flop card=7d face=up
#1 CardDealt flop card=2c face=up
"""


def told(*text: str) -> dict[str, str]:
    passages = story(facts_of_lines("\n".join(text), CATALOGUE), "CZK")
    assert len({one.head for one in passages}) == len(passages)
    return {one.head: one.text.replace("\u00a0", " ") for one in passages}


def test_seats_blinds_streets_showdown_and_what_was_paid() -> None:
    hand = told(
        DEALT,
        FLOP,
        """
        #1 GestureMade 2 tap
        #1 WordsSpoken 4 check
        #1 BoardDealt turn 9s
        #1 ActionTaken 2 bet amount=20
        #1 WordsSpoken 4 raise amount=60
        #1 ChipsPushed 4 60 chips=50,10
        #1 ActionTaken 2 call amount=40
        #1 BoardDealt river Tc
        #1 HandShown 4 7c,7s
        #1 HandMucked 2
        #1 ChipsMoved pot rake 5 rake
        #1 ChipsMoved pot seat/4 135 award
        #1 RoundClosed
        """,
    )
    assert hand == {
        "seats": "1 p-1, 2 p-2, 4 p-4 (moved here)",
        "blinds": "button at seat 1; seat 2 small blind 5; seat 4 big blind 10",
        "preflop": "seat 1 folds; seat 2 calls 5; seat 4 checks",
        "flop": "7♥ 7♦ 2♣, pot 20: seats 2, 4 check",
        "turn": "9♠: seat 2 bets 20; seat 4 raises to 60; seat 2 calls 40",
        "river": "10♣, pot 140",
        "showdown": "seat 4 7♣ 7♠ (four of a kind, sevens, ten kicker); seat 2 mucks",
        "paid": "rake 5; 135 to seat 4",
    }


@pytest.mark.parametrize(
    ("records", "said"),
    [
        (
            "@+10 #1 WordsSpoken 2 raise\n@+10.9 #1 ChipsPushed 2 100 chips=100",
            "seat 2 says “raise”, 0.9 s later pushes 100 in one chip",
        ),
        (
            "@+10 #1 ChipsPushed 2 100 chips=100\n@+10.4 #1 WordsSpoken 2 raise text=raise",
            "seat 2 pushes 100 in one chip, 0.4 s later says “raise”",
        ),
        ("@+10 #1 ChipsPushed 2 20 chips=10,10", "seat 2 pushes 20 in 2 chips, no word"),
        (
            """
            @+10 #1 WordsSpoken 2 raise amount=80 measure=to text="na osmdesát"
            @+11 #1 ChipsPushed 2 20
            @+14 #1 ChipsPushed 2 60
            """,
            "seat 2 says “raise to 80” (na osmdesát), 1.0 s later pushes 20, 3.0 s later pushes 60",
        ),
        ("@+10 #1 WordsSpoken 2 check language=de", "seat 2 says “check” in language de"),
        ("@+10 #1 WordsSpoken 2 all_in\n#1 ChipsPushed 2 190", "seat 2 goes all in, 190"),
    ],
)
def test_words_and_chips_that_are_not_plain_are_told_in_their_order_with_the_time_between(
    records: str, said: str
) -> None:
    assert told(DEALT, FLOP, records)["flop"] == f"7♥ 7♦ 2♣, pot 20: {said}"


def test_a_misdeal_and_an_exposed_card_are_told_and_no_hidden_one() -> None:
    hand = told(
        DEALT,
        """
        #1 CardExposed seat/4 dealer cards=Kd seqs=2
        #1 CardDealt seat/4 card=Qh seq=5 purpose=replacement
        #1 CardsMoved aside seqs=1 cards=As frm=seat/2
        #1 MisdealDeclared why="card exposed" by=d-1
        """,
    )
    assert hand["deal"] == (
        "the dealer exposes K♦ at seat 4; a card to seat 4, in place of an exposed card; a card from seat 2 put aside; "
        "a misdeal is declared, by d-1: card exposed"
    )


def test_a_record_before_any_other_has_a_place_and_none_is_no_story() -> None:
    assert told("@+0 #1 FloorCalled why=late") == {"before": "the floor is called: late"}
    assert told("@+0 #1 WordsSpoken 3 fold") == {"preflop": "seat 3 folds"}
    assert told("@+0 #1 CardBurned") == {}


@given(events=st.lists(st.one_of([any_of(kind) for kind in GAME.events]), max_size=12), ordered=st.booleans())
def test_whatever_the_record_says_it_is_told_and_nothing_raised(events: list[Event], ordered: bool) -> None:
    facts = [
        Fact("table/brno/T-1/2026-11-28.1", "/x", number, type(event).TOPIC, event, number * 500 if ordered else 0, "1")
        for number, event in enumerate(events)
    ]
    for passage in story(facts, "CZK"):
        assert passage.head
        assert passage.text
