"""kafka-python's producer, as the outbox needs it: of a page it is known how far it is acknowledged.

The producer is idempotent and has one batch a partition under way, so it keeps a key's order while it retries. It must
never give up on one batch and send the next, and left to itself it does: after OUT_OF_ORDER_SEQUENCE_NUMBER and the
like it takes a new epoch and sends on behind the batch that failed. So the first message that fails ends the producer,
on its own thread and before that sends anything more. The delivery timeout is without end, a clock of ours above it.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Sequence
from threading import Event
from typing import Any

from events.errors import Unable
from events.ingest.kafka.reach import greet, knock
from events.ingest.kafka.settings import Settings
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


class NotTaken(Unable):
    """A topic does not take `message`, whatever is done here, and nothing behind it in its partition was sent.

    `first`: the tree index of the first message that is not acknowledged; of other partitions it may lie before.
    """

    def __init__(self, said: str, message: Message, first: int, *, hint: str = "") -> None:
        super().__init__(said, hint=hint)
        self.message = message
        self.first = first


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
        greet(settings)
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
        """Sends messages and waits until all of them are acknowledged. After any error this sender is of no more use.

        Raises:
            NotTaken: one of them is refused, for good or until somebody mends it.
            Cut: `stop` was set, and the grace ran out.
            Unable: not acknowledged; some of it may have arrived.
        """
        from kafka.errors import KafkaError

        sent: list[Any] = []
        fault: KafkaError | None = None
        try:
            for message in messages:
                future = self._producer.send(message.topic, message.value, message.key, message.headers)
                sent.append(future.add_errback(self._halt))
                if future.failed():
                    break
        except KafkaError as error:
            fault = error
        self._wait(sent, stop)
        self._look(messages, sent, fault)

    def _halt(self, _error: BaseException) -> None:
        """By the producer's own thread: what is not on its way yet is not sent."""
        self._producer._sender.force_close()

    def _wait(self, sent: Sequence[Any], stop: Event) -> None:
        """Until all are acknowledged or failed. Not by the producer's `flush`: it gives up when a batch is split."""
        from kafka.errors import KafkaError

        heard = looked = time.monotonic()
        asked: float | None = None
        for future in sent:
            while not future.is_done:
                with contextlib.suppress(KafkaError):
                    future.get(timeout=0.5)
                now = time.monotonic()
                if future.is_done:
                    heard = now
                    break
                if stop.is_set():
                    asked = asked or now
                    if now - asked > GRACE_S:
                        raise Cut("asked to stop before all was acknowledged; it will be sent again")
                if now - looked > ASK_S:
                    looked = now
                    self.ask()
                if now - heard > PATIENCE_S:
                    raise Unable(
                        f"nothing acknowledged for {now - heard:.0f} s", hint="are the brokers up, with enough in sync?"
                    )

    def _look(self, messages: Sequence[Message], sent: Sequence[Any], fault: BaseException | None) -> None:
        """What has become of them.

        Raises:
            NotTaken, Unable: not all is acknowledged.
        """
        from kafka.errors import BrokerResponseError, IllegalStateError, KafkaTimeoutError, RetriableError

        failed = [(one, future.exception) for one, future in zip(messages, sent, strict=False) if future.failed()]
        if not failed and fault is None:
            return
        first = failed[0][0] if failed else messages[len(sent)]
        # What was cut off when the producer ended says so itself; the one that ended it has a reason of the broker's.
        reasons = [pair for pair in failed if not isinstance(pair[1], IllegalStateError)]
        message, error = reasons[0] if reasons else (messages[min(len(sent), len(messages) - 1)], fault)
        is_refused = isinstance(error, BrokerResponseError) and not isinstance(error, RetriableError)
        if error is fault and isinstance(fault, KafkaTimeoutError):
            self.ask()  # nobody there is another matter than no such topic
            is_refused = True
        if is_refused:
            raise self._not_taken(message, first.at, error)
        raise Unable(f"`{message.topic}` does not take what is sent: {said(error)}") from error

    def _not_taken(self, message: Message, first: int, error: Any) -> NotTaken:
        """In words for whoever runs Kafka."""
        size = self._producer._estimate_size_in_bytes(message.key, message.value, message.headers)
        why, hint = _why(error, message.topic, size)
        found = NotTaken(
            f"`{message.topic}` does not take event {message.header('event_id')} ({message.header('event_type')}, row "
            f"{message.at}, {size:,} bytes): {why}",
            message,
            first,
            hint=hint,
        )
        found.__cause__ = error
        return found

    def close(self) -> None:
        """Ends the producer at once; what is not acknowledged is not sent any more."""
        from kafka.errors import KafkaError

        with contextlib.suppress(KafkaError):
            self._producer.close(timeout=0)
            return
        # With something unacknowledged, closing flushes first, gives up, and leaves its thread sending.
        self._producer._sender.force_close()


def said(error: BaseException | None) -> str:
    """An error in one line."""
    return " ".join(str(error).split()) or type(error).__name__


def _why(error: Any, topic: str, size: int) -> tuple[str, str]:
    """Why a message is not taken, and what to do; by the names of kafka-python's errors."""
    name = type(error).__name__
    if "Authorization" in name:
        return "the publisher may not write there", f"give its account WRITE on {topic}: deploy/kafka/topics"
    if "Timeout" in name or "UnknownTopic" in name:
        return "there is no such topic, or none that the publisher may see", "deploy/kafka/topics makes it"
    if "TooLarge" in name:
        return "larger than the topic allows", f"set max.message.bytes of {topic} to {size} or more"
    return f"{name} {said(error)}", "the broker's own log says more"
