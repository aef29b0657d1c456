"""The feed in a process of its own: fetching and taking apart what Kafka sends, beside the process that stores.

The two speak in turns over one pipe; between two turns the other process already gathers the next batch. It holds at
the most that one. When this process ends, however it ends, the pipe breaks and the other leaves the group and ends too.
"""

from __future__ import annotations

import multiprocessing
import signal
from array import array
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from itertools import accumulate, pairwise
from multiprocessing.connection import Connection
from time import monotonic
from typing import Any

from events.errors import Refused, Unable
from events.ingest.kafka.feed import KafkaFeed, Place, Polled
from events.ingest.kafka.reach import BrokerAway, NotLetIn
from events.ingest.kafka.settings import Settings
from events.store import Oversized, Partition

_ANSWER_S = 120.0
_GATHER_MS = 20


class FeedBeside:
    """A `Feed` that another process does the work of; started again by the next call, should it die."""

    def __init__(self, read: Callable[[], Settings]) -> None:
        self._read = read
        self._process: Any = None
        self._pipe: Any = None

    def _ask(self, name: str, *words: Any) -> Any:
        if self._process is None:
            self._start()
        try:
            self._pipe.send((name, words))
            if not self._pipe.poll(_ANSWER_S):
                raise EOFError(f"no answer for {_ANSWER_S:.0f} s")
            answer, *body = self._pipe.recv()
            if answer == "polled":
                return _unpacked(self._pipe, *body)
        except (EOFError, OSError) as error:
            self._end()
            raise BrokerAway(f"the process that fetches from Kafka is gone: {type(error).__name__} {error}") from error
        if answer == "error":
            kind, text, hint = body
            raise _ERRORS[kind](text, hint=hint)
        return body[0]

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, other = context.Pipe()
        self._process = context.Process(target=_serve, args=(other, self._read), name="recoup-fetch", daemon=True)
        self._process.start()
        other.close()

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            self._pipe.close()
            process.join(10)
            if process.is_alive():
                process.kill()
                process.join()

    def poll(self, wait_ms: int) -> Polled:
        """As `Feed.poll`."""
        found: Polled = self._ask("poll", wait_ms)
        return found

    def waiting(self) -> list[Place]:
        """As `Feed.waiting`."""
        found: list[Place] = self._ask("waiting")
        return found

    def place(self, starts: Mapping[int, int]) -> None:
        """As `Feed.place`."""
        self._ask("place", dict(starts))

    def stored(self, partitions: Sequence[Partition]) -> None:
        """As `Feed.stored`."""
        self._ask("stored", tuple(partitions))

    def forget(self) -> None:
        """As `Feed.forget`: the batch gathered meanwhile is forgotten too. A dead process has forgotten all."""
        if self._process is not None:
            with suppress(BrokerAway):
                self._ask("forget")

    def is_at_end(self) -> bool:
        """As `Feed.is_at_end`."""
        return bool(self._ask("is_at_end"))

    def close(self) -> None:
        """As `Feed.close`."""
        if self._process is not None:
            with suppress(BrokerAway):
                self._ask("close")
            self._end()


_ERRORS: dict[str, type[Refused | Unable]] = {
    "away": BrokerAway,
    "not let in": NotLetIn,
    "refused": Refused,
    "unable": Unable,
}


def _serve(pipe: Connection, read: Callable[[], Settings]) -> None:
    """The other process: answers until the pipe breaks or it is closed."""
    for number in (signal.SIGTERM, signal.SIGINT):  # they are for the process that stores; it tells us
        signal.signal(number, signal.SIG_IGN)
    feed = KafkaFeed(read)
    try:
        _Server(pipe, feed, read().max_poll_interval_ms / 3000).run()
    except (EOFError, OSError):
        return
    finally:
        feed.close()


class _Server:
    def __init__(self, pipe: Connection, feed: KafkaFeed, keep_s: float) -> None:
        self._pipe = pipe
        self._feed = feed
        self._keep_s = keep_s
        self._ready: Polled | None = None
        self._failed: BrokerAway | None = None
        self._kept_at = monotonic()

    def run(self) -> None:
        """Gathers whenever nobody asks anything."""
        is_asked_before = False
        while True:
            if is_asked_before and self._ready is None and self._failed is None and not self._pipe.poll():
                self._gather(_GATHER_MS)
                continue
            if not self._pipe.poll(self._keep_s):
                self._feed.keep_alive()
                continue
            name, words = self._pipe.recv()
            is_asked_before = True
            if name == "poll":
                self._poll(*words)
            else:
                self._answer(name, words)
                if name == "close":
                    return

    def _gather(self, wait_ms: int) -> None:
        try:
            found = self._feed.poll(wait_ms)
        except BrokerAway as error:
            self._failed = error
            return
        if found.records:
            self._ready = found

    def _poll(self, wait_ms: int) -> None:
        if self._ready is None and self._failed is None:
            try:
                self._ready = self._feed.poll(wait_ms)
            except BrokerAway as error:
                self._failed = error
        failed, self._failed = self._failed, None
        found, self._ready = self._ready, None
        if found is not None:
            self._failed = failed  # what was gathered before it failed comes first
            _send(self._pipe, found)
        elif failed is not None:
            self._pipe.send(_told(failed))

    def _answer(self, name: str, words: tuple[Any, ...]) -> None:
        if name == "forget":
            self._ready = None
        elif name == "is_at_end" and self._ready is not None:
            self._pipe.send(("done", False))
            return
        try:
            self._pipe.send(("done", getattr(self._feed, name)(*words)))
        except (Refused, Unable) as error:
            self._pipe.send(_told(error))


def _told(error: Refused | Unable) -> tuple[str, str, str, str]:
    """An error as it goes over the pipe: by the first kind that it is one of."""
    kind = next(name for name in ("not let in", "away", "refused", "unable") if isinstance(error, _ERRORS[name]))
    return "error", kind, str(error), error.hint


def _send(pipe: Connection, found: Polled) -> None:
    """Records as one piece of memory: thousands of objects would cost more than they are worth."""
    held = {at: one for at, one in enumerate(found.records) if isinstance(one, Oversized)}
    plain = [b"" if isinstance(one, Oversized) else one for one in found.records]
    pipe.send(
        (
            "polled",
            array("q", map(len, plain)),
            array("q", found.offsets),
            array("q", found.parts),
            {at: (one.head, one.sha256, one.length) for at, one in held.items()},
            [(one.cluster, one.topic, one.partition, one.next_offset) for one in found.partitions],
            found.lag,
            found.waiting,
            found.rebalances,
        )
    )
    if plain:
        pipe.send_bytes(b"".join(plain))


def _unpacked(
    pipe: Connection,
    lengths: array[int],
    offsets: array[int],
    parts: array[int],
    held: dict[int, tuple[bytes, bytes, int]],
    partitions: list[tuple[str, str, int, int]],
    lag: dict[int, int],
    waiting: int,
    rebalances: int,
) -> Polled:
    records: list[bytes | Oversized] = []
    if lengths:
        whole = pipe.recv_bytes()
        records += [whole[low:high] for low, high in pairwise(accumulate(lengths, initial=0))]
        for at, one in held.items():
            records[at] = Oversized(*one)
    return Polled(
        records=records,
        offsets=offsets.tolist(),
        parts=parts.tolist(),
        partitions=tuple(Partition(*one) for one in partitions),
        lag=lag,
        waiting=waiting,
        rebalances=rebalances,
    )
