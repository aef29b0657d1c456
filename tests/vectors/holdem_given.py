"""What the `given` of a `settle` vector must be to be put on a table: each thing that cannot be meant, in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from events.values.cards import DECK, UNKNOWN
from games.shared.poker.hand import BOARD_CARDS
from tests.vectors.reading import Vector, unknown_keys

_KNOWN = frozenset({
    "kind", "config", "button", "u", "sb", "bb", "flop_seen", "live", "dead", "folded", "mucked", "hole", "board",
})  # fmt: skip
_SEATS = range(1, 10)
_FULL_BOARD = BOARD_CARDS[-1]


def problems_of(given: Vector) -> list[str]:
    """All that is wrong with it, the form first: amounts and cards of a broken form are not looked at."""
    form = [*unknown_keys("given", given, _KNOWN), *_form(given)]
    return form or [*_seats(given), *_blinds(given), *_cards(given)]


def _form(given: Vector) -> Iterator[str]:
    if not isinstance(given.get("config", {}), dict):
        yield "config: an object of parameters is expected"
    if "button" not in given:
        yield "button: the seat of the button is expected"
    elif not _is_seat(given["button"]):
        yield f"button: a seat from 1 to 9 is expected, found {given['button']!r}"
    for name, least in (("u", 1), ("sb", 0), ("bb", 0)):
        if name in given and not _is_amount(given[name], least):
            yield f"{name}: a whole amount of at least {least} is expected, found {given[name]!r}"
    if not isinstance(given.get("flop_seen", True), bool):
        yield f"flop_seen: true or false is expected, found {given['flop_seen']!r}"
    for name in ("live", "dead"):
        amounts = given.get(name, {})
        if not isinstance(amounts, dict):
            yield f"{name}: amounts by seat are expected, found {amounts!r}"
            continue
        yield from (f"{name}: `{seat}` is no seat from 1 to 9" for seat in amounts if not _is_seat_key(seat))
        yield from (
            f"{name}: a whole amount of at least 0 is expected for seat {seat}, found {amount!r}"
            for seat, amount in amounts.items()
            if not _is_amount(amount, 0)
        )
    for name in ("folded", "mucked"):
        seats = given.get(name, [])
        if not isinstance(seats, list) or not all(_is_seat(seat) for seat in seats):
            yield f"{name}: a list of seats from 1 to 9 is expected, found {seats!r}"
    if not isinstance(given.get("hole", {}), dict) or not all(_is_seat_key(seat) for seat in given.get("hole", {})):
        yield f"hole: cards by seat are expected, found {given['hole']!r}"
    if not isinstance(given.get("board", []), list):
        yield f"board: a list of cards is expected, found {given['board']!r}"


def _seats(given: Vector) -> Iterator[str]:
    live = {int(seat) for seat, amount in given.get("live", {}).items() if amount}
    folded, mucked = set(given.get("folded", ())), set(given.get("mucked", ()))
    if not live:
        yield "live: nobody put anything in"
    elif not live - folded:
        yield "folded: nobody is left who could win anything"
    yield from (f"mucked: seat {seat} put nothing in" for seat in sorted(mucked - live))
    yield from (f"mucked: seat {seat} has folded" for seat in sorted(mucked & folded))


def _blinds(given: Vector) -> Iterator[str]:
    small, big = given.get("sb"), given.get("bb")
    if small is not None and big is not None and big != 2 * small:
        yield f"bb: {2 * small} is expected, twice the small blind, found {big}"


def _cards(given: Vector) -> Iterator[str]:
    board, hole = given.get("board", []), given.get("hole", {})
    left = {int(seat) for seat in given.get("live", {})} - set(given.get("folded", ()))
    showing = sorted(left - set(given.get("mucked", ())))
    if len(board) not in BOARD_CARDS:
        yield f"board: 0, 3, 4 or 5 cards are expected, found {len(board)}"
    if given.get("flop_seen") is False and board:
        yield "flop_seen: false, yet there is a board"
    for seat, cards in hole.items():
        if not isinstance(cards, list) or len(cards) != 2:
            yield f"hole: two cards are expected for seat {seat}, found {cards!r}"
    if len(left) > 1 and len(showing) > 1:
        if len(board) < _FULL_BOARD:
            yield f"board: {len(left)} seats are left, so that five cards are expected, found {len(board)}"
        yield from (f"hole: the two cards of seat {seat} are expected" for seat in showing if str(seat) not in hole)
    known = [card for cards in (board, *hole.values()) if isinstance(cards, list) for card in cards]
    yield from (f"`{card}` is no card: rank and suit are expected, as Td" for card in known if not _is_card(card))


def _is_card(card: Any) -> bool:
    return card in DECK or card == UNKNOWN


def _is_seat(seat: Any) -> bool:
    return _is_amount(seat, 1) and seat in _SEATS


def _is_seat_key(seat: Any) -> bool:
    return isinstance(seat, str) and seat.isascii() and seat.isdigit() and int(seat) in _SEATS


def _is_amount(amount: Any, least: int) -> bool:
    return isinstance(amount, int) and not isinstance(amount, bool) and amount >= least
