"""Judges rounds: table order, edition, rulings, fold, checks, settlement, verdict. Everything calls this one judge."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from importlib import metadata
from itertools import islice
from typing import Any, NamedTuple

from msgspec import UNSET, Struct
from msgspec.structs import force_setattr, replace

from events.errors import Refused, Unable
from events.schema.catalogue import Catalogue
from events.schema.common import RoundClosed, RoundOpened, TableOpened
from events.schema.fact import Fact
from events.schema.order import Ordered, table_order
from events.schema.ours import HandImported, Ruling
from events.values.clock import gaming_day
from events.values.names import parse_subject, round_address
from games import collector
from games.blocks import blocks
from games.clocks import TOLERANCE_MS, Clocks
from games.house_rules.edition import Edition, Editions
from games.house_rules.rulebook import Bound, Group
from games.outcome import agreement_of, by_player, digest_of, outcome_digest, standing_of
from games.overtaken import by_facts, overtaken, resting
from games.protocol import Game, Round
from games.registry import Rooms
from games.ruled import CHOSEN, answered, as_chosen, rulings_in_force
from games.settlement import BOOKINGS, Booking, Ledger, differences
from games.table_rules import (
    Hole,
    clock_findings,
    finding,
    hole_finding,
    round_findings,
    session_findings,
    touched,
    undecoded_holes,
)
from games.verdict import Finding, Settlement, Verdict

IMPORT_HOUSE = "import"
"""The house under whose editions imported hands are judged."""

TOGETHER = 1_200
"""As many facts, about, `judge_sessions` works on at once: of sixty imported hands, or of one table's session."""


_OPENS = (TableOpened, HandImported)


class Case(Struct, frozen=True, kw_only=True):
    """All that judging a session needs, and nothing else: the same case gives the same verdicts, byte for byte.

    `opened`: the fact that opened the session, if it is on record. `holes`: gaps and open conflicts by source.
    `restarts`: sources whose counter began again. `editions`: those adopted, of every house.
    """

    subject: str
    ordered: Ordered
    opened: Fact | None
    holes: tuple[Hole, ...]
    restarts: tuple[str, ...]
    editions: Editions
    tolerance_ms: int = TOLERANCE_MS

    @classmethod
    def make(
        cls,
        subject: str,
        facts: Iterable[Fact],
        catalogue: Catalogue,
        editions: Editions,
        *,
        holes: Sequence[Hole] = (),
        restarts: Sequence[str] = (),
        tolerance_ms: int = TOLERANCE_MS,
    ) -> Case:
        """A session's case from its records in any order; what-if facts are given among them."""
        ordered = table_order(facts, catalogue.decode)
        opened = ordered.facts[0] if ordered.facts else None
        if opened is not None and not isinstance(opened.event, _OPENS):  # as nearly never
            opened = next((fact for fact in ordered.facts if isinstance(fact.event, _OPENS)), None)
        return cls(
            subject=subject,
            ordered=ordered,
            opened=opened,
            holes=(*holes, *undecoded_holes(ordered)),
            restarts=tuple(restarts),
            editions=editions,
            tolerance_ms=tolerance_ms,
        )


class SessionJudgement(Struct, frozen=True):
    """A whole session: a verdict a round, in order, and the findings that belong to no round."""

    subject: str
    verdicts: tuple[Verdict, ...]
    between: tuple[Finding, ...]
    currency: str = "CZK"


class Step(Struct, frozen=True):
    """One fact of the fold. `session` stands after it; `findings` are those of this fact."""

    fact: Fact
    before: Any
    session: Any
    findings: tuple[Finding, ...]


class _Bench(Struct, frozen=True):
    """A case with its room and edition found."""

    case: Case
    game: Game[Any]
    edition: Edition
    bound: Bound
    house: str
    clocks: Clocks
    opened: Fact
    touched: dict[str, list[Hole]]
    clock: dict[str, Finding]
    overtaken: dict[str, Finding]


