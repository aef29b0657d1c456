"""What was really settled, read from the movements of chips: one function for all rooms.

A bank's stakes are keyed by the stake that the movement names, a pot game's by the seat at the other end.

What a pot or the rake paid wrongly is set right by moving the chips: back into the pot and out again, straight from
seat to seat, from the rake box to pot or seat. Which way they went is read from the places; the cause (award, return,
correction, ruling, rake) tells only that it is no bet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec import UNSET, Struct
from msgspec.structs import replace

from events.schema.common import ChipsMoved
from events.schema.event import Move
from events.values.places import FLOAT, POT, RAKE, SEATS
from games.verdict import Line, Settlement

_SETTLES = frozenset({"win", "take", "return", "award", "rake"})
_STAKES = ("player/", "seat/", "box/")
REPAIRS = frozenset({"award", "return", "correction", "ruling", "rake"})
"""Causes by which chips set right what a pot or the rake paid wrongly."""


class Tally(Struct, gc=False):
    """What the record moved for one stake, minor units. `player`: who put it down, else who was first paid on it;
    `others`: what a bank moved for it to or from anybody else."""

    player: str = ""
    staked: int = 0
    taken: int = 0
    returned: int = 0
    paid: int = 0
    is_settled: bool = False
    others: dict[str, Tally] | None = None


class Ledger(Struct, gc=False):
    """The movements of a round added up, as they come. `pot` and `boxes`: what lies there by the record, carried over
    from round to round; `rake`: taken in this one; `paid_out`: chips left the pot; `settled`: something was paid,
    taken, returned or awarded; `awarded`: a pot was. `passed`: chips that went from seat to seat outside the pots and
    did not come back, carried over too: what brings them back repairs no award."""

    pot: int = 0
    boxes: dict[str, int] = {}
    tallies: dict[str, Tally] = {}
    rake: int = 0
    paid_out: bool = False
    settled: bool = False
    awarded: bool = False
    passed: dict[tuple[str, str], int] = {}

    def next(self) -> Ledger:
        """For the next round. A box left empty is forgotten: every bet has one of its own, and they would pile up. So
        is one out of which more was taken than lay there: the round in which it happened says so, not each after it."""
        boxes = {place: amount for place, amount in self.boxes.items() if amount > 0} if self.boxes else {}
        return Ledger(self.pot, boxes, passed=self.passed.copy())

    def move(self, frm: str, to: str, amount: int, cause: str, stake: str = "") -> None:
        """One movement."""
        if to == POT:
            self.pot += amount
        elif to[:4] == "box/":
            self.boxes[to] = self.boxes.get(to, 0) + amount
        if frm == POT:
            self.pot -= amount
            self.paid_out = True
        elif frm[:4] == "box/":
            self.boxes[frm] = self.boxes.get(frm, 0) - amount
        if frm == RAKE or to == RAKE:
            self._rake(frm, to, amount, cause)
            return
        if frm[:5] == "seat/":
            if to[:5] == "seat/":
                self._from_seat_to_seat(frm, to, amount, cause, stake)
                return
            if to == POT and cause in REPAIRS:
                self._back_into_the_pot(frm, amount)
                return
        elif frm == POT and to[:5] == "seat/" and cause in REPAIRS and cause != "return":
            cause = "award" if self.awarded or cause == "award" else "return"
            self.awarded = self.awarded or cause == "award"
        if cause == "correction" and POT not in (frm, to):
            if frm == FLOAT and to[:4] == "box/":  # a stake that was taken is put back
                amount, cause = -amount, "take"
            else:
                cause = _corrects(frm, to)
        if cause in _SETTLES:
            self.settled = True
        elif cause != "stake":
            return
        if cause == "rake":
            self.rake += amount if frm == POT else -amount
            return
        key = to if frm == POT else frm if to == POT else stake or _no_stake(frm, to)
        if not key:
            return
        tally = self._tally(key)
        if to == POT and cause == "stake" and key.startswith("seat/"):
            tally.player = key
            tally.staked += amount
        else:
            _count(tally, key, frm, to, cause, amount)

    def _tally(self, key: str) -> Tally:
        tally = self.tallies.get(key)
        if tally is None:
            tally = self.tallies[key] = Tally()
        return tally

    def _rake(self, frm: str, to: str, amount: int, cause: str) -> None:
        """Chips into the rake box or out of it: from and to pot and seats they are this round's rake."""
        other = frm if to == RAKE else to
        seat = other[:5] == "seat/" and (other in self.tallies or cause in REPAIRS)
        if other != POT and not seat and cause not in ("rake", "stake"):
            return  # the box is emptied
        taken = amount if to == RAKE else -amount
        self.rake += taken
        self.settled = True
        if seat:
            tally = self._tally(other)
            tally.player = other
            tally.paid -= taken
            tally.is_settled = True

    def _back_into_the_pot(self, seat: str, amount: int) -> None:
        """A seat gives back what a pot paid it, then what it got returned; chips beyond that it puts in."""
        tally = self._tally(seat)
        tally.player = seat
        paid = min(amount, max(tally.paid, 0))
        returned = min(amount - paid, max(tally.returned, 0))
        tally.paid -= paid
        tally.returned -= returned
        tally.staked += amount - paid - returned
        tally.is_settled = tally.paid != 0
        self.settled = True

    def _from_seat_to_seat(self, frm: str, to: str, amount: int, cause: str, stake: str) -> None:
        """An award goes on to whom it is due; chips passed outside the pots come back first. Where nothing names the
        pot, no more of it than the giver got."""
        if cause != "transfer" and cause not in REPAIRS:
            return
        undone = min(amount, self.passed.get((to, frm), 0))
        if undone:
            self.passed[to, frm] -= undone
            amount -= undone
        if cause == "transfer":
            if amount:
                self.passed[frm, to] = self.passed.get((frm, to), 0) + amount
            return
        giver, taker = self.tallies.get(frm), self.tallies.get(to)
        if giver is None or taker is None:
            return
        if not stake:
            amount = min(amount, max(giver.paid + giver.returned, 0))
        if amount:
            giver.paid -= amount
            taker.paid += amount
            giver.is_settled = taker.is_settled = self.settled = True

    def left(self) -> dict[str, int]:
        """Place → what lies there now, minor units: pot and boxes that are not empty."""
        left = {place: amount for place, amount in self.boxes.items() if amount} if self.boxes else {}
        if self.pot:
            left[POT] = self.pot
        return left

    def settlement(self, due: Settlement | None = None, *, open_round: bool = False) -> Settlement | None:
        """The settlement on record, one line a stake; None if nothing was paid, taken, returned or awarded.

        What a bank did not take of a stake stays the player's, as `returned`; a pot game's stake went into the pots
        but for what was returned. While the round is open, that holds for a stake once it was taken, paid or returned
        (a pot game's: once its seat was awarded something); one that still waits has no line. What a bank moved for a
        stake to somebody who does not own it by what is `due`, whoever put it down, is a line of his: `b1 to p-7`.
        What is told of a stake is in its own currency, as its line due has it.
        """
        if not self.settled:
            return None
        told = [item for item in self.tallies.items() if item[1].is_settled or not open_round]
        if due is not None and due.pots:
            return Settlement(lines=tuple([_line(key, tally) for key, tally in told]), rake=self.rake)
        owners = {line.stake: line.player for line in due.lines} if due is not None else {}
        lines: list[Line] = []
        for key, tally in told:
            owner = owners.get(key, tally.player)
            if tally.others is None and (owner == tally.player or key[:5] == "seat/"):
                lines.append(_line(key, tally))
                continue
            own, strangers = _apart(key, tally, owner)
            lines += [*strangers, _line(key, own)] if own.is_settled or not open_round else strangers
        if units := {line.stake: line.currency for line in due.lines if line.currency} if due is not None else {}:
            lines = [replace(line, currency=units.get(line.stake.partition(" to ")[0], UNSET)) for line in lines]
        return Settlement(lines=tuple(lines), rake=self.rake)


