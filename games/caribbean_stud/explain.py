"""The figures on which rules rest in a round, in words, whether they were kept or not: `recoup why CS-1#4 CS-13`.

What is told is what the settlement and the checks worked with; nothing is computed another way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from events.schema.common import CutMade
from events.values.cards import cards_text
from events.values.money import money_text
from games.caribbean_stud.events import ANTE
from games.caribbean_stud.paper import Box, Paper
from games.caribbean_stud.payouts import Analysis, analysis_of
from games.caribbean_stud.play import play
from games.caribbean_stud.stakes import lay
from games.caribbean_stud.table import Session
from games.protocol import Round
from games.shared.bank.parts import total
from games.shared.poker.ranks import hand_name

_RESULTS = {
    "win": "beats the dealer", "lose": "is beaten", "tie": "ties with the dealer",
    "no_qualify": "is not compared: the dealer does not play",
}  # fmt: skip


class _Told:
    """What the tellers need of a round."""

    def __init__(self, round_: Round[Session], paper: Paper, analysis: Analysis) -> None:
        self.paper, self.analysis = paper, analysis
        self.pays = round_.edition.constants.pays
        self._currency = round_.session.currency

    def money(self, amount: int | None) -> str:
        """An amount in the table's currency."""
        return "none" if amount is None else money_text(amount, self._currency)

    @property
    def boxes(self) -> list[Box]:
        """Boxes in play, from the dealer's left."""
        return [self.paper.boxes[number] for number in sorted(self.paper.boxes)]


def explain(round_: Round[Session], rule: str) -> tuple[str, ...]:
    """The figures that a rule rests on in a round, a line each; empty where it rests on none."""
    teller, table = _TELLERS.get(rule), round_.session.round
    if teller is None or table is None:
        return ()
    paper = Paper(round_.session, table)
    lay(paper)
    play(paper)
    return tuple(teller(_Told(round_, paper, analysis_of(round_))))


def _antes(told: _Told) -> Iterator[str]:
    for box in told.boxes:
        low, high = box.antes[0].stake.limits.of(ANTE)
        yield f"box {box.number}: ante {told.money(box.ante)}, limits {told.money(low)} to {told.money(high)}"


def _exchanges(told: _Told) -> Iterator[str]:
    for exchange in told.paper.deal.exchanges:
        box = told.paper.boxes.get(exchange.box)
        if box is not None:
            got = cards_text([card.card for card in exchange.got]) or "nothing"
            given = cards_text(exchange.given) or "a card"
            yield f"box {box.number}: {given} for {got}, fee {told.money(total(box.fees))}, ante {told.money(box.ante)}"


def _burns(told: _Told) -> Iterator[str]:
    for exchange in told.paper.deal.served:
        burned = cards_text([card.card for card in exchange.burns]) or "nothing"
        yield f"box {exchange.box}: {burned} burned, then {cards_text([card.card for card in exchange.got])} given"


def _bets(told: _Told) -> Iterator[str]:
    wanted = told.paper["cs.bet_multiple"]
    for box in told.boxes:
        if box.bets:
            yield f"box {box.number}: Bet {told.money(total(box.bets))}, {wanted} × ante {told.money(box.ante)}"


def _qualifies(told: _Told) -> Iterator[str]:
    cards = told.analysis.cards
    if cards:
        plays = "does not play" if told.analysis.dealer == "NQ" else "plays"
        yield f"the dealer has {cards_text(cards)}, {hand_name(cards)}: he {plays}"


def _compared(told: _Told) -> Iterator[str]:
    yield from _qualifies(told)
    for outcome in told.analysis.outcomes:
        if outcome.cards:
            named = f"{cards_text(outcome.cards)}, {hand_name(outcome.cards)}"
            yield f"box {outcome.box} has {named}: it {_RESULTS[outcome.result]}"


def _odds(told: _Told) -> Iterator[str]:
    yield from _compared(told)
    for outcome in told.analysis.outcomes:
        if outcome.result == "win" and outcome.hand in told.pays:
            bet = told.money(total(told.paper.boxes[outcome.box].bets))
            yield f"box {outcome.box}: the pay table gives {told.pays[outcome.hand]} to 1 on a Bet of {bet}"


def _cut(told: _Told) -> Iterator[str]:
    for fact in told.paper.deal.prepared:
        if isinstance(fact.event, CutMade):
            right = told.paper.owner(max(told.paper.boxes, default=0))
            yield f"cut by {fact.event.by or 'nobody knows whom'}; at the dealer's right plays {right or 'nobody'}"


_TELLERS: dict[str, Callable[[_Told], Iterator[str]]] = {
    "CS-02": _antes, "CS-05": _exchanges, "CS-06": _exchanges, "CS-07": _burns, "CS-08": _bets, "CS-11": _qualifies,
    "CS-12": _compared, "CS-13": _odds, "CS-14": _compared, "CS-16": _compared, "CS-18": _cut,
}  # fmt: skip
