"""Seats round a table: how a house places the button and takes posts, and who comes into a game or back into it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from msgspec import Struct

from games.shared.poker.events import PostKind

Blind = Literal["small_blind", "big_blind"]
BLINDS: tuple[Blind, ...] = ("small_blind", "big_blind")
Arrival = Literal["new", "returning", "moved"]
ButtonRule = Literal["moving", "dead_button"]
ReturnPost = Literal["one_live_bb", "sb_dead_plus_bb_live", "both_live", "bb_only"]


class SeatTerms(Struct, frozen=True, gc=False, kw_only=True):
    """Where rule books differ about seats, button and posts; the defaults are those of NL.

    `button_rule`: `moving` to the next player dealt in (NL-07), or the big blind first and button and small blind
    behind it, even on empty seats (`dead_button`, VG-BTN-03). `return_post`: what a player passed by the blinds posts;
    `one_live_bb` by position (NL-45), the others wherever he sits (VG-ORG-16, VG A-06). `both_on_big_blind`: so too
    where he returns as big blind. `entry_between`: who comes in may sit between button and big blind (VG-BTN-06: no).
    `seat_change`: what a change of seat costs (VG-BTN-08). `ante`: minor units from each player; None: as announced.
    `least_buy_in`, `most_buy_in`: minor units, None: not checked.
    """

    button_rule: ButtonRule = "moving"
    return_post: ReturnPost = "one_live_bb"
    both_on_big_blind: bool = False
    entry_between: bool = True
    seat_change: Literal["free", "unless_closer"] = "free"
    straddle: bool = False
    ante: int | None = 0
    least_buy_in: int | None = None
    most_buy_in: int | None = None


class Entry(Struct, frozen=True, gc=False):
    """A player who comes into the game or back into it, and has not been dealt in since.

    `missed`: the blinds that passed him. `owes`: he posts when he is dealt in; None: the record does not tell.
    """

    seat: int
    player: str
    why: Arrival
    missed: tuple[Blind, ...] = ()
    owes: bool | None = True


class Withdrawn(Struct, frozen=True, gc=False):
    """A post of which chips came back before anybody acted: what a seat had posted of a kind, and what stayed."""

    seat: int
    kind: PostKind
    posted: int
    left: int


class Positions(Struct, frozen=True, gc=False):
    """Seats of button and blinds, as they were or are due; 0 where nobody knows. Any may be empty (a dead button)."""

    button: int = 0
    small: int = 0
    big: int = 0


def clockwise(seats: Iterable[int], after: int) -> list[int]:
    """The seats in order from the first one left of `after`; that seat itself last."""
    ordered = sorted(seats)
    return [seat for seat in ordered if seat > after] + [seat for seat in ordered if seat <= after]


def lies_between(seat: int, low: int, high: int) -> bool:
    """Whether a seat lies clockwise strictly between two others; nothing lies between a seat and itself."""
    if low < high:
        return low < seat < high
    return low > high and (seat > low or seat < high)


def passed_by(seat: int, earlier: Positions, now: Positions) -> tuple[Blind, ...]:
    """The blinds that went past a seat which was not dealt in, from one hand to the next.

    Without an earlier hand they went on from the button of this one.
    """
    small_from, big_from = (earlier.small, earlier.big) if earlier.big else (now.button, now.small)
    passed: list[Blind] = []
    # A dead small blind lies on the very seat whose player is away.
    if small_from and now.small and (lies_between(seat, small_from, now.small) or seat == now.small):
        passed.append("small_blind")
    if big_from and now.big and lies_between(seat, big_from, now.big):
        passed.append("big_blind")
    return tuple(passed)


def next_positions(
    last: Positions, seats: Sequence[int], entering: Iterable[Entry], terms: SeatTerms, heads_up: str
) -> Positions:
    """Where button and blinds come to in the next hand, of which `seats` are dealt in.

    Nothing is known (all 0) with fewer than two seats or where the last hand's places are not.
    """
    if len(seats) < 2 or not (last.button or last.big):
        return Positions()
    if terms.button_rule == "dead_button" and last.big:
        return _big_blind_first(last, seats)
    if not last.button:
        return Positions()
    return on_button(_moved(last.button, seats, entering), seats, heads_up)


def on_button(button: int, seats: Sequence[int], heads_up: str) -> Positions:
    """The blinds left of a button: the first two; of two players the button itself has one (NL-08, NL-A14)."""
    order = clockwise(seats, button)
    if len(order) < 2:
        return Positions(button)
    small, big = order[0], order[1]
    if len(order) == 2 and heads_up == "button_small_blind":
        small, big = big, small
    return Positions(button, small, big)


def _moved(last: int, seats: Sequence[int], entering: Iterable[Entry]) -> int:
    """To the next player dealt in; over one who would return on it (NL-45).

    Of two players the button has a blind, so that nobody returns on the button alone. A newcomer takes it: only the
    player who left and was passed moves it on (NL-07, NL-A16).
    """
    order = clockwise(seats, last)
    if len(order) > 2:
        returning = {entry.seat for entry in entering if entry.why == "returning" and entry.owes}
        for seat in order:
            if seat not in returning:
                return seat
    return order[0]


def _big_blind_first(last: Positions, seats: Sequence[int]) -> Positions:
    """The big blind to the next player, the small blind where the big blind was, the button where the small blind was
    (VG-BTN-03); of two players the other one has button and small blind (VG-BTN-04)."""
    order = clockwise(seats, last.big)
    big = order[0]
    if len(order) == 2:
        return Positions(order[1], order[1], big)
    return Positions(last.small or order[-2], last.big, big)


def may_not_enter(entry: Entry, at: Positions, terms: SeatTerms) -> bool:
    """Whether a player who comes in has to wait because he sits between button and big blind (VG-BTN-06)."""
    return not terms.entry_between and lies_between(entry.seat, at.button, at.big)


def hands_to_big_blind(seat: int, big: int, others: Iterable[int]) -> int:
    """In how many hands a seat is the big blind, which now lies on `big` (VG-BTN-08)."""
    return 1 + sum(lies_between(other, big, seat) for other in others if other != seat)


def moved_entry(player: str, frm: int, to: int, big: int, others: Iterable[int], terms: SeatTerms) -> Entry | None:
    """What a change of seat costs by itself: nothing, or a big blind unless it brings him closer to the blinds."""
    if terms.seat_change == "free" or not big:
        return None
    seats = [seat for seat in others if seat not in (frm, to)]
    closer = hands_to_big_blind(to, big, seats) < hands_to_big_blind(frm, big, seats)
    return None if closer else Entry(to, player, "moved")