class _Folded(NamedTuple):
    """A round folded: its facts, their movements added up, the session before and after, what was found on the way,
    what came between it and the next round, and when that one began."""

    bench: _Bench
    name: str
    facts: list[Fact]
    closed: Fact | None
    ledger: Ledger
    before: Any
    session: Any
    found: list[Finding]
    after: list[Fact]
    next_at: int | None


def judge_session(case: Case, rooms: Rooms) -> SessionJudgement:
    """Every round of a session, and what concerns no round.

    Raises:
        EditionMissing: no edition of its rule book is in force.
        BadEdition: the one in force cannot be read.
    """
    return _judge([case], rooms)[0]


def judge_sessions(cases: Iterable[Case], rooms: Rooms) -> Iterator[SessionJudgement]:
    """The same for many sessions in order: short ones (imported hands) a sixth faster, as each part of the work is
    done for several at once and stays in the processor's cache.

    Raises:
        EditionMissing, BadEdition: as `judge_session`, for whole groups of sessions (`TOGETHER`).
    """
    with collector.seldom():
        for group in _groups(cases):
            yield from _judge(group, rooms)


def judge_each(cases: Iterable[Case], rooms: Rooms) -> Iterator[SessionJudgement | Exception]:
    """The same, but a session that cannot be judged gives its error in its place and stops no other."""
    with collector.seldom():
        for group in _groups(cases):
            try:
                judged: list[SessionJudgement | Exception] = [*_judge(group, rooms)]
            except Exception:  # noqa: BLE001  whose it is shows one by one
                judged = [_judged_or_error(case, rooms) for case in group]
            yield from judged


def _judged_or_error(case: Case, rooms: Rooms) -> SessionJudgement | Exception:
    try:
        return judge_session(case, rooms)
    except Exception as error:  # noqa: BLE001  the caller says what becomes of it
        return error


def _groups(cases: Iterable[Case]) -> Iterator[list[Case]]:
    group: list[Case] = []
    facts = 0
    for case in cases:
        group.append(case)
        facts += len(case.ordered.facts)
        if facts >= TOGETHER:
            yield group
            group, facts = [], 0
    if group:
        yield group


def _judge(cases: Sequence[Case], rooms: Rooms) -> list[SessionJudgement]:
    benches = [_bench(case, rooms) for case in cases]
    between: list[list[Finding]] = []
    folded: list[list[_Folded]] = []
    for case, bench in zip(cases, benches, strict=True):
        if isinstance(bench, Finding):
            between.append([bench])
            folded.append([])
        else:
            between.append(list(session_findings(case.ordered, case.opened, bench.edition.name, case.restarts)))
            folded.append(list(_fold(bench, None, between[-1])))
    verdicts = iter(_verdicts([one for rounds in folded for one in rounds]))
    judged = []
    for case, bench, rounds, found in zip(cases, benches, folded, between, strict=True):
        own = tuple(islice(verdicts, len(rounds)))
        if isinstance(bench, _Bench):
            for hole in case.holes:
                if not any(hole in holes for holes in bench.touched.values()):
                    found.append(hole_finding(hole))
        currency = getattr(case.opened.event, "currency", "CZK") if case.opened is not None else "CZK"
        judged.append(SessionJudgement(case.subject, own, tuple(found), currency))
    return judged


def judge_round(case: Case, rooms: Rooms, name: str) -> Verdict:
    """The verdict on one round: folds the session up to it and no further.

    Raises:
        Refused: the session has no such round. Unable: nothing tells what is played.
        EditionMissing, BadEdition: as `judge_session`.
    """
    bench = _bench(case, rooms)
    if isinstance(bench, Finding):
        raise _cannot(case, bench, "judged")
    for folded in _fold(bench, name, []):
        return _verdicts([folded])[0]
    raise Refused(f"{case.subject} has no round `{name}`", hint="`recoup rounds` lists them")


