"""A bank's recorded settlement against what is due, stake by stake, and the rule that a difference breaks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from msgspec import Struct

from events.schema.common import ChipsMoved
from events.schema.fact import Fact
from events.values.money import amount_text
from games.house_rules.rulebook import Rule
from games.protocol import Round
from games.shared.marks import known
from games.verdict import Finding, Line

Exact = Callable[[Line, Line | None], tuple[str, str]]
"""From a line due and the one on record (None: nothing booked) to the rule that is broken and the finding's code."""


class Wrong(Struct, frozen=True, gc=False):
    """A stake settled otherwise than due. `money`: due net less recorded net, minor units; `rule` fixes what is due.

    `absent`: it differs only by chips that no record moves.
    """

    rule: str
    code: str
    stake: str
    player: str
    money: int
    absent: bool = False
    text: str = ""


def wrongly_settled(round_: Round[Any], exact: Exact, unknown_stake: str, *, is_closed: bool) -> tuple[Wrong, ...]:
    """Every stake of the round that was settled otherwise than due; worked out once for all checks that ask.

    `unknown_stake`: the rule under which chips are reported that moved where the rules know no stake. What an open
    round has not booked yet is not compared.
    """
    memo = round_.memo
    if "wrongly_settled" not in memo:
        memo["wrongly_settled"] = tuple(_compared(round_, exact, unknown_stake, is_closed=is_closed))
    wrong: tuple[Wrong, ...] = memo["wrongly_settled"]
    return wrong


def _compared(round_: Round[Any], exact: Exact, unknown_stake: str, *, is_closed: bool) -> Iterator[Wrong]:
    record = round_.recorded
    if record is None or not round_.due.known:
        return
    was_by_stake = {line.stake: line for line in record.lines}
    for line in round_.due.lines:
        was = was_by_stake.pop(line.stake, None)
        if line.held or (was is None and not is_closed):
            continue
        money = line.net + line.waived - (was.net if was is not None else 0)
        if money:
            rule, code = exact(line, was)
            absent = was is None or (was.taken <= line.taken and was.paid <= line.paid)
            yield Wrong(rule, code, line.stake, line.player, money, absent, _told(line, was))
    for stake, was in was_by_stake.items():  # paid or taken where the rules know no stake
        if was.net:
            text = "paid where he has no stake" if " to " in stake else ""
            yield Wrong(unknown_stake, "wrong_payout", stake, was.player, -was.net, text=text)


def _told(line: Line, was: Line | None) -> str:
    """`due +340, booked +360`, in whole units."""
    return f"{line.what}: due {_signed(line.net)}, booked {_signed(was.net if was is not None else 0)}"


def _signed(amount: int) -> str:
    return f"{'+' if amount > 0 else ''}{amount_text(amount)}"


def mispaid(
    round_: Round[Any], rule: Rule, wrong: Wrong, *, via: str, settles: Sequence[Fact], closed: Fact | None
) -> Finding:
    """The finding on a wrong settlement; `via` is the general rule of settlement, `settles` what moved the chips.

    In a round with a hole, chips that are not seen to move may have moved there: no difference is proved.
    """
    if round_.touched and wrong.absent:
        return rule.unverified(wrong.code, "bet", subject=wrong.stake, player=wrong.player, facts=known(closed))
    stake, _to, other = wrong.stake.partition(" to ")
    facts = tuple([
        fact for fact in settles
        if isinstance(fact.event, ChipsMoved) and fact.event.stake == stake
        and (not other or f"player/{other}" in (fact.event.frm, fact.event.to))
    ])  # fmt: skip
    unit = next((line.currency for line in round_.due.lines if line.stake == stake and line.currency), "")
    return rule.finding(
        wrong.code, "mispaid", "bet", subject=wrong.stake, player=wrong.player, money=wrong.money,
        facts=facts or known(closed), rule=wrong.rule, via="" if wrong.rule == via else via,
        remedy={"correction": wrong.money, **({"currency": unit} if unit else {})}, text=wrong.text,
    )  # fmt: skip
