"""NDJSON into Kafka: one line a record, under the key of its stream, so that a stream keeps to one partition."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Any

import msgspec
from kafka import KafkaProducer
from kafka.errors import KafkaError
from msgspec import Struct

from events.errors import Unable
from events.ingest.kafka.reach import greet, lacks_right
from events.ingest.kafka.settings import Settings

_FLUSH_S = 120


class Sent(Struct, frozen=True):
    """`records` acknowledged by the broker; `nameless` of them name no stream and went under no key."""

    records: int
    nameless: int


class _Stream(Struct):
    subject: str
    source: str


_look = msgspec.json.Decoder(_Stream).decode


def stream_key(line: bytes) -> bytes | None:
    """`<subject>@<source>`; None where that cannot be read."""
    try:
        found = _look(line)
    except (msgspec.DecodeError, RecursionError):
        return None
    return f"{found.subject}@{found.source}".encode()


def send(settings: Settings, lines: Iterable[bytes]) -> Sent:
    """Sends all lines, in their order; returns when the broker has all of them.

    Raises:
        Unable: the broker is away, does not let us in, knows no such topic, or refused a record.
    """
    logging.getLogger("kafka").setLevel(logging.CRITICAL)
    records = nameless = 0
    failed: list[BaseException] = []
    producer: Any = None
    greet(settings, settings.topic)
    try:
        producer = KafkaProducer(
            **settings.connection(),
            acks="all",
            enable_idempotence=True,
            batch_size=256 << 10,
            linger_ms=20,
            max_block_ms=settings.request_timeout_ms,
            max_request_size=max(1 << 20, settings.record_max_bytes * 2),
            allow_auto_create_topics=False,
            bootstrap_timeout_ms=10_000,
            metrics_enabled=False,
        )
        for line in lines:
            key = stream_key(line)
            producer.send(settings.topic, value=line, key=key).add_errback(failed.append)
            records += 1
            nameless += key is None
            if failed:
                break
        producer.flush(timeout=_FLUSH_S)
        if failed:
            raise failed[0]
    except (KafkaError, AssertionError, OSError) as error:
        raise _unable(settings, error, records) from error
    finally:
        if producer is not None:
            producer.close(timeout=5)
    return Sent(records, nameless)


def _unable(settings: Settings, error: BaseException, records: int) -> Unable:
    if refused := lacks_right(settings, error, f"write to {settings.topic} (WRITE)"):
        return refused
    said = str(error).strip() or type(error).__name__
    return Unable(
        f"not all of {records:,} records reached {settings.topic} at {settings.bootstrap_servers}: {said}",
        hint="send them again: what arrived twice is stored once",
    )
