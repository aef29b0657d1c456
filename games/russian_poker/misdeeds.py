"""How a dealer and his players break each rule that can be broken: a function a rule, breaking that one and no other.

Each arranges the round before it is dealt: hands, words, stakes, what is paid. In such a round everybody else bets and
takes his ante, so that nothing but the breach is out of order.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from events.schema import common as tb
from events.schema.event import Event
from games.protocol import Due
from games.russian_poker import events as rp
from games.shared.bank import events as bg

if TYPE_CHECKING:
    from games.russian_poker.dealer import Dealer, Plan

Misdeed = Callable[["Dealer", "Plan"], None]

PAIR = ("9s", "9h", "Qd", "7c", "4h")
TWO_PAIR = ("9s", "9h", "4d", "4c", "Jh")
PAIR_AK = ("Ad", "Kc", "9s", "9h", "6d")
TRIPS = ("6s", "6c", "6d", "Qc", "8h")
STRAIGHT = ("Qs", "Jh", "Ts", "9h", "8d")
ROYAL = ("As", "Ks", "Qs", "Js", "Ts")
LOW = ("Qs", "Jh", "9d", "8c", "4h")
WEAK_PAIR = ("8c", "8d", "5h", "4s", "2c")
ACES = ("Ac", "Ad", "6h", "4s", "2c")
NOTHING = ("Kc", "Jd", "7h", "5c", "3d")
"""Hands of boxes, then of the dealer: a pair of eights or aces qualifies, the last does not."""


def _two(dealer: Dealer) -> tuple[int, int]:
    """The first two boxes at the table."""
    first, second = sorted(dealer.people)[:2]
    return first, second


def _first(dealer: Dealer) -> int:
    return _two(dealer)[0]


def _all(plan: Plan, dealer: Dealer, hand: tuple[str, ...], dealers: tuple[str, ...]) -> int:
    """One box has a hand, the dealer another, the others fold; that box."""
    box = _first(dealer)
    plan.hands[box] = hand
    plan.dealers = dealers
    plan.choices = dict.fromkeys(dealer.people, "fold") | {box: "bet"}
    return box


def _stake_of(dealer: Dealer, box: int, spot: str) -> str:
    coup = dealer.session.round
    assert coup is not None
    return next(stake.id for stake in coup.stakes if stake.box == box and stake.spot == spot)


# Table and deck -------------------------------------------------------------------------------------------------------


def _fifth_box(dealer: Dealer, plan: Plan) -> None:
    while len(dealer.people) < 4:
        dealer.arrive()
    plan.hooks["antes"] = lambda: dealer.say(
        bg.StakePlaced(dealer.stake_name(), "p-1001", 5, "ante", dealer.tier.ante[0])
    )


def _friend_seated(dealer: Dealer, _plan: Plan) -> None:
    dealer.say(tb.SeatTaken(9, "g-1", is_player=False), 3)
    dealer.say(tb.SeatLeft(9, "g-1"), 20)


def _second_box(dealer: Dealer, plan: Plan) -> None:
    first, second = _two(dealer)
    dealer.left.add(dealer.people[second])
    dealer.say(bg.BoxReleased(second, dealer.people[second]))
    kept, dealer.people[second] = dealer.people[second], dealer.people[first]

    def back() -> None:
        dealer.people[second] = kept
        dealer.say(bg.BoxTaken(second, kept), 5)

    plan.hooks["closed"] = back


def _over_limits(dealer: Dealer, plan: Plan) -> None:
    low, high = dealer.tier.ante
    plan.antes[_first(dealer)] = dealer.rng.choice((high + low, low // 2))


def _card_twice(dealer: Dealer, plan: Plan) -> None:
    plan.hands[_first(dealer)] = PAIR
    plan.dealers = ("9h", *WEAK_PAIR[1:])


def _old_deck(dealer: Dealer, plan: Plan) -> None:
    plan.minutes = 80
    plan.hooks["closed"] = dealer.fresh_deck


def _step_left_out(dealer: Dealer, plan: Plan) -> None:
    missing = dealer.rng.choice(("spread", "wash", "piles"))
    plan.steps = tuple(step for step in plan.steps if step != missing)


def _not_cut(_dealer: Dealer, plan: Plan) -> None:
    plan.steps = tuple(step for step in plan.steps if step != "cut")


# Opening and deal -----------------------------------------------------------------------------------------------------


def _late_ante(dealer: Dealer, plan: Plan) -> None:
    plan.hooks["first card"] = lambda: _ignore(dealer.stake(_first(dealer), "ante", dealer.tier.ante[0]))


def _ignore(_value: object) -> None:
    return None


def _big_bonus(dealer: Dealer, plan: Plan) -> None:
    fixed = dealer.tier.bonus_stake
    plan.bonuses[_first(dealer)] = dealer.rng.choice((2 * fixed, fixed // 2))


def _card_up(dealer: Dealer, plan: Plan) -> None:
    """A card of the deal is turned over."""
    box = _first(dealer)
    plan.hooks["first pass"] = lambda: dealer.say(bg.CardShown("deal", dealer.held(box)[0], place=f"box/{box}"), 0.5)


def _looks_early(dealer: Dealer, plan: Plan) -> None:
    plan.hooks["first pass"] = lambda: dealer.say(bg.CardsViewed(_first(dealer)), 0.5)


# Decisions ------------------------------------------------------------------------------------------------------------


def _out_of_turn(_dealer: Dealer, plan: Plan) -> None:
    plan.in_turn = False


def _wrong_fee(dealer: Dealer, plan: Plan) -> None:
    box = _first(dealer)
    apart = dealer.rng.choice((-1, 1)) * dealer.tier.ante[0] // 2
    plan.hooks[f"word {box}"] = lambda: dealer.buy(plan, box, "buy6", fee=dealer.ante(box) + apart)


def _one_card(dealer: Dealer, plan: Plan) -> None:
    box = _first(dealer)
    plan.hooks[f"word {box}"] = lambda: dealer.buy(plan, box, "exchange", dealer.held(box)[:1])


def _buys_again(dealer: Dealer, plan: Plan) -> None:
    """After his Bet he asks for another card, pays for it and does not get it."""
    box = _first(dealer)
    plan.choices[box] = "buy6"

    def again() -> None:
        dealer.say(bg.Decided(box, "buy6"), 2)
        dealer.stake(box, "fee", dealer.ante(box))

    plan.hooks[f"decided {box}"] = again


def _wrong_bet(dealer: Dealer, plan: Plan) -> None:
    box = _first(dealer)
    plan.antes[box] = 2 * dealer.tier.ante[0]
    plan.bets[box] = dealer.rng.choice((5, 3)) * dealer.tier.ante[0]


def _fold_taken_back(dealer: Dealer, plan: Plan) -> None:
    box = _first(dealer)
    plan.choices[box] = "fold"
    plan.hooks[f"decided {box}"] = lambda: dealer.say(bg.Decided(box, "bet"), 2)


def _over_insured(dealer: Dealer, plan: Plan) -> None:
    box = _all(plan, dealer, TWO_PAIR, WEAK_PAIR)
    plan.antes[box] = dealer.tier.ante[0]
    plan.insured[box] = dealer.rng.choice((3, 1)) * dealer.tier.ante[0]


def _insured_late(dealer: Dealer, plan: Plan) -> None:
    box = _all(plan, dealer, TWO_PAIR, WEAK_PAIR)
    plan.hooks[f"decided {box}"] = lambda: _ignore(dealer.stake(box, "insurance", 2 * dealer.ante(box)))


def _turned_early(dealer: Dealer, plan: Plan) -> None:
    last = max(dealer.people)
    plan.hooks[f"word {last}"] = lambda: dealer.say(bg.DealerTurned(), 2)
    plan.bets[last] = 0


# Settlement -----------------------------------------------------------------------------------------------------------


def _instead(box: int, spot: str, what: str, amount: Callable[[int], int]) -> Callable[[Dealer, Plan], None]:
    """Of one payment another amount is moved; none if it is 0."""

    def arrange(dealer: Dealer, plan: Plan) -> None:
        def settle(due: Due) -> list[Event]:
            moved = due.amount
            if due.what == what and due.stake == _stake_of(dealer, box, spot):
                moved = amount(due.amount)
            return [tb.ChipsMoved(due.frm, due.to, moved, due.cause, due.stake)] if moved else []

        plan.settle = settle

    return arrange


def _taken(dealer: Dealer, plan: Plan, box: int, spot: str) -> None:
    """A stake that goes back is taken."""

    def settle(due: Due) -> list[Event]:
        if due.what == "return" and due.stake == _stake_of(dealer, box, spot):
            return [tb.ChipsMoved(due.frm, "float", due.amount, "take", due.stake)]
        return [tb.ChipsMoved(due.frm, due.to, due.amount, due.cause, due.stake)]

    plan.settle = settle


def _insurance_unpaid(dealer: Dealer, plan: Plan) -> None:
    box = _all(plan, dealer, TWO_PAIR, NOTHING)
    plan.antes[box] = dealer.tier.ante[0]
    plan.insured[box] = 2 * dealer.tier.ante[0]
    _instead(box, "insurance", "win", lambda due: due // 2)(dealer, plan)


def _loser_left(dealer: Dealer, plan: Plan) -> None:
    box = _all(plan, dealer, PAIR, ACES)
    _instead(box, "bet", "take", lambda _due: 0)(dealer, plan)


def _tie_taken(dealer: Dealer, plan: Plan) -> None:
    box = _all(plan, dealer, ("As", "Kd", "9h", "7c", "4s"), ("Ac", "Kh", "9d", "7s", "4d"))
    _taken(dealer, plan, box, "bet")


def _ante_paid(dealer: Dealer, plan: Plan) -> None:
    """A qualified dealer's loss: the ante is paid although it only goes back."""
    box = _all(plan, dealer, PAIR, WEAK_PAIR)

    def pay() -> None:
        stake = _stake_of(dealer, box, "ante")
        player = dealer.people[box]
        dealer.say(tb.ChipsMoved("float", f"player/{player}", dealer.ante(box), "win", stake), 1)

    plan.hooks["settled"] = pay


