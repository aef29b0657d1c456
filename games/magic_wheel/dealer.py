"""A scripted croupier: whole sessions at a magic wheel, the same for the same seed; one breach if asked.

He keeps the table with the room's own fold and settles what `expects` says is due.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from importlib import resources
from random import Random
from typing import Any

from events.schema import common as tb
from games.house_rules.edition import Edition, read_edition
from games.magic_wheel import events as mw
from games.magic_wheel import misdeeds
from games.magic_wheel.expects import expects
from games.magic_wheel.payouts import analyse
from games.magic_wheel.rules import RULES
from games.magic_wheel.state import evolve, open_table
from games.magic_wheel.symbols import BOXES, NAMED, Symbol
from games.magic_wheel.table import Session
from games.protocol import Due
from games.shared.bank import croupier as bank
from games.shared.bank.croupier import Change, new_player
from games.shared.scripted import session_dealer
from games.shared.wheel import DIRECTIONS

BREACHES: tuple[str, ...] = tuple(sorted(misdeeds.ALL))

TABLE = "brno/MW-01"
MIN, MAX = 5_000, 1_000_000
SEATS = 7
CHIPS = (5_000, 10_000, 20_000, 50_000)
APPETITE = (30, 20, 16, 12, 12, 10)
"""How readily players bet on each box, in the layout's order."""

WHEEL: tuple[Symbol, ...] = (
    "cherries", "bell", "grapes", "cherries", "melon", "bell", "cherries", "x", "grapes", "cherries", "star", "bell",
    "cherries", "grapes", "x", "cherries", "bell", "melon", "cherries", "seven", "x", "grapes", "bell", "cherries",
    "star", "x", "grapes", "bell", "cherries", "melon",
)  # fmt: skip
"""The fields of this croupier's wheel, clockwise; the source gives no order (MW-A01)."""


@lru_cache(maxsize=1)
def shipped_edition() -> Edition:
    """The edition of the plan of live games, by which this croupier works."""
    file = resources.files("games.magic_wheel") / "editions" / "live-games-plan.toml"
    return read_edition(file.read_text(encoding="utf-8"), RULES.form)


class Plan:
    """What is to happen in one game. A misdeed changes it; everything else is the croupier's good practice."""

    def __init__(self) -> None:
        self.field: int | None = None
        self.on_pin = False
        self.turns_tenths: int | None = None
        self.opening = True
        self.closing = "called"
        self.announced: Symbol | None = None
        self.wrong_side = False
        self.after_call: list[Callable[[], None]] = []
        self.after_stop: list[Callable[[], None]] = []
        self.settle: Change | None = None
        self.overlaps = False
        self.after_game: list[Callable[[], None]] = []


