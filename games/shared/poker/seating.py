"""Who sits where with how much, and what he posts: the beginning of a hand (handlers of `fold.py`)."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from events.schema.fact import Fact
from games.shared.poker.attendance import told
from games.shared.poker.betting import NOBODY, NOT_SINCE, post, turn
from games.shared.poker.blinds import blind_places, debts
from games.shared.poker.events import LIVE_POSTS, ButtonPlaced, LineUp, PlayerDealtIn, Posted, PostKind
from games.shared.poker.hand import UNLIMITED, Hand

if TYPE_CHECKING:
    from games.shared.poker.table import Session

_WITH_A_RETURN = ("small_blind", "missed_big_blind")
"""What who returns as small blind posts, as some record it (`_dead_by_rule`)."""


def dealt_in(hand: Hand, event: PlayerDealtIn, session: Session, _fact: Fact) -> None:
    if event.status == "absent":
        return
    if event.status != "in" or hand.entering or event.missed:
        hand.entering = told(hand.entering, event, session)
    stack = UNLIMITED if event.stack is None else event.stack
    if event.seat not in hand.seats:
        _put_in(hand, event.seat, event.player, stack)
        return
    # Said again, or put in by an earlier record: what this one says holds.
    place = hand.place(event.seat)
    spent = hand.start[place] - hand.stacks[place]
    hand.players[place] = event.player
    hand.start[place] = stack
    hand.stacks[place] = max(stack - spent, 0)


@lru_cache(maxsize=4096)
def _clockwise(seats: tuple[int, ...]) -> bool:
    """Every seat once, in order."""
    return list(seats) == sorted(set(seats))


def line_up(hand: Hand, event: LineUp, session: Session, fact: Fact) -> None:
    seats, players = event.seats, event.players
    count = len(seats)
    stacks = event.stacks
    if hand.seats or count != len(players) or count != len(stacks) or not _clockwise(seats):
        for seat, player, stack in zip(seats, players, stacks, strict=False):
            dealt_in(hand, PlayerDealtIn(seat, player, stack), session, fact)
    else:
        sit_down(hand, seats, players, [UNLIMITED if stack is None else stack for stack in stacks])
    hand.button = event.button or hand.button
    hand.small_blind = event.small_blind or hand.small_blind
    hand.big_blind = event.big_blind or hand.big_blind


def sit_down(hand: Hand, seats: tuple[int, ...], players: tuple[str, ...], stacks: list[int]) -> None:
    """All at once, in order of seats, where nobody sits yet: what `_put_in` does one by one."""
    count = len(seats)
    hand.seats, hand.players, hand.start, hand.stacks = list(seats), list(players), stacks, stacks.copy()
    hand.live, hand.dead, hand.antes, hand.apart = [0] * count, [0] * count, [0] * count, [0] * count
    hand.exposed, hand.won, hand.back = [0] * count, [0] * count, [0] * count
    hand.out, hand.gone = [False] * count, [""] * count
    hand.hole, hand.shown = [()] * count, [()] * count
    hand.bets.front, hand.bets.acted = [0] * count, [NOT_SINCE] * count


def _put_in(hand: Hand, seat: int, player: str, stack: int) -> int:
    seats, bets = hand.seats, hand.bets
    at = len(seats)
    while at and seats[at - 1] > seat:
        at -= 1
    last = at == len(seats)
    seats.insert(at, seat)
    hand.players.insert(at, player)
    hand.start.insert(at, stack)
    hand.stacks.insert(at, stack)
    hand.live.insert(at, 0)
    hand.dead.insert(at, 0)
    hand.antes.insert(at, 0)
    hand.apart.insert(at, 0)
    hand.exposed.insert(at, 0)
    hand.won.insert(at, 0)
    hand.back.insert(at, 0)
    hand.out.insert(at, False)
    hand.gone.insert(at, "")
    hand.hole.insert(at, ())
    hand.shown.insert(at, ())
    bets.front.insert(at, 0)
    bets.acted.insert(at, NOT_SINCE)
    if not last:
        _move_up(hand, at)
    if hand.last_blind:
        opened(hand)
    return at


def _move_up(hand: Hand, at: int) -> None:
    """Positions from `at` on are one higher now."""
    bets = hand.bets
    bets.actor += bets.actor >= at
    bets.aggressor += bets.aggressor >= at
    hand.raises = [(street, place + (place >= at)) for street, place in hand.raises]
    hand.latest += hand.latest >= at
    hand.shows = tuple(place + (place >= at) for place in hand.shows)
    hand.posts = [(place + (place >= at), kind, amount) for place, kind, amount in hand.posts]


def known(hand: Hand, seat: int, session: Session) -> int:
    """The position of a seat; one that nobody dealt in joins now, since its chips and cards are there."""
    if seat in hand.seats:
        return hand.seats.index(seat)
    return _put_in(hand, seat, session.seated.get(seat, f"seat/{seat}"), UNLIMITED)


def button(hand: Hand, event: ButtonPlaced, session: Session, _fact: Fact) -> None:
    if hand.misdeals and hand.button and not session.imported:
        # The same hand is dealt again, and its button does not move (NL-07).
        if event.seat != hand.button:
            hand.strayed = event.seat
        return
    hand.button = event.seat
    hand.small_blind = event.small_blind or hand.small_blind
    hand.big_blind = event.big_blind or hand.big_blind


def posted(hand: Hand, event: Posted, session: Session, _fact: Fact) -> None:
    seat, amount, kind = event.seat, event.amount, event.kind
    place = hand.seats.index(seat) if seat in hand.seats else known(hand, seat, session)
    hand.stacks[place] -= amount
    hand.posts.append((place, kind, amount))
    lay_post(hand, session, place, kind, amount)
    if kind in _WITH_A_RETURN and hand.entering and not session.imported:
        _dead_by_rule(hand, session, place)


def _dead_by_rule(hand: Hand, session: Session, place: int) -> None:
    """Who returns as small blind and posts both: his small blind belongs to the pot, whatever its record calls it
    (NL-45)."""
    own = {kind: amount for where, kind, amount in hand.posts if where == place}
    small = own.get("small_blind", 0)
    if not small or "missed_big_blind" not in own:
        return
    owing = debts(hand, session.before.positions, session.stakes, session.terms)
    if all(debt.place != place or debt.spot != "small_blind" for debt in owing):
        return
    hand.posts = [
        (where, "dead_small_blind" if where == place and kind == "small_blind" else kind, amount)
        for where, kind, amount in hand.posts
    ]
    hand.live[place] -= small
    hand.dead[place] += small
    hand.bets.front[place] -= small


def lay_post(hand: Hand, session: Session, place: int, kind: PostKind, amount: int) -> None:
    """A post lies in the pot, the latest of `hand.posts`; the betting opens behind the blinds."""
    if kind not in LIVE_POSTS:
        (hand.antes if kind == "ante" else hand.dead)[place] += amount
        if hand.stacks[place] <= 0 and hand.last_blind and not hand.actions:
            opened(hand)
        return
    seat = hand.seats[place]
    hand.live[place] += amount
    post(hand.bets, place, amount, amount if kind == "bring_in" else max(amount, session.stakes.big_blind))
    # The first round of betting starts behind the big blind, or the last straddle.
    if kind == "small_blind":
        hand.small_blind = seat
        hand.last_blind = hand.last_blind or seat
    elif kind in ("big_blind", "straddle", "bring_in"):
        # A straddle recorded before the big blind still has the last word.
        usual = kind != "big_blind" or hand.last_blind in (0, hand.small_blind)
        if usual or all(own != "straddle" for _place, own, _amount in hand.posts):
            hand.last_blind = seat
        if kind == "big_blind":
            hand.big_blind = seat
    if hand.last_blind:
        opened(hand)


def opened_by_the_deal(hand: Hand, session: Session) -> None:
    """An ante took the big blind's whole stack, and nobody else posted a blind: the betting opens behind him all the
    same, and the bet to match is a whole big blind (NL-08)."""
    if not blind_taken_by_ante(hand, session):
        return
    big = blind_places(hand, session.before.positions, session.terms)[1]
    hand.last_blind = hand.seats[big]
    post(hand.bets, big, 0, session.stakes.big_blind)
    opened(hand)


def blind_taken_by_ante(hand: Hand, session: Session) -> bool:
    """Whether no blind can open the betting, since antes took the stack of who owes the big blind."""
    if hand.last_blind or not session.stakes.big_blind or not any(hand.antes):
        return False
    big = blind_places(hand, session.before.positions, session.terms)[1]
    return big != NOBODY and hand.stacks[big] <= 0 < hand.antes[big]


def opened(hand: Hand) -> None:
    seats, last = hand.seats, hand.last_blind
    hand.bets.actor = turn(hand.bets, hand.stacks, hand.out, seats.index(last) + 1 if last in seats else 0)
