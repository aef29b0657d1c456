"""Parameters against the catalogue's section 4, and the editions that come along."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from events.errors import BadEdition
from games.holdem.parameters import PARAMETERS
from games.holdem.rules import RULES
from games.house_rules.edition import read_edition
from games.registry import shipped_editions

CATALOGUE = Path(__file__).parents[4] / "shared" / "rules" / "cash-holdem.md"
OURS = {"rake_source"}
"""Not in the catalogue: what imported hands need."""


def value_of(text: str) -> Any:
    return json.loads(text)


@pytest.fixture
def section() -> str:
    if not CATALOGUE.exists():
        pytest.skip(f"{CATALOGUE} is not here, so parameters cannot be compared with it")
    text = CATALOGUE.read_text(encoding="utf-8")
    return text[text.index("## 4. Ambiguities") : text.index("## 5. Void")]


def test_every_decision_of_the_catalogue_is_a_parameter_with_its_default(section: str) -> None:
    listed = {
        name: value_of(default)
        for cell in re.findall(r"^\| NL-A\d+ \|.*\| (.*) \|$", section, re.MULTILINE)
        for name, default in re.findall(r'`(\w+) = ("[^"]*"|\[[^]]*\]|[\w.]+)`', cell)
    }
    assert {parameter.name: parameter.default for parameter in PARAMETERS if parameter.name not in OURS} == listed


def test_every_alternative_that_the_catalogue_names_can_be_adopted(section: str) -> None:
    for cell in re.findall(r"^\| NL-A\d+ \|.*\| (.*) \|$", section, re.MULTILINE):
        for name, alternatives in re.findall(r"`(\w+) = [^`]*` \(((?:`[^`]*`(?:, )?)+)", cell):
            for alternative in re.findall(r"`([^`]*)`", alternatives):
                PARAMETERS[name].check(value_of(alternative))


def test_the_shipped_editions_state_every_parameter_and_cite_every_rule() -> None:
    mine = {file: toml for room, file, toml in shipped_editions() if room == "holdem"}
    assert sorted(mine) == ["import.toml", "live-games-plan.toml"]
    for toml in mine.values():
        edition = read_edition(toml, RULES.form)
        assert edition.defaulted == ()
        assert sorted(edition.rules) == [f"NL-{number:02d}" for number in range(1, 47)]
        assert RULES.rule_ids <= set(edition.rules)


def test_the_plans_edition_has_the_defaults() -> None:
    toml = next(toml for room, file, toml in shipped_editions() if room == "holdem" and file.startswith("live"))
    edition = read_edition(toml, RULES.form)
    assert edition.parameters == {parameter.name: parameter.default for parameter in PARAMETERS}


def test_a_rate_cannot_be_negative() -> None:
    with pytest.raises(BadEdition, match="rake_rate_bp = -5; it cannot be negative"):
        PARAMETERS["rake_rate_bp"].check(-5)
