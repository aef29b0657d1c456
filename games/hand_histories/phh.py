"""The Poker Hand History format (PHH, TOML) read: fields and actions of a hand, numbers exact.

Players `p1` … `pn` sit clockwise from the left of the button, so that `pn` has it; with two players `p2` has the button
and the small blind, and the lists of antes and blinds still begin with the small blind. What the file calls
`blinds_or_straddles` is told by place: small blind, big blind, then straddles; a negative one is a newcomer's post.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any, Literal, NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec
from msgspec import Struct

from events.values.cards import DECK, UNKNOWN
from events.values.money import CHIPS, MINOR_PER_MAJOR
from games.hand_histories.draft import HandRefused

FORMAT = "phh"
READER = 1
"""Raised when the reader reads a hand otherwise than before; of one hand only the highest is folded."""

PLAYED: dict[str, Literal["no_limit", "fixed_limit"]] = {"NT": "no_limit", "FT": "fixed_limit"}
"""Variants that are imported, with their betting."""

NOT_YET: dict[str, str] = {
    "NS": "no-limit short-deck hold'em",
    "PO": "pot-limit Omaha",
    "FO/8": "fixed-limit Omaha high-low",
    "F7S": "seven-card stud",
    "F7S/8": "seven-card stud high-low",
    "FR": "razz",
    "N2L1D": "deuce-to-seven single draw",
    "F2L3D": "deuce-to-seven triple draw",
    "FB": "badugi",
}
"""Variants that the format knows and no room of ours plays from it yet."""

_CARDS = frozenset((*DECK, UNKNOWN))
_PLAYER = re.compile(r"p([1-9]\d?)")
_ERROR_LINE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)")
_PAIRS = re.compile(r"..?", re.DOTALL)


class Action(NamedTuple):
    """One action: `what` is `dh`, `db`, `f`, `cc`, `cbr`, `sm`, or another that hold'em does not have.

    `player` counts from 0 (−1: the board); `amount` is the total bet, minor units; `cards` None where none are named.
    """

    what: str
    player: int
    amount: int | None = None
    cards: tuple[str, ...] | None = None


CHIP = "_smallest_chip"
"""A field of our own, as the format allows: the smallest chip on the table, in the file's unit."""


class PhhHand(Struct, frozen=True):
    """A hand as the file has it. Amounts are minor units; a stack of None is not known.

    `document`: every field, those that this reader has no use for too, numbers exact.
    """

    variant: str
    antes: tuple[int, ...]
    blinds: tuple[int, ...]
    stacks: tuple[int | None, ...]
    actions: tuple[Action, ...]
    min_bet: int | None
    bets: tuple[int, int] | None
    seats: tuple[int, ...]
    players: tuple[str, ...] | None
    finishing: tuple[int, ...] | None
    winnings: tuple[int, ...] | None
    currency: str
    played_at: int | None
    document: dict[str, Any]
    notes: tuple[str, ...] = ()


def read_document(text: str) -> dict[str, Any]:
    """The TOML of one hand; decimals as `Decimal`.

    Raises:
        HandRefused: it is no TOML, with the line.
    """
    document = _plain_fields(text)
    if document is not None:
        return document
    try:
        return tomllib.loads(text, parse_float=Decimal)
    except (ValueError, RecursionError, ArithmeticError) as error:
        found = _ERROR_LINE.search(str(error))
        line = int(found[1]) if found and found[1] else text.count("\n") + 1 if found else 0
        raise HandRefused("toml", _ERROR_LINE.sub("", str(error)) or "too deeply nested", line=line) from error


_FIELD = re.compile(r"([\w-]+) = (['\"\[0-9tf-].*)", re.ASCII)
_JSON = msgspec.json.Decoder(float_hook=Decimal).decode
_NOT_JSON = re.compile(r"[{}\\\x7f]|null|\d{16}")
"""Where TOML and JSON may part: a table, an escape, a word that only one of them has, a large number."""


def _plain_fields(text: str) -> dict[str, Any] | None:
    """The fields where each stands on a line of its own, as programs write them; their values are JSON then but for
    the quotes, which is read ten times as fast. None: it needs TOML in full."""
    found: dict[str, Any] = {}
    if _NOT_JSON.search(text):
        return None
    for line in text.split("\n"):
        match = _FIELD.fullmatch(line)
        if match is None:
            if line:
                return None
            continue
        name, value = match.groups()
        if name in found:
            return None
        if "'" in value:
            if '"' in value:
                return None
            value = value.replace("'", '"')
        try:
            found[name] = _JSON(value)
        except msgspec.DecodeError:  # a time, a day, a list that goes on
            try:
                found[name] = tomllib.loads(f"v = {match[2]}", parse_float=Decimal)["v"]
            except (ValueError, ArithmeticError):
                return None
        except RecursionError:
            return None
    return found