def _wrong_odds(dealer: Dealer, plan: Plan) -> None:
    box = _all(plan, dealer, TRIPS, WEAK_PAIR)
    _instead(box, "bet", "win", lambda due: due // 3 * dealer.rng.choice((2, 4)))(dealer, plan)


def _second_unpaid(dealer: Dealer, plan: Plan) -> None:
    box = _all(plan, dealer, PAIR_AK, WEAK_PAIR)
    _instead(box, "bet", "win", lambda due: due // 2)(dealer, plan)


def _ante_unpaid(dealer: Dealer, plan: Plan) -> None:
    box = _all(plan, dealer, PAIR, NOTHING)
    _instead(box, "ante", "win", lambda _due: 0)(dealer, plan)


def _bonus_short(dealer: Dealer, plan: Plan) -> None:
    box = _all(plan, dealer, TRIPS, ACES)
    plan.bonuses[box] = dealer.tier.bonus_stake
    _instead(box, "bonus", "win", lambda due: due // 3)(dealer, plan)


def _over_the_maximum(dealer: Dealer, plan: Plan) -> None:
    box = _all(plan, dealer, ROYAL, WEAK_PAIR)
    plan.antes[box] = dealer.tier.ante[1]
    _instead(box, "bet", "win", lambda due: 2 * due)(dealer, plan)


def _unknown_stake(dealer: Dealer, plan: Plan) -> None:
    def pay() -> None:
        player = dealer.people[_first(dealer)]
        dealer.say(tb.ChipsMoved("float", f"player/{player}", dealer.tier.ante[0], "win", "k-none"), 1)

    plan.hooks["settled"] = pay


def _bet_first(dealer: Dealer, plan: Plan) -> None:
    """The insurance is settled last."""
    box = _all(plan, dealer, TWO_PAIR, WEAK_PAIR)
    plan.antes[box] = dealer.tier.ante[0]
    plan.insured[box] = 2 * dealer.tier.ante[0]

    def order(dues: list[Due]) -> list[Due]:
        insured = _stake_of(dealer, box, "insurance")
        return sorted(dues, key=lambda due: due.stake == insured)

    plan.order = order


def _burned(dealer: Dealer, plan: Plan) -> None:
    plan.hooks["deal"] = lambda: dealer.say(tb.CardBurned(dealer.shoe.pop()), 1)


# The dealer's card ----------------------------------------------------------------------------------------------------


def _asks(plan: Plan, dealer: Dealer, hand: tuple[str, ...], drawn: str) -> int:
    """One box gives its ante up; the card that comes is named."""
    box = _all(plan, dealer, hand, NOTHING)
    plan.elects[box] = "replace_card"
    plan.drawn = [drawn]
    return box


def _asks_late(dealer: Dealer, plan: Plan) -> None:
    _box, second = _two(dealer)
    _asks(plan, dealer, STRAIGHT, "7d")
    plan.hands[second] = ("2s", "2h", "Qd", "8s", "4c")
    plan.choices[second] = "bet"
    plan.hooks["replaced"] = lambda: dealer.say(rp.AnteElected(second, "replace_card"), 2)


def _wrong_card(dealer: Dealer, plan: Plan) -> None:
    box = _all(plan, dealer, STRAIGHT, NOTHING)
    plan.drawn = ["7d"]
    plan.elects[box] = "replace_card"
    plan.wrong_card = "3d"


def _short_after_replacement(dealer: Dealer, plan: Plan) -> None:
    box = _asks(plan, dealer, STRAIGHT, "7d")
    _instead(box, "bet", "win", lambda due: due // 4)(dealer, plan)


def _taken_after_replacement(dealer: Dealer, plan: Plan) -> None:
    box = _asks(plan, dealer, STRAIGHT, "Td")
    _taken(dealer, plan, box, "bet")


def _replaced_again(dealer: Dealer, plan: Plan) -> None:
    """The new card is of another rank, and is replaced for another ante all the same."""
    box = _asks(plan, dealer, STRAIGHT, "Td")
    plan.drawn.append("Kd")

    def again() -> None:
        dealer.stake(box, "rex", dealer.ante(box))
        dealer.replace(plan)

    plan.hooks["replaced"] = again


ALL: dict[str, Misdeed] = {
    "RP-01": _fifth_box,
    "RP-02": _friend_seated,
    "RP-03": _second_box,
    "RP-04": _over_limits,
    "RP-05": _card_twice,
    "RP-06": _old_deck,
    "RP-07": _step_left_out,
    "RP-08": _not_cut,
    "RP-11": _late_ante,
    "RP-12": _big_bonus,
    "RP-13": _card_up,
    "RP-14": _looks_early,
    "RP-15": _out_of_turn,
    "RP-16": _wrong_fee,
    "RP-17": _one_card,
    "RP-18": _buys_again,
    "RP-19": _wrong_bet,
    "RP-20": _fold_taken_back,
    "RP-21": _over_insured,
    "RP-22": _insured_late,
    "RP-23": _turned_early,
    "RP-25": _insurance_unpaid,
    "RP-27": _loser_left,
    "RP-28": _tie_taken,
    "RP-29": _ante_paid,
    "RP-30": _wrong_odds,
    "RP-31": _second_unpaid,
    "RP-35": _ante_unpaid,
    "RP-36": _asks_late,
    "RP-37": _wrong_card,
    "RP-38": _short_after_replacement,
    "RP-39": _taken_after_replacement,
    "RP-40": _replaced_again,
    "RP-41": _bet_first,
    "RP-42": _bonus_short,
    "RP-43": _over_the_maximum,
    "RP-44": _unknown_stake,
    "RP-46": _burned,
}
