"""What scripted dealers of the card games against the bank do alike: speak, keep the float, open and close the table.

A room's dealer keeps the table with the room's own fold and settles what `expects` says is due, so that he cannot know
better than the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random
from typing import Any, Generic, TypeVar

from events.schema import common as tb
from events.schema.envelope import Envelope
from events.schema.event import Event
from events.schema.fact import Fact
from events.values.clock import parse_time
from games.clocks import Clocks
from games.house_rules.edition import Edition
from games.protocol import Due
from games.scribe import Scribe
from games.shared.till import Said, Till

S = TypeVar("S")

OPENER = 50_000_000
USUAL = (49_000_000, 2_000_000, 54_000_000, 2_000_000)
"""Fill below, by how much; credit above, by how much."""

Change = Callable[[Due], list[Event]]
"""What is moved instead of a payment that is due: nothing, less, more, to somebody else."""


class Croupier(Generic[S]):
    """The table and what has been said so far. `said` is emptied by who hands it on."""

    def __init__(
        self,
        rng: Random,
        opened: tb.TableOpened,
        edition: Edition,
        open_table: Callable[[Edition, Fact, tuple[Fact, ...], Clocks], S],
        evolve: Callable[[S, Fact], S],
        *,
        table: str,
        day: str,
    ) -> None:
        self.rng = rng
        self.pen = Scribe(table, day)
        self.said: list[Envelope] = []
        self.stakes = 0
        self.staff = [f"s-{number}" for number in rng.sample(range(10, 60), 4)]
        self.till = Till(self.pen.book, f"box-{rng.randrange(100, 999)}", OPENER, USUAL)
        self._evolve = evolve
        self.session: S = open_table(edition, self._write(opened, 0), (), Clocks())

    def say(self, event: Event, after_s: float = 1.0) -> None:
        """One record; the table then stands as the room's fold has it."""
        self.session = self._evolve(self.session, self._write(event, after_s))
        self.till.note(event)

    def _write(self, event: Event, after_s: float) -> Fact:
        envelope = self.pen.say(event, after_s)
        self.said.append(envelope)
        return Fact(
            subject=envelope.subject,
            source=envelope.source,
            sequence=int(envelope.sequence),
            topic=envelope.type,
            event=event,
            occurred_at=parse_time(envelope.time),
            round=envelope.round,
        )

    def open(self) -> None:
        """Staff, drop box and float."""
        self.say(tb.DealerSeated(self.staff[0]), 20)
        self.say(tb.InspectorSeated(self.staff[1]), 5)
        self._say_all(self.till.opening(*self.staff[:2]))

    def close(self) -> None:
        """Float and cash are counted, staff go, the devices end."""
        self._say_all(self.till.closing(*self.staff[:2]))
        self.say(tb.DealerRelieved(self.staff[0]), 5)
        self.say(tb.InspectorRelieved(self.staff[1]), 1)
        self.say(tb.TableClosed(), 5)
        self.say(tb.SourceEnded(), 1)

    def relieve(self) -> None:
        """Another dealer takes the table."""
        self.say(tb.DealerRelieved(self.staff[0]), 3)
        self.staff = [*self.staff[1:], self.staff[0]]
        self.say(tb.DealerSeated(self.staff[0]), 10)

    def keep_the_float(self) -> None:
        """Chips are brought or sent away where the rack asks for it; between rounds."""
        self._say_all(self.till.carried())

    def _say_all(self, said: Iterable[Said]) -> None:
        for event, after_s in said:
            self.say(event, after_s)

    def stake_name(self) -> str:
        """An id for the next stake, unique in the session."""
        self.stakes += 1
        return f"k{self.stakes}"

    def settle(self, dues: Iterable[Due], change: Change | None = None) -> None:
        """Moves what is due; where `change` has an answer, that instead."""
        for due in dues:
            usual: list[Event] = [tb.ChipsMoved(due.frm, due.to, due.amount, due.cause, due.stake)]
            for event in change(due) if change is not None else usual:
                self.say(event, 1.2)


def new_player(rng: Random, taken: Iterable[Any]) -> str:
    """A player's id that nobody at the table has."""
    known = set(taken)
    while True:
        name = f"p-{rng.randrange(100, 1000)}"
        if name not in known:
            return name
