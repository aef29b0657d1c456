"""Backups: whatever database the log is in, its backup is a log of its own in one SQLite file.

An SQLite file is copied page by page by SQLite's online backup, while others write. A log on PostgreSQL is copied row
by row (`copying.py`), and so is what came since into a backup that is there already. Not `pg_dump`: its archive takes a
client of the server's version and a server to be looked into, and nothing of it is checked before it is restored. This
file is verified as it is written, can be judged and replayed as it lies there, and goes back into either database.
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from msgspec import Struct

from events.errors import Refused, SealBroken, StoreBusy, StoreMissing, Unable
from events.store.copying import Progress, copy_log
from events.store.log import Log
from events.store.sqlite import store_error
from events.store.verify import verify

_PAGES = 4096
"""Pages of one step; others write in between, and the bar moves."""


class BackupReport(Struct, frozen=True, kw_only=True):
    """What was backed up or restored: rows before and after, root in hexadecimal, entries in quarantine, and how many
    Kafka positions. `verified`: every row was hashed again in the new store."""

    path: str
    before: int
    size: int
    root: str
    quarantined: int
    offsets: int
    verified: bool


def backup(log: Log, path: Path, progress: Progress | None = None, *, check: bool = True) -> BackupReport:
    """The log into `path`: made, or carried on if it is an earlier backup of this log.

    Raises:
        Refused: the file is another log, or the log itself.
        SealBroken: log or backup is not as it was sealed.
        StoreBusy, Unable: one of them cannot be read or written; a new file is not left half made.
    """
    if log.address.path and path.exists() and path.samefile(log.address.path):
        raise Refused(f"{path} is the log itself", hint="name another file")
    if not path.parent.is_dir():
        raise Unable(f"folder {path.parent} does not exist", hint="make it first")
    if path.exists():
        with Log.open(str(path), log.catalogue) as target:
            before = target.size()
            copy_log(log, target, progress)
        report = _report(path, log, before, str(path), check=check)
    else:
        with _in_the_making(path) as part:
            if log.address.path:
                _copy_pages(Path(log.address.path), part, progress)
            else:
                with Log.open(str(part), log.catalogue, create=True) as target:
                    copy_log(log, target, progress)
            report = _report(path, log, 0, str(part), check=check)
    _settle(path)
    return report


def restore(path: Path, url: str, log: Log, progress: Progress | None = None, *, check: bool = True) -> BackupReport:
    """The backup that is open as `log`, from `path`, into the store at `url`: made if it is a file, else there and
    empty, or a beginning of the backup.

    Raises:
        Refused, SealBroken, StoreBusy, Unable: as `backup`.
    """
    try:
        target = Log.open(url, log.catalogue)
    except StoreMissing as error:
        target_path = _missing_path(url, error)
        if target_path.exists():
            raise
        with _in_the_making(target_path) as part:
            _copy_pages(path, part, progress)
        before = 0
    else:
        with target:
            before = target.size()
            copy_log(log, target, progress)
    report = _report(path, log, before, url, check=check)
    if report.root != log.root().hex():
        raise SealBroken(
            f"the roots differ: {log.root().hex()} in {path}, {report.root} in what was restored",
            hint="did somebody write into the store meanwhile? restore into an empty one",
        )
    return report


def _missing_path(url: str, error: StoreMissing) -> Path:
    from events.store.address import parse_address

    address = parse_address(url)
    if not address.path:
        raise StoreMissing(str(error), hint="`recoup store init` makes an empty store with its roles") from error
    return Path(address.path)


def _report(path: Path, source: Log, before: int, url: str, *, check: bool) -> BackupReport:
    """What lies at `url` now.

    Raises:
        SealBroken: it is not as it was sealed.
    """
    with Log.open(url, source.catalogue) as made:
        if check:
            report = verify(made)
            if not report.ok:
                raise SealBroken(
                    f"{made.address.shown} is not as it was sealed, first at {report.problems[0].where}: "
                    f"{report.problems[0].text}",
                    hint="`recoup verify` on both stores names every place; use another backup",
                )
        status = made.status()
        return BackupReport(
            path=str(path), before=before, size=made.size(), root=made.root().hex(),
            quarantined=status.open + status.released + status.discarded, offsets=len(made.offsets()), verified=check,
        )  # fmt: skip


def _copy_pages(source: Path, target: Path, progress: Progress | None) -> None:
    """SQLite's online backup. The read transaction keeps it to one moment of the log, or each write by others would
    make it begin again."""

    def step(_status: int, left: int, total: int) -> None:
        if progress is not None:
            progress(total - left, total)

    try:
        with (
            closing(sqlite3.connect(source.absolute().as_uri() + "?mode=ro", uri=True, isolation_level=None)) as one,
            closing(sqlite3.connect(target)) as other,
        ):
            one.execute("BEGIN")
            one.execute("SELECT count(*) FROM recoup_store").fetchone()
            one.backup(other, pages=_PAGES, progress=step)
            one.rollback()
    except sqlite3.Error as error:
        raise store_error(str(target), error) from error


@contextmanager
def _in_the_making(path: Path) -> Iterator[Path]:
    """The file under another name, until it is whole and on the disk; if it does not come to that, nothing is left.

    Raises:
        StoreBusy: another process is making it.
    """
    part = path.with_name(path.name + ".part")
    # Held open to the end: closing any descriptor of a file drops this process's own locks on it, SQLite's too.
    held = os.open(part, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise StoreBusy(f"{path} is being made by another process", hint="wait for it to end") from error
        try:
            os.ftruncate(held, 0)  # what a process that was killed has left
            _remove_beside(part)
            yield part
            _settle(part)
            os.fsync(held)
            part.rename(path)
            _sync_folder(path.parent)
        except BaseException:
            part.unlink(missing_ok=True)
            raise
        finally:
            _remove_beside(part)
    finally:
        os.close(held)


def _settle(path: Path) -> None:
    """All of it in the one file, so that it may be copied, moved, or kept where nothing can be written."""
    try:
        with closing(sqlite3.connect(path, isolation_level=None)) as db:
            db.execute("PRAGMA journal_mode=DELETE").fetchone()
    except sqlite3.Error as error:
        raise store_error(str(path), error) from error


def _sync_folder(folder: Path) -> None:
    """The new name outlives a power cut."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _remove_beside(path: Path) -> None:
    for end in ("-wal", "-shm", "-journal"):
        path.with_name(path.name + end).unlink(missing_ok=True)
