"""Every room's void-and-refund matrix: its rows name rules of the editions, or ambiguities of the catalogue."""

from __future__ import annotations

import pytest

from games.registry import rooms, shipped_editions
from tests.games.test_every_room import edition_of


@pytest.mark.parametrize("room", rooms())
def test_a_matrix_names_rules_of_its_edition_or_ambiguities(room: str) -> None:
    game = rooms()[room]
    rules = {rule for name, _file, toml in shipped_editions() if name == room for rule in edition_of(room, toml).rules}
    ambiguities = {one.ambiguity for book in game.books for one in book.form.parameters if one.ambiguity}
    assert game.matrix
    for row in game.matrix:
        assert row.rule in rules or row.rule in ambiguities or "-A" in row.rule, row.trigger
        assert row.scopes or row.effects in (("none",), ("refund",), ("resettle",)), row.trigger
