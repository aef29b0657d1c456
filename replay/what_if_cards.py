"""What if another card had lain there: one deck has each card once, so that two cards of it change places.

Found by the names of fields alone, as every room's events have them (docs/adding-a-game.md): a card lies in `card` or
`cards`, its place in `to`, `place`, `street` (of the first `board`), or it is that of a `seat`; `seats` were dealt to
round and round.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from events.errors import Refused
from events.schema.event import Event, Undecoded
from events.schema.fact import Fact
from events.values.cards import UNKNOWN

_SHOWS = ("HandShown", "HandMucked")
"""What names cards that were dealt before: where the deal does not tell a hand, these do."""


class Slot(Struct, frozen=True):
    """One card of one record: which field, which card of it, and what it is."""

    fact: Fact
    field: str
    index: int
    card: str


class Swap(Struct, frozen=True):
    """What a change of cards does to one record."""

    fact: Fact
    event: Event


def swapped(
    facts: Sequence[Fact], wanted: Sequence[tuple[str, tuple[str, ...]]], number_of: Mapping[str, int]
) -> list[Swap]:
    """The records of a round, as they would be with other cards at some places; those that stay as they are left out.

    `wanted`: a place (`river`, `seat/3`, `river/2` on the second board) or a record's citation, and its cards. A card
    that lies elsewhere in the round changes places with the one that it takes the place of, wherever either is named.
    `number_of`: citation → number, for messages.

    Raises:
        Refused: no card lies there, not as many as were named, or the deck has one of them twice.
    """
    misdeals = [at for at, fact in enumerate(facts) if type(fact.event).__name__ == "MisdealDeclared"]
    facts = facts[misdeals[-1] :] if misdeals else facts  # the cards of a deal called off went back
    events: dict[str, Event] = {fact.cite: fact.event for fact in facts if isinstance(fact.event, Event)}
    for place, cards in wanted:
        current = [replace(fact, event=events[fact.cite]) for fact in facts if fact.cite in events]
        slots = _slots_at(current, place, number_of)
        if len(slots) != len(cards):
            raise _other_count(place, slots, len(cards), number_of)
        for slot, card in zip(slots, cards, strict=True):
            _put(events, slot, card)
    came = {fact.cite: fact for fact in facts}
    return [Swap(came[cite], event) for cite, event in events.items() if event != came[cite].event]


def _other_count(place: str, slots: Sequence[Slot], named: int, number_of: Mapping[str, int]) -> Refused:
    name = f"record {number_of.get(place, place)}" if "@" in place else place
    there = [slot.card for slot in slots]
    records = list(dict.fromkeys(str(number_of.get(slot.fact.cite, slot.fact.cite)) for slot in slots))
    one = f", or one of its records {', '.join(records)}, as --card {records[0]}={there[0]}" if len(records) > 1 else ""
    return Refused(
        f"{name} has {len(slots)} card{'s' * (len(slots) != 1)} ({' '.join(there)}), "
        f"{named} {'was' if named == 1 else 'were'} named",
        hint=f"name all, as --card {name.removeprefix('record ')}={','.join(there)}{one}",
    )


def places(facts: Sequence[Fact]) -> dict[str, list[Slot]]:
    """Where cards were dealt in a round, in order of dealing: `seat/3`, `flop`, `burn`, `river/2`."""
    found: dict[str, list[Slot]] = {}
    shown: dict[str, list[Slot]] = {}
    for fact in facts:
        event = fact.event
        if isinstance(event, Undecoded):
            continue
        told = type(event).__name__
        if told in _SHOWS:
            place = f"seat/{event.seat}"  # type: ignore[attr-defined]
            known = [slot for slot in _slots(fact) if slot.card != UNKNOWN]
            if len(known) > len(shown.get(place, ())):
                shown[place] = known
            continue
        for slot in _slots(fact):
            if place := _place_of(event, slot.index):
                found.setdefault(place, []).append(slot)
    for place, slots in shown.items():
        dealt = found.get(place, [])
        if all(slot.card == UNKNOWN for slot in dealt):
            found[place] = slots
    return found


def _slots_at(facts: Sequence[Fact], place: str, number_of: Mapping[str, int]) -> list[Slot]:
    for fact in facts:
        if fact.cite == place:
            slots = list(_slots(fact))
            if not slots:
                raise Refused(f"record {number_of.get(place, place)} has no card in it")
            return slots
    there = places(facts)
    if place in there:
        return there[place]
    if "@" in place:
        raise Refused(f"record {number_of.get(place, place)} is not of the deal that counts", hint="--set changes it")
    if not there:
        raise Refused("no card was dealt in this round")
    known = ", ".join(sorted(there, key=lambda name: (name.startswith("seat/"), name)))
    raise Refused(
        f"no card lies at `{place}`; cards lie at {known}",
        hint="--add puts in what was never dealt, as --add 'CardDealt river card=Ah'",
    )


def _slots(fact: Fact) -> Iterator[Slot]:
    for field in ("card", "cards"):
        value: Any = getattr(fact.event, field, None)
        cards = (value,) if isinstance(value, str) else value if isinstance(value, tuple) else ()
        for index, card in enumerate(cards):
            yield Slot(fact, field, index, card)


def _place_of(event: Any, index: int) -> str:
    """Where the card of an event was dealt; empty if the event only names a card that lies somewhere."""
    seats = getattr(event, "seats", None)
    if seats:
        return f"seat/{seats[index % len(seats)]}"
    to, street = getattr(event, "to", ""), getattr(event, "street", "")
    board = getattr(event, "board", 1)
    if hasattr(event, "frm") or hasattr(event, "role") or hasattr(event, "where"):
        return ""  # moved, picked, found or exposed: it had been dealt before
    for place in (to, getattr(event, "place", ""), street):
        if isinstance(place, str) and place:
            return place if board == 1 else f"{place}/{board}"
    if type(event).__name__.startswith("CardBurned"):
        return "burn"
    return f"seat/{event.seat}" if getattr(event, "seat", None) is not None and hasattr(event, "cards") else ""


def _put(events: dict[str, Event], slot: Slot, card: str) -> None:
    """The card into the slot; the one that lay there goes to where the new one lay."""
    old = _current(events, slot)
    if old == card:
        return
    for name in (old, card):
        if name != UNKNOWN and _dealt(events, name) > 1:
            raise Refused(
                f"{name} was dealt more than once in this round, so it is open which of them is meant",
                hint="--set RECORD.card=Ah changes one record alone",
            )
    takes = {card: old, old: card}
    if UNKNOWN in takes:
        # One that nobody named cannot be found elsewhere: only the slot itself changes, and where the new card lay
        # lies now one that nobody named.
        takes = {} if card == UNKNOWN else {card: old}
    for cite, event in events.items():
        events[cite] = _mapped(event, takes)
    if UNKNOWN in (old, card):
        events[slot.fact.cite] = _with(events[slot.fact.cite], slot, card)


def _current(events: Mapping[str, Event], slot: Slot) -> str:
    value: Any = getattr(events[slot.fact.cite], slot.field)
    card: str = value if isinstance(value, str) else value[slot.index]
    return card


def _dealt(events: Mapping[str, Event], card: str) -> int:
    return sum(
        1
        for event in events.values()
        for field in ("card", "cards")
        for index, name in enumerate(_cards_in(event, field))
        if name == card and _place_of(event, index) and type(event).__name__ not in _SHOWS
    )


def _cards_in(event: Event, field: str) -> tuple[str, ...]:
    value = getattr(event, field, None)
    return (value,) if isinstance(value, str) else value if isinstance(value, tuple) else ()


def _mapped(event: Event, takes: Mapping[str, str]) -> Event:
    changed: dict[str, Any] = {}
    for field in ("card", "cards"):
        value = getattr(event, field, None)
        if isinstance(value, str) and value in takes:
            changed[field] = takes[value]
        elif isinstance(value, tuple) and not takes.keys().isdisjoint(value):
            changed[field] = tuple(takes.get(card, card) for card in value)
    return replace(event, **changed) if changed else event


def _with(event: Event, slot: Slot, card: str) -> Event:
    value: Any = getattr(event, slot.field)
    if isinstance(value, str):
        return replace(event, **{slot.field: card})
    return replace(event, **{slot.field: (*value[: slot.index], card, *value[slot.index + 1 :])})
