"""Open Hand History (OHH, JSON, 1.4) read: head, players, rounds and pots of a hand, numbers exact.

The amount of an action is what it puts in: a raise to 20 by somebody who has 2 in front of him has the amount 18.
A pot's amount has its rake in it, and no bet that nobody called.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from events.values.cards import DECK, UNKNOWN
from events.values.money import CHIPS, MINOR_PER_MAJOR
from games.hand_histories.draft import HandRefused, Street
from games.shared.poker.events import Betting

FORMAT = "ohh"
READER = 1
"""Raised when the reader reads a hand otherwise than before; of one hand only the highest is folded."""

NOT_YET: dict[str, str] = {
    "Omaha": "Omaha",
    "OmahaHiLo": "Omaha high-low",
    "Stud": "seven-card stud",
    "StudHiLo": "seven-card stud high-low",
    "Draw": "five-card draw",
}
"""Games that the format knows and no room of ours plays from it yet."""

BETTING: dict[str, Betting] = {"NL": "no_limit", "PL": "pot_limit", "FL": "fixed_limit"}
LIMITS: dict[str, str] = {betting: code for code, betting in BETTING.items()}

STREETS: dict[str, Street] = {"Flop": "flop", "Turn": "turn", "River": "river"}
_BOARD_CARDS: dict[Street, int] = {"flop": 3, "turn": 1, "river": 1}
_ROUNDS = frozenset({"Preflop", *STREETS, "Showdown"})

CHIP = "_smallest_chip"
"""A field of our own: the smallest chip on the table, in the file's unit."""

_CARDS = frozenset((*DECK, UNKNOWN))
_SEATS_MAX = 99
_BYTE = re.compile(r"\(byte (\d+)\)")


class Number(Struct, frozen=True):
    """A number with a point or exponent as the file writes it; `minor`: hundredths, None where it is no such amount."""

    text: str
    minor: int | None


class Action(NamedTuple):
    """One action. `what`: as the format names it; `seat` 0: nobody's. Amounts are minor units put in by it."""

    what: str
    seat: int
    amount: int
    cards: tuple[str, ...]
    all_in: bool


class Told(NamedTuple):
    """A round of the file; `street` None: before the flop or at the showdown."""

    street: Street | None
    cards: tuple[str, ...]
    actions: tuple[Action, ...]


class Player(NamedTuple):
    """Somebody at the table. `stack` before any post; `is_in`: dealt in, as far as the head says."""

    ident: int
    seat: int
    name: str
    stack: int | None
    is_in: bool


class Win(NamedTuple):
    """What somebody gets of a pot. `cashed_out`: paid by the site instead, its `fee` already taken."""

    seat: int
    amount: int
    cashed_out: int
    fee: int
    bonus: int


class PotTold(NamedTuple):
    """A pot, rake included. `jackpot`: what the site takes besides the rake."""

    amount: int
    rake: int
    jackpot: int
    wins: tuple[Win, ...]


class OhhHand(Struct, frozen=True):
    """A hand as the file has it. `pots` None: the file does not tell the end. `document`: every field.

    `smallest_chip`: as the file says, else what it counts in: whole units, or hundredths where any amount has a part.
    """

    document: dict[str, Any]
    betting: Betting
    small_blind: int
    big_blind: int
    ante: int
    button: int | None
    players: tuple[Player, ...]
    rounds: tuple[Told, ...]
    pots: tuple[PotTold, ...] | None
    currency: str
    played_at: int | None
    smallest_chip: int
    notes: tuple[str, ...] = ()


# --- JSON, exactly ---

_NUMBERS: dict[str, Number] = {}
_NUMBERS_KEPT = 100_000


def _number(text: str) -> Number:
    found = _NUMBERS.get(text)
    if found is None:
        value = Decimal(text)
        minor = None
        if value.is_finite() and value.adjusted() < 20:
            scaled = value * MINOR_PER_MAJOR
            minor = int(scaled) if scaled == int(scaled) else None
        if len(_NUMBERS) > _NUMBERS_KEPT:
            _NUMBERS.clear()
        found = _NUMBERS[text] = Number(text, minor)
    return found


