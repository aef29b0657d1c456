"""The figures behind a rule that was kept."""

from __future__ import annotations

from games.adjudicate import Case, explain_rule
from games.casino_holdem import GAME
from tests.games.bank.anything import SUBJECT
from tests.games.casino_holdem.room import CATALOGUE, EDITION, TABLE
from tests.games.casino_holdem.test_rulings import ROUND
from tests.games.table import editions_of, facts_of, facts_of_lines


def told(rule: str, lines: str = ROUND) -> tuple[str, ...]:
    facts = facts_of_lines(TABLE + lines, CATALOGUE, subject=SUBJECT)
    case = Case.make(SUBJECT, facts, CATALOGUE, editions_of(GAME, EDITION))
    return tuple(line.replace("\u00a0", " ") for line in explain_rule(case, {GAME.name: GAME}, "1", rule))


def test_hands_odds_windows_and_steps_are_told() -> None:
    assert told("CH-29") == ("the Dealer has pair, queens, ace, jack and seven kickers: he qualifies",)
    assert told("CH-25")[1] == "box 1: pair, aces, king, queen and seven kickers beats the Dealer"
    assert told("CH-28")[0] == "box 1: 100 CZK, pair (not in its pay table), wins against the Dealer"
    assert told("CH-17")[:2] == (
        "window 1 takes 3 or 4 times the Ante",
        "box 1: 400 CZK on an Ante of 100 CZK; 400 CZK count",
    )
    assert told("CH-11") == ("since the last card of the round before: wash, piles, riffle",)
    assert told("CH-18") == ("burnt before: 1; dealt: 3",)
    assert told("CH-20") == ("burnt before: 1; dealt: 2",)
    assert told("CH-15")[0].startswith("in order off the deck: box 1, box 2, dealer, box 1")
    assert told("CH-03")[0] == "box 1: Ante 100 CZK, limits 10 CZK to 10 000 CZK"
    assert told("CH-05") == ()


def test_every_teller_has_something_to_say_of_any_round_of_a_dealer_and_never_breaks() -> None:
    for breach in (None, *GAME.breaches):
        facts = facts_of(GAME.deal(1, 3, breach=breach), CATALOGUE)
        case = Case.make(facts[0].subject, facts, CATALOGUE, editions_of(GAME, EDITION))
        for number in range(1, 35):
            for line in explain_rule(case, {GAME.name: GAME}, "1", f"CH-{number:02d}"):
                assert line.strip()
