-- Every record as it was recorded, with its place.
-- Grain: one stored record. Units: occurred_ms ms UTC, recorded_us µs UTC; data is canonical JSON.
-- Readers: staging/.
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
    r.topic,
    r.round,
    r.occurred_ms,
    r.recorded_us,
    s.ours AS is_ours,
    r.about,
    r.account,
    r.reason,
    r.data
FROM record AS r
INNER JOIN stream AS s ON s.stream_no = r.stream_no
