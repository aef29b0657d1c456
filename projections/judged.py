"""What the judge says of a session, as rows: how its records stand, its rounds, stakes and findings.

A session is always judged whole and its rows replaced whole, so that a late record, a correction, a ruling or an
edition adopted since needs no case of its own, and judging twice changes nothing.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import Any, NamedTuple

import duckdb
import pyarrow as pa

from events.errors import BadEdition, EditionMissing
from events.schema.common import DeskClosed, DeskOpened, TableClosed
from events.schema.envelope import canonical
from events.schema.event import Undecoded
from events.schema.fact import Fact
from events.schema.order import Ordered
from events.schema.ours import HandImported
from events.store import SessionFacts
from events.values.clock import gaming_day
from events.values.names import parse_subject
from games.adjudicate import IMPORT_HOUSE, Case, SessionJudgement, game_of, judge_each
from games.casebook import Casebook
from games.verdict import Finding, Line, Settlement, Verdict
from projections.transaction import add_rows, transaction

_TEXT, _INT, _SHORT, _FLAG = pa.string(), pa.int64(), pa.int32(), pa.bool_()
_LIST = pa.list_(pa.string())

SCHEMAS: dict[str, pa.Schema] = {
    "amended": pa.schema(
        [
            ("subject", _TEXT), ("idx", _INT), ("counts", _FLAG), ("why", _TEXT), ("topic", _TEXT), ("round", _TEXT),
            ("occurred_ms", _INT), ("data", _TEXT),
        ]
    ),
    "judged_session": pa.schema(
        [
            ("subject", _TEXT), ("judged_house", _TEXT), ("game", _TEXT), ("rule_book", _TEXT), ("currency", _TEXT),
            ("gaming_day", pa.date32()), ("is_time_known", _FLAG), ("opened_ms", _INT), ("closed_ms", _INT),
            ("edition", _TEXT), ("edition_digest", _TEXT), ("problem", _TEXT),
        ]
    ),
    "judged_round": pa.schema(
        [
            ("subject", _TEXT), ("round", _TEXT), ("ordinal", _SHORT), ("standing", _TEXT), ("settlement", _TEXT),
            ("is_due_known", _FLAG), ("is_touched", _FLAG), ("opened_ms", _INT), ("closed_ms", _INT), ("staked", _INT),
            ("taken", _INT), ("returned", _INT), ("paid", _INT), ("held", _INT), ("rake", _INT),
            ("recorded_rake", _INT), ("pots", _SHORT), ("difference", _INT), ("candidates", _TEXT), ("digest", _TEXT),
            ("engine", _TEXT), ("other_currencies", _LIST),
        ]
    ),
    "judged_stake": pa.schema(
        [
            ("subject", _TEXT), ("round", _TEXT), ("ordinal", _SHORT), ("stake", _TEXT), ("player", _TEXT),
            ("what", _TEXT), ("rule", _TEXT), ("reasons", _LIST), ("staked", _INT), ("taken", _INT),
            ("returned", _INT), ("paid", _INT), ("held", _INT), ("stands", _INT), ("net", _INT),
            ("recorded_staked", _INT), ("recorded_taken", _INT), ("recorded_returned", _INT), ("recorded_paid", _INT),
            ("recorded_net", _INT), ("difference", _INT), ("contends", _FLAG), ("currency", _TEXT),
        ]
    ),
    "judged_finding": pa.schema(
        [
            ("subject", _TEXT), ("round", _TEXT), ("ordinal", _SHORT), ("rule", _TEXT), ("via", _TEXT),
            ("code", _TEXT), ("kind", _TEXT), ("scope", _TEXT), ("about", _TEXT), ("player", _TEXT), ("money", _INT),
            ("remedy", _TEXT), ("events", _LIST), ("basis", _TEXT), ("parameters", _TEXT), ("text", _TEXT),
        ]
    ),
}  # fmt: skip
"""The judge's tables, columns as in `ground/tables.sql`."""

_PLAYED = frozenset({"table", "import"})


class Rows(NamedTuple):
    """One session's rows by table, and how many facts and rounds they come from."""

    subject: str
    tables: dict[str, list[tuple[Any, ...]]]
    facts: int
    rounds: int


def rows_of(casebook: Casebook, subjects: Iterable[str]) -> Iterator[Rows]:
    """Judges sessions, in order, short ones together. One without an edition, a room or an opening has its rounds
    unjudged and a `problem`; one at which the judge breaks keeps no other from being read."""
    waiting: deque[tuple[SessionFacts, Case]] = deque()

    def cases() -> Iterator[Case]:
        for subject in subjects:
            stored = casebook.log.session_facts(subject)
            waiting.append((stored, casebook.case_of(stored)))
            yield waiting[-1][1]

    for judged in judge_each(cases(), casebook.rooms):
        stored, case = waiting.popleft()
        yield _rows(casebook, stored, case, *_judgement(case, judged))


