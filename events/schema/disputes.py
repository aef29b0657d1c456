"""Events of a dispute, from the complaint to its end, and of who looked at what (prefixes DS, AC); only Recoup writes
them.

Who acted stands in the envelope (`account`, `reason`). Amounts are minor units, signed: positive is owed to the player.
"""

from __future__ import annotations

from typing import ClassVar, Literal

from events.schema.common import Currency
from events.schema.event import Count, Event, Name, Text
from events.schema.ours import Digest, Ruling, Where

Channel = Literal["table", "desk", "letter", "phone", "e-mail", "surveillance", "compliance", "night"]
EvidenceKind = Literal["camera", "record", "statement", "document", "analysis", "authority"]
"""`analysis`: worked out by us, as a collusion file; `authority`: what the supervising authority said."""

Settled = Literal["paid", "received", "retained", "waived"]
"""What became of an amount: paid to the player, received from him, owed to him and kept back by the house, given up.
Money moves in the first two only."""


class DisputeOpened(Event, frozen=True):
    """Somebody complains, or the house itself asks. `rounds`: addresses, the disputed one first; `player`: whose chips
    it is about, if anybody's; `claim` in the claimant's words."""

    TOPIC: ClassVar[str] = "DS.DisputeOpened.v1"
    house: Name
    rounds: tuple[Where, ...]
    claim: Text
    channel: Channel = "table"
    player: Name | None = None


class EvidenceNoted(Event, frozen=True):
    """What was looked at. `ref`: camera, document or record; `clip` with `from_at` and `to_at`: where in it (RFC 3339);
    `hold`: decks, footage or machines that stay put away until the dispute is closed."""

    TOPIC: ClassVar[str] = "DS.EvidenceNoted.v1"
    kind: EvidenceKind
    ref: Text
    note: Text = ""
    clip: Text = ""
    from_at: Text = ""
    to_at: Text = ""
    hold: tuple[Name, ...] = ()
    sha256: Digest | None = None


class DisputeAdjudicated(Event, frozen=True):
    """What the judge says of the disputed rounds, bound to what he saw: round address → digest of the verdict by the
    facts alone, and the size of the log. `differences`: player → due less paid, minor units of the tables' currency;
    `foreign`: of stakes in another one, currency → player → minor units."""

    TOPIC: ClassVar[str] = "DS.DisputeAdjudicated.v1"
    verdicts: dict[str, Digest]
    tree_size: Count
    engine: Text
    differences: dict[str, int] = {}
    foreign: dict[str, dict[str, int]] = {}


class RulingProposed(Ruling, frozen=True):
    """A manager proposes a ruling; another one decides."""

    TOPIC: ClassVar[str] = "DS.RulingProposed.v1"
    rests_on: dict[str, Digest] = {}


class RulingApproved(Event, frozen=True):
    """A second manager agrees."""

    TOPIC: ClassVar[str] = "DS.RulingApproved.v1"
    ruling: Name


class RulingRejected(Event, frozen=True):
    """A second manager does not agree; the reason stands in the envelope."""

    TOPIC: ClassVar[str] = "DS.RulingRejected.v1"
    ruling: Name


class EffectSettled(Event, frozen=True):
    """Of what a dispute's rulings owe a player, or he owes, this much was dealt with. `amount`: minor units, signed;
    `currency`: if it is not the tables'."""

    TOPIC: ClassVar[str] = "DS.EffectSettled.v1"
    ruling: Name
    player: Name
    amount: int
    how: Settled
    slip: Name | None = None
    currency: Currency | None = None


class PlayersTold(Event, frozen=True):
    """The players concerned were told what was decided."""

    TOPIC: ClassVar[str] = "DS.PlayersTold.v1"
    players: tuple[Name, ...]
    how: Channel
    text: Text = ""


class DisputeClosed(Event, frozen=True):
    """Nothing more is to be done; what was held is released."""

    TOPIC: ClassVar[str] = "DS.DisputeClosed.v1"
    outcome: Literal["settled", "unfounded", "withdrawn", "passed_on"]


class DisputeReopened(Event, frozen=True):
    """It goes on: a new fact, an appeal, the authority."""

    TOPIC: ClassVar[str] = "DS.DisputeReopened.v1"


class Accessed(Event, frozen=True):
    """Somebody looked at what shows persons' data, or took it away: `what` was done, to what (`about`)."""

    TOPIC: ClassVar[str] = "AC.Accessed.v1"
    what: Literal["dispute", "export", "person", "ruling", "night", "collusion"]
    about: Where


DISPUTE_EVENTS: tuple[type[Event], ...] = (
    DisputeOpened, EvidenceNoted, DisputeAdjudicated, RulingProposed, RulingApproved, RulingRejected, EffectSettled,
    PlayersTold, DisputeClosed, DisputeReopened, Accessed,
)  # fmt: skip
