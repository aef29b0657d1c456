"""The cards of a coup: when each decision window closes, what was irregular, and what came to lie where.

Everything is read out of the current deal in its own order; times of two sources are compared elsewhere. What is absent
in a round with a hole is `unverified`, never a breach.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from events.schema import common as tb
from events.schema.fact import Fact
from events.values.cards import UNKNOWN, card_text
from games.casino_holdem.table import BOARD, Coup, Session, Window
from games.shared.bank import events as bg
from games.shared.bank.deck import (
    DEALER,
    box_number,
    box_place,
    contradicts,
    hand,
    off_the_deck,
    out_of_place,
    round_robin,
)
from games.shared.bank.table import Laid, Noted
from games.shared.marks import Mark, missing
from games.verdict import Kind

_BEHIND: tuple[tuple[int, Window], ...] = ((3, "over"), (2, "3"), (1, "2"))
"""Which window something lies in that comes behind the close of another."""

FOULS = frozenset({"duplicate", "foreign", "missing", "surplus"})
"""Defects by which a deck is not 52 distinct cards."""


class Moment(Struct, frozen=True, gc=False):
    """A place in the round, and the record that stands there."""

    order: int
    fact: Fact


class Course(Struct, kw_only=True):
    """What the cards of a coup come to.

    `boxes`: in play, from left to right. `first`: the round's first card. `closes`: what closed windows 1, 2 and 3.
    `over`: the deal of hole cards is done. `board`: the cards that count, as far as they are out. `marks`: what was
    irregular; `void`: why the round is, `void_boxes`: why single boxes are. `redeal_due`: a misdeal that nobody has
    called yet. `doubtful`: boxes of which two records tell different cards.
    """

    coup: Coup
    touched: bool
    confirmed: bool
    boxes: tuple[int, ...] = ()
    first: Moment | None = None
    closes: dict[int, Moment] = {}
    over: bool = False
    dealer: tuple[str, ...] = ()
    board: tuple[str, ...] = ()
    marks: list[Mark] = []
    void: list[Mark] = []
    void_boxes: dict[int, Mark] = {}
    redeal_due: bool = False
    doubtful: frozenset[int] = frozenset()

    def irregular(
        self,
        rule: str,
        code: str,
        kind: Kind,
        facts: tuple[Fact, ...],
        text: str,
        *,
        box: int = 0,
        absent: bool = False,
    ) -> None:
        """One line of the table under CH-A14: its default, and a ruling until management has confirmed the defaults."""
        if absent and self.touched:
            self.marks.append(missing(rule, code, facts=facts, subject=self.coup.name))
            return
        subject = box_place(box) if box else self.coup.name
        mark = Mark(
            rule=rule, code=code, kind=kind, scope="hand" if box else "round", subject=subject, facts=facts, text=text
        )
        self.marks.append(mark)
        if kind == "void":
            if box:
                self.void_boxes.setdefault(box, mark)
            else:
                self.void.append(mark)
        if not self.confirmed:
            self.marks.append(asks(mark))

    @property
    def ended(self) -> bool:
        """Nothing more can be decided: the Dealer has turned his cards after the river, or the round is closed."""
        return 3 in self.closes or self.coup.closed is not None

    def window(self, order: int) -> Window:
        """In which window something at that place of the round came."""
        if self.first is None or order < self.first.order:
            return "before"
        for number, name in _BEHIND:
            close = self.closes.get(number)
            if close is not None and order > close.order:
                return name
        return "1"


def asks(mark: Mark) -> Mark:
    """The same, for a person to rule on; until then the money is as it lies."""
    return Mark(
        rule=mark.rule, code=mark.code, kind="ruling_required", scope=mark.scope, subject=mark.subject,
        player=mark.player, facts=mark.facts, text=mark.text,
    )  # fmt: skip


def with_folded_cards(coup: Coup) -> Coup:
    """A hand stays its box's until it is settled: cards that were folded, or put aside, count where they were dealt."""
    if all(card.moved is None for card in coup.laid):
        return coup
    laid = tuple(
        replace(card, to=card.dealt_to) if card.moved is not None and not _is_hand(card.to) else card
        for card in coup.laid
    )
    return replace(coup, laid=laid)


