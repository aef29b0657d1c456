"""How a dealer breaks each rule that can be broken: one function a rule, each breaking that rule and no other."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from events.schema import common as tb
from events.schema.event import Event
from games.caribbean_stud.events import ANTE, BET, BONUS, EXCHANGE, FOLD
from games.protocol import Due

if TYPE_CHECKING:
    from games.caribbean_stud.dealer import Dealer, Plan

PAIR = ("9s", "9h", "Qd", "7c", "4h")
TWO_PAIR = ("Ts", "Th", "6d", "6c", "4s")
DRAWS_TO_TWO_PAIR = ("4s", "Th", "Ts", "6d", "6c")
"""Its first card is given away; he bets whatever he gets for it."""

KINGS, KINGS_TOO = ("Ks", "Kh", "Jd", "8c", "3h"), ("Kd", "Kc", "Js", "8d", "3s")
NO_HAND = ("Kc", "Jd", "7h", "5s", "3c")
ACES = ("Ac", "Ad", "Kh", "8s", "3d")
ACE_KING = ("As", "Kd", "Jh", "8h", "3c")


def _compared(dealer: Dealer, plan: Plan, own: tuple[str, ...], other: tuple[str, ...]) -> int:
    """One box bets with its hand against the dealer's; the box."""
    box = dealer.some_box()
    plan.hands = {f"box/{box}": own, "dealer": other}
    plan.choices[box] = BET
    return box


def _otherwise(dealer: Dealer, plan: Plan, box: int, spot: str, change: Callable[[Due], list[Event]]) -> None:
    """Payments on one spot of a box are made as `change` says, all others as they are due."""

    def settle(due: Due) -> list[Event]:
        usual: list[Event] = [tb.ChipsMoved(due.frm, due.to, due.amount, due.cause, due.stake)]
        round_ = dealer.session.round
        stakes = round_.stakes if round_ is not None else ()
        own = next((stake for stake in stakes if stake.id == due.stake), None)
        return change(due) if own is not None and (own.box, own.spot) == (box, spot) else usual

    plan.settle = settle


def _given_back(dealer: Dealer, box: int) -> Callable[[Due], list[Event]]:
    """A stake that is lost goes back to its player."""
    return lambda due: [tb.ChipsMoved(due.frm, f"player/{dealer.people[box]}", due.amount, "return", due.stake)]


def _not_paid(due: Due) -> list[Event]:
    return [] if due.what == "win" else [tb.ChipsMoved(due.frm, due.to, due.amount, due.cause, due.stake)]


def _one_to_one(due: Due) -> list[Event]:
    amount = due.amount // 2 if due.what == "win" else due.amount
    return [tb.ChipsMoved(due.frm, due.to, amount, due.cause, due.stake)]


def _taken(due: Due) -> list[Event]:
    return [tb.ChipsMoved(due.frm, "float", due.amount, "take", due.stake)]


# Stakes and deal ------------------------------------------------------------------------------------------------------


def _seventh_box(dealer: Dealer, plan: Plan) -> None:
    while len(dealer.people) < 6:
        dealer.arrive()
    plan.before_deal.append(lambda: _drop(dealer.stake(7, ANTE, 10_000, player="p-7")))


def _late_ante(dealer: Dealer, plan: Plan) -> None:
    plan.after_cards[3] = lambda: _drop(dealer.stake(7, ANTE, 10_000, player="p-7"))


def _bonus_alone(dealer: Dealer, plan: Plan) -> None:
    plan.before_deal.append(lambda: _drop(dealer.stake(7, BONUS, 2_000, player="p-7")))


def _drop(_name: str) -> None:
    """A stake's id that nobody needs."""


def _fifth_down(_dealer: Dealer, plan: Plan) -> None:
    plan.fifth_down = True


# Exchange, Bet, fold --------------------------------------------------------------------------------------------------


def _dear_exchange(dealer: Dealer, plan: Plan) -> None:
    plan.choices[dealer.some_box()] = EXCHANGE
    plan.fee = 2


