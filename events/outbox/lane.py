"""One topic's way through the log: how far it has been served, and the message that it does not take, if any."""

from __future__ import annotations

import time

from events.outbox.sender import NotTaken


class Lane:
    """A topic and the stored types that go there.

    `at`: all rows before it are acknowledged; `written`: so far says the store. `refused`: its next message is not
    taken, and until it is nothing behind it is read; `tries`: so many times was it sent.
    """

    def __init__(self, topic: str, types: tuple[str, ...], at: int) -> None:
        self.topic = topic
        self.types = types
        self.at = self.written = at
        self.refused: NotTaken | None = None
        self.tries = 0
        self._pause_s = self._due = 0.0

    def end(self, size: int) -> int:
        """The tree index up to which the next page may reach: of a refused message first what lies before it (of other
        partitions), then that message alone."""
        if self.refused is None:
            return size
        stop = self.refused.message.at
        return stop if self.at < stop else stop + 1

    @property
    def is_due(self) -> bool:
        """Whether it may be sent something now."""
        return self.refused is None or self.at < self.refused.message.at or time.monotonic() >= self._due

    def refuse(self, error: NotTaken, low_s: float, high_s: float) -> bool:
        """Notes that a message was not taken; whether that is news. The second try comes at once, then after pauses."""
        is_same = self.refused is not None and self.refused.message.at == error.message.at
        is_news = not is_same or str(self.refused) != str(error)
        self.tries = self.tries + 1 if is_same else 1
        self._pause_s = min(high_s, max(low_s, self._pause_s * 2)) if is_same else 0.0
        self._due = time.monotonic() + self._pause_s
        self.refused = error
        return is_news

    def served(self, at: int) -> bool:
        """All rows before `at` are acknowledged; whether a message that was refused is among them now."""
        self.at = at
        is_taken = self.refused is not None and at > self.refused.message.at
        if is_taken:
            self.refused = None
        return is_taken
