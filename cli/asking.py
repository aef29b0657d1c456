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
    from projections.ask import Question

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
    values = dict(map(_pair, given))
    with viewed(store, view) as found:
        where = acting.house_of(found.log, house)
        with progress_bar() as progress:
            found.catch_up(progress)
        answer = asked(found, wanted, where, day_of(day), values)
        if wanted.persons and answer.rows:
            noted(found.log, wanted.persons, f"ask {wanted.name} {where} {day or 'every day'}")
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


def _pair(text: str) -> tuple[str, str]:
    name, sign, value = text.partition("=")
    if not sign or not name:
        raise Refused(f"`{text}` sets nothing", hint="--set minutes=60")
    return name, value


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
    elif (cites := row.get("cites")) and (subject := row.get("subject") or (row.get("subjects") or [""])[0]):
        where = f"subject = '{subject}' AND cite = '{cites[0]}'"
        screen.hint(f'recoup sql "SELECT * FROM stg_record WHERE {where}" shows the record')  # noqa: S608  a hint


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
    first = day_of(day)
    assert first is not None
    with opened(store) as log:
        where = acting.house_of(log, house)
        acting.require(log, where, "compliance", "manager", to="storing a rate")
        event = RateStored(currency, int(whole) * 1000 + int(part.ljust(3, "0") or "0"), first.isoformat())
        draft = Draft(event=event, account=acting.account_of(log), reason=reason_of(reason) if reason else None)
        log.author(f"house/{where}@{RECOUP}", [draft])
    screen.say(f"one euro is {value} {currency} in house {where} from {first} on")