_DECODE = msgspec.json.Decoder(float_hook=_number).decode


def read_document(raw: bytes | str) -> Any:
    """The JSON of one hand; a number with a point is a `Number`.

    Raises:
        HandRefused: it is no JSON, with the line.
    """
    text = raw.encode() if isinstance(raw, str) else raw
    try:
        return _DECODE(text)
    except UnicodeDecodeError as error:
        line = text.count(b"\n", 0, error.start) + 1
        raise HandRefused("encoding", f"byte {text[error.start]:#04x} is no UTF-8", line=line) from error
    except (msgspec.DecodeError, RecursionError) as error:
        raise _no_json(text, str(error)) from error


def _no_json(text: bytes, said: str) -> HandRefused:
    found = _BYTE.search(said)
    at = int(found[1]) if found else len(text)
    line = text.count(b"\n", 0, at) + 1
    if "truncated" in said:
        return HandRefused("json", "the text ends in the middle of the hand", line=line)
    for word in (b"NaN", b"Infinity", b"-Infinity"):
        if text.startswith(word, at) or text.startswith(word, max(at - 1, 0)):
            return HandRefused("amount", f"{word.decode()} is no amount", line=line)
    if "trailing" in said:
        return HandRefused("json", "something stands behind the end of the hand", line=line)
    return HandRefused("json", _BYTE.sub("", said).strip().removeprefix("JSON is malformed: "), line=line)


# --- a hand ---


def read_hand(raw: bytes) -> OhhHand:
    """A hand from its own text.

    Raises:
        HandRefused: no JSON, a field that is missing or of another kind, an amount finer than hundredths, a player
            whom the hand does not have, a card or an action that cannot be; or a game that is not imported yet.
    """
    whole = read_document(raw)
    document = whole.get("ohh") if isinstance(whole, dict) else None
    if not isinstance(document, dict):
        raise HandRefused("field", "`ohh` is missing: no hand of the Open Hand History format")
    game = _text(document, "game_type")
    if game != "Holdem":
        if game not in NOT_YET:
            raise HandRefused("field", f"game_type `{game}` is none that the format knows")
        limit = _limit(document)
        raise HandRefused("not_yet", f"{limit} {NOT_YET[game]} ({game}) is not played here yet")
    return _hand(document)


def _limit(document: dict[str, Any]) -> str:
    found = document.get("bet_limit")
    kind = found.get("bet_type") if isinstance(found, dict) else None
    return {"NL": "no-limit", "PL": "pot-limit", "FL": "fixed-limit"}.get(kind if isinstance(kind, str) else "", "")


def _hand(document: dict[str, Any]) -> OhhHand:
    notes: list[str] = []
    amounts = _Amounts()
    limit = document.get("bet_limit") or {}
    kind = limit.get("bet_type") if isinstance(limit, dict) else None
    if not isinstance(kind, str) or kind not in BETTING:
        raise HandRefused("field", f"bet_limit.bet_type is {_shown(kind)}, not NL, PL or FL")
    seats, shift = _seats(document, notes)
    players = _players(document, seats, shift, amounts)
    at = {player.ident: player.seat for player in players}
    button = document.get("dealer_seat")
    return OhhHand(
        document=document,
        betting=BETTING[kind],
        small_blind=amounts.of(document.get("small_blind_amount"), "small_blind_amount"),
        big_blind=amounts.of(document.get("big_blind_amount"), "big_blind_amount"),
        ante=amounts.of(document.get("ante_amount"), "ante_amount"),
        button=button + shift if type(button) is int and 1 <= button + shift <= _SEATS_MAX else None,
        players=players,
        rounds=tuple(_rounds(document, at, amounts)),
        pots=_pots(document, at, amounts),
        currency=_currency(document),
        played_at=_played_at(document, notes),
        smallest_chip=amounts.of(document.get(CHIP), CHIP) or (1 if amounts.has_parts else MINOR_PER_MAJOR),
        notes=tuple(notes),
    )


