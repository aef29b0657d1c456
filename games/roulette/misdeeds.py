"""How a croupier breaks each rule that can be broken: one function a rule, each breaking that rule and no other."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from events.schema import common as tb
from events.schema.event import Event
from games.protocol import Due
from games.roulette import events as rl
from games.roulette.layout import CALLS, WHEEL, components, find_position
from games.roulette.players import BY_TYPE, COLOURS
from games.shared.scripted import Misdeed

if TYPE_CHECKING:
    from games.roulette.dealer import Croupier, Plan

# Chips and seats ------------------------------------------------------------------------------------------------------


def _wrong_wheel(croupier: Croupier, plan: Plan) -> None:
    swapped = list(WHEEL)
    at = croupier.rng.randrange(36)
    swapped[at], swapped[at + 1] = swapped[at + 1], swapped[at]
    croupier.say(rl.WheelInstalled("w-8", tuple(swapped)), 60)
    plan.after_round.append(lambda: croupier.say(rl.WheelInstalled("w-7", WHEEL), 60))


def _sold_short(croupier: Croupier, _plan: Plan) -> None:
    player = croupier.find(colour=True)
    player.hand += 20
    value = 20 * player.unit
    croupier.say(tb.ColourChipsIssued(player.name, player.colour, player.unit, 20, value - player.unit), 3)


def _second_colour(croupier: Croupier, _plan: Plan) -> None:
    player = croupier.find(colour=True)
    croupier.buy(player, 20)  # whatever he has lost, he has chips of his own colour now
    other = next(name for name in reversed(COLOURS) if name not in {own.colour for own in croupier.people})
    croupier.say(tb.ColourChipsIssued(player.name, other, player.unit, 10, 10 * player.unit), 3)
    croupier.say(tb.ColourChipsRedeemed(player.name, other, player.unit, 10, 10 * player.unit), 3)


def _foreign_chip(croupier: Croupier, _plan: Plan) -> None:
    player = croupier.find(colour=False)
    croupier.bets += 1
    placed = rl.BetPlaced(
        f"b{croupier.bets}", player.name, str(croupier.rng.randrange(37)), 15_000, chip_kind="colour", colour="violet",
        chip_table="RL-99", chips=3, unit_value=5_000,
    )  # fmt: skip
    croupier.say(placed, 2)


def _chip_too_small(croupier: Croupier, _plan: Plan) -> None:
    croupier.say(tb.ColourChipsIssued("p-77", "grey", 2_000, 30, 60_000), 3)
    croupier.say(tb.ColourChipsRedeemed("p-77", "grey", 2_000, 30, 60_000), 3)


def _swapped_short(croupier: Croupier, _plan: Plan) -> None:
    croupier.say(rl.ChipsSwapped("p-78", 100_000, "grey", 5_000, 19), 3)
    croupier.say(tb.ColourChipsRedeemed("p-78", "grey", 5_000, 19, 95_000), 3)


def _redeemed_short(croupier: Croupier, _plan: Plan) -> None:
    player = croupier.find(colour=True)
    croupier.buy(player, 20)
    if croupier.rng.random() < 0.5:
        croupier.say(rl.RedemptionRefused(player.name, by=croupier.staff[0]), 3)
        return
    player.hand -= 10
    croupier.say(tb.ColourChipsRedeemed(player.name, player.colour, player.unit, 10, 9 * player.unit), 3)


def _paid_after_leaving(croupier: Croupier, _plan: Plan) -> None:
    croupier.say(tb.ColourChipsIssued("p-79", "grey", 10_000, 12, 120_000), 3)
    croupier.say(tb.PlayerEndedPlay("p-79"), 3)
    croupier.say(tb.PlayerLeftTable("p-79"), 3)
    croupier.say(tb.ColourChipsRedeemed("p-79", "grey", 10_000, 12, 120_000), 30)


def _friend_seated(croupier: Croupier, _plan: Plan) -> None:
    seat = next(seat for seat in range(1, 9) if seat not in croupier.session.seats)
    croupier.say(tb.SeatTaken(seat, "g-1", is_player=False), 3)
    croupier.say(tb.SeatLeft(seat, "g-1"), 20)


# Placing bets ---------------------------------------------------------------------------------------------------------


def _no_opening_call(_croupier: Croupier, plan: Plan) -> None:
    plan.opening = False


def _laid_differently(croupier: Croupier, _plan: Plan) -> None:
    player = croupier.find(colour=False)
    parts = {"1": 1, "6/9": 1, "14/17": 1, "17/18": 1, "31/34": 1}  # 17/18 instead of 17/20
    laid = tuple(rl.PlacedComponent(position, chips) for position, chips in parts.items())
    croupier.call_bet(player, "orphelins", parts=laid)


def _call_bet_late(croupier: Croupier, plan: Plan) -> None:
    player = croupier.find(colour=False)
    kind = croupier.rng.choice(sorted(CALLS))
    croupier.ask(player, kind, None, f"b{croupier.bets + 1}")
    name = croupier.bets + 1
    croupier.bets += 1
    count = sum(part.chips for part in components(kind))
    placed = rl.CallBetPlaced(f"b{name}", player.name, kind, player.unit * count, unit=player.unit)
    plan.after_call.append(lambda: croupier.say(placed, 1.5))


# The spin -------------------------------------------------------------------------------------------------------------


def _with_wheel(_croupier: Croupier, plan: Plan) -> None:
    plan.with_wheel = True


def _not_alternated(_croupier: Croupier, plan: Plan) -> None:
    plan.not_alternated = True


def _unfounded(_croupier: Croupier, plan: Plan) -> None:
    plan.unfounded = True


def _short_spin(croupier: Croupier, plan: Plan) -> None:
    plan.laps_tenths = croupier.rng.randrange(40, 100)


def _bad_closing(croupier: Croupier, plan: Plan) -> None:
    plan.closing = croupier.rng.choice(("missing", "late"))


def _late_bet(croupier: Croupier, plan: Plan) -> None:
    player = croupier.find(colour=False)
    position = str(croupier.rng.randrange(37))
    plan.after_call.append(lambda: _ignore(croupier.bet(player, position, 2, 1.5)))


def _ignore(_name: str) -> None:
    """The id of a bet that nobody asks for again."""


def _late_move(croupier: Croupier, plan: Plan) -> None:
    bet = croupier.bet(croupier.find(colour=False), "black", 8)
    plan.after_call.append(lambda: croupier.say(rl.BetMoved(bet, "black", "red"), 2))


def _misannounced(croupier: Croupier, plan: Plan) -> None:
    plan.number = croupier.rng.randrange(37)
    plan.announced = (plan.number + 1 + croupier.rng.randrange(35)) % 37


# Settlement -----------------------------------------------------------------------------------------------------------


def _chips(due: Due, amount: int) -> Event:
    return tb.ChipsMoved(due.frm, due.to, amount, due.what, due.stake)  # type: ignore[arg-type]


def _loser_left(croupier: Croupier, plan: Plan) -> None:
    player = croupier.find(colour=False)
    plan.number = croupier.rng.randrange(1, 37)
    loser = croupier.bet(player, str((plan.number + 7) % 37), 2)
    plan.settle = lambda due: [] if due.stake == loser and due.what == "take" else [_chips(due, due.amount)]


def _over_limits(croupier: Croupier, _plan: Plan) -> None:
    player = croupier.find(colour=False)
    free = [str(number) for number in range(37) if croupier.fits(player, str(number), player.unit)]
    place, chips = (croupier.rng.choice(free), 110) if croupier.rng.random() < 0.5 else ("odd", 3)
    if place == "odd" and croupier.fits(player, "odd", 3 * player.unit):
        place, chips = free[0], 110  # he has chips on odd already, and three more would do
    croupier.bet(player, place, chips)


def _off_the_layout(croupier: Croupier, _plan: Plan) -> None:
    croupier.bet(croupier.find(colour=False), croupier.rng.choice(("1/5", "0/1/3", "red/black", "17/19", "2/3/4")), 4)


def _wrong_odds(*kinds: str) -> Misdeed[Croupier, Plan]:
    """A winning bet of one of these types is paid a chip too much or too little."""

    def during(croupier: Croupier, plan: Plan) -> None:
        rng = croupier.rng
        player = croupier.find(colour=False)
        places = [text for kind in kinds for text in BY_TYPE[kind] if croupier.fits(player, text, 4 * player.unit)]
        place = find_position(rng.choice(places))
        assert place is not None
        bet = croupier.bet(player, place.text, 4)
        plan.number = rng.choice(sorted(place.numbers))
        plan.settle = _mispays(bet, rng.choice((-1, 1)) * player.unit)

    return Misdeed(during=during)


def _mispays(bet: str, apart: int) -> Callable[[Due], list[Event]]:
    return lambda due: [_chips(due, due.amount + (apart if due.what == "win" and due.stake == bet else 0))]


def _wrong_call(kind: str) -> Misdeed[Croupier, Plan]:
    """A call bet that hits is paid a chip too little."""

    def during(croupier: Croupier, plan: Plan) -> None:
        rng = croupier.rng
        number = rng.randrange(37) if kind == "neighbours" else None
        bet = croupier.call_bet(croupier.find(colour=False), kind, number=number)
        hits = [place for part in components(kind, number) if (place := find_position(part.position))]
        plan.number = rng.choice(sorted(rng.choice(hits).numbers))
        plan.settle = _mispays(bet, -5_000)

    return Misdeed(during=during)


def _half_on_zero(croupier: Croupier, plan: Plan) -> None:
    """La partage, which this house does not have: half of an even chance goes back on zero."""
    player = croupier.find(colour=False)
    bet = croupier.bet(player, croupier.rng.choice(("red", "black", "odd", "even", "low", "high")), 8)
    plan.number = 0

    def settle(due: Due) -> list[Event]:
        if due.stake != bet or due.what != "take":
            return [_chips(due, due.amount)]
        half = due.amount // 2
        back = tb.ChipsMoved(due.frm, f"player/{player.name}", due.amount - half, "return", bet)
        return [_chips(due, half), back]

    plan.settle = settle


def _winner_taken(croupier: Croupier, plan: Plan) -> None:
    player = croupier.find(colour=False)
    plan.number = croupier.rng.randrange(37)
    bet = croupier.bet(player, str(plan.number), 3)

    def settle(due: Due) -> list[Event]:
        paid = [_chips(due, due.amount)]
        if due.stake == bet and due.what == "win":
            paid.append(tb.ChipsMoved(f"box/{bet}", "float", 3 * player.unit, "take", bet))
        return paid

    plan.settle = settle


def _chips_on_one(croupier: Croupier, plan: Plan) -> None:
    """The trio of the voisins carries two chips; one is put there and the other handed back."""
    player = croupier.find(colour=False)
    bet = croupier.call_bet(player, "voisins")
    plan.number = croupier.rng.choice((0, 2, 3))

    def lay_out(settled: rl.CallBetSettled, unit: int) -> list[Event]:
        if settled.bet != bet:
            return [settled]
        one = rl.CallBetSettled(bet, (rl.PlacedComponent("0/2/3", 1),), settled.paid, settled.taken)
        return [one, tb.ChipsMoved(f"box/{bet}", f"player/{player.name}", unit, "return", bet)]

    plan.lay_out = lay_out


def _advice(croupier: Croupier, _plan: Plan) -> None:
    player = croupier.rng.choice(croupier.people)
    croupier.say(rl.StaffAdvice(croupier.staff[0], player.name, suspected_by=croupier.staff[1]), 2)


ALL: dict[str, Misdeed[Croupier, Plan]] = {
    "RL-01": Misdeed(before=_wrong_wheel),
    "RL-02": Misdeed(during=_sold_short),
    "RL-03": Misdeed(during=_second_colour),
    "RL-04": Misdeed(during=_foreign_chip),
    "RL-05": Misdeed(during=_chip_too_small),
    "RL-06": Misdeed(during=_swapped_short),
    "RL-07": Misdeed(during=_redeemed_short),
    "RL-08": Misdeed(during=_paid_after_leaving),
    "RL-09": Misdeed(during=_friend_seated),
    "RL-10": Misdeed(before=_no_opening_call),
    "RL-12": Misdeed(during=_laid_differently),
    "RL-13": Misdeed(during=_call_bet_late),
    "RL-14": Misdeed(during=_with_wheel),
    "RL-15": Misdeed(during=_not_alternated),
    "RL-16": Misdeed(during=_unfounded),
    "RL-17": Misdeed(during=_short_spin),
    "RL-18": Misdeed(during=_bad_closing),
    "RL-19": Misdeed(during=_late_bet),
    "RL-20": Misdeed(during=_late_move),
    "RL-21": Misdeed(during=_misannounced),
    "RL-22": Misdeed(during=_loser_left),
    "RL-23": Misdeed(during=_over_limits),
    "RL-24": Misdeed(during=_off_the_layout),
    "RL-25": _wrong_odds("red", "black", "odd", "even", "low", "high"),
    "RL-26": _wrong_odds("dozen", "column"),
    "RL-27": _wrong_odds("six_line"),
    "RL-28": _wrong_odds("street"),
    "RL-29": _wrong_odds("corner"),
    "RL-30": _wrong_odds("split"),
    "RL-31": _wrong_odds("straight"),
    "RL-32": Misdeed(during=_half_on_zero),
    "RL-33": Misdeed(during=_winner_taken),
    "RL-34": _wrong_call("neighbours"),
    "RL-35": _wrong_call("jeu_zero"),
    "RL-36": _wrong_call("voisins"),
    "RL-37": _wrong_call("tiers"),
    "RL-38": _wrong_call("orphelins"),
    "RL-39": Misdeed(during=_chips_on_one),
    "RL-41": Misdeed(during=_advice),
}
