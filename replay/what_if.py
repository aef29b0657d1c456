"""What if: change, add, drop or move facts, swap cards, change a parameter, judge again, show both side by side.
Nothing is ever stored.

Changes, added and dropped facts are the same three that a correction is made of (`RecordCorrected`, `RecordDisowned`,
an added fact with `about`), put among the records for one judgement. What is to stand elsewhere is moved in the table
order that comes of them, and a parameter is changed in the edition that the case finds in force.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import date
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from events.errors import Refused
from events.schema.event import short_name
from events.schema.fact import Fact
from events.schema.ours import RecordCorrected, RecordDisowned
from events.values.names import round_address
from games.adjudicate import Case, game_of, judge_round, judge_session
from games.blocks import blocks
from games.house_rules.edition import Edition, Editions
from games.registry import Rooms
from games.verdict import Finding, Line, Settlement, Verdict
from replay.timeline import Records
from replay.what_if_draft import Alteration, Draft, altered_event, correction, place_in_round
from replay.what_if_words import Place, read_parameter, read_setting

__all__ = ["Alteration", "Comparison", "Pair", "Place", "altered_event", "correction", "place_in_round", "what_if"]


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
    settings: Sequence[str] = (),
    add: Sequence[str] = (),
    drop: Sequence[str] = (),
    move: Sequence[str] = (),
    cards: Sequence[str] = (),
    parameters: Sequence[str] = (),
    place: Place | None = None,
) -> Comparison:
    """Judges the round as it is and as it would be.

    A record is named by its number in the round, as a replay of the round counts, or by its citation.

    `change`: lines of notation that begin with the record meant; behind it either the whole event
    (`4711@terminal BetPlaced b9 p-204 17 100`) or the fields that differ (`27 amount=100`); `@time` and `#round` move
    it. `settings`: one field each (`27.amount=100`; `27.time=+0.5` is half a second later). `add`: lines of notation,
    placed by `before 28` or `behind 27` at their end, by `^citation`, else by `place`, else behind the last record of
    the round that is not later than their `@time`, else at the round's end. `drop`: records. `move`: records that stand
    elsewhere (`17-18 before 15`; without a place, at `place`). `cards`: what lies somewhere (`river=Ah`); a card that
    lies elsewhere changes places with it. `parameters`: of the edition (`min_raise_rule=last_increment`).

    Raises:
        BadNotation: a line that cannot be read. Refused: no such round or record; nothing to change; a card, place or
        parameter that there is not.
    """
    if not (change or settings or add or drop or move or cards or parameters):
        raise Refused("a what-if needs something to change", hint="--set, --card, --move, --add, --drop or --parameter")
    case = records.case()
    draft = Draft(records, case, _of_round(case, round_name), place)
    for line in change:
        draft.change(line)
    draft.set_fields([read_setting(text) for text in settings])
    draft.swap(cards)
    for text in drop:
        draft.drop(text)
    for line in add:
        draft.add(line, round_name)
    for text in move:
        draft.move(text)
    altered = replace(records, facts=(*records.facts, *draft.made)).case() if draft.made else case
    altered = draft.moved(altered)
    if parameters:
        altered, told = _by_other_rules(altered, rooms, parameters)
        draft.told += told
    added = {fact.cite: short_name(fact.topic) for fact in draft.made if _is_put_in(fact)}
    return replace(_compare(case, altered, rooms, round_name, draft.told), added=added)


def _of_round(case: Case, round_name: str) -> list[Fact]:
    """The records of a round in the order in which a replay of the round numbers them.

    Raises:
        Refused: the session has no such round.
    """
    opened = case.opened
    own = [opened] if opened is not None and opened.round == round_name else []
    for name, facts in blocks(case.ordered):
        if name == round_name:
            own += [fact for fact in facts if fact is not opened]
    if not own:
        raise Refused(f"{case.subject} has no round `{round_name}`", hint="`recoup rounds` lists them")
    return own


def _is_put_in(fact: Fact) -> bool:
    return not isinstance(fact.event, RecordCorrected | RecordDisowned)


class _OtherRules(Editions):
    """Editions as adopted, some parameters of those of one rule book otherwise."""

    def __init__(self, base: Editions, rule_book: str, values: dict[str, Any]) -> None:
        self._base = base
        self._rule_book = rule_book
        self._values = values

    def in_force(self, house: str, rule_book: str, day: date) -> Edition:
        """As the adopted one, its digest another: rule books keep what they bind by it."""
        edition = self._base.in_force(house, rule_book, day)
        if rule_book != self._rule_book:
            return edition
        return replace(
            edition,
            name=f"{edition.name} (what if)",
            parameters={**edition.parameters, **self._values},
            defaulted=tuple(name for name in edition.defaulted if name not in self._values),
            digest=hashlib.sha256(f"{edition.digest} {sorted(self._values.items())!r}".encode()).hexdigest(),
        )


def _by_other_rules(case: Case, rooms: Rooms, stated: Sequence[str]) -> tuple[Case, list[Alteration]]:
    game, edition = game_of(case, rooms)
    known = next(book.form.parameters for book in game.books if book.name == edition.rule_book)
    values: dict[str, Any] = {}
    told = []
    for text in stated:
        parameter, value = read_parameter(text, known)
        values[parameter.name] = value
        was, would = (f"{parameter.name} = {_plain(one)}" for one in (edition[parameter.name], value))
        told.append(Alteration(cite="", was=was, would=would))
    return replace(case, editions=_OtherRules(case.editions, edition.rule_book, values)), told


def _plain(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return str(value)


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
