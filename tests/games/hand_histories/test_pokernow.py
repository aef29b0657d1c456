"""What entries of a PokerNow log say, one by one."""

from __future__ import annotations

import pytest

from games.hand_histories.pokernow import PLAYER, Said, amount_of, cards_of, said
from tests.games.hand_histories.logs import ANA, BOB, EVA


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        (f"{ANA} folds", Said(what="fold", who="a1")),
        (f"{BOB} checks", Said(what="check", who="b_2")),
        (f"{EVA} calls 12.5", Said(what="call", who="e-3", amount=1250)),
        (f"{ANA} bets 40 and go all in", Said(what="bet", who="a1", amount=4000, all_in=True)),
        (f"{ANA} raises to 95", Said(what="raise", who="a1", amount=9500)),
        (f"{ANA} posts a small blind of 5", Said(what="post", who="a1", text="small blind", amount=500)),
        (f"{ANA} posts a big blind of 1 and go all in",
         Said(what="post", who="a1", text="big blind", amount=100, all_in=True)),
        (f"{ANA} posts an ante of 0.05", Said(what="post", who="a1", text="ante", amount=5)),
        (f"{ANA} posts a missing small blind of 5", Said(what="post", who="a1", text="missing small blind", amount=500)),
        (f"{ANA} posts a missed big blind of 10", Said(what="post", who="a1", text="missed big blind", amount=1000)),
        (f"{ANA} posts a straddle of 20", Said(what="post", who="a1", text="straddle", amount=2000)),
        (f"{ANA} posts a bet of 5 (bomb pot bet)", Said(what="bomb", who="a1", text="bet", amount=500)),
        (f"{ANA} calls 5 and go all in (bomb pot bet)", Said(what="bomb", who="a1", amount=500, all_in=True)),
        ("Dead Small Blind", Said(what="dead_blind", text="small blind")),
        ("Flop:  [9♣, Q♠, A♠]", Said(what="board", text="flop", number=1, cards=("9c", "Qs", "As"))),
        ("River: 9♣, Q♠, A♠, 10♦ [5♠]", Said(what="board", text="river", number=1, cards=("5s",))),
        ("Flop (first run):  [9♣, Q♠, A♠]",
         Said(what="board", text="flop", number=1, other="run", cards=("9c", "Qs", "As"))),
        ("Turn (second run): 9♣, Q♠, A♠ [10♥]",
         Said(what="board", text="turn", number=2, other="run", cards=("Th",))),
        ("Flop (second board):  [9♣, Q♠, A♠]",
         Said(what="board", text="flop", number=2, other="board", cards=("9c", "Qs", "As"))),
        ("Undealt cards: 9♣, Q♠, A♠ [10♦, 5♠]", Said(what="undealt", number=1, cards=("Td", "5s"))),
        ("Your hand is Q♥, K♣", Said(what="your_hand", cards=("Qh", "Kc"))),
        (f"{ANA} shows a 5♦, K♠.", Said(what="show", who="a1", cards=("5d", "Ks"))),
        (f"{ANA} shows a K♠.", Said(what="show", who="a1", cards=("Ks",))),
        (f"Uncalled bet of 25 returned to {ANA}", Said(what="uncalled", who="a1", amount=2500)),
        (f"{ANA} collected 50 from pot", Said(what="collected", who="a1", amount=5000)),
        (f"{ANA} collected 50 from pot with Pair, 10's on the second board (combination: 10♦, 10♥, Q♦, 7♥, 5♥)",
         Said(what="collected", who="a1", amount=5000)),
        (f"{ANA} paid 3.00 for the 7-2 bounty to {BOB}", Said(what="bounty_paid", who="a1", other="b_2", amount=300)),
        (f"{BOB} collected 6.00 from the 7-2 bounty", Said(what="bounty_collected", who="b_2", amount=600)),
        ("All players in hand choose to run it twice.", Said(what="runs_agreed", number=2)),
        ("-- ending hand #117 --", Said(what="end", number=117)),
        ("The game's small blind was changed from 25 to 50.", Said(what="setting", text="small blind", amount=5000)),
        (f"The player {ANA} joined the game with a stack of 100.", Said(what="stack", who="a1", amount=10000)),
        (f"The player {ANA} sit back with the stack of 100.", Said(what="stack", who="a1", amount=10000)),
        (f"The player {ANA} rebought. New stack 100.", Said(what="stack", who="a1", amount=10000)),
        (f"The admin updated the player {ANA} stack from 5 to 100.", Said(what="stack", who="a1", was=500, amount=10000)),
        (f"The player {ANA} quits the game with a stack of 0.", Said(what="gone", who="a1")),
        (f"The player {ANA} stand up with the stack of 7.", Said(what="gone", who="a1", amount=700)),
        (f"The player {ANA} changed the ID from old_1 to a1 because authenticated login.",
         Said(what="renamed", who="old_1", other="a1")),
    ],
)  # fmt: skip
def test_an_entry_is_read(entry: str, told: Said) -> None:
    assert said(entry) == told


