"""The vectors of magic-wheel.md: a game, and the one after it (`next`).

Times are seconds, anew in each game; one that is null was not recorded: the record is then another device's, whose clock
cannot be compared with the table's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Any

from events.schema import common as tb
from events.schema.envelope import Envelope
from events.schema.event import Event
from events.schema.ours import RulingApplied
from games.magic_wheel import events as mw
from games.scribe import Scribe
from games.verdict import Finding, Line, Verdict
from tests.vectors.bench import edition_with, judged
from tests.vectors.reading import UNNAMED, Vector, merged, unknown_keys

KINDS = frozenset({UNNAMED})
EDITION = "live-games-plan.toml"

Given = dict[str, Any]
Said = tuple[float, Event, bool]
"""When, what, and whether its time is on the table's clock."""

GAME = frozenset({
    "rotations", "direction", "nmb_at", "spin_at", "symbol", "announced", "pin_between", "previous_symbol", "on_pin",
    "field_index", "bets", "choices", "claims", "resolved", "recorded", "moves", "incident", "incidents", "opening_call",
    "opening_at", "stopped_at", "settled_at", "next", "table_min", "table_max", "rulings",
})  # fmt: skip
SESSION = frozenset({"config", "field_order", "printed", "wheel_id", "kind", "currency"})
BET = frozenset({"id", "p", "player", "symbol", "stake", "at", "chip_kind", "chips"})
EXPECT = frozenset({"verdict", "findings", "bets", "net", "corrections", "next", "candidates"})
EXPECT_BET = frozenset({"effect", "net", "verdict", "win", "stake", "p", "player", "live_stake", "excess_refund"})
APART_S, CLOSE_S = 1000, 200


def run(vector: Vector, base: Vector) -> list[str]:
    """What one vector's session gave otherwise than expected."""
    given, expect = vector["given"], vector["expect"]
    games, problems = [], []
    for number, own in enumerate(_games(given)):
        problems += unknown_keys("given", own, GAME | (SESSION if number == 0 else frozenset()))
        problems += [problem for bet in own.get("bets", ()) for problem in unknown_keys("a bet", bet, BET)]
        games.append(merged(base, own))
    if problems:
        return problems
    table = Table(games[0])
    for game in games:
        table.play(game)
    config = _settings(games[0])
    judgement, _case, lost = judged(table.close(), edition_with("magic_wheel", EDITION, config), table.rulings)
    found = [lost] if lost else []
    for number, wanted in enumerate(_games(expect)):
        where = "" if number == 0 else "next: "
        told = _differs_in(wanted, judgement.verdicts[number], games[number])
        found += [where + problem for problem in told]
    return found


def _games(given: Given) -> Iterator[Given]:
    """A game and those after it."""
    while given is not None:
        yield given
        given = given.get("next")  # type: ignore[assignment]


def _settings(given: Given) -> dict[str, Any]:
    """What the house sets: `config`, and limits, which are named as the parameters are."""
    return dict(given.get("config") or {})


# To the table ---------------------------------------------------------------------------------------------------------


