"""What the cases cannot say: candidates, two devices, holes, rulings upon rulings, the record against the rules."""

from __future__ import annotations

from typing import Any

import pytest

from games.roulette import GAME
from games.roulette.layout import WHEEL
from games.settlement import conserved
from games.table_rules import Hole
from games.verdict import Verdict
from tests.games.roulette.room import CATALOGUE, EDITION
from tests.games.table import facts_of_lines, judge_facts, with_parameters

OPEN = f"""
@+0 TableOpened roulette RL CZK min=10 max=10000
@+1 WheelInstalled w-1 {",".join(map(str, WHEEL))}
"""
SPIN = """
@+10 #1 RoundOpened
@+11 #1 BetsOpened
@+20 #1 BetPlaced b1 p-204 17 10
@+21 #1 BetPlaced b2 p-318 red 50
@+30 #1 SpinStarted wheel_direction=cw ball_direction=ccw
@+40 #1 NoMoreBets
@+50 #1 BallDropped pocket=17 laps_tenths=140
@+51 #1 NumberAnnounced 17
@+70 #1 RoundClosed
"""


def judged(text: str, *, holes: tuple[Hole, ...] = (), **parameters: Any) -> Verdict:
    lines = sorted((OPEN + text).split("\n"), key=_second)
    facts = facts_of_lines("\n".join(lines), CATALOGUE)
    return judge_facts(facts, GAME, with_parameters(EDITION, parameters, GAME), holes=holes).verdicts[-1]


def _second(line: str) -> float:
    """A line's time; one without comes last."""
    return float(line[2:].partition(" ")[0]) if line.startswith("@+") else 1e9


def codes(verdict: Verdict) -> list[str]:
    return [finding.code for finding in verdict.findings]


def test_an_unfounded_declaration_shows_the_money_of_a_valid_spin_and_settles_nothing() -> None:
    verdict = judged(SPIN + "@+55 #1 MisspinDeclared ground=bored")
    assert [line.held for line in verdict.due.lines] == [1_000, 5_000]
    assert {name: [line.net for line in lines] for name, lines in verdict.due.candidates.items()} == {
        "valid": [35_000, -5_000]
    }


def test_a_declaration_that_nobody_can_test_shows_both_outcomes() -> None:
    text = SPIN.replace(" laps_tenths=140", "") + "@+55 #1 MisspinDeclared ground=short_spin"
    verdict = judged(text)
    assert {name: [line.net for line in lines] for name, lines in verdict.due.candidates.items()} == {
        "refund": [0, 0],
        "valid": [35_000, -5_000],
    }
    assert codes(verdict) == ["unverified:short_spin"]


def test_in_a_round_with_a_hole_a_missing_call_is_unverified_and_the_money_a_candidate() -> None:
    text = SPIN.replace("@+40 #1 NoMoreBets\n", "")
    assert codes(judged(text)) == ["nmb_missing"]
    verdict = judged(text, holes=(Hole("/brno/T-1/terminal", 6, 6),))
    assert "unverified:nmb_missing" in codes(verdict)
    assert verdict.standing == "cannot_tell"
    assert verdict.due.nets() == {"p-204": 35_000, "p-318": -5_000}


def test_a_ruling_on_a_spin_already_paid_names_what_each_player_owes_or_gets() -> None:
    paid = """
@+60 #1 ChipsMoved float player/p-204 350 win stake=b1
@+61 #1 ChipsMoved box/b2 float 50 take stake=b2
"""
    ruling = "RulingApplied r1 collusion_players scope=round standard=proof role=management rounds=1"
    verdict = judged(SPIN + paid + ruling)
    assert verdict.player_differences == {"p-204": -35_000, "p-318": 5_000}
    (found,) = [finding for finding in verdict.findings if finding.kind == "void"]
    assert (found.basis, found.scope, found.events) == ("r1", "round", ("1@/recoup",))


def test_wins_paid_on_a_void_spin_are_left_where_the_house_leaves_them() -> None:
    paid = "@+60 #1 ChipsMoved float player/p-204 350 win stake=b1\n@+61 #1 ChipsMoved box/b2 float 50 take stake=b2\n"
    text = SPIN.replace("laps_tenths=140", "laps_tenths=80") + paid
    found = [finding.subject for finding in judged(text).findings if finding.kind == "mispaid"]
    assert found == ["b1", "b2"]
    left = judged(text, void_paid_wins_policy="refund_losers_only")
    assert [(finding.subject, finding.money) for finding in left.findings if finding.kind == "mispaid"] == [
        ("b2", 5_000)
    ]
    assert (left.differences, left.player_differences) == ({"b2": 5_000}, {"p-318": 5_000})
    assert {line.stake: (line.net, line.waived) for line in left.due.lines} == {"b1": (0, 35_000), "b2": (0, 0)}
    assert conserved(left.due)


