-- The facts of all sessions as they stand: corrected, disowned records gone, each in the round that it belongs to.
-- Grain: one fact. Units: occurred_ms ms UTC, recorded_us µs UTC; data is canonical JSON.
-- Readers: facts/. What was written is in `recorded`; both name a record by idx, its tree index.
SELECT
    r.idx,
    s.stream,
    r.version,
    s.kind,
    s.subject,
    s.house,
    s.unit,
    s.session,
    s.origin,
    r.sequence,
    coalesce(a.topic, r.topic) AS topic,
    CASE WHEN a.idx IS NULL THEN r.round ELSE a.round END AS round,
    CASE WHEN a.idx IS NULL THEN r.occurred_ms ELSE a.occurred_ms END AS occurred_ms,
    r.recorded_us,
    r.about,
    coalesce(a.data, r.data) AS data,
    a.idx IS NOT NULL AS is_amended
FROM record AS r
INNER JOIN stream AS s ON s.stream_no = r.stream_no
LEFT JOIN amended AS a ON a.idx = r.idx
WHERE
    s.kind IN ('table', 'tournament', 'desk', 'import')
    AND coalesce(a.counts, s.is_imported OR NOT s.ours)
