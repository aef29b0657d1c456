"""What judging yields: findings, settlements, verdicts. The words are the same in all rooms (design section 7)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType

Kind = Literal[
    "breach", "corrected", "void", "voidable", "misdeal", "dead", "mispaid", "ruling_required", "penalty", "advisory",
    "unverified",
]  # fmt: skip
Scope = Literal["bet", "hand", "round", "shoe", "session", "player"]
Standing = Literal["valid", "void", "voidable", "ruling_required", "cannot_tell"]
Agreement = Literal["agrees", "differs", "not_compared", "not_recorded"]
"""How the settlement on record stands to the one due; `not_compared`: every stake waits for a ruling."""


class Finding(Struct, frozen=True, gc=False, kw_only=True):
    """What a check reports.

    `rule` is the rule broken or applied, `via` the general rule through which it came, if another. `subject` is the
    bet, hand, player or round it is about. `money`: minor units, positive: owed to `player`, negative: owed by him.
    `remedy`: what the rules require instead, as plain data typed per room. `events`: citations it rests on.
    `basis`: `facts`, or the ruling that decided. `parameters`: those that it read, with their values.
    """

    rule: str
    code: str
    kind: Kind
    scope: Scope
    subject: str = ""
    player: str = ""
    money: int = 0
    remedy: dict[str, Any] = {}
    events: tuple[str, ...] = ()
    basis: str = "facts"
    via: str = ""
    parameters: dict[str, Any] = {}
    text: str = ""


class Line(Struct, frozen=True, gc=False):
    """One stake's settlement, minor units: staked = taken + returned + held; net = paid − taken.

    `waived`: a win that was not due and that the house leaves with the player, or of a pot's winner the rake that the
    house did not take; no part of the net, and no difference.

    Against a bank `paid` is the win on top of the stake, which stays the player's (`returned`, of it `stands` is left
    lying for the next round). In a pot game `staked` is what the seat contributed, `returned` the uncalled part, `paid`
    what the pots award. `rule` fixes the odds; `reasons` are finding codes that changed the outcome. `currency`: of its
    chips, set only where it is not the table's, so that a line in the table's is written as ever.
    """

    stake: str
    player: str
    staked: int
    taken: int = 0
    returned: int = 0
    paid: int = 0
    held: int = 0
    stands: int = 0
    waived: int = 0
    what: str = ""
    rule: str = ""
    reasons: tuple[str, ...] = ()
    currency: str | UnsetType = UNSET

    @property
    def net(self) -> int:
        """Change of the player's wealth."""
        return self.paid - self.taken


class Pot(Struct, frozen=True, gc=False, kw_only=True):
    """One pot: what it holds before rake, who may win it, what it pays, minor units, by stake key (`seat/3`)."""

    name: str
    amount: int
    eligible: tuple[str, ...]
    rake: int = 0
    awards: dict[str, int] = {}


class Settlement(Struct, frozen=True, gc=False, kw_only=True):
    """A round's money. `known` false: the facts do not tell what is due (no number, an unshown hand).

    `candidates`: name → settlement lines under another outcome, where a person must choose.
    """

    lines: tuple[Line, ...] = ()
    rake: int = 0
    pots: tuple[Pot, ...] = ()
    known: bool = True
    candidates: dict[str, tuple[Line, ...]] = {}

    def nets(self) -> dict[str, int]:
        """Net per player in the table's currency, in order of first appearance."""
        return nets_of(self.lines).get("", {})


def nets_of(lines: Iterable[Line]) -> dict[str, dict[str, int]]:
    """Currency (empty: the table's) → player → net, minor units, each in order of first appearance."""
    nets: dict[str, dict[str, int]] = {}
    for line in lines:
        own = nets.setdefault(line.currency or "", {})
        own[line.player] = own.get(line.player, 0) + line.paid - line.taken
    return nets


class Verdict(Struct, frozen=True, gc=False, kw_only=True):
    """The judgement of one round: standing, settlement, findings, and what they rest on.

    `differences`: stake → due net − recorded net, minor units, zero ones left out; `player_differences` likewise, of
    the stakes in the table's currency, `foreign_differences` of the others: currency → player → minor units.
    `defaulted`: parameters that the adopted edition does not state. `touched`: a hole in the record touches the round.
    `digest`: SHA-256 over inputs and result; `engine` stands beside it, so that an upgrade can say "same facts,
    other reading".
    """

    round: str
    game: str
    rule_book: str
    house: str
    edition: str
    edition_digest: str
    standing: Standing
    settlement: Agreement
    due: Settlement
    recorded: Settlement | None
    differences: dict[str, int] = {}
    player_differences: dict[str, int] = {}
    findings: tuple[Finding, ...] = ()
    defaulted: tuple[str, ...] = ()
    currency: str = "CZK"
    opened_at: int = 0
    closed_at: int = 0
    touched: bool = False
    digest: str = ""
    engine: str = ""
    foreign_differences: dict[str, dict[str, int]] | UnsetType = UNSET

    @property
    def apart(self) -> dict[str, dict[str, int]]:
        """Currency → player → due net less recorded net, minor units; the table's currency first, though empty."""
        return {self.currency: self.player_differences, **(self.foreign_differences or {})}

    @property
    def foreign(self) -> dict[str, str]:
        """Stake → its currency, of those that do not lie in the table's."""
        lines = (*self.due.lines, *(self.recorded.lines if self.recorded is not None else ()))
        return {line.stake: line.currency for line in lines if line.currency}