def _bonus_kept(dealer: Dealer, plan: Plan) -> None:
    box = dealer.some_box()
    plan.choices[box] = EXCHANGE
    plan.hands = {f"box/{box}": DRAWS_TO_TWO_PAIR}
    plan.bonus.add(box)
    _otherwise(dealer, plan, box, BONUS, _given_back(dealer, box))


def _no_burn(dealer: Dealer, plan: Plan) -> None:
    plan.choices[dealer.some_box()] = EXCHANGE
    plan.burns = dealer.rng.choice((0, 2))


def _big_bet(dealer: Dealer, plan: Plan) -> None:
    plan.choices[dealer.some_box()] = BET
    plan.bet = 3


def _fold_forgiven(dealer: Dealer, plan: Plan) -> None:
    box = dealer.some_box()
    plan.choices[box] = FOLD
    _otherwise(dealer, plan, box, ANTE, _given_back(dealer, box))


def _early_reveal(_dealer: Dealer, plan: Plan) -> None:
    plan.early_reveal = True


# Settlement -----------------------------------------------------------------------------------------------------------


def _ante_unpaid(dealer: Dealer, plan: Plan) -> None:
    _otherwise(dealer, plan, _compared(dealer, plan, PAIR, NO_HAND), ANTE, _not_paid)


def _bet_not_taken(dealer: Dealer, plan: Plan) -> None:
    box = _compared(dealer, plan, PAIR, ACES)
    _otherwise(dealer, plan, box, BET, _given_back(dealer, box))


def _bet_paid_short(dealer: Dealer, plan: Plan) -> None:
    _otherwise(dealer, plan, _compared(dealer, plan, TWO_PAIR, ACE_KING), BET, _one_to_one)


def _tie_taken(dealer: Dealer, plan: Plan) -> None:
    _otherwise(dealer, plan, _compared(dealer, plan, KINGS, KINGS_TOO), ANTE, _taken)


def _bonus_without_table(dealer: Dealer, plan: Plan) -> None:
    plan.bonus.add(_compared(dealer, plan, TWO_PAIR, ACE_KING))


def _paid_to_nobody(dealer: Dealer, plan: Plan) -> None:
    plan.after_settlement.append(
        lambda: dealer.say(tb.ChipsMoved("float", "player/p-7", 10_000, "win", "k0"), 2)
    )  # fmt: skip


# Cut, deal, conduct ---------------------------------------------------------------------------------------------------


def _wrong_cut(dealer: Dealer, plan: Plan) -> None:
    if dealer.rng.random() < 0.5:
        plan.cut = False
    else:
        plan.cutter = dealer.staff[0]


def _misdeal(_dealer: Dealer, plan: Plan) -> None:
    plan.misdeal = True


def _chips_passed(dealer: Dealer, plan: Plan) -> None:
    giver, taker = sorted(dealer.people)[:2]
    frm, to = f"player/{dealer.people[giver]}", f"player/{dealer.people[taker]}"
    plan.before_close.append(lambda: dealer.say(tb.ChipsMoved(frm, to, 20_000, "transfer"), 2))


ALL: dict[str, Callable[[Dealer, Plan], None]] = {
    "CS-01": _seventh_box, "CS-02": _late_ante, "CS-03": _bonus_alone, "CS-04": _fifth_down, "CS-05": _dear_exchange,
    "CS-06": _bonus_kept, "CS-07": _no_burn, "CS-08": _big_bet, "CS-09": _fold_forgiven, "CS-10": _early_reveal,
    "CS-11": _ante_unpaid, "CS-12": _bet_not_taken, "CS-13": _bet_paid_short, "CS-14": _tie_taken,
    "CS-15": _bonus_without_table, "CS-17": _paid_to_nobody, "CS-18": _wrong_cut, "CS-20": _misdeal,
    "CS-21": _chips_passed,
}  # fmt: skip
"""Rule → who breaks it. A ruling (CS-22) is no dealer's."""
