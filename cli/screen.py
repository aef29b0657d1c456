"""What is written where: data to stdout, everything else to stderr; readable without colour, one JSON object a line."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import IO, Any, NoReturn

import msgspec
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from games.picture import WIDTH as PICTURE_WIDTH
from games.picture import Panel, Picture, Span, Style

WIDTH = 100
"""Columns where no terminal says otherwise."""

PIPE_CLOSED = 141
"""Exit code when the reader of our output has gone (`| head`), as the shell shows it for any program."""

_STYLES: dict[Style, str] = {
    "": "",
    "bold": "bold",
    "dim": "dim",
    "red": "red",
    "black": "bold",
    "green": "green",
    "gold": "yellow",
    "good": "green",
    "bad": "bold red",
    "now": "reverse",
}

_PLAIN_FOR = {
    "\u2212": "-", "–": "-", "—": "-", "─": "-", "\u00a0": " ", "…": "...", "·": ".", "×": "x", "±": "+-", "▲": "^",
    "“": '"', "”": '"', "→": "->", "←": "<-", "▒": "#", "♠": "s", "♥": "h", "♦": "d", "♣": "c", "‖": "|",
}  # fmt: skip
"""What stands for a character where the terminal's encoding has none for it."""

_STEERING = {
    code: f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
    for code in (
        *range(0x20),
        *range(0x7F, 0xA0),
        *range(0x200E, 0x2010),
        *range(0x202A, 0x202F),
        *range(0x2066, 0x206A),
    )
    if code not in (0x09, 0x0A)
}
"""Characters that move a terminal's cursor, change its colours or turn its text round: shown, never sent."""

Words = str | Span | Sequence[Span | str]
_ENCODE = msgspec.json.Encoder(order="deterministic").encode


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """The reader has gone: be silent, and end."""
        leave_quietly()


def leave_quietly() -> NoReturn:
    """Raises:
    SystemExit: with `PIPE_CLOSED`; nothing more can be written, not even by Python as it ends.
    """
    give_up_stdout()
    raise SystemExit(PIPE_CLOSED)


def give_up_stdout() -> None:
    """Whatever of stdout cannot be written any more is thrown away, so that Python does not complain as it ends."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())


_asked: int | None = None


@contextmanager
def as_wide_as(columns: int) -> Iterator[None]:
    """Within it lines are made for so many columns, whatever the terminal: for what is written elsewhere."""
    global _asked
    before, _asked = _asked, columns
    try:
        yield
    finally:
        _asked = before


def width() -> int:
    """Columns to write in: those asked for, those of `COLUMNS`, of the terminal, or 100."""
    if _asked is not None:
        return _asked
    return max(40, shutil.get_terminal_size((WIDTH, 40)).columns)


def console(*, error: bool = False) -> Console:
    """A console on stdout or stderr as they are now; colour as the terminal and `NO_COLOR` allow."""
    stream: IO[str] = sys.stderr if error else sys.stdout
    return _Console(file=stream, width=width(), highlight=False, markup=False, emoji=False, soft_wrap=True)


def spans_of(words: Words) -> list[Span]:
    """A line as spans."""
    parts = [words] if isinstance(words, str | Span) else words
    return [Span(part) if isinstance(part, str) else part for part in parts]


def plain_of(words: Words) -> str:
    """A line without its styles."""
    return "".join(span.text for span in spans_of(words))


def text_of(words: Words) -> Text:
    """A line as rich has it."""
    made = Text()
    for span in spans_of(words):
        made.append(span.text.translate(_STEERING), _STYLES[span.style])
    return made


def number(count: int, noun: str) -> str:
    """`1 record`, `2,000 records`."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}{'es' if noun.endswith('ch') else 's'}"


def in_plain_letters(error: UnicodeError) -> tuple[str, int]:
    """Handler for streams whose encoding lacks a character: an amount keeps its sign and its thousands apart.

    Raises:
        UnicodeError: the same, if it is none of writing.
    """
    if not isinstance(error, UnicodeEncodeError):
        raise error
    missing = error.object[error.start : error.end]
    return "".join(_PLAIN_FOR.get(letter, "?") for letter in missing), error.end


