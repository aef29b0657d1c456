-- Every record as it was recorded: nothing corrected, nothing left out, whoever wrote it.
-- Grain: one stored record. Units: times with offset; sequence and version are counts; data is canonical JSON.
-- Readers: checks; people who ask what was written. What holds today is in the fct_ views.
SELECT
    idx,
    stream,
    version,
    kind,
    subject,
    house,
    unit,
    session,
    sequence || '@' || origin AS cite,
    origin,
    sequence,
    topic,
    round,
    make_timestamptz(occurred_ms * 1000) AS occurred_at,
    make_timestamptz(recorded_us) AS recorded_at,
    is_ours,
    about,
    account,
    reason,
    data
FROM recorded
