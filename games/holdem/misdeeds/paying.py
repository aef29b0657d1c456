"""Breaches in paying (moment: paying)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.holdem.chips import UNIT
from games.holdem.misdeeds.moments import Payment
from games.holdem.payouts import result_of
from games.shared.poker.events import HandKilled

if TYPE_CHECKING:
    from games.holdem.dealer import Play


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


def _beaten(play: Play, awards: dict[str, int]) -> str:
    """A tabled hand that gets nothing, where one hand wins the only pot; empty if there is none."""
    hand = play.hand
    result = result_of(play.session, hand)
    if result is None or len(result.pots) != 1 or len(awards) != 1:
        return ""
    seats = [f"seat/{hand.seats[place]}" for place in hand.shows if not hand.out[place]]
    return next((seat for seat in seats if seat not in awards), "")


def split_with_a_beaten_hand(play: Play, rake: int, awards: dict[str, int]) -> tuple[int, dict[str, int]] | None:
    """NL-29: the pot is split though one hand is better."""
    loser = _beaten(play, awards)
    if not loser:
        return None
    ((winner, whole),) = awards.items()
    return rake, {winner: whole - UNIT, loser: UNIT}


def worse_hand_paid(play: Play, rake: int, awards: dict[str, int]) -> tuple[int, dict[str, int]] | None:
    """NL-37: the dealer misreads the hands, or takes the winning one that lay open, and pays one that is worse."""
    loser = _beaten(play, awards)
    if not loser:
        return None
    if play.rng.random() < 0.5:
        winner = next(iter(awards))
        play.say(HandKilled(int(winner[5:]), "dealer", tabled=True), 2)
    return rake, {loser: sum(awards.values())}


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


AT_PAYING: dict[str, Payment] = {
    "NL-02": award_short,
    "NL-24": side_pot_misread,
    "NL-29": split_with_a_beaten_hand,
    "NL-31": odd_chip_to_the_wrong_seat,
    "NL-32": folded_hand_paid,
    "NL-33": over_rake,
    "NL-37": worse_hand_paid,
}
