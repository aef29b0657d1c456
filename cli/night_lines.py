"""The night on the screen: its books under each other, what was signed, what was ruled, and the exceptions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cli import screen
from cli.night_words import (
    DESK_FIGURES,
    DIFFERENCES,
    FIGURES,
    figure,
    kind_text,
    next_step,
    shown,
    since_texts,
    total,
    what,
    win_by_it,
)
from cli.screen import Words
from events.values.clock import time_text
from games.picture import Span

if TYPE_CHECKING:
    from cli.night_data import Account


def say(account: Account) -> None:
    one = account.night
    rounds = sum(row["rounds"] for row in one.tables)
    tables = len({row["unit"] for row in one.tables})  # one may have a row for each currency
    counts = f"{screen.number(tables, 'table')}, {screen.number(len(one.desks), 'desk')}"
    screen.say([Span(f"Night of {one.day}, {one.house}", "bold"), f": {counts}, {screen.number(rounds, 'round')}"])
    _say_signed(account)
    for currency in dict.fromkeys(row["currency"] for row in one.tables):
        rows = [row for row in one.tables if row["currency"] == currency]
        screen.say_all(["", [Span(f"Tables, {currency}", "bold")], *_grid(rows, FIGURES, "table")])
    for currency in dict.fromkeys(row["currency"] for row in one.desks):
        rows = [row for row in one.desks if row["currency"] == currency]
        name = currency or "currency unknown"
        screen.say_all(["", [Span(f"Desks, {name}", "bold")], *_grid(rows, DESK_FIGURES, "desk")])
    _say_rulings(account)
    _say_exceptions(account)


def _say_signed(account: Account) -> None:
    for closing in account.day.closings:
        first, second = closing.by
        screen.say(f"  signed by {first} and {second}, {time_text(closing.at)[:16].replace('T', ' ')}")
    waiting = account.day.waiting(account.night.digest)
    if waiting is not None:
        screen.say(f"  signed by {waiting.person}; a second person is needed")
    elif not account.day.closings:
        screen.say("  not signed yet")
    if account.day.closings and not account.is_signed_as_it_stands:
        screen.say([Span("  changed since it was signed", "bad")])
    for text in since_texts(account):
        screen.say_all(screen.wrapped(text, "      ", "    "))
    if account.seal_fault:
        screen.say_all(screen.wrapped(f"NOT AS IT WAS SEALED: {account.seal_fault}", "  "))


def _grid(rows: list[dict[str, Any]], figures: tuple[tuple[str, str], ...], what_: str) -> list[Words]:
    """Books under each other with their figures, and the sum if there are several."""
    named = shown(rows, figures)
    lines: list[list[Words]] = [[row["unit"], *(_cell(row, name) for name, _head in named)] for row in rows]
    if len(rows) > 1:
        sums = {name: total(rows, name) for name, _head in named}
        lines.append([Span("all", "bold"), *(_cell(sums, name) for name, _head in named)])
    return screen.table([what_, *(head for _name, head in named)], lines, right=range(1, len(named) + 1))


def _cell(row: dict[str, Any], name: str) -> Span:
    text = figure(row, name)
    if name in DIFFERENCES:
        return Span(text, "dim" if text == "·" else "bad")
    return Span(text, "bold" if name == "win_minor" else "")


def _say_rulings(account: Account) -> None:
    one = account.night
    voids = [f"{row['unit']} {row['voids']}" for row in one.tables if row["voids"]]
    if voids:
        screen.say_all(["", [Span("Void rounds", "bold"), f": {', '.join(voids)}"]])
    if not one.rulings:
        return
    rows: list[list[Words]] = []
    for row in one.rulings:
        left = row["open_players"]
        rows.append(
            [
                row["unit"], row["ruling"], row["remedy"], str(row["rounds_ruled"]), win_by_it(row),
                Span(f"{left} open", "bad") if left else "settled",
            ]
        )  # fmt: skip
    heads = ["table", "ruling", "remedy", "rounds", "win by it", "money"]
    screen.say_all(["", [Span("Rulings", "bold")], *screen.table(heads, rows, right=(3, 4))])


def _say_exceptions(account: Account) -> None:
    one = account.night
    if not one.exceptions:
        screen.say_all(["", [Span("No exceptions", "good"), ": every book adds up"]])
        if not account.is_signed_as_it_stands and not account.seal_fault:
            screen.hint(f"recoup night sign {account.asked}")
        return
    rows: list[list[Words]] = [
        [row["id"], row["unit"], Span(kind_text(row), "bad"), what(row)] for row in one.exceptions
    ]
    title = screen.number(len(one.exceptions), "exception").capitalize()
    screen.say_all(["", [Span(title, "bold")], *screen.table(["id", "where", "what", ""], rows)])
    screen.hint(f"recoup night {account.asked} --show {one.exceptions[0]['id']} shows the records under one")
    for step in dict.fromkeys(step for row in one.exceptions if (step := next_step(row))):
        screen.hint(step)
