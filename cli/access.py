"""`access`: who looked at persons' data, and why; and how the other commands note it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli import acting, screen
from cli.options import AsJson, DayOf, Store, day_of, local_text, opened
from cli.screen import Words
from events.errors import Unable
from events.schema.disputes import Accessed
from events.values.clock import gaming_day, time_text

if TYPE_CHECKING:
    from events.store import Log
    from events.trail import Access

DONE = {
    "dispute": "looked at a dispute", "export": "took records away", "person": "asked for a person",
    "ruling": "acted on a ruling", "night": "read the night's report", "collusion": "made a collusion file",
}  # fmt: skip


def noted(log: Log, what: Any, *about: str, reason: str = "", shows_persons: bool = True) -> None:
    """Writes into the access trail what is done now, and to what.

    Raises:
        Unable: it cannot be written, and what is done shows persons' data; else that is only said.
    """
    from events.trail import note_access

    try:
        events = [Accessed(what, one) for one in dict.fromkeys(about)]
        note_access(log, *events, account=acting.account_of(log), reason=reason)
    except Unable as error:
        if shows_persons:
            raise
        screen.note(f"not in the access trail: {error}")


def access(
    person: Annotated[str, typer.Option("--person", metavar="ID", help="Who looked, or who was shown.")] = "",
    dispute: Annotated[str, typer.Option("--dispute", metavar="DISPUTE", help="Only what was done to it.")] = "",
    day: DayOf = None,
    limit: Annotated[int, typer.Option("--limit", metavar="N", min=1, help="The latest so many.")] = 100,
    store: Store = None,
    as_json: AsJson = False,
) -> None:
    """Who looked at persons' data: disputes, exports, queries for a person, ruling acts; when and why.

    \b
    Examples:
      recoup access --day today
      recoup access --dispute 2026-11-28.1
      recoup access --person p-204           who saw him, by name, in a dispute or in a round
      recoup access --person novakova        what she looked at

    Where the trail cannot be written, what shows persons' data is not shown; all else only says so.
    """
    from cli.access_persons import Shown
    from events.trail import accesses

    wanted = day_of(day)
    untold = 0
    with opened(store) as log:
        people = acting.people(log)
        found = [
            one
            for one in accesses(log)
            if (not dispute or one.about == dispute) and (wanted is None or gaming_day(one.at) == wanted)
        ]
        if person:
            shown = Shown(log)
            looks, found = found, []
            for one in looks:
                if person in (one.account, people.get(one.account)) or person in (shown.persons(one) or ()):
                    found.append(one)
                elif shown.persons(one) is None:
                    untold += 1
    if as_json:
        for one in found[-limit:]:
            screen.put_json({"at": time_text(one.at), "account": one.account, "person": people.get(one.account),
                             "what": one.what, "about": one.about, "reason": one.reason})  # fmt: skip
        return
    if not found:
        screen.say("no look at persons' data is on record" + (" that fits" if person or dispute or day else ""))
        _say_untold(untold, person)
        return
    rows: list[list[Words]] = [
        [
            local_text(one.at), people.get(one.account) or one.account, *_told(one), one.reason,
        ]
        for one in found[-limit:]
    ]  # fmt: skip
    screen.say_all(screen.table(["when", "who", "did", "to", "why"], rows))
    if len(found) > limit:
        screen.note(f"{len(found) - limit:,} earlier ones are not shown; --limit shows more than {limit}")
    _say_untold(untold, person)


def _told(one: Access) -> tuple[str, str]:
    """What was done and to what; a named question as what it was, whatever its answer is about."""
    from cli.access_persons import QUESTION

    if one.about.startswith(QUESTION):
        return "asked a question", one.about
    return DONE.get(one.what, one.what), one.about


def _say_untold(count: int, person: str) -> None:
    if count:
        verb = "shows" if count == 1 else "show"
        screen.note(
            f"{screen.number(count, 'look')} at many at once (a night, a question, all hands) {verb} nobody by id and "
            f"may have shown {person} too; recoup access lists all"
        )
