"""Every row of the catalogue's action algorithm, in the form of its vectors, with numbers that it does not print."""

from __future__ import annotations

from typing import Any

import pytest

from tests.vectors import holdem

Row = tuple[str, dict[str, Any], tuple[str, str, int, int, int]]


def facing(to_match: int, chips: list[int] | None = None, **more: Any) -> dict[str, Any]:
    """A player on the flop at a table 5/10; the word, if any, comes a second before the chips."""
    word = more.pop("word", None)
    verbal = None if word is None else {"t": 1.0, **({"word": word} if isinstance(word, str) else word)}
    return {
        "kind": "action", "street": "flop", "bb": 10, "C": to_match, "committed": 0, "stack": 1000,
        "verbal": verbal, "chips": chips or [], "t_contact": 2.0, **more,
    }  # fmt: skip


OPTION = {"street": "preflop", "committed": 10, "stack": 990}
ROWS: list[Row] = [
    ("raise and an amount of M", facing(100, word={"word": "raise", "amount": 200}), ("VALID", "raise", 200, 200, 0)),
    ("raise and less than M", facing(100, word={"word": "raise", "amount": 199}), ("CORRECTED", "raise", 200, 200, 0)),
    (
        "raise and all he has, less than M",
        facing(100, word={"word": "raise", "amount": 150}, stack=150),
        ("VALID", "raise", 150, 150, 0),
    ),
    ("raise and several chips", facing(100, [100, 200], word="raise"), ("VALID", "raise", 300, 0, 0)),
    ("raise and several chips below M", facing(100, [100, 50], word="raise"), ("CORRECTED", "raise", 200, 50, 0)),
    ("call and too much", facing(100, [100, 25], word="call"), ("VALID", "call", 100, 0, 25)),
    ("call and too little", facing(100, [50], word="call"), ("VALID", "call", 100, 50, 0)),
    ("bet facing a bet", facing(100, word={"word": "bet", "amount": 300}), ("VALID", "raise", 300, 300, 0)),
    ("raise where nobody has bet", facing(0, word={"word": "raise", "amount": 50}), ("VALID", "bet", 50, 50, 0)),
    ("bet below the minimum", facing(0, word={"word": "bet", "amount": 5}), ("CORRECTED", "bet", 10, 10, 0)),
    ("an amount alone, half a raise", facing(100, word={"amount": 150}), ("CORRECTED", "raise", 200, 200, 0)),
    ("an amount alone, less than half", facing(100, word={"amount": 149}), ("CORRECTED", "call", 100, 100, 0)),
    ("an amount alone that is a raise", facing(100, word={"amount": 250}), ("VALID", "raise", 250, 250, 0)),
    ("an amount alone that is all he has", facing(100, word={"amount": 60}, stack=60), ("VALID", "call", 60, 60, 0)),
    ("raise and one chip of M", facing(100, [200], word="raise"), ("VALID", "raise", 200, 0, 0)),
    ("one chip that is the call", facing(100, [100]), ("VALID", "call", 100, 0, 0)),
    ("one chip below the call", facing(100, [50]), ("CORRECTED", "call", 100, 50, 0)),
    ("one chip below the call, his last", facing(100, [50], stack=50), ("VALID", "call", 50, 0, 0)),
    ("one chip where nobody has bet", facing(0, [25]), ("VALID", "bet", 25, 0, 0)),
    ("several chips where nobody has bet", facing(0, [25, 25]), ("VALID", "bet", 50, 0, 0)),
    ("several chips below the minimum bet", facing(0, [2, 2]), ("CORRECTED", "bet", 10, 6, 0)),
    ("several chips, a raise", facing(100, [100, 100, 25]), ("VALID", "raise", 225, 0, 0)),
    ("several chips, just half a raise", facing(100, [100, 50]), ("CORRECTED", "raise", 200, 50, 0)),
    ("several chips, one less than half", facing(100, [100, 49]), ("CORRECTED", "call", 100, 0, 49)),
    ("several chips below the call", facing(100, [50, 25]), ("CORRECTED", "call", 100, 25, 0)),
    ("the option, less than half", facing(10, [2, 2], **OPTION), ("CORRECTED", "check", 10, 0, 4)),
    ("the option, half a raise", facing(10, [3, 2], **OPTION), ("CORRECTED", "raise", 20, 5, 0)),
    ("the option, check", facing(10, word="check", **OPTION), ("VALID", "check", 10, 0, 0)),
    ("all-in, a full raise", facing(100, word="all_in", stack=250), ("VALID", "raise", 250, 250, 0)),
    ("all-in, short of a raise", facing(100, word="all_in", stack=150), ("VALID", "raise", 150, 150, 0)),
    ("all-in, a call for less", facing(100, word="all_in", stack=60), ("VALID", "call", 60, 60, 0)),
    ("the whole stack in several chips", facing(100, [100, 20], stack=120), ("VALID", "raise", 120, 0, 0)),
    ("the whole stack in one chip", facing(100, [120], stack=120), ("VALID", "call", 100, 0, 20)),
]


@pytest.mark.parametrize(("given", "expected"), [pytest.param(row[1], row[2], id=row[0]) for row in ROWS])
def test_an_action_counts_as_the_algorithm_has_it(
    given: dict[str, Any], expected: tuple[str, str, int, int, int]
) -> None:
    expect = dict(zip(("verdict", "action", "total", "add", "returned"), expected, strict=True))
    assert holdem.run({"given": given, "expect": expect}, {}) == []