class Table:
    """One vector's session as its devices would write it."""

    def __init__(self, given: Given) -> None:
        self.pen = Scribe("vectors/MW1", "2026-11-28")
        self.start_ms = self.pen.at_ms
        self.envelopes: list[Envelope] = []
        self.rulings: list[RulingApplied] = []
        self.games = 0
        self.stakes: dict[str, Given] = {}
        low, high = given.get("table_min"), given.get("table_max")
        self._say(0, tb.TableOpened("magic_wheel", "MW", given.get("currency", "CZK"), min=low, max=high))
        if "field_order" in given or "wheel_id" in given:
            self._say(1, mw.WheelInstalled(given.get("wheel_id", "w1"), tuple(given.get("field_order") or ())))
        if "printed" in given:
            self._say(1, mw.LayoutFitted(given["printed"]))

    def play(self, game: Given) -> None:
        """One game, from the opening call to the close."""
        self.games += 1
        self.pen.round = str(self.games)
        start = APART_S * self.games
        self._say(start, tb.RoundOpened())
        for at, event, on_clock in sorted(self._course(game), key=lambda entry: entry[0]):
            self._say(start + at, event, on_clock=on_clock)
        self._say(start + CLOSE_S, tb.RoundClosed())
        self.pen.round = None
        for ruling in game.get("rulings", ()):
            self.rulings.append(_ruling(ruling, len(self.rulings) + 1, str(self.games)))

    def close(self) -> list[Envelope]:
        """All that was said."""
        return self.envelopes

    def _say(self, at: float, event: Event, *, on_clock: bool = True) -> None:
        source = None if on_clock else self.pen.source("pit")
        at_ms = self.start_ms + round(at * 1000)
        self.envelopes.append(self.pen.say(event, source=source, at_ms=at_ms))

    def _course(self, game: Given) -> Iterator[Said]:
        """Everything that is said in a game."""
        calls: tuple[tuple[str, Event], ...] = (
            ("nmb_at", tb.NoMoreBets()),
            ("spin_at", mw.SpinStarted(game.get("direction"))),
        )
        if game.get("opening_call", True):
            yield game.get("opening_at", 1), mw.BetsOpened(), True
        for key, event in calls:
            if game.get(key) is not None:
                yield game[key], event, True
        stop = game.get("stopped_at", max(60, 20 + (game.get("spin_at") or 0)))
        for bet in game.get("bets", ()):
            self.stakes[bet["id"]] = bet
            placed = mw.BetPlaced(
                bet["id"], _player(bet), bet["symbol"], bet["stake"], bet.get("chip_kind", "value"),
                tuple(bet.get("chips", ())),
            )  # fmt: skip
            yield _at(bet, 10), placed, bet.get("at", 0) is not None
        for move in game.get("moves", ()):
            yield _at(move, 20), self._moved(move), move.get("at", 0) is not None
        for incident in _several(game.get("incidents", game.get("incident"))):
            told = incident if isinstance(incident, dict) else {"kind": str(incident)}
            yield told.get("at", stop - 1), mw.WheelIncident(told.get("kind", "unnamed")), True
        yield from _stop(game, stop)
        yield from _words(game, stop)
        yield from self._settlement(game, stop + 20)

    def _moved(self, move: Given) -> Event:
        bet = self.stakes[move["bet"]]
        if move.get("to") is None:
            return mw.BetRemoved(
                bet["id"], _player(bet), move.get("amount") or bet["stake"], by=move.get("by", "player")
            )
        return mw.BetMoved(bet["id"], move.get("from") or bet["symbol"], move["to"], move.get("amount"))

    def _settlement(self, game: Given, at: float) -> Iterator[Said]:
        """Chips as they were booked: a win beside the stake, a stake taken, a stake given back."""
        for bet, net in (game.get("recorded") or {}).items():
            stake = self.stakes[bet]
            box, player = f"box/{bet}", f"player/{_player(stake)}"
            if net > 0:
                yield at, tb.ChipsMoved("float", player, net, "win", bet), True
            elif net < 0:
                yield at, tb.ChipsMoved(box, "float", -net, "take", bet), True
            else:
                yield at, tb.ChipsMoved(box, player, stake["stake"], "return", bet), True


def _at(given: Given, default: float) -> float:
    at = given.get("at", default)
    return default if at is None else at


def _player(bet: Given) -> str:
    return str(bet.get("p") or bet["player"])


def _several(one: Any) -> list[Any]:
    return one if isinstance(one, list) else [] if one is None else [one]


def _stop(game: Given, at: float) -> Iterator[Said]:
    """How the wheel stood, and what the croupier said: the same, if the vector does not say otherwise."""
    turns = None if game.get("rotations") is None else int(Decimal(str(game["rotations"])) * 10)
    between = tuple(game.get("pin_between") or ())
    on_pin = bool(between) or game.get("on_pin", False)
    symbol, previous, field = game.get("symbol"), game.get("previous_symbol"), game.get("field_index")
    if symbol or turns is not None or on_pin or field is not None:
        yield at, mw.WheelStopped(symbol, turns, field, on_pin, between, previous), True
    said = game.get("announced", symbol)
    if said is not None:
        yield at + 1, mw.SymbolAnnounced(said), True


def _words(game: Given, stop: float) -> Iterator[Said]:
    """Choices after a cancelled game, claims and what came of them."""
    choices = game.get("choices") or {}
    listed = (
        [{"bet": bet, "choice": choice} for bet, choice in choices.items()] if isinstance(choices, dict) else choices
    )
    for one in listed:
        own = one if isinstance(one["choice"], str) else {**one["choice"], "bet": one["bet"]}
        yield own.get("at", stop + 5), mw.ChoiceMade(own["bet"], own["choice"], own.get("amount")), True
    for bet, players in (game.get("claims") or {}).items():
        yield stop + 6, mw.ClaimRaised(bet, tuple(players)), True
    for bet, player in (game.get("resolved") or {}).items():
        yield stop + 8, mw.ClaimResolved(bet, player), True