def _is_hand(place: str) -> bool:
    return place == DEALER or box_number(place) is not None


def course_of(session: Session, coup: Coup, *, touched: bool = False) -> Course:
    """Reads the coup's cards."""
    confirmed = bool(session.edition["deal_irregularity_confirmed"])
    course = Course(coup=coup, touched=touched, confirmed=confirmed, closes={}, marks=[], void=[], void_boxes={})
    if coup.laid:
        course.first = _moment(coup.laid[0])
    course.boxes = boxes_in_play(coup, course.first.order if course.first is not None else coup.count)
    _moments(course)
    course.dealer = hand(coup, DEALER)[:2]
    course.board = board_of(coup)
    _earlier_deals(course)
    _counts(course)
    _order(course, bool(session.edition["dealer_first_card_face_up"]))
    _board(course)
    _shown(course)
    _fouled(course)
    _contradicted(course)
    return course


def boxes_in_play(coup: Coup, order: int) -> tuple[int, ...]:
    """Boxes with chips on Ante, Blind or Trips just before a place of the round."""
    return tuple(sorted({
        stake.box
        for stake in coup.stakes
        if stake.spot != "play" and stake.order < order and stake.left_at(order) > 0
    }))  # fmt: skip


def board_of(coup: Coup) -> tuple[str, ...]:
    """The community cards that count: three of the flop, two of turn and river, each the first off the deck."""
    cards = off_the_deck(card for card in coup.cards if card.dealt_to in BOARD)
    flop = [card.card for card in cards if card.dealt_to == "flop"][:3]
    late = [card.card for card in cards if card.dealt_to != "flop"][:2]
    return tuple(flop + late)


def _moment(card: Laid | Noted) -> Moment:
    return Moment(card.order, card.fact)


def _first_at(cards: Iterable[Laid], *places: str) -> Laid | None:
    return next((card for card in cards if card.dealt_to in places), None)


def _hole_cards(cards: Iterable[Laid]) -> list[Laid]:
    return [card for card in cards if _is_hand(card.dealt_to)]


def _moments(course: Course) -> None:
    """CH-A29: a window closes with the next burn, or the next board card where the burn is missing; the last one with
    the Dealer's reveal after the river."""
    coup = course.coup
    cards = coup.cards
    burns = [card for card in cards if card.dealt_to == "burn"]
    flop, turn = _first_at(cards, "flop"), _first_at(cards, "turn", "river")
    dealers = [card for card in cards if card.dealt_to == DEALER]
    holes = dealers[1:2] or _hole_cards(cards)[:1]
    begun = holes[0].order if holes else -1
    first_board = flop or turn
    one = next((burn for burn in burns if burn.order > begun), None)
    if first_board is not None and (one is None or one.order > first_board.order):
        one = first_board
    if one is not None and holes:
        course.closes[1] = _moment(one)
    if flop is not None:
        two = next((burn for burn in burns if burn.order > flop.order), None)
        if turn is not None and (two is None or two.order > turn.order):
            two = turn
        if two is not None:
            course.closes[2] = _moment(two)
    turned = coup.dealer_turned
    if turned is not None and _board_out(cards, turned.order):
        course.closes[3] = _moment(turned)
    course.over = bool(course.closes) or turned is not None or (coup.closed is not None and bool(cards))


def _board_out(cards: Iterable[Laid], order: int) -> bool:
    """All five community cards lie there just before a place of the round."""
    return sum(1 for card in cards if card.dealt_to in BOARD and card.order < order) >= 5


# The deal -------------------------------------------------------------------------------------------------------------


def _earlier_deals(course: Course) -> None:
    """A misdeal has a ground, a card that went to an empty box, and comes before any decision; else a person rules."""
    coup = course.coup
    for note in coup.notes(bg.RedealOrdered):
        strays = [
            card
            for card in coup.laid
            if card.deal == note.deal and (box := box_number(card.to)) is not None and box not in course.boxes
        ]
        decided = any(choice.deal == note.deal for choice in coup.decisions)
        facts = (*(card.fact for card in strays[:1]), note.fact)
        if strays and not decided:
            course.irregular("CH-15", "card_to_empty_box", "misdeal", facts, "cards back, bets stay, dealt anew")
        else:
            text = "dealt anew after a decision" if decided else "dealt anew without a card to an empty box"
            mark = Mark(
                rule="CH-15", code="redeal_unfounded", kind="ruling_required", scope="round", subject=coup.name,
                facts=facts, text=text,
            )  # fmt: skip
            course.marks.append(mark)


