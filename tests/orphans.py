"""What a test run starts dies with it, however it ends: a run that was killed leaves neither daemon nor server behind."""

from __future__ import annotations

import contextlib
import ctypes
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def end_with_parent() -> None:
    """On Linux the kernel kills this process when the one that started it is gone."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


MORTAL = (
    "import runpy, tests.orphans; tests.orphans.end_with_parent(); "
    "runpy.run_module('cli', run_name='__main__', alter_sys=True)"
)
"""A program for `python -c`: as `python -m cli`, but it ends with its parent."""

_WATCH = """
import os, pathlib, signal, sys
sys.stdin.read()
try:
    os.kill(int(pathlib.Path(sys.argv[1], "postmaster.pid").read_text().split()[0]), signal.SIGQUIT)
except (OSError, ValueError, IndexError):
    pass
"""


@contextmanager
def server_ends_with_us(data: Path) -> Iterator[None]:
    """A PostgreSQL server is no child of the run: a process beside it waits for the end of a pipe, and ends the server
    of the folder `data` then."""
    watch = subprocess.Popen([sys.executable, "-c", _WATCH, str(data)], stdin=subprocess.PIPE, start_new_session=True)
    try:
        yield
    finally:
        watch.communicate()
