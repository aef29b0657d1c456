"""A plan on paper: the cloth from above with its fields and chips."""

from __future__ import annotations

from fpdf import FPDF

from games.picture import Mark, Plan, Style
from replay.evidence.blocks import size_of
from replay.evidence.letters import TEXT, printable

Colour = tuple[int, int, int]
FELT: Colour = (13, 74, 50)
INK: Colour = (22, 24, 29)
WHITE: Colour = (255, 255, 255)
_CHIP: Colour = (244, 239, 224)
_GOLD: Colour = (184, 134, 11)
_WON: Colour = (255, 210, 74)
_LINEN: Colour = (233, 226, 200)
_CLOTH: dict[Style, Colour] = {"red": (163, 18, 29), "black": (23, 24, 27)}
"""Fields of the cloth that are not green."""
_MIDDLE = 0.36
"""So far below the middle of letters their line is, in their size."""


def paint(sheet: FPDF, plan: Plan, scale: float, left: float, top: float) -> None:
    """Draws a plan with its upper left corner there, all in millimetres. `scale`: those of the plan's unit."""
    sheet.set_fill_color(*FELT)
    sheet.rect(left, top, plan.wide * scale, plan.high * scale, style="F")
    for mark in plan.marks:
        _mark(sheet, mark, scale, left + mark.x * scale, top + mark.y * scale)


def _mark(sheet: FPDF, mark: Mark, scale: float, x: float, y: float) -> None:
    wide, high = mark.wide * scale, mark.high * scale
    if mark.kind == "chip":
        sheet.set_fill_color(*_CHIP)
        sheet.set_draw_color(*_GOLD)
        sheet.set_line_width(3 * scale)
        sheet.circle(x, y, wide / 2, style="DF")
    elif mark.kind == "field":
        sheet.set_fill_color(*_CLOTH.get(mark.style, FELT))
        sheet.set_draw_color(*_LINEN)
        sheet.set_line_width(2 * scale)
        sheet.rect(x - wide / 2, y - high / 2, wide, high, style="DF")
    elif mark.kind == "frame":
        sheet.set_draw_color(*_WON)
        sheet.set_line_width(6 * scale)
        sheet.rect(x - wide / 2, y - high / 2, wide, high, style="D")
    if mark.text:
        size = size_of(mark) * scale
        sheet.set_font(TEXT, "B" if mark.style == "bold" or mark.kind == "chip" else "", size * 72 / 25.4)
        sheet.set_text_color(*(INK if mark.kind == "chip" else WHITE))
        text = printable(mark.text)
        sheet.text(x - sheet.get_string_width(text) / 2, y + size * _MIDDLE, text)
