"""A PokerNow log cut into hands: its rows put in their order, and of each hand the piece of the log that tells it.

Logs lie the newest row first, and a row may span lines; what counts is the column `order`. Only the places of the rows
are held, so that a log may be of any size: a gzipped one is unpacked beside, on the disk.

A piece is a log of its own and the whole of what `pokernow_in` reads: the settings in force, the hand, what happened
after it, and the stacks with which the next one begins, against which it is proved.
"""

from __future__ import annotations

import csv
import gzip
import re
import shutil
from array import array
from collections.abc import Iterator
from tempfile import TemporaryFile
from typing import BinaryIO, NamedTuple

from games.hand_histories.pokernow import Said, said
from games.hand_histories.sections import HAND_MAX, Section

HEADER = b"entry,at,order"
OWNER = "-- this log's own player: "
"""An entry of ours in front of a piece: the id of whose cards `Your hand is` tells, where the log gives it away."""

_BOM = b"\xef\xbb\xbf"
_TAIL = re.compile(rb",\s*\"?(\d{1,18})\"?\s*$")
_START, _END, _STACKS = b"-- starting hand #", b"-- ending hand #", b"Player stacks:"
_SETTING = re.compile(rb'^"?The game\'s (small blind|big blind|ante) was changed ')
_OF_OWNER = re.compile(rb'^"?(?:Your hand is|-- starting hand #|.*" shows an? )')
_WINDOW = 2**16
_ROW_LINES = 1000
"""A row of more lines than this has lost its closing quote."""


def fits(head: bytes) -> bool:
    """Whether a file that begins so is such a log."""
    return head.removeprefix(_BOM).lstrip().lower().startswith(HEADER)


def cut(file: BinaryIO) -> Iterator[Section]:
    """The hands of a log in the order of play, one held at a time; `line`: where the hand's first row stands."""
    given: object = file
    if file.seekable() and not isinstance(given, gzip.GzipFile):
        yield from _Rows(file).hands()
        return
    with TemporaryFile() as plain:
        shutil.copyfileobj(file, plain)
        plain.seek(0)
        yield from _Rows(plain).hands()


def entry_of(row: bytes) -> tuple[str, str, str]:
    """A row's entry, time and order; what is not there is empty, and a row that is no CSV is its own entry.

    Raises:
        UnicodeDecodeError: it is no UTF-8.
    """
    text = row.decode("utf-8")
    try:
        found = next(csv.reader([text]), [])
    except csv.Error:
        found = [text]
    entry, at, order = (*found, "", "", "")[:3]
    return entry, at, order


class _Row(NamedTuple):
    line: int
    raw: bytes


class _Rows:
    """The rows of a log, by the order that they name; one that names none stays beside its neighbour."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._starts = array("q")
        self._sizes = array("q")
        self._lines = array("q")
        orders = array("q")
        for line, start, raw in rows_of(file):
            match = _TAIL.search(raw)
            if match is None and not raw.strip():
                continue
            if match is None and raw.removeprefix(_BOM).strip().lower().startswith(HEADER):
                continue
            self._starts.append(start)
            self._sizes.append(len(raw))
            self._lines.append(line)
            orders.append(int(match[1]) if match is not None else orders[-1] if orders else 0)
        places: Iterator[int] = iter(range(len(orders)))
        if len(orders) and orders[0] >= orders[-1]:
            places = reversed(range(len(orders)))  # rows of one instant, too, lie the newest first
        self._places = array("q", sorted(places, key=orders.__getitem__))
        self._orders = orders
        self._window, self._window_at = b"", 0

    def __iter__(self) -> Iterator[_Row]:
        """In order; a row that stands twice (pieces of a log put together) once."""
        recent: list[tuple[int, bytes]] = []
        for place in self._places:
            raw, order = self._read(place), self._orders[place]
            recent = [one for one in recent if one[0] == order]
            if (order, raw.strip()) not in recent:
                recent.append((order, raw.strip()))
                yield _Row(self._lines[place], raw)

    def _read(self, place: int) -> bytes:
        start, size = self._starts[place], self._sizes[place]
        at = start - self._window_at
        if at < 0 or at + size > len(self._window):
            self._window_at = max(start - _WINDOW // 2, 0)  # read forwards or backwards, few reads
            self._file.seek(self._window_at)
            self._window = self._file.read(_WINDOW + size)
            at = start - self._window_at
        row = self._window[at : at + size]
        return row if row.endswith(b"\n") else row + b"\n"  # a file's last row may be any hand's

    def hands(self) -> Iterator[Section]:
        owner = _owner(row.raw for row in self)
        settings: dict[bytes, bytes] = {}
        waiting: _Piece | None = None
        piece: _Piece | None = None
        for row in self:
            told = row.raw.lstrip(b'"')
            if told.startswith(_START):
                if waiting is not None:
                    yield waiting.section()
                waiting, piece = piece, _Piece(row.line, [*owner, *settings.values()], _number(told))
            for one in (waiting, piece):
                if one is not None:
                    one.add(row.raw)
            if waiting is not None and told.startswith((_STACKS, _END)):
                yield waiting.section()
                waiting = None
            setting = _SETTING.match(row.raw)
            if setting is not None:
                settings[setting[1]] = row.raw
        for one in (waiting, piece):
            if one is not None:
                yield one.section()


class _Piece:
    """The rows that one hand's reading rests on, gathered."""

    def __init__(self, line: int, before: list[bytes], name: str) -> None:
        self._line = line
        self._name = name
        self._rows = [HEADER + b"\n", *before]
        self._size = sum(map(len, self._rows))

    def add(self, raw: bytes) -> None:
        self._size += len(raw)
        if self._size <= HAND_MAX:
            self._rows.append(raw)

    def section(self) -> Section:
        return Section(self._name, self._line, b"".join(self._rows), self._size > HAND_MAX)


def rows_of(file: BinaryIO) -> Iterator[tuple[int, int, bytes]]:
    """Rows with the line they begin in, from 1, and their place in the file: lines until the quotes are closed."""
    held: list[bytes] = []
    quotes = start = at = 0
    first = number = 1
    while line := file.readline(HAND_MAX):
        if not held:
            start, first = at, number
        held.append(line)
        at += len(line)
        number += line.endswith(b"\n")
        quotes += line.count(b'"')
        if not quotes % 2 or len(held) > _ROW_LINES:
            yield first, start, b"".join(held)
            held, quotes = [], 0
    if held:
        yield first, start, b"".join(held)


def _number(told: bytes) -> str:
    digits = re.match(rb"\d{1,9}", told.removeprefix(_START))
    return digits[0].decode() if digits is not None else ""


def _owner(rows: Iterator[bytes]) -> list[bytes]:
    """Whose cards `Your hand is` tells: who now and then shows these very cards, and never others."""
    shown: dict[str, int] = {}
    others: set[str] = set()
    own: tuple[str, ...] = ()
    for raw in rows:
        if not _OF_OWNER.match(raw):
            continue
        try:
            told: Said = said(entry_of(raw)[0])
        except UnicodeDecodeError:
            continue
        if told.what == "start":
            own = ()
        elif told.what == "your_hand":
            own = tuple(sorted(told.cards))
        elif told.what == "show" and own:
            if not set(told.cards) <= set(own):
                others.add(told.who)
            elif len(told.cards) == len(own):
                shown[told.who] = shown.get(told.who, 0) + 1
    found = [who for who in shown if who not in others]
    return [f"{OWNER}{found[0]},,\n".encode()] if len(found) == 1 else []
