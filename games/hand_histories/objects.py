"""A file of JSON hands cut into hands by its text, before any JSON is read: a mistake in one hand loses that hand only.

One object, several one after another (a blank line between them or not), one a line, or an array of them; a hand begins
where `{"ohh":` stands, or an object that no comma ties to the one before. Streamed: at most one hand is held.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO

from games.hand_histories.sections import HAND_MAX, Section

_CHUNK = 2**18
_MARKED = re.compile(rb'\{\s*"ohh"\s*:')
_ALONE = re.compile(rb"\n\{")
_LOOK_BACK = 64
"""The beginning of a hand may be cut by the end of a chunk."""

_BLANK = b" \t\r\n"
_BOM = b"\xef\xbb\xbf"


def objects(file: BinaryIO) -> Iterator[Section]:
    """The hands in order, named by their number from 1."""
    held = file.read(_CHUNK).removeprefix(_BOM)
    line, number, scanned, cut = 1, 0, 1, False
    while True:
        chunk = file.read(_CHUNK)
        begins = _begins(held, scanned)
        start = 0
        for end in begins:
            number, found = _section(number, line, held[start:end], cut)
            if found is not None:
                yield found
            line += held.count(b"\n", start, end)
            start, cut = end, False
        held = held[start:]
        if not chunk:
            break
        scanned = max(len(held) - _LOOK_BACK, 1)
        if len(held) > HAND_MAX:  # only its beginning is kept, and what its end may share with the next
            line += held.count(b"\n", 0, len(held) - _LOOK_BACK)
            held, scanned, cut = held[-_LOOK_BACK:], 1, True
        held += chunk
    number, found = _section(number, line, held, cut)
    if found is not None:
        yield found


def _begins(held: bytes, scanned: int) -> list[int]:
    """Where hands begin: an object that is marked as one, or stands on its own after another that has ended."""
    begins = {match.start() for match in _MARKED.finditer(held, scanned)}
    for match in _ALONE.finditer(held, scanned - 1):
        before = held[max(match.start() - _LOOK_BACK, 0) : match.start()]
        if before.rstrip(_BLANK).endswith(b"}"):
            begins.add(match.start() + 1)
    return sorted(begins)


def _section(number: int, line: int, text: bytes, cut: bool) -> tuple[int, Section | None]:
    """A hand's own text without what ties it to the others; None if nothing is there."""
    bare = text.lstrip(_BLANK + b"[,")
    line += text.count(b"\n", 0, len(text) - len(bare))
    bare = bare.rstrip(_BLANK)
    if bare.endswith((b",", b"]")):
        bare = bare.rstrip(_BLANK + b",]")
    if not bare and not cut:
        return number, None
    return number + 1, Section(str(number + 1), line, bare, cut)
