#!/usr/bin/env python3
"""Checks a Recoup evidence pack. Needs Python 3.9 or newer and the package `cryptography`, nothing of Recoup.

    python verify.py pack.zip
    python verify.py pack.zip --key keys.txt          the house's verifier keys, as you have them from elsewhere
    python verify.py pack.zip --checkpoint COPY       a witness's copy of the checkpoint: the file, or its folder
    python verify.py FOLDER                           a pack that was unpacked

What it checks: that every file is the one that the signed manifest lists; that every record is a leaf of the Merkle
tree (RFC 6962) whose root the signed checkpoint states; that keys were handed on by the keys before them; that no
record is left out inside a stream; that timeline, dispute and edition say what those records say.

What it cannot know by itself: whose key that is. A pack proves itself only against a key, or a checkpoint, that you
know from elsewhere: give them with --key and --checkpoint. And this file lies in the pack: who made up a pack could
make up this file too. Take it from a source that you trust.

Exit code 0: all agrees. 1: something does not, and is named. 2: the question was wrong.
"""

from __future__ import annotations

import argparse
import binascii
import hashlib
import json
import re
import struct
import sys
import zipfile
from base64 import b64decode, b64encode
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, Iterable, Iterator, NamedTuple  # noqa: UP035  as every Python since 3.9 has them

FORMAT = "recoup evidence pack 1"
MANIFEST, SIGNATURE = "manifest.json", "manifest.note"
KEYS, CHECKPOINT, CONTENTS = "keys.json", "checkpoint.note", "pack.json"
ENTRIES, PROOFS = "entries.ndjson", "proofs.json"
FRESH = "keep this copy as it is, and ask for a fresh one where you got it"
FORGED = "do not rely on this pack: show it, with this message, to who keeps the house's checkpoints"
SHOWN = 20

Files = dict[str, bytes]
Entry = dict[str, Any]


class Wrong(NamedTuple):
    """Something that does not agree: where, what, and what to do about it."""

    where: str
    what: str
    todo: str


class Key(NamedTuple):
    """A verifier key, `<name>+<key id>+<base64>`, in force from a tree size on."""

    line: str
    name: str
    key_id: bytes
    public: bytes
    from_size: int


class Bad(ValueError):
    """Something that cannot be read as what it should be."""


# -- the archive


def zip_bytes(files: Files) -> bytes:
    """The archive of these files, the same bytes on every machine: stored, not compressed, in order, without times."""
    body, directory = bytearray(), bytearray()
    for name, data in files.items():
        raw = name.encode()
        # version 2.0, no flags, stored, 1980-01-01 00:00, CRC, both sizes, length of the name, no extra field
        head = struct.pack("<HHHHHIIIHH", 20, 0, 0, 0, 0x21, binascii.crc32(data), len(data), len(data), len(raw), 0)
        # made on Unix, no comment, disk 0, a plain file that its owner may write and others may read
        directory += b"PK\x01\x02" + struct.pack("<H", 0x314) + head
        directory += struct.pack("<HHHII", 0, 0, 0, 0o100644 << 16, len(body)) + raw
        body += b"PK\x03\x04" + head + raw + data
    end = struct.pack("<HHHHIIH", 0, 0, len(files), len(files), len(directory), len(body), 0)
    return bytes(body + directory + b"PK\x05\x06" + end)


def read_pack(path: Path) -> tuple[Files, list[Wrong]]:
    """The files of a pack, archive or folder, and what is wrong with the archive itself."""
    if path.is_dir():
        found = sorted(one for one in path.rglob("*") if one.is_file())
        return {one.relative_to(path).as_posix(): one.read_bytes() for one in found}, []
    raw = path.read_bytes()
    try:
        with zipfile.ZipFile(path) as archive:
            files = {info.filename: _stored(raw, info) for info in archive.infolist()}
    except Exception as error:  # noqa: BLE001  whatever a changed byte makes of it
        return {}, [Wrong(path.name, f"is no archive that can be read: {error}", FRESH)]
    if (made := zip_bytes(files)) == raw:
        return files, []
    pairs = enumerate(zip(raw, made))  # noqa: B905  `strict` is younger than 3.9; the shorter one ends it
    at = next((at for at, (is_, was) in pairs if is_ != was), min(len(raw), len(made)))
    what = f"the archive around the files is not as it was made, first at byte {at:,}, {_near(files, at)}"
    return files, [Wrong(path.name, what, f"{FRESH}; or unpack it and check the folder")]


