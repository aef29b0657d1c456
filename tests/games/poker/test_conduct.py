"""Conduct and showdown duty as the terms of a rule book set them: the cash game's values and the poker room's."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from events.schema.common import ChipsMoved, RoundClosed, RoundOpened, ShuffleStep, TableOpened
from events.schema.event import Event
from events.schema.fact import Fact
from games.clocks import Clocks
from games.holdem import GAME
from games.holdem.dealer import shipped_edition
from games.holdem.payouts import best_of_all, plays_board, result_of
from games.shared.poker.conduct import ConductReported, PenaltyGiven
from games.shared.poker.discipline import breaches_after, to_cash_out
from games.shared.poker.events import (
    ActionTaken,
    BoardDealt,
    ButtonPlaced,
    HandMucked,
    HandShown,
    HoleDealt,
    MisdealDeclared,
    PlayerDealtIn,
    Posted,
    StakesAnnounced,
)
from games.shared.poker.hand import Hand
from games.shared.poker.showing import claims_alone, may_muck, must_show
from games.shared.poker.shuffling import steps_before
from games.shared.poker.softplay import owes_aggression
from games.shared.poker.table import Session

BROADWAY = ("Tc", "Jd", "Qh", "Ks", "Ac")
FLUSH = ("Ks", "Qs", "7s", "2d", "3c")


def fact(event: Event, name: str | None = "1") -> Fact:
    return Fact(subject="", source="", sequence=1, topic=event.TOPIC, event=event, occurred_at=0, round=name)


class Told:
    """Three seats with 1000 each, button 1, blinds 5 and 10 posted, by terms of one's own."""

    def __init__(self, stacks: tuple[int, ...] = (1000, 1000, 1000), **terms: Any) -> None:
        opened = TableOpened(game="holdem", rule_book="NL", currency="CZK", smallest_chip=5)
        session: Session = GAME.open_table(shipped_edition(), fact(opened, None), (), Clocks())
        self.session = replace(session, terms=replace(session.terms, **terms))
        self.say(StakesAnnounced(5, 10), name=None)
        self.say(RoundOpened(), ButtonPlaced(1))
        self.say(*(PlayerDealtIn(seat, f"p-{seat}", stack) for seat, stack in enumerate(stacks, 1)))
        self.say(Posted(2, "small_blind", 5), Posted(3, "big_blind", 10))
        self.say(HoleDealt(1, ("As", "Js")), HoleDealt(2, ("Kh", "Kd")), HoleDealt(3, ("4h", "4d")))

    def say(self, *events: Event, name: str | None = "1") -> Told:
        for event in events:
            self.session = GAME.evolve(self.session, fact(event, name))
        return self

    @property
    def hand(self) -> Hand:
        assert self.session.hand is not None
        return self.session.hand

    def down(self, board: tuple[str, ...], upto: int = 5) -> Told:
        """Called all round, and checked until so many cards of the board lie there."""
        self.say(ActionTaken(1, "call", 10), ActionTaken(2, "call", 5), ActionTaken(3, "check"))
        for low, high, street in ((0, 3, "flop"), (3, 4, "turn"), (4, 5, "river")):
            if low < upto:
                self.say(BoardDealt(street, board[low:high]))  # type: ignore[arg-type]
                if high < upto:
                    self.say(*(ActionTaken(seat, "check") for seat in (2, 3, 1)))
        return self

    def owes(self) -> bool:
        return owes_aggression(self.hand, self.session.limits[3], self.session.terms, best_of_all)


# --- soft play ---


@pytest.mark.parametrize(("soft_play", "owes"), [("unless_all_tie", True), ("always", True), ("off", False)])
def test_the_last_to_act_owes_a_bet_with_the_nuts_where_the_book_says_so(soft_play: str, owes: bool) -> None:
    told = Told(soft_play=soft_play).down(FLUSH).say(ActionTaken(2, "check"), ActionTaken(3, "check"))
    assert told.owes() is owes
    names = {action.name for action in GAME.expects(told.session).actions}
    assert ("check" in names) is not owes
    assert "bet" in names


def test_who_is_not_last_to_act_may_check() -> None:
    told = Told().down(FLUSH).say(ActionTaken(2, "check"))
    assert not told.owes()
    assert "check" in {action.name for action in GAME.expects(told.session).actions}


