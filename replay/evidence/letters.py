"""Letters on paper: the fonts that a report brings along, what they can draw, and how much fits in a cell."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from games.picture import Span, Style
from replay.evidence.blocks import Words, plain, visible

FONTS = Path(__file__).parent / "fonts"
TEXT, MONO = "text", "mono"
FILES = (
    (TEXT, "", "DejaVuSans.ttf"), (TEXT, "B", "DejaVuSans-Bold.ttf"),
    (MONO, "", "DejaVuSansMono.ttf"), (MONO, "B", "DejaVuSansMono-Bold.ttf"),
)  # fmt: skip
_CELL = 3_600
"""Letters of a table cell as wide as the paper that surely fit on a page."""


def row_parts(row: tuple[Words, ...], wide: tuple[int, ...]) -> Iterator[tuple[Words, ...]]:
    """A row in parts that fit on a page: a claim of thousands of letters goes on in the next row."""
    cells = [
        _pieces(cell, max(round(_CELL * share / sum(wide)), 40)) for cell, share in zip(row, wide, strict=True)
    ]  # fmt: skip
    for part in range(max(map(len, cells))):
        yield tuple(own[part] if part < len(own) else () for own in cells)


def _pieces(cell: Words, most: int) -> list[Words]:
    text = plain(cell)
    if len(text) + text.count("\n") * 60 <= most:  # a line of few letters takes a line, too
        return [cell]
    style: Style = next((span.style for span in cell if span.style), "")
    pieces = [
        piece
        for line in text.split("\n")
        for piece in textwrap.wrap(line, most, break_on_hyphens=False, replace_whitespace=False)
    ]
    return [(Span(piece, style),) for piece in pieces]


@cache
def _letters() -> frozenset[int]:
    """What every font here can draw."""
    from fontTools.ttLib import TTFont

    maps = []
    for _family, _style, name in FILES:
        with TTFont(FONTS / name, lazy=True) as font:
            maps.append(frozenset(font.getBestCmap()))
    return frozenset.intersection(*maps)


def printable(text: str) -> str:
    """Text that the fonts can draw; of any other letter its number is told, so that none is lost unseen."""
    return "".join(
        letter if letter == "\n" or ord(letter) in _letters() else f"[U+{ord(letter):04X}]" for letter in visible(text)
    )