def _stored(raw: bytes, info: zipfile.ZipInfo) -> bytes:
    """A file as it lies in the archive, whatever its checksum says: the manifest says whether it is the right one."""
    name, extra = struct.unpack("<HH", raw[info.header_offset + 26 : info.header_offset + 30])
    start = info.header_offset + 30 + name + extra
    return raw[start : start + info.file_size]


def _near(files: Files, at: int) -> str:
    """Where a byte of the archive stands, in words."""
    start = 0
    for name, data in files.items():
        start += 30 + len(name.encode()) + len(data)
        if at < start:
            return f"at {name}"
    return "in its list of files"


# -- signed notes (C2SP signed-note, Ed25519)


def unbase64(text: str) -> bytes:
    """Bytes of base64 in its one spelling."""
    blob = b64decode(text, validate=True)
    if b64encode(blob).decode() != text:
        raise Bad("no canonical base64")
    return blob


def parse_key(line: str, from_size: int = 0) -> Key:
    """A verifier key's line taken apart; its id must be that of name and key."""
    name, _plus, rest = line.strip().partition("+")
    key_id, plus, encoded = rest.partition("+")
    blob = unbase64(encoded) if plus else b""
    if not name or len(blob) != 33 or blob[:1] != b"\x01":
        raise Bad(f"`{line.strip()[:60]}` is no Ed25519 verifier key, <name>+<key id>+<base64>")
    made = hashlib.sha256(name.encode() + b"\n" + blob).digest()[:4]
    if made.hex() != key_id:
        raise Bad(f"the key of {name} has the id {made.hex()}, not {key_id}")
    return Key(line.strip(), name, made, blob[1:], from_size)


