"""`rules list|show`: the rules as an edition words them, how each is checked, and by which parameters."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer
from msgspec import Struct

from cli import assembly, screen
from cli.lookup import rules_about
from cli.options import AsJson, DayOf, Store, day_of, opened
from cli.screen import Words
from events.errors import EditionMissing, Refused, StoreMissing
from games.picture import Span

if TYPE_CHECKING:
    from games.house_rules.edition import Edition
    from games.house_rules.rulebook import RuleBook
    from games.protocol import Game

app = typer.Typer(help="The rules, and how they are checked.", no_args_is_help=True, rich_markup_mode=None)

Book = Annotated[str, typer.Option("--book", metavar="BOOK", help="A rule book, as RL.")]
House = Annotated[str, typer.Option("--house", metavar="HOUSE", help="The rules of this house.")]


_LISTS = "`recoup editions list` shows what is in force"


class Volume(Struct, frozen=True):
    """A rule book of a room with the edition that is meant."""

    game: Any
    book: Any
    edition: Any


@app.command("list")
def list_(
    words: Annotated[list[str] | None, typer.Argument(metavar="[WORD]", help="Only rules about this.")] = None,
    book: Book = "",
    game: Annotated[str, typer.Option("--game", metavar="GAME", help="As roulette.")] = "",
    house: House = "",
    day: DayOf = None,
    store: Store = None,
    as_json: AsJson = False,
) -> None:
    """Every rule with its title and how it is checked; with words, the rules that are about them.

    \b
    Examples:
      recoup rules list --game roulette
      recoup rules list string bet
      recoup rules list jeden žeton

    Words are looked for in titles, texts and parameters, and in what the floor calls it, in Czech and English; the
    likeliest rule comes first. Without a store the shipped editions are shown.
    """
    found = [one for one in volumes(store, house, day) if _is_wanted(one, book, game)]
    if not found:
        if game and game in assembly.rooms():
            raise Refused(f"no edition of `{game}` is in force{f' at {house}' if house else ''}", hint=_LISTS)
        if book and book.upper() in {known.name for _game, known in _all_books()}:
            raise Refused(f"no edition of {book.upper()} is in force{f' at {house}' if house else ''}", hint=_LISTS)
        if game:
            raise Refused(f"no room is called `{game}`; there are {', '.join(assembly.rooms()) or 'none'}")
        raise Refused(f"no rule book is called `{book}`; there are {_books()}")
    some = False
    for volume in found:
        edition: Edition = volume.edition
        every = sorted(volume.book.rule_ids | set(edition.rules))
        rules = rules_about(volume.game, volume.book, edition, words) if words else every
        some = some or bool(rules)
        if as_json:
            for rule in rules:
                screen.put_json(_json(volume, rule))
        elif rules:
            screen.say([Span(f"{edition.rule_book}", "bold"), f"  {volume.game.title}, edition {edition.name}"])
            screen.say_all(screen.table(["rule", "how", "title"], [_row(volume, rule) for rule in rules]))
    if not some:
        raise Refused(f"no rule is about `{' '.join(words or ())}`", hint="fewer or other words, Czech or English")
    if not as_json:
        screen.hint("recoup rules show RULE shows one in full, recoup why ROUND RULE how it was kept in a round")


def _row(volume: Volume, rule: str) -> list[Words]:
    text = volume.edition.rules.get(rule)
    return [Span(rule, "bold"), _how(volume.book, rule)[0], text.title if text else ""]


@app.command()
def show(
    rule: Annotated[str, typer.Argument(metavar="RULE", help="As RL-19 or TB-01.")],
    book: Book = "",
    house: House = "",
    day: DayOf = None,
    store: Store = None,
    as_json: AsJson = False,
) -> None:
    """One rule: its text and source, how it is checked, and the parameters that decide what the text leaves open.

    \b
    Example:
      recoup rules show RL-19 --house brno --day 2026-11-28
    """
    from games.table_rules import TABLE_RULES

    wanted = rule.upper()
    if wanted in TABLE_RULES:
        if as_json:
            screen.put_json({"rule": wanted, "title": TABLE_RULES[wanted], "how": "checked"})
        else:
            screen.say([Span(wanted, "bold"), f"  {TABLE_RULES[wanted]}"])
            screen.say("  a rule of every table, about the record itself; it has no parameters")
        return
    known = volumes(store, house, day)
    found = [
        one
        for one in known
        if (wanted in one.book.rule_ids or wanted in one.edition.rules) and (not book or one.book.name == book.upper())
    ]
    if not found:
        near = sorted({name for one in known for name in one.edition.rules if name.startswith(wanted[:2])})
        span = f"; {wanted[:2]} has {near[0]} to {near[-1]}" if near else f"; the books are {_books()}"
        raise Refused(f"no rule is called `{rule}`{span}", hint="`recoup rules list` shows all")
    for volume in found:
        if as_json:
            screen.put_json(_json(volume, wanted))
        else:
            screen.say_all(_lines(volume, wanted))


def volumes(store: str | None, house: str, day: str | None) -> list[Volume]:
    """Every rule book with the edition in force: in the store, or as shipped where there is no store.

    Raises:
        Refused: no such day.
    """
    on = day_of(day)
    try:
        with opened(store) as log:
            editions = assembly.casebook(log).editions
    except StoreMissing:
        if store or house or on:
            raise
        return shipped()
    found = []
    for game, book in _all_books():
        owners = [house] if house else ["*", "import"]
        for owner in owners:
            try:
                in_force = editions.in_force(owner, book.name, on or datetime.now().astimezone().date())
            except EditionMissing:
                continue
            found.append(Volume(game, book, in_force))
            break
    return found


def shipped() -> list[Volume]:
    """Every rule book with the edition that comes with Recoup."""
    from games.house_rules.edition import read_edition
    from games.registry import shipped_editions

    found = []
    for game, book in _all_books():
        texts = [toml for _room, _file, toml in shipped_editions() if f'rule_book = "{book.name}"' in toml]
        made = [read_edition(toml, book.form) for toml in texts]
        made.sort(key=lambda edition: edition.name.startswith("import"))
        if made:
            found.append(Volume(game, book, made[0]))
    return found


def _all_books() -> list[tuple[Game[Any], RuleBook]]:
    return [(game, book) for game in assembly.rooms().values() for book in game.books]


def _books() -> str:
    return ", ".join(f"{book.name} ({game.name})" for game, book in _all_books()) or "none"


def _is_wanted(volume: Volume, book: str, game: str) -> bool:
    return (not book or volume.book.name == book.upper()) and (not game or volume.game.name == game)


def _how(book: RuleBook, rule: str) -> tuple[str, str]:
    """How a rule is checked, in a word and in full."""
    if rule in book.not_breakable:
        return "not breakable", book.not_breakable[rule]
    if rule in book.by_hand:
        return "by hand", book.by_hand[rule]
    checks = [check for check in book.checks if check.rule == rule]
    if not checks:
        return "not checked", "another edition's rule; this Recoup has no check for it"
    on = sorted({kind.__name__ for check in checks for kind in check.on})
    when = f"at each {', '.join(on)}" if on else "at the end of each round"
    docs = " ".join((check.code.__doc__ or "").strip().partition("\n")[0] for check in checks)
    return "checked", f"{when}. {docs}".strip()


def _parameters(volume: Volume, rule: str) -> list[str]:
    named = {name for check in volume.book.checks if check.rule == rule for name in check.parameters}
    return sorted(named)


def _lines(volume: Volume, rule: str) -> list[Words]:
    from cli.words import rule_lines

    edition: Edition = volume.edition
    how, why = _how(volume.book, rule)
    lines = list(rule_lines(rule, edition, indent=""))
    lines += [[Span(piece, "dim")] for piece in screen.wrapped(f"{edition.document}", "  ")]
    lines += ["", *screen.wrapped(f"{how}: {why}", "  ")]
    names = _parameters(volume, rule)
    if names:
        lines += ["", "  parameters"]
    for name in names:
        parameter = volume.book.form.parameters[name]
        mark = " (the catalogue's default, the edition does not state it)" if name in edition.defaulted else ""
        lines += screen.wrapped(f"{name} = {edition.parameters[name]}{mark}", "        ", "    ")
        about = " ".join(part for part in (parameter.ambiguity, parameter.meaning) if part)
        if parameter.choices:
            about += f" ({', '.join(map(str, parameter.choices))})"
        if about:
            lines += [[Span(piece, "dim")] for piece in screen.wrapped(about, "      ")]
    return lines


def _json(volume: Volume, rule: str) -> dict[str, Any]:
    edition: Edition = volume.edition
    text = edition.rules.get(rule)
    how, why = _how(volume.book, rule)
    return {
        "rule": rule,
        "book": volume.book.name,
        "game": volume.game.name,
        "edition": edition.name,
        "digest": edition.digest,
        "title": text.title if text else "",
        "text": text.text if text else "",
        "source": text.source if text else "",
        "how": how,
        "why": why,
        "parameters": {name: edition.parameters[name] for name in _parameters(volume, rule)},
        "defaulted": [name for name in _parameters(volume, rule) if name in edition.defaulted],
    }
