"""Records of the magic wheel in words: `p-204 puts 100 CZK on bell`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from events.schema.event import Event
from events.values.money import money_text
from games.magic_wheel import events as mw
from games.shared.wheel.wording import claim_raised, claim_resolved
from games.wording import by


def tell(event: Event, currency: str) -> str:
    """A sentence; empty for what is none of these records. Amounts in the table's currency."""
    teller = _TELLERS.get(type(event))
    return teller(event, currency) if teller is not None else ""


def _placed(event: mw.BetPlaced, currency: str) -> str:
    kind = {"value": "", None: "", "cash": " cash"}.get(event.chip_kind, f" in {event.chip_kind} chips")
    return f"{event.player} puts {money_text(event.amount, currency)}{kind} on {event.position} (bet {event.bet})"


def _moved(event: mw.BetMoved, currency: str) -> str:
    part = f"{money_text(event.amount, currency)} of " if event.amount is not None else ""
    back = ", and put back" if event.restored else ""
    return f"{part}bet {event.bet} goes from {event.from_position} to {event.to_position}, by {event.by}{back}"


def _stopped(event: mw.WheelStopped, _currency: str) -> str:
    turns = f" after {_tenths(event.turns_tenths)} turns" if event.turns_tenths is not None else ""
    if event.on_pin:
        between = f" between {' and '.join(event.pin_between)}" if event.pin_between else ""
        past = f"; {event.previous_symbol} passed it last" if event.previous_symbol else ""
        return f"the wheel stops{turns}, the pointer on the pin{between}{past}"
    return f"the wheel stops{turns} on {event.symbol or (f'field {event.field}' if event.field is not None else '?')}"


def _tenths(turns: int) -> str:
    return f"{turns // 10}.{turns % 10}"


def _chosen(event: mw.ChoiceMade, currency: str) -> str:
    amount = f", {money_text(event.amount, currency)}" if event.amount is not None else ""
    return f"bet {event.bet} is {'left for the next game' if event.choice == 'leave' else 'taken back'}{amount}"


_WAY = {"cw": " clockwise", "ccw": " counter-clockwise", None: ""}

_TELLERS: dict[Any, Callable[[Any, str], str]] = {
    mw.WheelInstalled: lambda e, c: f"wheel {e.wheel} stands at the table",
    mw.LayoutFitted: lambda e, c: "the layout is fitted",
    mw.BetsOpened: lambda e, c: f"bets are invited{by(e.by)}",
    mw.BetPlaced: _placed,
    mw.BetMoved: _moved,
    mw.BetRemoved: lambda e, c: f"{e.player} takes up {money_text(e.amount, c)} of bet {e.bet}",
    mw.SpinStarted: lambda e, c: f"the wheel is set going{_WAY[e.direction]}{by(e.croupier)}",
    mw.RotationsCounted: lambda e, c: f"{_tenths(e.turns_tenths)} turns are counted, by {e.by}",
    mw.WheelStopped: _stopped,
    mw.SymbolAnnounced: lambda e, c: f"{e.symbol} is announced{by(e.by)}",
    mw.ChoiceMade: _chosen,
    mw.ClaimRaised: claim_raised,
    mw.ClaimResolved: claim_resolved,
    mw.WheelIncident: lambda e, c: f"incident: {e.kind}{': ' + e.note if e.note else ''}",
}