def explain_rule(case: Case, rooms: Rooms, name: str, rule: str) -> tuple[str, ...]:
    """What the room says of a rule that was kept in a round: the figures it rests on; empty where it says none.

    Raises:
        As `judge_round`.
    """
    bench = _bench(case, rooms)
    if isinstance(bench, Finding):
        raise _cannot(case, bench, "judged")
    for folded in _fold(bench, name, []):
        if bench.game.explain is None:
            return ()
        round_ = _round(folded)
        due = bench.game.due(round_)
        _settle(folded, round_, due, folded.ledger.settlement(due, open_round=folded.closed is None))
        return bench.game.explain(round_, rule)
    raise Refused(f"{case.subject} has no round `{name}`", hint="`recoup rounds` lists them")


def steps(case: Case, rooms: Rooms) -> Iterator[Step]:
    """The fold itself, fact by fact, for a stepper; the opening fact first.

    Raises:
        Unable: nothing tells what is played. EditionMissing, BadEdition: as `judge_session`.
    """
    bench = _bench(case, rooms)
    if isinstance(bench, Finding):
        raise _cannot(case, bench, "replayed")
    session = _open(bench)
    yield Step(bench.opened, None, session, tuple(bench.bound.step(session, bench.opened)))
    for _name, facts in blocks(case.ordered):
        for fact in facts:
            if fact is not bench.opened:
                before = session
                session = bench.game.evolve(session, fact)
                yield Step(fact, before, session, tuple(bench.bound.step(before, fact)))


def look_on(case: Case, rooms: Rooms, look: Callable[[Any], None]) -> Iterator[tuple[str, Any]]:
    """The fold for who only looks on, without checks and in place: `look` gets the session after each fact of a round.
    Gives each round's name with the session after its last fact, which changes with the next one.

    Raises:
        As `steps`.
    """
    bench = _bench(case, rooms)
    if isinstance(bench, Finding):
        raise _cannot(case, bench, "read")
    session, evolve = _open(bench), bench.game.advance or bench.game.evolve
    for name, facts in blocks(case.ordered):
        for fact in facts:
            if fact is not bench.opened:
                session = evolve(session, fact)
                if name is not None:
                    look(session)
        if name is not None:
            yield name, session


def game_of(case: Case, rooms: Rooms) -> tuple[Game[Any], Edition]:
    """The room in which a session is played, and the edition in force there.

    Raises:
        Unable: nothing tells what is played. EditionMissing, BadEdition: as `judge_session`.
    """
    bench = _bench(case, rooms)
    if isinstance(bench, Finding):
        raise _cannot(case, bench, "judged")
    return bench.game, bench.edition


_CANNOT = {
    "not_opened": "the record that opened the table is not there: bring in the file that holds it; `recoup gaps`",
    "game_unknown": "a later Recoup may know it; its records are kept as they came",
}


def _cannot(case: Case, found: Finding, what: str) -> Unable:
    return Unable(f"{case.subject} cannot be {what}: {found.text}", hint=_CANNOT[found.code])


def _bench(case: Case, rooms: Rooms) -> _Bench | Finding:
    opened = case.opened
    if opened is None:
        return finding("TB-13", "not_opened", "unverified", "session", text="no record opens this session")
    event = opened.event
    assert isinstance(event, TableOpened | HandImported)
    game, book = rooms.get(event.game), None
    for own in game.books if game is not None else ():
        if own.name == event.rule_book:
            book = own
            break
    if game is None or book is None:
        text = f"no room plays `{event.game}` by rule book `{event.rule_book}`"
        return finding("TB-13", "game_unknown", "unverified", "session", events=(opened.cite,), text=text)
    imported = isinstance(event, HandImported)
    house = IMPORT_HOUSE if imported else parse_subject(case.subject).house
    edition = case.editions.in_force(house, book.name, gaming_day(opened.occurred_at))
    known = not isinstance(event, HandImported) or event.time_known
    return _Bench(
        case=case,
        game=game,
        edition=edition,
        bound=book.bind(edition),
        house=house,
        clocks=Clocks(case.ordered.facts, tolerance_ms=case.tolerance_ms, known=known),
        opened=opened,
        touched=touched(case.ordered, case.holes),
        clock=clock_findings(case.ordered.facts) if known else {},
        overtaken=_overtaken(case, rooms) if case.ordered.rulings else {},
    )


