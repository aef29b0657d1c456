"""Poker's records in words."""

from __future__ import annotations

import pytest

from events.schema.event import Undecoded
from events.schema.notation import read_event
from games.holdem import GAME
from games.shared.poker.wording import _TELLERS
from games.wording import sentence
from tests.games.table import catalogue_of, facts_of

CATALOGUE = catalogue_of(GAME)


@pytest.mark.parametrize(
    ("record", "words"),
    [
        ("ActionTaken 3 raise amount=30 to=40", "seat 3 raises to 40 CZK, adding 30 CZK"),
        ("ActionTaken 3 call amount=30", "seat 3 calls, adding 30 CZK"),
        ("ActionTaken 3 all_in amount=30 all_in=yes", "seat 3 goes all in, adding 30 CZK"),
        ("ActionTaken 3 fold", "seat 3 folds"),
        ("WordsSpoken 3 raise amount=60 measure=to", "seat 3 says “raise to 60 CZK”"),
        ("WordsSpoken 3 raise language=de", "seat 3 says “raise” (in language de)"),
        ("ChipsPushed 3 100 chips=100 over_line=yes", "seat 3 pushes 100 CZK in one chip, over the line"),
        ("CardDealt seat/3 card=As", "A♠ to seat 3"),
        ("CardDealt seat/3", "a card to seat 3"),
        ("CardDealt seat/3 purpose=replacement", "a card to seat 3, in place of an exposed card"),
        ("BoardDealt flop As,Td,2c board=2", "A♠ 10♦ 2♣ on the flop of board 2"),
        ("CardExposed seat/3 dealer cards=As", "the dealer exposes A♠ at seat 3"),
        ("CardsMoved stub seqs=3,4 frm=seat/3", "2 cards from seat 3 put into the stub"),
        ("HandMucked 3", "seat 3 mucks"),
        ("AgreementMade run_it 3,5 runs=2", "seats 3 and 5 agree to run it 2 times"),
        ("Posted 3 dead_small_blind 5", "seat 3 posts dead small blind, 5 CZK"),
        ("PlayerDealtIn 3 p-3 -", "seat 3, p-3, is in with a stack that is not known"),
        ("ChipsMoved pot seat/3 630 award stake=seat/3", "seat 3 is paid 630 CZK out of the pot"),
        ("ChipsMoved pot rake 30 rake stake=main", "a rake of 30 CZK is taken out of the main pot"),
        ("CardBurned", "a card is burnt"),
    ],
)
def test_a_record_is_told_as_an_officer_would(record: str, words: str) -> None:
    said = sentence(read_event(record, CATALOGUE), GAME, "CZK")
    assert said.replace("\u00a0", " ") == words


def test_a_record_that_cannot_be_read_says_so() -> None:
    assert "cannot be read (no amount)" in sentence(Undecoded("PK.Posted.v1", "no amount"), GAME, "CZK")


def test_every_record_of_a_dealers_session_has_words() -> None:
    silent = {
        type(fact.event).__name__
        for fact in facts_of(GAME.deal(12, 4), CATALOGUE)
        if not sentence(fact.event, GAME, "CZK")
    }
    assert silent == set()


def test_every_poker_event_has_words() -> None:
    assert {one.__name__ for one in GAME.events} <= {one.__name__ for one in _TELLERS}
