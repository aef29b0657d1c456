"""One ingest daemon an SQLite file: a second one refuses, and says who is there."""

from __future__ import annotations

import fcntl
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from events.errors import StoreBusy


@contextmanager
def only_daemon(path: str) -> Iterator[None]:
    """Holds the daemon's lock beside the file at `path`; for an empty path (PostgreSQL, memory) there is none.

    The lock is the kernel's: it goes with the process, however that ends. The file beside the store stays.

    Raises:
        StoreBusy: another daemon holds it.
    """
    if not path:
        yield
        return
    lock = Path(path + ".ingest")
    with lock.open("a+", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            file.seek(0)
            who = file.read().strip() or "another process"
            raise StoreBusy(
                f"{path} has an ingest daemon already: {who}",
                hint="stop that one first; several daemons at a time need PostgreSQL",
            ) from error
        file.truncate(0)
        file.write(f"process {os.getpid()} ({' '.join(sys.argv)[:200]})\n")
        file.flush()
        yield