@pytest.mark.parametrize(("soft_play", "owes"), [("unless_all_tie", False), ("always", True)])
def test_a_board_that_nobody_can_beat_is_exempt_by_a_parameter(soft_play: str, owes: bool) -> None:
    told = Told(soft_play=soft_play).down(("Ac", "Kc", "Qc", "Jc", "Tc"))
    told.say(ActionTaken(2, "check"), ActionTaken(3, "check"))
    assert best_of_all(told.hand, 0) == (True, True)
    assert told.owes() is owes


# --- who has to show ---


@pytest.mark.parametrize(
    ("muck", "deep", "all_in"), [("always", True, True), ("unless_all_in", True, False), ("never", False, False)]
)
def test_giving_a_hand_away_is_for_the_rule_book(muck: str, deep: bool, all_in: bool) -> None:
    told = Told(muck=muck).down(FLUSH).say(*(ActionTaken(seat, "check") for seat in (2, 3, 1)))
    assert may_muck(told.hand, told.session.terms) is deep
    short = Told((10, 10, 1000), muck=muck)
    short.say(ActionTaken(1, "all_in", 10), ActionTaken(2, "all_in", 5), ActionTaken(3, "check"))
    short.say(BoardDealt("flop", FLUSH[:3]), BoardDealt("turn", FLUSH[3:4]), BoardDealt("river", FLUSH[4:]))
    assert short.hand.ready
    assert may_muck(short.hand, short.session.terms) is all_in


def test_the_last_who_can_claim_a_pot_claims_it_alone() -> None:
    told = Told((1000, 1000, 500), muck="always").down(FLUSH, 4)
    told.say(ActionTaken(2, "bet", 600), ActionTaken(3, "all_in", 490), ActionTaken(1, "call", 600))
    told.say(BoardDealt("river", FLUSH[4:]), ActionTaken(2, "check"), ActionTaken(1, "check"))
    assert [claims_alone(told.hand, place) for place in (0, 1, 2)] == [False, False, False]
    told.say(HandMucked(1))  # what is left of the side pot is seat 2's; the main pot is still seat 3's, too
    assert [claims_alone(told.hand, place) for place in (1, 2)] == [True, False]


@pytest.mark.parametrize("duty", [True, False])
def test_playing_the_board_makes_all_show_where_the_rule_book_says_so(duty: bool) -> None:
    board = ("Tc", "Td", "Th", "Ad", "Ah")
    told = Told(board_duty=duty).down(board).say(*(ActionTaken(seat, "check") for seat in (2, 3, 1)))
    assert not must_show(told.hand, told.session.terms, plays_board)
    told.say(HandShown(2, ("Kh", "Kd")))
    assert plays_board(told.hand, 1)
    assert must_show(told.hand, told.session.terms, plays_board) is duty


# --- sanctions ---


def test_who_may_not_raise_any_more_may_only_call_or_fold_in_this_hand() -> None:
    told = Told().say(PenaltyGiven("p-1", "no_raise", role="floorman"))
    assert [action.name for action in GAME.expects(told.session).actions] == ["fold", "call"]
    told.down(FLUSH, 3).say(ActionTaken(2, "check"), ActionTaken(3, "check"))
    assert [action.name for action in GAME.expects(told.session).actions] == ["fold", "check"]
    told.say(ActionTaken(1, "bet", 50))
    assert [(one.code, one.action) for one in told.hand.irregular] == [("forfeit", "check")]
    told.say(RoundClosed()).say(RoundOpened(), PlayerDealtIn(1, "p-1", 900), name="2")
    assert told.hand.forfeits == ()


# --- expulsion ---


def test_an_expelled_player_acts_no_more_and_his_hand_lives_on() -> None:
    told = Told().say(ActionTaken(1, "raise", 100), PenaltyGiven("p-2", "expulsion", seat=2, role="management"))
    assert told.hand.left == [0, 1, 2]
    assert told.hand.stacks == [900, 0, 990]
    assert GAME.expects(told.session).actor == "seat/3"
    told.say(ActionTaken(3, "call", 90))
    assert GAME.expects(told.session).next_card == "burn"
    assert told.session.conduct.expelled["p-2"].owed == 995


