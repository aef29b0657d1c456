"""How a dealer breaks each rule that can be broken: one function a rule, each breaking that rule and no other."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from events.schema import common as tb
from events.schema.event import Event
from games.blackjack import events as bj
from games.blackjack.hands import Hand
from games.blackjack.legality import EXTRAS
from games.protocol import Due
from games.shared.bank import events as bg

if TYPE_CHECKING:
    from games.blackjack.dealer import Dealer, Plan

Misdeed = Callable[["Dealer", "Plan"], None]


# Table, people, shoe --------------------------------------------------------------------------------------------------


def _beside_the_box(dealer: Dealer, plan: Plan) -> None:
    box = next(iter(dealer.boxes))

    def bets() -> None:
        dealer.some_bets()
        dealer.bet(box, dealer.boxes[box][0], 20_000, in_box=False)

    plan.bets = bets


def _foreign_chips(dealer: Dealer, plan: Plan) -> None:
    box = next(iter(dealer.boxes))

    def bets() -> None:
        dealer.some_bets()
        dealer.bet(box, dealer.boxes[box][0], 20_000, chip_kind="colour")

    plan.bets = bets


def _friend_seated(dealer: Dealer, _plan: Plan) -> None:
    seat = next(seat for seat in range(1, 8) if seat not in dealer.boxes)
    dealer.say(tb.SeatTaken(seat, "g-1", is_player=False), 3)
    dealer.say(tb.SeatLeft(seat, "g-1"), 20)


def _somebody_else_decides(dealer: Dealer, plan: Plan) -> None:
    plan.bets = lambda: _none(dealer.only((0, 20_000)))
    plan.cards, plan.choices, plan.by = "T 6 9 T T", ["stand"], "p-7"


def _fourth_player(dealer: Dealer, plan: Plan) -> None:
    plan.bets = lambda: _none(dealer.only((0, 20_000), (1, 20_000), (2, 20_000), (3, 20_000)))


def _barred(dealer: Dealer, plan: Plan) -> None:
    box = next(iter(dealer.boxes))
    dealer.say(bj.BoxBarred(box, "p-8", dealer.staff[1]), 5)

    def bets() -> None:
        dealer.some_bets()
        dealer.bet(box, "p-8", 10_000)

    plan.bets = bets


def _five_packs(dealer: Dealer, _plan: Plan) -> None:
    dealer.end_shoe()
    dealer.say(tb.DeckOpened("shoe-1", 5), 20)
    dealer.shuffle()


def _not_riffled(dealer: Dealer, _plan: Plan) -> None:
    dealer.shuffle(steps=dealer.rng.choice((("wash", "piles"), ("riffle", "wash", "piles"), ("piles", "riffle"))))


def _wrong_cutter(dealer: Dealer, _plan: Plan) -> None:
    dealer.shuffle(cutter="p-9")


def _deep_cut(dealer: Dealer, _plan: Plan) -> None:
    dealer.shuffle(depth=dealer.rng.choice((51, 261, 20)))


def _cut_left_open(dealer: Dealer, _plan: Plan) -> None:
    dealer.shuffle(joined=False)


def _two_burned(dealer: Dealer, _plan: Plan) -> None:
    dealer.shuffle(burned=dealer.rng.choice((2, 4)))


def _none_burned_for_the_new_dealer(dealer: Dealer, plan: Plan) -> None:
    plan.bets = lambda: _none(dealer.only((0, 20_000)))
    plan.cards, plan.choices = "T 6 9 T T", ["stand"]
    plan.dealt.append(lambda: dealer.change_dealer(burned=False))


def _past_the_cutting_card(dealer: Dealer, _plan: Plan) -> None:
    dealer.say(bj.CuttingCardSeen("dealer"), 2)


def _chips_kept(dealer: Dealer, plan: Plan) -> None:
    plan.after_round.append(lambda: dealer.say(bj.ChipsWithheld("p-6", 750_000, dealer.staff[1]), 30))


# Bets -----------------------------------------------------------------------------------------------------------------


def _below_the_minimum(dealer: Dealer, plan: Plan) -> None:
    plan.bets = lambda: _none(dealer.only((0, 20_000), (1, 5_000)))


def _above_the_maximum(dealer: Dealer, plan: Plan) -> None:
    plan.bets = lambda: _none(dealer.only((0, 150_000), (1, 80_000)))


def _upside_down(dealer: Dealer, plan: Plan) -> None:
    box = next(iter(dealer.boxes))
    plan.bets = lambda: _ignored(dealer.bet(box, dealer.boxes[box][0], 60_000, chips=(10_000, 50_000)))


def _four_hands(dealer: Dealer, plan: Plan) -> None:
    plan.bets = lambda: _none(dealer.only((0, 20_000)))
    plan.cards = "8 6 8 8 8 T T T T T T"
    plan.choices = ["split", "split", "split", "stand", "stand", "stand", "stand"]


def _late_bet(dealer: Dealer, plan: Plan) -> None:
    if dealer.rng.random() < 0.3:
        plan.call = False
        return
    box = next(iter(dealer.boxes))
    plan.after_call.append(lambda: _ignored(dealer.bet(box, dealer.boxes[box][0], 20_000)))


# Cards ----------------------------------------------------------------------------------------------------------------


def _astray(dealer: Dealer, plan: Plan, at: int, to: str, *, inspector: bool = False) -> None:
    """The card with number `at` of the round goes to another place first, and is put right at once."""

    def on_card(place: str, number: int) -> bool:
        if number != at:
            return False
        card = dealer.lay(to)
        if inspector:
            dealer.say(bj.CardsReconstructed(dealer.staff[1]), 20)
        dealer.put(place, to, "misdealt", card)
        return True

    plan.on_card = on_card


def _hole_card(dealer: Dealer, plan: Plan) -> None:
    plan.bets = lambda: _none(dealer.only((0, 20_000)))
    plan.cards, plan.choices = "T 6 9 T T", ["stand"]
    _astray(dealer, plan, 3, "dealer")


def _face_down(dealer: Dealer, plan: Plan) -> None:
    plan.bets = lambda: _none(dealer.only((0, 20_000)))
    plan.cards, plan.choices = "T 6 9 T T", ["stand"]

    def on_card(place: str, number: int) -> bool:
        if number == 3:
            card = dealer.lay(place, "down")
            dealer.say(bg.CardShown("deal", card, place.removesuffix(".1"), seq=dealer.next), 2)
        return number == 3

    plan.on_card = on_card


def _misread(dealer: Dealer, plan: Plan) -> None:
    plan.bets = lambda: _none(dealer.only((0, 20_000)))
    plan.cards, plan.choices = "A 6 6 T T", ["stand"]
    box = next(iter(dealer.boxes))
    plan.dealt.append(lambda: dealer.say(bj.TotalCalled(f"box/{box}", 16, dealer.staff[0]), 1))


def _to_the_wrong_box(dealer: Dealer, plan: Plan) -> None:
    one, other = sorted(dealer.boxes)[:2]

    def bets() -> None:
        dealer.only((0, 20_000), box=one)
        dealer.only((0, 20_000), box=other)

    plan.bets = bets
    plan.cards, plan.choices = "T 9 6 9 8 T T", ["stand", "stand"]
    _astray(dealer, plan, 4, f"box/{other}.1")


def _to_a_betless_box(dealer: Dealer, plan: Plan) -> None:
    empty = next(box for box in range(1, 8) if box not in dealer.boxes)
    plan.bets = lambda: _none(dealer.only((0, 20_000)))
    plan.cards, plan.choices = "T 6 9 T T", ["stand"]
    _astray(dealer, plan, 1, f"box/{empty}.1", inspector=True)


def _no_sign(dealer: Dealer, plan: Plan) -> None:
    plan.bets = lambda: _none(dealer.only((0, 20_000)))
    plan.cards, plan.choices, plan.signal = "T 6 9 T T", ["stand"], "none"


def _card_on_21(dealer: Dealer, plan: Plan) -> None:
    box = next(iter(dealer.boxes))
    plan.bets = lambda: _none(dealer.only((0, 20_000)))
    plan.cards, plan.choices = "5 6 6 T T 9", ["hit"]
    _astray(dealer, plan, 5, f"box/{box}.1")


def _card_on_split_ace(dealer: Dealer, plan: Plan) -> None:
    box = next(iter(dealer.boxes))
    plan.bets = lambda: _none(dealer.only((0, 20_000)))
    plan.cards, plan.choices = "A 6 A 9 8 T T", ["split"]
    _astray(dealer, plan, 5, f"box/{box}.1")


# Decisions ------------------------------------------------------------------------------------------------------------


def _doubled_on_three(dealer: Dealer, plan: Plan) -> None:
    box = next(iter(dealer.boxes))
    plan.bets = lambda: _none(dealer.only((0, 20_000)))
    plan.cards, plan.choices = "2 6 3 4 T T T", ["hit", "double"]

    def on_choice(choice: str, hand: Hand) -> bool:
        if choice == "double":
            dealer.say(bg.Decided(box, "double", dealer.boxes[box][0], signal="verbal"), 3)
            dealer.bet(box, dealer.boxes[box][0], hand.stake_of(dealer.boxes[box][0]), "double")
        return choice == "double"

    plan.on_choice = on_choice


def _split_no_pair(dealer: Dealer, plan: Plan) -> None:
    plan.bets = lambda: _none(dealer.only((0, 20_000)))
    plan.cards, plan.choices = "T 6 9 8 7 T T", ["split", "stand", "stand"]


def _surrendered_to_an_ace(dealer: Dealer, plan: Plan) -> None:
    plan.bets = lambda: _none(dealer.only((0, 20_000)))
    plan.cards, plan.choices = "T A 6 8", ["surrender", "stand"]


def _insured_without_an_ace(dealer: Dealer, plan: Plan) -> None:
    box = next(iter(dealer.boxes))
    plan.bets = lambda: _none(dealer.only((0, 20_000)))
    plan.cards, plan.choices = "T K 9 8", ["stand"]
    plan.dealt.append(lambda: _ignored(dealer.bet(box, dealer.boxes[box][0], 10_000, "insurance")))


def _even_money_not_offered(dealer: Dealer, plan: Plan) -> None:
    plan.bets = lambda: _none(dealer.only((0, 20_000)))
    plan.cards, plan.offer = "T A A 8", False


def _late_sevens(dealer: Dealer, plan: Plan) -> None:
    plan.bets = lambda: _none(dealer.only((0, 20_000)))
    plan.cards, plan.choices = "7 6 7 7 T T", ["hit"]
    plan.wait = lambda due: due.what == "win" and len(dealer.round.draws) < 6


def _late_blackjack(dealer: Dealer, plan: Plan) -> None:
    one, other = sorted(dealer.boxes)[:2]

    def bets() -> None:
        dealer.only((0, 20_000), box=one)
        dealer.only((0, 20_000), box=other)

    plan.bets = bets
    plan.cards, plan.choices = "A 9 6 T 9 T T", ["stand"]
    plan.wait = lambda _due: len(dealer.round.draws) < 6


def _against_the_owner(dealer: Dealer, plan: Plan) -> None:
    box = next(iter(dealer.boxes))
    plan.bets = lambda: _none(dealer.only((0, 20_000), (1, 10_000)))
    plan.cards, plan.choices = "6 9 5 8", ["stand"]

    def on_choice(choice: str, _hand: Hand) -> bool:
        dealer.say(bg.Decided(box, choice, dealer.boxes[box][0], signal="gesture"), 3)
        other = dealer.round.stakes[1].player
        dealer.bet(box, other, 10_000, "double")
        return True

    plan.on_choice = on_choice


# Money ----------------------------------------------------------------------------------------------------------------


def _moved(due: Due, amount: int) -> list[Event]:
    return [tb.ChipsMoved(due.frm, due.to, amount, due.cause, due.stake)] if amount else []


_Pays = Callable[["Dealer", Due], list[Event]]
"""What the dealer pays in place of a due."""


def _pays(rule: str, cards: str, choices: list[str], change: _Pays, *, two: bool = False) -> Misdeed:
    """A rigged round of one box in which a payment is changed; `two`: a back bettor who does not go along."""

    def misdeed(dealer: Dealer, plan: Plan) -> None:
        bets = ((0, 20_000), (1, 10_000)) if two else ((0, 20_000),)
        plan.bets = lambda: _none(dealer.only(*bets))
        plan.cards, plan.choices, plan.settle = cards, list(choices), lambda due: change(dealer, due)
        if two:
            plan.on_choice = lambda choice, hand: _owner_alone(dealer, choice, hand)
            plan.settle = lambda due: (
                change(dealer, due) if due.stake == dealer.round.stakes[1].id else _moved(due, due.amount)
            )

    misdeed.__doc__ = f"The stake that {rule} fixes is settled otherwise."
    return misdeed


def _owner_alone(dealer: Dealer, choice: str, hand: Hand) -> bool:
    """The owner doubles or splits, the other one declines."""
    extra = EXTRAS.get(choice)
    if extra is None:
        return False
    owner, other = (stake.player for stake in dealer.round.stakes[:2])
    dealer.say(bg.Decided(hand.box, choice, owner, signal="verbal"), 3)
    dealer.bet(hand.box, owner, hand.stake_of(owner), choice)
    dealer.say(bj.ExtraDeclined(hand.box, other, extra), 1)
    return True


def _left(dealer: Dealer, due: Due) -> list[Event]:
    """What the house won stays with the player."""
    if due.what == "take":
        player = next(stake.player for stake in dealer.round.stakes if stake.id == due.stake)
        return [tb.ChipsMoved(due.frm, f"player/{player}", due.amount, "return", due.stake)]
    return _moved(due, due.amount)


def _short(_dealer: Dealer, due: Due) -> list[Event]:
    """A win is paid a chip too little."""
    return _moved(due, due.amount - (2_500 if due.what == "win" else 0))


def _six_to_five(_dealer: Dealer, due: Due) -> list[Event]:
    return _moved(due, due.amount * 4 // 5 if due.what == "win" else due.amount)


def _dealer_overdraws(dealer: Dealer, plan: Plan) -> None:
    plan.bets = lambda: _none(dealer.only((0, 20_000)))
    plan.cards, plan.choices = "T T 9 7 5", ["stand"]
    drawn: list[str] = []

    def change(due: Due) -> list[Event]:
        if not drawn:
            drawn.append(dealer.lay("dealer"))
            dealer.put("pending", "dealer", "he stands on 17", drawn[0])
        return _moved(due, due.amount)

    plan.settle = change


def _insurance_left(dealer: Dealer, plan: Plan) -> None:
    box = next(iter(dealer.boxes))
    plan.bets = lambda: _none(dealer.only((0, 20_000)))
    plan.cards, plan.choices = "T A 9 8", ["stand"]
    plan.dealt.append(lambda: _ignored(dealer.bet(box, dealer.boxes[box][0], 10_000, "insurance")))
    plan.settle = lambda due: _left(dealer, due) if due.stake == dealer.round.stakes[-1].id else _moved(due, due.amount)


def _second_sevens_forgotten(dealer: Dealer, plan: Plan) -> None:
    plan.bets = lambda: _none(dealer.only((0, 20_000)))
    plan.cards, plan.choices = "7 T 7 7 8", ["hit"]
    paid: list[Due] = []

    def change(due: Due) -> list[Event]:
        if due.what == "win":
            paid.append(due)
            return _moved(due, due.amount) if len(paid) == 1 else []
        return _moved(due, due.amount)

    plan.settle = change


def _none(_result: object) -> None:
    """What `only` says of the box that it chose is not needed."""


def _ignored(_stake: str) -> None:
    """The id of a stake that nobody asks for again."""


ALL: dict[str, Misdeed] = {
    "BJ-01": _beside_the_box,
    "BJ-02": _foreign_chips,
    "BJ-03": _friend_seated,
    "BJ-04": _somebody_else_decides,
    "BJ-05": _fourth_player,
    "BJ-06": _barred,
    "BJ-07": _five_packs,
    "BJ-08": _not_riffled,
    "BJ-09": _wrong_cutter,
    "BJ-10": _deep_cut,
    "BJ-11": _cut_left_open,
    "BJ-12": _two_burned,
    "BJ-13": _none_burned_for_the_new_dealer,
    "BJ-14": _past_the_cutting_card,
    "BJ-16": _chips_kept,
    "BJ-17": _below_the_minimum,
    "BJ-18": _above_the_maximum,
    "BJ-19": _upside_down,
    "BJ-20": _four_hands,
    "BJ-21": _late_bet,
    "BJ-22": _hole_card,
    "BJ-23": _face_down,
    "BJ-24": _misread,
    "BJ-25": _to_the_wrong_box,
    "BJ-26": _to_a_betless_box,
    "BJ-27": _no_sign,
    "BJ-28": _card_on_21,
    "BJ-29": _pays("BJ-29", "T 6 6 T T T", ["hit"], _left),
    "BJ-30": _doubled_on_three,
    "BJ-31": _split_no_pair,
    "BJ-33": _card_on_split_ace,
    "BJ-34": _surrendered_to_an_ace,
    "BJ-35": _insured_without_an_ace,
    "BJ-36": _even_money_not_offered,
    "BJ-37": _late_sevens,
    "BJ-38": _late_blackjack,
    "BJ-39": _against_the_owner,
    "BJ-40": _pays("BJ-40", "8 T 8 T 3 9", ["split", "stand", "stand"], _left, two=True),
    "BJ-41": _pays("BJ-41", "6 T 5 T 8", ["double"], _short, two=True),
    "BJ-42": _dealer_overdraws,
    "BJ-43": _pays("BJ-43", "T T T 9", ["stand"], _short),
    "BJ-44": _pays("BJ-44", "A 9 K 9", [], _six_to_five),
    "BJ-45": _insurance_left,
    "BJ-46": _second_sevens_forgotten,
    "BJ-47": _pays("BJ-47", "6 T 5 9 A", ["double"], _left),
}
