"""Events of roulette (prefix RL): bets and what happens to them, the spin, claims.

Chips in and out of a bet are these events' own `MOVES` or the table's `ChipsMoved`: `win` float → player, `take`
box → float, `return` box → player, each with the bet as `stake`. The chips of a bet lie at `box/<bet>`, those of a
call bet's parts all at the call bet's. A winning stake stays there for the next spin under the same bet (RL-33).
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from msgspec import Meta, Struct

from events.schema.event import Amount, Count, Event, Move, Name, Text
from games.shared.wheel import Direction
from games.shared.wheel import events as wheel
from games.shared.wheel.events import PositionText

Number = Annotated[int, Meta(ge=0, le=36)]
"""A pocket. Another number cannot be read as one: the record is kept and folds as a hole (RL-01)."""

Centre = Annotated[int, Meta(ge=-999, le=999)]
"""The number whose neighbours a call bet names, as recorded; one that the wheel does not have is a finding (RL-24)."""

ChipKind = Literal["value", "colour"]


class BetsOpened(Event, frozen=True):
    """The opening call."""

    TOPIC: ClassVar[str] = "RL.BetsOpened.v1"
    by: Name | None = None


class BetPlaced(Event, frozen=True):
    """A chip, or a stack, came to rest on a position; one added to a stack is a bet of its own (RL-19).

    `bet`: its id, unique in the session. Without `chip_kind` they are value chips; `chip_table`: the table that issued
    them, this one if absent. `chips` of `unit_value` make the amount of a colour bet.
    """

    TOPIC: ClassVar[str] = "RL.BetPlaced.v1"
    MOVES: ClassVar[tuple[Move, ...]] = (Move("player/{player}", "box/{bet}", "amount", "stake", "{bet}"),)
    bet: Name
    player: Name
    position: PositionText
    amount: Amount
    chip_kind: ChipKind = "value"
    colour: Name | None = None
    chip_table: Name | None = None
    chips: Count | None = None
    unit_value: Amount | None = None
    placed_by: Literal["player", "croupier"] = "player"
    origin: Literal["new", "left_after_void"] = "new"


class BetMoved(wheel.BetMoved, frozen=True):
    """Chips of a bet were shifted (RL-20): all that lie at `from_position`, or `amount` of them.

    `restored`: they were put back at once; by staff that is no move.
    """

    TOPIC: ClassVar[str] = "RL.BetMoved.v1"


class BetRemoved(wheel.BetRemoved, frozen=True):
    """Chips of a bet were taken up again; `position` says where, if the bet lies on several.

    The movement is a stake's, backwards: it settles nothing.
    """

    TOPIC: ClassVar[str] = "RL.BetRemoved.v1"


class CallBetAnnounced(Event, frozen=True):
    """A player asks for a call bet: `tiers`, `neighbours` of a number. No bet exists yet (RL-12).

    `unit`: value of one of its chips, or `amount` for the whole; `bet`: the id that the bet will have, if known.
    """

    TOPIC: ClassVar[str] = "RL.CallBetAnnounced.v1"
    player: Name
    kind: Name
    bet: Name | None = None
    number: Centre | None = None
    reach: Count = 2
    unit: Amount | None = None
    amount: Amount | None = None


class PlacedComponent(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """Chips of a call bet on one position."""

    position: PositionText
    chips: Count


class CallBetPlaced(Event, frozen=True):
    """The croupier laid a call bet out; the time is that of placing.

    `amount`: chips handed over. `unit`: value of one chip; without it the amount is shared out (RL-A29). `components`:
    where they lie, if not as the kind says.
    """

    TOPIC: ClassVar[str] = "RL.CallBetPlaced.v1"
    MOVES: ClassVar[tuple[Move, ...]] = (Move("player/{player}", "box/{bet}", "amount", "stake", "{bet}"),)
    bet: Name
    player: Name
    kind: Name
    amount: Amount
    unit: Amount | None = None
    number: Centre | None = None
    reach: Count = 2
    components: tuple[PlacedComponent, ...] = ()
    chip_kind: ChipKind = "value"
    colour: Name | None = None
    chip_table: Name | None = None
    by: Name | None = None


class CallBetRefused(Event, frozen=True):
    """Croupier or inspector has no time for a call bet: there is none (RL-12)."""

    TOPIC: ClassVar[str] = "RL.CallBetRefused.v1"
    player: Name
    kind: Name | None = None
    bet: Name | None = None
    by: Name | None = None


class CallBetSettled(Event, frozen=True):
    """How the croupier settled a call bet: the positions that won, and the chips put on each (RL-39).

    `paid`, `taken`: minor units, as said; the chips themselves move by `ChipsMoved`.
    """

    TOPIC: ClassVar[str] = "RL.CallBetSettled.v1"
    bet: Name
    winning: tuple[PlacedComponent, ...]
    paid: Amount
    taken: Amount


class WheelInstalled(Event, frozen=True):
    """A wheel stands at the table; `order`: its pockets clockwise, from any.

    `last_direction`: of its last rotation before, if known (`roulette.alternation_resets_on_open`).
    """

    TOPIC: ClassVar[str] = "RL.WheelInstalled.v1"
    wheel: Name
    order: tuple[Number, ...]
    last_direction: Direction | None = None


class SpinStarted(Event, frozen=True):
    """The croupier set the wheel going and launched the ball; a direction that was not recorded is absent."""

    TOPIC: ClassVar[str] = "RL.SpinStarted.v1"
    wheel_direction: Direction | None = None
    ball_direction: Direction | None = None
    croupier: Name | None = None


class LapsCounted(Event, frozen=True):
    """Laps of the ball round the bowl, release to drop, in tenths; the last count of a spin holds (a video review)."""

    TOPIC: ClassVar[str] = "RL.LapsCounted.v1"
    laps_tenths: Count
    by: Literal["sensor", "video", "staff"] = "sensor"


class BallDropped(Event, frozen=True):
    """The ball fell; `pocket`: where it settled, absent if that was not recorded. `laps_tenths` as in `LapsCounted`."""

    TOPIC: ClassVar[str] = "RL.BallDropped.v1"
    pocket: Number | None = None
    laps_tenths: Count | None = None


class NumberAnnounced(Event, frozen=True):
    """The croupier's word; the pocket governs (RL-21)."""

    TOPIC: ClassVar[str] = "RL.NumberAnnounced.v1"
    number: Number
    by: Name | None = None


