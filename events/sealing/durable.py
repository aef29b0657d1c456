"""Files that are there whole or not at all: written beside, flushed, renamed, and the folder flushed too."""

from __future__ import annotations

import os
from pathlib import Path

_BESIDE = ".new"


def write_durably(path: Path, data: bytes, *, mode: int = 0o644) -> None:
    """Writes `path`. After a crash at any point it holds the old bytes or the new ones.

    Raises:
        OSError: the folder is gone, full or not ours; what was there before stays.
    """
    beside = path.with_name(f"{path.name}{_BESIDE}")
    # O_EXCL on a fresh name: the rights are those asked for, whatever lay there before.
    beside.unlink(missing_ok=True)
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    try:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(descriptor, rest) :]
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    os.replace(beside, path)  # noqa: PTH105  one call that a test can make fail
    flush_folder(path.parent)


def flush_folder(folder: Path) -> None:
    """Makes new names in a folder outlive a loss of power."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
