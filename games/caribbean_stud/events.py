"""Events of Caribbean stud: those of every card game against the bank, and one of its own (prefix CS).

Spots of a box: `ante`, `bonus`, `fee` (the price of an exchange), `bet`. Choices: `exchange` with the card given away
in `discards`, `bet`, `fold`. The card that takes its place is a `CardLaid` to the box behind the `CardBurned`.
"""

from __future__ import annotations

from typing import ClassVar

from events.schema.event import Count, Event, Name
from games.shared.bank.events import BANK_EVENTS

ANTE, BONUS, FEE, BET = "ante", "bonus", "fee", "bet"
SPOTS = (ANTE, BONUS, FEE, BET)

EXCHANGE, FOLD = "exchange", "fold"
WORDS = (EXCHANGE, BET, FOLD)
"""All that is said for a box; any other word is no decision."""


class TimeCalled(Event, frozen=True):
    """Somebody calls time on a box that does not decide (`cs.time.limit_s`, C20)."""

    TOPIC: ClassVar[str] = "CS.TimeCalled.v1"
    box: Count
    by: Name | None = None


EVENTS: tuple[type[Event], ...] = (*BANK_EVENTS, TimeCalled)
"""All that is recorded of this game beside the common table events."""
