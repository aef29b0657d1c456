"""The money of single stakes on its way to settlement lines. Which rule asks for what, only the room knows.

A spot may hold several stakes of one box (chips added in time). What a rule says of the spot falls on its stakes:
too much goes back from the chips placed last; what no number divides is the first stake's.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import UNSET, Struct

from games.shared.bank.table import Stake
from games.shared.lines import refund
from games.verdict import Line


class Part(Struct, gc=False, kw_only=True):
    """One stake being settled, minor units: amount = taken + returned + held once it is.

    `live`: what of it is at risk. `rule`: that fixed its outcome last; `reasons`: codes of what is not simply won or
    lost. `open`: nothing has settled it yet.
    """

    stake: Stake
    amount: int
    live: int
    taken: int = 0
    returned: int = 0
    paid: int = 0
    held: int = 0
    rule: str = ""
    reasons: list[str] = []
    open: bool = True

    def because(self, rule: str, code: str = "") -> None:
        """Notes which rule decides, and the code of a finding that it left."""
        self.rule = rule
        if code and code not in self.reasons:
            self.reasons.append(code)


def part_of(stake: Stake, amount: int | None = None) -> Part:
    """A stake as it lies, or as it lay (`amount`, where chips taken up too late still count)."""
    own = stake.left if amount is None else amount
    return Part(stake=stake, amount=own, live=own, reasons=[])


def refund_of(part: Part) -> dict[str, Any]:
    """What a mark says of a stake that goes back whole, in the currency that it lies in."""
    return refund(part.amount, part.stake.currency)


def total(parts: Iterable[Part]) -> int:
    """What is at risk on a spot."""
    return sum(part.live for part in parts)


def keep_up_to(parts: Sequence[Part], most: int, rule: str, code: str) -> int:
    """Gives back what lies beyond `most`, the chips placed last first; returns how much that is."""
    excess = rest = max(total(parts) - most, 0)
    for part in reversed(parts):
        cut = min(part.live, rest)
        if cut:
            part.live -= cut
            rest -= cut
            part.because(rule, code)
    return excess


def give_back(parts: Iterable[Part], rule: str, code: str = "") -> None:
    """The whole stake goes back and nothing is paid: void."""
    for part in parts:
        part.live = part.taken = part.paid = part.held = 0
        part.returned = part.amount
        part.open = False
        part.because(rule, code)


def lose(parts: Iterable[Part], rule: str, code: str = "") -> None:
    """What is at risk goes to the house."""
    for part in parts:
        part.taken, part.returned, part.paid, part.held = part.live, part.amount - part.live, 0, 0
        part.open = False
        part.because(rule, code)


def push(parts: Iterable[Part], rule: str, code: str = "") -> None:
    """Neither won nor lost: it goes back, as what was live."""
    for part in parts:
        part.taken, part.returned, part.paid, part.held = 0, part.amount, 0, 0
        part.open = False
        part.because(rule, code)


def win(parts: Sequence[Part], winnings: int, rule: str, code: str = "") -> None:
    """The stakes stay the player's and `winnings` come on top, shared by what is at risk."""
    push(parts, rule, code)
    for part, share in zip(parts, spread(winnings, [part.live for part in parts]), strict=True):
        part.paid = share


def hold(parts: Iterable[Part], rule: str, code: str = "") -> None:
    """It waits for a ruling."""
    for part in parts:
        part.taken = part.returned = part.paid = 0
        part.held = part.amount
        part.open = False
        part.because(rule, code)


def spread(amount: int, weights: Sequence[int]) -> list[int]:
    """An amount shared by weights in whole minor units; what is left over is the first's that weighs anything."""
    whole = sum(weights)
    if whole == 0:
        return [amount if place == 0 else 0 for place in range(len(weights))]
    shares = [amount * weight // whole for weight in weights]
    first = next(place for place, weight in enumerate(weights) if weight)
    shares[first] += amount - sum(shares)
    return shares


def line_of(part: Part, what: str = "") -> Line:
    """The settlement line; a stake that nothing settled is held."""
    stake = part.stake
    if part.open:
        hold((part,), part.rule)
    told = f"{stake.currency} {what or f'{stake.spot} box {stake.box}'}".lstrip()
    return Line(
        stake=stake.id, player=stake.player, staked=part.amount, taken=part.taken, returned=part.returned,
        paid=part.paid, held=part.held, what=told, rule=part.rule,
        reasons=tuple(part.reasons), currency=stake.currency or UNSET,
    )  # fmt: skip
