"""Differences taken apart: several things wrong in one hand, each under its rule, together the seat's difference."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from games.holdem import GAME
from games.holdem.dealer import shipped_edition
from games.verdict import Verdict
from tests.games.table import catalogue_of, facts_of_lines, judge_facts

CATALOGUE = catalogue_of(GAME)
TABLES = tomllib.loads((Path(__file__).parents[2] / "cases/holdem/tables.toml").read_text(encoding="utf-8"))
OPENING = "@+0 TableOpened holdem NL CZK smallest_chip=5\nStakesAnnounced 5 10\n"
SHOWDOWN, BLINDS = "three seats at the showdown, 300 in the pot", "three seats, button 1, 1000 each"
SHOWN = "HandShown 1 Ah,Ad; HandShown 2 Kh,Kd; HandShown 3 Qh,Qd"
TO_FLOP = (
    "ActionTaken 1 call amount=10; ActionTaken 2 call amount=5; ActionTaken 3 check; CardBurned; "
    "BoardDealt flop 9c,5d,3h; WordsSpoken 2 bet amount=100; ChipsPushed 2 100 chips=100"
)
CHECKED = (
    "ActionTaken 1 fold; CardBurned; BoardDealt turn 8s; ActionTaken 2 check; ActionTaken 3 check; CardBurned; "
    "BoardDealt river 2s; ActionTaken 2 check; ActionTaken 3 check; HandShown 2 Kh,Kd; HandShown 3 Qh,Qd"
)
SHORT, CHANGE = "ChipsPushed 3 50 chips=25,25", "ChipsPushed 3 500 chips=500"


def paid(rake: int, seat: int, award: int) -> str:
    return f"ChipsMoved pot rake {rake} rake; ChipsMoved pot seat/{seat} {award} award"


def judged(start: str, *hand: str) -> Verdict:
    lines = [*TABLES[start]["lines"].splitlines(), *"; ".join(hand).split("; "), "RoundClosed"]
    text = OPENING + "\n".join(f"#1 {line}" for line in lines if line)
    return judge_facts(facts_of_lines(text, CATALOGUE), GAME, shipped_edition().toml).verdicts[0]


def parts(verdict: Verdict) -> set[tuple[str, str, str, int]]:
    return {(one.rule, one.code, one.subject, one.money // 100) for one in verdict.findings if one.money}


@pytest.mark.parametrize(
    ("start", "hand", "expected"),
    [
        pytest.param(
            SHOWDOWN, [SHOWN, paid(5, 1, 275)], {("NL-02", "unaccounted", "seat/1", 20)},
            id="10 of the rake and 10 of the award are missing: the pot is the players'",
        ),
        pytest.param(
            SHOWDOWN, [SHOWN, paid(20, 1, 270)],
            {("NL-02", "unaccounted", "seat/1", 10), ("NL-33", "over_rake", "seat/1", 5)},
            id="too much rake, and chips left in the pot",
        ),
        pytest.param(
            SHOWDOWN, [SHOWN, paid(15, 2, 285), "ChipsMoved seat/2 seat/1 200 correction"],
            {("NL-29", "split_of_unequal_hands", seat, money) for seat, money in (("seat/1", 85), ("seat/2", -85))},
            id="only a part of a wrong award went on",
        ),
        pytest.param(
            BLINDS, [TO_FLOP, SHORT, CHECKED, paid(5, 3, 175)],
            {
                ("NL-22", "owed_not_put_in", "seat/3", -50),
                ("NL-37", "wrong_winner", "seat/2", 220),
                ("NL-37", "wrong_winner", "seat/3", -175),
            },
            id="50 of a call never put in, and the wrong hand paid",
        ),
        pytest.param(
            BLINDS, [TO_FLOP, CHANGE, CHECKED, paid(30, 3, 600)],
            {
                ("NL-26", "change_kept", "seat/3", 400),
                ("NL-37", "wrong_winner", "seat/2", 220),
                ("NL-37", "wrong_winner", "seat/3", -600),
            },
            id="change kept, and the wrong hand paid with it",
        ),
        pytest.param(
            BLINDS, [TO_FLOP, CHANGE, CHECKED, paid(30, 2, 600)],
            {("NL-26", "change_kept", "seat/3", 400), ("NL-26", "award_with_wrong_bet", "seat/2", -380)},
            id="change kept, and it went to the right hand",
        ),
        pytest.param(
            BLINDS,
            [TO_FLOP, CHANGE, *["ChipsMoved pot seat/3 400 return"] * 2, CHECKED, paid(10, 2, 120)],
            {("NL-02", "returned_too_much", "seat/3", -400), ("NL-02", "unaccounted", "seat/2", 100)},
            id="change given twice",
        ),
    ],
)  # fmt: skip
def test_each_part_has_its_rule(start: str, hand: list[str], expected: set[tuple[str, str, str, int]]) -> None:
    verdict = judged(start, *hand)
    assert parts(verdict) == expected
    sums: dict[str, int] = {}
    for _rule, _code, seat, money in expected:
        sums[seat] = sums.get(seat, 0) + 100 * money
    assert {seat: money for seat, money in sums.items() if money} == verdict.differences
    ruled = any(rule == "NL-37" for rule, *_ in expected)
    assert verdict.standing == ("ruling_required" if ruled else "valid")


def test_what_more_than_the_pot_was_paid_out_goes_back_into_it() -> None:
    twice = ["ChipsMoved pot seat/3 400 return"] * 2
    verdict = judged(BLINDS, TO_FLOP, CHANGE, *twice, CHECKED, paid(10, 2, 120))
    (back,) = {str(one.remedy["moves"]): one.remedy["moves"] for one in verdict.findings if one.money}.values()
    assert [(move["from"], move["to"], move["amount"]) for move in back] == [
        ("seat/3", "seat/2", 10_000),
        ("seat/3", "pot", 30_000),
    ]


def test_rake_that_was_not_taken_is_owed_by_no_player() -> None:
    for taken, award in ((0, 300), (5, 295), (10, 290)):
        verdict = judged(SHOWDOWN, SHOWN, paid(taken, 1, award))
        assert (verdict.settlement, verdict.differences, parts(verdict)) == ("agrees", {}, set())
        assert [(one.rule, one.code, one.kind) for one in verdict.findings] == [("NL-33", "under_rake", "breach")]
        assert verdict.due.rake == 1500


def test_an_expelled_players_hand_that_the_floor_takes_wins_all_the_same() -> None:
    hand = (
        "ActionTaken 1 raise amount=40; ActionTaken 2 call amount=35; ActionTaken 3 call amount=30; CardBurned; "
        "BoardDealt flop 9c,5d,3h; PenaltyGiven p-1 expulsion seat=1 role=management; HandKilled 1 by=floor; "
        "ActionTaken 2 check; ActionTaken 3 check; "
    )
    verdict = judged(BLINDS, hand + CHECKED.removeprefix("ActionTaken 1 fold; "), paid(5, 2, 115))
    assert verdict.standing == "ruling_required"
    assert verdict.differences == {"seat/1": 11_500, "seat/2": -11_500}
    assert ("NL-43", "expelled_hand_killed") in {(one.rule, one.code) for one in verdict.findings}


TO_CALL = (
    "ActionTaken 1 call amount=10; ActionTaken 2 call amount=5; ActionTaken 3 check; CardBurned; "
    "BoardDealt flop 9c,5d,3h; ActionTaken 2 check; ActionTaken 3 bet amount=100; ActionTaken 1 fold"
)
TO_THE_END = (
    "CardBurned; BoardDealt turn 8s; ActionTaken 2 check; ActionTaken 3 check; CardBurned; BoardDealt river 2s; "
    "ActionTaken 2 check; ActionTaken 3 check; HandShown 3 Qh,Qd; HandShown 2 Kh,Kd"
)


@pytest.mark.parametrize(
    ("wrong", "rule", "code"),
    [
        pytest.param(
            "ChipsPushed 2 100 chips=100; ChipsPushed 2 200 chips=100,100", "NL-23", "string_bet", id="a string raise"
        ),
        pytest.param(
            "WordsSpoken 2 raise amount=300 language=de; ChipsPushed 2 300 chips=300", "NL-34",
            "other_language", id="a raise in German",
        ),
        pytest.param(
            "ChipsPushed 2 300 chips=300; WordsSpoken 2 raise", "NL-26", "word_late", id="one chip, and a word too late"
        ),
        pytest.param(
            "WordsSpoken 2 raise amount=300 language=de; ChipsPushed 2 500 chips=500; ChipsMoved pot seat/2 200 return",
            "NL-34", "other_language", id="a raise in German, and change out of the chip",
        ),
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    "answer", ["WordsSpoken 3 call; ChipsPushed 3 200 chips=100,100", "ActionTaken 3 call amount=200"]
)
def test_money_that_answered_a_wrong_action_has_the_rule_of_that_action(
    wrong: str, rule: str, code: str, answer: str
) -> None:
    verdict = judged(BLINDS, TO_CALL, wrong, answer, TO_THE_END, paid(30, 2, 600))
    assert parts(verdict) == {(rule, "change_kept", "seat/3", 200), (rule, "award_with_wrong_bet", "seat/2", -180)}
    (cause,) = [one for one in verdict.findings if one.code == code]
    (kept,) = [one for one in verdict.findings if one.code == "change_kept"]
    assert cause.rule == rule
    assert cause.events[-1] in kept.events
    assert "nothing_to_act" not in {one.code for one in verdict.findings}  # whoever answered is not to blame


def test_a_word_without_a_wrong_bet_before_it_is_still_to_blame_itself() -> None:
    right = "ActionTaken 2 call amount=100; WordsSpoken 3 call; ChipsPushed 3 200 chips=100,100"
    verdict = judged(BLINDS, TO_CALL, right, TO_THE_END, paid(20, 2, 410))
    assert {(one.rule, one.code) for one in verdict.findings if one.subject == "seat/3"} >= {
        ("NL-12", "nothing_to_act"),
        ("NL-12", "change_kept"),
    }


BACK = "ChipsMoved pot seat/2 200 return"
STRING = "ChipsPushed 2 100 chips=100; ChipsPushed 2 200 chips=100,100"


@pytest.mark.parametrize("back", [[BACK, paid(10, 2, 220)], [paid(10, 2, 420)]], ids=["given back", "left in the pot"])
def test_a_fold_to_a_string_raise_moves_nothing_and_the_raise_is_no_corrected_one(back: list[str]) -> None:
    verdict = judged(BLINDS, TO_CALL, STRING, "ActionTaken 3 fold", *back)
    assert (verdict.standing, verdict.settlement) == ("valid", "agrees")
    assert [(one.rule, one.code, one.kind, one.subject) for one in verdict.findings] == [
        ("NL-23", "string_bet", "breach", "seat/2"),
        ("NL-23", "fold_to_void_raise", "advisory", "seat/3"),
    ]
    assert "play went on before it was given back" in verdict.findings[0].text


def test_a_string_raise_that_went_back_at_once_is_corrected() -> None:
    verdict = judged(BLINDS, TO_CALL, STRING, BACK, TO_THE_END, paid(10, 2, 220))
    assert [(one.rule, one.code, one.kind) for one in verdict.findings if one.rule != "NL-27"] == [
        ("NL-23", "string_bet", "corrected")
    ]
