"""Every rule's cases: kept, broken, at the edge."""

from __future__ import annotations

import pytest

from games.blackjack import GAME
from tests.cases.casework import Case, CaseFile, case_files, check
from tests.games.blackjack.room import EDITION, TABLE

FILES = case_files("blackjack")


@pytest.mark.parametrize(
    ("file", "case"),
    [pytest.param(file, case, id=f"{file.rule}: {case.name}") for file in FILES for case in file.case],
)
def test_case(file: CaseFile, case: Case) -> None:
    check(file, case, GAME, EDITION, TABLE)


def test_every_rule_that_can_be_checked_has_a_case_that_keeps_it_breaks_it_and_touches_it() -> None:
    rules = [f"BJ-{number:02d}" for number in range(1, 49)]
    assert [file.rule for file in FILES] == [rule for rule in rules if rule != "BJ-32"]
    for file in FILES:
        assert {case.outcome for case in file.case} == {"kept", "broken", "edge"}, file.rule
