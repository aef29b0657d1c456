"""NDJSON into the log: one record a line, streamed in batches; memory does not grow with the file.

A line's bytes go to the log as they are, without their line end. Empty lines are no records. A byte-order mark at the
very beginning is the file's, not the record's.
"""

from __future__ import annotations

import gzip
import os
import sys
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import file_digest, sha256
from pathlib import Path
from typing import IO, cast

from msgspec import Struct

from events.errors import Unable
from events.store import Log, Origin, Oversized, Receipt, total_of

BATCH = 10_000
BATCH_BYTES = 8 << 20
"""A batch ends early when its lines are long: that many bytes at the most, and one line more."""

LINE_MAX = 1 << 20
"""A longer line is quarantined; of its bytes the beginning is kept."""

HEAD_KEPT = 1 << 12
_CHUNK = 1 << 18
_BOM = b"\xef\xbb\xbf"
STDIN = "-"

Record = bytes | Oversized


class Batch(Struct, frozen=True):
    """Lines of one source, with their numbers from 1. `offset`: bytes read so far, of the file as it lies on disk."""

    records: list[Record]
    lines: Sequence[int]
    offset: int


class FileReport(Struct, frozen=True, kw_only=True):
    """What became of one file. `error`: it could not be read to its end, and why; what came before is stored."""

    path: str
    sha256: str = ""
    receipt: Receipt
    error: str = ""

    @property
    def is_news(self) -> bool:
        """Whether the log holds anything that it did not hold before."""
        return self.receipt.stored + self.receipt.conflicts + self.receipt.quarantined > 0


class IngestReport(Struct, frozen=True):
    """All files of one run."""

    files: tuple[FileReport, ...]

    @property
    def total(self) -> Receipt:
        """The files' receipts, added."""
        return total_of([file.receipt for file in self.files])


class NotReadable(Unable):
    """The source of bytes, not the log, is at fault."""


Progress = Callable[[str, int, int, Receipt], None]
"""Called after each batch: path, bytes read of it, its size in bytes (0: unknown), what became of the file so far."""


def ingest_files(log: Log, paths: Sequence[str], progress: Progress | None = None) -> IngestReport:
    """Reads files (`-`: standard input; `.gz`: unpacked) into the log, one after another.

    A file that is missing, a folder, or broken in its middle is reported and does not stop the others.

    Raises:
        StoreBusy, Unable: the log cannot be written; the batch under way is not stored, earlier ones are.
    """
    return IngestReport(tuple(_ingest_file(log, path, progress) for path in paths))


def _ingest_file(log: Log, path: str, progress: Progress | None) -> FileReport:
    found: list[Receipt] = []
    offsets: list[int] = []
    digest, error = "", ""
    try:
        digest, size = _survey(path)
        for receipt in log.accept_all(_with_origin(log, path, digest, offsets)):
            found = [total_of([*found, receipt])]
            if progress is not None:
                progress(path, offsets.pop(0), size, found[0])
    except NotReadable as broken:
        error = str(broken)
    return FileReport(path=path, sha256=digest, receipt=total_of(found), error=error)


def _with_origin(log: Log, path: str, digest: str, offsets: list[int]) -> Iterator[tuple[list[Record], Origin]]:
    """The file's batches, each with where it came from; notes how far it has read."""
    for batch in read_lines(path):
        offsets.append(batch.offset)
        yield (
            batch.records,
            Origin(
                kind="stdin" if path == STDIN else "file",
                name=os.fsencode(path).decode(errors="backslashreplace"),
                sha256=digest,
                lines=batch.lines,
                account=log.account,
            ),
        )


def _survey(path: str) -> tuple[str, int]:
    """SHA-256 and size of a file; of standard input neither can be known before it ends."""
    if path == STDIN:
        return "", 0
    with _reading(path):
        file = Path(path)
        if file.is_dir():
            raise NotReadable(f"{path} is a folder; name the files in it")
        if not file.is_file():
            # A pipe can be read once only.
            return ("", 0) if file.exists() else _missing(path)
        with file.open("rb") as opened:
            return file_digest(opened, "sha256").hexdigest(), file.stat().st_size


def _missing(path: str) -> tuple[str, int]:
    raise NotReadable(f"there is no file {path}")


@contextmanager
def _reading(path: str) -> Iterator[None]:
    """Errors of the source told apart from errors of the log."""
    try:
        yield
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise NotReadable(f"{path} is no whole gzip file: {error}") from error
    except OSError as error:
        raise NotReadable(f"{path} cannot be read: {error.strerror or error}") from error


def read_lines(path: str, *, batch: int = BATCH, line_max: int = LINE_MAX) -> Iterator[Batch]:
    """Batches of a file's lines, in order. `-` is standard input; `.gz` is unpacked as it is read.

    Raises:
        NotReadable: no such file, a folder, a broken archive; batches before the broken place have been given.
    """
    if path == STDIN:
        yield from _batches(path, sys.stdin.buffer, sys.stdin.buffer, batch, line_max)
        return
    with _reading(path), Path(path).open("rb") as raw:
        opened = cast("IO[bytes]", gzip.GzipFile(fileobj=raw)) if path.endswith(".gz") else raw
        yield from _batches(path, opened, raw, batch, line_max)


def _batches(path: str, opened: IO[bytes], raw: IO[bytes], batch: int, line_max: int) -> Iterator[Batch]:
    records: list[Record] = []
    lines: list[int] = []
    held = 0
    for number, line in enumerate(_lines(path, opened, line_max), 1):
        if type(line) is bytes:
            if not line.strip():
                continue
            held += len(line)
        else:
            held += HEAD_KEPT
        records.append(line)
        lines.append(number)
        if len(records) >= batch or held >= BATCH_BYTES:
            yield Batch(records, lines, _told(raw))
            records, lines, held = [], [], 0
    if records:
        yield Batch(records, lines, _told(raw))


def _told(raw: IO[bytes]) -> int:
    try:
        return raw.tell()
    except OSError:
        return 0


def _lines(path: str, opened: IO[bytes], line_max: int) -> Iterator[Record]:
    """Lines without their ends; one that is too long as its digest and beginning."""
    rest = b""
    first = True
    while True:
        with _reading(path):
            chunk = opened.read(_CHUNK)
        if not chunk:
            break
        if first:
            chunk = chunk.removeprefix(_BOM)
            first = False
        pieces = (rest + chunk).split(b"\n") if rest else chunk.split(b"\n")
        rest = pieces.pop()
        for piece in pieces:
            yield _line(piece, line_max)
        if len(rest) > line_max + rest.endswith(b"\r"):  # a carriage return may yet prove to be the line's end
            long, rest = _swallow(path, opened, rest)
            yield long
    if rest:
        yield _line(rest, line_max)


def _line(piece: bytes, line_max: int) -> Record:
    if piece.endswith(b"\r"):
        piece = piece[:-1]
    if len(piece) > line_max:
        return Oversized(piece[:HEAD_KEPT], sha256(piece).digest(), len(piece))
    return piece


def _swallow(path: str, opened: IO[bytes], begun: bytes) -> tuple[Oversized, bytes]:
    """Reads on to the end of a line too long to hold; gives it, and what of the next line was read."""
    hashed, length, head = sha256(begun), len(begun), begun[:HEAD_KEPT]
    while True:
        with _reading(path):
            chunk = opened.read(_CHUNK)
        piece, end, rest = chunk.partition(b"\n")
        hashed.update(piece)
        length += len(piece)
        if end or not chunk:
            return Oversized(head, hashed.digest(), length), rest
