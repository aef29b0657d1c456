"""Who runs this command: the account of the machine or database, or a personal key; and in which house."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from events.errors import Refused, Unable

if TYPE_CHECKING:
    from events.schema.ours import StaffRole
    from events.seal import SigningKey
    from events.staff import Actor
    from events.store import Log

KEY_VARIABLE = "RECOUP_KEY"
CORRECTORS: tuple[StaffRole, ...] = ("surveillance", "manager", "compliance")
"""Who may correct the record, or say that a part of it will never come."""
_NO_HOUSE = ("*", "import")
"""Streams of editions that belong to every house, and to imported hands."""
House = Annotated[str, typer.Option("--house", metavar="HOUSE", help="Where the store holds several houses.")]


def account_of(log: Log) -> str:
    """The account that acts: `key:…` where `RECOUP_KEY` names a personal key's file, else the machine's.

    Raises:
        Unable: that file is no key, or others can read it.
    """
    path = os.environ.get(KEY_VARIABLE)
    if not path:
        return log.account
    from events.staff import account_of as named

    return named(load_personal_key(Path(path)).verifier)


def require(log: Log, house: str, *roles: StaffRole, to: str) -> Actor:
    """Who acts, with one of the roles today.

    Raises:
        Refused: he has none of them.
    """
    from events.staff import read_register
    from events.values.clock import gaming_day

    return read_register(log, house).require(account_of(log), gaming_day(log.now_ms()), *roles, to=to)


def require_for(log: Log, subject: str, *roles: StaffRole, to: str) -> Actor:
    """The same in the house that a subject belongs to; what belongs to none (an imported hand): in any house.

    Raises:
        Refused: he has none of them.
    """
    from events.values.names import parse_subject

    house = parse_subject(subject).house
    if house:
        return require(log, house, *roles, to=to)
    refused: Refused | None = None
    for house in sorted({*_houses(log, "house/")} - {*_NO_HOUSE}):
        try:
            return require(log, house, *roles, to=to)
        except Refused as error:
            refused = refused or error
    raise refused or Refused(
        f"account {account_of(log)} has no role in any house; {to} needs {' or '.join(roles)}",
        hint="`recoup staff register PERSON --account ACCOUNT --role manager --house HOUSE`",
    )


def people(log: Log) -> dict[str, str]:
    """Account → the person that it stands for, in whatever house."""
    from events.staff import read_register

    found: dict[str, str] = {}
    for house in sorted({*_houses(log, "house/")} - {*_NO_HOUSE}):
        found |= {one.account: one.person for one in read_register(log, house).assignments}
    return found


def house_of(log: Log, given: str = "") -> str:
    """The house that is meant: the given one, or the only one that the store has.

    Raises:
        Refused: there are several, or none.
    """
    if given:
        return given
    houses = houses_of(log)
    if len(houses) == 1:
        return houses[0]
    if not houses:
        raise Refused(
            "the store knows no house yet", hint="--house brno names it; `recoup ingest FILE` brings records in"
        )
    raise Refused(f"the store has {len(houses)} houses: {', '.join(sorted(houses))}", hint=f"--house {houses[0]}")


def houses_of(log: Log) -> list[str]:
    """Every house that the store knows, by its tables, desks, tournaments or rules and staff of its own."""
    houses: list[str] = []
    for kind in ("table/", "desk/", "tournament/", "house/"):
        houses += [house for house in _houses(log, kind) if house not in (*houses, *_NO_HOUSE)]
    return houses


def _houses(log: Log, kind: str) -> list[str]:
    """Houses of one kind of subject; one look a house, however many sessions it has."""
    found: list[str] = []
    after = kind
    while True:
        name = log.first_subject(after, kind)
        if name is None:
            return found
        house = name.split("/")[1]
        found.append(house)
        after = f"{kind}{house}{'@' if kind == 'house/' else '/'}\x7f"


def load_personal_key(path: Path) -> SigningKey:
    """A personal key out of its file.

    Raises:
        Unable: it is not there, no key, or others can read it.
    """
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    from events.seal import SigningKey

    try:
        rights = path.stat().st_mode
        text = path.read_bytes()
    except OSError as error:
        raise Unable(
            f"{KEY_VARIABLE} names {path}: {(error.strerror or str(error)).lower()}",
            hint="name the file of your personal key; unset, it is the account of this machine that acts",
        ) from error
    if rights & (stat.S_IRWXG | stat.S_IRWXO):
        raise Unable(
            f"{path} can be read by others (rights {stat.S_IMODE(rights):04o})",
            hint=f"`chmod 600 {path}`, then ask two managers for a new key: who read it could act in your name",
        )
    try:
        private = load_pem_private_key(text, password=None)
    except (ValueError, TypeError) as error:
        raise Unable(f"{path} is no private key", hint="`recoup staff key FILE` makes one") from error
    if not isinstance(private, Ed25519PrivateKey):
        raise Unable(f"{path} is no Ed25519 key", hint="`recoup staff key FILE` makes one")
    return SigningKey("person", private)
