"""kafka-python's producer, as the outbox needs it: a page is acknowledged as a whole, or nobody knows.

The producer is idempotent and has one batch a partition under way, so it keeps a key's order while it retries. It must
never give up on one batch and send the next: hence a delivery timeout without end, and a clock of ours above it. When
that runs out the producer is ended at once, and another one sends the page again from its first message.
"""

from __future__ import annotations

import contextlib
import socket
import time
from collections.abc import Sequence
from threading import Event
from typing import Any

from events.errors import Unable
from events.ingest.kafka.settings import Settings, address_of
from events.outbox.messages import Message

PATIENCE_S = 20.0
"""So long a page may wait for its acknowledgements before another producer tries."""

ASK_S = 3.0
"""A silent broker is asked so often whether it is there."""

GRACE_S = 10.0
"""So long it may still wait once the publisher was asked to stop."""

_BLOCK_MS = 5_000
_NEVER_MS = 7 * 86_400_000
_REQUEST_MAX = 16 << 20
"""How long a message may be is the topic's business (max.message.bytes), not the client's."""


class Cut(Unable):
    """The publisher was asked to stop before a page was acknowledged; it will be sent again."""


class Sender:
    """One producer on one cluster, whose id is `cluster`.

    Raises:
        Unable: no broker answers, or none lets us in.
    """

    def __init__(self, settings: Settings) -> None:
        from kafka import KafkaProducer
        from kafka.errors import KafkaError
        from kafka.net.compat import KafkaNetClient

        self._settings = settings
        self.ask()
        made: list[Any] = []

        def client(**options: Any) -> Any:
            made.append(KafkaNetClient(**options))
            return made[-1]

        try:
            self._producer = KafkaProducer(
                **settings.connection(settings.publish_client_id),
                acks="all",
                enable_idempotence=True,
                allow_auto_create_topics=False,
                delivery_timeout_ms=_NEVER_MS,
                max_block_ms=_BLOCK_MS,
                bootstrap_timeout_ms=_BLOCK_MS,
                reconnect_backoff_max_ms=1_000,
                linger_ms=5,
                batch_size=64 << 10,
                max_request_size=_REQUEST_MAX,
                metrics_enabled=False,
                kafka_client=client,
            )
        except (KafkaError, OSError) as error:
            for one in made:  # or its thread would stay for ever
                one.close()
            raise Unable(
                f"no broker at {settings.bootstrap_servers}: {said(error)}",
                hint="is it up, are bootstrap_servers and the security settings right?",
            ) from error
        self.cluster = str(self._producer._metadata.cluster_id)

    def ask(self) -> None:
        """Whether anybody listens at one of the addresses: the producer itself hides that nobody does.

        Raises:
            Unable: nobody does.
        """
        knock(self._settings)

    def send(self, messages: Sequence[Message], stop: Event) -> None:
        """Sends a page and waits until all of it is acknowledged.

        Raises:
            Cut: `stop` was set, and the grace ran out.
            Unable: not acknowledged; some of it may have arrived. This sender must not be used again.
        """
        from kafka.errors import KafkaError

        topic = ""
        try:
            sent = []
            for message in messages:
                topic = message.topic
                sent.append(self._producer.send(topic, message.value, message.key, message.headers))
            self._wait(stop)
            for message, future in zip(messages, sent, strict=True):
                topic = message.topic
                future.get(timeout=0)
        except KafkaError as error:
            raise Unable(f"`{topic}` does not take what is sent: {said(error)}", hint=_hint(error)) from error

    def _wait(self, stop: Event) -> None:
        from kafka.errors import KafkaTimeoutError

        begun = time.monotonic()
        asked: float | None = None
        looked = begun
        while True:
            try:
                self._producer.flush(timeout=0.5)
            except KafkaTimeoutError:
                now = time.monotonic()
                if stop.is_set():
                    asked = asked or now
                    if now - asked > GRACE_S:
                        raise Cut("asked to stop before all was acknowledged; it will be sent again") from None
                if now - looked > ASK_S:
                    looked = now
                    self.ask()
                if now - begun > PATIENCE_S:
                    raise Unable(
                        f"nothing acknowledged for {now - begun:.0f} s", hint="are the brokers up, with enough in sync?"
                    ) from None
            else:
                return

    def close(self) -> None:
        """Ends the producer at once; what is not acknowledged is not sent any more."""
        from kafka.errors import KafkaError

        with contextlib.suppress(KafkaError):
            self._producer.close(timeout=0)
            return
        # With something unacknowledged, closing flushes first, gives up, and leaves its thread sending.
        self._producer._sender.force_close()


def said(error: BaseException) -> str:
    """An error in one line."""
    return " ".join(str(error).split()) or type(error).__name__


def _hint(error: Any) -> str:
    name = type(error).__name__
    if "Authorization" in name:
        return "deploy/kafka/topics lists the rights that the publisher needs"
    if "Timeout" in name or "UnknownTopic" in name:
        return "does the topic exist (deploy/kafka/topics), are the brokers up?"
    if "Size" in name or "TooLarge" in name:
        return "raise max.message.bytes of the topic"
    return ""


def knock(settings: Settings) -> None:
    """Whether anybody listens at one of the addresses; far cheaper to find out than with a whole client.

    Raises:
        Unable: nobody does.
    """
    why = ""
    for server in settings.servers:
        try:
            socket.create_connection(address_of(server, "bootstrap server") or ("", 0), timeout=3).close()
            return
        except OSError as error:
            why = error.strerror or str(error)
    raise Unable(f"nobody listens at {settings.bootstrap_servers}: {why}", hint="is Kafka up, is the address right?")
