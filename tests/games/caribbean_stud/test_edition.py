"""The shipped edition: complete, cited, and refused when it has a hole; the matrix names what the room really finds."""

from __future__ import annotations

import re
from typing import Any

import pytest

from events.errors import BadEdition
from games.caribbean_stud import GAME
from games.caribbean_stud.matrix import MATRIX
from games.caribbean_stud.parameters import PARAMETERS
from games.caribbean_stud.rules import READINGS
from games.house_rules.edition import read_edition
from tests.games.caribbean_stud.room import EDITION, SHIPPED
from tests.games.table import with_parameters

(BOOK,) = GAME.books


def test_every_rule_of_the_edition_is_answered_for_and_the_other_way_round() -> None:
    assert set(SHIPPED.rules) == {f"CS-{number:02d}" for number in range(1, 23)}
    assert BOOK.rule_ids == set(SHIPPED.rules)
    assert not BOOK.by_hand
    assert set(BOOK.not_breakable) == {"CS-16", "CS-19", "CS-22"}


def test_every_parameter_is_stated_with_the_catalogues_default() -> None:
    assert SHIPPED.defaulted == ()
    assert SHIPPED.parameters == {parameter.name: parameter.default for parameter in PARAMETERS}


def test_every_ambiguity_is_a_parameter_or_the_pay_table() -> None:
    known = {own for parameter in PARAMETERS for own in parameter.ambiguity.split(", ")}
    assert known | {"C5"} == {f"C{number}" for number in range(1, 39)}


def test_every_parameter_is_read_by_a_check_so_that_its_findings_name_it() -> None:
    read = {name for check in BOOK.checks for name in check.parameters}
    assert read == {parameter.name for parameter in PARAMETERS}


def test_every_reading_that_can_be_chosen_is_told_where_it_moves_money() -> None:
    figures = {
        "cs.bonus.table", "cs.limits", "cs.max_payout", "cs.max_players", "cs.boxes_per_player", "cs.time.limit_s",
        "cs.recut.max",
    }  # fmt: skip
    chosen = {own.name for own in PARAMETERS if len(own.choices) != 1}
    assert chosen - figures - set(READINGS) == {"cs.void.by_ruling"}


@pytest.mark.parametrize(
    ("was", "becomes", "says"),
    [
        ("ST = 4\n", "", "ST"),
        ("ST = 4\n", "ST = 4\nSTR = 4\n", "STR"),
        ("ST = 4\n", "ST = 0\n", "Expected `int` >= 1"),
        ("ST = 4\n", "ST = 4.5\n", "float"),
        ("ST = 4\n", "ST = 6\n", "weaker hand"),
        ('"cs.tie" = "push"', '"cs.tie" = "lose"', "cs.tie"),
        ('"cs.tie"', '"cs.ties"', "cs.ties"),
        ('"cs.max_players" = 6', '"cs.max_players" = "six"', "cs.max_players"),
        ('"cs.limits" = "null"', '"cs.limits" = [5, 2]', "cs.limits"),
        ('"cs.limits" = "null"', '"cs.limits" = [5]', "cs.limits"),
        ('"cs.bonus.table" = "null"', '"cs.bonus.table" = { kind = "fixed", prizes = {} }', "names no hand"),
        ('"cs.bonus.table" = "null"', '"cs.bonus.table" = { kind = "fixed", prizes = { FX = 5 } }', "FX"),
        ('"cs.bonus.table" = "null"', '"cs.bonus.table" = { kind = "gift", prizes = { FL = 5 } }', "gift"),
        ("[constants]", "[constants]\ncolour = 1", "colour"),
    ],
)
def test_an_edition_with_a_hole_or_a_slip_is_refused(was: str, becomes: str, says: str) -> None:
    assert was in EDITION
    with pytest.raises(BadEdition, match=re.escape(says)):
        read_edition(EDITION.replace(was, becomes, 1), BOOK.form)


@pytest.mark.parametrize("name", [own.name for own in PARAMETERS if len(own.choices) > 1])
def test_each_reading_of_a_parameter_can_be_adopted(name: str) -> None:
    for choice in PARAMETERS[name].choices:
        changed: dict[str, Any] = {name: choice}
        assert read_edition(with_parameters(EDITION, changed, GAME), BOOK.form)[name] == choice


def test_the_matrix_cites_rules_of_the_book() -> None:
    assert {row.rule for row in MATRIX} <= set(SHIPPED.rules)
    assert all(row.trigger and row.evidence and row.effects for row in MATRIX)
