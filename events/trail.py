"""The access trail: who looked at what shows persons' data, as events of its own (`access/<UTC date>`)."""

from __future__ import annotations

from datetime import UTC, datetime

from events.errors import RecoupError, Unable
from events.schema.disputes import Accessed
from events.store import Draft, Log
from events.values.names import RECOUP


def note_access(log: Log, event: Accessed, *, account: str, reason: str = "") -> None:
    """Writes one access.

    Raises:
        Unable: the trail cannot be written; what shows persons' data is not shown then.
    """
    day = datetime.now(UTC).date().isoformat()
    try:
        log.author(f"access/{day}@{RECOUP}", [Draft(event=event, account=account, reason=reason or None)])
    except (RecoupError, OSError) as error:
        raise Unable(
            f"the access trail cannot be written: {error}",
            hint="nothing of persons is shown while nobody can say who saw it; write rights on the store are needed",
        ) from error
