"""Players' names replaced by ids before anything reaches the log (design section 4, "People are opaque ids").

The same name gives the same id, in every file and on every day, so that a repaired file brings the ids that its other
hands have already. Without a key an id hides a name from a reader, but not from one who guesses the name and computes
its id; give a key that is kept elsewhere where that matters.
"""

from __future__ import annotations

import hmac
import re
import tomllib
from collections.abc import Callable, Mapping

_ID_DIGITS = 12
_ID = re.compile(r"p-[0-9a-f]{12}|p[1-9]\d?")
"""An id of ours; or that of somebody whom the file does not name, by his place."""

_WORD_MIN = 3
_TOKEN = re.compile(r"'''.*?'''|\"\"\".*?\"\"\"|'[^'\n]*'|\"(?:\\.|[^\"\\\n])*\"|#[^\n]*", re.DOTALL)


_NEEDS_TOKENS = re.compile(r"[#\\]|'''|\"\"\"")
"""Remarks, escapes and long strings; without them a name is a string where it stands between quotes."""


class Pseudonyms:
    """Names to ids; remembers none of them beyond its own life."""

    def __init__(self, key: bytes = b"") -> None:
        self._key = key or b"recoup/player"
        self._known: dict[str, str] = {}

    def of(self, name: str) -> str:
        """`p-` and twelve hexadecimal digits of HMAC-SHA-256 of the name; what is an id of ours already stays."""
        found = self._known.get(name)
        if found is None:
            if _ID.fullmatch(name):
                return name
            found = f"p-{hmac.digest(self._key, name.encode(), 'sha256').hex()[:_ID_DIGITS]}"
            if len(self._known) > 100_000:
                self._known.clear()
            self._known[name] = found
        return found


def without_names(text: str, ids: Mapping[str, str]) -> str:
    """A TOML text with each name replaced: where a string is the name, and in remarks also by its single words."""
    if not ids:
        return text
    if not _NEEDS_TOKENS.search(text):
        for name, ident in ids.items():
            text = text.replace(f"'{name}'", f"'{ident}'").replace(f'"{name}"', f'"{ident}"')
        return text
    remarks = _remarks(ids) if "#" in text else None

    def replaced(match: re.Match[str]) -> str:
        token = match[0]
        if token[0] == "#":
            return remarks(token) if remarks is not None else token
        known = ids.get(token[1:-1]) if "\\" not in token and token[:3] not in ("'''", '"""') else _by_value(token, ids)
        if known is not None:
            return f"{token[0]}{known}{token[0]}"
        if "#" in token and remarks is not None:
            before, mark, after = token.partition("#")
            return before + mark + remarks(after)
        return token

    return _TOKEN.sub(replaced, text)


def _by_value(token: str, ids: Mapping[str, str]) -> str | None:
    try:
        value = tomllib.loads(f"v = {token}")["v"]
    except tomllib.TOMLDecodeError:
        return None
    return ids.get(value)


def _remarks(ids: Mapping[str, str]) -> Callable[[str], str]:
    """Replaces names, and words of names, in free text."""
    known: dict[str, str] = {}
    for name, replacement in ids.items():
        for word in name.split():
            if len(word) >= _WORD_MIN:
                known.setdefault(word, replacement)
    known.update({name: replacement for name, replacement in ids.items() if name.strip()})
    longest_first = sorted(known, key=len, reverse=True)
    pattern = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)")
    return lambda text: pattern.sub(lambda match: known[match[0]], text) if known else text
