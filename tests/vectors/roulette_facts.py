"""From the catalogue's words to a table's events: what a vector leaves out is added in its simplest lawful form.

Times of a vector are seconds, anew in each spin. A time that is null was not recorded: the record is then another
device's, whose clock cannot be compared with the table's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Any, Literal

from events.schema import common as tb
from events.schema.envelope import Envelope
from events.schema.event import Event
from events.schema.ours import RulingApplied
from games.roulette import events as rl
from games.roulette.bets import share
from games.roulette.layout import EVEN_CHANCES, WHEEL, Component, canonical, components, find_position
from games.scribe import Scribe
from games.shared.wheel import opposite
from tests.vectors.roulette_words import Given

OPENING_S, SPIN_S = 10, 1000
WHEEL_DEVICE, BET_DEVICE = "surveillance", "pit"
"""Whose records a drop, and a bet, a move or a settlement, are that have no time on the table's clock."""

UNKNOWN_S, UNKNOWN_MS = 30, 10**9
"""When something happened of which no time is known, and by how much its clock may be wrong."""

Said = tuple[float, Event, str | None]
"""When, what, and by which device (None: the table's own)."""

BEFORE = "0"
"""The round that the runner adds before a vector's first spin."""


class Table:
    """One vector's session as its devices would write it."""

    def __init__(self, base: Given) -> None:
        self.base = base
        self.name = str(base.get("table", "R1"))
        self.pen = Scribe(f"vectors/{self.name}", "2026-11-28")
        self.start_ms = self.pen.at_ms
        self.envelopes: list[Envelope] = []
        self.limits = limits_of(base)
        low, high, by_type = self.limits
        self._say(0, tb.TableOpened("roulette", "RL", "CZK", min=low, max=high, limits=by_type))
        self._say(0, rl.WheelInstalled("w1", tuple(base.get("wheel_order", WHEEL))))
        for number, seat in enumerate(base.get("seats") or (), 1):
            self._say(1, tb.SeatTaken(seat_of(seat, number), seat["person"], seat.get("is_player", True)))
        self.spins = 0
        self.boxes: dict[str, Box] = {}
        self.bets: dict[str, Given] = {}
        self.ids: dict[str, str] = {}
        self.rulings: list[RulingApplied] = []

    def _new_id(self, bet: str, spin: str) -> str:
        """A bet's id as the table knows it: one that an earlier spin's bet has already is told apart."""
        self.ids[bet] = bet if bet not in self.bets else f"{bet}.{spin}"
        return self.ids[bet]

    def before(self, direction: str | None, config: Given) -> None:
        """A spin without bets, lawful by the vector's parameters, so that the next has a rotation to alternate with."""
        if direction is None:
            return
        turned: Any = direction if direction in ("cw", "ccw") else None
        lead_s = max(10, 1 + (config.get("roulette.nmb_min_lead_ms") or 0) / 1000)
        spin = {
            "wheel_dir": turned,
            "ball_dir": opposite(turned) if turned else None,
            "revs": max(14, config.get("roulette.min_ball_revolutions") or 0),
            "nmb_at": 30,
            "drop_at": 30 + lead_s,
            "settled_at": 50 + lead_s,
            "win": 0,
        }
        self._spin(spin, {}, BEFORE)

    def play(self, spin: Given, own: Given) -> None:
        """A spin of the vector."""
        self.spins += 1
        self.rule(own.get("rulings") or (), [str(self.spins)])
        self._spin(spin, own, str(self.spins))

    def rule(self, rulings: Iterable[Given], spins: list[str]) -> None:
        """Rulings; `spins` are those that one names which does not say."""
        self.rulings += [ruling_of(number, given, spins) for number, given in enumerate(rulings, len(self.rulings) + 1)]

    def outside_spins(self, events: Iterable[Event]) -> None:
        """Records that belong to no spin, ten seconds apart."""
        for number, event in enumerate(events, 1):
            self._say(OPENING_S * number, event)

    def _spin(self, spin: Given, own: Given, name: str) -> None:
        self.pen.round = name
        start = OPENING_S * 10 + SPIN_S * int(name)
        limits = limits_of({**self.base, **spin})
        said: list[Said] = []
        if limits != self.limits:
            self.limits = limits
            low, high, by_type = limits
            said.append((0, tb.LimitsChanged(min=low, max=high, limits=by_type), None))
        said += [_issue(issue, self.name, limits[0]) for issue in own.get("colours") or ()]
        said += _course({**own, **spin, "wheel_clock": self.pen.source(WHEEL_DEVICE)})
        unknown_at = spin.get("nmb_at") or spin.get("drop_at") or UNKNOWN_S
        for given in own.get("bets", ()):
            bet = {**given, "id": self._new_id(given["id"], name)}
            said += _bet(bet, self.name, unknown_at)
            self.boxes[bet["id"]] = box_of(bet)
            self.bets[bet["id"]] = bet
        settled = spin.get("settled_at")
        moves = [(unknown_at if move.get("at") is None else move["at"], move) for move in own.get("moves", ())]
        moves.sort(key=lambda entry: entry[0])
        free = [entry for entry in moves if settled is not None and entry[0] >= settled]
        said += [self._moved(at, move) for at, move in moves if (at, move) not in free]
        said += _word(own)
        said += self._settlement(own.get("recorded") or {}, spin)
        said += [self._moved(at, move) for at, move in free]  # RL-33: after settlement, though it be the same instant
        said.sort(key=lambda entry: entry[0])
        self._say(start, tb.RoundOpened())
        for at, event, device in said:
            self._say(start + at, event, device)
        self.pen.round = None

    def _moved(self, at: float, move: Given) -> Said:
        bet = self.ids[str(move["bet"])]
        return at, _move(move, self.bets[bet], self.boxes[bet]), BET_DEVICE if move.get("at") is None else None

    def _settlement(self, record: Given, spin: Given) -> Iterator[Said]:
        """Chips first, so that the close is behind them; a close without chips says that all was settled.

        Where nobody wrote down when, another device shows the chips and nothing says that it was all.
        """
        settled, device = spin.get("settled_at"), None
        if settled is None:
            settled, device = (spin.get("drop_at") or UNKNOWN_S) + 20, BET_DEVICE
        numbers = (spin.get("announced", spin.get("win")), spin.get("win"))
        for bet, net in record.items():
            for event in self.boxes[self.ids[bet]].settled(self.ids[bet], net, numbers):
                yield settled, event, device
        if device is None:
            yield settled, tb.RoundClosed(), None

    def _say(self, at_s: float, event: Event, device: str | None = None) -> None:
        source = self.pen.source(device) if device else None
        self.envelopes.append(self.pen.say(event, source=source, at_ms=self.start_ms + round(at_s * 1000)))

    def close(self) -> None:
        """Every device says that it has nothing more to say."""
        at = OPENING_S * 10 + SPIN_S * (self.spins + 2)
        self._say(at, tb.TableClosed())
        for source in self.pen.speakers:
            self.envelopes.append(self.pen.say(tb.SourceEnded(), source=source, at_ms=self.start_ms + at * 1000))


