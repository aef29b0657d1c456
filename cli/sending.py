"""`send kafka`: NDJSON from standard input into a topic, for dealers and tests."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from cli import screen
from cli.brokers import Config, Servers, Topic, settings_of


def send_kafka(config: Config = None, bootstrap_servers: Servers = None, topic: Topic = None) -> None:
    """Send NDJSON from standard input to Kafka, a line a record.

    A record's key is its stream, so that the records of one source stay in order. Sent again after a failure, what
    had arrived already is stored once.

    \b
    Example:
      recoup dealer roulette --rounds 20 --seed 7 | recoup send kafka
    """
    from events.ingest.kafka.send import send

    settings = settings_of(config, bootstrap_servers=bootstrap_servers, topic=topic)
    sent = send(settings, _lines())
    screen.note(f"{screen.number(sent.records, 'record')} sent to {settings.topic} at {settings.bootstrap_servers}")
    if sent.nameless:
        screen.hint(f"{screen.number(sent.nameless, 'record')} named no subject and source, and went without a key")


def _lines() -> Iterator[bytes]:
    for line in sys.stdin.buffer:
        record = line.rstrip(b"\r\n")
        if record.strip():
            yield record
