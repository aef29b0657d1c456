-- Records of sessions that are kept and not counted because their data cannot be read.
-- Grain: one record. Units: data is canonical JSON.
-- Readers: checks.
SELECT
    r.idx,
    r.subject,
    r.sequence || '@' || r.origin AS cite,
    r.topic,
    r.round,
    make_timestamptz(r.occurred_ms * 1000) AS occurred_at,
    a.why,
    r.data
FROM amended AS a
INNER JOIN recorded AS r ON r.idx = a.idx
WHERE NOT a.counts AND a.why LIKE 'unread:%'
