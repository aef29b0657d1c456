"""The side of Kafka: a consumer that joins the group, fetches raw bytes and forgets nothing that is not stored.

Where to read on is the store's word, never Kafka's: partitions come paused, wait until they are placed, and only then
flow. Listeners run on the client's own thread and may not wait there; they only note what came and went.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256
from threading import Lock
from time import monotonic
from typing import Any, Protocol

from kafka import ConsumerRebalanceListener, KafkaAdminClient, KafkaConsumer, OffsetAndMetadata, TopicPartition
from kafka.admin import ConfigResource, ConfigResourceType
from kafka.consumer.group import KafkaNetClient
from kafka.coordinator.assignors.cooperative_sticky import CooperativeStickyAssignor
from kafka.coordinator.base import MemberState
from kafka.errors import (
    GroupAuthorizationFailedError,
    KafkaError,
    NoOffsetForPartitionError,
    OffsetOutOfRangeError,
    TopicAuthorizationFailedError,
)
from msgspec import Struct

from events.errors import Refused, Unable
from events.ingest.kafka.reach import BrokerAway, TopicMissing, greet, lacks_right
from events.ingest.kafka.settings import Settings
from events.store import Oversized, Partition

HEAD_KEPT = 1 << 12
_ASK_MS = 5_000
"""So long a question to the broker may take before it counts as away."""
_UNSETTLED = 5
"""So many session timeouts may the group take to divide its partitions before it is joined anew."""
_SILENCE_S = 5.0
"""After so long without a record the broker is asked whether it is there."""


class Place(Struct, frozen=True):
    """A partition that waits to be placed: what the broker has of it is `earliest` to `latest - 1`."""

    cluster: str
    topic: str
    topic_id: str
    partition: int
    earliest: int
    latest: int


class Polled(Struct, frozen=True):
    """What one poll brought. Records, their offsets and partitions, in the same order, partitions one after another.

    `partitions`: where to read on once they are stored; empty where the topic was made again meanwhile, so that these
    records belong to no partition that there is. `lag`: records behind, by partition. `waiting`: partitions that wait
    to be placed. `rebalances`: so many times partitions came or went, since the beginning.
    """

    records: list[bytes | Oversized] = []
    offsets: Sequence[int] = ()
    parts: Sequence[int] = ()
    partitions: tuple[Partition, ...] = ()
    lag: dict[int, int] = {}
    waiting: int = 0
    rebalances: int = 0


class Feed(Protocol):
    """What the daemon asks of Kafka, in its own process or in one beside it. All of it may raise BrokerAway."""

    def poll(self, wait_ms: int) -> Polled:
        """Records, after at most `wait_ms` without any."""

    def waiting(self) -> list[Place]:
        """The partitions that wait to be placed.

        Raises:
            Refused: the topic is compacted.
        """

    def place(self, starts: Mapping[int, int]) -> None:
        """Partition → offset to read from; they flow from now on."""

    def stored(self, partitions: Sequence[Partition]) -> None:
        """These are stored: Kafka is told, for whoever watches the group."""

    def forget(self) -> None:
        """What was polled is not stored: every partition waits to be placed again."""

    def is_at_end(self) -> bool:
        """Whether all that lies in our partitions now has been polled."""

    def close(self) -> None:
        """Leaves the group."""


class KafkaFeed:
    """The feed itself. `read` gives the settings, anew for every connection: an address may have changed."""

    def __init__(self, read: Callable[[], Settings]) -> None:
        self._read = read
        self._settings = read()
        self._consumer: Any = None
        self._topic_id: Any = None
        self._approved: Any = None
        self._lock = Lock()
        self._waiting: set[TopicPartition] = set()
        self._placed: set[TopicPartition] = set()
        self._rebalances = 0
        self._heard_at = self._settled_at = monotonic()
        # The daemon says what is the matter, once; the client would say it ten times a second.
        logging.getLogger("kafka").setLevel(logging.CRITICAL)

    # -- the connection

    def _connected(self) -> Any:
        if self._consumer is None:
            try:
                self._settings = self._read()
            except (Refused, Unable) as error:  # a file in the middle of being changed
                raise BrokerAway(str(error), hint=error.hint) from error
            self._consumer = _consumer(self._settings)
            self._consumer.subscribe([self._settings.topic], listener=_Listener(self))
            self._topic_id = None
            self._heard_at = self._settled_at = monotonic()
        return self._consumer

    def _drop(self, timeout_ms: int = 3_000) -> None:
        consumer, self._consumer = self._consumer, None
        with self._lock:
            self._waiting.clear()
            self._placed.clear()
        if consumer is not None:
            try:
                consumer.close(autocommit=False, timeout_ms=timeout_ms)
            except KafkaError:
                consumer._client.close()

    def close(self) -> None:
        """Leaves the group, if it can be told within some seconds."""
        self._drop(5_000)

    # -- called by the client's thread

    def assigned(self, partitions: Iterable[TopicPartition]) -> None:
        """Partitions came: they stand still until they are placed."""
        consumer = self._consumer
        with self._lock:
            self._rebalances += 1
            for one in partitions:
                consumer.seek(one, 0)  # any position: without one the client would ask Kafka's own offsets
                consumer.pause(one)
                self._placed.discard(one)
                self._waiting.add(one)

    def revoked(self, partitions: Iterable[TopicPartition]) -> None:
        """Partitions went; what is stored of them is stored."""
        with self._lock:
            self._rebalances += 1
            for one in partitions:
                self._placed.discard(one)
                self._waiting.discard(one)

    # -- records

    def poll(self, wait_ms: int) -> Polled:
        """As `Feed.poll`."""
        try:
            consumer = self._connected()
            found = self._gather(consumer, wait_ms)
            self._look_for_broker(consumer, bool(found))
            self._look_for_group(consumer)
            return self._polled(consumer, found)
        except KafkaError as error:
            self._drop()
            raise _away(self._settings, error) from error
        except BrokerAway:
            self._drop()
            raise

    def _gather(self, consumer: Any, wait_ms: int) -> dict[TopicPartition, list[Any]]:
        """Records until the batch is full, or has waited long enough after its first."""
        settings = self._settings
        found: dict[TopicPartition, list[Any]] = {}
        room, size = settings.batch_records, 0
        until = 0.0
        while True:
            got = self._poll_once(consumer, wait_ms, room)
            for partition, records in got.items():
                found.setdefault(partition, []).extend(records)
                room -= len(records)
                size += sum([len(record.value or b"") for record in records])
            now = monotonic()
            if found and not until:
                until = now + settings.batch_wait_ms / 1000
            if not found or room <= 0 or size >= settings.batch_bytes or now >= until:
                return found
            wait_ms = max(1, int((until - now) * 1000))

    def _poll_once(self, consumer: Any, wait_ms: int, room: int) -> dict[TopicPartition, list[Any]]:
        try:
            got = consumer.poll(timeout_ms=wait_ms, max_records=room)
        except OffsetOutOfRangeError as error:
            self._stand(consumer, error.args[0])
            return {}
        except NoOffsetForPartitionError:
            self._stand(consumer, consumer.assignment() - self._placed)
            return {}
        if got:
            self._heard_at = monotonic()
            with self._lock:
                got = {one: records for one, records in got.items() if one in self._placed}
        return dict(got)

    def _stand(self, consumer: Any, partitions: Iterable[TopicPartition]) -> None:
        """Partitions stop until they are placed again."""
        with self._lock:
            for one in list(partitions):
                try:
                    consumer.seek(one, 0)
                    consumer.pause(one)
                except (ValueError, KeyError):  # it went meanwhile
                    continue
                self._placed.discard(one)
                self._waiting.add(one)

    def _look_for_broker(self, consumer: Any, has_records: bool) -> None:
        """Asks a silent broker something: the client itself hides that it is away.

        Raises:
            TopicMissing, KafkaError: no such topic, no answer.
        """
        if has_records or monotonic() - self._heard_at < _SILENCE_S:
            return
        topic = self._settings.topic
        if consumer._cluster.topic_id(topic) is None and topic not in consumer.topics():
            raise TopicMissing(f"there is no topic {topic} at {self._settings.bootstrap_servers}", hint="make it first")
        consumer.end_offsets([TopicPartition(topic, 0)], timeout_ms=_ASK_MS)
        self._heard_at = monotonic()

    def _look_for_group(self, consumer: Any) -> None:
        """A group may be dividing its partitions, but not for ever: kafka-python was seen to wait without end for an
        answer, after the broker had taken it for dead in the middle of its joining.

        Raises:
            BrokerAway: it is taking too long; another join is to mend it.
        """
        now = monotonic()
        if consumer._coordinator.state != MemberState.REBALANCING:
            self._settled_at = now
        elif now - self._settled_at > _UNSETTLED * self._settings.session_timeout_ms / 1000:
            raise BrokerAway(f"the group {self._settings.group} does not settle; joining it anew")

    def _polled(self, consumer: Any, found: dict[TopicPartition, list[Any]]) -> Polled:
        topic_id = consumer._cluster.topic_id(self._settings.topic)
        is_remade = self._topic_id is not None and topic_id != self._topic_id
        values: list[bytes] = []
        offsets: list[int] = []
        parts: list[int] = []
        nexts: list[Partition] = []
        cluster, named = str(consumer._cluster.cluster_id), str(topic_id)
        for one, got in sorted(found.items()):
            values += [record.value or b"" for record in got]
            offsets += [record.offset for record in got]
            parts += [one.partition] * len(got)
            if not is_remade:
                nexts.append(Partition(cluster, named, one.partition, got[-1].offset + 1))
        limit = self._settings.record_max_bytes
        records: list[bytes | Oversized] = [*values]
        if values and max(map(len, values)) > limit:
            records = [_held(value, limit) for value in values]
        if is_remade:
            # What was fetched is stored all the same, under no offset; the new topic begins where the store says.
            self._topic_id = None
            self._stand(consumer, consumer.assignment())
        with self._lock:
            waiting, placed = len(self._waiting), list(self._placed)
        return Polled(
            records=records,
            offsets=offsets,
            parts=parts,
            partitions=tuple(nexts),
            lag={one.partition: _lag(consumer, one) for one in placed},
            waiting=waiting,
            rebalances=self._rebalances,
        )

    # -- places

    def waiting(self) -> list[Place]:
        """As `Feed.waiting`."""
        with self._lock:
            partitions = sorted(self._waiting)
        if not partitions:
            return []
        try:
            consumer = self._connected()
            topic_id = consumer._cluster.topic_id(self._settings.topic)
            if topic_id is None:
                return []
            if topic_id != self._approved:
                _check_policy(self._settings)
                self._approved = topic_id
            earliest = consumer.beginning_offsets(partitions, timeout_ms=_ASK_MS)
            latest = consumer.end_offsets(partitions, timeout_ms=_ASK_MS)
            self._topic_id = topic_id
            cluster = str(consumer._cluster.cluster_id)
        except KafkaError as error:
            self._drop()
            raise _away(self._settings, error) from error
        except BrokerAway:
            self._drop()
            raise
        return [
            Place(cluster, self._settings.topic, str(topic_id), one.partition, earliest[one], latest[one])
            for one in partitions
        ]

    def place(self, starts: Mapping[int, int]) -> None:
        """As `Feed.place`."""
        consumer = self._consumer
        if consumer is None:
            return
        with self._lock:
            for partition, offset in starts.items():
                one = TopicPartition(self._settings.topic, partition)
                if one not in self._waiting:
                    continue
                try:
                    consumer.seek(one, offset)
                    consumer.resume(one)
                except (ValueError, KeyError):  # it went meanwhile
                    continue
                self._waiting.discard(one)
                self._placed.add(one)

    def stored(self, partitions: Sequence[Partition]) -> None:
        """As `Feed.stored`. Nobody waits for the answer: what counts lies in the store."""
        consumer = self._consumer
        if consumer is None or not partitions:
            return
        with self._lock:
            ours = {one.partition for one in self._placed}
        told = {
            TopicPartition(self._settings.topic, one.partition): OffsetAndMetadata(one.next_offset)
            for one in partitions
            if one.partition in ours
        }
        if told:
            try:
                consumer.commit_async(told, callback=_unheard)
            except KafkaError:
                return

    def forget(self) -> None:
        """As `Feed.forget`."""
        if self._consumer is not None:
            self._stand(self._consumer, self._consumer.assignment())

    def keep_alive(self) -> None:
        """Shows the group that we live, while nobody asks for records; none are fetched."""
        consumer = self._consumer
        if consumer is None:
            return
        with self._lock:
            flowing = list(self._placed)
        try:
            consumer.pause(*flowing)
            consumer.poll(timeout_ms=0)
            with self._lock:
                consumer.resume(*[one for one in flowing if one in self._placed])
        except (KafkaError, KeyError):  # the next poll will tell
            return

    def is_at_end(self) -> bool:
        """As `Feed.is_at_end`."""
        consumer = self._consumer
        with self._lock:
            partitions, waiting = list(self._placed), bool(self._waiting)
        if consumer is None or waiting or not partitions:
            return False
        try:
            ends = consumer.end_offsets(partitions, timeout_ms=_ASK_MS)
            return all((consumer.position(one, timeout_ms=_ASK_MS) or 0) >= ends[one] for one in partitions)
        except KafkaError as error:
            self._drop()
            raise _away(self._settings, error) from error


class _Listener(ConsumerRebalanceListener):  # type: ignore[misc]
    def __init__(self, feed: KafkaFeed) -> None:
        self._feed = feed

    def on_partitions_assigned(self, assigned: Iterable[TopicPartition]) -> None:
        self._feed.assigned(assigned)

    def on_partitions_revoked(self, revoked: Iterable[TopicPartition]) -> None:
        self._feed.revoked(revoked)

    def on_partitions_lost(self, lost: Iterable[TopicPartition]) -> None:
        self._feed.revoked(lost)


def _consumer(settings: Settings) -> Any:
    """A consumer that answers for nothing by itself: no commits, no offsets of its own, no topics made by asking.

    Raises:
        BrokerAway: nobody answers there, or lets us in.
    """
    greet(settings, settings.topic)
    made: list[Any] = []

    def client(**options: Any) -> Any:
        made.append(KafkaNetClient(**options))
        return made[-1]

    try:
        return KafkaConsumer(
            **settings.connection(),
            group_id=settings.group,
            enable_auto_commit=False,
            auto_offset_reset="none",
            allow_auto_create_topics=False,
            isolation_level="read_committed",
            partition_assignment_strategy=[CooperativeStickyAssignor],
            session_timeout_ms=settings.session_timeout_ms,
            heartbeat_interval_ms=max(300, settings.session_timeout_ms // 4),
            max_poll_interval_ms=settings.max_poll_interval_ms,
            max_poll_records=settings.batch_records,
            fetch_max_bytes=max(16 << 20, 2 * settings.batch_bytes),
            max_partition_fetch_bytes=max(2 << 20, settings.record_max_bytes),
            reconnect_backoff_max_ms=1_000,
            metadata_max_age_ms=30_000,
            bootstrap_timeout_ms=5_000,
            metrics_enabled=False,
            kafka_client=client,
        )
    except (KafkaError, OSError) as error:
        for one in made:  # or its thread would stay for ever
            one.close()
        raise _away(settings, error) from error


def _away(settings: Settings, error: BaseException) -> BrokerAway:
    """In words; what Kafka says of rights names neither who asked nor what for."""
    if isinstance(error, GroupAuthorizationFailedError):
        words = f"read as one of the group {settings.group} (READ)"
    else:
        words = f"read {settings.topic} and its configuration (READ, DESCRIBE_CONFIGS)"
    said = str(error).strip() or type(error).__name__
    return lacks_right(settings, error, words) or BrokerAway(f"Kafka at {settings.bootstrap_servers}: {said}")


def _check_policy(settings: Settings) -> None:
    """Only a topic that keeps every record may be ingested.

    Raises:
        Refused: it is compacted.
        NotLetIn: its configuration may not be seen.
    """
    admin = KafkaAdminClient(**settings.connection())
    try:
        answer = admin.describe_configs([ConfigResource(ConfigResourceType.TOPIC, settings.topic)], config_filter="all")
    finally:
        admin.close()
    found = answer["topic"][settings.topic]
    if not found:  # so Kafka says that it may not be seen
        raise _away(settings, TopicAuthorizationFailedError(settings.topic))
    policy = str(found["cleanup.policy"]["value"])
    if policy != "delete":
        raise Refused(
            f"topic {settings.topic} has cleanup.policy `{policy}`: compaction keeps one record of a stream",
            hint="a topic for Recoup has cleanup.policy `delete`: deploy/kafka/topics describes them",
        )


def _held(record: bytes, limit: int) -> bytes | Oversized:
    if len(record) <= limit:
        return record
    return Oversized(record[:HEAD_KEPT], sha256(record).digest(), len(record))


def _lag(consumer: Any, partition: TopicPartition) -> int:
    """By what the last fetch said; 0 while that is not known."""
    try:
        end, at = consumer.highwater(partition), consumer._subscription.position(partition)
    except (KafkaError, KeyError, AttributeError):  # it went meanwhile
        return 0
    return max(0, end - at.offset) if end is not None and at is not None else 0


def _unheard(_offsets: Any, _answer: Any) -> None:
    """A commit that fails is made good by the next."""
