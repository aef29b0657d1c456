"""`init`, `status`, `gaps`, `declare-lost`: the store itself."""

from __future__ import annotations

import shlex
from typing import Annotated, Any

import typer

from cli import acting, assembly, failures, screen
from cli.options import AsJson, Reason, Store, local_text, opened, reason_of, watched_over
from cli.screen import Words
from events.errors import Refused
from games.picture import Span


def init(store: Store = None) -> None:
    """Make a new store and put the shipped house rules in force.

    \b
    Example:
      recoup init --store brno.db
    Running it again changes nothing and says so.
    """
    from events.errors import StoreMissing

    try:
        log = assembly.open_log(store)
        is_new = False
    except StoreMissing:
        log = assembly.open_log(store, create=True)
        is_new = True
    with watched_over(log):
        adopted = assembly.casebook(log).adopt_shipped()
        size, shown = log.size(), shlex.quote(log.address.shown)
    made = "made" if is_new else "is there already"
    screen.say(f"store {shown} {made}; {screen.number(size, 'record')}")
    for house, edition, day in adopted:
        whom = "every house" if house == "*" else f"`{house}`"
        screen.say(f"  {edition.rule_book}  edition {edition.name}, in force for {whom} from {day.isoformat()}")
    if not adopted:
        screen.say("  the shipped editions are in force already")
    screen.hint("recoup ingest FILE … brings records in; recoup editions adopt FILE puts your own rules in force")


def status(store: Store = None, as_json: AsJson = False) -> None:
    """What the store holds, and whether its sum adds up.

    \b
    Every record received has one fate:
      received = stored + repeats + conflicts + quarantined
    Stored is what could be placed; `recoup unread` finds what of it cannot be read.

    \b
    Example:
      recoup status
    Exit code 5 if something waits for a person.
    """
    with opened(store) as log:
        found = log.status()
        has_password = log.address.has_password
    waits = bool(found.open or found.gaps) or not found.adds_up
    if as_json:
        import msgspec

        screen.put_json({**msgspec.to_builtins(found), "adds_up": found.adds_up, "waits": waits})
    else:
        screen.say_all(_status_lines(found))
        _status_hints(found)
        if has_password:
            screen.note("the address is shown without its password: put that in, or ?passfile=FILE, to use it again")
    if waits:
        raise typer.Exit(failures.FOUND_SOMETHING)