def _counts(course: Course) -> None:
    """CH-15: two cards for every box in play and for the Dealer, none for anybody else."""
    by_place: dict[str, list[Laid]] = {}
    for card in _hole_cards(course.coup.cards):
        by_place.setdefault(card.to, []).append(card)
    wanted = {box_place(box) for box in course.boxes}
    for place, own in by_place.items():
        box = box_number(place)
        if box is not None and place not in wanted:
            _to_empty_box(course, box, own)
    if not course.over or not by_place:
        return
    for box in course.boxes:
        own = by_place.get(box_place(box), [])
        if len(own) != 2:
            course.irregular(
                "CH-15", "box_wrong_count", "void", _facts(own, course), f"{len(own)} cards", box=box,
                absent=len(own) < 2,
            )  # fmt: skip
    own = by_place.get(DEALER, [])
    if len(own) != 2:
        text = f"the Dealer has {len(own)} cards"
        course.irregular("CH-15", "dealer_wrong_count", "void", _facts(own, course), text, absent=len(own) < 2)


def _facts(cards: Iterable[Laid], course: Course) -> tuple[Fact, ...]:
    facts = tuple(card.fact for card in cards)
    return facts or ((course.first.fact,) if course.first is not None else ())


def _to_empty_box(course: Course, box: int, cards: list[Laid]) -> None:
    coup = course.coup
    begun = course.over or any(note.deal == coup.deal for note in coup.decisions) or _has_play(course)
    kind: Kind = "breach" if begun else "misdeal"
    text = "noticed after a decision: the cards stand" if begun else "before any decision: cards back, bets stay"
    course.redeal_due = course.redeal_due or not begun
    course.irregular("CH-15", "card_to_empty_box", kind, tuple(card.fact for card in cards), text, box=box)


def _has_play(course: Course) -> bool:
    first = course.coup.first_card
    return first is not None and any(stake.spot == "play" and stake.order > first.order for stake in course.coup.stakes)


def _order(course: Course, up: bool) -> None:
    """CH-15: who gets which card, in which order off the deck, and how the Dealer's two lie."""
    cards = off_the_deck(_hole_cards(course.coup.cards))
    dealers = [card for card in cards if card.dealt_to == DEALER]
    if dealers and (dealers[0].face == "up") != up:
        _breach(course, "CH-15", "dealer_first_card_face", (dealers[0].fact,), f"dealt face {dealers[0].face}")
    if len(dealers) > 1 and dealers[1].face == "up":
        course.irregular("CH-24", "dealer_hole_exposed", "void", (dealers[1].fact,), "dealt face up")
    for card in cards:
        box = box_number(card.dealt_to)
        if box is not None and card.face == "up" and box in course.boxes:
            course.irregular("CH-15", "player_card_exposed", "breach", (card.fact,), "dealt face up", box=box)
    if len(cards) == 2 * len(course.boxes) + 2 and not course.void and not course.void_boxes:
        wrong = out_of_place(cards, round_robin(course.boxes, 2))
        if wrong:
            card, place = wrong[0]
            number = cards.index(card) + 1
            _breach(course, "CH-15", "deal_order", (card.fact,), f"card {number} went to {card.dealt_to}, not {place}")
            return
    _places(course)


def _places(course: Course) -> None:
    """Every card off the deck is on record in its turn: no place is skipped or given twice."""
    cards = course.coup.cards
    boxed = [note.event.seq for note in course.coup.notes(bg.CardShown) if _is_boxed(note.event)]
    if not cards or any(card.seq is None for card in cards) or None in boxed:
        return
    listed = off_the_deck(cards)
    taken = sorted([card.seq or 0 for card in cards] + [seq for seq in boxed if seq not in {c.seq for c in cards}])
    for place, seq in enumerate(taken, 1):
        if seq != place:
            card = next((card for card in listed if card.seq == seq), listed[-1])
            rule = {"flop": "CH-18", "turn": "CH-20", "river": "CH-20"}.get(card.dealt_to, "CH-15")
            text = f"{card.dealt_to} has place {seq} off the deck, {place} was next"
            if course.touched:
                course.marks.append(missing(rule, "deck_position", facts=(card.fact,), subject=course.coup.name))
            else:
                _breach(course, rule, "deck_position", (card.fact,), text)
            return


