"""A hand's piece of a PokerNow log: its rows read, its players' names replaced, its money proved by what comes next."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from typing import NamedTuple

from events.values.cards import UNKNOWN
from events.values.clock import parse_time
from events.values.money import MINOR_PER_MAJOR, amount_text
from games.hand_histories.draft import HandRefused
from games.hand_histories.names import Pseudonyms
from games.hand_histories.pokernow import PLAYER, Said, said
from games.hand_histories.pokernow_log import HEADER, OWNER, entry_of, rows_of

_PARTS = re.compile(r"\(\d+\.\d+\)")


class Entry(NamedTuple):
    """A row: what it says, its entry, time and order as they stand there, its bytes."""

    told: Said
    text: str
    time: str
    order: str
    raw: bytes

    @property
    def at(self) -> int | None:
        """Milliseconds since 1970; None if the row does not say."""
        try:
            return parse_time(self.time) if self.time else None
        except ValueError:
            return None


class Piece(NamedTuple):
    """A hand's piece of the log: what stood before it, the hand from its first line to its last, what came after until
    the next one began, and that one's head. `owner`: whose cards `Your hand is` tells, empty if nobody can know."""

    before: list[Entry]
    hand: list[Entry]
    after: list[Entry]
    following: list[Entry]
    owner: str


def piece_of(raw: bytes) -> Piece:
    """A piece of a log as `pokernow_log.cut` makes it.

    Raises:
        HandRefused: no hand begins in it, or the hand does not end.
    """
    before: list[Entry] = []
    hand: list[Entry] = []
    after: list[Entry] = []
    following: list[Entry] = []
    owner, into, is_over = "", before, False
    for entry in _entries(raw):
        if entry.text.startswith(OWNER):
            owner = entry.text.removeprefix(OWNER)
            continue
        if entry.told.what == "start":
            if into is not before and not is_over:
                raise HandRefused("incomplete", "the log begins another hand before this one ends")
            into = hand if into is before else following
        into.append(entry)
        if entry.told.what == "end" and into is hand:
            into, is_over = after, True
    if not hand:
        raise HandRefused("field", "no hand begins here")
    if not is_over:
        raise HandRefused("incomplete", "the log ends before the hand does", hint="export the log again after the hand")
    return Piece(before, hand, after, following, owner)


def _entries(raw: bytes) -> Iterator[Entry]:
    for _line, _start, row in rows_of(BytesIO(raw)):
        try:
            text, at, order = entry_of(row)
        except UnicodeDecodeError as error:
            raise HandRefused("encoding", f"byte {row[error.start]:#04x} is no UTF-8") from error
        if text != "entry":
            yield Entry(said(text), text, at, order, row)


def head_of(hand: Sequence[Entry]) -> Sequence[Entry]:
    """The lines up to the stacks: joins and settings that hold for this hand."""
    at = next((at for at, entry in enumerate(hand) if entry.told.what == "stacks"), 0)
    return hand[: at + 1]


def smallest_chip(hand: Sequence[Entry]) -> int:
    """What the log counts in: a table with parts of a chip writes all stacks with them."""
    in_parts = any(entry.told.amount % MINOR_PER_MAJOR for entry in hand)
    in_parts = in_parts or any(entry.told.seats and _PARTS.search(entry.text) for entry in hand)
    return 1 if in_parts else MINOR_PER_MAJOR


# --- names ---


class Nameless:
    """A piece without names. `ids`: of all who are named in it, by the site's own id, which outlives a name."""

    def __init__(self, piece: Piece, pseudonyms: Pseudonyms) -> None:
        self._piece = piece
        found = {piece.owner: ""} if piece.owner else {}
        for entry in (*piece.hand, *piece.after, *piece.following):
            found.update({who: name for name, who in PLAYER.findall(entry.text)})
            if entry.told.what == "renamed":
                found.update(dict.fromkeys((entry.told.who, entry.told.other), ""))
        self.ids = {who: pseudonyms.of(who) for who in found}
        self._words = {name: self.ids[who] for who, name in found.items() if name.strip()} | self.ids

    def without(self, text: str) -> str:
        """Free text in which names may stand anywhere."""
        longest_first = sorted(self._words, key=len, reverse=True)
        pattern = re.compile("|".join(rf"(?<!\w){re.escape(word)}(?!\w)" for word in longest_first))
        return pattern.sub(lambda match: self._words[match[0]], self._quoted(text)) if longest_first else text

    def _quoted(self, text: str) -> str:
        return PLAYER.sub(lambda match: f'"{self.ids.get(match[2], UNKNOWN)}"', text)

    @property
    def text(self) -> str:
        """The whole piece as a log."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(HEADER.decode().split(","))
        for entry in (*self._piece.before, *self._piece.hand, *self._piece.after, *self._piece.following):
            is_free = entry.told.what in ("unknown", "renamed")
            told = self.without(entry.text) if is_free else self._quoted(entry.text)
            writer.writerow((told, entry.time, entry.order))
        return text.getvalue().strip()


# --- the proof ---


def unproved_after(piece: Piece, left: dict[str, int], seats: Mapping[str, int]) -> Iterator[str]:
    """Where the log says otherwise of the stacks that a hand leaves, by id; lines between are reckoned in."""
    renamed: dict[str, str] = {}
    has = dict(left)
    for entry in (*piece.hand[len(head_of(piece.hand)) :], *piece.after, *piece.following):
        told = entry.told
        who = renamed.get(told.who, told.who)
        if told.what == "renamed":
            renamed[told.other] = who
        elif told.what == "stacks":
            yield from _apart({renamed.get(one, one): stack for _seat, one, stack in told.seats}, has, seats)
        elif who not in has:
            continue
        elif told.what == "bounty_paid":
            other = renamed.get(told.other, told.other)
            has[who] -= told.amount
            has[other] = has.get(other, 0) + told.amount
        elif told.what == "stack" and told.was is not None:
            has[who] += told.amount - told.was
        elif told.what == "stack" and entry not in piece.hand:
            has[who] = told.amount
        elif told.what == "gone" and entry not in piece.hand and told.amount != has[who]:
            yield f"seat {seats[who]} leaves with {amount_text(told.amount)}, this hand leaves {amount_text(has[who])}"


def _apart(now: Mapping[str, int], left: Mapping[str, int], seats: Mapping[str, int]) -> Iterator[str]:
    for who, stack in now.items():
        if who in seats and stack != left[who]:
            yield (
                f"seat {seats[who]} begins the next hand with {amount_text(stack)}, "
                f"this one leaves {amount_text(left[who])}"
            )
