"""What cards do to a hand: dealing, burning, the board, exposed and moved cards, a misdeal (handlers of `fold.py`).

At a table every such fact also becomes a `Step` of the hand, out of which `course.py` reads what was irregular. A
history of a site tells no burns and no mistakes: its hands keep no steps.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from events.schema.common import CardBurned
from events.schema.fact import Fact
from events.values.cards import UNKNOWN
from games.shared.poker.betting import NOBODY, NOT_SINCE, Bets, fresh, post, turn
from games.shared.poker.deck import Step
from games.shared.poker.events import (
    LAST_PLACE,
    LIVE_POSTS,
    BoardDealt,
    CardDealt,
    CardExposed,
    CardPicked,
    CardsMoved,
    CardsScrambled,
    HandsDealt,
    HoleDealt,
    MisdealDeclared,
    StubShuffled,
)
from games.shared.poker.hand import BOARD_CARDS, STREETS, Hand, Terms, button_place
from games.shared.poker.lying import (
    ROOM,
    faced,
    lies,
    named,
    shown_cards,
    stands_for_another,
    swap,
    take_from_seat,
    told_again,
    told_late,
)
from games.shared.poker.posts_back import post_given_back
from games.shared.poker.seating import known, opened, opened_by_the_deal

if TYPE_CHECKING:
    from games.shared.poker.table import Session

_LATER = BOARD_CARDS[1:]


# --- off the deck ---


def hole_dealt(hand: Hand, event: HoleDealt, session: Session, fact: Fact) -> None:
    cards = event.cards
    if not hand.last_blind:
        opened_by_the_deal(hand, session)
    hand.hole[known(hand, event.seat, session)] += cards
    hand.dealt += len(cards)
    if not session.imported:
        note(hand, session, fact, tuple((f"seat/{event.seat}", card) for card in cards))


def hands_dealt(hand: Hand, event: HandsDealt, session: Session, fact: Fact) -> None:
    cards, count, hole = event.cards, len(event.seats), hand.hole
    if not hand.last_blind:
        opened_by_the_deal(hand, session)
    if not hand.dealt and list(event.seats) == hand.seats:
        hole[:] = [cards[number::count] for number in range(count)]
    else:
        for number, seat in enumerate(event.seats):
            hole[known(hand, seat, session)] += cards[number::count]
    if count:
        hand.dealt += len(cards)
        if not session.imported:
            seats = event.seats
            note(hand, session, fact, tuple((f"seat/{seats[at % count]}", card) for at, card in enumerate(cards)))


def card_dealt(hand: Hand, event: CardDealt, session: Session, fact: Fact) -> None:
    to, card = event.to, event.card
    if event.seq is not None and not session.imported and told_again(hand, event.seq, to, card):
        note(hand, session, fact)
        return
    replaces = False
    if to.startswith("seat/"):
        if not hand.last_blind:
            opened_by_the_deal(hand, session)
        place = known(hand, int(to[5:]), session)
        replaces = not session.imported and stands_for_another(hand, session.terms, event)
        hand.hole[place] += (card,)
    closed = to in ROOM and _closed(hand, event)
    if not session.imported:
        note(hand, session, fact, (("aside" if closed else to, card),), event.seq, replaces=replaces)
        if replaces:
            swap(hand, session.terms, to)
    hand.dealt += 1
    if to == "burn":
        _put_away(hand, card)
    elif to in ROOM and not closed:
        _laid(hand, to, (card,), event.board, session)


def board_dealt(hand: Hand, event: BoardDealt, session: Session, fact: Fact) -> None:
    if not session.imported:
        where = "rabbit" if event.rabbit else event.street
        note(hand, session, fact, tuple((where, card) for card in event.cards))
    hand.dealt += len(event.cards)
    if not event.rabbit:
        _laid(hand, event.street, event.cards, event.board, session)


def burned(hand: Hand, event: CardBurned, session: Session, fact: Fact) -> None:
    # The common event takes any number; one that no deck has a place for says nothing of places.
    seq = event.seq if event.seq is not None and 0 < event.seq <= LAST_PLACE else None
    if seq is not None and not session.imported and told_again(hand, seq, "burn", event.card):
        note(hand, session, fact)
        hand.burns += 1  # an exposed, extra or picked card that is one
        return
    if not session.imported:
        note(hand, session, fact, (("burn", event.card),), seq)
    hand.dealt += 1
    _put_away(hand, event.card)


def _put_away(hand: Hand, card: str) -> None:
    hand.burns += 1
    if card != UNKNOWN and card not in hand.loose:
        hand.put_away += (card,)


def _closed(hand: Hand, event: CardDealt) -> bool:
    """A card of a later street that is dealt face down after one came too early: it waits for its time (NL-20).

    Once somebody has acted on the early street it stands, and play goes on."""
    early = hand.premature
    if not early or event.face != "down" or ROOM[event.to] <= ROOM[early]:
        return False
    return hand.street < STREETS.index(early) or not _acts(hand)


def _laid(hand: Hand, street: str, cards: tuple[str, ...], board: int, session: Session) -> None:
    if hand.over:
        return  # the hand is decided; whatever still comes is for the curious (NL-35)
    if board == 1:
        if hand.bets.actor != NOBODY and ROOM[street] > BOARD_CARDS[hand.street]:
            hand.premature = hand.premature or street
        elif street == hand.premature and not hand.surplus and len(hand.board) < ROOM[street]:
            hand.premature = ""
        room = ROOM[street] - len(hand.board)
        if room < len(cards):
            hand.surplus += cards[max(room, 0) :]
            cards = cards[: max(room, 0)]
        hand.board += cards
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
    if count not in _LATER or hand.bets.actor != NOBODY:
        return
    street = BOARD_CARDS.index(count)
    if street <= hand.street or hand.over:
        return
    if not hand.street and not session.imported:
        _dead_by_count(hand, session.terms)
    hand.street = street
    hand.opened = (hand.actions, hand.out.count(False))
    bets = hand.bets = fresh(len(hand.seats), session.limits[street].minimum if session.limits else 1)
    if hand.seats:
        bets.actor = turn(bets, hand.stacks, hand.out, button_place(hand, session.terms.heads_up) + 1)


def _dead_by_count(hand: Hand, terms: Terms) -> None:
    """Once play is under way a hand with a wrong number of cards is dead, and its chips stay (NL-A33, VG-MIS-10). Only
    where the record tells the deal card by card."""
    wrong = [place for place, cards in enumerate(hand.hole) if len(cards) != terms.hole and not hand.out[place]]
    if not wrong:
        return
    told: set[str] = set()
    for step in hand.steps:
        event = step.fact.event
        if isinstance(event, MisdealDeclared):
            told.clear()
        elif isinstance(event, CardDealt) and event.to.startswith("seat/"):
            told.add(event.to)
    if len(told) >= len(hand.seats) - 1:
        for place in wrong:
            hand.out[place], hand.gone[place] = True, "killed"


# --- steps ---


def note(
    hand: Hand,
    session: Session,
    fact: Fact,
    cards: tuple[tuple[str, str], ...] = (),
    seq: int | None = None,
    *,
    about: tuple[int, ...] = (),
    replaces: bool = False,
) -> None:
    """What happened becomes a step; `cards`: where each one off the deck went; `seq`: the place that the record says;
    `about`, `replaces`: as in `Step`.

    A card without a place is the next one off the deck.
    """
    terms = session.terms
    if cards and not hand.dealt and seq is None and not cards[0][0].startswith("seat/"):
        hand.top = max(hand.top, terms.hole * len(hand.seats) + 1)  # nobody recorded the deal
    first = hand.top if seq is None else seq
    hand.steps.append(
        Step(
            fact=fact,
            seqs=tuple(range(first, first + len(cards))),
            sure=seq is not None,
            top=hand.top,
            about=about,
            replaces=replaces,
            street=hand.street,
            acts=_acts(hand),
            actions=hand.actions,
            left=hand.out.count(False),
            opened=hand.opened,
            betting=hand.betting,
            over=hand.over,
            late=under_way(hand, terms),
            paid=any(hand.won),
        )
    )
    for at, (where, card) in enumerate(cards):
        was = lies(hand, first + at, where, card)
        if was is not None and was.where.startswith("seat/") and was.where != where:
            own = was.card if card == UNKNOWN else card
            take_from_seat(hand, terms, was.where, (own,))  # an exposed or extra card is burnt
    if cards:
        hand.top = max(hand.top, first + len(cards))


def _acts(hand: Hand) -> int:
    return hand.actions - hand.opened[0]


def under_way(hand: Hand, terms: Terms) -> bool:
    """Whether play has gone so far that no misdeal may be called any more: two actions in turn of which one put chips
    in, or any three (NL-A28); or two players have acted (VG-MIS-00)."""
    if hand.street:
        return True
    posted = [0] * len(hand.seats)
    for place, kind, amount in hand.posts:
        if kind in LIVE_POSTS:
            posted[place] += amount
    if terms.deal.deadline == "two_players":
        told = zip(hand.out, hand.live, posted, hand.bets.acted, strict=True)
        return sum(out or live > had or acted != NOT_SINCE for out, live, had, acted in told) >= 2
    in_turn = hand.actions
    if hand.irregular:  # a fold out of turn binds at once and counts here for nothing
        in_turn -= sum(one.code == "out_of_turn" and one.action == "fold" for one in hand.irregular)
    return in_turn >= 3 or (in_turn == 2 and sum(hand.live) > sum(posted))


# --- moved, shuffled, picked ---


def cards_moved(hand: Hand, event: CardsMoved, session: Session, fact: Fact) -> None:
    wanted = [] if session.imported else named(hand, session.terms, event)
    note_moved(hand, session, fact, about=tuple(one.seq for one in wanted) or event.seqs)
    _loose(hand, event.cards)
    if session.imported:
        return
    if event.to == "top":
        hand.top = min([one.seq for one in wanted], default=hand.top)
    elif not wanted and event.seqs and min(event.seqs) >= hand.top:  # off the deck, set aside unseen
        for seq in event.seqs:
            lies(hand, seq, event.to, UNKNOWN)
        hand.top = max(event.seqs) + 1
    known_cards = tuple(one.card for one in wanted) or event.cards
    for one in wanted:
        was = lies(hand, one.seq, event.to, one.card)
        if was is not None and was.where == event.to and was.card == UNKNOWN != one.card:
            faced(hand, event.to, one.card)  # it is turned up where it lies
    places = {one.where for one in wanted} or ({event.frm} if event.frm else set())
    for where in places:
        if where.startswith("seat/"):
            own = tuple(one.card for one in wanted if one.where == where)
            take_from_seat(hand, session.terms, where, own or known_cards)
    if any(where in ROOM or where == "board" for where in places) and event.to not in ROOM:
        _take_from_board(hand, known_cards or (UNKNOWN,))
    if event.to in ROOM and not (places & ROOM.keys()):
        _laid(hand, event.to, known_cards or (UNKNOWN,) * max(len(event.seqs), 1), 1, session)


def note_moved(hand: Hand, session: Session, fact: Fact, about: tuple[int, ...] = ()) -> None:
    """A step without a card off the deck."""
    if not session.imported:
        note(hand, session, fact, about=about)


def _loose(hand: Hand, cards: tuple[str, ...]) -> None:
    """Cards that are not where they were dealt: one exposed becomes the burn card (NL-15), an extra one too (NL-21)."""
    hand.loose += cards or (UNKNOWN,)
    hand.put_away = tuple([card for card in hand.put_away if card not in cards])


def _take_from_board(hand: Hand, cards: tuple[str, ...]) -> None:
    """Cards that leave the board; one beyond the street's number takes the place of one that left."""
    lying, kept = list(hand.board), [*hand.surplus]
    for card in cards:
        if card in lying:
            lying.remove(card)
        elif card in kept:
            kept.remove(card)
        elif UNKNOWN in lying:
            lying.remove(UNKNOWN)
    if kept:
        room = len(hand.board) - len(lying)
        lying, kept = lying + kept[:room], kept[room:]
    hand.board, hand.surplus = tuple(lying), tuple(kept)
    street = max((at for at, count in enumerate(BOARD_CARDS) if count <= len(hand.board)), default=0)
    if hand.street > street and not _acts(hand):
        hand.street = street  # nobody has played on the street that is dealt again
        hand.bets.actor = NOBODY


