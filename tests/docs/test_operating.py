"""Every command of the operating page is run, in its order, as the page has it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "operating.md"
_BLOCK = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)


def commands() -> list[tuple[str, set[int]]]:
    """Each command and the exit codes that the page says it may end with."""
    found = []
    for block in _BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        for line in block.splitlines():
            assert line.startswith("$ "), line
            command, _hash, said = line[2:].partition("  # ")
            codes = re.match(r"exit (\d)(?: or (\d))?(?!\d| is)", said.strip())
            found.append((command.strip(), {int(code) for code in codes.groups() if code} if codes else {0}))
    return found


@pytest.mark.timeout(240)
def test_a_night_goes_as_the_page_says(tmp_path: Path) -> None:
    opened = datetime.now(ZoneInfo("Europe/Prague"))
    script = []
    for number, (command, _codes) in enumerate(commands()):
        # The page's disputes are of its own day, the test's of today.
        today = re.sub(r"\b2026-11-28\.(\d)\b", rf"{opened:%Y-%m-%d}.\1", command)
        script.append(f"{today}\necho '@@ {number} '$?\n")
    env = {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "HOME": str(tmp_path),
        "COLUMNS": "100",
        "LC_ALL": "C.UTF-8",
    }
    done = subprocess.run(
        ["bash"], input="".join(script), text=True, capture_output=True, cwd=tmp_path, env=env, check=False
    )
    ended = {int(number): int(code) for number, code in re.findall(r"^@@ (\d+) (\d+)$", done.stdout, re.MULTILINE)}
    wrong = [
        f"{command}: exit {ended.get(number)}, not {sorted(codes)}"
        for number, (command, codes) in enumerate(commands())
        if ended.get(number) not in codes
    ]
    assert not wrong, "\n".join([*wrong, done.stderr[-3000:]])
    assert len(ended) > 50
    assert "Traceback" not in done.stderr
    assert (tmp_path / "night.html").stat().st_size > 1000
    assert "all of it agrees" in done.stdout
