"""Rows as leaves of the signed tree: the checkpoint that covers them, their proofs, and the keys in turn."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from events.errors import SealBroken, Unable
from events.schema.ours import SealKeyAdopted
from events.seal import SigningKey, inclusion_proofs, leaf, split_leaves
from events.sealing import Sealed, SealRecord, Signed, seal, seal_record
from events.sealing.folder import load_key, read_config
from events.store import Log
from events.store import statements as sql
from events.store.backend import Row

_HINT = "`recoup verify` tells where the log is not what was sealed; keep the file as it is"


class Covered(Struct, frozen=True):
    """The checkpoint by which rows are proved; `sealed`: what was signed for it just now, if anything was."""

    signed: Signed
    sealed: Sealed | None


def signing_key(log: Log, folder: Path | None) -> SigningKey:
    """The private key in force, by which a pack is signed.

    Raises:
        Unable: this log has no seal, or its key is not here or can be read by others. SealBroken: as `seal_record`.
    """
    record = seal_record(log).check()
    if not record.keys:
        raise Unable(
            "this log has no seal, so that nobody could check a pack of it",
            hint="recoup seal init --origin NAME --witness FOLDER",
        )
    read_config(folder)
    assert folder is not None
    return load_key(folder, record.keys[-1].key)


def covering(log: Log, folder: Path, rows: Sequence[Row]) -> Covered:
    """The first checkpoint that covers all of the rows, signed now if there is none.

    The first and not the newest: it does not change when the log grows, so that a pack made again is the same bytes.

    Raises:
        Unable: the key cannot be used. SealBroken: the log contradicts what was signed.
    """
    last = rows[-1].index
    found = _first(seal_record(log), last)
    if found is not None:
        return Covered(found, None)
    sealed = seal(log, folder)
    found = _first(seal_record(log), last)
    if found is None:
        raise SealBroken(f"no checkpoint covers tree index {last}, though one was signed just now", hint=_HINT)
    return Covered(found, sealed)


def _first(record: SealRecord, last: int) -> Signed | None:
    return next((one for one in record.check().signed if one.checkpoint.size > last), None)


def entries_ndjson(rows: Sequence[Row]) -> bytes:
    """The rows as they were received, a line each, with their leaves."""
    return b"".join(_line(row) for row in rows)


def _line(row: Row) -> bytes:
    plain: dict[str, Any] = {
        "index": row.index, "recorded_at": row.recorded_at, "stream": row.stream, "version": row.version,
        "topic": row.topic, "leaf": _leaf(row).hex(),
    }  # fmt: skip
    try:
        plain["state"] = row.state.decode()
    except UnicodeDecodeError:
        from base64 import b64encode

        plain["state_base64"] = b64encode(row.state).decode()
    return json.dumps(plain, ensure_ascii=False).encode() + b"\n"


def _leaf(row: Row) -> bytes:
    return leaf(row.recorded_at, row.stream.encode(), row.version, row.topic.encode(), row.state)


def proofs(log: Log, rows: Sequence[Row], signed: Signed) -> dict[str, Any]:
    """The RFC 6962 path of each row to the checkpoint's root. Paths share most of their nodes, which stand once in
    `nodes`; a path names them by place.

    Raises:
        SealBroken: a row is not what was sealed, or the tree is not the one that was signed.
    """
    size = signed.checkpoint.size
    sealed: dict[int, bytes] = {}
    wanted = {row.index for row in rows}
    try:
        with log.reading() as reading:
            pages = reading.pages(sql.LEAVES, size=16)
            leaves = (one for page in pages for (blob,) in page for one in split_leaves(blob))
            root, paths = inclusion_proofs(_noted(leaves, wanted, sealed), size, wanted)
    except ValueError as error:
        raise SealBroken(f"the tree is not the one that was signed: {error}", hint=_HINT) from error
    for row in rows:
        if sealed[row.index] != _leaf(row):
            raise SealBroken(f"tree index {row.index} ({row.stream}) is not what was sealed", hint=_HINT)
    if root != signed.checkpoint.root:
        raise SealBroken(f"the tree of {size:,} rows is not the one that was signed", hint=_HINT)
    places: dict[bytes, int] = {}
    named = {str(index): [places.setdefault(node, len(places)) for node in paths[index]] for index in sorted(paths)}
    return {"size": size, "root": root.hex(), "paths": named, "nodes": [node.hex() for node in places]}


def _noted(leaves: Iterator[bytes], wanted: set[int], sealed: dict[int, bytes]) -> Iterator[bytes]:
    for index, one in enumerate(leaves):
        if index in wanted:
            sealed[index] = one
        yield one


def keys_json(log: Log) -> list[dict[str, Any]]:
    """Every key that was ever in force, oldest first, with the signature of the one before it."""
    endorsed = {
        event.key: event.endorsed
        for event in (fact.event for fact in log.session_facts("seal/log").facts)
        if isinstance(event, SealKeyAdopted)
    }
    return [
        {"key": str(one.key), "from_size": one.from_size, "endorsed": endorsed.get(str(one.key), "")}
        for one in seal_record(log).keys
    ]
