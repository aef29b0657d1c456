"""How a dealer or a player breaks each rule that can be broken: one function a rule, each breaking that rule and no
other. CH-09 (Play on a blind box) is not broken where the house allows it, as the shipped edition does."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from events.schema import common as tb
from events.schema.event import Event
from games.protocol import Due
from games.shared.bank import events as bg
from games.shared.bank.deck import DEALER, box_place
from games.shared.scripted import Misdeed

if TYPE_CHECKING:
    from games.casino_holdem.dealer import Croupier, Plan, Player

Act = Callable[["Croupier", "Plan"], None]


def _somebody(croupier: Croupier) -> Player:
    return croupier.rng.choice(croupier.people)


def _own_box(croupier: Croupier) -> tuple[Player, int]:
    """A player and his own box, which is seen."""
    player = _somebody(croupier)
    return player, player.seat


def _blind_box(croupier: Croupier) -> tuple[Player, int]:
    """A player with a second box; one is bet on now if there is none."""
    for box, player in croupier.owners.items():
        if player.seat != box:
            return player, box
    player, box = croupier.people[0], _free(croupier)
    croupier.add_blind(player, box)
    return player, box


def _free(croupier: Croupier) -> int:
    """A box that nobody plays; somebody leaves between rounds if all are taken."""
    return next(box for box in range(1, 7) if box not in croupier.owners)


def _make_room(croupier: Croupier, plan: Plan) -> None:
    """One box at least stays free this round, and nobody plays two."""
    if len(croupier.people) == 6:
        croupier.leave(croupier.people[-1])
    plan.blind_boxes = False


# Table, seats, chips --------------------------------------------------------------------------------------------------


def _same_card_twice(_croupier: Croupier, plan: Plan) -> None:
    plan.same_card_twice = True


def _friend_seated(croupier: Croupier, plan: Plan) -> None:
    """A friend keeps a seat while somebody waits for one."""
    _make_room(croupier, plan)
    seat = next(seat for seat in range(1, 7) if seat not in {player.seat for player in croupier.people})
    croupier.say(tb.SeatTaken(seat, "g-1", is_player=False), 3)
    croupier.say(bg.BoxAsked("p-7", granted=False), 5)

    def gone() -> None:
        croupier.say(tb.SeatLeft(seat, "g-1"), 5)
        croupier.say(tb.PlayerLeftTable("p-7"), 5)

    plan.when("over", gone)


def _over_the_maximum(croupier: Croupier, plan: Plan) -> None:
    player = _newcomer(croupier)
    croupier.main_bet(player, player.seat, 600_000)


def _newcomer(croupier: Croupier) -> Player:
    """Somebody who has not bet yet this round: the room made for him before."""
    player = croupier.arrive()
    croupier.owners[player.seat] = player
    return player


def _cash_on_trips(croupier: Croupier, _plan: Plan) -> None:
    player, box = _own_box(croupier)
    announced = croupier.rng.choice((None, 50_000))
    if any(spot == "trips" for spot in _spots(croupier, box)):
        croupier.say(bg.StakePlaced(croupier.stake_name(), player.name, box, "trips", 50_000, "cash"), 2)
        return
    name = croupier.stake_name()
    croupier.say(bg.StakePlaced(name, player.name, box, "trips", 50_000, "cash", announced=announced), 2)


def _spots(croupier: Croupier, box: int) -> list[str]:
    coup = croupier.session.coup
    return [stake.spot for stake in coup.stakes if stake.box == box] if coup is not None else []


def _upside_down(croupier: Croupier, plan: Plan) -> None:
    player = _newcomer(croupier)
    croupier.owners[player.seat] = player
    croupier.stake(player, player.seat, "ante", 15_000, chips=(5_000, 10_000))
    croupier.stake(player, player.seat, "blind", 15_000)


def _touched_or_added(croupier: Croupier, plan: Plan) -> None:
    player, box = _own_box(croupier)
    if croupier.rng.random() < 0.5:
        touched = bg.ConductNoted("touch", (player.name,), (box,), "ante", by=croupier.staff[1])
        plan.when("dealt", lambda: croupier.say(touched, 2))
    else:
        plan.when("dealt", lambda: _ignore(croupier.stake(player, box, "ante", 10_000)))


def _ignore(_stake: str) -> None:
    """The id of a stake that nobody needs."""


# Boxes ----------------------------------------------------------------------------------------------------------------


def _not_announced(croupier: Croupier, plan: Plan) -> None:
    """A newcomer plays two boxes and does not say which cards he will look at."""
    player = _newcomer(croupier)
    croupier.main_bet(player, player.seat, player.unit)
    croupier.main_bet(player, _free(croupier), player.unit)
    plan.when("dealt", lambda: croupier.say(bg.CardsViewed(player.seat, player.name), 2))


def _room_for_two(croupier: Croupier, plan: Plan) -> None:
    while len(croupier.people) > 4:
        croupier.leave(croupier.people[-1])
    plan.blind_boxes = False


def _looked(croupier: Croupier, plan: Plan) -> None:
    player, box = _blind_box(croupier)
    plan.plays[box] = None
    plan.when("window 1", lambda: croupier.say(bg.CardsViewed(box, player.name), 2))


def _crowded_out(croupier: Croupier, plan: Plan) -> None:
    """All boxes are taken, one of them blind; somebody had asked for a box before the round."""
    player = croupier.people[0]
    for box in range(1, 7):
        if box not in croupier.owners:
            croupier.add_blind(player, box)
    plan.when("over", lambda: croupier.say(tb.PlayerLeftTable("p-7"), 5))


def _asked(croupier: Croupier, plan: Plan) -> None:
    if len(croupier.people) == 6:
        croupier.leave(croupier.people[-1])
    croupier.say(bg.BoxAsked("p-7", granted=False), 5)


# Shuffle and deal -----------------------------------------------------------------------------------------------------


def _short_shuffle(croupier: Croupier, plan: Plan) -> None:
    plan.shuffle = croupier.rng.choice((("wash", "riffle"), ("piles", "wash", "riffle"), ("wash", "piles"), ()))


def _not_shuffled_again(croupier: Croupier, plan: Plan) -> None:
    plan.when("shuffled", lambda: croupier.say(bg.ShuffleOrdered(by=croupier.staff[1], role="management"), 5))


def _unequal(croupier: Croupier, _plan: Plan) -> None:
    player = _newcomer(croupier)
    croupier.owners[player.seat] = player
    croupier.stake(player, player.seat, "ante", 20_000)
    croupier.stake(player, player.seat, "blind", 10_000)


def _trips_late(croupier: Croupier, plan: Plan) -> None:
    player, box = _own_box(croupier)
    plan.when("dealt", lambda: _ignore(croupier.stake(player, box, "trips", 5_000)))


def _dealt_wrongly(croupier: Croupier, plan: Plan) -> None:
    """Two boxes get each other's first card; or the dealer's first card comes face down, or a player's face up."""
    how = croupier.rng.randrange(3)

    def lay(laid: list[bg.CardLaid]) -> list[bg.CardLaid]:
        one, two = laid[0], laid[1]
        if how == 0:
            swapped = [bg.CardLaid(two.to, one.card, "down", one.seq), bg.CardLaid(one.to, two.card, "down", two.seq)]
            return [*swapped, *laid[2:]]
        at = len(laid) // 2 - 1 if how == 1 else 0
        wrong = laid[at]
        turned = bg.CardLaid(wrong.to, wrong.card, "down" if wrong.face == "up" else "up", wrong.seq)
        return [*laid[:at], turned, *laid[at + 1 :]]

    plan.lay = lay


