"""Which stakes of a round count and for how much: antes and bonus stakes as the first card finds them (CS-01 to CS-03).

What does not count goes back whole; what is too much goes back from the chips placed last.
"""

from __future__ import annotations

from collections.abc import Iterable

from events.schema.fact import Fact
from games.caribbean_stud.events import ANTE, BET, BONUS, FEE, SPOTS
from games.caribbean_stud.paper import Box, Paper
from games.caribbean_stud.parameters import bonus_table
from games.shared.bank.parts import Part, give_back, keep_up_to, part_of, refund_of, total
from games.shared.bank.table import Stake

RULE = {ANTE: "CS-02", BONUS: "CS-03", FEE: "CS-05", BET: "CS-08"}
"""The rule that says when a stake on a spot counts."""


def lay(paper: Paper) -> None:
    """Opens the boxes by the antes that count, and puts the bonus stakes to them; fees and Bets wait for the play."""
    first = paper.deal.first
    for stake in paper.round.stakes:
        part = part_of(stake, _frozen(paper, stake))
        paper.parts.append(part)
        _noted_if_taken_up(paper, part)
    waiting = [
        part for part in paper.parts if not (_is_none(part) or _refused(paper, part) or _of_an_old_deal(paper, part))
    ]
    for part in waiting:
        if part.stake.spot == ANTE and not _late(paper, part, first.fact if first is not None else None):
            _ante(paper, part)
    for part in waiting:
        if part.stake.spot == BONUS and not _late(paper, part, first.fact if first is not None else None):
            _bonus(paper, part)
    for part in waiting:
        box = paper.boxes.get(part.stake.box)
        if part.stake.spot in (FEE, BET):
            if box is None:
                void(paper, part, RULE[part.stake.spot], f"{part.stake.spot}_without_ante")
            else:
                box.of(part.stake.spot).append(part)
    for box in paper.boxes.values():
        _ante_limits(paper, box)
        _bonus_limits(paper, box)


def void(paper: Paper, part: Part, rule: str, code: str, *facts: Fact | None) -> None:
    """One stake is undone and goes back."""
    give_back((part,), rule, code)
    paper.mark(rule, code, "void", "bet", part=part, facts=(part.stake.fact, *facts), **refund_of(part))


def returned(paper: Paper, parts: Iterable[Part], rule: str, code: str, *, box: int, facts: tuple[Fact, ...]) -> None:
    """Stakes that the rules put back in place of the action made."""
    listed = list(parts)
    give_back(listed, rule, code)
    paper.mark(
        rule, code, "corrected", "bet", box=box, facts=facts, refund=sum(part.amount for part in listed)
    )  # fmt: skip


def _frozen(paper: Paper, stake: Stake) -> int:
    """What of a stake counts: what lay there when its time was up, though it was taken up later."""
    end = _limit_order(paper, stake)
    return stake.left if end is None or stake.order > end else stake.left_at(end)


def _limit_order(paper: Paper, stake: Stake) -> int | None:
    deal = paper.deal
    if stake.spot in (ANTE, BONUS):
        return deal.first.order if deal.first is not None else None
    return deal.closed.order if deal.closed is not None else None


def _noted_if_taken_up(paper: Paper, part: Part) -> None:
    """Chips that a player takes up again when they are at risk still count (CS-09, CS-12)."""
    stake, end = part.stake, _limit_order(paper, part.stake)
    if end is None or stake.order > end or (paper.round.closed is not None and end > paper.round.closed.order):
        return
    if part.amount <= stake.left or _settled_before(paper, stake):
        return
    took = [
        note.fact
        for note in paper.deal.notes
        if getattr(note.event, "stake", "") == stake.id and getattr(note.event, "by", "") == "player"
        and note.order > end
    ]  # fmt: skip
    if took:
        rule = RULE.get(stake.spot, "CS-02")
        paper.mark(rule, "stake_taken_up", "corrected", "bet", part=part, facts=tuple(took), live=part.amount)


def _settled_before(paper: Paper, stake: Stake) -> bool:
    """Whether the stake was paid or given back before chips of it were taken up: then they are the player's."""
    settled = next((note.order for note in paper.round.paid if note.event.stake == stake.id), None)
    return settled is not None and all(order > settled for order, _amount in stake.back)


def _is_none(part: Part) -> bool:
    """All of it was taken up in time: there is no such stake."""
    if part.amount == 0:
        part.open = False
    return part.amount == 0


