"""A what-if in the making: the facts that are put among the records, and what is moved in their order.

It is made of the same three that a correction is made of (`RecordCorrected`, `RecordDisowned`, an added fact with
`about`). What is to stand elsewhere is moved in the table order that comes of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
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
from events.values.names import RECOUP, SEQUENCE_MAX, check_round
from games.adjudicate import Case
from replay.timeline import Records, full_citation
from replay.what_if_cards import swapped
from replay.what_if_words import (
    Place,
    Setting,
    as_word,
    consequences,
    read_cards,
    read_event_line,
    read_records,
    split_place,
)

_FIRST = SEQUENCE_MAX - 1_000_000
"""What-if facts stand behind every correction on record: the last one wins."""


class Alteration(Struct, frozen=True, kw_only=True):
    """One altered fact: what the record says, what it would say; `was` or `would` is empty for added or dropped.

    `number`: that of the record in its round, as `recoup replay` shows it; 0 for none. Of a changed parameter there is
    no record: `cite` is empty.
    """

    cite: str
    was: str
    would: str
    number: int = 0


def altered_event(fact: Fact, text: str, catalogue: Catalogue) -> tuple[Event, dict[str, Any]]:
    """The event of a record with other fields: `text` is a whole event's notation or only `field=value` words.

    Returns the event and what the line says of its place: `occurred_at` (ms) and `round`, where it says so.

    Raises:
        BadNotation: it cannot be read, or names another type of event. BadName: its round is no name.
    """
    place, words = _split_head(text)
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


_OF_THE_RECORD = ("time", "at", "round")
"""What can be set of every record, beside the fields of its event."""


class Draft:
    """The facts of a what-if, in the making."""

    def __init__(self, records: Records, case: Case, own: Sequence[Fact], place: Place | None) -> None:
        """`own`: the records of the round, by whose places numbers name them; `place`: of what names none."""
        self.records = records
        self.on_record = {fact.cite: fact for fact in case.ordered.facts}
        self.facts = dict(self.on_record)
        self.case = case
        self.own = own
        self.number_of = {fact.cite: number for number, fact in enumerate(own, 1)}
        self.place = place
        self.made: list[Fact] = []
        self.told: list[Alteration] = []
        self.gone: set[str] = set()
        self.behind: dict[str, str] = {}
        self.moves: list[tuple[str, Place, bool]] = []

    def change(self, line: str) -> None:
        cite, _space, text = line.strip().partition(" ")
        fact = self._find(cite)
        self._alter(fact, *altered_event(fact, text, self.records.catalogue))

    def set_fields(self, settings: Sequence[Setting]) -> None:
        by_record: dict[str, list[Setting]] = {}
        for setting in settings:
            by_record.setdefault(self._find(setting.record).cite, []).append(setting)
        for cite, own in by_record.items():
            fact = self.facts[cite]
            catalogue = self.records.catalogue
            self._check_fields(fact, own)
            event, moved = altered_event(fact, _line_of(fact, own), catalogue)
            before, after = (getattr(one, "amount", 0) for one in (fact.event, event))
            if isinstance(fact.event, Event) and isinstance(before, int) and isinstance(after, int):
                more = consequences(fact.event, "amount", [one.field for one in own], before, after)
                if more:
                    event, _moved = altered_event(replace(fact, event=event), " ".join(more), catalogue)
            self._alter(fact, event, moved)

    def _check_fields(self, fact: Fact, settings: Sequence[Setting]) -> None:
        if isinstance(fact.event, Undecoded):
            raise BadNotation(f"{self._name(fact)} cannot be read", hint=f"--change '{self._name(fact)} <whole event>'")
        known = (*fact.event.__struct_fields__, *_OF_THE_RECORD)
        for one in settings:
            if one.field not in known:
                near = get_close_matches(one.field, known, n=1)
                meant = f"did you mean `{near[0]}`? " if near else ""
                raise BadNotation(
                    f"record {self._name(fact)} ({short_name(fact.topic)}) has no field `{one.field}`",
                    hint=f"{meant}it has {', '.join(known)}",
                )

    def swap(self, cards: Sequence[str]) -> None:
        wanted = []
        for text in cards:
            place, named = read_cards(text)
            wanted.append((self._find(place).cite if place[0].isdigit() else place, named))
        own = [self.facts[fact.cite] for fact in self.own if fact.cite not in self.gone]
        for swap in swapped(own, wanted, self.number_of) if wanted else ():
            self._alter(swap.fact, swap.event, {})

    def drop(self, text: str) -> None:
        for name in read_records(text):
            fact = self._find(name)
            self.gone.add(fact.cite)
            self._author(RecordDisowned(), fact)
            self._tell(fact.cite, self._shown(fact), "")

    def add(self, text: str, round_name: str) -> None:
        text, place = split_place(text)
        line = read_line(read_event_line(text), self.records.catalogue)
        if place is None and line.about is None and line.at_ms is None:
            place = self.place
        if line.round is not None:
            check_round(line.round)
        if place is not None:
            fact = self._find(place.record)
        elif line.about is not None:
            fact = self._find(line.about)
        else:
            fact = place_in_round(self.case, round_name, line.at_ms)
        added = self._author(line.event, fact, at_ms=line.at_ms, round_name=line.round)
        side = place.side if place is not None else "behind"
        if place is not None:
            self.facts[added.cite] = added
            self._stand(added, Place(side, fact.cite), takes_time=line.at_ms is None)
        shown = write_event(added.event, self.records.catalogue)
        self._tell(fact.cite, "", f"{shown} ({side} {self._name(fact)})")

    def move(self, text: str) -> None:
        names, place = split_place(text)
        place = place or self.place
        if place is None:
            raise BadNotation(f"`{text}` does not say where to", hint="--move '17-18 before 15', or --before 15")
        anchor = self._find(place.record)
        moved = [self._find(name) for name in read_records(names)]
        if anchor in moved:
            raise Refused(f"record {self._name(anchor)} cannot stand {place.side} itself")
        for fact in moved:
            if fact.cite in self.gone:
                raise Refused(f"record {self._name(fact)} is dropped and moved", hint="one of them")
            self._stand(fact, Place(place.side, anchor.cite))
            self._tell(fact.cite, self._shown(fact), f"the same, {place.side} {self._name(anchor)}")

    def _stand(self, fact: Fact, place: Place, *, takes_time: bool = True) -> None:
        """What stands behind the same record stands there in the order in which it was named."""
        if place.side == "behind":
            last = self.behind.get(place.record, place.record)
            self.behind[place.record] = fact.cite
            place = Place("behind", last)
        self.moves.append((fact.cite, place, takes_time))

    def moved(self, case: Case) -> Case:
        """The case with every move made, in order. What is moved happened between its new neighbours."""
        if not self.moves:
            return case
        facts = list(case.ordered.facts)
        for cite, place, takes_time in self.moves:
            index = next(at for at, fact in enumerate(facts) if fact.cite == cite)
            fact = facts.pop(index)
            anchor = self.facts[place.record]
            at = self._index(facts, place)
            beside = facts[max(at - 1, 0) : at + 1]
            around = [one.occurred_at for one in beside if one.round == anchor.round] or [anchor.occurred_at]
            # `about`: its own counter says nothing any more of before and after, only the time does (`games.clocks`).
            time = (min(around) + max(around)) // 2 if takes_time else fact.occurred_at
            facts.insert(at, replace(fact, occurred_at=time, round=anchor.round, about=anchor.cite))
        return replace(case, ordered=replace(case.ordered, facts=tuple(facts)))

    def _index(self, facts: Sequence[Fact], place: Place) -> int:
        """Where in `facts` that place is; that of a dropped record is where it stood."""
        index = {fact.cite: at for at, fact in enumerate(facts)}
        if place.record in index:
            return index[place.record] + (place.side == "behind")
        ordered = [fact.cite for fact in self.case.ordered.facts]
        later = ordered[ordered.index(place.record) + 1 :]
        return next((index[cite] for cite in later if cite in index), len(facts))

    def _alter(self, fact: Fact, event: Event, moved: dict[str, Any]) -> None:
        came = self.case.ordered.replaced.get(fact.cite) or self.on_record[fact.cite]
        self._author(correction(came, self._notes(fact.cite), event, moved), fact)
        would = replace(fact, event=event, **moved)
        self.facts[fact.cite] = would
        self._tell(fact.cite, self._shown(fact, would), self._shown(would, fact))

    def _notes(self, cite: str) -> list[Fact]:
        """What was authored about a record, what this what-if said of it so far included."""
        said = [fact for fact in self.made if fact.about == cite and isinstance(fact.event, RecordCorrected)]
        return [*self.case.ordered.notes.get(cite, ()), *said]

    def _find(self, cite: str) -> Fact:
        if cite.isdigit():
            if not 1 <= int(cite) <= len(self.own):
                raise Refused(
                    f"there is no record {cite} in the round, it has 1 to {len(self.own)}",
                    hint="`recoup replay ROUND` shows them",
                )
            return self.facts[self.own[int(cite) - 1].cite]
        whole = full_citation(cite, (fact.origin for fact in self.facts.values()))
        if whole not in self.facts:
            raise Refused(f"{self.records.subject} has no record {whole}", hint="`recoup replay ROUND` shows them")
        return self.facts[whole]

    def _name(self, fact: Fact) -> str:
        return str(self.number_of.get(fact.cite, fact.cite))

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
        """One alteration a record: what was said of it before is only the way to what it would say now."""
        earlier = next((one for one in self.told if one.cite == cite and one.was and one.would), None)
        if earlier is not None and was and would and not would.startswith("the same"):
            self.told[self.told.index(earlier)] = replace(earlier, would=would)
            return
        self.told.append(Alteration(cite=cite, was=was, would=would, number=self.number_of.get(cite, 0)))

    def _shown(self, fact: Fact, other: Fact | None = None) -> str:
        """A record in notation, its time and round where those of the other differ."""
        words = [write_event(fact.event, self.records.catalogue)]
        if other is not None and fact.round != other.round:
            words.insert(0, f"#{fact.round or '-'}")
        if other is not None and fact.occurred_at != other.occurred_at:
            words.insert(0, f"@{time_text(fact.occurred_at)}")
        return " ".join(words)


def _line_of(fact: Fact, settings: Sequence[Setting]) -> str:
    """Fields of a record in notation. `time` and `round` are those of the record where its event has none of its own;
    a time with a sign is in seconds from its own."""
    ahead, words = [], []
    for one in settings:
        if hasattr(fact.event, one.field) or one.field not in _OF_THE_RECORD:
            words.append(f"{one.field}={as_word(one.value)}")
        elif one.field == "round":
            ahead.append(f"#{one.value.removeprefix('#')}")
        elif one.value[0] in "+-":
            try:
                ahead.append(f"@{time_text(fact.occurred_at + round(float(one.value) * 1000))}")
            except (ValueError, OverflowError) as error:
                raise BadNotation(f"`{one.value}` is no number of seconds", hint=f"{one.record}.time=-0.5") from error
        else:
            ahead.append(f"@{one.value.removeprefix('@')}")
    return " ".join([*ahead, *words])


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


def _split_head(text: str) -> tuple[list[str], list[str]]:
    """`@time` and `#round` in front, and the words behind them. A first word with `=` begins bare fields."""
    words = text.split(" ")
    place: list[str] = []
    while words and (not words[0] or words[0][0] in "@#"):
        word = words.pop(0)
        if word:
            place.append(word)
    return place, [word for word in words if word] if words else []
