"""The fold: what belongs to which spin, what runs on, and that it stays quick."""

from __future__ import annotations

import time

from events.schema.fact import Fact
from games.adjudicate import Case, judge_round, judge_session, steps
from games.blocks import blocks
from games.clocks import Clocks
from games.roulette import GAME
from games.roulette.layout import WHEEL
from games.roulette.state import evolve, open_table
from games.roulette.table import Session
from tests.games.roulette.room import CATALOGUE, EDITION, SHIPPED
from tests.games.table import editions_of, facts_of, facts_of_lines

OPEN = f"""
@+0 TableOpened roulette RL CZK min=10 max=10000
@+1 WheelInstalled w-1 {",".join(map(str, WHEEL))}
"""


def case_of(facts: list[Fact]) -> Case:
    return Case.make(facts[0].subject, facts, CATALOGUE, editions_of(GAME, EDITION))


def folded(text: str) -> Session:
    session: Session = list(steps(case_of(facts_of_lines(OPEN + text, CATALOGUE)), {GAME.name: GAME}))[-1].session
    return session


def test_what_is_said_between_spins_belongs_to_the_next() -> None:
    session = folded("""
        @+10 #1 RoundOpened
        @+20 #1 RoundClosed
        @+30 BetsOpened
        @+31 BetPlaced b1 p-204 17 10
        @+32 BetMoved b1 17 18
        @+40 #2 RoundOpened
    """)
    assert session.spin is not None
    assert session.spin.name == "2"
    assert session.spin.opening is not None
    assert [bet.id for bet in session.spin.bets] == ["b1"]
    assert [change.bet for change in session.spin.changes] == ["b1"]
    assert session.between == ()


def test_what_is_said_late_of_a_spin_is_still_its_own() -> None:
    session = folded("""
        @+10 #1 RoundOpened
        @+12 #1 BetPlaced b1 p-204 17 10
        @+20 #1 RoundClosed
        @+30 #1 ChipsMoved box/b1 float 10 take stake=b1
    """)
    assert session.spin is not None
    assert len(session.spin.settles) == 1


def test_colour_chips_run_on_and_are_lost_with_the_bets() -> None:
    spin = """
        @+10 ColourChipsIssued p-204 red 50 20 1000
        @+20 #1 RoundOpened
        @+21 #1 BetPlaced b1 p-204 17 150 chip_kind=colour colour=red chips=3 unit_value=50
        @+30 #1 BallDropped pocket=18 laps_tenths=140
        @+31 #1 ChipsMoved box/b1 float 150 take stake=b1
        @+32 #1 RoundClosed
        @+40 #2 RoundOpened
    """
    (held,) = folded(spin).holdings
    assert (held.player, held.colour, held.count, held.worth) == ("p-204", "red", 17, 5_000)
    assert folded(spin + "@+50 ColourChipsRedeemed p-204 red 50 17 850").holdings == ()


def test_a_swap_on_the_layout_colours_the_bet() -> None:
    session = folded("""
        @+20 #1 RoundOpened
        @+21 #1 BetPlaced b1 p-204 17 100
        @+25 #1 ChipsSwapped p-204 100 red 50 2 bet=b1
    """)
    assert session.spin is not None
    assert [(bet.colour, bet.unit_value, bet.staked) for bet in session.spin.bets] == [("red", 5_000, 10_000)]


def test_the_last_numbers_are_kept() -> None:
    spins = "".join(
        f"@+{10 * number} #{number} RoundOpened\n@+{10 * number + 1} #{number} BallDropped pocket={number}\n"
        for number in range(1, 20)
    )
    assert folded(spins).results == tuple(range(7, 19))


def test_judging_one_spin_gives_the_same_verdict_as_judging_all() -> None:
    case = case_of(facts_of(GAME.deal(8, 2, breach="RL-22", breach_round=3), CATALOGUE))
    for verdict in judge_session(case, {GAME.name: GAME}).verdicts:
        assert judge_round(case, {GAME.name: GAME}, verdict.round.rpartition("#")[2]) == verdict


def test_folding_twice_as_much_takes_about_twice_as_long() -> None:
    """Quadratic would be sixteen times as long for four times as much; a busy machine is given its due."""
    facts = facts_of(GAME.deal(320, 3), CATALOGUE)
    case = case_of(facts)
    rounds = list(blocks(case.ordered))

    def fold(many: int) -> float:
        best = 9e9
        for _ in range(3):
            session = open_table(SHIPPED, facts[0], (), Clocks())
            start = time.perf_counter()
            for _name, own in rounds[:many]:
                for fact in own:
                    session = evolve(session, fact)
            best = min(best, time.perf_counter() - start)
        return best

    assert fold(len(rounds)) < 9 * fold(len(rounds) // 4)
