"""What is expected between hands and before the deal, in words and amounts."""

from __future__ import annotations

from typing import Any

from events.schema.common import BuyIn, ChipsMoved, SeatLeft, SeatTaken
from games.shared.poker.conduct import PenaltyGiven
from games.shared.poker.events import ButtonCardDrawn, HoleDealt, PlayerCameBack, PlayerWentAway, Posted, SeatChanged
from tests.vectors.holdem_seats import Night
from tests.vectors.holdem_table import WHOLE


def night_of(*seats: int, **config: Any) -> Night:
    night = Night(config, 5, 10)
    night.between(*(SeatTaken(seat, f"p-{seat}") for seat in seats))
    return night


def dues(night: Night) -> list[tuple[str, str, int]]:
    return [(due.frm, due.what, due.amount // WHOLE) for due in night.expects().due]


def test_before_the_first_hand_nobody_knows_where_the_button_is() -> None:
    next_ = night_of(1, 2, 3).expects()
    assert (next_.phase, next_.due, next_.note) == ("between hands", (), "")


def test_the_draw_places_the_button_and_with_it_the_blinds() -> None:
    night = night_of(1, 2, 3)
    night.between(ButtonCardDrawn(1, "Kd"), ButtonCardDrawn(2, "As"), ButtonCardDrawn(3, "Ah"))
    assert night.expects().phase == "button draw"
    assert night.expects().note == "the button goes to seat/2"
    assert dues(night) == [("seat/3", "small_blind", 5), ("seat/1", "big_blind", 10)]
    unread = night_of(1, 2)
    unread.between(ButtonCardDrawn(1, "??"), ButtonCardDrawn(2, "As"))
    assert unread.expects().phase == "between hands"


def test_who_returns_on_the_button_is_told_with_what_he_posts() -> None:
    night = night_of(1, 2, 3, 4, 5, 6)
    night.between(PlayerWentAway(2, "p-2"))
    night.hand_of((1, 3, 4, 5, 6), 1)
    assert night.expects().note == "the button goes to seat/3"
    night.between(PlayerCameBack(2, "p-2"))
    note = "the button moves on to seat/3, over seat/2; seat/2 returns: posts 10 CZK live"
    assert night.expects().note == note
    assert dues(night) == [
        ("seat/4", "small_blind", 5), ("seat/5", "big_blind", 10), ("seat/2", "missed_big_blind", 10),
    ]  # fmt: skip


def test_who_returns_as_small_blind_owes_it_dead() -> None:
    night = night_of(1, 2, 3, 4, 5)
    night.between(PlayerWentAway(3, "p-3"))
    night.hand_of((1, 2, 4, 5), 1)  # the big blind passes seat 3
    night.between(PlayerCameBack(3, "p-3"))
    assert night.expects().note == "the button goes to seat/2; seat/3 returns: posts 10 CZK live and 5 CZK dead"
    night.begin((1, 2, 3, 4, 5), 2)
    assert dues(night) == [
        ("seat/4", "big_blind", 10), ("seat/3", "missed_big_blind", 10), ("seat/3", "dead_small_blind", 5),
    ]  # fmt: skip
    night.in_hand(Posted(4, "big_blind", 10 * WHOLE))
    next_ = night.expects()
    assert (next_.phase, next_.next_card) == ("dealing", "seat/3")
    assert [due.what for due in next_.due] == ["missed_big_blind", "dead_small_blind"]
    night.in_hand(HoleDealt(3, ("??", "??")))
    assert night.expects().due == ()


def test_a_newcomer_posts_or_waits_and_a_sit_out_is_left_out() -> None:
    night = night_of(1, 2, 3, 4)
    night.hand_of((1, 2, 3, 4), 1)
    night.between(SeatTaken(6, "p-6"), BuyIn("p-6", 500 * WHOLE))
    night.between(ChipsMoved("player/p-6", "seat/6", 500 * WHOLE, "buy_in"))
    night.between(PenaltyGiven("p-4", "sit_out", seat=4, hands=2, role="floorman"))
    assert night.expects().note == "the button goes to seat/2; seat/6 is new: posts 10 CZK live as big blind"
    assert dues(night) == [("seat/3", "small_blind", 5), ("seat/6", "big_blind", 10)]
    night.between(SeatTaken(7, "p-7"))
    assert night.expects().note.endswith("seat/7 is new: posts 10 CZK live, or waits for the big blind")


def test_after_a_change_of_seats_the_blinds_go_by_the_new_places() -> None:
    night = night_of(1, 2, 3, 4)
    night.hand_of((1, 2, 3, 4), 1)
    night.between(SeatChanged("p-4", 4, 9), SeatChanged("p-1", 1, 4))
    assert dues(night) == [("seat/3", "small_blind", 5), ("seat/4", "big_blind", 10)]


def test_a_dead_small_blind_is_said() -> None:
    night = night_of(1, 2, 3, 4, button_rule="dead_button")
    night.hand_of((1, 2, 3, 4), 1)
    night.between(SeatLeft(3, "p-3"))
    assert night.expects().note == "the button goes to seat/2; the small blind is dead (seat/3)"
    assert dues(night) == [("seat/4", "big_blind", 10)]


def test_a_straddle_is_offered_where_it_is_played() -> None:
    night = night_of(1, 2, 3, 4, straddle=True)
    night.begin((1, 2, 3, 4), 1)
    night.post(night.expects().due)
    assert [(action.actor, action.name, action.low) for action in night.expects().actions] == [
        ("seat/4", "straddle", 20 * WHOLE)
    ]
    night.in_hand(Posted(4, "straddle", 20 * WHOLE))
    assert night.expects().actions == ()
    plain = night_of(1, 2, 3)
    plain.begin((1, 2, 3), 1)
    plain.post(plain.expects().due)
    assert plain.expects().actions == ()


def test_every_ante_is_listed_as_the_edition_has_it() -> None:
    night = night_of(1, 2, 3, ante=2)
    night.begin((1, 2, 3), 1)
    assert dues(night) == [
        ("seat/1", "ante", 2), ("seat/2", "ante", 2), ("seat/3", "ante", 2), ("seat/2", "small_blind", 5),
        ("seat/3", "big_blind", 10),
    ]  # fmt: skip


def test_too_few_players_need_no_button() -> None:
    night = night_of(1, 2)
    night.hand_of((1, 2), 1)
    night.between(PlayerWentAway(2, "p-2"))
    assert (night.expects().due, night.expects().note) == ((), "")
