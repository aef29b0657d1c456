"""`correct`, `disown`, `add-fact`: what people say about a record. The record itself stays as it came."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli import acting, assembly, screen
from cli.addresses import one_round, one_session
from cli.options import DayOf, Reason, Store, clock_in, day_of, opened, reason_of
from events.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from events.schema.event import Event
    from events.schema.fact import Fact
    from events.store import Log
    from games.adjudicate import Case
    from games.verdict import Verdict
    from replay.timeline import Records

Record = Annotated[
    str,
    typer.Argument(metavar="RECORD", help="Its citation, as 4711@terminal with --in, or its row number in the log."),
]
Inside = Annotated[
    str, typer.Option("--in", metavar="ROUND", help="The round or session that the citation is in, as RL-03#173.")
]


def correct(
    record: Record,
    facts: Annotated[
        str,
        typer.Argument(metavar="FACTS", help="What is true instead: field=value …, @time, #round, or a whole event."),
    ],
    reason: Reason,
    inside: Inside = "",
    day: DayOf = None,
    store: Store = None,
) -> None:
    """Say what is true instead of what a record says.

    The record stays, and both are shown.

    \b
    Examples:
      recoup correct 4711@terminal "amount=1000" --in RL-03#173 --reason "camera 4: two chips"
      recoup correct 4711@terminal "#174" --in RL-03#173 --reason "it was placed after the spin"

    Of several corrections of one record the latest counts.
    """
    from events.schema.notation import write_event
    from replay.what_if import altered_event, correction

    why = reason_of(reason)
    with opened(store) as log:
        came, records = _find(log, record, inside, day)
        ordered = records.case().ordered
        placed = next((one for one in ordered.facts if one.cite == came.cite), None)
        fact = placed or came
        event, moved = altered_event(fact, clock_in(facts, fact.occurred_at), records.catalogue)
        _opened_again(moved.get("round", ""), ordered.rounds)
        if event == fact.event and placed is not None and not moved:
            raise Refused(f"{fact.cite} says that already: {write_event(fact.event, records.catalogue)}")
        before = _judged(log, fact)
        _author(log, fact, correction(came, ordered.notes.get(fact.cite, ()), event, moved), why)
        screen.say(f"{fact.cite} of {fact.subject}")
        screen.say(f"  as it came:     {_shown(came, records)}")
        screen.say(f"  counts as:      {_shown(fact, records, event, moved)}")
        _effect(log, fact, before, why)


def disown(record: Record, reason: Reason, inside: Inside = "", day: DayOf = None, store: Store = None) -> None:
    """Say that a record is not to be counted.

    It was never true, or stands elsewhere. It stays visible.

    \b
    Example:
      recoup disown 4711@terminal --in RL-03#173 --reason "entered at the wrong table"
    """
    from events.schema.ours import RecordDisowned

    why = reason_of(reason)
    with opened(store) as log:
        fact, records = _find(log, record, inside, day)
        before = _judged(log, _in_round(fact, records))
        _author(log, fact, RecordDisowned(), why)
        screen.say(f"{fact.cite} of {fact.subject}")
        screen.say(f"  no more counts: {_shown(fact, records)}")
        _effect(log, _in_round(fact, records), before, why)


def add_fact(
    round_: Annotated[str, typer.Argument(metavar="ROUND", help="The round it belongs to, as RL-03#173.")],
    line: Annotated[str, typer.Argument(metavar="EVENT", help="One line of notation; `@time` may stand before it.")],
    reason: Reason,
    behind: Annotated[
        str, typer.Option("--behind", metavar="RECORD", help="The record it stands behind, as 4711@terminal.")
    ] = "",
    day: DayOf = None,
    store: Store = None,
) -> None:
    """Add what no device recorded.

    A video review, a supervisor's word.

    \b
    Example:
      recoup add-fact RL-03#173 "NoMoreBets" --behind 4711@terminal --reason "heard on camera 4"

    Without --behind it stands behind the last record of the round that is not later than its @time.
    `recoup schema` lists the events, `recoup what-if` tries one without storing it.
    """
    from events.schema.notation import read_line
    from events.schema.ours import OUR_EVENTS
    from replay.what_if import place_in_round

    why = reason_of(reason)
    with opened(store) as log:
        address = one_round(log, round_, day=day_of(day))
        records = _records(log, address.subject)
        case = records.case()
        parsed = read_line(clock_in(line, _begins(case, address.round)), records.catalogue)
        if type(parsed.event) in OUR_EVENTS:
            name = type(parsed.event).__name__
            raise Refused(f"{name} is not a fact of the table", hint="corrections, rulings and editions have commands")
        if parsed.round not in (None, address.round):
            raise Refused(f"the line says round {parsed.round}, the command round {address.round}", hint="name one")
        cite = behind or parsed.about or ""
        if cite:
            fact = _cited(cite, records)
        else:
            fact = place_in_round(case, address.round, parsed.at_ms)
        before = _judged(log, fact, address.round)
        named = _name_for(address.round, fact, case)
        _author(log, fact, parsed.event, why, at_ms=parsed.at_ms, round_name=named)
        screen.say(f"added behind {fact.cite} in {address.text}")
        screen.say(f"  {line.strip()}")
        _effect(log, fact, before, why, address.round)


def _records(log: Log, subject: str) -> Records:
    from replay.timeline import Records

    return Records.read(assembly.casebook(log), subject)


def _find(log: Log, record: str, inside: str, day: str | None) -> tuple[Fact, Records]:
    """The record that is meant, as it came, and its session."""
    if record.isascii() and record.isdigit():
        rows = log.rows(int(record), int(record))
        if not rows:
            raise Refused(f"the log has no row {record}; it has rows 0 to {log.size() - 1}")
        from events.values.names import parse_stream

        subject = parse_stream(rows[0].stream).subject
        records = _records(log, subject)
        found = next((fact for fact in records.facts if fact.index == int(record)), None)
        if found is None or not _of_the_table(found):
            raise Refused(f"row {record} is Recoup's own record", hint="what Recoup says is changed by saying more")
        return found, records
    if not inside:
        raise Refused(f"in which round is {record}?", hint=f"recoup … {record} --in RL-03#173")
    if "#" in inside or inside.startswith("import/"):
        subject = one_round(log, inside, day=day_of(day)).subject
    else:
        subject = one_session(log, inside, day=day_of(day))
    records = _records(log, subject)
    return _cited(record, records), records


def _cited(cite: str, records: Records) -> Fact:
    from replay.timeline import full_citation

    known = {fact.cite: fact for fact in records.facts if _of_the_table(fact)}
    whole = full_citation(cite, (fact.origin for fact in known.values()))
    if whole not in known:
        raise Refused(f"{records.subject} has no record {whole}", hint="`recoup replay ROUND` shows the citations")
    return known[whole]


def _of_the_table(fact: Fact) -> bool:
    """Whether it tells of the table: a device's record, an imported hand's, or a fact that was added."""
    from events.schema.ours import OUR_EVENTS, HandImported

    about_ours = type(fact.event) in OUR_EVENTS and not isinstance(fact.event, HandImported)
    return not fact.ours or fact.source.startswith("/recoup/import/") or (fact.about is not None and not about_ours)


def _opened_again(name: str, rounds: Sequence[str]) -> None:
    """`173~2` is how we tell two rounds of one name apart: there must be a second.

    Raises:
        Refused: there is none.
    """
    if "~" in name and name not in rounds:
        raise Refused(f"the session has no round `{name}`", hint="`recoup rounds` lists them")


def _begins(case: Case, name: str) -> int:
    """When a round's first record happened, ms UTC."""
    facts = case.ordered.facts
    return next((fact.occurred_at for fact in facts if fact.round == name), facts[0].occurred_at if facts else 0)