def _issue(issue: Given, table: str, low: int | None) -> Said:
    unit, count = issue.get("unit_value", low or 1), issue.get("count", 100)
    other = issue.get("table")
    issued = tb.ColourChipsIssued(
        issue["player"], issue["colour"], unit, count, unit * count, table=None if other == table else other
    )
    return issue.get("at", 0), issued, None


def seat_of(seat: Given, otherwise: int) -> int:
    """A seat's number, however it is written."""
    digits = "".join(char for char in str(seat.get("seat", "")) if char.isdigit())
    return int(digits) if digits else otherwise


def limits_of(given: Given) -> tuple[int | None, int | None, dict[str, tuple[int, int]]]:
    """Minimum, maximum, and those of single types."""
    by_type = {
        kind: (own["min"], own["max"]) if isinstance(own, dict) else (own[0], own[1])
        for kind, own in (given.get("limits") or {}).items()
    }
    return given.get("table_min"), given.get("table_max"), by_type


def _course(spin: Given) -> Iterator[Said]:
    """Calls, wheel and ball."""
    if spin.get("opening_call", True):
        yield 0, rl.BetsOpened(), None
    yield 15, rl.SpinStarted(spin.get("wheel_dir"), spin.get("ball_dir")), None
    if spin.get("nmb_at") is not None:
        yield spin["nmb_at"], tb.NoMoreBets(), None
    win, drop_at = spin.get("win"), spin.get("drop_at")
    dropped = rl.BallDropped(win, laps_tenths(spin.get("revs")))
    if drop_at is None:
        # Too near the call to tell which was first; without one, by a clock of which nothing is known.
        call = spin.get("nmb_at")
        if call is None:
            yield 0, tb.ClockCompared(spin["wheel_clock"], 0, UNKNOWN_MS), None
        yield UNKNOWN_S if call is None else call + 4.9, dropped, WHEEL_DEVICE
        drop_at = 40
    else:
        yield drop_at, dropped, None
    announced = spin.get("announced", win)
    if announced is not None:
        yield drop_at + 1, rl.NumberAnnounced(announced), None
    if (misspin := spin.get("misspin")) is not None:
        role = misspin.get("by", "croupier")
        yield misspin.get("at", drop_at + 2), rl.MisspinDeclared(misspin.get("reason"), role=role), None
    if (incident := spin.get("incident")) is not None:
        yield incident.get("at") or drop_at, rl.BallIncident(incident["kind"]), None


