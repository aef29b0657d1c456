"""The boxes of a coup as they are at risk: whose they are, seen or blind, and what counts of each bet.

In the order of the rules: what is no bet at all (CH-04, CH-13), what came after the deal (CH-06, CH-14), Ante and Blind
levelled (CH-13), the posted limits (CH-03); then Play and folds (`plays`). Chips taken up after the deal still count.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from events.schema.fact import Fact
from events.values.money import amount_text
from games.casino_holdem.course import Course, Moment
from games.casino_holdem.events import SeenBoxAnnounced
from games.casino_holdem.table import MAIN, SPOTS, Coup, Session
from games.shared.bank import events as bg
from games.shared.bank.deck import box_place
from games.shared.bank.parts import Part, give_back, keep_up_to, part_of, refund_of, total
from games.shared.bank.table import Noted, Stake
from games.shared.marks import Mark, missing

_NEVER = 1 << 60


class Box(Struct, kw_only=True):
    """One box. `parts`: spot → its stakes; `out`: stakes that are none of it (another player's, no such spot).

    `looked`: its player looked at the cards of a blind box. `folded`: it is settled as a fold; `silent`: because its
    player had said nothing by the end of window 3. `closed`: nothing more can be decided for it.
    """

    number: int
    owner: str
    seen: bool = True
    parts: dict[str, list[Part]]
    out: list[Part]
    looked: Noted | None = None
    folded: bool = False
    silent: bool = False
    fold: Noted | None = None

    def live(self, spot: str) -> int:
        """What is at risk there, minor units."""
        return total(self.parts[spot])

    @property
    def all_parts(self) -> list[Part]:
        """Every stake that lies on the box, in the order in which they were placed."""
        own = [part for spot in SPOTS for part in self.parts[spot]]
        return sorted((*own, *self.out), key=lambda part: part.stake.order)


class Reading(Struct, kw_only=True):
    """A coup being read: what every part of the reading needs, and the marks that they leave."""

    session: Session
    coup: Coup
    course: Course
    marks: list[Mark]

    @property
    def settings(self) -> Mapping[str, Any]:
        """The edition's parameters."""
        return self.session.edition.parameters

    @property
    def freeze(self) -> int:
        """Bets are frozen at the first card (CH-A18): its place in the round."""
        return self.course.first.order if self.course.first is not None else _NEVER

    def doubt(self, fact: Fact, moment: Moment | None) -> bool:
        """Whether two devices spoke so close together that nobody can say which came first."""
        if moment is None or fact.source == moment.fact.source:
            return False
        return self.session.clocks.compare(fact, moment.fact) == "unknown"

    def mark(self, part: Part, rule: str, code: str, kind: Any, text: str = "", **remedy: Any) -> None:
        """About one stake."""
        stake = part.stake
        self.marks.append(
            Mark(
                rule=rule, code=code, kind=kind, scope="bet", subject=stake.id, player=stake.player,
                facts=(stake.fact,), remedy=remedy, text=text,
            )
        )  # fmt: skip

    def send_back(self, part: Part, rule: str, code: str, kind: Any, text: str = "") -> None:
        """The whole stake goes back, and its mark says why."""
        self.mark(part, rule, code, kind, text, **refund_of(part))
        give_back((part,), rule, code)


def boxes_of(reading: Reading) -> list[Box]:
    """Every box with chips on it, from left to right; Play and folds are not read yet."""
    by_box: dict[int, list[Stake]] = {}
    for stake in reading.coup.stakes:
        by_box.setdefault(stake.box, []).append(stake)
    boxes = [_box(reading, number, own) for number, own in sorted(by_box.items())]
    _seen(reading, boxes)
    for box in boxes:
        for part in box.all_parts:
            if part.open:
                _valid(reading, box, part)
        if reading.course.first is not None:
            _level(reading, box)
            _limits(reading, box)
    return boxes


def _box(reading: Reading, number: int, stakes: Sequence[Stake]) -> Box:
    freeze = reading.freeze
    first = next((own for own in stakes if own.spot != "play" and own.order < freeze and own.left_at(freeze) > 0), None)
    owner = (first or stakes[0]).player
    box = Box(number=number, owner=owner, parts={spot: [] for spot in SPOTS}, out=[])
    for stake in stakes:
        kept = stake.amount if stake.spot == "play" or stake.order > freeze else stake.left_at(freeze)
        part = part_of(stake, max(kept, 0))
        if stake.spot not in SPOTS:
            box.out.append(part)
            reading.send_back(part, "CH-13", "unknown_spot", "corrected", f"no box has a spot `{stake.spot}`")
        elif stake.player != owner:
            box.out.append(part)
            text = f"the box is {owner}'s; one player a box"
            reading.send_back(part, "CH-13", "second_player", "corrected", text)
        elif kept > 0 or stake.amount == 0:
            box.parts[stake.spot].append(part)
    return box


# Seen and blind -------------------------------------------------------------------------------------------------------


def _seen(reading: Reading, boxes: Iterable[Box]) -> None:
    """CH-07: of one player's boxes one is seen, the announced one; else the one whose cards he first takes up."""
    by_owner: dict[str, list[Box]] = {}
    for box in boxes:
        if box.number in reading.course.boxes:
            by_owner.setdefault(box.owner, []).append(box)
    for owner, own in by_owner.items():
        if len(own) > 1:
            announced = _announced(reading, owner)
            seen = announced if announced in [box.number for box in own] else None
            if seen is None and reading.course.first is not None:
                seen = _taken_up(reading, owner, own)
                _not_announced(reading, owner, own, seen)
            for box in own:
                box.seen = box.number == seen
    for box in boxes:
        if not box.seen:
            box.looked = next(iter(looks_at(reading.coup, box.number, box.owner)), None)


def _announced(reading: Reading, player: str) -> int | None:
    """The box that he named last before the first card."""
    said = reading.coup.seen.get(player)
    for note in reading.coup.notes(SeenBoxAnnounced):
        if note.event.player == player and note.order < reading.freeze:
            said = note.event.box
    return said


def looks_at(coup: Coup, box: int, owner: str) -> list[Noted]:
    """Records of its own player looking at the cards of a box, before it was turned."""
    turned = min((note.order for note in coup.turned if note.event.box == box), default=_NEVER)
    found = []
    for note in coup.notes(bg.CardsViewed, bg.ConductNoted):
        event = note.event
        if isinstance(event, bg.CardsViewed):
            own = event.box == box and event.by in (None, owner)
        else:
            own = event.kind == "look" and box in event.boxes and (owner in event.players or not event.players)
        if own and note.order < turned:
            found.append(note)
    return found


def _taken_up(reading: Reading, owner: str, boxes: Iterable[Box]) -> int | None:
    taken = [(look.order, box.number) for box in boxes for look in looks_at(reading.coup, box.number, owner)[:1]]
    return min(taken)[1] if taken else None


def _not_announced(reading: Reading, owner: str, boxes: Sequence[Box], seen: int | None) -> None:
    numbers = ", ".join(str(box.number) for box in boxes)
    text = f"boxes {numbers}; {f'box {seen} is seen, taken up first' if seen is not None else 'all are blind'}"
    first = reading.course.first
    facts = (first.fact,) if first is not None else ()
    if reading.course.touched:
        reading.marks.append(missing("CH-07", "seen_box_not_announced", "player", facts=facts, subject=owner))
        return
    reading.marks.append(
        Mark(
            rule="CH-07", code="seen_box_not_announced", kind="breach", scope="player", player=owner, facts=facts,
            text=text,
        )
    )  # fmt: skip


# What is a bet at all -------------------------------------------------------------------------------------------------


def _valid(reading: Reading, box: Box, part: Part) -> None:
    stake = part.stake
    event = stake.fact.event
    assert isinstance(event, bg.StakePlaced)
    dealt = reading.course.first is not None
    if stake.currency:
        reading.send_back(part, "CH-04", "foreign_currency", "void", f"the table plays in {reading.session.currency}")
        return
    if stake.spot != "play" and dealt:
        first = reading.course.first
        if reading.doubt(stake.fact, first):
            rule, code = _late(stake.spot)
            reading.marks.append(missing(rule, code, "bet", facts=(stake.fact,), subject=stake.id))
        elif stake.order > reading.freeze:
            rule, code = _late(stake.spot)
            reading.send_back(part, rule, code, "corrected", "put down after the first card was dealt")
            return
    if event.chip_kind != "value" and (dealt if stake.spot != "play" else _is_settled(reading, part)):
        _not_value(reading, part, event)


def _late(spot: str) -> tuple[str, str]:
    return ("CH-14", "late_trips") if spot == "trips" else ("CH-06", "late_bet")


def _is_settled(reading: Reading, part: Part) -> bool:
    """Other chips may be exchanged until the window in which they were put on Play has closed (CH-04)."""
    window = reading.course.window(part.stake.order)
    return window in ("before", "over") or int(window) in reading.course.closes


def _not_value(reading: Reading, part: Part, event: bg.StakePlaced) -> None:
    """CH-A26: what the Dealer announced counts; nothing announced is no bet."""
    if event.announced is None or reading.settings["non_value_chips"] == "void_bet":
        why = "not announced" if event.announced is None else "only value chips are bets"
        reading.send_back(part, "CH-04", "not_value_chips", "void", f"{event.chip_kind}, {why}")
        return
    part.live = min(part.amount, event.announced)
    part.because("CH-04", "not_value_chips")
    text = f"{event.chip_kind}, announced as {amount_text(event.announced)}"
    reading.mark(part, "CH-04", "not_value_chips", "breach", text, live=part.live)


# Ante and Blind, limits -----------------------------------------------------------------------------------------------


def _level(reading: Reading, box: Box) -> None:
    """CH-13: one amount on both; Trips needs them beside it."""
    ante, blind = box.live("ante"), box.live("blind")
    placed = {spot for spot in SPOTS if any(part.amount for part in box.parts[spot])}
    if placed and placed <= {"trips", "play"} and box.live("trips"):
        if reading.settings["trips_requires_main_bet"]:
            part = box.parts["trips"][0]
            reading.mark(part, "CH-13", "trips_without_main_bet", "breach", "settled on its merits")
        return
    if ante == blind:
        return
    how = reading.settings["ante_blind_mismatch"]
    text = f"Ante {amount_text(ante)}, Blind {amount_text(blind)}"
    if how == "stands":
        reading.marks.append(_unequal(box, "breach", text, {}))
    elif how == "void_box":
        refund = sum(part.live for spot in SPOTS for part in box.parts[spot])
        reading.marks.append(_unequal(box, "void", text, {"refund": refund}))
        for spot in SPOTS:
            give_back(box.parts[spot], "CH-13", "ante_blind_unequal")
    else:
        level = min(ante, blind)
        excess = sum(keep_up_to(box.parts[spot], level, "CH-13", "ante_blind_unequal") for spot in MAIN)
        if any(part.rule == "CH-04" for spot in MAIN for part in box.parts[spot]):
            return  # one of them was no bet in full, and its own mark says so
        reading.marks.append(_unequal(box, "corrected", text, {"live": level, "refund": excess}))


def _unequal(box: Box, kind: Any, text: str, remedy: dict[str, Any]) -> Mark:
    facts = tuple(part.stake.fact for spot in MAIN for part in box.parts[spot])
    return Mark(
        rule="CH-13", code="ante_blind_unequal", kind=kind, scope="hand", subject=box_place(box.number),
        player=box.owner, facts=facts, remedy=remedy, text=text,
    )  # fmt: skip


def _limits(reading: Reading, box: Box) -> None:
    """CH-03: the Ante, and with it its Blind, against the table's limits, Trips against its own."""
    for spot, spots in (("ante", MAIN), ("trips", ("trips",))):
        own = [part for part in box.parts[spot] if part.live]
        if not own:
            continue
        limits = own[-1].stake.limits
        low, high = limits.of("ante") if spot == "ante" else limits.own_of("trips")
        amount = total(own)
        for code, limit in (("under_min", low), ("over_max", high)) if spot == "ante" else ():
            if limit is None:
                facts = (own[-1].stake.fact,)
                reading.marks.append(missing("CH-03", code, "hand", facts=facts, subject=box_place(box.number)))
        if high is not None and amount > high:
            excess = sum(keep_up_to(box.parts[name], high, "CH-03", "over_max") for name in spots)
            text = f"{spot} {amount_text(amount)}, the maximum is {amount_text(high)}"
            _limit(reading, box, own, "over_max", "corrected", text, {"live": high, "refund": excess})
        elif low is not None and amount < low:
            text = f"{spot} {amount_text(amount)}, the minimum is {amount_text(low)}; it stands"
            _limit(reading, box, own, "under_min", "breach", text, {})


def _limit(
    reading: Reading, box: Box, own: Sequence[Part], code: str, kind: Any, text: str, remedy: dict[str, Any]
) -> None:
    reading.marks.append(
        Mark(
            rule="CH-03", code=code, kind=kind, scope="hand", subject=box_place(box.number), player=box.owner,
            facts=tuple(part.stake.fact for part in own), remedy=remedy, text=text,
        )
    )  # fmt: skip


def removed(reading: Reading, boxes: Iterable[Box]) -> None:
    """CH-06, CH-23: chips taken up after the deal are still owed, or paid as if they lay there.

    What was not at risk any more may be taken back by anybody.
    """
    for box in boxes:
        for part in box.all_parts:
            since = part.stake.order if part.stake.spot == "play" else reading.freeze
            settled = [own for own in part.stake.back if own[0] > since]
            amount = sum(own for _order, own in settled) - (part.amount - part.live)
            if amount > 0:
                rule, code = ("CH-23", "play_withdrawn") if part.stake.spot == "play" else ("CH-06", "bet_taken_up")
                reading.mark(
                    part, rule, code, "corrected", f"{amount_text(amount)} taken up; it counts", live=part.live
                )
                part.because(part.rule, code)
