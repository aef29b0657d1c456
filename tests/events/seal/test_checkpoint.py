"""Signed notes and checkpoints: the published example, the form, and every flipped bit refused."""

from __future__ import annotations

from base64 import b64decode, b64encode

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from events.seal import (
    BadNote,
    Checkpoint,
    SigningKey,
    parse_checkpoint,
    parse_note,
    parse_verifier,
    read_checkpoint,
)

PUBLIC_KEY = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
PUBLIC_NOTE = (
    "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n\n"
    "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n"
)
"""The example in the documentation of golang.org/x/mod/sumdb/note, the origin of the form."""

ORIGIN = "brno.example/recoup"
KEY = SigningKey(ORIGIN, Ed25519PrivateKey.from_private_bytes(b"\x07" * 32))
OTHER = SigningKey(ORIGIN, Ed25519PrivateKey.from_private_bytes(b"\x08" * 32))
CHECKPOINT = Checkpoint(ORIGIN, 4711, bytes(range(32)))
NOTE = CHECKPOINT.signed(KEY)


def test_the_published_example_verifies() -> None:
    key = parse_verifier(PUBLIC_KEY)
    assert str(key) == PUBLIC_KEY
    assert parse_note(PUBLIC_NOTE).signed_by([key]) == key


def test_a_checkpoint_reads_back_as_it_was_signed() -> None:
    assert CHECKPOINT.text == "brno.example/recoup\n4711\nAAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=\n"
    assert read_checkpoint(NOTE, [OTHER.verifier, KEY.verifier]) == (CHECKPOINT, KEY.verifier)
    with_more = Checkpoint(ORIGIN, 0, b"\x00" * 32, ("a witness's line",))
    assert parse_checkpoint(with_more.text) == with_more


def test_every_flipped_bit_of_a_note_is_refused() -> None:
    raw = NOTE.encode()
    for bit in range(len(raw) * 8):
        changed = bytearray(raw)
        changed[bit // 8] ^= 1 << bit % 8
        try:
            text = bytes(changed).decode()
        except UnicodeDecodeError:
            continue
        with pytest.raises(BadNote):
            read_checkpoint(text, [KEY.verifier])


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no signed note"),
        ("text\n", "no signed note"),
        ("text\n\nno signature\n", "no signature line"),
        ("a\tb\n\n— x AAAAAAAA\n", "control characters"),
        ("text\n\n— x AAAA\n", "too short"),
        ("text\n\n— x !\n", "no base64"),
        ("text\n\n" + "— x AAAAAAAA\n" * 101, "101 signatures"),
    ],
)
def test_what_is_no_note_is_refused(text: str, why: str) -> None:
    with pytest.raises(BadNote, match=why):
        parse_note(text)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("o\n1\n", "no checkpoint"),
        ("o\n01\nAAAA\n", "no tree size"),
        ("o\n-1\nAAAA\n", "no tree size"),
        ("o\n١\nAAAA\n", "no tree size"),
        ("o\n1\nAAAA\n", "32 bytes"),
        ("o\n1\nAAAA\n\nmore\n", "no checkpoint"),
        ("o with space\n1\n" + "A" * 43 + "=\n", "no name for a key"),
    ],
)
def test_what_is_no_checkpoint_is_refused(text: str, why: str) -> None:
    with pytest.raises(BadNote, match=why):
        parse_checkpoint(text)


def test_only_a_known_key_of_that_log_signs() -> None:
    with pytest.raises(BadNote, match="none of the keys"):
        read_checkpoint(NOTE, [OTHER.verifier])
    foreign = Checkpoint("praha.example/recoup", 1, bytes(32)).signed(KEY)
    with pytest.raises(BadNote, match="signed by brno"):
        read_checkpoint(foreign, [KEY.verifier])


def test_a_second_signature_of_another_kind_is_no_harm() -> None:
    blob = b64encode(b"abcd" + b"\x00" * 70).decode()
    assert read_checkpoint(f"{NOTE}— witness.example {blob}\n", [KEY.verifier])[0] == CHECKPOINT


@pytest.mark.parametrize(
    "text",
    [
        "x",
        "x+00000000",
        "x+00000000+AAAA",
        PUBLIC_KEY.replace("c74f20a3", "c74f20a4"),
        PUBLIC_KEY.replace("PeterNeumann", "Peter Neumann"),
        "x+00000000+" + b64encode(b"\x02" + b64decode(PUBLIC_KEY.rpartition("+")[2])[1:]).decode(),
    ],
)
def test_what_is_no_verifier_key_is_refused(text: str) -> None:
    with pytest.raises(BadNote):
        parse_verifier(text)


def test_the_secret_half_does_not_show() -> None:
    assert (b"\x07" * 32).hex() not in repr(KEY)
    assert b64encode(b"\x07" * 32).decode() not in repr(vars(KEY))
