"""What a ruling rests on is what a verdict comes to, not how it is worded."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from cli.assembly import rooms
from games.outcome import outcome_digest
from games.verdict import Line, Verdict
from tests.games.test_every_room import case_of, dealt, judged


@pytest.fixture(scope="module")
def verdict() -> Verdict:
    """A round of roulette in which a wrong payment was found."""
    found = judged(case_of(dealt("roulette", 3, 5, "RL-26"))).verdicts
    return next(one for one in found if one.findings)


def test_other_words_other_citations_and_another_engine_change_nothing(verdict: Verdict) -> None:
    findings = tuple(replace(one, text="said better", events=("1@x",), remedy={"a": 1}) for one in verdict.findings)
    reworded = replace(verdict, findings=findings, engine="recoup 9", digest="0" * 64)
    assert outcome_digest(reworded) == outcome_digest(verdict)


@pytest.mark.parametrize(
    "change",
    [
        {"standing": "void"},
        {"settlement": "agrees"},
        {"findings": ()},
        {"edition_digest": "0" * 64},
        {"recorded": None},
        {"due": "one more line"},
    ],
    ids=lambda change: next(iter(change)),
)
def test_another_outcome_is_another_digest(verdict: Verdict, change: dict[str, Any]) -> None:
    if "due" in change:
        line = Line(stake="b99", player="p-1", staked=100, taken=100)
        change = {"due": replace(verdict.due, lines=(*verdict.due.lines, line))}
    assert outcome_digest(replace(verdict, **change)) != outcome_digest(verdict)


def test_every_room_has_an_outcome_a_round(verdict: Verdict) -> None:
    for name in rooms():
        found = judged(case_of(dealt(name, 3, 2))).verdicts
        assert len({outcome_digest(one) for one in found}) == len(found) == 3
