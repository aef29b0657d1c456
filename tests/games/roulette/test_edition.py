"""The shipped edition: complete, cited, and refused when it has a hole."""

from __future__ import annotations

import re

import pytest

from events.errors import BadEdition
from games.house_rules.edition import read_edition
from games.roulette import GAME
from games.roulette.layout import WHEEL
from games.roulette.parameters import PARAMETERS
from tests.games.roulette.room import EDITION, SHIPPED
from tests.games.table import with_parameters

(BOOK,) = GAME.books


def test_every_rule_of_the_edition_is_answered_for_and_the_other_way_round() -> None:
    assert set(SHIPPED.rules) == {f"RL-{number:02d}" for number in range(1, 43)}
    assert BOOK.rule_ids == set(SHIPPED.rules)
    assert len(BOOK.by_hand) <= 3
    assert all(BOOK.not_breakable.values())


def test_every_rule_cites_its_source() -> None:
    for rule_id, rule in SHIPPED.rules.items():
        assert rule.title
        assert rule.text.endswith("."), rule_id
        assert "\n" not in rule.text
        assert re.match(r"§1\.\d", rule.source) or rule_id == "RL-42", rule_id


def test_every_parameter_is_stated_with_the_catalogues_default() -> None:
    assert SHIPPED.defaulted == ()
    assert SHIPPED.parameters == {parameter.name: parameter.default for parameter in PARAMETERS}
    for parameter in PARAMETERS:
        assert re.fullmatch(r"RL-A\d\d", parameter.ambiguity)
        assert f'"{parameter.name}" =' in EDITION


def test_every_parameter_is_read_by_a_check_so_that_its_findings_name_it() -> None:
    read = {name for check in BOOK.checks for name in check.parameters}
    assert read == {parameter.name for parameter in PARAMETERS}


def test_every_ambiguity_that_leaves_a_choice_is_a_parameter() -> None:
    known = {parameter.ambiguity for parameter in PARAMETERS}
    nothing_to_choose = {"RL-A27", "RL-A33"}
    assert known == {f"RL-A{number:02d}" for number in range(1, 39)} - nothing_to_choose


def test_the_wheel_of_the_edition_is_the_one_that_the_layout_knows() -> None:
    assert SHIPPED.constants.wheel_order == WHEEL


@pytest.mark.parametrize(
    ("was", "becomes", "says"),
    [
        ("split = 17\n", "", "split"),
        ("split = 17\n", "split = 17\nbasket = 6\n", "basket"),
        ("split = 17\n", "splits = 17\n", "split"),
        ("split = 17\n", "split = 0\n", "Expected `int` >= 1"),
        ("split = 17\n", "split = 17.5\n", "float"),
        ("    0, 32, 15,", "    0, 32, 32,", "wheel_order"),
        ("    0, 32, 15,", "    32, 15,", "wheel_order"),
        ('"roulette.zero_rule" = "lose_all"', '"roulette.zero_rule" = "la_partage"', "zero_rule"),
        ('"roulette.zero_rule"', '"roulette.zero_rul"', "zero_rul"),
        ('"roulette.min_ball_revolutions" = 10', '"roulette.min_ball_revolutions" = "ten"', "min_ball_revolutions"),
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
