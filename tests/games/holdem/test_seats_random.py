"""Whole evenings at random: players come, go, come back, move and buy; what is expected is never found wrong."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from events.schema.common import BuyIn, ChipsMoved, SeatLeft, SeatTaken
from games.protocol import Due
from games.shared.poker.events import PlayerCameBack, PlayerWentAway, Posted, SeatChanged
from games.shared.poker.hand import UNLIMITED
from games.shared.poker.next_hand import next_hand
from tests.soaking import examples
from tests.vectors.holdem_seats import RICH, Night

PARAMETERS = st.fixed_dictionaries(
    {},
    optional={
        "heads_up_blinds": st.sampled_from(["text_order", "button_small_blind"]),
        "button_rule": st.sampled_from(["moving", "dead_button"]),
        "straddle": st.booleans(),
        "ante": st.sampled_from([0, 3, None]),
    },
)


class Evening:
    """Hands that everybody folds, and what happens between them."""

    def __init__(self, seed: int, config: dict[str, Any]) -> None:
        self.rng = Random(seed)
        self.night = Night(config, 5, 10)
        self.people = 0
        for seat in self.rng.sample(range(1, 10), self.rng.randrange(2, 8)):
            self.sit(seat)

    def sit(self, seat: int) -> None:
        self.people += 1
        self.night.between(SeatTaken(seat, f"p-{self.people}"))

    def life(self) -> None:
        for _what in range(self.rng.randrange(3)):
            self.something()
        while len(set(self.night.session.seated) - self.night.session.away) < 2:
            away = sorted(self.night.session.away)
            if away:
                self.come_back(away[0])
            else:
                self.sit(self.rng.choice([seat for seat in range(1, 10) if seat not in self.night.session.seated]))

    def come_back(self, seat: int) -> None:
        choice = self.rng.choice(("post", "wait", None))
        self.night.between(PlayerCameBack(seat, self.night.session.seated[seat], choice))

    def something(self) -> None:
        session, rng, say = self.night.session, self.rng, self.night.between
        free = [seat for seat in range(1, 10) if seat not in session.seated]
        seat = rng.choice(sorted(session.seated))
        player = session.seated[seat]
        what = rng.randrange(6)
        if seat in session.away:
            self.come_back(seat)
        elif what == 0:
            say(PlayerWentAway(seat, player))
        elif what == 1 and free:
            self.sit(rng.choice(free))
        elif what == 2 and free:
            say(SeatChanged(player, seat, rng.choice(free)))
        elif what == 3 and len(session.seated) > 2:
            say(SeatLeft(seat, player))
        elif what == 4:
            say(BuyIn(player, 5000), ChipsMoved(f"player/{player}", f"seat/{seat}", 5000, "buy_in"))

    def hand(self) -> None:
        night = self.night
        coming = next_hand(night.session)
        if coming is None:  # the first one, or everybody waits
            ready = sorted(set(night.session.seated) - night.session.away - night.session.waiting)
            if len(ready) < 2:
                return
            seats, button = dict.fromkeys(ready, RICH), self.rng.choice(ready)
        else:
            stacks = zip(coming.hand.seats, coming.hand.start, strict=True)
            seats = {seat: RICH if stack >= UNLIMITED else stack for seat, stack in stacks}
            button = coming.at.button
        night.stacks = seats
        night.begin(list(seats), button)
        self.post(night.expects().due)
        next_ = night.expects()
        for action in next_.actions:
            if action.name == "straddle" and self.rng.random() < 0.5:
                night.in_hand(Posted(int(action.actor[5:]), "straddle", action.low or 0))
        night.play()

    def post(self, dues: Sequence[Due]) -> None:
        """In any order; where somebody comes in, what lies there halfway is no breach: the rest can still come."""
        order = self.rng.sample(dues, len(dues))
        if len(dues) > 1 and any(due.what == "missed_big_blind" for due in dues):
            halfway = self.night.copy()
            halfway.post(order[: self.rng.randrange(1, len(order))])
            assert halfway.findings().get(str(halfway.hands), []) == [], order
        self.night.post(order)


@given(st.integers(0, 2**32), PARAMETERS)
@settings(max_examples=examples(40), deadline=None)
def test_an_evening_as_expected_has_no_finding(seed: int, config: dict[str, Any]) -> None:
    evening = Evening(seed, config)
    for _hand in range(8):
        evening.hand()
        evening.life()
    found = [f"{name}: {one.rule} {one.code}" for name, own in evening.night.findings().items() for one in own]
    assert found == []
