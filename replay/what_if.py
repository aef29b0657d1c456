"""What if: change, add or drop named facts, judge again, show both side by side. Nothing is ever stored.

A what-if is made of the same three that a correction is made of (`RecordCorrected`, `RecordDisowned`, an added fact
with `about`), put among the records for one judgement.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from events.errors import BadNotation, Refused
from events.schema.catalogue import Catalogue
from events.schema.event import Event, Undecoded, short_name, to_plain
from events.schema.fact import Fact
from events.schema.notation import read_line, write_event
from events.schema.ours import RecordCorrected, RecordDisowned
from events.values.clock import time_text
from events.values.names import RECOUP, SEQUENCE_MAX, check_round, round_address
from games.adjudicate import Case, judge_round, judge_session
from games.registry import Rooms
from games.verdict import Finding, Line, Settlement, Verdict
from replay.timeline import Records, full_citation

_FIRST = SEQUENCE_MAX - 1_000_000
"""What-if facts stand behind every correction on record: the last one wins."""


class Alteration(Struct, frozen=True, kw_only=True):
    """One altered fact: what the record says, what it would say; `was` or `would` is empty for added or dropped."""

    cite: str
    was: str
    would: str


class Pair(Struct, frozen=True, kw_only=True):
    """One stake under both: due and net; None where a side knows no such stake.

    `by`: net would − net was, minor units: what the change is worth to the player; None where on one side the record
    does not tell what is due, or a person has to decide.
    """

    stake: str
    player: str
    was: Line | None
    would: Line | None
    by: int | None


class Comparison(Struct, frozen=True, kw_only=True):
    """The round as it is on record beside the round as it would be.

    `gone`, `new`: findings of one side only. `elsewhere`: addresses of other rounds whose standing, due or findings
    would change too. `added`: citation → name of each event that was put in.
    """

    alterations: tuple[Alteration, ...]
    was: Verdict
    would: Verdict
    stakes: tuple[Pair, ...]
    gone: tuple[Finding, ...]
    new: tuple[Finding, ...]
    elsewhere: tuple[str, ...]
    added: dict[str, str] = {}

    @property
    def is_same(self) -> bool:
        """Whether the change would change nothing in this round's judgement."""
        same = self.was.standing == self.would.standing and self.was.settlement == self.would.settlement
        return same and not (self.gone or self.new) and all(pair.was == pair.would for pair in self.stakes)


def what_if(
    records: Records,
    rooms: Rooms,
    round_name: str,
    *,
    change: Sequence[str] = (),
    add: Sequence[str] = (),
    drop: Sequence[str] = (),
) -> Comparison:
    """Judges the round as it is and as it would be.

    `change`: lines of notation that begin with the citation of the record meant; behind it either the whole event
    (`4711@terminal BetPlaced b9 p-204 17 100`) or the fields that differ (`4711@terminal amount=100`); `@time` and
    `#round` move it. `add`: lines of notation, placed by `^citation`, else behind the last record of the round that is
    not later than their `@time`, else at the round's end. `drop`: citations.

    Raises:
        BadNotation: a line that cannot be read. Refused: no such round or record; nothing to change.
    """
    if not (change or add or drop):
        raise Refused("a what-if needs something to change", hint="--change, --add or --drop")
    case = records.case()
    facts = {fact.cite: fact for fact in case.ordered.facts}
    draft = _Draft(records, facts, case)
    for line in change:
        draft.change(line)
    for cite in drop:
        draft.drop(cite)
    for line in add:
        draft.add(line, round_name)
    altered = replace(records, facts=(*records.facts, *draft.made)).case()
    added = {fact.cite: short_name(fact.topic) for fact in draft.made if _is_put_in(fact)}
    return replace(_compare(case, altered, rooms, round_name, draft.told), added=added)


def _is_put_in(fact: Fact) -> bool:
    return not isinstance(fact.event, RecordCorrected | RecordDisowned)


def altered_event(fact: Fact, text: str, catalogue: Catalogue) -> tuple[Event, dict[str, Any]]:
    """The event of a record with other fields: `text` is a whole event's notation or only `field=value` words.

    Returns the event and what the line says of its place: `occurred_at` (ms) and `round`, where it says so.

    Raises:
        BadNotation: it cannot be read, or names another type of event. BadName: its round is no name.
    """
    place, words = _split_place(text)
    if isinstance(fact.event, Undecoded):
        if not words:
            raise BadNotation(f"{fact.cite} cannot be read; write the whole event")
        line = read_line(text, catalogue)
    elif not words:
        line = read_line(" ".join([*place, write_event(fact.event, catalogue)]), catalogue)
    elif "=" in words[0] and not words[0].startswith('"'):
        # A field given again by name wins over the one before it.
        line = read_line(" ".join([*place, write_event(fact.event, catalogue), *words]), catalogue)
    else:
        line = read_line(text, catalogue)
    if fact.topic != line.event.TOPIC:
        raise BadNotation(
            f"{fact.cite} is a {fact.topic}, the line says {line.event.TOPIC}",
            hint="a record keeps its type; disown it and add the other fact",
        )
    moved: dict[str, Any] = {}
    if line.at_ms is not None:
        moved["occurred_at"] = line.at_ms
    if line.round is not None:
        moved["round"] = check_round(line.round)
    return line.event, moved


def correction(came: Fact, notes: Sequence[Fact], event: Event, moved: dict[str, Any]) -> RecordCorrected:
    """What is to be authored so that the record `came` reads as `event`, `moved` as `altered_event` gives it.

    Of several corrections the latest alone counts, so that it repeats what the one before it said of time and round.
    """
    last = notes[-1].event if notes else None
    before = last if isinstance(last, RecordCorrected) else RecordCorrected()
    return RecordCorrected(
        round=moved.get("round", before.round),
        time=time_text(moved["occurred_at"]) if "occurred_at" in moved else before.time,
        data=None if event == came.event else to_plain(event),
    )