@pytest.mark.parametrize(
    ("entry", "game", "number", "hand_id", "dealer"),
    [
        ("-- starting hand #4  (No Limit Texas Hold'em) (dealer: \"x y @ a1\") --", "No Limit Texas Hold'em", 4, "", "a1"),
        ("-- starting hand #4 (id: k9)  No Limit Texas Hold'em (dead button) --", "No Limit Texas Hold'em", 4, "k9", ""),
        ("-- starting hand #4 (id: k9)  (Pot Limit Omaha Hi) (dealer: \"(x) @ a1\") --", "Pot Limit Omaha Hi", 4, "k9", "a1"),
        ("-- starting hand #1  (dealer: \"Ana @ a1\") --", "", 1, "", "a1"),
    ],
)  # fmt: skip
def test_a_hand_begins(entry: str, game: str, number: int, hand_id: str, dealer: str) -> None:
    told = said(entry)
    assert (told.what, told.text, told.number, told.other, told.who) == ("start", game, number, hand_id, dealer)


@pytest.mark.parametrize(
    "entry",
    [
        f"The player {ANA} requested a seat.",
        f"The player {ANA} canceled the seat request.",
        f"The player {ANA} requested a rebuy of 100.",
        f"The player {ANA} is in the tournament with a stack of 100.",
        f"The player {ANA} passed the room ownership to {BOB}.",
        f"The admin approved the player {ANA} participation with a stack of 100.",
        f"The admin {ANA} rejected the seat request from the player {BOB}.",
        f"The admin {ANA} forced the player {BOB} to away mode in the next hand.",
        f"The admin {ANA} enqueued the removal of the player {BOB}.",
        f"The admin {ANA} enqueued the game stop on next hand.",
        f"WARNING: the admin queued the stack change for the player {ANA} adding 100 chips in the next hand.",
        f"{ANA} chooses to  run it twice.",
        f"{ANA} chooses to not run it twice.",
        "Remaining players decide whether to run it twice.",
        "Some players choose to not run it twice.",
        "Asking to busted players the rebuy decision.",
        "Game Config Changes\nAllow Run it Twice: no » ask players\nBomb Pot: off » on",
    ],
)
def test_an_entry_on_which_no_hand_depends_is_known_as_such(entry: str) -> None:
    assert said(entry).what == "idle"


@pytest.mark.parametrize(
    "entry",
    ["", "Somebody sings.", f"{ANA} dances", f"{ANA} bets 5.001", f"{ANA} shows a 1♠.", "Player stacks: #1 nobody (5)",
     "-- starting hand #x --", f"{ANA} bets -5"],
)  # fmt: skip
def test_an_entry_of_another_kind_is_unknown_and_kept(entry: str) -> None:
    assert said(entry) == Said(what="unknown", text=entry)


def test_stacks_are_read_whoever_plays() -> None:
    told = said('Player stacks: #1 "all in" folds @ x @ a1" (10.50) | #10 "(5) | #2 @ b" (7)')
    assert told.seats == ((1, "a1", 1050), (10, "b", 700))


def test_a_name_that_reads_like_an_act_is_a_name() -> None:
    assert said('"x @ y" raises to 5 @ a1" folds') == Said(what="fold", who="a1")


def test_names_and_ids_are_told_apart() -> None:
    assert PLAYER.findall(f'{EVA} paid 3 for the 7-2 bounty to "a "b" @ c @ d4"') == [
        ("Eva N", "e-3"),
        ('a "b" @ c', "d4"),
    ]


def test_amounts_and_cards() -> None:
    assert [amount_of(text) for text in ("0", "7", "7.5", "0.05", "12.34")] == [0, 700, 750, 5, 1234]
    assert cards_of("10♥, 2♣, A♦") == ("Th", "2c", "Ad")
