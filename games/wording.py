"""Records in words, as an officer would tell them: what happens at every table; rooms tell their own (`Game.tell`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from events.schema.common import (
    BuyIn,
    CardBurned,
    ChipsMoved,
    ClockCompared,
    ColourChipsIssued,
    ColourChipsRedeemed,
    CreditSent,
    CutMade,
    DealerRelieved,
    DealerSeated,
    DeckInspected,
    DeckOpened,
    DeckRetired,
    DeskClosed,
    DeskOpened,
    DropBoxCounted,
    DropBoxMounted,
    DropBoxRemoved,
    ErrorNoted,
    FillReceived,
    FloorCalled,
    InspectorRelieved,
    InspectorSeated,
    InventoryCounted,
    LimitsChanged,
    NoMoreBets,
    PlayerEndedPlay,
    PlayerLeftTable,
    RakeBoxCounted,
    RoundClosed,
    RoundOpened,
    SeatLeft,
    SeatTaken,
    ShoeCarried,
    ShuffleStep,
    SourceEnded,
    TableClosed,
    TableOpened,
)
from events.schema.event import Event, Undecoded
from events.schema.fact import Fact
from events.values.cards import cards_text
from events.values.money import money_text
from games.protocol import Game

Teller = Callable[[Any, str], str]
"""A sentence about an event; amounts in the currency given."""


def sentence(event: Event | Undecoded, game: Game[Any], currency: str) -> str:
    """The record in words; empty where nobody has words for it."""
    if isinstance(event, Undecoded):
        return f"a record that cannot be read ({event.reason})"
    own = game.tell(event, currency) if game.tell is not None else ""
    if own:
        return own
    return common(event, currency)


def currencies(facts: Iterable[Fact]) -> dict[str, str]:
    """Stake → the currency that the record of it names: what is told of it later is in that, not in the table's."""
    named = {}
    for fact in facts:
        stake, currency = getattr(fact.event, "stake", ""), getattr(fact.event, "currency", None)
        if stake and currency:
            named[stake] = currency
    return named


def common(event: Event | Undecoded, currency: str) -> str:
    """What happens at every table in words; empty for a room's own records."""
    teller = _TELLERS.get(type(event))
    return teller(event, currency) if teller is not None else ""


def by(person: str | None) -> str:
    """` by p-7`, or nothing."""
    return f" by {person}" if person else ""


def place_words(place: str) -> str:
    """`seat/3` → `seat 3`."""
    return place.replace("/", " ")


def _moved(event: ChipsMoved, currency: str) -> str:
    amount = money_text(event.amount, currency)
    frm, to = place_words(event.frm), place_words(event.to)
    said = {
        "award": f"{to} is paid {amount} out of the {frm}",
        "win": f"{to} is paid {amount}",
        "return": f"{amount} go back to {to}",
        "take": f"{amount} are taken from {frm}",
        "rake": f"a rake of {amount} is taken" + (f" out of the {event.stake} pot" if event.stake else ""),
        "tip": f"{frm} tips {amount}",
    }.get(event.cause, f"{amount} go from {frm} to {to} ({event.cause.replace('_', ' ')})")
    named = event.cause == "rake" or event.stake in ("", event.frm, event.to)
    return said if named else f"{said}, for {place_words(event.stake)}"


def _limits(event: LimitsChanged, currency: str) -> str:
    ends = (("from", event.min), ("to", event.max))
    told = " ".join(f"{word} {money_text(amount, currency)}" for word, amount in ends if amount is not None)
    named = [
        f"{name.replace('_', ' ')} {money_text(low, currency)} to {money_text(high, currency)}"
        for name, (low, high) in event.limits.items()
    ]
    return f"new limits are posted: {', '.join(filter(None, (told, *named))) or 'none is stated'}"


def _coloured(event: ColourChipsIssued | ColourChipsRedeemed, currency: str) -> str:
    return f"{event.count} {event.colour} chips of {money_text(event.unit_value, currency)}"


