"""The shuffle before a deal, as far as its steps were recorded."""

from __future__ import annotations

from msgspec import Struct

from events.schema.common import ShuffleStep
from games.shared.poker.hand import Hand


class Shuffle(Struct, frozen=True, gc=False):
    """The `steps` since the last `deal` began (hand and number of its misdeals; empty: before the first).

    `kept`: this table records how it shuffles, so that a shuffle without steps is a hole in the record.
    """

    deal: tuple[str, int] = ("", 0)
    steps: tuple[str, ...] = ()
    kept: bool = False


def _last_deal(hand: Hand | None, before: tuple[str, int]) -> tuple[str, int]:
    """The last deal that has begun; `before` while no card of this hand has been dealt."""
    if hand is None or not (hand.dealt or hand.misdeals):
        return before
    return hand.name, hand.misdeals - (not hand.dealt)


def shuffled(shuffle: Shuffle, event: ShuffleStep, hand: Hand | None) -> Shuffle:
    """One more step."""
    return Shuffle(_last_deal(hand, shuffle.deal), (*steps_before(shuffle, hand), event.step), True)


def steps_before(shuffle: Shuffle, hand: Hand | None) -> tuple[str, ...]:
    """The steps of the shuffle for the deal that comes next: since the last one began."""
    return shuffle.steps if _last_deal(hand, shuffle.deal) == shuffle.deal else ()


def carried(shuffle: Shuffle, last: Hand | None) -> Shuffle:
    """As the next hand begins after the `last`."""
    if not shuffle.kept:
        return shuffle
    return Shuffle(_last_deal(last, shuffle.deal), steps_before(shuffle, last), True)
