"""Files of hand histories into the log, and what became of every hand."""

from __future__ import annotations

import gzip
import hashlib
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from io import BufferedReader
from pathlib import Path
from typing import cast

from msgspec import Struct
from msgspec.structs import replace

from events.errors import Refused
from events.store import Log
from events.store.origin import Origin
from events.values.names import stream_name
from games.hand_histories.draft import HandRefused, Imported, records
from games.hand_histories.formats import SNIFFED, SUFFIXES, Format, UnknownFormat, format_of, is_ours
from games.hand_histories.names import Pseudonyms
from games.hand_histories.sections import HAND_MAX, Section

BATCH = 10_000
"""Records in one transaction, about; a hand is never cut in two."""

BATCH_BYTES = 4 * 2**20
"""A transaction holds no more than about this much of a file's own text, however few its records."""

_CHUNK = 2**20


class ListedHand(Struct, frozen=True):
    """A hand that the report names, and where it stands. `line`: where the mistake is, or where the hand begins.

    `code`: why it was refused (`draft.HandRefused`), or `unproved`: taken over, but its own money does not add up.
    """

    file: str
    section: str
    line: int
    code: str
    reason: str


class FileImport(Struct, frozen=True):
    """One file's hands: `hands = imported + repeats + len(refused)`. `error`: it could not be read (to its end).

    `format`: empty where it is none of ours.
    `unproved`: of those imported, the hands whose file contradicts itself about money.
    """

    file: str
    sha256: str = ""
    imported: int = 0
    repeats: int = 0
    records: int = 0
    refused: tuple[ListedHand, ...] = ()
    unproved: tuple[ListedHand, ...] = ()
    error: str = ""
    format: str = ""

    @property
    def hands(self) -> int:
        """All hands that the file has."""
        return self.imported + self.repeats + len(self.refused)


class ImportReport(Struct, frozen=True):
    """What an import did, file by file."""

    files: tuple[FileImport, ...]

    @property
    def hands(self) -> int:
        """All hands found."""
        return sum(file.hands for file in self.files)

    @property
    def imported(self) -> int:
        """Hands that are new in the log."""
        return sum(file.imported for file in self.files)

    @property
    def repeats(self) -> int:
        """Hands that the log had already, or that stand twice."""
        return sum(file.repeats for file in self.files)

    @property
    def refused(self) -> tuple[ListedHand, ...]:
        """Hands that were not taken over."""
        return tuple(hand for file in self.files for hand in file.refused)

    @property
    def unproved(self) -> tuple[ListedHand, ...]:
        """Hands that were taken over as told although their own money does not add up."""
        return tuple(hand for file in self.files for hand in file.unproved)

    @property
    def errors(self) -> tuple[FileImport, ...]:
        """Files that could not be read."""
        return tuple(file for file in self.files if file.error)


Progress = Callable[[str, int, int, FileImport], None]
"""Called after each batch: path, bytes read of it, its size in bytes, what became of the file so far."""


def import_hands(
    log: Log,
    paths: Sequence[str],
    progress: Progress | None = None,
    *,
    pseudonyms: Pseudonyms | None = None,
    account: str = "",
) -> ImportReport:
    """Reads files of hands (of any format in `formats`, also with `.gz`; a folder: all such in it) into the log.

    Each hand is one session `import/<key>`; a hand that the log has is a repeat, so that a repaired file brings the
    mended hands and no other. A file that cannot be read is reported and does not stop the others. `account`: who
    brings them in, noted beside each batch; empty: the one that opened the log.

    Raises:
        Refused: a folder that holds no such file.
        StoreBusy, Unable: the log cannot be written; the batch under way is not stored, earlier ones are.
    """
    names = pseudonyms or Pseudonyms()
    return ImportReport(tuple(_import_file(log, path, names, progress, account) for path in _files(paths)))


def _files(paths: Sequence[str]) -> Iterator[str]:
    for path in paths:
        if not Path(path).is_dir():
            yield path
            continue
        found = sorted(str(file) for file in Path(path).rglob("*") if file.is_file())
        inside = [file for file in found if is_ours(file, partial(_head, file))]
        if not inside:
            raise Refused(f"the folder {path} holds no file of hands", hint=f"they end in {', '.join(SUFFIXES)}")
        yield from inside


