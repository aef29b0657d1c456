"""What a verdict is told with: its records in words, the round in short, and what lies between it and its neighbours.

Cards are told as everybody at the table could see them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import takewhile
from typing import Any

from msgspec import Struct

from cli import assembly, screen
from cli.findings import finding_lines
from cli.objections import Objection, is_objection, objection_lines, objections
from cli.options import is_timeless
from cli.screen import Words
from cli.words import Scene, deciding, parameter_lines
from events.schema.common import (
    BuyIn,
    ChipsMoved,
    ClockCompared,
    CutMade,
    DeckInspected,
    DeckOpened,
    DeckRetired,
    InventoryCounted,
    SeatTaken,
    ShuffleStep,
    SourceEnded,
    TableClosed,
    TableOpened,
)
from events.schema.event import Event, Undecoded
from events.schema.notation import write_event
from events.values.clock import clock_text
from events.values.money import unit_text
from games.adjudicate import Case, explain_rule, game_of, judge_session
from games.house_rules.edition import Edition
from games.picture import Known, Span, Viewpoint
from games.protocol import Game, Passage
from games.registry import Rooms
from games.shared.poker.events import SeatChanged
from games.sight import learn, masked
from games.verdict import Finding, Verdict
from games.wording import currencies, sentence
from replay.stepper import Stepper
from replay.timeline import Entry, Records, Timeline

_EVERYBODY = Viewpoint()
_DULL = (
    BuyIn, ClockCompared, CutMade, DeckInspected, DeckOpened, DeckRetired, InventoryCounted, ShuffleStep, SourceEnded,
    TableClosed, TableOpened, Undecoded,
)  # fmt: skip
"""What happens between any two rounds."""
_SEATING = frozenset({"buy_in", "seat_change"})
_CLOCK = len("21:40:05")
_TENTHS = len("21:40:05.0")
_FEW = 3
"""So many settings of a rule are told beside it."""
_MOST = 8
"""So many records beside a round are told; a replay of the session has all."""


class Beside(Struct, frozen=True):
    """What belongs to no round and lies next to one, before it and after it: records worth telling, and findings."""

    before: tuple[Entry, ...]
    after: tuple[Entry, ...]
    found: tuple[Finding, ...]


def scene_of(
    records: Records, case: Case, timeline: Timeline, rooms: Rooms, verdict: Verdict, against: Sequence[Objection]
) -> Scene:
    """The scene of the round that was judged.

    Raises:
        Unable, EditionMissing, BadEdition: as for judging.
    """
    name = verdict.round.partition("#")[2]
    game, edition = game_of(case, rooms)
    currency = getattr(case.opened.event, "currency", "CZK") if case.opened is not None else "CZK"
    foreign = currencies(case.ordered.facts)
    near = beside(case, timeline, rooms, name, against)
    decider = deciding(verdict)
    seen = _as_seen(timeline, name)

    def said(entry: Entry) -> str:
        event = seen.get(entry.fact.cite, entry.fact.event)
        return sentence(event, game, foreign.get(getattr(event, "stake", ""), currency)) or write_event(
            event, records.catalogue
        )

    def told(cites: Iterable[str]) -> list[str]:
        wanted = set(cites)
        return [_at(one, _TENTHS) + said(one) for one in timeline.entries if one.fact.cite in wanted]

    facts = [one.fact for one in timeline.of_round(name) if not one.disowned]
    story = [
        *_aside("moved", _moved(timeline, name, near.before), said),
        *_aside("before", near.before, said),
        *(game.story(facts, currency) if game.story is not None else ()),
        *_aside("after", near.after, said),
    ]
    return Scene(
        told=told,
        figures=explain_rule(case, rooms, name, decider.rule) if decider is not None else (),
        settings=_settings(game, edition, decider),
        story=[*_story_lines(story, currency), *(_table_lines(records, rooms, name) if game.story is None else ())],
        beside=_between_lines(near.found, timeline, currency),
        objections=objection_lines(against, [timeline.cite(one.fact) for one in against]),
    )


def found_beside(case: Case, timeline: Timeline, name: str) -> tuple[Finding, ...]:
    """What was found in no round beside a round, and of the objections to it."""
    against = [one for one in objections(case.ordered.facts) if one.round == name]
    return beside(case, timeline, assembly.rooms(), name, against).found


def beside(case: Case, timeline: Timeline, rooms: Rooms, name: str, against: Sequence[Objection]) -> Beside:
    """What lies between a round and its neighbours, and what was found of the objections to it, whenever they came."""
    entries = timeline.entries
    own = [at for at, one in enumerate(entries) if one.fact.round == name]
    is_first = not any(one.fact.round for one in entries[: own[0]])
    before = [*takewhile(_is_between, reversed(entries[: own[0]]))][::-1]
    after = [*takewhile(_is_between, entries[own[-1] + 1 :])]
    # An objection counts for the round that it is to, not for those it lies between.
    cites = {one.fact.cite for one in (*before, *after) if not is_objection(one.fact)}
    cites |= {one.fact.cite for one in against}
    found = tuple(one for one in judge_session(case, rooms).between if not cites.isdisjoint(one.events))
    return Beside(
        tuple(one for one in before if _is_worth_telling(one, is_first)),
        tuple(one for one in after if _is_worth_telling(one, False)),
        found,
    )


def _moved(timeline: Timeline, name: str, told: Sequence[Entry]) -> list[Entry]:
    """How those who took part came to their seats, where they had sat on others: the last move of each before it."""
    own = [at for at, one in enumerate(timeline.entries) if one.fact.round == name]
    players = {getattr(timeline.entries[at].fact.event, "player", "") for at in own}
    last: dict[str, Entry] = {}
    for one in timeline.entries[: own[0]]:
        event = one.fact.event
        if isinstance(event, SeatChanged) and not one.disowned and event.player in players:
            last[event.player] = one
    return [one for one in last.values() if one not in told]


def _is_between(entry: Entry) -> bool:
    return entry.fact.round is None


def _is_worth_telling(entry: Entry, is_first: bool) -> bool:
    event = entry.fact.event
    if entry.disowned or isinstance(event, _DULL) or is_objection(entry.fact):
        return False
    if isinstance(event, ChipsMoved) and event.cause in _SEATING:
        return False
    return not (is_first and isinstance(event, SeatTaken))


def _as_seen(timeline: Timeline, name: str) -> dict[str, Event | Undecoded]:
    """The records of a round by citation, without the cards that lay hidden then."""
    known: Known = frozenset()
    seen = {}
    for entry in timeline.of_round(name):
        known = learn(known, entry.fact.event, _EVERYBODY)
        seen[entry.fact.cite] = masked(entry.fact.event, _EVERYBODY, known)[0]
    return seen


def _at(entry: Entry, digits: int) -> str:
    at = entry.fact.occurred_at
    return "" if is_timeless(at) else f"{clock_text(at)[:digits]}  "


def _aside(head: str, entries: Sequence[Entry], said: Callable[[Entry], str]) -> list[Passage]:
    if not entries:
        return []

    told = [said(one) for one in entries[:_MOST]]
    more = [f"… and {len(entries) - _MOST} more"] if len(entries) > _MOST else []
    return [Passage(head, entries[0].fact.occurred_at, "; ".join((*told, *more)))]


def _story_lines(story: Sequence[Passage], currency: str) -> list[Words]:
    if not story:
        return []
    wide = max(len(one.head) for one in story)
    lines: list[Words] = ["", f"As recorded (amounts in {unit_text(currency)})"]
    for one in story:
        clock = "" if is_timeless(one.at) else clock_text(one.at)[:_CLOCK] + "  "
        head = f"  {one.head:<{wide}}  {clock}"
        first, *rest = screen.wrapped(one.text, " " * len(head), head)
        lines.append([Span(head, "dim"), first[len(head) :]])
        lines += rest
    return lines


def _settings(game: Game[Any], edition: Edition, decider: Finding | None) -> list[Words]:
    """How the house has set the rule that decides, where that is short: a rule of many settings is `why`'s to tell."""
    read = {name: value for name, value in decider.parameters.items() if value is not None} if decider else {}
    return parameter_lines(game, edition, read, "    ") if 0 < len(read) <= _FEW else []


def _table_lines(records: Records, rooms: Rooms, name: str) -> list[Words]:
    """The table as everybody saw it when the round was over, for a game whose rounds are not told in words; the money
    has its own table."""
    walk = Stepper(records, rooms, name)
    panels = tuple([panel for panel in walk.picture(walk.steps[-1], _EVERYBODY) if panel.title != "Settlement"])
    return ["", *screen.picture_lines(panels)]


def _between_lines(found: Sequence[Finding], timeline: Timeline, currency: str) -> list[Words]:
    lines: list[Words] = ["", f"Found beside this round, in no round: {len(found)}"] if found else []
    for one in found:
        lines += finding_lines(one, timeline.shorten, currency)
    return lines
