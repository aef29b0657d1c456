"""What `verify` says of a row or an entry that is not as it was made, in words."""

from __future__ import annotations

from typing import Any, NamedTuple

from events.schema.ours import RecordConflicted
from events.seal import leaf
from events.store.facts import origin_of

_KINDS: dict[type, str] = {str: "text", bytes: "bytes", int: "a number", float: "a fraction", type(None): "nothing"}


def row_fault(row: tuple[Any, ...], recorded_at: int, sealed: bytes) -> str:
    """What is wrong with one row; empty if nothing is."""
    _row_index, stream, version, topic, state = row
    wanted = (("stream", stream, str), ("version", version, int), ("topic", topic, str), ("state", state, bytes))
    for name, value, kind in wanted:
        if type(value) is not kind:
            return f"column {name} holds {_KINDS.get(type(value), 'something else')}, {_KINDS[kind]} was written"
    try:
        found = leaf(recorded_at, stream.encode(), version, topic.encode(), state)
    except (OverflowError, UnicodeEncodeError) as error:
        return f"the row cannot be what was written: {error}"
    return "" if found == sealed else "the row is not the one that was sealed"


class Authored(NamedTuple):
    """What an authored event says of quarantined bytes."""

    subject: str
    topic: str
    data: dict[str, Any]
    recorded_at: int


def held_fault(entry: tuple[Any, ...], told: Authored) -> str:
    """The first column of a quarantine entry that its event contradicts; empty if none does."""
    _sha, reason, detail, origin, record, length, stream, sequence, digest, recorded_at = entry[:10]
    data = told.data
    if told.topic == RecordConflicted.TOPIC:
        cite = f"{sequence}@{origin_of(stream)}" if isinstance(stream, str) and "@" in stream else ""
        wanted = {
            "reason": (reason, "conflict"),
            "detail": (detail, f"{data.get('record')} of {told.subject} is stored with other content"),
            "stream or sequence": (cite, data.get("record")),
            "digest": (digest.hex() if isinstance(digest, bytes) else digest, data.get("received_digest")),
        }
    else:
        placed = (sequence, stream) if reason == "jump" else (None, None)
        wanted = {
            "reason": (reason, data.get("why")),
            "detail": (detail, data.get("detail", "")),
            "origin": (origin, data.get("origin", "")),
            "stream or sequence": ((sequence, stream), placed),
            "digest": (digest, None),
        }
        if reason == "jump":
            at = (str(detail).startswith(f"sequence {sequence} after "), str(detail).endswith(f" in {stream}"))
            wanted["stream or sequence"] = (at, (True, True))
    wanted["recorded_at"] = (recorded_at, told.recorded_at)
    if reason != "too_long":
        wanted["length"] = (length, len(record))
    return next((name for name, (found, expected) in wanted.items() if found != expected), "")


def difference(names: tuple[str, ...], stored: tuple[Any, ...], made: tuple[Any, ...]) -> str:
    """Which columns of a bookkeeping row are others than the rows of the log make them; empty if none is."""
    return "; ".join(
        f"{name} is {have!r}, the rows make it {want!r}"
        for name, have, want in zip(names, stored, made, strict=True)
        if have != want
    )
