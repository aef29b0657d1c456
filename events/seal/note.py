"""Signed notes and their Ed25519 keys (C2SP signed-note).

A note is text, an empty line, and a line for each signature: `— <name> <base64 of key id and signature>`. The key id is
the first four bytes of SHA-256(name ‖ 0x0A ‖ 0x01 ‖ public key). A verifier key is `<name>+<key id>+<base64 of 0x01 and
public key>`, one line that people can compare.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from binascii import Error as BadBase64
from collections.abc import Iterable
from hashlib import sha256

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from msgspec import Struct

_ED25519 = b"\x01"
_MARK = "— "
_KEY_ID = 4
_SIGNATURE = 64
SIGNATURES_MAX = 100


class BadNote(ValueError):
    """Text that is no signed note, no checkpoint or no key; the message says why."""


class VerifierKey(Struct, frozen=True):
    """A key's name and its public half, 32 bytes."""

    name: str
    public: bytes

    @property
    def key_id(self) -> bytes:
        """Four bytes that stand for the key in a signature."""
        return sha256(self.name.encode() + b"\n" + _ED25519 + self.public).digest()[:_KEY_ID]

    def __str__(self) -> str:
        return f"{self.name}+{self.key_id.hex()}+{b64encode(_ED25519 + self.public).decode()}"

    def verifies(self, text: str, signature: bytes) -> bool:
        """Whether this key made the signature (64 bytes) over the text."""
        try:
            Ed25519PublicKey.from_public_bytes(self.public).verify(signature, text.encode())
        except (InvalidSignature, ValueError):
            return False
        return True


class SigningKey:
    """A key that can sign; what is secret of it never leaves by `repr` or comparison."""

    def __init__(self, name: str, private: Ed25519PrivateKey) -> None:
        public = private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        self.verifier = VerifierKey(check_key_name(name), public)
        self._private = private

    def sign(self, text: str) -> str:
        """The text as a note with this key's signature.

        Raises:
            BadNote: the text cannot be the text of a note.
        """
        _check_text(text)
        blob = self.verifier.key_id + self._private.sign(text.encode())
        return f"{text}\n{_MARK}{self.verifier.name} {b64encode(blob).decode()}\n"


class Signature(Struct, frozen=True):
    """One signature line."""

    name: str
    key_id: bytes
    signature: bytes


class Note(Struct, frozen=True):
    """A note taken apart; the signatures are as they stand, good or not."""

    text: str
    signatures: tuple[Signature, ...]

    def signed_by(self, keys: Iterable[VerifierKey]) -> VerifierKey | None:
        """The first of the keys that signed it. A line that names a key and does not verify signs nothing at all.

        Raises:
            BadNote: a signature that names one of the keys is not its.
        """
        found: VerifierKey | None = None
        for key in keys:
            for line in self.signatures:
                if line.name == key.name and line.key_id == key.key_id:
                    if not key.verifies(self.text, line.signature):
                        raise BadNote(f"the signature of {key.name} is not over this text")
                    found = found or key
        return found


def check_key_name(name: str) -> str:
    """`name` if a key may have it.

    Raises:
        BadNote: it is empty, or has a space or a plus.
    """
    if not name or "+" in name or not name.isprintable() or any(letter.isspace() for letter in name):
        raise BadNote(f"`{name}` is no name for a key: not empty, no space, no +")
    return name


def parse_verifier(text: str) -> VerifierKey:
    """The key that a verifier line states.

    Raises:
        BadNote: not of the form, another kind of key, or its id is not that of name and key.
    """
    name, _plus, rest = text.strip().partition("+")
    key_id, plus, encoded = rest.partition("+")
    blob = decoded(encoded) if plus else b""
    if len(blob) != 33 or blob[:1] != _ED25519:
        raise BadNote("no Ed25519 verifier key: <name>+<key id>+<base64>")
    key = VerifierKey(check_key_name(name), blob[1:])
    if key.key_id.hex() != key_id:
        raise BadNote(f"the key of {name} has the id {key.key_id.hex()}, not {key_id}")
    return key


def parse_note(text: str) -> Note:
    """A note taken apart; checks no signature.

    Raises:
        BadNote: not of the form.
    """
    body, empty, tail = text.rpartition("\n\n")
    if not empty or not tail.endswith("\n"):
        raise BadNote("no signed note: text, an empty line, signatures")
    body += "\n"
    _check_text(body)
    lines = tail[:-1].split("\n")
    if len(lines) > SIGNATURES_MAX:
        raise BadNote(f"{len(lines)} signatures, {SIGNATURES_MAX} at the most")
    return Note(body, tuple(_signature(line) for line in lines))


def _signature(line: str) -> Signature:
    name, space, encoded = line.removeprefix(_MARK).partition(" ")
    if not line.startswith(_MARK) or not space:
        raise BadNote(f"no signature line: `{line[:40]}`")
    blob = decoded(encoded)
    if len(blob) != _KEY_ID + _SIGNATURE:
        # Another kind of signature beside ours is allowed to be of another length; it verifies nothing here.
        if len(blob) <= _KEY_ID:
            raise BadNote(f"the signature of {name} is too short")
        return Signature(check_key_name(name), blob[:_KEY_ID], b"")
    return Signature(check_key_name(name), blob[:_KEY_ID], blob[_KEY_ID:])


def decoded(text: str) -> bytes:
    try:
        blob = b64decode(text, validate=True)
    except (BadBase64, ValueError) as error:
        raise BadNote(f"`{text[:20]}` is no base64") from error
    if b64encode(blob).decode() != text:
        # One key or signature has one spelling: bits that decoding ignores could otherwise be flipped unseen.
        raise BadNote(f"`{text[:20]}` is no canonical base64")
    return blob


def _check_text(text: str) -> None:
    if not text.endswith("\n"):
        raise BadNote("the text of a note ends with a line feed")
    if any(ord(letter) < 0x20 and letter != "\n" for letter in text):
        raise BadNote("the text of a note has no control characters")
