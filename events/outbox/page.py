"""The next page of the log that has something for somebody."""

from __future__ import annotations

from collections.abc import Mapping
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
    """Messages in order of the log. `end`: the tree index behind the last row looked at; `size`: rows of the log."""

    messages: list[Message]
    end: int
    size: int


def read_page(log: Log, routes: Mapping[str, str], positions: Mapping[str, int], start: int) -> Page:
    """The page that begins at the tree index `start`.

    `positions`: topic → the tree index from which it wants events.

    Raises:
        SealBroken: a row is not as it was written.
        Unable: the store is away.
    """
    with log.reading() as reading:
        size = (reading.one(sql.SIZE) or (0,))[0] or 0
        end = min(size, start + SPAN)
        if end <= start:
            return Page([], start, size)
        marks = ",".join("?" * len(routes))
        statement = f"{sql.ROW}WHERE rowid > ? AND rowid <= ? AND topic IN ({marks}) ORDER BY rowid LIMIT ?"
        rows = stamped(reading, reading.all(statement, start, end, *routes, ROWS))
        messages: list[Message] = []
        room = BYTES
        for row in rows:
            topic = routes[row.topic]
            if row.index >= positions.get(topic, 0):
                messages.append(message_of(reading, row, topic))
                room -= messages[-1].size
                if room <= 0:
                    return Page(messages, row.index + 1, size)
        return Page(messages, rows[-1].index + 1 if len(rows) == ROWS else end, size)
