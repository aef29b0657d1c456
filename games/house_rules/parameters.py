"""Parameters: each decision that a catalogue lists under "Ambiguities" is one, with the catalogue's default."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from typing import Any

from msgspec import Struct

from events.errors import BadEdition


class Parameter(Struct, frozen=True):
    """One decision. `choices`: its values, if few; empty: any value of the default's `kind`; `nullable` allows none."""

    name: str
    default: Any
    choices: tuple[Any, ...] = ()
    kind: type | tuple[type, ...] | None = None
    nullable: bool = False
    ambiguity: str = ""
    meaning: str = ""

    def check(self, value: Any) -> Any:
        """The value if it can be meant.

        Raises:
            BadEdition: it cannot.
        """
        if value is None and (self.nullable or self.default is None):
            return None
        if self.choices:
            if any(value == choice and isinstance(value, bool) == isinstance(choice, bool) for choice in self.choices):
                return value
            raise BadEdition(f"{self.name} = {value!r}; it can be {', '.join(map(repr, self.choices))}")
        kind = self.kind or (type(self.default) if self.default is not None else None)
        if kind is not None and (not isinstance(value, kind) or (isinstance(value, bool) and kind is int)):
            raise BadEdition(f"{self.name} = {value!r} is not of the kind of its default {self.default!r}")
        if kind is int and value < 0:
            raise BadEdition(f"{self.name} = {value!r}; it cannot be negative")
        return value


class Parameters:
    """All parameters of a rule book."""

    def __init__(self, parameters: Iterable[Parameter]) -> None:
        self._by_name = {parameter.name: parameter for parameter in parameters}

    def __iter__(self) -> Iterator[Parameter]:
        return iter(self._by_name.values())

    def __contains__(self, name: str) -> bool:
        return name in self._by_name

    def __getitem__(self, name: str) -> Parameter:
        return self._by_name[name]

    def resolve(self, stated: dict[str, Any]) -> tuple[dict[str, Any], tuple[str, ...]]:
        """All values, and the names of those that took the default.

        Raises:
            BadEdition: a name that does not exist (misspelt), or a value that cannot be meant.
        """
        for name in stated:
            if name not in self._by_name:
                raise BadEdition(f"no parameter is called `{name}`", hint=_near(name, self._by_name))
        values = {p.name: p.check(stated[p.name]) if p.name in stated else p.default for p in self}
        return values, tuple(p.name for p in self if p.name not in stated)


def _near(name: str, known: Iterable[str]) -> str:
    near = get_close_matches(name, list(known), n=3)
    return f"did you mean {' or '.join(f'`{match}`' for match in near)}?" if near else ""
