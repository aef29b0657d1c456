"""What the publisher says about itself: counts and times, for `/metrics`, `/healthz` and a person."""

from __future__ import annotations

import time
from collections import Counter

from events.ingest.kafka.meter import Meter

PREFIX = "recoup_publish"
HELP = {
    "sent_total": "Messages acknowledged, repeats after a failure included.",
    "broker_failures_total": "Times that a page could not be sent, or no broker answered.",
    "store_failures_total": "Times that the store could not be read or written.",
    "broker_up": "1 while Kafka takes what is sent.",
    "store_up": "1 while the store can be read and the position written.",
    "topics_held": "Topics whose next message the broker refuses; nothing behind it is sent there.",
    "position": "Rows of the log before which everything is acknowledged, in every topic.",
    "rows": "Rows of the log.",
    "lag_rows": "Rows of the log behind the position.",
    "last_acknowledged_timestamp_seconds": "When a message was last acknowledged, in seconds since 1970.",
}
PARTS = ("broker", "store")


class Watch:
    """Written by the publisher's thread. `sent`: messages by topic; `failures`: by `broker` and `store`."""

    def __init__(self, stall_s: int = 60) -> None:
        self.meter = Meter(PREFIX, HELP, stall_s)
        self.sent: Counter[str] = Counter()
        self.failures: Counter[str] = Counter()
        self.position = 0
        self.size = 0
        self.meter.trouble["start"] = "not connected yet"
        self.meter.put("topics_held", 0)

    @property
    def is_connected(self) -> bool:
        """Store and broker are both there."""
        return not self.meter.trouble

    def well(self, *parts: str) -> None:
        """These are there."""
        self.meter.trouble.pop("start", None)
        for part in parts:
            self.meter.trouble.pop(part, None)
            self.meter.put(f"{part}_up", 1)
        self.meter.moved()

    def failed(self, part: str, message: str) -> None:
        """Store or broker is away, or refuses."""
        self.failures[part] += 1
        self.meter.add(f"{part}_failures_total")
        self.meter.put(f"{part}_up", 0)
        self.meter.trouble.pop("start", None)
        self.meter.trouble[part] = f"{part}: {message}"
        self.meter.moved()

    def refused(self, topic: str, message: str) -> None:
        """A topic does not take its next message."""
        self.meter.trouble[f"topic {topic}"] = message
        self._count_held()

    def taken(self, topic: str) -> None:
        """It does again."""
        self.meter.trouble.pop(f"topic {topic}", None)
        self._count_held()

    def _count_held(self) -> None:
        self.meter.put("topics_held", sum(name.startswith("topic ") for name in self.meter.trouble))
        self.meter.moved()

    def looked(self, position: int, size: int) -> None:
        """The log was read: all before `position` is acknowledged, of `size` rows."""
        self.position, self.size = position, size
        self.meter.put("position", position)
        self.meter.put("rows", size)
        self.meter.put("lag_rows", max(0, size - position))
        self.meter.moved()

    def acknowledged(self, topics: Counter[str]) -> None:
        """So many messages a topic."""
        self.sent.update(topics)
        self.meter.add("sent_total", topics.total())
        self.meter.put("last_acknowledged_timestamp_seconds", time.time())