class _Amounts:
    """Amounts of one hand in minor units; `has_parts`: any of them is no whole unit."""

    def __init__(self) -> None:
        self.has_parts = False

    def of(self, value: Any, field: str) -> int:
        """Hundredths of the file's unit; nothing said is zero.

        Raises:
            HandRefused: it is no amount, or a finer one.
        """
        if type(value) is Number:
            minor = value.minor
            if minor is None:
                raise HandRefused("amount", f"{field} is {value.text}, which is finer or more than hundredths can tell")
        elif type(value) is int:
            minor = value * MINOR_PER_MAJOR
        elif value is None:
            return 0
        else:
            raise HandRefused("amount", f"{field} is {_shown(value)}, which is no amount")
        if not 0 <= minor < 2**53:
            problem = "no amount is negative" if minor < 0 else "that is more than can be kept exactly"
            raise HandRefused("amount", f"{field} is {minor // MINOR_PER_MAJOR}, and {problem}")
        if minor % MINOR_PER_MAJOR:
            self.has_parts = True
        return minor


def _shown(value: Any) -> str:
    if isinstance(value, Number):
        return value.text
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:40]}…"


def _text(document: dict[str, Any], field: str) -> str:
    value = document.get(field)
    if not isinstance(value, str):
        raise HandRefused(
            "field", f"{field} is missing" if value is None else f"{field} is {_shown(value)}, not a text"
        )
    return value


def _items(found: dict[str, Any], field: str, path: str) -> list[dict[str, Any]]:
    """A list of objects."""
    items = found.get(field)
    if items is None:
        raise HandRefused("field", f"{path} is missing")
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        raise HandRefused("field", f"{path} is not a list of objects")
    return items


def _seats(document: dict[str, Any], notes: list[str]) -> tuple[list[int], int]:
    """The seats as the file counts them, and what is added so that they count from 1."""
    seats = [player.get("seat") for player in _items(document, "players", "players")]
    plain = [seat for seat in seats if type(seat) is int]
    if len(plain) != len(seats) or len(set(plain)) != len(plain):
        raise HandRefused("field", "players do not have a seat of his own each")
    shift = 1 if 0 in plain else 0
    if shift:
        notes.append("the file counts seats from 0; they are numbered from 1 here")
    if not all(1 <= seat + shift <= _SEATS_MAX for seat in plain):
        raise HandRefused("field", f"a seat is none of 1 to {_SEATS_MAX}")
    return plain, shift


def _players(document: dict[str, Any], seats: list[int], shift: int, amounts: _Amounts) -> tuple[Player, ...]:
    found = []
    for number, (item, seat) in enumerate(zip(document["players"], seats, strict=True)):
        ident = item.get("id")
        if type(ident) is not int:
            raise HandRefused("field", f"players[{number}].id is {_shown(ident)}, not a number")
        name, stack = item.get("name"), item.get("starting_stack")
        found.append(
            Player(
                ident,
                seat + shift,
                name if isinstance(name, str) else "",
                None if stack is None else amounts.of(stack, f"players[{number}].starting_stack"),
                item.get("is_sitting_out") is not True,
            )
        )
    if len({player.ident for player in found}) != len(found):
        raise HandRefused("field", "two players have the same id")
    if len(found) < 2:
        raise HandRefused("field", f"players has {len(found)}; a hand has at least two")
    return tuple(sorted(found, key=lambda player: player.seat))


def _rounds(document: dict[str, Any], at: dict[int, int], amounts: _Amounts) -> list[Told]:
    found = []
    for number, item in enumerate(_items(document, "rounds", "rounds")):
        path = f"rounds[{number}]"
        name = item.get("street")
        if not isinstance(name, str) or name not in _ROUNDS:
            raise HandRefused("field", f"{path}.street is {_shown(name)}, no street of hold'em")
        street = STREETS.get(name)
        cards = _cards(item.get("cards"), path)
        if street is not None and cards and len(cards) != _BOARD_CARDS[street]:
            raise HandRefused("card", f"{path} lays {len(cards)} cards on the {street}")
        told = item.get("actions")
        actions = () if told is None else tuple(
            _action(action, f"{path}.actions[{place}]", at, amounts)
            for place, action in enumerate(_items(item, "actions", f"{path}.actions"))
        )  # fmt: skip
        if street is not None and not cards:
            if not actions:
                continue
            cards = (UNKNOWN,) * _BOARD_CARDS[street]
        found.append(Told(street, cards, actions))
    return found