Booking = Callable[[Any, Ledger], None]


class _Bookings(dict[type[Any], "Booking | None"]):
    def __missing__(self, kind: Any) -> Booking | None:
        booking: Booking | None = None
        if kind is ChipsMoved:
            booking = _moved
        elif kind.MOVES:
            booking = _put_in if kind.MOVES == _INTO_THE_POT else _every_move
        self[kind] = booking
        return booking


BOOKINGS = _Bookings()
"""Class of event → how it is entered in a ledger; None where it moves nothing. A bet of nothing (a fold, a check) is no
movement."""

_INTO_THE_POT = (Move("seat/{seat}", POT, "amount", "stake", "seat/{seat}"),)


def _put_in(event: Any, ledger: Ledger) -> None:
    """A seat's chips into the pot, by far the commonest movement: as `move` has it, in a third of the time."""
    amount = event.amount
    if amount:
        ledger.pot += amount
        place = SEATS[event.seat]
        tally = ledger.tallies.get(place)
        if tally is None:
            ledger.tallies[place] = Tally(place, amount)
        else:
            tally.player = place
            tally.staked += amount


def _moved(event: ChipsMoved, ledger: Ledger) -> None:
    """Any movement; what a pot pays or gives back, the next commonest, as `move` has it."""
    to, amount, cause = event.to, event.amount, event.cause
    if event.frm != POT or to[:5] != "seat/" or cause not in ("award", "return"):
        ledger.move(event.frm, to, amount, cause, event.stake)
        return
    ledger.pot -= amount
    ledger.paid_out = ledger.settled = True
    tally = ledger.tallies.get(to)
    if tally is None:
        tally = ledger.tallies[to] = Tally()
    tally.player = to
    if cause == "award":
        ledger.awarded = tally.is_settled = True
        tally.paid += amount
    else:
        tally.returned += amount


