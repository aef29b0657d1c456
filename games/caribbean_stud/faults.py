"""Faults of cut, deal and deck: a misdeal until all have decided, later the result stands (CS-04, CS-18, CS-20).

A fault counts from where staff noticed it; one that nobody noticed is found now, when the round is judged.
"""

from __future__ import annotations

from collections import Counter

from events.schema.common import CutMade, DeckInspected, ShuffleStep
from events.schema.fact import Fact
from events.values.cards import UNKNOWN, cards_text
from games.caribbean_stud.conduct import LOOKED_AT
from games.caribbean_stud.course import CARDS, Deal, Exchange, home
from games.caribbean_stud.events import ANTE, FOLD, WORDS
from games.caribbean_stud.paper import Box, Paper
from games.caribbean_stud.play import exposed_in_exchange
from games.shared.bank.deck import DEALER, box_number, box_place, contradicts, dealt_twice, out_of_place, round_robin
from games.shared.bank.events import (
    CardReassigned,
    CardShown,
    CutJoined,
    DeckLoaded,
    DefectFound,
    HandCounted,
    RecutAsked,
)
from games.shared.bank.table import Laid

JOINS = (CutJoined, DeckLoaded)
BACK = frozenset({"deck", "aside"})
"""Where a card lies that was dealt and taken back."""


def look_for_faults(paper: Paper) -> None:
    """Every deal of the round, then the deck."""
    for deal in paper.deals:
        _unreadable(paper, deal)
        before = len(paper.marks)
        if deal.first is not None:
            _cut(paper, deal)
            _again(paper, deal)
        _exposures(paper, deal)
        if deal.dealt:
            _dealing(paper, deal)
        elif deal.done and deal is paper.deal and paper.boxes:
            paper.unverified("CS-04", "deal")
        _counted(paper, deal)
        _defects(paper, deal)
        if deal.end is not None and not any(mark.kind in ("misdeal", "void") for mark in paper.marks[before:]):
            _called_off_for_nothing(paper, deal)


def _fault(paper: Paper, deal: Deal, rule: str, code: str, found: int | None, facts: tuple[Fact | None, ...]) -> None:
    """A misdeal while boxes may still bet; afterwards a breach, and the result stands (C20, C22)."""
    if not paper["cs.inherit_general"]:
        paper.mark(rule, code, "ruling_required", "round", facts=facts)
    elif deal.in_doubt(found) is not None:
        _in_doubt(paper, deal, rule, code, found, facts)
    elif deal.phase(found) == "betting":
        paper.mark(rule, code, "misdeal", "round", facts=facts)
        if deal is paper.deal:
            paper.everything_back("misdeal", rule, code)
    else:
        paper.mark(rule, code, "breach", "round", facts=facts)


def _in_doubt(
    paper: Paper, deal: Deal, rule: str, code: str, found: int | None, facts: tuple[Fact | None, ...]
) -> None:
    """Staff noted something in time in words that name no fault: whether it was this one a person must say."""
    note = deal.in_doubt(found)
    if note is not None:
        text = f"staff noted “{note.event.what}” {_PHASES[deal.phase(note.order)]}; that names no fault known here"
        paper.mark(rule, code, "ruling_required", "round", facts=(*facts, note.fact), text=text)


_PHASES = {"betting": "while boxes could still bet", "closed": "before the round was settled", "settled": "afterwards"}


def _unreadable(paper: Paper, deal: Deal) -> None:
    for note in deal.unreadable:
        text = f"“{note.event.what}” names no fault known here, so nothing is taken to have been noticed by it"
        paper.mark("CS-20", "unverified:error_noted", "unverified", "round", facts=(note.fact,), text=text)


# The cut --------------------------------------------------------------------------------------------------------------