class _Draft:
    """The facts of a what-if, in the making."""

    def __init__(self, records: Records, facts: dict[str, Fact], case: Case) -> None:
        self.records = records
        self.facts = facts
        self.case = case
        self.made: list[Fact] = []
        self.told: list[Alteration] = []

    def change(self, line: str) -> None:
        cite, _space, text = line.strip().partition(" ")
        fact = self._find(cite)
        event, moved = altered_event(fact, text, self.records.catalogue)
        ordered = self.case.ordered
        came = ordered.replaced.get(fact.cite, fact)
        self._author(correction(came, ordered.notes.get(fact.cite, ()), event, moved), fact)
        self._tell(fact.cite, self._shown(fact), self._shown(replace(fact, event=event, **moved)))

    def drop(self, cite: str) -> None:
        fact = self._find(cite)
        self._author(RecordDisowned(), fact)
        self._tell(fact.cite, self._shown(fact), "")

    def add(self, text: str, round_name: str) -> None:
        line = read_line(text, self.records.catalogue)
        if line.about is not None:
            fact = self._find(line.about)
        else:
            fact = place_in_round(self.case, round_name, line.at_ms)
        if line.round is not None:
            check_round(line.round)
        added = self._author(line.event, fact, at_ms=line.at_ms, round_name=line.round)
        self._tell(fact.cite, "", f"{write_event(added.event, self.records.catalogue)} (behind {fact.cite})")

    def _find(self, cite: str) -> Fact:
        whole = full_citation(cite, (fact.origin for fact in self.facts.values()))
        if whole not in self.facts:
            raise Refused(f"{self.records.subject} has no record {whole}", hint="`recoup replay ROUND` shows them")
        return self.facts[whole]

    def _author(self, event: Event, about: Fact, at_ms: int | None = None, round_name: str | None = None) -> Fact:
        fact = Fact(
            subject=self.records.subject,
            source=RECOUP + "/what-if",
            sequence=_FIRST + len(self.made),
            topic=event.TOPIC,
            event=event,
            occurred_at=about.occurred_at if at_ms is None else at_ms,
            round=round_name,
            about=about.cite,
        )
        self.made.append(fact)
        return fact

    def _tell(self, cite: str, was: str, would: str) -> None:
        self.told.append(Alteration(cite=cite, was=was, would=would))

    def _shown(self, fact: Fact) -> str:
        return f"@{time_text(fact.occurred_at)} #{fact.round or '-'} {write_event(fact.event, self.records.catalogue)}"


def place_in_round(case: Case, round_name: str, at_ms: int | None) -> Fact:
    """The record of a round behind which an added fact stands that names none.

    Raises:
        Refused: the session has no such round, or it has no record of the table.
    """
    own = [fact for fact in case.ordered.facts if fact.round == round_name and fact.about is None]
    if not own:
        raise Refused(f"{case.subject} has no round `{round_name}`", hint="`recoup rounds` lists them")
    if at_ms is None:
        return own[-1]
    return next((fact for fact in reversed(own) if fact.occurred_at <= at_ms), own[0])


def _split_place(text: str) -> tuple[list[str], list[str]]:
    """`@time` and `#round` in front, and the words behind them. A first word with `=` begins bare fields."""
    words = text.split(" ")
    place: list[str] = []
    while words and (not words[0] or words[0][0] in "@#"):
        word = words.pop(0)
        if word:
            place.append(word)
    return place, [word for word in words if word] if words else []


def _compare(case: Case, altered: Case, rooms: Rooms, round_name: str, told: Sequence[Alteration]) -> Comparison:
    was = judge_round(case, rooms, round_name)
    would = judge_round(altered, rooms, round_name)
    return Comparison(
        alterations=tuple(told),
        was=was,
        would=would,
        stakes=_pairs(was.due, would.due),
        gone=_without(was.findings, would.findings),
        new=_without(would.findings, was.findings),
        elsewhere=_elsewhere(case, altered, rooms, round_address(case.subject, round_name)),
    )


def _pairs(was: Settlement, would: Settlement) -> tuple[Pair, ...]:
    one = {line.stake: line for line in was.lines}
    two = {line.stake: line for line in would.lines}
    is_open = not (was.known and would.known)
    pairs = []
    for stake in dict.fromkeys([*one, *two]):
        now, then = one.get(stake), two.get(stake)
        waits = is_open or any(line is not None and line.held for line in (now, then))
        by = None if waits else (then.net if then else 0) - (now.net if now else 0)
        pairs.append(Pair(stake=stake, player=(then or one[stake]).player, was=now, would=then, by=by))
    return tuple(pairs)


def _without(findings: Sequence[Finding], others: Sequence[Finding]) -> tuple[Finding, ...]:
    known = {_key(finding) for finding in others}
    return tuple(finding for finding in findings if _key(finding) not in known)


def _key(finding: Finding) -> tuple[str, ...]:
    return (finding.rule, finding.code, finding.kind, finding.subject, finding.player, str(finding.money))


def _elsewhere(case: Case, altered: Case, rooms: Rooms, own: str) -> tuple[str, ...]:
    def read(of: Case) -> dict[str, tuple[Any, ...]]:
        return {
            verdict.round: (verdict.standing, verdict.due, verdict.settlement, tuple(map(_key, verdict.findings)))
            for verdict in judge_session(of, rooms).verdicts
        }

    was, would = read(case), read(altered)
    names = dict.fromkeys([*was, *would])
    return tuple(name for name in names if name != own and was.get(name) != would.get(name))
