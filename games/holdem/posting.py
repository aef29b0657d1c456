"""What the rules expect between two hands and before the deal: the button, posts, who comes in."""

from __future__ import annotations

from collections.abc import Iterator

from events.values.cards import UNKNOWN
from events.values.money import money_text
from games.holdem.seat_rules import drawn_button
from games.protocol import Action, Due, Expectation
from games.shared.poker.betting import NOBODY
from games.shared.poker.blinds import Post, outstanding, straddler
from games.shared.poker.hand import Hand
from games.shared.poker.next_hand import Coming, NextHand, next_hand
from games.shared.poker.seating import blind_taken_by_ante
from games.shared.poker.table import Session


def between(session: Session) -> Expectation:
    """Where the button goes next and who owes which post for the next hand."""
    drawn = 0
    if session.draws and all(card != UNKNOWN for _seat, card in session.draws):
        drawn = drawn_button(session.draws, session.edition["button_draw_suit_order"])
    coming = None if session.imported else next_hand(session, button=drawn)
    note = f"the button goes to seat/{drawn}" if drawn else ""
    due: tuple[Due, ...] = ()
    if coming is not None:
        due = tuple(_due(coming.hand, post) for post in coming.posts)
        note = "; ".join(_notes(session, coming))
    return Expectation(phase="button draw" if drawn else "between hands", due=due, note=note)


def _notes(session: Session, coming: NextHand) -> Iterator[str]:
    moves = "moves on" if coming.shifted else "goes"
    behind = f", over seat/{coming.shifted}" if coming.shifted else ""
    yield f"the button {moves} to seat/{coming.at.button}{behind}"
    if coming.at.small and coming.at.small not in coming.hand.seats:
        yield f"the small blind is dead (seat/{coming.at.small})"
    for one in coming.coming:
        yield _comes(session, one)


def _comes(session: Session, one: Coming) -> str:
    who = f"seat/{one.entry.seat} {_COMES[one.entry.why]}"
    if one.waits:
        return f"{who}: waits until the button has passed"
    amounts = [
        f"{money_text(amount, session.currency)} {how}"
        for amount, how in ((one.live, "live"), (one.dead, "dead"))
        if amount
    ]
    ending = ""
    if one.spot == "big_blind":
        ending = " as big blind"
    elif one.entry.why == "new":
        ending = ", or waits for the big blind"
    return f"{who}: posts {' and '.join(amounts)}{ending}"


_COMES: dict[str, str] = {"new": "is new", "returning": "returns", "moved": "has changed seats"}


def posting(session: Session, hand: Hand) -> Expectation | None:
    """The posts that come before the first card; None once the big blind lies there, or play has begun."""
    if hand.actions or hand.board:
        return None
    due = still_due(session, hand)
    if hand.last_blind and not any(post.what == "big_blind" for post in due):
        return None
    if not due and blind_taken_by_ante(hand, session):
        return None
    return Expectation(phase="posting", due=due)


def still_due(session: Session, hand: Hand) -> tuple[Due, ...]:
    """Posts that are due and not posted, while no card is dealt. Of an imported hand only its blinds are asked for."""
    if hand.dealt or hand.actions or (session.imported and hand.last_blind):
        return ()
    posts = outstanding(hand, session.before.positions, session.stakes, session.terms)
    return tuple(_due(hand, post) for post in posts)


def may_straddle(session: Session, hand: Hand) -> tuple[Action, ...]:
    """The straddle, where it is played: twice the big blind from the player left of it, before the first card."""
    place = straddler(hand, session.before.positions, session.terms)
    twice = 2 * session.stakes.big_blind
    if place == NOBODY or hand.dealt or hand.actions or hand.stacks[place] <= twice or _posted(hand, place):
        return ()
    return (Action(actor=f"seat/{hand.seats[place]}", name="straddle", low=twice, high=twice, add=twice),)


def _posted(hand: Hand, place: int) -> bool:
    return any(own == place and kind != "ante" for own, kind, _amount in hand.posts)


def _due(hand: Hand, post: Post) -> Due:
    seat = f"seat/{hand.seats[post.place]}"
    return Due(what=post.kind, frm=seat, to="pot", amount=post.amount, stake=seat)