def _name_for(name: str, behind: Fact, case: Case) -> str | None:
    """The round that an added fact names: none where only its place can tell it (`173~2` is nobody's own name).

    Raises:
        Refused: the record that it stands behind is of another round.
    """
    if "~" not in name:
        return name
    if any(fact.cite == behind.cite and fact.round == name for fact in case.ordered.facts):
        return None
    raise Refused(f"{behind.cite} does not stand in round {name}", hint="--behind a record of that round")


def _in_round(fact: Fact, records: Records) -> Fact:
    """The record with the round that it stands in by table order, as it came otherwise."""
    from msgspec.structs import replace

    ordered = records.case().ordered
    placed = next((one for one in ordered.facts if one.cite == fact.cite), None)
    return fact if placed is None else replace(fact, round=placed.round)


def _author(
    log: Log, fact: Fact, event: Event, why: str, *, at_ms: int | None = None, round_name: str | None = None
) -> None:
    from events.store import Draft

    actor = acting.require_for(log, fact.subject, *acting.CORRECTORS, to="correcting the record")
    at = fact.occurred_at if at_ms is None else at_ms
    draft = Draft(event=event, round=round_name, about=fact.cite, account=actor.account, reason=why, at=at)
    log.author(f"{fact.subject}@/recoup", [draft])


def _judged(log: Log, fact: Fact, round_name: str | None = None) -> Verdict | None:
    """The verdict on the record's round as it is now; None if it has none."""
    from events.errors import RecoupError

    name = round_name or fact.round
    if name is None:
        return None
    try:
        return assembly.casebook(log).judge_round(fact.subject, name)
    except RecoupError:
        return None


def _effect(log: Log, fact: Fact, before: Verdict | None, why: str, round_name: str | None = None) -> None:
    """What it did to the verdict of its round."""
    from cli.words import headline

    screen.say(f"  said by:        {acting.account_of(log)}, because: {why}")
    after = _judged(log, fact, round_name)
    if before is not None and after is not None:
        was, now = screen.plain_of(headline(before)), screen.plain_of(headline(after))
        if was == now:
            screen.say_all(screen.wrapped(now, " " * 18, "  verdict stays:  "))
        else:
            screen.say_all(screen.wrapped(was, " " * 18, "  verdict was:    "))
            screen.say_all(screen.wrapped(now, " " * 18, "  verdict is:     "))
    name = round_name or fact.round
    if name is not None:
        screen.hint(f"recoup replay {fact.subject}#{name}")


def _shown(fact: Fact, records: Records, event: Event | None = None, moved: dict[str, Any] | None = None) -> str:
    from events.schema.notation import write_event
    from events.values.clock import clock_text

    moved = moved or {}
    at = clock_text(moved.get("occurred_at", fact.occurred_at))
    name = moved.get("round", fact.round)
    return f"{at} #{name or '—'} {write_event(event if event is not None else fact.event, records.catalogue)}"
