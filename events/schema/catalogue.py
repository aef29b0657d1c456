"""The catalogue of event types: decode, upcast, encode, JSON Schema. It is handed in; this package knows no game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from copy import copy
from typing import Any, Generic, TypeVar

import msgspec
from msgspec import Struct

from events.errors import Refused
from events.schema.envelope import canonical
from events.schema.event import Event, Undecoded, short_name

Upcast = Callable[[dict[str, Any]], dict[str, Any]]
E = TypeVar("E", bound=Event)


class Record(Struct, Generic[E], gc=False):
    """What the judge needs of an envelope, its event typed; what else stands in it is passed over. Fields in the order
    of canonical JSON are found soonest."""

    data: E
    sequence: str
    time: str
    round: str | None = None
    about: str | None = None
    account: str | None = None
    reason: str | None = None


class _Records(dict[str, Callable[[bytes], Record[Event]]]):
    """Decoders of whole envelopes, each made when it is first asked for."""

    def __init__(self, classes: Mapping[str, type[Event]]) -> None:
        super().__init__()
        self._classes = classes

    def __missing__(self, topic: str) -> Callable[[bytes], Record[Event]]:
        decode = self[topic] = msgspec.json.Decoder(Record[self._classes[topic]]).decode  # type: ignore[name-defined]
        return decode


def _by_name(classes: Iterable[type[Event]]) -> dict[str, type[Event] | None]:
    """Class by short name; None where several share it."""
    found: dict[str, type[Event] | None] = {}
    for cls in classes:
        name = short_name(cls.TOPIC)
        found[name] = None if name in found else cls
    return found


class Catalogue:
    """Every event type that this Recoup can read, by topic.

    Raises:
        Refused: two classes claim one topic, or a class has none.
    """

    def __init__(self, classes: Iterable[type[Event]]) -> None:
        self._classes: dict[str, type[Event]] = {}
        self._upcasts: dict[str, tuple[type[Event], Upcast]] = {}
        self._decoders: dict[str, Callable[[bytes], Event]] = {}
        self._records = _Records(self._classes)
        for cls in classes:
            self._add(cls)
        self.by_name = _by_name(self._classes.values())

    def _add(self, cls: type[Event]) -> None:
        known = self._classes.get(cls.TOPIC)
        if known is cls:
            return
        if not cls.TOPIC or known is not None:
            raise Refused(f"{cls.__module__}.{cls.__name__} has topic `{cls.TOPIC}`, which is empty or taken")
        self._classes[cls.TOPIC] = cls
        self._decoders[cls.TOPIC] = msgspec.json.Decoder(cls).decode
        for topic, upcast in cls.UPCASTS.items():
            self._upcasts[topic] = (cls, upcast)

    @property
    def topics(self) -> tuple[str, ...]:
        """Topics that can be read, older versions included, sorted."""
        return tuple(sorted({*self._classes, *self._upcasts}))

    @property
    def classes(self) -> tuple[type[Event], ...]:
        """The event classes, by topic."""
        return tuple(self._classes[topic] for topic in sorted(self._classes))

    def decode(self, topic: str, data: dict[str, Any] | bytes) -> Event | Undecoded:
        """The typed event, or `Undecoded` with the reason; never raises on what a record may hold."""
        cls = self._classes.get(topic)
        try:
            if cls is not None:
                if isinstance(data, dict):
                    return msgspec.convert(data, cls)
                return self._decoders[topic](data)
            old = self._upcasts.get(topic)
            if old is None:
                return Undecoded(topic, "unknown event type or version", data)
            plain = data if isinstance(data, dict) else msgspec.json.decode(data)
            return msgspec.convert(old[1](dict(plain)), old[0])
        except (msgspec.ValidationError, msgspec.DecodeError, KeyError, TypeError, ValueError) as error:
            return Undecoded(topic, str(error) or type(error).__name__, data)

    @property
    def records(self) -> Mapping[str, Callable[[bytes], Record[Event]]]:
        """Topic → a decoder of whole envelopes, their events typed; a KeyError for a topic that only `decode` knows.

        Only for bytes that Recoup wrote: a key twice is not noticed.
        """
        return self._records

    def encode(self, event: Event) -> bytes:
        """Canonical JSON of the event's data."""
        return canonical(event)

    def find(self, name: str) -> type[Event]:
        """The class of a topic (`RL.BetPlaced.v1`) or of an unambiguous short name (`BetPlaced`).

        Raises:
            Refused: no such event, or several rooms have one of that name.
        """
        cls = self._classes.get(name) or self.by_name.get(name)
        if cls is not None:
            return cls
        if "." in name:
            matches = [topic for topic in self._classes if topic.startswith(name + ".v")]
            if matches:
                return self._classes[max(matches, key=lambda topic: int(topic.rpartition(".v")[2]))]
        if name in self.by_name:
            topics = ", ".join(topic for topic in self.topics if short_name(topic) == name)
            raise Refused(f"`{name}` is the name of several events: {topics}", hint="write the room code before it")
        raise Refused(f"no event is called `{name}`", hint="`recoup schema` lists all")

    def at_table(self, classes: Iterable[type[Event]]) -> Catalogue:
        """The same catalogue, in which the short names of a room's own events mean those, whatever other rooms have."""
        other = copy(self)
        other.by_name = {**self.by_name, **_by_name(classes)}
        return other

    def json_schema(self, topic: str) -> dict[str, Any]:
        """JSON Schema of one type's `data`.

        Raises:
            Refused: no such type.
        """
        return msgspec.json.schema(self.find(topic))
