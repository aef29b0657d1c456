"""Posted limits of the spots of a box, as they stood when a stake was placed."""

from __future__ import annotations

from msgspec import Struct

from events.schema.common import LimitsChanged, TableOpened


class Limits(Struct, frozen=True):
    """Minor units; None: not posted. `by_spot` holds those of single spots (`bonus`, `trips`); they replace both."""

    low: int | None = None
    high: int | None = None
    by_spot: dict[str, tuple[int, int]] = {}

    def of(self, *spots: str) -> tuple[int | None, int | None]:
        """Minimum and maximum of a spot: under the first of these names that has its own, else the table's."""
        for spot in spots:
            own = self.by_spot.get(spot)
            if own is not None:
                return own
        return self.low, self.high

    def own_of(self, spot: str) -> tuple[int | None, int | None]:
        """Those posted for this very spot; nothing if it has none of its own."""
        return self.by_spot.get(spot, (None, None))

    def after(self, event: LimitsChanged) -> Limits:
        """New posted limits; one that is not named stays as it was."""
        low = event.min if event.min is not None else self.low
        high = event.max if event.max is not None else self.high
        return Limits(low, high, {**self.by_spot, **event.limits})


def posted_at_opening(event: object) -> Limits:
    """What the table posted when it opened."""
    return Limits(event.min, event.max, event.limits) if isinstance(event, TableOpened) else Limits()