def _cut(paper: Paper, deal: Deal) -> None:
    """CS-18, with ST-02, ST-03, ST-05, ST-07, ST-08."""
    assert deal.first is not None
    first, prepared = deal.first.fact, list(deal.prepared)
    if not prepared:
        if deal.number == 0:
            paper.unverified("CS-18", "no_cut", facts=(first,))
        return
    cuts = [place for place, fact in enumerate(prepared) if isinstance(fact.event, CutMade)]
    if not cuts:
        _fault(paper, deal, "CS-18", "no_cut", deal.found("no_cut"), (first,))
        return
    last = prepared[cuts[-1]]
    asked = [place for place, fact in enumerate(prepared) if isinstance(fact.event, RecutAsked)]
    asked = asked[: paper["cs.recut.max"]] if paper["cs.recut.max"] is not None else asked
    if asked and asked[-1] > cuts[-1]:
        facts = (prepared[asked[-1]], first)
        _fault(paper, deal, "CS-18", "recut_ignored", deal.found("recut_ignored"), facts)
    _cutter(paper, deal, last, [prepared[place] for place in asked])
    if not any(isinstance(fact.event, JOINS) for fact in prepared[cuts[-1] :]):
        if paper.session.joins:
            _fault(paper, deal, "CS-18", "cut_not_joined", deal.found("cut_not_joined"), (last, first))
        else:
            paper.unverified("CS-18", "cut_not_joined", facts=(last, first))


def _cutter(paper: Paper, deal: Deal, cut: Fact, asked: list[Fact]) -> None:
    """C31: the player at the dealer's right, the last box, or who asked for another cut."""
    by = getattr(cut.event, "by", None)
    entitled = {getattr(fact.event, "by", "") for fact in asked}
    for boxes in (paper.boxes, paper.session.owners):
        if boxes:
            entitled.add(paper.owner(max(boxes)))
    if by is None:
        paper.unverified("CS-18", "cut_by_wrong_person", facts=(cut,))
    elif entitled and by not in entitled:
        _fault(paper, deal, "CS-18", "cut_by_wrong_person", deal.found("cut_by_wrong_person"), (cut,))


def _again(paper: Paper, deal: Deal) -> None:
    """ST-04: after a misdeal the cards are shuffled and cut before they are dealt again."""
    if deal.number == 0:
        return
    assert deal.first is not None
    before = paper.deals[deal.number - 1]
    if not deal.prepared and not before.prepared:
        paper.unverified("CS-20", "redeal_without_shuffle", facts=(deal.first.fact,))
    elif not any(isinstance(fact.event, ShuffleStep) for fact in deal.prepared):
        paper.mark("CS-20", "redeal_without_shuffle", "breach", "round", facts=(deal.first.fact,))


def _called_off_for_nothing(paper: Paper, deal: Deal) -> None:
    """A deal may only be called off for a fault; without one the rules do not say what holds (ST-55)."""
    facts = tuple(note.fact for note in deal.notes if note.order == deal.end)
    paper.mark("CS-20", "redeal_without_ground", "ruling_required", "round", facts=facts)


# Cards seen -----------------------------------------------------------------------------------------------------------


def _exposures(paper: Paper, deal: Deal) -> None:
    """ST-06, ST-09, ST-10; a player may show his own cards (ST-11)."""
    for note in deal.told(CardShown):
        event = note.event
        if event.where == "player" or (event.by == "player" and event.where in ("deal", "exchange")):
            continue  # his own cards
        if event.where in LOOKED_AT and event.by == "player":
            continue  # conduct (CS-21)
        if event.where == "exchange":
            if deal is paper.deal:
                exposed_in_exchange(paper, note)
        elif event.where == "burn":
            paper.mark("CS-07", "burn_shown", "breach", "round", facts=(note.fact,))
        elif event.where == "discards":
            continue  # conduct (CS-21)
        elif event.where in ("cut", "deal", "deck"):
            _fault(paper, deal, "CS-20", "card_exposed", note.order, (note.fact,))
        else:
            paper.mark("CS-20", "card_exposed", "ruling_required", "round", facts=(note.fact,))
    dealers = [card for card in deal.dealt if card.dealt_to == DEALER]
    open_one = dealers[:CARDS][-1:] if len(dealers) >= CARDS or deal.done else []
    for card in deal.dealt:
        if getattr(card.fact.event, "face", "down") == "up" and card not in open_one:
            _fault(paper, deal, "CS-20", "card_exposed", card.order, (card.fact,))
    fifth = [card for card in deal.dealt if home(card) == DEALER][CARDS - 1 : CARDS]
    if fifth and fifth[0].face == "down" and deal.done:
        paper.mark("CS-04", "banker_fifth_down", "breach", "round", facts=(fifth[0].fact,))