def _talked(croupier: Croupier, plan: Plan) -> None:
    one, two = (player.name for player in croupier.people[:2])
    noted = bg.ConductNoted("communication", (one, two), by=croupier.staff[1], text="they compared their cards")
    plan.when("window 1", lambda: croupier.say(noted, 3))


def _no_burn(street: str) -> Act:
    def before(croupier: Croupier, plan: Plan) -> None:
        plan.burns[street] = croupier.rng.choice((0, 2))

    return before


# Play and folds -------------------------------------------------------------------------------------------------------


def _wrong_play(window: int, halves: int) -> Act:
    """So many half Antes on Play in a window."""

    def during(croupier: Croupier, plan: Plan) -> None:
        _player, box = _own_box(croupier)
        ante = croupier.ante(box)
        plan.plays[box] = (window, ante * halves // 2)

    return during


def _topped_up(croupier: Croupier, plan: Plan) -> None:
    player, box = _own_box(croupier)
    ante = croupier.ante(box)
    plan.plays[box] = (1, 3 * ante)
    plan.when("window 1", lambda: _ignore(croupier.stake(player, box, "play", ante)))


def _mucked(croupier: Croupier, plan: Plan) -> None:
    """A folded hand that nobody has read goes among the discards."""
    _player, box = _own_box(croupier)
    plan.plays[box] = None
    plan.unknown.add(box)

    def muck() -> None:
        croupier.say(bg.CardReassigned("discards", box_place(box)), 2)
        croupier.say(bg.CardReassigned("discards", box_place(box)), 1)

    plan.when("window 3", muck)


def _flashed(croupier: Croupier, plan: Plan) -> None:
    plan.when("window 2", lambda: croupier.say(bg.CardShown("deal", place=DEALER), 1))


# Settlement -----------------------------------------------------------------------------------------------------------

_LOW_BOARD = ("Ks", "Qd", "9h", "5c", "3s")


Instead = Callable[[Due, str, int], "int | None"]
"""What is moved instead of a payment, given the spot and the size of its stake; None: as due."""


def _rigged(
    own: tuple[str, ...], dealer: tuple[str, ...], board: tuple[str, ...], change: Instead,
    *, stakes: tuple[tuple[str, int], ...] = (("ante", 20_000), ("blind", 20_000)),
) -> Misdeed[Croupier, Plan]:  # fmt: skip
    """A newcomer stays in to the end with known cards; what `change` says of a payment (its spot, the stake) is moved
    instead of what is due."""

    def during(croupier: Croupier, plan: Plan) -> None:
        player = _newcomer(croupier)
        box = player.seat
        for spot, amount in stakes:
            croupier.stake(player, box, spot, amount)
        ante = croupier.ante(box)
        plan.plays[box] = (3, ante)
        plan.deck = {box_place(box): own, DEALER: dealer, "board": board}

        def instead(due: Due) -> list[Event]:
            coup = croupier.session.coup
            stake = next(stake for stake in coup.stakes if stake.id == due.stake) if coup is not None else None
            amount = change(due, stake.spot, stake.amount) if stake is not None and stake.box == box else None
            amount = due.amount if amount is None else amount
            return [tb.ChipsMoved(due.frm, due.to, amount, due.cause, due.stake)] if amount else []

        plan.change = instead

    return Misdeed(before=_make_room, during=during)


def _short(spot: str, what: str, by: int) -> Instead:
    """A payment on that spot comes out by so much too low."""
    return lambda due, own, _stake: due.amount - by if own == spot and due.what == what else None


def _not_taken(due: Due, spot: str, _stake: int) -> int | None:
    return 0 if spot == "play" and due.what == "take" else None


def _half_a_crown(due: Due, spot: str, _stake: int) -> int | None:
    """The fraction is left off, where it is rounded up."""
    return due.amount - 50 if spot == "blind" and due.what == "win" else None


def _tie_taken(croupier: Croupier, plan: Plan) -> None:
    """Equal hands, and the dealer takes the Play."""
    player = _newcomer(croupier)
    box = player.seat
    croupier.main_bet(player, box, 20_000)
    plan.plays[box] = (3, 20_000)
    plan.deck = {box_place(box): ("2c", "3d"), DEALER: ("4h", "5s"), "board": ("Ah", "Ad", "Kc", "Ks", "Qd")}

    def instead(due: Due) -> list[Event]:
        coup = croupier.session.coup
        stakes = coup.stakes if coup is not None else ()
        mine = any(stake.id == due.stake and stake.box == box and stake.spot == "play" for stake in stakes)
        if mine and due.what == "return":
            return [tb.ChipsMoved(due.frm, "float", due.amount, "take", due.stake)]
        return [tb.ChipsMoved(due.frm, due.to, due.amount, due.cause, due.stake)]

    plan.change = instead


def _ante_paid(croupier: Croupier, plan: Plan) -> None:
    """The Dealer has no pair, and the Ante is paid all the same."""
    player = _newcomer(croupier)
    box = player.seat
    croupier.main_bet(player, box, 20_000)
    plan.plays[box] = (3, 20_000)
    plan.deck = {box_place(box): ("Ah", "2d"), DEALER: ("Js", "8h"), "board": _LOW_BOARD}

    def instead(due: Due) -> list[Event]:
        coup = croupier.session.coup
        stakes = coup.stakes if coup is not None else ()
        moved: list[Event] = [tb.ChipsMoved(due.frm, due.to, due.amount, due.cause, due.stake)]
        if any(stake.id == due.stake and stake.box == box and stake.spot == "ante" for stake in stakes):
            moved.append(tb.ChipsMoved("float", f"player/{player.name}", due.amount, "win", due.stake))
        return moved

    plan.change = instead


def _misannounced(croupier: Croupier, plan: Plan) -> None:
    player = _newcomer(croupier)
    box = player.seat
    croupier.main_bet(player, box, 20_000)
    plan.plays[box] = (3, 20_000)
    plan.deck = {box_place(box): ("Ah", "2d"), DEALER: ("Qs", "8h"), "board": _LOW_BOARD}
    plan.announced[box_place(box)] = "pair of aces"


def _backwards(_croupier: Croupier, plan: Plan) -> None:
    plan.backwards = True


ALL: dict[str, Misdeed[Croupier, Plan]] = {
    "CH-01": Misdeed(before=_same_card_twice),
    "CH-02": Misdeed(before=_friend_seated),
    "CH-03": Misdeed(before=_make_room, during=_over_the_maximum),
    "CH-04": Misdeed(during=_cash_on_trips),
    "CH-05": Misdeed(before=_make_room, during=_upside_down),
    "CH-06": Misdeed(during=_touched_or_added),
    "CH-07": Misdeed(before=_room_for_two, during=_not_announced),
    "CH-08": Misdeed(before=_room_for_two, during=_looked),
    "CH-10": Misdeed(before=_asked, during=_crowded_out),
    "CH-11": Misdeed(before=_short_shuffle),
    "CH-12": Misdeed(before=_not_shuffled_again),
    "CH-13": Misdeed(before=_make_room, during=_unequal),
    "CH-14": Misdeed(during=_trips_late),
    "CH-15": Misdeed(before=_dealt_wrongly),
    "CH-16": Misdeed(during=_talked),
    "CH-17": Misdeed(during=_wrong_play(1, 7)),
    "CH-18": Misdeed(before=_no_burn("flop")),
    "CH-19": Misdeed(during=_wrong_play(2, 6)),
    "CH-20": Misdeed(before=_no_burn("turn")),
    "CH-21": Misdeed(during=_wrong_play(3, 3)),
    "CH-22": Misdeed(during=_mucked),
    "CH-23": Misdeed(during=_topped_up),
    "CH-24": Misdeed(before=_flashed),
    "CH-25": _rigged(("Kh", "2d"), ("Qs", "8h"), _LOW_BOARD, _short("play", "win", 5_000)),
    "CH-26": _rigged(("Qs", "8h"), ("Kh", "2d"), _LOW_BOARD, _not_taken),
    "CH-27": Misdeed(before=_make_room, during=_tie_taken),
    "CH-28": _rigged(("Ah", "5h"), ("Kc", "Kd"), ("Qh", "9h", "2c", "3h", "Ks"), _short("blind", "win", 10_000)),
    "CH-29": Misdeed(before=_make_room, during=_ante_paid),
    "CH-30": _rigged(
        ("9c", "9d"), ("Qs", "8h"), _LOW_BOARD, _short("trips", "win", 5_000),
        stakes=(("ante", 20_000), ("blind", 20_000), ("trips", 10_000)),
    ),
    "CH-31": Misdeed(before=_make_room, during=_misannounced),
    "CH-33": _rigged(
        ("Ah", "5h"), ("Kc", "Kd"), ("Qh", "9h", "2c", "3h", "Ks"), _half_a_crown,
        stakes=(("ante", 22_500), ("blind", 22_500)),
    ),
    "CH-34": Misdeed(before=_backwards),
}  # fmt: skip
