"""Walks through a session one record at a time, forwards and back: state, money, what the rules expected, findings.

The fold is the judge's own (`games.adjudicate.steps`). A stepper keeps the states it has passed, which are immutable,
so that going back is the same as never having gone forward.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from events.errors import Refused
from events.schema.event import Event, Undecoded
from events.schema.fact import Fact
from events.values.clock import time_text
from events.values.places import POT, kind
from games.adjudicate import Case, game_of, judge_round, judge_session
from games.adjudicate import steps as fold
from games.house_rules.edition import Edition
from games.picture import Known, Picture, Viewpoint
from games.protocol import Due, Expectation, Game
from games.registry import Rooms
from games.shared.poker.events import (
    ActionTaken,
    BetAnnounced,
    CardDealt,
    ChipsPushed,
    GestureMade,
    HandsDealt,
    HoleDealt,
    LineUp,
    MisdealDeclared,
    PlayerDealtIn,
    WordsSpoken,
)
from games.shared.poker.picture import behind, in_pots
from games.shared.poker.table import Session as PokerSession
from games.sight import learn
from games.verdict import Finding, Verdict
from games.wording import currencies
from replay import balances as money
from replay.balances import Balances
from replay.timeline import Entry, Records, Timeline

_LINE_UP = (PlayerDealtIn, LineUp)
_ACTS = (ActionTaken, BetAnnounced, ChipsPushed, GestureMade, WordsSpoken)


@dataclass(frozen=True, kw_only=True)
class Step:
    """One record and what it changed.

    `number` counts the steps of this walk from 1. `entry`: its line of the timeline. `before`, `after`: the room's
    session. `here`: the findings made at this very record; `cited`: those that only the whole round shows and that rest
    on this record last of all. `so_far`: all that rests on nothing later, at the round's last record everything.
    """

    number: int
    entry: Entry
    before: Any
    after: Any
    balances_before: Balances
    balances_after: Balances
    here: tuple[Finding, ...]
    cited: tuple[Finding, ...]
    so_far: tuple[Finding, ...]
    expects: Callable[[Any], Expectation] = field(compare=False, repr=False)

    @cached_property
    def expected(self) -> Expectation | None:
        """What the rules expected before the record; None before the table was open. Computed when asked."""
        return self.expects(self.before) if self.before is not None else None

    @property
    def phase(self) -> str:
        """The phase in which the record came; empty before the table was open."""
        return self.expected.phase if self.expected is not None else ""

    @property
    def heading(self) -> str:
        """The part of the round under which the record stands in a replay; empty: where the one before it stands.

        Mostly the phase. Players dealt in stay together; and what is dealt or done though a post or a misdeal was due
        stands where it belongs: only a misdeal that is declared heads anything.
        """
        event = self.entry.fact.event
        if isinstance(event, _LINE_UP):
            return ""
        if self.phase not in ("posting", "misdeal"):
            return self.phase
        if isinstance(event, _ACTS):
            return "preflop"
        if isinstance(event, HoleDealt | HandsDealt) or (isinstance(event, CardDealt) and kind(event.to) == "seat"):
            return "dealing"
        return self.phase if self.phase == "posting" or isinstance(event, MisdealDeclared) else ""

    @cached_property
    def pictured(self) -> frozenset[str]:
        """Places of which the table's picture tells just what lies there by the record: seats and pot at poker."""
        table = self.after
        hand = table.hand if isinstance(table, PokerSession) else None
        if hand is None:
            return frozenset()
        told = {POT: in_pots(hand)}
        told |= {f"seat/{seat}": behind(table, hand, place) for place, seat in enumerate(hand.seats)}
        return frozenset(place for place, amount in told.items() if amount == self.balances_after.of(place))

    @cached_property
    def next(self) -> Expectation:
        """What the rules expect once the record is there."""
        return self.expects(self.after)

    @property
    def stands(self) -> str:
        """The phase in which the table stands after the record: `flop` from the last card of the flop on."""
        return self.next.phase


