"""Quarantine: bytes that could not be stored, and what people decided about them. Evidence; never deleted."""

from __future__ import annotations

from typing import Any

from events.errors import Refused
from events.schema.ours import GapDeclaredLost, QuarantineDiscarded, QuarantineReleased
from events.store import statements as sql
from events.store.accept import quarantine_stream
from events.store.backend import Held
from events.store.batch import Batch, Draft, Source
from events.store.digest import facts_digest
from events.store.facts import origin_of
from events.store.heads import Head
from events.store.origin import Origin
from events.store.parse import Placed, Reader, from_importer, from_outside
from events.store.recorder import LogRecorder, Reading

RELEASABLE = ("jump", "conflict")
_DIGITS = frozenset("0123456789abcdef")


def _held(row: tuple[Any, ...]) -> Held:
    return Held._make(bytes(value) if isinstance(value, memoryview) else value for value in row)


def read_all(reading: Reading, *, open_only: bool) -> list[Held]:
    """Entries in order of arrival."""
    return [_held(row) for row in reading.all(sql.HELD_OPEN if open_only else sql.HELD_ALL)]


def find(reading: Reading, sha256: str) -> Held:
    """The one entry whose SHA-256 begins so.

    Raises:
        Refused: none, several, or no hexadecimal digits.
    """
    digits = sha256.lower()
    if not 4 <= len(digits) <= 64 or not set(digits) <= _DIGITS:
        raise Refused(f"`{sha256}` is no SHA-256 nor 4 or more of its first digits", hint="`recoup quarantine list`")
    low, high = bytes.fromhex(digits.ljust(64, "0")), bytes.fromhex(digits.ljust(64, "f"))
    rows = reading.all(sql.HELD_BETWEEN, low, high)
    if len(rows) != 1:
        found = "nothing" if not rows else f"{len(rows)} entries"
        raise Refused(f"{found} in quarantine under `{sha256}`", hint="`recoup quarantine list` shows all")
    return _held(rows[0])


def _check_open(entry: Held) -> None:
    if entry.act is not None:
        raise Refused(f"{entry.sha256.hex()[:12]} was {entry.act} already", hint="a decision is not taken back")


def release(recorder: LogRecorder, entry: Held, reason: str, account: str) -> str:
    """Stores the record: a jump in its own stream, a conflict in `…~r`. Gives the stream.

    Raises:
        Refused: decided already, no readable place, not theirs to say, or stored meanwhile.
    """
    _check_open(entry)
    if entry.reason not in RELEASABLE or entry.stream is None:
        raise Refused(
            f"{entry.sha256.hex()[:12]} cannot be released: {entry.reason}, {entry.detail}",
            hint="have the source send it mended, then `recoup quarantine discard`",
        )
    groups, _rejected = Reader(from_outside).read([entry.record])
    groups = groups or Reader(from_importer).read([entry.record])[0]
    ((subject, source),) = groups
    (record,) = groups[subject, source]

    def work(batch: Batch) -> str:
        if batch.writing.acted(entry.sha256):
            raise Refused(f"{entry.sha256.hex()[:12]} was decided at this moment by somebody else")
        head = _target(batch, batch.source(f"{subject}@{source}"), entry, record)
        batch.store(head, [record])
        event = QuarantineReleased(sha256=entry.sha256.hex(), stream=head.stream)
        _act(batch, entry, "released", Draft(event=event, reason=reason, account=account))
        return head.stream

    return recorder.transact(work, Origin(kind="recoup", account=account))


def _target(batch: Batch, source: Source, entry: Held, record: Placed) -> Head:
    """The head of the stream that takes the record."""
    sequence = record[0]
    if entry.reason == "jump" and not source.newest.knows(sequence):
        return source.newest
    stored = [one for one in (*source.parts, *source.released) if one.knows(sequence)]
    digest = facts_digest(record[5])
    for head in stored:
        version = head.version_of(sequence, batch.runs(head))
        if facts_digest(batch.writing.states(head.stream, version, version)[0]) == digest:
            raise Refused(
                f"{entry.sha256.hex()[:12]} is stored by now, as {sequence}@{origin_of(head.stream)}",
                hint="`recoup quarantine discard` it",
            )
    for head in source.released:
        if not head.knows(sequence):
            return head
    count = len(source.released)
    head = Head(f"{source.base}~r" if count == 0 else f"{source.base}~r{count + 1}")
    source.released.append(head)
    return head


def discard(recorder: LogRecorder, entry: Held, reason: str, account: str) -> None:
    """Records that the bytes are no record.

    Raises:
        Refused: decided already.
    """
    _check_open(entry)

    def work(batch: Batch) -> None:
        if batch.writing.acted(entry.sha256):
            raise Refused(f"{entry.sha256.hex()[:12]} was decided at this moment by somebody else")
        event = QuarantineDiscarded(sha256=entry.sha256.hex())
        _act(batch, entry, "discarded", Draft(event=event, reason=reason, account=account))

    recorder.transact(work, Origin(kind="recoup", account=account))


def _act(batch: Batch, entry: Held, act: str, draft: Draft) -> None:
    index = batch.author(quarantine_stream(batch.recorded_at), draft)
    batch.acts.append((entry.sha256, act, index))
    batch.count(act)


def lost_event(head: Head | None, stream: str, first: int, last: int) -> GapDeclaredLost:
    """The event that declares `first` to `last` of a stream lost.

    Raises:
        Refused: no such stream, or not all of them are a gap.
    """
    if head is None:
        raise Refused(f"nothing is stored in {stream}", hint="`recoup gaps` shows all")
    if not any(gap.first <= first <= last <= gap.last for gap in head.gaps()):
        raise Refused(f"{first} to {last} of {stream} are not one gap", hint="`recoup gaps` shows all")
    return GapDeclaredLost(source=origin_of(stream), first=first, last=last)
