"""Every rule's cases: kept, broken, at the edge."""

from __future__ import annotations

import pytest

from games.caribbean_stud import GAME
from games.caribbean_stud.parameters import PARAMETERS
from tests.cases.casework import Case, CaseFile, case_files, check
from tests.games.caribbean_stud.room import EDITION

TABLE = "@+0 TableOpened caribbean_stud CS CZK"
FILES = case_files("caribbean_stud")


@pytest.mark.parametrize(
    ("file", "case"),
    [pytest.param(file, case, id=f"{file.rule}: {case.name}") for file in FILES for case in file.case],
)
def test_case(file: CaseFile, case: Case) -> None:
    check(file, case, GAME, EDITION, TABLE)


def test_every_rule_that_is_checked_has_cases_that_keep_it_break_it_and_touch_it() -> None:
    (book,) = GAME.books
    assert {file.rule for file in FILES} == {one.rule for one in book.checks}
    for file in FILES:
        assert {case.outcome for case in file.case} == {"kept", "broken", "edge"}, file.rule


def test_every_parameter_that_has_another_reading_is_tried_with_it() -> None:
    tried = {name for file in FILES for case in file.case for name in case.parameters}
    assert {own.name for own in PARAMETERS if len(own.choices) != 1} - tried == set()
