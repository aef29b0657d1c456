"""What stands on a Caribbean stud table: that of every card game against the bank, and when each stake was settled."""

from __future__ import annotations

from games.shared.bank.table import BankRound, BankSession, Noted


class Round(BankRound, frozen=True, kw_only=True):
    """One round. `paid`: the first payment, taking or return of each stake, with its place in the round."""

    paid: tuple[Noted, ...] = ()


class Session(BankSession, frozen=True, kw_only=True):
    """A table from opening to close. `joins`: this table records when the part cut off lies with the rest again."""

    round: Round | None = None
    joins: bool = False
