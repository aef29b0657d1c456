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

Given = dict[str, Any]

OPENING_S, SPIN_S = 10, 1000
OTHER_DEVICE = "surveillance"

BET = frozenset({
    "id", "p", "player", "type", "kind", "pos", "position", "stake", "unit", "amount", "at", "announced_at",
    "components", "chip_table", "chip_table_id", "chip_kind", "colour", "chips", "unit_value", "placed_by", "by",
    "origin", "reach", "refused", "announced",
})  # fmt: skip
MOVE = frozenset({"bet", "bet_id", "kind", "from", "to", "at", "by", "restored", "amount"})
SPIN = frozenset({
    "prev_wheel_dir", "wheel_dir", "ball_dir", "revs", "nmb_at", "drop_at", "settled_at", "win", "announced", "misspin",
    "incident", "opening_call", "table_min", "table_max", "limits",
})  # fmt: skip
ROUND = frozenset({
    "spin", "bets", "moves", "rulings", "recorded", "claims", "advice", "misspin", "incident", "opening_call",
    "call_settled", "colours",
})  # fmt: skip
RULING = frozenset({
    "ruling_id", "ground", "standard", "scope", "role", "players", "bets", "bet_ids", "spin_ids", "decided_by", "remedy",
    "basis", "evidence_refs", "at", "void",
})  # fmt: skip


SYNONYMS = {
    "claims_raised": "claims", "claim_raised": "claims", "staff_advice": "advice", "ball_incident": "incident",
    "misspin_declared": "misspin", "colour_chips": "colours", "call_bet_settled": "call_settled", "claim": "claims",
    "claims_resolved": "claims", "claim_resolved": "claims", "colour_chips_issued": "colours", "holdings": "colours",
    "colour_register": "colours", "incidents": "incident",
}  # fmt: skip
"""What the catalogue calls the event, where a vector names it by that."""

NESTED = {
    "claims": frozenset({"bet", "bet_id", "players", "at", "player", "decided_by", "resolved", "resolved_at"}),
    "advice": frozenset({"player", "p", "staff", "suspected_by", "at"}),
    "call_settled": frozenset({"bet", "bet_id", "winning", "paid", "taken"}),
    "colours": frozenset({"player", "p", "colour", "unit_value", "count"}),
    "misspin": frozenset({"by", "reason", "at"}),
    "incident": frozenset({"kind", "at"}),
    "components": frozenset({"type", "pos", "chips"}),
}
"""The words of what lies deeper in a vector."""


def in_our_words(given: Given) -> Given:
    """A vector's words, each event by one name; a single thing may stand for a list of one."""
    said: Given = {}
    for word, value in given.items():
        name = SYNONYMS.get(word, word)
        if name in ("claims", "advice", "call_settled"):
            said[name] = [*said.get(name, ()), *([value] if isinstance(value, dict) else value)]
        else:
            said[name] = value
    return said


