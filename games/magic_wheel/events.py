"""Events of the magic wheel (prefix MW): bets, the spin, choices after a cancelled game, claims.

Chips in and out of a bet are these events' own `MOVES` or the table's `ChipsMoved`: `win` float → player, `take`
box → float, `return` box → player, each with the bet as `stake`. The chips of a bet lie at `box/<bet>`. A bet left for
the next game after a cancelled one stays there under the same name (MW-10).
"""

from __future__ import annotations

from typing import ClassVar, Literal

from events.schema.event import Amount, Count, Event, Move, Name, Text
from games.magic_wheel.symbols import Symbol
from games.shared.wheel import Direction
from games.shared.wheel import events as wheel
from games.shared.wheel.events import PositionText


class WheelInstalled(Event, frozen=True):
    """A wheel stands at the table (MW-01). `fields`: what its fields show, clockwise as seen from the front, from any;
    empty if nobody listed them."""

    TOPIC: ClassVar[str] = "MW.WheelInstalled.v1"
    wheel: Name
    fields: tuple[Name, ...] = ()


class LayoutFitted(Event, frozen=True):
    """A layout lies on the table. `printed`: box → the ratio that it shows, `3` for 3:1 (MW-02)."""

    TOPIC: ClassVar[str] = "MW.LayoutFitted.v1"
    printed: dict[Name, Count]


class BetsOpened(Event, frozen=True):
    """The opening call, "Vaše Sázky, prosím" (MW-07)."""

    TOPIC: ClassVar[str] = "MW.BetsOpened.v1"
    by: Name | None = None


class BetPlaced(Event, frozen=True):
    """A chip, or a stack, came to rest on a symbol; one added to a stack is a bet of its own.

    `bet`: its id, unique in the session; `position`: the symbol in whose box it lies; `chip_kind` null: not recorded,
    absent: value chips (MW-04). `chips`: denominations, minor units.
    """

    TOPIC: ClassVar[str] = "MW.BetPlaced.v1"
    MOVES: ClassVar[tuple[Move, ...]] = (Move("player/{player}", "box/{bet}", "amount", "stake", "{bet}"),)
    bet: Name
    player: Name
    position: PositionText
    amount: Amount
    chip_kind: Literal["value", "colour", "cash", "other"] | None = "value"
    chips: tuple[Amount, ...] = ()
    placed_by: Literal["player", "croupier"] = "player"


class BetMoved(wheel.BetMoved, frozen=True):
    """Chips of a bet were shifted to another symbol (MW-A07): all that lie there, or `amount` of them.

    `restored`: they were put back at once; by staff that is no move.
    """

    TOPIC: ClassVar[str] = "MW.BetMoved.v1"


class BetRemoved(wheel.BetRemoved, frozen=True):
    """Chips of a bet were taken up again (MW-A07). The movement is a stake's, backwards: it settles nothing."""

    TOPIC: ClassVar[str] = "MW.BetRemoved.v1"


class SpinStarted(Event, frozen=True):
    """The croupier set the wheel going; its direction is free (MW-09), and null if it was not recorded."""

    TOPIC: ClassVar[str] = "MW.SpinStarted.v1"
    direction: Direction | None = None
    croupier: Name | None = None


class RotationsCounted(Event, frozen=True):
    """Turns of the wheel past the pointer, release to standstill, in tenths; the last count of a game holds (a video
    review)."""

    TOPIC: ClassVar[str] = "MW.RotationsCounted.v1"
    turns_tenths: Count
    by: Literal["sensor", "video", "staff"] = "sensor"


class WheelStopped(Event, frozen=True):
    """The wheel stands completely still (MW-11). What was not recorded is absent.

    `field`: index of the stopped field in the wheel's list, from 0; `symbol`: what it shows. `on_pin`: the pointer
    rests on the pin behind `field`, clockwise (MW-12); then `pin_between`: the symbols on both sides, the one clockwise
    first in the list first; `previous_symbol`: the one that passed under the pointer last. `turns_tenths` as in
    `RotationsCounted`.
    """

    TOPIC: ClassVar[str] = "MW.WheelStopped.v1"
    symbol: Symbol | None = None
    turns_tenths: Count | None = None
    field: Count | None = None
    on_pin: bool = False
    pin_between: tuple[Symbol, ...] = ()
    previous_symbol: Symbol | None = None


class SymbolAnnounced(Event, frozen=True):
    """The croupier's word; the stopped field governs (MW-11)."""

    TOPIC: ClassVar[str] = "MW.SymbolAnnounced.v1"
    symbol: Symbol
    by: Name | None = None


class ChoiceMade(Event, frozen=True):
    """What a player does with a bet of a cancelled game: leaves it for the next, or has it paid back (MW-10).

    `amount`: what he leaves, if that was said; another amount than the bet's counts as paid back, and the new bet is a
    record of its own. The last choice before the next closing call holds.
    """

    TOPIC: ClassVar[str] = "MW.ChoiceMade.v1"
    bet: Name
    choice: Literal["leave", "refund"]
    amount: Amount | None = None


class ClaimRaised(wheel.ClaimRaised, frozen=True):
    """Players claim the win on one bet, each as his (MW-06); the envelope names the game of the bet."""

    TOPIC: ClassVar[str] = "MW.ClaimRaised.v1"


class ClaimResolved(wheel.ClaimResolved, frozen=True):
    """Whose bet it is, and who says so: the complaints procedure's outcome (MW-06)."""

    TOPIC: ClassVar[str] = "MW.ClaimResolved.v1"


class WheelIncident(Event, frozen=True):
    """Something that the rules do not cover: the wheel touched or stopped, the pointer broken, two spins (MW-A12)."""

    TOPIC: ClassVar[str] = "MW.WheelIncident.v1"
    kind: Name
    note: Text = ""


EVENTS: tuple[type[Event], ...] = (
    WheelInstalled, LayoutFitted, BetsOpened, BetPlaced, BetMoved, BetRemoved, SpinStarted, RotationsCounted,
    WheelStopped, SymbolAnnounced, ChoiceMade, ClaimRaised, ClaimResolved, WheelIncident,
)  # fmt: skip
"""All of the magic wheel's own."""