def opened_note(note: str, keys: Iterable[Key]) -> tuple[str, Key]:
    """The text of a signed note and the key that signed it."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    body, empty, tail = note.rpartition("\n\n")
    if not empty or not tail.endswith("\n"):
        raise Bad("no signed note: text, an empty line, signatures")
    text = body + "\n"
    lines = tail[:-1].split("\n")
    signed = None
    for key in keys:
        for line in lines:
            mark, _space, rest = line.partition(" ")
            name, _space, encoded = rest.partition(" ")
            blob = unbase64(encoded)
            if mark != "\u2014" or len(blob) != 68:
                raise Bad(f"no signature line: `{line[:40]}`")
            if (name, blob[:4]) == (key.name, key.key_id):
                try:
                    Ed25519PublicKey.from_public_bytes(key.public).verify(blob[4:], text.encode())
                except InvalidSignature:
                    raise Bad(f"the signature of {name} (key {key.key_id.hex()}) is not over this text") from None
                signed = signed or key
    if signed is None:
        raise Bad(f"is signed by none of the keys, but by {', '.join(line.split(' ')[1] for line in lines)}")
    return text, signed


def parse_checkpoint(text: str) -> tuple[str, int, bytes]:
    """Origin, size and root that a checkpoint states."""
    origin, size, root = text.split("\n")[:3]
    return origin, int(size), unbase64(root)


# -- the tree (RFC 6962)


def leaf_of(one: Entry) -> bytes:
    """The leaf of a stored row: every column, framed, hashed."""

    def framed(text: str) -> bytes:
        raw = text.encode()
        return len(raw).to_bytes(2, "big") + raw

    head = b"\x00\x01" + one["recorded_at"].to_bytes(8, "big") + one["version"].to_bytes(8, "big")
    return hashlib.sha256(head + framed(one["stream"]) + framed(one["topic"]) + state_of(one)).digest()


def state_of(one: Entry) -> bytes:
    """The record as it was received."""
    return unbase64(one["state_base64"]) if "state_base64" in one else str(one["state"]).encode()


def root_by(leaf: bytes, index: int, size: int, path: list[bytes]) -> bytes | None:
    """The root to which a path leads from a leaf (RFC 9162, 2.1.3.2); None: it is no path of that place."""
    if not 0 <= index < size:
        return None
    at, last, node = index, size - 1, leaf
    for sibling in path:
        if last == 0:
            return None
        if at & 1 or at == last:
            node = hashlib.sha256(b"\x01" + sibling + node).digest()
            while not at & 1 and at:
                at, last = at >> 1, last >> 1
        else:
            node = hashlib.sha256(b"\x01" + node + sibling).digest()
        at, last = at >> 1, last >> 1
    return node if last == 0 else None


# -- the checks


class Pack:
    """A pack as it lies there; `wrong` gathers what does not agree, `told` what does."""

    def __init__(self, files: Files) -> None:
        self.files = files
        self.wrong: list[Wrong] = []
        self.told: list[str] = []
        self.keys: list[Key] = []
        self.signer: Key | None = None
        self.origin, self.size = "", 0
        self.root: bytes | None = None
        self.entries: dict[int, Entry] = {}
        self.envelopes: dict[int, dict[str, Any]] = {}

    def json(self, name: str) -> Any:
        return json.loads(self.files[name].decode())

    def fail(self, where: str, what: str, todo: str = FRESH) -> None:
        self.wrong.append(Wrong(where, what, todo))

    def check(self) -> None:
        """All that the pack can say of itself. One check that cannot be made stops no other."""
        checks = (
            (MANIFEST, self.check_manifest), (KEYS, self.check_keys), (SIGNATURE, self.check_signature),
            (CHECKPOINT, self.check_checkpoint), (ENTRIES, self.check_entries), (ENTRIES, self.check_streams),
            (CONTENTS, self.check_contents),
        )  # fmt: skip
        for name, check in checks:
            try:
                check()
            except KeyError as error:
                # What a missing file or an unreadable record leads to needs no saying again.
                if not self.wrong or name == MANIFEST:
                    self.fail(name, f"lacks {error}")
            except (ValueError, TypeError, AttributeError, IndexError, OverflowError, RecursionError) as error:
                if not any(one.where == name and one.todo == FRESH for one in self.wrong):  # it was changed, as is said
                    self.fail(name, f"cannot be read: {error}")

    def check_manifest(self) -> None:
        """Every file is there, is the one listed, and no other is there."""
        manifest = self.json(MANIFEST)
        if manifest["format"] != FORMAT:
            told = f"is of `{manifest['format']}`, this verifier knows `{FORMAT}`"
            self.fail(MANIFEST, told, "take the newer verify.py")
        listed = manifest["files"]
        for name, digest in listed.items():
            if name not in self.files:
                self.fail(name, "is listed in the manifest and is not there")
            elif hashlib.sha256(self.files[name]).hexdigest() != digest:
                self.fail(name, "is not the file that the manifest lists: it was changed")
        if SIGNATURE not in self.files:
            self.fail(SIGNATURE, "is not there", FORGED)
        for name in self.files:
            if name not in listed and name not in (MANIFEST, SIGNATURE):
                self.fail(name, "is no file of this pack: the manifest does not list it")
        self.told.append(f"{len(listed)} files are those that the manifest lists")

    def check_keys(self) -> None:
        """Each key was endorsed by the one before it."""
        for one in self.json(KEYS):
            key = parse_key(one["key"], int(one["from_size"]))
            if self.keys:
                old = self.keys[-1]
                text, _signer = opened_note(one["endorsed"], [old])
                if text != f"recoup seal key\n{old.line}\n{key.line}\n{key.from_size}\n":
                    self.fail(KEYS, f"key {key.key_id.hex()} is not endorsed by the one before it", FORGED)
            self.keys.append(key)
        if not self.keys:
            self.fail(KEYS, "names no key", FORGED)

    def check_signature(self) -> None:
        """The manifest was signed by a key of the pack."""
        text, self.signer = opened_note(self.files[SIGNATURE].decode(), self.keys)
        if text != f"{FORMAT}\n{self.json(MANIFEST)['about']}\n{hashlib.sha256(self.files[MANIFEST]).hexdigest()}\n":
            self.fail(MANIFEST, "is not the manifest that was signed: it was changed", FORGED)
        else:
            self.told.append(f"the manifest was signed by {self.signer.name}, key {self.signer.key_id.hex()}")

    def check_checkpoint(self) -> None:
        """The checkpoint was signed by the key that was in force for its size."""
        text, signer = opened_note(self.files[CHECKPOINT].decode(), self.keys)
        self.origin, self.size, self.root = parse_checkpoint(text)
        in_force = [key for key in self.keys if key.from_size <= self.size]
        if not in_force or signer != in_force[-1] or signer.name != self.origin:
            self.fail(CHECKPOINT, f"was signed by key {signer.key_id.hex()}, which was not in force then", FORGED)
        self.told.append(f"the checkpoint of {self.size:,} rows was signed by key {signer.key_id.hex()}")

    def check_entries(self) -> None:
        """Every record is a leaf of the tree whose root the checkpoint states; without that nothing more is said."""
        outside = []
        proofs = self.json(PROOFS)
        nodes = [bytes.fromhex(node) for node in proofs["nodes"]]
        for line in self.files[ENTRIES].decode().split("\n")[:-1]:
            one = json.loads(line)
            index = one["index"]
            if index in self.entries:
                self.fail(ENTRIES, f"has row {index:,} twice", FORGED)
            self.entries[index] = one
            leaf = leaf_of(one)
            name = f"row {index:,} ({one['topic']} of {one['stream']})"
            if leaf.hex() != one["leaf"]:
                self.fail(ENTRIES, f"{name} is not as it was sealed: its hash is another one")
            path = [nodes[at] for at in proofs["paths"][str(index)]]
            if self.root is not None and root_by(leaf, index, self.size, path) != self.root:
                outside.append(name)
            self.envelopes[index] = json.loads(state_of(one))
        if len(outside) == len(self.entries) > 1:
            self.fail(ENTRIES, f"none of its {len(outside):,} records is in the log that was signed", FORGED)
        else:
            for name in outside:
                self.fail(ENTRIES, f"{name} is not in the log that was signed", FORGED)
        self.told.append(f"{len(self.entries):,} records are in the log that was signed, at the places that they name")

    def check_streams(self) -> None:
        """Inside a session's and a dispute's streams nothing is left out from the first row on."""
        versions: dict[str, list[int]] = {}
        for one in self.entries.values():
            if one["stream"].startswith(("table/", "import/", "tournament/", "dispute/")):
                versions.setdefault(one["stream"], []).append(one["version"])
        for stream, own in versions.items():
            if sorted(own) != list(range(1, len(own) + 1)):
                self.fail(ENTRIES, f"of {stream} rows are left out", FORGED)
        self.told.append(f"no record is left out of {len(versions)} streams, from their first to the last one given")

    def check_contents(self) -> None:
        """Editions, timelines and dispute say what the records say."""
        contents = self.json(CONTENTS)
        for one in contents["editions"]:
            self._check_edition(one)
        steps = 0
        for one in contents["rounds"]:
            steps += self._check_timeline(one)
        self.told.append(f"{steps:,} records are told as they were recorded, and none that names the round is missing")
        if contents.get("dispute"):
            self._check_dispute(contents["dispute"])

    def _check_edition(self, one: dict[str, Any]) -> None:
        raw = self.files[one["file"]]
        data = self.envelopes[one["index"]]["data"]
        if data["toml"].encode() != raw or hashlib.sha256(raw).hexdigest() != one["digest"]:
            self.fail(one["file"], f"is not the edition that was adopted in row {one['index']:,}", FORGED)
        else:
            self.told.append(f"the rules are the edition {one['name']} that was adopted in row {one['index']:,}")

    def _check_timeline(self, of: dict[str, Any]) -> int:
        name = of["timeline"]
        told = set()
        steps = self.json(name)["records"]
        for step in steps:
            if (own := self._envelope(name, step)) is not None:
                self._check_record(name, step, own)
            told.add(step["index"])
            for note in step["notes"]:
                said = self._envelope(name, note)
                if said is not None and said.get("about") != step["record"]:
                    self.fail(name, f"{note['record']} is not about {step['record']}", FORGED)
                told.add(note["index"])
        self._check_none_left_out(name, of, told)
        return len(steps)

    def _check_none_left_out(self, name: str, of: dict[str, Any], told: set[int]) -> None:
        """Every record that names the round is told, unless a correction moved it to another one."""
        if of["named_again"]:
            return  # which of two rounds of one name a record belongs to is the judge's to say
        subject, _hash, round_ = of["round"].rpartition("#")
        moved = {
            one["about"]
            for one in self.envelopes.values()
            if one["type"].startswith("RC.RecordCorrected.") and one["data"].get("round")
        }
        streams = {self.entries[index]["stream"] for index in told if index in self.entries}
        for index, own in self.envelopes.items():
            stream = self.entries[index]["stream"]
            names_it = stream in streams and (own["subject"], own.get("round")) == (subject, round_)
            if names_it and index not in told and f"{int(own['sequence'])}@{stream.partition('@')[2]}" not in moved:
                self.fail(name, f"row {index:,} names this round and is left out", FORGED)

    def _envelope(self, name: str, one: dict[str, Any]) -> dict[str, Any] | None:
        """The record that something in a timeline or dispute cites, if it is the one cited."""
        own, entry = self.envelopes.get(one["index"]), self.entries.get(one["index"])
        if own is None or entry is None:
            self.fail(name, f"{one['record']} is none of the records of this pack", FORGED)
            return None
        origin = re.sub(r"~r\d*$", "~r", entry["stream"].partition("@")[2])
        if one["record"] != f"{int(own['sequence'])}@{origin}":
            self.fail(name, f"{one['record']} is not the record in row {one['index']:,}", FORGED)
        return own

    def _check_record(self, name: str, step: dict[str, Any], own: dict[str, Any]) -> None:
        """A step says what its record says; where a correction changed it, what record and correction say together."""
        cite = step["record"]
        stored = {"time": own["time"], "round": own.get("round"), "data": own.get("data")}
        if step["type"] != own["type"] or step["stored"] != stored:
            self.fail(name, f"{cite} is told otherwise than it was recorded", FORGED)
        data, at = own.get("data"), own["time"]
        for note in step["notes"]:
            said = self.envelopes.get(note["index"], {})
            if said.get("type", "").startswith("RC.RecordCorrected.") and not step["disowned"]:
                data = said["data"].get("data", own.get("data"))
                at = said["data"].get("time", own["time"])
        if step["decoded"] and not (isinstance(data, dict) and _within(step["data"], data)):
            self.fail(name, f"{cite} is read otherwise than it was recorded", FORGED)
        if step["at_ms"] != milliseconds(at):
            self.fail(name, f"{cite} is told at another time than it was recorded", FORGED)

    def _check_dispute(self, name: str) -> None:
        acts = self.json(name)["acts"]
        for act in acts:
            own = self._envelope(name, act)
            said = (act["type"], act["data"], act["account"], act["reason"])
            if own is not None and said != (own["type"], own["data"], own.get("account", ""), own.get("reason", "")):
                self.fail(name, f"{act['record']} is told otherwise than it was recorded", FORGED)
        told = {act["index"] for act in acts}
        for index, one in self.entries.items():
            if one["stream"].startswith("dispute/") and index not in told:
                self.fail(name, f"row {index:,} is of this dispute and is left out", FORGED)
        self.told.append(f"{len(acts)} acts of the dispute are those on record")
        self._check_rulings(name)
        judged: dict[str, str] = {}
        for act in acts:
            judged.update(act["data"].get("verdicts" if act["type"].startswith("DS.DisputeAdj") else "rests_on", {}))
        self._check_judged(judged)

    def _check_rulings(self, name: str) -> None:
        """Rulings, what became of them, and each player's net are what the acts come to; so is what was judged."""
        told = self.json(name)
        if "rulings" not in told:
            return  # packs that were made before these stood in them
        acts = told["acts"]
        issued = [act["data"] for act in acts if act["type"].startswith("DS.RulingIssued.")]
        proposed = [act["data"] for act in acts if act["type"].startswith("DS.RulingProposed.")]
        for at, one in enumerate(told["rulings"]):
            on_record = issued[at : at + 1] or [own for own in proposed if own["ruling"] == one["ruling"]][-1:]
            plain = {"remedy": "void", "rounds": [], "amounts": {}, "foreign": {}}
            said = {field: one.get(field, {}) for field in ("ruling", "ground", *plain)}
            if (
                not on_record
                or {**plain, **{field: on_record[0].get(field, plain.get(field)) for field in said}} != said
            ):
                self.fail(name, f"ruling {one['ruling']} is told otherwise than it was recorded", FORGED)
            if one["reversed"] != (at < len(issued) - 1):
                self.fail(
                    name, f"ruling {one['ruling']} is told {'' if one['reversed'] else 'not '}to be reversed", FORGED
                )
        if len(told["rulings"]) < len(issued):
            self.fail(name, "leaves out a ruling that was issued", FORGED)
        settled = [act["data"] for act in acts if act["type"].startswith("DS.EffectSettled.")]
        units = {unit for one in told["rulings"] for unit in one.get("foreign", {})}
        units |= {one["currency"] for one in settled if one.get("currency")}
        nets = {unit: net_of(amounts_in(unit, told["rulings"]), len(issued), settled, unit) for unit in ("", *units)}
        if {"": told["net"], **told.get("foreign_net", {})} != nets:
            self.fail(name, "tells another net of the players than the acts come to", FORGED)
        for act in acts:
            if {one["round"]: one["digest"] for one in act.get("judged", [])} != (
                act["data"]["verdicts"] if act["type"].startswith("DS.DisputeAdjudicated.") else {}
            ):
                self.fail(name, f"{act['record']} is told to have judged otherwise", FORGED)

    def _check_judged(self, judged: dict[str, str]) -> None:
        """The verdicts are those by which the dispute was judged and ruled on, as the log has them; or it is said."""
        others = []
        for one in self.json(CONTENTS)["rounds"]:
            alone = self.json(one["verdict"])["by_the_facts_alone"]
            if alone["round"] != one["round"]:
                self.fail(one["verdict"], f"is of {alone['round']}, not of {one['round']}", FORGED)
            if judged.get(one["round"], alone["digest"]) != alone["digest"]:
                others.append(one["round"])
        told = "the verdicts are those by which the dispute was judged and ruled on"
        if others:
            told = f"MIND: since the dispute was judged facts or rules have changed the verdict on {', '.join(others)}"
        self.told.append(told)

    # -- against what the auditor knows from elsewhere

    def check_known(self, known: list[Key]) -> None:
        """The signing key is one that the auditor knows, or was handed on from one."""
        lines = [key.line for key in self.keys]
        first = next((at for at, line in enumerate(lines) if line in {key.line for key in known}), len(lines))
        assert self.signer is not None
        if lines.index(self.signer.line) < first:
            names = ", ".join(f"{key.name}+{key.key_id.hex()}" for key in known)
            told = f"none of the keys that you know ({names}) signed this pack, or handed on to the one that did"
            self.fail(SIGNATURE, told, FORGED)
        else:
            self.told.append("the key is one that you know, or was handed on from one")

    def check_witness(self, note: str, where: str, known: list[Key]) -> None:
        """A witness's copy of the checkpoint states the same root."""
        try:
            text, key = opened_note(note, known or self.keys)
            origin, size, root = parse_checkpoint(text)
        except ValueError as error:
            self.fail(where, f"{error}", "take another copy of the checkpoint, or give the keys that it was signed by")
            return
        if origin != self.origin:
            told = f"is a checkpoint of {origin}, the pack's is of {self.origin}"
            self.fail(where, told, "bring the copy of that log")
        elif size != self.size:
            told = f"is of {size:,} rows, the pack's checkpoint of {self.size:,}"
            self.fail(where, told, f"bring the copy named {self.size:016d}.checkpoint")
        elif root != self.root:
            self.fail(where, f"saw {size:,} rows with another root than this pack's checkpoint states", FORGED)
        else:
            self.told.append(f"the witness saw the same {size:,} rows")
            if not known:  # whose key that copy bears is known by it; the manifest must bear it, too, or a later one
                self.check_known([key])


