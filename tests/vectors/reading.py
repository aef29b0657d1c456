"""Reads vectors from a catalogue (Markdown with fenced JSON), a bare JSON array, or one of the copies beside this file.

A vector: `{"id", "given", "expect", "rule"}`; its kind is `given.kind`. A *base* is the object that a catalogue prints
beside its arrays: what holds where a vector says nothing else. A bare array has its room's base, from the copy.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, NamedTuple

Vector = dict[str, Any]

HERE = Path(__file__).parent
UNNAMED = "round"
"""The kind of a vector that names none."""

_FENCE = re.compile(r"^```[a-z]*\n(.*?)^```", re.MULTILINE | re.DOTALL)
_PARTS = frozenset({"id", "given", "expect", "rule"})


class Unreadable(Exception):
    """The file holds no vectors in a form that we know."""


class Vectors(NamedTuple):
    """What a file holds; `base` is None where the file prints none."""

    base: Vector | None
    vectors: list[Vector]


def copy_of(room: str) -> Path:
    """Our copy of a room's vectors."""
    return HERE / f"{room}.json"


def read_vectors(path: Path, room: str) -> Vectors:
    """The vectors in `path`, with the base that holds for them.

    Raises:
        Unreadable: no such file, or nothing in it that is a vector.
    """
    own = _read(path)
    if own.base is None and path.resolve() != copy_of(room).resolve() and copy_of(room).exists():
        own = own._replace(base=_read(copy_of(room)).base)
    return own


def kind_of(vector: Vector) -> str:
    """`given.kind`, or `round`."""
    given = vector.get("given")
    return str(given.get("kind", UNNAMED)) if isinstance(given, dict) else UNNAMED


def unknown_parts(vector: Vector) -> list[str]:
    """Problems with the vector's own form."""
    problems = [f"unknown key `{key}`" for key in sorted(set(vector) - _PARTS)]
    problems += [f"`{key}` is not an object" for key in ("given", "expect") if not isinstance(vector.get(key), dict)]
    if vector.get("expect") == {}:
        problems.append("`expect` is empty, so that anything would pass")
    return problems


def merged(base: Any, over: Any) -> Any:
    """`over` laid over `base`: objects deeply, lists and values replaced."""
    if not (isinstance(base, dict) and isinstance(over, dict)):
        return over
    return {**base, **{key: merged(base[key], value) if key in base else value for key, value in over.items()}}


def unknown_keys(where: str, given: Vector, known: frozenset[str]) -> list[str]:
    """A problem for each key of `given` that the adapter does not know: a word not understood is not passed over."""
    return [f"unknown key `{key}` in {where}" for key in sorted(set(given) - known)]


def _read(path: Path) -> Vectors:
    try:
        # With or without the mark that some editors put first.
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise Unreadable(f"{path} cannot be read: {error}") from error
    if text.lstrip()[:1] in ("[", "{"):
        try:
            return _sorted_out([_load(text)], path)
        except ValueError as error:
            raise Unreadable(f"{path} is not JSON: {error}") from error
    blocks = []
    for block in _FENCE.findall(text):
        try:
            blocks.append(_load(block))
        except ValueError:
            # A catalogue also fences tables and formulas; a block that wants to be vectors must not get lost.
            if '"given"' in block:
                raise Unreadable(f"{path} has a block of vectors that is not JSON") from None
    return _sorted_out(blocks, path)


def _sorted_out(blocks: list[Any], path: Path) -> Vectors:
    base: Vector | None = None
    vectors: list[Vector] = []
    for block in blocks:
        if isinstance(block, dict) and set(block) <= {"base", "vectors"}:
            base, vectors = block.get("base"), vectors + block.get("vectors", [])
        elif isinstance(block, dict):
            base = block if base is None else merged(base, block)
        elif isinstance(block, list) and all(isinstance(entry, dict) for entry in block):
            vectors += block
    if not vectors:
        raise Unreadable(f"{path} holds no vectors: expected a JSON array of objects with id, given and expect")
    return Vectors(base, vectors)


def _load(text: str) -> Any:
    return json.loads(text, object_pairs_hook=_once)


def _once(pairs: list[tuple[str, Any]]) -> Vector:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError(f"a key twice among {[key for key, _value in pairs]}")
    return found
