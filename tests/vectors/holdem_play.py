"""The shortest course of betting that leads to given contributions: what a vector of kind `settle` leaves out.

A lawful one is found by trying what the room's `expects` offers. Where there is none (a folded seat that put in more
than those who stayed, a blind that nobody posted), the contributions are recorded as they are: the fold never refuses,
and what is asked is the money. Nothing here knows what a pot pays.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from msgspec import Struct
from msgspec.structs import replace

from events.schema.common import CardBurned, ChipsMoved, RoundClosed, RoundOpened, TableOpened
from events.schema.event import Event
from events.schema.fact import Fact
from events.values.cards import DECK
from games.clocks import Clocks
from games.holdem import GAME
from games.holdem.state import Session
from games.house_rules.edition import Edition
from games.protocol import Action, Expectation
from games.shared.poker.events import (
    ActionTaken,
    BoardDealt,
    ButtonPlaced,
    HandKilled,
    HandMucked,
    HandShown,
    HoleDealt,
    PlayerDealtIn,
    Posted,
    StakesAnnounced,
)
from games.shared.poker.hand import BOARD_CARDS, STREETS, Hand

TRIES = 60_000


class Wanted(Struct, frozen=True):
    """What the hand shall come to, in minor units. `folded`: out of the hand.

    `boards`: what may lie on the board in the end, likeliest first. `all_in`: a sole winner has nothing behind.
    `kill`: hands that are level with the highest bet and out all the same were not folded but taken as dead. `recorded`:
    who is out has nothing behind.
    """

    button: int
    unit: int
    live: dict[int, int]
    dead: dict[int, int]
    folded: frozenset[int]
    mucked: frozenset[int]
    hole: dict[int, tuple[str, ...]]
    boards: tuple[tuple[str, ...], ...]
    small_blind: int | None = None
    big_blind: int | None = None
    all_in: bool = False
    kill: bool = False
    lax: bool = False
    recorded: bool = False

    @property
    def board(self) -> tuple[str, ...]:
        """The first of them."""
        return self.boards[0]

    @property
    def seats(self) -> list[int]:
        """Everybody dealt in; the button too, who then folds without having put anything in."""
        return sorted({*self.live, *self.dead, *self.hole, *self.folded, self.button})

    @property
    def standing(self) -> list[int]:
        """Who can still win something."""
        return [seat for seat in self.live if seat not in self.folded]

    @property
    def killed(self) -> list[int]:
        """Dead hands that put in more than any hand that can still win: nobody could make them fold."""
        most = max((self.live[seat] for seat in self.standing), default=0) - self.kill
        return sorted(seat for seat in self.folded if self.live.get(seat, 0) > most)

    def ways(self) -> Iterator[Wanted]:
        """The same hand with what the vector leaves open settled in turn."""
        for lax, kill, all_in in product((False, True), repeat=3):
            for board in self.boards:
                yield replace(self, boards=(board,), all_in=all_in, kill=kill, lax=lax)


class _Line:
    """A course of play: events, and the table after them."""

    def __init__(self, session: Session, events: tuple[Event, ...] = ()) -> None:
        self.session = session
        self.events = events

    def then(self, *events: Event) -> _Line:
        session = self.session
        for event in events:
            session = GAME.evolve(session, _fact(event, "1"))
        return _Line(session, (*self.events, *events))

    @property
    def hand(self) -> Hand:
        hand = self.session.hand
        assert hand is not None
        return hand


def _fact(event: Event, name: str | None) -> Fact:
    return Fact(subject="", source="", sequence=1, topic=event.TOPIC, event=event, occurred_at=0, round=name)


def play(wanted: Wanted, edition: Edition) -> list[Event]:
    """The hand's events, from its opening to its close; the table opens before (`opening`)."""
    for way in wanted.ways():
        for small, big in _blinds(way):
            found = _search(way, _dealt(way, edition, small, big))
            if found is not None:
                return list(_closed(way, found).events)
    return list(_as_recorded(replace(wanted, recorded=True), edition).events)


