"""Sessions judged and looked on at: hand by hand, who met whom and whose chips went to whom."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from msgspec import Struct

from events.schema.common import TableOpened
from events.schema.ours import HandImported
from events.values.names import round_address
from games.adjudicate import Case, SessionJudgement, judge_each, look_on
from games.casebook import Casebook
from games.shared.poker.events import ActionTaken, LineUp, PlayerDealtIn
from games.shared.poker.flow import chips_between
from games.shared.poker.hand import Hand
from games.shared.poker.meetings import Meetings, Watch
from games.verdict import Finding


class Played(Struct, frozen=True, gc=False, kw_only=True):
    """One hand. `players` by position, the house behind the last; `table`: where names are compared with each other (a
    session, or the site of an imported hand). `chips`: as `chips_between`; None where nobody can tell. `sparers`:
    players whose soft play the judge has found (NL-40), `looked` whether it looks at such hands at all. `big_blind` in
    minor units, 0 if no record names it."""

    address: str
    table: str
    at: int
    players: tuple[str, ...]
    currency: str
    big_blind: int
    chips: dict[tuple[int, int], int] | None
    met: Meetings
    sparers: frozenset[str]
    looked: bool


class Passed(Struct, frozen=True):
    """Chips that went from one player to another outside the pots, as the judge has found it (NL-42)."""

    address: str
    players: frozenset[str]


class Reading(Struct):
    """All that was read. `unreadable`: sessions that could not be judged, with the reason."""

    hands: list[Played]
    passed: list[Passed]
    unreadable: dict[str, str]


def read(
    book: Casebook,
    subjects: Iterable[str],
    *,
    players: frozenset[str] = frozenset(),
    rounds: frozenset[str] = frozenset(),
    progress: Callable[[int], None] | None = None,
) -> Reading:
    """The poker hands of these sessions in order. `players`: only sessions in which one of them was dealt in; `rounds`:
    only these (addresses); empty: all."""
    found = Reading([], [], {})
    waiting: deque[Case] = deque()

    def cases() -> Iterator[Case]:
        for number, subject in enumerate(subjects, 1):
            case = book.case(subject)
            if progress is not None:
                progress(number)
            if _is_poker(case, book) and (not players or _seated(case, players)):
                waiting.append(case)
                yield case

    for judged in judge_each(cases(), book.rooms):
        case = waiting.popleft()
        if isinstance(judged, Exception):
            found.unreadable[case.subject] = str(judged)
        else:
            found.hands += [one for one in _hands(case, judged, book) if not rounds or one.address in rounds]
            found.passed += [one for one in _passed(case, judged) if not rounds or one.address in rounds]
    found.hands.sort(key=lambda one: (one.at, one.address))
    return found


def _is_poker(case: Case, book: Casebook) -> bool:
    room = book.rooms.get(getattr(case.opened.event, "game", "")) if case.opened is not None else None
    return room is not None and ActionTaken in room.events


def _seated(case: Case, players: frozenset[str]) -> bool:
    for fact in case.ordered.facts:
        event = fact.event
        if isinstance(event, PlayerDealtIn) and event.player in players:
            return True
        if isinstance(event, LineUp) and not players.isdisjoint(event.players):
            return True
    return False


def _hands(case: Case, judged: SessionJudgement, book: Casebook) -> Iterator[Played]:
    verdicts = {verdict.round: verdict for verdict in judged.verdicts}
    opened: Any = case.opened.event if case.opened is not None else None
    imported = isinstance(opened, HandImported)
    table = f"import/{opened.site or opened.format}" if imported else case.subject
    watch: list[Watch] = [Watch()]
    now: list[Hand | None] = [None]

    def look(session: Any) -> None:
        hand = session.hand
        if hand is not now[0]:
            if now[0] is None or hand is None or hand.name != now[0].name:
                watch[0] = Watch()
            now[0] = hand
        if hand is not None:
            watch[0].see(hand)

    for name, session in look_on(case, book.rooms, look):
        hand: Hand | None = session.hand
        verdict = verdicts.get(round_address(case.subject, name))
        if hand is None or hand.name != name or verdict is None or len(hand.seats) < 2:
            continue
        yield Played(
            address=verdict.round,
            table=table,
            at=verdict.opened_at,
            players=tuple(hand.players),
            currency=verdict.currency,
            big_blind=session.stakes.big_blind,
            chips=chips_between(hand, verdict.due),
            met=watch[0].seen(hand),
            sparers=frozenset(one.player for one in verdict.findings if one.code == "soft_play"),
            looked=isinstance(opened, TableOpened),
        )


def _passed(case: Case, judged: SessionJudgement) -> Iterator[Passed]:
    for verdict in judged.verdicts:
        yield from _handed(verdict.round, verdict.findings)
    yield from _handed(case.subject, judged.between)


def _handed(address: str, findings: Iterable[Finding]) -> Iterator[Passed]:
    """Both players of each such movement, who have a finding each on the same record."""
    by_record: dict[tuple[str, ...], set[str]] = {}
    for one in findings:
        if one.code == "chips_passed" and one.kind == "penalty":
            by_record.setdefault(one.events, set()).add(one.player)
    for both in by_record.values():
        if len(both) == 2:
            yield Passed(address, frozenset(both))
