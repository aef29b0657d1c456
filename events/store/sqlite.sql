-- The log on SQLite. Statements are separated by empty lines. Triggers that refuse UPDATE and DELETE on the tables of
-- evidence are made by sqlite.py.

CREATE TABLE IF NOT EXISTS recoup_store (schema INTEGER NOT NULL)

-- Evidence: rowid is the tree index plus 1, given under the lock; a declared one is never given out again.
CREATE TABLE IF NOT EXISTS stored_events (
    rowid INTEGER PRIMARY KEY AUTOINCREMENT,
    originator_id TEXT NOT NULL,
    originator_version INTEGER NOT NULL,
    topic TEXT NOT NULL,
    state BLOB NOT NULL,
    UNIQUE (originator_id, originator_version)
)

-- Evidence: one row a transaction; recorded_at in µs UTC; leaves 32 bytes each.
CREATE TABLE IF NOT EXISTS tiles (
    first_index INTEGER PRIMARY KEY,
    size INTEGER NOT NULL,
    recorded_at INTEGER NOT NULL,
    origin TEXT NOT NULL,
    account TEXT NOT NULL,
    leaves BLOB NOT NULL
)

-- Evidence: event_index is the tree index of the event that holds the SHA-256.
CREATE TABLE IF NOT EXISTS quarantine (
    sha256 BLOB PRIMARY KEY,
    reason TEXT NOT NULL,
    detail TEXT NOT NULL,
    origin TEXT NOT NULL,
    record BLOB NOT NULL,
    length INTEGER NOT NULL,
    stream TEXT,
    sequence INTEGER,
    digest BLOB,
    recorded_at INTEGER NOT NULL,
    event_index INTEGER NOT NULL
)

CREATE INDEX IF NOT EXISTS quarantine_place ON quarantine (stream, sequence) WHERE stream IS NOT NULL

CREATE TABLE IF NOT EXISTS quarantine_acts (
    sha256 BLOB PRIMARY KEY,
    act TEXT NOT NULL,
    event_index INTEGER NOT NULL
)

-- Bookkeeping from here on: made again from evidence.
CREATE TABLE IF NOT EXISTS stream_heads (
    stream TEXT PRIMARY KEY,
    next_version INTEGER NOT NULL,
    seen TEXT NOT NULL,
    run_sequence INTEGER NOT NULL,
    run_version INTEGER NOT NULL,
    run_length INTEGER NOT NULL,
    top_at INTEGER NOT NULL,
    round TEXT,
    segment_version INTEGER NOT NULL,
    segment_first_at INTEGER NOT NULL,
    segment_last_at INTEGER NOT NULL
) WITHOUT ROWID

CREATE TABLE IF NOT EXISTS stream_runs (
    stream TEXT NOT NULL,
    first_sequence INTEGER NOT NULL,
    first_version INTEGER NOT NULL,
    length INTEGER NOT NULL,
    PRIMARY KEY (stream, first_version)
) WITHOUT ROWID

CREATE TABLE IF NOT EXISTS round_segments (
    stream TEXT NOT NULL,
    round TEXT,
    from_version INTEGER NOT NULL,
    to_version INTEGER NOT NULL,
    first_at INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    PRIMARY KEY (stream, from_version)
) WITHOUT ROWID

CREATE TABLE IF NOT EXISTS counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID

CREATE TABLE IF NOT EXISTS source_offsets (
    cluster TEXT NOT NULL,
    topic TEXT NOT NULL,
    partition INTEGER NOT NULL,
    next_offset INTEGER NOT NULL,
    PRIMARY KEY (cluster, topic, partition)
) WITHOUT ROWID
