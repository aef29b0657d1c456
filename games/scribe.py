"""Writes a session as a table's devices would: sequence, time and round kept, one envelope a record."""

from __future__ import annotations

from datetime import date, datetime, time

import msgspec

from events.schema.envelope import Envelope, make_envelope
from events.schema.event import Event
from events.values.clock import PRAGUE


class Scribe:
    """A dealer's pen. `at_ms` is the table's clock; `say` moves it on by `after_s` seconds first.

    `subject` is `table/<house>/<table>/<day>.<n>` (`kind` desk: a cash desk's), the default source the table's
    terminal; other devices speak through `source=`, each with its own counter.
    """

    def __init__(
        self, table: str, day: str, *, session: int = 1, source: str = "terminal", hour: int = 18, kind: str = "table"
    ) -> None:
        self.subject = f"{kind}/{table}/{day}.{session}"
        self.table = table
        self._terminal = f"/{table}/{source}"
        opening = datetime.combine(date.fromisoformat(day), time(hour), tzinfo=PRAGUE)
        self.at_ms = int(opening.timestamp()) * 1000
        self.round: str | None = None
        self._next: dict[str, int] = {}

    def source(self, device: str) -> str:
        """The name of one of the table's devices: `shoe` → `/brno/BJ-1/shoe`."""
        return f"/{self.table}/{device}"

    def say(
        self,
        event: Event,
        after_s: float = 0.0,
        *,
        source: str | None = None,
        at_ms: int | None = None,
        skip: int = 0,
    ) -> Envelope:
        """The envelope of an event. `at_ms`: an exact time (the clock stays); `skip`: a hole before it."""
        self.at_ms += round(after_s * 1000)
        speaker = source or self._terminal
        sequence = self._next[speaker] = self._next.get(speaker, 0) + 1 + skip
        return make_envelope(
            subject=self.subject,
            source=speaker,
            sequence=sequence,
            topic=event.TOPIC,
            at_ms=self.at_ms if at_ms is None else at_ms,
            data=msgspec.to_builtins(event),
            round_name=self.round,
        )

    @property
    def book(self) -> str:
        """The table and its session, as slips name them: `BJ-1-2026-11-28.1`."""
        return "-".join(self.subject.split("/")[2:])

    @property
    def speakers(self) -> tuple[str, ...]:
        """The sources that have spoken, in order of first word."""
        return tuple(self._next)
