"""What the picture of a poker table says of chips, against the movements on record."""

from __future__ import annotations

import re

import pytest

from games.holdem import GAME
from games.holdem.dealer import BREACHES, shipped_edition
from games.picture import Viewpoint
from replay.stepper import Step, Stepper
from replay.timeline import Records
from tests.games.table import catalogue_of, editions_of, facts_of, facts_of_lines


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


HEAD = """
TableOpened holdem NL CZK smallest_chip=5
StakesAnnounced 5 10
#1 RoundOpened
#1 ButtonPlaced 1
#1 PlayerDealtIn 1 p-1 1000
#1 PlayerDealtIn 2 p-2 1000
#1 PlayerDealtIn 3 p-3 1000
#1 Posted 2 small_blind 5
#1 Posted 3 big_blind 10
"""
BETTING = "\n#1 WordsSpoken 1 call\n#1 ChipsPushed 1 10\n#1 WordsSpoken 2 fold\n"
FIRST = "#1 CardDealt seat/3 card=2c seq=1\n"  # seat 2 is first
REST = "\n".join(f"#1 CardDealt seat/{seat} card={seat + 3}{'cdhs'[seq % 4]} seq={seq}" for seq, seat in enumerate(
    (1, 2, 3, 1, 2), 2
))  # fmt: skip


def headings(text: str) -> list[tuple[str, str]]:
    """Heading and the first record under it."""
    facts = tuple(facts_of_lines(text, catalogue_of(GAME)))
    editions = editions_of(GAME, shipped_edition().toml)
    records = Records(subject=facts[0].subject, facts=facts, catalogue=catalogue_of(GAME), editions=editions)
    found = [("", "")]
    for step in Stepper(records, {GAME.name: GAME}, "1").steps:
        if step.heading not in ("", found[-1][0]):
            found.append((step.heading, type(step.entry.fact.event).__name__))
    return found[1:]


START = [("between hands", "RoundOpened"), ("posting", "Posted"), ("dealing", "CardDealt")]


def test_players_dealt_in_stay_together_and_a_misdeal_that_nobody_called_heads_nothing() -> None:
    assert headings(HEAD + FIRST + REST + BETTING) == [*START, ("preflop", "WordsSpoken")]


def test_cards_dealt_though_a_post_is_missing_are_headed_as_the_deal() -> None:
    text = (HEAD + FIRST + REST + BETTING).replace("#1 Posted 3 big_blind 10\n", "")
    assert headings(text) == [*START, ("preflop", "WordsSpoken")]


def test_a_misdeal_that_was_declared_is_headed_so() -> None:
    called = headings(HEAD + FIRST + "#1 MisdealDeclared\n" + FIRST.replace("3", "2"))
    assert called == [*START, ("misdeal", "MisdealDeclared"), ("dealing", "CardDealt")]


EARLY_FLOP = """
#1 CardDealt seat/2 card=Kh seq=1
#1 CardDealt seat/3 card=Qh seq=2
#1 CardDealt seat/1 card=Ah seq=3
#1 CardDealt seat/2 card=Kd seq=4
#1 CardDealt seat/3 card=Qd seq=5
#1 CardDealt seat/1 card=Ad seq=6
#1 ActionTaken 1 call amount=10
#1 CardBurned seq=7
#1 CardDealt flop card=9c seq=8 face=up
#1 CardDealt flop card=5d seq=9 face=up
#1 CardDealt flop card=3h seq=10 face=up
#1 ActionTaken 2 call amount=5
#1 ActionTaken 3 check
#1 CardsMoved aside seqs=11,12,13,14
#1 StubShuffled seqs=8,9,10
#1 CardDealt flop card=Jc seq=15 face=up
#1 CardDealt flop card=8d seq=16 face=up
#1 CardDealt flop card=2h seq=17 face=up
#1 ActionTaken 2 check
"""


def test_a_flop_that_came_early_and_is_dealt_anew_stays_under_its_heading() -> None:
    assert headings(HEAD + EARLY_FLOP) == [*START, ("preflop", "ActionTaken"), ("flop", "CardsMoved")]


def test_the_picture_stands_for_chips_only_where_it_agrees_with_the_record() -> None:
    pushed = (HEAD + FIRST + REST + BETTING).replace("#1 ChipsPushed 1 10", "#1 ChipsPushed 1 30 chips=5,25")
    facts = tuple(facts_of_lines(pushed, catalogue_of(GAME)))
    editions = editions_of(GAME, shipped_edition().toml)
    records = Records(subject=facts[0].subject, facts=facts, catalogue=catalogue_of(GAME), editions=editions)
    steps = Stepper(records, {GAME.name: GAME}, "1").steps
    everything = {"seat/1", "seat/2", "seat/3", "pot"}
    posted = next(step for step in steps if type(step.entry.fact.event).__name__ == "Posted")
    assert posted.pictured == everything
    # Of the 30 that lie there only 10 are a call: the picture has them behind seat 1, the record in the pot.
    assert steps[-1].balances_after.of("seat/1") == 970_00
    assert steps[-1].pictured == everything - {"seat/1", "pot"}