def _breach(course: Course, rule: str, code: str, facts: tuple[Fact, ...], text: str) -> None:
    course.marks.append(
        Mark(rule=rule, code=code, kind="breach", scope="round", subject=course.coup.name, facts=facts, text=text)
    )


# The board ------------------------------------------------------------------------------------------------------------


def _board(course: Course) -> None:
    """CH-18 and CH-20: one burn, three cards; one burn, two cards; nothing seen before its window closed."""
    cards = course.coup.cards
    flop, turn = _first_at(cards, "flop"), _first_at(cards, "turn", "river")
    if flop is not None:
        _burns(course, "CH-18", "flop", -1, flop)
    if turn is not None:
        _burns(course, "CH-20", "turn", flop.order if flop is not None else -1, turn)
    flops = [card for card in off_the_deck(cards) if card.dealt_to == "flop"]
    close = course.closes.get(2)
    early = flops[3:]
    if early and (early[0].face == "up" or early[0].card != UNKNOWN):
        text = "a fourth card of the flop was seen"
        course.irregular("CH-20", "board_exposed_early", "void", tuple(card.fact for card in early), text)
    elif early:
        facts = tuple(card.fact for card in early)
        course.irregular("CH-18", "board_wrong_count", "breach", facts, "a fourth card lay with the flop, unseen")
    elif close is not None and flops:
        came = sum(1 for card in flops if card.order < close.order)
        if came < 3:
            text = f"the flop had {came} cards; the next one completes it"
            course.irregular("CH-18", "board_wrong_count", "breach", (flops[-1].fact,), text, absent=True)
    late = [card for card in off_the_deck(cards) if card.dealt_to in ("turn", "river")]
    if len(late) > 2:
        facts = tuple(card.fact for card in late[2:])
        course.irregular("CH-20", "board_wrong_count", "breach", facts, "the first two off the deck stand")
    turned = course.coup.dealer_turned
    if turned is not None and 3 not in course.closes:
        text = "the Dealer turned his cards before the river was out"
        course.irregular("CH-24", "dealer_hole_exposed", "void", (turned.fact,), text, absent=True)


def _burns(course: Course, rule: str, street: str, after: int, until: Laid) -> None:
    burns = [card for card in course.coup.cards if card.dealt_to == "burn" and after < card.order < until.order]
    if not burns:
        text = f"no card was burnt before the {street}"
        course.irregular(rule, "burn_omitted", "breach", (until.fact,), text, absent=True)
    elif len(burns) > 1:
        text = f"{len(burns)} cards were burnt before the {street}"
        course.irregular(rule, "burn_doubled", "breach", tuple(card.fact for card in burns), text)


# Cards seen, and the deck itself --------------------------------------------------------------------------------------


def _shown(course: Course) -> None:
    """Cards that somebody let be seen (casino-holdem.md 1.1 and CH-A14)."""
    coup = course.coup
    for note in coup.notes(bg.CardShown):
        event = note.event
        if note.deal != coup.deal or event.where in ("burn", "discards", "cut"):
            continue
        if event.where == "deck" and not _is_boxed(event):
            continue  # conduct (CH-16): the card is where it was
        if event.where == "deck":
            rule = {"flop": "CH-18", "turn": "CH-20", "river": "CH-20"}.get(event.place or "", "CH-15")
            text = f"{card_text(event.card)} lay face up in the deck; the next card takes its place"
            course.irregular(rule, "boxed_card", "breach", (note.fact,), text)
            continue
        place = event.place or _place_of(course, event)
        box = box_number(place)
        if box is not None:
            if event.by != "player" and course.window(note.order) != "over":
                course.irregular("CH-15", "player_card_exposed", "breach", (note.fact,), "the card stands", box=box)
        elif place == DEALER:
            if not _is_up_card(course, event) and course.window(note.order) != "over":
                text = "the Dealer's second card was seen before window 3 closed"
                course.irregular("CH-24", "dealer_hole_exposed", "void", (note.fact,), text)
        elif place in BOARD:
            close = course.closes.get(1 if place == "flop" else 2)
            if close is None or note.order < close.order:
                rule = "CH-18" if place == "flop" else "CH-20"
                text = f"a card of the {place} was seen while the window ahead of it was open"
                course.irregular(rule, "board_exposed_early", "void", (note.fact,), text)


