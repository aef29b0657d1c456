"""The one settlement of casino hold'em: what every stake on every box is due.

Cards first (`course`), then bets and decisions (`boxes`, `plays`), then how the game was run (`procedure`), rulings,
and the money (`settling`). Checks read the marks that this leaves behind; nothing is settled twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from events.values.cards import UNKNOWN
from events.values.money import amount_text
from games.casino_holdem.boxes import Box, Reading, boxes_of, removed
from games.casino_holdem.course import Course, asks, course_of, with_folded_cards
from games.casino_holdem.parameters import PARAMETERS
from games.casino_holdem.plays import read_plays
from games.casino_holdem.procedure import procedure
from games.casino_holdem.rulings import rulings_of
from games.casino_holdem.settling import Bets, Hands, compare, settle
from games.casino_holdem.table import SPOTS, Session
from games.house_rules.edition import Edition
from games.protocol import Round
from games.shared.bank import events as bg
from games.shared.bank.advisory import other_readings
from games.shared.bank.deck import box_place, hand
from games.shared.bank.parts import Part, give_back, hold, line_of, lose, push, win
from games.shared.lines import merged, refunded
from games.shared.marks import Mark
from games.shared.rulings import Rulings, void_bet
from games.verdict import Line, Settlement

RULE_OF_READING = {
    "ante_when_dealer_not_qualified": "CH-29",
    "tie": "CH-27",
    "blind_box_play": "CH-09",
    "blind_box_without_play": "CH-09",
    "play_amount_correction": "CH-17",
    "ante_blind_mismatch": "CH-13",
    "early_fold": "CH-21",
    "non_value_chips": "CH-04",
    "shuffle_breach_remedy": "CH-11",
    "reshuffle_mid_round": "CH-12",
    "collusion_remedy": "CH-16",
    "payout_unit": "CH-33",
}
"""Parameters whose other reading may move other money, and the rule under which that is told; the fold clause tells
both amounts always (CH-22)."""


class Analysis(Struct, frozen=True):
    """A coup judged by what is known of it so far. `hands`: box → both hands, where all cards are known; `void`: the
    round is. `course`: None before the first record of a round."""

    settlement: Settlement
    marks: tuple[Mark, ...] = ()
    boxes: tuple[Box, ...] = ()
    course: Course | None = None
    hands: dict[int, Hands] = {}
    void: bool = False


def due(round_: Round[Session]) -> Settlement:
    """What the rules make of the coup, a line a stake, box by box in the order of settlement.

    Lines are `held` where the cards are not known (`known` false), and where a folded hand cannot be rebuilt.
    """
    return analysis_of(round_).settlement


def analysis_of(round_: Round[Session]) -> Analysis:
    """How the round's settlement comes about; worked out once a round."""
    memo = round_.memo
    if "analysis" not in memo:
        memo["analysis"] = analyse(round_.session, touched=round_.touched)
    analysis: Analysis = memo["analysis"]
    return analysis


def analyse(session: Session, *, touched: bool = False) -> Analysis:
    """The session's current coup. `touched`: a hole in the record touches it."""
    analysis = _analyse(session, touched=touched)

    def by(edition: Edition) -> Settlement:
        return _analyse(replace(session, edition=edition), touched=touched).settlement

    readings = tuple(other_readings(session.edition, PARAMETERS, RULE_OF_READING, analysis.settlement, by))
    return replace(analysis, marks=(*analysis.marks, *readings)) if readings else analysis


def _analyse(session: Session, *, touched: bool) -> Analysis:
    if session.coup is None:
        return Analysis(Settlement())
    coup = with_folded_cards(session.coup)
    course = course_of(session, coup, touched=touched)
    reading = Reading(session=session, coup=coup, course=course, marks=course.marks)
    boxes = boxes_of(reading)
    read_plays(reading, boxes)
    removed(reading, boxes)
    reading.marks += procedure(reading, boxes)
    rulings = rulings_of(session, coup)
    hands = _hands(course, boxes, doubtful=frozenset() if rulings.counts else course.doubtful)
    reading.marks += _ruled_bets(rulings, boxes)
    reading.marks += _lost_hands(reading, boxes, hands)
    known = _settle(reading, boxes, hands)
    reading.marks += _fold_readings(reading, boxes, hands)
    lines = merged(tuple(line_of(part) for box in boxes for part in _in_order(box)))
    return _ruled(reading, boxes, hands, rulings, lines, known)


def _in_order(box: Box) -> Iterator[Part]:
    for spot in SPOTS:
        yield from box.parts[spot]
    yield from box.out


# Hands ----------------------------------------------------------------------------------------------------------------


def _hands(course: Course, boxes: Iterable[Box], *, doubtful: frozenset[int]) -> dict[int, Hands]:
    """Box → both hands, where the seven cards of both are known and all different, and no record doubts them."""
    found: dict[int, Hands] = {}
    board, dealer = course.board, course.dealer
    if len(board) != 5 or len(dealer) != 2:
        return found
    for box in boxes:
        if box.number in doubtful:
            continue
        own = hand(course.coup, box_place(box.number))
        cards = (*own, *dealer, *board)
        if len(own) == 2 and UNKNOWN not in cards and len(set(cards)) == 9:
            found[box.number] = compare(own, dealer, board)
    return found


