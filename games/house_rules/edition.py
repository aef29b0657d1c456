"""Editions: one house's rules for one game from one day, as the bytes of a TOML file.

[edition]
name = "live-games-plan"
rule_book = "RL"
document = "Herní plán, živá hra, oddíl 1"

[constants]            # typed by the room: pay tables, wheel order, rake
[parameters]           # "roulette.short_spin_policy" = "automatic_void"; nullable ones take the text "null"
[rules."RL-17"]
title = "Ten revolutions"
text = "For the spin to count, …"
source = "§1.4 ¶7"
"""

from __future__ import annotations

import hashlib
import tomllib
from datetime import date
from functools import lru_cache
from typing import Any

import msgspec
from msgspec import Struct

from events.errors import BadEdition, EditionMissing
from events.schema.ours import EditionAdopted
from games.house_rules.parameters import Parameters

ANY_HOUSE = "*"
"""`house/*`: in force in every house that has adopted nothing of its own for that book."""


class RuleText(Struct, frozen=True, forbid_unknown_fields=True):
    """One rule as the edition words it, with its citation."""

    title: str
    text: str
    source: str


class Form(Struct, frozen=True):
    """What a rule book expects of its editions: its id, its parameters and the type of its constants."""

    rule_book: str
    parameters: Parameters
    constants: type[Struct]


class Edition(Struct, frozen=True):
    """An edition read. `digest` is the SHA-256 of its bytes, `defaulted` the parameters that it does not state."""

    name: str
    rule_book: str
    document: str
    constants: Any
    parameters: dict[str, Any]
    defaulted: tuple[str, ...]
    rules: dict[str, RuleText]
    digest: str
    toml: str

    def __getitem__(self, parameter: str) -> Any:
        return self.parameters[parameter]


class _Head(Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    rule_book: str
    document: str = ""


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    edition: _Head
    constants: dict[str, Any] = {}
    parameters: dict[str, Any] = {}
    rules: dict[str, RuleText] = {}


def read_edition(toml: str, form: Form) -> Edition:
    """The edition in `toml`.

    Raises:
        BadEdition: broken TOML, an unknown or misspelt key, a value of the wrong kind, a table with a hole.
    """
    try:
        plain = tomllib.loads(toml)
        file = msgspec.convert(plain, _File)
        constants = msgspec.convert(file.constants, form.constants)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError, ValueError) as error:
        raise BadEdition(f"the edition cannot be read: {error}") from error
    if file.edition.rule_book != form.rule_book:
        raise BadEdition(f"the edition is of book {file.edition.rule_book}, not {form.rule_book}")
    stated = {name: None if value == "null" else value for name, value in file.parameters.items()}
    values, defaulted = form.parameters.resolve(stated)
    return Edition(
        name=file.edition.name,
        rule_book=file.edition.rule_book,
        document=file.edition.document,
        constants=constants,
        parameters=values,
        defaulted=defaulted,
        rules=file.rules,
        digest=hashlib.sha256(toml.encode()).hexdigest(),
        toml=toml,
    )


@lru_cache(maxsize=256)
def _read_cached(toml: str, form: Form) -> Edition:
    return read_edition(toml, form)


class Editions:
    """Which edition was in force where and when, from `EditionAdopted` events."""

    def __init__(self, forms: dict[str, Form]) -> None:
        self._forms = forms
        self._adopted: dict[tuple[str, str], list[tuple[date, int, EditionAdopted]]] = {}

    def adopt(self, house: str, event: EditionAdopted) -> None:
        """Take note of an adoption, in the order in which they were made."""
        entries = self._adopted.setdefault((house, event.rule_book), [])
        entries.append((date.fromisoformat(event.first_day), len(entries), event))
        entries.sort(key=lambda entry: entry[:2])

    def in_force(self, house: str, rule_book: str, day: date) -> Edition:
        """The edition in force on a gaming day: the latest first day not after it, of several the last adopted.

        Raises:
            EditionMissing: none is.
            BadEdition: the adopted bytes cannot be read by this Recoup.
        """
        if rule_book not in self._forms:
            raise EditionMissing(f"this Recoup knows no rule book {rule_book}")
        for owner in (house, ANY_HOUSE):
            for first, _n, event in reversed(self._adopted.get((owner, rule_book), ())):
                if first <= day:
                    return _read_cached(event.toml, self._forms[rule_book])
        known = [first for owner in (house, ANY_HOUSE) for first, _n, _e in self._adopted.get((owner, rule_book), ())]
        earliest = f"; the earliest starts on {min(known)}" if known else ""
        raise EditionMissing(
            f"no {rule_book} edition of `{house}` is in force on {day}{earliest}",
            hint=f"`recoup editions list --book {rule_book}` shows all; `recoup editions adopt FILE` adopts one",
        )

    def all(self) -> list[tuple[str, EditionAdopted]]:
        """Every adoption with its house, by house, book and first day."""
        return [
            (house, event) for (house, _book), entries in sorted(self._adopted.items()) for _day, _n, event in entries
        ]
