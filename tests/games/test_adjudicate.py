"""The judge itself, with a toy room: grouping, gaps, standing, comparison, digest."""

from __future__ import annotations

import random

import pytest

from events.errors import EditionMissing, Refused
from events.schema.envelope import canonical
from games.adjudicate import Case, judge_round, judge_session, steps
from games.house_rules.edition import Editions
from games.registry import forms
from games.table_rules import Hole
from tests.games.table import (
    all_findings,
    catalogue_of,
    editions_of,
    facts_of,
    facts_of_lines,
    judge_envelopes,
    judge_facts,
    with_parameters,
)
from tests.games.toy import GAME, TOML, deal

CATALOGUE = catalogue_of(GAME)
OPEN = "@+0 TableOpened coin CO CZK\n"


def judged(text: str, **more):
    return judge_facts(facts_of_lines(OPEN + text, CATALOGUE), GAME, TOML, **more)


def test_a_dealers_session_without_breach_agrees_and_finds_nothing():
    judgement = judge_envelopes(deal(6, seed=3), GAME, TOML)
    assert [verdict.settlement for verdict in judgement.verdicts] == ["agrees"] * 6
    assert [verdict.standing for verdict in judgement.verdicts] == ["valid"] * 6
    assert all_findings(judgement) == []
    assert judgement.verdicts[0].due.nets() == {"p-1": 1000}
    assert judgement.verdicts[1].due.nets() == {"p-1": -1000}


@pytest.mark.parametrize("breach", GAME.breaches)
@pytest.mark.parametrize("seed", [1, 2])
def test_a_breach_is_found_and_no_other(breach, seed):
    for rounds, at in ((1, 0), (10, 4)):
        found = all_findings(judge_envelopes(deal(rounds, seed, breach=breach, breach_round=at), GAME, TOML))
        assert {finding.rule for finding in found} == {breach}


def test_a_short_payment_is_a_difference_with_its_direction():
    verdict = judge_envelopes(deal(1, 1, breach="CO-01"), GAME, TOML).verdicts[0]
    assert verdict.settlement == "differs"
    assert verdict.differences == {"b1": 100}
    assert verdict.player_differences == {"p-1": 100}


def test_a_payment_for_a_stake_that_nobody_made_is_a_difference():
    verdict = judged(
        "#1 RoundOpened\n#1 CoinTossed heads\n#1 ChipsMoved float player/p-9 5 win stake=b7\n#1 RoundClosed"
    ).verdicts[0]
    assert verdict.differences == {"b7": -500}


def test_the_verdict_does_not_depend_on_the_order_of_arrival():
    facts = facts_of(deal(5, 2, breach="CO-01", breach_round=2), CATALOGUE)
    case = Case.make(facts[0].subject, facts, CATALOGUE, editions_of(GAME, TOML))
    wanted = canonical(judge_session(case, {"coin": GAME}).verdicts)
    for seed in range(5):
        random.Random(seed).shuffle(facts)
        case = Case.make(facts[0].subject, facts, CATALOGUE, editions_of(GAME, TOML))
        assert canonical(judge_session(case, {"coin": GAME}).verdicts) == wanted


def test_judging_one_round_gives_the_same_verdict_as_judging_all():
    facts = facts_of(deal(5, 2, breach="CO-01", breach_round=2), CATALOGUE)
    case = Case.make(facts[0].subject, facts, CATALOGUE, editions_of(GAME, TOML))
    for verdict in judge_session(case, {"coin": GAME}).verdicts:
        assert judge_round(case, {"coin": GAME}, verdict.round.rpartition("#")[2]) == verdict
    with pytest.raises(Refused, match="no round `77`"):
        judge_round(case, {"coin": GAME}, "77")


def test_a_gap_touches_the_rounds_on_both_sides_and_only_those():
    envelopes = list(deal(4, 1))
    facts = facts_of(envelopes, CATALOGUE)
    lost = next(fact for fact in facts if fact.round == "2" and fact.topic.startswith("CO.HeadsBet"))
    rest = [fact for fact in facts if fact is not lost]
    judgement = judge_facts(rest, GAME, TOML, holes=(Hole(lost.source, lost.sequence, lost.sequence),))
    assert [verdict.standing for verdict in judgement.verdicts] == ["valid", "cannot_tell", "valid", "valid"]
    assert [finding.rule for finding in judgement.verdicts[1].findings] == ["TB-01"]


def test_an_undecoded_record_is_a_hole_of_one():
    judgement = judge_facts(
        [
            *facts_of_lines(OPEN + "#1 RoundOpened\n#1 HeadsBet b1 p-1 10\n#1 CoinTossed heads", CATALOGUE),
            facts_of_lines("#1 4@/brno/T-1/other RoundClosed", CATALOGUE)[0].__class__(
                subject="table/brno/T-1/2026-11-28.1", source="/brno/T-1/sensor", sequence=1, topic="CO.Unheard.v9",
                event=CATALOGUE.decode("CO.Unheard.v9", {"x": 1}), occurred_at=1, round="1",
            ),
        ],
        GAME,
        TOML,
    )  # fmt: skip
    assert judgement.verdicts[0].standing == "cannot_tell"
    assert [finding.rule for finding in judgement.verdicts[0].findings] == ["TB-03"]


def test_a_round_name_used_again_is_a_round_of_its_own():
    text = "#7 RoundOpened\n#7 HeadsBet b1 p-1 10\n#7 CoinTossed tails\n#7 RoundClosed\n"
    judgement = judged(text + text)
    assert [verdict.round.rpartition("#")[2] for verdict in judgement.verdicts] == ["7", "7~2"]
    assert [verdict.due.nets() for verdict in judgement.verdicts] == [{"p-1": -1000}, {"p-1": -1000}]
    assert [finding.rule for finding in judgement.verdicts[1].findings] == ["TB-06"]


