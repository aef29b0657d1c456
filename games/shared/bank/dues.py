"""What is still to be paid, taken and given back on a round's stakes, less what the record shows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from events.schema.fact import Fact
from games.protocol import Due, DueKind
from games.shared.booked import booked
from games.verdict import Line


def dues(lines: Iterable[Line], settles: Iterable[Fact], lying: Mapping[str, int] | None = None) -> tuple[Due, ...]:
    """Losses first, then wins, then what goes back and does not stand for the next round, stake by stake.

    `lying`: stake → chips that lie in its box, where that is less than was staked: what was taken up, even too late,
    is not given back.
    """
    record = booked(settles)
    found: list[Due] = []
    todo: tuple[tuple[DueKind, str, str, int], ...]
    for one in lines:
        own = record.get(one.stake)
        taken, paid, returned = (own.taken, own.paid, own.returned) if own is not None else (0, 0, 0)
        box, player = f"box/{one.stake}", f"player/{one.player}"
        back = one.returned - one.stands
        if lying is not None:
            back = min(back, lying.get(one.stake, back))
        todo = (
            ("take", box, "float", one.taken - taken),
            ("win", "float", player, one.paid - paid),
            ("return", box, player, back - returned),
        )
        found += [
            Due(what=what, frm=frm, to=to, amount=amount, stake=one.stake)
            for what, frm, to, amount in todo
            if amount > 0
        ]
    return tuple(found)
