"""The cards of a box and of the dealer, as far as the record tells them: dealt, bought, exchanged, turned up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from events.values.cards import UNKNOWN
from games.russian_poker.boxes import Box
from games.russian_poker.combinations import DupRank, Hand, read_hand
from games.shared.bank.table import Laid

Cards = tuple[str, ...]


def dealt_five(box: Box) -> Cards | None:
    """The cards first dealt; None where one of them was never seen."""
    cards = _names(box.dealt)
    if UNKNOWN not in cards:
        return cards
    for claim in box.claims:
        if len(claim.event.cards) == len(cards) and UNKNOWN not in claim.event.cards:
            return tuple(claim.event.cards)
    if all(purchase.choice == "buy6" for purchase in box.purchases):
        drawn = [card for purchase in box.purchases for card in _names(purchase.cards)]
        if UNKNOWN not in drawn:
            rest = _without(box.shown, drawn)
            return rest if len(rest) == len(cards) and UNKNOWN not in rest else None
    return None


def final_cards(box: Box) -> Cards | None:
    """The cards that the box plays with; None where they cannot be told."""
    cards = list(_names(box.dealt))
    for purchase in box.purchases:
        if purchase.choice == "exchange" and purchase.cards:
            if not purchase.discards:
                return _if_known(box.shown)
            cards = list(_without(cards, purchase.discards))
        cards += _names(purchase.cards)
    if UNKNOWN in cards:
        return _if_known(box.shown)
    return tuple(cards)


def cards_at(box: Box, order: int) -> Cards | None:
    """The cards that the box held at a place in the round, the last whole hand before it; None as `final_cards`."""
    bought = [own for own in box.purchases if own.cards and own.cards[-1].order < order]
    if len(bought) == len(box.purchases):
        return final_cards(box)
    if bought:
        return None
    return dealt_five(box)


def hand_of(cards: Sequence[str] | None, dup_rank: DupRank = "straight") -> Hand | None:
    """What cards are worth; None where they are not known, or not five or six different ones."""
    if cards is None or len(cards) not in (5, 6) or UNKNOWN in cards or len(set(cards)) < len(cards):
        return None
    return read_hand(tuple(cards), dup_rank)


def has_royal_flush(boxes: Iterable[Box]) -> bool:
    """Whether a box that did not fold showed a royal flush (RP-06)."""
    for box in boxes:
        final = box.final
        if final is not None and final.event.choice == "fold":
            continue
        hand = hand_of(final_cards(box))
        if hand is not None and hand.primary == "RF":
            return True
    return False


def _names(cards: Iterable[Laid]) -> Cards:
    return tuple([card.card for card in cards])


def _without(cards: Sequence[str], gone: Iterable[str]) -> Cards:
    """The cards less those given away; one that is not among them takes an unseen one."""
    left = list(cards)
    for card in gone:
        if card in left:
            left.remove(card)
        elif UNKNOWN in left:
            left.remove(UNKNOWN)
    return tuple(left)


def _if_known(cards: Cards) -> Cards | None:
    return cards if cards and UNKNOWN not in cards else None
