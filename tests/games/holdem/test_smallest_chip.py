"""A table whose record does not name its smallest chip: what one explains is unverified, never wrong (NL-33, 1.1)."""

from __future__ import annotations

import pytest

from games.holdem import GAME
from games.holdem.dealer import shipped_edition
from games.verdict import Verdict
from tests.games.table import catalogue_of, facts_of_lines, judge_facts

HAND = """
@+0 TableOpened holdem NL CZK{chip}
StakesAnnounced 5 10
#1 RoundOpened
#1 ButtonPlaced 1
#1 PlayerDealtIn 1 p-1 500
#1 PlayerDealtIn 2 p-2 500
#1 Posted 2 small_blind 5
#1 Posted 1 big_blind 10
#1 HoleDealt 1 Ah,Ad
#1 HoleDealt 2 Kh,Kd
#1 ActionTaken 2 raise amount=110
#1 ActionTaken 1 call amount=105
#1 CardBurned
#1 BoardDealt flop Qs,9c,5d
#1 ActionTaken 2 check
#1 ActionTaken 1 bet amount=50
#1 ActionTaken 2 fold
#1 ChipsMoved pot seat/1 50 return stake=seat/1
#1 ChipsMoved pot rake {rake} rake
#1 ChipsMoved pot seat/1 {award} award stake=seat/1
#1 RoundClosed
"""


def judged(rake: int, award: int, chip: int | None = None) -> Verdict:
    text = HAND.format(chip="" if chip is None else f" smallest_chip={chip}", rake=rake, award=award)
    return judge_facts(facts_of_lines(text, catalogue_of(GAME)), GAME, shipped_edition().toml).verdicts[0]


def test_a_rake_that_some_chip_explains_is_unverified() -> None:
    verdict = judged(10, 220)  # 5 % of 230 are 11.50: 11 by whole units, 10 by a chip of 5
    assert [(one.rule, one.code, one.kind) for one in verdict.findings] == [
        ("NL-33", "unverified:smallest_chip", "unverified")
    ]
    assert verdict.findings[0].remedy == {"amount": 500}
    assert (verdict.settlement, verdict.differences) == ("agrees", {})


@pytest.mark.parametrize(("rake", "award", "chip"), [(11, 219, None), (10, 220, 5)])
def test_what_whole_units_or_the_chip_on_record_give_is_verified(rake: int, award: int, chip: int | None) -> None:
    assert (judged(rake, award, chip).findings, judged(rake, award, chip).settlement) == ((), "agrees")


def test_a_rake_above_what_any_chip_gives_is_wrong() -> None:
    verdict = judged(15, 215)
    assert [(one.rule, one.code, one.kind) for one in verdict.findings] == [("NL-33", "over_rake", "mispaid")]
    assert verdict.differences == {"seat/1": 400}
