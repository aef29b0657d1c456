"""Records that are stored and that this catalogue cannot read: which they are, why, and where they came from.

What is `Undecoded` depends on who reads, so that no counter can hold it: a walk over the rows finds them, at some 4 µs
a row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import msgspec
from msgspec import Struct

from events.schema.catalogue import Catalogue, Record
from events.schema.event import Event, Undecoded
from events.store import statements as sql
from events.store.facts import FactReader, part_number, stamped
from events.store.parse import is_countable
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
    known = catalogue.records
    while True:
        rows = reading.all(sql.PAGE, after + 1, _PAGE)
        odd = [one for one in rows if one[1].startswith(prefix) and not _reads_plainly(one[3], one[4], known)]
        for row in stamped(reading, odd):
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


_ENVELOPE = 9
"""Attributes that every writer sends: specversion, id, source, type, subject, sequence, time, data; and `round`."""


def _reads_plainly(topic: str, state: bytes, known: Mapping[str, Callable[[bytes], Record[Event]]]) -> bool:
    """Whether a record certainly reads, with no key twice; what is unusual in any way goes the long way.

    There are as many keys as the typed event has fields that are not at their default, and the envelope's; no event
    has a field `id`. With one key more, one of them may stand twice.
    """
    try:
        record = known[topic](state)
    except (KeyError, ValueError, RecursionError):
        return False
    keys = _ENVELOPE - (record.round is None) + _encode(record.data).count(_KEY)
    return state.count(_KEY) == keys and b'"id":' in state and is_countable(state)


_KEY = b'":'
_encode = msgspec.json.Encoder().encode


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
