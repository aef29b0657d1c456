"""Who holds the write lock of an SQLite file, where the system tells (Linux).

The file beside the log (`-shm`) is never opened for this: closing it again would drop this process's own locks on it
(POSIX locks belong to the process), so only the kernel's list is read.
"""

from __future__ import annotations

from pathlib import Path

_WRITE_LOCK_BYTE = "120"
"""WAL_WRITE_LOCK: the first lock byte in the shared-memory file (SQLite, `walformat.html`, section 2.3.1)."""


def who_writes(db_name: str, locks: Path = Path("/proc/locks")) -> str | None:
    """`process 4711 (recoup ingest day.ndjson)`, or None if it cannot be told."""
    path = Path(db_name.removeprefix("file:").partition("?")[0] + "-shm")
    try:
        inode = str(path.stat().st_ino)
        lines = locks.read_text().splitlines()
    except OSError:
        return None
    for line in lines:
        words = line.split()
        if len(words) < 8 or "WRITE" not in words:
            continue
        if words[-3].rpartition(":")[2] == inode and words[-2] == _WRITE_LOCK_BYTE:
            return _process(words[-4])
    return None


def _process(pid: str) -> str:
    try:
        command = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
    except OSError:
        command = ""
    return f"process {pid} ({command[:120]})" if command else f"process {pid}"
