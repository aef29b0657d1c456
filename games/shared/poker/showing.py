"""The showdown as it goes: what tabling, mucking, killing and agreements do to a hand (handlers of `fold.py`), who has
to show, and when."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from events.schema.fact import Fact
from events.values.cards import UNKNOWN
from games.shared.poker.events import (
    AgreementMade,
    HandKilled,
    HandMucked,
    HandShown,
)
from games.shared.poker.hand import Hand, Terms, button_place, last_aggressor
from games.shared.poker.pots import layers, uncalled
from games.shared.poker.seating import known
from games.shared.poker.settling import layered_antes, tabled
from games.shared.poker.showdown import show_order

if TYPE_CHECKING:
    from games.shared.poker.table import Session

from games.shared.poker.acting import folded


def hand_shown(hand: Hand, event: HandShown, session: Session, _fact: Fact) -> None:
    place = known(hand, event.seat, session)
    seen = event.cards
    own = hand.hole[place]
    before = hand.shown[place]
    if before or UNKNOWN in seen:
        # What lies open and could not be read lies open all the same; the record may name it later.
        count = max(len(before), len(seen))
        seen = tuple(dict.fromkeys([card for card in (*before, *seen) if card != UNKNOWN]))
        hand.shown[place] = seen + (UNKNOWN,) * (count - len(seen))
    else:
        hand.shown[place] = seen
    if len(own) == session.terms.hole and UNKNOWN not in own and not {UNKNOWN, *own}.issuperset(seen):
        hand.hole[place] = (UNKNOWN,) * len(own)  # not the cards that he was dealt: nobody knows what he holds
    elif seen and (len(seen) >= len(own) or UNKNOWN in own):
        hand.hole[place] = seen
    if place not in hand.shows:
        hand.shows = (*hand.shows, place)


def hand_mucked(hand: Hand, event: HandMucked, session: Session, _fact: Fact) -> None:
    place = known(hand, event.seat, session)
    if hand.out[place] or hand.won[place] > 0 or tabled(hand, place, session.terms.hole):
        return  # a hand that lay visible or was paid has made its claim (NL-28, NL-37)
    hand.gone[place] = "mucked"
    if event.cards and (not hand.hole[place] or UNKNOWN in hand.hole[place]):
        hand.hole[place] = event.cards


def hand_killed(hand: Hand, event: HandKilled, session: Session, _fact: Fact) -> None:
    """A hand that lay tabled is not lost by the dealer's hand (NL-37), nor that of a player expelled since (NL-43), nor
    one that was paid; any other is dead, its chips stay (NL-46)."""
    place = known(hand, event.seat, session)
    if hand.won[place] > 0:
        return
    aside = any(seat == hand.seats[place] for seat, _stack in hand.aside)
    if event.tabled or aside or len(hand.shown[place]) >= session.terms.hole:
        hand.gone[place] = "killed"
    else:
        folded(hand, session, place, "killed")


def agreed(hand: Hand, event: AgreementMade, session: Session, _fact: Fact) -> None:
    """What the boards share is what lies there now. A site's history tells whatever it has of the others; where the
    house does not play so, the one board decides, unless another is dealt all the same."""
    if event.what == "run_it":
        hand.runs = event.runs
        if session.terms.run_it and not session.imported:
            hand.run_from = len(hand.board)


# --- order and duty ---

PlaysBoard = Callable[[Hand, int], bool]
"""Whether a tabled hand is worth just what the board is."""


def due_to_show(hand: Hand, terms: Terms) -> list[int]:
    """Positions still in, in the order in which they have to show."""
    last = last_aggressor(hand, terms.order_scope)
    return show_order(hand.left, len(hand.seats), button_place(hand, terms.heads_up), last)


def all_in_showdown(hand: Hand) -> bool:
    """Whether nobody could act any more before the river was bet out."""
    return sum(1 for place in hand.left if hand.stacks[place] - hand.back[place] - hand.won[place] > 0) < 2


def may_muck(hand: Hand, terms: Terms) -> bool:
    """Whether a hand that claims nothing may be given away unseen, the board apart."""
    return terms.muck == "always" or (terms.muck == "unless_all_in" and not all_in_showdown(hand))


def board_claimed(hand: Hand, terms: Terms, plays_board: PlaysBoard) -> bool:
    """Whether somebody who is still in has tabled the board's own hand, so that all have to show (NL-30)."""
    return terms.board_duty and any(not hand.out[place] and plays_board(hand, place) for place in hand.shows)


def must_show(hand: Hand, terms: Terms, plays_board: PlaysBoard) -> bool:
    """Whether whoever is still to show may not give his hand away."""
    return not may_muck(hand, terms) or board_claimed(hand, terms, plays_board)


def claims_alone(hand: Hand, place: int) -> bool:
    """Whether nobody else is left to claim one of his pots, which goes to a tabled hand alone (NL-28)."""
    who, over = uncalled(hand.live)
    live = [amount - over if other == who else amount for other, amount in enumerate(hand.live)]
    claimants = {other for other in hand.left if hand.gone[other] not in ("mucked", "killed")}
    pots = layers(live, hand.out, hand.contributed, layered_antes(hand))  # only who may win them is of interest
    return any(claimants.intersection(pot.eligible) == {place} for pot in pots)
