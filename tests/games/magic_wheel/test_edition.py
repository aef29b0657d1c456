"""The shipped edition: complete, cited, and refused when it has a hole; the matrix names what the room really finds."""

from __future__ import annotations

import re

import pytest

from events.errors import BadEdition
from games.house_rules.edition import read_edition
from games.magic_wheel import GAME
from games.magic_wheel.dealer import WHEEL
from games.magic_wheel.parameters import PARAMETERS
from games.magic_wheel.payouts import READINGS
from games.magic_wheel.symbols import COUNTS
from tests.games.magic_wheel.room import EDITION, SHIPPED
from tests.games.table import with_parameters

(BOOK,) = GAME.books


def test_every_rule_of_the_edition_is_answered_for_and_the_other_way_round() -> None:
    assert set(SHIPPED.rules) == {f"MW-{number:02d}" for number in range(1, 18)}
    assert BOOK.rule_ids == set(SHIPPED.rules)
    assert set(BOOK.by_hand) == {"MW-05"}
    assert set(BOOK.not_breakable) == {"MW-03", "MW-09", "MW-17"}


def test_every_rule_cites_its_source() -> None:
    for rule_id, rule in SHIPPED.rules.items():
        assert rule.text.endswith("."), rule_id
        assert re.match(r"§3\.\d ¶\d", rule.source) or rule_id == "MW-17", rule_id


def test_every_parameter_is_stated_with_the_catalogues_default() -> None:
    assert SHIPPED.defaulted == ()
    assert SHIPPED.parameters == {parameter.name: parameter.default for parameter in PARAMETERS}


def test_every_parameter_is_read_by_a_check_so_that_its_findings_name_it() -> None:
    read = {name for check in BOOK.checks for name in check.parameters}
    assert read == {parameter.name for parameter in PARAMETERS}


def test_every_ambiguity_that_leaves_a_choice_is_a_parameter() -> None:
    known = {parameter.ambiguity for parameter in PARAMETERS}
    nothing_to_choose = {"MW-A15", "MW-A21"}
    assert known == {f"MW-A{number:02d}" for number in range(1, 24)} - nothing_to_choose


def test_every_reading_that_moves_money_is_told() -> None:
    chosen = {parameter.name for parameter in PARAMETERS if len(parameter.choices) > 1}
    assert chosen - set(READINGS) == {"wheel.settlement_order"}


def test_the_wheel_of_the_edition_is_the_one_that_the_croupier_turns() -> None:
    assert SHIPPED.constants.fields == COUNTS
    assert {symbol: WHEEL.count(symbol) for symbol in COUNTS} == COUNTS


@pytest.mark.parametrize(
    ("was", "becomes", "says"),
    [
        ("star = 10\n", "", "star"),
        ("star = 10\n", "star = 10\nbanana = 4\n", "banana"),
        ("star = 10\n", "stars = 10\n", "star"),
        ("star = 10\n", "star = 0\n", "Expected `int` >= 1"),
        ("star = 10\n", "star = 10.5\n", "float"),
        ("star = 10\n", "star = 10\nx = 1\n", "x"),
        ("bell = 6\n", "bell = 5\n", "29 fields"),
        ("bell = 6\n", "", "bell"),
        ('"wheel.pin_x" = "counts"', '"wheel.pin_x" = "skipped"', "wheel.pin_x"),
        ('"wheel.pin_x"', '"wheel.pin_y"', "wheel.pin_y"),
        ('"wheel.min_rotations" = 5', '"wheel.min_rotations" = "five"', "min_rotations"),
        ("[constants]", "[constants]\ncolour = 1", "colour"),
    ],
)
def test_an_edition_with_a_hole_or_a_slip_is_refused(was: str, becomes: str, says: str) -> None:
    assert was in EDITION
    with pytest.raises(BadEdition, match=re.escape(says)):
        read_edition(EDITION.replace(was, becomes, 1), BOOK.form)


@pytest.mark.parametrize("name", [parameter.name for parameter in PARAMETERS if len(parameter.choices) > 1])
def test_each_reading_of_a_parameter_can_be_adopted(name: str) -> None:
    for choice in PARAMETERS[name].choices:
        edition = read_edition(with_parameters(EDITION, {name: choice}, GAME), BOOK.form)
        assert edition[name] == choice
