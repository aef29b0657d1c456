"""Which stored event type goes to which topic."""

from __future__ import annotations

import re
from collections.abc import Mapping

from events.errors import Refused
from events.ingest.kafka.settings import Settings
from events.schema.catalogue import Catalogue
from events.schema.ours import CheckpointSigned, RecordConflicted, RecordQuarantined, RulingApplied, SealKeyAdopted

REJECTED = (RecordQuarantined.TOPIC, RecordConflicted.TOPIC)
"""What tells of bytes that lie in quarantine: sent are those bytes."""

SEALED = (SealKeyAdopted.TOPIC, CheckpointSigned.TOPIC)
"""What a witness under other control needs: checkpoints, and the keys that they are signed with."""

DEFAULT_TYPES = (RulingApplied.TOPIC, *REJECTED, *SEALED)
"""Followed wherever nothing else is set."""

_TOPIC = re.compile(r"[A-Za-z0-9._-]{1,249}")


def read_routes(settings: Settings, catalogue: Catalogue) -> dict[str, str]:
    """Stored event type → topic: rulings, rejected records, checkpoints, and those of `publish_types`.

    Raises:
        Refused: no such pair, no such type, or the topic that the ingest daemon reads from.
    """
    routes = {
        RulingApplied.TOPIC: settings.rulings_topic,
        **dict.fromkeys(REJECTED, settings.rejected_topic),
        **dict.fromkeys(SEALED, settings.checkpoints_topic),
    }
    for pair in settings.publish_types.split(","):
        if pair.strip():
            name, topic = _pair(pair.strip())
            routes[name] = topic
    return _agreed(routes, settings, catalogue)


def _pair(text: str) -> tuple[str, str]:
    name, _equals, topic = text.partition("=")
    if not name.strip() or not _TOPIC.fullmatch(topic.strip()):
        raise Refused(f"publish_types: `{text}` is no TYPE=TOPIC", hint="as DS.RulingIssued.v1=recoup.rulings")
    return name.strip(), topic.strip()


def _agreed(routes: dict[str, str], settings: Settings, catalogue: Catalogue) -> dict[str, str]:
    known: Mapping[str, None] = dict.fromkeys(catalogue.topics)
    for name, topic in routes.items():
        if name not in known:
            raise Refused(f"publish_types: no stored event is of type `{name}`", hint="`recoup schema` lists all")
        if topic == settings.topic:
            raise Refused(
                f"{name} would be published to `{topic}`, which the ingest daemon reads: it would come in again",
                hint="give it a topic of its own",
            )
    return routes
