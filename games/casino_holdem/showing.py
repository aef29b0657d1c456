"""The end of a coup: the Dealer's reveal, hands named aloud, blind boxes turned last, boxes settled in their order.

These look at the whole round as it was recorded, so they run when it is judged, not while it is played.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from events.schema.common import ChipsMoved
from events.schema.fact import Fact
from games.casino_holdem.payouts import Analysis, analysis_of
from games.casino_holdem.table import Session
from games.protocol import Round
from games.shared.bank import events as bg
from games.shared.bank.deck import box_place
from games.shared.booked import settles
from games.shared.marks import Mark, missing
from games.shared.poker.ranks import CATEGORIES


class _Ending(Struct):
    """A round's last part in its own order: what was turned, which box's stakes were settled."""

    reveal: Fact | None = None
    turned: dict[int, tuple[int, Fact]] = {}
    settled: dict[int, tuple[int, Fact]] = {}
    touched_boxes: list[tuple[int, int]] = []


def ending(round_: Round[Session]) -> tuple[Mark, ...]:
    """Marks on the end of a round; worked out once."""
    memo = round_.memo
    if "ending" not in memo:
        analysis = analysis_of(round_)
        memo["ending"] = tuple(_marks(round_, analysis)) if analysis.course is not None else ()
    marks: tuple[Mark, ...] = memo["ending"]
    return marks


def _marks(round_: Round[Session], analysis: Analysis) -> Iterator[Mark]:
    course = analysis.course
    assert course is not None
    yield from _announced(analysis)
    if analysis.void:
        return
    end = _read(round_, analysis)
    if end.reveal is None:
        paid = [fact for fact in course.coup.settles if getattr(fact.event, "cause", "") != "return"]
        if paid and course.coup.dealer_turned is None:
            text = "boxes were settled, and he had not shown his second card"
            yield _absent(round_, "CH-24", "dealer_not_turned", (paid[0],), text, round_.name, "")
        return
    yield from _order(round_, end)
    yield from _blind(round_, analysis, end)


def _read(round_: Round[Session], analysis: Analysis) -> _Ending:
    """What came after the Dealer's reveal, and boxes turned before it."""
    course = analysis.course
    assert course is not None
    close = course.closes.get(3)
    end = _Ending(reveal=close.fact if close is not None else None, turned={}, settled={}, touched_boxes=[])
    box_of = {part.stake.id: box.number for box in analysis.boxes for part in box.all_parts}
    shown = False
    for at, fact in enumerate(round_.facts):
        event = fact.event
        shown = shown or fact is end.reveal
        if isinstance(event, bg.BoxTurned):
            end.turned.setdefault(event.box, (at if shown else -1, fact))
            end.touched_boxes.append((at, event.box))
        elif shown and isinstance(event, ChipsMoved) and settles(event) and event.stake in box_of:
            box = box_of[event.stake]
            end.settled.setdefault(box, (at, fact))
            end.touched_boxes.append((at, box))
    return end


def _order(round_: Round[Session], end: _Ending) -> Iterator[Mark]:
    """CH-34: the first box from the Dealer's left is settled first, and so on (CH-A24)."""
    last = 0
    for box, (_at, fact) in sorted(end.settled.items(), key=lambda item: item[1][0]):
        if box < last:
            text = f"box {box} was settled after box {last}"
            yield Mark(
                rule="CH-34", code="settlement_order", kind="breach", scope="round", subject=box_place(box),
                facts=(fact,), text=text,
            )  # fmt: skip
            return
        last = box


def _blind(round_: Round[Session], analysis: Analysis, end: _Ending) -> Iterator[Mark]:
    """CH-08: a blind box is turned after the Dealer's reveal, when its own turn to be settled comes."""
    for box in analysis.boxes:
        if box.seen or not any(box.live(spot) for spot in box.parts):
            continue
        settled = end.settled.get(box.number)
        turned = end.turned.get(box.number)
        if turned is None:
            if settled is not None:
                text = f"box {box.number} was settled unturned"
                yield _absent(round_, "CH-08", "blind_box_not_turned", (settled[1],), text, box.number, box.owner)
            continue
        text = ""
        if turned[0] < 0:
            text = "turned before the Dealer had shown his second card"
        elif settled is not None and settled[0] < turned[0]:
            text = "turned after it had been settled"
        elif settled is not None and any(
            turned[0] < at < settled[0] and other != box.number for at, other in end.touched_boxes
        ):
            text = "turned before its turn to be settled came"
        if text:
            yield Mark(
                rule="CH-08", code="blind_box_turned_early" if "before" in text else "blind_box_turned_late",
                kind="breach", scope="hand", subject=box_place(box.number), player=box.owner, facts=(turned[1],),
                text=text,
            )  # fmt: skip


def _absent(
    round_: Round[Session], rule: str, code: str, facts: tuple[Fact, ...], text: str, where: int | str, player: str
) -> Mark:
    subject = box_place(where) if isinstance(where, int) else where
    if round_.touched:
        return missing(rule, code, facts=facts, subject=subject)
    return Mark(
        rule=rule, code=code, kind="breach", scope="hand", subject=subject, facts=facts, text=text, player=player
    )


# Hands named aloud ----------------------------------------------------------------------------------------------------


def _announced(analysis: Analysis) -> Iterator[Mark]:
    """CH-24, CH-31: cards speak; a hand wrongly named has no effect."""
    course = analysis.course
    assert course is not None
    coup = course.coup
    any_hands = next(iter(analysis.hands.values()), None)
    if coup.dealer_turned is not None and any_hands is not None:
        yield from _named("CH-24", coup.dealer_turned.fact, any_hands.dealer, coup.name, "")
    owners = {box.number: box.owner for box in analysis.boxes}
    for note in coup.turned:
        hands = analysis.hands.get(note.event.box)
        if hands is not None and note.deal == coup.deal:
            place, owner = box_place(note.event.box), owners.get(note.event.box, "")
            yield from _named("CH-31", note.fact, hands.player, place, owner)


def _named(rule: str, fact: Fact, actual: str, subject: str, player: str) -> Iterator[Mark]:
    event = fact.event
    assert isinstance(event, bg.BoxTurned | bg.DealerTurned)
    said = named_hand(event.announced)
    if said is not None and said != actual:
        yield Mark(
            rule=rule, code="misannounced_hand", kind="corrected", scope="hand", subject=subject, player=player,
            facts=(fact,), remedy={"hand": actual}, text=f"announced as {said}; it is {actual}",
        )  # fmt: skip


def named_hand(words: str) -> str | None:
    """The category that somebody named: the longest name found in what he said, `a pair of kings` → `pair`."""
    said = words.lower().replace("_", " ")
    found = [name for name in CATEGORIES if name in said]
    return max(found, key=len, default=None)
