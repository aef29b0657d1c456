"""Two ways to do one thing, in turns: a slow minute of the machine meets both. Nothing here asserts a time."""

from __future__ import annotations

import gc
from collections.abc import Callable
from statistics import median

Timed = Callable[[], float]
"""Does the work once and gives the seconds that it took, preparation left out."""


def interleaved(ours: Timed, theirs: Timed, pairs: int) -> tuple[list[float], list[float]]:
    """Seconds of each side, in turns, after one turn of each that does not count."""
    ours()
    theirs()
    mine, other = [], []
    for _ in range(pairs):
        gc.collect()
        other.append(theirs())
        gc.collect()
        mine.append(ours())
    return mine, other


def ratio_line(what: str, mine: list[float], other: list[float], goal: float, against: str, count: int) -> str:
    """How fast ours is, as a share of the reference: median and range of the pairs' ratios."""
    ratios = sorted(reference / own for own, reference in zip(mine, other, strict=True))
    return (
        f"{what}: {median(ratios):.2f} of {against} (range {ratios[0]:.2f}-{ratios[-1]:.2f}, goal at least {goal}); "
        f"{count / median(mine):,.0f}/s against {count / median(other):,.0f}/s"
    )
