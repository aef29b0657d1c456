"""What the README shows is what the program does."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import typer

from cli.app import build

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks():
    return re.findall(r"^```\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


def test_the_demo_says_what_the_readme_shows(tmp_path):
    shown = next(block for block in blocks() if block.startswith("$ make demo"))
    run = subprocess.run(
        [sys.executable, "-m", "cli", "demo"],
        capture_output=True, text=True, check=True, cwd=tmp_path, env={"COLUMNS": "100", "TMPDIR": str(tmp_path)},
    )  # fmt: skip
    said = {" ".join(line.split()) for line in run.stdout.splitlines()}
    for line in shown.splitlines()[1:]:
        if line.strip() and line != "…":
            assert " ".join(line.split()) in said, line


def test_every_command_that_the_readme_names_exists():
    root = typer.main.get_command(build())
    named = re.findall(r"^recoup (\w[\w-]*)(?: (\w[\w-]*))?", "\n".join(blocks()), re.MULTILINE)
    assert len(named) > 8
    for name, sub in named:
        assert name in root.commands, name
        group = getattr(root.commands[name], "commands", None)
        assert group is None or sub in group, f"{name} {sub}"


def test_every_page_that_the_readme_names_exists():
    for target in re.findall(r"\]\((?!https?:)([^)#]+)\)", README):
        assert (ROOT / target).exists(), target
