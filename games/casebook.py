"""Cases out of the log: a session's facts and holes, with the editions and settings that houses have adopted."""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta

from msgspec import Struct

from events.errors import BadEdition, EditionMissing, Refused
from events.schema.catalogue import Catalogue
from events.schema.common import TableOpened
from events.schema.fact import Fact
from events.schema.ours import EditionAdopted, HandImported, SettingChanged
from events.store import Draft, Log, SessionFacts
from events.values.clock import gaming_day, now_ms
from events.values.names import parse_subject
from games.adjudicate import IMPORT_HOUSE, Case, SessionJudgement, judge_each, judge_round, judge_session
from games.clocks import TOLERANCE_MS
from games.house_rules.edition import ANY_HOUSE, Edition, Editions, read_edition
from games.registry import Rooms, forms, shipped_editions
from games.table_rules import Hole
from games.verdict import Verdict

RECOUP_SOURCE = "/recoup"
ALWAYS = date(1, 1, 1)
TOLERANCE = "clock.tolerance_ms"


class House(Struct):
    """What one house has adopted and set, in order of recording."""

    adopted: list[Fact]
    settings: dict[str, int | str | bool | None]


class Casebook:
    """Judges what is in a log. Follows the houses' own streams: an edition adopted a moment ago counts at once."""

    def __init__(self, log: Log, rooms: Rooms, catalogue: Catalogue) -> None:
        self.log = log
        self.rooms = rooms
        self.catalogue = catalogue
        self.forms = forms(rooms.values())
        self._size = -1
        self._houses: dict[str, House] = {}
        self._editions: Editions = Editions(self.forms)

    @property
    def editions(self) -> Editions:
        """Every edition adopted so far."""
        self._refresh()
        return self._editions

    def settings(self, house: str) -> dict[str, int | str | bool | None]:
        """A house's settings, those of `*` beneath its own."""
        self._refresh()
        found: dict[str, int | str | bool | None] = {}
        for name in (ANY_HOUSE, house):
            if name in self._houses:
                found |= self._houses[name].settings
        return found

    def case(self, subject: str, *, known_at: int | None = None, extra: Sequence[Fact] = ()) -> Case:
        """The case of one session.

        `known_at`: only what had been recorded by then (µs UTC), editions included. `extra`: facts of a what-if.

        Raises:
            Refused: the log has nothing of that subject.
        """
        stored = self.log.session_facts(subject)
        if not stored.facts:
            raise Refused(f"the log has nothing of `{subject}`", hint="`recoup rounds` lists what there is")
        return self.case_of(stored, known_at=known_at, extra=extra)

    def case_of(self, stored: SessionFacts, *, known_at: int | None = None, extra: Sequence[Fact] = ()) -> Case:
        """The same, from facts already read."""
        facts = stored.facts
        holes = [
            Hole(gap.origin, gap.first, gap.last, "gap", "declared lost" if gap.lost else "", gap.lost)
            for gap in stored.gaps
        ]
        holes += [Hole(one.origin, one.sequence, one.sequence, "conflict", one.sha256[:12]) for one in stored.conflicts]
        editions = self.editions
        if known_at is not None:
            facts = tuple(fact for fact in facts if fact.recorded_at <= known_at)
            holes = [hole for hole in holes if hole.why == "gap"] + _gaps_then(facts, stored)
            editions = self._editions_at(known_at)
        tolerance = self.settings(parse_subject(stored.subject).house or IMPORT_HOUSE).get(TOLERANCE, TOLERANCE_MS)
        return Case.make(
            stored.subject,
            (*facts, *extra),
            self.catalogue,
            editions,
            holes=holes,
            restarts=stored.restarts,
            tolerance_ms=tolerance if isinstance(tolerance, int) else TOLERANCE_MS,
        )

    def judge(self, subject: str) -> SessionJudgement:
        """Every round of a session.

        Raises:
            Refused: as `case`. EditionMissing, BadEdition: no edition that can be read is in force.
        """
        return judge_session(self.case(subject), self.rooms)

    def judge_all(self, subjects: Iterable[str]) -> Iterator[tuple[str, SessionJudgement | Exception]]:
        """Many sessions in order, short ones together; one that cannot be judged has its error and stops no other.

        Raises:
            Refused: as `case`.
        """
        asked: deque[str] = deque()

        def cases() -> Iterator[Case]:
            for subject in subjects:
                asked.append(subject)
                yield self.case(subject)

        for judged in judge_each(cases(), self.rooms):
            yield asked.popleft(), judged

    def judge_round(self, subject: str, name: str) -> Verdict:
        """One round, by its name in the session.

        Raises:
            Refused: no such session or round. EditionMissing, BadEdition: as `judge`.
        """
        return judge_round(self.case(subject), self.rooms, name)

    def sessions(self, prefix: str = "table/") -> Iterator[str]:
        """The sessions in which something is played: tables' and imported hands'."""
        return (name for name in self.log.subjects(prefix) if name.startswith(("table/", "import/")))

    def adopt(self, house: str, toml: str, first_day: date, *, reason: str = "", account: str = "") -> Edition:
        """Put an edition in force in a house from a gaming day. `account` empty: the one that opened the log.

        Raises:
            BadEdition: it cannot be read, or is of a book that no room has.
            Refused: its first day is past, and an edition of that book binds a session opened since.
        """
        edition = self.read_edition(toml)
        digest = hashlib.sha256(toml.encode()).hexdigest()
        event = EditionAdopted(edition.rule_book, edition.name, first_day.isoformat(), toml, digest)
        if first_day < gaming_day(now_ms()) and (bound := self._rebound(house, event, first_day)):
            raise Refused(
                f"an edition cannot begin on {first_day}: `{bound}` was played under another one since",
                hint="an edition in force is never changed; adopt it from a later day",
            )
        self.log.author(
            f"house/{house}@{RECOUP_SOURCE}", [Draft(event, reason=reason or None, account=account or None)]
        )
        return edition

    def _rebound(self, house: str, event: EditionAdopted, first_day: date) -> str:
        """A session that an edition binds now and that this adoption would bind to another; empty if none."""
        before, after = self.editions, self._editions_at(None)
        after.adopt(house, event)
        for prefix in ("table/", "tournament/", "import/"):
            for subject in self.log.subjects(prefix):
                day = self._opened_by(subject, event.rule_book)
                if day is None or day < first_day:
                    continue
                place = (parse_subject(subject).house or IMPORT_HOUSE, event.rule_book, day)
                if self._digest(before, place) not in ("", self._digest(after, place)):
                    return subject
        return ""

    def _opened_by(self, subject: str, rule_book: str) -> date | None:
        """The gaming day on which a session was opened by that rule book; None if by another, or not at all."""
        for fact in self.log.session_facts(subject).facts:
            if isinstance(fact.event, TableOpened | HandImported):
                return gaming_day(fact.occurred_at) if fact.event.rule_book == rule_book else None
        return None

    @staticmethod
    def _digest(editions: Editions, place: tuple[str, str, date]) -> str:
        """The digest of the edition in force there; empty where none is."""
        try:
            return editions.in_force(*place).digest
        except EditionMissing:
            return ""

    def read_edition(self, toml: str) -> Edition:
        """An edition's text, by the form of the rule book that it names.

        Raises:
            BadEdition: it cannot be read, or is of a book that no room has.
        """
        for form in self.forms.values():
            if f'rule_book = "{form.rule_book}"' in toml:
                return read_edition(toml, form)
        books = ", ".join(sorted(self.forms))
        raise BadEdition(f"the edition names no rule book that a room has (rule_book = {books})")

    def adopt_shipped(self) -> list[tuple[str, Edition, date]]:
        """Put the editions that come with Recoup in force where they are not: from the beginning of time where no
        edition of that book stands, else from tomorrow, since what was in force then stays in force for then.

        The one named `import` is for imported hands, the others for every house. Gives what was adopted now, and from
        which gaming day.
        """
        there = {(house, event.rule_book) for house, event in self.editions.all()}
        known = {(house, event.rule_book, event.sha256) for house, event in self.editions.all()}
        tomorrow = gaming_day(now_ms()) + timedelta(days=1)
        adopted = []
        for _room, _file, toml in shipped_editions():
            edition = self.read_edition(toml)
            house = IMPORT_HOUSE if edition.name.startswith("import") else ANY_HOUSE
            if (house, edition.rule_book, edition.digest) not in known:
                day = tomorrow if (house, edition.rule_book) in there else ALWAYS
                adopted.append((house, self.adopt(house, toml, day, reason="comes with Recoup"), day))
        return adopted

    def _refresh(self) -> None:
        size = self.log.size()
        if size == self._size:
            return
        self._houses = {}
        for subject in self.log.subjects("house/"):
            house = House([], {})
            for fact in sorted(self.log.session_facts(subject).facts, key=lambda fact: fact.index):
                if fact.ours and isinstance(fact.event, EditionAdopted):
                    house.adopted.append(fact)
                elif fact.ours and isinstance(fact.event, SettingChanged):
                    house.settings[fact.event.setting] = fact.event.value
            self._houses[parse_subject(subject).house] = house
        self._size = size
        self._editions = self._editions_at(None)

    def _editions_at(self, known_at: int | None) -> Editions:
        editions = Editions(self.forms)
        for name, house in self._houses.items():
            for fact in house.adopted:
                if isinstance(fact.event, EditionAdopted) and (known_at is None or fact.recorded_at <= known_at):
                    editions.adopt(name, fact.event)
        return editions


def _gaps_then(facts: Sequence[Fact], stored: SessionFacts) -> list[Hole]:
    """Holes in the counters as they were: records that came later are missing then."""
    present: dict[str, set[int]] = {}
    for fact in facts:
        present.setdefault(fact.origin, set()).add(fact.sequence)
    holes = []
    for fact in stored.facts:
        known = present.get(fact.origin)
        if known and fact.sequence not in known and fact.sequence < max(known) and fact.part:
            holes.append(Hole(fact.origin, fact.sequence, fact.sequence))
    return holes
