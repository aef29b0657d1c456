"""The breaches that the scripted dealer commits when asked, by rule id and moment.

A misdeed looks whether it can be committed here; if so it does it, tells the play, and returns True: the regular step
is then left out. The hand goes on by the rules.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from games.holdem.chips import CHIPS, UNIT, chips_for
from games.holdem.money_rules import all_in_showdown, plays_board
from games.holdem.payouts import result_of
from games.protocol import Expectation
from games.shared.poker.betting import may_raise, raise_to
from games.shared.poker.events import ActionTaken, CardDealt, CardExposed, ChipsPushed, Posted, WordsSpoken
from games.shared.poker.hand import blinds_due

if TYPE_CHECKING:
    from games.holdem.dealer import Play

Misdeed = Callable[["Play", Expectation], bool]
Payment = Callable[["Play", int, dict[str, int]], "tuple[int, dict[str, int]] | None"]


# --- posting and dealing ---


def _post(play: Play, kind: str, place: int, amount: int) -> None:
    play.say(Posted(play.hand.seats[place], kind, amount), 1)  # type: ignore[arg-type]


def blind_amount(play: Play, _next: Expectation) -> bool:
    """NL-03: the small blind is posted one chip more than announced."""
    small, big = blinds_due(play.hand, play.session.terms.heads_up)
    stakes = play.session.stakes
    _post(play, "small_blind", small, stakes.small_blind + UNIT)
    _post(play, "big_blind", big, min(stakes.big_blind, play.hand.stacks[big]))
    play.commit()
    return True


def blind_seat(play: Play, _next: Expectation) -> bool:
    """NL-08: the seat behind the big blind posts the small blind."""
    hand, stakes = play.hand, play.session.stakes
    if len(hand.seats) < 3:
        return False
    _small, big = blinds_due(hand, play.session.terms.heads_up)
    _post(play, "small_blind", (big + 1) % len(hand.seats), stakes.small_blind)
    _post(play, "big_blind", big, stakes.big_blind)
    play.commit()
    return True


def no_small_blind(play: Play, _next: Expectation) -> bool:
    """NL-09: only the big blind is posted."""
    _small, big = blinds_due(play.hand, play.session.terms.heads_up)
    _post(play, "big_blind", big, play.session.stakes.big_blind)
    play.commit()
    return True


def wrong_first_seat(play: Play, next_: Expectation) -> bool:
    """NL-10: the first card goes to the second player."""
    hand = play.hand
    if play.seq or len(hand.seats) < 3:
        return False
    first = hand.place(int(next_.next_card[5:]))
    second = (first + 1) % len(hand.seats)
    for place in (second, first):
        card, seq = play.next_card()
        play.say(CardDealt(f"seat/{hand.seats[place]}", card, seq=seq), 0.4)
    play.commit()
    return True


def no_burn(play: Play, next_: Expectation) -> bool:
    """NL-13: a street without burning."""
    if next_.next_card != "burn":
        return False
    laid = len(play.hand.board)
    street, cards = {0: ("flop", 3), 3: ("turn", 1), 4: ("river", 1)}[laid]
    for _number in range(cards):
        card, seq = play.next_card()
        play.say(CardDealt(street, card, seq=seq, face="up"), 1)
    play.commit()
    return True


# --- acting ---


def _seat(play: Play, next_: Expectation) -> tuple[int, int]:
    seat = int(next_.actor[5:])
    return seat, play.hand.place(seat)


def _out_of_turn(play: Play, next_: Expectation) -> bool:
    """The next player acts before the one whose turn it is: he folds, or checks where nobody has bet."""
    hand = play.hand
    _own, place = _seat(play, next_)
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
    seat, place = _seat(play, next_)
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
    seat, place = _seat(play, next_)
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
    seat, place = _seat(play, next_)
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
    _own, place = _seat(play, next_)
    owes = hand.bets.to_match - hand.bets.front[place]
    able = [chip for chip in CHIPS if owes < chip < hand.stacks[place] and chip > owes + UNIT]
    return able[-1] if owes > 0 and able and _can_raise(play, next_) else 0


def word_after_the_chip(play: Play, next_: Expectation) -> bool:
    """NL-26: one chip, and "raise" 0.4 s after it lies there."""
    chip = _one_chip(play, next_)
    if not chip:
        return False
    seat, _place = _seat(play, next_)
    play.say(ChipsPushed(seat, chip, (chip,)), 3)
    play.say(WordsSpoken(seat, "raise"), 0.4)
    play.commit()
    return True


def foreign_word(play: Play, next_: Expectation) -> bool:
    """NL-34: "raise" in a third language, and one chip."""
    chip = _one_chip(play, next_)
    if not chip:
        return False
    seat, _place = _seat(play, next_)
    play.say(WordsSpoken(seat, "raise", language="de"), 3)
    play.say(ChipsPushed(seat, chip, (chip,)), 0.5)
    play.commit()
    return True


def raise_after_exposing(play: Play, next_: Expectation) -> bool:
    """NL-36: he turns his cards up and raises."""
    hand = play.hand
    seat, place = _seat(play, next_)
    low = raise_to(hand.bets, play.session.limits[hand.street])
    more = low - hand.bets.front[place]
    chips = chips_for(more, several=True)
    if not hand.bets.to_match or not _can_raise(play, next_) or hand.stacks[place] <= more or len(chips) < 2:
        return False
    play.say(CardExposed(f"seat/{seat}", "player", hand.hole[place]), 2)
    play.say(ChipsPushed(seat, more, chips), 2)
    play.commit()
    return True


# --- showing ---


def shown_out_of_order(play: Play, next_: Expectation) -> bool:
    """NL-27: another than the one due shows first."""
    hand = play.hand
    _own, place = _seat(play, next_)
    others = [other for other in hand.left if other != place and other not in hand.shows]
    if not others or hand.shows:
        return False
    play.table_hand(hand.seats[others[-1]])
    play.commit()
    return True


def _last_mucks(play: Play, next_: Expectation) -> bool:
    hand = play.hand
    seat, _place = _seat(play, next_)
    if len(hand.shows) != len(hand.left) - 1 or all_in_showdown(hand):
        return False
    play.muck_hand(seat)
    play.commit()
    return True


def board_plays_and_one_mucks(play: Play, next_: Expectation) -> bool:
    """NL-30: somebody plays the board, and the last one gives his cards away."""
    return _last_mucks(play, next_)


def muck_all_in(play: Play, next_: Expectation) -> bool:
    """NL-28: at an all-in showdown the last one does not show, and nobody plays the board (that were NL-30)."""
    hand = play.hand
    seat, _place = _seat(play, next_)
    if len(hand.shows) != len(hand.left) - 1 or not all_in_showdown(hand):
        return False
    if any(plays_board(play.session, hand, place) for place in hand.shows):
        return False
    play.muck_hand(seat)
    play.commit()
    return True


# --- paying ---


def award_short(_play: Play, rake: int, awards: dict[str, int]) -> tuple[int, dict[str, int]] | None:
    """NL-02: one chip of the pot is nowhere."""
    place = next(iter(awards), "")
    return (rake, {**awards, place: awards[place] - UNIT}) if place else None


def over_rake(_play: Play, rake: int, awards: dict[str, int]) -> tuple[int, dict[str, int]] | None:
    """NL-33: one chip more is taken than is due."""
    place = next(iter(awards), "")
    if not rake or len(awards) != 1:
        return None
    return rake + UNIT, {place: awards[place] - UNIT}


def side_pot_misread(play: Play, rake: int, awards: dict[str, int]) -> tuple[int, dict[str, int]] | None:
    """NL-24: who is all-in for the main pot gets the side pot too."""
    result = result_of(play.session, play.hand)
    if result is None or len(result.pots) < 2 or len(result.pots[0].winners) != 1:
        return None
    short = result.pots[0].winners[0]
    if any(short in pot.eligible for pot in result.pots[1:]):
        return None
    return rake, {f"seat/{play.hand.seats[short]}": sum(awards.values())}


def worse_hand_paid(play: Play, rake: int, awards: dict[str, int]) -> tuple[int, dict[str, int]] | None:
    """NL-29: the pot goes to a hand that is worse."""
    hand = play.hand
    result = result_of(play.session, hand)
    if result is None or len(result.pots) != 1 or len(awards) != 1:
        return None
    losers = [place for place in hand.shows if f"seat/{hand.seats[place]}" not in awards]
    return (rake, {f"seat/{hand.seats[losers[0]]}": sum(awards.values())}) if losers else None


def odd_chip_to_the_wrong_seat(play: Play, rake: int, awards: dict[str, int]) -> tuple[int, dict[str, int]] | None:
    """NL-31."""
    result = result_of(play.session, play.hand)
    amounts = sorted(set(awards.values()))
    if result is None or len(result.pots) != 1 or len(awards) < 2 or len(amounts) != 2:
        return None
    more = next(place for place, amount in awards.items() if amount == amounts[1])
    less = next(place for place, amount in awards.items() if amount == amounts[0])
    return rake, {**awards, more: amounts[0], less: amounts[1]}


def folded_hand_paid(play: Play, rake: int, awards: dict[str, int]) -> tuple[int, dict[str, int]] | None:
    """NL-32: all but one have folded, and the pot goes to one who has."""
    hand = play.hand
    folded = [place for place in range(len(hand.seats)) if hand.out[place]]
    if not hand.over or not folded or not awards:
        return None
    return rake, {f"seat/{hand.seats[folded[0]]}": sum(awards.values())}


def at_paying(play: Play, misdeed: Payment, rake: int, awards: dict[str, int]) -> tuple[int, dict[str, int]]:
    """Rake and awards as they are then paid."""
    changed = misdeed(play, rake, awards)
    if changed is None:
        return rake, awards
    play.commit()
    return changed


# --- the deck arranged so that it can happen ---


def _board_plays(play: Play, players: int) -> None:
    """Broadway in mixed suits on the board: everybody plays it."""
    places = [2 * players + step for step in (1, 2, 3, 5, 7)]
    for place, card in zip(places, ("Tc", "Jd", "Qh", "Ks", "Ac"), strict=True):
        other = play.deck.index(card)
        play.deck[place], play.deck[other] = play.deck[other], play.deck[place]


RIGGED: dict[str, Callable[[Any, int], None]] = {"NL-30": _board_plays, "NL-31": _board_plays}

AT_POSTING: dict[str, Misdeed] = {"NL-03": blind_amount, "NL-08": blind_seat, "NL-09": no_small_blind}
AT_DEALING: dict[str, Misdeed] = {"NL-10": wrong_first_seat}
AT_BOARD: dict[str, Misdeed] = {"NL-13": no_burn}
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
AT_SHOWING: dict[str, Misdeed] = {
    "NL-27": shown_out_of_order,
    "NL-28": muck_all_in,
    "NL-30": board_plays_and_one_mucks,
}
AT_PAYING: dict[str, Payment] = {
    "NL-02": award_short,
    "NL-24": side_pot_misread,
    "NL-29": worse_hand_paid,
    "NL-31": odd_chip_to_the_wrong_seat,
    "NL-32": folded_hand_paid,
    "NL-33": over_rake,
}
ALL: frozenset[str] = frozenset().union(AT_POSTING, AT_DEALING, AT_BOARD, AT_ACTION, AT_SHOWING, AT_PAYING)
"""Every rule that this dealer can break."""