def stub_shuffled(hand: Hand, event: StubShuffled, session: Session, fact: Fact) -> None:
    """Cards of the board go back into the deck: those named, else those that are too many or came too early."""
    note_moved(hand, session, fact)
    if session.imported:
        return
    board = [one for one in hand.off if one.where in ROOM]
    street = hand.premature or (board[-1].where if hand.surplus and board else "")
    back = [one for one in board if (one.seq in event.seqs if event.seqs else one.where == street)]
    for one in back:
        lies(hand, one.seq, "stub", one.card)
    if back:
        # What was laid beyond the street's number lies with it: all of them go.
        _take_from_board(hand, tuple(one.card for one in back))


def scrambled(hand: Hand, _event: CardsScrambled, session: Session, fact: Fact) -> None:
    note_moved(hand, session, fact)


def picked(hand: Hand, event: CardPicked, session: Session, fact: Fact) -> None:
    """One of four flop cards becomes a burn card (NL-19); which one, if the record says it."""
    note_moved(hand, session, fact)
    if session.imported or not hand.surplus:
        return
    card = event.card
    if card == UNKNOWN and event.seq is not None:
        card = next((one.card for one in hand.off if one.seq == event.seq), UNKNOWN)
    if card != UNKNOWN and (card in hand.board or card in hand.surplus):
        _take_from_board(hand, (card,))
    else:
        # Nobody can tell which three are the flop.
        hand.board, hand.surplus = (UNKNOWN,) * ROOM["flop"], ()
    if event.seq is not None:
        lies(hand, event.seq, event.to, card)
        hand.top = max(hand.top, event.seq + 1)


