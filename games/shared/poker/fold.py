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
from games.shared.poker.betting import NOBODY, NOT_SINCE, fresh, may_raise, options, post, put, raise_to, turn
from games.shared.poker.events import (
    LIVE_POSTS,
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
from games.shared.poker.hand import BOARD_CARDS, UNLIMITED, Gone, Hand, Pending, button_place
from games.shared.poker.reading import Reading, Said, Spot, read_action

if TYPE_CHECKING:
    from games.shared.poker.table import Session

Handler = Callable[[Hand, Any, "Session", Fact], None]

_LATER = BOARD_CARDS[1:]
_FOUL = frozenset({"duplicate", "foreign", "joker", "missing"})


# --- seats and posts ---


def _dealt_in(hand: Hand, event: PlayerDealtIn, _session: Session, _fact: Fact) -> None:
    if event.status == "absent":
        return
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


def _line_up(hand: Hand, event: LineUp, session: Session, fact: Fact) -> None:
    seats, players = event.seats, event.players
    count = len(seats)
    if hand.seats or count != len(players) or count != len(event.stacks) or list(seats) != sorted(set(seats)):
        for seat, player, stack in zip(seats, players, event.stacks, strict=False):
            _dealt_in(hand, PlayerDealtIn(seat, player, stack), session, fact)
    else:
        _sit_down(hand, seats, players, [UNLIMITED if stack is None else stack for stack in event.stacks])
    hand.button = event.button or hand.button
    hand.small_blind = event.small_blind or hand.small_blind
    hand.big_blind = event.big_blind or hand.big_blind


def _sit_down(hand: Hand, seats: tuple[int, ...], players: tuple[str, ...], stacks: list[int]) -> None:
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
        _opened(hand)
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


def _known(hand: Hand, seat: int, session: Session) -> int:
    """The position of a seat; one that nobody dealt in joins now, since its chips and cards are there."""
    if seat in hand.seats:
        return hand.seats.index(seat)
    return _put_in(hand, seat, session.seated.get(seat, f"seat/{seat}"), UNLIMITED)


def _button(hand: Hand, event: ButtonPlaced, _session: Session, _fact: Fact) -> None:
    hand.button = event.seat
    hand.small_blind = event.small_blind or hand.small_blind
    hand.big_blind = event.big_blind or hand.big_blind


def _posted(hand: Hand, event: Posted, session: Session, _fact: Fact) -> None:
    place = _known(hand, event.seat, session)
    amount, kind = event.amount, event.kind
    hand.stacks[place] -= amount
    hand.posts.append((place, kind, amount))
    if kind not in LIVE_POSTS:
        (hand.antes if kind == "ante" else hand.dead)[place] += amount
        return
    hand.live[place] += amount
    post(hand.bets, place, amount, amount if kind == "bring_in" else max(amount, session.stakes.big_blind))
    # The first round of betting starts behind the big blind, or the last straddle.
    if kind == "small_blind":
        hand.small_blind = event.seat
        hand.last_blind = hand.last_blind or event.seat
    elif kind in ("big_blind", "straddle", "bring_in"):
        hand.last_blind = event.seat
        if kind == "big_blind":
            hand.big_blind = event.seat
    if hand.last_blind:
        _opened(hand)


def _opened(hand: Hand) -> None:
    hand.bets.actor = turn(hand.bets, hand.stacks, hand.out, hand.place(hand.last_blind) + 1)


# --- cards ---


def _hole(hand: Hand, event: HoleDealt, session: Session, _fact: Fact) -> None:
    cards = event.cards
    hand.hole[_known(hand, event.seat, session)] += cards
    hand.dealt += len(cards)


def _hands(hand: Hand, event: HandsDealt, session: Session, _fact: Fact) -> None:
    cards, count, hole = event.cards, len(event.seats), hand.hole
    placed = list(event.seats) == hand.seats
    for number, seat in enumerate(event.seats):
        hole[number if placed else _known(hand, seat, session)] += cards[number::count]
    if count:
        hand.dealt += len(cards)


def _card(hand: Hand, event: CardDealt, session: Session, _fact: Fact) -> None:
    to = event.to
    if to.startswith("seat/"):
        hand.hole[_known(hand, int(to[5:]), session)] += (event.card,)
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
        place = _known(hand, event.seat, session)
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
    place = _known(hand, event.seat, session)
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
    place = _known(hand, event.seat, session)
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
    place = _known(hand, event.seat, session)
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
    place = _known(hand, event.seat, session)
    if hand.out[place]:
        return
    hand.gone[place] = "mucked"
    if event.cards and (not hand.hole[place] or UNKNOWN in hand.hole[place]):
        hand.hole[place] = event.cards


def _killed(hand: Hand, event: HandKilled, session: Session, _fact: Fact) -> None:
    """A hand that lay tabled is not lost by the dealer's hand (NL-37); any other is dead, its chips stay (NL-46)."""
    place = _known(hand, event.seat, session)
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
    PlayerDealtIn: _dealt_in,
    LineUp: _line_up,
    ButtonPlaced: _button,
    Posted: _posted,
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
