"""Gaming days signed by two people (design section 9): who signed what, and which closing of a day holds.

A signature says the digest of the day's figures and exceptions, and how large the log was. A day is closed when two
persons, by whatever accounts, have signed the same digest; one digest more, signed by two again, corrects it. What the
log holds against these rules does not count.
"""

from __future__ import annotations

from datetime import date

from msgspec import Struct

from events.errors import Refused
from events.schema.ours import DaySigned, StaffRole
from events.staff import read_register
from events.store import Draft, Log
from events.values.clock import gaming_day
from events.values.names import RECOUP

SIGNERS: tuple[StaffRole, ...] = ("auditor", "manager")
"""Who may sign a day."""


class Signature(Struct, frozen=True):
    """One signature that counts. `at`: ms UTC."""

    person: str
    at: int
    event: DaySigned
    reason: str = ""


class Closing(Struct, frozen=True):
    """A day as two persons signed it; `tree_size`: rows that the log had when the second of them did."""

    by: tuple[str, str]
    at: int
    event: DaySigned

    @property
    def tree_size(self) -> int:
        """Rows of the log that were seen."""
        return self.event.tree_size


class Day(Struct, frozen=True):
    """A house's gaming day with its signatures, oldest first. `next_version`: of its stream, for who signs next."""

    house: str
    day: date
    signatures: tuple[Signature, ...] = ()
    next_version: int = 1

    @property
    def closings(self) -> tuple[Closing, ...]:
        """Each time that two persons had signed one digest, oldest first; the last one holds."""
        return tuple(self._read()[0])

    def waiting(self, digest: str) -> Signature | None:
        """The signature under that digest which waits for a second one."""
        return self._read()[1].get(digest)

    def _read(self) -> tuple[list[Closing], dict[str, Signature]]:
        """The closings, and by digest the signatures that wait since the last of them."""
        found: list[Closing] = []
        waiting: dict[str, Signature] = {}
        for one in self.signatures:
            first = waiting.setdefault(one.event.digest, one)
            if first.person != one.person:
                found.append(Closing((first.person, one.person), one.at, one.event))
                waiting = {}
        return found, waiting


def subject_of(house: str, day: date) -> str:
    """`day/brno/2026-11-28`."""
    return f"day/{house}/{day.isoformat()}"


def read_day(log: Log, house: str, day: date) -> Day:
    """The signatures of a day that count: by persons who had the role when they signed."""
    facts = sorted(log.session_facts(subject_of(house, day)).facts, key=lambda fact: fact.version)
    own = [fact for fact in facts if fact.source == RECOUP]
    register = read_register(log, house)
    found = []
    for fact in own:
        actor = register.actor(fact.account or "", gaming_day(fact.occurred_at))
        if isinstance(fact.event, DaySigned) and not actor.roles.isdisjoint(SIGNERS):
            found.append(Signature(actor.person, fact.occurred_at, fact.event, fact.reason or ""))
    return Day(house, day, tuple(found), own[-1].version + 1 if own else 1)


def sign(log: Log, house: str, day: date, event: DaySigned, *, account: str, reason: str) -> Day:
    """Signs the day as one of two; gives it with the signature.

    Raises:
        Refused: the actor may not, he has signed it already by whatever account, nothing has changed since two did, or
            somebody else signed at the same moment.
    """
    register = read_register(log, house)
    actor = register.require(account, gaming_day(log.now_ms()), *SIGNERS, to="signing a gaming day")
    found = read_day(log, house, day)
    if found.closings and found.closings[-1].event.digest == event.digest:
        first, second = found.closings[-1].by
        raise Refused(f"{day} is signed as it stands, by {first} and {second}")
    waiting = found.waiting(event.digest)
    if waiting is not None and waiting.person == actor.person:
        raise Refused(
            f"{actor.person} has signed {day} as it stands already: a second person signs, by an account of his own",
            hint=f"`recoup staff list` shows who may\n{register.ways(account)}",
        )
    draft = Draft(event=event, account=account, reason=reason or None)
    log.author(f"{subject_of(house, day)}@{RECOUP}", [draft], expected=found.next_version)
    return read_day(log, house, day)
