"""Events of conduct at a poker table (prefix PK): objections, reports, penalties."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from events.schema.event import Count, Event, Name, Seat, Text


class ObjectionRaised(Event, frozen=True):
    """A player says that something is wrong: the award, the button, a bet.

    `hand`: the name of the hand that he objects to, if it is another than the one being played.
    """

    TOPIC: ClassVar[str] = "PK.ObjectionRaised.v1"
    what: Text
    seat: Seat | None = None
    player: Name | None = None
    hand: Name | None = None


Conduct = Literal[
    "talk", "advice", "comment", "language", "insult", "soft_play", "collusion", "cards_hidden", "chips_hidden",
    "cards_thrown", "one_player_one_hand", "dishonesty", "delay", "device", "splash", "other",
]  # fmt: skip


class ConductReported(Event, frozen=True):
    """Somebody reports how a player behaved: talk during a hand, advice, another language, cards out of sight, …"""

    TOPIC: ClassVar[str] = "PK.ConductReported.v1"
    what: Conduct
    player: Name
    seat: Seat | None = None
    by: Name | None = None
    language: Annotated[str, Meta(pattern="^([a-z]{2}|)$")] = ""
    text: Text = ""


class PenaltyGiven(Event, frozen=True):
    """A sanction on a player: a warning, a sit-out for hands or minutes, removal from the game; or he may not raise
    any more in the hand being played (`no_raise`)."""

    TOPIC: ClassVar[str] = "PK.PenaltyGiven.v1"
    player: Name
    penalty: Literal["warning", "sit_out", "expulsion", "no_raise"]
    seat: Seat | None = None
    hands: Count | None = None
    minutes: Count | None = None
    role: Literal["dealer", "floorman", "management"] | None = None
    by: Name | None = None
    why: Text = ""


class PenaltyEnded(Event, frozen=True):
    """The sanction is over."""

    TOPIC: ClassVar[str] = "PK.PenaltyEnded.v1"
    player: Name
    seat: Seat | None = None
