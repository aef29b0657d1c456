"""A post that comes back before anybody has acted: the wrong one is put right, and what came back never lay there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.shared.poker.betting import NOT_SINCE, Bets
from games.shared.poker.blinds import posts_due
from games.shared.poker.events import PostKind
from games.shared.poker.hand import Hand
from games.shared.poker.seating import lay_post
from games.shared.poker.seats import Withdrawn

if TYPE_CHECKING:
    from games.shared.poker.table import Session

_Posted = tuple[int, PostKind, int]


def post_given_back(hand: Hand, session: Session, place: int, amount: int) -> bool:
    """Whether `amount` out of the pot to a position are chips that it posted; then the hand stands as if it had not.

    Only before anybody has acted: a blind that nobody called comes back when all betting is done, and what a fouled
    deck gives back is no post put right. What is beyond the posts due goes first, then what was posted last.
    """
    if hand.actions or hand.board or hand.over or hand.fouled or session.imported:
        return False
    if hand.dealt and not hand.betting:
        return False
    own = [number for number, (where, _kind, _amount) in enumerate(hand.posts) if where == place]
    if not 0 < amount <= sum(hand.posts[number][2] for number in own):
        return False
    before = hand.posts
    hand.posts = _without(hand, session, own, place, amount)
    seat = hand.seats[place]
    for kind in dict.fromkeys(before[number][1] for number in own):
        was, now = _total(before, place, kind), _total(hand.posts, place, kind)
        if now != was:
            hand.withdrawn = (*hand.withdrawn, Withdrawn(seat, kind, was, now))
            if not now and kind == "small_blind" and hand.small_blind == seat:
                hand.small_blind = 0
            elif not now and kind == "big_blind" and hand.big_blind == seat:
                hand.big_blind = 0
    hand.stacks[place] += amount
    lay_posts(hand, session)
    return True


def _total(posts: list[_Posted], place: int, kind: str) -> int:
    return sum(amount for where, own, amount in posts if where == place and own == kind)


def _without(hand: Hand, session: Session, own: list[int], place: int, amount: int) -> list[_Posted]:
    """The posts after `amount` of those with the numbers `own` has gone back."""
    left = [paid for _where, _kind, paid in hand.posts]
    due = {
        post.kind: post.amount
        for post in posts_due(hand, session.before.positions, session.stakes, session.terms)
        if post.place == place
    }
    over: dict[str, int] = {
        kind: max(_total(hand.posts, place, kind) - due.get(kind, 0), 0) for _where, kind, _paid in hand.posts
    }
    for bound in (over, None):
        for number in reversed(own):
            kind = hand.posts[number][1]
            back = min(amount, left[number], left[number] if bound is None else bound[kind])
            left[number] -= back
            amount -= back
            if bound is not None:
                bound[kind] -= back
    return [(where, kind, rest) for (where, kind, _paid), rest in zip(hand.posts, left, strict=True) if rest]


def lay_posts(hand: Hand, session: Session) -> None:
    """Live and dead chips and the first round of betting as the posts alone make them; stacks are not touched."""
    count, posts = len(hand.seats), hand.posts
    hand.live, hand.dead, hand.antes = [0] * count, [0] * count, [0] * count
    hand.bets = Bets(front=[0] * count, acted=[NOT_SINCE] * count)
    hand.posts, hand.last_blind = [], 0
    for place, kind, amount in posts:
        hand.posts.append((place, kind, amount))
        lay_post(hand, session, place, kind, amount)
