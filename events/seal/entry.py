"""What is hashed of a stored row: every column, framed so that no two rows share an encoding.

entry = 0x01 ‖ recorded_at (u64 BE, µs UTC) ‖ version (u64 BE) ‖ len(stream) (u16 BE) ‖ stream
        ‖ len(topic) (u16 BE) ‖ topic ‖ state bytes;   leaf = SHA-256(0x00 ‖ entry)   (RFC 6962, 2.1)
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256

ENTRY_VERSION = b"\x01"
_LEAF_PREFIX = b"\x00"
_NAMES_KEPT = 4096


def _framed(name: bytes) -> bytes:
    return len(name).to_bytes(2, "big") + name


def entry(recorded_at: int, stream: bytes, version: int, topic: bytes, state: bytes) -> bytes:
    """The bytes that stand for one row in the tree. `recorded_at` in µs UTC.

    Raises:
        OverflowError: a negative number, one beyond 64 bits, or a name beyond 65,535 bytes.
    """
    return b"".join(
        (
            ENTRY_VERSION,
            recorded_at.to_bytes(8, "big"),
            version.to_bytes(8, "big"),
            _framed(stream),
            _framed(topic),
            state,
        )
    )


def leaf(recorded_at: int, stream: bytes, version: int, topic: bytes, state: bytes) -> bytes:
    """SHA-256(0x00 ‖ entry): the row's leaf in the tree."""
    return sha256(_LEAF_PREFIX + entry(recorded_at, stream, version, topic, state)).digest()


def leaf_hasher(recorded_at: int) -> Callable[[bytes, int, bytes, bytes], bytes]:
    """`leaf` for many rows of one batch, which share `recorded_at`; framed names are kept, as they recur."""
    head = _LEAF_PREFIX + ENTRY_VERSION + recorded_at.to_bytes(8, "big")
    names: dict[tuple[bytes, bytes], bytes] = {}
    known = names.get

    def hash_row(stream: bytes, version: int, topic: bytes, state: bytes) -> bytes:
        framed = known((stream, topic))
        if framed is None:
            if len(names) >= _NAMES_KEPT:
                names.clear()
            framed = names[stream, topic] = _framed(stream) + _framed(topic)
        return sha256(head + version.to_bytes(8, "big") + framed + state).digest()

    return hash_row
