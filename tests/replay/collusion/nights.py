"""Hands as the tally gets them, drawn without cards: many honest nights of players who differ, in little time."""

from __future__ import annotations

from random import Random
from typing import Literal

from games.shared.poker.meetings import Alone, Decision, Meetings, Response
from replay.collusion.reading import Played, Reading


def night(seed: int, hands: int, *, players: int = 6, soft: tuple[str, str] = ("", "")) -> Reading:
    """One table's night. Each player has ways of his own; `soft`: these two never raise each other, and let go to each
    other twice as often."""
    rng = Random(f"night {seed}")
    names = [f"p-{number}" for number in range(1, players + 1)]
    ways = {name: (rng.uniform(0.05, 0.3), rng.uniform(0.2, 0.6)) for name in names}
    return Reading([_hand(rng, number, names, ways, set(soft)) for number in range(hands)], [], {})


def _hand(rng: Random, number: int, names: list[str], ways: dict[str, tuple[float, float]], soft: set[str]) -> Played:
    responses, decisions = [], []
    stakes = [0] * len(names)
    left = list(range(len(names)))
    for street in ("preflop", "later"):
        bettor = rng.choice(left)
        size = rng.choice((3, 5, 8, 20)) * 1000
        stakes[bettor] += size
        decisions.append(Decision(bettor, street, True, tuple(one for one in left if one != bettor)))
        for place in [one for one in left if one != bettor]:
            raises, folds = ways[names[place]]
            if {names[place], names[bettor]} == soft:
                raises, folds = 0.0, min(2 * folds, 0.95)
            drawn = rng.random()
            word: Literal["raise", "fold", "call"] = (
                "raise" if drawn < raises else "fold" if drawn < raises + (1 - raises) * folds else "call"
            )
            paid = street == "later"
            responses.append(Response(place, bettor, street, word, False, paid, True, ()))
            decisions.append(Decision(place, street, word == "raise", (bettor,)))
            if word == "fold":
                left.remove(place)
            else:
                stakes[place] += size
    winner = rng.choice(left)
    chips = {
        (min(place, winner), max(place, winner)): stakes[place] if place < winner else -stakes[place]
        for place in range(len(names))
        if place != winner and stakes[place]
    }
    alone = (Alone((left[0], left[1]), rng.random() < 0.5),) if len(left) == 2 else ()
    met = Meetings(
        tuple(responses), tuple(decisions), alone, frozenset(), frozenset(), frozenset(), frozenset(), -1, ()
    )
    return Played(
        address=f"table/brno/NL-1/2026-11-28.1#{number}", table="table/brno/NL-1/2026-11-28.1", at=number,
        players=tuple(names), currency="CZK", big_blind=1000, chips=chips, met=met, sparers=frozenset(), looked=True,
    )  # fmt: skip