def _overtaken(case: Case, rooms: Rooms) -> dict[str, Finding]:
    """TB-10 by round; the facts are judged alone only where a ruling in force rests on such a verdict."""
    rests = resting(case.ordered.rulings)
    if not rests:
        return {}
    alone = replace(case, ordered=by_facts(case.ordered))
    return overtaken(rests, {verdict.round: outcome_digest(verdict) for verdict in _judge([alone], rooms)[0].verdicts})


def _open(bench: _Bench) -> Any:
    return bench.game.open_table(bench.edition, bench.opened, bench.case.ordered.rulings, bench.clocks)


def _strays(ordered: Ordered) -> Iterator[Finding]:
    for fact in ordered.strays:
        text = f"the record names round {fact.round}, which nobody opened"
        yield finding(
            "TB-06", "round_unknown", "unverified", "round", events=(fact.cite,), subject=fact.round or "", text=text
        )


class _Plan(dict[type[Any], tuple[tuple[Group, ...], Booking | None]]):
    """Class of event → the checks that look at it and how it is booked: one look-up a fact."""

    def __init__(self, bound: Bound) -> None:
        super().__init__()
        self._checks = bound.by_type

    def __missing__(self, kind: type[Any]) -> tuple[tuple[Group, ...], Booking | None]:
        found = self[kind] = (self._checks[kind], BOOKINGS[kind])
        return found


_plan = lru_cache(maxsize=256)(_Plan)


def _fold(bench: _Bench, only: str | None, between: list[Finding]) -> Iterator[_Folded]:
    """The rounds of a session folded, with what the checks of single facts find; `only` one of them, if named."""
    session = _open(bench)
    evolve, plan, opened = bench.game.advance or bench.game.evolve, _plan(bench.bound), bench.opened
    ledger = Ledger()
    if only is None:
        between.extend(bench.bound.step(session, bench.opened))
        between.extend(_strays(bench.case.ordered))
    runs = blocks(bench.case.ordered)
    for number, (name, facts) in enumerate(runs, 1):
        before = session
        found: list[Finding] = []
        look = only is None or name == only
        ledger = ledger.next()
        closed: Fact | None = None
        for fact in facts:
            if fact is opened:
                continue
            event = fact.event
            kind = type(event)
            groups, booking = plan[kind]
            if groups and look:
                for unless, own in groups:
                    if unless is None or not unless(session, fact):
                        for check, rule in own:
                            found += check(session, fact, rule)
            session = evolve(session, fact)
            if booking is not None:
                booking(event, ledger)
            elif kind is RoundClosed and closed is None:
                closed = fact
        if not look:
            continue
        if bench.clock:
            found.extend(bench.clock[fact.cite] for fact in facts if fact.cite in bench.clock)
        if name in bench.overtaken:
            found.append(bench.overtaken[name])
        if name is None:
            between.extend(found)
            continue
        after = runs[number][1] if number < len(runs) and runs[number][0] is None else []
        yield _Folded(bench, name, facts, closed, ledger, before, session, found, after, _next_at(runs, number))
        if only is not None:
            return


def _next_at(runs: Sequence[tuple[str | None, list[Fact]]], number: int) -> int | None:
    """When the first round from block `number` on began; None if there is none."""
    for at in range(number, len(runs)):
        name, facts = runs[at]
        if name is not None:
            return facts[0].occurred_at
    return None


