"""A room for tests of the judge itself: one coin, a bet on heads, paid one to one. No rule of a real game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from events.schema.common import ChipsMoved, RoundClosed, RoundOpened, SourceEnded, TableClosed, TableOpened
from events.schema.envelope import Envelope
from events.schema.event import Amount, Event, Move, Name
from events.schema.fact import Fact
from games.clocks import Clocks
from games.house_rules.edition import Edition
from games.house_rules.parameters import Parameter, Parameters
from games.house_rules.rulebook import Rule, RuleBook
from games.picture import Picture, Viewpoint
from games.protocol import Expectation, Game, Round
from games.scribe import Scribe
from games.verdict import Finding, Line, Settlement


class HeadsBet(Event, frozen=True):
    TOPIC: ClassVar[str] = "CO.HeadsBet.v1"
    MOVES: ClassVar[tuple[Move, ...]] = (Move("player/{player}", "box/{bet}", "amount", "stake", "{bet}"),)
    bet: Name
    player: Name
    amount: Amount


class CoinTossed(Event, frozen=True):
    TOPIC: ClassVar[str] = "CO.CoinTossed.v2"
    UPCASTS: ClassVar[dict[str, Any]] = {
        "CO.CoinTossed.v1": lambda data: {"side": "heads" if data["heads"] else "tails"}
    }
    side: Literal["heads", "tails"]


class Constants(Struct, frozen=True, forbid_unknown_fields=True):
    odds: Annotated[int, Meta(ge=1)] = 1


class Coin(Struct, frozen=True):
    edition: Edition
    opened: int = 0
    bets: tuple[HeadsBet, ...] = ()
    side: str = ""


BOOK = RuleBook("CO", Parameters([Parameter("coin.late", "void", ("void", "counts"))]), Constants)


def open_table(edition: Edition, _opened: Fact, _rulings: tuple[Fact, ...], _clocks: Clocks) -> Coin:
    return Coin(edition)


def evolve(coin: Coin, fact: Fact) -> Coin:
    event = fact.event
    if isinstance(event, RoundOpened):
        return Coin(coin.edition, coin.opened + 1)
    if isinstance(event, HeadsBet):
        return replace(coin, bets=(*coin.bets, event))
    if isinstance(event, CoinTossed):
        return replace(coin, side=event.side)
    return coin


def due(round_: Round[Coin]) -> Settlement:
    coin = round_.session
    lines = tuple(
        Line(
            stake=bet.bet,
            player=bet.player,
            staked=bet.amount,
            returned=bet.amount,
            paid=bet.amount * coin.edition.constants.odds,
        )
        if coin.side == "heads"
        else Line(stake=bet.bet, player=bet.player, staked=bet.amount, taken=bet.amount)
        for bet in coin.bets
    )
    return Settlement(lines=lines, known=bool(coin.side)) if coin.side else Settlement(known=False)


@BOOK.check("CO-01")
def paid_as_due(round_: Round[Coin], rule: Rule) -> Iterator[Finding]:
    was = {line.stake: line.net for line in round_.recorded.lines} if round_.recorded else {}
    for line in round_.due.lines:
        if line.stake in was and was[line.stake] != line.net:
            yield rule.finding("wrong_payout", "mispaid", "bet", subject=line.stake, money=line.net - was[line.stake])


@BOOK.check("CO-02", on=(HeadsBet,), parameters=("coin.late",))
def no_bet_after_the_toss(before: Coin, fact: Fact, rule: Rule) -> Iterator[Finding]:
    if before.side:
        kind = "void" if rule["coin.late"] == "void" else "breach"
        yield rule.finding("late_bet", kind, "bet", subject=getattr(fact.event, "bet", ""), facts=(fact,))


def deal(rounds: int, seed: int, *, breach: str | None = None, breach_round: int | None = None,
         table: str = "brno/CO-1", day: str = "2026-11-28", currency: str = "CZK") -> Iterator[Envelope]:  # fmt: skip
    pen = Scribe(table, day)
    yield pen.say(TableOpened("coin", "CO", currency))
    for number in range(rounds):
        pen.round = str(number + 1)
        side = "heads" if (seed + number) % 2 else "tails"
        late = breach == "CO-02" and number == (breach_round or 0)
        yield pen.say(RoundOpened(), 5)
        if not late:
            yield pen.say(HeadsBet("b1", "p-1", 1000), 1)
        yield pen.say(CoinTossed(side), 1)
        if late:
            yield pen.say(HeadsBet("b1", "p-1", 1000), 1)
        short = 100 if breach == "CO-01" and number == (breach_round or 0) else 0
        if side == "heads":
            yield pen.say(ChipsMoved("float", "player/p-1", 1000 - short, "win", "b1"), 1)
        else:
            yield pen.say(ChipsMoved("box/b1", "float", 1000 - short, "take", "b1"), 1)
        yield pen.say(RoundClosed(), 1)
        pen.round = None
    yield pen.say(TableClosed(), 5)
    yield pen.say(SourceEnded())


def picture(coin: Coin, _view: Viewpoint) -> Picture:
    return ()


TOML = """
[edition]
name = "toy"
rule_book = "CO"

[parameters]

[rules."CO-01"]
title = "Heads pay one to one"
text = "A bet on heads is paid one to one."
source = "none"
[rules."CO-02"]
title = "No bet after the toss"
text = "A bet made after the toss does not count."
source = "none"
"""

GAME: Game[Coin] = Game(
    name="coin", title="A coin", events=(HeadsBet, CoinTossed), books=(BOOK,), open_table=open_table, evolve=evolve,
    expects=lambda _coin: Expectation(phase="betting"), due=due, picture=picture, deal=deal, breaches=("CO-01", "CO-02"),
)  # fmt: skip
