"""What an action counts as: words and chips read by the rules ("Action algorithm" of cash-holdem.md, NL-22 … NL-26).

Amounts are minor units; T, the player's total in the round after his chips, C, the bet to match, and M, the smallest
full raise, are as the catalogue calls them. The codes of a reading are the rules' reasons; a room maps them to rules.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

OneChipRaise = Literal["to_chip_value", "chip_plus_committed", "call_plus_chip"]
BareAmount = Literal["chips", "total"]
"""What a number without a verb is: that much pushed in several chips, or that total."""


class Spot(Struct, frozen=True, gc=False, kw_only=True):
    """Where a player stands when he acts. `barred`: why he may not bet or raise, empty if he may (`not_reopened`,
    `exposed`, …). `most`: the largest total that limits or structure allow, None: his stack."""

    to_match: int
    front: int
    stack: int
    low: int
    minimum: int
    barred: str = ""
    most: int | None = None


class Said(Struct, frozen=True, gc=False, kw_only=True):
    """A word at his turn. `first`: before his chips touched the table. `binding` false: in another language."""

    word: str
    amount: int | None = None
    by: bool = False
    first: bool = True
    binding: bool = True


class Reading(Struct, frozen=True, gc=False, kw_only=True):
    """What the action is. `action` empty: none (a check facing a bet), it is still his turn.

    `total` in front of him then; `add` what he still has to put in beyond the chips pushed, `returned` what goes back.
    `code` says why it is not what was said or pushed; empty if it is.
    """

    action: Literal["", "fold", "check", "call", "bet", "raise"]
    total: int
    add: int
    returned: int
    code: str = ""


def read_action(
    spot: Spot,
    said: Said | None,
    chips: tuple[int, ...],
    *,
    one_chip: OneChipRaise = "to_chip_value",
    bare_amount: BareAmount = "chips",
) -> Reading:
    """The action that the rules make of a word, a push of chips, or both. Fixed sizes come as `low` and `most`."""
    pushed = sum(chips)
    word, code = "", ""
    if said is not None:
        if not said.binding:
            code = "other_language"
        elif said.word in ("raise", "bet", "complete") and said.amount is None and len(chips) == 1 and not said.first:
            code = "word_late"
        else:
            word = said.word
    if word == "fold":
        return _reading(spot, "fold", spot.front + pushed, pushed)
    if word == "check":
        if spot.to_match > spot.front:
            return _reading(spot, "", spot.front, pushed, "check_facing_bet")
        return _reading(spot, "check", spot.front, pushed)
    if word == "amount" and bare_amount == "total" and said is not None and said.amount is not None:
        said = Said(word="amount", amount=max(said.amount - spot.front, 0))
    total, why = _meant(spot, said if word else None, chips, one_chip)
    allowed, reason = _allowed(spot, total)
    return _reading(spot, _name(spot, allowed), allowed, pushed, reason or why or code)


def _meant(spot: Spot, said: Said | None, chips: tuple[int, ...], one_chip: OneChipRaise) -> tuple[int, str]:
    """The total that words and chips mean, and why it is another than they say."""
    whole, pushed = spot.front + spot.stack, sum(chips)
    if said is not None and said.word == "call":
        return min(max(spot.to_match, spot.front), whole), ""
    if said is not None and said.word == "all_in":
        return whole, ""
    if said is not None and said.amount is not None and said.word != "amount":
        total = said.amount + spot.to_match if said.by else said.amount
        return _at_least(spot, total, "below_minimum")
    if said is not None and said.word in ("raise", "bet", "complete"):
        if len(chips) == 1:
            return _at_least(spot, _one_chip_total(spot, chips[0], one_chip), "below_minimum")
        return _at_least(spot, spot.front + pushed, "below_minimum" if chips else "")
    if said is not None and said.word == "amount" and said.amount is not None:
        return _silent(spot, said.amount, said.amount == spot.stack)
    if len(chips) == 1:
        return _silent_chip(spot, chips[0])
    return _silent(spot, pushed, pushed == spot.stack)


def _one_chip_total(spot: Spot, chip: int, reading: OneChipRaise) -> int:
    if reading == "chip_plus_committed":
        return spot.front + chip
    if reading == "call_plus_chip":
        return spot.to_match + chip
    return chip


def _at_least(spot: Spot, total: int, code: str) -> tuple[int, str]:
    whole = spot.front + spot.stack
    if total >= spot.low or total >= whole:
        return min(total, whole), ""
    return min(spot.low, whole), code


def _silent_chip(spot: Spot, chip: int) -> tuple[int, str]:
    """One chip without a word: a call, before any bet a bet of its value (NL-26)."""
    if spot.to_match == 0:
        return _at_least(spot, chip, "under_bet")
    if spot.front + chip < spot.to_match and chip < spot.stack:
        return min(spot.to_match, spot.front + spot.stack), "short_call"
    return min(spot.to_match, spot.front + chip), ""


def _silent(spot: Spot, pushed: int, all_in: bool) -> tuple[int, str]:
    """Several chips without a word: all-in first, then the rule of half the minimum raise (NL-23)."""
    total = spot.front + pushed
    if all_in or total >= spot.low:
        return total, ""
    if spot.to_match == 0:
        return min(spot.low, spot.front + spot.stack), "under_bet"
    if total < spot.to_match:
        return min(spot.to_match, spot.front + spot.stack), "short_call"
    if total == spot.to_match:
        return total, ""
    if 2 * total >= spot.to_match + spot.low:
        return min(spot.low, spot.front + spot.stack), "half_raise"
    return spot.to_match, "below_half"


def _allowed(spot: Spot, total: int) -> tuple[int, str]:
    """A bet becomes a check, a raise a call where he may do neither; what is above the maximum goes back."""
    if total <= spot.to_match:
        return total, ""
    if spot.barred:
        return min(max(spot.to_match, spot.front), spot.front + spot.stack), spot.barred
    if spot.most is not None and total > spot.most:
        return spot.most, "above_maximum"
    return total, ""


def _name(spot: Spot, total: int) -> Literal["check", "call", "bet", "raise"]:
    if total <= spot.front:
        return "check"
    if total <= spot.to_match:
        return "call"
    return "bet" if spot.to_match == 0 else "raise"


def _reading(
    spot: Spot, action: Literal["", "fold", "check", "call", "bet", "raise"], total: int, pushed: int, code: str = ""
) -> Reading:
    lies = spot.front + pushed
    return Reading(action=action, total=total, add=max(total - lies, 0), returned=max(lies - total, 0), code=code)
