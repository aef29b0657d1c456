"""The bets of a round at the closing call: which lie in a box, in time, within the limits (BJ-01 … 06, 17 … 21).

The first that applies names the void: place, barred box, chips, late, box full, minimum; then the maximum (BJ-48).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from events.schema.common import TableOpened
from events.schema.fact import Fact
from events.values.money import amount_text
from games.blackjack.table import Round, Session
from games.shared.bank.events import StakeTakenUp
from games.shared.bank.parts import Part, give_back, keep_up_to, part_of, refund_of, total
from games.shared.bank.table import Laid, Noted, Stake
from games.shared.marks import Mark, known, missing

BET = "bet"
INSURANCE = "insurance"
EXTRAS = ("double", "split")


class Box(Struct):
    """A box with its bets: `players` in order of joining, `owner` decides; `bets` those that were laid for it."""

    number: int
    owner: str
    players: list[str]
    bets: list[Part]

    def of(self, player: str) -> list[Part]:
        """A player's bets here, those in play."""
        return [part for part in self.bets if part.open and part.stake.player == player]

    @property
    def live(self) -> int:
        """What is at risk in the box."""
        return total(part for part in self.bets if part.open)


class Bets(Struct):
    """All original bets of a round; `boxes` those in which something is at risk, from left to right."""

    parts: list[Part]
    boxes: list[Box]
    marks: list[Mark]


def bets_of(session: Session, round_: Round) -> Bets:
    """The original bets as they stand at the closing call; a void one is settled, the others are open."""
    marks: list[Mark] = []
    cut = Cutoff(session, round_)
    parts = []
    for stake in round_.stakes:
        if stake.spot not in (INSURANCE, *EXTRAS):
            parts.append(cut.bet(stake, marks))
    in_order = [part for part in parts if part.open]
    limits = round_.limits or session.limits
    boxes = []
    for number in sorted({part.stake.box for part in in_order}):
        own = [part for part in in_order if part.stake.box == number]
        box = _box(session, round_, number, own, marks)
        if limits.low is not None:
            _minimum(box, limits.low, marks)
        if limits.high is not None:
            _maximum(session, box, limits.low or 0, limits.high, marks)
        if any(part.open for part in own):
            boxes.append(box)
    marks += list(_stacks(parts))
    return Bets(parts, boxes, marks)


class Cutoff:
    """Until when bets may change: the closing call, or the first card where there was none (BJ-21, BJ-A48)."""

    def __init__(self, session: Session, round_: Round) -> None:
        self._session, self._round = session, round_
        first = round_.laid[0].fact if round_.laid else None
        call = round_.closing.fact if round_.closing is not None else None
        self.fact = first if call is None or session.edition["blackjack.bets_cutoff"] == "first_card" else call
        self._taken_up = {note.order: note.fact for note in round_.notes(StakeTakenUp)}
        self._places = _places(session)

    def is_late(self, fact: Fact, until: Fact | None) -> str:
        """`late`, `in_time`, or `unknown` where two clocks are too close to tell; the same instant is in time."""
        if until is None:
            return "in_time"
        relation = self._session.clocks.compare(fact, until)
        return "late" if relation == "after" else "unknown" if relation == "unknown" else "in_time"

    def bet(self, stake: Stake, marks: list[Mark]) -> Part:
        """A bet as it lay at the cut-off; void if its place, its chips or its time are wrong."""
        part = part_of(stake, self._left(stake, marks, self.fact))
        if not part.amount:
            give_back([part], "BJ-21")
            return part
        reason = self._reason(stake, marks)
        if reason is not None:
            rule, code, text = reason
            give_back([part], rule, code)
            marks.append(void_mark(rule, code, part, text))
        return part

    def later(self, stake: Stake, marks: list[Mark], acts: Iterable[Noted | Laid]) -> Part:
        """A double, split or insurance: it may be taken up until play goes on over it, with the first of `acts` behind
        it; what the dealer refused and gave back later lies there no more either. Chips that are none of the game's
        are void (BJ-02)."""
        part = self._extra(stake, marks, acts)
        text = self._not_value(stake) if part.amount else None
        if text is not None:
            give_back([part], "BJ-02", "not_value_chip")
            marks.append(void_mark("BJ-02", "not_value_chip", part, text))
        return part

    def _extra(self, stake: Stake, marks: list[Mark], acts: Iterable[Noted | Laid]) -> Part:
        if not stake.back:
            return part_of(stake)
        until = next((act.fact for act in acts if act.order > stake.order), None)
        orders = {order for order, fact in self._taken_up.items() if getattr(fact.event, "by", "") == "dealer"}
        given = sum(amount for order, amount in stake.back if order in orders)
        own = replace(stake, back=tuple([one for one in stake.back if one[0] not in orders]))
        return part_of(stake, max(self._left(own, marks, until) - given, 0))

    def _left(self, stake: Stake, marks: list[Mark], until: Fact | None) -> int:
        """What was taken up too late lies there all the same (BJ-A32)."""
        left = stake.amount
        for order, amount in stake.back:
            fact = self._taken_up.get(order)
            when = self.is_late(fact, until) if fact is not None else "in_time"
            if when == "in_time":
                left -= amount
            elif when == "unknown":
                left -= amount
                marks.append(missing("BJ-21", "late_removal", "bet", facts=known(fact), subject=stake.id))
            elif getattr(fact.event if fact else None, "by", "player") == "player":
                marks.append(
                    Mark(
                        rule="BJ-21", code="late_removal", kind="corrected", scope="bet", subject=stake.id,
                        player=stake.player, facts=known(fact, until), remedy={"live": amount},
                    )
                )  # fmt: skip
        return max(left, 0)

    def _not_value(self, stake: Stake) -> str | None:
        """What other chips than value chips of the table's currency are called; None for those."""
        kind = getattr(stake.fact.event, "chip_kind", "value")
        return f"{stake.currency} {kind}".strip() if kind != "value" or stake.currency else None

    def _reason(self, stake: Stake, marks: list[Mark]) -> tuple[str, str, str] | None:
        event = stake.fact.event
        if stake.spot != BET or not getattr(event, "in_box", True) or not 1 <= stake.box <= self._places:
            return "BJ-01", "not_in_box", f"on {stake.spot}" if stake.spot != BET else ""
        barred = self._session.barred.get((stake.box, stake.player))
        if barred is not None and barred.since < self._session.rounds:
            return "BJ-06", "box_barred", ""
        if (text := self._not_value(stake)) is not None:
            return "BJ-02", "not_value_chip", text
        when = self.is_late(stake.fact, self.fact)
        if when == "unknown":
            marks.append(missing("BJ-21", "late_bet", "bet", facts=known(stake.fact, self.fact), subject=stake.id))
        return ("BJ-21", "late_bet", "") if when == "late" else None


