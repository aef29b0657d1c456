"""Breaches in acting (moment: action)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.holdem.chips import CHIPS, UNIT, chips_for
from games.holdem.misdeeds.moments import Misdeed
from games.protocol import Expectation
from games.shared.poker.betting import may_raise, raise_to
from games.shared.poker.events import ActionTaken, CardExposed, ChipsPushed, WordsSpoken

if TYPE_CHECKING:
    from games.holdem.dealer import Play


def seat_of(play: Play, next_: Expectation) -> tuple[int, int]:
    seat = int(next_.actor[5:])
    return seat, play.hand.place(seat)


def _out_of_turn(play: Play, next_: Expectation) -> bool:
    """The next player acts before the one whose turn it is: he folds, or checks where nobody has bet."""
    hand = play.hand
    _own, place = seat_of(play, next_)
    later = (place + 1) % len(hand.seats)
    if hand.out[later] or hand.stacks[later] <= 0 or len(hand.left) < 3 or hand.pending is not None:
        return False
    if hand.street and not hand.bets.to_match:
        play.say(ActionTaken(hand.seats[later], "check"), 3)
    elif hand.bets.acted[later] < 0:
        play.say(ActionTaken(hand.seats[later], "fold"), 3)
    else:
        return False
    play.commit()
    return True


def first_round_out_of_turn(play: Play, next_: Expectation) -> bool:
    """NL-11."""
    return play.hand.street == 0 and _out_of_turn(play, next_)


def later_round_out_of_turn(play: Play, next_: Expectation) -> bool:
    """NL-12."""
    return play.hand.street > 0 and _out_of_turn(play, next_)


def _can_raise(play: Play, next_: Expectation) -> bool:
    return any(action.name in ("raise", "bet") for action in next_.actions)


def raise_too_small(play: Play, next_: Expectation) -> bool:
    """NL-22: one chip above the call, and it is let stand."""
    hand = play.hand
    seat, place = seat_of(play, next_)
    bets, limits = hand.bets, play.session.limits[hand.street]
    total = bets.to_match + UNIT
    if not bets.to_match or not _can_raise(play, next_) or total >= raise_to(bets, limits):
        return False
    if bets.front[place] + hand.stacks[place] < raise_to(bets, limits) or total >= bets.to_match + bets.increment:
        return False
    play.say(ActionTaken(seat, "raise", total - bets.front[place], to=total), 3)
    play.commit()
    return True


def half_a_raise(play: Play, next_: Expectation) -> bool:
    """NL-23: several chips, more than half of the minimum raise and less than it, and not a word."""
    hand = play.hand
    seat, place = seat_of(play, next_)
    bets, limits = hand.bets, play.session.limits[hand.street]
    low = raise_to(bets, limits)
    total = low - UNIT
    more = total - bets.front[place]
    if not bets.to_match or not _can_raise(play, next_) or hand.stacks[place] <= low - bets.front[place]:
        return False
    chips = chips_for(more, several=True)
    if 2 * total < bets.to_match + low or len(chips) < 2 or total <= bets.to_match:
        return False
    play.say(ChipsPushed(seat, more, chips), 3)
    play.commit()
    return True


def raise_after_short_all_in(play: Play, next_: Expectation) -> bool:
    """NL-25: who has acted raises again, though only a short all-in came since."""
    hand = play.hand
    seat, place = seat_of(play, next_)
    bets, limits = hand.bets, play.session.limits[hand.street]
    total = raise_to(bets, limits)
    if may_raise(bets, limits, place) or hand.stacks[place] <= total - bets.front[place]:
        return False
    play.say(ActionTaken(seat, "raise", total - bets.front[place], to=total), 3)
    play.commit()
    return True


def _one_chip(play: Play, next_: Expectation) -> int:
    """A chip worth more than the call that a player on turn has besides others; 0 if none."""
    hand = play.hand
    _own, place = seat_of(play, next_)
    owes = hand.bets.to_match - hand.bets.front[place]
    able = [chip for chip in CHIPS if owes < chip < hand.stacks[place] and chip > owes + UNIT]
    return able[-1] if owes > 0 and able and _can_raise(play, next_) else 0


def word_after_the_chip(play: Play, next_: Expectation) -> bool:
    """NL-26: one chip, and "raise" 0.4 s after it lies there."""
    chip = _one_chip(play, next_)
    if not chip:
        return False
    seat, _place = seat_of(play, next_)
    play.say(ChipsPushed(seat, chip, (chip,)), 3)
    play.say(WordsSpoken(seat, "raise"), 0.4)
    play.commit()
    return True


def foreign_word(play: Play, next_: Expectation) -> bool:
    """NL-34: "raise" in a third language, and one chip."""
    chip = _one_chip(play, next_)
    if not chip:
        return False
    seat, _place = seat_of(play, next_)
    play.say(WordsSpoken(seat, "raise", language="de"), 3)
    play.say(ChipsPushed(seat, chip, (chip,)), 0.5)
    play.commit()
    return True


def raise_after_exposing(play: Play, next_: Expectation) -> bool:
    """NL-36: he turns his cards up and raises."""
    hand = play.hand
    seat, place = seat_of(play, next_)
    low = raise_to(hand.bets, play.session.limits[hand.street])
    more = low - hand.bets.front[place]
    chips = chips_for(more, several=True)
    if not hand.bets.to_match or not _can_raise(play, next_) or hand.stacks[place] <= more or len(chips) < 2:
        return False
    play.say(CardExposed(f"seat/{seat}", "player", hand.hole[place]), 2)
    play.say(ChipsPushed(seat, more, chips), 2)
    play.commit()
    return True


AT_ACTION: dict[str, Misdeed] = {
    "NL-11": first_round_out_of_turn,
    "NL-12": later_round_out_of_turn,
    "NL-22": raise_too_small,
    "NL-23": half_a_raise,
    "NL-25": raise_after_short_all_in,
    "NL-26": word_after_the_chip,
    "NL-34": foreign_word,
    "NL-36": raise_after_exposing,
}