# --- seen, found, called off ---


def exposed(hand: Hand, event: CardExposed, session: Session, fact: Fact) -> None:
    where = event.where
    at_seat = where.startswith("seat/") and not session.imported
    note_moved(hand, session, fact, shown_cards(hand, session.terms, where, event.cards, event.seqs) if at_seat else ())
    _loose(hand, event.cards)
    if at_seat:  # the record may tell the new card first
        told_late(hand, session.terms, where)
        swap(hand, session.terms, where)
    if event.by != "player" or event.deliberate is False or not where.startswith("seat/"):
        return  # what slipped from his hand costs him nothing (NL-A21)
    place = hand.place(int(where[5:]))
    if place != NOBODY:
        hand.exposed[place] += max(len(event.cards), len(event.seqs), 1)


def misdealt(hand: Hand, _event: MisdealDeclared, session: Session, fact: Fact) -> None:
    """Cards back, and the same hand is dealt again: posts stay, what was bet is given back (NL-14, NL-A28)."""
    note_moved(hand, session, fact)
    count = len(hand.seats)
    hand.hole, hand.shown = [()] * count, [()] * count
    hand.board, hand.boards, hand.shows, hand.surplus = (), (), (), ()
    hand.dealt, hand.burns, hand.top, hand.premature = 0, 0, 1, ""
    hand.put_away, hand.loose, hand.off = (), (), []
    hand.misdeals += 1
    _bet_again(hand, session, keep=session.terms.deal.posts == "stay")


