"""What may happen next at a casino hold'em table, where the next card goes, and which payments are due."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from events.schema.common import CutMade, ShuffleStep
from events.values.money import amount_text
from games.casino_holdem.boxes import Box
from games.casino_holdem.course import Course
from games.casino_holdem.payouts import Analysis, analyse
from games.casino_holdem.plays import standing
from games.casino_holdem.procedure import STEPS
from games.casino_holdem.table import BOARD, MAIN, Coup, Session
from games.protocol import Action, Due, Expectation
from games.shared.bank import events as bg
from games.shared.bank.deck import box_place, round_robin
from games.shared.bank.dues import dues
from games.shared.booked import booked


def expects(session: Session) -> Expectation:
    """The phase in the floor's words, who may act, where the next card goes, and what the bank owes or is owed now.

    Phases: `between rounds`, `bets`, `deal`, `window 1`, `flop`, `window 2`, `turn and river`, `window 3`,
    `settlement`, `settled`, `void`, `misdeal`, `ruling`, `closed`. A bet's bounds are those of a box.
    """
    coup = session.coup
    if session.closed:
        return Expectation(phase="closed")
    if coup is None or coup.closed is not None:
        return Expectation(
            phase="between rounds", actor="players", actions=(*_shuffle(session), *_bets(session, None, ()))
        )
    analysis = analyse(session)
    course = analysis.course
    assert course is not None
    if analysis.void:
        return _void(coup, analysis)
    if course.redeal_due:
        return Expectation(phase="misdeal", actor="dealer", actions=(_dealer("call the deal off"),), note="bets stay")
    if course.first is None:
        ready = not _shuffle(session)
        return Expectation(
            phase="bets",
            actor="players",
            actions=(*_bets(session, coup, analysis.boxes), *_shuffle(session)),
            next_card=box_place(course.boxes[0]) if ready and course.boxes else "",
        )
    return _in_play(session, coup, analysis, course)


def _dealer(name: str) -> Action:
    return Action(actor="dealer", name=name)


def _shuffle(session: Session) -> tuple[Action, ...]:
    """The next step of the shuffle, if one is still to be done (CH-11)."""
    coup = session.coup
    dealt = coup is not None and coup.closed is None and coup.first_card is not None
    if dealt or not (session.edition["shuffle_each_round"] or not session.dealt):
        return ()
    done = [fact.event.step for fact in session.prepared if isinstance(fact.event, ShuffleStep)]
    orders = [at for at, fact in enumerate(session.prepared) if isinstance(fact.event, bg.ShuffleOrdered)]
    if orders:
        later = session.prepared[orders[-1] :]
        done = [fact.event.step for fact in later if isinstance(fact.event, ShuffleStep)]
    for step in STEPS:
        if step not in done:
            return (_dealer(step),)
        done = done[done.index(step) + 1 :]
    cut = any(isinstance(fact.event, CutMade) for fact in session.prepared)
    return (_dealer("cut"),) if session.edition["cut_required"] and not cut else ()


def _bets(session: Session, coup: Coup | None, boxes: tuple[Box, ...]) -> tuple[Action, ...]:
    """Ante and Blind of equal amount, Trips beside them if wanted; nothing once the cards are dealt."""
    low, high = session.limits.of("ante")
    least, most = session.limits.own_of("trips")
    actions = [Action(actor="players", name="ante and blind, the same on both", low=low, high=high)]
    actions.append(Action(actor="players", name="trips beside them", low=least, high=most))
    for box in boxes if coup is not None else ():
        ante, blind = (sum(part.amount for part in box.parts[spot] if not part.stake.currency) for spot in MAIN)
        if ante != blind:
            text = f"make Ante and Blind of box {box.number} equal: {amount_text(ante)}, {amount_text(blind)}"
            actions.append(_dealer(text))
    return tuple(actions)


# Cards and windows ----------------------------------------------------------------------------------------------------


def _in_play(session: Session, coup: Coup, analysis: Analysis, course: Course) -> Expectation:
    wanted = round_robin(course.boxes, 2)
    laid = [card for card in coup.cards if card.dealt_to == "dealer" or card.dealt_to.startswith("box/")]
    if len(laid) < len(wanted) and not course.closes:
        return Expectation(phase="deal", actor="dealer", next_card=wanted[len(laid)])
    board = [card for card in coup.cards if card.dealt_to in BOARD]
    flops = sum(1 for card in board if card.dealt_to == "flop")
    if 1 not in course.closes:
        return _window(session, analysis, 1, "burn")
    if flops < 3 and len(board) == flops:
        return Expectation(phase="flop", actor="dealer", next_card="flop")
    if 2 not in course.closes:
        return _window(session, analysis, 2, "burn")
    if len(board) < 5:
        street = "turn" if not any(card.dealt_to == "turn" for card in board) else "river"
        return Expectation(phase="turn and river", actor="dealer", next_card=street)
    if 3 not in course.closes:
        return _window(session, analysis, 3, "")
    return _settlement(coup, analysis)


def _window(session: Session, analysis: Analysis, number: int, next_card: str) -> Expectation:
    """Boxes without a Play bet may put one down; in window 3 the seen ones may fold instead."""
    course = analysis.course
    assert course is not None
    settings = session.edition
    actions: list[Action] = []
    for box in analysis.boxes:
        ante = box.live("ante")
        if not ante or box.folded or standing(box) or box.number not in course.boxes:
            continue
        actor = box_place(box.number)
        if box.looked is None and (box.seen or settings["blind_box_play"] == "allowed_unseen"):
            for multiple in settings["play_multiples"][str(number)]:
                amount = multiple * ante
                actions.append(Action(actor=actor, name=f"play {multiple} times", low=amount, high=amount, add=amount))
        if number < 3:
            actions.append(Action(actor=actor, name="check"))
        elif box.seen:
            actions.append(Action(actor=actor, name="fold"))
    actions.append(_dealer("turn both cards" if number == 3 else "burn a card"))
    waits = any(action.actor != "dealer" for action in actions)
    return Expectation(
        phase=f"window {number}", actor="players" if waits else "dealer", actions=tuple(actions), next_card=next_card,
        due=_back(course.coup, analysis),
    )  # fmt: skip


# Money ----------------------------------------------------------------------------------------------------------------


def _lying(analysis: Analysis) -> dict[str, int]:
    """Stake → chips that lie there: what was taken up, even too late, is not given back."""
    return {part.stake.id: part.stake.left for box in analysis.boxes for part in box.all_parts}


def _dues(coup: Coup, analysis: Analysis) -> tuple[Due, ...]:
    """What is still to be moved; of a lost bet, what its player has taken up comes from him (CH-06)."""
    lying = _lying(analysis)
    record = booked(coup.settles)
    found: list[Due] = []
    for due in dues(analysis.settlement.lines, coup.settles, lying):
        own = record.get(due.stake)
        left = lying.get(due.stake, due.amount) - (own.taken + own.returned if own is not None else 0)
        if due.what != "take" or due.amount <= left:
            found.append(due)
            continue
        player = next(line.player for line in analysis.settlement.lines if line.stake == due.stake)
        if left > 0:
            found.append(replace(due, amount=left))
        found.append(replace(due, frm=f"player/{player}", amount=due.amount - max(left, 0)))
    return tuple(found)


def _back(coup: Coup, analysis: Analysis) -> tuple[Due, ...]:
    """What goes back before the hands are compared: bets that are none, and what exceeds the others."""
    return tuple(_excess(coup, analysis))


def _excess(coup: Coup, analysis: Analysis) -> Iterator[Due]:
    given: dict[str, int] = {}
    for fact in coup.settles:
        event = fact.event
        if getattr(event, "cause", "") == "return":
            stake = getattr(event, "stake", "")
            given[stake] = given.get(stake, 0) + getattr(event, "amount", 0)
    for box in analysis.boxes:
        for part in box.all_parts:
            stake = part.stake
            excess = min(part.amount - part.live, stake.left) - given.get(stake.id, 0)
            if excess > 0:
                yield Due(
                    what="return", frm=f"box/{stake.id}", to=f"player/{stake.player}", amount=excess, stake=stake.id
                )


def _settlement(coup: Coup, analysis: Analysis) -> Expectation:
    asked = sorted({mark.code for mark in analysis.marks if mark.kind == "ruling_required"})
    note = f"a person rules: {', '.join(asked)}" if asked else ""
    if not analysis.settlement.known:
        return Expectation(phase="settlement", actor="dealer", note=note or "not all hands are on record")
    due = _dues(coup, analysis)
    if not due and any(line.held for line in analysis.settlement.lines):
        return Expectation(phase="ruling", actor="management", note=note)
    return Expectation(
        phase="settlement" if due else "settled", actor="dealer", actions=tuple(_turns(coup, analysis, due)), due=due,
        note=note,
    )  # fmt: skip


def _turns(coup: Coup, analysis: Analysis, due: tuple[Due, ...]) -> Iterator[Action]:
    """CH-08, CH-34: the next box to settle, its cards turned now if it is a blind one."""
    turned = {note.event.box for note in coup.turned}
    box_of = {part.stake.id: box for box in analysis.boxes for part in box.all_parts}
    box = next((box_of[one.stake] for one in due if one.stake in box_of), None)
    if box is not None and box.number not in turned:
        yield _dealer(f"turn the cards of box {box.number}")
    if box is not None:
        yield _dealer(f"settle box {box.number}")


def _void(coup: Coup, analysis: Analysis) -> Expectation:
    codes = ", ".join(sorted({mark.code for mark in analysis.marks if mark.kind == "void"}))
    due = _dues(coup, analysis)
    return Expectation(phase="void" if due else "settled", actor="dealer", due=due, note=f"void: {codes}")
