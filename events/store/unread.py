"""Records that are stored and that this catalogue cannot read: which they are, why, and where they came from.

What is `Undecoded` depends on who reads, so that no counter can hold it: a walk over the rows finds them, at some 5 µs
a row.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec import Struct

from events.schema.catalogue import Catalogue
from events.schema.event import Undecoded
from events.store import statements as sql
from events.store.facts import FactReader, part_number, stamped
from events.store.recorder import Reading
from events.values.names import parse_stream

_PAGE = 10_000


class Unread(Struct, frozen=True, kw_only=True):
    """One record that could not be read. `origin`: for people, the file (or topic) with the first and last line (or
    offset) of the batch that it came in; empty if the store does not say."""

    subject: str
    record: str
    type: str
    reason: str
    origin: str
    row: int


def read_unread(reading: Reading, catalogue: Catalogue, after: int, prefix: str) -> Iterator[Unread]:
    """Those behind the tree index `after` (-1: all), of subjects that begin with `prefix`, in order of arrival."""
    reader = FactReader(catalogue)
    while True:
        rows = reading.all(sql.PAGE, after + 1, _PAGE)
        for row in stamped(reading, rows):
            if row.stream.startswith(prefix):
                place = parse_stream(row.stream)
                fact = reader.fact(row, place.subject, place.source, part_number(place.part))
                if isinstance(fact.event, Undecoded):
                    yield Unread(
                        subject=place.subject,
                        record=fact.cite,
                        type=fact.topic,
                        reason=fact.event.reason,
                        origin=_origin(reading, row.index),
                        row=row.index,
                    )
        if len(rows) < _PAGE:
            return
        after = rows[-1][0]


class _Batch(Struct):
    kind: str
    name: str = ""
    lines: list[int] = []


def _origin(reading: Reading, index: int) -> str:
    tile = reading.one(sql.TILE_ORIGIN, index)
    if tile is None or index >= tile[0] + tile[1]:
        return ""
    batch = msgspec.json.decode(tile[3], type=_Batch)
    span = "-".join(dict.fromkeys(str(line) for line in batch.lines))
    return f"{batch.name or batch.kind}:{span}" if span else batch.name or batch.kind