def _lost_hands(reading: Reading, boxes: Iterable[Box], hands: dict[int, Hands]) -> Iterator[Mark]:
    """CH-22: folded cards are kept at the box; mixed into the discards unseen, the hand cannot be rebuilt."""
    away = {
        note.event.frm: note.fact
        for note in reading.coup.notes(bg.CardReassigned)
        if note.event.to in ("discards", "deck")
    }
    for box in boxes:
        place = box_place(box.number)
        if place not in away or not box.folded or box.number in hands or UNKNOWN not in hand(reading.coup, place):
            continue
        hold((part for spot in SPOTS for part in box.parts[spot] if part.live), "CH-22", "folded_cards_lost")
        mark = Mark(
            rule="CH-22", code="folded_cards_lost", kind="breach", scope="hand", subject=place, player=box.owner,
            facts=(away[place],), text="its cards lie among the discards, and nobody knows them",
        )  # fmt: skip
        yield mark
        yield asks(mark)


def _fold_readings(reading: Reading, boxes: Iterable[Box], hands: dict[int, Hands]) -> Iterator[Mark]:
    """CH-22: both amounts of a folded box, where the two readings of the fold clause differ (CH-A1)."""
    constants, settings = reading.session.edition.constants, reading.settings
    for box in boxes:
        both = hands.get(box.number)
        if not box.folded or both is None or not (box.live("ante") or box.live("blind")):
            continue
        totals = {
            reading_: sum(
                result.net
                for result in settle(
                    _bets(box), both, constants, {**settings, "fold_settlement": reading_}, folded=True
                ).values()
            )
            for reading_ in ("ante_blind_trips_live", "trips_only")
        }
        live, trips = totals.values()
        if live != trips:
            facts = (box.fold.fact,) if box.fold is not None else ()
            text = f"compared {_signed(live)}, Ante and Blind lost {_signed(trips)}"
            yield Mark(
                rule="CH-22", code="fold_settlement", kind="advisory", scope="hand", subject=box_place(box.number),
                player=box.owner, facts=facts, remedy={**totals, "difference": abs(live - trips)}, text=text,
            )  # fmt: skip


def _signed(amount: int) -> str:
    return f"{'+' if amount > 0 else ''}{amount_text(amount)}"


# Money ----------------------------------------------------------------------------------------------------------------


def _bets(box: Box) -> Bets:
    return Bets(**{spot: box.live(spot) for spot in SPOTS})


def _settle(reading: Reading, boxes: Iterable[Box], hands: dict[int, Hands]) -> bool:
    """Every stake of every box; false if the record does not tell what some are due."""
    known = True
    for box in boxes:
        mark = reading.course.void_boxes.get(box.number)
        if mark is not None and not rulings_of(reading.session, reading.coup).counts:
            give_back((part for spot in SPOTS for part in box.parts[spot]), mark.rule, mark.code)
            continue
        live = [part for spot in SPOTS for part in box.parts[spot] if part.live and not part.held]
        for part in (own for spot in SPOTS for own in box.parts[spot] if not own.live):
            give_back((part,), part.rule or "CH-33")
        both = hands.get(box.number)
        if not live:
            continue
        if both is None or not reading.course.ended:
            hold(live, "")
            known = False
            continue
        results = settle(_bets(box), both, reading.session.edition.constants, reading.settings, folded=box.folded)
        for spot, result in results.items():
            own = [part for part in live if part.stake.spot == spot]
            if result.won:
                win(own, result.won, result.rule)
            elif result.lost:
                lose(own, result.rule)
            else:
                push(own, result.rule)
    return known


def _ruled_bets(rulings: Rulings, boxes: Iterable[Box]) -> Iterator[Mark]:
    """Bets that a ruling voids."""
    for ruling in rulings.on_bets:
        for box in boxes:
            for part in (own for spot in SPOTS for own in box.parts[spot]):
                if ruling.reaches(part.stake.id, box.owner):
                    give_back((part,), ruling.rule, ruling.code)
                    yield replace(void_bet(ruling, line_of(part)), player=box.owner)


def _ruled(
    reading: Reading,
    boxes: list[Box],
    hands: dict[int, Hands],
    rulings: Rulings,
    lines: tuple[Line, ...],
    known: bool,
) -> Analysis:
    """What a person decided goes before what the facts make of the round; both before the money of single boxes."""
    marks: Sequence[Mark] = reading.marks
    asked = any(mark.kind == "ruling_required" for mark in marks)
    if rulings.void or rulings.counts:
        answer = rulings.counts or rulings.void[0].basis
        marks = [_answered(mark, answer, stands=bool(rulings.counts)) for mark in marks]
        asked = False
    grounds = list(rulings.void) or [mark for mark in marks if mark.kind == "void" and mark.scope == "round"]
    marks = (*rulings.void, *rulings.invalid, *marks)
    if not grounds:
        candidates = {"refund": tuple(refunded(line, "CH-15") for line in lines)} if asked and lines else {}
        settlement = Settlement(lines=lines, known=known, candidates=candidates)
        return Analysis(settlement, tuple(marks), tuple(boxes), reading.course, hands)
    codes = tuple(dict.fromkeys(mark.code for mark in grounds))
    back = tuple(replace(refunded(line, grounds[0].rule), reasons=codes) for line in lines)
    settlement = Settlement(lines=back, candidates={"valid": lines} if asked and known and lines else {})
    kept = tuple(mark for mark in marks if mark.kind not in ("corrected", "advisory", "unverified"))
    return Analysis(settlement, kept, tuple(boxes), reading.course, hands, void=True)


def _answered(mark: Mark, ruling: str, *, stands: bool) -> Mark:
    """A mark that waited for a person who has ruled: what he let stand is only told."""
    if mark.kind == "ruling_required" or (stands and mark.kind == "void" and mark.scope in ("round", "hand")):
        return replace(mark, kind="advisory", basis=ruling)
    return mark
