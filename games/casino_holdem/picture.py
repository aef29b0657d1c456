"""The table as a person sees it: Dealer and board, the boxes from left to right, the settlement line by line.

Readable without colour, 99 columns at most. Down cards show to whoever may see them; a hand is named where all its
cards are seen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from events.schema.event import Event
from games.casino_holdem.boxes import Box
from games.casino_holdem.course import Course
from games.casino_holdem.events import BetCounted, SeenBoxAnnounced
from games.casino_holdem.payouts import Analysis, analyse
from games.casino_holdem.plays import standing
from games.casino_holdem.table import SPOTS, Session
from games.picture import Panel, Picture, Span, Viewpoint, fitted, line
from games.shared.bank import wording
from games.shared.bank.deck import DEALER, box_place
from games.shared.bank.picture import Spans, all_seen, cards_span, seen, settlement_panel, stakes_text
from games.shared.poker.ranks import category, hand_name, rank_key

BOXES_SHOWN = 12
_ORDER = {spot: place for place, spot in enumerate(SPOTS)}


def picture(session: Session, viewpoint: Viewpoint) -> Picture:
    """The panels of the current round; one line if there is none yet."""
    coup = session.coup
    if coup is None:
        return (Panel("Table", (line(Span("no round yet", "dim")),)),)
    analysis = analyse(session)
    course = analysis.course
    assert course is not None
    panels = [Panel(f"Dealer, round {coup.name}", tuple(map(fitted, _dealer(course, viewpoint))))]
    boxes = [fitted(spans) for box in analysis.boxes[:BOXES_SHOWN] for spans in _box(course, box, viewpoint)]
    if len(analysis.boxes) > BOXES_SHOWN:
        boxes.append(line(Span(f"… and {len(analysis.boxes) - BOXES_SHOWN} more", "dim")))
    panels.append(Panel("Boxes", tuple(boxes) or (line(Span("no bets yet", "dim")),)))
    panels += _outcome(analysis)
    return tuple(panels)


def _dealer(course: Course, view: Viewpoint) -> Iterator[Spans]:
    own = seen(course.coup, DEALER, view)
    name = _named(own, course.board)
    if name:
        pair = category(rank_key((*own, *course.board))) != "high card"
        name += ", qualifies" if pair else ", does not qualify"
    yield line("cards  ", cards_span(own, 10), Span(name, "bold") if name else "")
    yield line(
        "board  ", cards_span(course.board), Span("  (not all out yet)", "dim") if 0 < len(course.board) < 5 else ""
    )


def _named(own: Sequence[str], board: Sequence[str]) -> str:
    """The hand in words, once the board is out and all its cards are seen."""
    cards = (*own, *board)
    if len(own) != 2 or len(board) != 5 or not all_seen(cards) or len(set(cards)) != 7:
        return ""
    return hand_name(cards)


def _box(course: Course, box: Box, view: Viewpoint) -> Iterator[Spans]:
    own = seen(course.coup, box_place(box.number), view)
    bets = stakes_text((part.stake for part in box.all_parts), _ORDER)
    state = _state(course, box)
    yield line(
        f"{box.number:>2} {box.owner:<10.10} {'seen ' if box.seen else 'blind'} ", cards_span(own, 9), f"{bets}  ",
        Span(state, "dim" if box.folded else "now"),
    )  # fmt: skip
    name = _named(own, course.board)
    if name:
        yield line(" " * 20, Span(name, "bold"))


def _state(course: Course, box: Box) -> str:
    if box.folded:
        return "folded, had said nothing" if box.silent else "folded"
    if not standing(box):
        return ""
    window = next((course.window(part.stake.order) for part in box.parts["play"] if part.live), "")
    return f"played in window {window}"


def _outcome(analysis: Analysis) -> Iterator[Panel]:
    """What is due, and what waits for a person; nothing while hands are still open."""
    settlement = analysis.settlement
    if not settlement.known or not any(line_.taken or line_.paid or line_.returned for line_ in settlement.lines):
        return
    course = analysis.course
    assert course is not None
    if not (course.ended or analysis.void):
        return
    title = "Settlement"
    if analysis.void:
        title += ": void, every bet goes back"
    elif any(mark.kind == "ruling_required" for mark in analysis.marks):
        title += ": as it lies, a person rules"
    panel = settlement_panel(settlement.lines, title=title)
    if panel is not None:
        yield panel


def tell(event: Event, currency: str) -> str:
    """A record of this room in words; amounts in the table's currency."""
    if isinstance(event, SeenBoxAnnounced):
        return f"{event.player} will look at the cards of box {event.box}"
    if isinstance(event, BetCounted):
        return f"the {event.spot} of box {event.box} is counted for its player"
    return wording.tell(event, currency)
