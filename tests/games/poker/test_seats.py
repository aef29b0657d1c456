"""Seats, button and posts of any rule book: both button rules, who comes in, what he posts, what a change of seat costs.

Numbers PR-T… are vectors of the poker room's catalogue, whose book is the second one of the room.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from msgspec.structs import replace

from events.schema.common import ChipsMoved, RoundClosed, SeatLeft, SeatTaken
from events.schema.event import Event
from events.schema.fact import Fact
from games.holdem.dealer import shipped_edition
from games.shared.poker.blinds import debts, outstanding, posts_due
from games.shared.poker.events import (
    ActionTaken,
    ButtonPlaced,
    HoleDealt,
    PlayerCameBack,
    PlayerDealtIn,
    PlayerWentAway,
    Posted,
    SeatChanged,
    StakesAnnounced,
)
from games.shared.poker.hand import Terms
from games.shared.poker.next_hand import NextHand, next_hand
from games.shared.poker.seats import (
    Entry,
    Positions,
    SeatTerms,
    hands_to_big_blind,
    lies_between,
    may_not_enter,
    moved_entry,
    next_positions,
    passed_by,
)
from games.shared.poker.stacks import Moved, moved_by, stack_after, wrong_buy_in
from games.shared.poker.table import Session, advance

NL = SeatTerms()
VG = SeatTerms(
    button_rule="dead_button",
    return_post="sb_dead_plus_bb_live",
    both_on_big_blind=True,
    entry_between=False,
    seat_change="unless_closer",
    straddle=True,
)


def back(seat: int, *missed: Any) -> Entry:
    return Entry(seat, f"p-{seat}", "returning", missed or ("big_blind",))


def placed(
    last: Positions,
    seats: list[int],
    entering: Iterable[Entry] = (),
    terms: SeatTerms = NL,
    heads_up: str = "text_order",
) -> tuple[int, int, int]:
    at = next_positions(last, seats, entering, terms, heads_up)
    return at.button, at.small, at.big


# --- where the button goes ---


@pytest.mark.parametrize(
    ("last", "seats", "entering", "due"),
    [
        ((1, 2, 3), [1, 2, 3, 4], [], (2, 3, 4)),
        ((4, 1, 2), [1, 2, 3, 4], [], (1, 2, 3)),
        ((1, 2, 3), [1, 3, 4], [], (3, 4, 1)),  # seat 2 gone: the next player, no dead small blind
        ((1, 3, 4), [1, 2, 3, 4, 5, 6], [back(2)], (3, 4, 5)),  # NL-T43
        ((1, 4, 5), [1, 2, 3, 4, 5], [back(2), back(3)], (4, 5, 1)),
        ((1, 2, 3), [1, 2, 3, 4], [back(4)], (2, 3, 4)),  # he comes back elsewhere
        ((1, 3, 4), [1, 2, 3, 4], [Entry(2, "p-2", "new")], (2, 3, 4)),  # a newcomer takes it
        ((1, 2, 3), [2, 3], [], (2, 3, 2)),  # of two the button is the big blind
        ((3, 3, 1), [3, 5], [back(5)], (5, 3, 5)),  # of two nobody is moved over
        ((1, 2, 3), [1, 2, 3], [back(1), back(2), back(3)], (2, 3, 1)),  # all come back
        ((1, 2, 3), [4], [], (0, 0, 0)),
        ((0, 0, 0), [1, 2, 3], [], (0, 0, 0)),
    ],
)
def test_a_moving_button_goes_to_the_next_player(last: Any, seats: Any, entering: Any, due: Any) -> None:
    assert placed(Positions(*last), seats, entering) == due


def test_of_two_players_the_small_blind_may_be_on_the_button() -> None:
    assert placed(Positions(1, 2, 3), [2, 3], heads_up="button_small_blind") == (2, 2, 3)


@pytest.mark.parametrize(
    ("last", "seats", "due"),
    [
        ((2, 3, 4), [1, 2, 4, 5, 6], (3, 4, 5)),  # PR-T72: the button on an empty seat
        ((1, 2, 6), [2, 6], (6, 6, 2)),  # PR-T73
        ((1, 2, 3), [1, 2, 4, 5], (2, 3, 4)),  # the small blind on an empty seat
        ((2, 3, 4), [1, 2, 4, 5], (3, 4, 5)),
        ((6, 6, 2), [2, 4, 6], (6, 2, 4)),  # from two players to three
        ((3, 4, 6), [1, 4, 6], (4, 6, 1)),
    ],
)
def test_a_dead_button_follows_the_big_blind(last: Any, seats: Any, due: Any) -> None:
    assert placed(Positions(*last), seats, terms=VG, heads_up="button_small_blind") == due


# --- who was passed, who may come in ---


def test_blinds_pass_who_sits_between_the_old_and_the_new_ones() -> None:
    assert passed_by(2, Positions(1, 3, 4), Positions(3, 4, 5)) == ()
    assert passed_by(5, Positions(2, 3, 4), Positions(3, 4, 6)) == ("big_blind",)
    assert passed_by(5, Positions(3, 4, 6), Positions(4, 6, 7)) == ("small_blind",)
    assert passed_by(5, Positions(3, 4, 6), Positions(4, 5, 6)) == ("small_blind",)  # dead, on his own seat
    assert passed_by(2, Positions(), Positions(1, 3, 4)) == ("small_blind",)  # the first hand
    assert passed_by(5, Positions(3, 7, 3), Positions(7, 3, 7)) == ("big_blind",)  # two players and he is away
    assert passed_by(9, Positions(7, 8, 1), Positions(8, 1, 2)) == ("small_blind",)  # round the table's end


def test_nobody_enters_between_button_and_big_blind_where_the_book_says_so() -> None:
    at = Positions(4, 5, 6)
    entries = {seat: Entry(seat, f"p-{seat}", "new") for seat in (3, 4, 5, 6, 7)}
    assert [seat for seat, entry in entries.items() if may_not_enter(entry, at, VG)] == [5]  # PR-T75: not seat 4
    assert not any(may_not_enter(entry, at, NL) for entry in entries.values())


def test_a_seat_closer_to_the_blinds_is_free() -> None:
    others = [1, 2, 3, 4, 6, 7]  # PR-T76: big blind on seat 3
    assert (hands_to_big_blind(8, 3, others), hands_to_big_blind(5, 3, others)) == (4, 2)
    assert moved_entry("p", 8, 5, 3, others, VG) is None
    assert moved_entry("p", 5, 8, 3, others, VG) == Entry(8, "p", "moved")
    assert moved_entry("p", 5, 8, 3, others, NL) is None
    assert not lies_between(3, 3, 3)


# --- at a table ---


class Game:
    """A table of a rule book given by its terms; events as they come."""

    def __init__(self, seating: SeatTerms, heads_up: Any = "text_order", stakes: StakesAnnounced | None = None) -> None:
        terms = Terms(seating=seating, heads_up=heads_up)
        self.session = Session(edition=shipped_edition(), terms=terms)
        self.name: str | None = None
        self.say(stakes or StakesAnnounced(25, 50))

    def say(self, *events: Event, at_ms: int = 0) -> None:
        for event in events:
            fact = Fact(
                subject="", source="", sequence=1, topic=event.TOPIC, event=event, occurred_at=at_ms, round=self.name
            )
            self.session = advance(self.session, fact)

    def sit(self, *seats: int) -> None:
        self.say(*(SeatTaken(seat, f"p-{seat}") for seat in seats))

    def hand(self, name: str, button: int, *seats: int, posts: bool = True) -> None:
        """A hand that everybody folds."""
        self.deal(name, button, *seats)
        if posts:
            self.post()
        self.say(*(HoleDealt(seat, ("??", "??")) for seat in seats), RoundClosed())
        self.name = None

    def deal(self, name: str, button: int, *seats: int) -> None:
        self.name = name
        players = self.session.seated
        self.say(ButtonPlaced(button))
        self.say(*(PlayerDealtIn(seat, players.get(seat, f"p-{seat}"), 5000) for seat in seats))

    def post(self) -> None:
        hand, session = self.session.hand, self.session
        assert hand is not None
        for post in outstanding(hand, session.before.positions, session.stakes, session.terms):
            self.say(Posted(hand.seats[post.place], post.kind, post.amount))

    def next(self) -> NextHand:
        coming = next_hand(self.session)
        assert coming is not None
        return coming

    def posts(self) -> list[tuple[int, str, int]]:
        coming = self.next()
        return [(coming.hand.seats[post.place], post.kind, post.amount) for post in coming.posts]


def test_the_poker_room_posts_both_blinds_on_every_return() -> None:
    game = Game(VG, "button_small_blind")
    game.sit(1, 2, 3, 4, 5)
    game.hand("1", 1, 1, 2, 3, 4, 5)
    game.say(PlayerWentAway(4, "p-4"))
    game.hand("2", 2, 1, 2, 3, 5)  # big blind passes seat 4
    assert game.session.hand is not None
    assert game.session.hand.big_blind == 5
    game.say(PlayerCameBack(4, "p-4"))
    assert game.next().at == Positions(3, 5, 1)
    waits = {one.entry.seat: one.waits for one in game.next().coming}
    assert waits == {4: True}  # between button and big blind
    game.hand("3", 3, 1, 2, 3, 5)
    assert game.posts() == [
        (1, "small_blind", 25), (2, "big_blind", 50), (4, "missed_big_blind", 50), (4, "dead_small_blind", 25),
    ]  # fmt: skip
    game.deal("4", 5, 1, 2, 3, 4, 5)
    game.post()
    assert game.session.hand.contributed == 150  # PR-T78
    owed = debts(game.session.hand, game.session.before.positions, game.session.stakes, game.session.terms)
    assert [(debt.live, debt.dead) for debt in owed] == [(50, 25)]


def test_a_dead_small_blind_is_nobodys() -> None:
    game = Game(VG, "button_small_blind")
    game.sit(1, 2, 3, 4)
    game.hand("1", 1, 1, 2, 3, 4)
    game.say(SeatLeft(3, "p-3"))
    coming = game.next()
    assert coming.at == Positions(2, 3, 4)
    assert game.posts() == [(4, "big_blind", 50)]
    game.hand("2", 2, 1, 2, 4)
    assert game.next().at == Positions(3, 4, 1)  # then the button is dead


def test_a_straddler_has_the_last_word() -> None:
    game = Game(VG)  # PR-T88, PR-T100
    game.sit(1, 2, 3, 4)
    game.deal("1", 1, 1, 2, 3, 4)
    game.say(Posted(2, "small_blind", 25), Posted(3, "big_blind", 50), Posted(4, "straddle", 100))
    hand = game.session.hand
    assert hand is not None
    assert (hand.bets.to_match, hand.seats[hand.bets.actor]) == (100, 1)
    game.say(ActionTaken(1, "call", 100), ActionTaken(2, "fold"), ActionTaken(3, "call", 50))
    assert (hand.contributed, hand.seats[hand.bets.actor]) == (325, 4)


def test_a_straddle_recorded_before_the_big_blind_still_has_the_last_word() -> None:
    game = Game(VG)
    game.sit(1, 2, 3, 4)
    game.deal("1", 1, 1, 2, 3, 4)
    game.say(Posted(4, "straddle", 100), Posted(2, "small_blind", 25), Posted(3, "big_blind", 50))
    assert game.session.hand is not None
    assert game.session.hand.seats[game.session.hand.bets.actor] == 1


def test_a_newcomer_posts_one_live_big_blind() -> None:
    game = Game(VG, "button_small_blind")  # PR-T99
    game.sit(1, 2, 3, 4)
    game.hand("1", 1, 1, 2, 3, 4)
    game.sit(6)
    assert game.posts()[-1] == (6, "missed_big_blind", 50)
    assert (6, "dead_small_blind", 25) not in game.posts()


def test_who_waits_for_the_big_blind_is_dealt_in_once_it_is_his() -> None:
    game = Game(NL)
    game.sit(1, 2, 3, 4, 5)
    game.say(PlayerWentAway(5, "p-5"))
    for name, button in (("1", 2), ("2", 3), ("3", 4)):
        game.hand(name, button, 1, 2, 3, 4)
    game.say(PlayerCameBack(5, "p-5", "wait"))
    assert 5 not in game.next().hand.seats  # the button is due on seat 1
    game.hand("4", 1, 1, 2, 3, 4)
    game.hand("5", 2, 1, 2, 3, 4)
    assert game.next().at == Positions(3, 4, 5)
    assert (5, "big_blind", 50) in game.posts()
    assert all(kind != "missed_big_blind" for _seat, kind, _amount in game.posts())


def test_after_a_misdeal_that_ended_the_hand_the_button_stays() -> None:
    from games.shared.poker.events import MisdealDeclared

    game = Game(NL)
    game.sit(1, 2, 3)
    game.deal("1", 1, 1, 2, 3)
    game.post()
    game.say(MisdealDeclared(), RoundClosed())
    game.name = None
    assert game.next().at == Positions(1, 2, 3)


def test_what_a_player_owes_goes_with_him_to_another_seat() -> None:
    game = Game(NL)
    game.sit(1, 2, 3, 4, 5)
    game.say(PlayerWentAway(2, "p-2"))
    game.hand("1", 1, 1, 3, 4, 5)
    game.say(SeatChanged("p-2", 2, 8))
    assert (8, "missed_big_blind", 50) in game.posts()
    game.say(SeatLeft(8, "p-2"))
    game.sit(8)
    assert [one.entry.why for one in game.next().coming] == ["new"]


def test_two_players_may_change_places() -> None:
    game = Game(NL)
    game.sit(1, 2, 3)
    game.hand("1", 1, 1, 2, 3)
    game.say(SeatChanged("p-1", 1, 3), SeatChanged("p-3", 3, 1))
    assert game.session.seated == {1: "p-3", 2: "p-2", 3: "p-1"}
    game.say(SeatTaken(5, "p-1"))  # said as if he sat down anew
    assert game.session.seated == {1: "p-3", 2: "p-2", 5: "p-1"}
    assert game.session.entering == ()


@pytest.mark.parametrize(
    ("stakes", "antes"),
    [
        (StakesAnnounced(25, 50, ante=5), {1: 5, 2: 5, 3: 5}),
        (StakesAnnounced(25, 50, ante=50, ante_by="big_blind"), {3: 50}),
        (StakesAnnounced(25, 50, ante=50, ante_by="button"), {1: 50}),
        (StakesAnnounced(25, 50, ante=5, antes={"1": 5, "3": 10}), {1: 5, 3: 10}),
        (StakesAnnounced(25, 50), {}),
    ],
)
def test_antes_are_due_as_announced(stakes: StakesAnnounced, antes: dict[int, int]) -> None:
    game = Game(replace(NL, ante=None), stakes=stakes)
    game.sit(1, 2, 3)
    game.deal("1", 1, 1, 2, 3)
    hand, session = game.session.hand, game.session
    assert hand is not None
    due = posts_due(hand, session.before.positions, session.stakes, session.terms)
    assert {hand.seats[post.place]: post.amount for post in due if "ante" in post.kind} == antes
    game.post()
    assert outstanding(hand, session.before.positions, session.stakes, session.terms) == []


def test_who_is_short_posts_what_he_has() -> None:
    game = Game(replace(NL, ante=None), stakes=StakesAnnounced(25, 50, ante=5))
    game.sit(1, 2, 3)
    game.name = "1"
    game.say(ButtonPlaced(1), PlayerDealtIn(1, "p-1", 5000), PlayerDealtIn(2, "p-2", 3), PlayerDealtIn(3, "p-3", 20))
    hand, session = game.session.hand, game.session
    assert hand is not None
    due = posts_due(hand, session.before.positions, session.stakes, session.terms)
    assert [(hand.seats[post.place], post.kind, post.amount) for post in due] == [
        (1, "ante", 5), (2, "ante", 3), (3, "ante", 5), (3, "big_blind", 15),
    ]  # fmt: skip


# --- stacks ---


def test_a_top_up_may_reach_the_full_buy_in_and_no_more() -> None:
    game = Game(NL)
    game.name = "1"
    game.say(ButtonPlaced(1), PlayerDealtIn(1, "p-1", 5700), PlayerDealtIn(2, "p-2", 9000))
    hand = game.session.hand
    assert hand is not None
    wrong = wrong_buy_in(hand, 0, 3200, Moved(added=2500), 2000, 5000)  # PR-T85
    assert wrong is not None
    assert (wrong.code, wrong.difference) == ("buy_in_above_maximum", 700)
    assert wrong_buy_in(hand, 1, 9000, Moved(), 2000, 5000) is None  # won, not bought


def test_chips_that_move_outside_the_pot_are_told_apart() -> None:
    seats = {1: "a", 2: "b"}
    assert moved_by(ChipsMoved("player/a", "seat/1", 5, "buy_in"), seats) == {"a": Moved(added=5, bought=-5)}
    assert moved_by(ChipsMoved("seat/1", "player/a", 5, "transfer"), seats) == {"a": Moved(taken=5)}
    assert moved_by(ChipsMoved("seat/1", "seat/2", 5, "transfer"), seats) == {
        "a": Moved(other=-5), "b": Moved(other=5),
    }  # fmt: skip
    assert moved_by(ChipsMoved("seat/1", "drop", 5, "tip"), seats) == {"a": Moved(other=-5)}
    assert moved_by(ChipsMoved("seat/1", "seat/9", 5, "seat_change"), seats) == {}
    assert moved_by(ChipsMoved("pot", "seat/1", 5, "award"), seats) == {}
    assert moved_by(ChipsMoved("seat/x", "seat/99", 5, "transfer"), seats) == {}


def test_a_stack_after_a_hand_counts_what_moved_and_is_unknown_where_the_beginning_is() -> None:
    game = Game(NL)
    game.name = "1"
    game.say(
        ButtonPlaced(1), PlayerDealtIn(1, "p-1", 5000), PlayerDealtIn(2, "p-2", None), PlayerDealtIn(3, "p-3", 900)
    )
    game.say(Posted(2, "small_blind", 25), Posted(3, "big_blind", 50), ActionTaken(1, "raise", 200))
    game.say(ActionTaken(2, "fold"), ActionTaken(3, "fold"))
    game.say(ChipsMoved("pot", "seat/1", 150, "return"), ChipsMoved("pot", "seat/1", 125, "award"))
    hand = game.session.hand
    assert hand is not None
    assert [stack_after(hand, place) for place in range(3)] == [5075, None, 850]
