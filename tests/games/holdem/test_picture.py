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
    assert "main             180  seats 1, 2, 3\n                      seat 1 gets 175; rake 5" in text
    assert "due: award 175 to seat 1" in text


@pytest.mark.parametrize("viewpoint", [Viewpoint(), Viewpoint(all_knowing=True), Viewpoint(seat="2")])
def test_an_empty_table_can_be_drawn(viewpoint: Viewpoint) -> None:
    session = table("TableOpened holdem NL CZK smallest_chip=5")
    assert "no hand yet" in drawn(session, viewpoint)


def test_two_players_and_the_button_between_them() -> None:
    text = drawn(
        table(
            "TableOpened holdem NL CZK\nStakesAnnounced 5 10\n#1 RoundOpened\n#1 ButtonPlaced 3\n"
            "#1 PlayerDealtIn 3 p-3 100\n#1 PlayerDealtIn 7 p-7 100\n#1 Posted 7 small_blind 5"
        )
    )
    assert "3 BTN/BB" in text
    assert "7 SB" in text
    assert "due: big blind 10 from seat 3" in text


def rows(session: Session, viewpoint: Viewpoint | None = None) -> dict[str, str]:
    """The lines of the picture by their first word that is no mark."""
    found: dict[str, str] = {}
    for text in drawn(session, viewpoint).replace("\u00a0", " ").splitlines():
        words = text.lstrip("▶ ").split()
        found.setdefault(words[0] if words else "", " ".join(words[1:]))
    return found


def seated(*seats: int, button: int = 1, more: str = "") -> Session:
    """A hand whose blinds are posted where `more` says so."""
    lines = [f"#1 PlayerDealtIn {seat} p-{seat} 1000" for seat in seats]
    head = (
        f"TableOpened holdem NL CZK smallest_chip=5\nStakesAnnounced 5 10\n#1 RoundOpened\n#1 ButtonPlaced {button}\n"
    )
    return table(head + "\n".join(lines) + "\n" + more)


NAMES = {
    2: "BTN/BB SB",
    3: "BTN SB BB",
    4: "BTN SB BB UTG",
    5: "BTN SB BB UTG CO",
    6: "BTN SB BB UTG HJ CO",
    7: "BTN SB BB UTG MP HJ CO",
    8: "BTN SB BB UTG UTG+1 MP HJ CO",
    9: "BTN SB BB UTG UTG+1 UTG+2 MP HJ CO",
    10: "BTN SB BB UTG UTG+1 UTG+2 MP MP+1 HJ CO",
}


@pytest.mark.parametrize("count", sorted(NAMES))
def test_every_seat_has_the_name_of_its_position(count: int) -> None:
    posts = "#1 Posted 2 small_blind 5\n" + ("#1 Posted 3 big_blind 10" if count > 2 else "#1 Posted 1 big_blind 10")
    shown = rows(seated(*range(1, count + 1), more=posts))
    assert [shown[str(seat)].split()[0] for seat in range(1, count + 1)] == NAMES[count].split()


def test_a_dead_button_is_nobodys_and_the_last_before_it_is_the_cutoff() -> None:
    shown = rows(seated(1, 2, 3, 5, 6, button=4, more="#1 Posted 5 small_blind 5\n#1 Posted 6 big_blind 10"))
    assert shown["4"] == "BTN dead: nobody is dealt in there"
    assert [shown[seat].split()[0] for seat in "56123"] == ["SB", "BB", "UTG", "HJ", "CO"]


def test_a_dead_small_blind_leaves_the_big_blind_first_behind_the_button() -> None:
    shown = rows(
        seated(1, 3, 4, 5, button=1, more="#1 ButtonPlaced 1 small_blind=2 big_blind=3\n#1 Posted 3 big_blind 10")
    )
    assert shown["2"] == "SB dead: nobody is dealt in there"
    assert [shown[seat].split()[0] for seat in "1345"] == ["BTN", "BB", "UTG", "CO"]


def test_posts_beside_the_blinds_stand_with_who_posted_them() -> None:
    posts = (
        "#1 Posted 2 small_blind 5\n#1 Posted 3 big_blind 10\n#1 Posted 4 straddle 20\n#1 Posted 5 dead_small_blind 5"
    )
    shown = rows(seated(1, 2, 3, 4, 5, more=posts))
    assert shown["4"].endswith("20 straddle 20")
    assert shown["5"].endswith("dead small blind 5")


def test_both_boards_of_a_hand_run_twice_stand_whole_with_what_each_hand_makes() -> None:
    text = drawn(
        table(
            HAND.replace("p-1 1000", "p-1 60")
            .replace("p-3 1000", "p-3 60")
            .replace("raise amount=30", "all_in amount=60")
            + """
#1 ActionTaken 3 all_in amount=50
#1 BoardDealt flop 9c,5d,3h
#1 AgreementMade run_it 1,2,3 runs=2
#1 BoardDealt turn 8s
#1 BoardDealt river 2s
#1 BoardDealt turn Kc board=2
#1 BoardDealt river 2c board=2
#1 HandShown 1 Ah,Ad
#1 HandShown 2 Kh,Kd
#1 HandShown 3 Qh,Qd
"""
        )
    )
    assert "board 1 9♣ 5♦ 3♥  8♠  2♠" in text
    assert "board 2 9♣ 5♦ 3♥  K♣  2♣" in text
    assert "board 1: pair, kings" in text
    assert "board 2: three of a kind, kings" in text