def amounts_in(unit: str, rulings: list[dict[str, Any]]) -> list[dict[str, int]]:
    """Of each ruling player -> amount, in the tables' currency (empty) or in another one."""
    return [one.get("foreign", {}).get(unit, {}) if unit else one.get("amounts", {}) for one in rulings]


def net_of(
    amounts: list[dict[str, int]], issued: int, settled: list[dict[str, Any]], unit: str = ""
) -> dict[str, dict[str, int]]:
    """Player -> what the ruling in force gives him, what moved, what was given up, and what is still open.

    What moved counts in full; what was kept back or waived stands against as much of the same claim or debt.
    """
    in_force = amounts[issued - 1] if issued else {}
    settled = [one for one in settled if (one.get("currency") or "") == unit]
    found = {}
    for player in sorted({one["player"] for one in settled}.union(*amounts)):
        own = [one for one in settled if one["player"] == player]
        moved = sum(one["amount"] for one in own if one["how"] in ("paid", "received"))
        left = in_force.get(player, 0) - moved
        others = [one["amount"] for one in own if one["how"] not in ("paid", "received")]
        given_up = sum(abs(amount) for amount in others if amount * left > 0)
        still = max(left - given_up, 0) if left > 0 else min(left + given_up, 0)
        found[player] = {"in_force": in_force.get(player, 0), "moved": moved, "given_up": sum(others), "open": still}
    return found


