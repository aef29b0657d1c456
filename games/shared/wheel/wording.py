"""Records that wheels share, in words."""

from __future__ import annotations

from typing import Any

from games.wording import by


def claim_raised(event: Any, _currency: str) -> str:
    """Of a room's `ClaimRaised`: `bet b7 is claimed by p-1 and by p-2`."""
    return f"bet {event.bet} is claimed by {' and by '.join(event.players) or 'nobody by name'}"


def claim_resolved(event: Any, _currency: str) -> str:
    """Of a room's `ClaimResolved`: `bet b7 is found to be p-1's, by novakova`."""
    return f"bet {event.bet} is found to be {event.player}'s{by(event.decided_by)}"
