"""Records of blackjack in words, as an officer would tell them; those of every game against the bank are shared."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from events.schema.event import Event
from events.values.money import money_text
from games.blackjack import events as bj
from games.shared.bank import events as bg
from games.shared.bank import wording
from games.wording import by


def tell(event: Event, currency: str) -> str:
    """A sentence; empty for what the room has no words for. Amounts in the table's currency."""
    teller = _TELLERS.get(type(event))
    return teller(event, currency) if teller is not None else wording.tell(event, currency)


def _place(place: str | None) -> str:
    if place is None:
        return ""
    box, _dot, hand = place.removeprefix("box/").partition(".")
    return "the dealer" if place == "dealer" else f"box {box}" + (f", hand {hand}" if hand else "")


def _staked(event: bg.StakePlaced, currency: str) -> str:
    """Insurance, a double and a split say what they are."""
    amount = money_text(event.amount, event.currency or currency)
    hand = f", hand {event.hand}" if event.hand > 1 else ""
    does = {
        "bet": f"bets {amount} on box {event.box}",
        "insurance": f"insures box {event.box} with {amount}",
        "double": f"adds {amount} to double box {event.box}{hand}",
        "split": f"adds {amount} for another hand of box {event.box}{hand}",
    }.get(event.spot)
    plain = event.chip_kind == "value" and event.in_box
    return f"{event.player} {does}" if does is not None and plain else wording.tell(event, currency)


def _decided(event: bg.Decided, currency: str) -> str:
    if event.choice == "even_money":
        return f"{event.player or 'the owner'} takes even money on box {event.box}"
    if event.choice == "surrender":
        return f"{event.player or 'the owner'} surrenders on box {event.box}"
    return wording.tell(event, currency)


_TELLERS: dict[Any, Callable[[Any, str], str]] = {
    bg.StakePlaced: _staked,
    bg.Decided: _decided,
    bj.LimitSignChecked: lambda e, c: f"the limits are {'posted' if e.posted else 'not posted'}{by(e.by)}",
    bj.BoxBarred: lambda e, c: f"box {e.box} is barred to {e.player}{by(e.by)}",
    bj.CutOffered: lambda e, c: f"the cards are offered to {e.to} to cut",
    bj.CutRejected: lambda e, c: "the cut is not accepted" + (f": {e.reason}" if e.reason else ""),
    bj.CardsCutOff: lambda e, c: f"{e.count} cards are cut off",
    bj.ShoeOrderRead: lambda e, c: f"the order of the shoe is read, {e.stage.replace('_', ' ')}",
    bj.CuttingCardSeen: lambda e, c: "the cutting card comes out" + (f", before {_place(e.at)}" if e.at else ""),
    bj.EvenMoneyOffered: lambda e, c: f"even money is offered to box {e.box}",
    bj.ExtraDeclined: lambda e, c: f"{e.player} does not go along with the {e.of} of box {e.box}",
    bj.DecisionObjected: lambda e, c: f"{e.by} objects to the decision for box {e.box}",
    bj.TotalCalled: lambda e, c: f"{e.total} is called for {_place(e.place)}",
    bj.CardsReconstructed: lambda e, c: (
        f"the cards are put back as they should be, {e.inspector or 'no inspector'} watching"
    ),
    bj.ChipsWithheld: lambda e, c: f"{money_text(e.amount, c)} in chips are kept from {e.player}{by(e.by)}",
}
