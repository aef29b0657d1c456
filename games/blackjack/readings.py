"""Where a house reads an ambiguity otherwise than the catalogue, and the catalogue's reading moves other money."""

from __future__ import annotations

from msgspec.structs import replace

from games.blackjack.parameters import PARAMETERS
from games.blackjack.payouts import analyse
from games.blackjack.table import Session
from games.house_rules.edition import Edition
from games.protocol import Round
from games.shared.bank.advisory import other_readings
from games.shared.marks import Mark
from games.verdict import Settlement

_READ_BY = {
    "BJ-A01": "BJ-20", "BJ-A02": "BJ-20", "BJ-A03": "BJ-40", "BJ-A04": "BJ-31", "BJ-A05": "BJ-43", "BJ-A07": "BJ-38",
    "BJ-A08": "BJ-38", "BJ-A09": "BJ-47", "BJ-A10": "BJ-46", "BJ-A11": "BJ-33", "BJ-A12": "BJ-44", "BJ-A13": "BJ-31",
    "BJ-A14": "BJ-30", "BJ-A15": "BJ-34", "BJ-A16": "BJ-34", "BJ-A18": "BJ-35", "BJ-A25": "BJ-15", "BJ-A28": "BJ-25",
    "BJ-A29": "BJ-25", "BJ-A33": "BJ-18", "BJ-A39": "BJ-48", "BJ-A48": "BJ-21", "BJ-A49": "BJ-04", "BJ-A50": "BJ-25",
}  # fmt: skip
"""Ambiguity → the rule under which the other reading is told."""

RULE_OF = {
    parameter.name: _READ_BY[parameter.ambiguity]
    for parameter in PARAMETERS
    if parameter.ambiguity in _READ_BY and len(parameter.choices) != 1
}


def readings(round_: Round[Session]) -> tuple[Mark, ...]:
    """A mark for each parameter set otherwise than the catalogue has it, where that changes what is due."""
    memo = round_.memo
    if "readings" not in memo:

        def due_by(edition: Edition) -> Settlement:
            return analyse(replace(round_.session, edition=edition), touched=round_.touched).settlement

        memo["readings"] = tuple(other_readings(round_.edition, PARAMETERS, RULE_OF, round_.due, due_by))
    found: tuple[Mark, ...] = memo["readings"]
    return found
