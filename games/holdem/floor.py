"""What happens at the scripted dealer's table between hands: who goes and comes back, changes seats, buys chips."""

from __future__ import annotations

from random import Random

from events.schema.common import BuyIn, ChipsMoved, SeatTaken
from events.schema.event import Event
from events.schema.fact import Fact
from games.holdem.chips import BIG, UNIT
from games.holdem.state import Session, evolve
from games.shared.poker.conduct import PenaltyGiven
from games.shared.poker.events import PlayerCameBack, PlayerWentAway, SeatChanged
from games.shared.poker.hand import UNLIMITED
from games.shared.poker.next_hand import NextHand, next_hand, stacks_now

SEATS = range(1, 10)
ENOUGH = 3
"""Players who stay in the game whatever others do."""

AFTER_A_HAND = frozenset({"NL-07", "NL-45"})
"""Breaches that a session's first hand cannot hold."""


class Floor:
    """The table between two hands. What it says is folded at once: `session` stands after it."""

    def __init__(self, session: Session, rng: Random, button: int) -> None:
        self.session = session
        self.rng = rng
        self.button = button
        self.said: list[tuple[Event, float]] = []
        self.pocketed: dict[int, int] = {}

    def say(self, event: Event, after_s: float) -> None:
        """It happens between hands."""
        self.said.append((event, after_s))
        fact = Fact(subject="", source="", sequence=1, topic=event.TOPIC, event=event, occurred_at=0)
        self.session = evolve(self.session, fact)

    def next(self) -> NextHand:
        """Who plays the next hand, with what, and where the button lies; `button`, if any, was drawn."""
        coming = next_hand(self.session, button=self.button)
        assert coming is not None
        return coming

    def playing(self) -> dict[int, int]:
        """Stacks of the next hand by seat."""
        hand = self.next().hand
        stacks = zip(hand.seats, hand.start, strict=True)
        return {seat: stack - self.pocketed.get(seat, 0) for seat, stack in stacks}

    def player(self, seat: int) -> str:
        """Who sits there."""
        return self.session.seated[seat]

    # --- what may happen; nothing of it is a breach ---

    def life(self) -> None:
        """Now and then somebody comes back, goes for a while, moves to a free seat, joins, or buys chips."""
        rng = self.rng
        for seat in sorted(self.session.away):
            if rng.random() < 0.5:
                self.say(PlayerCameBack(seat, self.player(seat), "post"), 10)
        seats = list(self.playing())
        free = [seat for seat in SEATS if seat not in self.session.seated]
        what = rng.random()
        seat = rng.choice(seats)
        if what < 0.12 and len(seats) > ENOUGH:
            self.say(PlayerWentAway(seat, self.player(seat)), 5)
        elif what < 0.16 and free:
            self._change_seats(seat, rng.choice(free))
        elif what < 0.20 and len(free) > 2:
            new = rng.choice(free)
            self.say(SeatTaken(new, f"p-{new}{rng.randrange(10, 100)}"), 30)
            self.buy(new, rng.randrange(10, 60) * BIG)
        elif what < 0.28:
            self.buy(seat, rng.randrange(1, 20) * BIG)

    def _change_seats(self, frm: int, to: int) -> None:
        player, stack = self.player(frm), self.playing()[frm]
        self.say(SeatChanged(player, frm, to), 20)
        self.say(ChipsMoved(f"seat/{frm}", f"seat/{to}", stack, "seat_change"), 5)

    def buy(self, seat: int, amount: int) -> None:
        """A player buys chips and puts them on the table."""
        player = self.player(seat)
        self.say(BuyIn(player, amount), 2)
        self.say(ChipsMoved(f"player/{player}", f"seat/{seat}", amount, "buy_in"), 1)

    def refill(self) -> None:
        """Who has too little buys in again: uneven stacks, so that side pots come about."""
        for seat, stack in sorted(stacks_now(self.session).items()):
            if seat not in self.session.away and (stack < 10 * BIG or stack == UNLIMITED):
                self.buy(seat, self.rng.randrange(10, 60) * BIG + self.rng.randrange(2) * UNIT)

    # --- what makes a breach possible, or is one ---

    def send_away_who_is_due(self) -> None:
        """The player due for the big blind goes away, so that it passes him (for NL-45)."""
        big = self.next().at.big
        self.say(PlayerWentAway(big, self.player(big)), 5)

    def all_back(self) -> None:
        """Whoever is away comes back."""
        for seat in sorted(self.session.away):
            self.say(PlayerCameBack(seat, self.player(seat), "post"), 10)

    def pocket_chips(self) -> None:
        """NL-04: a player takes chips off the table and plays on."""
        playing = self.playing()
        seat = self.rng.choice(sorted(playing))
        amount = max(playing[seat] // (4 * UNIT), 1) * UNIT
        self.say(ChipsMoved(f"seat/{seat}", f"player/{self.player(seat)}", amount, "transfer"), 5)
        self.pocketed[seat] = amount

    def sit_somebody_out(self) -> int:
        """A player has to sit out a hand; his seat."""
        seat = self.rng.choice(sorted(self.playing()))
        self.say(PenaltyGiven(self.player(seat), "sit_out", seat=seat, hands=1, role="floorman", by="floor-1"), 20)
        return seat