def say(words: Words = "") -> None:
    """A line of data, to stdout."""
    console().print(text_of(words))


def say_all(lines: Iterable[Words]) -> None:
    """Lines of data, to stdout."""
    out = console()
    for words in lines:
        out.print(text_of(words))


def note(words: Words) -> None:
    """A line about what is going on, to stderr."""
    console(error=True).print(text_of(words))


def hint(text: str) -> None:
    """What to do next, to stderr."""
    note([Span("next: ", "dim"), text])


def error(message: str, hint_text: str = "") -> None:
    """An error as the conventions have it, to stderr."""
    lines: list[Words] = [[Span("error: ", "bad"), message]]
    if hint_text:
        lines += ["", [Span("hint: ", "bold"), hint_text]]
    for words in lines:
        note(words)


def put_json(value: Any) -> None:
    """One JSON object on one line, to stdout; structs as their fields, bytes as base64."""
    put_raw(_ENCODE(value) + b"\n")


def put_raw(line: bytes) -> None:
    """Bytes to stdout, as they are."""
    try:
        buffer = getattr(sys.stdout, "buffer", None)
        if buffer is None:
            sys.stdout.write(line.decode())
        else:
            sys.stdout.flush()
            buffer.write(line)
    except BrokenPipeError:
        leave_quietly()


def wrapped(text: str, indent: str = "", first: str | None = None) -> list[str]:
    """A paragraph in lines as wide as the screen, all indented; the first by `first` instead, if given."""
    lead = indent if first is None else first
    made = textwrap.wrap(text, width(), initial_indent=lead, subsequent_indent=indent, break_on_hyphens=False)
    return made or [lead.rstrip()]


def table(
    heads: Sequence[str], rows: Sequence[Sequence[Words]], *, right: Iterable[int] = (), indent: str = "  "
) -> list[Words]:
    """Lines of a table: columns as wide as they must be, the last one wrapped; `right` names columns of numbers."""
    body = [[spans_of(cell) for cell in row] for row in rows]
    grid = [[[Span(head, "dim")] for head in heads], *body]
    numbers = set(right)
    wide = [max(_cells(row[at]) for row in grid) for at in range(len(heads))]
    before_last = len(indent) + sum(wide[:-1]) + 2 * (len(heads) - 1)
    last = max(20, width() - before_last)
    lines: list[Words] = []
    for row in grid:
        parts: list[Span] = [Span(indent)]
        for at, cell in enumerate(row[:-1]):
            pad = Span(" " * (wide[at] - _cells(cell)))
            parts += [pad, *cell, Span("  ")] if at in numbers else [*cell, pad, Span("  ")]
        tail = row[-1]
        if len(heads) - 1 in numbers:
            parts.append(Span(" " * (wide[-1] - _cells(tail))))
        if _cells(tail) <= last:
            lines.append(_trimmed([*parts, *tail]))
            continue
        pieces = textwrap.wrap(plain_of(tail), last, break_on_hyphens=False)
        lines.append([*parts, Span(pieces[0], tail[0].style)])
        lines += [[" " * before_last, Span(piece, tail[0].style)] for piece in pieces[1:]]
    return lines


def _cells(spans: Sequence[Span]) -> int:
    return sum(cell_len(span.text) for span in spans)


def _trimmed(spans: Sequence[Span]) -> list[Span]:
    """Without spaces at its end."""
    parts = list(spans)
    while parts:
        last = parts.pop()
        if kept := last.text.rstrip():
            return [*parts, Span(kept, last.style)]
    return []


def picture_lines(picture: Picture) -> list[Words]:
    """A table's picture: panels under each other, each with its title."""
    lines: list[Words] = []
    for panel in picture:
        lines += _panel(panel)
    return lines


def _panel(panel: Panel) -> list[Words]:
    head = f"── {panel.title} " if panel.title else ""
    rule = head + "─" * max(0, min(width(), PICTURE_WIDTH) - len(head))
    return [Span(rule, "dim"), *panel.lines]