def _bet_again(hand: Hand, session: Session, *, keep: bool) -> None:
    """The hand as it stood after its posts, or before them; chips put in since lie in `apart` until they are back."""
    count = len(hand.seats)
    before = [live + dead + ante for live, dead, ante in zip(hand.live, hand.dead, hand.antes, strict=True)]
    hand.posts = hand.posts if keep else []
    hand.live, hand.dead, hand.antes = [0] * count, [0] * count, [0] * count
    hand.bets = Bets(front=[0] * count, acted=[NOT_SINCE] * count)
    big_blind = session.stakes.big_blind
    for place, kind, amount in hand.posts:
        if kind in LIVE_POSTS:
            hand.live[place] += amount
            post(hand.bets, place, amount, amount if kind == "bring_in" else max(amount, big_blind))
        else:
            (hand.antes if kind == "ante" else hand.dead)[place] += amount
    for place in range(count):
        posted = hand.live[place] + hand.dead[place] + hand.antes[place]
        hand.apart[place] += before[place] - posted - hand.back[place]
        hand.stacks[place] = hand.start[place] - posted
    hand.back, hand.exposed = [0] * count, [0] * count
    hand.out, hand.gone = [False] * count, [""] * count
    hand.raises, hand.street, hand.actions, hand.opened = [], 0, 0, (0, 0)
    hand.latest, hand.pending = NOBODY, None
    hand.early, hand.one_chip, hand.undo, hand.forfeits, hand.clock = (), 0, None, (), None
    hand.handed_back = None
    if not keep:
        hand.last_blind = 0
    elif hand.last_blind:
        opened(hand)
    for place, apart in enumerate(hand.apart):
        if apart < 0 and post_given_back(hand, session, place, -apart):
            hand.apart[place] = 0  # posts went back before the misdeal was called
