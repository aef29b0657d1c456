-- The tables beneath all views. The feed fills `stream` and `record`; the judge fills `amended` and the `judged_` ones.
-- Money is BIGINT minor units, times are whole ms UTC (`_ms`) or µs UTC (`_us`).

-- Where the feed stands: `next_index` is the tree index of the first row not fed yet.
CREATE TABLE position (name VARCHAR, next_index BIGINT);

INSERT INTO position VALUES ('feed', 0);

-- Subjects with something new that the judge has not seen; written in the transaction that feeds it.
CREATE TABLE todo (subject VARCHAR);

-- Streams by number. `origin`: source with its restart part, as citations write it; `ours`: Recoup wrote it.
CREATE TABLE stream (
    stream_no INTEGER, stream VARCHAR, subject VARCHAR, source VARCHAR, origin VARCHAR, kind VARCHAR, house VARCHAR,
    unit VARCHAR, session VARCHAR, ours BOOLEAN, is_imported BOOLEAN
);

-- One stored record a row, in order of arrival. `data` is canonical JSON, whatever the received bytes looked like.
CREATE TABLE record (
    idx BIGINT, stream_no INTEGER, version BIGINT, sequence BIGINT, topic VARCHAR, round VARCHAR, occurred_ms BIGINT,
    recorded_us BIGINT, about VARCHAR, account VARCHAR, reason VARCHAR, data VARCHAR
);

-- Records that stand otherwise than they were recorded, as table order has them: another round (corrected, or the one
-- open at their place), time, data or newer type; `counts` false: not a fact of its session, `why` says the reason.
CREATE TABLE amended (
    subject VARCHAR, idx BIGINT, counts BOOLEAN, why VARCHAR, topic VARCHAR, round VARCHAR, occurred_ms BIGINT,
    data VARCHAR
);

-- A session as judged; `problem` says why it could not be. `gaming_day`: of its opening, else of its first record;
-- none where nobody knows the time (`is_time_known` false: its times only keep its records apart).
CREATE TABLE judged_session (
    subject VARCHAR, judged_house VARCHAR, game VARCHAR, rule_book VARCHAR, currency VARCHAR, gaming_day DATE,
    is_time_known BOOLEAN, opened_ms BIGINT, closed_ms BIGINT, edition VARCHAR, edition_digest VARCHAR, problem VARCHAR
);

-- A round's verdict; a session that could not be judged has its rounds without standing. Sums over the due lines in the
-- table's currency; `other_currencies`: those of its other stakes.
CREATE TABLE judged_round (
    subject VARCHAR, round VARCHAR, ordinal INTEGER, standing VARCHAR, settlement VARCHAR, is_due_known BOOLEAN,
    is_touched BOOLEAN, opened_ms BIGINT, closed_ms BIGINT, staked BIGINT, taken BIGINT, returned BIGINT, paid BIGINT,
    held BIGINT, rake BIGINT, recorded_rake BIGINT, pots INTEGER, difference BIGINT, candidates VARCHAR, digest VARCHAR,
    engine VARCHAR, other_currencies VARCHAR[]
);

-- One stake of a round: what is due and what is on record; a side that has no line for the stake is NULL. `contends`:
-- it may win a pot; NULL where there are none. `currency`: of its chips, NULL where it is the table's.
CREATE TABLE judged_stake (
    subject VARCHAR, round VARCHAR, ordinal INTEGER, stake VARCHAR, player VARCHAR, what VARCHAR, rule VARCHAR,
    reasons VARCHAR[], staked BIGINT, taken BIGINT, returned BIGINT, paid BIGINT, held BIGINT, stands BIGINT,
    net BIGINT, recorded_staked BIGINT, recorded_taken BIGINT, recorded_returned BIGINT, recorded_paid BIGINT,
    recorded_net BIGINT, difference BIGINT, contends BOOLEAN, currency VARCHAR
);

-- One finding; `round` NULL: it concerns the session, or lies between rounds.
CREATE TABLE judged_finding (
    subject VARCHAR, round VARCHAR, ordinal INTEGER, rule VARCHAR, via VARCHAR, code VARCHAR, kind VARCHAR,
    scope VARCHAR, about VARCHAR, player VARCHAR, money BIGINT, remedy VARCHAR, events VARCHAR[], basis VARCHAR,
    parameters VARCHAR, text VARCHAR
);
