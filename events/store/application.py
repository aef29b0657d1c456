"""The library's application over our recorder, for decided things (dispute, day): loaded, decided, saved.

Their events go through the same sealing hook as bulk ingest, and their stored state is a canonical envelope like any
record that Recoup writes; `Repository.get` with a projector function folds them.
"""

from __future__ import annotations

from typing import Any, ClassVar

import msgspec
from eventsourcing.application import Application
from eventsourcing.domain import DomainEventProtocol
from eventsourcing.persistence import JSONTranscoder, Mapper, StoredEvent, Transcoder
from eventsourcing.utils import EnvType
from msgspec import Struct

from events.schema.catalogue import Catalogue
from events.schema.envelope import Envelope, canonical, make_envelope
from events.schema.event import Event, Undecoded, to_plain
from events.values.clock import parse_time
from events.values.names import parse_stream

_DECODE = msgspec.json.Decoder(Envelope).decode


class Decided(Struct, frozen=True, gc=False):
    """An event of a decided thing: stream, version in it (from 1), the event, and when it happened (ms UTC)."""

    originator_id: str
    originator_version: int
    event: Event | Undecoded
    at: int
    round: str | None = None
    about: str | None = None
    account: str | None = None
    reason: str | None = None


class EnvelopeMapper(Mapper[str]):
    """`Decided` to and from a stored canonical envelope; the sequence is the version."""

    def __init__(self, transcoder: Transcoder, catalogue: Catalogue) -> None:
        super().__init__(transcoder)
        self._catalogue = catalogue

    def to_stored_event(self, domain_event: DomainEventProtocol[str]) -> StoredEvent:
        """The row of one event.

        Raises:
            TypeError: it is no `Decided`, or was not decoded.
        """
        if not isinstance(domain_event, Decided) or isinstance(domain_event.event, Undecoded):
            raise TypeError(f"{type(domain_event).__name__} is no decided event that can be written")
        place = parse_stream(domain_event.originator_id)
        topic = domain_event.event.TOPIC
        envelope = make_envelope(
            subject=place.subject,
            source=place.source,
            sequence=domain_event.originator_version,
            topic=topic,
            at_ms=domain_event.at,
            data=to_plain(domain_event.event),
            round_name=domain_event.round,
            about=domain_event.about,
            account=domain_event.account,
            reason=domain_event.reason,
        )
        return StoredEvent(domain_event.originator_id, domain_event.originator_version, topic, canonical(envelope))

    def to_domain_event(self, stored_event: StoredEvent) -> DomainEventProtocol[str]:
        """The event of one row."""
        envelope = _DECODE(stored_event.state)
        return Decided(
            originator_id=str(stored_event.originator_id),
            originator_version=stored_event.originator_version,
            event=self._catalogue.decode(stored_event.topic, envelope.data),
            at=parse_time(envelope.time),
            round=envelope.round,
            about=envelope.about,
            account=envelope.account,
            reason=envelope.reason,
        )


class LogApplication(Application[str]):
    """The library's application; `Log` opens it."""

    name = "recoup"
    env: ClassVar[dict[str, str]] = {"ORIGINATOR_ID_TYPE": "text"}

    def __init__(self, env: EnvType, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        super().__init__(env)

    def construct_mapper(self) -> Mapper[str]:
        """Ours: the library's would let payloads choose their own decoding."""
        return EnvelopeMapper(self.construct_transcoder(), self._catalogue)

    def construct_transcoder(self) -> Transcoder:
        """Unused by our mapper; the library wants one."""
        return JSONTranscoder()

    def decided(self, stream: str) -> list[Any]:
        """All events of a decided thing, in order; empty if there is none."""
        return list(self.events.get(stream))
