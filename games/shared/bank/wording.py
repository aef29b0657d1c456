"""Records of the card games against the bank in words: `p-204 stakes 100 CZK on the ante of box 3`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from events.schema.event import Event
from events.values.cards import UNKNOWN, cards_text
from events.values.money import money_text
from games.shared.bank import events as bg
from games.wording import by

_CHOICES = {
    "bet": "bets", "fold": "folds", "exchange": "exchanges", "hit": "takes a card", "stand": "stands",
    "double": "doubles", "split": "splits", "surrender": "surrenders", "check": "checks", "play": "plays",
}  # fmt: skip


def tell(event: Event, currency: str) -> str:
    """A sentence; empty for what is none of these records. Amounts in the table's currency."""
    teller = _TELLERS.get(type(event))
    return teller(event, currency) if teller is not None else ""


def _place(place: str) -> str:
    """`box/3.2` → `box 3, hand 2`; `dealer` → `the dealer`."""
    if place.startswith("box/"):
        box, _dot, hand = place[4:].partition(".")
        return f"box {box}" + (f", hand {hand}" if hand else "")
    return {"pending": "the next card", "aside": "the side"}.get(place, f"the {place}")


def _card(card: str) -> str:
    return "a card" if card == UNKNOWN else cards_text((card,))


def _cards(cards: tuple[str, ...]) -> str:
    if any(card != UNKNOWN for card in cards):
        return cards_text(cards)
    return "a card" if len(cards) == 1 else f"{len(cards)} cards"


def _staked(event: bg.StakePlaced, currency: str) -> str:
    chips = {"value": "", "cash": " in cash"}.get(event.chip_kind, f" in {event.chip_kind} chips")
    where = f"{event.spot} of box {event.box}" + (f", hand {event.hand}" if event.hand > 1 else "")
    return f"{event.player} stakes {money_text(event.amount, event.currency or currency)}{chips} on the {where}"


def _laid(event: bg.CardLaid, _currency: str) -> str:
    face = ", face up" if event.face == "up" else ""
    where = _place(event.to) if event.to not in ("flop", "turn", "river") else f"the {event.to}"
    return f"{_card(event.card)} to {where}{face}"


def _decided(event: bg.Decided, currency: str) -> str:
    does = _CHOICES.get(event.choice, event.choice.replace("_", " "))
    cards = f" {_cards(event.discards)}" if event.discards else ""
    amount = f" {money_text(event.amount, currency)}" if event.amount is not None else ""
    hand = f", hand {event.hand}" if event.hand > 1 else ""
    return f"box {event.box}{hand} {does}{cards}{amount}"


def _turned(who: str, cards: tuple[str, ...], announced: str) -> str:
    shown = f": {cards_text(cards)}" if cards else ""
    return f"{who} turned up{shown}" + (f", announced as {announced}" if announced else "")


def _conduct(event: bg.ConductNoted, _currency: str) -> str:
    who = ", ".join(event.players) or event.staff or "somebody"
    about = f" ({event.text})" if event.text else ""
    return f"noted of {who}: {event.kind.replace('_', ' ')}{about}"


def _why(why: str) -> str:
    return f": {why}" if why else ""


_TELLERS: dict[Any, Callable[[Any, str], str]] = {
    bg.BoxTaken: lambda e, c: f"{e.player} takes box {e.box}",
    bg.BoxReleased: lambda e, c: f"box {e.box} becomes free",
    bg.BoxAsked: lambda e, c: f"{e.player} asks for {'box ' + str(e.box) if e.box is not None else 'a box'}",
    bg.StakePlaced: _staked,
    bg.StakeTakenUp: lambda e, c: f"{money_text(e.amount, c)} of stake {e.stake} go back to {e.player}{by(e.by)}",
    bg.StakeRefused: lambda e, c: (
        f"{money_text(e.amount, c)} on the {e.spot} of box {e.box} are refused{_why(e.reason)}"
    ),
    bg.ShuffleOrdered: lambda e, c: f"a shuffle is ordered by {e.by or e.role}{_why(e.why)}",
    bg.RecutAsked: lambda e, c: f"{e.by} asks for another cut",
    bg.CutJoined: lambda e, c: "the part cut off lies with the rest again",
    bg.DeckLoaded: lambda e, c: "the cards are ready to deal",
    bg.DefectFound: lambda e, c: f"the deck is found {e.kind}{_why(cards_text(e.cards))}",
    bg.CardLaid: _laid,
    bg.CardReassigned: lambda e, c: f"{_card(e.card)} is put to {_place(e.to)}{_why(e.why)}",
    bg.CardShown: lambda e, c: (
        f"{_card(e.card)} is seen in the {e.where}" + (f" ({_place(e.place)})" if e.place else "")
    ),
    bg.CardsViewed: lambda e, c: f"the cards of box {e.box} are looked at{by(e.by)}",
    bg.BoxTurned: lambda e, c: _turned(f"the cards of box {e.box} are", e.cards, e.announced),
    bg.DealerTurned: lambda e, c: _turned("the dealer's cards are", e.cards, e.announced),
    bg.HandCounted: lambda e, c: f"{e.count} cards are counted at {_place(e.place)}",
    bg.RedealOrdered: lambda e, c: f"the deal is called off, the cards are dealt anew{_why(e.why)}",
    bg.Decided: _decided,
    bg.DecisionsClosed: lambda e, c: "all boxes have decided",
    bg.ConductNoted: _conduct,
}
