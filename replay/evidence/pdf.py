"""A report on paper: A4, its own fonts, a banner and a number on every page, the same bytes for the same report."""

from __future__ import annotations

import hashlib
import re
import zlib
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from fpdf import FPDF
from fpdf.enums import MethodReturnValue, TableBordersLayout, TextEmphasis, VAlign, XPos, YPos
from fpdf.fonts import FontFace
from fpdf.output import OutputProducer
from fpdf.syntax import Name, PDFContentStream, PDFObject

from games.picture import WIDTH, Panel, Plan, Span, Style
from replay.evidence.blocks import (
    Block,
    Bullets,
    Drawing,
    Fields,
    Heading,
    Kept,
    Quote,
    Report,
    Table,
    Text,
    Words,
    alarms,
    drawn,
    has_cards,
    plain,
    shown_card,
)
from replay.evidence.letters import FILES, FONTS, MONO, TEXT, printable, row_parts
from replay.evidence.plans import FELT, INK, WHITE, Colour, paint

_RUNS = re.compile(rb"(.)\1{2,127}|(?:(?!(.)\2\2).){1,128}", re.DOTALL)
"""One byte three times or more, or bytes up to the next such run."""

_FAINT: Colour = (90, 97, 108)
_RULE: Colour = (201, 204, 210)
_PALE: Colour = (223, 233, 227)
_TABLE: Colour = (251, 250, 245)
_ALARM: Colour = (122, 20, 32)
_MARKED: Colour = (255, 226, 138)
_STYLES: dict[Style, tuple[str, Colour]] = {
    "": ("", INK), "bold": ("B", INK), "dim": ("", _FAINT), "red": ("B", (179, 18, 29)), "black": ("B", INK),
    "green": ("B", (10, 107, 61)), "gold": ("B", (138, 90, 0)), "good": ("B", (10, 107, 61)),
    "bad": ("B", (179, 18, 29)), "now": ("B", INK),
}  # fmt: skip

_WIDE, _HIGH = 210.0, 297.0
"""A4 in millimetres."""
_ENDLESS = 4000.0
"""A page so high that nothing breaks on it, to measure what belongs together."""
_MARGIN, _TOP, _BOTTOM = 15.0, 21.0, 16.0
_SIZE, _LINE = 9.2, 4.7
"""Points of text, millimetres of a line."""
_LOOSE = 1.4
"""Lines of cards stand so much farther apart."""
_ADVANCE = 0.602
"""Width of a letter of the mono font, in its size."""
_LEADING = 1.164
"""Height of its letters: at this distance drawn lines join from line to line."""


def paper(report: Report) -> bytes:
    """The whole report as PDF."""
    sheet = _Sheet(report)
    sheet.add_page()
    sheet.write_title()
    sheet.write_blocks(report.blocks)
    return bytes(sheet.output(output_producer_class=_Plain))


class _Plain(OutputProducer):
    """Writes what the library always deflates (fonts and their maps) in run lengths: what zlib makes of the same bytes
    depends on the machine, and a pack is the same bytes everywhere."""

    def _add_pdf_obj(self, pdf_obj: PDFObject, trace_label: str | None = None) -> int:
        if isinstance(pdf_obj, PDFContentStream) and pdf_obj.filter == "FlateDecode":
            pdf_obj._contents = run_lengths(zlib.decompress(pdf_obj._contents))
            pdf_obj.filter = Name("RunLengthDecode")
            pdf_obj.length = len(pdf_obj._contents)
        return super()._add_pdf_obj(pdf_obj, trace_label)


def run_lengths(data: bytes) -> bytes:
    """Bytes for PDF's RunLengthDecode: 0 to 127 before so many and one more as they are, 129 to 255 before one that
    stands 257 less so many times, 128 at the end (ISO 32000, 7.4.5)."""
    made = bytearray()
    for match in _RUNS.finditer(data):
        run = match[0]
        if len(run) > 2 and run.count(run[:1]) == len(run):
            made += bytes((257 - len(run),)) + run[:1]
        else:
            made += bytes((len(run) - 1,)) + run
    return bytes(made) + b"\x80"


