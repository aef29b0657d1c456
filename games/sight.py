"""Who has seen which card: what a viewpoint may read of a record, and knows of the table by then.

Events say which of their cards are private (`Event.PRIVATE`); every other card that a record names lies open from then
on. One rule hides the record's line, its JSON and the room's picture alike, and a game without such events (roulette)
hides nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

from msgspec.structs import replace

from events.schema.event import Event, Private, Undecoded
from events.values.cards import UNKNOWN
from games.picture import Known, Viewpoint

_FIELDS = ("card", "cards")
"""What a field with cards is called, in every room."""


def learn(known: Known, event: Event | Undecoded, view: Viewpoint) -> Known:
    """The cards that `view` knows after a record, given those before it; the same object if nothing changed."""
    if isinstance(event, Undecoded) or not _fields_of(type(event)):
        return known
    gained: set[str] = set()
    lost: set[str] = set()
    for field in _fields_of(type(event)):
        private = _private(event, field)
        cards = _cards(event, field)
        seen = _seen(event, private, view, len(cards))
        gained.update(card for card, sees in zip(cards, seen, strict=True) if sees)
        if private is not None and private.fresh:
            lost.update(card for card, sees in zip(cards, seen, strict=True) if not sees)
    gained.discard(UNKNOWN)
    if gained <= known and lost.isdisjoint(known):
        return known
    return known - lost | gained


def masked(event: Event | Undecoded, view: Viewpoint, known: Known) -> tuple[Event | Undecoded, tuple[str, ...]]:
    """The record as `view` may read it, who knows these cards by now; and the names of the fields where one is hidden.

    Of a record that cannot be read no card is shown to anybody but who may see all.
    """
    if view.all_knowing:
        return event, ()
    if isinstance(event, Undecoded):
        data, names = _blind(event.data)
        return (Undecoded(event.topic, event.reason, data), names) if names else (event, ())
    hidden: dict[str, Any] = {}
    for field in _fields_of(type(event)):
        cards = _cards(event, field)
        seen = _seen(event, _private(event, field), view, len(cards))
        kept = tuple(card if sees or card in known else UNKNOWN for card, sees in zip(cards, seen, strict=True))
        if kept != cards:
            hidden[field] = kept[0] if isinstance(getattr(event, field), str) else kept
    return (replace(event, **hidden), tuple(hidden)) if hidden else (event, ())


def is_seat(view: Viewpoint, place: str) -> bool:
    """Whether that place is the viewer's own: seat 3 (`3`, `seat/3`), or a hand of the box with that number."""
    if view.seat is None:
        return False
    own = view.seat.removeprefix("seat/").removeprefix("box/")
    return place == f"seat/{own}" or place.partition(".")[0] == f"box/{own}"


@cache
def _fields_of(cls: type[Event]) -> tuple[str, ...]:
    declared = {private.cards for private in cls.PRIVATE}
    return tuple(name for name in cls.__struct_fields__ if name in _FIELDS or name in declared)


def _private(event: Event, field: str) -> Private | None:
    """What the event declares of that field, if it holds for this one."""
    for private in event.PRIVATE:
        if private.cards == field:
            is_open = any(getattr(event, name, None) in values for name, values in private.unless.items())
            return None if is_open else private
    return None


def _cards(event: Event, field: str) -> tuple[str, ...]:
    value = getattr(event, field)
    return (value,) if isinstance(value, str) else tuple(value or ())


def _seen(event: Event, private: Private | None, view: Viewpoint, count: int) -> tuple[bool, ...]:
    """Card by card, whether the viewer sees it in this very record."""
    if private is None or view.all_knowing:
        return (True,) * count
    places = _places(event, private.seen_by)
    eyes = [is_seat(view, place) for place in places]
    return tuple(eyes[number % len(eyes)] for number in range(count)) if eyes else (False,) * count


def _places(event: Event, template: str) -> list[str]:
    """The template filled in; with a field of several, once for each."""
    before, brace, rest = template.partition("{")
    if not brace:
        return [template]
    field, _brace, after = rest.partition("}")
    value = getattr(event, field)
    every: Iterable[Any] = value if isinstance(value, tuple) else (value,)
    return [f"{before}{one}{after}" for one in every]


def _blind(data: Any) -> tuple[Any, tuple[str, ...]]:
    """Plain data with the cards in it taken out."""
    if not isinstance(data, dict):
        return data, ()
    names = tuple(name for name in _FIELDS if data.get(name))
    return ({name: UNKNOWN if name in names else value for name, value in data.items()}, names) if names else (data, ())


def hide_in(plain: Any, view: Viewpoint, known: Known) -> Any:
    """The same for what was worked out from records, as plain data: values of `card` and `cards`, however deep."""
    if view.all_knowing:
        return plain
    if isinstance(plain, dict):
        return {
            name: _unseen(value, known) if name in _FIELDS else hide_in(value, view, known)
            for name, value in plain.items()
        }
    if isinstance(plain, list | tuple):
        return [hide_in(value, view, known) for value in plain]
    return plain


def _unseen(value: Any, known: Known) -> Any:
    if isinstance(value, str):
        return value if value in known else UNKNOWN
    return [_unseen(one, known) for one in value] if isinstance(value, list | tuple) else value
