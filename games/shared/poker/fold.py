"""What each event does to a hand. A handler takes the hand, the event, the table and the fact, and gives the hand back.

Chips count by the rules: what words and chips mean is read where they come (`reading.py`), a whole `ActionTaken`
counts as it was taken. What was pushed beyond, or is still owed, stands in `Hand.apart`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from events.schema.common import CardBurned, ChipsMoved, RoundClosed
from events.schema.fact import Fact
from events.values.places import POT, RAKE
from games.shared.poker.betting import NOBODY, fresh, may_raise, options, post, put, raise_to, turn, with_item
from games.shared.poker.events import (
    LIVE_POSTS,
    ActionTaken,
    AgreementMade,
    BoardDealt,
    ButtonPlaced,
    CardDealt,
    CardExposed,
    ChipsPushed,
    HandKilled,
    HandMucked,
    HandShown,
    HoleDealt,
    MisdealDeclared,
    PlayerDealtIn,
    Posted,
    WordsSpoken,
)
from games.shared.poker.hand import BOARD_CARDS, UNLIMITED, Gone, Hand, Pending, button_place
from games.shared.poker.reading import Reading, Said, Spot, read_action

if TYPE_CHECKING:
    from games.shared.poker.table import Session

Handler = Callable[[Hand, Any, "Session", Fact], Hand]

_LATER = BOARD_CARDS[1:]


# --- seats and posts ---


def _dealt_in(hand: Hand, event: PlayerDealtIn, session: Session, _fact: Fact) -> Hand:
    if event.status == "absent":
        return hand
    place = hand.place(event.seat)
    stack = UNLIMITED if event.stack is None else event.stack
    if place != NOBODY:  # said again, or put in by an earlier record: what this one says holds
        spent = hand.start[place] - hand.stacks[place]
        return replace(
            hand,
            players=(*hand.players[:place], event.player, *hand.players[place + 1 :]),
            start=with_item(hand.start, place, stack),
            stacks=with_item(hand.stacks, place, max(stack - spent, 0)),
        )
    return _with_seat(hand, event.seat, event.player, stack, session)


def _with_seat(hand: Hand, seat: int, player: str, stack: int, session: Session) -> Hand:
    at = sum(1 for other in hand.seats if other < seat)
    bets = hand.bets

    def put_in(values: tuple[Any, ...], value: Any) -> tuple[Any, ...]:
        return (*values[:at], value, *values[at:])

    def moved(place: int) -> int:
        return place + 1 if place >= at else place

    made = replace(
        hand,
        seats=put_in(hand.seats, seat),
        players=put_in(hand.players, player),
        start=put_in(hand.start, stack),
        stacks=put_in(hand.stacks, stack),
        live=put_in(hand.live, 0),
        dead=put_in(hand.dead, 0),
        antes=put_in(hand.antes, 0),
        apart=put_in(hand.apart, 0),
        out=put_in(hand.out, False),
        gone=put_in(hand.gone, ""),
        hole=put_in(hand.hole, ()),
        shown=put_in(hand.shown, ()),
        exposed=put_in(hand.exposed, 0),
        won=put_in(hand.won, 0),
        back=put_in(hand.back, 0),
        bets=replace(
            bets,
            front=put_in(bets.front, 0),
            acted=put_in(bets.acted, -1),
            aggressor=moved(bets.aggressor),
            actor=moved(bets.actor),
        ),
        aggressor=moved(hand.aggressor),
        last_aggressor=moved(hand.last_aggressor),
        latest=moved(hand.latest),
    )
    if made.last_blind:
        return _opened(made, session)
    return made


def _known(hand: Hand, seat: int, session: Session) -> tuple[Hand, int]:
    """The position of a seat; one that nobody dealt in joins now, since its chips and cards are there."""
    place = hand.place(seat)
    if place != NOBODY:
        return hand, place
    hand = _with_seat(hand, seat, session.seated.get(seat, f"seat/{seat}"), UNLIMITED, session)
    return hand, hand.place(seat)


def _button(hand: Hand, event: ButtonPlaced, _session: Session, _fact: Fact) -> Hand:
    return replace(
        hand,
        button=event.seat,
        small_blind=event.small_blind or hand.small_blind,
        big_blind=event.big_blind or hand.big_blind,
    )


def _posted(hand: Hand, event: Posted, session: Session, _fact: Fact) -> Hand:
    hand, place = _known(hand, event.seat, session)
    amount, kind = event.amount, event.kind
    stacks = with_item(hand.stacks, place, hand.stacks[place] - amount)
    if kind not in LIVE_POSTS:
        if kind == "ante":
            return replace(hand, stacks=stacks, antes=with_item(hand.antes, place, hand.antes[place] + amount))
        return replace(hand, stacks=stacks, dead=with_item(hand.dead, place, hand.dead[place] + amount))
    least = 0 if kind == "bring_in" else session.stakes.big_blind
    hand = replace(
        hand,
        stacks=stacks,
        live=with_item(hand.live, place, hand.live[place] + amount),
        bets=post(hand.bets, place, amount, max(amount, least)),
        small_blind=event.seat if kind == "small_blind" else hand.small_blind,
        big_blind=event.seat if kind == "big_blind" else hand.big_blind,
        last_blind=event.seat if _opens_after(hand, event) else hand.last_blind,
    )
    return _opened(hand, session)


def _opens_after(hand: Hand, event: Posted) -> bool:
    """Whether the first round of betting starts behind this post: the big blind, or the last straddle."""
    if event.kind == "small_blind":
        return not hand.last_blind
    return event.kind in ("big_blind", "straddle", "bring_in")


def _opened(hand: Hand, _session: Session) -> Hand:
    place = hand.place(hand.last_blind)
    bets = hand.bets
    return replace(hand, bets=replace(bets, actor=turn(bets, hand.stacks, hand.out, place + 1)))


# --- cards ---


def _hole(hand: Hand, event: HoleDealt, session: Session, _fact: Fact) -> Hand:
    hand, place = _known(hand, event.seat, session)
    mine = hand.hole[place] + event.cards
    return replace(hand, hole=(*hand.hole[:place], mine, *hand.hole[place + 1 :]), dealt=hand.dealt + len(event.cards))


def _card(hand: Hand, event: CardDealt, session: Session, _fact: Fact) -> Hand:
    to = event.to
    if to.startswith("seat/"):
        hand, place = _known(hand, int(to[5:]), session)
        mine = (*hand.hole[place], event.card)
        return replace(hand, hole=(*hand.hole[:place], mine, *hand.hole[place + 1 :]), dealt=hand.dealt + 1)
    hand = replace(hand, dealt=hand.dealt + 1)
    if to == "burn":
        return replace(hand, burns=hand.burns + 1, burnt=True)
    if to in ("flop", "turn", "river"):
        return _laid(hand, (event.card,), event.board, session)
    return hand


def _board(hand: Hand, event: BoardDealt, session: Session, _fact: Fact) -> Hand:
    hand = replace(hand, dealt=hand.dealt + len(event.cards))
    return hand if event.rabbit else _laid(hand, event.cards, event.board, session)


def _burned(hand: Hand, _event: CardBurned, _session: Session, _fact: Fact) -> Hand:
    return replace(hand, dealt=hand.dealt + 1, burns=hand.burns + 1, burnt=True)


def _laid(hand: Hand, cards: tuple[str, ...], board: int, session: Session) -> Hand:
    if hand.over:
        return hand  # the hand is decided; whatever still comes is for the curious (NL-35)
    if board == 1:
        return _next_street(replace(hand, board=hand.board + cards, burnt=False), session)
    boards = list(hand.boards)
    while len(boards) < board - 1:
        boards.append(())
    boards[board - 2] += cards
    return replace(hand, boards=tuple(boards))


def _next_street(hand: Hand, session: Session) -> Hand:
    """A round of betting begins once its board lies open and the round before is over."""
    count = len(hand.board)
    if count not in _LATER or hand.bets.actor != NOBODY or hand.over:
        return hand
    street = BOARD_CARDS.index(count)
    if street <= hand.street:
        return hand
    seats = len(hand.seats)
    bets = fresh(seats, session.limits[street].minimum if session.limits else 1)
    start = button_place(hand, session.terms.heads_up) + 1
    actor = turn(bets, hand.stacks, hand.out, start) if seats else NOBODY
    return replace(hand, street=street, bets=replace(bets, actor=actor), last_aggressor=NOBODY)


def _exposed(hand: Hand, event: CardExposed, _session: Session, _fact: Fact) -> Hand:
    if event.by != "player" or not event.where.startswith("seat/"):
        return hand
    place = hand.place(int(event.where[5:]))
    if place == NOBODY:
        return hand
    count = max(len(event.cards), len(event.seqs), 1)
    return replace(hand, exposed=with_item(hand.exposed, place, hand.exposed[place] + count))


def _misdeal(hand: Hand, _event: MisdealDeclared, _session: Session, _fact: Fact) -> Hand:
    """Cards back, posts stay, the same hand is dealt again (NL-14)."""
    none = ((),) * len(hand.seats)
    return replace(hand, hole=none, shown=none, board=(), boards=(), dealt=0, burns=0, misdeals=hand.misdeals + 1)


# --- acting ---


def _limits(hand: Hand, session: Session) -> Any:
    return session.limits[hand.street]


def _acted(hand: Hand, session: Session, place: int, total: int) -> Hand:
    """A check, call, bet or raise that leaves `total` in front of him."""
    bets, before = hand.bets, hand.bets.to_match
    more = total - bets.front[place]
    stacks = with_item(hand.stacks, place, hand.stacks[place] - more) if more else hand.stacks
    bets = put(bets, _limits(hand, session), place, total)
    if total > before:
        hand = replace(hand, aggressor=place, last_aggressor=place)
    start = place + 1 if bets.actor in (place, NOBODY) else bets.actor
    actor = turn(bets, stacks, hand.out, start)
    return replace(
        hand,
        stacks=stacks,
        live=with_item(hand.live, place, hand.live[place] + more) if more else hand.live,
        bets=replace(bets, actor=actor),
        actions=hand.actions + 1,
        latest=place,
        pending=None,
    )


def _folded(hand: Hand, place: int, how: Gone = "folded") -> Hand:
    out = (*hand.out[:place], True, *hand.out[place + 1 :])
    bets = hand.bets
    actor = NOBODY if bets.actor == NOBODY else turn(bets, hand.stacks, out, bets.actor)
    return replace(
        hand,
        out=out,
        gone=(*hand.gone[:place], how, *hand.gone[place + 1 :]),
        bets=replace(bets, actor=actor) if actor != bets.actor else bets,
        actions=hand.actions + 1,
        latest=place,
        pending=None,
    )


def _action(hand: Hand, event: ActionTaken, session: Session, _fact: Fact) -> Hand:
    place = hand.place(event.seat)
    if place == NOBODY:
        hand, place = _known(hand, event.seat, session)
    if hand.pending is not None:
        hand = _resolve(hand, session, place)
    if not session.limits:
        return hand
    if event.action == "fold":
        hand = _folded(hand, place)
    elif event.action == "check" and hand.bets.front[place] < hand.bets.to_match:
        return hand  # no action: all his options stay (NL-A44)
    else:
        hand = _acted(hand, session, place, hand.bets.front[place] + event.amount)
    return _next_street(hand, session) if hand.bets.actor == NOBODY else hand


def _spot(hand: Hand, session: Session, place: int) -> Spot:
    """Where a player stands, for the reading of his words and chips."""
    bets, limits, terms = hand.bets, _limits(hand, session), session.terms
    barred = ""
    if hand.exposed[place] >= (2 if terms.exposed_both else 1):
        barred = "exposed"
    elif not may_raise(bets, limits, place):
        barred = "not_reopened"
    most = None
    if limits.structure != "no_limit" or limits.exactly or limits.most is not None:
        most = options(bets, limits, hand.stacks, hand.out, place, hand.contributed).high
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


def _words(hand: Hand, event: WordsSpoken, session: Session, fact: Fact) -> Hand:
    hand, place = _known(hand, event.seat, session)
    if event.word in ("time", "straddle") or not session.limits:
        return hand
    said = said_of(event, session)
    if place != hand.bets.actor:
        if event.word == "fold" and said.binding and not hand.out[place] and hand.betting:
            return _next_street(_folded(hand, place), session)
        return hand
    if not said.binding or (said.word in ("raise", "bet", "complete") and said.amount is None):
        return replace(hand, pending=Pending(place, said, fact.occurred_at))
    return _read(hand, session, place, said, ())


def _chips(hand: Hand, event: ChipsPushed, session: Session, _fact: Fact) -> Hand:
    hand, place = _known(hand, event.seat, session)
    settles = hand.apart[place] < 0
    hand = replace(hand, apart=with_item(hand.apart, place, hand.apart[place] + event.amount))
    if settles or not session.limits or hand.bets.actor == NOBODY or hand.out[place]:
        return hand
    if place != hand.bets.actor and place == hand.latest:
        return hand  # a later motion of the same player counts for nothing (NL-A11)
    said = None
    if hand.pending is not None:
        if hand.pending.place == place:
            said = hand.pending.said
        else:
            hand = _resolve(hand, session, place)
    # Chips that nobody counted are not known to be one chip.
    return _read(hand, session, place, said, event.chips or (event.amount, 0))


def _read(hand: Hand, session: Session, place: int, said: Said | None, chips: tuple[int, ...]) -> Hand:
    """The action that words and chips are; chips pushed lie in `apart` until it is known what they count for."""
    reading = read_in(hand, session, place, said, chips)
    if reading.action == "":
        return replace(hand, pending=None)
    if reading.action == "fold":
        return _next_street(_folded(hand, place), session)
    more = reading.total - hand.bets.front[place]
    hand = _acted(hand, session, place, reading.total)
    hand = replace(hand, apart=with_item(hand.apart, place, hand.apart[place] - more)) if more else hand
    return _next_street(hand, session)


def _resolve(hand: Hand, session: Session, acting: int) -> Hand:
    """Somebody else acts while a word waits for chips: the word alone then counts."""
    pending = hand.pending
    if pending is None or pending.place == acting or pending.place != hand.bets.actor or not pending.said.binding:
        return replace(hand, pending=None)
    return _read(hand, session, pending.place, pending.said, ())


# --- the end ---


def _moved(hand: Hand, event: ChipsMoved, _session: Session, _fact: Fact) -> Hand:
    """Chips out of the pot: change and uncalled bets back, awards, rake."""
    if event.frm != POT:
        return hand
    if event.to == RAKE:
        return replace(hand, raked=(*hand.raked, (event.stake, event.amount)))
    seat = event.to.removeprefix("seat/")
    place = hand.place(int(seat)) if seat.isdigit() and event.to != seat else NOBODY
    if place == NOBODY:
        return hand
    if event.cause == "award":
        return replace(
            hand,
            won=with_item(hand.won, place, hand.won[place] + event.amount),
            stacks=with_item(hand.stacks, place, hand.stacks[place] + event.amount),
        )
    change = min(max(hand.apart[place], 0), event.amount)
    uncalled = event.amount - change
    return replace(
        hand,
        apart=with_item(hand.apart, place, hand.apart[place] - change),
        back=with_item(hand.back, place, hand.back[place] + uncalled),
        stacks=with_item(hand.stacks, place, hand.stacks[place] + uncalled) if not hand.betting else hand.stacks,
    )


def _shown(hand: Hand, event: HandShown, session: Session, _fact: Fact) -> Hand:
    hand, place = _known(hand, event.seat, session)
    seen = tuple(dict.fromkeys(hand.shown[place] + event.cards))
    hole = hand.hole
    if len(seen) >= len(hole[place]) or "??" in hole[place]:
        hole = (*hole[:place], seen, *hole[place + 1 :])
    return replace(
        hand,
        shown=(*hand.shown[:place], seen, *hand.shown[place + 1 :]),
        hole=hole,
        shows=hand.shows if place in hand.shows else (*hand.shows, place),
    )


def _mucked(hand: Hand, event: HandMucked, session: Session, _fact: Fact) -> Hand:
    hand, place = _known(hand, event.seat, session)
    if hand.out[place]:
        return hand
    hole = hand.hole
    if event.cards and (not hole[place] or "??" in hole[place]):
        hole = (*hole[:place], event.cards, *hole[place + 1 :])
    return replace(hand, gone=(*hand.gone[:place], "mucked", *hand.gone[place + 1 :]), hole=hole)


def _killed(hand: Hand, event: HandKilled, session: Session, _fact: Fact) -> Hand:
    """A hand that lay tabled is not lost by the dealer's hand (NL-37); any other is dead, its chips stay (NL-46)."""
    hand, place = _known(hand, event.seat, session)
    if event.tabled or len(hand.shown[place]) >= session.terms.hole:
        return replace(hand, gone=(*hand.gone[:place], "killed", *hand.gone[place + 1 :]))
    return _next_street(_folded(hand, place, "killed"), session)


def _agreed(hand: Hand, event: AgreementMade, _session: Session, _fact: Fact) -> Hand:
    return replace(hand, runs=event.runs) if event.what == "run_it" else hand


def _closed(hand: Hand, _event: RoundClosed, _session: Session, _fact: Fact) -> Hand:
    return replace(hand, closed=True)


HANDLERS: dict[Any, Handler] = {
    PlayerDealtIn: _dealt_in,
    ButtonPlaced: _button,
    Posted: _posted,
    HoleDealt: _hole,
    CardDealt: _card,
    BoardDealt: _board,
    CardBurned: _burned,
    CardExposed: _exposed,
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
