"""What chance would give: the names of those who sat at a table are dealt out anew, stretch by stretch, seeded.

If nobody plays with or for anybody, it does not matter for what goes beyond expectation (`tally`) which of a table's
players is called by which name. So each shuffling gives the two names asked about to any two players of each stretch
(the quadratic assignment procedure, Hubert and Schultz 1976), and what the two's figures come to is compared with what
they come to then. Each sum is divided by how far it swings by itself,
for players who always play large pots against each other swing farther, and that is no reason to look. A pair as a
whole is compared by the squares of these, added up over its figures where they point to playing together: one question
a pair.

p is (as large or larger + 1) ÷ (shufflings + 1), one-sided (Phipson and Smyth 2010). Where 20 shufflings were as large
after the first 200, the rest is not made, and p is 20 ÷ shufflings (Besag and Clifford 1991). For looking at many pairs
p is corrected by Holm's step-down procedure (1979). A pair stands out where the corrected p is not above 0.01; claimed
is that of twenty honest sets of hands at the most one has such a pair. The margin is for what the fit of ways leaves
out. The p of a single figure is not corrected; it says where a pair that stands out does so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations
from math import sqrt
from random import Random
from typing import NamedTuple

from msgspec import Struct

from replay.collusion.tally import KINDS, Kind, Stretch, Tally
from replay.collusion.ways import Pair

STRETCHES = 400
"""About so many stretches the hands are cut into."""
ENOUGH_HANDS = 30
ENOUGH_CHANCES = 20
ENOUGH_STRETCHES = 5
AT_LEAST = 200
"""So many shufflings each pair gets."""
AS_LARGE = 20
"""With so many shufflings as large, no more are made."""
STANDS_OUT = 0.01
"""What stands out: a corrected p not above this."""
TO_SPARE = 2
"""So many times as many shufflings are made as the correction needs for anything to stand out."""

_BITS = 96
_HALF = 1 << (_BITS - 1)
_MASK = (1 << _BITS) - 1


class Slot(NamedTuple):
    """One figure of a pair; `back`: of the second towards the first."""

    kind: Kind
    back: bool


SLOTS = tuple(Slot(kind, back) for kind in KINDS for back in (False, True)[: 1 if kind.mutual else 2])
_BIAS = sum(_HALF << (_BITS * at) for at in range(2 * len(SLOTS)))


class Chance(Struct, frozen=True):
    """How something compares: in `as_large` of `shufflings` it pointed as far or farther to playing together. `low`,
    `middle`, `high` of a figure: the shuffled sums, nine of ten between the outer two, thousandths."""

    as_large: int
    shufflings: int
    p: float
    low: int = 0
    middle: int = 0
    high: int = 0


class Compared(Struct, frozen=True):
    """A pair. `corrected`: its p for how many pairs were compared."""

    whole: Chance
    figures: dict[Slot, Chance]
    corrected: float

    @property
    def stands_out(self) -> bool:
        """Also after correcting for how many were looked at."""
        return self.corrected <= STANDS_OUT


def enough(tally: Tally, slot: Slot, pair: Pair) -> bool:
    """Whether there is enough for a figure to say anything."""
    if tally.together[pair] < ENOUGH_HANDS:
        return False
    if slot.kind.name == "chips":
        return tally.known[pair] >= ENOUGH_HANDS
    one, other = pair[::-1] if slot.back else pair
    of = tally.count(slot.kind.name, one, other).of
    if slot.kind.name == "raises":
        of += tally.count("raises", other, one).of
    return of >= ENOUGH_CHANCES


def chances(tally: Tally, pairs: Sequence[Pair], *, seed: int, least: int) -> tuple[dict[Pair, Compared], int]:
    """Each pair that has enough, compared; and the number of shufflings that the rarest got.

    `pairs`: each once, names sorted. `least`: shufflings at the least; more where so many pairs are looked at that with
    fewer none could stand out.
    """
    packed = [_Packed(one) for one in tally.stretches(STRETCHES)]
    tests: list[tuple[Pair, list[int], list[_Packed]]] = []
    for pair in pairs:
        rows = [one for one in packed if pair in one.at]
        own = [_fields(one.values[one.at[pair]]) for one in rows]
        active = [
            at
            for at, slot in enumerate(SLOTS)
            if enough(tally, slot, pair) and sum(1 for fields in own if fields[at + len(SLOTS)]) >= ENOUGH_STRETCHES
        ]
        if any(SLOTS[at].kind.weighs for at in active):
            tests.append((pair, active, rows))
    most = max(least, round(TO_SPARE * len(tests) / STANDS_OUT))
    found = [_compare(tally, *test, Random(f"{seed} {test[0][0]} {test[0][1]}"), most) for test in tests]
    corrected = holm([whole.p for whole, _figures in found])
    made = {
        test[0]: Compared(whole, figures, round(adjusted, 6))
        for test, (whole, figures), adjusted in zip(tests, found, corrected, strict=True)
    }
    return made, most


class _Packed:
    """A stretch for shuffling: for every two who sat there all figures and their swings in one whole number, of fields
    of `_BITS`, so that a hundred stretches are added up at once."""

    def __init__(self, stretch: Stretch) -> None:
        every = list(permutations(stretch.players, 2))
        self.at = {pair: at for at, pair in enumerate(every)}
        self.values = [sum(value << (_BITS * at) for at, value in enumerate(_of(stretch, pair))) for pair in every]


def _of(stretch: Stretch, pair: Pair) -> Iterator[int]:
    """The figures of two in a stretch, so that more is what points to playing together; then how far each swings."""
    swings = []
    for kind, back in SLOTS:
        cells = stretch.cells.get(kind.name, {})
        one, other = pair[::-1] if back else pair
        value, swing = cells.get((one, other), _NOTHING)
        if kind.mutual:
            back_value, back_swing = cells.get((other, one), _NOTHING)
            value, swing = value + back_value, swing + back_swing
        swings.append(swing)
        yield value if kind.more else -value
    yield from swings


_NOTHING = (0, 0)


def _fields(number: int) -> list[int]:
    biased = number + _BIAS
    return [((biased >> (_BITS * at)) & _MASK) - _HALF for at in range(2 * len(SLOTS))]


def _compare(
    tally: Tally, pair: Pair, active: list[int], rows: list[_Packed], rng: Random, most: int
) -> tuple[Chance, dict[Slot, Chance]]:
    draw = rng.random
    doubts = [tally.doubt(SLOTS[at].kind, pair[::-1] if SLOTS[at].back else pair) for at in active]
    reached = _apart(_fields(sum(one.values[one.at[pair]] for one in rows)), active, doubts)
    weighs = [SLOTS[at].kind.weighs for at in active]
    whole = _whole(reached, weighs)
    certain = [1.0] * len(active)
    every = [(one.values, len(one.values)) for one in rows]
    count = as_large = 0
    by_figure = [0] * len(active)
    sums: list[list[int]] = [[] for _at in active]
    while count < most and (as_large < AS_LARGE or count < AT_LEAST):
        fields = _fields(sum([values[int(draw() * size)] for values, size in every]))
        apart = _apart(fields, active, certain)
        count += 1
        as_large += _whole(apart, weighs) >= whole
        for number, at in enumerate(active):
            by_figure[number] += apart[number] >= reached[number]
            sums[number].append(fields[at])
    figures = {
        SLOTS[at]: _chance(by_figure[number], count, sums[number], more=SLOTS[at].kind.more)
        for number, at in enumerate(active)
    }
    p = as_large / count if as_large >= AS_LARGE else (as_large + 1) / (count + 1)
    return Chance(as_large, count, round(p, 6)), figures


def _apart(fields: list[int], active: list[int], doubts: list[float]) -> list[float]:
    """How far each figure points to playing together, in units of its own swing."""
    swings = len(SLOTS)
    return [
        fields[at] / sqrt(fields[at + swings] * doubt) if fields[at + swings] else 0.0
        for at, doubt in zip(active, doubts, strict=True)
    ]


def _whole(apart: list[float], weighs: list[bool]) -> float:
    return sum([one * one for one, does in zip(apart, weighs, strict=True) if does and one > 0])


def _chance(as_large: int, count: int, sums: list[int], *, more: bool) -> Chance:
    ordered = sorted(one if more else -one for one in sums)
    low, middle, high = ordered[count // 20], ordered[count // 2], ordered[-1 - count // 20]
    return Chance(as_large, count, round((as_large + 1) / (count + 1), 6), low, middle, high)


def holm(values: Sequence[float]) -> list[float]:
    """The p values corrected for how many there are, in the same order."""
    order = sorted(range(len(values)), key=lambda at: values[at])
    corrected = [0.0] * len(values)
    highest = 0.0
    for rank, at in enumerate(order):
        highest = max(highest, min(1.0, values[at] * (len(values) - rank)))
        corrected[at] = highest
    return corrected
