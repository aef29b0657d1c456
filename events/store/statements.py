"""SQL that both databases share. `?` marks a parameter; `rowid` is the tree index plus 1 (PostgreSQL says
`notification_id`); names compare by their bytes in both.
"""

from __future__ import annotations

ROW = "SELECT rowid - 1, originator_id, originator_version, topic, state FROM stored_events "
PAGE = ROW + "WHERE rowid > ? ORDER BY rowid LIMIT ?"
ALL_ROWS = ROW + "ORDER BY rowid"
STREAM = ROW + "WHERE originator_id = ? ORDER BY originator_version"
STREAM_PART = ROW + "WHERE originator_id = ? AND originator_version BETWEEN ? AND ? ORDER BY originator_version"
SIZE = "SELECT max(rowid) FROM stored_events"

TILE_AT = "SELECT first_index, size, recorded_at FROM tiles WHERE first_index <= ? ORDER BY first_index DESC LIMIT 1"
TILE_ORIGIN = (
    "SELECT first_index, size, recorded_at, origin, account FROM tiles WHERE first_index <= ? "
    "ORDER BY first_index DESC LIMIT 1"
)
LAST_TILE = "SELECT first_index, size, recorded_at FROM tiles ORDER BY first_index DESC LIMIT 1"
ALL_TILES = "SELECT first_index, size, recorded_at, leaves FROM tiles ORDER BY first_index"
TILE_LEAVES = "SELECT leaves FROM tiles WHERE first_index = ?"
LEAVES = "SELECT leaves FROM tiles ORDER BY first_index"
LEAVES_FROM = "SELECT first_index, leaves FROM tiles WHERE first_index >= ? ORDER BY first_index"

TILES_FROM = (
    "SELECT first_index, size, recorded_at, origin, account, leaves FROM tiles WHERE first_index >= ? "
    "ORDER BY first_index"
)
ROWS_FROM = ROW + "WHERE rowid > ? ORDER BY rowid"

ROWS_COUNTED = "SELECT count(*), max(rowid) FROM stored_events"
TILES_COUNTED = "SELECT CAST(sum(size) AS BIGINT) FROM tiles"
TILES_APART = (
    "SELECT first_index FROM (SELECT first_index, "
    "lag(first_index + size, 1, 0) OVER (ORDER BY first_index) AS due FROM tiles) AS t "
    "WHERE first_index <> due ORDER BY first_index LIMIT 5"
)

HEAD = (
    "SELECT stream, next_version, seen, run_sequence, run_version, run_length, top_at, round, segment_version, "
    "segment_first_at, segment_last_at FROM stream_heads "
)
HEADS_BETWEEN = HEAD + "WHERE stream >= ? AND stream < ? ORDER BY stream"
ALL_HEADS = HEAD + "ORDER BY stream"
STREAM_NAMES = "SELECT stream FROM stream_heads WHERE stream > ? AND stream < ? ORDER BY stream LIMIT ?"

RUNS = "SELECT first_sequence, first_version, length FROM stream_runs WHERE stream = ? ORDER BY first_sequence"
RUN = "SELECT first_sequence, first_version, length FROM stream_runs WHERE stream = ? AND first_version = ?"
ALL_RUNS = "SELECT stream, first_sequence, first_version, length FROM stream_runs ORDER BY stream, first_version"

SEGMENTS_BETWEEN = (
    "SELECT stream, round, from_version, to_version, first_at, last_at FROM round_segments "
    "WHERE stream >= ? AND stream < ? ORDER BY stream, from_version"
)
SEGMENT = (
    "SELECT round, from_version, to_version, first_at, last_at FROM round_segments "
    "WHERE stream = ? AND from_version = ?"
)
ALL_SEGMENTS = (
    "SELECT stream, round, from_version, to_version, first_at, last_at FROM round_segments "
    "ORDER BY stream, from_version"
)

HELD = (
    "SELECT q.sha256, q.reason, q.detail, q.origin, q.record, q.length, q.stream, q.sequence, q.digest, "
    "q.recorded_at, q.event_index, a.act, a.event_index FROM quarantine q "
    "LEFT JOIN quarantine_acts a ON a.sha256 = q.sha256 "
)
HELD_FROM = (
    "SELECT sha256, reason, detail, origin, record, length, stream, sequence, digest, recorded_at, event_index "
    "FROM quarantine WHERE event_index >= ? ORDER BY event_index"
)
ACTS_FROM = "SELECT sha256, act, event_index FROM quarantine_acts WHERE event_index >= ? ORDER BY event_index"
HELD_ALL = HELD + "ORDER BY q.event_index"
HELD_OPEN = HELD + "WHERE a.act IS NULL ORDER BY q.event_index"
OPEN_SHA256S = (
    "SELECT q.sha256 FROM quarantine q LEFT JOIN quarantine_acts a ON a.sha256 = q.sha256 WHERE a.act IS NULL"
)
ACTED = "SELECT act FROM quarantine_acts WHERE sha256 = ?"
HELD_BETWEEN = HELD + "WHERE q.sha256 >= ? AND q.sha256 <= ? ORDER BY q.event_index"
OPEN_CONFLICTS = HELD + "WHERE q.stream >= ? AND q.stream < ? AND a.act IS NULL ORDER BY q.event_index"
QUARANTINED = "SELECT sha256 FROM quarantine WHERE sha256 = ?"
CONFLICT_DIGESTS = "SELECT digest FROM quarantine WHERE stream = ? AND sequence = ? AND digest IS NOT NULL"

COUNTERS = "SELECT name, value FROM counters ORDER BY name"
OFFSETS = "SELECT cluster, topic, partition, next_offset FROM source_offsets ORDER BY cluster, topic, partition"
OFFSET = "SELECT next_offset FROM source_offsets WHERE cluster = ? AND topic = ? AND partition = ?"
SCHEMA = "SELECT schema FROM recoup_store"

ACTS = "SELECT sha256, event_index FROM quarantine_acts WHERE act = ? ORDER BY event_index"

ALL_ACTS = "SELECT act, event_index FROM quarantine_acts ORDER BY event_index"

INSERT_HELD = (
    "INSERT INTO quarantine (sha256, reason, detail, origin, record, length, stream, sequence, digest, recorded_at, "
    "event_index) VALUES (?,?,?,?,?,?,?,?,?,?,?)"
)
INSERT_ACT = "INSERT INTO quarantine_acts (sha256, act, event_index) VALUES (?,?,?)"
INSERT_TILE = "INSERT INTO tiles (first_index, size, recorded_at, origin, account, leaves) VALUES (?,?,?,?,?,?)"
ADD_COUNT = (
    "INSERT INTO counters (name, value) VALUES (?,?) "
    "ON CONFLICT (name) DO UPDATE SET value = counters.value + excluded.value"
)
PUT_OFFSET = (
    "INSERT INTO source_offsets (cluster, topic, partition, next_offset) VALUES (?,?,?,?) "
    "ON CONFLICT (cluster, topic, partition) DO UPDATE "
    "SET next_offset = CASE WHEN excluded.next_offset > source_offsets.next_offset "
    "THEN excluded.next_offset ELSE source_offsets.next_offset END"
)


def after_base(text: str) -> str:
    """Upper bound, not included, of all names that begin with `text`."""
    return text[:-1] + chr(ord(text[-1]) + 1) if text else "\x7f"
