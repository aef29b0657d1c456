"""A stored row as a Kafka message: key, value, headers (`README.md` lists them)."""

from __future__ import annotations

from typing import NamedTuple

import msgspec
from msgspec import Struct

from events.errors import SealBroken
from events.outbox.routes import REJECTED
from events.store import statements as sql
from events.store.backend import Row
from events.store.recorder import Reading

VALUE_MAX = 900_000
"""Bytes of quarantined records that are sent; brokers take a little more than a million with headers."""

Headers = list[tuple[str, bytes]]


class Message(NamedTuple):
    """What is sent of the row at the tree index `at`."""

    at: int
    topic: str
    key: bytes
    value: bytes
    headers: Headers

    @property
    def size(self) -> int:
        """Bytes, roughly."""
        return len(self.key) + len(self.value) + sum(len(name) + len(value) for name, value in self.headers)

    def header(self, name: str) -> str:
        """Its text; empty where there is none."""
        return next((value.decode() for key, value in self.headers if key == name), "")


class _Told(Struct):
    """What the events about rejected records say."""

    sha256: str
    record: str = ""
    stored_digest: str = ""
    received_digest: str = ""


class _Look(Struct):
    """What is needed of a stored record."""

    data: _Told


_look = msgspec.json.Decoder(_Look).decode


def message_of(reading: Reading, row: Row, topic: str) -> Message:
    """The message of one row.

    Raises:
        SealBroken: the row is not as Recoup writes it, or the quarantined bytes that it tells of are gone.
    """
    try:
        if row.topic in REJECTED:
            return _rejected(reading, row, topic)
        headers = _headers(row)
        headers.append(("content-type", b"application/cloudevents+json"))
        return Message(row.index, topic, row.stream.encode(), row.state, headers)
    except (msgspec.MsgspecError, UnicodeDecodeError, ValueError) as error:
        raise SealBroken(
            f"row {row.index} ({row.topic} in {row.stream}) is not as it was written: {error}",
            hint="`recoup verify` names what was changed",
        ) from error


def _headers(row: Row) -> Headers:
    """The id is stream and version, which of Recoup's own records is what their envelope says too."""
    plain = {
        "event_id": f"{row.stream}:{row.version}",
        "event_type": row.topic,
        "index": str(row.index),
        "recorded_at": str(row.recorded_at),
    }
    return [(name, text.encode()) for name, text in plain.items()]


def _rejected(reading: Reading, row: Row, topic: str) -> Message:
    """The bytes as they came, and why they were not stored."""
    told = _look(row.state).data
    sha = bytes.fromhex(told.sha256)
    held = reading.one(sql.HELD_BETWEEN, sha, sha)
    if held is None:
        raise SealBroken(
            f"row {row.index} tells of {told.sha256[:12]} in quarantine, and it is not there",
            hint="`recoup verify` names what was changed",
        )
    _sha, reason, detail, origin, record, length, stream, *_rest = held
    plain = {
        "reason": reason,
        "detail": detail,
        "origin": origin,
        "sha256": told.sha256,
        "length": str(length),
        "record": told.record,
        "stored_digest": told.stored_digest,
        "received_digest": told.received_digest,
    }
    headers = _headers(row) + [(name, text.encode()) for name, text in plain.items() if text]
    return Message(row.index, topic, (stream or row.stream).encode(), bytes(record)[:VALUE_MAX], headers)
