"""The tree of our exceptions; data that breaks a rule is a finding, never one of these.

RecoupError
├── Refused            the caller asked for something that cannot be meant      exit 2
│   ├── BadName        a subject, source, round or place that cannot be read
│   ├── BadNotation    a line of notation that cannot be parsed
│   └── BadEdition     an edition file with a misspelt key or a hole
├── Unable             the surroundings do not allow it                         exit 3
│   ├── StoreMissing   no store there
│   ├── StoreTooNew    a later version of Recoup wrote this store
│   ├── StoreBusy      another process holds it
│   └── EditionMissing no edition in force on that day
└── SealBroken         the log is not what was sealed                           exit 4
"""

from __future__ import annotations

from typing import ClassVar


class RecoupError(Exception):
    """Says what was found and what was expected; `hint` says what to try."""

    exit_code: ClassVar[int] = 3

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


class Refused(RecoupError):
    """The request itself cannot be meant."""

    exit_code = 2


class BadName(Refused):
    """A subject, source, round or place that cannot be read."""


class BadNotation(Refused):
    """A line of notation that cannot be parsed."""


class BadEdition(Refused):
    """An edition file with an unknown or misspelt key, a wrong type or a hole in a table."""


class Unable(RecoupError):
    """The request is fine; the surroundings do not allow it."""


class StoreMissing(Unable):
    """There is no store at that address."""


class StoreTooNew(Unable):
    """A later version of Recoup wrote this store."""


class StoreBusy(Unable):
    """Another process holds the store."""


class EditionMissing(Unable):
    """No edition of that rule book is in force on that day."""


class SealBroken(RecoupError):
    """The log is not what was sealed."""

    exit_code = 4
