"""PHH written: a hand's facts to the text that `phh` reads back as an equal hand.

What only the file had (event, place, a site's own fields) comes from the text in `HandImported`; everything that is
played, posted, dealt and paid comes from the facts, so that a correction shows in what is written.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

from msgspec import Struct

from events.errors import Refused
from events.schema.common import TableOpened
from events.schema.order import Ordered
from events.schema.ours import HandImported
from events.values.clock import to_datetime
from events.values.money import MINOR_PER_MAJOR
from games.hand_histories.phh import CHIP, FORMAT, read_document
from games.hand_histories.retold import Acts, Retold, Step, joined, retell
from games.shared.poker.events import StakesAnnounced

_ORDER = (
    "variant", "ante_trimming_status", "antes", "blinds_or_straddles", "bring_in", "small_bet", "big_bet", "min_bet",
    "starting_stacks", "actions", "author", "event", "url", "venue", "address", "city", "region", "postal_code",
    "country", "time", "time_zone", "day", "month", "year", "hand", "level", "seats", "seat_count", "table", "players",
    "finishing_stacks", "winnings", "currency", "currency_symbol", "time_limit", "time_banks",
)  # fmt: skip
"""The format's own fields in the order of its description; a site's own come after."""

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_ANTES = ("ante", "big_blind_ante", "button_ante", "dead_small_blind", "dead_big_blind")


class WrittenHand(Struct, frozen=True):
    """One hand: the name of its round, and its fields in order of writing."""

    round: str
    fields: dict[str, Any]

    @property
    def text(self) -> str:
        """The hand as a `.phh` file has it."""
        return "".join(f"{_key(name)} = {_value(value)}\n" for name, value in self.fields.items())


def hands_of(ordered: Ordered, acts: Acts | None = None) -> Iterator[WrittenHand]:
    """The hands of a hold'em session in order, as `retold.retell` gives them.

    Raises:
        Refused: as `retell` and `write`.
    """
    return map(write, retell(ordered, acts))


def write(hand: Retold) -> WrittenHand:
    """One hand.

    Raises:
        Refused: the format has no word for something in it.
    """
    for problem in _cannot_say(hand):
        raise Refused(f"{hand.address} cannot be written as PHH: {problem}")
    return WrittenHand(hand.name, _fields(_Told(hand), hand.opened, hand.began_at))


def _cannot_say(hand: Retold) -> Iterator[str]:
    if hand.stakes.betting == "pot_limit":
        yield "the format has no pot-limit hold'em"
    if hand.runs > 1 or any(step.board > 1 for step in hand.steps):
        yield "the board was run more than once"
    if hand.cashed:
        yield f"seat {min(hand.cashed)} was cashed out"
    if hand.added:
        yield "the house added to the pot"
    live = [step.seat for step in hand.steps if step.what == "post" and step.kind not in _ANTES]
    for seat in {seat for seat in live if live.count(seat) > 1}:
        yield f"seat {seat} posted two blinds, and the format has one a player"


def write_file(hands: Iterable[WrittenHand]) -> Iterator[str]:
    """A `.phhs` file in pieces: sections numbered from 1."""
    return joined(hands, lambda number: f"{'' if number == 1 else chr(10)}[{number}]\n")


class _Told:
    """A hand in the format's own order and words."""

    def __init__(self, hand: Retold) -> None:
        self.stakes = hand.stakes
        self.players = hand.players
        self.seats = hand.seats
        self.put, self.back, self.won = hand.put, hand.back, hand.won
        self.is_settled = hand.is_settled
        self.due = _blinds_due(hand)
        self.has_dead_blinds = any(step.kind in ("dead_small_blind", "dead_big_blind") for step in hand.steps)
        self.antes: dict[int, int] = {}
        self.blinds: dict[int, Step] = {}
        self._name = {seat: f"p{number}" for number, seat in enumerate(self.seats, 1)}
        self.actions = [said for step in hand.steps if (said := self._said(step))]

    def _said(self, step: Step) -> str:
        """The action, or nothing for what the format tells in its head or not at all."""
        name = self._name.get(step.seat, "")
        cards = "".join(step.cards)
        match step.what:
            case "board":
                return f"d db {cards}"
            case "hole":
                return f"d dh {name} {cards}"
            case "fold":
                return f"{name} f"
            case "check" | "call":
                return f"{name} cc"
            case "bet" | "raise":
                return f"{name} cbr {_number(step.total)}"
            case "show":
                return f"{name} sm {cards or '-'}"
            case "muck":
                return f"{name} sm {cards}".rstrip()
            case "post" if step.kind in _ANTES:
                self.antes[step.seat] = self.antes.get(step.seat, 0) + step.paid
            case "post":
                self.blinds[step.seat] = step
        return ""

    def in_list_order(self) -> list[int]:
        """Seats in the order of the lists of antes and blinds: small blind first."""
        return self.seats[::-1] if len(self.seats) == 2 else self.seats

    def whole(self, seat: int, paid: int, due: int) -> int:
        """What was due of a post, where the stack did not reach."""
        stack = self.players[seat].stack
        before = self.antes.get(seat, 0)
        return due if stack is not None and paid < due and stack in (paid, paid + before) else paid