class Croupier(bank.Croupier[Session]):
    """The table, the people at it, and what has been said so far."""

    def __init__(self, rng: Random, table: str, day: str, currency: str) -> None:
        opened = tb.TableOpened(
            "magic_wheel", "MW", currency, min=MIN, max=MAX, smallest_chip=MIN, seats=SEATS,
            cameras=(f"{table}/cam-1", f"{table}/cam-2"),
        )  # fmt: skip
        super().__init__(rng, opened, shipped_edition(), open_table, evolve, table=table, day=day)
        self.people: dict[str, int] = {}

    def open(self) -> None:
        """Wheel, layout, staff and the first players."""
        self.say(mw.WheelInstalled("w-1", WHEEL), 1)
        self.say(mw.LayoutFitted(dict(shipped_edition().constants.pays)), 1)
        super().open()
        for _ in range(self.rng.randrange(2, 6)):
            self.arrive()

    def close(self) -> None:
        """What was left for a next game goes back, everybody leaves, the table closes."""
        for line in analyse(self.session).settlement.lines:
            if line.stands:
                self.say(mw.ChoiceMade(line.stake, "refund"), 3)
                self.say(tb.ChipsMoved(f"box/{line.stake}", f"player/{line.player}", line.stands, "return", line.stake))
        for name in list(self.people):
            self.leave(name)
        super().close()

    def arrive(self) -> str:
        """A player takes a seat."""
        name = new_player(self.rng, self.people)
        seat = next(seat for seat in range(1, SEATS + 1) if seat not in self.people.values())
        self.people[name] = seat
        self.say(tb.SeatTaken(seat, name), 8)
        self.say(tb.BuyIn(name, 100 * MIN), 0)
        return name

    def leave(self, name: str) -> None:
        """A player goes."""
        self.say(tb.PlayerEndedPlay(name), 1)
        self.say(tb.SeatLeft(self.people.pop(name), name), 3)
        self.say(tb.PlayerLeftTable(name), 1)

    def between(self, number: int) -> None:
        """Now and then somebody comes or goes, staff change, chips are brought."""
        if self.rng.random() < 0.12 and len(self.people) > 2:
            self.leave(self.rng.choice(list(self.people)))
        if self.rng.random() < 0.15 and len(self.people) < SEATS:
            self.arrive()
        if number and number % 20 == 0:
            self.relieve()
        self.keep_the_float()

    # Bets

    def bet(self, player: str, box: str, amount: int, after_s: float = 1.5, **more: Any) -> str:
        """Chips in a box; the bet's id."""
        name = self.stake_name()
        self.say(mw.BetPlaced(name, player, box, amount, **more), after_s)
        return name

    def someone(self, box: str = "") -> str:
        """A player, one who has nothing in that box if it is named."""
        spin = self.session.spin
        there = {bet.player for bet in (spin.layout if spin is not None else ()) for piece in bet.pieces
                 if piece.position == box}  # fmt: skip
        free = [name for name in self.people if name not in there]
        if not free and len(self.people) == SEATS:
            self.leave(next(iter(self.people)))
        return self.rng.choice(free) if free else self.arrive()

    def some_bets(self) -> None:
        """Everybody bets as he likes, never beyond the limits; somebody changes his mind."""
        rng, lying = self.rng, dict[tuple[str, str], int]()
        for player in list(self.people):
            for box in rng.choices(BOXES, APPETITE, k=rng.choice((0, 1, 1, 2, 2, 3))):
                amount = rng.choice(CHIPS) * rng.choice((1, 1, 2, 4))
                if lying.get((player, box), 0) + amount <= MAX:
                    lying[player, box] = lying.get((player, box), 0) + amount
                    self._maybe_changed(self.bet(player, box, amount, rng.choice((0.8, 1.2, 1.7))), player, box, lying)

    def _maybe_changed(self, bet: str, player: str, box: str, lying: dict[tuple[str, str], int]) -> None:
        chance, alone = self.rng.random(), lying[player, box]
        spin = self.session.spin
        amount = spin.bets[-1].staked if spin is not None else 0
        if alone != amount or chance > 0.1:
            return
        del lying[player, box]
        if chance < 0.05:
            self.say(mw.BetRemoved(bet, player, amount), 2)
            return
        to = self.rng.choice([other for other in BOXES if (player, other) not in lying])
        lying[player, to] = amount
        self.say(mw.BetMoved(bet, box, to), 2)

    # A game

    def play(self, name: str, breach: str | None) -> None:
        """One game from the opening call to the close; `breach` is committed in it."""
        plan = Plan()
        self.pen.round = name
        self.say(tb.RoundOpened(), 6)
        misdeed = misdeeds.ALL[breach] if breach is not None else None
        if misdeed is not None:
            misdeed.before(self, plan)
        if plan.opening:
            self.say(mw.BetsOpened(by=self.staff[0]), 1)
        self.some_bets()
        if misdeed is not None:
            misdeed.during(self, plan)
        self._spin(plan)
        self._settle(plan)
        self.say(tb.RoundClosed(), 4)
        self.pen.round = None
        for act in plan.after_game:
            act()

    def _spin(self, plan: Plan) -> None:
        rng = self.rng
        if plan.closing == "called":
            self.say(tb.NoMoreBets(by=self.staff[0]), 5)
        for act in plan.after_call:
            act()
        direction = rng.choice(DIRECTIONS)
        self.say(mw.SpinStarted(direction, croupier=self.staff[0]), 2)
        if plan.closing == "late":
            self.say(tb.NoMoreBets(by=self.staff[0]), 2)
        field = rng.randrange(len(WHEEL)) if plan.field is None else plan.field
        turns = plan.turns_tenths if plan.turns_tenths is not None else rng.randrange(55, 120)
        on_pin = plan.on_pin or (plan.field is None and rng.random() < 0.05)
        sides = (WHEEL[field], WHEEL[(field + 1) % len(WHEEL)])
        stopped = (
            mw.WheelStopped(turns_tenths=turns, field=field, on_pin=True, pin_between=sides)
            if on_pin
            else mw.WheelStopped(WHEEL[field], turns, field)
        )
        self.say(stopped, rng.choice((9.5, 11.0, 13.2)))
        symbol = NAMED.get(analyse(self.session).symbol or "")
        said = next(side for side in sides if side != symbol) if plan.wrong_side else plan.announced or symbol
        if said is not None:
            self.say(mw.SymbolAnnounced(said, by=self.staff[0]), 1.5)
        for act in plan.after_stop:
            act()

    def _settle(self, plan: Plan) -> None:
        expected = expects(self.session)
        if expected.phase == "ruling":
            self.say(tb.FloorCalled(expected.note, by=self.staff[1]), 5)
            return
        if expected.phase == "cancelled":
            for bet in analyse(self.session).offered:
                self.say(mw.ChoiceMade(bet.id, self.rng.choice(("leave", "refund"))), 3)
            expected = expects(self.session)
        takes = [due for due in expected.due if due.what == "take"]
        dues = [*takes, *(due for due in expected.due if due.what != "take")]
        if plan.overlaps:
            self._keep_the_last(dues)
        else:
            self.settle(dues, plan.settle)

    def _keep_the_last(self, dues: list[Due]) -> None:
        """One payment waits until bets are invited again."""
        self.settle(dues[:-1])
        self.say(mw.BetsOpened(by=self.staff[0]), 3)
        self.settle(dues[-1:])


deal = session_dealer(Croupier, room="magic_wheel", table=TABLE, breaches=misdeeds.ALL)
