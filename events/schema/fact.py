"""A fact: one stored record as the judge sees it."""

from __future__ import annotations

from msgspec import Struct

from events.schema.event import Event, Undecoded
from events.values.names import RECOUP


class Fact(Struct, frozen=True, gc=False):
    """A record decoded, with its place. `round` is what the record says until `table_order` has resolved it.

    `occurred_at` is the table's time in milliseconds UTC, `recorded_at` ours in microseconds UTC. `part` counts the
    starts of a source's counter in one session (0 stands for released conflicts). `version` and `index` are
    arrival; nothing that is judged depends on them.
    """

    subject: str
    source: str
    sequence: int
    topic: str
    event: Event | Undecoded
    occurred_at: int
    round: str | None = None
    part: int = 1
    about: str | None = None
    account: str | None = None
    reason: str | None = None
    recorded_at: int = 0
    version: int = 0
    index: int = -1

    @property
    def origin(self) -> str:
        """The source with its part, as citations write it."""
        if self.part == 1:
            return self.source
        return f"{self.source}~{self.part or 'r'}"

    @property
    def cite(self) -> str:
        """`<sequence>@<source>`: how findings and verdicts name it."""
        return f"{self.sequence}@{self.origin}"

    @property
    def ours(self) -> bool:
        """Whether Recoup itself wrote it."""
        return self.source.startswith(RECOUP)
