"""What players did to each other, counted: by figure, by who and to whom, beside what the two do with others (`ways`).

A figure counts `of` how many chances something was done: by one player (giver, folder, raiser) towards another, apart
for each `when` in the hand (`games.shared.poker.meetings`): seats at a table are fixed, and who sits behind whom is no
partnership.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import permutations
from typing import Literal, NamedTuple

from msgspec import Struct

from replay.collusion.reading import Played
from replay.collusion.ways import Cells, Count, Pair, Ways

Name = Literal["chips", "folds", "gives_up", "better_folds", "soft_play", "raises", "unbet_alone", "both_raised"]

THOUSANDTHS = 1000
"""What is centred is counted in thousandths: of an occurrence, and for chips of a big blind."""


SMALL = 2 * THOUSANDTHS
"""So much a hand each pair's chips are taken to swing besides: who always folds his blinds to another plays no game."""
Beyond = tuple[int, int]


class Kind(NamedTuple):
    """`mutual`: asked of two as a pair, else of one towards the other. `more`: whether much of it is a reason to look,
    else little. `weighs`: it counts when a pair is compared as a whole; two wild players raise in the same hands
    without any agreement, so that this one is only shown."""

    name: Name
    mutual: bool
    more: bool
    weighs: bool = True


KINDS: tuple[Kind, ...] = (
    Kind("chips", False, True),
    Kind("folds", False, True),
    Kind("gives_up", False, True),
    Kind("better_folds", False, True),
    Kind("soft_play", False, True),
    Kind("raises", True, False),
    Kind("unbet_alone", True, True),
    Kind("both_raised", True, True, False),
)


class Stretch(Struct, frozen=True):
    """Hands of the same players at the same table, one after the other: inside it the names are dealt out anew.

    `cells`: figure → (who, to whom) → the sum of what goes beyond the likely, thousandths, and how far it swings by
    itself: its variance by the likely rates, of chips the square of the sum and `SMALL` each hand.
    What is not there is zero.
    """

    players: tuple[str, ...]
    cells: dict[Name, dict[Pair, Beyond]]


def events(hand: Played) -> Iterator[tuple[Name, str, str, str, bool]]:
    """Every chance in a hand: figure, when, who, to whom, whether it was done. What is neither's alone comes twice."""
    met, players = hand.met, hand.players
    for at, one in enumerate(met.responses):
        who, other = players[one.place], players[one.against]
        yield "gives_up" if one.paid else "folds", one.when, who, other, one.word == "fold"
        if one.open:
            yield "raises", one.when, who, other, one.word == "raise"
        if at in met.compared:
            yield "better_folds", "", who, other, at in met.better
    for alone in met.alone:
        for place, against in permutations(alone.pair):
            yield "unbet_alone", "", players[place], players[against], not alone.bet
    if len(met.paying) > 2:
        for first, second in permutations(sorted(met.paying), 2):
            both = first in met.raisers and second in met.raisers
            yield "both_raised", "", players[first], players[second], both
    if hand.looked:
        for place in met.spared:
            who = players[met.last]
            yield "soft_play", "", who, players[place], who in hand.sparers