def read_hand(text: str) -> PhhHand:
    """A hand from its own text.

    Raises:
        HandRefused: no TOML, a field that is missing or of another kind, an amount finer than hundredths, an action
            or a card that the format does not have; or a game that is not imported yet.
    """
    document = read_document(text)
    variant = _text(document, "variant")
    if variant not in PLAYED:
        known = NOT_YET.get(variant)
        if known is None:
            raise HandRefused(
                "field", f"variant `{variant}` is none that the format knows", line=_line(text, "variant")
            )
        raise HandRefused("not_yet", f"variant {variant}, {known}, is not played here yet")
    try:
        return _hand(document, variant)
    except HandRefused as error:
        if not error.line:
            named = re.match(r"`?(\w+)`?", str(error))
            error.line = _line(text, named[1]) if named else 0
        raise


def _line(text: str, field: str) -> int:
    """The line of the hand's text where a field begins; 0 if it has none."""
    found = re.search(rf"^[ \t]*{field}\s*=", text, re.MULTILINE)
    return text.count("\n", 0, found.start()) + 1 if found else 0


def _hand(document: dict[str, Any], variant: str) -> PhhHand:
    stacks = tuple(_stack(item) for item in _list(document, "starting_stacks"))
    count = len(stacks)
    if not 2 <= count <= 99:
        raise HandRefused("field", f"starting_stacks has {count} players; a hand has at least two")
    notes: list[str] = []
    return PhhHand(
        variant=variant,
        antes=_amounts(document, "antes", count),
        blinds=_amounts(document, "blinds_or_straddles", count, signed=True),
        stacks=stacks,
        actions=tuple(_actions(_list(document, "actions"), count)),
        min_bet=_minor(document["min_bet"], "min_bet") if "min_bet" in document else None,
        bets=_bets(document) if variant == "FT" else None,
        seats=_seats(document, count, notes),
        players=_players(document, count),
        finishing=_optional_amounts(document, "finishing_stacks", count),
        winnings=_optional_amounts(document, "winnings", count),
        currency=_currency(document),
        played_at=_played_at(document, notes),
        document=document,
        notes=tuple(notes),
    )


# --- fields ---


def _need(document: dict[str, Any], field: str) -> Any:
    if field not in document:
        raise HandRefused("field", f"{field} is missing")
    return document[field]


def _text(document: dict[str, Any], field: str) -> str:
    value = _need(document, field)
    if not isinstance(value, str):
        raise HandRefused("field", f"{field} is {value!r}, not a text")
    return value


def _list(document: dict[str, Any], field: str) -> list[Any]:
    value = _need(document, field)
    if not isinstance(value, list):
        raise HandRefused("field", f"{field} is not a list")
    return value


def _minor(value: Any, field: str, *, signed: bool = False) -> int:
    """Hundredths of the file's unit."""
    if type(value) is int:
        minor = value * MINOR_PER_MAJOR
    elif isinstance(value, Decimal) and value.is_finite() and value.adjusted() < 20:
        minor = int(value * MINOR_PER_MAJOR)
        if Decimal(minor) / MINOR_PER_MAJOR != value:
            raise HandRefused("amount", f"{field} has {value}, which is finer than hundredths")
    else:
        raise HandRefused("amount", f"{field} has {value!r}, which is no amount")
    if minor < 0 and not signed:
        raise HandRefused("amount", f"{field} has {value}, and no amount is negative")
    if abs(minor) >= 2**53:
        raise HandRefused("amount", f"{field} has {value}, which is more than can be kept exactly")
    return minor


def _bets(document: dict[str, Any]) -> tuple[int, int]:
    """Small and big bet of fixed limit."""
    return _minor(_need(document, "small_bet"), "small_bet"), _minor(_need(document, "big_bet"), "big_bet")


def _stack(value: Any) -> int | None:
    if isinstance(value, Decimal) and value.is_infinite() and value > 0:
        return None
    return _minor(value, "starting_stacks")