def _fields(told: _Told, opened: object, at_ms: int) -> dict[str, Any]:
    file = read_document(opened.text) if isinstance(opened, HandImported) and opened.format == FORMAT else {}
    stakes = told.stakes
    order = told.in_list_order()
    stacks = [told.players[seat].stack for seat in told.seats]
    found: dict[str, Any] = {
        "variant": stakes.variant or ("FT" if stakes.betting == "fixed_limit" else "NT"),
        "ante_trimming_status": stakes.ante_by == "each" and not told.has_dead_blinds,
        "antes": [_number(_ante(told, seat)) for seat in order],
        "blinds_or_straddles": [_number(_blind(told, seat)) for seat in order],
        **_least_bets(stakes),
        "starting_stacks": [Decimal("inf") if stack is None else _number(stack) for stack in stacks],
        "actions": told.actions,
        "seats": told.seats,
        "players": [told.players[seat].player for seat in told.seats],
    }
    if told.is_settled and None not in stacks:
        found["finishing_stacks"] = [
            _number((told.players[seat].stack or 0) - told.put.get(seat, 0) + told.back.get(seat, 0))
            for seat in told.seats
        ]
        found["winnings"] = [_number(told.won.get(seat, 0)) for seat in told.seats]
    if file:
        played = ("variant", "antes", "blinds_or_straddles", "starting_stacks", "actions")
        kept = [name for name in ("seats", "players", "finishing_stacks") if name in file and name in found]
        if "players" in kept:  # somebody without a name has an id only because an event needs one
            found["players"] = [known and ours for known, ours in zip(file["players"], found["players"], strict=True)]
        found = file | {name: found[name] for name in (*played, *kept)}
    elif isinstance(opened, TableOpened | HandImported):
        found["currency"] = opened.currency
        if opened.smallest_chip:
            found[CHIP] = _number(opened.smallest_chip)  # the format has no field for it; odd chips need it
        if isinstance(opened, HandImported):
            found |= _where_and_when(opened, at_ms)
    return {name: found[name] for name in (*_ORDER, *found) if name in found}


def _where_and_when(opened: HandImported, at_ms: int) -> dict[str, Any]:
    """What another format told of site and time, in the words of this one."""
    found: dict[str, Any] = {}
    if opened.site:
        found["venue"] = opened.site
    if opened.site_hand:
        found["hand"] = opened.site_hand
    if opened.time_known:
        at = to_datetime(at_ms, _UTC)
        found |= {"time": at.time(), "time_zone": "UTC", "day": at.day, "month": at.month, "year": at.year}
    return found


_UTC = ZoneInfo("UTC")


def _least_bets(stakes: StakesAnnounced) -> dict[str, int | Decimal]:
    if stakes.betting != "fixed_limit":
        return {"min_bet": _number(stakes.big_blind)}
    small = stakes.small_bet or stakes.big_blind
    return {"small_bet": _number(small), "big_bet": _number(stakes.big_bet or 2 * small)}


def _blinds_due(hand: Retold) -> dict[int, int]:
    due = {}
    if hand.small_blind is not None:
        due[hand.small_blind] = hand.stakes.small_blind
    if hand.big_blind is not None:
        due[hand.big_blind] = hand.stakes.big_blind
    return due


def _ante(told: _Told, seat: int) -> int:
    return told.whole(seat, told.antes.get(seat, 0), told.stakes.ante) if seat in told.antes else 0


def _blind(told: _Told, seat: int) -> int:
    """What was due; a newcomer's post is written as negative."""
    post = told.blinds.get(seat)
    if post is None:  # the ante took all that he had
        return told.due.get(seat, 0) if told.players[seat].stack == told.put.get(seat) else 0
    due = told.stakes.small_blind if post.kind == "small_blind" else told.stakes.big_blind
    if post.kind == "straddle":
        due = 2 * told.stakes.big_blind
    amount = told.whole(seat, post.paid, due)
    return -amount if post.kind in ("extra_blind", "missed_big_blind") else amount


# --- TOML ---


def _number(minor: int) -> int | Decimal:
    """Whole units as an integer, others as a decimal."""
    whole, part = divmod(minor, MINOR_PER_MAJOR)
    return whole if not part else Decimal(minor).scaleb(-2).normalize()


def _key(name: str) -> str:
    return name if _BARE_KEY.fullmatch(name) else _string(name)


def _string(text: str) -> str:
    if "'" not in text and text.isprintable():
        return f"'{text}'"
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, Decimal):
        if not value.is_finite():
            return str(value).lower().replace("infinity", "inf")
        text = format(value, "f")
        return text if "." in text else f"{text}.0"
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{_key(name)} = {_value(item)}' for name, item in value.items())}}}"
    return str(value)
