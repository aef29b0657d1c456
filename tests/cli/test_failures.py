"""Errors of the surroundings in words; our own mistakes stay what they are."""

from __future__ import annotations

import errno
import os
import sqlite3

import psycopg
import pytest

from cli import failures
from events.errors import Refused, SealBroken, StoreBusy


@pytest.mark.parametrize(
    ("error", "code", "text"),
    [
        (Refused("no such round"), 2, "no such round"),
        (StoreBusy("held"), 3, "held"),
        (SealBroken("broken at 7"), 4, "broken at 7"),
        (OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "day.ndjson"), 3, "day.ndjson: no space left on device"),
        (IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), "folder"), 3, "folder: is a directory"),
        (sqlite3.OperationalError("database or disk is full"), 3, "full"),
        (sqlite3.OperationalError("database is locked"), 3, "busy"),
        (sqlite3.OperationalError("attempt to write a readonly database"), 3, "cannot be written"),
        (sqlite3.DatabaseError("file is not a database"), 3, "cannot be read"),
        (psycopg.OperationalError("server closed the connection\nmore"), 3, "the database server: server closed"),
    ],
)
def test_what_the_surroundings_do_is_said_with_its_exit_code(error: Exception, code: int, text: str) -> None:
    said = failures.known(error)
    assert said is not None
    assert said.exit_code == code
    assert text in str(said)


def wrapped() -> None:
    try:
        raise sqlite3.OperationalError("disk I/O error")
    except sqlite3.OperationalError as inner:
        raise RuntimeError("wrapped") from inner


def blundered() -> None:
    try:
        raise Refused("asked wrongly")
    except Refused:
        int("ours")


def test_an_error_is_known_by_what_it_was_raised_from() -> None:
    with pytest.raises(RuntimeError) as caught:
        wrapped()
    assert failures.known(caught.value) is not None


def test_our_own_mistake_is_not_hidden_behind_an_error_that_came_before_it() -> None:
    with pytest.raises(ValueError, match="invalid literal") as caught:
        blundered()
    assert failures.known(caught.value) is None
    assert failures.known(sqlite3.OperationalError("no such column: x")) is None
