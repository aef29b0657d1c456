"""The figures on which rules rest, kept or not (NL-07 … NL-09, NL-22 … NL-26, NL-29, NL-31, NL-33, NL-34, NL-40)."""

from __future__ import annotations

import re

import pytest

from games.adjudicate import Case, explain_rule
from games.holdem import GAME
from games.holdem.dealer import shipped_edition
from tests.games.table import catalogue_of, editions_of, facts_of_lines

CATALOGUE = catalogue_of(GAME)
DEAL = """
TableOpened holdem NL CZK smallest_chip=5
StakesAnnounced 5 10
#1 RoundOpened
#1 ButtonPlaced 1
#1 PlayerDealtIn 1 p-1 500
#1 PlayerDealtIn 2 p-2 200
#1 PlayerDealtIn 3 p-3 500
#1 Posted 2 small_blind 5
#1 Posted 3 big_blind 10
#1 HoleDealt 1 {one}
#1 HoleDealt 2 {two}
#1 HoleDealt 3 {three}
"""
CHECKED_DOWN = """
#1 ActionTaken 1 fold
#1 ActionTaken 2 call amount=5
#1 ActionTaken 3 check
#1 CardBurned
#1 BoardDealt flop {flop}
#1 ActionTaken 2 check
#1 ActionTaken 3 check
#1 CardBurned
#1 BoardDealt turn {turn}
#1 ActionTaken 2 check
#1 ActionTaken 3 check
#1 CardBurned
#1 BoardDealt river {river}
"""
LAST_CHECKS = "#1 ActionTaken 2 check\n#1 ActionTaken 3 check\n"


def told(rule: str, *text: str, name: str = "1") -> list[str]:
    facts = facts_of_lines("\n".join(text), CATALOGUE)
    case = Case.make(facts[0].subject, facts, CATALOGUE, editions_of(GAME, shipped_edition().toml))
    return [re.sub("\u00a0", " ", line).strip() for line in explain_rule(case, {GAME.name: GAME}, name, rule)]


def down(one: str, two: str, three: str, flop: str, turn: str, river: str) -> str:
    return (DEAL + CHECKED_DOWN).format(one=one, two=two, three=three, flop=flop, turn=turn, river=river)


TIE = down("2h,3h", "As,Qd", "Ad,Qc", "Kc,Kh,7h", "4s", "2c") + LAST_CHECKS
SHOWN = "#1 HandShown 2 As,Qd\n#1 HandShown 3 Ad,Qc\n#1 RoundClosed"


def test_an_odd_chip_is_explained_by_button_and_order() -> None:
    ante = TIE.replace("#1 HoleDealt 1", "#1 Posted 1 ante 5\n#1 HoleDealt 1", 1)
    assert told("NL-31", ante, SHOWN) == [
        "main pot: seats 2, 3 tie for 25 CZK",
        "the button is at seat 1; first to its left, odd chips go in the order 2, 3",
        "each 10 CZK in chips of 5 CZK; left over: 5 CZK",
        "the odd chip goes to seat 2; due: 15 CZK to seat 2, 10 CZK to seat 3",
    ]


def test_a_pot_that_is_not_split_has_no_odd_chip() -> None:
    shown = "#1 HandShown 2 As,Qd\n#1 HandMucked 3\n#1 RoundClosed"
    assert told("NL-31", TIE, shown) == ["no pot of this hand is split: there are no odd chips"]


def test_tabled_hands_are_named_the_strongest_first_and_who_tabled_none() -> None:
    hand = down("2h,3h", "As,Qd", "7c,7d", "Kc,Kh,7h", "4s", "2c") + LAST_CHECKS
    lines = told("NL-29", hand, "#1 HandShown 2 As,Qd\n#1 HandShown 3 7c,7d\n#1 RoundClosed")
    assert [line.partition(" — ")[0] for line in lines] == [
        "seat 3: 7c 7d",
        "seat 2: As Qd",
        "the board: Kc Kh 7h 4s 2c",
    ]
    assert told("NL-29", hand, "#1 HandShown 2 As,Qd\n#1 HandMucked 3\n#1 RoundClosed")[-1] == "seat 3 mucked"


ALL_IN = (
    DEAL.format(one="Ah,Ad", two="Kh,Kd", three="Qh,Qd")
    + """
#1 ActionTaken 1 all_in amount=500
#1 ActionTaken 2 all_in amount=195
#1 ActionTaken 3 call amount=490
#1 CardBurned
#1 BoardDealt flop Js,9c,5d
#1 CardBurned
#1 BoardDealt turn 3s
#1 CardBurned
#1 BoardDealt river 2c
#1 HandShown 1 Ah,Ad
#1 HandShown 2 Kh,Kd
#1 HandShown 3 Qh,Qd
#1 RoundClosed"""
)


def test_pots_tell_who_can_win_them() -> None:
    assert told("NL-24", ALL_IN) == [
        "main pot: 600 CZK, 30 CZK of it rake; seats 1, 2, 3 can win it; due: 570 CZK to seat 1",
        "side 1 pot: 600 CZK, 30 CZK of it rake; seats 1, 3 can win it; due: 570 CZK to seat 1",
    ]


