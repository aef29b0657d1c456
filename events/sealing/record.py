"""What the log says of its own seal: the keys in turn, and the checkpoints that were signed."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from msgspec import Struct

from events.errors import SealBroken
from events.schema.ours import CheckpointSigned, SealKeyAdopted
from events.seal import (
    BadNote,
    Checkpoint,
    Frontier,
    SigningKey,
    VerifierKey,
    parse_note,
    parse_verifier,
    read_checkpoint,
)
from events.store.backend import Row
from events.values.names import RECOUP

STREAM = f"seal/log@{RECOUP}"
"""Where keys and checkpoints stand."""


class Signed(Struct, frozen=True):
    """A checkpoint on record. `frontier`: the full subtrees' roots that it was made from."""

    checkpoint: Checkpoint
    note: str
    index: int
    frontier: tuple[bytes, ...]


class Adopted(Struct, frozen=True):
    """A key in force from a tree size on."""

    key: VerifierKey
    from_size: int
    index: int


class SealRecord(Struct, frozen=True):
    """All of it, oldest first. `next_version` of the stream; `faults`: (tree index, what is wrong with that row)."""

    keys: tuple[Adopted, ...] = ()
    signed: tuple[Signed, ...] = ()
    next_version: int = 1
    faults: tuple[tuple[int, str], ...] = ()

    @property
    def newest(self) -> Signed | None:
        """The checkpoint of the largest tree."""
        return self.signed[-1] if self.signed else None

    @property
    def verifiers(self) -> list[VerifierKey]:
        """Every key that was ever in force, oldest first."""
        return [one.key for one in self.keys]

    def check(self) -> SealRecord:
        """Itself.

        Raises:
            SealBroken: a row of the stream is not what a seal writes.
        """
        if self.faults:
            index, text = self.faults[0]
            raise SealBroken(f"the seal's own record at tree index {index}: {text}", hint="`recoup verify` tells more")
        return self


def read_record(rows: Iterable[Row]) -> SealRecord:
    """The rows of the stream, read; never raises on what a tampering hand may have left."""
    keys: list[Adopted] = []
    signed: list[Signed] = []
    faults: list[tuple[int, str]] = []
    next_version = 1
    for row in rows:
        next_version = row.version + 1
        try:
            data = msgspec.json.decode(row.state)["data"]
            if row.topic == SealKeyAdopted.TOPIC:
                keys.append(_adopted(msgspec.convert(data, SealKeyAdopted), keys, row.index))
            elif row.topic == CheckpointSigned.TOPIC:
                signed.append(_signed(msgspec.convert(data, CheckpointSigned), keys, signed, row.index))
        except BadNote as error:
            faults.append((row.index, str(error)))
        except (msgspec.MsgspecError, ValueError, LookupError, TypeError, RecursionError) as error:
            faults.append((row.index, f"cannot be read: {error}"))
    return SealRecord(tuple(keys), tuple(signed), next_version, tuple(faults))


def endorsement(old: VerifierKey, new: VerifierKey, from_size: int) -> str:
    """What the key before signs when another takes over."""
    return f"recoup seal key\n{old}\n{new}\n{from_size}\n"


def endorsed(old: SigningKey, new: VerifierKey, from_size: int) -> str:
    """The same, signed."""
    return old.sign(endorsement(old.verifier, new, from_size))


def _adopted(event: SealKeyAdopted, before: list[Adopted], index: int) -> Adopted:
    key = parse_verifier(event.key)
    if key.name != event.origin:
        raise BadNote(f"a key of {key.name} for {event.origin}")
    if before:
        old = before[-1].key
        note = parse_note(event.endorsed)
        if note.signed_by([old]) is None or note.text != endorsement(old, key, event.from_size):
            raise BadNote(f"key {key.key_id.hex()} is not endorsed by the one before it, {old.key_id.hex()}")
    return Adopted(key, event.from_size, index)


def _signed(event: CheckpointSigned, keys: list[Adopted], before: list[Signed], index: int) -> Signed:
    checkpoint, key = read_checkpoint(event.note, [one.key for one in keys])
    if checkpoint.size != event.size or checkpoint.size > index:
        raise BadNote(f"a checkpoint of {checkpoint.size} rows, recorded as of {event.size}")
    if before and checkpoint.size <= before[-1].checkpoint.size:
        raise BadNote(f"a checkpoint of {checkpoint.size} rows after one of {before[-1].checkpoint.size}")
    in_force = [one.key for one in keys if one.from_size <= checkpoint.size]
    if not in_force or key != in_force[-1]:
        raise BadNote(f"signed by key {key.key_id.hex()}, which was not in force at {checkpoint.size} rows")
    frontier = tuple(bytes.fromhex(node) for node in event.frontier)
    if Frontier(checkpoint.size, frontier).root() != checkpoint.root:
        raise BadNote(f"the frontier of the checkpoint of {checkpoint.size} rows makes another root")
    return Signed(checkpoint, event.note, index, frontier)
