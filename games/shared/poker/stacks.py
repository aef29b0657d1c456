"""What lies before each player from hand to hand: table stakes (NL-04). Amounts are minor units, kept by player, so
that a stack goes with him when he changes seats."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from events.schema.common import ChipsMoved
from events.values.places import POT, RAKE
from games.shared.poker.hand import UNLIMITED, Hand

_KEPT = frozenset({"tip", "exchange", "correction", "ruling"})
"""Causes for which chips may leave a stack, or come to it, while its player plays on."""


_OF_THE_HAND = (POT, RAKE)


_NOT_PASSED = frozenset({"seat_change", "exchange", "correction", "ruling", "buy_in"})


class Moved(Struct, frozen=True, gc=False):
    """Chips that came to a stack and left it outside the pots: `added` by its player, `taken` off the table, and what
    else changed it (`other`: a tip, an exchange, chips from or to another seat). `bought`: paid for, not yet on it.
    `in_play`: of what was taken off and is not back, what went while his hand was being played."""

    added: int = 0
    taken: int = 0
    other: int = 0
    bought: int = 0
    in_play: int = 0

    def plus(self, more: Moved) -> Moved:
        """Both together."""
        return Moved(
            self.added + more.added,
            self.taken + more.taken,
            self.other + more.other,
            self.bought + more.bought,
            max(self.in_play - more.added, 0) + more.in_play,
        )

    @property
    def off(self) -> int:
        """Chips of his that went off the table and are not back."""
        return max(self.taken - self.added, 0)


NOTHING = Moved()


def moved_by(event: ChipsMoved, seats: dict[int, str]) -> dict[str, Moved]:
    """What one movement does to the stacks of who sits there. A change of seats moves no stack: it is the player's;
    what pot and rake give and take is the hand's."""
    if event.cause == "seat_change" or event.frm in _OF_THE_HAND or event.to in _OF_THE_HAND:
        return {}
    frm, to = _player(event.frm, seats), _player(event.to, seats)
    apart = event.cause in _KEPT or (frm != "" and to != "")
    found: dict[str, Moved] = {}
    if frm:
        found[frm] = Moved(other=-event.amount) if apart else Moved(taken=event.amount)
    if to:
        # What comes out of his pocket was bought before, where a purchase is on record.
        bought = -event.amount if event.frm == f"player/{to}" else 0
        found[to] = Moved(other=event.amount) if apart else Moved(added=event.amount, bought=bought)
    return found


def _player(place: str, seats: dict[int, str]) -> str:
    kind, _slash, number = place.partition("/")
    return seats.get(int(number), "") if kind == "seat" and number.isdigit() else ""


def removed_in_play(hand: Hand | None, player: str) -> bool:
    """Whether chips that a player takes off the table now are taken out of the game: his hand is being played."""
    if hand is None or hand.closed or any(hand.won) or hand.over or not (hand.posts or hand.dealt):
        return False
    return player in hand.players and not hand.out[hand.players.index(player)]


def with_moved(ledger: dict[str, Moved], more: dict[str, Moved]) -> dict[str, Moved]:
    """A ledger with further movements."""
    return {**ledger, **{player: ledger.get(player, NOTHING).plus(one) for player, one in more.items()}}


def stack_after(hand: Hand, place: int) -> int | None:
    """What lies before a player when a hand is over, by the chips that moved; None if nobody knows what he had."""
    start = hand.start[place]
    if start >= UNLIMITED:
        return None
    put_in = hand.live[place] + hand.dead[place] + hand.antes[place] + hand.apart[place]
    return start - put_in + hand.won[place] + hand.back[place]


def owner(place: str, hand: Hand | None, seats: dict[int, str]) -> str:
    """Whose chips lie at a place: a player's own, or those of who sits there; empty for places of the house."""
    kind, _slash, name = place.partition("/")
    if kind == "player":
        return name
    if kind != "seat" or not name.isdigit():
        return ""
    seat = int(name)
    if hand is not None and seat in hand.seats:
        return hand.players[hand.place(seat)]
    return seats.get(seat, place)


Passed = dict[tuple[str, str], int]
"""Chips that one player gave another outside the pots and that did not come back: giver and taker → minor units."""


def passes(passed: Passed, event: ChipsMoved, giver: str, taker: str) -> int:
    """How many chips a movement passes from one player to another, beyond those that it gives back."""
    if not giver or not taker or giver == taker or event.cause in _NOT_PASSED:
        return 0
    return max(event.amount - passed.get((taker, giver), 0), 0)


def with_passed(passed: Passed, event: ChipsMoved, giver: str, taker: str) -> Passed:
    """What is passed and not back after a movement."""
    if not giver or not taker or giver == taker:
        return passed
    back = min(passed.get((taker, giver), 0), event.amount)
    now = dict(passed)
    if back:
        now[taker, giver] -= back
    if more := passes(passed, event, giver, taker):
        now[giver, taker] = now.get((giver, taker), 0) + more
    return {between: amount for between, amount in now.items() if amount}


StackFault = Literal["chips_off_table", "chips_unaccounted", "buy_in_below_minimum", "buy_in_above_maximum"]


class WrongStack(Struct, frozen=True, gc=False):
    """A stack at a hand's beginning that is not what it must be: `due` by the hand before and what was added."""

    place: int
    code: StackFault
    due: int
    difference: int


def wrong_stack(hand: Hand, place: int, before: int | None, moved: Moved) -> WrongStack | None:
    """Whether a player begins a hand with what he must: the stack that the last one left him, and what was added.

    Chips taken off by who plays on have to come back (`difference`: how many); chips beyond what the record explains
    are unaccounted for. None where nothing is known.
    """
    start = hand.start[place]
    if before is None or start >= UNLIMITED:
        return None
    due = before + moved.other + max(moved.added - moved.taken, 0)
    if start < due:
        return WrongStack(place, "chips_off_table", due, due - start)
    if start > due + max(moved.bought, 0):
        return WrongStack(place, "chips_unaccounted", due, start - due)
    return None


def wrong_buy_in(
    hand: Hand, place: int, before: int | None, moved: Moved, least: int | None, most: int | None
) -> WrongStack | None:
    """Whether a player bought in for less or more than the house allows; `before` None: he is new."""
    start = hand.start[place]
    if start >= UNLIMITED:
        return None
    if before is None:
        if least is not None and start < least:
            return WrongStack(place, "buy_in_below_minimum", least, least - start)
    elif moved.added <= 0:
        return None  # what he has won may be more than anybody can buy
    high = max(most, before or 0) if most is not None else None
    if high is not None and start > high:
        return WrongStack(place, "buy_in_above_maximum", high, start - high)
    return None


def bought_in(ledger: dict[str, Moved], player: str, amount: int) -> dict[str, Moved]:
    """A purchase of chips, before they lie on the table."""
    before = ledger.get(player, NOTHING)
    return {**ledger, player: replace(before, bought=before.bought + amount)}
