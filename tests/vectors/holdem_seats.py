"""Vectors about seats: who posts what when he comes back, where the button goes, what a stack must be.

The hands before are played on a real table; the answer is what the room expects for the next one and what it finds
wrong in it when it is dealt otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from copy import copy
from datetime import date
from typing import Any

import msgspec

from cli.assembly import casebook, open_log
from events.schema.common import BuyIn, ChipsMoved, RoundClosed, RoundOpened, SeatTaken
from events.schema.event import Event
from events.schema.fact import Fact
from events.store import Origin
from games.clocks import Clocks
from games.holdem import GAME
from games.protocol import Due, Expectation
from games.scribe import Scribe
from games.shared.poker.events import (
    POST_KINDS,
    ActionTaken,
    ButtonPlaced,
    HoleDealt,
    PlayerCameBack,
    PlayerDealtIn,
    PlayerWentAway,
    Posted,
    StakesAnnounced,
)
from games.verdict import Finding
from tests.vectors.holdem_steps import opened
from tests.vectors.holdem_table import (
    DAY,
    TABLE,
    WHOLE,
    compare,
    edition_of,
    edition_text,
    seat_of,
    verdict_word,
    whole,
)
from tests.vectors.reading import Vector, unknown_keys

RICH = 1000 * WHOLE
_DEAD = frozenset({"dead_small_blind", "dead_big_blind"})


class Night:
    """Several hands at one table: said, folded as they go, judged at the end by way of a log."""

    def __init__(self, config: dict[str, Any], small: int, big: int) -> None:
        self.config = config
        self.said: list[tuple[Event, str | None]] = []
        self.hands = 0
        self.stacks: dict[int, int] = {}
        self.session = GAME.open_table(edition_of(config), self._fact(opened(), None), (), Clocks())
        self.said.append((opened(), None))
        self.between(StakesAnnounced(small * WHOLE, big * WHOLE))

    def copy(self) -> Night:
        """Another night that begins like this one."""
        new = copy(self)
        new.said, new.stacks = list(self.said), dict(self.stacks)
        return new

    @staticmethod
    def _fact(event: Event, name: str | None) -> Fact:
        return Fact(subject="", source="", sequence=1, topic=event.TOPIC, event=event, occurred_at=0, round=name)

    def _say(self, event: Event, name: str | None) -> None:
        self.said.append((event, name))
        self.session = GAME.evolve(self.session, self._fact(event, name))

    def between(self, *events: Event) -> None:
        """They happen between hands."""
        for event in events:
            self._say(event, None)

    def in_hand(self, *events: Event) -> None:
        """They happen in the hand that is on."""
        for event in events:
            self._say(event, str(self.hands))

    def expects(self) -> Expectation:
        """What the room expects next."""
        return GAME.expects(self.session)

    def begin(self, seats: Sequence[int], button: int) -> None:
        """The next hand: these seats are dealt in with what they have."""
        self.hands += 1
        self.in_hand(RoundOpened(), ButtonPlaced(button))
        players = self.session.seated
        for seat in sorted(seats):
            self.in_hand(PlayerDealtIn(seat, players.get(seat, f"p-{seat}"), self.stacks.get(seat, RICH)))

    def post(self, dues: Sequence[Due]) -> None:
        """These posts are made."""
        self.in_hand(*(Posted(seat_of(due.frm), POST_KINDS[due.what], due.amount) for due in dues))

    def play(self) -> None:
        """Cards are dealt, all fold to the last one, who gets the pot less rake."""
        hand = self.session.hand
        assert hand is not None
        self.in_hand(*(HoleDealt(seat, ("??", "??")) for seat in hand.seats))
        while (next_ := self.expects()).actor:
            self.in_hand(ActionTaken(seat_of(next_.actor), "fold"))
        while dues := self.expects().due:
            for due in dues:
                self.in_hand(ChipsMoved(due.frm, due.to, due.amount, due.cause, due.stake))
        self.in_hand(RoundClosed())
        for seat, stack in zip(hand.seats, self.session.hand.stacks, strict=True):  # type: ignore[union-attr]
            self.stacks[seat] = stack

    def hand_of(self, seats: Sequence[int], button: int) -> None:
        """A whole hand as it is due."""
        self.begin(seats, button)
        self.post(self.expects().due)
        self.play()

    def findings(self) -> dict[str, list[Finding]]:
        """What is found in each hand, by its name."""
        scribe = Scribe(TABLE, DAY)
        records = []
        for event, name in self.said:
            scribe.round = name
            records.append(scribe.say(event, 1))
        with open_log(":memory:", create=True) as log:
            book = casebook(log)
            book.adopt("vectors", edition_text(self.config), date(1, 1, 1))
            receipt = log.accept([msgspec.json.encode(record) for record in records], Origin("stdin"))
            assert receipt.stored == len(records), receipt
            judgement = book.judge(scribe.subject)
        return {one.round.rpartition("#")[2]: list(one.findings) for one in judgement.verdicts}


# --- missed blinds ---

_MISSED = frozenset({"kind", "config", "sb", "bb", "position", "seats", "returning", "new", "last"})
_SEATS, _RETURNS = (1, 2, 3, 4, 5, 6), 4
_BUTTON_FOR = {"big_blind": 2, "bb": 2, "small_blind": 3, "sb": 3, "button": 4, "middle": 6}
"""Where the button would lie for the seat that returns to have that place, among six."""


def missed_blind(given: Vector, expect: Vector) -> list[str]:
    """Players come back after the blinds have passed them, or are new: what they post, where the button goes."""
    problems = unknown_keys("given", given, _MISSED)
    if problems:
        return problems
    seats = given.get("seats", _SEATS)
    new = _seats(given.get("new", ()))
    back = _seats(given.get("returning", () if new else _RETURNS))
    night = Night(given.get("config", {}), given["sb"], given["bb"])
    others = [seat for seat in seats if seat not in (*back, *new)]
    night.between(*(SeatTaken(seat, f"p-{seat}") for seat in (*others, *back)))
    night.between(*(PlayerWentAway(seat, f"p-{seat}") for seat in back))
    last = given["last"]["button"] if "last" in given else _before(others, _BUTTON_FOR[given["position"]])
    for button in _orbit(others, last, short="last" in given):
        night.hand_of(others, button)
    if "last" in given:
        problems += _last_hand(night, given["last"])
    night.between(*(PlayerCameBack(seat, f"p-{seat}", "post") for seat in back))
    night.between(*(SeatTaken(seat, f"p-{seat}") for seat in new))
    found = _found(night, sorted(seats), last, [*back, *new])
    return problems + compare(expect, found) + _agreed(night, sorted(seats), found, [*back, *new])


def _seats(seats: Any) -> list[int]:
    return [seats] if isinstance(seats, int) else list(seats)


def _before(seats: Sequence[int], seat: int) -> int:
    """The seat before one, counter-clockwise."""
    return max((own for own in seats if own < seat), default=max(seats))


def _orbit(seats: Sequence[int], last: int, *, short: bool) -> list[int]:
    """Buttons of the hands before, the last one as wanted: one hand, or from seat 2 on, whose big blind passes seat 4."""
    if short:
        return [last]
    buttons = [2]
    while buttons[-1] != last:
        buttons.append(min((seat for seat in seats if seat > buttons[-1]), default=min(seats)))
    return buttons


def _last_hand(night: Night, last: dict[str, int]) -> list[str]:
    hand = night.session.hand
    assert hand is not None
    was = {"button": hand.button, "sb": hand.small_blind, "bb": hand.big_blind}
    return [f"last.{key}: the room has seat {was[key]}, not {seat}" for key, seat in last.items() if was[key] != seat]


def _found(night: Night, seats: Sequence[int], last: int, comers: Sequence[int]) -> dict[str, Any]:
    """What the room expects for the next hand, in the catalogue's words."""
    next_ = night.expects()
    button = int(re.findall(r"the button \w+(?: \w+)? to seat/(\d+)", next_.note)[0])
    posts = {str(seat): _posts(next_.due, seat) for seat in comers}
    order = [seat for seat in seats if seat > last] + [seat for seat in seats if seat <= last]
    blinds = {due.what: seat_of(due.frm) for due in next_.due if due.what in ("small_blind", "big_blind")}
    # Who returns as small blind pays it to the pot.
    dead = next((seat_of(due.frm) for due in next_.due if due.what == "dead_small_blind"), 0)
    return {
        "live": posts[str(comers[0])]["live"],
        "dead": posts[str(comers[0])]["dead"],
        "posts": posts,
        "button_shift": order.index(button),
        "button": button,
        "sb_seat": blinds.get("small_blind", dead),
        "bb_seat": blinds.get("big_blind", 0),
    }


