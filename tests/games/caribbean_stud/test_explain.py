"""The figures behind a rule, whether it was kept or broken."""

from __future__ import annotations

import pytest

from games.adjudicate import Case, explain_rule
from games.caribbean_stud import GAME
from tests.games.caribbean_stud.room import CATALOGUE, EDITION
from tests.games.caribbean_stud.test_expects import ROUND
from tests.games.table import editions_of, facts_of_lines


@pytest.mark.parametrize(
    ("rule", "told"),
    [
        ("CS-02", ("box 1: ante 100 CZK, limits 10 CZK to 500 CZK",)),
        ("CS-05", ("box 1: 4♦ for 5♠, fee 100 CZK, ante 100 CZK",)),
        ("CS-07", ("box 1: 2♣ burned, then 5♠ given",)),
        ("CS-08", ("box 1: Bet 200 CZK, 2 × ante 100 CZK",)),
        ("CS-11", ("the dealer has K♣ J♦ 9♥ 4♣ J♣, pair, jacks, king, nine and four kickers: he plays",)),
        (
            "CS-13",
            (
                "the dealer has K♣ J♦ 9♥ 4♣ J♣, pair, jacks, king, nine and four kickers: he plays",
                "box 1 has A♠ Q♠ 8♠ 7♠ 5♠, flush, ace high: it beats the dealer",
                "box 1: the pay table gives 5 to 1 on a Bet of 200 CZK",
            ),
        ),
        ("CS-18", ("cut by p-1; at the dealer's right plays p-1",)),
        ("CS-21", ()),
    ],
)
def test_what_a_rule_rests_on(rule: str, told: tuple[str, ...]) -> None:
    facts = facts_of_lines(ROUND, CATALOGUE)
    case = Case.make(facts[0].subject, facts, CATALOGUE, editions_of(GAME, EDITION))
    assert explain_rule(case, {GAME.name: GAME}, "1", rule) == told
