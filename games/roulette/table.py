"""What stands on the table: a session, its current spin, and the bets on the layout. Values only, nothing decides."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from events.schema.fact import Fact
from games.clocks import Clocks
from games.house_rules.edition import Edition
from games.roulette.layout import EVEN_CHANCES
from games.shared.wheel import Direction, bets
from games.shared.wheel.bets import Change

Turn = Literal["none", "cw", "ccw", "unknown"]
"""The last rotation of a wheel: none yet at this table, a direction, or one that was not recorded."""


class Limits(bets.Limits, frozen=True):
    """Posted limits, minor units; None: not posted. `by_type` holds those of single types of bet."""

    def of(self, kind: str) -> tuple[int | None, int | None]:
        """Minimum and maximum for a type of bet (`straight`, `red`); `even_chance` stands for all six of them."""
        by_type = "even_chance" if kind in EVEN_CHANCES and kind not in self.by_type else kind
        return super().of(by_type)

    @property
    def least(self) -> int | None:
        """The lowest minimum of the table (RL-A10)."""
        known = [low for low in (self.low, *(low for low, _high in self.by_type.values())) if low is not None]
        return min(known, default=None)


class Bet(bets.Bet, frozen=True, kw_only=True):
    """A bet as it was laid: an ordinary one has one piece, a call bet several.

    `rest`: what the chips handed over for a call bet exceed its chips by, to be given back (RL-A29). `holder`: to whom
    the bet's colour was registered then; `second`: the player held another colour. `limits`: in force when it was laid.
    `standing`: it won in an earlier spin and stayed (RL-33); it is then an ordinary bet, whatever it was.
    """

    limits: Limits
    call: str = ""
    rest: int = 0
    colour: str = ""
    unit_value: int = 0
    foreign: bool = False
    holder: str = ""
    second: bool = False

    @property
    def staked(self) -> int:
        """All chips that the bet brought to the layout, minor units."""
        return super().staked + self.rest


class Spin(Struct, frozen=True, kw_only=True):
    """One spin with all that was said about it, each kind in table order."""

    name: str
    standing: tuple[Bet, ...] = ()
    bets: tuple[Bet, ...] = ()
    changes: tuple[Change, ...] = ()
    calls: tuple[Fact, ...] = ()
    claims: tuple[Fact, ...] = ()
    opening: Fact | None = None
    closing: Fact | None = None
    started: Fact | None = None
    previous: Turn = "none"
    laps: Fact | None = None
    drop: Fact | None = None
    pockets: tuple[Fact, ...] = ()
    announced: Fact | None = None
    misspin: Fact | None = None
    incidents: tuple[Fact, ...] = ()
    advice: tuple[Fact, ...] = ()
    settles: tuple[Fact, ...] = ()
    call_settles: tuple[Fact, ...] = ()
    closed: Fact | None = None

    @property
    def layout(self) -> tuple[Bet, ...]:
        """Every bet of the spin: those that stayed from the spin before, then those laid for this one."""
        return self.standing + self.bets if self.standing else self.bets

    @property
    def over(self) -> bool:
        """The ball is down, or the spin was closed or called off: what has not been said will not be."""
        return self.drop is not None or self.closed is not None or self.misspin is not None


class Wheel(Struct, frozen=True):
    """The wheel at the table and the record that says so."""

    id: str
    order: tuple[int, ...]
    fact: Fact


class Holding(Struct, frozen=True, gc=False):
    """Colour chips that a player has, in hand or on the layout, as far as the record tells.

    Chips that a win was paid in are not recorded as such, so `count` is the least that he has. `unit_value`: minor
    units a chip; `worth`: what a chip is worth now, less than that once he has left them behind (RL-08). `since` orders
    a player's colours: the one he began with first has the lowest.
    """

    player: str
    colour: str
    unit_value: int
    count: int
    worth: int
    since: int = 0
    refused: bool = False


class Session(Struct, frozen=True, kw_only=True):
    """A roulette table from opening to close.

    `turns`: wheel → its last rotation. `between`: records since the last spin closed that belong to the next one.
    `elsewhere`: colour chips of other tables, as far as this one was told. `ended`, `left`: players who said they were
    done, and who walked away. `results`: the last numbers.
    """

    edition: Edition
    subject: str
    table: str
    limits: Limits
    clocks: Clocks
    rulings: tuple[Fact, ...] = ()
    wheel: Wheel | None = None
    turns: dict[str, Turn] = {}
    spin: Spin | None = None
    between: tuple[Fact, ...] = ()
    holdings: tuple[Holding, ...] = ()
    elsewhere: tuple[Holding, ...] = ()
    ended: frozenset[str] = frozenset()
    left: frozenset[str] = frozenset()
    seats: dict[int, str] = {}
    results: tuple[int, ...] = ()
    spins: int = 0
    closed: bool = False

    @property
    def turn(self) -> Turn:
        """The last rotation of the wheel now at the table."""
        return self.turns.get(self.wheel.id if self.wheel is not None else "", "none")

    def holding(self, player: str, colour: str) -> Holding | None:
        """What a player has of a colour."""
        for holding in self.holdings:
            if holding.player == player and holding.colour == colour:
                return holding
        return None


def as_turn(direction: Direction | None) -> Turn:
    """A recorded direction; one that is absent is unknown."""
    return direction if direction is not None else "unknown"
