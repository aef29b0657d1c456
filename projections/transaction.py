"""All or nothing, in DuckDB."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress

import duckdb
import pyarrow as pa


@contextmanager
def transaction(db: duckdb.DuckDBPyConnection, *, reading: bool = False) -> Iterator[None]:
    """Commits on leaving, takes everything back on an exception. `reading`: refuses to change anything, always."""
    db.execute("BEGIN TRANSACTION READ ONLY" if reading else "BEGIN TRANSACTION")
    try:
        yield
        db.execute("ROLLBACK" if reading else "COMMIT")
    except BaseException:
        with suppress(duckdb.Error):  # a commit that failed has taken everything back already
            db.execute("ROLLBACK")
        raise


def add_rows(db: duckdb.DuckDBPyConnection, table: str, rows: pa.Table) -> None:
    """Appends an Arrow table whose columns are those of `table`, in one statement."""
    db.register("added_rows", rows)
    try:
        db.execute(f"INSERT INTO {table} SELECT * FROM added_rows")  # noqa: S608  our own names
    finally:
        db.unregister("added_rows")
