"""Breaches of seats, button, blinds and stacks (moments: placing the button, posting, between hands)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from events.schema.common import BuyIn, ChipsMoved
from games.holdem.chips import BIG, UNIT
from games.holdem.misdeeds.moments import Misdeed
from games.protocol import Due, Expectation
from games.shared.poker.events import POST_KINDS, Posted

if TYPE_CHECKING:
    from games.holdem.dealer import Play


def post(play: Play, due: Due, *, seat: int = 0, more: int = 0) -> None:
    """A post as it is due, or from another seat, or of more."""
    play.say(Posted(seat or int(due.frm[5:]), POST_KINDS[due.what], due.amount + more), 1)


def blind_amount(play: Play, next_: Expectation) -> bool:
    """NL-03: the small blind is posted one chip more than announced."""
    if all(due.what != "small_blind" for due in next_.due):
        return False
    for due in next_.due:
        post(play, due, more=UNIT if due.what == "small_blind" else 0)
    play.commit()
    return True


def blind_seat(play: Play, next_: Expectation) -> bool:
    """NL-08: the seat behind the big blind posts the small blind."""
    hand = play.hand
    big = next((int(due.frm[5:]) for due in next_.due if due.what == "big_blind"), 0)
    behind = hand.seats[(hand.place(big) + 1) % len(hand.seats)]
    entering = any(entry.seat == behind for entry in hand.entering)
    if len(hand.seats) < 3 or entering or all(due.what != "small_blind" for due in next_.due):
        return False
    for due in next_.due:
        post(play, due, seat=behind if due.what == "small_blind" else 0)
    play.commit()
    return True


def no_small_blind(play: Play, next_: Expectation) -> bool:
    """NL-09: only the big blind is posted."""
    if all(due.what != "small_blind" for due in next_.due):
        return False
    for due in next_.due:
        if due.what != "small_blind":
            post(play, due)
    play.commit()
    return True


def nothing_for_the_missed_blinds(play: Play, next_: Expectation) -> bool:
    """NL-45: who comes back after the blinds have passed him posts nothing."""
    owing = {due.frm for due in next_.due if due.what == "missed_big_blind"}
    if not owing:
        return False
    for due in next_.due:
        if due.frm not in owing:
            post(play, due)
    play.commit()
    return True


def wrong_button(play: Play, due: int, seats: list[int]) -> int:
    """NL-07: the button goes one player too far."""
    play.commit()
    later = [seat for seat in seats if seat > due]
    return later[0] if later else seats[0]


def top_up_in_hand(play: Play, next_: Expectation) -> bool:
    """NL-04: chips are bought in the middle of a hand that the player is in."""
    seat = int(next_.actor[5:])
    player = play.hand.players[play.hand.place(seat)]
    play.say(BuyIn(player, 5 * BIG), 3)
    play.say(ChipsMoved(f"player/{player}", f"seat/{seat}", 5 * BIG, "buy_in"), 2)
    play.commit()
    return True


AT_BUTTON: dict[str, Callable[[Play, int, list[int]], int]] = {"NL-07": wrong_button}

AT_POSTING: dict[str, Misdeed] = {
    "NL-03": blind_amount,
    "NL-08": blind_seat,
    "NL-09": no_small_blind,
    "NL-45": nothing_for_the_missed_blinds,
}

IN_HAND: dict[str, Misdeed] = {"NL-04": top_up_in_hand}

BEFORE_THE_HAND: frozenset[str] = frozenset({"NL-06", "NL-38"})
"""Breaches that are done once the hand begins as it does."""
