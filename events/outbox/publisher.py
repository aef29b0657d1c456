"""The loop of the outbox: read a page, send it, wait for acknowledgement, write the position; back off and go on."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping
from threading import Event
from typing import TypeVar

from eventsourcing.persistence import PersistenceError

from events.errors import Refused, SealBroken, StoreMissing, StoreTooNew, Unable
from events.ingest.kafka.settings import Settings
from events.outbox.page import Page, read_page
from events.outbox.position import read_positions, record_position
from events.outbox.sender import ASK_S, Cut, Sender, said
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
        self.routes = dict(routes)
        self.topics = sorted(set(routes.values()))
        self.settings = settings
        self.watch = watch or Watch(settings.stall_s)
        self.stop = Event()
        self._opened = opened
        self._connected = connected
        self._say = say
        self._again = again
        self._pause_s = 0.0

    def run(self, *, once: bool = False) -> int:
        """Until `stop` is set; `once`: until everything that the log holds now is acknowledged. Gives what was sent.

        Raises:
            Refused, SealBroken, StoreMissing, StoreTooNew: waiting would not mend it.
            Unable: only if `once`: store or broker is away.
        """
        while not self.stop.is_set():
            part = "store"
            try:
                with self._opened() as log:
                    part = "broker"
                    sender = self._connected()
                    try:
                        if self._follow(log, sender, once=once):
                            break
                    finally:
                        sender.close()
            except FINAL:
                raise
            except Cut as error:
                self._say(str(error))
                break
            except (Unable, PersistenceError) as error:
                if once:
                    raise
                self._failed(part if part == "store" or not isinstance(error, _StoreAway) else "store", error)
        return sum(self.watch.sent.values())

    def _follow(self, log: Log, sender: Sender, *, once: bool) -> bool:
        """True when there is nothing more to do; leaves by an exception when store or broker is lost."""
        positions = dict.fromkeys(self.topics, 0)
        if not self._again:
            positions = _of_store(lambda: read_positions(log, sender.cluster, self.topics))
        at = written = min(positions.values())
        written_at = asked_at = time.monotonic()
        until = _of_store(log.size) if once else -1
        self._is_there(at)
        while not self.stop.is_set():
            page = self._page(log, positions, at)
            if page.messages:
                sender.send(page.messages, self.stop)
                self.watch.acknowledged(Counter(message.topic for message in page.messages))
                asked_at = time.monotonic()
            at = page.end
            is_end = at >= page.size if not once else at >= until
            is_due = at > written and (time.monotonic() - written_at > IDLE_S or (once and is_end))
            if page.messages or is_due:
                self._record(log, sender.cluster, at)
                written, written_at = at, time.monotonic()
                self._again = False if is_end else self._again
            self.watch.looked(at, page.size)
            self._pause_s = 0.0
            if is_end:
                if once:
                    return True
                self.stop.wait(POLL_S)
                if time.monotonic() - asked_at > ASK_S:
                    asked_at = time.monotonic()
                    sender.ask()
        if at > written:
            self._record(log, sender.cluster, at)
        return True

    def _is_there(self, at: int) -> None:
        self.watch.well(*PARTS)
        self._say(f"following the log from row {at} for {', '.join(self.topics)}")

    def _page(self, log: Log, positions: Mapping[str, int], at: int) -> Page:
        return _of_store(lambda: read_page(log, self.routes, positions, at))

    def _record(self, log: Log, cluster: str, at: int) -> None:
        """The position, tried again while the store is busy or away: what is acknowledged need not be sent again."""
        while True:
            try:
                record_position(log, cluster, self.topics, at)
            except (Unable, PersistenceError) as error:
                if self.stop.is_set():
                    raise Cut(f"the position {at} is not written, {said(error)}; what was sent comes again") from error
                self._failed("store", error)
            else:
                self.watch.well("store")
                return

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
