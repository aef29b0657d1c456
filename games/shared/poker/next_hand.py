"""Between two hands: where the button goes, who plays the next one, and what he posts for it."""

from __future__ import annotations

from msgspec import Struct

from games.shared.poker.blinds import Post, Spot, debts, posts_due
from games.shared.poker.hand import UNLIMITED, Hand
from games.shared.poker.seating import sit_down
from games.shared.poker.seats import Entry, Positions, may_not_enter, next_positions, on_button
from games.shared.poker.stacks import NOTHING
from games.shared.poker.table import Session, begin


class Coming(Struct, frozen=True, gc=False):
    """A player who comes in, or comes back: what he posts by his place, minor units; `waits`: he may not play yet
    (VG-BTN-06)."""

    entry: Entry
    live: int
    dead: int
    spot: Spot = "middle"
    waits: bool = False


class NextHand(Struct, frozen=True, gc=False):
    """The next hand as it is due. `hand`: its players with their stacks, as far as known, and nothing done; `shifted`:
    where the button would have been, had nobody returned on it (0: there it is)."""

    hand: Hand
    at: Positions
    posts: tuple[Post, ...]
    coming: tuple[Coming, ...]
    shifted: int = 0


def next_hand(session: Session, *, button: int = 0) -> NextHand | None:
    """What is due for the next hand; None while fewer than two can play, or nobody knows where the button was.

    `button`: where it is to lie otherwise (a draw). Who sits out for minutes is left out: nobody knows when it begins.
    """
    hand = session.hand
    begun = hand is not None and not hand.closed and hand.name != "" and len(hand.seats) < 2 and not hand.dealt
    table = session if begun else begin(session, "", 0)
    before, terms, coming = table.before, table.terms, table.hand
    if coming is None:
        return None
    entering = coming.entering
    ready = [seat for seat in sorted(table.seated) if _can_play(table, coming, seat)]
    seats = [seat for seat in ready if seat not in table.waiting]

    def positions(of: list[int]) -> Positions:
        if button or before.stays:
            return on_button(button or before.positions.button, of, terms.heads_up) if len(of) > 1 else Positions()
        return next_positions(before.positions, of, _of(entering, of), terms.seating, terms.heads_up)

    for seat in table.waiting:  # who waits for the big blind plays once it comes to him
        if seat in ready and positions(sorted((*seats, seat))).big == seat:
            seats = sorted((*seats, seat))
    at = positions(seats)
    kept_out = {entry.seat for entry in _of(entering, seats) if may_not_enter(entry, at, terms.seating)}
    if kept_out:
        seats = [seat for seat in seats if seat not in kept_out]
        at = positions(seats)
    if not at.button or len(seats) < 2:
        return None
    dealt = Hand(name="", entering=entering, barred=coming.barred, button=at.button)
    players = tuple(table.seated[seat] for seat in seats)
    sit_down(dealt, tuple(seats), players, [_stack(table, player) for player in players])
    owed = debts(dealt, before.positions, table.stakes, terms)
    plain = next_positions(before.positions, seats, (), terms.seating, terms.heads_up).button
    return NextHand(
        hand=dealt,
        at=at,
        posts=tuple(posts_due(dealt, before.positions, table.stakes, terms)) if table.stakes.big_blind else (),
        coming=(
            *(Coming(debt.entry, debt.live, debt.dead, debt.spot) for debt in owed),
            *(Coming(entry, 0, 0, waits=True) for entry in entering if entry.seat in kept_out),
        ),
        shifted=0 if button or before.stays or plain == at.button else plain,
    )


def stacks_now(session: Session) -> dict[int, int]:
    """What lies at every seat taken, between hands, by the record; without limit where it does not tell."""
    table = begin(session, "", 0)
    return {seat: _stack(table, player) for seat, player in table.seated.items()}


def _of(entering: tuple[Entry, ...], seats: list[int]) -> list[Entry]:
    return [entry for entry in entering if entry.seat in seats]


def _can_play(table: Session, coming: Hand, seat: int) -> bool:
    player = table.seated[seat]
    return seat not in table.away and player not in coming.barred and _stack(table, player) > 0


def _stack(table: Session, player: str) -> int:
    """What he has for the next hand by the record; without limit where it does not tell."""
    stack, moved = table.before.stacks.get(player), table.before.moved.get(player, NOTHING)
    if stack is None:  # he has not played yet: what he brought, if anybody recorded it
        return moved.added if moved.added > 0 else UNLIMITED
    return stack + moved.other + max(moved.added - moved.taken, 0) + max(moved.bought, 0)
