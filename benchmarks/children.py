"""Runs one side of a comparison in a process of its own."""

from __future__ import annotations

import subprocess
import sys


def child(module: str, *arguments: str) -> float:
    """`python -m module arguments…` prints one number as its last word; that number."""
    done = subprocess.run([sys.executable, "-m", module, *arguments], check=True, capture_output=True, text=True)
    return float(done.stdout.split()[-1])
