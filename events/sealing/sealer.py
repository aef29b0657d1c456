"""Signs the tree: keys adopted and rotated, checkpoints made, copies taken to the witnesses.

The log comes first: a checkpoint is an event before any copy of it is written, so that whatever fails on the way, the
next run finds what is missing and brings it there.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from events.errors import Refused, SealBroken, Unable
from events.schema.ours import CheckpointSigned, SealKeyAdopted
from events.seal import HASH_SIZE, BadNote, Checkpoint, Frontier, SigningKey, VerifierKey, read_checkpoint, split_leaves
from events.sealing.folder import (
    SealConfig,
    adoptable_key,
    is_made,
    load_key,
    make_folder,
    make_key,
    read_config,
)
from events.sealing.record import STREAM, SealRecord, Signed, endorsed, read_record
from events.sealing.witness import Witness
from events.store import Log
from events.store import statements as sql
from events.store.batch import Draft
from events.store.facts import stamped


class Sealed(Struct, frozen=True):
    """What a run did. `made`: a checkpoint was signed, otherwise the newest one stands; `copied`: copies written;
    `failed`: witness → why nothing could be written there."""

    checkpoint: Checkpoint
    note: str
    made: bool
    copied: int = 0
    failed: dict[str, str] = {}


def seal_record(log: Log) -> SealRecord:
    """What the log says of its seal."""
    with log.reading() as reading:
        return read_record(stamped(reading, reading.all(sql.STREAM, STREAM)))


def start(log: Log, folder: Path, config: SealConfig) -> VerifierKey:
    """A seal for a log: folder, key, and the key's adoption in the log. One that was left half made is finished.

    Raises:
        Refused: the log has a seal already, or the configuration cannot be.
        OSError: the folder cannot be written.
    """
    record = seal_record(log).check()
    if record.keys:
        raise Refused(
            f"this log has had a seal since row {record.keys[0].index:,}",
            hint="`recoup seal show`; `recoup seal rotate`",
        )
    if is_made(folder) and read_config(folder) != config:
        raise Refused(f"{folder} holds another seal", hint="name another folder, or give the same origin and witnesses")
    make_folder(folder, config)
    key = adoptable_key(folder, config.origin) or make_key(folder, config.origin)
    event = SealKeyAdopted(config.origin, str(key.verifier), log.size())
    log.author(STREAM, [Draft(event=event)], expected=record.next_version)
    return key.verifier


def rotate(log: Log, folder: Path) -> VerifierKey:
    """Another key from now on, endorsed by the one in force. Old checkpoints and packs stay good by the old key.

    Raises:
        Unable: the key in force cannot be used.
        SealBroken: the seal's own record is not what a seal writes.
    """
    config = read_config(folder)
    record = seal_record(log).check()
    old = _key_in_force(folder, config, record)
    size = log.size()
    new = make_key(folder, config.origin)
    event = SealKeyAdopted(config.origin, str(new.verifier), size, endorsed(old, new.verifier, size))
    log.author(STREAM, [Draft(event=event)], expected=record.next_version)
    return new.verifier


def seal(log: Log, folder: Path) -> Sealed:
    """Signs the tree as it stands, unless the newest checkpoint has nothing but itself behind it, and brings the
    witnesses what they lack.

    Raises:
        Unable: no seal, or its key cannot be used.
        SealBroken: the log contradicts a checkpoint, its own or a witness's; nothing is signed.
    """
    config = read_config(folder)
    record = seal_record(log).check()
    key = _key_in_force(folder, config, record)
    witnesses = [Witness(name, config.origin) for name in config.witnesses]
    for witness in witnesses:
        _check_witness(witness, record)
    newest = record.newest
    made = newest is None or log.size() > newest.index + 1
    if made:
        newest = _sign(log, record, key)
        record = seal_record(log)
    assert newest is not None
    copied, failed = _copy(witnesses, record)
    return Sealed(newest.checkpoint, newest.note, made, copied, failed)


def seal_if_due(log: Log, folder: Path | None) -> Sealed | None:
    """The same, where there is a seal that wants one by now; None otherwise. Ingest asks after each batch or file."""
    if folder is None or not is_made(folder):
        return None
    every = read_config(folder).every
    return seal(log, folder) if every and log.size() - _newest_size(log) >= every else None


def _newest_size(log: Log) -> int:
    """The size that the last row of the seal's stream says, without a look at its signature: whether a checkpoint is
    due is asked often."""
    head = log.head(STREAM)
    if head is None:
        return 0
    with log.reading() as reading:
        last = head.next_version - 1
        rows = stamped(reading, reading.all(sql.STREAM_PART, STREAM, last, last))
    if rows and rows[0].topic == CheckpointSigned.TOPIC:
        return int(msgspec.json.decode(rows[0].state)["data"]["size"])
    newest = seal_record(log).newest
    return newest.checkpoint.size if newest is not None else 0


def tree_of(log: Log, record: SealRecord) -> Frontier:
    """The tree as it stands, built on the newest checkpoint: reads only the leaves behind it.

    Raises:
        SealBroken: the log has fewer rows than were signed, or its tiles do not follow each other.
    """
    newest = record.newest
    tree = Frontier(newest.checkpoint.size, newest.frontier) if newest is not None else Frontier()
    with log.reading() as reading:
        at = reading.one(sql.TILE_AT, tree.size)
        first = at[0] if at is not None else 0
        for page in reading.pages(sql.LEAVES_FROM, first, size=16):
            for start_, blob in page:
                behind = tree.size - start_
                if not 0 <= behind * HASH_SIZE <= len(blob):
                    raise SealBroken(
                        f"the tiles have a hole at tree index {tree.size}", hint="`recoup verify` names every place"
                    )
                tree.extend(split_leaves(blob[behind * HASH_SIZE :]))
    if newest is not None and tree.size <= newest.checkpoint.size:
        raise SealBroken(
            f"{newest.checkpoint.size:,} rows were signed, the log has {tree.size:,} by its tiles",
            hint="`recoup verify` tells more; restore a backup",
        )
    return tree


def _sign(log: Log, record: SealRecord, key: SigningKey) -> Signed:
    tree = tree_of(log, record)
    checkpoint = Checkpoint(key.verifier.name, tree.size, tree.root())
    note = checkpoint.signed(key)
    event = CheckpointSigned(tree.size, note, tuple(node.hex() for node in tree.full))
    (index,) = log.author(STREAM, [Draft(event=event)], expected=record.next_version)
    return Signed(checkpoint, note, index, tree.full)


def _key_in_force(folder: Path, config: SealConfig, record: SealRecord) -> SigningKey:
    if not record.keys:
        raise Unable("the seal's key is not in the log yet", hint="`recoup seal init` again finishes it")
    verifier = record.keys[-1].key
    if verifier.name != config.origin:
        raise Refused(f"{folder} is the seal of {config.origin}, this log's is {verifier.name}")
    return load_key(folder, verifier)


def _check_witness(witness: Witness, record: SealRecord) -> None:
    """What a witness saw last must be what this log signed; one that cannot be read is said by the copying."""
    try:
        copy = witness.newest()
    except OSError:
        return
    if copy is None:
        return
    try:
        seen, _key = read_checkpoint(copy.note, record.verifiers)
    except BadNote as error:
        raise SealBroken(
            f"{copy.path}: {error}", hint="nothing was signed; `recoup verify` compares the log with every copy"
        ) from error
    known = {one.checkpoint.size: one.checkpoint.root for one in record.signed}
    if known.get(seen.size) != seen.root:
        raise SealBroken(
            f"witness {witness.shown} saw {seen.size:,} rows with a root that this log never signed",
            hint="nothing was signed; the log was cut or made anew: `recoup verify` tells where, a backup has it",
        )


def _copy(witnesses: Sequence[Witness], record: SealRecord) -> tuple[int, dict[str, str]]:
    copied, failed = 0, {}
    for witness in witnesses:
        try:
            witness.put_keys(record.verifiers)
            there = witness.sizes()
            for one in record.signed:
                if one.checkpoint.size not in there:
                    witness.put(one.checkpoint.size, one.note)
                    copied += 1
        except OSError as error:
            failed[witness.shown] = (error.strerror or str(error)).lower()
    return copied, failed
