"""Lines of a bank's settlement made into others: held, given back, two of one stake in one."""

from __future__ import annotations

from typing import Any

from msgspec import UnsetType
from msgspec.structs import replace

from events.values.money import amount_text
from games.shared.marks import Mark
from games.verdict import Line


def held(line: Line) -> Line:
    """The whole stake waits for a person."""
    return replace(line, taken=0, returned=0, paid=0, stands=0, held=line.staked)


def refunded(line: Line, rule: str) -> Line:
    """The whole stake goes back, by `rule`."""
    return replace(line, taken=0, returned=line.staked, held=0, paid=0, stands=0, rule=rule)


def refund(amount: int, currency: str | UnsetType) -> dict[str, Any]:
    """What goes back, minor units, in its own currency where that is not the table's."""
    return {"refund": amount, **({"currency": currency} if currency else {})}


def merged(lines: tuple[Line, ...]) -> tuple[Line, ...]:
    """One line a stake, player and currency: a terminal may have given one id to two stakes."""
    if len({(line.stake, line.player) for line in lines}) == len(lines):
        return lines
    found: dict[tuple[str, str, str | UnsetType], Line] = {}
    for line in lines:
        key = line.stake, line.player, line.currency
        before = found.get(key)
        found[key] = line if before is None else _plus(before, line)
    return tuple(found.values())


def inexpressible(line: Line, small: int, rule: str) -> Mark:
    """A win that the smallest chip, minor units, cannot express."""
    return Mark(
        rule=rule, code="inexpressible_amount", kind="breach", scope="bet", subject=line.stake, player=line.player,
        text=f"{amount_text(line.paid)} cannot be paid in chips of {amount_text(small)}",
    )  # fmt: skip


def _plus(one: Line, other: Line) -> Line:
    return replace(
        one,
        staked=one.staked + other.staked,
        taken=one.taken + other.taken,
        returned=one.returned + other.returned,
        paid=one.paid + other.paid,
        held=one.held + other.held,
        stands=one.stands + other.stands,
        waived=one.waived + other.waived,
        what=", ".join(dict.fromkeys((one.what, other.what))),
        reasons=tuple(dict.fromkeys((*one.reasons, *other.reasons))),
    )
