"""What the picture of a poker table says of chips, against the movements on record."""

from __future__ import annotations

import re

import pytest

from games.holdem import GAME
from games.holdem.dealer import BREACHES, shipped_edition
from games.picture import Viewpoint
from replay.stepper import Step, Stepper
from replay.timeline import Records
from tests.games.table import catalogue_of, editions_of, facts_of


def walk(breach: str | None) -> Stepper:
    """Three hands off the dealer, the breach in the second."""
    made = GAME.deal(3, 7, breach=breach, breach_round=1 if breach else None)
    facts = tuple(facts_of(made, catalogue_of(GAME)))
    editions = editions_of(GAME, shipped_edition().toml)
    records = Records(subject=facts[0].subject, facts=facts, catalogue=catalogue_of(GAME), editions=editions)
    return Stepper(records, {GAME.name: GAME})


def behind(step: Step) -> dict[int, int]:
    """Seat → minor units in the column `behind`."""
    panel = next(panel for panel in GAME.picture(step.after, Viewpoint()) if panel.title == "Seats")
    head, *lines = ["".join(span.text for span in line) for line in panel.lines]
    end = head.index("behind") + len("behind")
    found = {
        int(line[2:4]): re.search(r"  (\d[\d\u00a0,.]*)$", line[:end]) for line in lines if line[2:4].strip().isdigit()
    }
    said = {seat: hit[1].replace("\u00a0", "").replace(",", ".") for seat, hit in found.items() if hit}
    return {seat: round(float(amount) * 100) for seat, amount in said.items()}


@pytest.mark.parametrize("breach", [None, *BREACHES])
def test_when_a_hand_is_over_what_is_behind_is_what_lies_there_by_the_record(breach: str | None) -> None:
    compared = 0
    for step in walk(breach).steps:
        hand = step.after.hand
        if step.entry.fact.round is None or hand is None or not hand.closed:
            continue
        shown = behind(step)
        assert shown == {seat: step.balances_after.of(f"seat/{seat}") for seat in hand.seats}
        compared += len(shown)
    assert compared