def _issued(event: ColourChipsIssued, currency: str) -> str:
    gave = money_text(event.tender_in, currency) if event.tender_in is not None else "an amount not recorded"
    tender = "cash" if event.tender == "cash" else "value chips"
    table = f" of table {event.table}" if event.table is not None else ""
    return f"{event.player} gets {_coloured(event, currency)}{table} for {gave} in {tender}"


def _redeemed(event: ColourChipsRedeemed, currency: str) -> str:
    got = money_text(event.value_chips_out, currency) if event.value_chips_out is not None else "an amount not recorded"
    where = " at the cash desk" if event.at_desk else ""
    return f"{event.player} gives back {_coloured(event, currency)} for {got}{where}"


_TELLERS: dict[Any, Teller] = {
    TableOpened: lambda e, c: f"the table opens for {e.game}, in {e.currency}",
    TableClosed: lambda e, c: "the table closes",
    DeskOpened: lambda e, c: f"the desk opens, in {e.currency}",
    DeskClosed: lambda e, c: "the desk closes",
    DealerSeated: lambda e, c: f"{e.person} takes the table as dealer",
    DealerRelieved: lambda e, c: f"dealer {e.person} leaves the table",
    InspectorSeated: lambda e, c: f"{e.person} takes over as inspector",
    InspectorRelieved: lambda e, c: f"inspector {e.person} hands over",
    SeatTaken: lambda e, c: f"{e.person} sits down at seat {e.seat}",
    SeatLeft: lambda e, c: f"{e.person} leaves seat {e.seat}",
    PlayerLeftTable: lambda e, c: f"{e.player} walks away",
    InventoryCounted: lambda e, c: f"the float is counted ({e.kind}): {money_text(e.amount, c)}",
    FillReceived: lambda e, c: f"{money_text(e.amount, c)} in chips come from desk {e.desk}, slip {e.slip}",
    CreditSent: lambda e, c: f"{money_text(e.amount, c)} in chips go to desk {e.desk}, slip {e.slip}",
    DropBoxMounted: lambda e, c: f"drop box {e.box} goes on, empty",
    DropBoxRemoved: lambda e, c: f"drop box {e.box} goes to the count room",
    DropBoxCounted: lambda e, c: f"drop box {e.box} is counted: {money_text(e.amount, c)}",
    RakeBoxCounted: lambda e, c: f"the rake box is counted: {money_text(e.amount, c)}",
    BuyIn: lambda e, c: f"{e.player} buys {money_text(e.amount, c)} in chips",
    ChipsMoved: _moved,
    DeckOpened: lambda e, c: f"deck {e.deck} comes into play",
    DeckInspected: lambda e, c: f"deck {e.deck} is counted: {'complete' if e.complete else 'not as it should be'}",
    ShuffleStep: lambda e, c: f"the deck is shuffled: {e.step}",
    CutMade: lambda e, c: f"the deck is cut{by(e.by)}",
    CardBurned: lambda e, c: f"a card is burnt{': ' + cards_text((e.card,)) if e.card != '??' else ''}",
    RoundOpened: lambda e, c: "the round begins",
    RoundClosed: lambda e, c: "the round is over",
    NoMoreBets: lambda e, c: "no more bets",
    ErrorNoted: lambda e, c: f"staff notes a mistake{by(e.by)}: {e.what}",
    FloorCalled: lambda e, c: f"the floor is called{by(e.by)}{': ' + e.why if e.why else ''}",
    ClockCompared: lambda e, c: f"the clock of {e.other} is {e.ahead_ms} ms ahead, give or take {e.error_ms}",
    LimitsChanged: _limits,
    PlayerEndedPlay: lambda e, c: f"{e.player} ends his play",
    ColourChipsIssued: _issued,
    ColourChipsRedeemed: _redeemed,
    DeckRetired: lambda e, c: f"deck {e.deck} leaves play" + (f": {e.why}" if e.why else ""),
    ShoeCarried: lambda e, c: f"shoe {e.shoe} goes on from another session, {e.cards} cards are left in it",
    SourceEnded: lambda e, c: "the source has nothing more to say",
}