def _within(said: Any, recorded: Any) -> bool:
    """Whether all that is said was recorded so; what has its usual value may be left unsaid."""
    if isinstance(said, dict) and isinstance(recorded, dict):
        return all(name in recorded and _within(value, recorded[name]) for name, value in said.items())
    if isinstance(said, list) and isinstance(recorded, list):
        return len(said) == len(recorded) and all(map(_within, said, recorded))
    return type(said) is type(recorded) and bool(said == recorded)


def milliseconds(text: str) -> int:
    """An RFC 3339 time as ms since 1970 UTC; finer digits are cut, a leap second is the last of its minute."""
    match = re.fullmatch(r"(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))", text)
    if match is None:
        raise Bad(f"`{text}` is no time")
    day, minute, second, fraction, sign, hours, minutes = match.groups()
    leap = second == "60"
    local = datetime.strptime(f"{day} {minute}:{'59' if leap else second}", "%Y-%m-%d %H:%M:%S")  # noqa: DTZ007
    at = int((local.replace(tzinfo=timezone.utc) - datetime(1970, 1, 1, tzinfo=timezone.utc)).total_seconds()) * 1000  # noqa: UP017
    at += 999 if leap else int(((fraction or "") + "000")[:3])
    shift = (int(hours) * 60 + int(minutes)) * 60_000 if sign else 0
    return at - shift if sign == "+" else at + shift


