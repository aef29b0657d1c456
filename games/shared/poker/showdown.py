"""Showdown: who shows when, who wins what. Knows no game: hands come as keys, smaller is stronger.

A hand has one key for each part that its pots are cut into: one for a high game, two for high and low or for a board
run twice. None where a hand does not take part in that part (no qualifying low).
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence

from msgspec import Struct

from games.shared.poker.pots import Layer, layers, share, uncalled

Keys = tuple[int | None, ...]


class Money(Struct, frozen=True, gc=False):
    """All chips of a hand by position, minor units. `dead` money belongs to nobody's bet; `out`: folded or dead."""

    live: Sequence[int]
    out: Sequence[bool]
    dead: int = 0
    antes: Sequence[int] | None = None


class Won(Struct, frozen=True, gc=False):
    """One pot's end: `amount` before rake, `shares` by position. `open`: nobody tabled a hand for it."""

    amount: int
    rake: int
    eligible: tuple[int, ...]
    winners: tuple[int, ...]
    shares: dict[int, int]
    open: bool = False


class Outcome(Struct, frozen=True, gc=False):
    """What the rules make of a hand. `returned`: the uncalled part, to the player at `returned_to` (−1: none)."""

    returned_to: int
    returned: int
    pots: tuple[Won, ...]

    @property
    def rake(self) -> int:
        """Of all pots."""
        return sum([pot.rake for pot in self.pots])


def settle(
    money: Money,
    keys: Mapping[int, Keys],
    first: int,
    unit: int,
    rake: Callable[[Sequence[Layer], int], list[int]],
    *,
    mucked: Container[int] = (),
    parts: int = 1,
) -> Outcome:
    """Returns, pots, rake and shares.

    `keys`: the hands that compete. A pot for which none of them is eligible goes to the one eligible hand that was not
    `mucked`, if there is just one. `first`: the position where odd chips begin, clockwise. `rake` says what each pot
    pays, given the pots and what was returned. `parts`: into how many each pot is cut; odd chips of the cut stay with
    the first part, and a part that no hand qualifies for goes to the others.
    """
    who, returned = uncalled(money.live)
    live = money.live
    if returned:
        live = list(live)
        live[who] -= returned
    pots = layers(live, money.out, money.dead, money.antes)
    won = []
    for pot, taken in zip(pots, rake(pots, returned), strict=True):
        contenders = [place for place in pot.eligible if place in keys]
        if not contenders:
            unclaimed = [place for place in pot.eligible if place not in mucked]
            contenders = unclaimed if len(unclaimed) == 1 else []
        won.append(_award(pot, taken, contenders, keys, (first, len(live)), unit, parts))
    return Outcome(who, returned, tuple(won))


def _award(
    pot: Layer,
    rake: int,
    contenders: Sequence[int],
    keys: Mapping[int, Keys],
    table: tuple[int, int],
    unit: int,
    parts: int,
) -> Won:
    net = pot.amount - rake
    if len(contenders) < 2:
        return Won(pot.amount, rake, pot.eligible, tuple(contenders), dict.fromkeys(contenders, net), not contenders)
    first, count = table
    contenders = sorted(contenders, key=lambda place: (place - first) % count)
    best = [_best(contenders, keys, part) for part in range(parts)]
    shares: dict[int, int] = {}
    for winners, half in zip(best, _cut(net, [bool(winners) for winners in best], unit), strict=True):
        if half:
            for place, amount in share(half, winners, unit).items():
                shares[place] = shares.get(place, 0) + amount
    every = tuple([place for place in contenders if any(place in winners for winners in best)])
    return Won(pot.amount, rake, pot.eligible, every, shares)


def _best(contenders: Sequence[int], keys: Mapping[int, Keys], part: int) -> list[int]:
    """The best hands of one part, in the order given."""
    known = [(key, place) for place in contenders if (key := keys[place][part]) is not None]
    if not known:
        return []
    top = min(key for key, _place in known)
    return [place for key, place in known if key == top]


def _cut(net: int, taken: Sequence[bool], unit: int) -> list[int]:
    """A pot into the parts that somebody qualifies for; odd chips of the cut to the first of them."""
    count = sum(taken)
    if count == 1:
        return [net if one else 0 for one in taken]
    each = net // (count * unit) * unit
    halves = [each if one else 0 for one in taken]
    halves[taken.index(True)] += net - each * count
    return halves


def show_order(seats_in: Sequence[int], positions: int, button: int, aggressor: int) -> list[int]:
    """Positions in the order in which they show: the last aggressor first if he is still in, else from the first
    after the button; then clockwise (NL-27). `button`: the position of the button, or of the last seat before it.
    """
    start = aggressor if aggressor in seats_in else (button + 1) % positions
    return sorted(seats_in, key=lambda place: (place - start) % positions)
