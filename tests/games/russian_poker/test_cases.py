"""Every rule's cases: kept, broken, at the edge."""

from __future__ import annotations

import pytest

from games.russian_poker import GAME
from games.russian_poker.rules import RULES
from tests.cases.casework import Case, CaseFile, case_files, check
from tests.games.russian_poker.room import EDITION, TABLE

FILES = case_files("russian_poker")


@pytest.mark.parametrize(
    ("file", "case"),
    [pytest.param(file, case, id=f"{file.rule}: {case.name}") for file in FILES for case in file.case],
)
def test_case(file: CaseFile, case: Case) -> None:
    check(file, case, GAME, EDITION, TABLE)


def test_every_rule_that_can_be_broken_has_a_case_that_keeps_it_one_that_breaks_it_and_one_at_its_edge() -> None:
    rules = [f"RP-{number:02d}" for number in range(1, 47)]
    assert [file.rule for file in FILES] == [rule for rule in rules if rule not in RULES.not_breakable]
    for file in FILES:
        assert {case.outcome for case in file.case} == {"kept", "broken", "edge"}, file.rule