def _posts(dues: Sequence[Due], seat: int) -> dict[str, Any]:
    own = [due for due in dues if seat_of(due.frm) == seat and "ante" not in due.what]
    return {
        "live": whole(sum(due.amount for due in own if due.what not in _DEAD)),
        "dead": whole(sum(due.amount for due in own if due.what in _DEAD)),
    }


def _agreed(night: Night, seats: Sequence[int], found: dict[str, Any], comers: Sequence[int]) -> list[str]:
    """Dealt as expected nothing is found; without a comer's posts just these are missed, and he owes them."""
    problems: list[str] = []
    dues = night.expects().due
    for left_out in (0, *comers):
        other = night.copy()
        other.begin(seats, found["button"])
        asked = other.expects().due
        if asked != dues:
            problems.append(f"before the hand {dues} were due, in it {asked}")
        other.post([due for due in dues if seat_of(due.frm) != left_out])
        other.play()
        own = other.findings()[str(other.hands)]
        owed = {one.subject: one.remedy for one in own if one.rule == "NL-45"}
        if left_out == found["bb_seat"]:
            wrong = [one.rule for one in own if one.rule != "NL-09"]  # a big blind that nobody posts
        elif left_out:
            want = {key: found["posts"][str(left_out)][key] * WHOLE for key in ("live", "dead")}
            had = owed.get(f"seat/{left_out}", {})
            wrong = [] if {key: had.get(key) for key in want} == want and len(own) == 1 else [str(own)]
        else:
            wrong = [f"{one.rule} {one.code}" for one in own]
        problems += [f"without seat {left_out}'s posts: {one}" if left_out else f"as expected: {one}" for one in wrong]
    return problems


