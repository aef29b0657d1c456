"""Dealing errors at a hold'em table: what holes in the record leave open, and what a misdeal does to the money."""

from __future__ import annotations

import pytest

from games.adjudicate import SessionJudgement
from games.clocks import Clocks
from games.holdem import GAME
from games.holdem.dealer import shipped_edition
from games.protocol import Expectation
from games.shared.poker.events import HandsDealt
from games.table_rules import Hole
from tests.games.table import all_findings, catalogue_of, facts_of_lines, judge_facts

CATALOGUE = catalogue_of(GAME)
HEAD = """
@+0 TableOpened holdem NL CZK smallest_chip=5
StakesAnnounced 5 10
#1 RoundOpened
#1 ButtonPlaced 1
#1 PlayerDealtIn 1 p-1 1000
#1 PlayerDealtIn 2 p-2 1000
#1 PlayerDealtIn 3 p-3 1000
#1 Posted 2 small_blind 5
#1 Posted 3 big_blind 10
"""
DEAL = """
#1 CardDealt seat/2 seq=1
#1 CardDealt seat/3 seq=2
#1 CardDealt seat/1 seq=3
#1 CardDealt seat/2 seq=4
#1 CardDealt seat/3 seq=5
#1 CardDealt seat/1 seq=6
"""
SOURCE = "/brno/T-1/terminal"


def judged(lines: str, hole: int = 0) -> SessionJudgement:
    """The judgement of these lines; `hole`: a number of the source that is missing."""
    holes = [Hole(SOURCE, hole, hole)] if hole else []
    return judge_facts(facts_of_lines(HEAD + lines, CATALOGUE), GAME, shipped_edition().toml, holes=holes)


def told(judgement: SessionJudgement) -> list[str]:
    """Rule, code and kind of what hold'em found."""
    return [f"{one.rule} {one.code} {one.kind}" for one in all_findings(judgement) if one.rule.startswith("NL")]


CALL = "#1 ActionTaken 1 call amount=10\n"
REST = "#1 CardBurned seq=7\n#1 BoardDealt flop 9c,5d,3h\n"


@pytest.mark.parametrize(
    ("lines", "whole", "code"),
    [
        (DEAL + CALL + REST, "NL-17 premature_flop corrected", "premature_flop"),
        (
            DEAL + CALL + "#1 ActionTaken 2 call amount=5\n#1 ActionTaken 3 check\n"
            "#1 CardDealt flop seq=7 face=up\n#1 CardDealt flop seq=8 face=up\n#1 CardDealt flop seq=9 face=up\n",
            "NL-13 burn_missing corrected", "burn_missing",
        ),
        ("#1 CardDealt seat/3\n", "NL-10 order misdeal", "order"),
        (DEAL + "#1 MisdealDeclared\n" + DEAL, "NL-10 misdeal_without_ground breach", "misdeal_without_ground"),
    ],
)  # fmt: skip
def test_what_rests_on_an_absent_record_is_not_held_against_anybody(lines: str, whole: str, code: str) -> None:
    assert told(judged(lines)) == [whole]
    assert told(judged(lines, hole=5)) == [f"{whole.split(maxsplit=1)[0]} unverified:{code} unverified"]


def test_what_is_on_record_stays_found_beside_a_hole() -> None:
    lines = "#1 CardDealt seat/2 seq=1 face=up\n"
    assert told(judged(lines, hole=5)) == ["NL-14 exposed_first misdeal"]


def test_a_misdeal_never_dealt_again_gives_everything_back() -> None:
    lines = (
        "#1 CardDealt seat/2 seq=1 face=up\n#1 MisdealDeclared\n"
        "#1 ChipsMoved pot seat/2 5 return stake=seat/2\n#1 ChipsMoved pot seat/3 10 return stake=seat/3\n#1 RoundClosed\n"
    )
    judgement = judged(lines)
    verdict = judgement.verdicts[0]
    assert told(judgement) == ["NL-10 not_redealt breach", "NL-14 exposed_first misdeal"]
    assert verdict.settlement == "agrees"
    assert not any(verdict.due.nets().values())


def test_after_a_misdeal_the_hand_is_settled_as_dealt_again() -> None:
    """The call goes back, then seat 1 folds and seat 3 wins the blinds, less rake."""
    lines = (
        "#1 CardDealt seat/2 seq=1\n#1 CardDealt seat/3 seq=2 face=up\n#1 CardDealt seat/1 seq=3\n"
        "#1 CardDealt seat/2 seq=4\n#1 CardDealt seat/3 seq=5\n#1 CardDealt seat/1 seq=6\n" + CALL
        + "#1 MisdealDeclared\n#1 ChipsMoved pot seat/1 10 return stake=seat/1\n" + DEAL
        + "#1 ActionTaken 1 fold\n#1 ActionTaken 2 fold\n#1 ChipsMoved pot seat/3 5 return stake=seat/3\n"
        "#1 ChipsMoved pot seat/3 10 award stake=seat/3\n#1 RoundClosed\n"
    )  # fmt: skip
    judgement = judged(lines)
    assert told(judgement) == ["NL-14 exposed_first misdeal"]
    verdict = judgement.verdicts[0]
    assert (verdict.settlement, verdict.standing) == ("agrees", "valid")
    assert verdict.due.nets() == {"p-2": -500, "p-3": 500}


