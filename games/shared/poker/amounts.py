"""Whether a whole action is of an amount that the rules allow, and what words and chips of a player count for."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from games.shared.poker.betting import may_raise, options, raise_by_increment, raise_to
from games.shared.poker.events import WordsSpoken
from games.shared.poker.hand import Hand
from games.shared.poker.reading import Reading, Said, Spot, read_action

if TYPE_CHECKING:
    from games.shared.poker.table import Session


class Amiss(NamedTuple):
    """Why an amount is not allowed, and the action that the rules make of it: its name and total."""

    code: str
    action: str
    total: int


def barred(hand: Hand, session: Session, place: int) -> str:
    """Why a player may not bet or raise; empty if he may."""
    if hand.exposed[place] >= (2 if session.terms.exposed_both else 1):
        return "exposed"
    if hand.forfeits and (hand.street, hand.seats[place]) in hand.forfeits:
        return "forfeit"
    if not may_raise(hand.bets, session.limits[hand.street], place):
        return "raise_cap" if hand.bets.capped else "not_reopened"
    return ""


def amiss(hand: Hand, session: Session, place: int, amount: int) -> Amiss | None:
    """What is wrong with `amount` more in front of the player on turn; None: a legal check, call, bet or raise."""
    bets, stack = hand.bets, max(hand.stacks[place], 0)
    front, to_match = bets.front[place], bets.to_match
    total, whole = front + amount, front + stack
    if amount > stack:
        return Amiss("more_than_stack", "all_in", whole)
    if total < to_match:
        return None if amount == stack else Amiss("short_call", "call", to_match)
    if total == to_match:
        return None
    why = barred(hand, session, place)
    if why:
        return Amiss(why, "call" if to_match > front else "check", max(to_match, front))
    limits = session.limits[hand.street]
    low = raise_to(bets, limits)
    name = "raise" if to_match else "bet"
    if total < low:
        if amount == stack or (session.imported and _covers(hand, place, total)):
            return None
        return Amiss("below_minimum" if to_match else "under_bet", name, low)
    if limits.structure == "no_limit" and not limits.exactly and limits.most is None:
        return None
    high = options(bets, limits, hand.stacks, place, hand.contributed).high
    if high is None or total <= high:
        return None
    return Amiss("not_exactly_double" if limits.exactly else "above_maximum", name, high)


def _covers(hand: Hand, place: int, total: int) -> bool:
    """Whether nobody else could call more: sites cut a bet down to that, what is not called would go back."""
    front, stacks = hand.bets.front, hand.stacks
    return all(front[other] + stacks[other] <= total for other in hand.left if other != place)


def smaller_raise(hand: Hand, session: Session) -> int:
    """The smallest raise by the last increment, where the table's own minimum is a larger one; 0 if it is not."""
    limits = session.limits[hand.street]
    if limits.min_raise != "double_bet_to_match" or limits.structure == "fixed_limit" or not hand.bets.to_match:
        return 0
    smallest = raise_by_increment(hand.bets, limits)
    return smallest if smallest < raise_to(hand.bets, limits) else 0


def spot(hand: Hand, session: Session, place: int) -> Spot:
    """Where a player stands, for the reading of his words and chips."""
    bets, limits = hand.bets, session.limits[hand.street]
    most = None
    if limits.structure != "no_limit" or limits.exactly or limits.most is not None:
        most = options(bets, limits, hand.stacks, place, hand.contributed).high
    return Spot(
        to_match=bets.to_match,
        front=bets.front[place],
        stack=hand.stacks[place],
        low=raise_to(bets, limits),
        minimum=limits.minimum,
        barred=barred(hand, session, place),
        most=most,
    )


def read_in(hand: Hand, session: Session, place: int, said: Said | None, chips: tuple[int, ...]) -> Reading:
    """What words and chips of a player count for, as the hand stands."""
    terms = session.terms
    where = spot(hand, session, place)
    return read_action(where, said, chips, one_chip=terms.one_chip, bare_amount=terms.bare_amount)


def other_reading(
    hand: Hand, session: Session, place: int, said: Said | None, chips: tuple[int, ...], reading: Reading
) -> int:
    """The smallest raise by the last increment, if words and chips would be another action by it (NL-A6); 0 if not."""
    smallest = smaller_raise(hand, session)
    if not smallest:
        return 0
    terms = session.terms
    where = replace(spot(hand, session, place), low=smallest)
    other = read_action(where, said, chips, one_chip=terms.one_chip, bare_amount=terms.bare_amount)
    return 0 if (other.action, other.total) == (reading.action, reading.total) else smallest


def said_of(event: WordsSpoken, session: Session) -> Said:
    """A word as the reading wants it. It binds in an official language of the table, tagged or not (NL-34)."""
    terms, language = session.terms, event.language
    return Said(
        word=event.word,
        amount=event.amount,
        by=event.measure == "by",
        binding=not language or language in terms.languages or terms.foreign_words_bind,
    )
