"""The vectors of russian-poker.md, from our copy; and that the adapter does not pass what it should not."""

from __future__ import annotations

from typing import Any

import pytest

from tests.vectors.__main__ import adapter_of, main, problems_of
from tests.vectors.reading import HERE, copy_of, read_vectors

CATALOGUE = HERE.parents[2] / "shared" / "rules" / "russian-poker.md"
COPY = read_vectors(copy_of("russian_poker"), "russian_poker")
BY_ID = {vector["id"]: vector for vector in COPY.vectors}


def problems(vector: dict[str, Any]) -> list[str]:
    return problems_of(vector, {}, adapter_of("russian_poker"))


@pytest.mark.parametrize("vector", [pytest.param(vector, id=vector["id"]) for vector in COPY.vectors])
def test_vector(vector: dict[str, Any]) -> None:
    assert problems(vector) == []


def test_the_copy_holds_the_vectors_of_the_catalogue() -> None:
    if not CATALOGUE.exists():
        pytest.skip("no ../shared beside this checkout: its vectors cannot be compared with our copy")
    theirs = read_vectors(CATALOGUE, "russian_poker")
    assert {vector["id"]: vector for vector in theirs.vectors} == BY_ID


def test_all_pass_and_none_is_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["russian_poker", str(copy_of("russian_poker"))]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == f"{len(BY_ID)} passed, 0 failed"


def changed(name: str, *, given: dict[str, Any] | None = None, expect: dict[str, Any] | None = None) -> dict[str, Any]:
    vector = BY_ID[name]
    return {**vector, "given": {**vector["given"], **(given or {})}, "expect": {**vector["expect"], **(expect or {})}}


@pytest.mark.parametrize(
    "vector",
    [
        changed("RP-V01", expect={"second": None}),
        changed("RP-V01", expect={"net": 399}),
        changed("RP-V01", expect={"lines": {"ante": [0, 100, 0]}}),
        changed("RP-V01", expect={"mood": "good"}),
        changed("RP-V01", given={"moon": "full"}),
        changed("RP-V01", given={"config": {"rp.double.straight_dup": "pair"}}),
        changed("RP-V41", expect={"result": "win"}),
        changed("RP-V54", expect={"verdict": ["valid"]}),
        changed("RP-V69", expect={"other_box": {"lines": {"ante": [0, 100, 0], "bet": [0, 200, 0]}, "net": 0}}),
        changed("RP-V79", expect={"cut": 0}),
        changed("RP-V89", expect={"needs_ruling": False}),
        changed("RP-V93", given={"deck_changed": True}),
        changed("RP-V94", given={"deck_steps": ["spread", "wash", "cut", "loaded"]}),
        changed("RP-V94", given={"deck_age_min": 80}),
        changed("RP-V102", expect={"difference": {"bet": 100}}),
    ],
)
def test_a_vector_that_differs_or_is_not_understood_fails(vector: dict[str, Any]) -> None:
    assert problems(vector)


@pytest.mark.parametrize(
    ("config", "name", "expect"),
    [
        ({"rp.double.straight_dup_rank": "pair"}, "RP-V12", {"lines": {"ante": [0, 100, 0], "fee": [100, 0, 0], "bet": [0, 200, 1000]}, "net": 900, "second": "1P"}),
        ({"rp.compare": "category_only"}, "RP-V37", {"result": "tie", "lines": {"ante": [0, 100, 0], "bet": [0, 200, 0]}, "net": 0}),
        ({"rp.dealer_exchange.max_total": 4}, "RP-V63", {}),
        ({"rp.bonus.hand": "final_hand"}, "RP-V73", {"lines": {"ante": [0, 100, 0], "fee": [100, 0, 0], "bet": [0, 200, 600], "bonus": [20, 0, 750]}, "net": 1230}),
        ({"rp.max_payout.scope": "all"}, "RP-V82", {"cut": 125_000, "lines": {"ante": [0, 1000, 0], "bet": [0, 2000, 75_000], "bonus": [20, 0, 25_000]}, "net": 99_980}),
        ({"rp.max_payout.scope": "all_but_bonus"}, "RP-V82", {}),
        ({"rp.misdeal.policy": "auto_before_view"}, "RP-V89", {}),
        ({"rp.insurance.hand": "at_placing"}, "RP-V59", {}),
        ({"rp.exchange.min": 1}, "RP-V89", {"verdict": ["valid"], "needs_ruling": False}),
        ({"rp.deck.max_age_min": 50}, "RP-V94", {"verdict": ["procedure_breach"]}),
        ({"rp.deck.age_tolerance_min": 5}, "RP-V94", {"verdict": ["procedure_breach"]}),
        ({"rp.insurance.late_policy": "void"}, "RP-V58", {}),
        ({"rp.insurance.on_fold": "forfeit"}, "RP-V52", {}),
    ],
)  # fmt: skip
def test_another_reading_of_a_parameter(config: dict[str, Any], name: str, expect: dict[str, Any]) -> None:
    assert problems(changed(name, given={"config": config}, expect=expect)) == []