class Table:
    """One vector's session as its devices would write it."""

    def __init__(self, base: Given) -> None:
        self.name = str(base.get("table", "R1"))
        self.pen = Scribe(f"vectors/{self.name}", "2026-11-28")
        self.start_ms = self.pen.at_ms
        self.envelopes: list[Envelope] = []
        self.limits = limits_of(base)
        low, high, by_type = self.limits
        self._say(0, tb.TableOpened("roulette", "RL", "CZK", min=low, max=high, limits=by_type))
        self._say(0, rl.WheelInstalled("w1", tuple(base.get("wheel_order", WHEEL))))
        for issue in issues_of(base):
            player = issue.get("p") or issue["player"]
            unit, count = issue.get("unit_value", low or 1), issue.get("count", 100)
            self._say(1, tb.ColourChipsIssued(player, issue["colour"], unit, count, unit * count))
        self.spins = 0
        self.boxes: dict[str, Box] = {}
        self.bets: dict[str, Given] = {}
        self.ids: dict[str, str] = {}

    def _new_id(self, bet: str, spin: str) -> str:
        """A bet's id as the table knows it: one that an earlier spin's bet has already is told apart."""
        self.ids[bet] = bet if bet not in self.bets else f"{bet}.{spin}"
        return self.ids[bet]

    def before(self, direction: str | None) -> None:
        """A spin without bets, so that the next one has a rotation to alternate with."""
        if direction is None:
            return
        turned: Any = direction if direction in ("cw", "ccw") else None
        ball = opposite(turned) if turned else None
        spin = {
            "wheel_dir": turned,
            "ball_dir": ball,
            "revs": 14,
            "nmb_at": 30,
            "drop_at": 40,
            "settled_at": 60,
            "win": 0,
        }
        self._spin(spin, {}, "0")

    def play(self, spin: Given, own: Given) -> None:
        """A spin of the vector."""
        self.spins += 1
        self._spin(spin, own, str(self.spins))

    def outside_spins(self, events: Iterable[Event]) -> None:
        """Records that belong to no spin, ten seconds apart."""
        for number, event in enumerate(events, 1):
            self._say(OPENING_S * number, event)

    def _spin(self, spin: Given, own: Given, name: str) -> None:
        self.pen.round = name
        start = OPENING_S * 10 + SPIN_S * int(name)
        limits = limits_of({**dict(zip(("table_min", "table_max", "limits"), self.limits, strict=True)), **spin})
        said: list[tuple[float, Event, str | None]] = []
        if limits != self.limits:
            self.limits = limits
            low, high, by_type = limits
            said.append((0, tb.LimitsChanged(min=low, max=high, limits=by_type), None))
        said += list(_course({**own, **spin}))
        for given in own.get("bets", ()):
            bet = {**given, "id": self._new_id(given["id"], name)}
            said += list(_bet(bet, self.name, spin.get("nmb_at") or spin.get("drop_at") or 30))
            self.boxes[bet["id"]] = box_of(bet)
            self.bets[bet["id"]] = bet
        for move in own.get("moves", ()):
            moved = self.ids[_bet_id(move)]
            said.append(_move(move, self.bets[moved], self.boxes[moved]))
        said += list(_word(own))
        settled = spin.get("settled_at")
        if settled is not None:
            # Chips first, so that the close is behind them; a close without chips says that all was settled.
            number = spin.get("announced", spin.get("win"))
            for bet, net in (own.get("recorded") or {}).items():
                moves = self.boxes[self.ids[bet]].settled(self.ids[bet], net, number)
                said += [(settled, event, None) for event in moves]
            said.append((settled, tb.RoundClosed(), None))
        said.sort(key=lambda entry: entry[0])
        self._say(start, tb.RoundOpened())
        for at, event, device in said:
            self._say(start + at, event, device)
        self.pen.round = None

    def _say(self, at_s: float, event: Event, device: str | None = None) -> None:
        source = self.pen.source(device) if device else None
        self.envelopes.append(self.pen.say(event, source=source, at_ms=self.start_ms + round(at_s * 1000)))

    def close(self) -> None:
        """Every device says that it has nothing more to say."""
        at = OPENING_S * 10 + SPIN_S * (self.spins + 2)
        self._say(at, tb.TableClosed())
        for source in self.pen.speakers:
            self.envelopes.append(self.pen.say(tb.SourceEnded(), source=source, at_ms=self.start_ms + at * 1000))


def issues_of(base: Given) -> list[Given]:
    """Colour chips that players have: a list of issues, or colour → player."""
    colours = base.get("colours") or []
    if isinstance(colours, dict):
        return [{"colour": colour, "player": player} for colour, player in colours.items()]
    return list(colours)


def limits_of(given: Given) -> tuple[int | None, int | None, dict[str, tuple[int, int]]]:
    """Minimum, maximum, and those of single types."""
    by_type = {kind: (int(low), int(high)) for kind, (low, high) in (given.get("limits") or {}).items()}
    return given.get("table_min"), given.get("table_max"), by_type


