"""Sources of bytes: NDJSON from files, `.gz` and standard input (`README.md`)."""

from events.ingest.ndjson import (
    BATCH,
    LINE_MAX,
    Batch,
    FileReport,
    IngestReport,
    Progress,
    ingest_files,
    read_lines,
)

__all__ = ["BATCH", "LINE_MAX", "Batch", "FileReport", "IngestReport", "Progress", "ingest_files", "read_lines"]
