"""Every rule's cases: kept, broken, at the edge."""

from __future__ import annotations

import pytest

from games.casino_holdem import GAME
from tests.cases.casework import Case, CaseFile, case_files, check
from tests.games.casino_holdem.room import EDITION, TABLE

FILES = case_files("casino_holdem")


@pytest.mark.parametrize(
    ("file", "case"),
    [pytest.param(file, case, id=f"{file.rule}: {case.name}") for file in FILES for case in file.case],
)
def test_case(file: CaseFile, case: Case) -> None:
    check(file, case, GAME, EDITION, TABLE)


def test_every_rule_has_a_case_that_keeps_it_one_that_breaks_it_and_one_at_its_edge() -> None:
    (book,) = GAME.books
    assert {file.rule for file in FILES} == {f"CH-{number:02d}" for number in range(1, 35)} - set(book.not_breakable)
    for file in FILES:
        assert {case.outcome for case in file.case} == {"kept", "broken", "edge"}, file.rule
