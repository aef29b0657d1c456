"""NDJSON in: whole files, broken ones, strange ones; the log behind it is real."""

from __future__ import annotations

import gzip
import io
import os
import subprocess
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from events.ingest import LINE_MAX, IngestReport, ingest_files, read_lines
from events.ingest.ndjson import HEAD_KEPT, NotReadable
from events.store import Log, Oversized, Receipt, verify
from tests.events.store.records import STREAM, record, records
from tests.stores import CATALOGUE


@pytest.fixture
def memory() -> Iterator[Log]:
    with Log.open(":memory:", CATALOGUE) as opened:
        yield opened


def counts(report: IngestReport) -> tuple[int, int, int, int]:
    total = report.total
    assert total.received == total.stored + total.repeats + total.conflicts + total.quarantined
    return total.stored, total.repeats, total.conflicts, total.quarantined


def test_a_file_comes_in_with_its_digest_and_lines(log: Log, tmp_path: Path) -> None:
    path = tmp_path / "day.ndjson"
    path.write_bytes(b"\n".join(records(range(1, 101))) + b"\n")
    report = ingest_files(log, [str(path)])
    assert counts(report) == (100, 0, 0, 0)
    (file,) = report.files
    digest = sha256(path.read_bytes()).hexdigest()
    assert (file.path, file.sha256, file.error, file.is_news) == (str(path), digest, "", True)
    origin, who = log.origin_of(99) or ("", "")
    assert origin == f'{{"kind":"file","name":"{path}","sha256":"{digest}","lines":[1,100]}}'
    assert who == log.account
    assert [row.state for row in log.stream_rows(STREAM)] == records(range(1, 101))


def test_the_same_file_twice_changes_nothing_and_says_so(log: Log, tmp_path: Path) -> None:
    path = tmp_path / "day.ndjson"
    path.write_bytes(b"\n".join([*records(range(1, 50)), b"{half", record(80_000)]))
    ingest_files(log, [str(path)])
    size, root = log.size(), log.root()
    report = ingest_files(log, [str(path)])
    assert counts(report) == (0, 51, 0, 0)
    assert not report.files[0].is_news
    assert (log.size(), log.root()) == (size, root)
    assert log.status().adds_up


def test_half_a_last_line_is_quarantined_and_the_rest_stored(memory: Log, tmp_path: Path) -> None:
    path = tmp_path / "day.ndjson"
    path.write_bytes(b"\n".join(records([1, 2, 3]))[:-20])
    assert counts(ingest_files(memory, [str(path)])) == (2, 0, 0, 1)
    assert memory.quarantine()[0].origin == f"{path}:3"


def test_a_last_line_without_its_end_is_a_line(memory: Log, tmp_path: Path) -> None:
    path = tmp_path / "day.ndjson"
    path.write_bytes(record(1))
    assert counts(ingest_files(memory, [str(path)])) == (1, 0, 0, 0)


def test_lines_are_counted_over_empty_ones_and_both_line_ends(memory: Log, tmp_path: Path) -> None:
    path = tmp_path / "day.ndjson"
    path.write_bytes(b"\r\n\n  \n" + record(1) + b"\r\nbroken\r\n\n" + record(2))
    assert counts(ingest_files(memory, [str(path)])) == (2, 0, 0, 1)
    assert memory.quarantine()[0].origin == f"{path}:5"
    assert memory.stream_rows(STREAM)[0].state == record(1)


def test_a_byte_order_mark_belongs_to_the_file(memory: Log, tmp_path: Path) -> None:
    path = tmp_path / "day.ndjson"
    path.write_bytes(b"\xef\xbb\xbf" + record(1))
    assert counts(ingest_files(memory, [str(path)])) == (1, 0, 0, 0)
    assert memory.stream_rows(STREAM)[0].state == record(1)


def test_another_encoding_is_quarantined_line_by_line(memory: Log, tmp_path: Path) -> None:
    path = tmp_path / "day.ndjson"
    path.write_bytes(b"\n".join(records([1, 2])).decode().encode("utf-16"))
    stored, _repeats, _conflicts, quarantined = counts(ingest_files(memory, [str(path)]))
    assert (stored, quarantined) == (0, 2)


def test_an_empty_file_is_fine_and_a_missing_one_and_a_folder_are_said(memory: Log, tmp_path: Path) -> None:
    empty, good = tmp_path / "empty.ndjson", tmp_path / "good.ndjson"
    empty.write_bytes(b"")
    good.write_bytes(record(1))
    report = ingest_files(memory, [str(empty), str(tmp_path / "none"), str(tmp_path), str(good)])
    assert [bool(file.error) for file in report.files] == [False, True, True, False]
    assert "there is no file" in report.files[1].error
    assert "is a folder" in report.files[2].error
    assert counts(report) == (1, 0, 0, 0)
    assert not report.files[0].is_news


def test_a_gzip_file_is_unpacked_as_it_is_read(memory: Log, tmp_path: Path) -> None:
    path = tmp_path / "day.ndjson.gz"
    path.write_bytes(gzip.compress(b"\n".join(records(range(1, 40)))))
    assert counts(ingest_files(memory, [str(path)])) == (39, 0, 0, 0)