def _amounts(document: dict[str, Any], field: str, count: int, *, signed: bool = False) -> tuple[int, ...]:
    values = _list(document, field)
    if len(values) != count:
        raise HandRefused("field", f"{field} has {len(values)} entries for {count} players")
    return tuple(_minor(value, field, signed=signed) for value in values)


def _optional_amounts(document: dict[str, Any], field: str, count: int) -> tuple[int, ...] | None:
    return _amounts(document, field, count) if field in document else None


def _players(document: dict[str, Any], count: int) -> tuple[str, ...] | None:
    if "players" not in document:
        return None
    names = _list(document, "players")
    if len(names) != count or not all(isinstance(name, str) for name in names):
        raise HandRefused("field", f"players does not name the {count} players")
    return tuple(names)


def _seats(document: dict[str, Any], count: int, notes: list[str]) -> tuple[int, ...]:
    """The file's seats if they run clockwise from the first player, else 1 … n."""
    plain = tuple(range(1, count + 1))
    if "seats" not in document:
        return plain
    seats = _list(document, "seats")
    if len(seats) == count and all(type(seat) is int and 1 <= seat <= 99 for seat in seats):
        lowest = seats.index(min(seats))
        if [*seats[lowest:], *seats[:lowest]] == sorted(set(seats)):
            return tuple(seats)
    notes.append("seats do not run clockwise from the first player; numbered from 1 instead")
    return plain


def _currency(document: dict[str, Any]) -> str:
    """ISO 4217, or XXX: a symbol alone does not say which dollar."""
    currency = document.get("currency")
    return currency if isinstance(currency, str) and re.fullmatch("[A-Z]{3}", currency) else CHIPS


def _played_at(document: dict[str, Any], notes: list[str]) -> int | None:
    """The instant, if day, time and zone are all there."""
    parts = [document.get(field) for field in ("year", "month", "day", "time", "time_zone")]
    year, month, day, at, zone = parts
    if any(part is None for part in parts):
        return None
    try:
        if not isinstance(at, time):
            raise TypeError
        local = datetime.combine(date(int(year or 0), int(month or 0), int(day or 0)), at, ZoneInfo(str(zone)))
    except (ValueError, TypeError, OSError, ZoneInfoNotFoundError):
        notes.append("day, time and time zone do not make an instant; the time is not known")
        return None
    return int(local.timestamp()) * 1000 + at.microsecond // 1000


# --- actions ---


def _actions(items: Sequence[Any], count: int) -> list[Action]:
    found = []
    for item in items:
        if not isinstance(item, str):
            raise HandRefused("action", f"actions has {item!r}, which is no text")
        words = item.partition("#")[0].split()
        if words:
            found.append(_action(words, item, count))
    return found


def _action(words: list[str], item: str, count: int) -> Action:
    match words:
        case ["d", "db", cards]:
            return Action("db", -1, cards=_cards(cards, item))
        case ["d", "dh", player, cards]:
            return Action("dh", _player(player, item, count), cards=_cards(cards, item))
        case [player, "f" | "cc" as what]:
            return Action(what, _player(player, item, count))
        case [player, "cbr", amount]:
            return Action("cbr", _player(player, item, count), _action_amount(amount, item))
        case [player, "sm"]:
            return Action("sm", _player(player, item, count))
        case [player, "sm", cards]:
            return Action("sm", _player(player, item, count), cards=() if cards == "-" else _cards(cards, item))
        case [player, "sd" | "pb" as what, *_rest]:
            raise HandRefused("action", f"actions has `{item}`: {what} is no action of hold'em")
    raise HandRefused("action", f"actions has `{item}`, which cannot be read")


def _action_amount(text: str, item: str) -> int:
    try:
        return _minor(Decimal(text), "actions")
    except ArithmeticError:
        raise HandRefused("amount", f"actions has `{item}`, whose amount cannot be read") from None


def _player(word: str, item: str, count: int) -> int:
    found = _PLAYER.fullmatch(word)
    if found is None or int(found[1]) > count:
        raise HandRefused("action", f"actions has `{item}`; the players are p1 to p{count}")
    return int(found[1]) - 1


def _cards(text: str, item: str) -> tuple[str, ...]:
    cards = tuple(_PAIRS.findall(text))
    for card in cards:
        if card not in _CARDS:
            raise HandRefused("card", f"actions has `{item}`; `{card}` is no card")
    return cards
