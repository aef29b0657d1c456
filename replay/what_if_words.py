"""How a what-if is written: `27.amount=400`, `17-18`, `WordsSpoken(4, "raise") before 28`, `river=Ah`.

A record is named by its number in `recoup replay ROUND` or by its citation. Everything else comes down to the notation
of `events.schema.notation`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any, Literal

from msgspec import Struct

from events.errors import BadEdition, BadNotation, Refused
from events.schema.event import Event
from events.values.cards import UNKNOWN, is_card
from games.house_rules.parameters import Parameter, Parameters

Side = Literal["before", "behind"]

_RECORD = r"\d+(?:@[^\s,]+)?"
_SET = re.compile(rf"\s*({_RECORD})(?:\.|\s+)([A-Za-z_]+)\s*=\s*(.*)", re.DOTALL)
_SET_FORM = "RECORD.FIELD=VALUE, as 27.amount=400; `recoup replay ROUND` shows the numbers"
_BEHIND = re.compile(rf"(.*\S)\s+(?:(before|behind|after)\s+({_RECORD})|@(\d+))\s*", re.DOTALL)
_AHEAD = re.compile(r"\s*@(\d+)\s+(\S.*)", re.DOTALL)
_CALL = re.compile(r"((?:[@#^]\S+\s+)*)([A-Za-z.]+)\(\s*(.*?)\s*\)", re.DOTALL)
_ARGUMENT = re.compile(r'(?:"(?:[^"\\]|\\.)*"|\[[^\]]*\]|[^,"\[\]])+')
_CARDS = re.compile(r"[,\s]+")


class Place(Struct, frozen=True):
    """Where a fact is to stand: right before or right behind a record, named as it was typed."""

    side: Side
    record: str


class Setting(Struct, frozen=True):
    """One field of one record, and the value as it was typed."""

    record: str
    field: str
    value: str


def read_setting(text: str) -> Setting:
    """`27.amount=400`, `4711@terminal.amount=400`.

    Raises:
        BadNotation: no record, no field or no value.
    """
    record, field, value = "", "", ""
    match = _SET.fullmatch(text)
    if match is not None:
        record, field, value = match.groups()
    if "@" in text.partition("=")[0]:
        # A source's name may have a dot in it: the last one before `=` parts the field.
        left, _equals, value = text.strip().partition("=")
        record, _dot, field = (part.strip() for part in left.rpartition(" " if " " in left.strip() else "."))
    if not record or not field.isidentifier() or not value.strip():
        raise BadNotation(f"`{text}` does not say which field of which record is what", hint=_SET_FORM)
    return Setting(record, field, value.strip())


def as_word(value: str) -> str:
    """A value as one word of notation: a text with spaces needs quotes there, which a person need not write."""
    plain = re.fullmatch(r'[^\s"]+|"(?:[^"\\]|\\.)*"', value) or value[:1] in "[{"
    return value if plain else json.dumps(value)


def consequences(event: Event, field: str, fields: Sequence[str], before: int, after: int) -> list[str]:
    """What else an altered `amount` says otherwise, as `field=value`, for fields not among those set (`fields`).

    Chips that were counted out for the old amount are not those of the new one; what then lies in front of a seat moves
    with it; colour chips are as many as make the amount.
    """
    if field != "amount" or before == after:
        return []
    words = []
    chips, unit, front = (getattr(event, name, None) for name in ("chips", "unit_value", "to"))
    if isinstance(chips, tuple) and chips and "chips" not in fields:
        words.append("chips=[]")
    if isinstance(chips, int) and isinstance(unit, int) and unit and chips * unit == before and after % unit == 0:
        words += [f"chips={after // unit}"] if "chips" not in fields else []
    if isinstance(front, int) and hasattr(event, "action") and "to" not in fields:
        words.append("to=-")
    return words


def read_records(text: str) -> list[str]:
    """`17`, `17-19`, `17,18`, `4711@terminal`: the records named, in order.

    Raises:
        BadNotation: none is.
    """
    named: list[str] = []
    for part in text.replace(",", " ").split():
        span = re.fullmatch(r"(\d+)(?:-|\.\.|–)(\d+)", part)
        if span is not None and int(span[1]) <= int(span[2]) <= int(span[1]) + 10_000:
            named += map(str, range(int(span[1]), int(span[2]) + 1))
        elif re.fullmatch(_RECORD, part):
            named.append(part)
        else:
            raise BadNotation(f"`{part}` names no record", hint="17, 17-19 or 4711@terminal")
    if not named:
        raise BadNotation("no record is named", hint="17, 17-19 or 4711@terminal")
    return named


def split_place(text: str) -> tuple[str, Place | None]:
    """A line, and the place that it names at its end (`before 28`, `behind 27`, `@28`) or in front (`@28`).

    `@28` is the place of record 28: before it.
    """
    match = _BEHIND.fullmatch(text)
    if match is not None:
        side: Side = "before" if match[2] in (None, "before") else "behind"
        return match[1].strip(), Place(side, match[3] or match[4])
    match = _AHEAD.fullmatch(text)
    if match is not None:
        return match[2].strip(), Place("before", match[1])
    return text.strip(), None


def read_event_line(text: str) -> str:
    """A line of notation; `Name(4, "raise", amount=400)` is written as `Name 4 raise amount=400`."""
    match = _CALL.fullmatch(text.strip())
    if match is None:
        return text
    words = []
    for part in _ARGUMENT.findall(match[3]):
        word = part.strip()
        name, equals, value = word.partition("=")
        if equals and name.strip().isidentifier():
            words.append(f"{name.strip()}={_argument(value.strip())}")
        elif word:
            words.append(_argument(word))
    return f"{match[1]}{match[2]} {' '.join(words)}".rstrip()


def _argument(word: str) -> str:
    if word.startswith("[") and word.endswith("]"):
        inner = [_argument(part.strip()) for part in word[1:-1].split(",") if part.strip()]
        return ",".join(inner) or "[]"
    if len(word) > 1 and word[0] == word[-1] == "'":
        word = json.dumps(word[1:-1])
    if re.fullmatch(r'"[A-Za-z0-9_/.-]+"', word):
        return word[1:-1]
    return {"True": "yes", "False": "no", "None": "-"}.get(word, word)


def read_cards(text: str) -> tuple[str, tuple[str, ...]]:
    """`river=Ah`, `seat/3=AhKd`, `flop=2s,Js,Qh`, `57=Ah`: a place (or record) and its cards.

    Raises:
        BadNotation: no place, or something that is no card.
    """
    place, equals, value = text.partition("=")
    place = re.sub(r"^(seat)\s*/?\s*(\d+)$", r"\1/\2", place.strip())
    if not equals or not place or not value.strip():
        raise BadNotation(f"`{text}` says not which card is which", hint="river=Ah, flop=2s,Js,Qh or seat/3=AhKd")
    cards: list[str] = []
    for part in _CARDS.split(value.strip()):
        letters = part.replace("10", "T")
        if len(letters) % 2 or not letters:
            raise _no_card(part)
        for at in range(0, len(letters), 2):
            card = letters[at].upper() + letters[at + 1].lower()
            if card != UNKNOWN and not is_card(card):
                raise _no_card(letters[at : at + 2])
            cards.append(card)
    known = [card for card in cards if card != UNKNOWN]
    if len(set(known)) < len(known):
        raise BadNotation(f"`{text}` names a card twice")
    return place, tuple(cards)


def _no_card(text: str) -> BadNotation:
    return BadNotation(f"`{text}` is no card", hint="a rank of 23456789TJQKA and a suit of cdhs, as Ah or Td")


def read_parameter(text: str, parameters: Parameters) -> tuple[Parameter, Any]:
    """`min_raise_rule=last_increment`: a parameter of the rule book and a value that it can have.

    Raises:
        BadNotation: no `=`. Refused: no such parameter, or a value that it cannot have.
    """
    name, equals, typed = (part.strip() for part in text.partition("="))
    if not equals or not name:
        raise BadNotation(f"`{text}` states no parameter", hint="NAME=VALUE, as min_raise_rule=last_increment")
    if name not in parameters:
        # `wheel.zero` may be known as `roulette.zero`: what stands behind the dot is enough where it is one.
        ends = [one.name for one in parameters if one.name.rpartition(".")[2] == name]
        near = ends or get_close_matches(name, [one.name for one in parameters], n=3)
        hint = (
            f"did you mean {' or '.join(f'`{one}`' for one in near)}?"
            if near
            else "`recoup rules show RULE` names a rule's parameters"
        )
        if len(ends) != 1:
            raise Refused(f"the rule book has no parameter `{name}`", hint=hint)
        name = ends[0]
    parameter = parameters[name]
    try:
        return parameter, parameter.check(_value(typed, parameter))
    except BadEdition as error:
        raise Refused(str(error), hint=parameter.meaning) from error


def _value(typed: str, parameter: Parameter) -> Any:
    """What a person typed as a value of the parameter's kind; the text itself where it is none."""
    folded = typed.lower()
    if folded in ("null", "none", "-"):
        return None
    for choice in parameter.choices:
        names = {True: ("true", "yes"), False: ("false", "no")}.get(choice) if isinstance(choice, bool) else None
        if folded in (names or (str(choice).lower(),)):
            return choice
    kinds = parameter.kind if isinstance(parameter.kind, tuple) else (parameter.kind or type(parameter.default),)
    if bool in kinds and folded in ("true", "yes", "false", "no"):
        return folded in ("true", "yes")
    if int in kinds and re.fullmatch(r"-?\d+", typed):
        return int(typed)
    if list in kinds:
        return [part.strip() for part in typed.strip("[]").split(",") if part.strip()]
    return typed
