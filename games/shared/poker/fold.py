"""What each event does to a hand. A handler changes the hand in place; `games.shared.poker.table` hands it a copy
where the hand before is still needed.

Chips count by the rules: what words and chips mean is read where they come (`reading.py`), a whole `ActionTaken`
counts as it was taken. What was pushed beyond, or is still owed, stands in `Hand.apart`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from events.schema.common import CardBurned, ChipsMoved, DeckInspected, RoundClosed
from events.schema.fact import Fact
from events.values.cards import UNKNOWN
from events.values.places import POT, RAKE
from games.shared.poker.betting import NOBODY, fresh, may_raise, options, put, raise_to, turn
from games.shared.poker.events import (
    ActionTaken,
    AgreementMade,
    BoardDealt,
    ButtonPlaced,
    CardDealt,
    CardExposed,
    CardFound,
    CardsMoved,
    ChipsPushed,
    HandKilled,
    HandMucked,
    HandsDealt,
    HandShown,
    HoleDealt,
    LineUp,
    MisdealDeclared,
    PlayerDealtIn,
    Posted,
    WordsSpoken,
)
from games.shared.poker.hand import BOARD_CARDS, Gone, Hand, Pending, button_place
from games.shared.poker.reading import Reading, Said, Spot, read_action
from games.shared.poker.seating import button, dealt_in, known, line_up, posted

if TYPE_CHECKING:
    from games.shared.poker.table import Session

Handler = Callable[[Hand, Any, "Session", Fact], None]

_LATER = BOARD_CARDS[1:]
_FOUL = frozenset({"duplicate", "foreign", "joker", "missing"})


# --- cards ---


def _hole(hand: Hand, event: HoleDealt, session: Session, _fact: Fact) -> None:
    cards = event.cards
    hand.hole[known(hand, event.seat, session)] += cards
    hand.dealt += len(cards)


def _hands(hand: Hand, event: HandsDealt, session: Session, _fact: Fact) -> None:
    cards, count, hole = event.cards, len(event.seats), hand.hole
    placed = list(event.seats) == hand.seats
    for number, seat in enumerate(event.seats):
        hole[number if placed else known(hand, seat, session)] += cards[number::count]
    if count:
        hand.dealt += len(cards)


def _card(hand: Hand, event: CardDealt, session: Session, _fact: Fact) -> None:
    to = event.to
    if to.startswith("seat/"):
        hand.hole[known(hand, int(to[5:]), session)] += (event.card,)
    hand.dealt += 1
    if to == "burn":
        _put_away(hand, event.card)
    elif to in ("flop", "turn", "river"):
        _laid(hand, (event.card,), event.board, session)


def _board(hand: Hand, event: BoardDealt, session: Session, _fact: Fact) -> None:
    hand.dealt += len(event.cards)
    if not event.rabbit:
        _laid(hand, event.cards, event.board, session)


def _burned(hand: Hand, event: CardBurned, _session: Session, _fact: Fact) -> None:
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
        _next_street(hand, session)
        return
    boards = list(hand.boards)
    while len(boards) < board - 1:
        boards.append(())
    boards[board - 2] += cards
    hand.boards = tuple(boards)


def _next_street(hand: Hand, session: Session) -> None:
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


def _cards_moved(hand: Hand, event: CardsMoved, _session: Session, _fact: Fact) -> None:
    _loose(hand, event.cards)


def _loose(hand: Hand, cards: tuple[str, ...]) -> None:
    """Cards that are not where they were dealt: one exposed becomes the burn card (NL-15), an extra one too (NL-21)."""
    hand.loose += cards or (UNKNOWN,)
    hand.put_away = tuple([card for card in hand.put_away if card not in cards])


def _exposed(hand: Hand, event: CardExposed, _session: Session, _fact: Fact) -> None:
    _loose(hand, event.cards)
    if event.by != "player" or not event.where.startswith("seat/"):
        return
    place = hand.place(int(event.where[5:]))
    if place != NOBODY:
        hand.exposed[place] += max(len(event.cards), len(event.seqs), 1)


def _fouled(hand: Hand, event: CardFound | DeckInspected, _session: Session, _fact: Fact) -> None:
    wrong = not event.complete if isinstance(event, DeckInspected) else event.fault in _FOUL
    if wrong and not hand.fouled:
        hand.fouled = "after_award" if any(hand.won) else "before_award"


def _misdeal(hand: Hand, _event: MisdealDeclared, _session: Session, _fact: Fact) -> None:
    """Cards back, posts stay, the same hand is dealt again (NL-14)."""
    hand.hole = [()] * len(hand.seats)
    hand.shown = [()] * len(hand.seats)
    hand.board, hand.boards, hand.shows = (), (), ()
    hand.dealt = hand.burns = 0
    hand.put_away, hand.loose = (), ()
    hand.burnt = False
    hand.misdeals += 1


# --- acting ---


def _acted(hand: Hand, session: Session, place: int, total: int) -> None:
    """A check, call, bet or raise that leaves `total` in front of him."""
    bets, stacks = hand.bets, hand.stacks
    more = total - bets.front[place]
    if more:
        stacks[place] -= more
        hand.live[place] += more
    if total > bets.to_match:
        hand.raises.append((hand.street, place))
    put(bets, session.limits[hand.street], place, total)
    before = bets.actor
    actor = bets.actor = turn(bets, stacks, hand.out, place + 1 if before in (place, NOBODY) else before)
    hand.actions += 1
    hand.latest = place
    hand.pending = None
    if actor == NOBODY:
        _next_street(hand, session)


def _folded(hand: Hand, session: Session, place: int, how: Gone = "folded") -> None:
    hand.out[place] = True
    hand.gone[place] = how
    bets = hand.bets
    if bets.actor != NOBODY:
        bets.actor = turn(bets, hand.stacks, hand.out, bets.actor)
    hand.actions += 1
    hand.latest = place
    hand.pending = None
    if bets.actor == NOBODY:
        _next_street(hand, session)


def _action(hand: Hand, event: ActionTaken, session: Session, _fact: Fact) -> None:
    place = hand.bets.actor
    if place == NOBODY or hand.seats[place] != event.seat:
        place = known(hand, event.seat, session)
    if hand.pending is not None:
        _resolve(hand, session, place)
    if event.action == "fold":
        _folded(hand, session, place)
    elif event.action == "check" and hand.bets.front[place] < hand.bets.to_match:
        return  # no action: all his options stay (NL-A44)
    else:
        _acted(hand, session, place, hand.bets.front[place] + event.amount)


def _spot(hand: Hand, session: Session, place: int) -> Spot:
    """Where a player stands, for the reading of his words and chips."""
    bets, limits, terms = hand.bets, session.limits[hand.street], session.terms
    barred = ""
    if hand.exposed[place] >= (2 if terms.exposed_both else 1):
        barred = "exposed"
    elif not may_raise(bets, limits, place):
        barred = "not_reopened"
    most = None
    if limits.structure != "no_limit" or limits.exactly or limits.most is not None:
        most = options(bets, limits, hand.stacks, place, hand.contributed).high
    return Spot(
        to_match=bets.to_match,
        front=bets.front[place],
        stack=hand.stacks[place],
        low=raise_to(bets, limits),
        minimum=limits.minimum,
        barred=barred,
        most=most,
    )


def read_in(hand: Hand, session: Session, place: int, said: Said | None, chips: tuple[int, ...]) -> Reading:
    """What words and chips of a player count for, as the hand stands."""
    return read_action(_spot(hand, session, place), said, chips, one_chip=session.terms.one_chip)


def said_of(event: WordsSpoken, session: Session) -> Said:
    """A word as the reading wants it; the official languages of a table have no tag (NL-34)."""
    return Said(
        word=event.word,
        amount=event.amount,
        by=event.measure == "by",
        binding=not event.language or session.terms.foreign_words_bind,
    )


def _words(hand: Hand, event: WordsSpoken, session: Session, fact: Fact) -> None:
    place = known(hand, event.seat, session)
    if event.word in ("time", "straddle"):
        return
    said = said_of(event, session)
    if place != hand.bets.actor:
        if event.word == "fold" and said.binding and not hand.out[place] and hand.betting:
            _folded(hand, session, place)
        return
    if not said.binding or (said.word in ("raise", "bet", "complete") and said.amount is None):
        hand.pending = Pending(place, said, fact.occurred_at)
        return
    _read(hand, session, place, said, ())


def _chips(hand: Hand, event: ChipsPushed, session: Session, _fact: Fact) -> None:
    place = known(hand, event.seat, session)
    settles = hand.apart[place] < 0
    hand.apart[place] += event.amount
    if settles or hand.bets.actor == NOBODY or hand.out[place]:
        return
    if place != hand.bets.actor and place == hand.latest:
        return  # a later motion of the same player counts for nothing (NL-A11)
    said = None
    if hand.pending is not None:
        if hand.pending.place == place:
            said = hand.pending.said
        else:
            _resolve(hand, session, place)
    # Chips that nobody counted are not known to be one chip.
    _read(hand, session, place, said, event.chips or (event.amount, 0))


def _read(hand: Hand, session: Session, place: int, said: Said | None, chips: tuple[int, ...]) -> None:
    """The action that words and chips are; chips pushed lie in `apart` until it is known what they count for."""
    reading = read_in(hand, session, place, said, chips)
    if reading.action == "":
        hand.pending = None
    elif reading.action == "fold":
        _folded(hand, session, place)
    else:
        hand.apart[place] -= reading.total - hand.bets.front[place]
        _acted(hand, session, place, reading.total)


def _resolve(hand: Hand, session: Session, acting: int) -> None:
    """Somebody else acts while a word waits for chips: the word alone then counts."""
    pending = hand.pending
    if pending is None or pending.place == acting or pending.place != hand.bets.actor or not pending.said.binding:
        hand.pending = None
    else:
        _read(hand, session, pending.place, pending.said, ())


# --- the end ---


def _moved(hand: Hand, event: ChipsMoved, _session: Session, _fact: Fact) -> None:
    """Chips out of the pot: change and uncalled bets back, awards, rake."""
    if event.frm != POT:
        return
    if event.to == RAKE:
        hand.raked = (*hand.raked, (event.stake, event.amount))
        return
    seat = event.to.removeprefix("seat/")
    place = hand.place(int(seat)) if seat.isdigit() and event.to != seat else NOBODY
    if place == NOBODY:
        return
    if event.cause == "award":
        hand.won[place] += event.amount
        hand.stacks[place] += event.amount
        return
    change = min(max(hand.apart[place], 0), event.amount)
    uncalled = event.amount - change
    hand.apart[place] -= change
    hand.back[place] += uncalled
    if not hand.betting:
        hand.stacks[place] += uncalled


def _shown(hand: Hand, event: HandShown, session: Session, _fact: Fact) -> None:
    place = known(hand, event.seat, session)
    seen = event.cards
    before = hand.shown[place]
    if before or UNKNOWN in seen:
        # What lies open and could not be read lies open all the same; the record may name it later.
        count = max(len(before), len(seen))
        seen = tuple(dict.fromkeys([card for card in (*before, *seen) if card != UNKNOWN]))
        hand.shown[place] = seen + (UNKNOWN,) * (count - len(seen))
    else:
        hand.shown[place] = seen
    if seen and (len(seen) >= len(hand.hole[place]) or UNKNOWN in hand.hole[place]):
        hand.hole[place] = seen
    if place not in hand.shows:
        hand.shows = (*hand.shows, place)


def _mucked(hand: Hand, event: HandMucked, session: Session, _fact: Fact) -> None:
    place = known(hand, event.seat, session)
    if hand.out[place]:
        return
    hand.gone[place] = "mucked"
    if event.cards and (not hand.hole[place] or UNKNOWN in hand.hole[place]):
        hand.hole[place] = event.cards


def _killed(hand: Hand, event: HandKilled, session: Session, _fact: Fact) -> None:
    """A hand that lay tabled is not lost by the dealer's hand (NL-37); any other is dead, its chips stay (NL-46)."""
    place = known(hand, event.seat, session)
    if event.tabled or len(hand.shown[place]) >= session.terms.hole:
        hand.gone[place] = "killed"
    else:
        _folded(hand, session, place, "killed")


def _agreed(hand: Hand, event: AgreementMade, _session: Session, _fact: Fact) -> None:
    if event.what == "run_it":
        hand.runs = event.runs


def _closed(hand: Hand, _event: RoundClosed, _session: Session, _fact: Fact) -> None:
    hand.closed = True


HANDLERS: dict[Any, Handler] = {
    PlayerDealtIn: dealt_in,
    LineUp: line_up,
    ButtonPlaced: button,
    Posted: posted,
    HoleDealt: _hole,
    HandsDealt: _hands,
    CardDealt: _card,
    BoardDealt: _board,
    CardBurned: _burned,
    CardExposed: _exposed,
    CardsMoved: _cards_moved,
    CardFound: _fouled,
    DeckInspected: _fouled,
    MisdealDeclared: _misdeal,
    ActionTaken: _action,
    WordsSpoken: _words,
    ChipsPushed: _chips,
    ChipsMoved: _moved,
    HandShown: _shown,
    HandMucked: _mucked,
    HandKilled: _killed,
    AgreementMade: _agreed,
    RoundClosed: _closed,
}
