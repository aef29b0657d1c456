"""File systems that are full soon."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def disk(megabytes: int) -> Iterator[Path]:
    """A file system of so many MB; only root may make one, elsewhere the test is skipped."""
    folder = Path(tempfile.mkdtemp(prefix="recoup-disk-"))
    words = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=777", "recoup-test", str(folder)]
    try:
        made = subprocess.run(words, capture_output=True, check=False)
    except FileNotFoundError:
        pytest.skip("no disk can be made to be full: there is no mount")
    if made.returncode:
        folder.rmdir()
        pytest.skip("no disk can be made to be full: only root may mount one")
    folder.chmod(0o777)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)
        folder.rmdir()


def enlarge(folder: Path) -> None:
    """Room again."""
    subprocess.run(["mount", "-o", "remount,size=200m", str(folder)], check=True)
