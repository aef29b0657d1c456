"""Cards that went elsewhere than they belong, and what comes of it (BJ-22, BJ-25, BJ-26, BJ-28, BJ-42).

Each slip has one name. One that was not put right shifts every card after it; those are its consequences and are not
told again.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from events.schema.common import ChipsMoved
from events.schema.fact import Fact
from games.blackjack.events import CardsReconstructed
from games.blackjack.hands import Hand, Play
from games.blackjack.legality import ACTS
from games.blackjack.table import Round, exact_place, hand_place
from games.blackjack.totals import TWENTY_ONE, dealer_stands
from games.shared.bank.deck import DEALER, box_number
from games.shared.bank.events import CardReassigned
from games.shared.bank.table import Laid
from games.shared.booked import SETTLES

RULE_OF = {
    "card_misassigned": "BJ-25", "hole_card_dealt": "BJ-22", "card_to_betless_box": "BJ-26", "dealer_overdrew": "BJ-42",
    "dealer_underdrew": "BJ-42",
}  # fmt: skip
_PUT_ASIDE = ("pending", "aside", "discards", "burn", "deck")
BY_ITSELF = frozenset({"dealer_overdrew", "dealer_underdrew"})
"""Settled by BJ-42 whenever it is seen, not by BJ-25: no decision follows the dealer's cards."""


class Slip(Struct, frozen=True):
    """A card that came to another place than its own. `in_time`: put right before the next decision or payment."""

    rule: str
    code: str
    card: Laid
    due: str
    in_time: bool

    @property
    def facts(self) -> tuple[Fact, ...]:
        """What it rests on."""
        return (self.card.fact,) if self.card.moved is None else (self.card.fact, self.card.moved)

    @property
    def text(self) -> str:
        """Where the card went and where it belongs, for people."""
        if exact_place(self.card.dealt_to) == self.due:
            return f"{self.card.card} to the {_words(self.due)} before every box had played"
        return f"{self.card.card} to {_words(self.card.dealt_to)} instead of {_words(self.due)}"


def slips(round_: Round, play: Play) -> list[Slip]:
    """The slips of a round in the order made, up to the first one that was not put right."""
    found: list[Slip] = []
    for card, due in (*play.places, *((card, "") for card in play.left)):
        named = _named(round_, play, card, due)
        if named is not None:
            found.append(Slip(*named, card, due, _in_time(round_, card, due)))
            if not found[-1].in_time:
                break
    return found


def _named(round_: Round, play: Play, card: Laid, due: str) -> tuple[str, str] | None:
    """The rule and name of a slip; None for a card in its place, or put aside at once where nobody could take it."""
    was = exact_place(card.dealt_to)
    if was == due:
        return ("BJ-22", "hole_card_dealt") if due == DEALER and _too_early(round_, play, card) else None
    if was in _PUT_ASIDE:
        if not due:
            return None
        code = "dealer_underdrew" if due == DEALER and play.needs_dealer else "card_misassigned"
        return RULE_OF[code], code
    if was == DEALER:
        if not due and dealer_stands(play.dealer_names):
            return "BJ-42", "dealer_overdrew"
        if due.startswith("box/") and play.dealer and play.dealer[0].order < card.order:
            return "BJ-22", "hole_card_dealt"
    number = box_number(was)
    if number is not None:
        hands = play.hands.get(number)
        if not hands:
            return "BJ-26", "card_to_betless_box"
        closed = _closed_by_cards(hands, number, was, card)
        if closed:
            return closed, "card_on_closed_hand"
    return "BJ-25", "card_misassigned"


def _too_early(round_: Round, play: Play, card: Laid) -> bool:
    """Whether it is the dealer's second card, or a later one, and a player had still to act."""
    if card is play.dealer[0]:
        return False
    ignored = {note.order for note in play.ignored}
    return any(
        note.order > card.order and note.event.choice in ACTS and note.order not in ignored
        for note in round_.decisions
        if round_.closed is None or note.order < round_.closed.order
    )


def _closed_by_cards(hands: list[Hand], box: int, place: str, card: Laid) -> str:
    """The rule by which the hand at a place could take no card any more; empty if it could."""
    for at, hand in enumerate(hands, 1):
        if hand_place(box, at) == place and len(hand.cards) > 1 and hand.cards[-1].order < card.order:
            if hand.ace:
                return "BJ-33"
            if hand.doubled:
                return "BJ-30"
            return "BJ-28" if hand.points >= TWENTY_ONE else ""
    return ""


def _in_time(round_: Round, card: Laid, due: str) -> bool:
    """Whether it was put right before the next decision or payment (BJ-25 a)."""
    if card.moved is None or (exact_place(card.to) != due if due else card.to not in _PUT_ASIDE):
        return False
    moves = [note for note in round_.notes(CardReassigned) if note.order > card.order and _same_card(note.event, card)]
    # One that was seen at once may wait for its turn: it is the first move that puts the slip right.
    seen = next((note for note in moves if note.event.to in _PUT_ASIDE or note.fact is card.moved), None)
    if seen is None:
        return True  # between two rounds
    return not any(card.order < order < seen.order for order in _acts(round_))


def _same_card(event: CardReassigned, card: Laid) -> bool:
    return event.seq == card.seq if event.seq is not None and card.seq is not None else event.card == card.card


def _acts(round_: Round) -> Iterator[int]:
    yield from (note.order for note in round_.decisions if note.event.choice in ACTS)
    yield from (note.order for note in round_.notes(ChipsMoved) if note.event.cause in SETTLES)


def inspector_seen(round_: Round) -> bool:
    """Whether an inspector is on record with a reconstruction (BJ-26)."""
    return any(note.event.inspector for note in round_.notes(CardsReconstructed))


def places_missing(round_: Round) -> bool:
    """Whether places of the shoe are told, and one between two cards of the round is not: a card is not on record."""
    told = [card.seq for card in round_.laid]
    if not told or None in told:
        return False
    seqs = {seq for seq in told if seq is not None}
    burned = sum(change.gap or 0 for change in round_.changes[1:] if not change.burned)
    own = round_.changes[:1]
    if own and not own[0].burned and own[0].gap:
        # The change came before the round's first card, or a burn that no record tells lies between two of its cards.
        burned += own[0].gap
    return max(seqs) - min(seqs) + 1 - len(seqs) > burned


def _words(place: str) -> str:
    return place.replace("/", " ") if place else "nobody"
