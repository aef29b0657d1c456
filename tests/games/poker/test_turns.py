"""Actions out of turn, the clock and the line as values of a table's terms (NL-A13; poker-room.md 3.13, 3.14)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from events.schema.common import TableOpened
from events.schema.event import Event
from events.schema.fact import Fact
from games.clocks import Clocks
from games.holdem import GAME
from games.holdem.dealer import shipped_edition
from games.shared.poker.conduct import PenaltyGiven
from games.shared.poker.events import (
    ActionTaken,
    ButtonPlaced,
    ChipsPushed,
    ClockCalled,
    GestureMade,
    PlayerDealtIn,
    Posted,
    StakesAnnounced,
    WordsSpoken,
)
from games.shared.poker.hand import Hand
from games.shared.poker.irregular import Early, OutOfTurn, worth


def said(events: list[Any], *, stacks: dict[int, int] | None = None, imported: bool = False, **terms: Any) -> Hand:
    """A table 25/50 with these terms, six seats of 2000 with the button on 6; the hand as the events leave it. A tuple
    of an event and a time: at that millisecond."""
    session = GAME.open_table(shipped_edition(), _fact(TableOpened("holdem", "NL", "CZK"), 0, None), (), Clocks())
    session = replace(session, terms=replace(session.terms, **terms), imported=imported)
    start: list[Event] = [StakesAnnounced(25, 50, line=True), ButtonPlaced(6)]
    start += [PlayerDealtIn(seat, f"p-{seat}", (stacks or {}).get(seat, 2000)) for seat in range(1, 7)]
    start += [Posted(1, "small_blind", 25), Posted(2, "big_blind", 50)]
    for number, one in enumerate([*start, *events]):
        at, event = one if isinstance(one, tuple) else (number, one)
        session = GAME.evolve(session, _fact(event, at, None if isinstance(event, StakesAnnounced) else "1"))
    assert session.hand is not None
    return session.hand


def _fact(event: Event, at: int, name: str | None) -> Fact:
    return Fact(subject="", source="", sequence=1, topic=event.TOPIC, event=event, occurred_at=at, round=name)


def front(hand: Hand, seat: int) -> int:
    return hand.bets.front[hand.place(seat)]


def outcomes(hand: Hand) -> list[str]:
    return [one.outcome for one in hand.irregular if one.code == "out_of_turn"]


def early(total: int, seen: int, *, first: bool = True) -> Early:
    fact = _fact(ActionTaken(3, "call", total), 0, "1")
    return Early(seat=3, seen=seen, total=total, first=first, fact=fact)


@pytest.mark.parametrize(
    ("own", "to_match", "way", "expected"),
    [
        (early(100, 100), 100, "binding_if_unchanged", "stands"),
        (early(100, 100), 300, "binding_if_unchanged", "returned"),
        (early(100, 100), 300, "by_price", "forfeit"),  # PR-T27: a call, and the skipped player raises
        (early(100, 100, first=False), 300, "by_price", "returned"),  # … and who called behind it
        (early(0, 0), 150, "by_price", "forfeit"),  # PR-T29
        (early(300, 50), 50, "by_price", "stands"),  # PR-T30, PR-T31
        (early(300, 50), 150, "by_price", "call"),  # PR-T33: exactly double
        (early(300, 50), 125, "by_price", "stands"),  # PR-T34: more than double
        (early(300, 50), 400, "by_price", "forfeit"),  # PR-T35
        (early(300, 50), 300, "by_price", "call"),  # PR-T36
    ],
)
def test_what_an_action_out_of_turn_is_worth(own: Early, to_match: int, way: OutOfTurn, expected: str) -> None:
    assert worth(own, to_match, way) == expected


def test_a_call_with_followers_where_the_skipped_player_raises() -> None:
    """VG-BOT-01: seat 3 bets, 4 thinks, 5, 6 and 1 call; 4 raises to 300."""
    events: list[Event] = [ActionTaken(3, "raise", 100), ActionTaken(5, "call", 100), ActionTaken(6, "call", 100)]
    events += [ActionTaken(1, "call", 75), ActionTaken(4, "raise", 300)]
    hand = said(events, out_of_turn="by_price")
    assert (hand.bets.actor, front(hand, 5)) == (hand.place(5), 100)
    assert offered(hand, "by_price") == {"fold", "call"}
    hand = said([*events, ActionTaken(5, "call", 200)], out_of_turn="by_price")
    assert hand.seats[hand.bets.actor] == 6
    assert (front(hand, 6), front(hand, 1)) == (0, 25)
    assert (hand.apart[hand.place(6)], hand.apart[hand.place(1)]) == (100, 75)
    assert outcomes(hand) == ["forfeit", "returned", ""]


def offered(hand: Hand, way: OutOfTurn) -> set[str]:
    """What the room offers the player on turn."""
    session = GAME.open_table(shipped_edition(), _fact(TableOpened("holdem", "NL", "CZK"), 0, None), (), Clocks())
    session = replace(session, terms=replace(session.terms, out_of_turn=way), hand=hand)
    return {action.name for action in GAME.expects(session).actions}


def test_a_raise_out_of_turn_over_a_smaller_one_is_cut_down_to_a_call() -> None:
    """VG-ROT-03: 300 out of turn, and the skipped player raises to 200."""
    hand = said([ActionTaken(4, "raise", 300), ActionTaken(3, "raise", 200)], out_of_turn="by_price")
    assert (front(hand, 4), hand.apart[hand.place(4)], hand.seats[hand.bets.actor]) == (200, 100, 5)
    assert outcomes(hand) == ["call"]


def test_a_raise_out_of_turn_that_is_more_than_double_stands() -> None:
    hand = said([ActionTaken(4, "raise", 300), ActionTaken(3, "raise", 125)], out_of_turn="by_price")
    assert (front(hand, 4), hand.bets.to_match, hand.seats[hand.bets.actor]) == (300, 300, 5)


def test_an_all_in_out_of_turn_for_less_than_the_raise_is_a_call() -> None:
    events: list[Event] = [ActionTaken(3, "call", 50), ActionTaken(5, "all_in", 2000), ActionTaken(4, "all_in", 2000)]
    hand = said(events, out_of_turn="by_price")
    assert (front(hand, 5), hand.stacks[hand.place(5)], hand.seats[hand.bets.actor]) == (2000, 0, 6)


def test_a_word_out_of_turn_and_chips_behind_it_are_one_action() -> None:
    hand = said([WordsSpoken(4, "raise", 200), ChipsPushed(4, 200, (100, 100)), ActionTaken(3, "call", 50)])
    assert (front(hand, 4), hand.apart[hand.place(4)], outcomes(hand)) == (200, 0, ["stands"])


def test_a_fold_out_of_turn_binds_and_leaves_the_turn_where_it_was() -> None:
    hand = said([WordsSpoken(5, "fold")])
    assert hand.out[hand.place(5)]
    assert hand.seats[hand.bets.actor] == 3


def test_what_waits_goes_back_when_everybody_else_folds() -> None:
    events: list[Event] = [ActionTaken(2, "raise", 200)]
    events += [ActionTaken(seat, "fold") for seat in (3, 4, 5, 6, 1)]
    hand = said(events)
    assert hand.over
    assert (hand.early, hand.apart[hand.place(2)], outcomes(hand)) == ((), 200, ["returned"])


def test_a_site_takes_what_it_takes() -> None:
    hand = said([ActionTaken(4, "raise", 300), ActionTaken(3, "raise", 600)], out_of_turn="as_taken")
    assert (front(hand, 4), front(hand, 3), hand.early) == (300, 600, ())


def test_who_waits_out_of_turn_acts_when_the_player_on_turn_is_expelled() -> None:
    waits = [ActionTaken(3, "raise", 100), ActionTaken(5, "call", 100)]
    expelled = PenaltyGiven("p-4", "expulsion")
    hand = said([*waits, expelled])
    assert (front(hand, 5), hand.seats[hand.bets.actor]) == (100, 6)


def test_a_site_cuts_a_raise_down_to_what_others_have() -> None:
    """80 is less than double the big blind, but all that the only opponent has: what is not called would go back."""
    events: list[Any] = [*(ActionTaken(seat, "fold") for seat in (3, 4, 5, 6)), ActionTaken(1, "raise", 55)]
    assert [one.code for one in said(events, stacks={2: 80}).irregular] == ["below_minimum"]
    assert said(events, stacks={2: 80}, imported=True).irregular == ()
    assert [one.code for one in said(events, stacks={2: 81}, imported=True).irregular] == ["below_minimum"]


def test_the_clock_kills_a_hand_facing_a_bet_only_in_a_house_that_has_one() -> None:
    late: list[Any] = [(1_000, ClockCalled(3, granted=True)), (61_001, ActionTaken(3, "call", 50))]
    hand = said(late, clock_s=60)
    assert hand.out[hand.place(3)]
    assert hand.apart[hand.place(3)] == 50
    assert front(said(late), 3) == 50
    assert front(said([late[0], (61_000, ActionTaken(3, "call", 50))], clock_s=60), 3) == 50
    assert front(said([(1_000, ClockCalled(3, granted=False)), late[1]], clock_s=60), 3) == 50


def test_only_what_crosses_a_binding_line_is_bet() -> None:
    pushed = [ChipsPushed(3, 200, (100, 100), over_line=False)]
    assert front(said(pushed), 3) == 200
    held = said(pushed, binding_line=True)
    assert (front(held, 3), held.apart[held.place(3)], held.seats[held.bets.actor]) == (0, 200, 3)


def test_cards_only_held_over_a_binding_line_are_no_fold() -> None:
    forward = [GestureMade(3, "cards_forward", over_line=False)]
    assert said(forward).out[2]
    assert not said(forward, binding_line=True).out[2]
    assert said([GestureMade(3, "cards_forward", over_line=True)], binding_line=True).out[2]
