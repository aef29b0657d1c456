"""What a report is made of, before it is a page or paper: blocks of styled text. Knows no game and no verdict."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import Struct

from games.picture import Mark, Panel, Picture, Span

Words = tuple[Span, ...]
"""A line or paragraph of styled text."""


def words(*parts: Span | str) -> Words:
    """Styled text; plain strings have no style."""
    return tuple(part if isinstance(part, Span) else Span(part) for part in parts)


def plain(own: Words) -> str:
    """The same without styles."""
    return "".join(span.text for span in own)


def alarms(own: Words) -> bool:
    """Whether it tells of something that is wrong."""
    return any(span.style == "bad" for span in own)


def visible(text: str) -> str:
    """Text in which every character can be seen: what steers, hides or turns text round is told by its number."""
    return "".join(
        letter if letter.isprintable() or letter in "\n\u00a0" else f"[U+{ord(letter):04X}]" for letter in text
    )


_RULE = re.compile(r"\s*\+[-+]+\+\s*")
_CARD = re.compile("((?:10|[2-9AKQJ])[♠♥♦♣]|▒▒)")
_JOINTS = dict(
    zip(
        ((False, True, False, True), (False, True, True, False), (True, False, False, True), (True, False, True, False),
         (True, True, False, True), (True, True, True, False), (False, True, True, True), (True, False, True, True),
         (True, True, True, True), (False, False, True, True)),
        "┌┐└┘├┤┬┴┼─",
        strict=True,
    )
)  # fmt: skip
"""What goes on up, down, left and right of a joint → the line that is drawn there."""


def drawn(panel: Panel) -> tuple[Words, ...]:
    """The lines of a panel as they are drawn: cards apart, red suits red, lines where it is a grid of `+`, `-`, `|`."""
    return tuple(tuple(one for span in line for one in _suited(span)) for line in _ruled(panel))


def _suited(span: Span) -> Iterator[Span]:
    """A span with its cards apart, the red ones red unless it is dimmed or marked as a whole."""
    own = span.style not in ("", "bold", "black")
    for piece in _CARD.split(span.text):
        if piece:
            red = not own and _CARD.fullmatch(piece) is not None and piece[-1] in "♥♦"
            yield Span(piece, "red" if red else span.style)


def shown_card(span: Span) -> bool:
    """Whether a span is a card, which a page draws as one; one that is marked is marked as text is."""
    return span.style != "now" and _CARD.fullmatch(span.text) is not None


def has_cards(panel: Panel) -> bool:
    """Whether cards lie in a panel, which want air between its lines."""
    return any(_CARD.search(plain(line)) for line in panel.lines)


def size_of(mark: Mark) -> int:
    """The size of a mark's letters, in the plan's unit: of a chip so that its figure stays inside."""
    if mark.kind != "chip":
        return mark.high
    return {1: 15, 2: 15, 3: 13, 4: 11}.get(len(mark.text), 8)


def _ruled(panel: Panel) -> tuple[Words, ...]:
    grid = [plain(line) for line in panel.lines]
    if not any(_RULE.fullmatch(row) for row in grid):
        return panel.lines

    def at(row: int, column: int) -> str:
        return grid[row][column] if 0 <= row < len(grid) and 0 <= column < len(grid[row]) else ""

    def line(row: int, column: int) -> str:
        sign = grid[row][column]
        if sign == "|":
            return "│"
        if _RULE.fullmatch(grid[row]) and sign in "+-":
            arms = (at(row - 1, column) in ("|", "+"), at(row + 1, column) in ("|", "+"))
            sides = (at(row, column - 1) in ("-", "+"), at(row, column + 1) in ("-", "+"))
            return _JOINTS.get((*arms, *sides), "─") if sign == "+" else "─"
        return sign

    lines = []
    for row, spans in enumerate(panel.lines):
        column, own = 0, []
        for span in spans:
            own.append(Span("".join(line(row, column + place) for place in range(len(span.text))), span.style))
            column += len(span.text)
        lines.append(tuple(own))
    return tuple(lines)


class Heading(Struct, frozen=True):
    """A heading; level 1 begins a page on paper."""

    text: str
    level: Literal[1, 2, 3] = 2


class Text(Struct, frozen=True):
    """A paragraph. `mark`: what the reader must not miss."""

    words: Words
    mark: bool = False


class Bullets(Struct, frozen=True):
    """Short lines that belong together."""

    lines: tuple[Words, ...]


class Fields(Struct, frozen=True):
    """Names with their values."""

    rows: tuple[tuple[str, Words], ...]


class Quote(Struct, frozen=True):
    """What a rule says, and where it is written."""

    text: str
    source: str


class Table(Struct, frozen=True):
    """Rows under heads. `right`: columns of amounts; `wide`: how wide each column is beside the others."""

    heads: tuple[str, ...]
    rows: tuple[tuple[Words, ...], ...]
    right: frozenset[int] = frozenset()
    wide: tuple[int, ...] = ()


class Drawing(Struct, frozen=True):
    """A table as it stood, drawn; `title` says when."""

    title: str
    picture: Picture


class Kept(Struct, frozen=True):
    """Blocks that stay together on a page where they fit on one."""

    blocks: tuple[Block, ...]


Block = Heading | Text | Bullets | Fields | Quote | Table | Drawing | Kept


class Report(Struct, frozen=True):
    """A whole report. `banner` stands on every page, `foot` too; `made_at`: ms UTC, the paper's date, of the log and
    not of the clock."""

    title: str
    subtitle: str
    banner: str
    foot: str
    made_at: int
    blocks: Sequence[Block]
