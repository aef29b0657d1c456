"""The envelope: CloudEvents 1.0, structured JSON, one event a line.

`about`, `account` and `reason` are extension attributes that only Recoup's own records carry: the record that a
correction or an added fact is about, the account that wrote it, and why.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from events.values.clock import time_text

SPECVERSION = "1.0"
SEQUENCE_WIDTH = 16

_ENCODE = msgspec.json.Encoder(order="sorted").encode


class Envelope(Struct, frozen=True, gc=False, omit_defaults=True):
    """One record as it travels. Field order is that of our writers (see `engineering.md`, "a key twice, cheaply")."""

    specversion: str
    id: str
    source: str
    type: str
    subject: str
    sequence: str
    time: str
    data: dict[str, Any]
    round: str | None = None
    about: str | None = None
    account: str | None = None
    reason: str | None = None
    datacontenttype: str | None = None


def canonical(value: Any) -> bytes:
    """RFC 8785 for what we allow: integers, strings and ASCII keys (no floats, nothing beyond 2^53)."""
    return _ENCODE(value)


def make_envelope(
    *,
    subject: str,
    source: str,
    sequence: int,
    topic: str,
    at_ms: int,
    data: dict[str, Any],
    round_name: str | None = None,
    about: str | None = None,
    account: str | None = None,
    reason: str | None = None,
) -> Envelope:
    """An envelope of our own writing; the id is source and sequence, which are unique in the subject."""
    return Envelope(
        specversion=SPECVERSION,
        id=f"{subject}@{source}:{sequence}",
        source=source,
        type=topic,
        subject=subject,
        sequence=str(sequence).rjust(SEQUENCE_WIDTH, "0"),
        time=time_text(at_ms),
        data=data,
        round=round_name,
        about=about,
        account=account,
        reason=reason,
    )
