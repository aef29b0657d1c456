"""Judges rounds: table order, edition, rulings, fold, checks, settlement, verdict. Everything calls this one judge."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from importlib import metadata
from itertools import islice
from typing import Any

from msgspec import UNSET, Struct
from msgspec.structs import force_setattr, replace

from events.errors import Refused
from events.schema.common import RoundOpened, TableOpened
from events.schema.fact import Fact
from events.schema.ours import HandImported, Ruling
from events.values.names import round_address
from games import collector
from games.bench import IMPORT_HOUSE, Bench, Case, bench_of, cannot, game_of, sure_bench
from games.fold import Folded, Step, fold, look_on, steps
from games.outcome import agreement_of, by_player, digest_of, outcome_digest, standing_of
from games.overtaken import by_facts, overtaken, resting
from games.protocol import Round
from games.registry import Rooms
from games.ruled import CHOSEN, answered, as_chosen, rulings_in_force
from games.settlement import differences
from games.table_rules import hole_finding, round_findings, session_findings
from games.verdict import Finding, Settlement, Verdict

__all__ = [
    "IMPORT_HOUSE", "Case", "SessionJudgement", "Step", "engine", "explain_rule", "game_of", "judge_each",
    "judge_round", "judge_session", "judge_sessions", "look_on", "steps",
]  # fmt: skip
"""All that others need of judging, whichever module has it."""

TOGETHER = 1_200
"""As many facts, about, `judge_sessions` works on at once: of sixty imported hands, or of one table's session."""


class SessionJudgement(Struct, frozen=True):
    """A whole session: a verdict a round, in order, and the findings that belong to no round."""

    subject: str
    verdicts: tuple[Verdict, ...]
    between: tuple[Finding, ...]
    currency: str = "CZK"


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
    folded: list[list[Folded]] = []
    for case, bench in zip(cases, benches, strict=True):
        if isinstance(bench, Finding):
            between.append([bench])
            folded.append([])
        else:
            between.append(list(session_findings(case.ordered, case.opened, bench.edition.name, case.restarts)))
            folded.append(list(fold(bench, None, between[-1])))
    verdicts = iter(_verdicts([one for rounds in folded for one in rounds]))
    judged = []
    for case, bench, rounds, found in zip(cases, benches, folded, between, strict=True):
        own = tuple(islice(verdicts, len(rounds)))
        if isinstance(bench, Bench):
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
        raise cannot(case, bench, "judged")
    for folded in fold(bench, name, []):
        return _verdicts([folded])[0]
    raise Refused(f"{case.subject} has no round `{name}`", hint="`recoup rounds` lists them")


def explain_rule(case: Case, rooms: Rooms, name: str, rule: str) -> tuple[str, ...]:
    """What the room says of a rule that was kept in a round: the figures it rests on; empty where it says none.

    Raises:
        As `judge_round`.
    """
    bench = sure_bench(case, rooms, "judged")
    for folded in fold(bench, name, []):
        if bench.game.explain is None:
            return ()
        round_ = _round(folded)
        due = bench.game.due(round_)
        _settle(folded, round_, due, folded.ledger.settlement(due, open_round=folded.closed is None))
        return bench.game.explain(round_, rule)
    raise Refused(f"{case.subject} has no round `{name}`", hint="`recoup rounds` lists them")


def _bench(case: Case, rooms: Rooms) -> Bench | Finding:
    bench = bench_of(case, rooms)
    if isinstance(bench, Bench) and case.ordered.rulings:
        return replace(bench, overtaken=_overtaken(case, rooms))
    return bench


def _overtaken(case: Case, rooms: Rooms) -> dict[str, Finding]:
    """TB-10 by round; the facts are judged alone only where a ruling in force rests on such a verdict."""
    rests = resting(case.ordered.rulings)
    if not rests:
        return {}
    alone = replace(case, ordered=by_facts(case.ordered))
    return overtaken(rests, {verdict.round: outcome_digest(verdict) for verdict in _judge([alone], rooms)[0].verdicts})


def _verdicts(folded: Sequence[Folded]) -> list[Verdict]:
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


def _due(folded: Folded, round_: Round[Any]) -> Settlement:
    due = folded.bench.game.due(round_)
    if not round_.rulings or not due.candidates:
        return due
    chosen = as_chosen(due, _rulings(folded, round_))
    round_.memo[CHOSEN] = chosen is not due
    return chosen


def _rulings(folded: Folded, round_: Round[Any]) -> list[Ruling]:
    return rulings_in_force(folded.bench.case.subject, round_, folded.bench.game)


def _settle(folded: Folded, round_: Round[Any], due: Settlement, on_record: Settlement | None) -> None:
    """Both settlements and how they differ, into the round. Nobody else has it yet; a copy of each round would be a
    fiftieth of a judge's time."""
    force_setattr(round_, "due", due)
    force_setattr(round_, "recorded", on_record)
    if on_record and due.known:
        force_setattr(round_, "differences", differences(due, on_record, open_round=folded.closed is None))


def _round(folded: Folded) -> Round[Any]:
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


def _verdict(folded: Folded, round_: Round[Any]) -> Verdict:
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
