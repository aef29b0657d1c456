"""Notation: one line an event, parseable, the same in test cases, on the screen and in evidence packs.

    @2026-11-28T21:14:05.120+01:00 #173 4711@/brno/RL-03/terminal BetPlaced b9 p-204 17/20 500

The words before the name are optional: `@` time, `#` round, a citation, `^` the record it is about. Behind the name
stand the fields that have no default, in order, then `field=value` for the others. Amounts are in whole units
(`500`, `12.5`), a missing value is `-`, lists are joined by commas, a text with other characters is a JSON string,
anything deeper is JSON. A name that two rooms share is written with its code (`PK.CardDealt`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import msgspec
from msgspec import NODEFAULT, Struct, inspect

from events.errors import BadNotation, Refused
from events.schema.catalogue import Catalogue
from events.schema.event import Event, Undecoded, short_name
from events.schema.fact import Fact
from events.values.clock import parse_time, time_text
from events.values.money import amount_text, parse_amount

_WORD = re.compile(r'(?:"(?:[^"\\]|\\.)*"|[^\s"])+')
_PLAIN = re.compile(r"[^\s\",=\[\]{}]+")
_CITE = re.compile(r"\d+@\S+")


class Line(Struct, frozen=True):
    """A parsed line. `at_ms` is None where the line gives no time, or only one relative to the case's start."""

    event: Event
    at_ms: int | None = None
    offset_ms: int | None = None
    round: str | None = None
    cite: str | None = None
    about: str | None = None


class _Field(Struct, frozen=True):
    name: str
    required: bool
    write: Callable[[Any], str]
    read: Callable[[str], Any]


def write_event(event: Event | Undecoded, catalogue: Catalogue) -> str:
    """Name and fields of an event."""
    if isinstance(event, Undecoded):
        return f"?{event.topic} {json.dumps(event.data, ensure_ascii=True, separators=(',', ':'))}"
    cls = type(event)
    name = short_name(cls.TOPIC)
    words = [name if catalogue.by_name.get(name) is cls else cls.TOPIC.rpartition(".v")[0]]
    plain = msgspec.to_builtins(event)
    for field in _fields(cls):
        if field.required:
            words.append(field.write(plain[field.name]))
        elif field.name in plain:
            words.append(f"{field.name}={field.write(plain[field.name])}")
    return " ".join(words)


def write_fact(fact: Fact, catalogue: Catalogue) -> str:
    """The whole line of a fact, place and time before it."""
    words = [f"@{time_text(fact.occurred_at)}"]
    if fact.round is not None:
        words.append(f"#{fact.round}")
    words.append(fact.cite)
    if fact.about is not None:
        words.append(f"^{fact.about}")
    words.append(write_event(fact.event, catalogue))
    return " ".join(words)


def read_line(text: str, catalogue: Catalogue) -> Line:
    """The event of a line, with the place and time that stand before it.

    `@+12.5` is 12.5 seconds after whatever start the caller means.

    Raises:
        BadNotation: unknown event or field, a value of the wrong kind, or too few or too many words.
    """
    words = _WORD.findall(text)
    known: dict[str, Any] = {}
    while words:
        word = words[0]
        if word.startswith("@+"):
            known["offset_ms"] = _milliseconds(word[2:])
        elif word.startswith("@"):
            known["at_ms"] = _time(word[1:])
        elif word.startswith("#"):
            known["round"] = word[1:]
        elif word.startswith("^"):
            known["about"] = word[1:]
        elif _CITE.fullmatch(word):
            known["cite"] = word
        else:
            break
        words.pop(0)
    if not words:
        raise BadNotation(f"`{text}` names no event")
    return Line(event=_read_event(words[0], words[1:], text, catalogue), **known)


def read_event(text: str, catalogue: Catalogue) -> Event:
    """The event of a line without place and time.

    Raises:
        BadNotation: as `read_line`.
    """
    return read_line(text, catalogue).event


def _time(text: str) -> int:
    try:
        return parse_time(text)
    except ValueError as error:
        raise BadNotation(f"`@{text}`: {error}", hint="@2026-11-28T21:14:05.120+01:00, or @+12.5 seconds") from error


def _milliseconds(text: str) -> int:
    match = re.fullmatch(r"(\d+)(?:\.(\d{1,3}))?", text)
    if match is None:
        raise BadNotation(f"`@+{text}` is not a number of seconds")
    return int(match[1]) * 1000 + int((match[2] or "0").ljust(3, "0"))