def test_an_expelled_player_wins_from_each_only_what_he_put_in() -> None:
    told = Told().say(ActionTaken(1, "raise", 100), PenaltyGiven("p-2", "expulsion"), ActionTaken(3, "call", 90))
    told.say(BoardDealt("flop", ("Kc", "8d", "7h")), ActionTaken(3, "check"), ActionTaken(1, "check"))
    told.say(BoardDealt("turn", ("2d",)), ActionTaken(3, "check"), ActionTaken(1, "check"))
    told.say(BoardDealt("river", ("2c",)), ActionTaken(3, "check"), ActionTaken(1, "check"))
    told.say(HandShown(3, ("4h", "4d")), HandShown(1, ("As", "Js")))
    assert GAME.expects(told.session).actor == "seat/2"  # somebody turns his cards up for him
    result = result_of(told.session, told.hand)
    assert result is not None
    # His kings win the main pot though nobody did; the side pot is for those who played on.
    main, side = result.pots
    assert (main.amount, main.winners) == (15, (1,))
    assert (side.amount, side.winners) == (190, (2,))


@pytest.mark.parametrize("put_in", [True, False])
def test_an_expelled_players_hand_is_dead_by_the_other_book_or_if_he_put_nothing_in(put_in: bool) -> None:
    told = Told(expelled_dead=put_in)
    told.say(PenaltyGiven("p-2" if put_in else "p-1", "expulsion"))
    place = 1 if put_in else 0
    assert told.hand.out[place]
    assert told.hand.gone[place] == "killed"


def test_what_an_expelled_player_is_owed_is_followed_to_the_desk() -> None:
    told = Told().say(ActionTaken(1, "raise", 100), PenaltyGiven("p-1", "expulsion", seat=1))
    told.say(ActionTaken(2, "fold"), ActionTaken(3, "fold"), ChipsMoved("pot", "seat/1", 90, "return", "seat/1"))
    told.say(ChipsMoved("pot", "seat/1", 25, "award", "seat/1"), RoundClosed())
    assert [(player, left) for player, _one, left in to_cash_out(told.session)] == [("p-1", 1015)]
    assert told.hand.stacks[0] == 1015
    told.say(ChipsMoved("seat/1", "desk/1", 1000, "cash_out"), name=None)
    assert [left for _player, _one, left in to_cash_out(told.session)] == [15]
    told.say(ChipsMoved("seat/1", "player/p-1", 15, "cash_out"), name=None)
    assert to_cash_out(told.session) == []


# --- how often ---


def test_a_report_and_its_answer_are_one_breach() -> None:
    told = Told().say(ConductReported("delay", "p-1"), PenaltyGiven("p-1", "warning"), PenaltyGiven("p-1", "warning"))
    assert told.session.conduct.breaches == {"p-1": 2}
    assert breaches_after(told.session, ConductReported("delay", "p-1")) == 3


def test_words_count_only_while_a_hand_is_played() -> None:
    told = Told().say(ActionTaken(1, "fold"), ActionTaken(2, "fold"))
    told.say(ChipsMoved("pot", "seat/3", 15, "award", "seat/3"), ConductReported("talk", "p-1"))
    assert told.session.conduct.breaches == {}
    told.say(ConductReported("chips_hidden", "p-1"))
    assert told.session.conduct.breaches == {"p-1": 1}


# --- shuffles ---


def test_a_shuffle_is_for_the_deal_that_comes_next() -> None:
    told = Told()
    assert not told.session.shuffle.kept
    told.say(RoundClosed())
    told.say(ShuffleStep("wash", "deck-1"), ShuffleStep("riffle", "deck-1"), name=None)
    assert steps_before(told.session.shuffle, told.session.hand) == ("wash", "riffle")
    told.say(RoundOpened(), name="2")
    assert steps_before(told.session.shuffle, told.session.hand) == ("wash", "riffle")
    told.say(PlayerDealtIn(1, "p-1", 1000), HoleDealt(1, ("??", "??")), name="2")
    assert steps_before(told.session.shuffle, told.session.hand) == ()
    told.say(MisdealDeclared(), ShuffleStep("riffle", "deck-1"), name="2")
    assert steps_before(told.session.shuffle, told.session.hand) == ("riffle",)
    told.say(HoleDealt(1, ("??", "??")), RoundClosed(), name="2")
    told.say(RoundOpened(), name="3")
    assert steps_before(told.session.shuffle, told.session.hand) == ()
