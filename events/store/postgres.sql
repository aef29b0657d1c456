-- The log on PostgreSQL. Statements are separated by empty lines. Evidence and bookkeeping lie in two schemas, so that
-- the application's role may update the one and only add to the other (rights.py). Names compare by their bytes.

CREATE SCHEMA IF NOT EXISTS evidence

CREATE SCHEMA IF NOT EXISTS bookkeeping

CREATE TABLE IF NOT EXISTS evidence.recoup_store (schema integer NOT NULL)

-- notification_id is the tree index plus 1, given under the lock and not drawn from a sequence: no holes.
CREATE TABLE IF NOT EXISTS evidence.stored_events (
    originator_id text COLLATE "C" NOT NULL,
    originator_version bigint NOT NULL,
    topic text COLLATE "C" NOT NULL,
    state bytea NOT NULL,
    notification_id bigint NOT NULL UNIQUE,
    PRIMARY KEY (originator_id, originator_version)
)

-- One row a transaction; recorded_at in µs UTC; leaves 32 bytes each, random, so never compressed.
CREATE TABLE IF NOT EXISTS evidence.tiles (
    first_index bigint PRIMARY KEY,
    size bigint NOT NULL,
    recorded_at bigint NOT NULL,
    origin text NOT NULL,
    account text NOT NULL,
    leaves bytea STORAGE EXTERNAL NOT NULL
)

-- event_index is the tree index of the event that holds the SHA-256.
CREATE TABLE IF NOT EXISTS evidence.quarantine (
    sha256 bytea PRIMARY KEY,
    reason text NOT NULL,
    detail text NOT NULL,
    origin text NOT NULL,
    record bytea NOT NULL,
    length bigint NOT NULL,
    stream text COLLATE "C",
    sequence bigint,
    digest bytea,
    recorded_at bigint NOT NULL,
    event_index bigint NOT NULL
)

CREATE INDEX IF NOT EXISTS quarantine_place ON evidence.quarantine (stream, sequence) WHERE stream IS NOT NULL

CREATE TABLE IF NOT EXISTS evidence.quarantine_acts (
    sha256 bytea PRIMARY KEY,
    act text NOT NULL,
    event_index bigint NOT NULL
)

CREATE OR REPLACE FUNCTION evidence.refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END
$$

CREATE OR REPLACE TRIGGER stored_events_append_only
BEFORE UPDATE OR DELETE OR TRUNCATE ON evidence.stored_events FOR EACH STATEMENT EXECUTE FUNCTION evidence.refuse()

CREATE OR REPLACE TRIGGER tiles_append_only
BEFORE UPDATE OR DELETE OR TRUNCATE ON evidence.tiles FOR EACH STATEMENT EXECUTE FUNCTION evidence.refuse()

CREATE OR REPLACE TRIGGER quarantine_append_only
BEFORE UPDATE OR DELETE OR TRUNCATE ON evidence.quarantine FOR EACH STATEMENT EXECUTE FUNCTION evidence.refuse()

CREATE OR REPLACE TRIGGER quarantine_acts_append_only
BEFORE UPDATE OR DELETE OR TRUNCATE ON evidence.quarantine_acts FOR EACH STATEMENT EXECUTE FUNCTION evidence.refuse()

-- Bookkeeping from here on: made again from evidence.
CREATE TABLE IF NOT EXISTS bookkeeping.stream_heads (
    stream text COLLATE "C" PRIMARY KEY,
    next_version bigint NOT NULL,
    seen text NOT NULL,
    run_sequence bigint NOT NULL,
    run_version bigint NOT NULL,
    run_length bigint NOT NULL,
    top_at bigint NOT NULL,
    round text COLLATE "C",
    segment_version bigint NOT NULL,
    segment_first_at bigint NOT NULL,
    segment_last_at bigint NOT NULL
)

CREATE TABLE IF NOT EXISTS bookkeeping.stream_runs (
    stream text COLLATE "C" NOT NULL,
    first_sequence bigint NOT NULL,
    first_version bigint NOT NULL,
    length bigint NOT NULL,
    PRIMARY KEY (stream, first_version)
)

CREATE TABLE IF NOT EXISTS bookkeeping.round_segments (
    stream text COLLATE "C" NOT NULL,
    round text COLLATE "C",
    from_version bigint NOT NULL,
    to_version bigint NOT NULL,
    first_at bigint NOT NULL,
    last_at bigint NOT NULL,
    PRIMARY KEY (stream, from_version)
)

CREATE TABLE IF NOT EXISTS bookkeeping.counters (name text COLLATE "C" PRIMARY KEY, value bigint NOT NULL)

CREATE TABLE IF NOT EXISTS bookkeeping.source_offsets (
    cluster text COLLATE "C" NOT NULL,
    topic text COLLATE "C" NOT NULL,
    partition bigint NOT NULL,
    next_offset bigint NOT NULL,
    PRIMARY KEY (cluster, topic, partition)
)
