"""`editions list|show|adopt|diff`: which house plays by which rules from which day."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli import acting, assembly, failures, screen
from cli.options import AsJson, Reason, Store, day_of, opened, reason_of
from cli.screen import Words
from events.errors import Refused
from games.picture import Span

if TYPE_CHECKING:
    from events.schema.ours import EditionAdopted
    from games.casebook import Casebook
    from games.house_rules.edition import Edition

app = typer.Typer(help="House rules: editions and their adoption.", no_args_is_help=True, rich_markup_mode=None)

Which = Annotated[str, typer.Argument(metavar="EDITION", help="Its name, the beginning of its digest, or a TOML file.")]


@app.command("list")
def list_(
    book: Annotated[str, typer.Option("--book", metavar="BOOK", help="A rule book, as RL.")] = "",
    house: Annotated[str, typer.Option("--house", metavar="HOUSE", help="Only this house's own.")] = "",
    store: Store = None,
    as_json: AsJson = False,
) -> None:
    """Every edition that was put in force, by house, book and first day.

    \b
    Example:
      recoup editions list --house brno
    House `*` is every house that has adopted nothing of its own for that book.
    """
    with opened(store) as log:
        adopted = assembly.casebook(log).editions.all()
    found = [
        (owner, event)
        for owner, event in adopted
        if (not book or event.rule_book == book.upper()) and (not house or owner == house)
    ]
    if as_json:
        for owner, event in found:
            screen.put_json(_json(owner, event))
        return
    rows: list[list[Words]] = [
        [owner, event.rule_book, event.first_day, Span(event.edition, "bold"), event.sha256[:12]]
        for owner, event in found
    ]
    lines = screen.table(["house", "book", "from", "edition", "digest"], rows)
    screen.say_all(lines if rows else ["no edition is in force; `recoup init` adopts the shipped ones"])


@app.command()
def show(edition: Which, store: Store = None) -> None:
    """The edition's text, byte for byte as it was adopted.

    \b
    Example:
      recoup editions show NL/live-games-plan > mine.toml     (a start for an edition of your own)
    """
    with opened(store) as log:
        toml = _find(assembly.casebook(log), edition)
    screen.put_raw(toml.encode())


@app.command()
def adopt(
    file: Annotated[str, typer.Argument(metavar="FILE", help="The edition, a TOML file.")],
    house: Annotated[str, typer.Option("--house", metavar="HOUSE", help="The house that plays by it; `*` is every.")],
    first_day: Annotated[str, typer.Option("--from", metavar="DATE", help="The first gaming day.")],
    reason: Reason,
    store: Store = None,
) -> None:
    """Put an edition in force in a house from a gaming day. It is kept as these bytes and never edited.

    \b
    Example:
      recoup editions adopt brno-2026.toml --house brno --from 2026-12-01 --reason "licence change"

    A misspelt parameter is refused; one that is not stated has the catalogue's default, and every verdict says so.
    """
    why = reason_of(reason)
    toml = _read(file)
    day = day_of(first_day)
    assert day is not None
    _check_house(house)
    with opened(store) as log:
        book = assembly.casebook(log)
        made = book.adopt(house, toml, day, reason=why, account=acting.account_of(log))
    screen.say(f"{made.rule_book} edition {made.name} is in force for `{house}` from {day} ({made.digest[:12]}…)")
    if made.defaulted:
        are = "is not stated and has" if len(made.defaulted) == 1 else "are not stated and have"
        screen.say(f"  {screen.number(len(made.defaulted), 'parameter')} {are} the catalogue's default:")
        screen.say_all(screen.wrapped(", ".join(made.defaulted), "    "))


@app.command()
def diff(one: Which, other: Which, store: Store = None, as_json: AsJson = False) -> None:
    """What differs between two editions: constants, parameters, rules.

    \b
    Example:
      recoup editions diff NL/live-games-plan mine.toml
    Exit code 5 if anything differs.
    """
    with opened(store) as log:
        book = assembly.casebook(log)
        first, second = (book.read_edition(_find(book, which)) for which in (one, other))
    if first.rule_book != second.rule_book:
        raise Refused(f"{first.name} is of book {first.rule_book}, {second.name} of {second.rule_book}")
    found = _differences(first, second)
    if as_json:
        for what, was, now in found:
            screen.put_json({"what": what, "was": was, "now": now})
    elif not found:
        screen.say("no difference")
    for what, was, now in () if as_json else found:
        screen.say([Span(what, "bold")])
        screen.say_all(screen.wrapped(_text(was), "      ", "    − "))
        screen.say_all(screen.wrapped(_text(now), "      ", "    + "))
    if found:
        raise typer.Exit(failures.FOUND_SOMETHING)


def _json(house: str, event: EditionAdopted) -> dict[str, Any]:
    return {
        "house": house,
        "book": event.rule_book,
        "edition": event.edition,
        "first_day": event.first_day,
        "digest": event.sha256,
    }


def _read(file: str) -> str:
    try:
        return Path(file).read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise Refused(f"{file} is not UTF-8 text (byte {error.start})") from error


def _find(book: Casebook, which: str) -> str:
    """The TOML of an edition, by file, name (`NL/live-games-plan`, where several books have one of that name) or
    digest."""
    if which.endswith(".toml") or Path(which).is_file():
        return _read(which)
    adopted = book.editions.all()
    rule_book, _slash, name = which.rpartition("/")
    found = {
        event.sha256: event
        for _house, event in adopted
        if event.edition == which or (event.edition == name and event.rule_book == rule_book)
    }
    if not found and len(which) >= 4:
        found = {event.sha256: event for _house, event in adopted if event.sha256.startswith(which.lower())}
    if len(found) > 1:
        digests = ", ".join(digest[:12] for digest in found)
        raise Refused(
            f"{len(found)} editions are called `{which}`: {digests}",
            hint="name one by its digest, or with its rule book, as NL/live-games-plan",
        )
    if not found:
        names = ", ".join(sorted({event.edition for _house, event in adopted}))
        raise Refused(f"no edition is called `{which}`; there are {names or 'none'}")
    return next(iter(found.values())).toml


def _check_house(house: str) -> None:
    from events.values.names import check_name

    if house != "*":
        check_name(house, "house")
        if "/" in house:
            raise Refused(f"house `{house}` has a slash")


def _differences(one: Edition, other: Edition) -> list[tuple[str, Any, Any]]:
    import msgspec

    constants = (msgspec.to_builtins(one.constants), msgspec.to_builtins(other.constants))
    found: list[tuple[str, Any, Any]] = [
        (f"constant {name}", constants[0].get(name), constants[1].get(name))
        for name in sorted({*constants[0], *constants[1]})
        if constants[0].get(name) != constants[1].get(name)
    ]
    for name in sorted(one.parameters):
        if one.parameters[name] != other.parameters.get(name):
            found.append((f"parameter {name}", one.parameters[name], other.parameters.get(name)))
    for rule in sorted({*one.rules, *other.rules}):
        was, now = one.rules.get(rule), other.rules.get(rule)
        if was != now:
            found.append((f"rule {rule}", was and was.text, now and now.text))
    return found


def _text(value: Any) -> str:
    return "(nothing)" if value is None else str(value)
