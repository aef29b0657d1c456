"""The table as a person sees it: the dealer's cards, each box with its cards and stakes, the settlement by line."""

from __future__ import annotations

from collections.abc import Iterator

from events.schema.event import Event
from games.caribbean_stud.events import FOLD, SPOTS, TimeCalled
from games.caribbean_stud.hands import NAMES, code_of, qualifies
from games.caribbean_stud.paper import Box, Paper
from games.caribbean_stud.payouts import Analysis, analyse
from games.caribbean_stud.play import play
from games.caribbean_stud.stakes import lay
from games.caribbean_stud.table import Round, Session
from games.picture import Panel, Picture, Span, Viewpoint, fitted, line
from games.shared.bank import wording
from games.shared.bank.deck import DEALER, box_place
from games.shared.bank.picture import Spans, all_seen, cards_span, seen, settlement_panel, stakes_text
from games.shared.poker.ranks import hand_name
from games.wording import by

CARDS_WIDE = 21
SPOT_ORDER = {spot: place for place, spot in enumerate(SPOTS)}


def picture(session: Session, viewpoint: Viewpoint) -> Picture:
    """The dealer above, the boxes from his left to his right; below, once it is known, what every stake is due."""
    round_ = session.round
    if round_ is None:
        return (Panel("Table", (line(Span("no round yet", "dim")),)),)
    analysis = analyse(session)
    paper = Paper(session, round_)
    lay(paper)
    play(paper)
    lines = [_dealer(paper, viewpoint), *_boxes(paper, viewpoint, analysis)]
    burned = sum(card.dealt_to == "burn" for card in paper.deal.cards)
    if burned or round_.deal:
        told = [f"{burned} burned"] if burned else []
        told += [f"deal {round_.deal + 1} of the round"] if round_.deal else []
        lines.append(line(Span("   ".join(told), "dim")))
    panels = [Panel(f"Table, round {round_.name}", tuple(map(fitted, lines)))]
    settled = settlement_panel(analysis.settlement.lines) if _is_told(round_, analysis) else None
    return (*panels, settled) if settled is not None else tuple(panels)


def _is_told(round_: Round, analysis: Analysis) -> bool:
    """Outcomes are shown when the cards are: before, they would give hands away that nobody has seen."""
    return bool(analysis.voided or round_.dealer_turned is not None or round_.closed is not None)


def _dealer(paper: Paper, view: Viewpoint) -> Spans:
    cards = seen(paper.round, DEALER, view)
    name = ""
    if len(cards) == 5 and all_seen(cards):
        name = _name(cards) if qualifies(cards) else f"{_name(cards)}: does not play"
    return line(f"{'dealer':<19}", cards_span(cards, CARDS_WIDE), name)


def _boxes(paper: Paper, view: Viewpoint, analysis: Analysis) -> Iterator[Spans]:
    stakes = paper.round.stakes
    dead = {outcome.box for outcome in analysis.outcomes if outcome.result == "dead"}
    for number in sorted({stake.box for stake in stakes}):
        own = [stake for stake in stakes if stake.box == number]
        box = paper.boxes.get(number)
        player = box.player if box is not None else own[0].player
        cards = _cards(paper, number, view)
        name = _name(cards) if len(cards) == 5 and all_seen(cards) else ""
        state = "dead hand" if number in dead else _state(box)
        yield line(f"box {number:<3} {player:<10.10} ", cards_span(cards, CARDS_WIDE), name)
        yield line(" " * 19, stakes_text(own, SPOT_ORDER), Span(f"   {state}" if state else "", "gold"))


def _cards(paper: Paper, number: int, view: Viewpoint) -> tuple[str, ...]:
    """The box's cards as the viewer knows them, without those that it gave away."""
    cards = list(seen(paper.round, box_place(number), view))
    box = paper.boxes.get(number)
    for exchange in box.exchanges if box is not None else ():
        for card in exchange.given:
            if card in cards:
                cards.remove(card)
            elif "??" in cards:
                cards.remove("??")
    return tuple(cards)


def _name(cards: tuple[str, ...]) -> str:
    return (
        NAMES["AK"] + hand_name(cards).removeprefix("high card ace, king")
        if code_of(cards) == "AK"
        else hand_name(cards)
    )


def _state(box: Box | None) -> str:
    if box is None:
        return "not in play"
    told = []
    if box.exchanges:
        told.append("exchanged a card" if box.exchanged else "asks for a card")
    if box.decided == FOLD:
        told.append("folded")
    return ", ".join(told)


def tell(event: Event, currency: str) -> str:
    """A record of this room in words; amounts in the table's currency."""
    if isinstance(event, TimeCalled):
        return f"time is called on box {event.box}{by(event.by)}"
    return wording.tell(event, currency)