def expectation(lines: str) -> Expectation:
    """What the room expects after these lines."""
    facts = facts_of_lines(HEAD + lines, CATALOGUE)
    session = GAME.open_table(shipped_edition(), facts[0], (), Clocks())
    for fact in facts[1:]:
        session = GAME.evolve(session, fact)
    return GAME.expects(session)


def test_the_dealer_is_told_to_call_a_misdeal() -> None:
    next_ = expectation("#1 CardDealt seat/2 seq=1 face=up\n")
    assert next_.phase == "misdeal"
    assert "card 1 of the deal was exposed" in next_.note
    assert not next_.next_card


def test_the_dealer_is_told_of_the_replacement_once_the_deal_is_complete() -> None:
    next_ = expectation(DEAL.replace("seq=5", "seq=5 face=up"))
    assert (next_.phase, next_.next_card) == ("dealing", "seat/3")
    assert "burn card" in next_.note


def test_the_round_goes_on_with_the_repair_of_an_early_flop_in_the_note() -> None:
    next_ = expectation(DEAL + CALL + REST)
    assert next_.actor == "seat/2"
    assert "set aside the next four cards unseen" in next_.note


def test_an_imported_hand_keeps_no_steps_of_its_cards() -> None:
    text = f"""
    @+0 HandImported holdem NL USD phh 1 {"0" * 64} - no
    #1 RoundOpened
    #1 LineUp 1,2 p-1,p-2 1000,1000 button=1
    #1 HandsDealt 2,1 Ah,Kh,Ad,Kd
    #1 BoardDealt flop 9c,5d,3h
    """
    facts = facts_of_lines(text, CATALOGUE)
    session = GAME.open_table(shipped_edition(), facts[0], (), Clocks())
    assert any(isinstance(fact.event, HandsDealt) for fact in facts)
    for fact in facts[1:]:
        session = GAME.evolve(session, fact)
    assert session.imported
    assert session.hand is not None
    assert session.hand.steps == []
    assert session.hand.board == ("9c", "5d", "3h")


def test_a_fold_out_of_turn_does_not_end_the_time_for_a_misdeal() -> None:
    lines = DEAL.replace("seq=1\n", "seq=1 face=up\n")
    early = "#1 ActionTaken 2 fold\n" + CALL + "#1 MisdealDeclared\n"
    assert "NL-14 exposed_first misdeal" in told(judged(lines + early))
    in_turn = CALL + "#1 ActionTaken 2 fold\n#1 MisdealDeclared\n"
    assert "NL-14 exposed_first breach" in told(judged(lines + in_turn))


def test_the_button_that_moves_after_a_misdeal_is_the_only_fault() -> None:
    again = "#1 MisdealDeclared\n#1 ButtonPlaced 2\n" + DEAL.replace("seq=1\n", "seq=1 card=Kh\n", 1)
    judgement = judged(DEAL.replace("seq=1\n", "seq=1 face=up\n") + again + "#1 ActionTaken 1 fold\n")
    assert told(judgement) == ["NL-07 button_moved_after_misdeal breach", "NL-14 exposed_first misdeal"]


CALLED = CALL + "#1 ActionTaken 2 call amount=5\n#1 ActionTaken 3 check\n"
CHECKED = "#1 ActionTaken 2 check\n#1 ActionTaken 3 check\n#1 ActionTaken 1 check\n"


def flop_from(seq: int) -> str:
    """A flop of three cards, the first at this place off the deck."""
    cards = enumerate(("9c", "5d", "3h"), seq)
    return "".join(f"#1 CardDealt flop card={card} seq={at} face=up\n" for at, card in cards)


def test_who_plays_on_beside_a_hand_that_nobody_knew_to_be_dead_breaks_nothing() -> None:
    short = DEAL.replace("#1 CardDealt seat/1 seq=6\n", "")
    lines = CALLED + "#1 CardBurned seq=6\n" + flop_from(7) + CHECKED
    assert told(judged(short + lines)) == ["NL-10 wrong_count dead"]


def test_two_cards_of_a_flop_are_for_a_person_and_accuse_nobody() -> None:
    flop = "#1 CardBurned seq=7\n#1 CardDealt flop card=9c seq=8 face=up\n#1 CardDealt flop card=5d seq=9 face=up\n"
    assert told(judged(DEAL + CALLED + flop + CHECKED + "#1 CardBurned seq=10\n")) == [
        "NL-13 street_short ruling_required"
    ]


def test_an_early_turn_without_a_burn_breaks_two_rules() -> None:
    flop = "#1 CardBurned seq=7\n" + flop_from(8)
    early = "#1 CardDealt turn card=8s seq=11 face=up\n"
    assert told(judged(DEAL + CALLED + flop + early)) == ["NL-13 burn_missing breach", "NL-20 premature_turn corrected"]


def test_what_was_not_set_aside_comes_off_the_deck_as_ever() -> None:
    lines = (
        "#1 CardBurned seq=7\n" + flop_from(8) + "#1 ActionTaken 2 check\n#1 CardBurned seq=11\n"
        "#1 CardDealt turn card=8s seq=12 face=up\n#1 ActionTaken 3 check\n#1 ActionTaken 1 check\n#1 StubShuffled seqs=12\n"
        "#1 CardDealt turn card=2s seq=13 face=up\n"
        + CHECKED
        + "#1 CardBurned seq=14\n#1 CardDealt river card=4s seq=15 face=up\n"
    )
    assert {one.rpartition(" ")[0] for one in told(judged(DEAL + CALLED + lines))} == {"NL-20 premature_turn"}