def known_keys(given: Iterable[str]) -> Iterator[Key]:
    """Keys out of files with a line each, or as the lines themselves."""
    for text in given:
        lines = Path(text).read_text(encoding="utf-8").splitlines() if Path(text).is_file() else [text]
        yield from (parse_key(line) for line in lines if line.strip())


def witness_copy(path: Path, size: int) -> Path:
    """The copy itself; of a witness's folder the one of that size."""
    found = sorted(path.rglob(f"{size:016d}.checkpoint")) if path.is_dir() else [path]
    if not found:
        raise Bad(f"{path} holds no copy of the checkpoint of {size:,} rows ({size:016d}.checkpoint)")
    return found[0]


def say(text: str) -> None:
    """A line to stdout. A pack may come from anybody: what would steer the terminal is shown instead of sent."""
    shown = "".join(letter if letter.isprintable() else f"\\x{ord(letter):02x}" for letter in text)
    print(shown.encode(sys.stdout.encoding or "utf-8", "backslashreplace").decode(sys.stdout.encoding or "utf-8"))


def report(pack: Pack, shown: str, *, is_anchored: bool) -> int:
    """Says what was found; gives the exit code."""
    if pack.wrong:
        say(f"{shown}: DOES NOT HOLD")
        told = pack.wrong[:SHOWN]
        for at, one in enumerate(told, 1):
            say(f"  {one.where}: {one.what}")
            if at == len(told) or told[at].todo != one.todo:
                say(f"    what to do: {one.todo}")
        if len(pack.wrong) > SHOWN:
            say(f"  ... and {len(pack.wrong) - SHOWN} more")
        return 1
    say(f"{shown}: all of it agrees")
    for line in pack.told:
        say(f"  {line}")
    if not is_anchored:
        say("")
        say("NOTE: this shows that the pack agrees with itself. That it is the house's own is shown only against")
        say("a key or a checkpoint that you know from elsewhere: --key FILE, --checkpoint FILE. The pack's key is")
        say(f"  {pack.signer.line if pack.signer else '?'}")
    return 0