def laps_tenths(revs: Any) -> int | None:
    """Whole laps or decimal text to tenths, finer digits cut."""
    return None if revs is None else int(Decimal(str(revs)) * 10)


def position_of(kind: str, pos: Any) -> str:
    """The catalogue's type and position as one text; a set that its type does not list names no place."""
    if kind in EVEN_CHANCES:
        return kind
    numbers = pos if isinstance(pos, list) else [pos]
    text = "/".join(str(number) for number in numbers)
    if kind in ("dozen", "column"):
        named = [which for which in "123" if _covers(f"{kind}/{which}", numbers)]
        text = f"{kind}/{named[0] if named else text}"
    place = find_position(text)
    return place.text if place is not None and place.type == kind else f"{kind}:{text}"


def _covers(text: str, numbers: list[Any]) -> bool:
    """Whether a dozen or column is meant by all that it covers; its number alone is its name."""
    place = find_position(text)
    return place is not None and place.numbers == frozenset(numbers)


def centre_of(pos: Any) -> int | None:
    """The one number whose neighbours are meant; two numbers have none."""
    if isinstance(pos, list):
        return pos[0] if len(pos) == 1 else None
    return int(pos) if pos is not None else None


def _bet(bet: Given, table: str, unknown_at: float) -> Iterator[Said]:
    player = bet["player"]
    chip_table = bet.get("chip_table")
    colour = bet.get("colour")
    kind = bet.get("chip_kind") or ("colour" if colour or chip_table not in (None, table) else "value")
    if kind == "colour" and colour is None:
        colour = f"colour-of-{player}"
    chips: Given = {"chip_kind": kind, "colour": colour, "chip_table": chip_table}
    device = BET_DEVICE if bet.get("at", 10) is None else None
    at: float = unknown_at if device else bet.get("at", 10)
    pos = bet.get("pos")
    if "stake" in bet and not is_call(bet):
        by = "player" if bet.get("placed_by") in (None, "player", player) else "croupier"
        origin = "left_after_void" if bet.get("origin") == "left_after_void" else "new"
        yield at, rl.BetPlaced(
            bet["id"], player, position_of(bet["type"], pos), bet["stake"], chips=bet.get("chips"),
            unit_value=bet.get("unit_value"), placed_by=by, origin=origin,
            **chips,
        ), device  # fmt: skip
        return
    number = centre_of(pos)
    reach, unit, call = bet.get("reach", 2), bet.get("unit"), bet["type"]
    amount = box_of(bet).amount
    parts = _parts(bet) if bet.get("components") else []
    laid = tuple(rl.PlacedComponent(part.position, part.chips) for part in parts)
    asked = {"kind": call, "number": number, "reach": reach, "unit": unit, "amount": None if unit else amount}
    asked |= bet.get("announced") or {}
    yield bet.get("announced_at", min(at, 10)), rl.CallBetAnnounced(player, bet=bet["id"], **asked), None
    if bet.get("placed") is False:
        return
    if bet.get("refused"):
        yield at, rl.CallBetRefused(player, bet=bet["id"], by=bet.get("by")), None
        return
    yield at, rl.CallBetPlaced(
        bet["id"], player, call, amount, unit=unit, number=number, reach=reach, components=laid, **chips
    ), device  # fmt: skip


