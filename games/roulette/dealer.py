"""A scripted croupier: whole sessions at a busy table, the same for the same seed; one breach if asked.

He keeps the table with the room's own fold, spins as `expects` says and settles what it says is due. Two devices
speak: the terminal, and the wheel's sensor, whose clock is measured against the terminal's when the table opens.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from importlib import resources
from random import Random

from events.schema import common as tb
from events.schema.envelope import Envelope
from events.schema.event import Event
from events.schema.fact import Fact
from events.values.clock import parse_time
from games.clocks import Clocks
from games.house_rules.edition import Edition, read_edition
from games.protocol import Due
from games.roulette import events as rl
from games.roulette import misdeeds
from games.roulette.carry import left_behind
from games.roulette.expects import expects
from games.roulette.layout import CALLS, WHEEL, components, find_position
from games.roulette.payouts import analyse
from games.roulette.players import COLOURS, Player, new_name
from games.roulette.rules import RULES
from games.roulette.state import evolve, open_table
from games.roulette.table import Bet, Session
from games.scribe import Scribe
from games.shared.scripted import session_dealer
from games.shared.till import Said, Till
from games.shared.wheel import Direction, opposite

BREACHES: tuple[str, ...] = tuple(sorted(misdeeds.ALL))

TABLE = "brno/RL-03"
MIN, MAX = 5_000, 5_000_000
LIMITS = {"straight": (5_000, 500_000), "split": (5_000, 1_000_000), "even_chance": (20_000, 5_000_000)}
OPENER = 20_000_000
USUAL = (18_000_000, 5_000_000, 24_000_000, 4_000_000)
STACK = 20
"""Colour chips that a player buys at once."""


@lru_cache(maxsize=1)
def shipped_edition() -> Edition:
    """The edition of the plan of live games, by which this croupier works."""
    file = resources.files("games.roulette") / "editions" / "live-games-plan.toml"
    return read_edition(file.read_text(encoding="utf-8"), RULES.form)


class Plan:
    """What is to happen in one spin. A misdeed changes it; everything else is the croupier's good practice."""

    def __init__(self) -> None:
        self.number: int | None = None
        self.opening = True
        self.with_wheel = False
        self.not_alternated = False
        self.laps_tenths: int | None = None
        self.closing = "called"
        self.announced: int | None = None
        self.after_call: list[Callable[[], None]] = []
        self.unfounded = False
        self.settle: Callable[[Due], list[Event]] | None = None
        self.lay_out: Callable[[rl.CallBetSettled, int], list[Event]] | None = None
        self.after_round: list[Callable[[], None]] = []