def _status_lines(found: Any) -> list[Words]:
    last = local_text(found.last_recorded_at // 1000) if found.last_recorded_at else "never"
    sum_ = f"{found.received:,} = {found.stored:,} + {found.repeats:,} + {found.conflicts:,} + {found.quarantined:,}"
    good = Span("adds up", "good") if found.adds_up else Span("DOES NOT ADD UP", "bad")
    rows: list[list[Words]] = [
        ["received", f"{found.received:,}", "records from outside"],
        ["= stored", f"{found.stored:,}", "new records, each kept as it came"],
        ["+ repeats", f"{found.repeats:,}", "known already, with the same facts"],
        ["+ conflicts", f"{found.conflicts:,}", "a known number with other facts: look at them first"],
        ["+ quarantined", f"{found.quarantined:,}", "could not be read, placed or believed"],
    ]
    beside: list[list[Words]] = [
        ["in quarantine", f"{found.open:,}", f"undecided; {found.released} released, {found.discarded} discarded"],
        [
            "gaps",
            f"{found.gaps:,}",
            f"{screen.number(found.missing, 'record')} missing; {found.lost:,} more declared lost",
        ],
        ["restarts", f"{found.restarts:,}", "a source's counter began again"],
        ["authored", f"{found.authored:,}", "what Recoup wrote itself"],
        [
            "in the log",
            f"{found.rows:,}",
            f"rows in {screen.number(found.streams, 'stream')}, the last recorded {last}",
        ],
    ]
    return [
        [Span(f"store {shlex.quote(found.store)}", "bold")],
        *screen.table(["", "", ""], rows, right=(1,))[1:],
        ["  ", good, f": {sum_}"],
        "",
        *screen.table(["", "", ""], beside, right=(1,))[1:],
        *(f"  began again at {local_text(one.at)}: {one.stream}" for one in found.restarted),
    ]


def _status_hints(found: Any) -> None:
    if found.open:
        screen.hint("recoup quarantine list shows what waits there")
    if found.gaps:
        screen.hint("recoup gaps shows what is missing; the source should send it again")
    if not found.adds_up:
        screen.hint("recoup verify checks the store against its seal")


def gaps(
    table: Annotated[str, typer.Option("--table", metavar="TABLE", help="Only this table, as RL-03.")] = "",
    include_lost: Annotated[bool, typer.Option("--lost", help="Those declared lost too.")] = False,
    store: Store = None,
    as_json: AsJson = False,
) -> None:
    """Records that a source counted and that never came.

    \b
    Example:
      recoup gaps --table RL-03
    Have the source send them again; if nobody has them any more, `recoup declare-lost`.
    Exit code 5 if there is any.
    """
    with opened(store) as log:
        found = [gap for gap in log.gaps(lost=include_lost) if not table or f"/{table}/" in gap.stream]
    for gap in found if as_json else ():
        screen.put_json(
            {"stream": gap.stream, "first": gap.first, "last": gap.last, "count": gap.count, "lost": gap.lost}
        )
    if not as_json:
        rows: list[list[Words]] = [
            [str(gap.first), str(gap.last), str(gap.count), "declared lost" if gap.lost else "missing", gap.stream]
            for gap in found
        ]
        lines = screen.table(["from", "to", "records", "", "stream"], rows, right=(0, 1, 2))
        screen.say_all(lines if rows else ["no gaps: every source's numbers are complete"])
    if any(not gap.lost for gap in found):
        raise typer.Exit(failures.FOUND_SOMETHING)


def unread(
    table: Annotated[str, typer.Option("--table", metavar="TABLE", help="Only this table, as brno/RL-03.")] = "",
    store: Store = None,
    as_json: AsJson = False,
) -> None:
    """Stored records that this Recoup cannot read: an unknown type, a field too many, money with a fraction.

    Each is kept as it came, and counts as a hole where it stands. A later Recoup may know its type; else the source
    sends what is true under a new number, or `recoup correct` says it.

    \b
    Example:
      recoup unread --table brno/RL-03
    Walks the whole log. Exit code 5 if there is any.
    """
    if table and table.count("/") != 1:
        raise Refused(f"`{table}` is no table", hint="<house>/<table>, as brno/RL-03")
    with opened(store) as log:
        found = log.unread(f"table/{table}/" if table else "")
    if as_json:
        for one in found:
            screen.put_json(one)
    else:
        rows: list[list[Words]] = [
            [one.record, one.type, one.origin if len(one.origin) <= 34 else "…" + one.origin[-33:], one.reason]
            for one in found
        ]
        lines = screen.table(["record", "type", "from", "why"], rows)
        screen.say_all(lines if rows else ["every record can be read"])
    if found:
        screen.hint(f"recoup correct {found[0].row} EVENT --reason … says what it should have said")
        raise typer.Exit(failures.FOUND_SOMETHING)


def declare_lost(
    stream: Annotated[str, typer.Argument(metavar="STREAM", help="As `recoup gaps` shows it.")],
    first: Annotated[int, typer.Argument(metavar="FIRST", min=1, help="Its first number that is missing.")],
    last: Annotated[int, typer.Argument(metavar="LAST", min=1, help="The last one, or the same again.")],
    reason: Reason,
    store: Store = None,
) -> None:
    """Say that nobody will ever send these records.

    They are still missing for whoever judges a round that they touch; only the alarm ends, and management may rule on
    it. A record that comes after all is stored. It needs a role, as every correction of the record does.

    \b
    Example:
      recoup declare-lost table/brno/RL-03/2026-11-28.1@/brno/RL-03/terminal 14 17 \\
             --reason "terminal's disk broke, see report 88"
    """
    from events.values.names import parse_stream

    why = reason_of(reason)
    with opened(store) as log:
        subject = parse_stream(stream).subject
        actor = acting.require_for(log, subject, *acting.CORRECTORS, to="declaring records lost")
        index = log.declare_lost(stream, first, last, reason=why, account=actor.account)
    screen.say(f"{first} to {last} of {stream} are declared lost, by {actor.account} (row {index})")