class Tally:
    """The counts of many hands, of tables of three and more."""

    def __init__(self, hands: Iterable[Played]) -> None:
        self.hands = [hand for hand in hands if len(hand.players) > 2]
        self.together: Counter[Pair] = Counter()
        self.known: Counter[Pair] = Counter()
        """Hands together of which the flow of chips is known, with stakes."""
        self.money: dict[Pair, Counter[str]] = {}
        """(giver, taker) → currency → net minor units."""
        self.blinds: Counter[Pair] = Counter()
        """(giver, taker) → thousandths of a big blind, net."""
        self.squares: Counter[Pair] = Counter()
        """(giver, taker) → the sum of the squares of these, hand by hand."""
        self._cells: dict[Name, Cells] = {}
        for hand in self.hands:
            self._add(hand)
        self.players = sorted({player for pair in self.together for player in pair})
        """Everybody who was dealt in."""
        self._ways = {name: Ways(cells) for name, cells in self._cells.items()}
        self._by_pair: dict[tuple[Name, Pair], Count] = {}
        self._by_who: dict[tuple[Name, str], Count] = {}
        for name, cells in self._cells.items():
            for by_pair in cells.values():
                for pair, count in by_pair.items():
                    for whole in (
                        self._by_pair.setdefault((name, pair), Count()),
                        self._by_who.setdefault((name, pair[0]), Count()),
                    ):
                        whole.done += count.done
                        whole.of += count.of

    def _add(self, hand: Played) -> None:
        players = hand.players
        for pair in permutations(players, 2):
            self.together[pair] += 1
        for giver, taker, amount in chips(hand):
            self.money.setdefault((giver, taker), Counter())[hand.currency] += amount
            if hand.big_blind:
                blinds = in_blinds(hand, amount)
                self.blinds[giver, taker] += blinds
                self.squares[giver, taker] += blinds * blinds
        if hand.chips is not None and hand.big_blind:
            self.known.update(permutations(players, 2))
        for name, when, who, other, done in events(hand):
            count = self._cells.setdefault(name, {}).setdefault(when, {}).setdefault((who, other), Count())
            count.of += 1
            count.done += done

    # --- what was, and what would be expected ---

    def count(self, name: Name, who: str, other: str) -> Count:
        """How often `who` did it towards `other`, of how many chances."""
        return self._by_pair.get((name, (who, other)), Count())

    def elsewhere(self, name: Name, who: str, other: str) -> Count:
        """How often `who` did it towards anybody else."""
        every, own = self._by_who.get((name, who), Count()), self.count(name, who, other)
        return Count(every.done - own.done, every.of - own.of)

    def by_ways(self, name: Name, who: str, other: str) -> int:
        """How often it would be likely by the two's ways with others, thousandths."""
        return round(THOUSANDTHS * self._ways[name].likely((who, other))) if name in self._ways else 0

    def doubt(self, kind: Kind, pair: Pair) -> float:
        """As `Ways.doubt`; of what is mutual both ways together."""
        if kind.name == "chips":
            return 1.0
        ways = self._ways[kind.name]
        return (ways.doubt(pair) + ways.doubt((pair[1], pair[0]))) / 2 if kind.mutual else ways.doubt(pair)

    # --- beyond expectation, stretch by stretch ---

    def stretches(self, most: int) -> list[Stretch]:
        """The hands in stretches of the same players at the same table, so long that there are about so many in all."""
        size = max(-(-len(self.hands) // most), 1)
        groups: dict[tuple[str, tuple[str, ...]], list[Played]] = {}
        for hand in self.hands:
            groups.setdefault((hand.table, tuple(sorted(hand.players))), []).append(hand)
        made = []
        for (_table, players), hands in groups.items():
            for start in range(0, len(hands), size):
                made.append(Stretch(players, self._beyond(hands[start : start + size])))
        return made

    def _beyond(self, hands: Iterable[Played]) -> dict[Name, dict[Pair, Beyond]]:
        cells: dict[Name, dict[Pair, Beyond]] = {}
        for hand in hands:
            for name, when, who, other, done in events(hand):
                pair, ways = (who, other), self._ways[name]
                more = THOUSANDTHS * done - round(THOUSANDTHS * ways.rate(when, pair))
                swing = round(THOUSANDTHS * THOUSANDTHS * ways.swing(when, pair))
                before = cells.setdefault(name, {}).get(pair, (0, 0))
                cells[name][pair] = (before[0] + more, before[1] + swing)
            if hand.big_blind and hand.chips is not None:
                own = cells.setdefault("chips", {})
                flows = {(giver, taker): in_blinds(hand, amount) for giver, taker, amount in chips(hand)}
                for pair in permutations(hand.players, 2):
                    lost, swing = own.get(pair, (0, 0))
                    own[pair] = (lost + flows.get(pair, 0), swing + SMALL * SMALL)
        for pair, (lost, swing) in cells.get("chips", {}).items():
            cells["chips"][pair] = (lost, swing + lost * lost)
        return cells


def chips(hand: Played) -> Iterator[tuple[str, str, int]]:
    """What went from whom to whom among the players, net, minor units; each both ways."""
    count = len(hand.players)
    for (one, other), amount in (hand.chips or {}).items():
        if other < count:
            yield hand.players[one], hand.players[other], amount
            yield hand.players[other], hand.players[one], -amount


def in_blinds(hand: Played, amount: int) -> int:
    """An amount in thousandths of the hand's big blind."""
    return THOUSANDTHS * amount // hand.big_blind if amount >= 0 else -(THOUSANDTHS * -amount // hand.big_blind)
