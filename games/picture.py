"""A picture of a table: lines of styled text that a terminal or a page can show, readable without colour."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Style = Literal["", "bold", "dim", "red", "black", "green", "gold", "good", "bad", "now"]


class Span(Struct, frozen=True):
    """Text in one style."""

    text: str
    style: Style = ""


class Mark(Struct, frozen=True):
    """Something on a plan, its middle at `x`, `y`: a `field` of the cloth in the colour of its style, a `chip` with
    what it is worth, the `frame` of what won, or bare `text`."""

    kind: Literal["field", "chip", "frame", "text"]
    x: int
    y: int
    wide: int
    high: int
    text: str = ""
    style: Style = ""


class Plan(Struct, frozen=True):
    """The cloth from above, to scale, for a page: what lies over what, lowest first. The unit is the plan's own."""

    wide: int
    high: int
    marks: tuple[Mark, ...]


class Panel(Struct, frozen=True):
    """A titled block of lines. `plan`: what a page draws in their place; a terminal shows the lines."""

    title: str
    lines: tuple[tuple[Span, ...], ...]
    plan: Plan | None = None


Known = frozenset[str]
"""Cards that somebody has seen."""


class Viewpoint(Struct, frozen=True):
    """What the viewer may see: everything, or what was open on the table, plus one seat's own cards.

    `known`: the cards that lay open to him by the moment of the picture; `games.sight` tells them from the records.
    """

    all_knowing: bool = False
    seat: str | None = None
    known: Known = frozenset()


Picture = tuple[Panel, ...]


def line(*parts: Span | str) -> tuple[Span, ...]:
    """A line of spans; plain strings have no style."""
    return tuple(part if isinstance(part, Span) else Span(part) for part in parts)


WIDTH = 99
"""Columns that a picture may take."""


def fitted(spans: tuple[Span, ...], width: int = WIDTH) -> tuple[Span, ...]:
    """A line cut to so many columns, without spaces at its end."""
    kept: list[Span] = []
    for span in spans:
        if len(span.text) > width:
            last, room = span, width
            if width == 0 and kept:  # the line is full already: its last letter says that there is more
                last = kept.pop()
                room = len(last.text)
            kept.append(Span(last.text[: max(room - 1, 0)] + "…", last.style))
            break
        kept.append(span)
        width -= len(span.text)
    while kept and not kept[-1].text.strip():
        kept.pop()
    if kept:
        kept[-1] = Span(kept[-1].text.rstrip(), kept[-1].style)
    return tuple(kept)
