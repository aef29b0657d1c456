"""Every rule that has a check: a hand that keeps it, one that breaks it, one at the edge (tests/cases/holdem)."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from games.holdem import GAME
from games.holdem.dealer import shipped_edition
from games.holdem.rules import RULES
from tests.cases.casework import OPENING, in_hand
from tests.games.table import all_findings, catalogue_of, facts_of_lines, judge_facts, with_parameters

FOLDER = Path(__file__).parents[2] / "cases" / "holdem"
CASES = [
    pytest.param(file.stem, case, id=f"{file.stem} {case['name']}")
    for file in sorted(FOLDER.glob("NL-*.toml"))
    for case in tomllib.loads(file.read_text(encoding="utf-8"))["case"]
]
CATALOGUE = catalogue_of(GAME)


@pytest.mark.parametrize(("rule", "case"), CASES)
def test_the_hand_is_judged_as_its_case_says(rule: str, case: dict[str, Any]) -> None:
    text = OPENING + in_hand(case)
    toml = with_parameters(shipped_edition().toml, case.get("parameters", {}), GAME)
    judgement = judge_facts(facts_of_lines(text, CATALOGUE), GAME, toml)
    found = all_findings(judgement)
    verdict = judgement.verdicts[-1]
    assert [f"{one.rule} {one.code} {one.kind}" for one in found] == case["findings"]
    if "standing" in case:
        assert verdict.standing == case["standing"]
    if "settlement" in case:
        assert verdict.settlement == case["settlement"]
    if "money" in case:
        assert {one.player: one.money for one in found} == {who: 100 * much for who, much in case["money"].items()}
    if "remedy" in case:
        told = {key: value // 100 if isinstance(value, int) else value for key, value in found[0].remedy.items()}
        assert told == case["remedy"]
    if "text" in case:
        assert found[0].text == case["text"]
    if "rests_on" in case:
        assert [int(cite.partition("@")[0]) for cite in found[0].events] == case["rests_on"]


def test_every_check_has_cases_that_keep_break_and_touch_its_rule() -> None:
    seen: dict[str, set[str]] = {}
    for rule, case in (parameter.values for parameter in CASES):
        seen.setdefault(str(rule), set()).add(case["is"])  # type: ignore[index]
    checked = {check.rule for check in RULES.checks}
    assert {rule: kinds for rule, kinds in seen.items() if kinds >= {"kept", "broken", "edge"}}.keys() == checked


def test_a_broken_case_reports_its_own_rule_only() -> None:
    for rule, case in (parameter.values for parameter in CASES):
        for finding in case["findings"]:  # type: ignore[index]
            assert finding.startswith(f"{rule} ")
