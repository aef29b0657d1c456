"""The course of the deck by two rule books: what section 7 of the poker room's catalogue switches."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from games.holdem import GAME
from games.holdem.dealer import shipped_edition
from games.shared.poker.course import Course, course_of
from games.shared.poker.deck import NAMED_GROUNDS, DealTerms
from games.shared.poker.hand import Hand, Stakes, Terms, limits_of
from games.shared.poker.table import Session, evolve
from tests.games.table import catalogue_of, facts_of_lines

CASINO = DealTerms()
VEGAS = DealTerms(
    grounds=NAMED_GROUNDS | {"button", "empty_seat", "dealt_out"},
    deadline="two_players",
    posts="returned",
    boxed="scrap",
    burn_repair=2,
    fold_stands=True,
    four_flop="reshuffle",
    surplus_repair=2,
    second_turn="reshuffle",
    foul=frozenset({"duplicate", "foreign"}),
    foul_in_stub=False,
    joker="scrap",
    rabbit="exception_only",
)
"""Rule book VG."""

CATALOGUE = catalogue_of(GAME)
SEATS = """
RoundOpened
ButtonPlaced 1
PlayerDealtIn 1 p-1 100
PlayerDealtIn 2 p-2 100
PlayerDealtIn 3 p-3 100
Posted 2 small_blind 5
Posted 3 big_blind 10
"""
DEAL = """
CardDealt seat/2 seq=1
CardDealt seat/3 seq=2
CardDealt seat/1 seq=3
CardDealt seat/2 seq=4
CardDealt seat/3 seq=5
CardDealt seat/1 seq=6
"""
CALLED = "ActionTaken 1 call amount=10\nActionTaken 2 call amount=5\nActionTaken 3 check\n"
BURN = "CardBurned seq=7\n"
FLOP = "CardDealt flop card=9c seq=8 face=up\nCardDealt flop card=5d seq=9 face=up\nCardDealt flop card=3h seq=10 face=up\n"


def played(lines: str, deal: DealTerms) -> tuple[Hand, Course]:
    """A hand of these lines at a table of that rule book, and its course."""
    terms, stakes = Terms(deal=deal), Stakes(small_blind=500, big_blind=1000, announced=True)
    session: Any = Session(
        edition=shipped_edition(), terms=terms, stakes=stakes, limits=limits_of(replace_small(stakes), terms)
    )
    text = "\n".join(f"#1 {line}" for line in (SEATS + lines).split("\n") if line)
    for fact in facts_of_lines(text, CATALOGUE):
        session = evolve(session, fact)
    return session.hand, course_of(session.hand, terms)


def replace_small(stakes: Stakes) -> Stakes:
    """Limits take the size of a bet from the big blind."""
    return replace(stakes, small_bet=stakes.big_blind, big_bet=2 * stakes.big_blind)


def told(lines: str, deal: DealTerms) -> list[str]:
    """Code and kinds of each irregularity."""
    return [f"{one.code} {' '.join(one.kinds)}" for one in played(lines, deal)[1].found]


EXPOSED = "CardDealt seat/2 seq=1 face=up\n" + "\n".join(DEAL.strip().split("\n")[1:]) + "\n"
EARLY = DEAL + "ActionTaken 1 call amount=10\nActionTaken 2 call amount=5\n" + BURN + FLOP


@pytest.mark.parametrize(
    ("lines", "casino", "vegas"),
    [
        # Latest moment for a misdeal: two acts with chips or three without; two players.
        (EXPOSED + "ActionTaken 1 fold\nActionTaken 2 fold\n", "exposed_first misdeal", "exposed_first breach"),
        (EXPOSED + "ActionTaken 1 call amount=10\n", "exposed_first misdeal", "exposed_first misdeal"),
        # The flop comes early and the player whose action was due folds: it is taken back, or stands.
        (
            DEAL + "ActionTaken 1 call amount=10\n" + BURN + FLOP + "ActionTaken 2 fold\nActionTaken 3 check\n",
            "premature_flop corrected", "premature_flop corrected",
        ),
        (EARLY + "ActionTaken 3 fold\n", "premature_flop corrected", "premature_flop breach"),
        # Four cards on the flop: scrambled, or shuffled in.
        (
            DEAL + CALLED + BURN + FLOP + "CardDealt flop card=2s seq=11 face=up\nStubShuffled seqs=8,9,10,11\n"
            "CardDealt flop card=2d\nCardDealt flop card=4d\nCardDealt flop card=6d\n",
            "four_card_flop breach", "four_card_flop corrected",
        ),
        # Two cards on the turn: the text is silent, or it is dealt again.
        (
            DEAL + CALLED + BURN + FLOP + "ActionTaken 2 check\nActionTaken 3 check\nActionTaken 1 check\n"
            "CardBurned seq=11\nCardDealt turn card=Js seq=12 face=up\nCardDealt turn card=Jd seq=13 face=up\n",
            "turn_cards ruling_required", "turn_cards corrected",
        ),
        # A burn left out is put right until one player acts, or two.
        (
            DEAL + CALLED + "CardDealt flop card=9c seq=7 face=up\nCardDealt flop card=5d seq=8 face=up\n"
            "CardDealt flop card=3h seq=9 face=up\nActionTaken 2 check\n",
            "burn_missing breach", "burn_missing corrected",
        ),
        # One card that lay face up in the deck, the first of the deal: as exposed, or a scrap of paper.
        (
            EXPOSED.replace("face=up", "boxed=yes"),
            "exposed_first misdeal", "boxed corrected",
        ),
        # Cards after the hand.
        (
            DEAL + "ActionTaken 1 fold\nActionTaken 2 fold\nCardDealt rabbit card=9c\n",
            "", "rabbit breach",
        ),
    ],
)  # fmt: skip
def test_two_rule_books_judge_the_same_deal(lines: str, casino: str, vegas: str) -> None:
    assert told(lines, CASINO) == ([casino] if casino else [])
    assert told(lines, VEGAS) == ([vegas] if vegas else [])


def test_an_exposed_and_a_boxed_card_count_as_two() -> None:
    lines = DEAL.replace("seq=3", "seq=3 face=up").replace("seq=5", "seq=5 boxed=yes")
    assert told(lines, VEGAS) == ["exposed_more misdeal"]


def test_one_extra_card_is_a_misdeal_where_the_house_says_so() -> None:
    lines = DEAL + "CardDealt seat/2 seq=7 purpose=extra\n"
    assert told(lines, CASINO) == ["extra_card corrected"]
    assert told(lines, replace(CASINO, extra="misdeal")) == ["extra_cards misdeal"]
    lines = DEAL + "CardDealt seat/1 seq=7 purpose=extra\n"
    assert told(lines, replace(CASINO, extra_elsewhere="misdeal")) == ["extra_card_lost misdeal"]


def test_after_a_misdeal_posts_stay_or_go_back_and_bets_go_back() -> None:
    lines = EXPOSED + "ActionTaken 1 call amount=10\nMisdealDeclared\n"
    hand, _course = played(lines, CASINO)
    assert (hand.live, hand.apart, hand.stacks) == ([0, 500, 1000], [1000, 0, 0], [10000, 9500, 9000])
    assert hand.seats[hand.bets.actor] == 1
    hand, _course = played(lines, VEGAS)
    assert (hand.live, hand.apart, hand.stacks) == ([0, 0, 0], [1000, 500, 1000], [10000, 10000, 10000])
    assert hand.posts == []


def test_a_foreign_card_in_the_stub_fouls_the_deck_here_and_not_there() -> None:
    stub = DEAL + "CardFound stub foreign card=Ks\n"
    assert played(stub, CASINO)[0].fouled == "before_award"
    assert played(stub, VEGAS)[0].fouled == ""
    assert played(DEAL + "CardFound seat/1 foreign card=Ks\n", VEGAS)[0].fouled == "before_award"


def test_a_missing_card_and_a_joker_foul_the_deck_here_and_not_there() -> None:
    for fault in ("missing", "joker"):
        lines = DEAL + f"CardFound muck {fault}\n"
        assert played(lines, CASINO)[0].fouled == "before_award"
        assert played(lines, VEGAS)[0].fouled == ""


def test_who_plays_on_with_a_joker_has_a_dead_hand() -> None:
    assert told(DEAL + "CardFound seat/1 joker\n", VEGAS) == ["joker corrected"]
    assert told(DEAL + CALLED + "CardFound seat/1 joker\n", VEGAS) == ["joker dead"]


def test_up_cards_of_a_game_that_has_them_are_not_exposed() -> None:
    lines = DEAL.replace("seq=4", "seq=4 face=up").replace("seq=5", "seq=5 face=up").replace("seq=6", "seq=6 face=up")
    assert told(lines, replace(CASINO, up_rounds=(1,))) == []
    assert told(lines, CASINO) == ["exposed_more misdeal"]


def test_a_hand_with_one_card_is_out_once_the_flop_lies_and_its_chips_stay() -> None:
    short = "\n".join(DEAL.strip().split("\n")[:5]) + "\n"
    hand, course = played(short + CALLED + "CardBurned seq=6\nBoardDealt flop 9c,5d,3h\n", CASINO)
    assert [one.code for one in course.found] == ["wrong_count"]
    assert (hand.gone[0], hand.live[0], len(hand.left)) == ("killed", 1000, 2)


def test_the_dealer_is_told_the_repair_before_the_round_is_over() -> None:
    _hand, course = played(EARLY, CASINO)
    assert course.due is not None
    assert course.due.to == ""
    assert "set aside the next four cards" in course.due.note
    _hand, course = played(EARLY + "ActionTaken 3 check\n", CASINO)
    assert course.due is not None
    assert (course.due.to, course.due.seqs, course.due.blocks) == ("aside", (11, 12, 13, 14), True)


def test_nothing_is_read_from_a_hand_without_cards() -> None:
    assert told("ActionTaken 1 call amount=10\n", CASINO) == []
