"""The figures on which rules rest in a round, in words, whether they were kept or not: `recoup why CH-1#5 CH-29`.

What is told is what the settlement and the checks worked with; nothing is computed another way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from events.values.money import money_text
from games.casino_holdem.boxes import Box
from games.casino_holdem.course import Course
from games.casino_holdem.payouts import Analysis, analysis_of
from games.casino_holdem.table import BOARD, SPOTS, Session
from games.protocol import Round
from games.shared.bank.deck import box_place, hand, off_the_deck, shuffle_steps
from games.shared.poker.ranks import hand_name


class _Told:
    """What the tellers need of a round."""

    def __init__(self, round_: Round[Session], analysis: Analysis, course: Course) -> None:
        self.analysis, self.course = analysis, course
        self.settings = round_.edition
        self.constants = round_.edition.constants
        self._currency = round_.session.currency

    def money(self, amount: int) -> str:
        """An amount in the table's currency."""
        return money_text(amount, self._currency)

    @property
    def boxes(self) -> list[Box]:
        """Boxes with something at risk."""
        return [box for box in self.analysis.boxes if any(box.live(spot) for spot in SPOTS)]


def explain(round_: Round[Session], rule: str) -> tuple[str, ...]:
    """The figures that a rule rests on in a round, a line each; empty where it rests on none."""
    analysis = analysis_of(round_)
    teller = _TELLERS.get(rule)
    if teller is None or analysis.course is None:
        return ()
    return tuple(teller(_Told(round_, analysis, analysis.course)))


def _limits(told: _Told) -> Iterator[str]:
    for box in told.boxes:
        for part in box.parts["ante"][-1:]:
            low, high = part.stake.limits.of("ante")
            bounds = " to ".join("not posted" if limit is None else told.money(limit) for limit in (low, high))
            yield f"box {box.number}: Ante {told.money(box.live('ante'))}, limits {bounds}"


def _seen(told: _Told) -> Iterator[str]:
    for box in told.boxes:
        yield f"box {box.number}, {box.owner}: {'seen' if box.seen else 'blind'}"


def _shuffle(told: _Told) -> Iterator[str]:
    steps = shuffle_steps(told.course.coup.prepared)
    yield f"since the last card of the round before: {', '.join(steps) or 'no step on record'}"


def _main(told: _Told) -> Iterator[str]:
    for box in told.boxes:
        yield f"box {box.number}: Ante {told.money(box.live('ante'))}, Blind {told.money(box.live('blind'))}"


def _dealt(told: _Told) -> Iterator[str]:
    cards = [card for card in told.course.coup.cards if card.dealt_to not in (*BOARD, "burn")]
    yield f"in order off the deck: {', '.join(card.dealt_to.replace('/', ' ') for card in off_the_deck(cards))}"


def _street(*places: str) -> Callable[[_Told], Iterator[str]]:
    def teller(told: _Told) -> Iterator[str]:
        cards = told.course.coup.cards
        out = [card for card in cards if card.dealt_to in places]
        start = max((card.order for card in cards if card.dealt_to == "flop"), default=-1) if "turn" in places else -1
        first = out[0].order if out else told.course.coup.count
        burns = sum(1 for card in cards if card.dealt_to == "burn" and start < card.order < first)
        yield f"burnt before: {burns}; dealt: {len(out)}"

    return teller


def _plays(window: str) -> Callable[[_Told], Iterator[str]]:
    def teller(told: _Told) -> Iterator[str]:
        multiples = " or ".join(str(multiple) for multiple in told.settings["play_multiples"][window])
        yield f"window {window} takes {multiples} times the Ante"
        for box in told.boxes:
            for part in box.parts["play"]:
                if told.course.window(part.stake.order) == window:
                    put, counts = told.money(part.amount), told.money(part.live)
                    yield f"box {box.number}: {put} on an Ante of {told.money(box.live('ante'))}; {counts} count"

    return teller


def _folds(told: _Told) -> Iterator[str]:
    for box in told.boxes:
        if box.folded:
            yield f"box {box.number} {'said nothing, which is a fold' if box.silent else 'folded'}"


def _dealer(told: _Told) -> Iterator[str]:
    cards = (*told.course.dealer, *told.course.board)
    both = next(iter(told.analysis.hands.values()), None)
    if both is None:
        yield "his hand is not known in full"
        return
    yield f"the Dealer has {hand_name(cards)}: he {'qualifies' if both.qualifies else 'does not qualify'}"


def _compared(told: _Told) -> Iterator[str]:
    yield from _dealer(told)
    words = {1: "beats the Dealer", 0: "ties with the Dealer", -1: "loses to the Dealer"}
    for box in told.boxes:
        both = told.analysis.hands.get(box.number)
        if both is not None:
            own = hand(told.course.coup, box_place(box.number))
            yield f"box {box.number}: {hand_name((*own, *told.course.board))} {words[both.winner]}"


def _odds(spot: str) -> Callable[[_Told], Iterator[str]]:
    def teller(told: _Told) -> Iterator[str]:
        for box in told.boxes:
            both = told.analysis.hands.get(box.number)
            if both is None or not box.live(spot):
                continue
            odds = told.constants.odds(spot, both.player)
            ratio = f"{odds[0]} to {odds[1]}" if odds is not None else "not in its pay table"
            won = {1: "wins", 0: "ties", -1: "loses"}[both.winner]
            result = f", {won} against the Dealer" if spot == "blind" else ""
            yield f"box {box.number}: {told.money(box.live(spot))}, {both.player} ({ratio}){result}"

    return teller


_TELLERS: dict[str, Callable[[_Told], Iterator[str]]] = {
    "CH-03": _limits,
    "CH-07": _seen,
    "CH-11": _shuffle,
    "CH-13": _main,
    "CH-15": _dealt,
    "CH-17": _plays("1"),
    "CH-18": _street("flop"),
    "CH-19": _plays("2"),
    "CH-20": _street("turn", "river"),
    "CH-21": _plays("3"),
    "CH-22": _folds,
    "CH-24": _dealer,
    "CH-25": _compared,
    "CH-26": _compared,
    "CH-27": _compared,
    "CH-28": _odds("blind"),
    "CH-29": _dealer,
    "CH-30": _odds("trips"),
    "CH-31": _compared,
    "CH-32": _compared,
}
"""Rule → who tells its figures; the others rest on none."""
