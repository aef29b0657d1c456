"""Colour chips that players hold: issued, swapped, redeemed, lost, left behind (RL-02, RL-06 to RL-08)."""

from __future__ import annotations

from msgspec.structs import replace

from games.roulette.table import Bet, Holding, Session

Holdings = tuple[Holding, ...]


def given(holdings: Holdings, player: str, colour: str, unit_value: int, count: int) -> Holdings:
    """More chips of a colour for a player, who is now the one it is registered to."""
    own = _find(holdings, player, colour)
    others = tuple(holding for holding in holdings if holding is not own)
    had = own.count if own is not None else 0
    since = own.since if own is not None and had else 1 + max((holding.since for holding in others), default=0)
    return (*others, Holding(player, colour, unit_value, had + count, unit_value, since))


def taken_back(holdings: Holdings, player: str, colour: str, count: int) -> Holdings:
    """Chips exchanged for value chips; with the last one the colour is free again."""
    own = _find(holdings, player, colour)
    if own is None:
        return holdings
    others = tuple(holding for holding in holdings if holding is not own)
    left = own.count - count
    return (*others, replace(own, count=left)) if left > 0 else others


def after_losses(holdings: Holdings, lost: tuple[tuple[Bet, int], ...]) -> Holdings:
    """What the bank took in colour chips. A colour stays registered even if the record shows no chip of it any more."""
    for bet, taken in lost:
        own = _find(holdings, bet.holder or bet.player, bet.colour)
        unit = bet.unit_value or (own.unit_value if own is not None else 0)
        if own is not None and unit:
            left = max(0, own.count - taken // unit)
            holdings = tuple(replace(own, count=left) if holding is own else holding for holding in holdings)
    return holdings


def refused_to(holdings: Holdings, player: str) -> Holdings:
    """An exchange that the player asked for in time was refused: his chips keep their value (RL-A10)."""
    return tuple(replace(holding, refused=True) if holding.player == player else holding for holding in holdings)


def left_behind_by(session: Session, player: str) -> Holdings:
    """RL-08: who ended play and then leaves has chips worth the table's lowest minimum, if that is less."""
    if player not in session.ended:
        return session.holdings
    least = session.limits.least
    keeps = session.edition["roulette.refused_exchange_value"] == "full"
    return tuple(
        replace(holding, worth=min(holding.unit_value, least))
        if holding.player == player and least is not None and not (holding.refused and keeps)
        else holding
        for holding in session.holdings
    )


def owed(session: Session, player: str | None = None) -> int:
    """What colour chips are worth to their holders now, as far as the record tells; minor units."""
    return sum(holding.count * holding.worth for holding in session.holdings if player in (None, holding.player))


def _find(holdings: Holdings, player: str, colour: str) -> Holding | None:
    return next((own for own in holdings if own.player == player and own.colour == colour), None)