# Who got how many -----------------------------------------------------------------------------------------------------


def _dealing(paper: Paper, deal: Deal) -> None:
    """CS-04, CS-20 with ST-14, ST-15, ST-19: one card to each box and one to the dealer, five times."""
    boxes = _boxes_of(paper, deal)
    places = round_robin(boxes, CARDS)
    dealt = [card for card in deal.dealt if not _taken_back(deal, card)]
    homes = [card.dealt_to if home(card) in BACK else home(card) for card in dealt]
    unfinished = not deal.done or deal.end is not None
    if homes == places or (unfinished and homes == places[: len(homes)]):
        late = _put_right_too_late(deal)
        if late:
            _fault(paper, deal, "CS-20", "wrong_box", deal.found("wrong_box"), late)
        return
    wrong = next(iter(out_of_place(dealt, places)), None)
    first = (wrong[0].fact,) if wrong is not None else (deal.dealt[-1].fact,)
    counts = Counter(homes)
    miscounted = [place for place in dict.fromkeys(places) if counts[place] != CARDS] if deal.done else []
    if not miscounted:
        _fault(paper, deal, "CS-20", "wrong_box", deal.found("wrong_box"), first)
        return
    counted = [
        note.order for note in deal.told(HandCounted) if note.event.place in miscounted and note.event.count != CARDS
    ]
    found = _earliest(deal.found("wrong_count"), counted)
    if paper["cs.inherit_general"] and deal.in_doubt(found) is not None:
        _in_doubt(paper, deal, "CS-20", "wrong_count", found, first)
        return
    if deal.phase(found) == "betting" or not paper["cs.inherit_general"] or deal is not paper.deal:
        _fault(paper, deal, "CS-20", "wrong_count", found, first)
        _wait(paper, miscounted)
        return
    for place in miscounted:
        _miscounted(paper, deal, place, found, first)


def _boxes_of(paper: Paper, deal: Deal) -> list[int]:
    """The boxes in play; of a deal that was called off those with an ante by its first card."""
    if deal is paper.deal or deal.first is None:
        return sorted(paper.boxes)
    by_then = deal.first.order
    return sorted({stake.box for stake in paper.round.stakes if stake.spot == ANTE and stake.order < by_then})


def _taken_back(deal: Deal, card: Laid) -> bool:
    """A card too many that went back before anybody looked at his: it was put right (ST-19)."""
    if home(card) not in BACK:
        return False
    moved = next((note.order for note in deal.told(CardReassigned) if note.fact is card.moved), None)
    return deal.viewed is None or (moved is not None and moved < deal.viewed)


def _put_right_too_late(deal: Deal) -> tuple[Fact, ...]:
    """Cards put right although somebody had looked at his (ST-19)."""
    viewed = deal.viewed
    if viewed is None:
        return ()
    moved = [note for note in deal.told(CardReassigned) if note.order > viewed]
    return tuple(note.fact for note in moved if note.event.to.startswith("box/") or note.event.to == DEALER)


def _earliest(found: int | None, orders: list[int]) -> int | None:
    known = [order for order in (found, *orders) if order is not None]
    return min(known, default=None)


