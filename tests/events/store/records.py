"""Records as a table's gateway sends them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from events.store import Origin
from events.values.clock import time_text

SUBJECT = "table/brno/RL-03/2026-11-28.1"
SOURCE = "/brno/RL-03/terminal"
STREAM = f"{SUBJECT}@{SOURCE}"
BASE_MS = 1_795_896_000_000
"""2026-11-28, 21:00 in Brno."""
TEST = Origin(kind="file", name="day.ndjson", account="tester")


def envelope(sequence: int, /, **changes: Any) -> dict[str, Any]:
    """An envelope of the one terminal; `changes` replace attributes, None removes one."""
    found: dict[str, Any] = {
        "specversion": "1.0",
        "id": f"r-{sequence}",
        "source": SOURCE,
        "type": "TB.DealerSeated.v1",
        "subject": SUBJECT,
        "sequence": str(sequence).rjust(16, "0"),
        "time": time_text(BASE_MS + 840_000 + sequence % 1_000_000 * 37),
        "data": {"person": "d-17"},
    }
    found.update(changes)
    return {name: value for name, value in found.items() if value is not None}


def record(sequence: int, /, **changes: Any) -> bytes:
    """The same as a line."""
    return json.dumps(envelope(sequence, **changes), separators=(",", ":")).encode()


def records(sequences: Iterable[int], **changes: Any) -> list[bytes]:
    """Lines of one terminal."""
    return [record(sequence, **changes) for sequence in sequences]
