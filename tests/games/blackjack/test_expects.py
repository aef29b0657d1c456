"""What may come next: never what a check calls a breach, by any reading of the rules; and what is due, step by step."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from events.schema.common import ChipsMoved
from games.adjudicate import Case, steps
from games.blackjack import GAME
from games.blackjack.expects import expects
from games.blackjack.parameters import PARAMETERS
from games.protocol import Action, Expectation
from tests.games.bank import anything
from tests.games.blackjack.room import CATALOGUE, EDITION, TABLE
from tests.games.table import all_findings, editions_of, facts_of_lines, judge_envelopes, with_parameters
from tests.soaking import examples
from tests.vectors.blackjack_table import Table

LOW, HIGH = 10_000, 60_000
CHOSEN = anything.parameters(PARAMETERS)


def walk(seed: int, chosen: dict[str, Any]) -> Table:
    """A session of rounds in which whoever may act does any of what `expects` offers him."""
    rng = Random(seed)
    table = Table(chosen, low=LOW, high=HIGH)
    table.shoe()
    for number in range(4):
        table.open(str(number + 1))
        for box in rng.sample(range(1, 6), rng.randrange(1, 4)):
            table.own(box, f"P{box}")
            room = HIGH
            for player in (f"P{box}", "Q1", "Q2")[: rng.randrange(1, 4)]:
                amount = rng.randrange(LOW, HIGH + 1, 2)
                if amount <= room:
                    table.stake(box, player, amount)
                    room -= amount
        table.call()
        _round(table, rng)
        table.close()
    table.end()
    return table


def _round(table: Table, rng: Random) -> None:
    offered = False
    while True:
        if not offered and table.play.dealt:
            offered = True
            table.offer()
        expected = expects(table.session)
        for due in expected.due:
            table.say(ChipsMoved(due.frm, due.to, due.amount, due.cause, due.stake))
        if expected.due:
            continue
        early = [own for own in expected.actions if " box " in own.name]
        choices = [own for own in expected.actions if " box " not in own.name]
        if early and rng.random() < 0.4:
            _do(table, rng.choice(early), rng, 0, 1)
        elif expected.next_card:
            table.lay(
                expected.next_card,
                rng.choice(["A", "A", "2", "3", "4", "5", "6", "7", "7", "8", "8", "9", "10", "J", "Q", "K"]),
            )
        elif choices:
            waits = table.waits
            assert waits is not None
            _do(table, rng.choice(choices), rng, waits.box, waits.hand)
        else:
            return


def _do(table: Table, action: Action, rng: Random, box: int, hand: int) -> None:
    what, _box, named = action.name.partition(" box ")
    if what == "insurance":
        assert action.low is not None
        assert action.high is not None
        table.stake(int(named), action.actor, rng.choice((action.low, action.high)), what)
    elif what == "even_money":
        table.decide(int(named), 1, what, action.actor)
    elif what in ("double", "split"):
        others = table.play.hands[box][hand - 1].playing
        # A house in which nobody may decline, or which counts extra stakes, leaves the others no choice.
        alone = table.edition["blackjack.box_max_scope"] != "original_bets"
        free = table.edition["blackjack.back_bettor_may_decline"]
        if (alone and not free and len(others) > 1) or action.high is None:
            return
        declined = [one for one in others if one != action.actor and free and (alone or rng.random() < 0.5)]
        table.decide(box, hand, what, action.actor)
        table.extras(box, hand, "split" if what == "split" else "double", declined)
    else:
        table.decide(box, hand, what, action.actor)


@settings(max_examples=examples(60), deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 10_000), CHOSEN)
def test_what_is_offered_is_never_a_breach(seed: int, chosen: dict[str, Any]) -> None:
    table = walk(seed, chosen)
    judgement = judge_envelopes(table.envelopes, GAME, with_parameters(EDITION, chosen, GAME))
    found = [finding for finding in all_findings(judgement) if finding.kind != "advisory"]
    assert [(one.rule, one.code) for one in found if one.code != "half_unit"] == []
    assert {verdict.settlement for verdict in judgement.verdicts} <= {"agrees", "not_recorded"}


def stepped(lines: str) -> list[Expectation]:
    facts = facts_of_lines(TABLE + lines, CATALOGUE)
    case = Case.make(facts[0].subject, facts, CATALOGUE, editions_of(GAME, EDITION))
    return [GAME.expects(step.session) for step in steps(case, {GAME.name: GAME})][len(TABLE.strip().splitlines()) :]


ROUND = """
@+30 #1 RoundOpened
@+31 #1 StakePlaced b1 p-1 1 bet 100
@+32 #1 NoMoreBets
@+33 #1 CardLaid box/1 card=8h face=up
@+34 #1 CardLaid dealer card=Ac face=up
@+35 #1 CardLaid box/1 card=8s face=up
"""


def test_the_phases_of_a_round() -> None:
    rest = """
    @+36 #1 Decided 1 stand player=p-1 signal=gesture
    @+37 #1 CardLaid dealer card=6h face=up
    @+38 #1 ChipsMoved box/b1 float 100 take stake=b1
    @+39 #1 RoundClosed
    """
    seen = stepped(ROUND + rest)
    assert [one.phase for one in seen] == [
        "betting", "betting", "dealing", "dealing", "dealing", "box 1", "dealer draws", "settlement", "settled",
        "between rounds",
    ]  # fmt: skip
    assert [one.next_card for one in seen] == ["", "", "box/1.1", "dealer", "box/1.1", "", "dealer", "", "", ""]
    assert [(due.what, due.amount) for due in seen[7].due] == [("take", 10_000)]


def test_the_choices_of_a_pair_against_an_ace() -> None:
    offered = {one.name: (one.low, one.high) for one in stepped(ROUND)[-1].actions}
    assert offered == {
        "stand": (None, None), "hit": (None, None), "double": (10_000, 10_000), "split": (10_000, 10_000),
        "insurance box 1": (1, 5_000),
    }  # fmt: skip


@pytest.mark.parametrize(("card", "missing"), [("8h", set()), ("7h", {"split"}), ("Ah", {"split"})])
def test_only_a_pair_is_split(card: str, missing: set[str]) -> None:
    offered = {one.name for one in stepped(ROUND.replace("card=8h", f"card={card}"))[-1].actions}
    assert {"stand", "hit", "double", "split"} - offered == missing


def test_a_card_that_waits_comes_first() -> None:
    text = """
    @+30 #1 RoundOpened
    @+31 #1 StakePlaced b1 p-1 1 bet 100
    @+32 #1 NoMoreBets
    @+33 #1 CardLaid box/1 card=Th face=up seq=4
    @+34 #1 CardLaid dealer card=Tc face=up seq=5
    @+35 #1 CardLaid box/1 card=9s face=up seq=6
    @+36 #1 Decided 1 stand player=p-1 signal=gesture
    @+37 #1 CardLaid dealer card=7h face=up seq=7
    @+38 #1 CardLaid dealer card=5h face=up seq=8
    @+39 #1 CardReassigned pending frm=dealer card=5h seq=8
    @+50 #1 RoundClosed
    @+60 #2 RoundOpened
    @+61 #2 StakePlaced b2 p-1 1 bet 100
    @+62 #2 NoMoreBets
    """
    last = stepped(text)[-1]
    assert (last.next_card, last.note) == ("box/1.1", "the card that waits from the round before comes first")


def test_a_shoe_that_is_over_and_a_dealer_who_has_not_burned_are_said() -> None:
    close = "@+40 #1 RoundClosed\n"
    assert stepped(ROUND + "@+36 #1 CuttingCardSeen\n" + close)[-1].note == "the cutting card is out: shuffle first"
    assert stepped(ROUND + close + "@+41 DealerSeated s-2\n")[-1].note == "the dealer changed: burn one first"


def test_what_a_person_must_decide_is_not_due() -> None:
    text = (
        ROUND
        + """
    @+36 #1 Decided 1 double player=p-1 signal=gesture
    @+37 #1 StakePlaced b2 p-1 1 double 50
    @+38 #1 CardLaid box/1 card=2h face=up
    @+39 #1 CardLaid dealer card=8h face=up
    """
    )
    asked = stepped(text)[-1]
    assert (asked.phase, asked.actor, asked.note) == ("ruling", "management", "unequal_extra_bet")
    assert [due.stake for due in asked.due] == ["b1"]


def test_who_surrenders_before_his_turn_does_not_end_another_hand() -> None:
    text = """
    @+30 #1 RoundOpened
    @+31 #1 StakePlaced b1 p-1 1 bet 100
    @+32 #1 StakePlaced b2 p-3 3 bet 100
    @+33 #1 NoMoreBets
    @+34 #1 CardLaid box/1 card=8h face=up
    @+35 #1 CardLaid box/3 card=Th face=up
    @+36 #1 CardLaid dealer card=Tc face=up
    @+37 #1 CardLaid box/1 card=3s face=up
    @+38 #1 CardLaid box/3 card=6s face=up
    @+39 #1 Decided 3 surrender player=p-3 signal=verbal
    """
    last = stepped(text)[-1]
    assert (last.phase, last.actor) == ("box 1", "p-1")
