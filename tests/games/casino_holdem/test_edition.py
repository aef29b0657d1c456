"""The shipped edition: complete, cited, and refused when it has a hole; the matrix knows every finding that moves money."""

from __future__ import annotations

import re

import pytest

from events.errors import BadEdition
from games.casino_holdem import GAME
from games.casino_holdem.matrix import MATRIX
from games.casino_holdem.parameters import PARAMETERS
from games.casino_holdem.rulings import RULE_OF_GROUND
from games.house_rules.edition import read_edition
from tests.cases.casework import case_files
from tests.games.casino_holdem.room import EDITION, SHIPPED
from tests.games.table import with_parameters

(BOOK,) = GAME.books


def test_every_rule_of_the_edition_is_answered_for_and_the_other_way_round() -> None:
    assert set(SHIPPED.rules) == {f"CH-{number:02d}" for number in range(1, 35)}
    assert BOOK.rule_ids == set(SHIPPED.rules)
    assert not BOOK.by_hand
    assert set(BOOK.not_breakable) == {"CH-32"}


def test_what_the_dealer_can_break_is_all_but_a_definition_and_what_the_house_allows() -> None:
    assert set(SHIPPED.rules) - set(GAME.breaches) == {"CH-09", "CH-32"}


def test_every_rule_cites_its_source() -> None:
    for rule_id, rule in SHIPPED.rules.items():
        assert rule.text.endswith("."), rule_id
        assert "\n" not in rule.text
        assert re.match(r"§4\.\d", rule.source), rule_id


def test_every_parameter_is_stated_with_the_catalogues_default() -> None:
    assert SHIPPED.defaulted == ()
    assert SHIPPED.parameters == {parameter.name: parameter.default for parameter in PARAMETERS}
    assert {parameter.ambiguity for parameter in PARAMETERS} == {f"CH-A{number}" for number in range(1, 30)}


def test_every_parameter_is_read_by_a_check_so_that_its_findings_name_it() -> None:
    read = {name for check in BOOK.checks for name in check.parameters}
    assert read == {parameter.name for parameter in PARAMETERS}


@pytest.mark.parametrize(
    ("was", "becomes", "says"),
    [
        ('flush = "3:2"\n', "", "flush"),
        ('flush = "3:2"\n', 'flush = "3:2"\nthree_of_a_kind = "1:1"\n', "three_of_a_kind"),
        ('flush = "3:2"\n', 'flsh = "3:2"\n', "flsh"),
        ('flush = "3:2"\n', 'flush = "3:0"\n', "matching regex"),
        ('flush = "3:2"\n', "flush = 1.5\n", "float"),
        ('three_of_a_kind = "3:1"\n', "", "trips misses"),
        ("[constants.blind]", "[constants]\ncolour = 1\n[constants.blind]", "colour"),
        ('"fold_settlement"', '"fold_setlement"', "fold_setlement"),
        ('"tie" = "push"', '"tie" = "half"', "tie"),
        ('"payout_unit" = 100', '"payout_unit" = "one"', "payout_unit"),
        ('"1" = [3, 4]', '"1" = [3]', "play_multiples"),
    ],
)
def test_an_edition_with_a_hole_or_a_slip_is_refused(was: str, becomes: str, says: str) -> None:
    assert was in EDITION
    with pytest.raises(BadEdition, match=re.escape(says)):
        read_edition(EDITION.replace(was, becomes, 1), BOOK.form)


@pytest.mark.parametrize("name", [parameter.name for parameter in PARAMETERS if len(parameter.choices) > 1])
def test_each_reading_of_a_parameter_can_be_adopted_and_is_tried_by_a_case(name: str) -> None:
    for choice in PARAMETERS[name].choices:
        edition = read_edition(with_parameters(EDITION, {name: choice}, GAME), BOOK.form)
        assert edition[name] == choice
    tried = {
        str(own.parameters[name]) for file in case_files("casino_holdem") for own in file.case if name in own.parameters
    }
    assert {str(choice) for choice in PARAMETERS[name].choices} - {str(PARAMETERS[name].default)} <= tried


def test_the_matrix_knows_every_finding_that_moves_money_or_waits_for_a_person() -> None:
    known = {ground for row in MATRIX for ground in row.grounds}
    assert set(RULE_OF_GROUND) <= known
    words = [finding.split() for file in case_files("casino_holdem") for own in file.case for finding in own.findings]
    moving = {
        word[1] for word in words if word[0].startswith("CH") and word[2] in ("void", "misdeal", "ruling_required")
    }
    corrected = {word[1] for word in words if word[0].startswith("CH") and word[2] in ("corrected", "mispaid")}
    assert moving - {"fouled_deck_before"} <= known
    assert corrected - {"misannounced_hand"} <= known
