"""One round of betting: whose turn it is, what he may do, what his action changes.

Players are positions 0 … n−1 clockwise; amounts are minor units and totals of this round ("raise to"). Structures
(no limit, pot limit, fixed limit) and the readings of a minimum raise are parameters, so that every rule book and
every poker game uses this code. Nothing here refuses: what a player really did is applied as it was done.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import Literal

from msgspec import Struct

from games.shared.poker.events import Betting

NOBODY = -1
NOT_SINCE = -1
"""In `Bets.acted`: has not acted since the last full bet or raise."""

MinRaise = Literal["double_bet_to_match", "last_increment"]


class Limits(Struct, frozen=True, gc=False, kw_only=True):
    """What bets and raises are allowed. `minimum`: the smallest bet (big blind, or the round's fixed bet).

    `cap`: how many full bets and raises a round may see while more than two players are in (None: unlimited; the blind
    is the first of them); `cap_alone`: the same where only two are left. `accumulates`: short all-ins that together
    reach a full raise reopen the betting. `half_reopens`: in fixed limit half a bet is a full one, as many card rooms
    have it. `exactly`: a raise is exactly the minimum (NL-A9). `most`: a posted maximum of a single bet.
    `plain`: nothing but the stack bounds a bet from above.
    """

    minimum: int
    structure: Betting = "no_limit"
    min_raise: MinRaise = "double_bet_to_match"
    accumulates: bool = False
    exactly: bool = False
    most: int | None = None
    cap: int | None = None
    cap_alone: int | None = None
    half_reopens: bool = False
    plain: bool = False


class Bets(Struct, gc=False, kw_only=True):
    """A round of betting as it stands; it changes in place.

    `to_match`: the bet that a player has to match (C; before the flop at least the whole big blind). `increment`: the
    last full bet or raise, `full`: the bet to match after it. `front`: in front of each player. `acted`: the bet to
    match when he last acted, or `NOT_SINCE`. `count`: full bets and raises so far, the blind and a straddle among them;
    `capped`: no more of them in this round. `actor`: whose turn it is, or `NOBODY`.
    """

    to_match: int = 0
    increment: int = 0
    front: list[int] = []
    acted: list[int] = []
    count: int = 0
    actor: int = NOBODY
    aggressor: int = NOBODY
    full: int = 0
    capped: bool = False

    def copy(self) -> Bets:
        """A round of its own, as it stands."""
        new = copy(self)
        new.front, new.acted = self.front.copy(), self.acted.copy()
        return new


class Options(Struct, frozen=True, gc=False, kw_only=True):
    """What a player may do. `call`: the total after a call (None: nothing to call). `low`, `high`: bounds of a bet or
    raise, None where he may not; a whole stack smaller than `low` may always be put in (`short`)."""

    check: bool
    call: int | None
    low: int | None
    high: int | None
    short: bool = False


def fresh(count: int, minimum: int) -> Bets:
    """A round in which nothing lies in front of anybody."""
    return Bets(increment=minimum, front=[0] * count, acted=[NOT_SINCE] * count)


def raise_to(bets: Bets, limits: Limits) -> int:
    """M: the smallest full bet or raise."""
    if bets.to_match == 0:
        return limits.minimum
    if limits.structure == "fixed_limit":
        if limits.half_reopens and bets.full == bets.to_match:
            return bets.to_match + limits.minimum
        # A short bet or raise is completed to the fixed size.
        return bets.to_match - bets.to_match % limits.minimum + limits.minimum
    if limits.min_raise == "last_increment":
        return bets.to_match + max(bets.increment, limits.minimum)
    return max(2 * bets.to_match, limits.minimum)


def raise_by_increment(bets: Bets, limits: Limits) -> int:
    """The smallest full raise by the other reading: the bet to match plus the last full increment (NL-A6)."""
    return bets.to_match + max(bets.increment, limits.minimum)


def may_raise(bets: Bets, limits: Limits, place: int) -> bool:
    """Whether betting is open for him: he has not acted since the last full bet or raise (NL-25)."""
    if bets.capped:
        return False
    acted = bets.acted[place]
    if acted == NOT_SINCE:
        return True
    return limits.accumulates and bets.to_match - acted >= max(bets.increment, limits.minimum)


def options(bets: Bets, limits: Limits, stacks: Sequence[int], place: int, pot: int = 0) -> Options:
    """What `place` may do now, whether or not anybody has chips left to call it with (what is not called goes back).

    `pot`: all chips in the pot, bets in front included (pot limit only).
    """
    front, stack = bets.front[place], stacks[place]
    owes = bets.to_match - front
    call = None if owes <= 0 else min(bets.to_match, front + stack)
    closed = Options(check=owes <= 0, call=call, low=None, high=None)
    if stack <= max(owes, 0) or not may_raise(bets, limits, place):
        return closed
    low, high = raise_to(bets, limits), front + stack
    if limits.structure == "fixed_limit" or (limits.exactly and bets.to_match):
        high = min(high, low)
    elif limits.structure == "pot_limit":
        high = min(high, bets.to_match + pot + max(owes, 0))
    if limits.most is not None:
        high = min(high, limits.most)
    if high < low and high < front + stack:
        return closed  # the maximum is below the smallest raise
    return Options(check=owes <= 0, call=call, low=min(low, high), high=high, short=high < low)


def put(bets: Bets, limits: Limits, place: int, total: int, left: int = 0) -> None:
    """He acts and has `total` in front of him then: a check or call up to the bet to match, a bet or raise above it.

    Whether it was legal is another question. The turn is not moved; see `turn`. `left`: how many players are still in
    (0: more than two); only a cap depends on it.
    """
    bets.front[place] = total
    if total <= bets.to_match:
        bets.acted[place] = bets.to_match
        return
    if total >= raise_to(bets, limits) or _half(bets, limits, total):
        bets.increment = total - bets.to_match
        bets.full = total
        bets.acted[:] = [NOT_SINCE] * len(bets.acted)
        bets.count += 1
        cap = limits.cap_alone if left == 2 else limits.cap
        bets.capped = bets.capped or (cap is not None and bets.count >= cap)
    # else a short all-in, or an illegal amount that was let stand: it does not reopen
    bets.acted[place] = bets.to_match = total
    bets.aggressor = place


def _half(bets: Bets, limits: Limits, total: int) -> bool:
    """Half a fixed bet or more over the last full one counts as a full one, where the rule book says so."""
    if not limits.half_reopens or limits.structure != "fixed_limit":
        return False
    return 2 * (total - bets.full) >= limits.minimum


def post(bets: Bets, place: int, amount: int, to_match: int) -> None:
    """A live post: it lies in front, sets the bet to match, and leaves him his right to act."""
    bets.front[place] += amount
    if to_match > bets.to_match:
        bets.to_match = bets.full = to_match
        bets.count += 1
    if to_match > bets.increment:
        bets.increment = to_match


class _Clockwise(dict[int, tuple[tuple[int, ...], ...]]):
    """Number of players → by the first to be asked (one beyond the last: the first again), all positions once."""

    def __missing__(self, count: int) -> tuple[tuple[int, ...], ...]:
        every = tuple(range(count))
        found = self[count] = tuple(every[start:] + every[:start] for start in range(count + 1))
        return found


_CLOCKWISE = _Clockwise()


def turn(bets: Bets, stacks: Sequence[int], out: Sequence[bool], start: int) -> int:
    """Whose turn it is, looking clockwise from `start`; `NOBODY` if the round of betting is over.

    Over: everyone still in has matched the bet or is all-in and has had his turn since the last full bet or raise
    (NL-12); or only one could still act and has nothing to match.
    """
    acted, to_match = bets.acted, bets.to_match
    found, able = NOBODY, False
    for place in _CLOCKWISE[len(out)][start]:
        if not out[place] and stacks[place] > 0:
            if found != NOBODY:
                return found
            # `NOT_SINCE` is below every bet; who put in less than he had to and was let off is not asked again.
            if acted[place] < to_match:
                if able:
                    return place
                found = place
            able = True
    if found == NOBODY:
        return found
    front = bets.front
    most = max([front[other] for other, gone in enumerate(out) if other != found and not gone], default=0)
    return NOBODY if front[found] >= most else found
