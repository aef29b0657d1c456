"""Play, checks and folds: what each box did in the three windows (CH-08, CH-09, CH-17, CH-19, CH-21, CH-23)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from events.values.money import amount_text
from games.casino_holdem.boxes import Box, Reading
from games.casino_holdem.table import MAIN, Window
from games.shared.bank.deck import box_place
from games.shared.bank.parts import Part, keep_up_to
from games.shared.bank.table import Noted
from games.shared.bank.words import unknown_words
from games.shared.marks import Mark, missing

WORDS = ("check", "play", "bet", "raise", "fold")
"""What players say; of these only the fold decides, a Play bet is its chips."""

RULE_OF_WINDOW: dict[Window, str] = {"before": "CH-17", "1": "CH-17", "2": "CH-19", "3": "CH-21", "over": "CH-21"}


def read_plays(reading: Reading, boxes: Iterable[Box]) -> None:
    """Each box's Play bets and folds in the order in which they came."""
    by_box: dict[int, list[Noted]] = {}
    for note in reading.coup.decisions:
        if note.deal == reading.coup.deal:
            by_box.setdefault(note.event.box, []).append(note)
    for box in boxes:
        steps: list[Part | Noted] = [*box.parts["play"], *by_box.pop(box.number, ())]
        for step in sorted(steps, key=_order):
            if isinstance(step, Noted):
                _decision(reading, box, step)
            elif step.open:
                _play(reading, box, step)
        _silence(reading, box)
    reading.marks.extend(
        unknown_words("CH-21", [note for note in reading.coup.decisions if note.deal == reading.coup.deal], WORDS)
    )
    for notes in by_box.values():
        for note in notes:
            _about(reading, note, "CH-21", "decision_without_bet", "the box has no bet")


def permitted(reading: Reading, window: Window, ante: int) -> list[int]:
    """The amounts that Play may have in a window, minor units, smallest first."""
    multiples: Sequence[int] = reading.settings["play_multiples"].get(window, ())
    return sorted(multiple * ante for multiple in multiples) if ante else []


def accepted(reading: Reading, window: Window, ante: int, placed: int) -> int:
    """CH-A8: the largest permitted amount that the chips cover; where wrong amounts are void, all or nothing."""
    amounts = permitted(reading, window, ante)
    if reading.settings["play_amount_correction"] == "void":
        return placed if placed in amounts else 0
    return max((amount for amount in amounts if amount <= placed), default=0)


def _order(step: Part | Noted) -> int:
    return step.order if isinstance(step, Noted) else step.stake.order


def standing(box: Box) -> bool:
    """A Play bet of the box counts already."""
    return any(part.live and not part.open for part in box.parts["play"])


def _play(reading: Reading, box: Box, part: Part) -> None:
    window = reading.course.window(part.stake.order)
    refused = _refused(reading, box, part, window)
    if refused is not None:
        rule, code, text = refused
        reading.send_back(part, rule, code, "corrected", text)
        return
    ante = box.live("ante")
    live = accepted(reading, window, ante, part.live)
    if _window_unclear(reading, part, window, ante, live):
        rule = RULE_OF_WINDOW[window]
        reading.marks.append(missing(rule, "play_window", "bet", facts=(part.stake.fact,), subject=part.stake.id))
    placed, rule, code = part.live, RULE_OF_WINDOW[window], "play_amount"
    part.open = False
    if live == placed:
        return
    # An Ante cut by another rule takes its Play along: no fault of the Play, so no mark of its own.
    antes = [own for own in box.parts["ante"] if own.stake.order < reading.freeze and not own.stake.currency]
    was = sum(own.amount for own in antes)
    cut = _cut(box)
    if cut is not None and placed in permitted(reading, window, was):
        rule, code = cut.rule, cut.reasons[0]
    else:
        amounts = " or ".join(map(amount_text, permitted(reading, window, ante))) or "nothing"
        text = f"{amount_text(placed)} on Play in window {window}; {amounts} may lie there"
        reading.mark(part, rule, code, "corrected", text, live=live, refund=placed - live)
    keep_up_to((part,), live, rule, code)


def _cut(box: Box) -> Part | None:
    """What of Ante or Blind does not count in full."""
    own = [part for spot in MAIN for part in box.parts[spot]]
    return next((part for part in own if part.reasons and part.live < part.amount), None)


def _refused(reading: Reading, box: Box, part: Part, window: Window) -> tuple[str, str, str] | None:
    """Why a Play bet is none, whatever its amount: rule, code, words."""
    if window == "before":
        return "CH-17", "play_too_early", "put down before the cards were dealt"
    if window == "over":
        return "CH-21", "play_after_reveal", "put down when the Dealer had turned his cards"
    if not box.seen and reading.settings["blind_box_play"] == "forbidden":
        return "CH-09", "play_on_blind_box", "a blind box is played without Play"
    if box.looked is not None and box.looked.order < part.stake.order:
        return "CH-08", "play_after_look", "the player had looked at the cards of his blind box"
    if box.folded:
        return "CH-21", "play_after_fold", "the box had folded"
    if standing(box):
        return "CH-23", "second_play", "the box has its Play bet already"
    return None


def _window_unclear(reading: Reading, part: Part, window: Window, ante: int, live: int) -> bool:
    """A device's clock leaves two windows open, and they do not take the same amount."""
    number = int(window)
    closes = reading.course.closes
    others: list[Window] = []
    if reading.doubt(part.stake.fact, closes.get(number)):
        others.append("2" if number == 1 else "3" if number == 2 else "over")
    if reading.doubt(part.stake.fact, closes.get(number - 1)):
        others.append("1" if number == 2 else "2")
    return any(accepted(reading, other, ante, part.live) != live for other in others)


# Folds ----------------------------------------------------------------------------------------------------------------


def _decision(reading: Reading, box: Box, note: Noted) -> None:
    event = note.event
    window = reading.course.window(note.order)
    closed = reading.coup.closed
    if window == "over" or (closed is not None and note.order > closed.order):
        _about(reading, note, "CH-21", "decision_late", "the Dealer had turned his cards" if closed is None else "")
        return
    if event.player is not None and event.player != box.owner:
        _about(reading, note, "CH-16", "decision_by_another", f"the box is {box.owner}'s; it has no effect")
        return
    if event.choice != "fold" or window == "before":
        return
    if standing(box):
        _about(reading, note, "CH-21", "fold_after_play", "a box with a Play bet cannot fold; it is compared")
    elif window == "3" or reading.settings["early_fold"] == "binding":
        box.folded = True
        box.fold = box.fold or note


def _about(reading: Reading, note: Noted, rule: str, code: str, text: str) -> None:
    reading.marks.append(
        Mark(
            rule=rule, code=code, kind="breach", scope="hand", subject=box_place(note.event.box), facts=(note.fact,),
            player=note.event.player or "", text=text,
        )
    )  # fmt: skip


def _silence(reading: Reading, box: Box) -> None:
    """CH-A6: a seen box with neither Play nor fold has folded; CH-A5: a blind one is compared, or folded too."""
    if not reading.course.ended or box.folded or standing(box):
        return
    if not (box.live("ante") or box.live("blind")):
        return
    if box.seen or reading.settings["blind_box_without_play"] == "as_fold":
        box.folded = box.silent = True
