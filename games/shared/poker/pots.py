"""Pots: layers of contribution, the uncalled part of a bet, rake, shares and odd chips (NL-24, NL-31 … NL-33).

The one algorithm of cash-holdem.md ("Pot, rake and odd-chip algorithm"), with its variants as parameters. Players are
positions 0 … n−1 clockwise; amounts are minor units. Integers only: a rate is taken exactly, then floored.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

Rounding = Literal["floor_to_smallest_chip", "nearest", "floor_1_czk"]
Allocation = Literal["main_pot_first", "proportional"]

MAJOR = 100
"""Minor units of one whole unit of every currency we deal in."""


class Layer(Struct, frozen=True, gc=False):
    """One pot before rake. `eligible`: who may win it; empty where only dead hands put chips in (a person rules)."""

    amount: int
    eligible: tuple[int, ...]


class RakeTerms(Struct, frozen=True, gc=False):
    """How a house takes its commission. `cap` and `unit` in minor units; no `cap`: none is taken beyond the rate.

    `pot_by_pot`: each pot's rake is rounded by itself instead of the hand's total.
    """

    rate_bp: int
    cap: int | None
    unit: int
    rounding: Rounding = "floor_to_smallest_chip"
    all_chips_in: bool = False
    no_flop_no_drop: bool = False
    allocation: Allocation = "main_pot_first"
    pot_by_pot: bool = False


def uncalled(live: Sequence[int]) -> tuple[int, int]:
    """Who put in more than anybody matched, and how much more; (-1, 0) if nobody. Folded seats count too."""
    if len(live) < 2:
        return (0, live[0]) if live and live[0] else (-1, 0)
    *_others, second, most = sorted(live)
    return (live.index(most), most - second) if most > second else (-1, 0)


def layers(live: Sequence[int], out: Sequence[bool], dead: int = 0, antes: Sequence[int] | None = None) -> list[Layer]:
    """The pots from the main pot outwards, uncalled chips already taken out of `live`.

    `out`: hands that can win nothing any more. `dead` money joins the main pot. `antes` are layered before the bets:
    who could not pay his whole ante plays for as much of the others' as he paid.
    """
    if out.count(False) == 1:  # the only one left wins everything (NL-32)
        total = sum(live) + dead + sum(antes or ())
        return [Layer(total, (out.index(False),))] if total else []
    pots: list[Layer] = []
    if antes is not None:
        _stack(pots, antes, out)
    _stack(pots, live, out)
    if dead:
        if pots:
            pots[0] = Layer(pots[0].amount + dead, pots[0].eligible)
        else:
            pots.append(Layer(dead, tuple(place for place, gone in enumerate(out) if not gone)))
    merged: list[Layer] = []
    for pot in pots:
        if merged and merged[-1].eligible == pot.eligible:
            merged[-1] = Layer(merged[-1].amount + pot.amount, pot.eligible)
        else:
            merged.append(pot)
    return merged


def _stack(pots: list[Layer], paid: Sequence[int], out: Sequence[bool]) -> None:
    """Cut contributions at the levels of the hands that can still win, and append the slices to `pots`."""
    low = 0
    for level in sorted({amount for amount, gone in zip(paid, out, strict=True) if not gone}):
        size = sum((min(amount, level)) - low for amount in paid if amount > low)
        if size:
            eligible = tuple(place for place, amount in enumerate(paid) if amount >= level and not out[place])
            pots.append(Layer(size, eligible))
        low = level
    over = sum(amount - low for amount in paid if amount > low)
    if over:
        pots.append(Layer(over, ()))


def rakes(pots: Sequence[Layer], terms: RakeTerms, *, returned: int = 0, flop_seen: bool = True) -> list[int]:
    """The rake of each pot, main pot first, one cap a hand (NL-33, NL-A1 … NL-A5)."""
    if not pots or not terms.rate_bp or (terms.no_flop_no_drop and not flop_seen):
        return [0] * len(pots)
    beyond = returned if terms.all_chips_in else 0
    if terms.pot_by_pot:
        return _pot_by_pot(pots, terms)
    total = sum(pot.amount for pot in pots)
    whole = rake_on(total + beyond, terms)
    taken = so_far = 0
    found = []
    for number, pot in enumerate(pots, 1):
        so_far += pot.amount
        if number == len(pots):
            upto = whole
        elif terms.allocation == "proportional":
            upto = whole * so_far // total // terms.unit * terms.unit
        else:
            upto = rake_on(so_far, terms)
        rake = min(max(upto - taken, 0), pot.amount)
        found.append(rake)
        taken += rake
    return found


def _pot_by_pot(pots: Sequence[Layer], terms: RakeTerms) -> list[int]:
    left = terms.cap
    found = []
    for pot in pots:
        rake = rake_on(pot.amount, terms)
        if left is not None:
            rake = min(rake, left)
            left -= rake
        found.append(rake)
    return found


def rake_on(base: int, terms: RakeTerms) -> int:
    """The rake on one amount: rate, cap, rounding."""
    # Ten-thousandths of a minor unit, so that the rate is exact until it is rounded.
    exact = terms.rate_bp * base
    if terms.cap is not None:
        exact = min(exact, terms.cap * 10_000)
    if terms.rounding == "nearest":
        step = terms.unit * 10_000
        near = (2 * exact + step) // (2 * step) * terms.unit
        return near if terms.cap is None or near <= terms.cap else near - terms.unit
    step = MAJOR if terms.rounding == "floor_1_czk" else terms.unit
    return exact // (step * 10_000) * step


def share(amount: int, winners: Sequence[int], unit: int) -> dict[int, int]:
    """A pot among equal hands; `winners` in the order in which odd chips go (first left of the button first).

    What is smaller than a chip goes to the next in that order (NL-31).
    """
    if len(winners) == 1:
        return {winners[0]: amount}
    each = amount // (len(winners) * unit) * unit
    shares = dict.fromkeys(winners, each)
    left = amount - each * len(winners)
    for winner in winners:
        if not left:
            break
        odd = min(unit, left)
        shares[winner] += odd
        left -= odd
    return shares