def _wait(paper: Paper, places: list[str]) -> None:
    """Without a rule for it (C20), hands that cannot be compared wait for a person."""
    if paper["cs.inherit_general"]:
        return
    if DEALER in places:
        for box in paper.boxes.values():
            box.open = True
    for place in places:
        box_ = paper.boxes.get(box_number(place) or 0)
        if box_ is not None:
            box_.open = True


def _miscounted(paper: Paper, deal: Deal, place: str, found: int | None, facts: tuple[Fact | None, ...]) -> None:
    """A wrong count found when all had decided: the box is dead, the dealer's a misdeal; settled, it stands (C21)."""
    box = paper.boxes.get(box_number(place) or 0)
    phase = deal.phase(found, _settled(paper, box))
    if phase == "settled":
        paper.mark(
            "CS-20", "wrong_count", "breach", box=box.number if box is not None else None, facts=facts,
            scope="hand" if box is not None else "round",
        )  # fmt: skip
        # With five known cards the deal counts as correct; a hand that is none leaves what was settled.
        own_hand = paper.deal.hand(place)
        for own in [box] if box is not None else paper.boxes.values():
            own.stands = own.stands or own_hand is None
    elif box is None:
        paper.mark("CS-20", "wrong_count", "misdeal", "round", facts=facts)
        paper.everything_back("misdeal", "CS-20", "wrong_count")
    elif any(note.event.box == box.number and note.event.choice not in WORDS for note in deal.decisions):
        box.open = True  # what was asked for it nobody can read: an exchange may explain the count
        paper.mark("CS-20", "wrong_count", "ruling_required", box=box.number, facts=facts)
    else:
        paper.mark("CS-20", "wrong_count", "dead", box=box.number, facts=facts)
        box.dead = box.dead or "wrong_count"


def _settled(paper: Paper, box: Box | None) -> int | None:
    """Where a box was settled, if each counts for itself (C30)."""
    if box is None or paper["cs.settled"] != "per_box":
        return None
    own = {part.stake.id for part in box.parts}
    return next((note.order for note in paper.round.paid if note.event.stake in own), None)


def _counted(paper: Paper, deal: Deal) -> None:
    """ST-16: a hand that holds more or fewer cards than deal and exchanges explain (C38)."""
    if not deal.dealt:
        return
    seen: dict[str, tuple[int, int, Fact]] = {}
    for note in deal.told(HandCounted):
        explained = deal.count(note.event.place, note.order)
        waits = sum(
            1
            for exchange in deal.exchanges
            if box_place(exchange.box) == note.event.place
            and exchange.asked.order < note.order
            and not any(card.order < note.order for card in exchange.got)
        )
        gathered = note.event.count == 0 and deal.settled is not None and note.order > deal.settled
        if not gathered and not explained - waits <= note.event.count <= explained:
            seen.setdefault(note.event.place, (note.event.count, note.order, note.fact))
    turned = [(box_place(note.event.box), note) for note in deal.turned]
    if deal.dealer_turned is not None:
        turned.append((DEALER, deal.dealer_turned))
    for place, note in turned:
        if len(note.event.cards) > deal.count(place, note.order):  # fewer: so many were read
            seen.setdefault(place, (len(note.event.cards), note.order, note.fact))
    for place, (_count, order, fact) in seen.items():
        _unexplained(paper, deal, place, order, fact)


def _unexplained(paper: Paper, deal: Deal, place: str, order: int, fact: Fact) -> None:
    box = paper.boxes.get(box_number(place) or 0)
    if (box is None and place != DEALER) or deal is not paper.deal:
        return
    by_phase = paper["cs.count.policy"] == "by_phase"
    betting = deal.phase(order, _settled(paper, box)) == "betting"
    if not paper["cs.inherit_general"]:
        paper.mark("CS-20", "wrong_count", "ruling_required", "round", facts=(fact,))
        _wait(paper, [place])
    elif betting and (box is None or by_phase):
        _fault(paper, deal, "CS-20", "wrong_count", order, (fact,))
    elif betting and box is not None:
        paper.mark("CS-20", "wrong_count", "dead", box=box.number, facts=(fact,))
        box.dead = box.dead or "wrong_count"
    else:
        _miscounted(paper, deal, place, order, (fact,))