# --- table stakes ---

_STAKES = frozenset({"kind", "config", "stack_after_hand", "topups", "stack_next_hand", "bought"})


def table_stakes(given: Vector, expect: Vector) -> list[str]:
    """A stack from one hand to the next. `bought`: paid for and not on record as moved to the seat."""
    problems = unknown_keys("given", given, _STAKES)
    if problems:
        return problems
    night = Night(given.get("config", {}), 5, 10)
    night.between(*(SeatTaken(seat, f"p-{seat}") for seat in (1, 2, 3)))
    night.stacks[1] = given["stack_after_hand"] * WHOLE
    night.hand_of((1, 2, 3), 1)  # on the button he posts nothing and folds
    if amount := given.get("topups", 0) * WHOLE:
        night.between(BuyIn("p-1", amount), ChipsMoved("player/p-1", "seat/1", amount, "buy_in"))
    if given.get("bought"):
        night.between(BuyIn("p-1", given["bought"] * WHOLE))
    night.stacks[1] = given["stack_next_hand"] * WHOLE
    night.hand_of((1, 2, 3), 2)
    own = [one for one in night.findings()[str(night.hands)] if one.subject == "seat/1"]
    put_back = next((one.remedy["to_put_back"] for one in own if "to_put_back" in one.remedy), 0)
    return compare(expect, {"verdict": verdict_word(own), "to_put_back": whole(put_back)})
