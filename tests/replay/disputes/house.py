"""A house with its staff and a night's records, for tests of disputes; amounts are minor units."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import date

from cli import assembly
from events.schema.disputes import EvidenceNoted
from events.schema.envelope import Envelope, canonical
from events.schema.ours import StaffRegistered, StaffRole
from events.staff import approve, propose
from events.store import Log, Origin
from games.casebook import Casebook
from replay.disputes import desk
from replay.disputes.desk import Session, Wish
from replay.disputes.dispute import Dispute
from replay.disputes.effects import Effects

ROULETTE = "table/brno/RL-03/2026-11-28.1"
MANAGERS = {"novakova": "novakova", "dvorak": "dvorak", "novakova-2": "novakova", "kral": "kral"}
"""Account → person; `novakova` has two accounts."""


@contextmanager
def house(*tables: Iterable[Envelope], where: str = ":memory:") -> Iterator[Casebook]:
    """A log with these records, shipped rules, three managers and one of surveillance (`cerny`)."""
    with Log.open(where, assembly.catalogue(), create=True) as log:
        book = assembly.casebook(log)
        book.adopt_shipped()
        for records in tables:
            accept(log, records)
        for account, person in MANAGERS.items():
            register(log, account, person, "manager")
        register(log, "cerny", "cerny", "surveillance")
        yield book


def register(log: Log, account: str, person: str, *roles: StaffRole) -> None:
    """The account stands for the person; by two managers from the third registration on."""
    wish = StaffRegistered(person, account, roles, date(2026, 1, 1).isoformat())
    done = propose(log, "brno", wish, account="novakova", reason="hired")
    if not isinstance(done, StaffRegistered):
        approve(log, "brno", done.proposal, account="dvorak", reason="hired")


def accept(log: Log, records: Iterable[Envelope]) -> None:
    """Records come in."""
    log.accept([canonical(record) for record in records], Origin(kind="test"))


def opened(book: Casebook, *rounds: str, player: str | None = None) -> Dispute:
    """A dispute that surveillance has opened, with a camera noted, and judged."""
    at = Session(book, "cerny")
    made = desk.open_dispute(at, rounds, "that was mine", player=player, channel="table")
    desk.note(at, made.id, EvidenceNoted("camera", "cam-4", clip="12"))
    return desk.adjudicate(at, made.id)[0]


def proposed(book: Casebook, *rounds: str, wish: Wish) -> tuple[Dispute, Effects]:
    """The same with a ruling proposed by novakova."""
    made = opened(book, *rounds)
    return desk.propose(Session(book, "novakova"), made.id, wish, "seen")


def issued(book: Casebook, dispute: str) -> Dispute:
    """A proposed ruling approved by dvorak and issued by novakova."""
    desk.decide(Session(book, "dvorak"), dispute, approve=True, reason="agreed")
    return desk.issue(Session(book, "novakova"), dispute, "so")
