"""Players who claim one bet of value chips, each as his: who raised it, and whose it was decided to be."""

from __future__ import annotations

from collections.abc import Iterable

from events.schema.fact import Fact
from games.shared.wheel.events import ClaimRaised, ClaimResolved


def resolved_claims(claims: Iterable[Fact]) -> dict[str, str]:
    """Bet → the player whose it was decided to be."""
    return {fact.event.bet: fact.event.player for fact in claims if isinstance(fact.event, ClaimResolved)}


def raised_claims(claims: Iterable[Fact]) -> dict[str, Fact]:
    """Bet → the record that first says it is claimed."""
    raised: dict[str, Fact] = {}
    for fact in claims:
        if isinstance(fact.event, ClaimRaised):
            raised.setdefault(fact.event.bet, fact)
    return raised
