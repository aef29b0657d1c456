"""Whose chips went to whom in a hand.

A pot holds chips of several players and goes to one or several, so that the record never says whose chips a winner
got. Here each chip of a pot is like every other one, and whoever gets a part of it gets the same part of what each put
in: of pot `k` the flow from `i` to `j` is

    paid in by i × paid out to j ÷ pot

with the house as a player of its own, which gets the rake. Net flow is antisymmetric, and what flows out of a seat in
all is just what it lost in the hand: rows add up to what was paid in, columns to what was paid out. That fixes the
formula where one player wins; where pots are shared it is the only one that treats players alike and is linear in what
each put in. Side pots count each for itself: who is not eligible gets nothing of what lies in them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from events.values.places import FLOAT, SEATS
from games.shared.poker.hand import Hand
from games.shared.poker.settling import layered_antes
from games.verdict import Settlement

Sides = tuple[list[int], list[int]]
"""Of a pot by position: paid in, paid out; the house stands last."""


def chips_between(hand: Hand, due: Settlement) -> dict[tuple[int, int], int] | None:
    """(i, j), i < j → what went from position i to j, net, minor units; the house is position `len(hand.seats)`.

    By what was due, so that a dealer's wrong payment is no play of theirs. None where nobody can tell who is due what.
    Whole units: each figure is within two of the exact one, and the sums are exact (`spread`).
    """
    if not due.known or any(line.held for line in due.lines):
        return None
    if not due.pots:
        return {}  # all of it went back
    net: dict[tuple[int, int], int] = {}
    sides = _sides(hand, due)
    if sides is None:
        return None
    for paid_in, paid_out in sides:
        for giver, taker, amount in spread(paid_in, paid_out):
            if giver < taker:
                net[giver, taker] = net.get((giver, taker), 0) + amount
            elif giver > taker:
                net[taker, giver] = net.get((taker, giver), 0) - amount
    return {pair: amount for pair, amount in net.items() if amount}


def spread(paid_in: Sequence[int], paid_out: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """A pot's chips from who paid in to who is paid: giver, taker, amount, all by position.

    Both sides have the same sum. Cumulated and then floored along both sides, so that every row and column is exact
    (two-dimensional cascade rounding).
    """
    total = sum(paid_in)
    if not total:
        return
    before = [0] * len(paid_out)
    upto = 0
    for giver, amount in enumerate(paid_in):
        if not amount:
            continue
        upto += amount
        out = last = was = 0
        for taker, taken in enumerate(paid_out):
            if taken:
                out += taken
                now = upto * out // total
                given = now - last - (before[taker] - was)
                last, was = now, before[taker]
                before[taker] = now
                if given:
                    yield giver, taker, given


def _sides(hand: Hand, due: Settlement) -> list[Sides] | None:
    """Both sides of each pot; of all pots as one where the layers are not those of the contributions."""
    house = len(hand.seats)
    places = {SEATS[seat]: place for place, seat in enumerate(hand.seats)}
    found: list[Sides] = []
    for pot, paid_in in zip(due.pots, _paid_in(hand, due, places), strict=True):
        paid_out = [0] * (house + 1)
        paid_out[house] = pot.rake
        for stake, amount in pot.awards.items():
            paid_out[places[stake]] += amount
        found.append((paid_in, paid_out))
    if all(sum(ins) == pot.amount == sum(outs) for pot, (ins, outs) in zip(due.pots, found, strict=True)):
        return found
    whole = _whole(due, places, house)
    return [whole] if sum(whole[0]) == sum(whole[1]) else None


def _paid_in(hand: Hand, due: Settlement, places: dict[str, int]) -> list[list[int]]:
    """What each position put into each pot: the slices of its bets (and layered antes) between the pots' levels."""
    live = list(hand.live)
    for line in due.lines:
        if line.returned and line.stake in places:
            live[places[line.stake]] -= line.returned
    antes = layered_antes(hand)
    rows = [live] if antes is None else [antes, live]
    dead = [amount + (0 if antes else ante) for amount, ante in zip(hand.dead, hand.antes, strict=True)]
    found = []
    low = [0] * len(rows)
    for number, pot in enumerate(due.pots):
        eligible = [places[stake] for stake in pot.eligible]
        last = number == len(due.pots) - 1 or not eligible
        paid = [*dead, hand.added] if number == 0 else [0] * (len(hand.seats) + 1)
        for at, row in enumerate(rows):
            top = max(row) if last else max(min([row[place] for place in eligible]), low[at])
            for place, amount in enumerate(row):
                if amount > low[at]:
                    paid[place] += min(amount, top) - low[at]
            low[at] = top
        found.append(paid)
    return found


def _whole(due: Settlement, places: dict[str, int], house: int) -> Sides:
    paid_in, paid_out = [0] * (house + 1), [0] * (house + 1)
    paid_out[house] = due.rake
    for line in due.lines:
        place = house if line.stake == FLOAT else places.get(line.stake, house)
        paid_in[place] += line.taken
        paid_out[place] += line.paid
    return paid_in, paid_out