class Stepper:
    """A walk through a session, or through one round of it (what stands before the round is its carry).

    `at` is the present step, from 0. Disowned records are in the timeline, not in the walk.
    """

    def __init__(self, records: Records, rooms: Rooms, round_name: str | None = None) -> None:
        """Folds the session up to the end of the round.

        Raises:
            Refused: no such round, no record in it, or nothing tells what is played.
            EditionMissing, BadEdition: as for judging.
        """
        self.case: Case = records.case()
        self.catalogue = records.catalogue
        self.timeline = Timeline.of_case(self.case, records)
        self.round = round_name
        self.rooms = rooms
        if round_name is not None:
            self.timeline.of_round(round_name)
        self.game: Game[Any]
        self.edition: Edition
        self.game, self.edition = game_of(self.case, rooms)
        self._verdicts: dict[str, Verdict] = {}
        if round_name is None:
            judged = judge_session(self.case, rooms).verdicts
            self._verdicts = {verdict.round.partition("#")[2]: verdict for verdict in judged}
        self._currencies = currencies(self.case.ordered.facts)
        self._by_round = self.timeline.by_round()
        self._resting: dict[str, dict[str, list[Finding]]] = {}
        self._sights: dict[str | None, tuple[Known, ...]] = {}
        self._in_rounds: dict[str | None, list[Step]] | None = None
        self.steps: tuple[Step, ...] = tuple(self._walk())
        if not self.steps:
            raise Refused(f"{records.subject} has no record to step through")
        self.at = 0

    def within(self, name: str) -> Stepper:
        """The walk through one round, out of this one through its session: as one of its own, not folded again.

        Raises:
            Refused: no such round, or no record in it.
        """
        self.timeline.of_round(name)
        if self._in_rounds is None:
            self._in_rounds = {}
            for step in self.steps:
                self._in_rounds.setdefault(step.entry.fact.round, []).append(step)
        own = copy(self)
        own.round, own.at, own._sights = name, 0, {}
        found = enumerate(self._in_rounds.get(name, ()), 1)
        own.steps = tuple(dataclasses.replace(step, number=number) for number, step in found)
        if not own.steps:
            raise Refused(f"round {name} of {self.timeline.subject} has no record to step through")
        return own

    @property
    def currency(self) -> str:
        """The table's, an ISO code."""
        opened = self.case.opened
        return getattr(opened.event, "currency", "CZK") if opened is not None else "CZK"

    def currency_of(self, about: Event | Undecoded | Due) -> str:
        """That in which the amounts of a record, or of what is due, are: of a stake in another one, that one."""
        return self._currencies.get(getattr(about, "stake", ""), self.currency)

    def __len__(self) -> int:
        return len(self.steps)

    @property
    def step(self) -> Step:
        """The present step."""
        return self.steps[self.at]

    def next(self) -> Step:
        """One record on; the last stays the last."""
        self.at = min(self.at + 1, len(self.steps) - 1)
        return self.step

    def back(self) -> Step:
        """One record back; the first stays the first."""
        self.at = max(self.at - 1, 0)
        return self.step

    def goto(self, number: int) -> Step:
        """The step with that number, from 1; negative from the end.

        Raises:
            Refused: there is none.
        """
        index = number - 1 if number > 0 else len(self.steps) + number
        if number == 0 or not 0 <= index < len(self.steps):
            raise Refused(f"there is no step {number}; this walk has steps 1 to {len(self.steps)}")
        self.at = index
        return self.step

    def goto_record(self, cite: str) -> Step:
        """The step of a record, by its citation, long or short.

        Raises:
            Refused: no such record, or it is disowned, or of another round.
        """
        wanted = self.timeline.find(cite).fact.cite
        for index, step in enumerate(self.steps):
            if step.entry.fact.cite == wanted:
                self.at = index
                return step
        raise Refused(f"{wanted} is no step of this walk", hint="it is disowned, or belongs to another round")

    def goto_round(self, name: str) -> Step:
        """The first record of a round.

        Raises:
            Refused: there is none in this walk.
        """
        return self._first(f"round {name}", (step.entry.fact.round == name for step in self.steps))

    def goto_time(self, at_ms: int) -> Step:
        """The last record that had happened by then, ms UTC: the table as it stood at that moment.

        Raises:
            Refused: the walk begins later.
        """
        for index in range(len(self.steps) - 1, -1, -1):
            if self.steps[index].entry.fact.occurred_at <= at_ms:
                self.at = index
                return self.step
        raise Refused(
            f"nothing had happened yet at {time_text(at_ms)}",
            hint=f"the first record is of {time_text(self.steps[0].entry.fact.occurred_at)}",
        )

    def goto_phase(self, phase: str) -> Step:
        """The next record with which a phase begins (`betting`, `turn`), looking on from the present one, then from
        the start; none begins it if the walk begins within it, and then it is the first.

        Raises:
            Refused: the table never stood in it.
        """
        order = [*range(self.at + 1, len(self.steps)), *range(self.at + 1)]
        for index in order:
            if self.steps[index].stands == phase and (not index or self.steps[index - 1].stands != phase):
                self.at = index
                return self.step
        dealt = self._dealt(phase, order)
        if dealt is not None:
            self.at = dealt
            return self.step
        where = f"round {self.round}" if self.round is not None else self.timeline.subject
        there = ", ".join(f"`{name}`" for name in self.phases())
        raise Refused(f"{where} has no phase or street `{phase}`", hint=f"it has {there}")

    def _dealt(self, street: str, order: Iterable[int]) -> int | None:
        """Where the last card of a street was laid on which nobody had to act any more (the river of an all-in)."""
        laid = None
        for index in order:
            expected = self.steps[index].expected
            if expected is not None and expected.next_card == street:
                laid = index
            elif laid is not None:
                break
        return laid

    def phases(self) -> list[str]:
        """The phases of this walk, in order of first appearance."""
        return list(dict.fromkeys(step.stands for step in self.steps))

    def next_phase(self) -> Step:
        """The next record with which another phase begins; the last if there is none."""
        now = self.step.stands
        for index in range(self.at + 1, len(self.steps)):
            if self.steps[index].stands != now:
                self.at = index
                return self.step
        self.at = len(self.steps) - 1
        return self.step

    def back_phase(self) -> Step:
        """The record with which this phase began; at that, the one with which the phase before began."""
        index = max(self.at - 1, 0)
        now = self.steps[index].stands
        while index > 0 and self.steps[index - 1].stands == now:
            index -= 1
        self.at = index
        return self.step

    def next_finding(self) -> Step:
        """The next record on which a finding rests; the last if there is none."""
        for index in range(self.at + 1, len(self.steps)):
            if self.steps[index].here or self.steps[index].cited:
                self.at = index
                return self.step
        self.at = len(self.steps) - 1
        return self.step

    def verdict(self, name: str) -> Verdict:
        """The judge's verdict on one round of the session; computed once.

        Raises:
            Refused: no such round.
        """
        known = self._verdicts.get(name)
        if known is None:
            known = self._verdicts[name] = judge_round(self.case, self.rooms, name)
        return known

    def sees(self, step: Step, viewpoint: Viewpoint) -> Viewpoint:
        """The viewpoint at a step: with the cards that it knows once the record is there."""
        if viewpoint.all_knowing:
            return viewpoint
        sights = self._sights.get(viewpoint.seat)
        if sights is None:
            sights = self._sights[viewpoint.seat] = tuple(self._look(viewpoint))
        return Viewpoint(seat=viewpoint.seat, known=sights[step.number - 1])

    def _look(self, viewpoint: Viewpoint) -> Iterator[Known]:
        """Step by step what is known; with every round there is another deal."""
        known: Known = frozenset()
        current: str | None = None
        for step in self.steps:
            fact = step.entry.fact
            if fact.round != current:
                current, known = fact.round, frozenset()
            known = learn(known, fact.event, viewpoint)
            yield known

    def picture(self, step: Step, viewpoint: Viewpoint) -> Picture:
        """The table after a step, as far as the viewpoint sees it."""
        return self.game.picture(step.after, self.sees(step, viewpoint))

    def _first(self, what: str, hits: Iterable[bool]) -> Step:
        for index, hit in enumerate(hits):
            if hit:
                self.at = index
                return self.step
        raise Refused(f"{what} is not in this walk")

    def _walk(self) -> Iterator[Step]:
        entries = {entry.fact.cite: entry for entry in self.timeline.entries if not entry.disowned}
        lasts = self._last_records()
        lying = Balances()
        so_far: list[Finding] = []
        current: str | None = None
        number = 0
        for folded in fold(self.case, self.rooms):
            fact = folded.fact
            unit = self.currency_of(fact.event)
            then, lying = lying, money.after(lying, fact, unit if unit != self.currency else "")
            if fact.round != current:
                current, so_far = fact.round, []
            if self.round is not None and fact.round != self.round:
                if number:
                    return  # `steps` gives a round's records together
                continue
            so_far.extend(folded.findings)
            cited = self._cited(fact, folded.findings)
            so_far.extend(cited)
            if fact.cite in lasts and fact.round is not None:
                so_far = list(self.verdict(fact.round).findings)
            number += 1
            yield Step(
                number=number,
                entry=entries[fact.cite],
                before=folded.before,
                after=folded.session,
                balances_before=then,
                balances_after=lying,
                expects=self.game.expects,
                here=folded.findings,
                cited=cited,
                so_far=tuple(so_far),
            )

    def _cited(self, fact: Fact, here: tuple[Finding, ...]) -> tuple[Finding, ...]:
        """The findings of the round that rest on this record last of all, without those made at a record."""
        if fact.round is None or fact.round not in self.timeline.rounds:
            return ()
        found = self._resting.get(fact.round)
        if found is None:
            order = {entry.fact.cite: entry.number for entry in self._by_round.get(fact.round, ())}
            found = self._resting[fact.round] = {}
            for finding in self.verdict(fact.round).findings:
                cites = sorted((cite for cite in finding.events if cite in order), key=order.__getitem__)
                if cites:
                    found.setdefault(cites[-1], []).append(finding)
        return tuple(finding for finding in found.get(fact.cite, ()) if finding not in here)

    def _last_records(self) -> set[str]:
        """The citation of each round's last record."""
        last: dict[str, str] = {}
        for entry in self.timeline.entries:
            if entry.fact.round is not None and not entry.disowned:
                last[entry.fact.round] = entry.fact.cite
        return set(last.values())
