"""The command as a process of its own: exit codes, pipes, signals, colour, a full disk, a busy store."""

from __future__ import annotations

import fcntl
import os
import re
import signal
import sqlite3
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest

from tests.cli.desk import Desk

ESCAPE = re.compile(r"\x1b\[")


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    desk = Desk(tmp_path_factory.mktemp("process"))
    assert desk.spawn("init").code == 0
    dealt = desk.spawn("dealer", "holdem", "--rounds", "3", "--seed", "3", "--breach", "NL-24", "--at", "2")
    assert dealt.code == 0
    assert desk.spawn("ingest", "-", stdin=dealt.out.encode()).code == 0
    return desk


def test_exit_codes_fine_found_asked_wrongly_and_could_not(desk: Desk) -> None:
    assert desk.spawn("judge", "NL-1#1").code == 0
    assert desk.spawn("judge", "NL-1#2").code == 5
    assert desk.spawn("judge", "NL-1#77").code == 2
    assert desk.spawn("judge", "--nonsense").code == 2
    assert desk.spawn("nonsense").code == 2
    assert desk.spawn("ingest").code == 2
    assert desk.spawn("status", env={"RECOUP_STORE": str(desk.folder / "none.db")}).code == 3


def test_a_mistyped_command_or_option_is_named_without_a_traceback(desk: Desk) -> None:
    typo = desk.spawn("jugde")
    assert typo.out == ""
    assert typo.err.startswith("error: ")
    assert "judge" in typo.err
    assert "hint: " in typo.err
    assert "Traceback" not in typo.err + desk.spawn("judge", "--frobnicate").err


def test_no_words_at_all_show_the_help_and_2(desk: Desk) -> None:
    result = desk.spawn()
    assert result.code == 2
    assert "Usage: recoup" in result.err


def test_help_has_an_example_for_every_command(desk: Desk) -> None:
    from typer.main import get_command

    from cli.app import build

    def walk(command: object, path: list[str]) -> list[list[str]]:
        inner = getattr(command, "commands", None)
        if inner is None:
            return [path]
        return [found for name, sub in inner.items() for found in walk(sub, [*path, name])]

    paths = walk(get_command(build()), [])
    assert len(paths) >= 29
    for path in paths:
        shown = desk.run(*path, "--help")
        assert shown.code == 0
        assert "recoup " + " ".join(path) in shown.out.partition("Example")[2], path
        assert max(map(len, shown.out.splitlines())) <= 100


def test_data_goes_to_stdout_and_all_else_to_stderr(desk: Desk) -> None:
    result = desk.spawn("judge", "NL-1#2", "--json")
    assert result.out.count("\n") == 1
    assert result.out.startswith("{")
    assert "round table/" in result.err


def test_no_colour_without_a_terminal_and_none_if_one_says_so(desk: Desk) -> None:
    assert not ESCAPE.search(desk.spawn("judge", "NL-1#2").out)
    coloured = desk.spawn("judge", "NL-1#2", env={"FORCE_COLOR": "1", "TERM": "xterm-256color"}).out
    assert ESCAPE.search(coloured)
    plain = desk.spawn("judge", "NL-1#2", env={"FORCE_COLOR": "1", "NO_COLOR": "1", "TERM": "xterm-256color"}).out
    assert "\x1b[31m" not in plain
    assert "\x1b[1;31m" not in plain
    assert ESCAPE.sub("", re.sub(r"\x1b\[[0-9;]*m", "", coloured)) == desk.spawn("judge", "NL-1#2").out


def test_a_reader_who_goes_away_is_no_error(desk: Desk) -> None:
    for words in (["dealer", "holdem", "--rounds", "2000"], ["schema", "--json"], ["replay", "NL-1#1"]):
        process = subprocess.Popen(
            desk.command(*words), stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=desk.env(), cwd=desk.folder
        )
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        said = process.stderr.read().decode()
        process.stderr.close()
        assert process.wait(60) in (0, 141)
        assert "Traceback" not in said
        assert "BrokenPipe" not in said


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")
def test_a_full_disk_behind_stdout_is_said_with_3(desk: Desk) -> None:
    with open("/dev/full", "w") as full:  # noqa: PTH123
        done = subprocess.run(
            desk.command("dealer", "holdem", "--rounds", "50"),
            stdout=full,
            stderr=subprocess.PIPE,
            env=desk.env(),
            cwd=desk.folder,
        )
    assert done.returncode == 3
    assert b"no space left" in done.stderr
    assert b"Traceback" not in done.stderr
    assert b"Exception ignored" not in done.stderr


