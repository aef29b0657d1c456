"""What a ruling does to money: each player's amount, the house's win and rake, before and after.

One implementation: a void is what the room's own settlement makes of the rounds under that ruling, against what was
really paid. Nothing is computed here that a room computes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from events.errors import Refused
from events.schema.ours import Ruling
from games.casebook import Casebook
from games.verdict import Settlement, Verdict
from replay.disputes.verdicts import verdicts

VOIDS = frozenset({"void", "refund"})
AS_DUE = "correct"
UPHOLD = "valid"
STATED = frozenset({"return", "forfeit"})
PENALTY = "penalty"
REMEDIES: dict[str, str] = {
    "valid": "the table's result stands",
    "correct": "what was due is paid, what was paid too much comes back",
    "void": "stakes go back, no win is due",
    "return": "chips are returned, as stated for each player",
    "forfeit": "chips are kept by the house, as stated for each player",
    "penalty": "a sanction on a person; no money",
}
"""What a ruling may say, in words. `refund` is an older word for `void`."""


class Side(Struct, frozen=True):
    """Money of some rounds, minor units. `win`: what the house keeps of the stakes (bank games), `rake`: of pots."""

    win: int = 0
    rake: int = 0


class Effects(Struct, frozen=True):
    """What a ruling comes to. `amounts`: player → what he gets, negative: what he owes. `before`: as the table paid;
    `after`: with the ruling carried out."""

    amounts: dict[str, int]
    before: Side
    after: Side
    currency: str


def effects(
    book: Casebook, ruling: Ruling, by_facts: Mapping[str, Verdict], stated: Mapping[str, int] | None = None
) -> Effects:
    """The effects of a ruling on its rounds. `stated`: player → minor units, where the remedy is a stated amount.

    Raises:
        Refused: a remedy that nobody knows, amounts where none are stated or none where they must be, rounds of
            several currencies, or money that the facts do not tell.
    """
    if ruling.remedy not in REMEDIES and ruling.remedy not in VOIDS:
        raise Refused(f"`{ruling.remedy}` is no remedy", hint=", ".join(REMEDIES))
    currency = _currency(by_facts.values())
    before = _side(by_facts.values())
    if ruling.remedy in STATED:
        given = _stated(ruling, stated or {})
        return Effects(given, before, Side(before.win - sum(given.values()), before.rake), currency)
    if stated:
        raise Refused(f"remedy `{ruling.remedy}` takes no stated amounts", hint="return or forfeit do")
    if ruling.remedy in (UPHOLD, PENALTY):
        return Effects({}, before, before, currency)
    under = by_facts if ruling.remedy == AS_DUE else verdicts(book, by_facts, ruling=ruling)
    for address, verdict in under.items():
        for one in verdict.findings:
            if one.code == "ruling_invalid" and one.subject == ruling.ruling:
                raise Refused(f"the ruling would have no effect on {address} ({one.rule}): {one.text}")
        is_whole = ruling.remedy in VOIDS and ruling.scope not in ("bet", "player", "hand")
        if is_whole and any(line.net or line.held for line in verdict.due.lines):
            raise Refused(
                f"the rules of this game do not void {address} on `{ruling.ground}`",
                hint="--remedy return states what each player gets",
            )
        if verdict.recorded is not None and any(line.held for line in verdict.due.lines):
            raise Refused(f"what is due in {address} waits for a person's word; no amount follows from the rules")
        if not verdict.due.known:
            raise Refused(f"the facts do not tell what is due in {address}", hint="state amounts: --remedy return")
    amounts: dict[str, int] = {}
    for verdict in under.values():
        for player, amount in _owed(verdict).items():
            if ruling.remedy != AS_DUE or not ruling.players or player in ruling.players:
                amounts[player] = amounts.get(player, 0) + amount
    amounts = {player: amount for player, amount in sorted(amounts.items()) if amount}
    return Effects(amounts, before, _side(under.values(), due=True), currency)


def _owed(verdict: Verdict) -> dict[str, int]:
    """Player → due net less recorded net. A round that was never settled owes each stake's return."""
    if verdict.recorded is not None:
        return dict(verdict.player_differences)
    owed: dict[str, int] = {}
    for line in verdict.due.lines:
        owed[line.player] = owed.get(line.player, 0) + line.returned + line.paid
    return owed


def _stated(ruling: Ruling, stated: Mapping[str, int]) -> dict[str, int]:
    if not stated:
        raise Refused(f"remedy `{ruling.remedy}` needs an amount for each player", hint="--amount p-204=500")
    if any(amount <= 0 for amount in stated.values()):
        raise Refused("an amount is more than nothing", hint="`return` gives it to the player, `forfeit` takes it")
    sign = 1 if ruling.remedy == "return" else -1
    return {player: sign * amount for player, amount in sorted(stated.items())}


def _currency(found: Iterable[Verdict]) -> str:
    currencies = sorted({verdict.currency for verdict in found})
    if len(currencies) > 1:
        raise Refused(f"the rounds were played in {' and '.join(currencies)}", hint="rule on each currency by itself")
    return currencies[0] if currencies else "CZK"


def _side(found: Iterable[Verdict], *, due: bool = False) -> Side:
    """Win and rake of rounds, as they were paid, or as they are due."""
    win = rake = 0
    for verdict in found:
        settlement = verdict.due if due else verdict.recorded
        if settlement is None:
            continue
        win += _win(settlement)
        rake += settlement.rake
    return Side(win, rake)


def _win(settlement: Settlement) -> int:
    """What a bank keeps of a round; a pot game's stakes go among the players and are none of it."""
    if settlement.rake or settlement.pots or any(line.stake.startswith("seat/") for line in settlement.lines):
        return 0
    return -sum(line.paid - line.taken for line in settlement.lines)
