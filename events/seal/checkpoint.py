"""Checkpoints: the size and root of the tree in C2SP tlog-checkpoint form.

<origin>
<size, decimal>
<root, base64>
[more lines]
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable

from msgspec import Struct

from events.seal.note import BadNote, SigningKey, VerifierKey, check_key_name, decoded, parse_note
from events.seal.tree import HASH_SIZE


class Checkpoint(Struct, frozen=True):
    """That the tree of `origin` had `size` leaves and this root (32 bytes). `more`: lines that others may add."""

    origin: str
    size: int
    root: bytes
    more: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """What is signed."""
        lines = (self.origin, str(self.size), b64encode(self.root).decode(), *self.more)
        return "".join(f"{line}\n" for line in lines)

    def signed(self, key: SigningKey) -> str:
        """The checkpoint as a signed note."""
        return key.sign(self.text)


def parse_checkpoint(text: str) -> Checkpoint:
    """The checkpoint that the text of a note states.

    Raises:
        BadNote: not of the form.
    """
    lines = text.split("\n")
    if len(lines) < 4 or lines[-1] or not all(lines[:-1]):
        raise BadNote("no checkpoint: origin, size, root, a line each")
    origin, size, root, *more = lines[:-1]
    if not (size.isascii() and size.isdigit()) or (size[0] == "0" and size != "0") or len(size) > 19:
        raise BadNote(f"`{size[:24]}` is no tree size")
    digest = decoded(root)
    if len(digest) != HASH_SIZE:
        raise BadNote(f"a root has {HASH_SIZE} bytes, not {len(digest)}")
    return Checkpoint(check_key_name(origin), int(size), digest, tuple(more))


def read_checkpoint(note: str, keys: Iterable[VerifierKey]) -> tuple[Checkpoint, VerifierKey]:
    """A signed checkpoint and the one of the keys that signed it.

    Raises:
        BadNote: not of the form, not signed by any of the keys, a signature that is wrong, or another log's.
    """
    parsed = parse_note(note)
    key = parsed.signed_by(keys)
    checkpoint = parse_checkpoint(parsed.text)
    if key is None:
        names = ", ".join(f"{line.name}+{line.key_id.hex()}" for line in parsed.signatures)
        raise BadNote(f"signed by none of the keys that are known here, but by {names}")
    if checkpoint.origin != key.name:
        raise BadNote(f"a checkpoint of {checkpoint.origin}, signed by {key.name}")
    return checkpoint, key
