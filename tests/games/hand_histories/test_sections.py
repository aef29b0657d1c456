from __future__ import annotations

import io
import tracemalloc

import pytest

from games.hand_histories.sections import HAND_MAX, lines_of, sections


def cut(text: str) -> list[tuple[str, int, str]]:
    return [(one.name, one.line, one.raw.decode()) for one in sections(lines_of(io.BytesIO(text.encode())))]


def test_a_file_is_cut_at_its_headers() -> None:
    assert cut("[1]\na = 1\n\n[2]\na = 2\n") == [("1", 2, "a = 1\n\n"), ("2", 5, "a = 2\n")]


def test_a_file_without_a_header_is_one_hand() -> None:
    assert cut("# a remark\na = 1\n") == [("", 1, "# a remark\na = 1\n")]


def test_remarks_before_the_first_header_are_no_hand() -> None:
    assert [name for name, _line, _text in cut("# written by hand\n\n[1]\na = 1\n")] == ["1"]


@pytest.mark.parametrize("header", ["[1]", " [ 1 ] ", "[1] # the first", "['1']", '["1"]', "[1]\r"])
def test_headers_are_found_however_they_are_written(header: str) -> None:
    assert [name for name, _line, _text in cut(f"{header}\na = 1\n")] == ["1"]


@pytest.mark.parametrize("line", ["antes = [1]", "[0, 0],", "[", "]", "'[1]'"])
def test_brackets_inside_a_hand_cut_nothing(line: str) -> None:
    assert [name for name, _line, _text in cut(f"[1]\n{line}\n")] == ["1"]


def test_a_table_of_a_hand_s_own_belongs_to_it() -> None:
    assert cut("[1]\na = 1\n[1.notes]\nb = 2\n[2]\n") == [("1", 2, "a = 1\n[1.notes]\nb = 2\n"), ("2", 6, "")]


def test_an_unclosed_bracket_ends_with_its_hand() -> None:
    assert [name for name, _line, _text in cut("[1]\na = [1, 2\n[2]\na = 3\n")] == ["1", "2"]


def test_what_has_no_header_for_too_long_is_cut_and_said_so() -> None:
    file = io.BytesIO(b"[1]\n" + b"# nothing but remarks\n" * (HAND_MAX // 20) + b"[2]\na = 1\n")
    found = list(sections(lines_of(file)))
    assert [(one.name, one.cut) for one in found] == [("1", True), ("2", False)]
    assert len(found[0].raw) <= HAND_MAX


def test_a_line_without_end_is_never_held_whole() -> None:
    class Endless(io.RawIOBase):
        left = 40 * 2**20

        def readable(self) -> bool:
            return True

        def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
            size = min(len(buffer), self.left)
            buffer[:size] = b"x" * size
            self.left -= size
            return size

    tracemalloc.start()
    found = list(sections(lines_of(io.BufferedReader(Endless()))))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert [one.cut for one in found] == [True]
    assert peak < 5 * HAND_MAX
