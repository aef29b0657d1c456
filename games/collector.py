"""The garbage collector while thousands of sessions are judged: what judging makes refers to nothing in a circle."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

SELDOM = 50_000
"""Objects made and not yet gone before the collector looks: of some two thousand hands, instead of twenty."""


@contextmanager
def seldom() -> Iterator[None]:
    """The collector looks seldom, a fortieth as often: two hands in a hundred more a second, and circles that a caller
    makes in between still go."""
    before = gc.get_threshold()
    gc.set_threshold(max(SELDOM, before[0]) if before[0] else 0, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
