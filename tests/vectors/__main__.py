"""`python -m tests.vectors ROOM FILE [--kind K]`: the vectors of a catalogue, judged by Recoup.

A room's adapter is `tests/vectors/<room>.py`. It holds `KINDS`, the kinds of vectors it can put on a table, and
`run(vector, base) -> list[str]`: what was found other than expected, empty if nothing. A line a vector, and
`N passed, N failed` last. Exit: 0 all passed and none left out; 5 one failed or was left out; 2 asked wrongly.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from tests.vectors.reading import Unreadable, Vector, copy_of, kind_of, read_vectors, unknown_parts


class Adapter(NamedTuple):
    """A room's side of the runner."""

    kinds: frozenset[str]
    run: Callable[[Vector, Vector], list[str]]


def adapter_of(room: str) -> Adapter:
    """The adapter in `tests/vectors/<room>.py`.

    Raises:
        Unreadable: there is none.
    """
    name = f"tests.vectors.{room}"
    try:
        module = importlib.import_module(name)
        return Adapter(frozenset(module.KINDS), module.run)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
    except AttributeError:
        pass  # a module of ours that is no adapter
    known = ", ".join(sorted(path.stem for path in copy_of(room).parent.glob("*.json")))
    raise Unreadable(f"no room `{room}` has vectors; known: {known}")


def problems_of(vector: Vector, base: Vector, adapter: Adapter) -> list[str]:
    """What is wrong with one vector; an adapter that breaks on it has not passed it."""
    problems = unknown_parts(vector)
    if problems:
        return problems
    try:
        return adapter.run(vector, base)
    except KeyError as error:
        return [f"`{error.args[0]}` is missing, or names nothing in the vector"]
    except Exception as error:  # noqa: BLE001  the other vectors still have to run
        return [f"cannot be put on a table: {error} ({type(error).__name__})"]


def run(room: str, path: Path, kind: str | None) -> int:
    """Runs the vectors of a file and prints what came of it; the exit code."""
    adapter = adapter_of(room)
    file = read_vectors(path, room)
    chosen = [vector for vector in file.vectors if kind is None or kind_of(vector) == kind]
    if not chosen:
        kinds = ", ".join(sorted({kind_of(vector) for vector in file.vectors}))
        raise Unreadable(f"{path} has no vector of kind `{kind}`; it has {kinds}")
    passed, failed, left_out = 0, 0, 0
    seen: set[str] = set()
    for vector in chosen:
        name = str(vector.get("id", "(without id)"))
        wrong = ["another vector has this id"] if name in seen else []
        if "id" in vector:
            seen.add(name)
        else:
            wrong = ["`id` is missing"]
        if kind_of(vector) not in adapter.kinds:
            left_out += 1
            print(f"{name} left out: no adapter for kind `{kind_of(vector)}`")
            continue
        problems = [*problems_of(vector, file.base or {}, adapter), *wrong]
        passed, failed = passed + (not problems), failed + bool(problems)
        print(f"{name} failed: {'; '.join(problems)}" if problems else f"{name} passed")
    if left_out:
        print(f"{left_out} left out")
    print(f"{passed} passed, {failed} failed")
    return 5 if failed or left_out else 0


def main(arguments: list[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.vectors", description="Run a catalogue's test vectors.")
    parser.add_argument("room", help="roulette, holdem, …")
    parser.add_argument("file", type=Path, help="a catalogue in Markdown, or a JSON array of vectors")
    parser.add_argument("--kind", help="only vectors of this kind (`round`: those that name none)")
    options = parser.parse_args(arguments)
    try:
        return run(options.room, options.file, options.kind)
    except Unreadable as error:
        print(f"error: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