class _Tally:
    """A file's hands as they come, and those that wait for the next transaction."""

    def __init__(self, log: Log, path: str, account: str) -> None:
        self.log = log
        self.path = path
        self.account = account or log.account
        self.digest = self.format = ""
        self.imported = self.repeats = self.written = 0
        self.refused: list[ListedHand] = []
        self.unproved: list[ListedHand] = []
        self._waiting: dict[str, tuple[Imported, Section, str]] = {}
        self._records = self._bytes = 0

    def add(self, section: Section, format_: Format, pseudonyms: Pseudonyms) -> None:
        """One hand: waits to be stored, is known already, or is refused."""
        try:
            if section.cut:
                raise HandRefused("length", f"the hand is longer than {HAND_MAX // 2**20} MiB", line=0)
            found = format_.take(section.raw, pseudonyms)
        except HandRefused as error:
            self.refused.append(self._listed(section, error.code, str(error), error.line))
            return
        if found.key in self._waiting:
            self.repeats += 1
            return
        stream = stream_name(f"import/{found.key}", format_.source)
        self._waiting[found.key] = found._replace(hand=None), replace(section, raw=b""), stream
        self._records += 1 + len(found.draft.events)
        self._bytes += len(section.raw)

    def _listed(self, section: Section, code: str, reason: str, line: int = 0) -> ListedHand:
        return ListedHand(self.path, section.name, section.line + max(line - 1, 0), code, reason)

    @property
    def is_full(self) -> bool:
        """Whether enough waits for one transaction."""
        return self._records >= BATCH or self._bytes >= BATCH_BYTES

    def store(self) -> None:
        """One transaction with all that waits and is not in the log already."""
        waiting, self._waiting = self._waiting, {}
        self._records = self._bytes = 0
        known = self.log.known(stream for _found, _section, stream in waiting.values()) if waiting else ()
        batch: list[bytes] = []
        lines: list[int] = []
        for found, section, stream in waiting.values():
            if stream in known:
                self.repeats += 1
                continue
            if found.draft.unproved:
                self.unproved.append(self._listed(section, "unproved", "; ".join(found.draft.unproved)))
            batch += records(found.key, found.opened, found.draft, found.played_at)
            lines += [section.line] * (len(batch) - len(lines))
            self.imported += 1
        if batch:
            origin = Origin(kind="import", name=self.path, sha256=self.digest, lines=tuple(lines), account=self.account)
            self.written += self.log.accept_imports(batch, origin).stored

    def report(self, error: str = "") -> FileImport:
        """The sums so far."""
        return FileImport(
            self.path, self.digest, self.imported, self.repeats, self.written, tuple(self.refused),
            tuple(self.unproved), error, self.format,
        )  # fmt: skip


def _import_file(log: Log, path: str, pseudonyms: Pseudonyms, progress: Progress | None, account: str) -> FileImport:
    error, size = "", 0
    tally = _Tally(log, path, account)
    try:
        tally.digest, size = _survey(path)
        with _open(path) as (packed, plain):
            format_ = format_of(path, plain.peek(SNIFFED))
            tally.format = format_.name
            for section in format_.cut(plain):
                tally.add(section, format_, pseudonyms)
                if tally.is_full:
                    tally.store()
                    if progress is not None:
                        progress(path, packed.tell(), size, tally.report())
    except (OSError, EOFError, zlib.error) as broken:
        error = f"{path} cannot be read: {_why(broken)}"
    except UnknownFormat as unknown:
        error = str(unknown)
    tally.store()
    report = tally.report(error)
    if not error and not report.hands:
        report = tally.report(f"{path} holds no hand")
    if progress is not None:
        progress(path, size, size, report)
    return report


def _head(path: str) -> bytes:
    """How a file begins, unpacked; nothing if it cannot be read, which the import of it will say."""
    try:
        with _open(path) as (_packed, plain):
            return plain.peek(SNIFFED)
    except (OSError, EOFError, zlib.error):
        return b""


def _survey(path: str) -> tuple[str, int]:
    """SHA-256 and size of a file."""
    digest = hashlib.sha256()
    with Path(path).open("rb") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
        return digest.hexdigest(), file.tell()


@contextmanager
def _open(path: str) -> Iterator[tuple[BufferedReader, BufferedReader]]:
    """The file as it lies there, and unpacked."""
    with Path(path).open("rb") as packed:
        if path.endswith(".gz"):
            with gzip.open(packed) as plain:
                yield packed, cast("BufferedReader", plain)  # it peeks as one does
        else:
            yield packed, packed


def _why(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