def test_a_record_of_a_closed_round_is_judged_in_its_own_round():
    text = (
        "#1 RoundOpened\n#1 HeadsBet b1 p-1 10\n#1 CoinTossed heads\n#1 RoundClosed\n"
        "#2 RoundOpened\n#1 ChipsMoved float player/p-1 10 win stake=b1\n#2 CoinTossed heads\n#2 RoundClosed\n"
    )
    assert [verdict.settlement for verdict in judged(text).verdicts] == ["agrees", "not_recorded"]


def test_a_wrong_round_name_is_set_right_by_a_correction():
    text = (
        "#1 RoundOpened\n#2 HeadsBet b1 p-1 10\n#1 CoinTossed heads\n#1 RoundClosed\n#2 RoundOpened\n"
        "#2 CoinTossed tails\n#2 RoundClosed\n"
    )
    correction = "^3@/brno/T-1/terminal RecordCorrected round=1\n"
    before, after = judged(text), judged(text + correction)
    assert before.verdicts[0].due.nets() != {"p-1": 1000}
    assert [verdict.due.nets() for verdict in after.verdicts] == [{"p-1": 1000}, {}]


def test_the_latest_correction_wins_and_a_disowned_record_is_not_folded():
    text = "#1 RoundOpened\n#1 HeadsBet b1 p-1 10\n#1 CoinTossed tails\n#1 RoundClosed\n"
    first = '^4@/brno/T-1/terminal RecordCorrected data={"side":"heads"}\n'
    second = '^4@/brno/T-1/terminal RecordCorrected data={"side":"tails"}\n'
    assert judged(text + first).verdicts[0].due.nets() == {"p-1": 1000}
    assert judged(text + first + second).verdicts[0].due.nets() == {"p-1": -1000}
    gone = judged(text + "^4@/brno/T-1/terminal RecordDisowned\n").verdicts[0]
    assert (gone.standing, gone.settlement) == ("cannot_tell", "not_recorded")


def test_an_added_fact_stands_behind_the_record_it_is_about():
    text = "#1 RoundOpened\n#1 HeadsBet b1 p-1 10\n#1 RoundClosed\n"
    added = judged(text + "^3@/brno/T-1/terminal CoinTossed heads\n").verdicts[0]
    assert added.due.nets() == {"p-1": 1000}


def test_a_session_that_nobody_opened_is_reported_and_not_guessed():
    judgement = judge_facts(facts_of_lines("#1 RoundOpened", CATALOGUE), GAME, TOML)
    assert judgement.verdicts == ()
    assert [(finding.rule, finding.code) for finding in judgement.between] == [("TB-13", "not_opened")]


def test_a_game_that_no_room_plays_is_reported():
    judgement = judge_facts(facts_of_lines("TableOpened bingo BI CZK", CATALOGUE), GAME, TOML)
    assert [finding.code for finding in judgement.between] == ["game_unknown"]


def test_no_edition_in_force_says_where_to_look():
    facts = facts_of_lines(OPEN, CATALOGUE)
    case = Case.make(facts[0].subject, facts, CATALOGUE, Editions(forms([GAME])))
    with pytest.raises(EditionMissing, match="no CO edition of `brno` is in force on 2026-11-28"):
        judge_session(case, {"coin": GAME})


def test_a_source_without_end_and_a_clock_that_goes_back_are_reported():
    judgement = judged("#1 @+10 RoundOpened\n#1 @+5 RoundClosed\nTableClosed")
    assert [finding.rule for finding in judgement.verdicts[0].findings] == ["TB-05"]
    assert [finding.rule for finding in judgement.between] == ["TB-13"]


def test_the_table_names_another_edition():
    judgement = judge_facts(facts_of_lines("TableOpened coin CO CZK edition=other", CATALOGUE), GAME, TOML)
    assert [finding.rule for finding in judgement.between] == ["TB-07"]


def test_a_pot_left_with_chips_does_not_add_up():
    text = "#1 RoundOpened\n#1 ChipsMoved seat/1 pot 10 stake\n#1 ChipsMoved pot seat/1 9 award\n#1 CoinTossed heads\n#1 RoundClosed\n"
    (found,) = [finding for finding in all_findings(judged(text)) if finding.rule == "TB-08"]
    assert found.text == "pot is left with 1 CZK by the movements on record"


def test_a_parameter_decides_and_the_verdict_lists_it_as_defaulted():
    text = OPEN + "#1 RoundOpened\n#1 CoinTossed heads\n#1 HeadsBet b1 p-1 10\n#1 RoundClosed\n"
    facts = facts_of_lines(text, CATALOGUE)
    default = judge_facts(facts, GAME, TOML).verdicts[0]
    stated = judge_facts(facts, GAME, with_parameters(TOML, {"coin.late": "counts"}, GAME)).verdicts[0]
    assert default.findings[0].kind == "void"
    assert default.defaulted == ("coin.late",)
    assert stated.findings[0].kind == "breach"
    assert stated.findings[0].parameters == {"coin.late": "counts"}
    assert stated.defaulted == ()
    assert default.digest != stated.digest


def test_steps_fold_what_the_judge_folds():
    facts = facts_of(deal(2, 1, breach="CO-02"), CATALOGUE)
    case = Case.make(facts[0].subject, facts, CATALOGUE, editions_of(GAME, TOML))
    taken = list(steps(case, {"coin": GAME}))
    assert [step.fact.cite for step in taken] == [fact.cite for fact in case.ordered.facts]
    assert [finding.rule for step in taken for finding in step.findings] == ["CO-02"]
