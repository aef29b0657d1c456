"""Writes the pages of `docs/` that are made from the code: `events.md`, `rules.md`, `cli.md`.

    python -m docs.generate            write them
    python -m docs.generate --check    say which differ from the code, exit 5 if any

A test runs the check, so that the pages cannot drift.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import typer

from cli.app import build
from cli.assembly import catalogue, rooms
from events.schema.common import TABLE_EVENTS
from events.schema.event import Event
from events.schema.ours import OUR_EVENTS
from games.house_rules.edition import Edition, RuleText, read_edition
from games.house_rules.parameters import Parameter
from games.house_rules.rulebook import RuleBook
from games.registry import shipped_editions
from games.table_rules import TABLE_RULES

HERE = Path(__file__).parent
_EVENTS_INTRO = """
The `data` of each event type. Amounts are integers in minor units (haléř, cent); fields in brackets may be left out.
`recoup schema TYPE` prints the JSON Schema."""
_RULES_INTRO = """
What the shipped editions say and how Recoup looks after each rule. `recoup rules show RL-19` prints a rule's full text.
A parameter that an adopted edition does not state has the default, and the verdict says so."""
MADE = "<!-- Made by `make docs` from the code; a test compares. Do not edit. -->"


def events_page() -> str:
    """Every event type with its fields, one section a vocabulary."""
    lines = [
        "# Events",
        MADE,
        _EVENTS_INTRO,
        "\n## Every table (TB)",
        *_events(TABLE_EVENTS),
    ]
    rooms_own = [cls for cls in catalogue().classes if cls not in {*TABLE_EVENTS, *OUR_EVENTS}]
    for code in sorted({cls.TOPIC.partition(".")[0] for cls in rooms_own}):
        own = [cls for cls in rooms_own if cls.TOPIC.startswith(f"{code}.")]
        played = ", ".join(game.title for game in rooms().values() if own[0] in game.events)
        lines += [f"\n## {played} ({code})", *_events(own)]
    lines += ["\n## Written by Recoup only", *_events(OUR_EVENTS)]
    return "\n".join(lines) + "\n"


def _events(classes: Iterable[type[Event]]) -> Iterator[str]:
    for cls in sorted(classes, key=lambda cls: cls.TOPIC):
        yield f"\n### {cls.TOPIC}\n"
        yield _unwrapped(cls.__doc__ or "")
        own = msgspec.json.schema(cls)["$defs"][cls.__name__]
        fields = [_field(name, spec, name in own.get("required", ())) for name, spec in own["properties"].items()]
        if fields:
            yield "\nFields: " + ", ".join(fields) + "."
        for move in cls.MOVES:
            yield f"\nMoves chips: `{move.frm}` → `{move.to}`, `{move.amount}`, as {move.cause}."
        for private in cls.PRIVATE:
            open_if = [f"`{field}` is {'/'.join(map(str, values))}" for field, values in private.unless.items()]
            unless = f", unless {' or '.join(open_if)}" if open_if else ""
            seer = f"`{private.seen_by}`" if private.seen_by else "nobody"
            yield f"\nHidden: `{private.cards}`, but for {seer}{unless}."


def _field(name: str, spec: dict[str, Any], required: bool) -> str:
    text = f"`{name}` {_kind(spec)}"
    return text if required else f"[{text}]"


_KINDS = {"string": "text", "integer": "number", "boolean": "yes/no", "object": "map", "array": "list"}


def _kind(spec: dict[str, Any]) -> str:
    if "anyOf" in spec:
        return " or ".join(_kind(part) for part in spec["anyOf"] if part.get("type") != "null")
    if "enum" in spec:
        return "/".join(str(value) for value in spec["enum"])
    if "$ref" in spec:
        return str(spec["$ref"]).rpartition("/")[2]
    if spec.get("unit") == "minor":
        return "amount"
    if spec.get("type") == "array" and isinstance(spec.get("items"), dict):
        return f"list of {_kind(spec['items'])}"
    return _KINDS.get(spec.get("type", ""), "any")


def rules_page() -> str:
    """Every rule id of the shipped editions: title, source, and how it is looked after; parameters with defaults."""
    lines = [
        "# House rules",
        MADE,
        _RULES_INTRO,
        "\n## Every table (TB)\n\n| rule | finding |\n|---|---|",
        *(f"| {rule} | {text} |" for rule, text in TABLE_RULES.items()),
    ]
    for name, game in rooms().items():
        for book in game.books:
            lines += [f"\n## {game.title}: {book.name}", *_book(book, _shipped(name, book))]
    return "\n".join(lines) + "\n"


def _shipped(room: str, book: RuleBook) -> list[Edition]:
    return [
        read_edition(toml, book.form)
        for name, _file, toml in shipped_editions()
        if name == room and f'rule_book = "{book.name}"' in toml
    ]


def _book(book: RuleBook, editions: list[Edition]) -> Iterator[str]:
    texts: dict[str, RuleText] = {}
    for edition in editions:
        texts = {**edition.rules, **texts}
    yield "\n| rule | title | source | looked after by |\n|---|---|---|---|"
    for rule in sorted(texts, key=lambda rule: (rule.partition("-")[0], int(rule.partition("-")[2]))):
        yield f"| {rule} | {_cell(texts[rule].title)} | {_cell(texts[rule].source)} | {_cell(_kept(book, rule))} |"
    yield f"\nShipped editions: {', '.join(f'`{edition.name}`' for edition in editions)}."
    yield "\n| parameter | ambiguity | default | others | decides |\n|---|---|---|---|---|"
    for parameter in book.form.parameters:
        yield _parameter(parameter)


def _parameter(parameter: Parameter) -> str:
    others = ", ".join(f"`{_value(choice)}`" for choice in parameter.choices if choice != parameter.default)
    cells = (f"`{parameter.name}`", parameter.ambiguity, f"`{_value(parameter.default)}`", others, parameter.meaning)
    return f"| {' | '.join(map(_cell, cells))} |"


def _kept(book: RuleBook, rule: str) -> str:
    if rule in book.not_breakable:
        return f"not breakable: {book.not_breakable[rule]}"
    if rule in book.by_hand:
        return f"by hand: {book.by_hand[rule]}"
    return ", ".join(f"`{check.code.__name__}`" for check in book.checks if check.rule == rule) or "—"


def _value(value: Any) -> str:
    if value is None:
        return "null"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def cli_page() -> str:
    """Every command with its help."""
    root = typer.main.get_command(build())
    lines = ["# Commands", MADE, "\n`recoup COMMAND --help` prints the same.", *_commands(root, "recoup")]
    return "\n".join(lines) + "\n"


def _commands(command: Any, path: str) -> Iterator[str]:
    for name, sub in sorted(command.commands.items()):
        if getattr(sub, "commands", None):
            yield from _commands(sub, f"{path} {name}")
        elif not sub.hidden:
            yield from _command(sub, f"{path} {name}")


def _command(command: Any, path: str) -> Iterator[str]:
    words = [_argument(parameter) for parameter in command.params if parameter.param_type_name == "argument"]
    yield f"\n## {' '.join([path, *words])}\n"
    yield _unwrapped(command.help or "")
    options = [one for one in command.params if one.param_type_name == "option" and not one.hidden]
    if options:
        yield "\n| option | meaning |\n|---|---|"
    for option in options:
        names = ", ".join(f"`{text}`" for text in (*option.opts, *option.secondary_opts))
        yield f"| {names} | {_cell(option.help or '')} |"


def _argument(parameter: Any) -> str:
    name = str(parameter.metavar or parameter.name).upper().strip("[]")
    return name if parameter.required else f"[{name}]"


def _unwrapped(text: str) -> str:
    """A docstring's paragraphs, each on one line; what click must not wrap, and indented blocks, stay."""
    return "\n\n".join(_paragraph(part) for part in inspect.cleandoc(text).strip().split("\n\n"))


def _paragraph(text: str) -> str:
    if text.startswith("\b"):
        first, _newline, rest = text.lstrip("\b\n").partition("\n")
        return "\n".join([first, "", *(f"    {line.strip()}" for line in rest.splitlines())]) if rest else first
    if text.startswith((" ", "|")) or "\n    " in text:
        return text
    return " ".join(text.split())


PAGES: dict[str, Callable[[], str]] = {"events.md": events_page, "rules.md": rules_page, "cli.md": cli_page}


def differing() -> list[str]:
    """The pages that are not what the code would write."""
    return [
        name
        for name, make in PAGES.items()
        if not (HERE / name).exists() or (HERE / name).read_text(encoding="utf-8") != make()
    ]


def main(arguments: list[str]) -> int:
    """Write or check the pages; 5 if a page differs."""
    if "--check" in arguments:
        stale = differing()
        for name in stale:
            print(f"docs/{name} differs from the code; `make docs` writes it anew")
        return 5 if stale else 0
    for name, make in PAGES.items():
        (HERE / name).write_text(make(), encoding="utf-8")
        print(f"docs/{name} written")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