def test_rake_tells_base_rate_cap_and_rounding() -> None:
    assert told("NL-33", ALL_IN) == [
        "base: 1 200 CZK, all that the pots hold",
        "rate: 5 %, which is 60 CZK",
        "cap: 300 CZK",
        "rounding: down to whole chips of 5 CZK",
        "laid on the pots, main pot first: main 30 CZK, side 1 30 CZK",
        "due: 60 CZK; taken: 0 CZK",
    ]


def test_who_could_be_beaten_need_not_bet() -> None:
    hand = down("2h,3h", "Jh,Jd", "As,5s", "Ks,Qs,7s", "3c", "7d") + LAST_CHECKS
    lines = told("NL-40", hand, "#1 HandShown 3 As,5s\n#1 HandMucked 2\n#1 RoundClosed")
    assert lines[0].startswith("seat 3, the last to act, holds As 5s: flush, ace high")
    assert lines[1].startswith("it is not unbeatable: 7h 7c would beat it with four of a kind, sevens")
    hidden = told("NL-40", hand, "#1 HandShown 2 Jh,Jd\n#1 HandMucked 3\n#1 RoundClosed")
    assert "did not table" in hidden[0]
    assert "As 5s" not in hidden[0]


def test_a_tie_of_everybody_is_spared() -> None:
    hand = down("2h,3h", "Jh,Jd", "4c,5d", "As,Ks,Qs", "Js", "Ts") + LAST_CHECKS
    assert told("NL-40", hand, "#1 HandShown 3 4c,5d\n#1 RoundClosed")[1].startswith(
        "nobody can beat it, and every other holding ties"
    )


def test_a_hand_that_nobody_ended_on_the_river_is_told_so() -> None:
    assert told("NL-40", ALL_IN) == [
        "all were all in before the river, or nobody was left to bet against: nobody acted on it"
    ]
    bet = down("2h,3h", "Jh,Jd", "As,5s", "Ks,Qs,7s", "3c", "7d")
    (folded,) = told("NL-40", bet, "#1 ActionTaken 2 bet amount=20\n#1 ActionTaken 3 fold\n#1 RoundClosed")
    assert folded.startswith("the hand ended when all but one had folded")


def test_a_rule_without_figures_has_none() -> None:
    assert told("NL-17", ALL_IN) == []


def test_blinds_tell_the_button_the_order_and_who_owed_and_posted_them() -> None:
    wrong = DEAL.format(one="2h,3h", two="As,Qd", three="Ad,Qc").replace("Posted 2 small", "Posted 1 small")
    assert told("NL-08", wrong, "#1 ActionTaken 1 fold\n#1 ActionTaken 2 fold\n#1 RoundClosed") == [
        "dealt in, clockwise from the left of the button: seats 2, 3, 1",
        "small blind: due from seat 2, posted by seat 1, 5 CZK",
        "big blind: due from seat 3, posted by seat 3, 10 CZK",
    ]
    second = """
    #2 RoundOpened
    #2 ButtonPlaced 2
    #2 PlayerDealtIn 1 p-1 500
    #2 PlayerDealtIn 2 p-2 495
    #2 PlayerDealtIn 3 p-3 505
    #2 Posted 3 small_blind 5
    #2 RoundClosed"""
    first = DEAL.format(one="2h,3h", two="As,Qd", three="Ad,Qc")
    facts = [first, "#1 ActionTaken 1 fold\n#1 ActionTaken 2 fold\n#1 RoundClosed", second]
    assert told("NL-07", *facts, name="2") == [
        "the button was at seat 1 in the hand before, and is at seat 2",
        "dealt in, clockwise from the left of the button: seats 3, 1, 2",
        "small blind: due from seat 3, posted by seat 3, 5 CZK",
        "big blind: due from seat 1, not posted",
    ]


@pytest.mark.parametrize(
    ("records", "lines"),
    [
        (
            "@+40 #1 WordsSpoken 1 raise amount=80 measure=to\n@+41 #1 ChipsPushed 1 20\n@+44 #1 ChipsPushed 1 60",
            [
                "seat 1 says “raise to 80”, 1.0 s later pushes 20, 3.0 s later pushes 60",
                "it counts as a raise to 80 CZK",
            ],
        ),
        (
            "@+40 #1 ChipsPushed 1 100 chips=100\n@+40.4 #1 WordsSpoken 1 raise",
            ["seat 1 pushes 100 in one chip, 0.4 s later says “raise”", "it counts as a call: 10 CZK in front of him"],
        ),
        ("@+40 #1 WordsSpoken 1 check", ["seat 1 says “check”", "it counts as no action yet"]),
        (
            "@+40 #1 WordsSpoken 2 raise amount=50\n@+41 #1 ChipsPushed 2 50",
            ["seat 2 says “raise 50”, 1.0 s later pushes 50", "it counts as made out of turn: it waits for its turn"],
        ),
        (
            "@+40 #1 WordsSpoken 1 call\n#1 ChipsPushed 1 10",
            ["every bet, raise and call was made plainly: one word, one motion of chips, of the same amount"],
        ),
        ("@+40 #1 WordsSpoken 9 raise", ["seat 9 says “raise”", "it counts as nothing: that seat is not in this hand"]),
    ],
)
def test_words_and_chips_that_are_not_plain_tell_what_they_count_for(records: str, lines: list[str]) -> None:
    hand = DEAL.format(one="2h,3h", two="As,Qd", three="Ad,Qc")
    for rule in ("NL-22", "NL-23", "NL-26", "NL-34"):
        assert told(rule, hand, records) == lines
