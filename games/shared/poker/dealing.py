"""What cards do to a hand: dealing, burning, the board, exposed and moved cards, a misdeal (handlers of `fold.py`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from events.schema.common import CardBurned, DeckInspected
from events.schema.fact import Fact
from events.values.cards import UNKNOWN
from games.shared.poker.betting import NOBODY, fresh, turn
from games.shared.poker.events import (
    BoardDealt,
    CardDealt,
    CardExposed,
    CardFound,
    CardsMoved,
    HandsDealt,
    HoleDealt,
    MisdealDeclared,
)
from games.shared.poker.hand import BOARD_CARDS, Hand, button_place
from games.shared.poker.seating import known

if TYPE_CHECKING:
    from games.shared.poker.table import Session

_LATER = BOARD_CARDS[1:]
_FOUL = frozenset({"duplicate", "foreign", "joker", "missing"})


def hole_dealt(hand: Hand, event: HoleDealt, session: Session, _fact: Fact) -> None:
    cards = event.cards
    hand.hole[known(hand, event.seat, session)] += cards
    hand.dealt += len(cards)


def hands_dealt(hand: Hand, event: HandsDealt, session: Session, _fact: Fact) -> None:
    cards, count, hole = event.cards, len(event.seats), hand.hole
    placed = list(event.seats) == hand.seats
    for number, seat in enumerate(event.seats):
        hole[number if placed else known(hand, seat, session)] += cards[number::count]
    if count:
        hand.dealt += len(cards)


def card_dealt(hand: Hand, event: CardDealt, session: Session, _fact: Fact) -> None:
    to = event.to
    if to.startswith("seat/"):
        hand.hole[known(hand, int(to[5:]), session)] += (event.card,)
    hand.dealt += 1
    if to == "burn":
        _put_away(hand, event.card)
    elif to in ("flop", "turn", "river"):
        _laid(hand, (event.card,), event.board, session)


def board_dealt(hand: Hand, event: BoardDealt, session: Session, _fact: Fact) -> None:
    hand.dealt += len(event.cards)
    if not event.rabbit:
        _laid(hand, event.cards, event.board, session)


def burned(hand: Hand, event: CardBurned, _session: Session, _fact: Fact) -> None:
    hand.dealt += 1
    _put_away(hand, event.card)


def _put_away(hand: Hand, card: str) -> None:
    hand.burns += 1
    hand.burnt = True
    if card != UNKNOWN and card not in hand.loose:
        hand.put_away += (card,)


def _laid(hand: Hand, cards: tuple[str, ...], board: int, session: Session) -> None:
    if hand.over:
        return  # the hand is decided; whatever still comes is for the curious (NL-35)
    if board == 1:
        hand.board += cards
        hand.burnt = False
        next_street(hand, session)
        return
    boards = list(hand.boards)
    while len(boards) < board - 1:
        boards.append(())
    boards[board - 2] += cards
    hand.boards = tuple(boards)


def next_street(hand: Hand, session: Session) -> None:
    """A round of betting begins once its board lies open and the round before is over."""
    count = len(hand.board)
    if count not in _LATER or hand.bets.actor != NOBODY or hand.over:
        return
    street = BOARD_CARDS.index(count)
    if street <= hand.street:
        return
    hand.street = street
    bets = hand.bets = fresh(len(hand.seats), session.limits[street].minimum if session.limits else 1)
    if hand.seats:
        bets.actor = turn(bets, hand.stacks, hand.out, button_place(hand, session.terms.heads_up) + 1)


def cards_moved(hand: Hand, event: CardsMoved, _session: Session, _fact: Fact) -> None:
    _loose(hand, event.cards)


def _loose(hand: Hand, cards: tuple[str, ...]) -> None:
    """Cards that are not where they were dealt: one exposed becomes the burn card (NL-15), an extra one too (NL-21)."""
    hand.loose += cards or (UNKNOWN,)
    hand.put_away = tuple([card for card in hand.put_away if card not in cards])


def exposed(hand: Hand, event: CardExposed, _session: Session, _fact: Fact) -> None:
    _loose(hand, event.cards)
    if event.by != "player" or not event.where.startswith("seat/"):
        return
    place = hand.place(int(event.where[5:]))
    if place != NOBODY:
        hand.exposed[place] += max(len(event.cards), len(event.seqs), 1)


def found_foul(hand: Hand, event: CardFound | DeckInspected, _session: Session, _fact: Fact) -> None:
    wrong = not event.complete if isinstance(event, DeckInspected) else event.fault in _FOUL
    if wrong and not hand.fouled:
        hand.fouled = "after_award" if any(hand.won) else "before_award"


def misdealt(hand: Hand, _event: MisdealDeclared, _session: Session, _fact: Fact) -> None:
    """Cards back, posts stay, the same hand is dealt again (NL-14)."""
    hand.hole = [()] * len(hand.seats)
    hand.shown = [()] * len(hand.seats)
    hand.board, hand.boards, hand.shows = (), (), ()
    hand.dealt = hand.burns = 0
    hand.put_away, hand.loose = (), ()
    hand.burnt = False
    hand.misdeals += 1
