"""The archive: every file of a pack, a manifest of their hashes, the manifest signed. Same log, same bytes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from events.seal import SigningKey
from events.sealing import Signed
from events.store import Log
from events.store.backend import Row
from replay.evidence import verify
from replay.evidence.blocks import Report
from replay.evidence.html import page
from replay.evidence.pdf import paper
from replay.evidence.proofs import entries_ndjson, keys_json, proofs
from replay.evidence.rows import Adopted

_README = """\
Evidence pack of {about}

report.html, report.pdf   for people: the verdict, the rules, what was ruled, and the round step by step; of a
                          ruling that covers more rounds each of them, with its result and the table at its end.
                          A REPLAY, computed from the record; no picture of a camera.
verify.py                 checks this pack, offline. It needs Python 3.9 or newer and the package `cryptography`:
                              python -m pip install cryptography
                              python verify.py PACK.zip
                          Against what you know from elsewhere, which is what makes it proof:
                              python verify.py PACK.zip --key KEYS --checkpoint COPY
                          KEYS: the house's verifier keys, as it published them or a witness keeps them.
                          COPY: a witness's copy of the checkpoint of {size:,} rows, {size:016d}.checkpoint.
                          Take verify.py itself from a source that you trust, too.

pack.json                 what is in here
entries.ndjson            the records as they were received, a line each, with their places in the log
proofs.json               that each of them is in the log whose root was signed (RFC 6962)
checkpoint.note           the signed checkpoint (C2SP tlog-checkpoint)
keys.json                 the log's public keys in turn, each signed by the one before it
verdict-N.json            what the rules say of a round, from the facts, with the findings and their records
timeline-N.json           a round record by record: money, what the rules expected; the table drawn and what lies
                          where, of rounds that are not told step by step after the last record alone
dispute.json              what was claimed, seen, judged, ruled and paid, where the pack is of a dispute; every ruling
                          with its amounts, reversed ones too, and the net of each player
edition-*.toml            the house's rules in force, with their sources; citations.json: the rules cited
manifest.json             the SHA-256 of each file; manifest.note: the same, signed

It shows cards that were hidden at the table, and persons by their numbers: it is for those who may see all.
Amounts in the JSON files are in minor units (100 = 1 of the currency), times with their offset.
"""


class Told(Struct, frozen=True, kw_only=True):
    """A round as the pack tells it. `named_again`: its name was used twice in the session; `verdict` and `timeline`
    are plain data."""

    address: str
    named_again: bool
    verdict: dict[str, Any]
    timeline: dict[str, Any]
    edition: Adopted


class Contents(Struct, frozen=True, kw_only=True):
    """All that goes into a pack. `about`: a dispute's id or a round's address; `citations`: rule → its words and
    source; `dispute`: plain data, where it is of one."""

    about: str
    rows: Sequence[Row]
    rounds: Sequence[Told]
    citations: dict[str, Any]
    dispute: dict[str, Any] | None
    report: Report


def make_pack(log: Log, contents: Contents, signed: Signed, key: SigningKey) -> bytes:
    """The pack's bytes.

    Raises:
        SealBroken: a row is not what was sealed, or the tree is not the one that was signed.
    """
    files: dict[str, bytes] = {
        "README.txt": _README.format(about=contents.about, size=signed.checkpoint.size).encode(),
        "report.html": page(contents.report),
        "report.pdf": paper(contents.report),
        "verify.py": Path(verify.__file__).read_bytes(),
    }
    editions: dict[str, dict[str, Any]] = {}
    listed: list[dict[str, Any]] = []
    for number, told in enumerate(contents.rounds, 1):
        edition = told.edition.edition
        name = f"edition-{edition.rule_book}-{edition.digest[:8]}.toml"
        files[name] = edition.toml.encode()
        editions[name] = {
            "file": name, "name": edition.name, "rule_book": edition.rule_book, "document": edition.document,
            "digest": edition.digest, "index": told.edition.row.index,
        }  # fmt: skip
        verdict, timeline = f"verdict-{number}.json", f"timeline-{number}.json"
        files[verdict], files[timeline] = _json(told.verdict), _json(told.timeline)
        listed.append(
            {
                "round": told.address,
                "verdict": verdict,
                "timeline": timeline,
                "edition": name,
                "named_again": told.named_again,
            }
        )
    if contents.dispute is not None:
        files["dispute.json"] = _json(contents.dispute)
    files["citations.json"] = _json(contents.citations)
    files[verify.CONTENTS] = _json(
        {
            "format": verify.FORMAT,
            "about": contents.about,
            "rounds": listed,
            "editions": list(editions.values()),
            "dispute": "dispute.json" if contents.dispute is not None else None,
            "rows": len(contents.rows),
            "checkpoint": {"size": signed.checkpoint.size, "root": signed.checkpoint.root.hex()},
        }
    )
    files[verify.ENTRIES] = entries_ndjson(contents.rows)
    files[verify.PROOFS] = _compact(proofs(log, contents.rows, signed))
    files[verify.CHECKPOINT] = signed.note.encode()
    files[verify.KEYS] = _json(keys_json(log))
    manifest = _json(
        {
            "format": verify.FORMAT,
            "about": contents.about,
            "files": {name: hashlib.sha256(data).hexdigest() for name, data in files.items()},
        }
    )
    files[verify.MANIFEST] = manifest
    digest = hashlib.sha256(manifest).hexdigest()
    files[verify.SIGNATURE] = key.sign(f"{verify.FORMAT}\n{contents.about}\n{digest}\n").encode()
    return verify.zip_bytes(files)


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, indent=1).encode() + b"\n"


def _compact(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode() + b"\n"