def main(words: list[str] | None = None) -> int:
    """The command line; gives the exit code."""
    parser = argparse.ArgumentParser(description="Checks a Recoup evidence pack, offline.")
    here = str(Path(__file__).parent)
    parser.add_argument("pack", nargs="?", default=here, help="the zip, or the folder that it was unpacked to")
    known_help = "verifier keys that you know: a file, or a line"
    parser.add_argument("--key", action="append", default=[], metavar="FILE", help=known_help)
    parser.add_argument("--checkpoint", metavar="FILE", help="a witness's copy of the checkpoint, or its folder")
    asked = parser.parse_args(words)
    try:
        import cryptography  # noqa: F401
    except ImportError:
        told = "error: the package `cryptography` is not installed; try: python -m pip install cryptography"
        print(told, file=sys.stderr)
        return 2
    try:
        known = list(known_keys(asked.key))
        files, wrong = read_pack(Path(asked.pack))
        pack = Pack(files)
        if files:
            pack.check()
        if known and pack.signer:
            pack.check_known(known)
        pack.wrong = pack.wrong or wrong  # a changed file changes the archive, too: the file is what to name
        if asked.checkpoint and pack.size and pack.signer:
            copy = witness_copy(Path(asked.checkpoint), pack.size)
            pack.check_witness(copy.read_text(encoding="utf-8"), copy.name, known)
    except (OSError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return report(pack, Path(asked.pack).name or asked.pack, is_anchored=bool(known or asked.checkpoint))


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BrokenPipeError:  # who read it has seen enough
        sys.stderr.close()
        sys.exit(1)
