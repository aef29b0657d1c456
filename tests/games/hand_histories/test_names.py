from __future__ import annotations

import tomllib

from games.hand_histories.names import Pseudonyms, without_names


def test_a_name_has_one_id_everywhere() -> None:
    assert Pseudonyms().of("Anna") == Pseudonyms().of("Anna")
    assert Pseudonyms().of("Anna") != Pseudonyms().of("anna")
    assert Pseudonyms().of("Anna").startswith("p-")


def test_a_key_gives_other_ids() -> None:
    assert Pseudonyms(b"kept elsewhere").of("Anna") != Pseudonyms().of("Anna")


def test_names_are_replaced_in_strings_that_are_the_name() -> None:
    text = "players = ['Anna', \"Bob\"]\nevent = 'Annapolis'\n_hero = 'Anna'\n"
    assert without_names(text, {"Anna": "p-1", "Bob": "p-2"}) == (
        "players = ['p-1', \"p-2\"]\nevent = 'Annapolis'\n_hero = 'p-1'\n"
    )


def test_names_and_words_of_names_are_replaced_in_remarks() -> None:
    text = "actions = ['p1 f # Nová folds']  # Anna Nová, always Anna\n# Annapolis\n"
    assert (
        without_names(text, {"Anna Nová": "p-1"}) == "actions = ['p1 f # p-1 folds']  # p-1, always p-1\n# Annapolis\n"
    )


def test_a_name_that_is_written_with_escapes_is_found() -> None:
    assert without_names('players = ["J\\u00e1n", "a\\"b"]', {"Ján": "p-1", 'a"b': "p-2"}) == 'players = ["p-1", "p-2"]'


def test_a_hash_inside_a_name_is_no_remark() -> None:
    replaced = without_names("players = ['#1', 'x # y']", {"#1": "p-1", "x # y": "p-2"})
    assert tomllib.loads(replaced) == {"players": ["p-1", "p-2"]}


def test_short_words_of_a_name_are_left_in_remarks() -> None:
    assert without_names("# al in", {"al in": "p-1", "Al": "p-2"}) == "# p-1"
    assert without_names("# go on", {"go west": "p-1"}) == "# go on"


def test_nothing_to_replace_leaves_the_text() -> None:
    assert without_names("# Anna", {}) == "# Anna"
