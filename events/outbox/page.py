"""The next page of the log for one topic."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from events.outbox.messages import Message, message_of
from events.store import Log
from events.store import statements as sql
from events.store.facts import stamped

ROWS = 500
"""Messages of a page at the most."""

BYTES = 8 << 20
"""A page ends behind the message that reaches so many bytes."""

SPAN = 100_000
"""Rows of the log that are looked at in one question."""


class Page(NamedTuple):
    """Messages of one topic in order of the log. `end`: the tree index behind the last row looked at."""

    messages: list[Message]
    end: int


def read_page(log: Log, topic: str, types: Sequence[str], start: int, end: int) -> Page:
    """Events of these stored types among the rows `start` to `end - 1`; as far as a page reaches.

    Raises:
        SealBroken: a row is not as it was written.
        Unable: the store is away.
    """
    end = min(end, start + SPAN)
    marks = ",".join("?" * len(types))
    statement = f"{sql.ROW}WHERE rowid > ? AND rowid <= ? AND topic IN ({marks}) ORDER BY rowid LIMIT ?"
    with log.reading() as reading:
        rows = stamped(reading, reading.all(statement, start, end, *types, ROWS))
        messages: list[Message] = []
        room = BYTES
        for row in rows:
            messages.append(message_of(reading, row, topic))
            room -= messages[-1].size
            if room <= 0:
                return Page(messages, row.index + 1)
        return Page(messages, rows[-1].index + 1 if len(rows) == ROWS else end)
