"""The course of the deck: what was irregular in the deal of a hand, what it called for, and where the next card goes.

`course_of` reads the steps of a hand (`deck.Step`) deal by deal: the players' cards (`course_hole.py`), then burns and
board (`course_board.py`). It says what is irregular and how it was repaired; which rule that is, a room says.
"""

from __future__ import annotations

from collections import deque

from msgspec import Struct

from events.schema.common import CardBurned
from games.shared.poker.course_board import BoardReader
from games.shared.poker.course_hole import HoleReader
from games.shared.poker.dealing import under_way
from games.shared.poker.deck import Irregularity, Need, Step
from games.shared.poker.events import BoardDealt, CardDealt, CardExposed, MisdealDeclared
from games.shared.poker.hand import Hand, Terms, deal_order


class Course(Struct, frozen=True):
    """`found`: all that was irregular. `due`: what comes next, None if nothing of the deck. `misdeal`: one has to be
    called, for this reason; empty if not."""

    found: tuple[Irregularity, ...] = ()
    due: Need | None = None
    misdeal: str = ""


def course_of(hand: Hand, terms: Terms) -> Course:
    """What the steps of a hand tell; nothing, where it keeps none."""
    if not hand.steps:
        return Course()
    order = [f"seat/{hand.seats[place]}" for place in deal_order(hand, terms.heads_up)] if hand.seats else []
    found: list[Irregularity] = []
    deal, already = _begun(hand, order, terms)
    off: tuple[_Deal, Step] | None = None
    for step in hand.steps[already:]:
        if isinstance(step.fact.event, MisdealDeclared):
            found += off[0].called_off(off[1]) if off is not None else []
            off = deal, step
            deal = _Deal(order, terms, button_known=hand.button > 0)
        elif off is not None and not deal.hole.given and isinstance(step.fact.event, CardExposed):
            off[0].read(step)  # no card of the new deal lies there yet: it was one of those taken back
        else:
            deal.read(step)
    found += off[0].called_off(off[1]) if off is not None else []
    last = _as_it_stands(hand, terms)
    if hand.misdeals and hand.closed and not hand.steps[-1].seqs and not any(hand.hole):
        found.append(Irregularity(code="not_redealt", kinds=("breach",), text="no new deal follows", absent=True))
    dead = [f"seat/{seat}" for seat, gone in zip(hand.seats, hand.gone, strict=True) if gone == "killed"]
    found += deal.finish(last, dead)
    course = Course(tuple(found), deal.due(last), deal.hole.misdeal(last))
    if deal.plain and not hand.misdeals:
        _KEPT.append((len(hand.steps), hand.steps[-1], deal))
    return course


_KEPT: deque[tuple[int, Step, _Deal]] = deque(maxlen=1)
"""How far the last hand was read, up to which step. Whoever deals asks after each card: the next answer goes on from
there. Kept only while nothing is irregular, since what is irregular changes while it is read."""


def _begun(hand: Hand, order: list[str], terms: Terms) -> tuple[_Deal, int]:
    """A deal to go on reading, and how many steps of the hand it has read."""
    known = hand.button > 0
    try:
        count, last, deal = _KEPT.pop()
    except IndexError:
        return _Deal(order, terms, button_known=known), 0
    # A step belongs to one course of events: who has this one has all those before it.
    same = count <= len(hand.steps) and hand.steps[count - 1] is last
    if same and deal.hole.order == order and deal.hole.check_order == known and deal.terms is terms:
        return deal, count
    return _Deal(order, terms, button_known=known), 0


def _as_it_stands(hand: Hand, terms: Terms) -> Step:
    """The hand now, as a step that deals nothing."""
    return Step(
        fact=hand.steps[-1].fact,
        street=hand.street,
        acts=hand.actions - hand.opened[0],
        actions=hand.actions,
        left=hand.out.count(False),
        opened=hand.opened,
        betting=hand.betting,
        over=hand.over,
        late=under_way(hand, terms),
        paid=hand.closed or any(hand.won),
    )


class _Deal:
    """One deal of a hand: up to a misdeal, or to the hand's end."""

    def __init__(self, order: list[str], terms: Terms, *, button_known: bool) -> None:
        self.hole = HoleReader(order, terms, button_known=button_known)
        self.terms = terms
        self.board: BoardReader | None = None

    @property
    def plain(self) -> bool:
        """Nothing irregular was read."""
        hole, board = self.hole, self.board
        if hole.seen or hole.late_seen or hole.extras or hole.disorder or hole.short or hole.jokers or hole.wrong:
            return False
        return board is None or not (board.repairs or board.others)

    def read(self, step: Step) -> None:
        event = step.fact.event
        of_board = isinstance(event, CardBurned | BoardDealt)
        if isinstance(event, CardDealt):
            of_board = not event.to.startswith("seat/")
        if not of_board:
            self.hole.read(step)
        if self.board is None and of_board:
            self.board = BoardReader(self.hole, self.terms.deal)
        if self.board is not None:
            self.board.read(step)

    def called_off(self, step: Step) -> list[Irregularity]:
        """The deal is over by a misdeal."""
        return self.hole.called_off(step) + (self.board.finish(step) if self.board is not None else [])

    def finish(self, last: Step, dead: list[str]) -> list[Irregularity]:
        return self.hole.finish(last, dead) + (self.board.finish(last) if self.board is not None else [])

    def due(self, last: Step) -> Need | None:
        need = self.hole.due(last)
        if need is not None or last.over:
            return need
        board = self.board or BoardReader(self.hole, self.terms.deal)
        return board.due(last)
