"""What went wrong, in words and as an exit code. What is not known here is our own mistake and keeps its traceback."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator

from events.errors import RecoupError

FINE = 0
ASKED_WRONGLY = 2
COULD_NOT = 3
SEAL_BROKEN = 4
FOUND_SOMETHING = 5
INTERRUPTED = 130
"""Ctrl-C, as the shell shows it for any program."""

_OS_HINTS = {
    errno.EBADF: "`>/dev/null` throws away what is not wanted, `</dev/null` has nothing to read",
    errno.ENOSPC: "free some space, then run the same command again: nothing is stored twice",
    errno.EDQUOT: "free some space, then run the same command again: nothing is stored twice",
    errno.EACCES: "look at the rights of the file and of its folder",
    errno.EPERM: "look at the rights of the file and of its folder",
    errno.EROFS: "the file system may only be read",
    errno.EISDIR: "name the files in it, as in `FOLDER/*.ndjson`",
    errno.ENOENT: "look at the spelling; a relative name counts from the working folder",
}


class Failure(RecoupError):
    """An error of the surroundings in our words."""


def known(error: BaseException) -> RecoupError | None:
    """The error in words with its exit code; None if nobody but us can be blamed for it."""
    for link in _chain(error):
        if isinstance(link, RecoupError):
            return link
        if isinstance(link, sqlite3.Error) and (said := _of_sqlite(link)) is not None:
            return said
        if type(link).__module__.partition(".")[0] in ("psycopg", "psycopg_pool"):
            told = str(link).strip().partition("\n")[0] or type(link).__name__
            return Failure(f"the database server: {told}", hint="is it up, and may this role do that?")
        if isinstance(link, OSError) and link.errno is not None:
            if link.errno == errno.EBADF and not link.filename:
                return Failure("standard input or output is closed", hint=_OS_HINTS[errno.EBADF])
            where = f"{link.filename}: " if link.filename else ""
            return Failure(f"{where}{(link.strerror or str(link)).lower()}", hint=_OS_HINTS.get(link.errno, ""))
    return None


def _chain(error: BaseException) -> Iterator[BaseException]:
    """The error and those that it says it came from; what merely happened before it is no excuse for it."""
    seen: BaseException | None = error
    while seen is not None:
        yield seen
        seen = seen.__cause__


def _of_sqlite(error: sqlite3.Error) -> RecoupError | None:
    text = str(error)
    if "full" in text:
        return Failure(f"the store cannot be written: {text}", hint=_OS_HINTS[errno.ENOSPC])
    if "locked" in text or "busy" in text:
        return Failure(f"the store is busy: {text}", hint="another process writes; try again when it is done")
    if "readonly" in text:
        return Failure(f"the store cannot be written: {text}", hint=_OS_HINTS[errno.EACCES])
    if "unable to open" in text or "not a database" in text or "malformed" in text or "disk I/O" in text:
        return Failure(f"the store cannot be read: {text}", hint="is this a Recoup store? `--store` names another")
    return None
