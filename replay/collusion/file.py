"""The collusion file: each pair's figures beside what chance would give, and the hands to look at first."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from math import isqrt
from typing import Any

import msgspec
from msgspec import Struct

from replay.collusion.chance import SLOTS, Chance, Compared, Slot, chances
from replay.collusion.reading import Passed, Played, Reading
from replay.collusion.tally import THOUSANDTHS, Name, Tally, chips, in_blinds
from replay.collusion.ways import Pair

NOTICE = "reasons to look, not a verdict"
FORMAT = "recoup collusion file 1"
LOOK_AT = 5
"""Hands named of each pair."""
_ENCODE = msgspec.json.Encoder(order="sorted").encode


class Figure(Struct, frozen=True, kw_only=True):
    """One figure of a pair: `who` towards `to`, or (`mutual`) of both towards each other.

    `done` of `of` chances, `elsewhere` done and chances of `who` (of both) towards all others. `by_ways`: what the
    two's ways with others make likely, thousandths, and where there is a `chance` the middle of what the shufflings
    give; `low`, `high`: nine of ten of them lie between. Of chips: `money` by currency, minor units; `done` the same in
    thousandths of a big blind, net from `who` to `to`, `of` hands, `elsewhere` what went to all others; `low`, `high`:
    where it would lie nine times of ten, did each hand's chips go either way alike. `chance` is None where there is too
    little to say anything.
    """

    figure: Name
    who: str
    to: str
    mutual: bool
    done: int
    of: int
    by_ways: int
    low: int
    high: int
    elsewhere: tuple[int, int]
    money: dict[str, int] = {}
    chance: Chance | None = None


class Look(Struct, frozen=True):
    """A hand to look at, and why: `money` (minor units; `blinds`: thousandths of a big blind) went from `giver` to
    `taker`; `better_fold`: who folded the better hand to the other; `soft_play`: who spared him, as the judge found."""

    round: str
    giver: str
    taker: str
    money: int
    currency: str
    blinds: int
    better_fold: str = ""
    soft_play: str = ""


class PairFile(Struct, frozen=True, kw_only=True):
    """Two players. `chance`: of all figures together, None where they have too little; `corrected`: its p, for all
    pairs compared. `with_other`, `without`: raises and decisions of each, while the other was in the hand and while he
    was not; `again`: raises of the other's raises, and chances. `passed`: where chips went from one to the other
    outside the pots (NL-42)."""

    players: Pair
    hands: int
    chance: Chance | None
    corrected: float | None
    stands_out: bool
    figures: tuple[Figure, ...]
    with_other: dict[str, tuple[int, int]]
    without: dict[str, tuple[int, int]]
    again: dict[str, tuple[int, int]]
    passed: tuple[str, ...]
    look: tuple[Look, ...]


class CollusionFile(Struct, frozen=True, kw_only=True):
    """The whole. `asked`: what it was made of, in words of the command; `unknown_chips`: hands of which nobody can tell
    who was due what; `two_only`: hands of two, which are left out: there is nobody to compare with. `pairs`: first
    those that stand out most."""

    asked: dict[str, Any]
    seed: int
    shufflings: int
    compared: int
    hands: int
    tables: int
    players: tuple[str, ...]
    two_only: int
    unknown_chips: int
    unreadable: dict[str, str]
    pairs: tuple[PairFile, ...]

    def lines(self) -> list[bytes]:
        """JSON, one object a line: the head, then each pair. The same log, seed and question give the same bytes."""
        head: dict[str, Any] = {
            "format": FORMAT, "notice": NOTICE, "asked": self.asked, "seed": self.seed, "shufflings": self.shufflings,
            "compared": self.compared, "hands": self.hands, "tables": self.tables, "players": self.players,
            "two_only": self.two_only, "unknown_chips": self.unknown_chips, "unreadable": self.unreadable,
            "pairs": len(self.pairs),
        }  # fmt: skip
        return [_ENCODE(head), *(_ENCODE({**msgspec.to_builtins(pair), "notice": NOTICE}) for pair in self.pairs)]

    def digest(self) -> str:
        """SHA-256 of these lines, each with its line end."""
        return hashlib.sha256(b"".join(line + b"\n" for line in self.lines())).hexdigest()


def make(
    read: Reading, *, asked: dict[str, Any], players: Sequence[str] = (), seed: int = 1, shufflings: int = 2000
) -> CollusionFile:
    """The file of what was read. `players`: two or more: the pairs among them; one: his with everybody; none: all."""
    tally = Tally(read.hands)
    pairs = [pair for pair in combinations(tally.players, 2) if tally.together[pair] and _wanted(pair, players)]
    compared, most = chances(tally, pairs, seed=seed, least=shufflings)
    looks = _looks(tally, pairs)
    beside = _beside(tally, pairs)
    made = [_pair(tally, pair, compared.get(pair), read.passed, looks.get(pair, []), beside[pair]) for pair in pairs]
    made.sort(key=_weight)
    return CollusionFile(
        asked=asked,
        seed=seed,
        shufflings=most,
        compared=len(compared),
        hands=len(tally.hands),
        tables=len({hand.table for hand in tally.hands}),
        players=tuple(tally.players),
        two_only=len(read.hands) - len(tally.hands),
        unknown_chips=sum(hand.chips is None for hand in tally.hands),
        unreadable=read.unreadable,
        pairs=tuple(made),
    )


def _wanted(pair: Pair, players: Sequence[str]) -> bool:
    if len(players) > 1:
        return set(pair) <= set(players)
    return not players or players[0] in pair


def _weight(pair: PairFile) -> tuple[float, float, Pair]:
    """What stands out most comes first."""
    if pair.chance is None or pair.corrected is None:
        return 2.0, 2.0, pair.players
    return pair.corrected, pair.chance.p, pair.players


def _pair(
    tally: Tally, pair: Pair, compared: Compared | None, passed: Iterable[Passed], look: list[Look], beside: _Beside
) -> PairFile:
    known = compared.figures if compared is not None else {}
    return PairFile(
        players=pair,
        hands=tally.together[pair],
        chance=compared.whole if compared is not None else None,
        corrected=compared.corrected if compared is not None else None,
        stands_out=compared is not None and compared.stands_out,
        figures=tuple(_figure(tally, slot, pair, known.get(slot)) for slot in SLOTS),
        with_other={who: (count[0], count[1]) for who, count in beside.inside.items()},
        without={who: (count[0], count[1]) for who, count in beside.outside.items()},
        again={who: (count[0], count[1]) for who, count in beside.again.items()},
        passed=tuple(sorted({one.address for one in passed if one.players == set(pair)})),
        look=tuple(look),
    )


def _figure(tally: Tally, slot: Slot, pair: Pair, chance: Chance | None) -> Figure:
    kind = slot.kind
    who, to = asked = (pair[1], pair[0]) if slot.back else pair
    if kind.name == "chips":
        lost = sum(amount for (giver, taker), amount in tally.blinds.items() if giver == who and taker != to)
        hands = sum(count for (giver, taker), count in tally.known.items() if giver == who and taker != to)
        money = {name: amount for name, amount in sorted(tally.money.get(asked, {}).items()) if amount}
        swing = isqrt(27 * tally.squares[asked] // 10)  # 1.645 standard deviations either way: nine of ten
        return Figure(
            figure="chips", who=who, to=to, mutual=False, done=tally.blinds[asked], of=tally.known[asked],
            by_ways=0, low=-swing, high=swing, elsewhere=(lost, hands), money=money, chance=chance,
        )  # fmt: skip
    both = (asked, (to, who)) if kind.mutual else (asked,)
    counts = [tally.count(kind.name, *one) for one in both]
    others = [tally.elsewhere(kind.name, *one) for one in both]
    # What is neither's alone was counted for each of the two.
    halves = 2 if kind.name in ("unbet_alone", "both_raised") else 1
    of = sum(one.of for one in counts)
    ways = sum(tally.by_ways(kind.name, *one) for one in both)
    spread = (chance.middle, chance.low, chance.high) if chance is not None else (0, 0, 0)
    middle, low, high = (min(max(ways + far, 0), of * THOUSANDTHS) // halves for far in spread)
    return Figure(
        figure=kind.name, who=who, to=to, mutual=kind.mutual, done=sum(one.done for one in counts) // halves,
        of=of // halves, by_ways=middle, low=low, high=high,
        elsewhere=(sum(one.done for one in others), sum(one.of for one in others)), chance=chance,
    )  # fmt: skip


class _Beside(Struct):
    """[raises, decisions] of each of two: while the other is in the hand, while he is not; [raises, chances] against
    the other's raises."""

    inside: dict[str, list[int]]
    outside: dict[str, list[int]]
    again: dict[str, list[int]]


