"""Names in the envelope: subjects, sources, rounds, streams and citations (design section 4)."""

from __future__ import annotations

import re
from typing import NamedTuple

from events.errors import BadName

NAME_MAX = 255
_NAME = re.compile(r"[!-~]{1,255}")
_RESERVED = ("@", "#", "~")
RECOUP = "/recoup"
"""Every source of ours begins so; nothing from outside may."""

OUTSIDE_KINDS = frozenset({"table", "tournament", "desk"})
SEQUENCE_MAX = 2**53 - 1


def is_name(text: str) -> bool:
    """1–255 printable ASCII characters without space, `@`, `#`, `~`."""
    return _NAME.fullmatch(text) is not None and not ("@" in text or "#" in text or "~" in text)


_SHOWN = 40


def flaw_of(text: str) -> str:
    """Why a text is no name, in words that follow its name; empty if it is one."""
    if is_name(text):
        return ""
    if not text:
        return "is empty"
    if len(text) > NAME_MAX:
        return f"has {len(text)} characters, at the most {NAME_MAX} may be"
    wrong = next(letter for letter in text if not "!" <= letter <= "~" or letter in _RESERVED)
    shown = "a space" if wrong == " " else f"`{wrong}`" if wrong in _RESERVED else f"U+{ord(wrong):04X}"
    return f"has {shown} in it"


def check_name(text: str, what: str) -> str:
    """`text` if it is a name.

    Raises:
        BadName: length, a space, a control character, `@`, `#` or `~`.
    """
    if flaw := flaw_of(text):
        shown = text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
        raise BadName(
            f"{what} `{shown}` {flaw}", hint=f"1 to {NAME_MAX} printable ASCII characters without space, @, #, ~"
        )
    return text


def check_round(text: str) -> str:
    """`text` if it names a round as a person may: a name, or that of a round opened again (`173~2`).

    Raises:
        BadName: neither.
    """
    plain, tilde, again = text.partition("~")
    check_name(plain if tilde and again.isascii() and again.isdigit() else text, "round")
    return text


class Subject(NamedTuple):
    """What a record is about: `table/brno/RL-03/2026-11-28.1` → kind, house, unit, session."""

    kind: str
    house: str
    unit: str
    session: str


_PARTS = {
    "table": 4,
    "tournament": 3,
    "desk": 4,
    "house": 2,
    "day": 3,
    "dispute": 2,
    "import": 2,
    "access": 2,
    "quarantine": 2,
    "seal": 2,
}


def parse_subject(text: str) -> Subject:
    """The parts of a subject; those that its kind does not have are empty.

    Raises:
        BadName: unknown kind, or not as many parts as the kind has.
    """
    parts = text.split("/")
    if _PARTS.get(parts[0]) != len(parts) or not all(parts):
        raise BadName(
            f"subject `{text}` is none of the kinds that Recoup keeps", hint="table/<house>/<table>/<session>"
        )
    if parts[0] in ("dispute", "import", "access", "quarantine", "seal"):
        return Subject(parts[0], "", parts[1], "")
    return Subject(parts[0], parts[1], *[*parts[2:], "", ""][:2])


def stream_name(subject: str, source: str, part: int = 1) -> str:
    """`<subject>@<source>`, from the second start of its counter on `…~<part>`."""
    return f"{subject}@{source}" if part == 1 else f"{subject}@{source}~{part}"


class Stream(NamedTuple):
    """A stream's name taken apart; `part` is `1`, a later start's number, or `r` for released conflicts."""

    subject: str
    source: str
    part: str


def parse_stream(text: str) -> Stream:
    """Subject, source and part of a stream's name.

    Raises:
        BadName: no `@`.
    """
    subject, at, rest = text.partition("@")
    if not at:
        raise BadName(f"stream `{text}` has no `@`")
    source, _tilde, part = rest.partition("~")
    return Stream(subject, source, part or "1")


def round_address(subject: str, round_name: str) -> str:
    """`<subject>#<round>`."""
    return f"{subject}#{round_name}"


class Citation(NamedTuple):
    """Where a record stands in its subject: `4711@/brno/RL-03/terminal`."""

    sequence: int
    source: str


def parse_citation(text: str) -> Citation:
    """Sequence and source of `<sequence>@<source>`; a later start of the counter stays in the source (`…~2`).

    Raises:
        BadName: another form.
    """
    digits, at, source = text.partition("@")
    if not (at and source and digits.isascii() and digits.isdigit()):
        raise BadName(f"`{text}` does not name a record", hint="<sequence>@<source>, as 4711@/brno/RL-03/terminal")
    return Citation(int(digits), source)