def _as_recorded(wanted: Wanted, edition: Edition) -> _Line:
    """The contributions one after another, the smallest first; the board; who is out folds or is taken last.

    Who stayed and put in less than another has nothing behind.
    """
    small, big = next(_blinds(wanted), (wanted.unit, 2 * wanted.unit))
    line = _opened(wanted, edition, small, big)
    line = line.then(*(Posted(seat, "dead_small_blind", amount) for seat, amount in wanted.dead.items() if amount))
    line = line.then(*(HoleDealt(seat, wanted.hole.get(seat, ("??", "??"))) for seat in wanted.seats))
    paid = sorted((amount, seat) for seat, amount in wanted.live.items() if amount)
    line = line.then(*(ActionTaken(seat, "raise", amount) for amount, seat in paid))
    line = line.then(*(ActionTaken(seat, "call") for seat in wanted.standing if _behind(wanted, seat)))
    while len(line.hand.board) < len(wanted.board):
        line = _next_street(wanted, line)
        line = line.then(*(ActionTaken(seat, "check") for seat in wanted.standing if _behind(wanted, seat)))
    line = line.then(*(ActionTaken(seat, "fold") for seat in wanted.seats if seat not in wanted.standing))
    standing = [seat for seat in wanted.standing if len(wanted.standing) > 1]
    shows = (HandMucked(seat) if seat in wanted.mucked else _show(wanted, seat) for seat in standing)
    return line.then(*shows, RoundClosed())


def opening(wanted: Wanted) -> TableOpened:
    """The table, with the smallest chip that the vector names."""
    return TableOpened(game="holdem", rule_book="NL", currency="CZK", smallest_chip=wanted.unit, seats=9)


def _blinds(wanted: Wanted) -> Iterator[tuple[int, int]]:
    if wanted.big_blind is not None:
        yield wanted.small_blind or wanted.big_blind // 2, wanted.big_blind
        return
    seen = set()
    amounts = sorted({2 * wanted.unit, *wanted.live.values(), *(2 * amount for amount in wanted.live.values())})
    for big in amounts:
        if big % 2 == 0 and big not in seen:
            seen.add(big)
            yield big // 2, big


def _opened(wanted: Wanted, edition: Edition, small: int, big: int) -> _Line:
    """The hand opened, everybody dealt in."""
    session = GAME.evolve(
        GAME.open_table(edition, _fact(opening(wanted), None), (), Clocks()),
        _fact(StakesAnnounced(small_blind=small, big_blind=big), None),
    )
    line = _Line(session, (StakesAnnounced(small_blind=small, big_blind=big),)).then(
        RoundOpened(), ButtonPlaced(wanted.button)
    )
    return line.then(*(PlayerDealtIn(seat, f"p-{seat}", _stack(wanted, seat)) for seat in wanted.seats))


def _dealt(wanted: Wanted, edition: Edition, small: int, big: int) -> _Line:
    line = _opened(wanted, edition, small, big)
    line = line.then(*(Posted(seat, "dead_small_blind", amount) for seat, amount in wanted.dead.items()))
    for due in GAME.expects(line.session).due:
        seat = int(due.frm[5:])
        amount = min(due.amount, wanted.live.get(seat, 0))
        if amount:
            line = line.then(Posted(seat, due.what, amount))  # type: ignore[arg-type]
    return line.then(*(HoleDealt(seat, wanted.hole.get(seat, ("??", "??"))) for seat in wanted.seats))


def _stack(wanted: Wanted, seat: int) -> int:
    """Whoever others have covered has put in all he has; the rest have chips behind."""
    behind = max(*wanted.live.values(), 1) * 10 if _behind(wanted, seat) else 0
    return wanted.live.get(seat, 0) + wanted.dead.get(seat, 0) + behind


def _behind(wanted: Wanted, seat: int) -> bool:
    """Whether he has chips behind."""
    if seat not in wanted.standing:
        return not wanted.recorded
    most = max(wanted.live.values())
    return wanted.live[seat] == most and not (wanted.all_in and len(wanted.standing) == 1)