def _read_event(name: str, words: list[str], text: str, catalogue: Catalogue) -> Event:
    try:
        cls = catalogue.find(name)
    except Refused as error:
        raise BadNotation(f"`{text}`: {error}", hint=error.hint) from error
    fields = _fields(cls)
    by_name = {field.name: field for field in fields}
    required = [field for field in fields if field.required]
    data: dict[str, Any] = {}
    for word in words:
        key, equals, value = word.partition("=")
        # A positional word may hold `=` only as a JSON string, which begins with a quote.
        if equals and key in by_name and not word.startswith('"'):
            data[key] = _read_value(by_name[key], value, text)
        elif required:
            field = required.pop(0)
            data[field.name] = _read_value(field, word, text)
        else:
            raise BadNotation(f"`{text}`: {cls.__name__} has no place for `{word}`", hint=_signature(fields, name))
    missing = [field.name for field in required if field.name not in data]
    if missing:
        raise BadNotation(f"`{text}`: {', '.join(missing)} missing", hint=_signature(fields, name))
    event = catalogue.decode(cls.TOPIC, data)
    if isinstance(event, Undecoded):
        raise BadNotation(f"`{text}`: {event.reason}", hint=_signature(fields, name))
    return event


def _read_value(field: _Field, word: str, text: str) -> Any:
    try:
        return field.read(word)
    except (ValueError, Refused) as error:
        raise BadNotation(f"`{text}`: {field.name} cannot be `{word}` ({error})") from error


def _signature(fields: tuple[_Field, ...], name: str) -> str:
    required = " ".join(field.name for field in fields if field.required)
    optional = " ".join(f"[{field.name}=]" for field in fields if not field.required)
    return " ".join(part for part in (name, required, optional) if part)


@lru_cache(maxsize=512)
def _fields(cls: type[Event]) -> tuple[_Field, ...]:
    info = inspect.type_info(cls)
    assert isinstance(info, inspect.StructType)
    made = []
    for field in info.fields:
        write, read = _codec(field.type)
        required = field.default is NODEFAULT and field.default_factory is NODEFAULT
        made.append(_Field(field.encode_name, required, write, read))
    return tuple(made)


def _codec(kind: inspect.Type) -> tuple[Callable[[Any], str], Callable[[str], Any]]:
    """How a value of this type is written as one word and read back."""
    minor = False
    while isinstance(kind, inspect.Metadata):
        minor = minor or (kind.extra_json_schema or {}).get("unit") == "minor"
        kind = kind.type
    if isinstance(kind, inspect.UnionType):
        inner = [part for part in kind.types if not isinstance(part, inspect.NoneType)]
        if len(inner) != 1:
            return _json_text, json.loads
        write, read = _codec(inner[0])
        return (lambda value: "-" if value is None else write(value)), (
            lambda word: None if word == "-" else read(word)
        )
    if isinstance(kind, inspect.IntType):
        return (amount_text, parse_amount) if minor else (str, _integer)
    if isinstance(kind, inspect.BoolType):
        return (lambda value: "yes" if value else "no"), _truth
    if isinstance(kind, inspect.StrType):
        return _text, _untext
    if isinstance(kind, inspect.LiteralType) and all(isinstance(value, str) for value in kind.values):
        return _text, _untext
    if isinstance(kind, inspect.VarTupleType | inspect.ListType):
        write, read = _codec(kind.item_type)
        if write is _json_text:
            return _json_text, json.loads
        return (
            lambda values: _joined_list([write(value) for value in values]),
            lambda word: [read(part) for part in _cut(word)],
        )
    return _json_text, json.loads


def _joined_list(parts: list[str]) -> str:
    return ",".join(parts) if parts else "[]"


def _cut(word: str) -> list[str]:
    """The parts of a list; commas inside JSON strings do not part."""
    return [] if word == "[]" else re.findall(r'"(?:[^"\\]|\\.)*"|[^,]+', word)


def _json_text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=True, separators=(",", ":"))


def _text(value: str) -> str:
    if value != "-" and _PLAIN.fullmatch(value) and value.isascii():
        return value
    return json.dumps(value, ensure_ascii=True)


def _untext(word: str) -> str:
    if not word.startswith('"'):
        return word
    value = json.loads(word)
    if not isinstance(value, str):
        raise ValueError("not a text")
    return value


def _integer(word: str) -> int:
    if re.fullmatch(r"-?\d+", word) is None:
        raise ValueError("not a whole number")
    return int(word)


def _truth(word: str) -> bool:
    if word not in ("yes", "no"):
        raise ValueError("yes or no")
    return word == "yes"
