"""The seal's folder: whom it speaks for, its keys, and where copies of the checkpoints go.

    seal.toml          origin, every, witnesses
    key-<key id>.pem   an Ed25519 key (PKCS 8), readable by its owner alone; rotation adds one

Which key is in force stands in the log, not here.
"""

from __future__ import annotations

import os
import stat
import tomllib
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from msgspec import Struct

from events.errors import Refused, Unable
from events.seal import BadNote, SigningKey, VerifierKey, check_key_name
from events.sealing.durable import write_durably
from events.store.address import Address

FOLDER_VARIABLE = "RECOUP_SEAL"
EVERY = 100_000
"""Rows after which ingest asks for a checkpoint, unless seal.toml says otherwise."""

CONFIG = "seal.toml"


class SealConfig(Struct, frozen=True):
    """seal.toml. `origin`: the log's name in checkpoints, as `brno.example/recoup`; `every`: rows between checkpoints
    that ingest makes by itself, 0 for none; `witnesses`: folders that get a copy of each."""

    origin: str
    every: int = EVERY
    witnesses: tuple[str, ...] = ()


def folder_of(address: Address, given: str | None = None) -> Path | None:
    """The seal's folder: the given one, that of `RECOUP_SEAL`, or `<store>.seal` beside an SQLite file.

    None: a log that is no file, and nothing names a folder.
    """
    named = given or os.environ.get(FOLDER_VARIABLE)
    if named:
        return Path(named)
    return Path(f"{address.path}.seal") if address.path else None


def is_named(given: str | None = None) -> bool:
    """Whether somebody said where the seal's folder is."""
    return bool(given or os.environ.get(FOLDER_VARIABLE))


def is_made(folder: Path | None) -> bool:
    """Whether there is a seal in it."""
    return folder is not None and (folder / CONFIG).is_file()


def make_folder(folder: Path, config: SealConfig) -> None:
    """The folder with its configuration, the owner's alone.

    Raises:
        Refused: a configuration that no seal can have.
        OSError: it cannot be made.
    """
    try:
        check_key_name(config.origin)
    except BadNote as error:
        raise Refused(str(error), hint="--origin brno.example/recoup") from error
    if config.every < 0:
        raise Refused(f"{config.every} rows between checkpoints cannot be", hint="0 is never, 100000 the default")
    for witness in config.witnesses:
        if not Path(witness).is_absolute():
            raise Refused(f"witness folder {witness} is a relative name", hint="name it from the root: /mnt/witness")
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    lines = [
        f"origin = {_quoted(config.origin)}",
        f"every = {config.every}",
        f"witnesses = [{', '.join(map(_quoted, config.witnesses))}]",
    ]
    write_durably(folder / CONFIG, "".join(f"{line}\n" for line in lines).encode())


def read_config(folder: Path | None) -> SealConfig:
    """What seal.toml says.

    Raises:
        Unable: there is no seal.
        Refused: it says something that cannot be read.
    """
    if folder is None:
        raise Unable(
            "this log is no file, and nothing says where its seal is kept",
            hint=f"--seal FOLDER, or {FOLDER_VARIABLE}=FOLDER",
        )
    path = folder / CONFIG
    if not path.is_file():
        raise Unable(f"there is no seal in {folder}", hint="`recoup seal init --origin NAME` makes one")
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Refused(f"{path}: {error}") from error
    origin, every, witnesses = found.get("origin"), found.get("every", EVERY), found.get("witnesses", [])
    unknown = sorted(set(found) - {"origin", "every", "witnesses"})
    if unknown:
        raise Refused(f"{path}: `{unknown[0]}` is no setting of a seal", hint="origin, every, witnesses")
    if type(origin) is not str or type(every) is not int or not _are_texts(witnesses):
        raise Refused(f"{path}: origin is a text, every a number, witnesses a list of texts")
    return SealConfig(origin, every, tuple(witnesses))


def make_key(folder: Path, origin: str) -> SigningKey:
    """A fresh key, kept in the folder."""
    private = Ed25519PrivateKey.generate()
    key = SigningKey(origin, private)
    pem = private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    write_durably(_key_path(folder, key.verifier), pem, mode=0o600)
    return key


def load_key(folder: Path, verifier: VerifierKey) -> SigningKey:
    """The private half of a key.

    Raises:
        Unable: it is not there, others may read it, or it is another key.
    """
    path = _key_path(folder, verifier)
    try:
        rights = path.stat().st_mode
    except FileNotFoundError as error:
        raise Unable(
            f"the key in force, {verifier.key_id.hex()}, is not in {folder}",
            hint="bring it back from its backup; without it only a new seal with new witnesses can go on",
        ) from error
    if rights & (stat.S_IRWXG | stat.S_IRWXO):
        raise Unable(
            f"{path} can be read by others (rights {stat.S_IMODE(rights):04o})",
            hint=f"`chmod 600 {path}`, then `recoup seal rotate`: who read it could sign in this log's name",
        )
    try:
        private = load_pem_private_key(path.read_bytes(), password=None)
    except (ValueError, TypeError) as error:
        raise Unable(f"{path} is no key: {error}", hint="bring it back from its backup") from error
    if not isinstance(private, Ed25519PrivateKey) or SigningKey(verifier.name, private).verifier != verifier:
        raise Unable(f"{path} holds another key than its name says", hint="bring it back from its backup")
    return SigningKey(verifier.name, private)


def key_files(folder: Path) -> list[Path]:
    """Private keys that lie in the folder."""
    return sorted(folder.glob("key-*.pem"))


def adoptable_key(folder: Path, origin: str) -> SigningKey | None:
    """A key that an `init` which did not come to its end has left here; None if there is none."""
    for path in key_files(folder):
        private = load_pem_private_key(path.read_bytes(), password=None)
        if isinstance(private, Ed25519PrivateKey):
            key = SigningKey(origin, private)
            if _key_path(folder, key.verifier) == path:
                return load_key(folder, key.verifier)
    return None


def _key_path(folder: Path, verifier: VerifierKey) -> Path:
    return folder / f"key-{verifier.key_id.hex()}.pem"


def _are_texts(value: object) -> bool:
    return isinstance(value, list) and all(type(one) is str for one in value)


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
