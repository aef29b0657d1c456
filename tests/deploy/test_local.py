"""`deploy/kafka/local run`: whoever started it may die in any way, and leaves no broker behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import brokers


@pytest.fixture
def data() -> Iterator[Path]:
    """A data folder; whatever runs with it is ended."""
    if why := brokers.missing():
        pytest.skip(why)
    with tempfile.TemporaryDirectory(prefix="recoup-kafka-") as folder:
        yield Path(folder)
        local("stop", "--kill", "--data", folder)


def local(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, str(brokers.LOCAL), *words], capture_output=True, text=True, check=False)


STARTER = """
import subprocess, sys, time
one = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True)
print(one.pid, one.stdout.readline().strip(), flush=True)
time.sleep(600)
"""
"""A test run, as far as its broker is concerned."""


@pytest.mark.parametrize("killed", ["who started it", "itself"])
def test_a_broker_does_not_outlive_whoever_started_it(data: Path, killed: str) -> None:
    words = [sys.executable, str(brokers.LOCAL), "run", "--kill", "--port", "0", "--data", str(data), "--heap", "256m"]
    starter = subprocess.Popen([sys.executable, "-c", STARTER, *words], stdout=subprocess.PIPE, text=True)
    assert starter.stdout is not None
    try:
        pid, address = starter.stdout.readline().split()
        assert local("status", "--data", str(data)).stdout.strip() == address
        node = int((data / "pid").read_text())
        if killed == "itself":
            os.kill(int(pid), signal.SIGKILL)
        else:
            starter.kill()
        gone(node)
    finally:
        starter.kill()
        starter.communicate()
    assert local("status", "--data", str(data)).returncode == 3


def gone(pid: int) -> None:
    """Waits until a process has ended.

    Raises:
        AssertionError: it lives on.
    """
    until = time.monotonic() + 20
    while time.monotonic() < until:
        try:
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return
        except OSError:
            return
        time.sleep(0.05)
    raise AssertionError(f"process {pid} lives on")
