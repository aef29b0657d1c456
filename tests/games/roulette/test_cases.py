"""Every rule's cases: kept, broken, at the edge."""

from __future__ import annotations

import pytest

from games.roulette import GAME
from games.roulette.layout import WHEEL
from tests.cases.casework import Case, CaseFile, case_files, check
from tests.games.roulette.room import EDITION

TABLE = f"""
@+0 TableOpened roulette RL CZK min=10 max=10000
@+1 WheelInstalled w-1 {",".join(map(str, WHEEL))}
"""
FILES = case_files("roulette")


@pytest.mark.parametrize(
    ("file", "case"),
    [pytest.param(file, case, id=f"{file.rule}: {case.name}") for file in FILES for case in file.case],
)
def test_case(file: CaseFile, case: Case) -> None:
    check(file, case, GAME, EDITION, TABLE)


def test_every_rule_has_a_case_that_keeps_it_one_that_breaks_it_and_one_at_its_edge() -> None:
    rules = [f"RL-{number:02d}" for number in range(1, 43)]
    assert [file.rule for file in FILES] == rules
    for file in FILES:
        assert {case.outcome for case in file.case} == {"kept", "broken", "edge"}, file.rule