def _ruling(given: Given, number: int, game: str) -> RulingApplied:
    names: Iterable[Any] = given.get("game_ids", [game])
    return RulingApplied(
        ruling=str(given.get("ruling_id", f"r{number}")), ground=given["ground"], standard=given.get("standard"),
        role=given.get("role"), rounds=tuple(map(str, names)), players=tuple(given.get("players", ())),
        bets=tuple(given.get("bets", ())), basis=given.get("basis", "book"), remedy=given.get("remedy", "void"),
    )  # fmt: skip


# Comparing ------------------------------------------------------------------------------------------------------------


def _differs_in(expect: Vector, verdict: Verdict, game: Given) -> list[str]:
    found = unknown_keys("expect", expect, EXPECT)
    lines = {line.stake: line for line in verdict.due.lines}
    if "verdict" in expect:
        found += _same("verdict", expect["verdict"], _standing(verdict))
    codes = {finding.code for finding in verdict.findings if finding.kind != "mispaid" and _is_of_the_book(finding)}
    found += _same("findings", set(expect.get("findings", ())), codes)
    for bet, wanted in expect.get("bets", {}).items():
        found += unknown_keys(f"bet {bet}", wanted, EXPECT_BET)
        line = lines.get(bet)
        if line is None:
            found.append(f"{bet} has no line")
            continue
        got = _bet(line, [own for own in verdict.findings if own.subject == bet], verdict)
        full = wanted if line.held else {"verdict": _of_a_bet(verdict), **wanted}
        for key, value in full.items():
            found += _same(f"{bet} {key}", value, got.get(key))
    if "net" in expect:
        found += _same(
            "net", {name: net for name, net in expect["net"].items() if net is not None}, _nets(lines.values())
        )
    if "corrections" in expect:
        record = game.get("recorded") or {}
        owed = {stake: money for stake, money in verdict.differences.items() if stake in record}
        told = {own.subject: own.money for own in verdict.findings if own.kind == "mispaid" and own.subject in record}
        found += _same("corrections", {bet: net for bet, net in expect["corrections"].items() if net}, owed)
        found += _same("corrections by finding", owed, told)
    for name, wanted in expect.get("candidates", {}).items():
        found += _same(f"candidate {name}", wanted.get("net"), _nets(verdict.due.candidates.get(name, ())))
    return found


def _is_of_the_book(finding: Finding) -> bool:
    """The catalogue's codes: where the house reads a parameter otherwise, the judge tells the other reading too."""
    return finding.code != "other_reading"


def _bet(line: Line, about: list[Finding], verdict: Verdict) -> Given:
    claimed = next((own.remedy for own in about if own.code == "claim_disputed"), {})
    cut = sum(own.remedy.get("refund", 0) for own in about if own.code == "over_max")
    voided = any(own.kind == "void" and own.scope == "bet" for own in about)
    return {
        "effect": _effect(line),
        "net": None if line.held else line.net,
        "verdict": "bet_void" if voided else _of_a_bet(verdict),
        "win": claimed.get("win", line.paid),
        "stake": claimed.get("stake", line.staked),
        "p": line.player,
        "player": line.player,
        "excess_refund": cut,
        "live_stake": line.staked - cut if not voided else 0,
    }


def _of_a_bet(verdict: Verdict) -> str:
    """A bet is valid, or shares the game's void."""
    return "round_void" if verdict.standing == "void" else "valid"


def _standing(verdict: Verdict) -> str:
    return "round_void" if verdict.standing == "void" else verdict.standing


def _effect(line: Line) -> str:
    if line.held:
        return "held"
    if line.stands and not line.paid:
        return "leave"
    return "pay" if line.paid else "take" if line.taken else "refund"


def _nets(lines: Iterable[Line]) -> dict[str, int]:
    """Net of every player who had a bet whose net is fixed."""
    nets: dict[str, int] = {}
    for line in lines:
        if not line.held and line.staked:
            nets[line.player] = nets.get(line.player, 0) + line.net
    return nets


def _same(what: str, wanted: Any, got: Any) -> list[str]:
    if wanted == got:
        return []
    show = [sorted(one) if isinstance(one, set) else one for one in (wanted, got)]
    return [f"{what}: expected {show[0]!r}, got {show[1]!r}"]
