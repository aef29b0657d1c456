"""Cards off the deck: where each one lies, which ones a record means, and a card dealt in place of one exposed."""

from __future__ import annotations

from msgspec.structs import replace

from events.values.cards import UNKNOWN
from games.shared.poker.betting import NOBODY
from games.shared.poker.deck import Lying, Step
from games.shared.poker.events import (
    CardDealt,
    CardExposed,
    CardFound,
    CardsMoved,
    HandsDealt,
    HoleDealt,
    MisdealDeclared,
)
from games.shared.poker.hand import BOARD_CARDS, STREETS, Hand, Terms

ROOM = dict(zip(STREETS, BOARD_CARDS, strict=True))
"""How many cards lie on the board once a street is dealt."""


def told_again(hand: Hand, seq: int, to: str, card: str) -> bool:
    """Whether a card off the deck is told a second time where it lies: turned up there, or by another device. What was
    not known of it is then."""
    at = at_place(hand, seq)
    if at < 0 or hand.off[at].where != to:
        return False
    was = hand.off[at].card
    if card != was and UNKNOWN not in (card, was):
        return False
    if was == UNKNOWN and card != UNKNOWN:
        hand.off[at] = Lying(seq, to, card)
        faced(hand, to, card)
    return True


def faced(hand: Hand, where: str, card: str) -> None:
    """One of the cards that lie somewhere unseen is this one."""
    if where == "burn":
        if card not in hand.loose:
            hand.put_away += (card,)
    elif where in ROOM:
        first = ROOM[STREETS[STREETS.index(where) - 1]]
        board = list(hand.board)
        if card not in board and card not in hand.surplus and UNKNOWN in board[first:]:
            board[board.index(UNKNOWN, first)] = card
            hand.board = tuple(board)
    elif where.startswith("seat/"):
        place = hand.place(int(where[5:]))
        own = list(hand.hole[place]) if place != NOBODY else []
        if card not in own and UNKNOWN in own:
            own[own.index(UNKNOWN)] = card
            hand.hole[place] = tuple(own)


def at_place(hand: Hand, seq: int) -> int:
    """Where in `off` a card stands that lies somewhere; −1 if it is in the deck."""
    off = hand.off
    for at in range(len(off) - 1, -1, -1):
        if off[at].seq == seq and off[at].where != "stub":
            return at
    return -1


def lies(hand: Hand, seq: int, where: str, card: str) -> Lying | None:
    """Where a card lies now; how it lay, if it was off the deck before."""
    at = at_place(hand, seq)
    if at < 0:
        hand.off.append(Lying(seq, where, card))
        return None
    was = hand.off[at]
    hand.off[at] = Lying(seq, where, was.card if card == UNKNOWN else card)
    return was


def named(hand: Hand, terms: Terms, event: CardsMoved) -> list[Lying]:
    """The cards that a record means, by place off the deck or by face; of a seat that has too many, the last one."""
    faces = dict(zip(event.seqs, event.cards, strict=True)) if len(event.seqs) == len(event.cards) else {}
    found = [
        Lying(one.seq, one.where, faces.get(one.seq, UNKNOWN) if one.card == UNKNOWN else one.card)
        for one in hand.off
        if one.where != "stub"
        and (one.seq in event.seqs or (not event.seqs and one.card != UNKNOWN and one.card in event.cards))
    ]
    if found or event.seqs or event.cards or event.frm is None or not event.frm.startswith("seat/"):
        return found
    place, own = hand.place(int(event.frm[5:])), [one for one in hand.off if one.where == event.frm]
    too_many = place != NOBODY and min(len(own), len(hand.hole[place])) > terms.hole
    return own[-1:] if too_many else []


def take_from_seat(hand: Hand, terms: Terms, where: str, cards: tuple[str, ...]) -> None:
    place = hand.place(int(where[5:]))
    if place == NOBODY:
        return
    own = list(hand.hole[place])
    for card in cards or (UNKNOWN,):
        if card in own:
            own.remove(card)
        elif len(own) > terms.hole and UNKNOWN in (card, *own):
            own.remove(UNKNOWN) if UNKNOWN in own else own.pop()
    hand.hole[place] = tuple(own)


# --- exposed, and replaced ---


def shown_cards(
    hand: Hand, terms: Terms, where: str, cards: tuple[str, ...], seqs: tuple[int, ...] = ()
) -> tuple[int, ...]:
    """The places off the deck of a player's cards that somebody saw: as the record says, by face, or as the only one or
    the last one dealt that it can be; 0 where nobody can tell."""
    own = [one for one in hand.off if one.where == where]
    faced = {one.card: one.seq for one in own if one.card != UNKNOWN}
    first = [one.seq for one in own if one.seq not in _dealt_to(hand, where, replacing=True)]
    sole = 0
    if len(first) == 1 or (own and not _complete(hand, terms) and hand.off[-1] == own[-1]):
        sole = (first or [own[-1].seq])[-1]
    named = [faced.get(card, sole) for card in cards[len(seqs) :]]
    return (*seqs, *named) or (sole,)