class Croupier:
    """The table, the people at it, and what has been said so far."""

    def __init__(self, rng: Random, table: str, day: str, currency: str) -> None:
        self.rng = rng
        self.pen = Scribe(table, day)
        self.sensor = self.pen.source("wheel")
        self.said: list[Envelope] = []
        self.people: list[Player] = []
        self.bets = 0
        self.staff = [f"s-{number}" for number in rng.sample(range(10, 60), 4)]
        self.till = Till(self.pen.book, f"box-{rng.randrange(100, 999)}", OPENER, USUAL)
        opened = tb.TableOpened(
            "roulette", "RL", currency, min=MIN, max=MAX, limits=LIMITS, smallest_chip=MIN, seats=8,
            cameras=(f"{self.pen.table}/cam-1", f"{self.pen.table}/cam-2"),
        )  # fmt: skip
        self.session: Session = open_table(shipped_edition(), self._write(opened, 0, None), (), Clocks())

    def say(self, event: Event, after_s: float = 1.0, *, sensor: bool = False) -> None:
        """One record; the table then stands as the room's fold has it."""
        fact = self._write(event, after_s, self.sensor if sensor else None)
        self.session = evolve(self.session, fact)
        self.till.note(event)

    def _write(self, event: Event, after_s: float, source: str | None) -> Fact:
        envelope = self.pen.say(event, after_s, source=source)
        self.said.append(envelope)
        return Fact(
            subject=envelope.subject,
            source=envelope.source,
            sequence=int(envelope.sequence),
            topic=envelope.type,
            event=event,
            occurred_at=parse_time(envelope.time),
            round=envelope.round,
        )

    # Opening and closing

    def open(self) -> None:
        """Staff, wheel, clocks and the first players."""
        self.say(rl.WheelInstalled("w-7", WHEEL), 1)
        self.say(tb.ClockCompared(self.sensor, ahead_ms=0, error_ms=40), 1)
        self.say(tb.DealerSeated(self.staff[0]), 20)
        self.say(tb.InspectorSeated(self.staff[1]), 5)
        self._say_all(self.till.opening(*self.staff[:2]))
        for _ in range(self.rng.randrange(3, 6)):
            self.arrive()

    def close(self) -> None:
        """Everybody takes up his chips and changes them, float and cash are counted, the devices end."""
        for player in list(self.people):
            self.leave(player)
        self._say_all(self.till.closing(*self.staff[:2]))
        self.say(tb.DealerRelieved(self.staff[0]), 5)
        self.say(tb.InspectorRelieved(self.staff[1]), 1)
        self.say(tb.TableClosed(), 5)
        for source in self.pen.speakers:
            self.say(tb.SourceEnded(), 1, sensor=source == self.sensor)

    # People

    def arrive(self, *, colour: bool | None = None) -> Player:
        """A player sits down; most buy colour chips while there is a colour left."""
        free = [name for name in COLOURS if name not in {player.colour for player in self.people}]
        wants = colour if colour is not None else self.rng.random() < 0.7 or not self.people
        seats = [seat for seat in range(1, 9) if seat not in {player.seat for player in self.people}]
        name = new_name(self.rng, {player.name for player in self.people} | set(self.session.left))
        player = Player(name, seats[0], free[0] if wants and free else "", self.rng)
        self.people.append(player)
        self.say(tb.SeatTaken(player.seat, player.name), 8)
        if player.colour:
            self.buy(player, STACK)
        return player

    def buy(self, player: Player, chips: int) -> None:
        """Colour chips for value chips of the same value."""
        player.hand += chips
        self.say(tb.ColourChipsIssued(player.name, player.colour, player.unit, chips, player.unit * chips), 5)

    def leave(self, player: Player) -> None:
        """A player takes up what stands, changes his colour chips and goes."""
        for bet in left_behind(self.session).standing:
            if bet.player == player.name and bet.pieces:
                self.take_up(player, bet)
        if player.colour and player.hand:
            value = player.hand * player.unit
            self.say(tb.ColourChipsRedeemed(player.name, player.colour, player.unit, player.hand, value), 6)
        self.say(tb.PlayerEndedPlay(player.name), 1)
        self.say(tb.SeatLeft(player.seat, player.name), 3)
        self.say(tb.PlayerLeftTable(player.name), 1)
        self.people.remove(player)

    def take_up(self, player: Player, bet: Bet) -> None:
        """A standing bet goes back into the player's hand."""
        for piece in bet.pieces:
            self.say(rl.BetRemoved(bet.id, player.name, piece.amount, position=piece.position), 2)
        if bet.colour:
            player.hand += bet.staked // bet.unit_value

    def find(self, *, colour: bool) -> Player:
        """A player of colour chips, or of value chips; one comes if there is none."""
        known = [player for player in self.people if bool(player.colour) == colour]
        if not known and len(self.people) == 8:
            self.leave(self.people[-1])
        return self.rng.choice(known) if known else self.arrive(colour=colour)

    # Bets

    def bet(self, player: Player, position: str, chips: int, after_s: float = 1.5, **more: object) -> str:
        """Chips on a position; the bet's id."""
        self.bets += 1
        name = f"b{self.bets}"
        amount = chips * player.unit
        own = {"chip_kind": "colour", "colour": player.colour, "chips": chips, "unit_value": player.unit}
        if player.colour:
            if player.hand < chips:
                self.buy(player, max(STACK, chips))
            player.hand -= chips
        given = {**(own if player.colour else {}), **more}
        self.say(rl.BetPlaced(name, player.name, position, amount, **given), after_s)  # type: ignore[arg-type]
        return name

    def call_bet(
        self,
        player: Player,
        kind: str,
        *,
        number: int | None = None,
        parts: tuple[rl.PlacedComponent, ...] = (),
        late: bool = False,
    ) -> str:
        """A call bet, asked for and laid out, in value chips; its id."""
        self.bets += 1
        name = f"b{self.bets}"
        count = sum(part.chips for part in components(kind, number))
        unit, amount = player.unit, player.unit * count
        if not late:
            self.ask(player, kind, number, name)
        self.say(rl.CallBetPlaced(name, player.name, kind, amount, unit=unit, number=number, components=parts), 2.5)
        return name

    def ask(self, player: Player, kind: str, number: int | None, name: str) -> None:
        """The player's words, before the chips lie."""
        self.say(rl.CallBetAnnounced(player.name, kind, bet=name, number=number, unit=player.unit), 2)

    def fits(self, player: Player, position: str, amount: int) -> bool:
        """Whether the limits leave room for so much more of that player's on that position."""
        place = find_position(position)
        assert place is not None
        spin = self.session.spin
        lying = sum(
            piece.amount
            for bet in (spin.layout if spin is not None else ())
            if bet.player == player.name
            for piece in bet.pieces
            if piece.position == position
        )
        low, high = self.session.limits.of(place.type)
        return (low or 0) <= lying + amount <= (high or 0)

    def some_bets(self) -> None:
        """Everybody bets as he likes."""
        rng = self.rng
        for player in list(self.people):
            for _ in range(rng.choice((0, 1, 1, 2, 2, 3, 4))):
                position = player.position(rng)
                place = find_position(position)
                assert place is not None
                chips = player.chips(place.type, rng)
                if self.fits(player, position, chips * player.unit):
                    self.bet(player, position, chips, rng.choice((0.8, 1.2, 1.7)))
            if player.calls and rng.random() < 0.25:
                self.some_call_bet(player)

    def some_call_bet(self, player: Player) -> None:
        """A call bet, or one that is refused for lack of time."""
        kind = self.rng.choice((*CALLS, "neighbours"))
        number = self.rng.randrange(37) if kind == "neighbours" else None
        if self.rng.random() < 0.1:
            self.say(rl.CallBetAnnounced(player.name, kind, number=number, unit=player.unit), 2)
            self.say(rl.CallBetRefused(player.name, kind=kind, by=self.staff[0]), 1)
        elif all(self.fits(player, part.position, part.chips * player.unit) for part in components(kind, number)):
            self.call_bet(player, kind, number=number)

    def tidy(self) -> None:
        """Standing bets: some are taken up or moved before the spin."""
        spin = self.session.spin
        by_name = {player.name: player for player in self.people}
        for bet in spin.standing if spin is not None else ():
            player = by_name.get(bet.player)
            if player is None or len(bet.pieces) != 1:
                continue
            chance = self.rng.random()
            if chance < 0.3:
                self.take_up(player, bet)
            elif chance < 0.4:
                to = str(self.rng.randrange(37))
                if self.fits(player, to, bet.staked) and to != bet.pieces[0].position:
                    self.say(rl.BetMoved(bet.id, bet.pieces[0].position, to), 2)

    # The spin

    def play(self, name: str, breach: str | None) -> None:
        """One spin from the opening call to the close; `breach` is committed in it."""
        plan = Plan()
        self.pen.round = name
        self.say(tb.RoundOpened(), 6)
        misdeed = misdeeds.ALL[breach] if breach is not None else None
        if misdeed is not None:
            misdeed.before(self, plan)
        if plan.opening:
            self.say(rl.BetsOpened(by=self.staff[0]), 1)
        self.tidy()
        self.some_bets()
        if misdeed is not None:
            misdeed.during(self, plan)
        number = self.rng.randrange(37) if plan.number is None else plan.number
        self._spin(plan, number)
        self._settle(plan)
        self.say(tb.RoundClosed(), 4)
        self.pen.round = None
        for act in plan.after_round:
            act()

    def _spin(self, plan: Plan, number: int) -> None:
        direction = self._next_direction()
        if plan.not_alternated:
            direction = opposite(direction)
        ball = direction if plan.with_wheel else opposite(direction)
        self.say(rl.SpinStarted(direction, ball, croupier=self.staff[0]), 4, sensor=True)
        if self.people and self.rng.random() < 0.5:
            player = self.rng.choice(self.people)
            position = player.position(self.rng)
            if self.fits(player, position, 4 * player.unit):
                self.bet(player, position, 4, 2)
        if plan.closing == "called":
            self.say(tb.NoMoreBets(by=self.staff[0]), 5)
        for act in plan.after_call:
            act()
        laps = plan.laps_tenths if plan.laps_tenths is not None else self.rng.randrange(121, 230)
        self.say(rl.BallDropped(number, laps), self.rng.choice((6.3, 7.1, 8.4)), sensor=True)
        if plan.closing == "late":
            self.say(tb.NoMoreBets(by=self.staff[0]), 0.9)
        self.say(rl.NumberAnnounced(number if plan.announced is None else plan.announced, by=self.staff[0]), 1.5)

    def _next_direction(self) -> Direction:
        turn = self.session.turn
        if turn == "cw" or turn == "ccw":
            return opposite(turn)
        return "cw" if self.rng.random() < 0.5 else "ccw"

    def _settle(self, plan: Plan) -> None:
        analysis = analyse(self.session)
        if plan.unfounded:
            self.say(rl.MisspinDeclared("short_spin", by=self.staff[0]), 2)
            self._give_all_back()
            return
        if analysis.void:
            ground = next(mark.code for mark in analysis.marks if mark.kind == "void")
            self.say(rl.MisspinDeclared(ground, by=self.staff[0]), 2)
        expected = expects(self.session)
        if expected.phase == "ruling":
            self.say(tb.FloorCalled("the wheel", by=self.staff[1]), 5)
            return
        dues = expected.due
        moves = [event for due in dues if due.what == "take" for event in self._moved(plan, due)]
        moves += self._lay_out(plan)
        moves += [event for due in dues if due.what != "take" for event in self._moved(plan, due)]
        for event in moves:
            self._pay(event)

    def _moved(self, plan: Plan, due: Due) -> list[Event]:
        usual: list[Event] = [tb.ChipsMoved(due.frm, due.to, due.amount, due.cause, due.stake)]
        return plan.settle(due) if plan.settle is not None else usual

    def _lay_out(self, plan: Plan) -> list[Event]:
        """For each call bet that hit: chips of the set value on what won."""
        spin = self.session.spin
        assert spin is not None
        analysis = analyse(self.session)
        lines = {line.stake: line for line in analysis.settlement.lines}
        events: list[Event] = []
        for bet, pieces in zip(spin.layout, analysis.left, strict=False):
            if bet.call and pieces:
                winning = tuple(rl.PlacedComponent(own.position, own.amount // bet.unit_value) for own in pieces)
                line = lines[bet.id]
                settled = rl.CallBetSettled(bet.id, winning, line.paid, line.taken)
                events += plan.lay_out(settled, bet.unit_value) if plan.lay_out is not None else [settled]
        return events

    def _give_all_back(self) -> None:
        spin = self.session.spin
        assert spin is not None
        analysis = analyse(self.session)
        for line in analysis.settlement.lines:
            self._pay(tb.ChipsMoved(f"box/{line.stake}", f"player/{line.player}", line.staked, "return", line.stake))

    def _pay(self, event: Event) -> None:
        """A movement of the settlement; wins on colour chips are paid in them."""
        self.say(event, 1.2)
        spin = self.session.spin
        if spin is None or not isinstance(event, tb.ChipsMoved) or event.cause == "take":
            return
        bet = next((own for own in spin.layout if own.id == event.stake and own.colour), None)
        player = next((own for own in self.people if bet is not None and own.name == bet.player), None)
        if bet is not None and player is not None and not bet.foreign:
            player.hand += event.amount // bet.unit_value

    # Between spins

    def between(self, number: int) -> None:
        """Now and then somebody comes or goes, staff change, chips are brought."""
        rng = self.rng
        if rng.random() < 0.12 and len(self.people) > 3:
            self.leave(rng.choice(self.people))
        if rng.random() < 0.15 and len(self.people) < 7:
            self.arrive()
        if number and number % 20 == 0:
            self.say(tb.DealerRelieved(self.staff[0]), 3)
            self.staff = [*self.staff[1:], self.staff[0]]
            self.say(tb.DealerSeated(self.staff[0]), 10)
        self._say_all(self.till.carried())

    def _say_all(self, said: Iterable[Said]) -> None:
        for event, after_s in said:
            self.say(event, after_s)


def _turned_before(croupier: Croupier, breach: str) -> None:
    """A turn of the wheel before the first spin: else there is nothing to alternate with."""
    if breach == "RL-15":
        croupier.say(rl.SpinStarted("cw", "ccw", croupier=croupier.staff[0]), 20, sensor=True)


deal = session_dealer(Croupier, room="roulette", table=TABLE, breaches=misdeeds.ALL, before_first=_turned_before)
