"""The loop of the outbox: for each topic read a page, send it, wait for acknowledgement, write the position."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from threading import Event
from typing import TypeVar

from eventsourcing.persistence import PersistenceError

from events.errors import Refused, SealBroken, StoreMissing, StoreTooNew, Unable
from events.ingest.kafka.settings import Settings
from events.outbox.lane import Lane
from events.outbox.messages import Message
from events.outbox.page import Page, read_page
from events.outbox.position import read_positions, record_positions
from events.outbox.sender import ASK_S, Cut, NotTaken, Sender, said
from events.outbox.watch import PARTS, Watch
from events.store import Log

T = TypeVar("T")

POLL_S = 0.2
"""How often a log in which nothing happens is looked at."""

IDLE_S = 30.0
"""A position that moved over rows of no interest is written so often: it takes the log's lock."""

FINAL = (Refused, SealBroken, StoreMissing, StoreTooNew)
"""What no waiting mends."""


class Publisher:
    """Follows one log for one cluster.

    `opened` opens the log, `connected` a producer; both are asked again after a failure. `say` takes a line for people.
    A topic that refuses a message holds up nobody but itself.
    """

    def __init__(
        self,
        routes: Mapping[str, str],
        settings: Settings,
        opened: Callable[[], Log],
        connected: Callable[[], Sender],
        *,
        watch: Watch | None = None,
        say: Callable[[str], None] = lambda _line: None,
        again: bool = False,
    ) -> None:
        self.topics = sorted(set(routes.values()))
        self.settings = settings
        self.watch = watch or Watch(settings.stall_s)
        self.stop = Event()
        self._types = {topic: tuple(name for name, to in routes.items() if to == topic) for topic in self.topics}
        self._opened = opened
        self._connected = connected
        self._say = say
        self._again = again
        self._pause_s = 0.0
        self._cluster = ""
        self._lanes: list[Lane] = []
        self._written_at = 0.0

    def run(self, *, once: bool = False) -> int:
        """Until `stop` is set; `once`: until everything that the log holds now is acknowledged. Gives what was sent.

        Raises:
            Refused, SealBroken, StoreMissing, StoreTooNew: waiting would not mend it.
            Unable: only if `once`: store or broker is away.
            NotTaken: only if `once`: a topic refuses a message; the others have all of theirs.
        """
        while not self.stop.is_set():
            part = "store"
            try:
                with self._opened() as log:
                    part = "broker"
                    sender = self._connected()
                    try:
                        self._follow(log, sender, once=once)
                        break
                    finally:
                        sender.close()
            except FINAL:
                raise
            except Cut as error:
                self._say(str(error))
                break
            except NotTaken as error:
                self._not_taken(error)
            except (Unable, PersistenceError) as error:
                if once:
                    raise
                self._failed(part if part == "store" or not isinstance(error, _StoreAway) else "store", error)
        if once and self.refused:
            raise self.refused[0]
        return sum(self.watch.sent.values())

    @property
    def refused(self) -> list[NotTaken]:
        """Messages that their topics do not take, a topic each."""
        return [lane.refused for lane in self._lanes if lane.refused is not None]

    def _follow(self, log: Log, sender: Sender, *, once: bool) -> None:
        """Until there is nothing more to do; an exception says that store or broker is lost, or a topic refuses."""
        self._begin(log, sender.cluster)
        asked_at = time.monotonic()
        until = _of_store(log.size) if once else 0
        while not self.stop.is_set():
            size = until or _of_store(log.size)
            if self._round(log, sender, size):
                asked_at = time.monotonic()
            self.watch.looked(min(lane.at for lane in self._lanes), size)
            self._pause_s = 0.0
            waiting = [lane for lane in self._lanes if lane.at < size and not (once and lane.tries > 1)]
            if not waiting and once:
                break
            if any(lane.is_due for lane in waiting):
                continue
            self.stop.wait(POLL_S)
            if time.monotonic() - asked_at > ASK_S:
                asked_at = time.monotonic()
                sender.ask()
        self._record(log)

    def _begin(self, log: Log, cluster: str) -> None:
        """Where each topic goes on: after a failure where we know it to be, on another cluster where the store says."""
        if cluster != self._cluster:
            positions = {} if self._again else _of_store(lambda: read_positions(log, cluster, self.topics))
            self._lanes = [Lane(topic, self._types[topic], positions.get(topic, 0)) for topic in self.topics]
            self._cluster = cluster
        self.watch.well(*PARTS)
        at = min(lane.at for lane in self._lanes)
        if not self.refused:  # a message that is tried again and again is no news
            self._say(f"following the log from row {at} for {', '.join(self.topics)}")

    def _round(self, log: Log, sender: Sender, size: int) -> bool:
        """A page for each topic that has one; whether anything was sent."""
        has_sent = False
        for lane in self._lanes:
            if lane.at >= size or not lane.is_due:
                continue
            page = self._page(log, lane, size)
            if page.messages:
                self._send(log, sender, lane, page)
                has_sent = True
            if lane.served(page.end):
                self.watch.taken(lane.topic)
                self._say(f"`{lane.topic}` takes messages again")
            if page.messages:
                self._record(log)
        if time.monotonic() - self._written_at > IDLE_S:
            self._record(log)
        return has_sent

    def _page(self, log: Log, lane: Lane, size: int) -> Page:
        return _of_store(lambda: read_page(log, lane.topic, lane.types, lane.at, lane.end(size)))

    def _send(self, log: Log, sender: Sender, lane: Lane, page: Page) -> None:
        try:
            sender.send(page.messages, self.stop)
        except NotTaken as error:
            self._acknowledged(one for one in page.messages if one.at < error.first)
            lane.at = error.first
            self._record(log)
            raise
        self._acknowledged(page.messages)

    def _acknowledged(self, messages: Iterable[Message]) -> None:
        self.watch.acknowledged(Counter(message.topic for message in messages))

    def _not_taken(self, error: NotTaken) -> None:
        """The topic waits for somebody to mend it; the others go on at once."""
        low, high = self.settings.backoff_min_ms / 1000, self.settings.backoff_max_ms / 1000
        topic = error.message.topic
        lane = next(lane for lane in self._lanes if lane.topic == topic)
        is_news = lane.refuse(error, low, high)
        self.watch.refused(topic, str(error))
        if is_news:
            self._say(f"{error}; nothing behind it is sent to that topic before it is taken ({error.hint})")

    def _record(self, log: Log) -> None:
        """Positions, tried again while the store is busy or away: what is acknowledged need not be sent again."""
        moved = {lane.topic: lane.at for lane in self._lanes if lane.at > lane.written}
        while moved:
            try:
                record_positions(log, self._cluster, moved)
            except (Unable, PersistenceError) as error:
                if self.stop.is_set():
                    raise Cut(f"positions are not written, {said(error)}; what was sent comes again") from error
                self._failed("store", error)
            else:
                self.watch.well("store")
                break
        for lane in self._lanes:
            lane.written = lane.at
        self._written_at = time.monotonic()

    def _failed(self, part: str, error: BaseException) -> None:
        """Says it and waits, longer each time."""
        low, high = self.settings.backoff_min_ms / 1000, self.settings.backoff_max_ms / 1000
        self._pause_s = min(high, max(low, self._pause_s * 2))
        self.watch.failed(part, said(error))
        self._say(f"{part}: {said(error)}; trying again in {self._pause_s:.1f} s")
        self.stop.wait(self._pause_s)


class _StoreAway(Unable):
    """The store, and not the broker, failed in the middle."""


def _of_store(ask: Callable[[], T]) -> T:
    try:
        return ask()
    except FINAL:
        raise
    except (Unable, PersistenceError) as error:
        raise _StoreAway(said(error), hint=getattr(error, "hint", "")) from error