def _places(session: Session) -> int:
    opened = session.opened.event if session.opened is not None else None
    seats = opened.seats if isinstance(opened, TableOpened) else None
    most: int = session.edition.constants.max_boxes
    return min(seats, most) if seats else most


def void_mark(rule: str, code: str, part: Part, text: str = "") -> Mark:
    """A stake that is no bet: void and given back."""
    stake = part.stake
    return Mark(
        rule=rule, code=code, kind="void", scope="bet", subject=stake.id, player=stake.player, facts=(stake.fact,),
        remedy=refund_of(part), text=text,
    )  # fmt: skip


def _box(session: Session, round_: Round, number: int, bets: list[Part], marks: list[Mark]) -> Box:
    """Its owner (BJ-04), and at most three players (BJ-05): the owner always, then who came first."""
    players = list(dict.fromkeys(part.stake.player for part in bets))
    owners = round_.owners if round_.owners is not None else session.owners
    owner = owners.get(number, players[0])
    most: int = session.edition.constants.players_per_box
    others = [player for player in players if player != owner]
    admitted = {owner, *others[: most - (owner in players)]}
    for part in bets:
        if part.stake.player not in admitted:
            give_back([part], "BJ-05", "box_full")
            marks.append(void_mark("BJ-05", "box_full", part))
    return Box(number, owner, [player for player in players if player in admitted], bets)


def _minimum(box: Box, low: int, marks: list[Mark]) -> None:
    """The minimum is each player's (BJ-17)."""
    for player in box.players:
        own = box.of(player)
        if own and total(own) < low:
            for part in own:
                marks.append(void_mark("BJ-17", "under_min", part, f"the minimum is {amount_text(low)}"))
            give_back(own, "BJ-17", "under_min")


def _maximum(session: Session, box: Box, low: int, high: int, marks: list[Mark]) -> None:
    """The maximum is the box's: the owner has priority, then who joined first (BJ-18)."""
    if box.live <= high:
        return
    own = box.of(box.owner)
    before = {id(part): part.live for part in box.bets}
    if total(own) > high:
        if session.edition["blackjack.owner_over_max"] == "void":
            give_back(own, "BJ-18", "over_box_max")
        else:
            keep_up_to(own, high, "BJ-18", "over_box_max")
    if session.edition["blackjack.reduction_order"] == "pro_rata":
        _pro_rata(box, high)
    for player in reversed([player for player in box.players if player != box.owner]):
        excess = box.live - high
        bets = box.of(player)
        if excess > 0 and bets:
            keep_up_to(bets, max(total(bets) - excess, 0), "BJ-18", "over_box_max")
        if bets and total(bets) < low and any(part.live < before[id(part)] for part in bets):
            give_back(bets, "BJ-18", "over_box_max")
    for part in box.bets:
        if part.open and not part.live:
            give_back([part], "BJ-18", "over_box_max")
        if part.live < before[id(part)]:
            marks.append(_cut(part, before[id(part)], high))


def _pro_rata(box: Box, high: int) -> None:
    """All back bettors give way in proportion, an odd minor unit the one who joined last (BJ-A33)."""
    others = [player for player in box.players if player != box.owner and box.of(player)]
    lying = {player: total(box.of(player)) for player in others}
    excess, whole = box.live - high, sum(lying.values())
    if excess <= 0 or not whole:
        return
    cuts = {player: excess * amount // whole for player, amount in lying.items()}
    cuts[others[-1]] += excess - sum(cuts.values())
    for player, cut in cuts.items():
        if cut:
            keep_up_to(box.of(player), max(lying[player] - cut, 0), "BJ-18", "over_box_max")


def _cut(part: Part, before: int, high: int) -> Mark:
    return Mark(
        rule="BJ-18", code="over_box_max", kind="corrected", scope="bet", subject=part.stake.id,
        player=part.stake.player, facts=(part.stake.fact,), remedy={"live": part.live, "refund": before - part.live},
        text=f"the maximum of a box is {amount_text(high)}",
    )  # fmt: skip


def _stacks(parts: Iterable[Part]) -> Iterator[Mark]:
    """The highest chip lies at the bottom (BJ-19)."""
    for part in parts:
        chips = getattr(part.stake.fact.event, "chips", ())
        if any(above > below for below, above in pairwise(chips)):
            yield Mark(
                rule="BJ-19", code="stack_order", kind="breach", scope="bet", subject=part.stake.id,
                player=part.stake.player, facts=(part.stake.fact,),
            )  # fmt: skip