def stands_for_another(hand: Hand, terms: Terms, event: CardDealt) -> bool:
    """Whether a card for a player stands for one that was exposed: the record says so, or everybody has his cards and
    his only one of this deal that was exposed was not replaced yet."""
    if event.purpose:
        return event.purpose == "replacement"
    if not _complete(hand, terms):
        return False
    exposed = _exposed(hand, terms)
    return len(exposed) == 1 and exposed[0][0] == event.to and not _dealt_to(hand, event.to, replacing=True)


def told_late(hand: Hand, terms: Terms, where: str) -> None:
    """A card was exposed at a seat that has one beyond its number: that one stood for it, though nobody said so when it
    came."""
    place, exposed = hand.place(int(where[5:])), _exposed(hand, terms)
    if place == NOBODY or len(hand.hole[place]) <= terms.hole or len(exposed) != 1:
        return
    for at in range(len(hand.steps) - 1, -1, -1):
        step = hand.steps[at]
        event = step.fact.event
        if isinstance(event, MisdealDeclared):
            return
        if isinstance(event, CardDealt) and event.to == where and step.seqs:
            if not event.purpose and exposed[0][0] == where and exposed[0][1] not in step.seqs:
                hand.steps[at] = replace(step, replaces=True)
            return


def swap(hand: Hand, terms: Terms, where: str) -> None:
    """New cards came for a player's exposed ones, whichever the record tells first: those are his no more, wherever
    they were put, and serve as burn cards. Where nobody can tell which one it was, his first ones are unknown."""
    place, new = hand.place(int(where[5:])), _dealt_to(hand, where, replacing=True)
    if place == NOBODY or not new:
        return
    first = _dealt_to(hand, where, replacing=False)
    own = [one for one in hand.off if one.where == where and one.seq in first]
    owed = len(new) - (len(first) - len(own))
    if owed <= 0:
        return
    for _seat, seq in _exposed(hand, terms, where):
        gone = next((one for one in own if one.seq == seq), None)
        if gone is not None and owed > 0:
            own.remove(gone)
            lies(hand, seq, "burn", gone.card)
            owed -= 1
    if hand.shown[place]:
        return  # his cards lie open
    cards = [one.card for one in own] if owed <= 0 else [UNKNOWN] * max(len(own) - owed, 0)
    cards += [one.card for one in hand.off if one.where == where and one.seq not in first]
    hand.hole[place] = tuple(cards)


def _complete(hand: Hand, terms: Terms) -> bool:
    """Whether everybody has his cards."""
    return all(len(cards) >= terms.hole for cards in hand.hole)


def _this_deal(hand: Hand) -> list[Step]:
    """The steps since the last misdeal."""
    steps = hand.steps
    for at in range(len(steps) - 1, -1, -1):
        if isinstance(steps[at].fact.event, MisdealDeclared):
            return steps[at + 1 :]
    return steps


def _dealt_to(hand: Hand, where: str, *, replacing: bool) -> list[int]:
    """The places off the deck of a player's cards in this deal: those that replace another, or all others but extra
    ones."""
    found: list[int] = []
    for step in _this_deal(hand):
        event = step.fact.event
        if isinstance(event, CardDealt):
            if event.to == where and step.seqs and step.replaces is replacing and event.purpose != "extra":
                found += step.seqs
        elif isinstance(event, HoleDealt):
            if not replacing and where == f"seat/{event.seat}":
                found += step.seqs
        elif isinstance(event, HandsDealt) and not replacing:
            seats = event.seats
            found += [seq for at, seq in enumerate(step.seqs) if where == f"seat/{seats[at % len(seats)]}"]
    return found


def _exposed(hand: Hand, terms: Terms, where: str = "") -> list[tuple[str, int]]:
    """Cards of players that were exposed in this deal, by seat and place off the deck (0: nobody can tell which): by
    the dealer; of one seat also what the player showed himself or what came face up from the deck."""
    by_dealer: list[tuple[str, int]] = []
    others: list[tuple[str, int]] = []
    for step in _this_deal(hand):
        event = step.fact.event
        seat, seqs, counts = "", step.about, True
        if isinstance(event, CardExposed):
            seat, counts = event.where, event.by != "player" or terms.deal.by_player == "as_dealer"
        elif isinstance(event, CardFound) and event.fault == "boxed":
            seat = event.where
        elif isinstance(event, CardDealt) and not step.replaces and (event.boxed or event.face == "up"):
            seat, seqs, counts = event.to, step.seqs, event.boxed or not terms.deal.up_rounds
        if seat.startswith("seat/") and where in ("", seat):
            (by_dealer if counts else others).extend((seat, seq) for seq in seqs)
    return list(dict.fromkeys(by_dealer if not where else by_dealer + others))