def _rows(
    casebook: Casebook, stored: SessionFacts, case: Case, judgement: SessionJudgement, problem: str | None
) -> Rows:
    subject = case.subject
    verdicts = {verdict.round.rpartition("#")[2]: verdict for verdict in judgement.verdicts}
    tables: dict[str, list[tuple[Any, ...]]] = {name: [] for name in SCHEMAS}
    tables["amended"].extend(amendments(stored, case.ordered))
    tables["judged_session"].append(_session(case, casebook, judgement, problem))
    starts = _starts(case.ordered)
    for ordinal, name in enumerate(case.ordered.rounds, 1):
        verdict = verdicts.get(name)
        tables["judged_round"].append(_round(subject, name, ordinal, verdict, starts.get(name)))
        if verdict is not None:
            tables["judged_stake"].extend(_stakes(subject, name, verdict))
            tables["judged_finding"].extend(_findings(subject, name, verdict.findings))
    tables["judged_finding"].extend(_findings(subject, None, judgement.between))
    return Rows(subject, tables, len(stored.facts), len(case.ordered.rounds))


def _judgement(case: Case, judged: SessionJudgement | Exception) -> tuple[SessionJudgement, str | None]:
    nothing = SessionJudgement(case.subject, (), ())
    if parse_subject(case.subject).kind not in _PLAYED:
        return nothing, None
    if isinstance(judged, EditionMissing | BadEdition):
        return nothing, str(judged)
    if isinstance(judged, Exception):
        return nothing, f"the judge broke, which is a mistake in Recoup: {type(judged).__name__}: {judged}"
    unplayable = [one.text for one in judged.between if one.code in ("not_opened", "game_unknown")]
    return judged, unplayable[0] if unplayable else None


def amendments(stored: SessionFacts, ordered: Ordered) -> Iterator[tuple[Any, ...]]:
    """Rows of `amended`: the records that do not stand as they were recorded."""
    standing = {fact.index: fact for fact in ordered.facts}
    imported = stored.subject.startswith("import/")
    for fact in stored.facts:
        is_fact = imported or not fact.ours
        now = standing.get(fact.index)
        if now is None:
            if is_fact:
                yield stored.subject, fact.index, False, "disowned", None, None, None, None
            continue
        if isinstance(now.event, Undecoded):
            yield stored.subject, fact.index, False, f"unread: {now.event.reason}", None, None, None, None
            continue
        is_newer = fact.topic != now.event.TOPIC
        if now is fact and is_fact and not is_newer:
            continue
        yield (
            stored.subject,
            fact.index,
            True,
            _why(fact, now, ordered, is_fact=is_fact),
            now.event.TOPIC if is_newer else None,
            now.round,
            now.occurred_at,
            canonical(now.event).decode() if is_newer or now.event is not fact.event else None,
        )


def _why(fact: Fact, now: Fact, ordered: Ordered, *, is_fact: bool) -> str:
    """`added` by us, `corrected`, `placed` in the round open at its place, `upcast` to a newer type."""
    if not is_fact:
        return "added"
    if fact.cite in ordered.replaced:
        return "corrected"
    return "upcast" if now is fact else "placed"


def _session(case: Case, casebook: Casebook, judgement: SessionJudgement, problem: str | None) -> tuple[Any, ...]:
    facts = case.ordered.facts
    opened = case.opened or next((fact for fact in facts if isinstance(fact.event, DeskOpened)), None)
    event: Any = opened.event if opened is not None else None
    is_time_known = not isinstance(event, HandImported) or event.time_known
    edition, digest = _edition(case, casebook, judgement, problem)
    closed = [fact.occurred_at for fact in facts if isinstance(fact.event, TableClosed | DeskClosed)]
    return (
        case.subject,
        parse_subject(case.subject).house or IMPORT_HOUSE,
        getattr(event, "game", None),
        getattr(event, "rule_book", None),
        getattr(event, "currency", None),
        _day(facts, opened) if is_time_known else None,
        is_time_known,
        opened.occurred_at if opened is not None else None,
        closed[-1] if closed else None,
        edition,
        digest,
        problem,
    )


def _edition(
    case: Case, casebook: Casebook, judgement: SessionJudgement, problem: str | None
) -> tuple[str | None, str | None]:
    if judgement.verdicts:
        return judgement.verdicts[0].edition, judgement.verdicts[0].edition_digest
    if problem is not None or case.opened is None or parse_subject(case.subject).kind not in _PLAYED:
        return None, None
    edition = game_of(case, casebook.rooms)[1]
    return edition.name, edition.digest


