"""What the rules require instead, in words: the remedy of a finding, plain data that each room names in its own way."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from events.values.money import money_text

MONEY = frozenset({
    "net", "correction", "amount", "due", "pay", "paid", "take", "refund", "add", "to", "rake", "award", "return",
    "total", "returned", "over", "missing", "last_increment", "small_blind", "big_blind", "forfeit", "live", "held",
    "avoided", "left", "unaccounted", "min", "max", "ante_blind_trips_live", "trips_only", "difference", "win", "stake",
    "bet", "staked", "fee", "rex", "stack", "to_put_back", "to_add", "to_take_off", "dead", "owed",
})  # fmt: skip
"""Keys that hold minor units; `min` and `max` do not where the remedy is about time."""

WITH_SIGN = frozenset({"net", "correction", "ante_blind_trips_live", "trips_only"})

NOTHING = frozenset({"refund", "add", "returned", "forfeit", "left", "dead", "live"})
"""Keys of which zero says nothing: no chips move."""

UNSAID = frozenset({"currency", "absent", "parameter", "default", "due_by_default"})
"""Keys that qualify others, or that a finding's own words tell."""

OFF_THE_DECK: dict[str, str] = {
    "replacement_seq": "the replacement", "burn1_seq": "the first burn", "burn1": "the first burn", "flop": "the flop",
    "burn2": "the second burn", "turn": "the turn", "burn3": "the third burn", "river": "the river",
    "river_face_down": "the river, face down", "shuffled_in": "shuffled in", "set_aside": "set aside",
    "scramble": "scrambled", "next": "the next card",
}  # fmt: skip
"""Keys that hold places off the deck, by number."""


def _plain(name: str) -> str:
    return name.replace("_", " ")


def _place(value: str) -> str:
    return value.replace("/", " ")


def remedy_words(remedy: Mapping[str, Any], currency: str) -> Iterator[str]:
    """Each part of a remedy; none of an amount of nothing. Amounts in `currency`, or in the one that it names."""
    currency = remedy.get("currency", currency)
    in_ms = any(name.endswith("_ms") for name in remedy)
    parts = {name: value for name, value in remedy.items() if name not in UNSAID}
    if "parameter" in remedy:
        return  # both readings are in the finding's words
    yield from _action(parts, currency)
    places = [name for name, value in parts.items() if name in OFF_THE_DECK and _is_place(value)]
    if places:
        told = "; ".join(f"{_numbers(parts.pop(name))} {OFF_THE_DECK[name]}" for name in places)
        yield f"by number off the deck: {told}"
    for name, value in parts.items():
        if in_ms and isinstance(value, int):
            yield f"{_plain(name.removesuffix('_ms'))} {value / 1000:g} s"
        elif name == "over":
            yield f"{money_text(value, currency)} too much"
        elif _is_money(name, value):
            if value or name not in NOTHING:
                sign = "+" if name in WITH_SIGN and value > 0 else ""
                yield f"{_plain(name)} {sign}{money_text(value, currency)}"
        elif isinstance(value, bool):
            if said := _yes_or_no(name, yes=value):
                yield said
        elif name in SAID:
            yield SAID[name](str(value))
        elif isinstance(value, list | tuple):
            told = ", ".join(_part(one, currency) for one in value)
            yield told if name == "moves" else f"{_plain(name)} {told}"
        elif isinstance(value, str) and value.startswith("seat/"):
            yield _place(value) if name == "seat" else f"{_plain(name)} {_place(value)}"
        else:
            yield f"{_plain(name)} {_value(value)}"


def _action(parts: dict[str, Any], currency: str) -> Iterator[str]:
    """An action as it counts: `a call to 10 CZK, 15 CZK go back`."""
    if not (isinstance(parts.get("action"), str) and isinstance(parts.get("total"), int)):
        return
    action, total = parts.pop("action"), parts.pop("total")
    yield f"{_plain(action)} to {money_text(total, currency)}"
    added, back = parts.pop("add", 0), parts.pop("returned", 0)
    if added:
        yield f"{money_text(added, currency)} more to put in"
    if back:
        yield f"{money_text(back, currency)} go back"


SAID: dict[str, Callable[[str], str]] = {
    "actor": lambda value: f"{_place(value)} is to act",
    "at_most": lambda value: f"at most {_plain(value)}",
    "void": lambda value: f"the {value} is void",
    "route": lambda value: f"by way of a {value}",
    "basis": lambda value: f"by {value}",
    "blinds": lambda value: f"the blinds {value}" if value in ("stay", "back") else f"blinds {_plain(value)}",
    "picked_is": lambda value: f"the one picked is {OFF_THE_DECK.get(value, value)}",
    "election": _plain,
    "next": lambda value: f"{_place(value)} is next",
}
"""Keys whose value is a word, and how both are said."""

_IF_SO = {"button_moves": ("the button moves", "the button stays"), "all_tie": ("all tie", "")}


def _yes_or_no(name: str, *, yes: bool) -> str:
    if name.startswith("burn_before_"):
        return f"{'a' if yes else 'no'} burn before the {_plain(name.removeprefix('burn_before_'))}"
    if name in _IF_SO:
        return _IF_SO[name][0 if yes else 1]
    return _plain(name) if yes else ""


def _is_money(name: str, value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and name in MONEY


def _is_place(value: Any) -> bool:
    """A place off the deck, or several."""
    if isinstance(value, list | tuple):
        return bool(value) and all(isinstance(one, int) for one in value)
    return isinstance(value, int) and not isinstance(value, bool)


def _numbers(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def _part(value: Any, currency: str) -> str:
    """One of a list: a movement of chips, or a plain value."""
    if isinstance(value, dict) and {"from", "to", "amount"} <= set(value):
        frm, to = (_place(str(value[end])) for end in ("from", "to"))
        return f"{money_text(value['amount'], currency)} from {frm} to {to}"
    return _value(value)


def _value(value: Any) -> str:
    return "none" if value is None else _plain(str(value))
