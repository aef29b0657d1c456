"""What the record of a showdown does and does not tell: unread hands, hands that nobody showed, cards that came twice."""

from __future__ import annotations

import pytest

from games.holdem import GAME
from games.holdem.dealer import shipped_edition
from games.verdict import Verdict
from tests.games.table import catalogue_of, facts_of_lines, judge_facts

CATALOGUE = catalogue_of(GAME)


def hand(
    end: str,
    *,
    holes: tuple[str, str] = ("Ah,Ad", "Kh,Kd"),
    burns: tuple[str, str, str] = ("??", "??", "??"),
    more: str = "",
) -> Verdict:
    """Two seats, 500 each, all-in before the flop, no award on record unless `end` says so."""
    text = (
        "@+0 TableOpened holdem NL CZK smallest_chip=5\nStakesAnnounced 5 10\n#1 RoundOpened\n#1 ButtonPlaced 1\n"
        "#1 PlayerDealtIn 1 p-1 500\n#1 PlayerDealtIn 2 p-2 500\n#1 Posted 2 small_blind 5\n#1 Posted 1 big_blind 10\n"
        f"#1 HoleDealt 1 {holes[0]}\n#1 HoleDealt 2 {holes[1]}\n{more}"
        "#1 ActionTaken 2 raise amount=495\n#1 ActionTaken 1 call amount=490\n"
        f"#1 CardBurned card={burns[0]}\n#1 BoardDealt flop Qs,9c,5d\n"
        f"#1 CardBurned card={burns[1]}\n#1 BoardDealt turn 3s\n#1 CardBurned card={burns[2]}\n#1 BoardDealt river 2c\n"
    )
    lines = [text, *(f"#1 {line}" for line in end.split("; ") if line), "#1 RoundClosed"]
    facts = facts_of_lines("\n".join(lines), CATALOGUE)
    (verdict,) = judge_facts(facts, GAME, shipped_edition().toml).verdicts
    return verdict


def paid(verdict: Verdict) -> dict[str, int]:
    return {line.stake: line.paid // 100 for line in verdict.due.lines if line.paid}


@pytest.mark.parametrize("open_", ["??,??", "Ah,??", "Ah,Ad", "??,Ad"])
def test_a_tabled_hand_that_could_not_be_read_is_the_one_that_was_dealt(open_: str) -> None:
    assert paid(hand(f"HandShown 2 Kh,Kd; HandShown 1 {open_}")) == {"seat/1": 950}
    # The last raiser shows first; whoever was beaten by it may not be paid because it lay unread.
    wrong = hand(
        f"HandShown 2 Kh,Kd; HandShown 1 {open_}; ChipsMoved pot rake 50 rake; ChipsMoved pot seat/2 950 award"
    )
    assert wrong.settlement == "differs"
    assert wrong.differences == {"seat/1": 95_000, "seat/2": -95_000}


@pytest.mark.parametrize("open_", ["??,??", "Ah,??"])
@pytest.mark.parametrize("dealt", ["??,??", "??,Ad"])
def test_a_tabled_hand_that_nobody_knows_leaves_the_money_where_it_is(open_: str, dealt: str) -> None:
    verdict = hand(f"HandShown 2 Kh,Kd; HandShown 1 {open_}", holes=(dealt, "Kh,Kd"))
    assert not verdict.due.known
    assert verdict.standing == "cannot_tell"
    (finding,) = [one for one in verdict.findings if one.kind == "unverified"]
    assert (finding.rule, finding.subject) == ("NL-29", "seat/1")
    assert finding.text == "the hand that seat 1 tabled cannot be read from the record"
    assert not verdict.differences


def test_what_was_read_later_counts() -> None:
    ends = "HandShown 2 Kh,Kd; HandShown 1 ??,??; HandShown 1 Ah,Ad"
    assert paid(hand(ends, holes=("??,??", "Kh,Kd"))) == {"seat/1": 950}


def test_one_open_card_is_no_tabled_hand() -> None:
    assert paid(hand("HandShown 2 Kh,Kd; HandShown 1 Ah")) == {"seat/2": 950}


def test_cards_that_never_lay_open_decide_nothing() -> None:
    verdict = hand("")
    assert not verdict.due.known
    assert verdict.standing == "cannot_tell"
    (finding,) = verdict.findings
    assert (finding.rule, finding.text) == ("NL-32", "neither tabled nor mucked on record: seats 1, 2")
    assert paid(hand("HandMucked 1")) == {"seat/2": 950}


def test_a_card_that_was_burnt_and_dealt_came_twice() -> None:
    for twice in ("Ah", "9c", "2c"):
        verdict = hand("HandShown 2 Kh,Kd; HandShown 1 Ah,Ad", burns=(twice, "??", "??"))
        assert verdict.standing == "void"
        assert {line.stake: line.returned // 100 for line in verdict.due.lines} == {"seat/1": 500, "seat/2": 500}
        assert [(one.rule, one.remedy["cards"]) for one in verdict.findings if one.kind == "void"] == [
            ("NL-01", [twice])
        ]
    assert hand("HandShown 2 Kh,Kd; HandShown 1 Ah,Ad", burns=("7c", "7d", "7h")).standing == "valid"


@pytest.mark.parametrize("more", ["#1 CardExposed seat/1 dealer cards=Ah\n", "#1 CardExposed seat/1 dealer\n"])
def test_an_exposed_card_that_became_the_burn_card_came_once(more: str) -> None:
    verdict = hand("HandShown 2 Kh,Kd; HandShown 1 Ah,Ad", burns=("Ah", "??", "??"), more=more)
    assert verdict.standing != "void"


def test_a_rake_that_was_in_no_pot_is_not_accounted_for() -> None:
    shows = "HandShown 2 Kh,Kd; HandShown 1 Ah,Ad"
    verdict = hand(f"{shows}; ChipsMoved pot rake 60 rake; ChipsMoved pot seat/1 950 award")
    assert {(one.rule, *one.remedy.items()) for one in verdict.findings if one.kind == "mispaid"} == {
        ("NL-33", ("over", 1000)),
        ("NL-02", ("unaccounted", -1000)),
    }


def test_a_missing_record_of_the_deal_makes_no_misdeal_of_the_cards_behind_it() -> None:
    dealt = [f"#1 CardDealt seat/{2 - at % 2} card=?? seq={at + 1}" for at in range(4)]
    opened = "@+0 TableOpened holdem NL CZK smallest_chip=5\nStakesAnnounced 5 10\n#1 RoundOpened\n#1 ButtonPlaced 1\n"
    opened += (
        "#1 PlayerDealtIn 1 p-1 500\n#1 PlayerDealtIn 2 p-2 500\n#1 Posted 2 small_blind 5\n#1 Posted 1 big_blind 10\n"
    )
    for missing in range(4):
        lines = opened + "\n".join(dealt[:missing] + dealt[missing + 1 :])
        (verdict,) = judge_facts(facts_of_lines(lines, CATALOGUE), GAME, shipped_edition().toml).verdicts
        assert "NL-10" not in {finding.rule for finding in verdict.findings}
    swapped = opened + "\n".join([dealt[0].replace("seat/2", "seat/1"), *dealt[1:]])
    (verdict,) = judge_facts(facts_of_lines(swapped, CATALOGUE), GAME, shipped_edition().toml).verdicts
    assert "NL-10" in {finding.rule for finding in verdict.findings}