def _part_position(part: Given) -> str:
    """Where a part of a call bet lies; numbers without a type are the place that they make."""
    pos = part.get("pos")
    if "type" in part:
        return position_of(part["type"], pos)
    return canonical("/".join(map(str, pos)) if isinstance(pos, list) else str(pos))


def is_call(bet: Given) -> bool:
    """Whether a vector's bet is a call bet: known by its kind, or by a chip's value."""
    return "unit" in bet or "components" in bet or bool(components(bet["type"], 0))


def _move(move: Given, bet: Given, box: Box) -> Event:
    """A `moved` or `removed` of a vector. The bet itself is given as it lies after a move."""
    player, kind = bet["player"], move.get("kind", "moved")
    pos = bet.get("pos")
    by: Literal["player", "staff"] = "player" if move.get("by", "player") in ("player", player) else "staff"
    if kind == "removed":
        amount = move.get("amount", box.amount)
        box.parts, box.rest = {}, 0
        return rl.BetRemoved(bet["id"], player, amount, by=by)
    lies = position_of(bet["type"], pos)
    came, to = (_place(move[end], bet) if end in move else lies for end in ("from", "to"))
    return rl.BetMoved(
        bet["id"], came, to, amount=move.get("amount"), by=by, restored=bool(move.get("restored", False))
    )


def _place(place: Any, bet: Given) -> str:
    """`"red"`, `[17]` or `{"type", "pos"}`; a bare list is of the bet's own type where that fits."""
    if isinstance(place, dict):
        return position_of(place["type"], place.get("pos"))
    if isinstance(place, list):
        if bet["type"] in ("dozen", "column"):
            return position_of(bet["type"], place)
        return canonical("/".join(map(str, place)))
    return canonical(str(place))


def as_laid(own: Given) -> Given:
    """The vector's bets where they were laid: before the moves that it tells."""
    first: dict[str, Any] = {}
    for move in own.get("moves", ()):
        if move.get("kind", "moved") == "moved" and "from" in move:
            first.setdefault(str(move["bet"]), move["from"])
    return {**own, "bets": [_laid(bet, first.get(bet["id"])) for bet in own.get("bets", ())]}


def _laid(bet: Given, came_from: Any) -> Given:
    if came_from is None or is_call(bet):
        return bet
    place = find_position(_place(came_from, bet))
    if place is None:
        return {**bet, "type": "straight", "pos": came_from if isinstance(came_from, list) else [came_from]}
    numbers = sorted(place.numbers)
    if place.type in ("dozen", "column"):
        numbers = [int(place.text[-1])]
    return {**bet, "type": place.type, "pos": numbers}


def _word(own: Given) -> Iterator[Said]:
    """Claims, and advice that somebody suspects."""
    for claim in own.get("claims", ()):
        bet = claim["bet"]
        if "players" in claim:
            yield claim.get("at", 45), rl.ClaimRaised(bet, tuple(claim["players"])), None
        resolved = claim.get("resolved", claim if "player" in claim else None)
        if resolved:
            player = resolved["player"] if isinstance(resolved, dict) else resolved
            yield claim.get("resolved_at", 50), rl.ClaimResolved(bet, player), None
    for advice in own.get("advice", ()):
        yield (
            advice.get("at", 12),
            rl.StaffAdvice(advice.get("staff", "s-1"), advice["player"]),
            None,
        )
    for settled in own.get("call_settled", ()):
        winning = tuple(
            rl.PlacedComponent(_part_position(part), part.get("chips", settled.get("chips", 1)))
            for part in settled["winning"]
        )
        yield 59, rl.CallBetSettled(str(settled["bet"]), winning, settled.get("paid", 0), settled.get("taken", 0)), None


