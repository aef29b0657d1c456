"""The formats that hands come in: how a file is told, cut and read. A new format is one more entry here."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import BinaryIO

from msgspec import Struct

from events.errors import Refused
from games.hand_histories import ohh, ohh_in, phh, phh_in, pokernow_in, pokernow_log
from games.hand_histories.draft import Imported, source_of
from games.hand_histories.names import Pseudonyms
from games.hand_histories.objects import objects
from games.hand_histories.sections import Section, lines_of, sections


class UnknownFormat(Refused):
    """A file that is none of ours."""


SNIFFED = 4096
"""Bytes of a file's beginning by which its format is told."""


class Format(Struct, frozen=True):
    """One format. `cut` gives a file's hands one by one and holds at most one of them; `take` reads one (raising
    `HandRefused`); `fits` knows the format by the beginning of a file, unpacked. `shared`: suffixes that other files
    have too, so that in a folder the beginning decides."""

    name: str
    reader: int
    suffixes: tuple[str, ...]
    cut: Callable[[BinaryIO], Iterator[Section]]
    take: Callable[[bytes, Pseudonyms], Imported]
    fits: Callable[[bytes], bool]
    shared: tuple[str, ...] = ()

    @property
    def source(self) -> str:
        """The source that its hands speak through."""
        return source_of(self.name, self.reader)


def _is_ohh(head: bytes) -> bool:
    return _MARKED.match(head) is not None


_MARKED = re.compile(rb'(?:\xef\xbb\xbf)?\s*(?:\[\s*)?\{\s*"ohh"\s*:')


def _is_toml(head: bytes) -> bool:
    return any(line.lstrip().startswith((b"[", b"variant")) for line in head.splitlines())


FORMATS = (
    Format("ohh", ohh.READER, (".ohh", ".json"), objects, ohh_in.take, _is_ohh, (".json",)),
    Format("phh", phh.READER, (".phh", ".phhs"), lambda file: sections(lines_of(file)), phh_in.take, _is_toml),
    Format("pokernow", pokernow_in.READER, (".csv",), pokernow_log.cut, pokernow_in.take, pokernow_log.fits, (".csv",)),
)

SUFFIXES = tuple(suffix for one in FORMATS for suffix in one.suffixes)


def format_of(path: str, head: bytes) -> Format:
    """The format of a file by its name (`.gz` aside), else by how it begins.

    Raises:
        UnknownFormat: it is none of ours.
    """
    name = path.lower().removesuffix(".gz")
    for one in FORMATS:
        if name.endswith(one.suffixes):
            return one
    for one in FORMATS:
        if one.fits(head):
            return one
    raise UnknownFormat(
        f"{path} is no hand history that is read here", hint=f"files of hands end in {', '.join(SUFFIXES)}"
    )


def is_ours(name: str, head: Callable[[], bytes]) -> bool:
    """Whether a file in a folder is one of hands: by its name, and by its beginning where others are called so too."""
    plain = name.lower().removesuffix(".gz")
    for one in FORMATS:
        if plain.endswith(one.suffixes):
            return one.fits(head()) if one.shared and plain.endswith(one.shared) else True
    return False
