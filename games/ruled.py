"""What a ruling does to a round in any room: which of the outcomes counts, and what it has answered.

The room's own fold voids rounds and bets (`games.shared.rulings`); here is what all rooms have in common.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from events.schema.ours import Ruling
from games.protocol import Game, Round
from games.shared.matrix import Row, rows_for
from games.shared.rulings import MANAGEMENT, ON_BETS, VOIDS, in_force, voids
from games.verdict import Finding, Settlement

CHOSEN = "chosen"
"""In `Round.memo`: the settlement is the outcome that a ruling named."""
AS_DUE = "correct"
_ANSWERS = VOIDS | {"valid", "return", "forfeit"}


def rulings_in_force(subject: str, round_: Round[object], game: Game[object]) -> list[Ruling]:
    """The rulings on a round that are good in form: management's, with a standard of proof, on a ground of the book or
    management's own."""
    return [
        event
        for _fact, event in in_force(round_.rulings, subject, round_.name)
        if event.role == MANAGEMENT
        and event.standard is not None
        and (event.basis == MANAGEMENT or rows_for(game.matrix, event.ground))
    ]


def as_chosen(due: Settlement, rulings: Sequence[Ruling]) -> Settlement:
    """The settlement under the candidate that a ruling names as its remedy; unchanged if none does."""
    for ruling in reversed(rulings):
        if ruling.remedy in due.candidates:
            return replace(due, lines=due.candidates[ruling.remedy], candidates={}, known=True)
    return due


def answered(
    found: list[Finding], rulings: Sequence[Ruling], matrix: tuple[Row, ...], due: Settlement, *, is_chosen: bool
) -> None:
    """What waited for a person who has ruled on it is only told, in place.

    A sanction on a person answers nothing, and who lets a round stand has not said what becomes of a stake that still
    waits. `is_chosen`: `due` is the outcome that a ruling named.
    """
    waits = any(line.held for line in due.lines)
    for ruling in rulings:
        codes = {code for row in rows_for(matrix, ruling.ground) for code in row.grounds} | {ruling.ground}
        if ruling.remedy == AS_DUE:  # whatever the ground is called: what was due is paid
            codes |= {code for row in matrix if "resettle" in row.effects for code in row.grounds}
        elif (ruling.remedy == "valid" and waits) or (ruling.remedy not in _ANSWERS and not is_chosen):
            continue
        for at, one in enumerate(found):
            if (
                one.kind == "ruling_required"
                and one.basis == "facts"
                and one.code in codes
                and _reaches(ruling, one, due)
            ):
                found[at] = replace(one, kind="advisory", basis=ruling.ruling)


def _reaches(ruling: Ruling, found: Finding, due: Settlement) -> bool:
    """Whether a ruling on bets or players is about what was found of a bet; what concerns the round it answers."""
    if not voids(ruling) or ruling.scope not in ON_BETS or found.scope != "bet":
        return True
    owners = {line.player for line in due.lines if line.stake in ruling.bets}
    return found.subject in ruling.bets or found.player in owners | set(ruling.players)