def test_a_gzip_file_that_breaks_off_keeps_what_came_before(memory: Log, tmp_path: Path) -> None:
    lines = [record(n, data={"person": os.urandom(40).hex()}) for n in range(1, 30_001)]
    whole = gzip.compress(b"\n".join(lines), 1)
    path = tmp_path / "day.ndjson.gz"
    path.write_bytes(whole[: len(whole) // 2])
    (file,) = ingest_files(memory, [str(path)]).files
    assert "no whole gzip file" in file.error
    assert file.receipt.stored == memory.size() == 10_000
    path.write_bytes(whole)
    assert counts(ingest_files(memory, [str(path)])) == (20_000, 10_000, 0, 0)


def test_what_is_called_gz_and_is_not_is_said(memory: Log, tmp_path: Path) -> None:
    path = tmp_path / "day.ndjson.gz"
    path.write_bytes(record(1))
    assert "no whole gzip file" in ingest_files(memory, [str(path)]).files[0].error


def test_a_line_too_long_is_quarantined_by_its_digest(memory: Log, tmp_path: Path) -> None:
    long = b'{"x":"' + b"y" * (3 * LINE_MAX) + b'"}'
    path = tmp_path / "day.ndjson"
    path.write_bytes(record(1) + b"\n" + long + b"\n" + record(2) + b"\n" + long)
    assert counts(ingest_files(memory, [str(path)])) == (2, 1, 0, 1)
    (entry,) = memory.quarantine()
    assert (entry.sha256, entry.length, entry.record) == (sha256(long).digest(), len(long), long[:HEAD_KEPT])
    assert (entry.reason, entry.origin) == ("too_long", f"{path}:2")
    assert verify(memory).ok


@given(st.binary(max_size=400), st.integers(1, 30), st.integers(1, 5))
@example(b"\x00\r", 1, 1)
def test_lines_read_in_pieces_are_those_of_the_whole(data: bytes, line_max: int, batch: int) -> None:
    import tempfile

    from events.ingest import ndjson

    chunk, ndjson._CHUNK = ndjson._CHUNK, 7
    try:
        with tempfile.NamedTemporaryFile() as file:
            file.write(data)
            file.flush()
            found = [
                (number, line)
                for part in read_lines(file.name, batch=batch, line_max=line_max)
                for number, line in zip(part.lines, part.records, strict=True)
            ]
    finally:
        ndjson._CHUNK = chunk
    expected: list[tuple[int, bytes | Oversized]] = []
    for number, line in enumerate(data.removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
        if len(line) > line_max + line.endswith(b"\r"):
            kept = line
            expected.append((number, Oversized(kept[:HEAD_KEPT], sha256(kept).digest(), len(kept))))
        elif line.strip():
            expected.append((number, line.removesuffix(b"\r")))
    assert [number for number, _line in found] == [number for number, _line in expected]
    for (_number, have), (_same, want) in zip(found, expected, strict=True):
        if isinstance(want, Oversized):
            assert isinstance(have, Oversized)
            assert abs(have.length - want.length) <= 1  # with or without its carriage return
        else:
            assert have == want


def test_progress_is_told_after_each_batch(memory: Log, tmp_path: Path) -> None:
    path = tmp_path / "day.ndjson"
    path.write_bytes(b"\n".join(records(range(1, 25_001))))
    told: list[tuple[str, int, int, Receipt]] = []
    ingest_files(memory, [str(path)], lambda *what: told.append(what))
    assert [receipt.received for _path, _done, _size, receipt in told] == [10_000, 20_000, 25_000]
    assert told[-1][1] == told[-1][2] == path.stat().st_size
    assert [done for _path, done, _size, _receipt in told] == sorted(done for _path, done, _size, _receipt in told)


def test_standard_input_is_a_file_without_a_name(memory: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    class Stdin:
        buffer = io.BytesIO(b"\n".join([*records([1, 2]), b"junk"]))

    monkeypatch.setattr(sys, "stdin", Stdin)
    assert counts(ingest_files(memory, ["-"])) == (2, 0, 0, 1)
    assert memory.quarantine()[0].origin == "-:3"
    assert (memory.origin_of(0) or ("",))[0] == '{"kind":"stdin","name":"-","lines":[1,3]}'


def test_a_named_pipe_is_read_once(memory: Log, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = subprocess.Popen(["sh", "-c", 'printf "%s\\n" "$0" > "$1"', record(1).decode(), str(pipe)])
    try:
        assert counts(ingest_files(memory, [str(pipe)])) == (1, 0, 0, 0)
    finally:
        writer.wait(10)


def test_a_file_name_that_is_not_utf8_comes_in(log: Log, tmp_path: Path) -> None:
    path = os.fsdecode(os.fsencode(tmp_path) + b"/day-\xff.ndjson")
    Path(path).write_bytes(record(1) + b"\njunk")
    assert counts(ingest_files(log, [path])) == (1, 0, 0, 1)


def test_read_lines_says_what_it_cannot_read(tmp_path: Path) -> None:
    with pytest.raises(NotReadable, match="cannot be read"):
        list(read_lines(str(tmp_path / "none")))


def test_memory_stays_flat_over_a_large_file(tmp_path: Path) -> None:
    """The peak of 40 MB is that of 10 MB, within a tenth; each in a process of its own."""
    peaks = []
    for count in (20_000, 80_000):
        path = tmp_path / f"{count}.ndjson"
        with path.open("wb") as file:
            for number in range(count):
                file.write(
                    record(number // 50 + 1, subject=f"table/brno/T-{number % 50}/1", data={"pad": "x" * 250}) + b"\n"
                )
        code = (
            "import resource, sys; from events.ingest import ingest_files; from events.store import Log; "
            "from tests.stores import CATALOGUE; log = Log.open(sys.argv[2], CATALOGUE, create=True); "
            "report = ingest_files(log, [sys.argv[1]]); assert report.total.stored == int(sys.argv[3]); "
            "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
        )
        done = subprocess.run(
            [sys.executable, "-c", code, str(path), str(tmp_path / f"{count}.db"), str(count)],
            check=True,
            capture_output=True,
            text=True,
        )
        peaks.append(int(done.stdout))
    assert peaks[1] <= 1.25 * peaks[0], peaks
