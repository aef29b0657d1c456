"""Cards of one deal: who holds what, which cannot all be of one deck, and whether they went to the right places."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from events.schema.common import ShuffleStep
from events.schema.fact import Fact
from events.values.cards import UNKNOWN
from games.shared.bank.table import BankRound, Laid

DEALER = "dealer"


def box_place(box: int) -> str:
    """`3` → `box/3`."""
    return f"box/{box}"


def box_number(place: str) -> int | None:
    """`box/3`, `box/3.2` → 3; None for what is no box."""
    kind, _slash, name = place.partition("/")
    return int(name.partition(".")[0]) if kind == "box" and name else None


def off_the_deck(cards: Iterable[Laid]) -> list[Laid]:
    """By their places off the deck where every card says its own, else as they were recorded."""
    listed = list(cards)
    if all(card.seq is not None for card in listed):
        listed.sort(key=lambda card: card.seq or 0)
    return listed


def hand(round_: BankRound, place: str) -> tuple[str, ...]:
    """The cards of the current deal at a place; one dealt unseen (`??`) is what the turning of the hand showed.

    An empty tuple if nothing lies there.
    """
    dealt = [card.card for card in round_.cards if card.to == place]
    if UNKNOWN in dealt:
        _fill(dealt, _shown(round_, place))
    return tuple(dealt)


def _shown(round_: BankRound, place: str) -> tuple[str, ...]:
    """The cards read when that hand was turned up, the last reading of this deal."""
    if place == DEALER:
        turned = round_.dealer_turned
        return getattr(turned.event, "cards", ()) if turned is not None else ()
    number = box_number(place)
    for note in reversed(round_.turned):
        if note.deal == round_.deal and note.event.box == number and note.event.cards:
            cards: tuple[str, ...] = note.event.cards
            return cards
    return ()


def _fill(dealt: list[str], shown: Sequence[str]) -> None:
    """Each unseen card takes one of those shown that is not accounted for; as many as there are."""
    left = list(shown)
    for card in dealt:
        if card in left:
            left.remove(card)
    left = [card for card in left if card != UNKNOWN]
    for place, card in enumerate(dealt):
        if card == UNKNOWN and left:
            dealt[place] = left.pop(0)


def contradicts(shown: Iterable[str], dealt: Sequence[str]) -> bool:
    """Whether cards were read at a hand that cannot be those that were dealt there; unseen ones may be any.

    False where nothing is on record as dealt: then what was shown is all that is known.
    """
    if not dealt:
        return False
    strange = Counter(card for card in shown if card != UNKNOWN) - Counter(dealt)
    return strange.total() > sum(1 for card in dealt if card == UNKNOWN)


def dealt_twice(cards: Iterable[Laid], decks: int = 1) -> dict[str, tuple[Laid, ...]]:
    """Known cards that came off more often than `decks` hold them: such a deck is not what it should be."""
    found: dict[str, list[Laid]] = {}
    for card in cards:
        if card.card != UNKNOWN:
            found.setdefault(card.card, []).append(card)
    return {name: tuple(own) for name, own in found.items() if len(own) > decks}


def round_robin(boxes: Sequence[int], passes: int, *, dealer: bool = True) -> list[str]:
    """The places of the first deal in order: one card to each box from left to right, one to the dealer, again."""
    one = [box_place(box) for box in boxes] + ([DEALER] if dealer else [])
    return one * passes


def out_of_place(cards: Sequence[Laid], places: Sequence[str]) -> list[tuple[Laid, str]]:
    """Cards (in order off the deck) that went elsewhere than the next place of `places`; with each that place.

    Compared position by position as far as both go: one card skipped shifts all that follow, so the first one tells.
    """
    return [(card, place) for card, place in zip(cards, places, strict=False) if card.dealt_to != place]


def shuffle_steps(prepared: Iterable[Fact]) -> tuple[str, ...]:
    """The steps of the shuffle, in the order done."""
    return tuple([fact.event.step for fact in prepared if isinstance(fact.event, ShuffleStep)])
