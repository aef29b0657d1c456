"""Cards in the two letters that every hand history uses: rank `23456789TJQKA`, suit `cdhs`.

`??` is a card that the record does not name.
"""

from __future__ import annotations

RANKS = "23456789TJQKA"
SUITS = "cdhs"
UNKNOWN = "??"
DECK: tuple[str, ...] = tuple(rank + suit for suit in SUITS for rank in RANKS)
CARD_PATTERN = r"^([2-9TJQKA][cdhs]|\?\?)$"

_VALID = frozenset(DECK)
_GLYPH = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}


def is_card(text: str) -> bool:
    """Whether `text` names one of the 52 cards."""
    return text in _VALID


def card_text(card: str) -> str:
    """For people: `As` → `A♠`, an unknown card → `▒▒`."""
    if card == UNKNOWN or len(card) != 2:
        return "▒▒"
    return ("10" if card[0] == "T" else card[0]) + _GLYPH.get(card[1], card[1])


def cards_text(cards: tuple[str, ...] | list[str]) -> str:
    """Several cards for people, a space between."""
    return " ".join(card_text(card) for card in cards)


def duplicates(cards: list[str]) -> tuple[str, ...]:
    """The known cards that stand more than once in `cards`, in order of their second appearance."""
    seen: set[str] = set()
    twice: list[str] = []
    for card in cards:
        if card == UNKNOWN:
            continue
        if card in seen and card not in twice:
            twice.append(card)
        seen.add(card)
    return tuple(twice)
