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


def _faces(*faces: Misdeed) -> Misdeed:
    """A breach that has several faces: one of those that can be committed here."""

    def misdeed(play: Play, next_: Expectation) -> bool:
        return any(face(play, next_) for face in play.rng.sample(faces, len(faces)))

    return misdeed


def _next_but_one(play: Play, next_: Expectation) -> int:
    """The position that is on turn after the player on turn and has not acted in this round; -1 if there is none."""
    hand = play.hand
    _own, place = seat_of(play, next_)
    later = (place + 1) % len(hand.seats)
    if hand.out[later] or hand.stacks[later] <= 0 or len(hand.left) < 3 or hand.pending is not None:
        return -1
    return later if hand.bets.acted[later] < 0 else -1


def _folds_or_checks_early(play: Play, next_: Expectation) -> bool:
    """The next player acts before the one whose turn it is: he folds, or checks where nobody has bet."""
    hand = play.hand
    later = _next_but_one(play, next_)
    if later < 0:
        return False
    free = hand.street and not hand.bets.to_match
    play.say(ActionTaken(hand.seats[later], "check" if free else "fold"), 3)
    play.commit()
    return True


def _raises_early(play: Play, next_: Expectation) -> bool:
    """… or he announces a bet or raise and pushes it: it counts in its turn, unless somebody raises before."""
    hand = play.hand
    later = _next_but_one(play, next_)
    total = raise_to(hand.bets, play.session.limits[hand.street])
    if later < 0 or hand.bets.front[later] + hand.stacks[later] <= total:
        return False
    seat, more = hand.seats[later], total - hand.bets.front[later]
    play.say(WordsSpoken(seat, "raise" if hand.bets.to_match else "bet", total), 3)
    play.say(ChipsPushed(seat, more, chips_for(more)), 1)
    play.commit()
    return True


_out_of_turn = _faces(_folds_or_checks_early, _raises_early)


def first_round_out_of_turn(play: Play, next_: Expectation) -> bool:
    """NL-11."""
    return play.hand.street == 0 and _out_of_turn(play, next_)


def later_round_out_of_turn(play: Play, next_: Expectation) -> bool:
    """NL-12."""
    return play.hand.street > 0 and _out_of_turn(play, next_)


def _can_raise(play: Play, next_: Expectation) -> bool:
    return any(action.name in ("raise", "bet") for action in next_.actions)


def raise_too_small(play: Play, next_: Expectation) -> bool:
    """NL-22: one chip above the call, and what it owes is not asked for."""
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


def call_too_small(play: Play, next_: Expectation) -> bool:
    """NL-22: chips short of the call; what is missing is put in behind them."""
    hand = play.hand
    seat, place = seat_of(play, next_)
    owes = hand.bets.to_match - hand.bets.front[place]
    if owes <= UNIT or hand.stacks[place] <= owes:
        return False
    play.say(ChipsPushed(seat, owes - UNIT, chips_for(owes - UNIT)), 3)
    play.commit()
    return True


def check_facing_a_bet(play: Play, next_: Expectation) -> bool:
    """NL-22: no action; he is still on turn."""
    hand = play.hand
    seat, place = seat_of(play, next_)
    if hand.bets.to_match <= hand.bets.front[place]:
        return False
    play.say(WordsSpoken(seat, "check"), 3)
    play.commit()
    return True


def string_bet(play: Play, next_: Expectation) -> bool:
    """NL-23: the chips of a call, and after them more."""
    hand = play.hand
    seat, place = seat_of(play, next_)
    owes = hand.bets.to_match - hand.bets.front[place]
    if owes <= 0 or not _can_raise(play, next_) or hand.stacks[place] <= 2 * owes:
        return False
    play.say(ChipsPushed(seat, owes, chips_for(owes)), 3)
    if play.hand.latest != place:
        return False
    play.say(ChipsPushed(seat, owes, chips_for(owes)), 1)
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
    "NL-22": _faces(raise_too_small, call_too_small, check_facing_a_bet),
    "NL-23": _faces(half_a_raise, string_bet),
    "NL-25": raise_after_short_all_in,
    "NL-26": word_after_the_chip,
    "NL-34": foreign_word,
    "NL-36": raise_after_exposing,
}