def _search(wanted: Wanted, start: _Line) -> _Line | None:
    """Depth first, the fewest chips first; a table seen before is not tried again."""
    seen: set[object] = set()
    stack = [start]
    tries = 0
    while stack and tries < TRIES:
        tries += 1
        line = stack.pop()
        hand = line.hand
        bets = hand.bets
        key = (hand.street, *hand.live, *hand.out, bets.actor, *bets.acted, bets.increment)
        if key in seen:
            continue
        seen.add(key)
        next_ = GAME.expects(line.session)
        if next_.phase in STREETS and next_.actor:
            stack += reversed(list(_choices(wanted, line, next_)))
        elif next_.next_card:
            laid = len(hand.board)
            if laid < len(wanted.board):
                stack.append(_next_street(wanted, line))
        elif _reached(wanted, hand):
            return line
    return None


def _reached(wanted: Wanted, hand: Hand) -> bool:
    if len(hand.board) != len(wanted.board):
        return False
    return all(
        hand.live[place] == wanted.live.get(seat, 0) and (hand.out[place] == _folds(wanted, seat))
        for place, seat in enumerate(hand.seats)
    )


def _folds(wanted: Wanted, seat: int) -> bool:
    return seat not in wanted.standing and seat not in wanted.killed


def _choices(wanted: Wanted, line: _Line, next_: Expectation) -> Iterator[_Line]:
    """What the player on turn may lawfully do on the way to where he shall come."""
    hand = line.hand
    place = hand.bets.actor
    seat, base = hand.seats[place], hand.live[place] - hand.bets.front[place]
    goal = wanted.live.get(seat, 0)
    by_name = {action.name: action for action in next_.actions}
    done = hand.live[place] == goal
    if done and _folds(wanted, seat) and "check" not in by_name:
        yield line.then(ActionTaken(seat, "fold"))
        return
    if "check" in by_name:
        yield line.then(ActionTaken(seat, "check"))
    call = by_name.get("call")
    if call is not None and call.low is not None and base + call.low <= goal:
        yield line.then(ActionTaken(seat, "call", call.low - hand.bets.front[place]))
    for name in ("bet", "raise"):
        if name in by_name:
            yield from _raises(wanted, line, by_name[name], base, goal)
    if done and _folds(wanted, seat):
        yield line.then(ActionTaken(seat, "fold"))


def _raises(wanted: Wanted, line: _Line, action: Action, base: int, goal: int) -> Iterator[_Line]:
    hand = line.hand
    place = hand.bets.actor
    assert action.low is not None
    assert action.high is not None
    for amount in sorted({*wanted.live.values()}):
        total = amount - base
        low = hand.bets.to_match + 1 if wanted.lax else action.low
        if amount <= goal and low <= total <= action.high:
            yield line.then(ActionTaken(hand.seats[place], action.name, total - hand.bets.front[place]))  # type: ignore[arg-type]


def _next_street(wanted: Wanted, line: _Line) -> _Line:
    street = next(number for number, count in enumerate(BOARD_CARDS) if count > len(line.hand.board))
    cards = wanted.board[BOARD_CARDS[street - 1] : BOARD_CARDS[street]]
    return line.then(CardBurned(), BoardDealt(STREETS[street], cards))  # type: ignore[arg-type]


def _closed(wanted: Wanted, line: _Line) -> _Line:
    """Dead hands, the showdown in its order, the close."""
    line = line.then(*(HandKilled(seat, "dealer", tabled=False) for seat in wanted.killed))
    for due in GAME.expects(line.session).due:
        if due.what == "return":
            line = line.then(ChipsMoved("pot", due.to, due.amount, "return", due.stake))
    next_ = GAME.expects(line.session)
    while next_.phase == "showdown":
        seat = int(next_.actor[5:])
        line = line.then(HandMucked(seat) if seat in wanted.mucked else _show(wanted, seat))
        after = GAME.expects(line.session)
        if after == next_:
            break
        next_ = after
    return line.then(RoundClosed())


def _show(wanted: Wanted, seat: int) -> HandShown:
    return HandShown(seat, wanted.hole.get(seat, ("??", "??")))


def unused(cards: Sequence[str], count: int) -> tuple[str, ...]:
    """Cards that lie nowhere yet."""
    return tuple(card for card in DECK if card not in cards)[:count]