def _course(spin: Given) -> Iterator[tuple[float, Event, str | None]]:
    """Calls, wheel and ball."""
    if spin.get("opening_call", True):
        yield 0, rl.BetsOpened(), None
    yield 15, rl.SpinStarted(spin.get("wheel_dir"), spin.get("ball_dir")), None
    if spin.get("nmb_at") is not None:
        yield spin["nmb_at"], tb.NoMoreBets(), None
    win, drop_at = spin.get("win"), spin.get("drop_at")
    dropped = rl.BallDropped(win, laps_tenths(spin.get("revs")))
    if drop_at is None:
        # Too near the call, and without one to the bets, to tell which was first.
        call = spin.get("nmb_at")
        yield 12 if call is None else call + 4.9, dropped, OTHER_DEVICE
        drop_at = 40
    else:
        yield drop_at, dropped, None
    announced = spin.get("announced", win)
    if announced is not None:
        yield drop_at + 1, rl.NumberAnnounced(announced), None
    if (misspin := spin.get("misspin")) is not None:
        said: Given = misspin if isinstance(misspin, dict) else {"reason": None if misspin is True else misspin}
        yield said.get("at", drop_at + 2), rl.MisspinDeclared(said.get("reason"), role=said.get("by", "croupier")), None
    if (incident := spin.get("incident")) is not None:
        told: Given = incident if isinstance(incident, dict) else {"kind": str(incident)}
        yield told.get("at") or drop_at or 40, rl.BallIncident(told["kind"]), None


def laps_tenths(revs: Any) -> int | None:
    """Whole laps or decimal text to tenths, finer digits cut."""
    return None if revs is None else int(Decimal(str(revs)) * 10)


def position_of(kind: str, pos: Any) -> str:
    """The catalogue's type and position as one text; a set that its type does not list names no place."""
    if kind in EVEN_CHANCES:
        return kind
    numbers = pos if isinstance(pos, list) else [pos]
    text = f"{kind}/{numbers[0]}" if kind in ("dozen", "column") else "/".join(str(number) for number in numbers)
    place = find_position(text)
    return place.text if place is not None and place.type == kind else f"{kind}:{text}"


def _bet(bet: Given, table: str, unknown_at: float) -> Iterator[tuple[float, Event, str | None]]:
    player = bet.get("p") or bet["player"]
    chip_table = bet.get("chip_table", bet.get("chip_table_id"))
    colour = bet.get("colour")
    kind = bet.get("chip_kind") or ("colour" if colour or chip_table not in (None, table) else "value")
    if kind == "colour" and colour is None:
        colour = f"colour-of-{player}"
    chips: Given = {"chip_kind": kind, "colour": colour, "chip_table": chip_table}
    device = OTHER_DEVICE if bet.get("at", 10) is None else None
    at: float = unknown_at if device else bet.get("at", 10)
    pos = bet.get("pos", bet.get("position"))
    if "stake" in bet and not is_call(bet):
        yield at, rl.BetPlaced(
            bet["id"], player, position_of(bet["type"], pos), bet["stake"], chips=bet.get("chips"),
            unit_value=bet.get("unit_value"), placed_by=bet.get("placed_by", "player"), origin=bet.get("origin", "new"),
            **chips,
        ), device  # fmt: skip
        return
    number = pos[0] if isinstance(pos, list) else pos
    reach, unit, call = bet.get("reach", 2), bet.get("unit"), bet["type"]
    amount = box_of(bet).amount
    parts = _parts(bet) if bet.get("components") else []
    laid = tuple(rl.PlacedComponent(part.position, part.chips) for part in parts)
    asked = {"kind": call, "number": number, "reach": reach, "unit": unit, "amount": None if unit else amount}
    asked |= bet.get("announced") or {}
    yield bet.get("announced_at", min(at, 10)), rl.CallBetAnnounced(player, bet=bet["id"], **asked), None
    if bet.get("refused"):
        yield at, rl.CallBetRefused(player, bet=bet["id"], by=bet.get("by")), None
        return
    yield at, rl.CallBetPlaced(
        bet["id"], player, call, amount, unit=unit, number=number, reach=reach, components=laid, **chips
    ), device  # fmt: skip


def is_call(bet: Given) -> bool:
    """Whether a vector's bet is a call bet: known by its kind, or by a chip's value."""
    return "unit" in bet or "components" in bet or bool(components(bet["type"], 0))


def _bet_id(about: Given) -> str:
    return str(about.get("bet", about.get("bet_id")))


