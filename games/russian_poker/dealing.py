"""The deck and the deal: one deck, prepared as it should be, five cards to each box and the dealer in turn.

What goes wrong here the source does not regulate, but for the preparation (RP-05, 07, 08, 13, 46).
"""

from __future__ import annotations

from events.schema.common import CutMade, DeckInspected, ShuffleStep
from events.schema.fact import Fact
from games.russian_poker.boxes import error_on
from games.russian_poker.hands import final_cards
from games.russian_poker.play import Table
from games.shared.bank import events as bg
from games.shared.bank.deck import (
    DEALER,
    box_number,
    box_place,
    contradicts,
    off_the_deck,
    out_of_place,
    round_robin,
    shuffle_steps,
)
from games.shared.bank.table import Laid
from games.shared.marks import Mark, missing

HAND = 5


def judge_deal(table: Table) -> None:
    """Marks on deck and deal; what was absent in a touched round is for the checks to say."""
    _one_deck(table)
    _preparation(table)
    _order(table)
    _faces(table)
    _unregulated(table)
    _contradicted(table)
    _viewed_early(table)


def first_deal(table: Table) -> list[Laid]:
    """The cards of the deal itself to boxes that play and to the dealer, in order off the deck."""
    playing = {own.box.number: {id(card) for card in own.box.dealt} for own in table.playing()}
    return [
        card
        for card in off_the_deck(table.coup.cards)
        if card.dealt_to == DEALER or id(card) in playing.get(box_number(card.dealt_to) or 0, ())
    ]


# One deck -------------------------------------------------------------------------------------------------------------


def _one_deck(table: Table) -> None:
    """RP-05: a card twice, or cards of two decks."""
    coup = table.coup
    seen: dict[str, Fact] = {}
    cards = [(card.card, card.deck, card.fact) for card in coup.cards]
    cards += [(note.event.card, note.event.deck or table.session.deck, note.fact) for note in coup.replaced]
    for card, _deck, fact in cards:
        if card in seen and card != "??":
            _irregular(table, "RP-05", "card_twice", (seen[card], fact), text=f"{card} came off the deck twice")
            break
        seen[card] = fact
    own = getattr(coup.deck_since.event, "deck", "") if coup.deck_since is not None else ""
    decks = [(deck, fact) for _card, deck, fact in cards if deck]
    expected = own or (decks[0][0] if decks else "")
    for deck, fact in decks:
        if deck != expected:
            _irregular(table, "RP-05", "foreign_deck", (fact,), text=f"a card of deck {deck}, in play is {expected}")
            break


def _irregular(
    table: Table, rule: str, code: str, facts: tuple[Fact, ...], *, text: str = "", noticed: int | None = None
) -> Mark:
    """What a person must decide (RP-46), under the rule that noticed it."""
    mark = table.mark(rule, code, "ruling_required", "round", facts=facts, text=text)
    named = error_on(table.coup, code)
    table.strange(mark, noticed if named is None else named if noticed is None else min(noticed, named))
    return mark


# Shuffle and cut ------------------------------------------------------------------------------------------------------


def _preparation(table: Table) -> None:
    """RP-07, RP-08: shuffled, cut by the dealer, loaded, in this order, before the first card."""
    coup = table.coup
    if coup.first_card is None:
        return
    facts = (coup.first_card.fact,)
    required: list[str] = table.edition["rp.shuffle.required_steps"]
    lacking = missing_steps(shuffle_steps(coup.prepared), required)
    if lacking:
        _suspicion(
            table, "RP-07", "shuffle_incomplete", facts, f"missing or out of order: {', '.join(lacking)}",
            remedy={"missing": lacking},
        )  # fmt: skip
    _cut_and_loaded(table, facts)


def missing_steps(done: tuple[str, ...], required: list[str]) -> list[str]:
    """The required steps that were not done in their order."""
    lacking, at = [], 0
    for step in required:
        if step in done[at:]:
            at += done[at:].index(step) + 1
        else:
            lacking.append(step)
    return lacking


def _cut_and_loaded(table: Table, facts: tuple[Fact, ...]) -> None:
    prepared = table.coup.prepared
    cuts = [place for place, fact in enumerate(prepared) if isinstance(fact.event, CutMade)]
    loads = [place for place, fact in enumerate(prepared) if isinstance(fact.event, bg.DeckLoaded)]
    shuffled = [place for place, fact in enumerate(prepared) if isinstance(fact.event, ShuffleStep)]
    if not cuts:
        _suspicion(table, "RP-08", "cut_missing", facts, "nobody cut the deck")
    elif shuffled and cuts[-1] < shuffled[-1]:
        _suspicion(table, "RP-08", "cut_too_early", (prepared[cuts[-1]],), "the deck was shuffled after the cut")
    else:
        _by_the_dealer(table, prepared[cuts[-1]])
    if not loads:
        _suspicion(table, "RP-08", "not_loaded", facts, "the cards were dealt without being loaded")
    elif (cuts and loads[-1] < cuts[-1]) or (not cuts and shuffled and loads[-1] < shuffled[-1]):
        _suspicion(
            table, "RP-08", "loaded_too_early", (prepared[loads[-1]],), "the deck was loaded before it was ready"
        )


def _by_the_dealer(table: Table, fact: Fact) -> None:
    event = fact.event
    assert isinstance(event, CutMade)
    on_duty = table.coup.on_duty
    if not event.by or not on_duty:
        table.marks.append(missing("RP-08", "cut_by_other", facts=(fact,), subject=table.coup.name))
    elif event.by != on_duty:
        _suspicion(table, "RP-08", "cut_by_other", (fact,), f"{event.by} cut, the dealer is {on_duty}")


