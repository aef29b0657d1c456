"""What stands on the table: a session, its current game (one spin), and the bets on the layout. Values only."""

from __future__ import annotations

from msgspec import Struct

from events.schema.fact import Fact
from games.clocks import Clocks
from games.house_rules.edition import Edition
from games.shared.wheel import bets
from games.shared.wheel.bets import Change, Limits


class Bet(bets.Bet, frozen=True, kw_only=True):
    """A bet as it was laid. `limits`: posted when it was laid. `standing`: left from a cancelled game (MW-10), or won
    in an earlier one where the house leaves winning stakes lying (MW-A06)."""

    limits: Limits
    chip_kind: str | None = "value"


class Spin(Struct, frozen=True, kw_only=True):
    """One game with all that was said about it, each kind in table order.

    `offered`: the valid bets of the cancelled game before, each of which its player may leave for this one; `choices`:
    what players said about such bets, here and there, the first `answered` before this game's wheel stood and so about
    the game before. `settled_before`: what settled the game before.
    `reopened`: bets were invited again before this game was over; the next has it as `invited`.
    """

    name: str
    standing: tuple[Bet, ...] = ()
    offered: tuple[Bet, ...] = ()
    bets: tuple[Bet, ...] = ()
    changes: tuple[Change, ...] = ()
    choices: tuple[Fact, ...] = ()
    answered: int = 0
    claims: tuple[Fact, ...] = ()
    invited: Fact | None = None
    opening: Fact | None = None
    reopened: Fact | None = None
    closing: Fact | None = None
    spins: tuple[Fact, ...] = ()
    rotations: Fact | None = None
    stops: tuple[Fact, ...] = ()
    announced: Fact | None = None
    incidents: tuple[Fact, ...] = ()
    settles: tuple[Fact, ...] = ()
    closed: Fact | None = None
    settled_before: tuple[Fact, ...] = ()

    @property
    def started(self) -> Fact | None:
        """The first time that the wheel was set going."""
        return self.spins[0] if self.spins else None

    @property
    def layout(self) -> tuple[Bet, ...]:
        """Every bet that may be the game's; of those `offered` only some are (`stakes.layout_of`)."""
        return (*self.offered, *self.standing, *self.bets)

    @property
    def has_stopped(self) -> bool:
        """The wheel stands, or the croupier has said what it shows."""
        return bool(self.stops) or self.announced is not None


class Wheel(Struct, frozen=True):
    """The wheel at the table and the record that says so; `fields` empty if nobody listed them."""

    id: str
    fields: tuple[str, ...]
    fact: Fact


class Cloth(Struct, frozen=True):
    """The layout at the table: box → the ratio printed there."""

    printed: dict[str, int]
    fact: Fact


class Session(Struct, frozen=True, kw_only=True):
    """A table with a magic wheel from opening to close.

    `between`: records since the last game closed that belong to the next one. `results`: the last symbols.
    """

    edition: Edition
    subject: str
    table: str
    limits: Limits
    clocks: Clocks
    rulings: tuple[Fact, ...] = ()
    wheel: Wheel | None = None
    cloth: Cloth | None = None
    spin: Spin | None = None
    between: tuple[Fact, ...] = ()
    results: tuple[str, ...] = ()
    games: int = 0
    closed: bool = False