class _Sheet(FPDF):
    """Paper with the report's banner and foot on every page."""

    def __init__(self, report: Report, high: float = _HIGH, beside: _Sheet | None = None) -> None:
        super().__init__("portrait", "mm", (_WIDE, high))
        self.report = report
        self._trial: _Sheet | None = None
        # Compressed bytes depend on the machine's zlib; the pack is the same bytes everywhere.
        self.set_compression(False)
        self.set_margins(_MARGIN, _TOP, _MARGIN)
        self.set_auto_page_break(True, _BOTTOM)
        if beside is not None:
            self.fonts.update(beside.fonts)  # read once
        else:
            for family, style, name in FILES:
                self.add_font(family, style, FONTS / name)
        self.set_creation_date(datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=report.made_at))
        self.set_title(printable(report.title))
        self.set_subject(printable(report.banner))
        self.set_creator("Recoup")
        self.set_producer("Recoup")
        self.set_lang("en")
        self._plain()

    def file_id(self) -> str:
        """The same for the same report; the library's own holds the time."""
        told = hashlib.sha256(f"{self.report.title}\n{self.report.made_at}".encode()).hexdigest()[:32]
        return f"<{told.upper()}><{told.upper()}>"

    def header(self) -> None:
        """The banner."""
        self.set_fill_color(*_ALARM)
        self.rect(0, 0, self.w, 12, style="F")
        self._font(TEXT, "B", 10, WHITE)
        self.set_xy(_MARGIN, 3.4)
        self.cell(0, 5, printable(self.report.banner))
        self.set_xy(self.l_margin, _TOP)
        self._plain()

    def footer(self) -> None:
        """What the paper is of, and the page's number."""
        self.set_xy(_MARGIN, -11)  # an indented paragraph that goes on overleaf moves the margin
        wide = self.w - 2 * _MARGIN
        foot, size = printable(self.report.foot), 7.5
        self._font(TEXT, "", size, _FAINT)
        while size > 5 and self.get_string_width(foot) > wide - 30:
            size -= 0.25
            self._font(TEXT, "", size, _FAINT)
        self.cell(wide - 26, 4, foot)
        self._font(TEXT, "", 7.5, _FAINT)
        self.cell(26, 4, f"page {self.page_no()} of {{nb}}", align="R")
        self._plain()

    def write_title(self) -> None:
        """Title and subtitle."""
        self._font(TEXT, "B", 20, INK)
        self._flow(self.report.title, 8.5)
        self._font(TEXT, "", 11, _FAINT)
        self._flow(self.report.subtitle, 5.6)
        self.ln(3)
        self._plain()

    def write_blocks(self, blocks: Iterable[Block]) -> None:
        """Block after block."""
        for block in blocks:
            self.write_block(block)

    def write_block(self, block: Block) -> None:
        """One block."""
        match block:
            case Heading():
                self._heading(block)
            case Text(words, mark):
                self._paragraph(words, mark=mark)
            case Bullets(lines):
                for line in lines:
                    self._paragraph((Span("• "), *line), indent=3)
            case Fields(rows):
                self._fields(rows)
            case Quote(text, source):
                self._quote(text, source)
            case Table():
                self._table(block)
            case Drawing():
                self._drawing(block)
            case Kept(blocks):
                self._kept(blocks)

    # -- text

    def _heading(self, heading: Heading) -> None:
        if heading.level == 1 and self.page_no() > 1 and self.get_y() > _TOP + 1:
            self.add_page()
        size, line, before = {1: (15.0, 7.0, 3.0), 2: (11.5, 5.6, 3.6), 3: (9.6, 4.8, 2.6)}[heading.level]
        if self.will_page_break(before + line + 14):  # a heading does not stand alone at the foot of a page
            self.add_page()
        elif self.get_y() > _TOP + 1:
            self.ln(before)
        if heading.level == 1:
            self.set_draw_color(*FELT)
            self.set_line_width(0.9)
            self.line(_MARGIN, self.get_y(), self.w - _MARGIN, self.get_y())
            self.ln(2)
        self._font(TEXT, "B", size, INK)
        if self.h < _ENDLESS:
            self.start_section(printable(heading.text), 0 if heading.level == 1 else 1, strict=False)
        self._flow(heading.text, line)
        self.ln(0.8)
        self._plain()

    def _paragraph(self, words: Words, *, mark: bool = False, indent: float = 0) -> None:
        inset = 4.0 if mark else indent
        top, page = self.get_y(), self.page_no()
        if mark and self.will_page_break(self._height(plain(words), self.epw - inset) + 2):
            self.add_page()
            top, page = self.get_y(), self.page_no()
        self.set_left_margin(_MARGIN + inset)
        self.set_x(_MARGIN + inset)
        for span in words:
            style, colour = _STYLES[span.style]
            self._font(TEXT, style, _SIZE, colour)
            self.write(_LINE, printable(span.text))
        self.ln(_LINE)
        self.set_left_margin(_MARGIN)
        self.set_x(_MARGIN)
        if mark and self.page_no() == page:
            self._bar(top, self.get_y(), _ALARM if alarms(words) else FELT)
        self.ln(0.9)
        self._plain()

    def _quote(self, text: str, source: str) -> None:
        high = self._height(text, self.epw - 5) + _LINE + 2
        if self.will_page_break(high):
            self.add_page()
        self.ln(0.6)
        top, page = self.get_y(), self.page_no()
        self.set_left_margin(_MARGIN + 5)
        self.set_x(_MARGIN + 5)
        self._flow(f"“{text}”", _LINE)
        self._font(TEXT, "", 8, _FAINT)
        self._flow(source, 4.2)
        self.set_left_margin(_MARGIN)
        self.set_x(_MARGIN)
        if self.page_no() == page:
            self._bar(top, self.get_y(), FELT)
        self.ln(1.6)
        self._plain()

    def _bar(self, top: float, bottom: float, colour: Colour) -> None:
        self.set_fill_color(*colour)
        self.rect(_MARGIN, top, 1.4, bottom - top, style="F")

    def _height(self, text: str, width: float) -> float:
        found = self.multi_cell(width, _LINE, printable(text), dry_run=True, output=MethodReturnValue.HEIGHT)
        assert isinstance(found, float | int)
        return float(found)

    def _flow(self, text: str, line: float) -> None:
        self.multi_cell(0, line, printable(text), align="L", new_x=XPos.LMARGIN, new_y=YPos.NEXT)

    # -- tables

    def _fields(self, rows: tuple[tuple[str, Words], ...]) -> None:
        cells = tuple(((Span(name, "dim"),), own) for name, own in rows)
        self._rows((), cells, (26, 74), frozenset(), TableBordersLayout.NONE)

    def _table(self, table: Table) -> None:
        wide = table.wide or tuple(1 for _head in table.heads)
        self._rows(table.heads, table.rows, wide, table.right, TableBordersLayout.HORIZONTAL_LINES)

    def _rows(
        self,
        heads: tuple[str, ...],
        rows: tuple[tuple[Words, ...], ...],
        wide: tuple[int, ...],
        right: frozenset[int],
        borders: TableBordersLayout,
    ) -> None:
        self.set_draw_color(*_RULE)
        self.set_line_width(0.2)
        self.set_fill_color(*WHITE)
        self._font(TEXT, "", 8.4, INK)
        sides = tuple("RIGHT" if at in right else "LEFT" for at in range(len(wide)))
        with self.table(
            col_widths=wide,
            text_align=sides,
            borders_layout=borders,
            line_height=4.3,
            padding=(0.7, 1.2),
            v_align=VAlign.T,
            first_row_as_headings=bool(heads),
            headings_style=FontFace(emphasis="BOLD", color=INK),
        ) as grid:
            if heads:
                grid.row([printable(head) for head in heads])
            for row in (part for whole in rows for part in row_parts(whole, wide)):
                line = grid.row()
                for cell in row:
                    style, colour = _STYLES[next((span.style for span in cell if span.style), "")]
                    emphasis = TextEmphasis.B if style else TextEmphasis.NONE
                    line.cell(printable(plain(cell)), style=FontFace(emphasis=emphasis, color=colour))
        self.ln(1.6)
        self._plain()

    # -- drawings

    def _drawing(self, drawing: Drawing) -> None:
        high = self._drawn_height(drawing)
        if self.h == _ENDLESS:  # only its height is asked for
            self.set_y(self.get_y() + high)
            return
        if self.will_page_break(high) and self.get_y() > _TOP + 1:
            self.add_page()
        self.ln(0.8)
        self._strip(drawing.title, FELT, WHITE, 5.4, 8.6)
        for panel in drawing.picture:
            self._panel(panel)
        self.set_draw_color(*FELT)
        self.line(_MARGIN, self.get_y(), _MARGIN + self.epw, self.get_y())
        self.ln(2)
        self._plain()

    def _drawn_height(self, drawing: Drawing) -> float:
        panels = sum(self._panel_height(panel) for panel in drawing.picture)
        return 0.8 + 5.4 + panels + 2

    def _panel_height(self, panel: Panel) -> float:
        title = 4.6 if panel.title else 0
        if panel.plan is not None:
            return title + panel.plan.high * self._scale(panel.plan)
        return title + 1.6 + len(panel.lines) * self._line_of(panel)

    def _line_of(self, panel: Panel) -> float:
        """Cards have air about them."""
        return self._mono_line * _LOOSE if has_cards(panel) else self._mono_line

    def _scale(self, plan: Plan) -> float:
        """Millimetres of a plan's unit."""
        return self.epw / plan.wide

    @property
    def _mono_size(self) -> float:
        """Points in which `WIDTH` columns fill the paper."""
        return (self.epw - 3) * 72 / 25.4 / (WIDTH + 1) / _ADVANCE

    @property
    def _mono_line(self) -> float:
        return self._mono_size * 25.4 / 72 * _LEADING

    def _strip(self, text: str, fill: Colour, ink: Colour, high: float, size: float) -> None:
        if self.will_page_break(high + self._mono_line):
            self.add_page()
        self.set_fill_color(*fill)
        self._font(TEXT, "B", size, ink)
        self.cell(self.epw, high, f" {printable(text)}", fill=True, new_x=XPos.LMARGIN, new_y=YPos.NEXT)

    def _panel(self, panel: Panel) -> None:
        if panel.title:
            self._strip(panel.title, _PALE, FELT, 4.6, 7.8)
        if panel.plan is not None:
            self._plan(panel.plan)
            return
        high = self._line_of(panel)
        self._ground(0.8)
        for line in drawn(panel):
            if self.will_page_break(high):
                self.add_page()
            self._ground(high, line)
        self._ground(0.8)

    def _plan(self, plan: Plan) -> None:
        """The cloth from above, as wide as the paper."""
        scale = self._scale(plan)
        if self.will_page_break(plan.high * scale):
            self.add_page()
        top = self.get_y()
        paint(self, plan, scale, _MARGIN, top)
        self.set_y(top + plan.high * scale)

    def _ground(self, high: float, line: Words = ()) -> None:
        """A line of a drawing on its ground, framed at the sides."""
        top = self.get_y()
        self.set_fill_color(*_TABLE)
        self.set_draw_color(*FELT)
        self.set_line_width(0.25)
        self.rect(_MARGIN, top, self.epw, high, style="F")
        self.line(_MARGIN, top, _MARGIN, top + high)
        self.line(_MARGIN + self.epw, top, _MARGIN + self.epw, top + high)
        advance = self._mono_size * _ADVANCE * 25.4 / 72
        x = _MARGIN + 1.5
        for span in line:
            # Each span stands in its columns, whatever the widths of the letters before it.
            style, colour = _STYLES[span.style]
            wide = len(span.text) * advance
            upper = top + (high - self._mono_line) / 2
            if span.style == "now":
                self.set_fill_color(*_MARKED)
                self.rect(x, upper, wide, self._mono_line, style="F")
            if shown_card(span):
                style = "" if span.style == "dim" else "B"
                edge = advance * 0.22
                self.set_fill_color(*WHITE)
                self.set_draw_color(*_RULE)
                self.set_line_width(0.2)
                self.rect(
                    x - edge, upper, wide + 2 * edge, self._mono_line, "DF", round_corners=True, corner_radius=0.6
                )
            self._font(MONO, style, self._mono_size, colour)
            if span.text.strip():
                self.text(x, upper + self._mono_line * 0.797, printable(span.text))
            x += wide
        self.set_y(top + high)

    # -- keeping together

    def _kept(self, blocks: tuple[Block, ...]) -> None:
        """Together on this page or on the next; what is longer than a page begins on one."""
        if self.h < _ENDLESS and self.get_y() > _TOP + 1 and self.will_page_break(self._measured(blocks)):
            self.add_page()
        self.write_blocks(blocks)

    def _measured(self, blocks: tuple[Block, ...]) -> float:
        """How high blocks are, by writing them on a page without end."""
        if self._trial is None:
            self._trial = _Sheet(self.report, _ENDLESS, self)
            self._trial.add_page()
        self._trial.set_xy(_MARGIN, _TOP)
        self._trial.write_blocks(blocks)
        return float(self._trial.get_y()) - _TOP

    # -- letters

    def _font(self, family: str, style: str, size: float, colour: Colour) -> None:
        self.set_font(family, style, size)
        self.set_text_color(*colour)

    def _plain(self) -> None:
        self._font(TEXT, "", _SIZE, INK)
