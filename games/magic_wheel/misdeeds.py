"""How a croupier breaks each rule that can be broken: one function a rule, each breaking that rule and no other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from events.schema import common as tb
from events.schema.event import Event
from games.magic_wheel import events as mw
from games.magic_wheel.symbols import BOXES, SYMBOLS, X
from games.protocol import Due
from games.shared.scripted import Misdeed

if TYPE_CHECKING:
    from games.magic_wheel.dealer import Croupier, Plan


def _fields(croupier: Croupier, symbol: str) -> list[int]:
    """The fields of the wheel that show a symbol."""
    wheel = croupier.session.wheel
    assert wheel is not None
    return [field for field, shown in enumerate(wheel.fields) if shown == symbol]


def _stops_on(croupier: Croupier, plan: Plan, symbol: str) -> None:
    plan.field = croupier.rng.choice(_fields(croupier, symbol))


# Wheel, layout, bets --------------------------------------------------------------------------------------------------


def _wrong_wheel(croupier: Croupier, plan: Plan) -> None:
    """One X shows a bell instead."""
    wheel = croupier.session.wheel
    assert wheel is not None
    changed = list(wheel.fields)
    changed[croupier.rng.choice(_fields(croupier, X))] = "bell"
    _stops_on(croupier, plan, "cherries")
    croupier.say(mw.WheelInstalled("w-2", tuple(changed)), 60)
    plan.after_game.append(lambda: croupier.say(mw.WheelInstalled("w-1", wheel.fields), 60))


def _not_to_be_bet(croupier: Croupier, _plan: Plan) -> None:
    """X, a place beside the boxes, too little, too much."""
    rng = croupier.rng
    box = rng.choice(BOXES)
    place, amount = rng.choice(((X, 10_000), ("banana", 10_000), (box, 2_500), (box, 1_010_000)))
    croupier.bet(croupier.someone(place), place, amount)


def _no_value_chip(croupier: Croupier, _plan: Plan) -> None:
    box = croupier.rng.choice(BOXES)
    croupier.bet(croupier.someone(box), box, 10_000, chip_kind=croupier.rng.choice(("colour", "cash")))


def _claimed(croupier: Croupier, plan: Plan) -> None:
    box = croupier.rng.choice(BOXES)
    player = croupier.someone(box)
    bet = croupier.bet(player, box, 10_000)
    other = next((name for name in croupier.people if name != player), "p-1000")
    _stops_on(croupier, plan, box)
    plan.after_stop.append(lambda: croupier.say(mw.ClaimRaised(bet, (player, other)), 4))


# The calls and the spin -----------------------------------------------------------------------------------------------


def _no_opening_call(_croupier: Croupier, plan: Plan) -> None:
    plan.opening = False


def _bad_closing(croupier: Croupier, plan: Plan) -> None:
    """No closing call, one after the wheel was set going, a bet after it, a bet moved after it."""
    what = croupier.rng.choice(("missing", "late", "bet", "move"))
    if what in ("missing", "late"):
        plan.closing = what
        return
    player = croupier.someone("bell")
    if what == "bet":
        plan.after_call.append(lambda: _ignore(croupier.bet(player, "bell", 10_000)))
        return
    bet = croupier.bet(player, "bell", 10_000)
    plan.after_call.append(lambda: croupier.say(mw.BetMoved(bet, "bell", "star"), 1.5))


def _ignore(_name: str) -> None:
    """The id of a bet that nobody asks for again."""


def _short_spin(croupier: Croupier, plan: Plan) -> None:
    croupier.bet(croupier.someone("star"), "star", 10_000)
    plan.turns_tenths = croupier.rng.randrange(8, 50)


def _misannounced(croupier: Croupier, plan: Plan) -> None:
    shown, said = croupier.rng.sample(SYMBOLS, 2)
    _stops_on(croupier, plan, shown)
    plan.announced = said


def _wrong_side_of_the_pin(croupier: Croupier, plan: Plan) -> None:
    wheel = croupier.session.wheel
    assert wheel is not None
    fields = wheel.fields
    plan.on_pin = plan.wrong_side = True
    plan.field = croupier.rng.choice([at for at in range(len(fields)) if fields[at] != fields[(at + 1) % len(fields)]])


# Settlement -----------------------------------------------------------------------------------------------------------


def _chips(due: Due, amount: int) -> Event:
    return tb.ChipsMoved(due.frm, due.to, amount, due.cause, due.stake)


def _wrongly_taken(croupier: Croupier, plan: Plan) -> None:
    """A losing bet is left lying, or a winning stake taken."""
    rng = croupier.rng
    box, shown = rng.sample(BOXES, 2)
    bet = croupier.bet(croupier.someone(box), box, 10_000)
    if rng.random() < 0.5:
        _stops_on(croupier, plan, shown)
        plan.settle = lambda due: [] if due.stake == bet and due.what == "take" else [_chips(due, due.amount)]
        return
    _stops_on(croupier, plan, box)

    def settle(due: Due) -> list[Event]:
        if due.stake == bet and due.what == "return":
            return [tb.ChipsMoved(due.frm, "float", due.amount, "take", bet)]
        return [_chips(due, due.amount)]

    plan.settle = settle


def _wrong_odds(croupier: Croupier, plan: Plan) -> None:
    """A winning bet is paid a stake too much or too little."""
    box = croupier.rng.choice(BOXES)
    bet = croupier.bet(croupier.someone(box), box, 20_000)
    apart = croupier.rng.choice((-20_000, 20_000))
    _stops_on(croupier, plan, box)
    plan.settle = lambda due: [
        _chips(due, due.amount + (apart if due.stake == bet and due.what == "win" else 0))
    ]  # fmt: skip


def _spared_on_x(croupier: Croupier, plan: Plan) -> None:
    """A bet goes back to its player on X."""
    player = croupier.someone("cherries")
    bet = croupier.bet(player, "cherries", 10_000)
    _stops_on(croupier, plan, X)

    def settle(due: Due) -> list[Event]:
        if due.stake == bet:
            return [tb.ChipsMoved(due.frm, f"player/{player}", due.amount, "return", bet)]
        return [_chips(due, due.amount)]

    plan.settle = settle


def _overlap(croupier: Croupier, plan: Plan) -> None:
    """Bets are invited for the next game while a winner waits for his money."""
    box = croupier.rng.choice(BOXES)
    croupier.bet(croupier.someone(box), box, 10_000)
    _stops_on(croupier, plan, box)
    plan.overlaps = True


ALL: dict[str, Misdeed[Croupier, Plan]] = {
    "MW-01": Misdeed(before=_wrong_wheel),
    "MW-02": Misdeed(during=_not_to_be_bet),
    "MW-04": Misdeed(during=_no_value_chip),
    "MW-06": Misdeed(during=_claimed),
    "MW-07": Misdeed(before=_no_opening_call),
    "MW-08": Misdeed(during=_bad_closing),
    "MW-10": Misdeed(during=_short_spin),
    "MW-11": Misdeed(during=_misannounced),
    "MW-12": Misdeed(during=_wrong_side_of_the_pin),
    "MW-13": Misdeed(during=_wrongly_taken),
    "MW-14": Misdeed(during=_wrong_odds),
    "MW-15": Misdeed(during=_spared_on_x),
    "MW-16": Misdeed(during=_overlap),
}
