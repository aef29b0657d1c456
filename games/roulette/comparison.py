"""The recorded settlement against what is due, bet by bet, and the rule that a difference breaks (RL-42 step 7)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from events.values.money import amount_text
from games.protocol import Round
from games.roulette.payouts import CALL_RULE, ODDS_RULE
from games.roulette.table import Session
from games.verdict import Line

EXACT = frozenset({*ODDS_RULE.values(), *CALL_RULE.values(), "RL-32", "RL-33"})
"""Rules whose own checks report the wrong settlements of their bets, by way of RL-22."""


class Wrong(Struct, frozen=True, gc=False):
    """A bet settled otherwise than due. `money`: due net less recorded net, minor units; `rule` fixes what is due.

    `absent`: it differs only by chips that no record moves.
    """

    rule: str
    code: str
    stake: str
    player: str
    money: int
    absent: bool = False
    text: str = ""


_latest: tuple[Round[Session], tuple[Wrong, ...]] | None = None


def wrongly_settled(round_: Round[Session]) -> tuple[Wrong, ...]:
    """Every bet of the round that was settled otherwise than due; worked out once for all checks that ask."""
    global _latest
    kept = _latest
    if kept is not None and kept[0] is round_:
        return kept[1]
    found = tuple(_compared(round_))
    _latest = (round_, found)
    return found


def _compared(round_: Round[Session]) -> Iterator[Wrong]:
    record, spin = round_.recorded, round_.session.spin
    if record is None or spin is None or not round_.due.known:
        return
    was_by_stake = {line.stake: line for line in record.lines}
    for line in round_.due.lines:
        was = was_by_stake.pop(line.stake, None)
        if line.held or (was is None and spin.closed is None):
            continue
        money = line.net + line.waived - (was.net if was is not None else 0)
        if money:
            rule, code = _exact(line, was)
            absent = was is None or (was.taken <= line.taken and was.paid <= line.paid)
            yield Wrong(rule, code, line.stake, line.player, money, absent, _told(line, was))
    for stake, was in was_by_stake.items():  # paid or taken where the rules know no bet
        if was.net:
            yield Wrong("RL-22", "wrong_payout", stake, was.player, -was.net)


def _told(line: Line, was: Line | None) -> str:
    """`due +340, booked +360`, in whole units."""
    return f"{line.what}: due {_signed(line.net)}, booked {_signed(was.net if was is not None else 0)}"


def _signed(amount: int) -> str:
    return f"{'+' if amount > 0 else ''}{amount_text(amount)}"


def _exact(line: Line, was: Line | None) -> tuple[str, str]:
    """Rule and code: a stake taken that was not due to the house is `wrong_take`, any other difference the other.

    A winning stake taken off although it was paid breaks RL-33; a bet that is void goes by the rule that voids it; zero
    has a rule of its own; the amount of a win goes by the odds.
    """
    taken, paid = (was.taken, was.paid) if was is not None else (0, 0)
    if taken > line.taken:
        if line.rule not in EXACT:
            return line.rule, "wrong_take"
        return ("RL-33" if line.paid and line.paid == paid else "RL-22"), "wrong_take"
    if paid != line.paid:
        return line.rule, "wrong_payout"
    return (line.rule if line.rule == "RL-32" else "RL-22"), "wrong_payout"
