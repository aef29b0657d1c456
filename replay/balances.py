"""What lies where, and what each player has won or lost: read from the movements of chips and nothing else."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from events.schema.common import InventoryCounted, SeatLeft, SeatTaken
from events.schema.fact import Fact
from events.values.places import FLOAT, kind, name
from games.shared.poker.events import LineUp, PlayerDealtIn, SeatChanged, StackCounted


class Balances(Struct, frozen=True):
    """Chips by place, minor units, after some fact.

    `places`: a place that somebody has counted (`counted`) holds that much; any other holds what moved there since
    the session opened, so that `player/p-204` = −50000 says that he put down 500 more than he got back. `owners`: who
    sits at a seat or has a stake in a box. `surprises`: place → counted minus what the movements say, for each
    count that did not agree. All that in the table's currency; `foreign`: currency → the same of chips in another one.
    """

    places: dict[str, int] = {}
    counted: frozenset[str] = frozenset()
    owners: dict[str, str] = {}
    surprises: dict[str, int] = {}
    foreign: dict[str, Balances] = {}

    def of(self, place: str) -> int:
        """What lies there; 0 for a place that nothing has touched."""
        return self.places.get(place, 0)

    def players(self) -> dict[str, int]:
        """Player → what he carries, has before him and has lying in boxes, minor units, by name.

        Against what he came with, which no record tells, unless his chips were counted.
        """
        sums: dict[str, int] = {}
        for place, amount in self.places.items():
            owner = name(place) if kind(place) == "player" else self.owners.get(place)
            if owner:
                sums[owner] = sums.get(owner, 0) + amount
        return dict(sorted(sums.items()))


class Change(Struct, frozen=True):
    """One line of a step's money: a place or a player, before and after, minor units."""

    who: str
    before: int
    after: int

    @property
    def by(self) -> int:
        """After − before."""
        return self.after - self.before


def after(balances: Balances, fact: Fact, currency: str = "") -> Balances:
    """The balances once `fact` has happened; the same object if it moves and counts nothing. `currency`: of what it
    moves, where that is not the table's."""
    event = fact.event
    if currency and event.MOVES:
        own = _move(balances.foreign.get(currency, Balances()), fact)
        return replace(balances, foreign={**balances.foreign, currency: own})
    if isinstance(event, PlayerDealtIn):
        seat = f"seat/{event.seat}"
        seated = _moved_over(balances, event.player, seat, with_all=True)
        return seated if event.stack is None else _count(seated, seat, event.stack)
    if isinstance(event, LineUp):
        for number, player, stack in zip(event.seats, event.players, event.stacks, strict=False):
            balances = replace(balances, owners={**balances.owners, f"seat/{number}": player})
            balances = balances if stack is None else _count(balances, f"seat/{number}", stack)
        return balances
    if isinstance(event, SeatTaken) and event.is_player:
        return replace(balances, owners={**balances.owners, f"seat/{event.seat}": event.person})
    if isinstance(event, SeatLeft):
        kept = {place: who for place, who in balances.owners.items() if place != f"seat/{event.seat}"}
        return replace(balances, owners=kept)
    if isinstance(event, SeatChanged):
        return _moved_over(balances, event.player, f"seat/{event.to}", with_all=False)
    if isinstance(event, StackCounted):
        return _count(balances, f"seat/{event.seat}", event.amount)
    if isinstance(event, InventoryCounted):
        return _count(balances, FLOAT, event.amount)
    return _move(balances, fact) if event.MOVES else balances


def changes(before: Balances, now: Balances) -> list[Change]:
    """The places whose chips differ, in order of name."""
    touched = sorted({*before.places, *now.places})
    return [Change(at, before.of(at), now.of(at)) for at in touched if before.of(at) != now.of(at)]


def player_changes(before: Balances, now: Balances) -> list[Change]:
    """The players whose wealth differs, in order of name. A stake put down changes nothing yet: it is still his."""
    one, two = before.players(), now.players()
    return [
        Change(who, one.get(who, 0), two.get(who, 0))
        for who in sorted({*one, *two})
        if one.get(who, 0) != two.get(who, 0)
    ]


def _move(balances: Balances, fact: Fact) -> Balances:
    places, owners, counted = dict(balances.places), balances.owners, balances.counted
    for move in fact.event.moves():
        amount = int(move.amount)
        if move.cause == "seat_change" and move.frm in counted and not places.get(move.to):
            counted |= {move.to}  # a stack that was counted is so at its new seat
        places[move.frm] = places.get(move.frm, 0) - amount
        places[move.to] = places.get(move.to, 0) + amount
        if kind(move.to) == "box":
            owner = _owner(move.frm, owners)
            if owner and owners.get(move.to) != owner:
                owners = {**owners, move.to: owner}
        if kind(move.frm) == "box" and not places[move.frm]:
            # Every bet has a box of its own: those that are empty again would pile up through an evening.
            del places[move.frm]
            owners = {place: who for place, who in owners.items() if place != move.frm}
        if move.cause == "seat_change" and not places.get(move.frm) and owners.get(move.frm) == owners.get(move.to):
            owners = {place: who for place, who in owners.items() if place != move.frm}
    return replace(balances, places=places, owners=owners, counted=counted)


def _owner(place: str, owners: dict[str, str]) -> str:
    return name(place) if kind(place) == "player" else owners.get(place, "")


def _moved_over(balances: Balances, player: str, seat: str, *, with_all: bool) -> Balances:
    """A player sits at a seat and no longer where he sat; what lies there is still his until the record moves it.

    `with_all`: he begins a hand there, so that all he had at a former seat came with him, told or not.
    """
    places, owners = dict(balances.places), {**balances.owners, seat: player}
    for old in [at for at, who in owners.items() if who == player and at != seat and kind(at) == "seat"]:
        if with_all and old in places:
            places[seat] = places.get(seat, 0) + places.pop(old)
        if not places.get(old):
            del owners[old]
    return replace(balances, places=places, owners=owners)


def _count(balances: Balances, place: str, amount: int) -> Balances:
    surprises = {at: by for at, by in balances.surprises.items() if at != place}
    if place in balances.counted and balances.of(place) != amount:
        surprises[place] = amount - balances.of(place)
    return replace(
        balances,
        places={**balances.places, place: amount},
        counted=balances.counted | {place},
        surprises=surprises,
    )
