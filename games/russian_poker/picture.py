"""The table as a person sees it: the dealer's cards, each box with its cards and stakes, the settlement by line.

Readable without colour, 99 columns at most. A hand is named, with the second combination beside it, where the viewer
sees all its cards.
"""

from __future__ import annotations

from collections.abc import Iterator

from events.schema.event import Event
from events.values.cards import UNKNOWN, card_text, cards_text
from events.values.money import amount_text
from games.picture import Panel, Picture, Span, Viewpoint, fitted, line
from games.russian_poker import events as rp
from games.russian_poker.boxes import SPOTS
from games.russian_poker.combinations import NAMES
from games.russian_poker.hands import hand_of
from games.russian_poker.payouts import Analysis, analyse
from games.russian_poker.play import Playing
from games.russian_poker.table import Coup, Session
from games.shared.bank import events as bg
from games.shared.bank import wording
from games.shared.bank.deck import DEALER, box_place
from games.shared.bank.picture import Spans, all_seen, cards_span, seen, settlement_panel, stakes_text
from games.shared.poker.ranks import hand_name

CARDS_WIDE = 24
SPOT_ORDER = {spot: place for place, spot in enumerate(SPOTS)}


def picture(session: Session, viewpoint: Viewpoint) -> Picture:
    """The dealer above, the boxes from his left to his right; below, once cards are turned, what every stake is due."""
    coup = session.round
    if coup is None:
        return (Panel("Table", (line(Span("no round yet", "dim")),)),)
    analysis = analyse(session)
    lines = [*_dealer(coup, analysis, viewpoint), *_boxes(coup, analysis, viewpoint)]
    tier = analysis.table.tier_name if analysis.table is not None else ""
    title = f"Table, round {coup.name}" + (f", limits {tier}" if tier else "")
    table = Panel(title, tuple(map(fitted, lines)))
    told = analysis.void or coup.dealer_turned is not None or coup.closed is not None
    settled = settlement_panel(analysis.settlement.lines) if told else None
    return (table, settled) if settled is not None else (table,)


def _dealer(coup: Coup, analysis: Analysis, view: Viewpoint) -> Iterator[Spans]:
    cards = seen(coup, DEALER, view)
    yield line(f"{'dealer':<18}", cards_span(cards, CARDS_WIDE), _dealers_name(cards))
    outcome = analysis.outcome
    for note in coup.replaced:
        event = note.event
        yield line(" " * 18, f"{card_text(event.old)} replaced by {card_text(event.card)}")
    if outcome is not None and outcome.count:
        yield line(f"{'  then':<18}", cards_span(outcome.cards, CARDS_WIDE), _dealers_name(outcome.cards))


def _dealers_name(cards: tuple[str, ...]) -> str:
    hand = hand_of(cards) if all_seen(cards) else None
    if hand is None:
        return ""
    if hand.qualifies:
        return _name(cards)
    return f"{hand_name(cards).removeprefix('high card ').partition(',')[0]} high, does not qualify"


def _boxes(coup: Coup, analysis: Analysis, view: Viewpoint) -> Iterator[Spans]:
    for own in analysis.boxes:
        number = own.box.number
        cards = _cards(coup, own, view)
        yield line(
            f"box {number:<3} {own.box.player:<10.10} ",
            cards_span(cards, CARDS_WIDE),
            _name(cards),
            _second(own, cards),
        )
        state = _state(own)
        stakes = stakes_text(own.box.stakes, SPOT_ORDER)
        if stakes or state:
            yield line(" " * 18, stakes, Span(f"{'   ' if stakes else ''}{state}" if state else "", "gold"))


def _cards(coup: Coup, own: Playing, view: Viewpoint) -> tuple[str, ...]:
    """The box's cards as the viewer knows them, without those that it gave away for others."""
    cards = list(seen(coup, box_place(own.box.number), view))
    for purchase in own.box.purchases:
        for card in purchase.discards if purchase.cards else ():
            if card in cards:
                cards.remove(card)
            elif UNKNOWN in cards:
                cards.remove(UNKNOWN)
    return tuple(cards)


def _name(cards: tuple[str, ...]) -> str:
    """The hand in words; empty while the viewer does not see all of it."""
    hand = hand_of(cards) if all_seen(cards) else None
    if hand is None:
        return ""
    name = hand_name(cards)
    return NAMES["AK"] + name.removeprefix("high card ace, king") if hand.primary == "AK" else name


def _second(own: Playing, cards: tuple[str, ...]) -> Span:
    hand = own.hand
    if hand is None or hand.second is None or not all_seen(cards) or hand_of(cards) is None:
        return Span("")
    return Span(f" + {NAMES[hand.second]}", "bold")


def _state(own: Playing) -> str:
    told = [
        "sixth card" if purchase.choice == "buy6" else f"{len(purchase.discards) or len(purchase.cards)} exchanged"
        for purchase in own.box.purchases
    ]
    told += ["bonus claimed"] if own.box.claims else []
    told += {
        "fold": ["folded"],
        "out": ["not in play"],
        "undecided": ["has not decided"],
    }.get(own.status, [])
    if own.box.elections:
        choice = own.box.elections[-1].event.choice
        told.append("takes the ante" if choice == "take_ante" else "asks for another dealer's card")
    if own.cut:
        told.append(f"cut by {amount_text(own.cut)}")
    return ", ".join(told)


def tell(event: Event, currency: str) -> str:
    """A record of this room in words."""
    if isinstance(event, rp.BonusClaimed):
        return f"box {event.box} claims the bonus and shows {cards_text(event.cards)}"
    if isinstance(event, rp.AnteElected):
        return f"box {event.box} " + (
            "takes 1:1 on the ante" if event.choice == "take_ante" else "gives up the ante for another dealer's card"
        )
    if isinstance(event, rp.DealerCardReplaced):
        return f"the dealer's {card_text(event.old)} is replaced by {card_text(event.card)}"
    if isinstance(event, bg.Decided) and event.choice == "buy6":
        return f"box {event.box} buys a sixth card"
    if isinstance(event, rp.DeckChangeOrdered):
        return "management orders another deck" + (f": {event.why}" if event.why else "")
    return wording.tell(event, currency)
