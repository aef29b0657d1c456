"""The ingest daemon: polls, stores, and goes on by itself whatever comes back.

One rule makes it safe: offsets are stored in the transaction that stores the records, and reading begins where the
store says. So after any failure, of the store, the broker or this process, everything polled is forgotten, partitions
are placed anew, and what was stored is found as repeats.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from threading import Event as Flag
from time import monotonic, time_ns

from eventsourcing.persistence import PersistenceError
from msgspec import Struct

from events.errors import SealBroken, StoreMissing, StoreTooNew, Unable
from events.ingest.kafka.feed import Feed, Place, Polled
from events.ingest.kafka.meter import Meter
from events.ingest.kafka.reach import BrokerAway, NotLetIn
from events.ingest.kafka.settings import Settings
from events.schema.ours import OffsetOutOfRange
from events.store import COUNTS, Draft, Log, Origin, Oversized, Receipt, total_of
from events.store.accept import quarantine_stream

_POLL_MS = 250
_READY_MS = 5
_TRIES = 5
"""So often who is to do it but once asks a Kafka that does not answer."""
_NO_KAFKA = "is it up there? without --once it is waited for"
_COUNT_IDLE_S, _COUNT_BUSY_S = 3.0, 60.0
"""Gaps are counted over all heads of the log: not every second, and less often while records wait."""

_QUIET_S = 5.0
"""So long after partitions were placed anew, a store that did not take a batch counts as away, if none comes."""

HELP = {
    "received_total": "Records received from Kafka and decided about.",
    "stored_total": "Records stored.",
    "repeats_total": "Records that were stored, or lay in quarantine, already.",
    "conflicts_total": "Records that contradict a stored one.",
    "quarantined_total": "Records that cannot be read, placed or believed.",
    "restarts_total": "Sources that began to count again in mid-session.",
    "batches_total": "Transactions.",
    "out_of_range_total": "Partitions whose wanted offset was out of Kafka's range.",
    "store_failures_total": "Batches that the store could not take; they were read again.",
    "broker_failures_total": "Times that Kafka did not answer.",
    "rebalances_total": "Times that partitions came or went.",
    "broker_up": "1 while Kafka answers.",
    "store_up": "1 while the store takes records.",
    "partitions_open": "Partitions read by this daemon.",
    "gaps_open": "Holes in the sources' counters, over the whole log.",
    "records_missing": "Records in these holes.",
    "lag": "Records in Kafka behind what was polled, by partition.",
    "last_commit_timestamp_seconds": "When something was last stored, in seconds since 1970.",
}
_AWAY = (Unable, PersistenceError)
"""What a store that cannot be used now raises; anything else is a mistake of ours, and ends the daemon."""


class Totals(Struct):
    """What became of everything that one daemon received, and how often Kafka had not what the log wanted next."""

    receipt: Receipt = Receipt()
    out_of_range: int = 0

    @property
    def alarms(self) -> int:
        """What a person should look at."""
        return self.receipt.alarms + self.out_of_range


class Backoff:
    """Pauses that double, until something goes well."""

    def __init__(self, settings: Settings) -> None:
        self._first, self._last = settings.backoff_min_ms / 1000, settings.backoff_max_ms / 1000
        self._next = self._first
        self.until = 0.0
        self.failures = 0

    def failed(self) -> float:
        """The pause that is due now, in seconds."""
        self.failures += 1
        pause, self._next = self._next, min(self._next * 2, self._last)
        self.until = monotonic() + pause
        return pause

    def went_well(self) -> None:
        """The next failure begins with the shortest pause."""
        self._next, self.until, self.failures = self._first, 0.0, 0

    @property
    def is_over(self) -> bool:
        """Whether it is time to try again."""
        return monotonic() >= self.until


class Daemon:
    """Reads a feed into a log until `stopping` is set. `say` tells the journal what a person should know."""

    def __init__(
        self, feed: Feed, log: Log, settings: Settings, meter: Meter, *, say: Callable[[str], None], stopping: Flag
    ) -> None:
        self.totals = Totals()
        self._feed = feed
        self._log = log
        self._meter = meter
        self._say = say
        self._stopping = stopping
        self._broker, self._store = Backoff(settings), Backoff(settings)
        self._topic = settings.topic
        self._counted_at, self._counted = 0.0, -1
        self._placed_at = 0.0
        self._read_partitions = 0
        self._known_lost: set[OffsetOutOfRange] = set()
        meter.put("store_up", 1)

    def run(self, *, once: bool = False) -> Totals:
        """Until it is told to stop; `once`: until all that lies in its partitions is stored.

        Raises:
            Refused: the topic is compacted.
            Unable: `once`, and Kafka does not answer, nor when asked again.
            SealBroken, StoreMissing, StoreTooNew: what is found is no log that this Recoup may write.
        """
        try:
            while not self._stopping.is_set():
                try:
                    if self._turn() and once and self._feed.is_at_end():
                        break
                except BrokerAway as error:
                    self._lost_broker(error)
                    if once and (isinstance(error, NotLetIn) or self._broker.failures >= _TRIES):
                        raise Unable(str(error), hint=error.hint or _NO_KAFKA) from error
                self._meter.moved()
        finally:
            self._feed.close()
        return self.totals

    def _turn(self) -> bool:
        """One time round; whether all went well and nothing came.

        Raises:
            BrokerAway: Kafka does not answer, or does not let us in.
        """
        polled = self._feed.poll(_POLL_MS)
        self._heard(polled)
        if polled.records:
            if self._take(polled):
                self._count(_COUNT_BUSY_S)
            return False
        if polled.waiting and self._store.is_over:
            self._place(self._feed.waiting())
        elif not polled.waiting and monotonic() - self._placed_at > _QUIET_S:
            self._store_is_there()  # what it did not take comes no more: another daemon has it
        self._count(_COUNT_IDLE_S)
        return not polled.waiting

    # -- the broker

    def _heard(self, polled: Polled) -> None:
        meter = self._meter
        if "broker" in meter.trouble:
            del meter.trouble["broker"]
            self._say("Kafka answers again")
        self._broker.went_well()
        meter.put("broker_up", 1)
        meter.put("partitions_open", len(polled.lag))
        if not polled.waiting and len(polled.lag) != self._read_partitions:
            self._read_partitions = len(polled.lag)
            self._say(f"reading {self._topic}, partitions {', '.join(map(str, sorted(polled.lag))) or 'none'}")
        meter.put("rebalances_total", polled.rebalances)
        meter.put_lag(polled.lag)

    def _lost_broker(self, error: BrokerAway) -> None:
        pause = self._broker.failed()
        self._meter.add("broker_failures_total")
        self._meter.put("broker_up", 0)
        self._meter.put("partitions_open", 0)
        self._read_partitions = 0
        if self._meter.trouble.get("broker") != str(error):
            hint = f" ({error.hint})" if error.hint else ""
            self._say(f"{error}; trying again until it answers{hint}")
        self._meter.trouble["broker"] = str(error)
        self._stopping.wait(pause)

    # -- the store

    def _take(self, first: Polled) -> bool:
        """Stores a batch with its offsets, and those that lie ready behind it; whether the store took them.

        While one is committed the next is fetched and parsed.
        """
        underway: deque[Polled] = deque()
        try:
            for receipt in self._log.accept_all(self._batches(first, underway)):
                self._feed.stored(underway.popleft().partitions)
                self._store_is_there()
                self._note(receipt)
        except BrokerAway:
            raise
        except _AWAY as error:
            self._lost_store(error)
            return False
        return True

    def _batches(self, polled: Polled, underway: deque[Polled]) -> Iterator[tuple[Sequence[bytes | Oversized], Origin]]:
        """Until nothing lies ready, or there is something else to do."""
        while polled.records:
            underway.append(polled)
            yield polled.records, self._origin(polled)
            self._meter.moved()
            if polled.waiting or self._stopping.is_set():
                return
            polled = self._feed.poll(_READY_MS)
            self._heard(polled)

    def _origin(self, polled: Polled) -> Origin:
        return Origin(
            kind="kafka",
            name=self._topic,
            lines=polled.offsets,
            parts=polled.parts,
            partitions=polled.partitions,
            account=self._log.account,
        )

    def _lost_store(self, error: Exception) -> None:
        """Everything polled is forgotten; the group is kept by polling on, with all partitions standing still.

        Raises:
            StoreMissing, StoreTooNew: that does not mend by itself.
        """
        if isinstance(error, (StoreMissing, StoreTooNew, SealBroken)):
            raise error
        self._store.failed()
        self._meter.add("store_failures_total")
        self._meter.put("store_up", 0)
        said = str(error).strip() or type(error).__name__
        if "store" not in self._meter.trouble:
            self._say(f"the store does not take records: {said}; trying again until it does")
        self._meter.trouble["store"] = f"the store: {said}"
        self._feed.forget()

    def _store_is_there(self) -> None:
        self._store.went_well()
        if "store" in self._meter.trouble:
            del self._meter.trouble["store"]
            self._meter.put("store_up", 1)
            self._say("the store takes records again")

    def _note(self, receipt: Receipt) -> None:
        meter = self._meter
        self.totals.receipt = total_of([self.totals.receipt, receipt])
        for name in COUNTS:
            meter.add(f"{name}_total", getattr(receipt, name))
        meter.add("batches_total")
        meter.committed()
        if receipt.alarms:
            why = "".join(f", {reason} {count}" for reason, count in sorted(receipt.reasons.items()))
            self._say(
                f"alarm: {receipt.conflicts} conflicts, {receipt.quarantined} quarantined{why}, "
                f"{receipt.restarts} counters begun again"
            )

    # -- places

    def _place(self, places: list[Place]) -> None:
        """Each partition goes on where the store says; what Kafka no longer has is authored and alarmed."""
        starts: dict[int, int] = {}
        try:
            for place in places:
                starts[place.partition] = self._start(place)
        except _AWAY as error:
            if isinstance(error, BrokerAway):
                raise
            self._lost_store(error)
            return
        self._placed_at = monotonic()
        self._feed.place(starts)  # that the store can be read does not mean that it can be written

    def _start(self, place: Place) -> int:
        wanted = self._log.next_offset(place.cluster, place.topic_id, place.partition)
        if wanted is None or place.earliest <= wanted <= place.latest:
            return place.earliest if wanted is None else wanted
        event = OffsetOutOfRange(
            cluster=place.cluster,
            topic=place.topic,
            topic_id=place.topic_id,
            partition=place.partition,
            stored=wanted,
            earliest=place.earliest,
            latest=place.latest,
        )
        if event not in self._known_lost:
            self._log.author(quarantine_stream(time_ns() // 1000), [Draft(event=event)])
            self._known_lost.add(event)
            self.totals.out_of_range += 1
            self._meter.add("out_of_range_total")
            self._say(
                f"alarm: {place.topic}, partition {place.partition}: the log wants offset {wanted}, Kafka has "
                f"{place.earliest} to {place.latest}; going on from {place.earliest}"
            )
        return place.earliest

    def _count(self, every_s: float) -> None:
        """Gaps, if something was stored since they were counted last."""
        if monotonic() - self._counted_at < every_s or self.totals.receipt.received == self._counted:
            return
        try:
            gaps = self._log.gaps(lost=False)
        except _AWAY:
            return
        self._counted_at, self._counted = monotonic(), self.totals.receipt.received
        self._meter.put("gaps_open", len(gaps))
        self._meter.put("records_missing", sum(gap.last - gap.first + 1 for gap in gaps))
