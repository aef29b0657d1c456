"""What was really settled, read from the movements of chips: one function for all rooms.

A bank's stakes are keyed by the stake that the movement names, a pot game's by the seat at the other end.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from events.schema.event import Move
from events.schema.fact import Fact
from events.values.places import FLOAT, POT, RAKE
from games.verdict import Line, Settlement

_SETTLES = frozenset({"win", "take", "return", "award", "rake"})
_STAKES = ("player/", "seat/", "box/")
_SETS_RIGHT = frozenset({"correction", "ruling"})


class _Tally(Struct, gc=False):
    player: str = ""
    staked: int = 0
    taken: int = 0
    returned: int = 0
    paid: int = 0
    is_settled: bool = False


def moves_of(facts: Iterable[Fact]) -> list[Move]:
    """Every movement of chips on record, in order."""
    return [move for fact in facts if fact.event.MOVES for move in fact.event.moves()]


def recorded(facts: Iterable[Fact], *, open_round: bool = False) -> Settlement | None:
    """`recorded_moves` of a round's facts."""
    return recorded_moves(moves_of(facts), open_round=open_round)


def recorded_moves(moves: Iterable[tuple[str, str, Any, str, str]], *, open_round: bool = False) -> Settlement | None:
    """The settlement on record, one line a stake; None if nothing was paid, taken, returned or awarded.

    What a bank did not take of a stake stays the player's, as `returned`; a pot game's stake went into the pots but
    for what was returned. While the round is open, that holds for a stake once it was taken, paid or returned (a pot
    game's: once its seat was awarded something); one that still waits has no line.
    """
    tallies: dict[str, _Tally] = {}
    rake = 0
    settled = False
    for frm, to, amount, cause, stake in moves:
        if cause in _SETTLES:
            settled = True
        elif cause != "stake":
            if cause in _SETS_RIGHT and stake:
                _set_right(tallies, frm, to, amount)
            continue
        if cause == "rake" or to == RAKE:
            rake += amount if to == RAKE else -amount
            continue
        key = to if frm == POT else frm if to == POT else stake
        tally = tallies.get(key)
        if tally is None:
            if not key:
                continue
            tally = tallies[key] = _Tally()
        if to == POT and cause == "stake" and key.startswith("seat/"):
            tally.player = key
            tally.staked += amount
        else:
            _count(tally, key, frm, to, cause, amount)
    if not settled:
        return None
    lines = [_line(key, tally) for key, tally in tallies.items() if tally.is_settled or not open_round]
    return Settlement(lines=tuple(lines), rake=rake)


def _set_right(tallies: dict[str, _Tally], frm: str, to: str, amount: int) -> None:
    """An award that went to the wrong seat is moved to the right one, by the dealer or by a ruling."""
    if frm in tallies and to in tallies and frm.startswith("seat/") and to.startswith("seat/"):
        tallies[frm].paid -= amount
        tallies[to].paid += amount


def _count(tally: _Tally, key: str, frm: str, to: str, cause: str, amount: int) -> None:
    for end in (frm, to):
        if end.startswith("seat/"):
            tally.player = end
        elif end.startswith("player/"):
            tally.player = end[7:]
    if cause == "stake":
        taken_up = frm == POT or (frm.startswith("box/") and to != f"box/{key}")
        tally.staked += -amount if taken_up else amount
        return
    # What nobody called is given back before a pot is awarded: the seat waits on.
    tally.is_settled = tally.is_settled or cause != "return" or not key.startswith("seat/")
    if cause == "take":
        tally.taken += amount
    elif cause == "return":
        tally.returned += amount
    else:  # a win from the bank, an award from a pot; the other way round it is given back
        tally.paid += amount if to.startswith(_STAKES) else -amount


def _line(key: str, tally: _Tally) -> Line:
    pot = key.startswith("seat/") or key == FLOAT  # the house, too, may put chips into a pot
    taken = tally.staked - tally.returned if pot else tally.taken
    returned = tally.returned if pot else tally.staked - taken
    return Line(key, tally.player, tally.staked, taken, returned, tally.paid)


def differences(due: Settlement, on_record: Settlement, *, open_round: bool) -> dict[str, int]:
    """Stake → due net − recorded net, minor units, where they differ. Positive: the house, or the pot, owes.

    What the house leaves with the player (`waived`) is none. A stake that waits for a ruling (`held`) is not compared;
    while the round is open, only what has a line on record.
    """
    by_stake = {line.stake: line for line in on_record.lines}
    found: dict[str, int] = {}
    for line in due.lines:
        was = by_stake.pop(line.stake, None)
        if line.held or (was is None and open_round):
            continue
        apart = line.paid - line.taken + line.waived - (was.paid - was.taken if was is not None else 0)
        if apart:
            found[line.stake] = apart
    for stake, was in by_stake.items():  # paid or taken where the rules know no stake
        if was.net:
            found[stake] = -was.net
    return found


def conserved(settlement: Settlement) -> bool:
    """Whether every line adds up, and what pots take in equals what they pay and what is raked."""
    taken = paid = 0
    for line in settlement.lines:
        if (
            line.staked != line.taken + line.returned + line.held
            or line.staked < 0
            or line.taken < 0
            or line.returned < 0
        ):
            return False
        taken += line.taken
        paid += line.paid
    return not settlement.pots or taken == paid + settlement.rake
