"""Money: integers in minor units (haléř, cent) with an ISO 4217 code; nothing here rounds.

Every currency that Recoup deals in has two decimals. `XXX` is ISO's code for "no currency":
the chips of imported hands that name none. Tournament chips are not money and never come here.
"""

from __future__ import annotations

import re

from events.errors import Refused

CHIPS = "XXX"
"""Chips of no currency: what play for points has, and what nobody says the currency of."""

CURRENCIES = ("CZK", "EUR", "USD", "GBP", CHIPS)
MINOR_PER_MAJOR = 100

_AMOUNT = re.compile(r"(-?)(\d{1,14})(?:\.(\d{1,2}))?", re.ASCII)


def parse_amount(text: str) -> int:
    """Minor units of an amount written in whole units: `500` → 50000, `0.5` → 50, `-12.34` → -1234.

    Raises:
        Refused: not a decimal number with at most two decimals.
    """
    match = _AMOUNT.fullmatch(text)
    if match is None:
        raise Refused(f"`{text}` is not an amount", hint="write whole units with up to two decimals, as 500 or 12.50")
    sign, whole, part = match.groups()
    minor = int(whole) * MINOR_PER_MAJOR + int((part or "0").ljust(2, "0"))
    return -minor if sign else minor


def amount_text(amount_minor: int) -> str:
    """The shortest text that `parse_amount` reads back: 50000 → `500`, 1250 → `12.5`."""
    whole, part = divmod(abs(amount_minor), MINOR_PER_MAJOR)
    text = f"{whole}.{part:02d}".rstrip("0").rstrip(".") if part else str(whole)
    return f"-{text}" if amount_minor < 0 else text


def money_text(amount_minor: int, currency: str) -> str:
    """For people, thousands apart: 1234550 CZK → `12 345.50 CZK`; `XXX` shows as chips."""
    return f"{figure_text(amount_minor)} {unit_text(currency)}"


def figure_text(amount_minor: int) -> str:
    """The same without its currency."""
    whole, part = divmod(abs(amount_minor), MINOR_PER_MAJOR)
    digits = f"{whole:,}".replace(",", "\u00a0")
    text = f"{digits}.{part:02d}" if part else digits
    sign = "\u2212" if amount_minor < 0 else ""
    return f"{sign}{text}"


def unit_text(currency: str) -> str:
    """What amounts are of, for people: `XXX` is chips."""
    return "chips" if currency == CHIPS else currency
