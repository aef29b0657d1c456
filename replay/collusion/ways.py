"""What two players' ways with others make likely between them: for each figure a rate by who and to whom.

A rate is the table's, plus how far `who` is above it towards others, plus how far others are above it towards `other`
(a two-way additive fit by weighted least squares, by backfitting, apart for each `when`). Seats are fixed and chances
uneven, so that plain averages would count a player's neighbours as his own way. Each player is given `PRIOR` chances
without a way of his own, so that few chances say little.

Who plays with somebody treats all others otherwise than him; fitted along, his one odd partner would make all others
look odd the other way. So pairs that lie far out of a first fit (`FAR`) are left out of the second.
"""

from __future__ import annotations

from math import sqrt

from msgspec import Struct

PRIOR = 5
FAR = 3.0
RARE = 0.02
"""No rate is taken for nearer than this to never or always, where it says how far a figure swings."""
LEAST = 0.1
ROUNDS = 12
Pair = tuple[str, str]


class Count(Struct):
    """So many times `of` so many chances."""

    done: int = 0
    of: int = 0


Cells = dict[str, dict[Pair, Count]]
"""When → (who, to whom) → how often."""


class Ways:
    """The fit of one figure."""

    def __init__(self, cells: Cells) -> None:
        self._cells = cells
        self._of: dict[Pair, int] = {}
        for by_pair in cells.values():
            for pair, count in by_pair.items():
                self._of[pair] = self._of.get(pair, 0) + count.of
        self.left_out: frozenset[Pair] = frozenset()
        self._sides()
        self._rates = self._fit()
        self.left_out = frozenset(pair for pair in self._of if abs(self._far(pair)) > FAR)
        self._sides()
        if self.left_out:
            self._rates = self._fit()

    def rate(self, when: str, pair: Pair) -> float:
        """What is likely at one chance."""
        return self._rates[when, pair]

    def likely(self, pair: Pair) -> float:
        """How often in all its chances."""
        return sum(by[pair].of * self._rates[when, pair] for when, by in self._cells.items() if pair in by)

    def swing(self, when: str, pair: Pair) -> float:
        """The variance of what goes beyond the likely at one chance: that of the chance, less what the fit took up of
        it; more, where it was not fitted along."""
        rate = min(max(self._rates[when, pair], RARE), 1 - RARE)
        share = self._share(when, pair, 1)
        return rate * (1 - rate) * (1 + share if pair in self.left_out else max(1 - share, LEAST))

    def doubt(self, pair: Pair) -> float:
        """The variance of a pair's sum against that of its chances one by one (`swing`): smaller where they were fitted
        along, larger where they were not, for they all share one expectation."""
        whole = single = 0.0
        for when, by_pair in self._cells.items():
            count = by_pair.get(pair)
            if count is not None:
                share = self._share(when, pair, count.of)
                rate = min(max(self._rates[when, pair], RARE), 1 - RARE)
                most = 1 + share if pair in self.left_out else max(1 - share, LEAST)
                whole += count.of * rate * (1 - rate) * most
                single += count.of * self.swing(when, pair)
        return whole / single if single else 1.0

    def _share(self, when: str, pair: Pair, of: int) -> float:
        """How much of the fit of a pair's expectation rests on so many chances."""
        rows, columns, table = self._sizes[when]
        row, column = rows.get(pair[0], 0) + PRIOR, columns.get(pair[1], 0) + PRIOR
        return of / row + of / column - of / (table + PRIOR)

    def _sides(self) -> None:
        """By when: chances of each row, of each column, of all that is fitted."""
        self._sizes: dict[str, tuple[dict[str, int], dict[str, int], int]] = {}
        for when, by_pair in self._cells.items():
            rows: dict[str, int] = {}
            columns: dict[str, int] = {}
            for pair, count in by_pair.items():
                if pair not in self.left_out:
                    rows[pair[0]] = rows.get(pair[0], 0) + count.of
                    columns[pair[1]] = columns.get(pair[1], 0) + count.of
            self._sizes[when] = rows, columns, sum(rows.values())

    def _far(self, pair: Pair) -> float:
        """How far out of the fit it lies, in standard deviations."""
        done = likely = variance = 0.0
        for when, by_pair in self._cells.items():
            count = by_pair.get(pair)
            if count is not None:
                done += count.done
                likely += count.of * self._rates[when, pair]
                variance += count.of * self.swing(when, pair)
        return (done - likely) / sqrt(variance * self.doubt(pair)) if variance > 0 else 0.0

    def _fit(self) -> dict[tuple[str, Pair], float]:
        rates = {}
        for when, by_pair in self._cells.items():
            kept = {pair: count for pair, count in by_pair.items() if pair not in self.left_out}
            table, rows, columns = _two_way(kept or by_pair)
            for who, other in by_pair:
                likely = table + rows.get(who, 0.0) + columns.get(other, 0.0)
                rates[when, (who, other)] = min(max(likely, 0.0), 1.0)
        return rates


def _two_way(cells: dict[Pair, Count]) -> tuple[float, dict[str, float], dict[str, float]]:
    """The table's rate, and what each row and column adds to it."""
    table = sum(count.done for count in cells.values()) / sum(count.of for count in cells.values())
    rows = dict.fromkeys((who for who, _other in cells), 0.0)
    columns = dict.fromkeys((other for _who, other in cells), 0.0)
    for _round in range(ROUNDS):
        _step(cells, table, rows, columns, 0)
        _step(cells, table, columns, rows, 1)
    return table, rows, columns


def _step(cells: dict[Pair, Count], table: float, mine: dict[str, float], other: dict[str, float], side: int) -> None:
    """One side anew, the other one as it is."""
    more = dict.fromkeys(mine, 0.0)
    of = dict.fromkeys(mine, PRIOR)
    for pair, count in cells.items():
        more[pair[side]] += count.done - count.of * (table + other[pair[1 - side]])
        of[pair[side]] += count.of
    for name, total in more.items():
        mine[name] = total / of[name]
