"""The shipped edition: the catalogue's figures; and what does not load says why."""

from __future__ import annotations

import pytest

from events.errors import BadEdition
from games.house_rules.edition import read_edition
from games.russian_poker.combinations import CODES
from games.russian_poker.matrix import GROUND_OF, MATRIX
from games.russian_poker.parameters import PARAMETERS
from games.russian_poker.rules import READINGS, RULES
from tests.games.russian_poker.room import EDITION

SHIPPED = read_edition(EDITION, RULES.form)


def changed(old: str, new: str) -> str:
    assert EDITION.count(old) >= 1, old
    return EDITION.replace(old, new, 1)


def test_the_edition_states_every_parameter_and_holds_every_rule() -> None:
    assert SHIPPED.defaulted == ()
    assert list(SHIPPED.rules) == [f"RP-{number:02d}" for number in range(1, 47)]


def test_every_decision_of_the_catalogue_is_a_parameter() -> None:
    assert {parameter.ambiguity for parameter in PARAMETERS} >= {f"D{number}" for number in range(1, 59)} - {"D11"}
    assert "D11" in PARAMETERS["rp.compare"].meaning


def test_the_table_of_second_combinations_has_twenty_one_cells() -> None:
    cells = {(first, second) for first, own in SHIPPED.constants.second.items() for second in own}
    assert len(cells) == 21
    assert SHIPPED.constants.odds("RF", "SF") == 150
    assert SHIPPED.constants.odds("1P", "AK") == 2
    assert SHIPPED.constants.odds("1P", "2P") == 1
    assert [SHIPPED.constants.odds(code, None) for code in CODES] == [100, 50, 20, 7, 5, 4, 3, 2, 1, 1, 0]


def test_a_tiers_maximum_is_fifty_times_its_highest_bet() -> None:
    assert len(SHIPPED.constants.tiers) == 6
    for tier in SHIPPED.constants.tiers.values():
        assert tier.max_payout == 50 * tier.bet[1]


def test_three_of_a_kind_is_as_printed_and_every_other_prize_converts() -> None:
    euro, crowns = SHIPPED.constants.bonus["EUR"], SHIPPED.constants.bonus["CZK"]
    assert (euro["3K"], crowns["3K"]) == (2_500, 75_000)
    assert all(crowns[code] == 25 * euro[code] for code in euro if code != "3K")


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('"rp.compare" =', '"rp.comparison" =', "no parameter is called `rp.comparison`"),
        ('"rp.compare" = "full_five_card"', '"rp.compare" = "suits"', "it can be"),
        ("FH = 7\n", "", r"the pay table misses \['FH'\]"),
        ("FH = 7\n", "FH = 7\nHC = 1\n", r"unknown \['HC'\]"),
        ("FH = 7\n", "FH = 0\n", "constants|>= 1"),
        ("SF = 50_000\n", "", "the bonus table of EUR misses"),
        ('4K = ["AK", "FH"]\n', "", "the table of second combinations misses"),
        ('4K = ["AK", "FH"]\n', '4K = ["AK", "XX"]\n', "the second combinations of 4K"),
        ("ante = [5_000, 100_000]", "ante = [500_000, 100_000]", "minimum above the maximum"),
        ("ante = [5_000, 100_000]", "ante = [5_000, 90_000]", "not twice the ante limits"),
        ('currency = "CZK"', 'currency = "USD"', "no bonus table"),
        ("max_payout = 10_000_000", "max_pay = 10_000_000", "max_pay"),
    ],
)
def test_an_edition_with_a_hole_or_a_misspelt_name_is_refused(old: str, new: str, says: str) -> None:
    with pytest.raises(BadEdition, match=says):
        read_edition(changed(old, new), RULES.form)


def test_readings_and_matrix_name_what_there_is() -> None:
    assert set(READINGS) <= {parameter.name for parameter in PARAMETERS}
    assert {row.rule for row in MATRIX} <= {f"RP-{number:02d}" for number in range(1, 47)}
    assert set(GROUND_OF) <= {ground for row in MATRIX for ground in row.grounds}
