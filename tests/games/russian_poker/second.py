"""Hands and settlement a second time, straightforwardly and without the room's code, to compare with it."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise

RANKS = "23456789TJQKA"
ORDER = ("RF", "SF", "4K", "FH", "FL", "ST", "3K", "2P", "1P", "AK", "HC")
PAYS = {"RF": 100, "SF": 50, "4K": 20, "FH": 7, "FL": 5, "ST": 4, "3K": 3, "2P": 2, "1P": 1, "AK": 1, "HC": 0}
PRIZES = {"RF": 25_000, "SF": 12_500, "4K": 5_000, "FH": 1_750, "FL": 1_250, "ST": 1_000, "3K": 750}

Cards = tuple[str, ...]


def strength(five: Cards) -> tuple[int, tuple[int, ...]]:
    """Place of the category (0 the highest) and tie-breakers, negative so that a smaller tuple is the better hand."""
    ranks = sorted((RANKS.index(card[0]) for card in five), reverse=True)
    count = Counter(ranks)
    groups = sorted(count, key=lambda rank: (-count[rank], -rank))
    shape = sorted(count.values(), reverse=True)
    top = _straight(ranks)
    flush = len({card[1] for card in five}) == 1
    if flush and top is not None:
        return (0 if top == 12 else 1), (-top,)
    if shape[0] == 4:
        code = "4K"
    elif shape == [3, 2]:
        code = "FH"
    elif flush:
        code = "FL"
    elif top is not None:
        return ORDER.index("ST"), (-top,)
    elif shape[0] == 3:
        code = "3K"
    elif shape[:2] == [2, 2]:
        code = "2P"
    elif shape[0] == 2:
        code = "1P"
    else:
        code = "AK" if {12, 11} <= set(ranks) else "HC"
    return ORDER.index(code), tuple(-rank for rank in groups)


def _straight(ranks: list[int]) -> int | None:
    if ranks == [12, 3, 2, 1, 0]:
        return 3
    return ranks[0] if all(one - other == 1 for one, other in pairwise(ranks)) else None


def code_of_core(cards: Cards) -> str | None:
    """The combination of which these cards, all of them, are the core; None if of none."""
    ranks = [card[0] for card in cards]
    shape = sorted(Counter(ranks).values())
    if len(cards) == 2:
        return "1P" if shape == [2] else "AK" if set(ranks) == {"A", "K"} else None
    if len(cards) == 3:
        return "3K" if shape == [3] else None
    if len(cards) == 4:
        return "4K" if shape == [4] else "2P" if shape == [2, 2] else None
    place, _rest = strength(cards)
    code = ORDER[place]
    return code if code in ("RF", "SF", "FH", "FL", "ST") else None


def read(cards: Cards) -> tuple[str, str | None]:
    """Primary and second combination, by RP-32 to the letter."""
    best = min(combinations(cards, 5), key=strength)
    primary = ORDER[strength(best)[0]]
    core: set[str] = set()
    if primary != "HC":
        core = next(
            set(own) for size in range(5, 1, -1) for own in combinations(best, size) if code_of_core(own) == primary
        )
    found = [
        code
        for size in range(2, 6)
        for own in combinations(cards, size)
        if not set(own) <= core and (code := code_of_core(own)) is not None
    ]
    return primary, min(found, key=ORDER.index, default=None) if primary != "HC" else None


def settled(
    cards: Cards, dealer: Cards, new: Cards | None, stakes: dict[str, int], first: Cards, *, most: int
) -> dict[str, tuple[int, int]]:
    """Spot → (taken, paid) of a box that bet, whole units; `new`: the dealer's cards after the box gave its ante up."""
    ante, bet = stakes["ante"], stakes["bet"]
    qualifies = ORDER[strength(dealer)[0]] != "HC"
    lines = {"fee": (stakes.get("fee", 0), 0), "insurance": (0, 0), "bonus": (0, 0)}
    if stakes.get("insurance"):
        lines["insurance"] = (stakes["insurance"], 0) if qualifies else (0, stakes["insurance"])
    if stakes.get("bonus"):
        lines["bonus"] = (stakes["bonus"], PRIZES.get(ORDER[strength(first)[0]], 0))
    against = dealer if new is None or qualifies else new
    if ORDER[strength(against)[0]] == "HC":
        lines["ante"] = (0, ante) if new is None else (ante, 0)
        lines["bet"] = (0, 0)
        return lines
    own, theirs = min(strength(five) for five in combinations(cards, 5)), strength(against)
    primary, second = read(cards)
    won = (PAYS[primary] + (PAYS[second] if second is not None else 0)) * bet
    lines["bet"] = (0, min(won, most)) if own < theirs else (0, 0) if own == theirs else (bet, 0)
    gone = new is not None and not qualifies
    lines["ante"] = (ante, 0) if gone or own > theirs else (0, 0)
    return lines
