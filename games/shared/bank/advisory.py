"""Where the house reads its book otherwise than the catalogue's default: both readings, where their money differs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from msgspec.structs import replace

from events.values.money import amount_text
from games.house_rules.edition import Edition
from games.house_rules.parameters import Parameters
from games.shared.marks import Mark
from games.verdict import Line, Settlement


def other_readings(
    edition: Edition,
    parameters: Parameters,
    rule_of: dict[str, str],
    due: Settlement,
    due_by: Callable[[Edition], Settlement],
) -> Iterator[Mark]:
    """An advisory mark for each parameter that the edition sets otherwise than the default, where that moves money.

    `rule_of`: parameter → the rule under which it is told; one that is not named there is left out. `due_by`: what is
    due by another edition. The remedy gives both nets by player, minor units. Costs nothing by default parameters.
    """
    for name, rule in rule_of.items():
        default = parameters[name].default
        if edition.parameters[name] == default:
            continue
        by_default = due_by(replace(edition, parameters={**edition.parameters, name: default}))
        if _outcome(by_default.lines) == _outcome(due.lines):
            continue
        here, there = due.nets(), by_default.nets()
        told = ", ".join(f"{player} {_signed(there.get(player, 0))}" for player in here)
        yield Mark(
            rule=rule, code="other_reading", kind="advisory", scope="round",
            text=f"by {name} = {_plain(default)}: {told}",
            remedy={"parameter": name, "default": default, "due": here, "due_by_default": there},
        )  # fmt: skip


def _outcome(lines: Iterable[Line]) -> list[tuple[str, int, int, int]]:
    return sorted((line.stake, line.taken, line.paid, line.held) for line in lines)


def _signed(amount: int) -> str:
    return f"{'+' if amount > 0 else ''}{amount_text(amount)}"


def _plain(value: Any) -> str:
    return "null" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