class Box:
    """Chips of one bet on the layout: position → amount, and what a call bet could not share out."""

    def __init__(self, player: str, parts: dict[str, int], rest: int = 0) -> None:
        self.player = player
        self.parts = parts
        self.rest = rest

    @property
    def amount(self) -> int:
        """All chips that lie there, minor units."""
        return sum(self.parts.values()) + self.rest

    def net_on(self, number: int | None) -> int:
        """What the chips win on a number less what they lose; every place pays as if one number in 36 were fair."""
        places = [(find_position(position), amount) for position, amount in self.parts.items()]
        return sum(
            amount * (36 // len(place.numbers) - 1) if place is not None and number in place.numbers else -amount
            for place, amount in places
        )

    def settled(self, bet: str, net: int, numbers: tuple[int | None, ...]) -> Iterator[Event]:
        """The movements of chips that book `net`, as a croupier makes them: a call bet's misses are swept first.

        By the first of `numbers` that gives this net, else by the first. A net of nothing gives the stake back.
        """
        mine, bank = f"player/{self.player}", "float"
        number = next((own for own in numbers if self.net_on(own) == net), numbers[0])
        missed = {
            position: amount
            for position, amount in self.parts.items()
            if (place := find_position(position)) is not None and number not in place.numbers
        }
        swept = sum(missed.values()) if len(self.parts) > 1 else 0
        back = self.amount if net == 0 else self.rest
        taken = 0 if net == 0 else swept if net > -swept else min(-net, self.amount - self.rest)
        if taken and taken >= swept and not swept:
            back = self.amount - taken  # a part of a single stake was taken: the rest is the player's
        if taken:
            yield tb.ChipsMoved(f"box/{bet}", bank, taken, "take", bet)
        if net + taken > 0:
            yield tb.ChipsMoved(bank, mine, net + taken, "win", bet)
        elif net + taken < 0:
            yield tb.ChipsMoved(mine, bank, -net - taken, "take", bet)
        if back or not net:  # a net of nothing is booked even where no chip lies there any more
            yield tb.ChipsMoved(f"box/{bet}", mine, back, "return", bet)
        gone = taken if not swept else 0
        self.rest = 0
        self.parts = {
            position: amount
            for position, amount in self.parts.items()
            if net and not gone and not (swept and position in missed) and taken < self.amount
        }


def box_of(bet: Given) -> Box:
    """A bet's chips as they were laid."""
    player = bet["player"]
    pos = bet.get("pos")
    if not is_call(bet):
        return Box(player, {position_of(bet["type"], pos): bet["stake"]})
    parts = _parts(bet)
    count = sum(part.chips for part in parts)
    amount = bet.get("amount", bet.get("stake"))
    unit = bet.get("unit") or share(amount or 0, max(count, 1), None)
    own = {part.position: unit * part.chips for part in parts}
    total = unit * max(count, 1) if amount is None else amount
    return Box(player, own or {bet["type"]: total}, total - sum(own.values()) if own else 0)


def _parts(bet: Given) -> list[Component]:
    own = [Component(_part_position(part), part.get("chips", 1)) for part in bet.get("components") or ()]
    return own or list(components(bet["type"], centre_of(bet.get("pos")), bet.get("reach", 2)))


def ruling_of(number: int, given: Given, rounds: list[str]) -> RulingApplied:
    """A vector's ruling in the words of the design: a spin is a round."""
    scope: Any = {"spin": "round"}.get(given.get("scope", ""), given.get("scope"))
    # Only a ruling that says nothing of spins names all of its vector; one whose spins are not set is invalid.
    named = (
        [_round_name(name, given["spin_ids"]) for name in given["spin_ids"] or ()] if "spin_ids" in given else rounds
    )
    remedy = given.get("remedy", "void" if given.get("void", True) else "none")
    return RulingApplied(
        ruling=str(given.get("ruling_id", f"r{number}")),
        ground=given.get("ground") or "unset",
        scope=scope,
        standard=standard if (standard := given.get("standard")) in ("suspicion", "proof") else None,
        decided_by=given.get("decided_by"),
        role=given.get("role"),
        rounds=tuple(named),
        bets=tuple(given.get("bets") or ()),
        players=tuple(given.get("players") or ()),
        basis=given.get("basis", "book"),
        remedy=remedy,
    )


def _round_name(name: Any, among: list[Any]) -> str:
    """A spin by its number, counted from 1 (or from 0 where the list says so), or by its name."""
    if isinstance(name, int):
        return str(name + 1 if 0 in among else name)
    digits = "".join(char for char in name if char.isdigit())
    return digits or name