def test_a_full_store_is_said_with_3_and_nothing_is_lost(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.spawn("init")
    dealt = desk.spawn("dealer", "holdem", "--rounds", "200").out.encode()
    (tmp_path / "day.ndjson").write_bytes(dealt)
    # A limit on the size of files stands in for a disk that is full: writing fails just so.
    limited = (
        "import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (2_000_000, 2_000_000));"
        "from cli.app import main; sys.argv[0] = 'recoup'; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", limited, "ingest", "day.ndjson"], capture_output=True, env=desk.env(), cwd=tmp_path
    )
    assert done.returncode == 3
    assert b"Traceback" not in done.stderr
    assert done.stderr.startswith(b"error: ")
    again = desk.spawn("ingest", "day.ndjson", "--json")
    assert again.code == 0
    assert again.row["stored"] + again.row["repeats"] == dealt.count(b"\n")
    assert desk.spawn("verify").code == 0


def test_ctrl_c_leaves_no_traceback_and_a_whole_store(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.spawn("init")
    # Who starts the tests behind his shell (`make test &`) has them ignore SIGINT, and a child inherits that.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        process = subprocess.Popen(
            desk.command("ingest", "-"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=desk.env(),
            cwd=tmp_path,
        )
    finally:
        signal.signal(signal.SIGINT, before)
    assert process.stdin is not None
    process.stdin.write(b'{"half": ')
    process.stdin.flush()
    while struct.unpack("i", fcntl.ioctl(process.stdin, termios.FIONREAD, bytes(4)))[0]:
        assert process.poll() is None
        time.sleep(0.05)  # until it has read what there is, and waits for the rest of the line
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    _out, said = process.communicate(timeout=30)
    assert process.returncode == 130
    assert said == b"stopped; what was stored is stored, nothing is stored half\n"
    assert desk.spawn("verify").code == 0


def test_a_second_process_that_writes_is_named(desk: Desk) -> None:
    with sqlite3.connect(desk.store, isolation_level=None) as holder:
        holder.execute("BEGIN IMMEDIATE")
        record = desk.spawn("dealer", "holdem", "--rounds", "1", "--seed", "99", "--table", "brno/NL-7").out.encode()
        result = desk.spawn("ingest", "-", stdin=record)
        holder.execute("ROLLBACK")
    holder.close()
    assert result.code == 3
    assert str(os.getpid()) in result.err
    assert "Traceback" not in result.err
    assert desk.spawn("ingest", "-", stdin=record).code == 0


def test_two_that_ingest_at_once_lose_nothing(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.spawn("init")
    for number in (1, 2):
        dealt = desk.spawn("dealer", "holdem", "--rounds", "40", "--seed", str(number), "--table", f"brno/NL-{number}")
        (tmp_path / f"{number}.ndjson").write_text(dealt.out)
    processes = [
        subprocess.Popen(
            desk.command("ingest", f"{number}.ndjson"), env=desk.env(), cwd=tmp_path, stdout=subprocess.DEVNULL
        )
        for number in (1, 2, 1)
    ]
    assert [process.wait(60) for process in processes] == [0, 0, 0]
    row = desk.spawn("status", "--json").row
    count = sum((tmp_path / f"{number}.ndjson").read_text().count("\n") for number in (1, 2))
    assert row["stored"] == count
    assert row["adds_up"]
    assert desk.spawn("verify").code == 0


def test_an_output_that_is_not_utf8_still_works(desk: Desk) -> None:
    done = subprocess.run(
        desk.command("judge", "NL-1#2"),
        capture_output=True,
        env=desk.env({"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}),
        cwd=desk.folder,
    )
    assert done.returncode == 5
    assert b"Traceback" not in done.stderr


def test_a_mistake_of_ours_keeps_its_traceback_and_exit_1(desk: Desk) -> None:
    broken = "import cli.words, sys; cli.words.headline = None; sys.argv = ['recoup', 'judge', 'NL-1#2'];"
    done = subprocess.run(
        [sys.executable, "-c", broken + "from cli.app import main; main()"],
        capture_output=True,
        env=desk.env(),
        cwd=desk.folder,
    )
    assert done.returncode == 1
    assert b"Traceback" in done.stderr
