"""A `.phhs` file cut into hands by its text, before any TOML is read: a mistake in one hand loses that hand only.

Streamed: at most one hand is held, however large the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import BinaryIO

from msgspec import Struct

HAND_MAX = 4 * 2**20
"""Bytes; what goes on longer without a new section is no hand."""

_HEADER = re.compile(rb"\s*\[\s*((?:[\w-]+|\"[^\"\n]*\"|'[^'\n]*')(?:\s*\.\s*[\w-]+)*)\s*\]\s*(?:#.*)?$")


class Section(Struct, frozen=True, gc=False):
    """One hand's own bytes. `name` as in `[name]`, empty for a file that is one hand; `line`: where its text begins,
    from 1. `cut`: it was longer than a hand can be and only its beginning is here."""

    name: str
    line: int
    raw: bytes
    cut: bool = False


def lines_of(file: BinaryIO, limit: int = HAND_MAX) -> Iterator[bytes]:
    """Lines, none held beyond `limit` bytes (a longer one comes in pieces)."""
    while line := file.readline(limit):
        yield line


def sections(lines: Iterable[bytes]) -> Iterator[Section]:
    """The hands in order. What stands before the first header is a hand of its own if it says anything.

    A header inside a hand's own table (`[7.notes]` in `[7]`) belongs to that hand.
    """
    name, start = "", 1
    held: list[bytes] = []
    size, cut = 0, False
    for number, line in enumerate(lines, 1):
        header = _HEADER.match(line) if line.lstrip().startswith(b"[") else None
        if header is not None:
            found = header[1].decode("utf-8", "replace").strip("\"'")
            if not (name and found.startswith(f"{name}.")):
                if name or _says_anything(held):
                    yield Section(name, start, b"".join(held), cut)
                name, start, held, size, cut = found, number + 1, [], 0, False
                continue
        size += len(line)
        if size > HAND_MAX:
            cut = True
        else:
            held.append(line)
    if name or _says_anything(held):
        yield Section(name, start, b"".join(held), cut)


def _says_anything(held: list[bytes]) -> bool:
    return any(line.strip() and not line.lstrip().startswith(b"#") for line in held)