def _verdicts(folded: Sequence[_Folded]) -> list[Verdict]:
    """Settlement, checks of whole rounds, verdict, digest: each for all of them before the next."""
    rounds = [_round(one) for one in folded]
    dues = [_due(one, round_) for one, round_ in zip(folded, rounds, strict=True)]
    records = [one.ledger.settlement(due, open_round=one.closed is None) for one, due in zip(folded, dues, strict=True)]
    for one, round_, due, on_record in zip(folded, rounds, dues, records, strict=True):
        _settle(one, round_, due, on_record)
        one.found.extend(one.bench.bound.end(round_))
        if round_.rulings:
            is_chosen = bool(round_.memo.get(CHOSEN))
            answered(one.found, _rulings(one, round_), one.bench.game.matrix, due, is_chosen=is_chosen)
    verdicts = [_verdict(one, round_) for one, round_ in zip(folded, rounds, strict=True)]
    for one, verdict in zip(folded, verdicts, strict=True):
        force_setattr(verdict, "digest", digest_of(verdict, one.facts))
        force_setattr(verdict, "engine", engine())
    return verdicts


def _due(folded: _Folded, round_: Round[Any]) -> Settlement:
    due = folded.bench.game.due(round_)
    if not round_.rulings or not due.candidates:
        return due
    chosen = as_chosen(due, _rulings(folded, round_))
    round_.memo[CHOSEN] = chosen is not due
    return chosen


def _rulings(folded: _Folded, round_: Round[Any]) -> list[Ruling]:
    return rulings_in_force(folded.bench.case.subject, round_, folded.bench.game)


def _settle(folded: _Folded, round_: Round[Any], due: Settlement, on_record: Settlement | None) -> None:
    """Both settlements and how they differ, into the round. Nobody else has it yet; a copy of each round would be a
    fiftieth of a judge's time."""
    force_setattr(round_, "due", due)
    force_setattr(round_, "recorded", on_record)
    if on_record and due.known:
        force_setattr(round_, "differences", differences(due, on_record, open_round=folded.closed is None))


def _round(folded: _Folded) -> Round[Any]:
    bench = folded.bench
    return Round(
        name=folded.name,
        facts=tuple(folded.facts),
        before=folded.before,
        session=folded.session,
        edition=bench.edition,
        rulings=bench.case.ordered.rulings,
        clocks=bench.clocks,
        touched=folded.name in bench.touched,
        after=tuple(folded.after),
        next_at=folded.next_at,
    )


def _verdict(folded: _Folded, round_: Round[Any]) -> Verdict:
    bench, name, facts, closed, found = folded.bench, folded.name, folded.facts, folded.closed, folded.found
    case, due, on_record = bench.case, round_.due, round_.recorded
    holes = bench.touched.get(name, ())
    if holes:
        found.extend(map(hole_finding, holes))
    opened = bench.opened.event
    assert isinstance(opened, TableOpened | HandImported)
    table = list(round_findings(name, facts, closed, folded.ledger, due, opened.currency))
    if table and any(finding.kind == "mispaid" for finding in found):
        # A wrong payment is why the movements do not add up: a consequence is not another finding.
        table = [finding for finding in table if finding.code != "does_not_add_up"]
    found.extend(table)
    apart = round_.differences
    sums = by_player(apart, due, on_record) if apart else {}
    return Verdict(
        round=round_address(case.subject, name),
        game=bench.game.name,
        rule_book=bench.edition.rule_book,
        house=bench.house,
        edition=bench.edition.name,
        edition_digest=bench.edition.digest,
        standing=standing_of(found, due, bool(holes)),
        settlement=agreement_of(due, on_record, apart, open_round=closed is None),
        due=due,
        recorded=on_record,
        differences=apart,
        player_differences=sums.pop("", {}),
        findings=tuple(found),
        defaulted=bench.edition.defaulted,
        currency=opened.currency,
        opened_at=_opened_at(facts),
        closed_at=closed.occurred_at if closed is not None else 0,
        touched=bool(holes),
        foreign_differences=sums or UNSET,
    )


def _opened_at(facts: Sequence[Fact]) -> int:
    for fact in facts:
        if type(fact.event) is RoundOpened:
            return fact.occurred_at
    return facts[0].occurred_at


@lru_cache(maxsize=1)
def engine() -> str:
    """Name and version of this engine, as verdicts show it."""
    return f"recoup {metadata.version('recoup')}"
