"""What is said of bets at every table with a wheel and a layout: the forms; each room gives them topics of its own."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from events.schema.event import Amount, Event, Move, Name

PositionText = Annotated[str, Meta(min_length=1, max_length=64)]
"""A place of the layout, as recorded; one that the layout does not have is a finding."""


class BetMoved(Event, frozen=True):
    """Chips of a bet were shifted: all that lie at `from_position`, or `amount` of them.

    `restored`: they were put back at once; by staff that is no move.
    """

    bet: Name
    from_position: PositionText
    to_position: PositionText
    amount: Amount | None = None
    by: Literal["player", "staff"] = "player"
    restored: bool = False


class BetRemoved(Event, frozen=True):
    """Chips of a bet were taken up again; `position` says where, if the bet lies on several.

    The movement is a stake's, backwards: it settles nothing.
    """

    MOVES: ClassVar[tuple[Move, ...]] = (Move("box/{bet}", "player/{player}", "amount", "stake", "{bet}"),)
    bet: Name
    player: Name
    amount: Amount
    position: PositionText | None = None
    by: Literal["player", "staff"] = "player"


class ClaimRaised(Event, frozen=True):
    """Players claim one bet, each as his; the envelope names the round of the bet."""

    bet: Name
    players: tuple[Name, ...]


class ClaimResolved(Event, frozen=True):
    """Whose bet it is, and who says so."""

    bet: Name
    player: Name
    decided_by: Name | None = None
