"""How many generated examples a property test tries: its own number, times `RECOUP_SOAK` (`make soak` sets it)."""

from __future__ import annotations

import os

FACTOR = int(os.environ.get("RECOUP_SOAK", "1"))


def examples(count: int) -> int:
    """`count`, or as many times more as a soak asks for."""
    return count * FACTOR
