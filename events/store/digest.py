"""The digest of a record's facts: what makes a second record a repeat or a conflict.

SHA-256 of the canonical form of type, time (UTC, whole milliseconds), round and data, taken from the parsed JSON and
never from a decoded event: the same facts written by another JSON writer, under another id, have the same digest.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import msgspec
from msgspec import UNSET

from events.schema.envelope import canonical
from events.store.parse import Pairs, decode, doubled_keys, load_pairs
from events.values.clock import parse_time


def facts_digest(record: bytes) -> bytes:
    """32 bytes. What cannot be parsed (an unpaired surrogate or 1e999 in the data) is compared byte for byte."""
    try:
        return _digest(record)
    except (msgspec.DecodeError, ValueError, RecursionError):
        return sha256(record).digest()


def _digest(raw: bytes) -> bytes:
    record = decode(raw)
    data = record.data
    if doubled_keys(raw, record).data:
        # A key twice has no canonical form: all its pairs count, in order, or the hidden one could change unseen.
        data = dict(load_pairs(raw))["data"]
    name = record.round
    return sha256(
        canonical(
            {
                "data": None if data is UNSET else _plain(data),
                "round": None if name is UNSET else name,
                "time": parse_time(record.time),
                "type": record.type,
            }
        )
    ).digest()


def _plain(value: Any) -> Any:
    """Numbers as RFC 8785 has them: `1.0` and `1e0` are `1`."""
    if type(value) is dict:
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, Pairs):
        return {"": [[key, _plain(item)] for key, item in value]}
    if type(value) is list:
        return [_plain(item) for item in value]
    if type(value) is float and value.is_integer():
        return int(value)
    return value
