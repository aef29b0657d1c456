"""Where a person decides: the outcomes shown, and what each ruling makes of them."""

from __future__ import annotations

import pytest

from games.russian_poker import GAME
from games.verdict import Verdict
from tests.cases.casework import case_files
from tests.games.russian_poker.room import CATALOGUE, EDITION, TABLE
from tests.games.table import facts_of_lines, judge_facts

CASES = {(file.rule, case.name): case.lines for file in case_files("russian_poker") for case in file.case}
EARLY = CASES["RP-23", "turned before the box decided: a person decides"]
RULED = "RulingApplied r-1 early_reveal scope=round standard=fact role=management rounds=1 "


def judged(lines: str) -> Verdict:
    return judge_facts(facts_of_lines(TABLE + lines, CATALOGUE), GAME, EDITION).verdicts[0]


def nets(verdict: Verdict) -> dict[str, int]:
    return {name: sum(line.net for line in lines) for name, lines in verdict.due.candidates.items()}


def test_who_had_not_decided_waits_and_the_outcomes_are_shown() -> None:
    verdict = judged(EARLY)
    assert [line.held for line in verdict.due.lines if line.stake == "k1"] == [10_000]
    assert nets(verdict) == {"as_it_lies": 0, "folded": -10_000, "round_void": 0}
    assert {line.returned for line in verdict.due.candidates["round_void"]} == {10_000, 20_000}


@pytest.mark.parametrize(
    ("ruling", "standing", "net"),
    [
        ("players=p-1 remedy=fold", "valid", -10_000),
        ("bets=k1 remedy=fold", "valid", -10_000),
        ("remedy=void", "void", 0),
        ("players=p-9 remedy=fold", "ruling_required", 0),
        ("remedy=valid", "ruling_required", 0),
    ],
)
def test_a_ruling_counts_him_as_folded_or_voids_the_round(ruling: str, standing: str, net: int) -> None:
    verdict = judged(f"{EARLY}\n{RULED}{ruling}")
    assert (verdict.standing, sum(line.net for line in verdict.due.lines)) == (standing, net)


def test_a_ruling_on_another_ground_answers_nothing() -> None:
    lines = CASES["RP-46", "a card is burnt"]
    about = "RulingApplied r-1 {} scope=round standard=fact role=management rounds=1 remedy=valid"
    assert judged(f"{lines}\n{about.format('second_box')}").standing == "ruling_required"
    assert judged(f"{lines}\n{about.format('irregular_deal')}").standing == "valid"


def test_an_order_for_another_deck_that_was_replaced_orders_none() -> None:
    lines = CASES["RP-06", "a ruling ordered it after the round before"]
    instead = "@+46 RulingApplied r-2 bad_luck standard=fact role=management rounds=1 remedy=valid replaces=r-1"
    for more, found in (("", {"deck_not_changed"}), (instead, set())):
        judgement = judge_facts(facts_of_lines(f"{TABLE}{lines}{more}", CATALOGUE), GAME, EDITION)
        assert {one.code for one in judgement.verdicts[1].findings if one.rule == "RP-06"} == found