def _refused(paper: Paper, part: Part) -> bool:
    """Stakes that cannot be any of this game: another currency, a spot that the box does not have."""
    if part.stake.currency:
        void(paper, part, RULE.get(part.stake.spot, "CS-02"), "foreign_currency")
        return True
    if part.stake.spot not in SPOTS:
        void(paper, part, "CS-02", "no_such_spot")
        return True
    return False


def _of_an_old_deal(paper: Paper, part: Part) -> bool:
    """Stakes of a deal that was called off go back; antes and bonus stakes left lying are those of the new deal."""
    ends = [deal.end for deal in paper.deals[:-1] if deal.end is not None]
    if not ends or part.stake.order > max(ends):
        return False
    if part.stake.spot in (ANTE, BONUS) and not _given_back_by(paper, part):
        return False
    give_back((part,), "CS-20", "misdeal")
    return True


def _given_back_by(paper: Paper, part: Part) -> bool:
    first = paper.deal.first
    back = [note for note in paper.round.paid if note.event.stake == part.stake.id and note.event.cause == "return"]
    return bool(back) and (first is None or back[0].order < first.order)


def _late(paper: Paper, part: Part, first: Fact | None) -> bool:
    """Placed when cards were out (CS-02, CS-03)."""
    if first is None:
        return False
    rule, code = RULE[part.stake.spot], f"late_{part.stake.spot}"
    late = paper.earlier(first, part.stake.fact)
    if late is None:
        paper.unverified(rule, code, part=part, facts=(part.stake.fact, first))
        return False
    if late:
        void(paper, part, rule, code, first)
    return late


def _ante(paper: Paper, part: Part) -> None:
    """CS-01, CS-02: the first ante opens its box, if there is a box left."""
    number = part.stake.box
    box = paper.boxes.get(number)
    if box is None:
        if len(paper.boxes) >= paper["cs.max_players"]:
            void(paper, part, "CS-01", "too_many_boxes")
            return
        box = paper.boxes[number] = Box(
            number=number, player=paper.session.owners.get(number, part.stake.player),
            antes=[], bonuses=[], fees=[], bets=[], exchanges=[],
        )  # fmt: skip
        most = paper["cs.boxes_per_player"]
        own = [other for other in paper.boxes.values() if other.player == box.player]
        if most is not None and len(own) > most:
            paper.mark("CS-01", "too_many_boxes_of_a_player", "breach", box=number, facts=(part.stake.fact,))
    box.antes.append(part)


def _bonus(paper: Paper, part: Part) -> None:
    """CS-03: a bonus stake needs an ante on its box, and its size where the table fixes one."""
    box = paper.boxes.get(part.stake.box)
    if box is None:
        void(paper, part, "CS-03", "bonus_without_ante")
    else:
        box.bonuses.append(part)


def _ante_limits(paper: Paper, box: Box) -> None:
    limits = box.antes[0].stake.limits
    low, high = limits.of(ANTE)
    stated = paper["cs.limits"]
    if low is None and high is None and stated is not None:
        low, high = stated
    _held_to(paper, box, ANTE, low, high)


def _bonus_limits(paper: Paper, box: Box) -> None:
    if not box.bonuses:
        return
    table = bonus_table(paper["cs.bonus.table"])
    if table is None or table.stake is None:
        low, high = box.bonuses[0].stake.limits.own_of(BONUS)
        _held_to(paper, box, BONUS, low, high)
        return
    if total(box.bonuses) < table.stake:
        for part in box.bonuses:
            void(paper, part, "CS-03", "bonus_too_small")
        box.bonuses = []
        return
    _held_to(paper, box, BONUS, None, table.stake)


def _held_to(paper: Paper, box: Box, spot: str, low: int | None, high: int | None) -> None:
    """What exceeds the maximum goes back; below the minimum it plays. Both are breaches (CS-02, CS-03)."""
    parts, rule = box.of(spot), RULE[spot]
    facts = tuple(part.stake.fact for part in parts)
    if high is not None and total(parts) > high:
        excess = keep_up_to(parts, high, rule, f"{spot}_over_limit")
        paper.mark(
            rule, f"{spot}_over_limit", "corrected", "bet", box=box.number, facts=facts, live=high, refund=excess
        )  # fmt: skip
    elif low is not None and total(parts) < low:
        paper.mark(rule, f"{spot}_under_limit", "breach", "bet", box=box.number, facts=facts)
