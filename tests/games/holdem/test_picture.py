"""The picture of a table: what is shown, what stays hidden, and to whom."""

from __future__ import annotations

import pytest

from events.schema.fact import Fact
from games.clocks import Clocks
from games.holdem import GAME
from games.holdem.dealer import shipped_edition
from games.holdem.state import Session
from games.picture import Viewpoint
from tests.games.table import catalogue_of, facts_of_lines

HAND = """
TableOpened holdem NL CZK smallest_chip=5
StakesAnnounced 5 10
#1 RoundOpened
#1 ButtonPlaced 1
#1 PlayerDealtIn 1 p-1 1000
#1 PlayerDealtIn 2 p-2 60
#1 PlayerDealtIn 3 p-3 1000
#1 Posted 2 small_blind 5
#1 Posted 3 big_blind 10
#1 HoleDealt 1 Ah,Ad
#1 HoleDealt 2 Kh,Kd
#1 HoleDealt 3 Qh,Qd
#1 ActionTaken 1 raise amount=30
#1 ActionTaken 2 all_in amount=55
"""
REST = """
#1 ActionTaken 3 call amount=50
#1 ActionTaken 1 call amount=30
#1 CardBurned
#1 BoardDealt flop 9c,5d,3h
"""
SHOWN = """
#1 ActionTaken 3 check
#1 ActionTaken 1 check
#1 CardBurned
#1 BoardDealt turn 8s
#1 ActionTaken 3 check
#1 ActionTaken 1 check
#1 CardBurned
#1 BoardDealt river 2s
#1 ActionTaken 3 check
#1 ActionTaken 1 check
#1 HandShown 2 Kh,Kd
#1 HandMucked 3
#1 HandShown 1 Ah,Ad
"""


def table(text: str) -> Session:
    facts: list[Fact] = facts_of_lines(text, catalogue_of(GAME))
    session = GAME.open_table(shipped_edition(), facts[0], (), Clocks())
    for fact in facts[1:]:
        session = GAME.evolve(session, fact)
    return session


def drawn(session: Session, viewpoint: Viewpoint | None = None) -> str:
    """The picture without any colour."""
    panels = GAME.picture(session, viewpoint or Viewpoint())
    return "\n".join(
        "\n".join((panel.title, *("".join(span.text for span in line) for line in panel.lines))) for panel in panels
    )


def test_cards_are_hidden_until_they_are_shown() -> None:
    text = drawn(table(HAND))
    assert "A♥" not in text
    assert text.count("▒▒ ▒▒") == 3


def test_a_viewer_at_a_seat_sees_his_own_cards_only() -> None:
    text = drawn(table(HAND), Viewpoint(seat="1"))
    assert "A♥ A♦" in text
    assert "K♥" not in text


def test_who_may_see_everything_does() -> None:
    text = drawn(table(HAND), Viewpoint(all_knowing=True))
    assert all(cards in text for cards in ("A♥ A♦", "K♥ K♦", "Q♥ Q♦"))


def test_it_says_who_acts_and_what_he_may_do() -> None:
    text = drawn(table(HAND))
    assert "Hand 1, preflop · blinds 5 / 10 · amounts in CZK" in text
    assert "▶  3 BB" in text
    said = "seat 3, p-3: fold | call 60 (50 more) | raise to 120–1 000 (all in)"
    assert said in text.replace("\u00a0", " ")


def test_who_is_all_in_is_cut_off_from_what_lies_above() -> None:
    text = drawn(table(HAND))
    assert "all in" in text
    assert "main" in text
    assert "seats 1, 2, 3" in text


def test_hands_are_named_when_they_lie_open_and_pots_say_who_won() -> None:
    session = table(HAND + REST + SHOWN)
    text = drawn(session)
    assert "pair, aces, nine, eight and five kickers" in text
    assert "A♥ A♦" in text
    assert "Q♥" not in text
    assert "seats 1, 2, 3; seat 1 gets 175, rake 5" in text
    assert "due: award 175 to seat 1" in text


@pytest.mark.parametrize("viewpoint", [Viewpoint(), Viewpoint(all_knowing=True), Viewpoint(seat="2")])
def test_an_empty_table_can_be_drawn(viewpoint: Viewpoint) -> None:
    session = table("TableOpened holdem NL CZK smallest_chip=5")
    assert "no hand yet" in drawn(session, viewpoint)


def test_two_players_and_the_button_between_them() -> None:
    text = drawn(
        table(
            "TableOpened holdem NL CZK\nStakesAnnounced 5 10\n#1 RoundOpened\n#1 ButtonPlaced 3\n"
            "#1 PlayerDealtIn 3 p-3 100\n#1 PlayerDealtIn 7 p-7 100"
        )
    )
    assert "3 BTN/BB" in text
    assert "7 SB" in text
    assert "due: small blind 5 from seat 7" in text
