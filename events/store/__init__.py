"""The log: what happened, and where it is kept (`README.md`)."""

from events.store.accept import COUNTS, JUMP_MAX, Receipt, total_of
from events.store.application import Decided, LogApplication
from events.store.backend import SCHEMA, Held, Row
from events.store.batch import Draft
from events.store.facts import OpenConflict, RoundSegment, SessionFacts, SessionGap
from events.store.log import Log, follow
from events.store.origin import Origin, Oversized, Partition, account
from events.store.status import LogGap, Status
from events.store.verify import Problem, VerifyReport, verify

__all__ = [
    "COUNTS",
    "JUMP_MAX",
    "SCHEMA",
    "Decided",
    "Draft",
    "Held",
    "Log",
    "LogApplication",
    "LogGap",
    "OpenConflict",
    "Origin",
    "Oversized",
    "Partition",
    "Problem",
    "Receipt",
    "RoundSegment",
    "Row",
    "SessionFacts",
    "SessionGap",
    "Status",
    "VerifyReport",
    "account",
    "follow",
    "total_of",
    "verify",
]