def _is_boxed(event: Any) -> bool:
    """A card that lay face up in the deck; one that a player looked at there did not."""
    return bool(event.where == "deck" and event.by != "player")


def _place_of(course: Course, event: Any) -> str:
    for card in course.coup.cards:
        if (event.seq is not None and event.seq == card.seq) or (event.card != UNKNOWN and event.card == card.card):
            return card.to
    return ""


def _is_up_card(course: Course, event: Any) -> bool:
    """The Dealer's first card lies open anyway."""
    own = off_the_deck(card for card in course.coup.cards if card.dealt_to == DEALER)
    if not own or own[0].face != "up":
        return False
    return (event.card != UNKNOWN and event.card == own[0].card) or (event.seq is not None and event.seq == own[0].seq)


def _fouled(course: Course) -> None:
    """CH-01: all cards of a deal are distinct and belong to the 52."""
    coup = course.coup
    twice = seen_twice(coup)
    if twice:
        facts = tuple(card.fact for card in coup.cards if card.card in twice) or _facts((), course)
        text = f"{', '.join(map(card_text, twice))} came twice"
        course.irregular("CH-01", "fouled_deck", "void", facts, text)
    for note in coup.notes(bg.DefectFound, tb.DeckInspected):
        event = note.event
        if isinstance(event, bg.DefectFound) and event.kind in FOULS:
            course.irregular("CH-01", "fouled_deck", "void", (note.fact,), f"the deck has a card {event.kind}")
        elif isinstance(event, tb.DeckInspected) and not event.complete:
            course.irregular("CH-01", "fouled_deck", "void", (note.fact,), "the deck was counted and is not complete")
        elif isinstance(event, bg.DefectFound):
            mark = Mark(
                rule="CH-01", code="deck_defect", kind="ruling_required", scope="round", subject=coup.name,
                facts=(note.fact,), text=event.kind,
            )  # fmt: skip
            course.marks.append(mark)


def _contradicted(course: Course) -> None:
    """A hand turned up otherwise than it was dealt: nobody can tell which record is right, so a person rules."""
    coup = course.coup
    if coup.dealer_turned is not None and _differs(coup, DEALER, coup.dealer_turned):
        mark = Mark(
            rule="CH-24", code="cards_contradict", kind="ruling_required", scope="round", subject=coup.name,
            facts=_both(coup, DEALER, coup.dealer_turned), text="the Dealer turned up other cards than he was dealt",
        )  # fmt: skip
        course.marks.append(mark)
        course.doubtful = frozenset(course.boxes)
    for note in coup.turned:
        place = box_place(note.event.box)
        if note.deal != coup.deal or not _differs(coup, place, note):
            continue
        mark = Mark(
            rule="CH-31", code="cards_contradict", kind="ruling_required", scope="hand", subject=place,
            facts=_both(coup, place, note), text="other cards were turned up than were dealt there",
        )  # fmt: skip
        course.marks.append(mark)
        course.doubtful |= {note.event.box}


def _differs(coup: Coup, place: str, note: Noted) -> bool:
    return contradicts(note.event.cards, [card.card for card in coup.cards if card.to == place])


def _both(coup: Coup, place: str, note: Noted) -> tuple[Fact, ...]:
    return (*(card.fact for card in coup.cards if card.to == place), note.fact)


def seen_twice(coup: Coup) -> tuple[str, ...]:
    """Cards that are on the table more than once in the current deal, as dealt or as turned."""
    places = dict.fromkeys(card.to for card in coup.cards)
    count: dict[str, int] = {}
    for place in places:
        own = hand(coup, place) if _is_hand(place) else None
        names = own if own is not None else tuple(card.card for card in coup.cards if card.to == place)
        for name in names:
            if name != UNKNOWN:
                count[name] = count.get(name, 0) + 1
    return tuple(name for name, times in count.items() if times > 1)
