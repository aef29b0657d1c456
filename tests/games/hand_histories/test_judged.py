"""Hands written here, imported and judged: odd ones give findings or unknowns, never errors."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from msgspec.structs import replace

from games.adjudicate import Case, SessionJudgement, judge_session, judge_sessions
from games.hand_histories.phh_in import Imported
from games.hand_histories.phh_out import WrittenHand, hands_of
from games.hand_histories.retold import acts_of
from games.holdem import GAME
from games.registry import shipped_editions
from games.settlement import conserved
from games.verdict import Verdict
from tests.games.hand_histories.hands import CATALOGUE, HEADS_UP_ALL_IN, NAMES, THREE_HANDED, facts_of, taken
from tests.games.hand_histories.test_phh import hand
from tests.games.hand_histories.test_phh_out import documents
from tests.games.table import editions_of
from tests.games.table import facts_of as table_facts

EDITIONS = editions_of(
    GAME, next(toml for room, file, toml in shipped_editions() if (room, file) == ("holdem", "import.toml")), house="import"
)  # fmt: skip


def judged(found: Imported) -> SessionJudgement:
    facts = facts_of(found)
    return judge_session(Case.make(facts[0].subject, facts, CATALOGUE, EDITIONS), {GAME.name: GAME})


def verdict(text: str) -> Verdict:
    [only] = judged(taken(text)).verdicts
    return only


def codes(found: Verdict) -> list[str]:
    return [f"{finding.rule} {finding.code}" for finding in found.findings]


def test_regular_hands_agree_with_their_files() -> None:
    for text in (THREE_HANDED, HEADS_UP_ALL_IN):
        found = verdict(text)
        assert (found.standing, found.settlement, codes(found)) == ("valid", "agrees", [])
        assert conserved(found.due)


def test_a_stack_that_the_rules_do_not_reach_is_a_wrong_payment() -> None:
    found = verdict(HEADS_UP_ALL_IN.replace("[0, 130]", "[99, 31]"))
    assert found.settlement == "differs"
    assert set(codes(found)) == {"NL-37 wrong_winner", "NL-37 award_in_error"}
    assert found.differences == {"seat/7": -9900, "seat/3": 9900}


def test_what_is_paid_out_beyond_the_pot_is_found() -> None:
    found = verdict(HEADS_UP_ALL_IN.replace("[0, 130]", "[0, 140]"))
    assert found.settlement == "differs"
    assert "NL-02 unaccounted" in codes(found)


def test_actions_out_of_turn_are_findings() -> None:
    assert "NL-11 out_of_turn" in codes(verdict(hand(actions="['p1 f', 'p3 f']")))


def test_a_raise_below_the_minimum_is_a_finding() -> None:
    found = verdict(hand(actions="['p3 cbr 3', 'p1 f', 'p2 f']"))
    assert [code for code in codes(found) if code.startswith("NL-22")] == ["NL-22 below_minimum"]


def test_a_card_twice_is_a_finding() -> None:
    text = hand(actions="['d dh p1 AhAd', 'd dh p2 AhKd', 'p3 f', 'p1 f']")
    assert "NL-01 card_twice" in codes(verdict(text))


def test_a_hand_that_breaks_off_is_not_settled() -> None:
    found = verdict(hand(actions="['p3 cc', 'p1 cc']"))
    assert (found.standing, found.settlement) == ("cannot_tell", "not_recorded")


def test_cards_turned_up_unread_and_named_later_are_known() -> None:
    text = HEADS_UP_ALL_IN.replace('"p1 sm AcAd", "p2 sm QhJh",', '"p1 sm ????", "p2 sm ????",')
    text = text.replace("d dh p1 AcAd", "d dh p1 ????").replace("d dh p2 QhJh", "d dh p2 ????")
    text = text.replace('"d db 3h"]', '"d db 3h", "p1 sm AcAd", "p2 sm QhJh"]')
    found = verdict(text)
    assert (found.standing, found.settlement) == ("valid", "agrees")


def test_odd_chips_are_hundredths_where_the_file_counts_in_parts() -> None:
    """A pot of 25 between two: whole chips go 13 and 12, left of the button first; a file with halves has 12.5."""
    board = "'d db AsKsQs', 'p1 cc', 'p2 cc', 'd db JsTs', 'd db 2c'"
    actions = f"['d dh p1 3c4c', 'd dh p2 3d4d', 'd dh p3 5d6d', 'p3 cbr 5', 'p1 cc', 'p2 cc', {board}]"
    actions = actions.replace("'d db JsTs', 'd db 2c'", "'d db Js', 'p1 cc', 'p2 cc', 'd db Ts', 'p1 cc', 'p2 cc'")
    actions = actions.replace("'p3 cbr 5', 'p1 cc', 'p2 cc'", "'p3 f', 'p1 cbr 12', 'p2 cc'")
    actions = actions[:-1] + ", 'p1 sm 3c4c', 'p2 sm 3d4d']"
    whole = verdict(hand(antes="[0, 0, 1]", actions=actions, finishing_stacks="[101, 100, 99]"))
    assert (whole.settlement, codes(whole)) == ("agrees", [])
    halves = verdict(hand(antes="[0, 0, 1]", actions=actions, finishing_stacks="[100.5, 100.5, 99]"))
    assert (halves.settlement, codes(halves)) == ("agrees", [])


def test_of_several_readings_of_a_hand_the_newest_counts() -> None:
    facts = facts_of(taken(THREE_HANDED))
    later = [replace(fact, source="/recoup/import/phh/10") for fact in facts]
    older = [replace(fact, source="/recoup/import/phh/9") for fact in facts]
    both = judge_session(Case.make(facts[0].subject, [*older, *later], CATALOGUE, EDITIONS), {GAME.name: GAME})
    assert both == judge_session(Case.make(facts[0].subject, later, CATALOGUE, EDITIONS), {GAME.name: GAME})
    assert [found.settlement for found in both.verdicts] == ["agrees"]


def test_many_sessions_are_judged_as_each_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """In order, groups and all: a session that nobody opened among them."""
    monkeypatch.setattr("games.adjudicate.TOGETHER", 50)
    hands = [taken(hand(hand=number, actions=f"['p3 cbr {number % 9}', 'p1 f']")) for number in range(19)]
    told = [facts_of(one) for one in hands]
    told[5] = told[5][1:]
    cases = [Case.make(facts[0].subject, facts, CATALOGUE, EDITIONS) for facts in told]
    alone = [judge_session(case, {GAME.name: GAME}) for case in cases]
    assert list(judge_sessions(cases, {GAME.name: GAME})) == alone
    assert [one.verdicts == () for one in alone].index(True) == 5


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_hands_of_our_own_tables_are_judged_alike_when_written_and_imported(seed: int) -> None:
    """Words, chips and gestures become the actions that they count for; money and cards stay."""
    plan = next(toml for room, file, toml in shipped_editions() if (room, file) == ("holdem", "live-games-plan.toml"))
    facts = table_facts(GAME.deal(30, seed), CATALOGUE)
    case = Case.make(facts[0].subject, facts, CATALOGUE, editions_of(GAME, plan))
    rooms = {GAME.name: GAME}
    played = judge_session(case, rooms).verdicts
    written = list(hands_of(case.ordered, acts_of(case, rooms)))
    assert len(written) == len(played) == 30
    for one, text in zip(played, written, strict=True):
        again = verdict(text.text)
        assert again.standing == "valid"
        assert again.due.rake == one.due.rake
        if len(one.due.pots) > 1 and one.due.rake:
            continue  # a history does not say which pot was raked
        assert (again.settlement, codes(again)) == ("agrees", [])
        assert {line.player: line.net for line in again.due.lines} == {
            NAMES.of(line.player): line.net for line in one.due.lines
        }


@settings(deadline=None)
@given(documents())
def test_no_hand_whatever_it_holds_is_an_error_to_the_judge(document: dict[str, Any]) -> None:
    """Chips are conserved in what is due, and judging twice gives the same."""
    found = taken(WrittenHand("1", document).text)
    first, second = judged(found), judged(found)
    assert first == second
    for one in first.verdicts:
        if one.due.known:
            assert conserved(one.due)


RAKED = """variant = "NT"
antes = [0, 0, 0]
blinds_or_straddles = [5, 10, 0]
min_bet = 10
starting_stacks = [300, 1000, 1200]
actions = [
  "d dh p1 7c7d", "d dh p2 AsQd", "d dh p3 JhJc", "p3 cbr 30", "p1 cbr 300", "p2 cbr 1000", "p3 cc",
  "d db Kc4s7h", "d db Kd", "d db 2c", "p3 sm JhJc", "p1 sm 7c7d", "p2 sm AsQd",
]
finishing_stacks = [%s]
"""


@pytest.mark.parametrize(
    "stacks",
    [
        "855, 0, 1530",  # 5 % of 900 and of 1400
        "855, 0, 1545",  # 100 at most: 45, then the rest
        "872, 0, 1558",  # 70 at most: 28 would be the main pot's by proportion, 45 by the algorithm
    ],
)
def test_a_rake_that_names_no_pot_is_cut_as_the_algorithm_cuts_it(stacks: str) -> None:
    found = verdict(RAKED % stacks)
    cut_by_rate = stacks != "872, 0, 1558"
    assert (found.settlement == "agrees") == cut_by_rate
    assert [pot.rake for pot in found.due.pots] == {
        "855, 0, 1530": [4500, 7000], "855, 0, 1545": [4500, 5500], "872, 0, 1558": [4500, 2500],
    }[stacks]  # fmt: skip


def test_a_rake_above_the_rate_is_cut_in_proportion() -> None:
    assert [pot.rake for pot in verdict(RAKED % "810, 0, 1460").due.pots] == [9000, 14000]