def sets_right(event: ChipsMoved, round_: Iterable[Any], passed: Mapping[tuple[str, str], int]) -> bool:
    """Whether a movement after a round repairs what that round's pot paid, though it names no round. `round_`: the
    round's events; `passed`: as in `Ledger`, up to now."""
    frm, to = event.frm, event.to
    seats = frm[:5] == "seat/", to[:5] == "seat/"
    if event.cause not in REPAIRS or not ((seats[0] or frm in (POT, RAKE)) and (seats[1] or to in (POT, RAKE))):
        return False
    if seats[0] and to == RAKE:
        return False
    out = [one.to for one in round_ if type(one) is ChipsMoved and one.frm == POT]
    return (frm in out and not passed.get((to, frm))) if seats == (True, True) else bool(out)


def _every_move(event: Any, ledger: Ledger) -> None:
    if getattr(event, "amount", True):
        for frm, to, amount, cause, stake in event.moves():
            ledger.move(frm, to, amount, cause, stake)


def _corrects(frm: str, to: str) -> str:
    """What a bank's own correction at the table does to a stake, by the places that the chips went between: a stake
    goes to the bank or back, all else is a win paid or taken back."""
    if frm[:4] != "box/":
        return "win" if "player/" in (frm[:7], to[:7]) else ""
    return "take" if to == FLOAT else "return"


def _no_stake(frm: str, to: str) -> str:
    """What a bank moved to or from a player without naming a stake is kept under his name; else empty."""
    player = to if to[:7] == "player/" else frm
    return f"no stake to {player[7:]}" if player[:7] == "player/" else ""


def _apart(key: str, tally: Tally, owner: str) -> tuple[Tally, list[Line]]:
    """What the record moved for a stake's owner, and a line for everybody else who was paid on it. Chips of the stake
    that went back to another are gone for its owner."""
    own = Tally(owner, tally.staked, tally.taken)
    strangers = []
    for one in (tally, *(tally.others or {}).values()):
        if one.player in ("", owner):
            own.returned += one.returned
            own.paid += one.paid
            own.taken += one.taken if one is not tally else 0
            continue
        if gain := one.paid + one.returned - (one.taken if one is not tally else 0):
            strangers.append(Line(f"{key} to {one.player}", one.player, 0, paid=gain))
        own.taken += one.returned
    own.is_settled = bool(own.taken or own.returned or own.paid)
    return own, strangers


def _of(tally: Tally, frm: str, to: str, cause: str) -> Tally:
    """Whose part of a stake's tally a movement is; a seat's is its own whoever sits there."""
    player = to if to[:7] == "player/" else frm
    if player[:7] != "player/":
        seat = to if to[:5] == "seat/" else frm
        if seat[:5] == "seat/":
            tally.player = seat
        return tally
    name = player[7:]
    if cause == "stake" or tally.player in ("", name):
        tally.player = name
        return tally
    if tally.others is None:
        tally.others = {}
    return tally.others.setdefault(name, Tally(name))


def _count(tally: Tally, key: str, frm: str, to: str, cause: str, amount: int) -> None:
    whole, tally = tally, _of(tally, frm, to, cause)
    if cause == "stake":
        taken_up = frm == POT or (frm.startswith("box/") and to != f"box/{key}")
        tally.staked += -amount if taken_up else amount
        return
    # What nobody called is given back before a pot is awarded: the seat waits on.
    if cause != "return" or not key.startswith("seat/"):
        whole.is_settled = True
    if cause == "take":
        tally.taken += amount
    elif cause == "return":
        tally.returned += amount
    else:  # a win from the bank, an award from a pot; the other way round a win is given back
        tally.paid += amount if to.startswith(_STAKES) else -amount


def _line(key: str, tally: Tally) -> Line:
    pot = key[:5] == "seat/" or key == FLOAT  # the house, too, may put chips into a pot
    taken = tally.staked - tally.returned if pot else tally.taken
    returned = tally.returned if pot else tally.staked - taken
    return Line(key, tally.player, tally.staked, taken, returned, tally.paid)


def differences(due: Settlement, on_record: Settlement, *, open_round: bool) -> dict[str, int]:
    """Stake → due net − recorded net, minor units, where they differ. Positive: the house, or the pot, owes.

    What the house leaves with the player (`waived`) is none. A stake that waits for a ruling (`held`) is not compared;
    while the round is open, only what has a line on record.
    """
    by_stake = {line.stake: line for line in on_record.lines}
    found: dict[str, int] = {}
    for line in due.lines:
        was = by_stake.pop(line.stake, None)
        if line.held or (was is None and open_round):
            continue
        apart = line.paid - line.taken + line.waived - (was.paid - was.taken if was is not None else 0)
        if apart:
            found[line.stake] = apart
    for stake, was in by_stake.items():  # paid or taken where the rules know no stake
        if was.net:
            found[stake] = -was.net
    return found


def conserved(settlement: Settlement) -> bool:
    """Whether every line adds up, and what pots take in equals what they pay and what is raked."""
    taken = paid = 0
    for line in settlement.lines:
        if (
            line.staked != line.taken + line.returned + line.held
            or line.staked < 0
            or line.taken < 0
            or line.returned < 0
        ):
            return False
        taken += line.taken
        paid += line.paid
    return not settlement.pots or taken == paid + settlement.rake