def _action(item: dict[str, Any], path: str, at: dict[int, int], amounts: _Amounts) -> Action:
    what = item.get("action")
    if not isinstance(what, str):
        raise HandRefused("action", f"{path}.action is {_shown(what)}, not a text")
    ident = item.get("player_id")
    if ident is None:
        seat = 0
    elif type(ident) is not int or ident not in at:
        raise HandRefused("player", f"{path} names player {_shown(ident)}, whom the hand does not have")
    else:
        seat = at[ident]
    amount = item.get("amount")
    cards = item.get("cards")
    return Action(
        what,
        seat,
        amounts.of(amount, f"{path}.amount") if amount else 0,
        _cards(cards, path) if cards else (),
        item.get("is_allin") is True,
    )


def _cards(value: Any, path: str) -> tuple[str, ...]:
    """A list of cards; also one text of them, which some programs write."""
    if not value:
        return ()
    cards = re.findall("..?", value) if isinstance(value, str) else value
    if not isinstance(cards, list):
        raise HandRefused("card", f"{path}.cards is {_shown(value)}, not a list of cards")
    for card in cards:
        if not isinstance(card, str) or card not in _CARDS:
            raise HandRefused("card", f"{path}.cards has {_shown(card)}, which is no card")
    return tuple(cards)


def _pots(document: dict[str, Any], at: dict[int, int], amounts: _Amounts) -> tuple[PotTold, ...] | None:
    if not document.get("pots"):
        return None
    found = []
    for number, item in enumerate(_items(document, "pots", "pots")):
        path = f"pots[{number}]"
        wins = []
        for place, win in enumerate(_items(item, "player_wins", f"{path}.player_wins")):
            here = f"{path}.player_wins[{place}]"
            ident = win.get("player_id")
            if type(ident) is not int or ident not in at:
                raise HandRefused("player", f"{here} names player {_shown(ident)}, whom the hand does not have")
            wins.append(
                Win(
                    at[ident],
                    amounts.of(win.get("win_amount"), f"{here}.win_amount"),
                    amounts.of(win.get("cashout_amount"), f"{here}.cashout_amount"),
                    amounts.of(win.get("cashout_fee"), f"{here}.cashout_fee"),
                    amounts.of(win.get("bonus_amount"), f"{here}.bonus_amount"),
                )
            )
        found.append(
            PotTold(
                amounts.of(item.get("amount"), f"{path}.amount"),
                amounts.of(item.get("rake"), f"{path}.rake"),
                amounts.of(item.get("jackpot"), f"{path}.jackpot"),
                tuple(wins),
            )
        )
    return tuple(found)


def _currency(document: dict[str, Any]) -> str:
    """ISO 4217, or XXX: chips of a tournament are no money, and play money has no code."""
    currency = document.get("currency")
    if document.get("tournament") is True or not isinstance(currency, str):
        return CHIPS
    return currency if re.fullmatch("[A-Z]{3}", currency) else CHIPS


def _played_at(document: dict[str, Any], notes: list[str]) -> int | None:
    text = document.get("start_date_utc")
    if text is None or text == "":
        return None
    try:
        at = datetime.fromisoformat(text)
        if at.tzinfo is None:
            at = at.replace(tzinfo=UTC)
        milliseconds = int(at.timestamp()) * 1000 + at.microsecond // 1000
        if not 0 <= milliseconds < 253_370_764_800_000:  # the year 9999
            raise ValueError
    except (ValueError, TypeError, OverflowError):
        notes.append(f"start_date_utc is {_shown(text)}, which is no time; when it was played is not known")
        return None
    return milliseconds
