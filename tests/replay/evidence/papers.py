"""What is written on the pages of a PDF of ours: uncompressed, its letters by the maps that its fonts carry."""

from __future__ import annotations

import re

_OBJECT = re.compile(rb"(?:^|\n)(\d+) 0 obj\n(.*?)\nendobj", re.DOTALL)
_SHOWN = re.compile(rb"/(F\d+) [\d.]+ Tf|\(((?:[^()\\]|\\.)*)\) ?Tj", re.DOTALL)
_ESCAPED = re.compile(rb"\\(.)", re.DOTALL)


def pages(pdf: bytes) -> list[str]:
    """The text of each page, in the order in which it was written."""
    objects = {int(number): body for number, body in _OBJECT.findall(pdf)}
    fonts = {}
    for body in objects.values():
        for name, number in re.findall(rb"/(F\d+) (\d+) 0 R", body):
            fonts[name] = _letters(objects, int(number))
    found = []
    for body in objects.values():
        if re.search(rb"/Type /Page\b(?!s)", body):
            contents = re.search(rb"/Contents (\d+) 0 R", body)
            assert contents is not None
            found.append(_text(objects[int(contents[1])], fonts))
    return found


def _letters(objects: dict[int, bytes], font: int) -> dict[int, str]:
    to_unicode = re.search(rb"/ToUnicode (\d+) 0 R", objects[font])
    assert to_unicode is not None
    pairs = re.findall(rb"<([0-9A-F]{4})> <([0-9A-F]+)>", objects[int(to_unicode[1])])
    return {int(glyph, 16): bytes.fromhex(letter.decode()).decode("utf-16-be") for glyph, letter in pairs}


def _text(stream: bytes, fonts: dict[bytes, dict[int, str]]) -> str:
    letters: dict[int, str] = {}
    written = []
    for font, shown in _SHOWN.findall(stream):
        if font:
            letters = fonts[font]
            continue
        raw = _ESCAPED.sub(lambda match: {b"r": b"\r", b"n": b"\n"}.get(match[1], match[1]), shown)
        codes = [int.from_bytes(raw[at : at + 2], "big") for at in range(0, len(raw), 2)]
        written.append("".join(letters.get(code, "?") for code in codes))
    return "\n".join(written)
