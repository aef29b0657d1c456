"""A hand run twice where the house plays so: the other board is asked for, and each board pays its half."""

from __future__ import annotations

from typing import cast

from events.schema.common import CardBurned, RoundClosed, RoundOpened
from events.schema.event import Event
from games.adjudicate import judge_session
from games.holdem import GAME
from games.protocol import Expectation
from games.shared.poker.events import (
    ActionTaken,
    AgreementMade,
    BoardDealt,
    ButtonPlaced,
    CardDealt,
    HandShown,
    HoleDealt,
    PlayerDealtIn,
    Posted,
)
from games.shared.poker.hand import Hand
from games.verdict import Verdict
from tests.games.holdem.test_properties import ROOMS, TOML, case_of
from tests.games.poker.hands import Played, Setup, edition_of, paid

HANDS = {1: ("Ah", "Ad"), 2: ("Kh", "Kd")}
CARDS = {1: ("8s", "2s"), 2: ("Kc", "2c")}
"""Turn and river of each board: the first is the aces', the second the kings'."""


class Table:
    """Two players who are all-in on the flop agree to run the rest twice."""

    def __init__(self, **parameters: bool) -> None:
        self.parameters = parameters
        self.told = Played(GAME, edition_of(TOML, parameters, GAME), Setup((1, 2), (40, 40)), b"")
        self.told._round = "1"
        self.say(RoundOpened(), ButtonPlaced(1), PlayerDealtIn(1, "p-1", 20000), PlayerDealtIn(2, "p-2", 20000))
        self.say(Posted(2, "small_blind", 500), Posted(1, "big_blind", 1000))
        self.say(*(HoleDealt(seat, cards) for seat, cards in HANDS.items()))
        self.say(ActionTaken(2, "call", 500), ActionTaken(1, "check"), CardBurned())
        self.say(BoardDealt("flop", ("9c", "5d", "3h")))
        self.say(ActionTaken(2, "all_in", 19000), ActionTaken(1, "call", 19000))
        self.say(AgreementMade("run_it", (1, 2), 2))

    def say(self, *events: Event) -> None:
        for event in events:
            self.told._say(event)

    @property
    def expected(self) -> Expectation:
        return GAME.expects(self.told.session)

    @property
    def hand(self) -> Hand:
        return cast("Hand", self.told.session.hand)

    def deal(self) -> list[str]:
        """The cards that are asked for, dealt, up to the showdown."""
        asked = []
        while to := self.expected.next_card:
            asked.append(to)
            number = 2 if self.expected.note == "board 2 of 2" else 1
            street = {"turn": 0, "river": 1}
            card = CardBurned() if to == "burn" else CardDealt(to, CARDS[number][street[to]], board=number, face="up")
            self.say(card)
        return asked

    def pay(self) -> list[tuple[str, int]]:
        """Both show, and what is due is paid: awards by seat."""
        while actor := self.expected.actor:
            seat = int(actor[5:])
            self.say(HandShown(seat, HANDS[seat]))
        due = self.expected.due
        for one in due:
            self.say(*paid(one))
        return [(one.to, one.amount) for one in due if one.what == "award"]

    def close(self) -> Verdict:
        self.say(RoundClosed())
        [verdict] = judge_session(case_of(self.told.facts, self.parameters), ROOMS).verdicts
        return verdict


def test_the_other_board_is_asked_for_before_anything_is_paid() -> None:
    table = Table(run_it_twice=True)
    assert table.deal() == ["burn", "turn", "burn", "river"] * 2
    assert table.hand.boards == (("Kc", "2c"),)
    assert table.pay() == [("seat/1", 19000), ("seat/2", 19000)]
    verdict = table.close()
    assert (verdict.standing, verdict.settlement, verdict.findings) == ("valid", "agrees", ())


def test_a_board_that_is_not_on_record_leaves_open_who_won() -> None:
    table = Table(run_it_twice=True)
    for event in (CardBurned(), CardDealt("turn", "8s", face="up"), CardBurned(), CardDealt("river", "2s", face="up")):
        table.say(event)
    assert (table.expected.next_card, table.expected.note) == ("burn", "board 2 of 2")
    verdict = table.close()
    assert not verdict.due.known
    assert [(one.rule, one.code, one.kind) for one in verdict.findings] == [
        ("NL-32", "unverified:board_not_complete", "unverified")
    ]


def test_where_it_is_not_played_the_one_board_decides() -> None:
    table = Table()
    assert table.deal() == ["burn", "turn", "burn", "river"]
    assert [seat for seat, _amount in table.pay()] == ["seat/1"]
    verdict = table.close()
    assert verdict.settlement == "agrees"
    assert [(one.rule, one.code) for one in verdict.findings] == [("NL-32", "no_run_it")]
