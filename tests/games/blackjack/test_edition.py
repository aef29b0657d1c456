"""The shipped edition: complete, cited, and refused when it has a hole."""

from __future__ import annotations

import re

import pytest

from events.errors import BadEdition
from games.blackjack import GAME
from games.blackjack.parameters import PARAMETERS
from games.house_rules.edition import read_edition
from tests.games.blackjack.room import EDITION, SHIPPED
from tests.games.table import with_parameters

(BOOK,) = GAME.books


def test_every_rule_of_the_edition_is_answered_for_and_the_other_way_round() -> None:
    assert set(SHIPPED.rules) == {f"BJ-{number:02d}" for number in range(1, 49)}
    assert BOOK.rule_ids == set(SHIPPED.rules)
    assert BOOK.by_hand == {}
    assert set(BOOK.not_breakable) == {"BJ-15", "BJ-32", "BJ-48"}
    assert set(GAME.breaches) == set(SHIPPED.rules) - set(BOOK.not_breakable)


def test_every_rule_cites_its_source_in_the_words_of_the_plan() -> None:
    for rule_id, rule in SHIPPED.rules.items():
        assert rule.text.endswith("."), rule_id
        assert "\n" not in rule.text
        assert re.match(r'(derived from )?§2\.\d ¶\d+ "', rule.source) or rule_id == "BJ-48", rule_id


def test_every_parameter_is_stated_with_the_catalogues_default() -> None:
    assert SHIPPED.defaulted == ()
    assert SHIPPED.parameters == {parameter.name: parameter.default for parameter in PARAMETERS}
    for parameter in PARAMETERS:
        assert re.fullmatch(r"BJ-A\d\d", parameter.ambiguity)


def test_every_parameter_is_read_by_a_check_so_that_its_findings_name_it() -> None:
    read = {name for check in BOOK.checks for name in check.parameters}
    assert read == {parameter.name for parameter in PARAMETERS}


def test_every_ambiguity_that_leaves_a_choice_is_a_parameter() -> None:
    known = {parameter.ambiguity for parameter in PARAMETERS}
    told_by_another = {"BJ-A44", "BJ-A47"}  # the dealing direction of BJ-A20, and two words for one person
    assert known == {f"BJ-A{number:02d}" for number in range(1, 53)} - told_by_another


@pytest.mark.parametrize(
    ("was", "becomes", "says"),
    [
        ("blackjack = [3, 2]", "", "blackjack"),
        ("blackjack = [3, 2]", "blackjack = [6, 0]", ">= 1"),
        ("blackjack = [3, 2]", "blackjack = 1.5", "float"),
        ("insurance = [2, 1]", "insurance = [2, 1]\nperfect_pair = [5, 1]", "perfect_pair"),
        ("insurance = [2, 1]", "insuranse = [2, 1]", "insurance"),
        ("packs = 6", "packs = 0", ">= 1"),
        ("packs = 6", "pax = 6", "pax"),
        ("dealer_stands_on = 17", "dealer_stands_on = 18", "17"),
        ('"blackjack.push_effect" = "return_stake"', '"blackjack.push_effect" = "take"', "push_effect"),
        ('"blackjack.push_effect"', '"blackjack.push_efect"', "push_efect"),
        ('"blackjack.min_cut_cards" = 52', '"blackjack.min_cut_cards" = "many"', "min_cut_cards"),
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
