"""`ask`: named queries for compliance, surveillance and the night; `rate`: the euro's rate that thresholds need."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli import acting, screen
from cli.access import noted
from cli.answers import say_answer
from cli.options import AsJson, DayOf, Reason, Store, day_of, opened, reason_of
from cli.screen import Words
from cli.views import View, plain, progress_bar, viewed
from events.errors import Refused
from games.picture import Span

if TYPE_CHECKING:
    from datetime import date

    from events.schema.ours import RateStored
    from events.store import Log
    from projections.ask import Question
    from projections.views import Views

Pairs = Annotated[list[str], typer.Option("--set", metavar="NAME=VALUE", help="A parameter of the query; repeatable.")]


def ask(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The question; none lists them.")] = "",
    day: DayOf = None,
    given: Pairs = [],  # noqa: B006  Typer copies it
    explain: Annotated[bool, typer.Option("--explain", help="What it shows, its grain, parameters and SQL.")] = False,
    house: acting.House = "",
    view: View = None,
    store: Store = None,
    as_json: AsJson = False,
) -> None:
    """Ask a named question of the read model; every row leads back to rounds or records.

    \b
    Examples:
      recoup ask
      recoup ask short-spins --day 2026-11-28
      recoup ask fills-near-close --set minutes=60
      recoup ask over-threshold --explain

    Without --day it asks of every day. In --json every column is as the query names it (--explain), amounts in minor
    units as whole numbers. A question whose rows name people is kept in the access trail.
    """
    from projections.ask import ask as asked
    from projections.ask import question, questions

    if not name:
        _list(questions(), as_json=as_json)
        return
    wanted = question(name)
    if explain:
        _explain(wanted, as_json=as_json)
        return
    values = _pairs(given)
    with viewed(store, view) as found:
        where = acting.house_of(found.log, house)
        with progress_bar() as progress:
            found.catch_up(progress)
        on = day_of(day)
        answer = asked(found, wanted, where, on, values)
        if not answer.rows:
            _say_unasked(found, where, on, values.get("player", ""), is_given=bool(house))
        elif wanted.persons:
            _note(found.log, wanted, f"{where} {on or 'every day'}", values)
    if as_json:
        for row in answer.rows:
            screen.put_json(dict(zip(answer.columns, map(plain, row), strict=True)))
        return
    screen.say([Span(wanted.shows, "bold")])
    say_answer(answer)
    rows = [dict(zip(answer.columns, row, strict=True)) for row in answer.rows]
    _say_rates(rows)
    if rows:
        _lead_on(rows[0])


def _pairs(given: list[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for text in given:
        name, sign, value = text.partition("=")
        if not sign or not name:
            raise Refused(f"`{text}` sets nothing", hint="--set minutes=60")
        if name in found:
            raise Refused(f"{name} is set twice: {found[name]} and {value}", hint="ask once with each")
        found[name] = value
    return found


def _note(log: Log, wanted: Question, scope: str, values: dict[str, str]) -> None:
    """Keeps the look with all that was asked, and a person asked for by name as one (`access --person`)."""
    asked_with = "".join(f" {name}={value}" for name, value in values.items())
    noted(log, wanted.persons, f"ask {wanted.name} {scope}{asked_with}")
    if player := values.get("player"):
        noted(log, "person", player)


def _say_unasked(found: Views, house: str, day: date | None, player: str, *, is_given: bool) -> None:
    """No row is an answer only where there was something to ask of: a wrong house, day or player is said.

    Raises:
        Refused: the house that was named has no session.
    """
    days = found.query(
        "SELECT DISTINCT gaming_day FROM fct_session WHERE house = ? ORDER BY 1", [house], catch_up=False
    )
    known = [one for (one,) in days.rows if one is not None]
    if not days.rows and is_given:
        raise Refused(
            f"the store has no session of house {house}", hint="`recoup rounds` lists tables with their house"
        )
    if day is not None and day not in known:
        screen.note(f"house {house} has no session on {day}: nothing was there to ask of")
        if known:
            screen.note(f"it has sessions from {known[0]} to {known[-1]}")
    staked = "SELECT 1 FROM fct_settlement WHERE house = ? AND player = ? LIMIT 1"
    if player and not found.query(staked, [house, player], catch_up=False).rows:
        screen.note(f"no stake of {player} is on record in house {house}")


def _list(known: tuple[Question, ...], *, as_json: bool) -> None:
    if as_json:
        for one in known:
            screen.put_json({"name": one.name, "shows": one.shows, "parameters": [own.name for own in one.parameters]})
        return
    rows: list[list[Words]] = [[Span(one.name.replace("_", "-"), "bold"), one.shows] for one in known]
    screen.say_all(screen.table(["question", "what it shows"], rows))
    screen.hint("recoup ask NAME --day DATE; --explain shows its grain, parameters and SQL")


def _explain(one: Question, *, as_json: bool) -> None:
    if as_json:
        screen.put_json(one)
        return
    screen.say([Span(one.name.replace("_", "-"), "bold")])
    for line in one.comment.splitlines():
        if not line.startswith("Parameter "):
            screen.say(f"  {line}")
    rows: list[list[Words]] = [["house", "", "--house"], ["day", "every day", "--day"]]
    rows += [[own.name, own.default, f"--set {own.name}=…: {own.meaning}"] for own in one.parameters]
    screen.say_all(["", *screen.table(["parameter", "otherwise", "how"], rows), "", *one.sql.splitlines()])


def _say_rates(rows: list[dict[str, Any]]) -> None:
    """Which rates are missing, so that some rows cannot be compared with a threshold in euro."""
    missing = sorted({(str(row["gaming_day"]), currency) for row in rows for currency in row.get("without_rate", ())})
    unknown = sum(row.get("reaches") == "unknown" for row in rows)
    for day, currency in missing:
        stored = f"no rate is stored for {currency} on {day}"
        screen.note(
            stored if currency == "CZK" else f"{currency} of {day} is compared with no threshold: no rate is kept"
        )
    if unknown:
        screen.note(f"of {screen.number(unknown, 'row')} nobody can tell whether the threshold is reached")
    day = next((day for day, currency in missing if currency == "CZK"), "")
    if day:
        screen.hint(f"recoup rate RATE --day {day} stores it, as recoup rate 24.350 --day {day}")


def _lead_on(row: dict[str, Any]) -> None:
    """The command that leads from the first row to its round or records."""
    addresses = row.get("addresses") or []
    address = row.get("address") or (addresses[0] if addresses else "")
    if address and "#" in address:
        screen.hint(f"recoup judge {address.removeprefix('table/')}")
    elif cites := row.get("cites"):
        where = f"{_is('subject', row.get('subjects') or [row['subject']])} AND {_is('cite', cites)}"
        shows = "shows the record" if len(cites) == 1 else "shows its records"
        screen.hint(f'recoup sql "SELECT * FROM stg_record WHERE {where}" {shows}')  # noqa: S608  a hint


def _is(column: str, values: list[str]) -> str:
    """A row may rest on records of several sessions: all of them are looked for in all of these."""
    told = ", ".join(f"'{one}'" for one in values)
    return f"{column} = {told}" if len(values) == 1 else f"{column} IN ({told})"


def rate(
    value: Annotated[str, typer.Argument(metavar="RATE", help="Units of the currency for one euro, as 24.350.")],
    day: Annotated[str, typer.Option("--day", metavar="DATE", help="From this gaming day on.")] = "today",
    currency: Annotated[str, typer.Option("--currency", metavar="CODE")] = "CZK",
    reason: Reason = "",
    house: acting.House = "",
    store: Store = None,
) -> None:
    """Store the euro's rate, by which thresholds in euro are compared with crowns (compliance or a manager).

    \b
    Example:
      recoup rate 24.350 --day 2026-11-28 --reason "CNB, 27 November"
    """
    from events.schema.ours import RateStored
    from events.store import Draft
    from events.values.names import RECOUP

    whole, _dot, part = value.partition(".")
    if not (whole + part).isascii() or not (whole + part).isdigit() or len(part) > 3 or not int(whole + part):
        raise Refused(f"`{value}` is no rate", hint="units for one euro with up to three decimals, as 24.350")
    if currency == "EUR":
        raise Refused("a euro is one euro", hint="--currency names what a euro is counted in, as CZK")
    first = day_of(day)
    assert first is not None
    event = RateStored(currency, int(whole) * 1000 + int(part.ljust(3, "0") or "0"), first.isoformat())
    with opened(store) as log:
        where = acting.house_of(log, house)
        acting.require(log, where, "compliance", "manager", to="storing a rate")
        before = _rate_before(log, f"house/{where}", event)
        draft = Draft(event=event, account=acting.account_of(log), reason=reason_of(reason) if reason else None)
        log.author(f"house/{where}@{RECOUP}", [draft])
    screen.say(f"one euro is {value} {currency} in house {where} from {first} on")
    if before is None:
        return
    screen.note(f"before, it was {_rate_text(before)} {currency} from {before.day} on")
    if not before.thousandths * 9 < event.thousandths * 10 < before.thousandths * 11:
        screen.note("that is more than a tenth away from it: is a digit wrong? thresholds are asked by it from now on")
        screen.hint(f"recoup rate RATE --day {first} --currency {currency} stores another for the same day, if so")


def _rate_before(log: Log, subject: str, event: RateStored) -> RateStored | None:
    """The rate of that currency in force on the event's day till now."""
    stored = [
        (one.event.day, one.index, one.event)
        for one in log.session_facts(subject).facts
        if one.ours and isinstance(one.event, type(event)) and one.event.currency == event.currency
    ]
    return max((one for one in stored if one[0] <= event.day), default=(None, None, None))[2]


def _rate_text(rate: RateStored) -> str:
    return f"{rate.thousandths // 1000}.{rate.thousandths % 1000:03d}"
