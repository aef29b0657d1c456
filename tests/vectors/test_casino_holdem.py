"""The vectors of casino-holdem.md, from our copy; and that the adapter does not pass what it should not."""

from __future__ import annotations

from typing import Any

import pytest

from tests.vectors.__main__ import adapter_of, main, problems_of
from tests.vectors.reading import HERE, copy_of, read_vectors

CATALOGUE = HERE.parents[2] / "shared" / "rules" / "casino-holdem.md"
COPY = read_vectors(copy_of("casino_holdem"), "casino_holdem")
BY_ID = {vector["id"]: vector for vector in COPY.vectors}


def problems(vector: dict[str, Any]) -> list[str]:
    return problems_of(vector, {}, adapter_of("casino_holdem"))


@pytest.mark.parametrize("vector", [pytest.param(vector, id=vector["id"]) for vector in COPY.vectors])
def test_vector(vector: dict[str, Any]) -> None:
    assert problems(vector) == []


def test_the_copy_holds_the_vectors_of_the_catalogue() -> None:
    if not CATALOGUE.exists():
        pytest.skip("no ../shared beside this checkout: its vectors cannot be compared with our copy")
    theirs = read_vectors(CATALOGUE, "casino_holdem")
    assert {vector["id"]: vector for vector in theirs.vectors} == BY_ID


def test_all_pass_and_none_is_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["casino_holdem", str(copy_of("casino_holdem"))]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == f"{len(BY_ID)} passed, 0 failed"


def changed(name: str, *, given: dict[str, Any] | None = None, expect: dict[str, Any] | None = None) -> dict[str, Any]:
    vector = BY_ID[name]
    return {**vector, "given": {**vector["given"], **(given or {})}, "expect": {**vector["expect"], **(expect or {})}}


@pytest.mark.parametrize(
    "vector",
    [
        changed("CH-T01", expect={"winner": "dealer"}),
        changed("CH-T01", expect={"net": {"ante": 99}}),
        changed("CH-T01", given={"moon": "full"}),
        changed("CH-T01", given={"config": {"fold_setlement": "trips_only"}}),
        changed("CH-T18", expect={"advisory": {"difference": 299}}),
        changed("CH-T30", expect={"accepted": 350}),
        changed("CH-T30", expect={"flag": "RULING"}),
        changed("CH-T32", expect={"counts_as": "play"}),
        changed("CH-T33", expect={"returned": 50}),
        changed("CH-T35", given={"boxes": 2}),
        changed("CH-T36", expect={"verdict": "VOID"}),
        changed("CH-T36", given={"irregularity": "thunder"}),
        changed("CH-T37", expect={"flag": "RULING"}),
        changed("CH-T39", expect={"overpaid": 0}),
        changed("CH-T40", given={"at_settlement": 50}),
        changed("CH-T44", given={"ante": {"amount": 1000, "chip": "cash", "announced": 1000}}),
    ],
)
def test_a_vector_that_differs_or_is_not_understood_fails(vector: dict[str, Any]) -> None:
    assert problems(vector)


@pytest.mark.parametrize(
    ("given", "expect"),
    [
        (
            {"kind": "procedure", "irregularity": "burn_doubled", "before": "turn"},
            {"verdict": "BREACH", "flag": "RULING"},
        ),
        (
            {"kind": "procedure", "irregularity": "player_card_exposed"},
            {"verdict": "BREACH", "flag": "RULING", "money": 0},
        ),
        ({"kind": "procedure", "irregularity": "boxed_card"}, {"verdict": "BREACH", "flag": "RULING", "money": 0}),
        ({"kind": "procedure", "irregularity": "card_to_empty_box"}, {"verdict": "MISDEAL", "flag": "RULING"}),
        ({"kind": "void", "irregularity": "box_wrong_count"}, {"verdict": "VOID", "flag": "RULING", "returned": 200}),
        (
            {"kind": "void", "irregularity": "dealer_wrong_count"},
            {"verdict": "VOID", "flag": "RULING", "returned": 200},
        ),
        (
            {"kind": "void", "irregularity": "board_exposed_early"},
            {"verdict": "VOID", "returned": 200, "flag": "RULING"},
        ),
        (
            {"kind": "void", "irregularity": "fouled_deck", "config": {"deal_irregularity_confirmed": True}},
            {"verdict": "VOID", "returned": 200, "paid": 0},
        ),
        ({"kind": "procedure", "irregularity": "collusion"}, {"verdict": "BREACH", "flag": "RULING", "money": 0}),
        (
            {
                "kind": "void",
                "irregularity": "shuffle_breach",
                "config": {"shuffle_breach_remedy": "void_round_refund"},
            },
            {"verdict": "VOID", "returned": 200},
        ),
        (
            {"kind": "play_amount", "ante": 100, "window": 3, "placed": 150},
            {"verdict": "CORRECTED", "accepted": 100, "counts_as": "play"},
        ),
        (
            {"kind": "play_amount", "ante": 100, "window": 3, "placed": 50},
            {"verdict": "CORRECTED", "accepted": 0, "counts_as": "no_play"},
        ),
        ({"kind": "play_amount", "ante": 100, "window": 1, "placed": 400}, {"verdict": "VALID", "returned": 0}),
    ],
)
def test_kinds_take_more_than_the_catalogue_asks(given: dict[str, Any], expect: dict[str, Any]) -> None:
    assert problems({"id": "own", "given": given, "expect": expect, "rule": []}) == []