def _day(facts: Sequence[Fact], opened: Fact | None) -> date | None:
    """A session belongs whole to the gaming day of its opening; without one, to that of its first record."""
    if opened is not None:
        return gaming_day(opened.occurred_at)
    return gaming_day(min(fact.occurred_at for fact in facts)) if facts else None


def _starts(ordered: Ordered) -> dict[str, int]:
    """When each round begins: the time of its first fact."""
    starts: dict[str, int] = {}
    for fact in ordered.facts:
        if fact.round is not None:
            starts.setdefault(fact.round, fact.occurred_at)
    return starts


def _round(subject: str, name: str, ordinal: int, verdict: Verdict | None, start: int | None) -> tuple[Any, ...]:
    if verdict is None:
        return (subject, name, ordinal, None, None, None, None, start, *[None] * 14)
    due, foreign = verdict.due, verdict.foreign
    lines = [line for line in due.lines if not line.currency] if foreign else due.lines
    return (
        subject,
        name,
        ordinal,
        verdict.standing,
        verdict.settlement,
        due.known,
        verdict.touched,
        verdict.opened_at,
        verdict.closed_at or None,
        sum(line.staked for line in lines),
        sum(line.taken for line in lines),
        sum(line.returned for line in lines),
        sum(line.paid for line in lines),
        sum(line.held for line in lines),
        due.rake,
        verdict.recorded.rake if verdict.recorded is not None else None,
        len(due.pots),
        sum(amount for stake, amount in verdict.differences.items() if stake not in foreign),
        canonical(due.candidates).decode() if due.candidates else None,
        verdict.digest,
        verdict.engine,
        sorted(set(foreign.values())),
    )


def _stakes(subject: str, name: str, verdict: Verdict) -> Iterator[tuple[Any, ...]]:
    on_record = _by_stake(verdict.recorded)
    pairs = [(line, on_record.pop(line.stake, None)) for line in verdict.due.lines]
    pots = verdict.due.pots
    contending = {stake for pot in pots for stake in pot.eligible} if pots else None
    for ordinal, (due, twin) in enumerate([*pairs, *((None, line) for line in on_record.values())], 1):
        yield _stake(subject, name, ordinal, due, twin, verdict, contending)


def _by_stake(settlement: Settlement | None) -> dict[str, Line]:
    return {line.stake: line for line in settlement.lines} if settlement is not None else {}


def _stake(
    subject: str,
    name: str,
    ordinal: int,
    due: Line | None,
    on_record: Line | None,
    verdict: Verdict,
    contending: set[str] | None,
) -> tuple[Any, ...]:
    line = due if due is not None else on_record
    assert line is not None
    return (
        subject,
        name,
        ordinal,
        line.stake,
        line.player,
        due.what if due is not None else "",
        due.rule if due is not None else "",
        list(due.reasons) if due is not None else [],
        *((due.staked, due.taken, due.returned, due.paid, due.held, due.stands, due.net) if due else [None] * 7),
        *(
            (on_record.staked, on_record.taken, on_record.returned, on_record.paid, on_record.net)
            if on_record
            else [None] * 5
        ),
        verdict.differences.get(line.stake, 0),
        line.stake in contending if contending is not None else None,
        line.currency or None,
    )


def _findings(subject: str, name: str | None, findings: Sequence[Finding]) -> Iterator[tuple[Any, ...]]:
    for ordinal, one in enumerate(findings, 1):
        yield (
            subject,
            name,
            ordinal,
            one.rule,
            one.via,
            one.code,
            one.kind,
            one.scope,
            one.subject,
            one.player,
            one.money,
            canonical(one.remedy).decode(),
            list(one.events),
            one.basis,
            canonical(one.parameters).decode(),
            one.text,
        )


def write(db: duckdb.DuckDBPyConnection, judged: Sequence[Rows]) -> None:
    """Replaces the rows of the sessions judged and strikes them off the list, all or nothing."""
    redone = [rows.subject for rows in judged]
    with transaction(db):
        for table in ("todo", *SCHEMAS):
            db.execute(f"DELETE FROM {table} WHERE subject IN (SELECT unnest(?))", [redone])  # noqa: S608  our own names
        for table, schema in SCHEMAS.items():
            made = [row for rows in judged for row in rows.tables[table]]
            if made:
                add_rows(db, table, pa.table(list(map(list, zip(*made, strict=True))), schema=schema))


def waiting(db: duckdb.DuckDBPyConnection) -> list[str]:
    """Sessions with something that the judge has not seen, sorted."""
    return [row[0] for row in db.execute("SELECT DISTINCT subject FROM todo ORDER BY subject").fetchall()]