# The deck -------------------------------------------------------------------------------------------------------------


def _defects(paper: Paper, deal: Deal) -> None:
    """ST-12, ST-13: a damaged or repeated card voids the round, unless it is found when the round is settled (C37)."""
    found, facts = _defect(paper, deal)
    if not facts:
        return
    if not paper["cs.inherit_general"]:
        paper.mark("CS-20", "defective_deck", "ruling_required", "round", facts=facts)
    elif deal.phase(found) == "settled" and deal.in_doubt(found) is not None:
        _in_doubt(paper, deal, "CS-20", "defective_deck", found, facts)
    elif deal.phase(found) == "settled":
        paper.mark("CS-20", "defective_deck", "breach", "round", facts=facts, text="the round stands")
    else:
        paper.mark("CS-20", "defective_deck", "void", "round", facts=facts)
        paper.everything_back("void", "CS-20", "defective_deck")


def _defect(paper: Paper, deal: Deal) -> tuple[int | None, tuple[Fact, ...]]:
    """Where it was found, and what shows it: what staff said, or a card that came twice."""
    for note in deal.told(DefectFound, DeckInspected):
        if isinstance(note.event, DefectFound) or not note.event.complete:
            return note.order, (note.fact,)
    for cards in dealt_twice(deal.cards).values():
        return deal.found("defective_deck"), tuple(card.fact for card in cards[:2])
    hands = [place for place in (*map(box_place, sorted(paper.boxes)), DEALER) if deal is paper.deal]
    seen: dict[str, str] = {}
    for place in hands:
        for card in deal.hand(place) or ():
            if card != UNKNOWN and seen.setdefault(card, place) != place:
                shown = [note.fact for note in (*deal.turned, deal.dealer_turned) if note is not None]
                return deal.found("defective_deck"), tuple(shown[:2])
    return None, ()


def contradictions(paper: Paper) -> None:
    """A hand read otherwise than it was dealt: nobody can tell which record is right, so it waits for a person."""
    deal = paper.deal
    for exchange in deal.exchanges:
        _given(paper, deal, exchange)
    for place in (*map(box_place, sorted(paper.boxes)), DEALER):
        shown, dealt = deal.shown(place), deal.hand(place)
        if dealt is None or not contradicts(shown, dealt):
            continue
        notes = [*(note for note in deal.turned if note.event.box == box_number(place))]
        if place == DEALER and deal.dealer_turned is not None:
            notes = [deal.dealer_turned]
        facts = tuple(note.fact for note in notes)
        for number, box in paper.boxes.items():
            if place in (DEALER, box_place(number)):
                box.open = True
        paper.mark("CS-20", "cards_contradict", "ruling_required", "hand", box=box_number(place), facts=facts)


def _given(paper: Paper, deal: Deal, exchange: Exchange) -> None:
    """CS-05: what a box gives away is a card of its own. Where its hand was read afterwards the record of the card is
    wrong and no more; else nobody knows what it holds."""
    box, place = paper.boxes.get(exchange.box), box_place(exchange.box)
    held = [card.card for card in deal.held(place, exchange.asked.order)]
    if box is None or not held or not contradicts(exchange.given, held):
        return
    text = f"{cards_text(exchange.given)} given away; the box held {cards_text(held)}"
    if deal.hand(place) is None and exchange.delivered and box.decided != FOLD:
        box.open = True
        paper.mark(
            "CS-05", "given_card_not_held", "ruling_required", box=box.number, facts=(exchange.asked.fact,), text=text
        )
    else:
        paper.mark(
            "CS-05", "unverified:given_card", "unverified", box=box.number, facts=(exchange.asked.fact,), text=text
        )
