"""Copies of checkpoints under other control: folders that whoever holds the log cannot rewrite.

<witness>/<origin, / as _>/<size, 16 digits>.checkpoint   a signed note each
<witness>/<origin>/keys                                   the verifier keys, oldest first, a line each
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct

from events.seal import VerifierKey
from events.sealing.durable import flush_folder, write_durably

_SUFFIX = ".checkpoint"
_KEYS = "keys"
NOTE_MAX = 16_384
"""Bytes; a file longer than that is no note of ours."""


class Copy(Struct, frozen=True):
    """A file in a witness folder: the size that its name says, and its text."""

    path: Path
    size: int
    note: str


class Witness:
    """One witness folder, as far as it is about one origin."""

    def __init__(self, folder: str | Path, origin: str) -> None:
        self.shown = str(folder)
        self.root = Path(folder)
        self.folder = self.root / origin.replace("/", "_")

    def logs(self) -> list[str]:
        """Whose copies lie in the folder: the names of origins, with `_` for `/`.

        Raises:
            OSError: it cannot be read.
        """
        return sorted(path.name for path in self.root.iterdir() if any(path.glob(f"*{_SUFFIX}")))

    def is_there(self) -> bool:
        """Whether the folder can be reached; what has been unmounted must not be made anew in its place."""
        return self.root.is_dir()

    def sizes(self) -> set[int]:
        """The sizes of which it holds a copy.

        Raises:
            OSError: it cannot be read.
        """
        return {size for size, _path in self._files()}

    def copies(self) -> Iterator[Copy]:
        """Every copy, smallest size first.

        Raises:
            OSError: it cannot be read.
        """
        for size, path in self._files():
            with path.open("rb") as file:
                yield Copy(path, size, file.read(NOTE_MAX).decode("utf-8", "replace"))

    def newest(self) -> Copy | None:
        """The copy of the largest tree.

        Raises:
            OSError: it cannot be read.
        """
        files = self._files()
        if not files:
            return None
        size, path = files[-1]
        return Copy(path, size, path.read_bytes()[:NOTE_MAX].decode("utf-8", "replace"))

    def put(self, size: int, note: str) -> None:
        """Writes one copy; one that is there stays as it is.

        Raises:
            OSError: it cannot be written.
        """
        self._made()
        path = self.folder / f"{size:016d}{_SUFFIX}"
        if not path.exists():
            write_durably(path, note.encode())

    def put_keys(self, keys: Iterable[VerifierKey]) -> None:
        """Writes the keys, if they are not there yet.

        Raises:
            OSError: it cannot be written.
        """
        lines = "".join(f"{key}\n" for key in keys)
        if self.keys() != lines:
            self._made()
            write_durably(self.folder / _KEYS, lines.encode())

    def keys(self) -> str:
        """The keys that it holds, a line each; empty if none."""
        try:
            return (self.folder / _KEYS).read_text(encoding="utf-8", errors="replace")
        except FileNotFoundError:
            return ""

    def _made(self) -> None:
        if not self.root.is_dir():
            raise FileNotFoundError(2, "no such folder", self.shown)
        if not self.folder.is_dir():
            self.folder.mkdir(exist_ok=True)
            flush_folder(self.root)

    def _files(self) -> list[tuple[int, Path]]:
        if not self.root.is_dir():
            raise FileNotFoundError(2, "no such folder", self.shown)
        found = []
        if self.folder.is_dir():
            for path in self.folder.iterdir():
                stem = path.name.removesuffix(_SUFFIX)
                if stem != path.name and stem.isascii() and stem.isdigit():
                    found.append((int(stem), path))
        return sorted(found)
