"""Caribbean stud's hands: their codes, their order, when the dealer plays (CS-11, CS-14, CS-16).

RF royal flush, SF straight flush, 4K four of a kind, FH full house, FL flush, ST straight, 3K three of a kind, 2P two
pair, 1P one pair, AK ace-king, HC lower; `NQ` is HC in the dealer's hand.
"""

from __future__ import annotations

from collections.abc import Sequence

from games.shared.poker.ranks import category, rank_key

CODES: tuple[str, ...] = ("RF", "SF", "4K", "FH", "FL", "ST", "3K", "2P", "1P", "AK")
"""The hands that are paid, the strongest first."""

NAMES = {
    "RF": "royal flush", "SF": "straight flush", "4K": "four of a kind", "FH": "full house", "FL": "flush",
    "ST": "straight", "3K": "three of a kind", "2P": "two pair", "1P": "pair", "AK": "ace-king", "HC": "high card",
    "NQ": "no hand",
}  # fmt: skip

_CODE = {NAMES[code]: code for code in CODES if code != "AK"}
_FULL_HOUSES, _FLUSHES = (167, 322), (323, 1599)
"""The keys of the two categories whose order the text turns round."""


def code_of(cards: Sequence[str]) -> str:
    """The code of five known, different cards.

    Raises:
        KeyError: a card is unknown. ValueError: they are not five.
    """
    kind = category(_key(cards))
    if kind != "high card":
        return _CODE[kind]
    return "AK" if {"A", "K"} <= {card[0] for card in cards} else "HC"


def qualifies(cards: Sequence[str]) -> bool:
    """Whether the dealer has ace-king or better (CS-11)."""
    return code_of(cards) != "HC"


def strength(cards: Sequence[str], ranking: str = "standard") -> int:
    """A number that is greater for a stronger hand, equal for equal ones; suits never decide (CS-14, CS-16).

    `text_order`: a flush above a full house, as the document's hand list has it for 32 cards (C12).
    """
    key = _key(cards)
    if ranking == "text_order":
        if _FLUSHES[0] <= key <= _FLUSHES[1]:
            key -= _FLUSHES[0] - _FULL_HOUSES[0]
        elif _FULL_HOUSES[0] <= key <= _FULL_HOUSES[1]:
            key += _FLUSHES[1] - _FLUSHES[0] + 1
    return -key


def _key(cards: Sequence[str]) -> int:
    if len(cards) != 5:
        raise ValueError(f"a hand has five cards, not {len(cards)}")
    return rank_key(cards)
