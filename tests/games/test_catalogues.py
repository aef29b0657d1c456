"""Every room's parameters against section 4 of its catalogue, where the catalogues lie beside the checkout."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from cli.assembly import rooms

RULES = Path(__file__).parents[3] / "shared" / "rules"
FILES = {
    "roulette": "roulette", "blackjack": "blackjack", "magic_wheel": "magic-wheel", "caribbean_stud": "caribbean-stud",
    "casino_holdem": "casino-holdem", "russian_poker": "russian-poker",
}  # fmt: skip
"""Hold'em's have a file of their own, beside its edition for imported hands."""

OTHERWISE = {
    "payout_unit": 100,  # the catalogue counts crowns, events count haléř
    "roulette.legal_positions": "catalogue",  # `the lists of 2.3`
}
_STATED = re.compile(r"`([a-z][a-z0-9_.<>]*)`?\s*=\s*`?([^`;,(]*)`?")
_PLAIN: dict[str, Any] = {"null": None, "true": True, "false": False}


def stated(room: str) -> dict[str, str]:
    """Name → default as written, of every parameter in the last column of section 4."""
    path = RULES / f"{FILES[room]}.md"
    if not path.exists():
        pytest.skip("no ../shared beside this checkout: parameters cannot be compared with the catalogues")
    text = path.read_text(encoding="utf-8")
    section = text[text.index("\n## 4") :]
    rows = [line for line in section[: section.index("\n## 5")].splitlines() if line.startswith("|")]
    return {name: default.strip() for row in rows for name, default in _STATED.findall(row.strip("|").split("|")[-1])}


@pytest.mark.parametrize("room", FILES)
def test_every_decision_of_the_catalogue_is_a_parameter_with_its_default(room: str) -> None:
    wanted = stated(room)
    have = {one.name: one for book in rooms()[room].books for one in book.form.parameters}
    assert len(wanted) >= 20
    assert set(wanted) <= set(have)
    for name, text in wanted.items():
        default = have[name].default
        if isinstance(default, list | dict | tuple):
            continue  # written over several cells' worth of brackets; the editions' tests hold their values
        written = text.strip('"')
        value = OTHERWISE.get(name, _PLAIN.get(written, int(written) if written.isdigit() else written))
        if name == "blackjack.shuffle_steps":
            assert str(default).startswith(str(value))  # a list in words, of which the first comma ends the match
        else:
            assert default == value, name


@pytest.mark.parametrize("room", FILES)
def test_every_parameter_names_the_ambiguity_that_it_decides(room: str) -> None:
    for book in rooms()[room].books:
        for parameter in book.form.parameters:
            assert parameter.ambiguity, parameter.name