def _move(move: Given, bet: Given, box: Box) -> tuple[float, Event, str | None]:
    """A `moved` or `removed` of a vector. The bet itself is given as it lies after a move."""
    player, kind = bet.get("p") or bet["player"], move.get("kind", "moved")
    pos = bet.get("pos", bet.get("position"))
    by: Literal["player", "staff"] = "player" if move.get("by", "player") in ("player", player) else "staff"
    if kind == "removed":
        amount = move.get("amount", box.amount)
        box.parts, box.rest = {}, 0
        return move["at"], rl.BetRemoved(bet["id"], player, amount, by=by), None
    return move["at"], rl.BetMoved(
        bet["id"], _place(move["from"], bet), _place(move.get("to"), bet) if "to" in move else position_of(bet["type"], pos),
        amount=move.get("amount"), by=by, restored=bool(move.get("restored", False)),
    ), None  # fmt: skip


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
        if move.get("kind", "moved") == "moved" and not move.get("restored"):
            first.setdefault(_bet_id(move), move["from"])
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


def _word(own: Given) -> Iterator[tuple[float, Event, str | None]]:
    """Claims, and advice that somebody suspects."""
    for claim in own.get("claims", ()):
        bet = claim.get("bet", claim.get("bet_id"))
        if "players" in claim:
            yield claim.get("at", 45), rl.ClaimRaised(bet, tuple(claim["players"])), None
        resolved = claim.get("resolved", claim if "player" in claim else None)
        if resolved:
            player = resolved["player"] if isinstance(resolved, dict) else resolved
            yield claim.get("resolved_at", 50), rl.ClaimResolved(bet, player), None
    for advice in own.get("advice", ()):
        yield (
            advice.get("at", 12),
            rl.StaffAdvice(advice.get("staff", "s-1"), advice.get("p") or advice["player"]),
            None,
        )
    for settled in own.get("call_settled", ()):
        winning = tuple(
            rl.PlacedComponent(position_of(part["type"], part.get("pos")), part["chips"]) for part in settled["winning"]
        )
        yield 59, rl.CallBetSettled(_bet_id(settled), winning, settled.get("paid", 0), settled.get("taken", 0)), None


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

    def settled(self, bet: str, net: int, number: int | None) -> Iterator[Event]:
        """The movements of chips that book `net`, as a croupier makes them: a call bet's misses are swept first.

        A net of nothing gives the stake back.
        """
        mine, bank = f"player/{self.player}", "float"
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
    player = bet.get("p") or bet["player"]
    pos = bet.get("pos", bet.get("position"))
    if not is_call(bet):
        return Box(player, {position_of(bet["type"], pos): bet["stake"]})
    parts = _parts(bet)
    count = sum(part.chips for part in parts)
    amount = bet.get("amount", bet.get("stake"))
    unit = bet.get("unit") or share(amount or 0, max(count, 1), None)
    own = {part.position: unit * part.chips for part in parts}
    total = unit * count if amount is None else amount
    return Box(player, own or {bet["type"]: total}, total - sum(own.values()) if own else 0)


def _parts(bet: Given) -> list[Component]:
    pos = bet.get("pos", bet.get("position"))
    centre = pos[0] if isinstance(pos, list) else pos
    own = [Component(position_of(part["type"], part.get("pos")), part["chips"]) for part in bet.get("components", ())]
    return own or list(components(bet["type"], centre, bet.get("reach", 2)))


def ruling_of(number: int, given: Given, rounds: list[str]) -> RulingApplied:
    """A vector's ruling in the words of the design: a spin is a round."""
    scope: Any = {"spin": "round"}.get(given.get("scope", ""), given.get("scope"))
    named = given.get("spin_ids", rounds)
    named = rounds if named is None else [_round_name(name, named) for name in named]
    remedy = given.get("remedy", "void" if given.get("void", True) else "none")
    return RulingApplied(
        ruling=str(given.get("ruling_id", f"r{number}")),
        ground=given.get("ground") or "unset",
        scope=scope,
        standard=given.get("standard"),
        decided_by=given.get("decided_by"),
        role=given.get("role"),
        rounds=tuple(named),
        bets=(*given.get("bets", ()), *given.get("bet_ids", ())),
        players=tuple(given.get("players", ())),
        basis=given.get("basis", "book"),
        remedy=remedy,
    )


def _round_name(name: Any, among: list[Any]) -> str:
    """A spin by its number, counted from 1 (or from 0 where the list says so), or by its name."""
    if isinstance(name, int):
        return str(name + 1 if 0 in among else name)
    digits = "".join(char for char in name if char.isdigit())
    return digits or name