def _beside(tally: Tally, pairs: Iterable[Pair]) -> dict[Pair, _Beside]:
    found = {pair: _Beside(*({player: [0, 0] for player in pair} for _ in range(3))) for pair in pairs}
    for hand in tally.hands:
        players = hand.players
        for decision in hand.met.decisions:
            who, inside = players[decision.place], {players[place] for place in decision.beside}
            for other in players:
                pair = found.get((who, other) if who < other else (other, who)) if other != who else None
                if pair is not None:
                    _count(pair.inside if other in inside else pair.outside, who, done=decision.raised)
        for one in hand.met.responses:
            who, other = players[one.place], players[one.against]
            pair = found.get((who, other) if who < other else (other, who))
            if pair is not None and one.again:
                _count(pair.again, who, done=one.word == "raise")
    return found


def _count(where: dict[str, list[int]], who: str, *, done: bool) -> None:
    where[who][0] += done
    where[who][1] += 1


# --- the hands to look at first ---


def _looks(tally: Tally, pairs: Sequence[Pair]) -> dict[Pair, list[Look]]:
    """By pair: soft play that the judge found, then better hands folded, then the most chips that went as they went in
    all."""
    wanted = set(pairs)
    found: dict[Pair, list[Look]] = {}
    for hand in tally.hands:
        for pair, look in _in_hand(hand):
            if pair in wanted:
                found.setdefault(pair, []).append(look)
    for own in found.values():
        own.sort(
            key=lambda one: (
                not one.soft_play, not one.better_fold, tally.blinds[one.giver, one.taker] < 0, -one.blinds, one.round,
            )
        )  # fmt: skip
        del own[LOOK_AT:]
    return found


def _in_hand(hand: Played) -> Iterator[tuple[Pair, Look]]:
    players, met = hand.players, hand.met
    spared = [players[place] for place in met.spared]
    soft = {(players[met.last], other): players[met.last] for other in spared if players[met.last] in hand.sparers}
    folds: dict[Pair, str] = {}
    for at in sorted(met.better):
        one = met.responses[at]
        folds[players[one.place], players[one.against]] = players[one.place]
    flows = {(giver, taker): amount for giver, taker, amount in chips(hand)}
    for pair in sorted({(min(pair), max(pair)) for pair in (*flows, *soft, *folds)}):
        back = (pair[1], pair[0])
        giver, taker = pair if flows.get(pair, 0) >= 0 else back
        amount = flows.get((giver, taker), 0)
        blinds = in_blinds(hand, amount) if hand.big_blind else 0
        fold = folds.get(pair) or folds.get(back, "")
        spares = soft.get(pair) or soft.get(back, "")
        yield pair, Look(hand.address, giver, taker, amount, hand.currency, blinds, fold, spares)