@pytest.mark.parametrize("scope", ["table", "house"])
def test_chips_of_another_table_are_a_second_colour_where_the_house_allows_one_in_all(scope: str) -> None:
    issued = "@+5 ColourChipsIssued p-204 green 10 20 200\n"
    bet = "BetPlaced b1 p-204 17 10 chip_kind=colour colour=red chip_table=RL-99"
    text = issued + SPIN.replace("BetPlaced b1 p-204 17 10", bet)
    wanted = ["foreign_chip"] if scope == "table" else ["second_colour", "foreign_chip"]
    stated: dict[str, Any] = {"roulette.colour_limit_scope": scope}
    assert codes(judged(text, **stated)) == wanted


def test_management_of_its_own_ground_may_void_one_players_bets() -> None:
    ruling = "RulingApplied r1 table_error scope=player standard=proof role=management rounds=1 players=p-204"
    assert codes(judged(SPIN + ruling)) == ["ruling_invalid"]
    verdict = judged(SPIN + ruling + " basis=management")
    assert codes(verdict) == ["ruling_table_error"]
    assert verdict.due.nets() == {"p-204": 0, "p-318": -5_000}
    assert verdict.standing == "valid"


def test_a_finding_names_rule_record_and_the_parameters_it_read() -> None:
    verdict = judged(SPIN.replace("@+20 #1 BetPlaced", "@+42 #1 BetPlaced"))
    (found,) = verdict.findings
    assert (found.rule, found.code, found.kind, found.subject, found.player) == (
        "RL-19", "late_bet", "void", "b1", "p-204",
    )  # fmt: skip
    assert found.remedy == {"refund": 1_000}
    assert found.events == ("8@/brno/T-1/terminal", "7@/brno/T-1/terminal", "9@/brno/T-1/terminal")
    assert found.parameters["roulette.void_bet_effect"] == "refund"


def test_a_wrong_win_is_found_under_the_rule_of_its_odds_by_way_of_the_settlement() -> None:
    paid = "@+60 #1 ChipsMoved float player/p-204 360 win stake=b1\n@+61 #1 ChipsMoved box/b2 float 50 take stake=b2\n"
    (found,) = judged(SPIN + paid).findings
    assert (found.rule, found.via, found.code, found.kind, found.money) == (
        "RL-31", "RL-22", "wrong_payout", "mispaid", -1_000,
    )  # fmt: skip


def test_a_colour_stays_with_its_owner_when_a_bet_in_it_stands() -> None:
    text = "@+5 ColourChipsIssued p-318 green 10 20 200\n" + SPIN.replace(
        "BetPlaced b1 p-204 17 10", "BetPlaced b1 p-204 17 10 chip_kind=colour colour=green"
    )
    again = """
@+100 #2 RoundOpened
@+101 #2 BetsOpened
@+110 #2 SpinStarted wheel_direction=ccw ball_direction=cw
@+120 #2 NoMoreBets
@+130 #2 BallDropped pocket=17 laps_tenths=140
@+131 #2 NumberAnnounced 17
@+140 #2 RoundClosed
"""
    for settled in ("", "@+60 #1 ChipsMoved float player/p-318 350 win stake=b1\n"):
        verdict = judged(text + settled + again)
        assert [(line.player, line.net) for line in verdict.due.lines if line.stake == "b1"] == [("p-318", 35_000)]
        assert codes(verdict) == []


def test_what_stays_is_worked_out_by_the_clocks_that_the_spin_is_judged_by() -> None:
    """A bet that another device saw three seconds after the call is late by clocks compared only afterwards."""
    text = (
        SPIN.replace("@+20 #1 BetPlaced b1 p-204 17 10", "@+43 #1 1@/brno/T-1/pit BetPlaced b1 p-204 17 10")
        + """
@+80 #2 RoundOpened
@+100 #2 NoMoreBets
@+110 #2 BallDropped pocket=4 laps_tenths=140
@+120 #2 RoundClosed
"""
    )
    assert [line.stake for line in judged(text).due.lines] == ["b1"]
    assert judged(text + "@+130 ClockCompared /brno/T-1/pit 0 500").due.lines == ()