class MisspinDeclared(Event, frozen=True):
    """Staff called the spin off. `ground`: the finding it rests on (`short_spin`, …) or other words."""

    TOPIC: ClassVar[str] = "RL.MisspinDeclared.v1"
    ground: Name | None = None
    role: Name = "croupier"
    by: Name | None = None


class BallIncident(Event, frozen=True):
    """Something that the rules do not cover: the ball left the wheel, rests on a rim, a second ball (RL-A24)."""

    TOPIC: ClassVar[str] = "RL.BallIncident.v1"
    kind: Name
    note: Text = ""


class StaffAdvice(Event, frozen=True):
    """Somebody suspects that staff told a player how to bet; without a ruling it is noted only (RL-41)."""

    TOPIC: ClassVar[str] = "RL.StaffAdvice.v1"
    staff: Name
    player: Name
    suspected_by: Name | None = None


class ClaimRaised(wheel.ClaimRaised, frozen=True):
    """Players claim one bet, each as his (RL-A26); the envelope names the round of the bet."""

    TOPIC: ClassVar[str] = "RL.ClaimRaised.v1"


class ClaimResolved(wheel.ClaimResolved, frozen=True):
    """Whose bet it is, and who says so."""

    TOPIC: ClassVar[str] = "RL.ClaimResolved.v1"


class ChipsSwapped(Event, frozen=True):
    """The croupier replaced value chips by colour chips of the same value, in hand or (`bet`) on the layout.

    `value_chips_in`: null if that was not recorded.
    """

    TOPIC: ClassVar[str] = "RL.ChipsSwapped.v1"
    player: Name
    value_chips_in: Amount | None
    colour: Name
    unit_value: Amount
    count: Count
    bet: Name | None = None


class RedemptionRefused(Event, frozen=True):
    """A player asked for value chips against his colour chips and was refused (RL-07)."""

    TOPIC: ClassVar[str] = "RL.RedemptionRefused.v1"
    player: Name
    by: Name | None = None


EVENTS: tuple[type[Event], ...] = (
    BetsOpened, BetPlaced, BetMoved, BetRemoved, CallBetAnnounced, CallBetPlaced, CallBetRefused, CallBetSettled,
    WheelInstalled, SpinStarted, LapsCounted, BallDropped, NumberAnnounced, MisspinDeclared, BallIncident, StaffAdvice,
    ClaimRaised, ClaimResolved, ChipsSwapped, RedemptionRefused,
)  # fmt: skip
"""All of roulette's own."""
