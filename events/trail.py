"""The access trail: who looked at what shows persons' data, as events of its own (`access/<UTC date>`)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from msgspec import Struct

from events.errors import RecoupError, Unable
from events.schema.disputes import Accessed
from events.store import Draft, Log
from events.values.names import RECOUP


def note_access(log: Log, *events: Accessed, account: str, reason: str = "") -> None:
    """Writes accesses, all or none.

    Raises:
        Unable: the trail cannot be written; what shows persons' data is not shown then.
    """
    day = datetime.now(UTC).date().isoformat()
    drafts = [Draft(event=event, account=account, reason=reason or None) for event in events]
    try:
        log.author(f"access/{day}@{RECOUP}", drafts)
    except (RecoupError, OSError) as error:
        raise Unable(
            f"the access trail cannot be written: {error}",
            hint="nothing of persons is shown while nobody can say who saw it; write rights on the store are needed",
        ) from error


class Access(Struct, frozen=True):
    """One access as it is on record: when (ms UTC), by which account, what was done, to what, and why."""

    at: int
    account: str
    what: str
    about: str
    reason: str


def accesses(log: Log) -> Iterator[Access]:
    """The trail in order. Only what Recoup itself wrote is on it."""
    for subject in log.subjects("access/"):
        for fact in sorted(log.session_facts(subject).facts, key=lambda fact: fact.index):
            event = fact.event
            if fact.ours and isinstance(event, Accessed):
                yield Access(fact.occurred_at, fact.account or "", event.what, event.about, fact.reason or "")
