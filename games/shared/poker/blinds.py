"""What is due before the deal: blinds, antes, posts of who comes in or comes back; all by the hand's own button."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from games.shared.poker.betting import NOBODY
from games.shared.poker.events import LIVE_POSTS, PostKind
from games.shared.poker.hand import Hand, Stakes, Terms, blinds_due
from games.shared.poker.seats import Entry, Positions

Spot = Literal["big_blind", "small_blind", "button", "middle"]
_DEAD: frozenset[str] = frozenset({"dead_small_blind", "dead_big_blind"})
_BLINDS: frozenset[str] = LIVE_POSTS - {"straddle", "bring_in"}


class Post(Struct, frozen=True, gc=False):
    """A post that is due from a position, minor units, as far as his stack goes."""

    place: int
    kind: PostKind
    amount: int


class Debt(Struct, frozen=True, gc=False):
    """What a player who comes in owes: `live` towards the bet, `dead` to the pot, minor units, by where he sits."""

    place: int
    entry: Entry
    spot: Spot
    live: int
    dead: int


def ended_in_misdeal(hand: Hand) -> bool:
    """Whether a hand came to nothing but a misdeal: button and blinds stay for the next (NL-07, VG A-17)."""
    return hand.misdeals > 0 and not any(hand.hole) and not hand.actions


def blind_places(hand: Hand, last: Positions, terms: Terms) -> tuple[int, int]:
    """Positions that owe small and big blind; `NOBODY` for a small blind on an empty seat (VG-BTN-03).

    `last`: places of the hand before. Where the first hand's button was drawn, the first two left of it.
    """
    if len(hand.seats) < 2:
        return NOBODY, NOBODY
    if terms.seating.button_rule != "dead_button" or not last.big or hand.drawn:
        return blinds_due(hand, terms.heads_up)
    seats = hand.seats
    big = next((place for place, seat in enumerate(seats) if seat > last.big), 0)
    return (1 - big if len(seats) == 2 else hand.place(last.big)), big


def positions_of(hand: Hand, last: Positions, terms: Terms) -> Positions:
    """Where button and blinds of a hand fell due; where its button is not on record, who posted the blinds."""
    small, big = blind_places(hand, last, terms)
    dead = terms.seating.button_rule == "dead_button" and last.big != 0
    if dead or not hand.button:  # the next big blind is found from the one that was paid
        empty = last.big if dead else 0
        return Positions(
            hand.button,
            hand.small_blind or (hand.seats[small] if small != NOBODY else empty),
            hand.big_blind or (hand.seats[big] if big != NOBODY else 0),
        )
    if big == NOBODY:
        return Positions(hand.button)
    return Positions(hand.button, hand.seats[small], hand.seats[big])


def debts(hand: Hand, last: Positions, stakes: Stakes, terms: Terms) -> list[Debt]:
    """What those dealt in owe who come in with this hand, or come back; in order of seats."""
    found: list[Debt] = []
    if not hand.entering or not stakes.big_blind:
        return found
    small, big = blind_places(hand, last, terms)
    # An ante from each comes before all else; who posts one for all posts his blind first.
    first = antes(hand, big, stakes, terms) if stakes.ante_by == "each" else {}
    for entry in hand.entering:
        place = hand.place(entry.seat)
        if place != NOBODY and entry.owes and hand.players[place] == entry.player:
            stack = max(hand.start[place] - first.get(place, 0), 0)
            found.append(_debt(hand, place, entry, (small, big), stakes, terms, stack))
    return sorted(found, key=lambda debt: debt.place)


def _debt(
    hand: Hand, place: int, entry: Entry, blinds: tuple[int, int], stakes: Stakes, terms: Terms, stack: int
) -> Debt:
    small, big = blinds
    spot: Spot = "middle"
    if place == big:
        spot = "big_blind"
    elif place == small:
        spot = "small_blind"
    elif hand.seats[place] == hand.button:
        spot = "button"
    live, dead = stakes.big_blind, 0
    rule = terms.seating.return_post
    if spot == "small_blind":
        dead = stakes.small_blind  # his small blind is paid, but to the pot (NL-45)
    elif entry.why == "returning" and (spot != "big_blind" or terms.seating.both_on_big_blind):
        if rule == "sb_dead_plus_bb_live":
            dead = stakes.small_blind
        elif rule == "both_live":
            live += stakes.small_blind
    live = min(live, stack)
    return Debt(place, entry, spot, live, min(dead, stack - live))


def posted_by(hand: Hand, place: int) -> tuple[int, int]:
    """What a position has posted: live (a straddle left out), and dead apart from antes."""
    live = sum(amount for own, kind, amount in hand.posts if own == place and kind in _BLINDS)
    return live, sum(amount for own, kind, amount in hand.posts if own == place and kind in _DEAD)


def posts_due(hand: Hand, last: Positions, stakes: Stakes, terms: Terms) -> list[Post]:
    """Every post that is due in a hand, posted already or not, in the order in which the dealer collects them.

    Who is short posts what he has; what is nothing is left out. A straddle is never due.
    """
    left = dict(enumerate(hand.start))
    found: list[Post] = []
    for place, kind, amount in _all_due(hand, last, stakes, terms):
        paid = min(amount, left[place])
        if paid > 0:
            left[place] -= paid
            found.append(Post(place, kind, paid))
    return found


def _all_due(hand: Hand, last: Positions, stakes: Stakes, terms: Terms) -> Iterator[tuple[int, PostKind, int]]:
    small, big = blind_places(hand, last, terms)
    if big == NOBODY:
        return
    owing = debts(hand, last, stakes, terms)
    each = antes(hand, big, stakes, terms)
    if stakes.ante_by == "each":
        yield from ((place, "ante", amount) for place, amount in each.items())
    if small != NOBODY and all(debt.place != small for debt in owing):
        yield small, "small_blind", stakes.small_blind
    yield big, "big_blind", stakes.big_blind
    for debt in owing:
        more = debt.live - (stakes.big_blind if debt.spot == "big_blind" else 0)
        yield debt.place, "missed_big_blind", max(min(more, stakes.big_blind), 0)
        yield debt.place, "extra_blind", max(more - stakes.big_blind, 0)
        yield debt.place, "dead_small_blind", debt.dead
    if stakes.ante_by != "each":
        kind: PostKind = "big_blind_ante" if stakes.ante_by == "big_blind" else "button_ante"
        yield from ((place, kind, amount) for place, amount in each.items())


def antes(hand: Hand, big: int, stakes: Stakes, terms: Terms) -> dict[int, int]:
    """The ante of each position that owes one, minor units: each his own, or `big` or the button for all."""
    amount = stakes.ante if terms.seating.ante is None else terms.seating.ante
    if not amount and not stakes.antes:
        return {}
    if stakes.ante_by == "each":
        if stakes.antes and terms.seating.ante is None:
            return {place: stakes.antes[seat] for place, seat in enumerate(hand.seats) if stakes.antes.get(seat)}
        return dict.fromkeys(range(len(hand.seats)), amount)
    place = big if stakes.ante_by == "big_blind" else hand.place(hand.button)
    return {} if place == NOBODY else {place: amount}


def outstanding(hand: Hand, last: Positions, stakes: Stakes, terms: Terms) -> list[Post]:
    """Posts that are due and of which nothing has been posted yet."""
    paid = {(place, kind) for place, kind, _amount in hand.posts}
    return [post for post in posts_due(hand, last, stakes, terms) if (post.place, post.kind) not in paid]


def straddler(hand: Hand, last: Positions, terms: Terms) -> int:
    """Position that may straddle: left of the big blind, with three players or more (VG-STR-01, VG A-36)."""
    _small, big = blind_places(hand, last, terms)
    if not terms.seating.straddle or len(hand.seats) < 3 or big == NOBODY:
        return NOBODY
    return (big + 1) % len(hand.seats)
