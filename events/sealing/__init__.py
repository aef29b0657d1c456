"""Signed checkpoints of the log: keys, the record of them in the log, witnesses, and the comparison with all of it."""

from events.sealing.checking import SealReport, verify_all
from events.sealing.folder import (
    EVERY,
    FOLDER_VARIABLE,
    SealConfig,
    folder_of,
    is_made,
    is_named,
    read_config,
)
from events.sealing.record import STREAM, Adopted, SealRecord, Signed, read_record
from events.sealing.sealer import Sealed, rotate, seal, seal_if_due, seal_record, start

__all__ = [
    "EVERY",
    "FOLDER_VARIABLE",
    "STREAM",
    "Adopted",
    "SealConfig",
    "SealRecord",
    "SealReport",
    "Sealed",
    "Signed",
    "folder_of",
    "is_made",
    "is_named",
    "read_config",
    "read_record",
    "rotate",
    "seal",
    "seal_if_due",
    "seal_record",
    "start",
    "verify_all",
]
