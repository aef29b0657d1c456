"""Which stored rows an evidence pack holds: the round with all that it rests on, and what was said of it since.

Of each stream of the session everything from its first row to the last one needed, so that an outsider sees by the
versions that nothing in between is left out: what came before the round (the opening, the shoe, who sits where), the
round, and the first record of the next, up to which the judge looks. Of Recoup's own streams (corrections, rulings,
gaps) everything. Beside them the editions in force, the house's settings, and who is who among those who acted.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from msgspec import Struct

from events.errors import Unable
from events.schema.event import Event, Undecoded
from events.schema.fact import Fact
from events.schema.ours import EditionAdopted, SettingChanged, StaffProposed, StaffRegistered, StaffRetired
from events.store import Log
from events.store.backend import Row
from events.values.names import RECOUP, parse_stream
from games.house_rules.edition import ANY_HOUSE, Edition
from replay.timeline import Timeline

_REGISTERS = (StaffProposed, StaffRegistered)


class Adopted(Struct, frozen=True):
    """An edition and the row by which it was adopted."""

    edition: Edition
    row: Row


def session_rows(log: Log, timeline: Timeline, rounds: Collection[str], more: Collection[int] = ()) -> list[Row]:
    """The rows of a session that rounds of it rest on. `more`: tree indexes of further records that are about them."""
    entries = timeline.entries
    last = max(at for at, one in enumerate(entries) if one.fact.round in rounds)
    behind = next((at for at in range(last + 1, len(entries)) if entries[at].fact.round), len(entries) - 1)
    needed = {one.fact.index for one in entries[: behind + 1]} | set(more)
    rows = log.subject_rows(timeline.subject)
    ends: dict[str, int] = {}
    for row in rows:
        if row.index in needed or parse_stream(row.stream).source.startswith(RECOUP):
            ends[row.stream] = row.version
    return [row for row in rows if row.version <= ends.get(row.stream, 0)]


def adopted(log: Log, house: str, edition: Edition) -> Adopted:
    """The row that put an edition in force: the house's own, or that of every house.

    Raises:
        Unable: no row adopts it.
    """
    for owner in (house, ANY_HOUSE):
        own = [
            fact
            for fact in log.session_facts(f"house/{owner}").facts
            if fact.ours and isinstance(fact.event, EditionAdopted) and fact.event.sha256 == edition.digest
        ]
        if own:
            return Adopted(edition, _row(log, min(own, key=lambda fact: fact.index)))
    raise Unable(f"no record adopts edition {edition.name}", hint="`recoup editions list` shows what is in force")


def house_rows(log: Log, house: str, accounts: Collection[str]) -> list[Row]:
    """The house's settings, and the registrations of those who acted."""
    return [_row(log, fact) for fact in _told(log, house, accounts)]


def _told(log: Log, house: str, accounts: Collection[str]) -> Iterator[Fact]:
    persons: set[str] = set()
    for owner in (ANY_HOUSE, house):
        for fact in log.session_facts(f"house/{owner}").facts:
            event: Event | Undecoded = fact.event
            if isinstance(event, _REGISTERS) and event.for_account in accounts:
                persons.add(event.person)
                yield fact
            elif isinstance(event, SettingChanged) or (isinstance(event, StaffRetired) and event.person in persons):
                yield fact


def _row(log: Log, fact: Fact) -> Row:
    (row,) = log.rows(fact.index, fact.index)
    return row


def together(rows: Iterable[Row]) -> list[Row]:
    """Rows in the order of the log, each once."""
    return [row for _index, row in sorted({row.index: row for row in rows}.items())]
