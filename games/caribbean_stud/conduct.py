"""Conduct and help: what people may not do, reported for management to rule on (CS-21)."""

from __future__ import annotations

from events.schema.common import ChipsMoved
from events.schema.fact import Fact
from games.caribbean_stud.paper import Paper
from games.caribbean_stud.stakes import RULE, void
from games.shared.bank.events import CardShown, ConductNoted
from games.shared.bank.parts import Part, give_back, keep_up_to

FORBIDDEN = frozenset({
    "agreement", "communication", "advice", "favour", "chips_passed", "staked_for_another", "discards_seen",
    "undealt_seen",
})  # fmt: skip
"""What the rules forbid; that somebody touched or looked at his own cards is none of it."""


LOOKED_AT = {"discards": "discards_seen", "burn": "discards_seen", "deck": "undealt_seen"}
"""Where cards lie that no player may look at; what the dealer lets be seen there is a fault of his (CS-07, CS-20)."""


def conduct(paper: Paper) -> None:
    """Before a ruling no money moves for it, unless the house voids such stakes (C36)."""
    for deal in paper.deals:
        for note in deal.told(ConductNoted):
            if note.event.kind in FORBIDDEN:
                _needs_ruling(paper, note.event.kind, note.fact, players=note.event.players)
        for note in deal.told(CardShown):
            where = note.event.where
            if where == "discards" or (where in LOOKED_AT and note.event.by == "player"):
                _needs_ruling(paper, LOOKED_AT[where], note.fact)
    for part in paper.parts:
        if part.open and part.stake.box in paper.boxes and part.stake.player != paper.owner(part.stake.box):
            _for_another(paper, part)
    _chips_passed(paper)
    for number in [number for number, box in paper.boxes.items() if not box.antes]:
        for part in paper.boxes.pop(number).parts:
            void(paper, part, RULE[part.stake.spot], f"{part.stake.spot}_without_ante")


def _needs_ruling(
    paper: Paper, code: str, fact: Fact, *, players: tuple[str, ...] = (), part: Part | None = None
) -> None:
    paper.mark("CS-21", code, "ruling_required", "round", part=part, facts=(fact,), players=list(players))


def _for_another(paper: Paper, part: Part) -> None:
    _needs_ruling(paper, "staked_for_another", part.stake.fact, players=(part.stake.player,), part=part)
    if paper["cs.conduct.money"] == "bet_void":
        _take_out(paper, part)


def _take_out(paper: Paper, part: Part) -> None:
    give_back((part,), "CS-21", "staked_for_another")
    box = paper.boxes[part.stake.box]
    if part.stake.spot in RULE and part in box.of(part.stake.spot):
        box.of(part.stake.spot).remove(part)


def _chips_passed(paper: Paper) -> None:
    """From the first card to the settlement no chips go from player to player; a loan is made before."""
    first = paper.deals[0].first
    settled = paper.deal.settled
    for deal in paper.deals:
        for note in deal.told(ChipsMoved):
            if first is None or not paper.earlier(first.fact, note.fact):
                continue
            if settled is not None and note.order > settled:
                continue
            event = note.event
            giver, taker = event.frm.removeprefix("player/"), event.to.removeprefix("player/")
            if giver == taker:
                continue
            _needs_ruling(paper, "chips_passed", note.fact, players=(giver, taker))
            if paper["cs.conduct.money"] == "bet_void":
                _not_played(paper, taker, event.amount, note.order)


def _not_played(paper: Paper, player: str, amount: int, since: int) -> None:
    """Chips so received do not play: what he staked with them goes back, as far as they went."""
    for part in paper.parts:
        if part.open and part.stake.player == player and part.stake.order > since and amount:
            cut = min(part.live, amount)
            amount -= cut
            keep_up_to((part,), part.live - cut, "CS-21", "chips_passed")