def _suspicion(
    table: Table, rule: str, code: str, facts: tuple[Fact, ...], text: str, remedy: dict[str, object] | None = None
) -> None:
    """A reason for which management may void the round (RP-09)."""
    table.mark(rule, code, "voidable", "round", facts=facts, text=text, remedy=remedy)


# The deal -------------------------------------------------------------------------------------------------------------


def deal_is_over(table: Table) -> bool:
    """Whether something came that belongs after the deal."""
    coup = table.coup
    viewed = any(note.deal == coup.deal for note in coup.notes(bg.CardsViewed))
    decided = any(note.deal == coup.deal for note in coup.decisions)
    return table.is_over or viewed or decided


def _order(table: Table) -> None:
    """RP-13: a card to each box from left to right, then the dealer, five times."""
    cards = first_deal(table)
    if not cards:
        return
    boxes = [own.box.number for own in table.playing()]
    counts = {f"box/{number}": 0 for number in boxes} | {DEALER: 0}
    for card in cards:
        counts[card.dealt_to.partition(".")[0]] = counts.get(card.dealt_to.partition(".")[0], 0) + 1
    short = {place: count for place, count in counts.items() if count < HAND}
    over = {place: count for place, count in counts.items() if count > HAND}
    if over or (short and deal_is_over(table)):
        told = ", ".join(f"{place.replace('/', ' ')}: {count}" for place, count in {**over, **short}.items())
        _irregular(table, "RP-13", "wrong_count", (cards[-1].fact,), text=f"cards dealt to {told}")
        return
    wrong = out_of_place(cards, round_robin(boxes, HAND))
    if wrong:
        card, place = wrong[0]
        went, should = card.dealt_to.replace("/", " "), place.replace("/", " ")
        _irregular(table, "RP-13", "deal_order", (card.fact,), text=f"a card went to {went} instead of {should}")


def _faces(table: Table) -> None:
    """RP-13: all cards down but the dealer's last."""
    dealers = 0
    for card in first_deal(table):
        dealers += card.dealt_to == DEALER
        last = card.dealt_to == DEALER and dealers == HAND
        if card.face == "up" and not last:
            _irregular(
                table, "RP-13", "card_exposed", (card.fact,), text=f"{card.card} came face up", noticed=card.order
            )
            return
        if card.face == "down" and last and card.moved is None:
            _irregular(table, "RP-13", "dealer_card_down", (card.fact,), text="the dealer's last card came face down")
            return


SHOWN_BY = {"deal": "RP-13", "exchange": "RP-17"}
"""The rule that sends a card shown there to RP-46."""


def _unregulated(table: Table) -> None:
    """RP-46: what the text says nothing about; a repeated or foreign card found in the deck is RP-05's."""
    for card in table.coup.cards:
        if card.dealt_to == "burn":
            _irregular(table, "RP-46", "card_burned", (card.fact,), text="a card was burnt; none is in this game")
            break
    for note in table.coup.told:
        event, facts = note.event, (note.fact,)
        if isinstance(event, bg.CardShown):
            rule = SHOWN_BY.get(event.where, "RP-46")
            _irregular(table, rule, "card_exposed", facts, text=f"{event.card} was seen", noticed=note.order)
        elif isinstance(event, bg.CardReassigned):
            _irregular(table, "RP-46", "card_reassigned", facts, noticed=note.order)
        elif isinstance(event, bg.RedealOrdered):
            _irregular(table, "RP-46", "redealt", facts, text=event.why, noticed=note.order)
        elif isinstance(event, bg.DefectFound):
            rule = "RP-05" if event.kind in ("duplicate", "foreign") else "RP-46"
            _irregular(table, rule, f"deck_{event.kind}", facts, noticed=note.order)
        elif isinstance(event, DeckInspected) and not event.complete:
            _irregular(table, "RP-05" if event.foreign else "RP-46", "deck_not_complete", facts, noticed=note.order)
        elif isinstance(event, bg.ConductNoted):
            table.strange(table.mark("RP-46", f"conduct_{event.kind}", "ruling_required", "round", facts=facts,
                                     text=event.text or "the book has no rule on collusion"))  # fmt: skip


def _contradicted(table: Table) -> None:
    """RP-46: a hand was turned up otherwise than it was dealt and drawn, and nobody can tell which record is right."""
    coup = table.coup
    turned = coup.dealer_turned
    if turned is not None and contradicts(turned.event.cards, [card.card for card in coup.cards if card.to == DEALER]):
        text = "the dealer turned up other cards than he was dealt"
        _irregular(table, "RP-46", "cards_contradict", (turned.fact,), text=text)
    for own in table.boxes:
        box = own.box
        held = final_cards(box) or [card.card for card in coup.cards if card.to == box_place(box.number)]
        if contradicts(box.shown, held):
            notes = [note for note in coup.turned if note.deal == coup.deal and note.event.box == box.number]
            text = f"box {box.number} turned up other cards than it held"
            _irregular(table, "RP-46", "cards_contradict", (notes[-1].fact,), text=text)


def _viewed_early(table: Table) -> None:
    """RP-14: cards are looked at after the deal."""
    cards = first_deal(table)
    for note in table.coup.notes(bg.CardsViewed):
        if cards and note.order < cards[-1].order and note.deal == table.coup.deal:
            table.mark("RP-14", "viewed_early", "breach", "hand", subject=f"box/{note.event.box}", facts=(note.fact,))
