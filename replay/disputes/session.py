"""Who sits at the desk, and how an act of his is written."""

from __future__ import annotations

from datetime import date

from msgspec import Struct

from events.schema.event import Event
from events.schema.ours import StaffRole
from events.staff import Actor, read_register
from events.store import Draft
from events.values.clock import gaming_day
from games.casebook import Casebook
from replay.disputes.dispute import Dispute, read_dispute


class Session(Struct, frozen=True):
    """Who sits at the desk: the casebook over his log, and the account that acts."""

    book: Casebook
    account: str

    def today(self) -> date:
        """The gaming day now, as the log counts it."""
        return gaming_day(self.book.log.now_ms())

    def require(self, house: str, roles: tuple[StaffRole, ...], to: str) -> Actor:
        """The actor, who has one of the roles in that house today.

        Raises:
            Refused: he has none.
        """
        return read_register(self.book.log, house).require(self.account, self.today(), *roles, to=to)

    def another(self, house: str) -> str:
        """That somebody else must act, and how he does where they share an account; for a hint."""
        ways = read_register(self.book.log, house).ways(self.account)
        return f"another manager does: `recoup staff list` shows who is one\n{ways}"

    def person(self, house: str, account: str) -> str:
        """Who an account stands for."""
        return read_register(self.book.log, house).person_of(account)

    def write(self, dispute: Dispute, event: Event, reason: str) -> Dispute:
        """Appends one event at the version that was read; gives the dispute after it.

        Raises:
            Refused: somebody acted on it since.
        """
        self.book.log.author(
            dispute.stream,
            [Draft(event=event, account=self.account, reason=reason or None)],
            expected=dispute.version + 1,
        )
        return read_dispute(self.book.log, dispute.id)