def test_a_card_that_was_exposed_lies_open_before_its_seat() -> None:
    session = table(HAND + "#1 CardExposed seat/1 dealer cards=Ah\n")
    assert "A♥ ▒▒" in drawn(session, Viewpoint(known=frozenset({"Ah"})))
    assert "cards were exposed, or moved from where they were dealt: A♥" in drawn(
        session, Viewpoint(known=frozenset({"Ah"}))
    )
    assert "A♥" not in drawn(session)


def test_a_known_burn_card_shows_only_to_who_may_see_it() -> None:
    session = table(HAND + REST.replace("CardBurned", "CardBurned card=7c"))
    assert "burnt   ▒▒" in drawn(session)
    assert "burnt   7♣" in drawn(session, Viewpoint(all_knowing=True))


def test_a_wrong_award_stands_beside_what_was_due() -> None:
    text = drawn(table(HAND + REST + SHOWN + "#1 ChipsMoved pot seat/2 180 award stake=seat/2\n#1 RoundClosed\n"))
    assert "won 180; not due" in text
    assert "  due 175" in text


def test_rake_out_of_a_stack_of_its_own_is_no_win() -> None:
    text = drawn(table(HAND + REST + SHOWN + "#1 ChipsMoved seat/2 rake 5 rake\n"))
    assert "paid 5 into the rake" in text
    assert "won" not in text


def test_who_is_away_stands_in_his_seat() -> None:
    session = table(
        "TableOpened holdem NL CZK smallest_chip=5\nStakesAnnounced 5 10\nSeatTaken 4 p-4\nPlayerWentAway 4 p-4\n"
        "#1 RoundOpened\n#1 ButtonPlaced 1\n#1 PlayerDealtIn 1 p-1 100\n#1 PlayerDealtIn 2 p-2 100\n"
        "#1 PlayerDealtIn 3 p-3 100\n#1 Posted 2 small_blind 5"
    )
    assert rows(session)["4"] == "p-4 away"


@pytest.mark.parametrize("count", [2, 9, 10])
def test_no_line_is_wider_than_99_columns_however_much_is_played_for(count: int) -> None:
    stack = 10**13
    lines = [f"#1 PlayerDealtIn {seat} p-a-very-long-name-{seat} {stack}" for seat in range(1, count + 1)]
    acts = [f"#1 ActionTaken {seat} all_in amount={stack - seat}" for seat in range(1, count + 1)]
    text = drawn(
        table(
            "TableOpened holdem NL CZK smallest_chip=5\nStakesAnnounced 5 10\n#1 RoundOpened\n#1 ButtonPlaced 1\n"
            + "\n".join((*lines, *acts))
        )
    )
    assert max(map(len, text.splitlines())) <= 99


SLOW = """
#1 ActionTaken 3 check
#1 WordsSpoken 1 bet amount=100
#1 ChipsPushed 1 100 chips=100
#1 ChipsPushed 1 200 chips=100,100
#1 WordsSpoken 3 call
#1 ChipsPushed 3 300 chips=100,100,100
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
"""Seat 1 bets 100 and adds 200 without a word, which seat 3 calls though they do not count."""


def test_what_is_behind_is_by_the_rules_while_they_bet_and_by_the_record_once_it_is_paid_out() -> None:
    playing = drawn(table(HAND + REST + SLOW))
    assert playing.count("200 pushed too much") == 2
    paid = HAND + REST + SLOW + "#1 ChipsMoved pot seat/1 780 award stake=seat/1\n"
    for session in (table(paid), table(paid + "#1 RoundClosed\n")):
        text = drawn(session)
        assert "pushed too much" not in text
        assert text.count("due back 200") == 2
        assert sum(lies_behind(session).values()) == 2060
        assert lies_behind(session) == {1: 640 + 780, 2: 0, 3: 640}


def lies_behind(session: Session) -> dict[int, int]:
    """Seat → the amount in the column `behind`."""
    head, *lines = drawn(session).partition("Seats\n")[2].splitlines()
    end = head.index("behind") + len("behind")
    return {
        int(line[2:5]): int(line[:end].split("  ")[-1].replace("\u00a0", ""))
        for line in lines
        if line[2:4].strip().isdigit()
    }


def test_an_award_that_was_put_right_from_seat_to_seat_lies_where_it_is_due() -> None:
    wrong = HAND + REST + SHOWN + "#1 ChipsMoved pot seat/2 175 award stake=seat/2\n"
    session = table(wrong + "#1 ChipsMoved seat/2 seat/1 175 correction\n#1 RoundClosed\n")
    text = drawn(session)
    assert "won 175; −175 outside the pot" in text
    assert "+175 outside the pot" in text
    assert lies_behind(session) == {1: 940 + 175, 2: 0, 3: 940}
